// The nearest reason why a query has no answer: where it is told, and that looking for it changes nothing.
// What is told for which mistake is tests/cases/data/mistakes*.json.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(() => server.close());
beforeEach(() => server.reset());

const HINT = 'likes(ann,tea) has the atom tea; "tea" is a string.';

test('a query without an answer has a hint, in text and structured content, also by query_next', async () => {
  await server.assert('likes(ann, tea). likes(bob, coffee).');
  const { text, data } = await server.ok('query_start', { query: 'likes(X, "tea")', take: 1 });
  assert.equal(data.hint, HINT);
  assert.match(
    text,
    /^No solutions \(false\)\.\nHint: likes\(ann,tea\) has the atom tea; "tea" is a string\.\nStatus: done$/,
  );
  await server.ok('query_start', { query: 'likes(X, "tea")' });
  assert.equal((await server.ok('query_next', {})).data.hint, HINT);
});

test('a query with answers, or without anything near, has none', async () => {
  await server.assert('likes(ann, tea). likes(bob, coffee).');
  for (const query of ['likes(X, tea)', 'likes(carl, X)', 'fail', 'likes(ann, tea)']) {
    assert.equal((await server.ok('query_start', { query, take: 2 })).data.hint, undefined, query);
  }
});

test('clauses that are assumed are looked at, and slips in them are told', async () => {
  const assume = 'likes(ann, tea). sum([], 0). sum([X|Xs], S) :- sum(Xs, T), S = T+X, T is T+1.';
  const { data, text } = await server.ok('query_start', { query: 'likes(X, "tea")', assume, take: 1 });
  assert.equal(data.hint, HINT);
  assert.match(text, /`T is T\+1` never holds/);
  assert.equal(await server.snapshot(), '');
});

test('a query with few answers is told of a slip in a goal inside, and no more', async () => {
  await server.assert('likes(ann, tea). likes(bob, tea).');
  const { data, text } = await server.ok('query_start', { query: 'findall(X, likes(X, "tea"), L)', take: 2 });
  assert.equal(data.hint, HINT);
  assert.match(text, /L = \[\]/);
  for (const query of [
    'findall(X, likes(X, milk), L)',
    '\\+ likes(carl, tea)',
    'aggregate_all(count, likes(_, tea), N)',
  ]) {
    assert.equal((await server.ok('query_start', { query, take: 2 })).data.hint, undefined, query);
  }
});

test('looking for the reason changes neither the book nor counters nor global variables', async () => {
  await server.assert(':- dynamic n/1. n(0). step :- retract(n(X)), Y is X+1, assertz(n(Y)), fail.');
  const { data: before } = await server.ok('workspace', { operation: 'history' });
  await server.ok('query_start', { query: 'step', take: 1 });
  await server.ok('query_start', { query: 'flag(hits, N, N+1), fail', take: 1 });
  await server.ok('query_start', { query: 'gensym(g, X), X == g7', take: 1 });
  assert.deepEqual(await server.solve('n(X)'), ['X = 0']);
  assert.deepEqual(await server.solve('flag(hits, N, N)'), ['N = 1']);
  assert.deepEqual(await server.solve('gensym(g, X)'), ['X = g2']);
  assert.equal((await server.ok('workspace', { operation: 'history' })).data.revision, before.revision);
});

test('answers that repeat are told', async () => {
  await server.assert('edge(a, b). edge(b, a). reach(X, Y) :- edge(X, Y). reach(X, Y) :- edge(X, Z), reach(Z, Y).');
  const { data } = await server.ok('query_start', { query: 'reach(a, X)', take: 10 });
  assert.match(data.hint, /^The answers repeat\..*:- table/);
});

for (const [what, clauses, query] of [
  [
    'text that doubles',
    'a(X, Y) :- nonvar(Y), !, Y == x. a(X, Y) :- atom_concat(X, X, Z), a(Z, Y).',
    `a(${'m'.repeat(28)}, n)`,
  ],
  [
    'a cleanup without end',
    'a(_, Y) :- nonvar(Y), !, Y == x. a(_, _) :- setup_call_cleanup(true, l, l). l :- l.',
    'a(11, n)',
  ],
  ['a long text', "a(_, Y) :- nonvar(Y), !, Y == x. a(N, Y) :- format(atom(Y), '~*c', [N, 0'x]).", 'a(300000000, n)'],
]) {
  test(`a goal that would make ${what} is not run with an argument opened`, async () => {
    await server.assert(clauses);
    await server.ok('query_start', { query: 'nb_setval(kept, 7)', take: 1 });
    const { data } = await server.ok('query_start', { query, take: 1 });
    assert.doesNotMatch(data.hint ?? '', /gives/);
    assert.deepEqual(await server.solve('nb_getval(kept, V)'), ['V = 7']);
  });
}
