// Recall by meaning: vectors from a function of the host, and from an endpoint whose answers are cached beside the
// book.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '../../pkg/client.js';
import { openHornbook } from '../../pkg/node.js';
import { BIN, Server, directory } from '../node/harness.mjs';

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

test('an address without a model, and a model without an address, are reported', () => {
  for (const [args, why] of [
    [['--embed', 'http://127.0.0.1:1/v1'], /--embed needs --embed-model/],
    [['--embed-model', 'x'], /--embed-model needs --embed/],
    [['--embed', 'ftp://x', '--embed-model', 'x'], /ftp:\/\/x is not a valid address/],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, why);
  }
});
