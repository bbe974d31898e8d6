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

/** The hint for `query` with `clauses`, or ''. */
async function hintFor(clauses, query, more = {}) {
  await server.reset();
  await server.assert(clauses);
  return (await server.ok('query_start', { query, take: 1, ...more })).data.hint ?? '';
}

test('maplist, foldl and forall name the element that fails', async () => {
  const clauses = 'more(X) :- X > 1. step(X, A, [X|A]) :- X < 50.';
  assert.match(await hintFor(clauses, 'maplist(more, [3,2,1])'), /element 3: more\(1\)/);
  assert.match(await hintFor(clauses, 'numlist(1, 50, L), foldl(step, L, [], S)'), /element 50: step\(50,/);
  assert.match(await hintFor(clauses, 'forall(member(X, [3,1]), more(X))'), /not so for member\(1,/);
});

test('no element is named where the goal may not run again, or not to its end', async () => {
  const clauses = `c(0) :- !. c(N) :- M is N-1, c(M). more(X) :- X > 1.
    long(X) :- c(20000), X > 1.
    shown(X) :- format("~w ", [X]), X > 1.
    caught(X) :- catch(X > 1, _, fail).
    power(X) :- Y is 2**X, Y > 2.
    timed(X) :- get_time(T), T > 0, X > 1.
    rest --> [].
    phrased(X) :- phrase(([X],rest), [X|_]), X > 1.
    frozen(X) :- freeze(Y, Y > 1), Y = X.
    again(X) :- repeat, !, X > 1.
    looked(X) :- clause(rest(_, _), _), X > 1.
    :- table tabled/1.
    tabled(X) :- X > 1.`;
  for (const name of ['long', 'shown', 'caught', 'power', 'timed', 'phrased', 'frozen', 'again', 'looked', 'tabled']) {
    for (const query of [
      `maplist(${name}, [3,2,1])`,
      `foldl([X,A,B]>>(${name}(X), B is A+X), [3,1], 0, S)`,
      `forall(member(X, [3,1]), ${name}(X))`,
    ]) {
      assert.doesNotMatch(await hintFor(clauses, query), /element|not so/, query);
    }
  }
  assert.doesNotMatch(await hintFor(clauses, 'c(40000), maplist(more, [3,2,1])'), /element/);
});

test('no element is named where to look for it takes too much', async () => {
  const clauses = 'step(X, A, [X|A]) :- X < 2000.';
  for (const query of [
    'numlist(1, 2000, L), foldl(step, L, [], S)',
    'numlist(1, 2000, L), foldl([X,A,B]>>(X < 2000, B is A+X), L, 0, S)',
    'numlist(1, 400, L), foldl([X,A,[X|A]]>>(X < 400), L, [], S)',
    'numlist(1, 1000, L), maplist([X]>>(X < 1000), L)',
  ]) {
    assert.doesNotMatch(await hintFor(clauses, query), /element/, query);
  }
});

const rows = (count, row) => Array.from({ length: count }, (_, i) => row(i + 1)).join('\n');
const ages = rows(600, (i) => `age(k${i}, ${i}).`);
for (const [what, clauses, query] of [
  ['one column', `${rows(600, (i) => `next(k${i}, k${i + 1}).`)} beside(X, Y) :- next(X, Y).`, 'beside(k3, k2)'],
  ['a word', `${ages} capital(france, paris).`, 'capital(k599, paris)'],
  [
    'a value of the same argument',
    `${rows(600, (i) => `colour(k${i}, yellow).`)} colour(z, mellow).`,
    'colour("k1", mellow)',
  ],
  [
    'a clause that computes',
    `next(X, Y) :- Y = X+1. ${rows(201, (i) => `value(k${i}, ${i}).`)} value(E, V) :- V is E.`,
    'next(2, Y)',
  ],
]) {
  test(`${what} among more clauses than are looked at is not taken for missing`, async () => {
    assert.doesNotMatch(await hintFor(clauses, query), /another order|nearest fact|and yellow|write `is`/);
  });
}

test('the rows of a large table do not keep a slip from being told', async () => {
  assert.match(await hintFor(`${ages} next(X, Y) :- Y = X+1.`, 'next(2, Y)'), /write `is`/);
  const near = 'near(tea, cup). near(cake, plate). beside(X, Y) :- near(X, Y).';
  assert.match(await hintFor(`${ages} ${near}`, 'beside(cup, tea)'), /another order/);
});
