// Cleanup goals of a query that has choice points left: they belong to the step that ends the query, and if the query
// is closed between two steps, they change nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server } from './harness.mjs';

/** A query that leaves a choice point, with a cleanup goal. */
const leaving = (cleanup, more = 'true') => `setup_call_cleanup(true, member(X, [1, 2, 3]), ${cleanup}), ${more}`;

/** The facts of p/1, according to the engine and to the book. */
async function facts(server) {
  const asked = await server.solve('catch(p(X), error(existence_error(_, _), _), fail)');
  const kept = [...(await server.snapshot()).matchAll(/^p\((\d)\)\.$/gm)].map(([, X]) => `X = ${X}`);
  assert.deepEqual(asked, kept, 'engine and book');
  return asked;
}

test('a closed query changes nothing any more', async () => {
  const server = await Server.start();
  await server.assert('p(1).');
  for (const cleanup of ['assertz(p(2))', 'asserta(p(0))', 'retract(p(1))', 'retractall(p(_))', 'abolish(p/1)']) {
    const { data } = await server.ok('query_start', { query: leaving(cleanup), take: 1 });
    await server.ok('query_close', { query_id: data.query_id });
    assert.deepEqual(await facts(server), ['X = 1'], cleanup);
  }
  await server.close();
});

test('changes by cleanup are kept after a cut, and undone after an answer that is too large', async () => {
  const server = await Server.start({ args: ['--limit', 'answer_chars=2000'] });
  await server.ok('query_start', { query: `${leaving('assertz(p(1))')}, !`, take: 1 });
  assert.deepEqual(await facts(server), ['X = 1']);
  const large = 'length(L, 5000), maplist(=(a), L)';
  await server.fails('query_start', { query: leaving('assertz(p(2))', large), take: 1 });
  await server.fails('query_start', { query: leaving('retract(p(1))', large), take: 1 });
  assert.deepEqual(await facts(server), ['X = 1']);
  await server.close();
});

test('a reset closes the queries, and no cleanup goal runs after it', async () => {
  const server = await Server.start();
  await server.ok('query_start', { query: leaving('assertz(p(1))'), take: 1 });
  await server.reset();
  assert.deepEqual(await facts(server), []);
  await server.close();
});

test('cleanup after a directive belongs to its file; after a condition it changes nothing', async () => {
  const server = await Server.start();
  await server.import('a.pl', `:- ${leaving('assertz(p(1))')}.\n`);
  assert.deepEqual(await facts(server), ['X = 1']);
  await server.import('b.pl', `:- if((${leaving('assertz(p(2))')})).\nq(1).\n:- endif.\n`);
  assert.deepEqual(await facts(server), ['X = 1']);
  assert.deepEqual(await server.solve('q(X)'), ['X = 1']);
  await server.ok('workspace', { operation: 'why', of: leaving('assertz(p(3))') });
  await server.ok('workspace', { operation: 'why', of: leaving('assertz(p(4))', 'fail') });
  assert.deepEqual(await facts(server), ['X = 1']);
  await server.close();
});

test('cleanup after a closed query delays nobody, however long it runs', async () => {
  const server = await Server.start();
  await server.assert('p(1).');
  const other = await server.ok('query_start', { query: 'member(X, [a, b])', take: 1 });
  const open = [];
  for (let i = 0; i < 4; i++) {
    const started = await server.ok('query_start', { query: leaving('(repeat, fail)'), take: 1, timeout_ms: 60_000 });
    open.push(started.data.query_id);
  }
  const begun = performance.now();
  await server.ok('query_close', { query_id: open[0] });
  const { data } = await server.ok('query_next', { query_id: other.data.query_id, take: 1 });
  assert.deepEqual(data.answers, [{ X: 'b' }], 'the engine was not ended for it');
  await server.reset();
  assert.ok(performance.now() - begun < 15_000, 'the limit of the query does not hold for what cleans up');
  await server.close();
});

test('slow conditions share one limit, and exclude the clauses under them', async () => {
  const server = await Server.start();
  const other = await server.ok('query_start', { query: 'member(X, [a, b])', take: 1 });
  const slow = ':- if((repeat, fail)).\nq(1).\n:- else.\nq(2).\n:- endif.\n';
  const { text } = await server.import('a.pl', slow.repeat(30));
  assert.match(text, /The time limit was reached/);
  assert.deepEqual(await server.solve('q(X)'), Array(30).fill('X = 2'));
  const { data } = await server.ok('query_next', { query_id: other.data.query_id, take: 1 });
  assert.deepEqual(data.answers, [{ X: 'b' }], 'the engine was not ended for it');
  await server.close();
});

test('a reset also clears the counters of flag/3 and gensym/2', async () => {
  const server = await Server.start();
  assert.deepEqual(await server.solve('flag(count, _, 5), gensym(a, X)'), ['X = a1']);
  await server.reset();
  assert.deepEqual(await server.solve('flag(count, X, X), gensym(a, Y)'), ['X = 0, Y = a1']);
  await server.close();
});

test('a delayed goal in a ball does not run when it is thrown, and the ball is unchanged', async () => {
  const server = await Server.start();
  const thrown = (ball) => `freeze(X, assertz(p(1))), catch(throw(${ball}), E, true)`;
  for (const ball of ['error(X, c)', 'error(existence_error(X, Y), c)', 'error(permission_error(call, X, Y), c)']) {
    const { data } = await server.ok('query_start', { query: `catch(throw(${ball}), E, true)`, take: 1 });
    assert.doesNotMatch(JSON.stringify(data.answers), /procedure|sandboxed/, ball);
    await server.ok('query_start', { query: thrown(ball), take: 1 });
    assert.deepEqual(await facts(server), [], ball);
  }
  await server.close();
});
