// `hornbook serve`: who has a book before them, as server-sent events over `/present/NAME`.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { events } from '../../pkg/event-stream.js';
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

const at = (query = '', book = 'shop') => `${server.url}/present/${book}${query}`;
const status = async (url, options) => {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(60_000) });
  await response.body?.cancel();
  return response.status;
};

/** Somebody who is there, and what they are told. */
async function come(name, headers = READER, book = 'shop') {
  const leaving = new AbortController();
  const { body } = await fetch(at(`?name=${encodeURIComponent(name)}`, book), {
    headers,
    signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(60_000)]),
  });
  const told = events(body);
  const { key } = JSON.parse((await told.next()).value.text);
  return {
    move: (to) => fetch(at('', book), { method: 'POST', headers, body: JSON.stringify({ key, at: to }) }),
    /** What is told once it fits: a state may be left out for a newer one. */
    async until(fits) {
      for (;;) {
        const others = JSON.parse((await told.next()).value.text);
        if (fits(others)) return others;
      }
    },
    leave: () => leaving.abort(),
  };
}

test('those who have a book before them see each other come, move and go, and nobody else', async () => {
  const ann = await come('Ann', WRITER);
  assert.deepEqual(await ann.until(() => true), []);
  const bob = await come('Bob');
  const other = await come('Eve', WRITER, 'other');
  assert.deepEqual(await bob.until(() => true), [{ name: 'Ann', at: null }]);
  assert.deepEqual(await ann.until((others) => others.length > 0), [{ name: 'Bob', at: null }]);
  assert.equal((await bob.move('12')).status, 204);
  assert.deepEqual(await ann.until(([one]) => one.at !== null), [{ name: 'Bob', at: '12' }]);
  bob.leave();
  assert.deepEqual(await ann.until((others) => others.length === 0), []);
  assert.equal((await bob.move('13')).status, 404);
  assert.deepEqual(await other.until(() => true), []);
  // Who comes later is told nothing of those who have left, and the log of the book has none of it.
  const cai = await come('Cai');
  assert.deepEqual(await cai.until(() => true), [{ name: 'Ann', at: null }]);
  const log = await (await fetch(`${server.url}/log/shop`, { headers: READER })).text();
  assert.ok(log.includes('price(tea, 3)') && !/Ann|Bob/.test(log));
  for (const one of [ann, other, cai]) one.leave();
});

test('a name, a place or a token that will not do is refused', async () => {
  assert.equal(await status(at('?name=Ann')), 401);
  assert.equal(await status(at('?name=Ann', 'none'), { headers: READER }), 404);
  for (const query of ['', '?name=', '?name=%20', `?name=${'a'.repeat(61)}`])
    assert.equal(await status(at(query), { headers: READER }), 400, query);
  assert.equal(await status(at('?name=Ann'), { headers: { ...READER, Accept: 'application/json' } }), 406);
  assert.equal(await status(at(), { method: 'DELETE', headers: READER }), 405);
  for (const body of [
    '',
    '[]',
    'null',
    '{"key":1,"at":2}',
    '{"key":"a","at":2}',
    '{"key":"a","at":"b"}',
    `{"key":"${'a'.repeat(300)}","at":null}`,
  ])
    assert.equal(await status(at(), { method: 'POST', headers: READER, body }), 400, body);
  const key = JSON.stringify({ key: 'nobody', at: '1' });
  assert.equal(await status(at(), { method: 'POST', headers: READER, body: key }), 404);
});
