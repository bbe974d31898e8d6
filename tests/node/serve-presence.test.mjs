// `hornbook serve`: who has a book before them, over `/present/NAME`; and the names that clients give themselves.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Presence } from '../../pkg/serve/presence.js';
import { Serving } from '../support/serve.mjs';
import { directory } from './harness.mjs';

const WRITER = { Authorization: `Bearer ${'w'.repeat(20)}` };
const READER = { Authorization: `Bearer ${'r'.repeat(20)}` };

let folder;
let server;
before(async () => {
  folder = directory();
  const file = join(folder, 'tokens');
  writeFileSync(file, `${'w'.repeat(20)}\nread ${'r'.repeat(20)}\n`);
  server = await Serving.start(folder, ['--token-file', file]);
  for (const book of ['shop', 'other']) await server.assert(book, ['price(tea, 3).'], { headers: WRITER });
});
after(async () => {
  await server.kill();
  rmSync(folder, { recursive: true });
});

const say = (said, { headers = READER, book = 'shop', method = 'POST' } = {}) =>
  fetch(`${server.url}/present/${book}`, {
    method,
    headers,
    ...(method === 'POST' && { body: typeof said === 'string' ? said : JSON.stringify(said) }),
    signal: AbortSignal.timeout(60_000),
  });
const told = async (...request) => (await say(...request)).json();

test('those who have a book before them are told of each other, and nobody else', async () => {
  const ann = await told({ name: 'Ann', at: null }, { headers: WRITER });
  assert.deepEqual(ann.others, []);
  const bob = await told({ name: 'Bob', at: null });
  assert.deepEqual(bob.others, [{ name: 'Ann', at: null }]);
  const eve = await told({ name: 'Eve', at: null }, { headers: WRITER, book: 'other' });
  assert.deepEqual(eve.others, []);
  const moved = await told({ key: bob.key, name: 'Bob', at: '12' });
  assert.deepEqual(moved, { key: bob.key, others: [{ name: 'Ann', at: null }] });
  const now = await told({ key: ann.key, name: 'Ann', at: '3' }, { headers: WRITER });
  assert.deepEqual(now, { key: ann.key, others: [{ name: 'Bob', at: '12' }] });
  assert.equal((await say({ key: bob.key, leave: true })).status, 204);
  assert.deepEqual((await told({ key: ann.key, name: 'Ann', at: '3' })).others, []);
  // A key that is not known any more is another one from then on.
  const back = await told({ key: bob.key, name: 'Bob', at: null });
  assert.notEqual(back.key, bob.key);
  assert.deepEqual(back.others, [{ name: 'Ann', at: '3' }]);
  const log = await (await fetch(`${server.url}/log/shop`, { headers: READER })).text();
  assert.ok(log.includes('price(tea, 3)') && !/Ann|Bob/.test(log));
});

test('whoever says nothing for 25 seconds is not there, and a book has room for 200', () => {
  let now = 0;
  const presence = new Presence(() => now);
  const ann = presence.take('shop', undefined, 'Ann', null);
  presence.take('shop', undefined, 'Bob', '1');
  for (; now <= 30_000; now += 10_000) presence.take('shop', ann.key, 'Ann', null);
  assert.deepEqual(presence.take('shop', ann.key, 'Ann', null), { key: ann.key, others: [] });
  for (let count = 1; count < 200; count++) presence.take('shop', undefined, `${count}`, null);
  assert.equal(presence.take('shop', ann.key, 'Ann', null).others.length, 50);
  assert.throws(() => presence.take('shop', undefined, 'Cai', null), { status: 429 });
  assert.deepEqual(presence.take('other', undefined, 'Cai', null).others, []);
  now += 30_000;
  assert.deepEqual(presence.take('shop', undefined, 'Cai', null).others, []);
});

test('a name, a place or a token that will not do is refused', async () => {
  const status = async (...request) => (await say(...request)).status;
  const ann = { name: 'Ann', at: null };
  assert.equal(await status(ann, { headers: {} }), 401);
  assert.equal(await status(ann, { book: 'none' }), 404);
  for (const method of ['GET', 'DELETE']) assert.equal(await status(ann, { method }), 405);
  for (const said of [
    '',
    '[]',
    'null',
    { name: 1, at: null },
    { name: 'Ann' },
    { name: 'Ann', at: 2 },
    { name: 'Ann', at: 'b' },
    { key: 1, ...ann },
    { leave: true },
    { key: 'a'.repeat(600), ...ann },
  ])
    assert.equal(await status(said), 400, JSON.stringify(said));
  for (const [name, why] of [
    ['', /no visible character/],
    [' ', /no visible character/],
    ['\u200d', /no visible character/],
    ['a'.repeat(61), /at most 60 characters/],
    ['a\nb', /invisible character, U\+000A/],
    ['\u202egnp.a', /invisible character, U\+202E/],
    ['a\u200b', /invisible character, U\+200B/],
    ['\ud800', /invisible character, U\+D800/],
  ]) {
    const answer = await say({ name, at: null });
    assert.equal(answer.status, 400, JSON.stringify(name));
    assert.match((await answer.json()).error.message, why);
  }
});

test('a client with an invisible character in its name is refused, and each line of the log is JSON', async () => {
  for (const name of ['\u202egnp.a', 'a\nb']) {
    const answer = await server.send('shop', 'tools/list', {}, { client: name, headers: WRITER });
    assert.equal(answer.status, 400);
    assert.match((await answer.json()).error.message, /clientInfo: The name has an invisible character, U\+/);
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'a\u202eb\u{e0041}\x7f' };
  const headers = { ...WRITER, 'Content-Type': 'application/json', Accept: 'application/json' };
  await fetch(`${server.url}/mcp/shop`, { method: 'POST', headers, body: JSON.stringify(message) });
  // A line that is no JSON is an error of the reader.
  await server.event('request', ({ method }) => method === message.method);
});
