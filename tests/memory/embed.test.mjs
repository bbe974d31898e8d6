// Recall by meaning: vectors from a function of the host, from a table of word vectors, and from an endpoint whose
// answers are cached beside the book.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '../../pkg/client.js';
import { openHornbook, wordVectors } from '../../pkg/node.js';
import { BIN, Server, directory } from '../node/harness.mjs';
import { wheelOf, zipOf } from '../support/wheel.mjs';

/** Three topics: a vector says how much a text has of each, and a little of none. */
const TOPICS = [/car|automobile|vehicle|engine oil/gi, /money|invoice|payment/gi, /bird|owl/gi];
const vectorOf = (text) => [...TOPICS.map((topic) => text.match(topic)?.length ?? 0), 0.01];

const SAVED = ['Change the engine oil of the van in May', 'An invoice is due after 30 days', 'The owl sleeps by day'];

/** What recall finds about a topic, best first. */
const contents = ({ results }) => results.filter(({ source }) => source === 'experience').map(({ content }) => content);

test('a function of the host finds text in other words, and nothing changes without it', async () => {
  for (const embed of [undefined, async (texts) => texts.map(vectorOf)]) {
    const { hornbook, close } = await openHornbook({ tools: ['memory'] }, () => {}, undefined, { embed });
    const client = new Client(hornbook, 'test');
    const call = async (name, values) => (await client.callTool(name, values)).structured;
    for (const content of SAVED) await call('kn_experience', { action: 'save', content, type: 'solution' });
    const found = await call('kn_intel', { action: 'recall', topic: 'automobile', detail: 'full' });
    if (!embed) assert.deepEqual(contents(found), []);
    else {
      assert.equal(contents(found)[0], SAVED[0]);
      assert.ok(found.results[0].ranked_by.meaning > 0.9, JSON.stringify(found.results[0]));
    }
    // Matches by words stay first if the meaning agrees.
    const words = await call('kn_intel', { action: 'recall', topic: 'invoice' });
    assert.equal(contents(words)[0], SAVED[1]);
    assert.equal(words.warnings, undefined);
    client.close();
    await close();
  }
});

test('what is removed, in another namespace or changed is not found by its old meaning', async () => {
  const embed = async (texts) => texts.map((text) => Float32Array.from(vectorOf(text)));
  const { hornbook, close } = await openHornbook({ tools: ['memory'] }, () => {}, undefined, { embed });
  const client = new Client(hornbook, 'test');
  const call = async (name, values) => (await client.callTool(name, values)).structured;
  const recall = async (more) => contents(await call('kn_intel', { action: 'recall', topic: 'automobile', ...more }));
  const { id } = await call('kn_experience', {
    action: 'save',
    content: SAVED[0],
    type: 'solution',
    namespace: 'garage',
  });
  assert.deepEqual(await recall({}), [SAVED[0]]);
  assert.deepEqual(await recall({ namespace: 'kitchen' }), []);
  assert.deepEqual(await recall({ namespace: 'garage' }), [SAVED[0]]);
  await call('kn_experience', { action: 'remove', experience_id: id });
  assert.deepEqual(await recall({}), []);
  await call('kn_experience', { action: 'restore', experience_id: id });
  assert.deepEqual(await recall({}), [SAVED[0]]);
  await close();
});

test('if the function fails or answers nonsense, matches by words remain, with a warning', async () => {
  for (const [embed, why] of [
    [() => Promise.reject(new Error('the model is away')), /words alone.*the model is away/],
    [async () => [], /0 vectors came for 1 texts/],
    [async () => 'no', /not an array/],
    [async (texts) => texts.map(() => [0, 0]), /no direction/],
    [async (texts) => texts.map((_, at) => Array(at + 1).fill(1)), /length/],
  ]) {
    const { hornbook, close } = await openHornbook({ tools: ['memory'] }, () => {}, undefined, { embed });
    const client = new Client(hornbook, 'test');
    for (const content of SAVED) await client.callTool('kn_experience', { action: 'save', content, type: 'solution' });
    const { structured } = await client.callTool('kn_intel', { action: 'recall', topic: 'owl' });
    assert.deepEqual(contents(structured), [SAVED[2]]);
    assert.match(structured.warnings[0], why);
    await close();
  }
});

/** A table of word vectors with two topics. */
const WHEEL = wheelOf({ oil: [1, 0, 0], van: [1, 0, 0], automobile: [1, 0, 0], invoice: [0, -1, 0], due: [0, -1, 0] });

test('a table of word vectors finds text in other words, also of another process', async () => {
  const folder = directory();
  const wheel = join(folder, 'words.whl');
  writeFileSync(wheel, WHEEL);
  const args = ['--tools', 'memory', '--book', join(folder, 'm.book'), '--embed', wheel];
  for (const content of [...SAVED, undefined]) {
    const server = await Server.start({ args });
    if (content !== undefined) await server.ok('kn_experience', { action: 'save', content, type: 'solution' });
    else {
      const { data } = await server.ok('kn_intel', { action: 'recall', topic: 'automobile', detail: 'full' });
      assert.equal(contents(data)[0], SAVED[0]);
      assert.ok(data.results[0].ranked_by.meaning > 0.9, JSON.stringify(data.results[0]));
      const { data: context } = await server.ok('kn_intel', { action: 'context', keywords: 'automobile' });
      assert.match(JSON.stringify(context), /engine oil/);
    }
    await server.close();
  }
});

test('a word counts by its vector whatever stands beside it, and every text has a vector', async () => {
  const embed = wordVectors(async () => WHEEL);
  const [oil, both, ...others] = await embed(['oil', 'oil\n\t due', 'x'.repeat(9_000), 'größe 日本 🙂', '\ud800']);
  assert.deepEqual([...oil], [1, 0, 0]);
  assert.deepEqual([...both], [1, -1, 0]);
  for (const other of others) assert.ok(other[2] > 0 && other[0] === 0, String(other));
});

test('letter case does not count', async () => {
  const embed = wordVectors(async () => WHEEL);
  const [lower, title, capitals] = await embed(['oil due', 'Oil Due', 'OIL DUE']);
  assert.deepEqual([...title], [...lower]);
  assert.deepEqual([...capitals], [...lower]);
});

/** A copy of the wheel with other numbers in the record of a file in its directory, the first, or in the last record. */
function changed({ record = 0, last = {}, ...numbers }) {
  const copy = Buffer.from(WHEEL);
  const end = copy.length - 22;
  let at = copy.readUInt32LE(end + 16);
  for (; record > 0; record--) at += 46 + copy.readUInt16LE(at + 28);
  for (const [place, number] of Object.entries(numbers)) copy.writeUInt32LE(number, at + Number(place));
  for (const [place, number] of Object.entries(last)) copy.writeUInt16LE(number, end + Number(place));
  return copy;
}

/** The places of a length unpacked, and of where a file begins, in a directory. */
const [LENGTH, LOCAL] = [24, 42];
const ENCRYPTED = WHEEL.readUInt32LE(WHEEL.readUInt32LE(WHEEL.length - 6) + 8) | 1;

const DAMAGED = Buffer.from(WHEEL).fill(7, 900, 902);
const TABLE = /its table is not as in wordllama 0\.4/;
const table = (change) => wheelOf({ owl: [1, 0] }, change);

for (const [what, bytes, why] of [
  ['is cut off', WHEEL.subarray(0, 900), /it is cut off/],
  ['is empty', Buffer.alloc(0), /it is cut off/],
  ['has no table', zipOf({ 'a.txt': Buffer.from('a') }), /it has no table/],
  ['is no zip archive', Buffer.from('hello'.repeat(100)), /no zip archive/],
  ['has a changed byte', DAMAGED, /safetensors in it is damaged/],
  ['is encrypted', changed({ 8: ENCRYPTED }), /safetensors in it is encrypted/],
  ['is zip64', changed({ last: { 10: 0xffff } }), /zip64/],
  ['is zip64 in a file', changed({ [LENGTH]: 0xffffffff }), /zip64/],
  ['unpacks to more than it says', changed({ record: 1, [LENGTH]: 10 }), /json in it is damaged/],
  ['says it unpacks to too much', changed({ record: 1, [LENGTH]: 300 * 2 ** 20 }), /more than 268435456/],
  ['has files beyond its end', changed({ [LOCAL]: 0x7fffffff }), /it is cut off/],
  ['has more files than its directory', changed({ last: { 10: 9 } }), /list of files is damaged/],
  ['has no number', wheelOf({ owl: [Number.NaN, 0] }), /values that are no numbers/],
  ['has other numbers', table((told) => Object.assign(told.tensor, { dtype: 'F32' })), TABLE],
  ['has another shape', table((told) => told.tensor.shape.push(1)), TABLE],
  ['has other offsets', table((told) => told.tensor.data_offsets.fill(2)), TABLE],
  ['has tokens without rows', table((told) => Object.assign(told.vocab, { '▁owl': 1e6 })), TABLE],
  [
    'has no token of a byte',
    table(({ vocab }) => {
      vocab.other = vocab['<0xFF>'];
      delete vocab['<0xFF>'];
    }),
    TABLE,
  ],
  [
    'has no tensor',
    zipOf({ 'w/weights/t_256.safetensors': Buffer.from('x'), 'w/tokenizers/t.json': Buffer.from('{}') }),
    TABLE,
  ],
])
  test(`a file of word vectors that ${what} is told, and read once`, async () => {
    let reads = 0;
    const embed = wordVectors(async () => {
      reads++;
      return Uint8Array.from(bytes);
    });
    for (let time = 0; time < 2; time++)
      await assert.rejects(embed(['owl']), (error) => {
        assert.match(error.message, why);
        assert.match(error.message, /cannot be used: .*pip download wordllama/);
        return true;
      });
    assert.equal(reads, 1);
  });

test('if a table of word vectors cannot be used, words alone find, and a table that is missing is read again', async () => {
  let bytes;
  const embed = wordVectors(async () => bytes ?? Promise.reject(new Error('it is away')));
  const { hornbook, close } = await openHornbook({ tools: ['memory'] }, () => {}, undefined, { embed });
  const client = new Client(hornbook, 'test');
  for (const content of SAVED) await client.callTool('kn_experience', { action: 'save', content, type: 'solution' });
  const recall = async (topic) => (await client.callTool('kn_intel', { action: 'recall', topic })).structured;
  const found = await recall('owl');
  assert.deepEqual(contents(found), [SAVED[2]]);
  assert.match(found.warnings[0], /words alone.*cannot be read: it is away/);
  bytes = WHEEL;
  assert.equal(contents(await recall('automobile'))[0], SAVED[0]);
  await close();
});

test('what may not be shown takes no place of what is found by meaning', async () => {
  const embed = async (texts) => texts.map((text) => [/truck/.test(text) ? 0.5 : 1, /truck/.test(text) ? 0.9 : 0]);
  for (const hide of [
    async (call) => {
      for (let at = 0, last; at < 52; at++) {
        const supersedes = last && { supersedes: last };
        last = (await call('save', { content: `The car is parked on level ${at}`, ...supersedes })).id;
      }
    },
    async (call) => {
      for (let at = 0; at < 60; at++) {
        const { id } = await call('save', { content: `motorway ${at}` });
        await call('remove', { experience_id: id });
      }
    },
    async (call) => {
      for (let at = 0; at < 60; at++) await call('save', { content: `motorway ${at}`, namespace: 'roads' });
    },
  ]) {
    const { hornbook, close } = await openHornbook({ tools: ['memory'] }, () => {}, undefined, { embed });
    const client = new Client(hornbook, 'test');
    const call = async (action, values) =>
      (await client.callTool('kn_experience', { action, type: 'pattern', namespace: 'home', ...values })).structured;
    const truck = 'The truck waits at the depot';
    await call('save', { content: truck });
    await hide(call);
    const topic = { action: 'recall', topic: 'where did we leave the automobile', namespace: 'home' };
    const { structured } = await client.callTool('kn_intel', topic);
    assert.ok(contents(structured).includes(truck), JSON.stringify(structured));
    assert.equal(structured.warnings, undefined);
    await close();
  }
});

test('an entry whose vector has no direction is found by words, and the others by meaning', async () => {
  const away = (vector) => async (texts) => texts.map((text) => (/strange/.test(text) ? vector : vectorOf(text)));
  for (const [embed, strange] of [
    [wordVectors(async () => WHEEL), '\ufeff'],
    [away([0, 0, 0, 0]), 'strange'],
    [away([1]), 'strange'],
    [away([Number.NaN, 0, 0, 0]), 'strange'],
    [away(null), 'strange'],
    [away(1e12), 'strange'],
  ]) {
    const { hornbook, close } = await openHornbook({ tools: ['memory'] }, () => {}, undefined, { embed });
    const client = new Client(hornbook, 'test');
    for (const content of [strange, ...SAVED])
      await client.callTool('kn_experience', { action: 'save', content, type: 'solution' });
    const recall = async (topic) => (await client.callTool('kn_intel', { action: 'recall', topic })).structured;
    const found = await recall('automobile');
    assert.equal(contents(found)[0], SAVED[0]);
    assert.match(found.warnings[0], /^1 of the entries cannot be found by meaning, only by words/);
    assert.equal((await recall('automobile')).warnings, undefined);
    if (strange === 'strange') assert.ok(contents(await recall('strange')).includes('strange'));
    await close();
  }
});

test('topics are cut as entries are, and both are given in one form of Unicode', async () => {
  const given = [];
  const embed = async (texts) => {
    given.push(...texts);
    return texts.map(vectorOf);
  };
  const { hornbook, close } = await openHornbook({ tools: ['memory'] }, () => {}, undefined, { embed });
  const client = new Client(hornbook, 'test');
  const long = `cafe\u0301 ${'automobile '.repeat(900)}`;
  await client.callTool('kn_experience', { action: 'save', content: long, type: 'solution' });
  await client.callTool('kn_intel', { action: 'recall', topic: long });
  assert.equal(given.length, 2);
  for (const text of given) {
    assert.ok(text.startsWith('café '), text.slice(0, 9));
    assert.equal(text.length, 7_999);
  }
  await close();
});

test('an endpoint is asked once for each text, even across processes, and its file may be lost or damaged', async () => {
  let asked = [];
  let down = false;
  let numberOf = (number) => number;
  const endpoint = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { model, input } = JSON.parse(body);
    assert.equal(request.url, '/v1/embeddings');
    assert.equal(request.headers.authorization, 'Bearer secret');
    assert.equal(model, 'tiny');
    asked.push(...input);
    if (down) return response.writeHead(503).end();
    const embedded = (text, index) => ({ index, embedding: vectorOf(text).map(numberOf) });
    response.end(JSON.stringify({ data: input.map(embedded).reverse() }));
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const folder = directory();
  const book = join(folder, 'm.book');
  const url = `http://127.0.0.1:${endpoint.address().port}/v1`;
  const args = ['--tools', 'memory', '--book', book, '--embed', url, '--embed-model', 'tiny'];
  const recall = async (topic) => {
    const server = await Server.start({ args, env: { HORNBOOK_EMBED_KEY: 'secret' } });
    if (topic === undefined)
      for (const content of SAVED) await server.ok('kn_experience', { action: 'save', content, type: 'solution' });
    const { data } = await server.ok('kn_intel', { action: 'recall', topic: topic ?? 'vehicle' });
    await server.close();
    return data;
  };
  try {
    assert.equal(contents(await recall())[0], SAVED[0]);
    assert.deepEqual([...asked].sort(), ['vehicle', ...SAVED].sort());
    asked = [];
    assert.equal(contents(await recall('vehicle'))[0], SAVED[0]);
    assert.deepEqual(asked, []);
    const file = `${book}.vectors`;
    assert.ok(existsSync(file));
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20));
    assert.equal(contents(await recall('vehicle'))[0], SAVED[0]);
    assert.equal(asked.length, 1);
    asked = [];
    for (const wrong of ['none', null, true]) {
      numberOf = () => wrong;
      await recall('money');
    }
    numberOf = (number) => number;
    assert.equal(contents(await recall('money'))[0], SAVED[1]);
    assert.deepEqual(asked, ['money', 'money', 'money', 'money']);
    down = true;
    const found = await recall('payment in money');
    assert.match(found.warnings[0], /words alone.* answered 503/);
  } finally {
    endpoint.close();
  }
});

test('a source of vectors that is incomplete, missing, wrong, given twice or for no tools is reported', () => {
  for (const [args, why] of [
    [['--embed', 'http://127.0.0.1:1/v1'], /--embed URL needs --embed-model/],
    [['--embed', BIN], /no zip archive.*pip download wordllama/],
    [['--embed', BIN, '--embed', BIN], /--embed is given twice/],
    [['--tools', 'prolog', '--embed', BIN], /--embed is for the tools of the memory: add --tools memory/],
    [['--embed', 'missing.whl'], /no file missing\.whl.*pip download wordllama/],
    [['--embed', BIN, '--embed-model', 'x'], /--embed-model goes with an address/],
    [['--embed-model', 'x'], /--embed-model needs --embed/],
    [['--embed', 'ftp://x', '--embed-model', 'x'], /ftp:\/\/x is not a valid address/],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [BIN, '--tools', 'memory', ...args], { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, why);
  }
});
