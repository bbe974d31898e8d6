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

test('a file that is no table of word vectors is told, and words alone find', async () => {
  for (const [bytes, why] of [
    [WHEEL.subarray(0, 900), /cannot be used: it is cut off.*pip download wordllama/],
    [zipOf({ 'a.txt': Buffer.from('a') }), /it has no table.*pip download wordllama/],
    [
      zipOf({ 'w/tokenizers/t.json': Buffer.from('{}'), 'w/weights/t_256.safetensors': Buffer.from('x') }),
      /cannot be used.*pip download wordllama/,
    ],
  ]) {
    const embed = wordVectors(async () => Uint8Array.from(bytes));
    await assert.rejects(embed(['owl']), why);
    const { hornbook, close } = await openHornbook({ tools: ['memory'] }, () => {}, undefined, { embed });
    const client = new Client(hornbook, 'test');
    await client.callTool('kn_experience', { action: 'save', content: SAVED[2], type: 'solution' });
    const { structured } = await client.callTool('kn_intel', { action: 'recall', topic: 'owl' });
    assert.deepEqual(contents(structured), [SAVED[2]]);
    assert.match(structured.warnings[0], why);
    await close();
  }
});

test('an endpoint is asked once for each text, even across processes, and its file may be lost or damaged', async () => {
  let asked = [];
  let down = false;
  const endpoint = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { model, input } = JSON.parse(body);
    assert.equal(request.url, '/v1/embeddings');
    assert.equal(request.headers.authorization, 'Bearer secret');
    assert.equal(model, 'tiny');
    asked.push(...input);
    if (down) return response.writeHead(503).end();
    response.end(
      JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse() }),
    );
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
    down = true;
    const found = await recall('payment in money');
    assert.match(found.warnings[0], /words alone.* answered 503/);
  } finally {
    endpoint.close();
  }
});

test('an address without a model, a model without an address, and a file that is missing are reported', () => {
  for (const [args, why] of [
    [['--embed', 'http://127.0.0.1:1/v1'], /--embed URL needs --embed-model/],
    [['--embed', 'missing.whl'], /no file missing\.whl.*pip download wordllama/],
    [['--embed', BIN, '--embed-model', 'x'], /--embed-model goes with an address/],
    [['--embed-model', 'x'], /--embed-model needs --embed/],
    [['--embed', 'ftp://x', '--embed-model', 'x'], /ftp:\/\/x is not a valid address/],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, why);
  }
});
