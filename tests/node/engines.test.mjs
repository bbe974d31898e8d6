// Several engines on one book: one client's query does not delay another's, and engines and book agree throughout.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { Process } from '../support/process.mjs';
import { Serving } from '../support/serve.mjs';

const LONG = 'between(1, inf, X), X < 0';

/** Tells whether a promise is settled. */
function watched(promise) {
  const state = { settled: false, promise };
  const settle = () => (state.settled = true);
  promise.then(settle, settle);
  return state;
}

describe('one server, two clients', () => {
  let server;
  const call = (client, name, values) => server.call(client, name, values);
  const ask = (client, query, more) => call(client, 'query_start', { query, take: 10, ...more });
  const next = (client, query_id, more) => call(client, 'query_next', { query_id, ...more });
  const change = (client, operation, clauses) => call(client, 'clauses', { operation, clauses });
  const long = (client, timeout_ms = 5_000) => watched(ask(client, LONG, { timeout_ms }));
  const p = (answers) => answers.map(({ X }) => X);

  before(async () => {
    server = new Process({});
    await change(0, 'assert', ['p(1).', 'p(2).', 'p(3).', 'lp :- lp.']);
    // The first query that has to wait starts the second engine, which stays.
    const slow = long(0);
    await ask(1, 'true');
    await slow.promise;
  });
  after(() => server.end());

  test('a short query is answered while a long one runs, of another client or the same', async () => {
    const slow = long(0);
    assert.deepEqual(p((await ask(1, 'p(X)')).answers), ['1', '2', '3']);
    assert.deepEqual(p((await ask(0, 'p(X), X > 1')).answers), ['2', '3']);
    assert.equal(slow.settled, false);
    assert.equal((await slow.promise).error.kind, 'timeout');
    assert.deepEqual(await server.differences(), []);
  });

  test('changes by one are there for the next request in the other engine, even for an open query', async () => {
    await change(0, 'assert', ['p(4).']);
    await change(0, 'retract', ['p(1).']);
    const slow = long(0, 3_000);
    const { query_id, answers } = await ask(1, 'p(X), p(Y), Y >= X', { take: 1 });
    assert.deepEqual(answers, [{ X: '2', Y: '2' }]);
    await slow.promise;
    await ask(0, 'assertz(p(5))');
    await call(0, 'workspace', { operation: 'undo', steps: 1 });
    await ask(0, 'asserta(p(0)), assertz(p(6))');
    const slower = long(0, 3_000);
    assert.deepEqual(p((await ask(1, 'p(X)')).answers), ['0', '2', '3', '4', '6']);
    assert.deepEqual((await next(1, query_id)).answers, [{ X: '2', Y: '3' }]);
    assert.equal(slower.settled, false);
    await slower.promise;
    assert.deepEqual(await server.differences(), []);
  });

  test('a query that turns out to change clauses, or to need what another has left, runs in the first engine, once', async () => {
    // Requests have waited for each other, so queries begin beside the first engine.
    const changed = await ask(1, 'format("once"), assertz(q(1))');
    assert.equal(changed.answers[0].output, 'once');
    assert.deepEqual(p((await ask(1, 'q(X)')).answers), ['1']);
    await ask(0, 'nb_setval(k, 7)');
    assert.deepEqual(p((await ask(1, 'nb_getval(k, X)')).answers), ['7']);
    // An open query in the engine beside, which changes something later, continues in the first engine.
    const opened = await ask(1, 'p(X), ( X > 2 -> assertz(r(X)) ; true )', { take: 2 });
    assert.deepEqual(p(opened.answers), ['0', '2']);
    const later = await next(1, opened.query_id);
    assert.deepEqual(p(later.answers), ['3']);
    assert.match(later.notices.join(), /first engine: query .* continues after answer 2/);
    assert.deepEqual(p((await ask(0, 'r(X)')).answers), ['3']);
    assert.deepEqual(await server.differences(), []);
  });

  test('a change does not wait for a long query', async () => {
    const slow = long(0, 3_000);
    await change(1, 'assert', ['s(1).']);
    assert.deepEqual(p((await ask(1, 's(X)')).answers), ['1']);
    assert.equal(slow.settled, false);
    await slow.promise;
    assert.deepEqual(await server.differences(), []);
  });

  test('the death of one engine ends only its own queries', async () => {
    const here = await ask(0, 'p(X)', { take: 1 });
    const hangs = watched(ask(0, 'lp', { timeout_ms: 1_500 }));
    const beside = await ask(1, 'p(X)', { take: 1 });
    assert.equal(hangs.settled, false);
    const { error } = await hangs.promise;
    assert.equal(error.kind, 'timeout');
    assert.match(error.message, /1 open query will continue/);
    const more = await next(1, beside.query_id);
    assert.deepEqual([p(more.answers), more.notices ?? []], [['2'], []]);
    assert.match((await next(0, here.query_id)).notices.join(), /was restarted and continues/);
    // The same for an engine beside.
    const slow = long(0, 6_000);
    assert.equal((await ask(1, 'lp', { timeout_ms: 500 })).error.kind, 'timeout');
    assert.equal(slow.settled, false);
    await slow.promise;
    assert.deepEqual(p((await next(0, here.query_id)).answers), ['3']);
    assert.deepEqual(await server.differences(), []);
  });

  test('after 200 random steps of two clients, engines and book agree', async () => {
    let seed = 15;
    const random = (below) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const open = [[], []];
    const steps = [
      (client) => change(client, 'assert', [`p(${random(9)}).`, `s${random(4)}(X) :- p(X), X > ${random(9)}.`]),
      (client) => change(client, 'retract', [`p(${random(9)}).`]),
      (client) => ask(client, `assertz(p(${random(9)}))`),
      (client) => ask(client, `retract(p(${random(9)}))`),
      (client) => ask(client, `asserta(s${random(4)}(${random(9)})), fail`),
      (client) => call(client, 'workspace', { operation: 'undo', steps: 1 + random(2) }).catch(() => {}),
      (client) => call(client, 'workspace', { operation: 'redo', steps: 1 }).catch(() => {}),
      (client) =>
        call(client, 'files', { operation: 'import', filename: 'f.pl', text: `:- dynamic t/1.\nf(${random(9)}).\n` }),
      (client) => ask(client, 'between(1, 200000, X), X < 0'),
      (client) => ask(client, 'between(1, 400000, X), X < 0'),
      (client) => ask(client, 'aggregate_all(count, p(X), N)'),
      async (client) => open[client].push((await ask(client, 'p(X), p(Y), X =< Y', { take: 1 })).query_id),
      async (client) =>
        open[client].length > 0 && next(client, open[client][random(open[client].length)]).catch(() => {}),
      async (client) => open[client].length > 0 && call(client, 'query_close', { query_id: open[client].pop() }),
    ];
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        [0, 1].map(async (client) => {
          for (let step = 0; step < 10; step++) await steps[random(steps.length)](client);
        }),
      );
      assert.deepEqual(await server.differences(), [], `round ${round}`);
    }
  });
});

test('two connections of `hornbook serve`, and only one engine if no more are requested', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-engines-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [engines, together] of [
    ['2', true],
    ['1', false],
  ]) {
    const server = await Serving.start(folder, ['--engines', engines]);
    t.after(() => server.kill());
    await server.assert('both', ['p(1).'], { client: 'first' });
    const values = { query: LONG, take: 1, timeout_ms: 3_000 };
    // The first query that has to wait starts the second engine, which stays; a busy machine is slow to do so.
    let at = 0;
    let waited = true;
    for (; waited && at < 3; at++) {
      const slow = watched(server.call('both', 'query_start', values, { client: 'first' }));
      await new Promise((done) => setTimeout(done, 100));
      assert.deepEqual((await server.answers('both', 'p(X)', 'X', { client: 'second' }))[0], '1');
      waited = slow.settled;
      await slow.promise;
    }
    assert.equal(waited, !together, `${engines} engines, ${at} queries`);
    await server.stop();
  }
});

describe('a program with two engines', () => {
  /** The first engine is left to what is short once queries have waited for each other, and the second is there. */
  const untilQueriesHaveWaited = async (book) => {
    for (let isThere = false; !isThere; ) {
      const first = watched(book.once(LONG, { timeoutMs: 1_000 }));
      await book.once('true');
      isThere = !first.settled;
      await assert.rejects(first.promise, { kind: 'timeout' });
    }
  };

  test('any number of long queries delay neither short ones nor changes, whatever their priority', async () => {
    const book = await openBook({ engines: 2 });
    try {
      await book.assert(['p(1).', 'p(2).', 'p(3).']);
      await untilQueriesHaveWaited(book);
      const ends = new AbortController();
      const options = { signal: ends.signal, timeoutMs: 120_000 };
      const long = ['normal', 'high', 'low', 'normal', 'normal', 'normal'].map((priority) =>
        watched(book.once(LONG, { ...options, priority })),
      );
      for (let time = 0; time < 50; time += 1) {
        assert.deepEqual(await book.all('p(X)'), [{ X: 1 }, { X: 2 }, { X: 3 }]);
        // One that leaves a choice point behind is closed at once, too.
        assert.deepEqual(await book.once('p(X)'), { X: 1 });
        await book.assert(`seen(${time}).`);
      }
      assert.deepEqual(await book.once('aggregate_all(count, seen(_), N)'), { N: 50 });
      assert.ok(long.every(({ settled }) => !settled));
      ends.abort();
      for (const { promise } of long) await assert.rejects(promise, { name: 'AbortError' });
      assert.deepEqual(await book.once('aggregate_all(count, seen(_), N)'), { N: 50 });
    } finally {
      await book.close();
    }
  });

  test('a short query is answered even if long ones came first, when no engine had started', async () => {
    const book = await openBook({ engines: 2 });
    try {
      const ends = new AbortController();
      const options = { signal: ends.signal, timeoutMs: 120_000 };
      const endless = Array.from({ length: 3 }, () => watched(book.once(LONG, options)));
      const long = watched(book.once('get_time(From), repeat, get_time(To), To - From > 0.5, !, X = 1'));
      assert.deepEqual(await book.once('true'), {});
      assert.ok(endless.every(({ settled }) => !settled));
      ends.abort();
      for (const { promise } of endless) await assert.rejects(promise, { name: 'AbortError' });
      assert.equal((await long.promise).X, 1);
      assert.deepEqual(await book.all('true'), [{}]);
    } finally {
      await book.close();
    }
  });

  test('an open query whose next answer takes long gives it, though others wait and the book changes', async () => {
    const book = await openBook({ engines: 2 });
    try {
      await book.assert(['step(1).', 'step(2) :- get_time(From), repeat, get_time(To), To - From > 0.3, !.']);
      await untilQueriesHaveWaited(book);
      const ends = new AbortController();
      const options = { signal: ends.signal, timeoutMs: 20_000 };
      const endless = Array.from({ length: 2 }, () => watched(book.once(LONG, options)));
      await book.once('true');
      // When it began differs each time, so it cannot begin again and continue.
      const answers = book.query('get_time(Began), step(N)')[Symbol.asyncIterator]();
      const first = (await answers.next()).value;
      const second = watched(answers.next());
      await book.once('step(1)');
      await book.assert('seen(1).');
      ends.abort();
      for (const { promise } of endless) await assert.rejects(promise, { name: 'AbortError' });
      assert.deepEqual((await second.promise).value, { Began: first.Began, N: 2 });
      assert.deepEqual(await answers.next(), { value: undefined, done: true });
      assert.deepEqual(await book.once('seen(N)'), { N: 1 });
    } finally {
      await book.close();
    }
  });

  test('a priority that there is not is refused with those that there are', async () => {
    const book = await openBook();
    try {
      const expected = {
        kind: 'invalid_argument',
        message: "The priority must be one of 'high', 'normal', 'low', not 'urgent'.",
      };
      await assert.rejects(book.once('true', { priority: 'urgent' }), expected);
      await assert.rejects(book.why('true', { priority: 'urgent' }), expected);
      await assert.rejects(book.all('true', { priority: 1 }), { message: /'low', not 1\.$/ });
      assert.ok((await book.why('true', { priority: 'high' })).holds);
    } finally {
      await book.close();
    }
  });
});
