// `hornbook serve`: what a goal answers, as server-sent events over `/watch/NAME`.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { createServer } from 'node:http';
import { serveWatch } from '../../pkg/serve/watch-requests.js';
import { Serving } from '../support/serve.mjs';
import { directory } from './harness.mjs';

const WRITER = { Authorization: `Bearer ${'w'.repeat(20)}` };
const READER = { Authorization: `Bearer ${'r'.repeat(20)}` };
const PROPOSER = { Authorization: `Bearer ${'p'.repeat(20)}` };
const TOKENS = `${'w'.repeat(20)}\nread ${'r'.repeat(20)}\npropose ${'p'.repeat(20)}\n`;
/** Far more than anything here takes. */
const LONG = 60_000;

/** The events of a stream, one after the other, and the function that leaves it. */
class Events {
  #leaving = new AbortController();
  #parts;
  #text = '';

  static async open(server, book, goal, headers, method = 'GET') {
    const events = new Events();
    const signal = AbortSignal.any([events.#leaving.signal, AbortSignal.timeout(LONG)]);
    const url = `${server.url}/watch/${book}?goal=${encodeURIComponent(goal)}`;
    events.response = await fetch(url, { method, headers, signal });
    events.#parts = events.response.body.pipeThrough(new TextDecoderStream()).getReader();
    return events;
  }

  /** The next event with its data read; `undefined` at the end. */
  async next() {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await this.#parts.read();
        if (done) return undefined;
        this.#text += value;
        continue;
      }
      const lines = this.#text.slice(0, end).split('\n');
      this.#text = this.#text.slice(end + 2);
      const field = (name) =>
        lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
      if (field('data').length > 0) return { id: field('id')[0], ...JSON.parse(field('data').join('\n')) };
    }
  }

  leave() {
    this.#leaving.abort();
  }
}

const refused = async (server, book, goal, headers, method) => {
  const events = await Events.open(server, book, goal, headers, method);
  const { status } = events.response;
  events.leave();
  return status;
};

describe('the answers of a goal as events', () => {
  let folder;
  let server;
  const watch = (goal, headers = READER, book = 'shop') => Events.open(server, book, goal, headers);
  const assertz = (clauses, headers = WRITER) => server.assert('shop', clauses, { headers });

  before(async () => {
    folder = directory();
    const file = join(folder, 'tokens');
    writeFileSync(file, TOKENS);
    server = await Serving.start(folder, ['--token-file', file]);
    await assertz('price(tea, 3). cheap(X) :- price(X, P), P < 5.');
  });
  after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });

  test('come at once and after each change that others make', async () => {
    const events = await watch('cheap(X)');
    assert.equal(events.response.headers.get('content-type'), 'text/event-stream');
    const first = await events.next();
    assert.deepEqual(first.answers, [{ X: 'tea' }]);
    assert.deepEqual([first.added, first.removed], [[{ X: 'tea' }], []]);
    await assertz('unrelated(1).');
    await assertz('price(milk, 2).');
    const second = await events.next();
    assert.deepEqual(second.added, [{ X: 'milk' }]);
    assert.equal(second.id, String(second.revision));
    assert.ok(second.revision > first.revision);
    await server.call('shop', 'clauses', { operation: 'retract', clauses: 'price(milk, 2)' }, { headers: WRITER });
    const third = await events.next();
    assert.deepEqual([third.answers, third.added, third.removed], [[{ X: 'tea' }], [], [{ X: 'milk' }]]);
    events.leave();
  });

  test('are those of its draft for a client that proposes', async () => {
    const [proposer, reader] = [await watch('draft_only(X)', PROPOSER), await watch('draft_only(X)')];
    assert.match((await proposer.next()).error, /draft_only\/1/);
    assert.match((await reader.next()).error, /draft_only\/1/);
    await assertz('draft_only(1).', PROPOSER);
    assert.deepEqual((await proposer.next()).answers, [{ X: '1' }]);
    await assertz('draft_only(2).');
    assert.deepEqual((await reader.next()).answers, [{ X: '2' }]);
    proposer.leave();
    reader.leave();
  });

  test('are cut with a word when they are many or long', async () => {
    const long = await watch('length(L, 6000), member(X, [a, b]), maplist(=(X), L)');
    const whole = await long.next();
    assert.equal(whole.answers.length, 2);
    assert.match(whole.cut, /^This has 1 of 2 added\. Query the goal/);
    const many = await watch('between(1, 3000, X)');
    const told = await many.next();
    assert.ok(told.more && JSON.stringify(told).length < 100_000);
    const huge = await watch("member(C, [97, 98]), format(atom(X), '~*c', [45000, C])");
    assert.match((await huge.next()).cut, /^This has 1 of 2 answers, 0 of 2 added\./);
    for (const events of [long, many, huge]) events.leave();
  });

  test('are refused with a sentence to who asks wrongly, or may not', async () => {
    const status = (goal, headers = READER, book = 'shop', method = 'GET') =>
      refused(server, book, goal, headers, method);
    assert.equal(await status('cheap(X)', {}), 401);
    assert.equal(await status('cheap(X)', { Authorization: 'Bearer no-token-at-all-here' }), 401);
    assert.equal(await status('cheap(X)', READER, 'nobook'), 404);
    assert.equal(await status('cheap(X)', READER, 'shop', 'POST'), 405);
    assert.equal(await status('cheap(X)', { ...READER, Accept: 'text/html' }), 406);
    assert.equal(await status(`x(${'y'.repeat(10_000)})`), 413);
    assert.equal(await status('cheap(X)', { ...READER, Origin: 'https://evil.example' }), 403);
    for (const goal of ['', 'cheap(X', 'shell(ls)']) {
      const events = await watch(goal);
      assert.equal(events.response.status, 400, goal);
      events.leave();
    }
    const plain = await fetch(`${server.url}/watch/shop?goal=${encodeURIComponent('cheap(X')}`, { headers: READER });
    assert.match((await plain.json()).error.message, /[Ss]yntax|cheap/);
    const twice = await fetch(`${server.url}/watch/shop?goal=a&goal=b`, { headers: READER });
    assert.equal(twice.status, 400);
  });

  test('change nothing, and one that never ends is told and holds up nobody', async () => {
    const snapshot = () => server.call('shop', 'workspace', { operation: 'snapshot' }, { headers: WRITER });
    const begun = (await snapshot()).structuredContent.dump;
    const changing = await watch('assertz(mine(1)), retract(price(tea, _)), nb_setval(mine, 1)');
    await changing.next();
    const endless = await watch('repeat, fail');
    const { answers, error } = await endless.next();
    assert.deepEqual(answers, []);
    assert.match(error, /time|second/i);
    assert.equal((await snapshot()).structuredContent.dump, begun);
    const asked = performance.now();
    assert.deepEqual(await server.answers('shop', 'cheap(X)', 'X', { headers: READER }), ['tea']);
    assert.ok(performance.now() - asked < 10_000);
    changing.leave();
    endless.leave();
  });

  test('stop at the limit of streams, and a thousand connections leave the others alone', async () => {
    const opened = await Promise.allSettled(
      Array.from({ length: 1_000 }, () => fetch(`${server.url}/watch/shop?goal=cheap(X)`, { headers: READER })),
    );
    const statuses = opened.map(({ value }) => value?.status);
    const served = statuses.filter((status) => status === 200).length;
    assert.ok(served > 0 && served <= 32, `${served} streams`);
    assert.ok(statuses.filter((status) => status === 429).length >= 900, JSON.stringify(statuses));
    const other = await watch('cheap(X)', WRITER);
    assert.deepEqual((await other.next()).answers, [{ X: 'tea' }]);
    other.leave();
    for (const { value } of opened) await value?.body.cancel();
    // Streams that their clients have left count no more.
    for (let tries = 0; ; tries += 1) {
      const again = await watch('cheap(X)');
      const { status } = again.response;
      again.leave();
      if (status === 200) break;
      assert.ok(tries < 50, `still ${status}`);
      await pause(200);
    }
  });
});

describe('goals that take their whole second', () => {
  let folder;
  let server;
  let file;
  const endless = (number, headers = READER) =>
    Events.open(server, 'shop', `p(_), repeat, X${number} = 1, fail`, headers);
  const begin = async (...args) => {
    server = await Serving.start(folder, ['--token-file', file, ...args]);
    await server.assert('shop', 'p(0).', { headers: WRITER });
  };

  before(() => {
    folder = directory();
    file = join(folder, 'tokens');
    writeFileSync(file, TOKENS);
  });
  after(() => rmSync(folder, { recursive: true }));

  test('leave those of another client their turn', async () => {
    await begin();
    const slow = await Promise.all(Array.from({ length: 12 }, (_, number) => endless(number)));
    const events = await Events.open(server, 'shop', 'p(X)', WRITER);
    await events.next();
    for (let number = 1; number < 5; number += 1) {
      const asked = performance.now();
      await server.assert('shop', `p(${number}).`, { headers: WRITER });
      while ((await events.next()).answers.length <= number);
      const ms = performance.now() - asked;
      assert.ok(ms < 10_000, `${ms} ms: the twelve together take 12 s`);
    }
    for (const one of [...slow, events]) one.leave();
    await server.kill();
  });

  test('are charged to their client each time, and its stream ends when its time is used up', async () => {
    await begin('--client', 'cpu_ms=1800');
    const slow = await endless(0);
    assert.match((await slow.next()).error, /second|time/);
    const ended = slow.next();
    let isOver = false;
    void ended.then(() => (isOver = true));
    for (let number = 10; !isOver && number < 40; number += 1) {
      await server.assert('shop', `p(${number}).`, { headers: WRITER });
      await pause(1_000);
    }
    assert.equal(await ended, undefined);
    assert.equal(await refused(server, 'shop', 'p(X)', READER), 429);
    await server.kill();
  });
});

test('neither a watched goal nor a query of a reader leaves variables, flags or records', async () => {
  const folder = directory();
  const file = join(folder, 'tokens');
  writeFileSync(file, TOKENS);
  const server = await Serving.start(folder, ['--token-file', file]);
  await server.assert('shop', 'p(1).', { headers: WRITER });
  const value = (headers) =>
    server.answers('shop', 'catch(nb_getval(k, V), _, V = none), flag(n, F, F), X = V-F', 'X', { headers });
  const events = await Events.open(server, 'shop', 'p(X), nb_setval(k, evil), flag(n, _, 66)', READER);
  assert.deepEqual((await events.next()).answers, [{ X: '1' }]);
  const set = 'nb_setval(k, evil), flag(n, _, 66), nb_getval(k, X)';
  assert.deepEqual(await server.answers('shop', set, 'X', { headers: READER }), ['evil']);
  assert.deepEqual(await value(WRITER), ['none-0']);
  await server.answers('shop', 'nb_setval(k, good), flag(n, _, 7), X = 1', 'X', { headers: WRITER });
  await server.answers('shop', set, 'X', { headers: READER });
  assert.deepEqual(await value(WRITER), ['good-7']);
  assert.deepEqual(await value(READER), ['good-7']);
  const recorded = await server.call(
    'shop',
    'query_start',
    { query: 'recordz(k, evil)', take: 1 },
    { headers: READER },
  );
  assert.match(JSON.stringify(recorded), /records and erases no terms/);
  events.leave();
  await server.kill();
  rmSync(folder, { recursive: true });
});

test('a slow reader gets the newest state, with all that has changed since the one before', async () => {
  const leaving = new AbortController();
  const events = [];
  const response = { writableNeedDrain: false };
  const exchange = {
    gone: leaving.signal,
    response,
    onread: () => {},
    end: () => {},
    get ended() {
      return leaving.signal.aborted;
    },
    event(data) {
      events.push(JSON.parse(data));
      response.writableNeedDrain = true;
    },
  };
  let tell;
  let isWatched = true;
  const served = serveWatch(
    exchange,
    'n(X)',
    (_goal, changed) => {
      tell = (...values) =>
        changed({
          answers: values.map((value) => ({ bindings: [['X', `${value}`, value]], residual: [], output: '' })),
          more: false,
          revision: values.length,
        });
      return () => (isWatched = false);
    },
    () => {},
    () => {},
  );
  const read = async () => {
    response.writableNeedDrain = false;
    exchange.onread();
    await pause(5);
  };
  tell(1);
  await pause(5);
  for (let last = 2; last < 100; last += 1) tell(1, last);
  tell(2, 3);
  await pause(5);
  assert.equal(events.length, 1);
  await read();
  assert.deepEqual(
    events.map(({ answers, added, removed }) => [answers, added, removed].map((rows) => rows.map(({ X }) => X).join())),
    [
      ['1', '1', ''],
      ['2,3', '2,3', '1'],
    ],
  );
  leaving.abort();
  await served;
  assert.equal(isWatched, false);
});

test('a token for another book watches nothing', async () => {
  const keys = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const http = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${http.address().port}`;
    const about = {
      '/.well-known/oauth-authorization-server': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [jwk] },
    };
    const found = about[request.url];
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(found));
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${http.address().port}`;
  const folder = directory();
  const server = await Serving.start(folder, ['--issuer', issuer, '--public-url', 'https://books.example']);
  const token = async (scope) => {
    const claims = { iss: issuer, aud: 'https://books.example', sub: 'ann', scope };
    const signed = new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + 3600 });
    return {
      Authorization: `Bearer ${await signed.setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(keys.privateKey)}`,
    };
  };
  await server.assert('team', 'p(1).', { headers: await token('admin') });
  assert.equal(await refused(server, 'team', 'p(X)', await token('read:other')), 403);
  const events = await Events.open(server, 'team', 'p(X)', await token('read:team'));
  assert.deepEqual((await events.next()).answers, [{ X: '1' }]);
  events.leave();
  await server.kill();
  http.close();
  rmSync(folder, { recursive: true });
});
