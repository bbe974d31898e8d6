// Goals that clean up after a query that has choice points left: they belong to the step that ends the query, and
// where it is closed between two steps they change nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server } from './harness.mjs';

/** A query that leaves a choice point, and a goal behind it for its end. */
const leaving = (cleanup, more = 'true') => `setup_call_cleanup(true, member(X, [1, 2, 3]), ${cleanup}), ${more}`;

/** The facts of p/1, by the engine and by the book. */
async function facts(server) {
  const asked = await server.solve('catch(p(X), error(existence_error(_, _), _), fail)');
  const kept = [...(await server.snapshot()).matchAll(/^p\((\d)\)\.$/gm)].map(([, X]) => `X = ${X}`);
  assert.deepEqual(asked, kept, 'engine and book');
  return asked;
}

test('a query that is closed changes nothing any more', async () => {
  const server = await Server.start();
  await server.assert('p(1).');
  for (const cleanup of ['assertz(p(2))', 'asserta(p(0))', 'retract(p(1))', 'retractall(p(_))', 'abolish(p/1)']) {
    const { data } = await server.ok('query_start', { query: leaving(cleanup), take: 1 });
    await server.ok('query_close', { query_id: data.query_id });
    assert.deepEqual(await facts(server), ['X = 1'], cleanup);
  }
  await server.close();
});

test('what cleans up after a cut is kept, and after an answer that is too large taken back', async () => {
  const server = await Server.start({ args: ['--limit', 'answer_chars=2000'] });
  await server.ok('query_start', { query: `${leaving('assertz(p(1))')}, !`, take: 1 });
  assert.deepEqual(await facts(server), ['X = 1']);
  const large = 'length(L, 5000), maplist(=(a), L)';
  await server.fails('query_start', { query: leaving('assertz(p(2))', large), take: 1 });
  await server.fails('query_start', { query: leaving('retract(p(1))', large), take: 1 });
  assert.deepEqual(await facts(server), ['X = 1']);
  await server.close();
});

test('a reset closes the queries, and nothing that cleans up comes after it', async () => {
  const server = await Server.start();
  await server.ok('query_start', { query: leaving('assertz(p(1))'), take: 1 });
  await server.reset();
  assert.deepEqual(await facts(server), []);
  await server.close();
});

test('what cleans up after a directive is of its file, and after a condition changes nothing', async () => {
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
