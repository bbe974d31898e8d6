// Clauses that hold for a single query: what they reach, and that nothing of them stays.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(() => server.close());
beforeEach(() => server.reset());

const ask = (query, assume, values) => server.ok('query_start', { query, assume, take: 100, ...values });
const values = (data) => data.answers.map((answer) => answer.X);

test('a program and its question in one call: nothing of it is in the book, and the reply says what it was', async () => {
  const program = 'r(X) :- s(X), X > 1.\ns(1). s(2).\nlast([X|_], X).\ngreet --> [hello].';
  const { text, data } = await ask('r(X), last([X], X), phrase(greet, [hello])', [program, 's(3)']);
  assert.deepEqual(values(data), ['2', '3']);
  assert.equal(data.assumed, 6);
  assert.match(text, /\nAssumed for this query alone: 6 clauses; what it changes is gone with it\.\n/);
  assert.equal(await server.snapshot(), '');
  assert.equal((await server.ok('workspace', { operation: 'history' })).data.revision, 0);
  await server.fails('query_start', { query: 'r(X)', take: 1 }, 'existence_error');
  assert.deepEqual(await server.solve('last([1, 2], X)'), ['X = 2']);
});

test('what if: rules of the book see what is assumed; other open queries and later ones do not', async () => {
  await server.assert('bird(tweety). flies(X) :- bird(X), \\+ penguin(X). :- dynamic penguin/1.');
  await server.ok('query_start', {
    query: 'flies(X)',
    assume: 'bird(polly). bird(opus). penguin(tweety).',
    query_id: 'if',
  });
  await server.ok('query_start', { query: 'flies(X)', query_id: 'is' });
  assert.equal((await server.ok('query_next', { query_id: 'if' })).data.answers[0].X, 'polly');
  assert.deepEqual(values((await server.ok('query_next', { query_id: 'is', take: 9 })).data), ['tweety']);
  assert.deepEqual(values((await server.ok('query_next', { query_id: 'if', take: 9 })).data), ['opus']);
  assert.deepEqual(await server.solve('flies(X)'), ['X = tweety']);
});

test('what the query asserts and retracts holds for it from answer to answer, but never for the book', async () => {
  await server.assert('count(0). kept(a). kept(b).');
  const step =
    'between(1, 3, _), retract(count(N)), X is N + 1, assertz(count(X)), asserta(seen(X)), ignore(retract(kept(a)))';
  await server.ok('query_start', { query: step, assume: ':- dynamic seen/1.', query_id: 'steps' });
  for (const X of ['1', '2', '3']) {
    assert.equal((await server.ok('query_next', { query_id: 'steps' })).data.answers[0].X, X);
    assert.deepEqual(await server.solve('count(X)'), ['X = 0']);
    assert.deepEqual(await server.solve('kept(X)'), ['X = a', 'X = b']);
  }
  await server.fails('query_start', { query: 'seen(X)', take: 1 }, 'existence_error');
  assert.equal(await server.snapshot(), 'count(0).\nkept(a).\nkept(b).\n'.trimEnd());
});

test('an error or a lost engine undoes all of it', async () => {
  const loop = { query: 'p(X), loop', assume: 'p(1). loop :- loop.', take: 1, timeout_ms: 200 };
  assert.equal((await server.call('query_start', loop)).data.error.kind, 'timeout');
  await server.fails('query_start', { query: 'p(X)', take: 1 }, 'existence_error');
  const { data } = await server.call('query_start', { query: 'p(X), Y is foo + 1', assume: 'p(1).', take: 1 });
  assert.equal(data.error.kind, 'type_error');
  await server.fails('query_start', { query: 'p(X)', take: 1 }, 'existence_error');
});

test('a library that is already available may be named', async () => {
  const { data } = await ask('q(X)', [':- use_module(library(lists)).', 'q(X) :- last([a, b], X).']);
  assert.deepEqual(data.answers, [{ X: 'b' }]);
});

test('assumed clauses are subject to the sandbox, and an error names the offending text', async () => {
  const refused = async (assume) => (await server.call('query_start', { query: 'true', assume, take: 1 })).data.error;
  assert.match((await refused(['a.', 'p :- open(f, read, _).'])).message, /^assume 2: .*open\/3/);
  const syntax = await refused('p :- q\nr.');
  assert.match(syntax.message, /^assume 1: /);
  assert.deepEqual([syntax.kind, syntax.line], ['syntax_error', 2]);
  assert.match((await refused('forall(_, _).')).message, /cannot take the place of a predicate of the system/);
  assert.match((await refused(':- op(700, xfx, ===>).')).message, /import the text, and ask then/);
  assert.match((await refused('?- a.')).message, /A query is not a clause/);
  const running = { query: 'assertz(shell(x)), shell(X)', assume: 'a.', take: 1 };
  assert.match((await server.call('query_start', running)).text, /shell\/1/);
});

test('an assume that is there is a what-if, even if nothing is in it', async () => {
  await server.assert('pay(ann, 10).');
  for (const assume of [[], '', '[]']) {
    const query = 'retract(pay(ann, _)), \\+ pay(_, _), assertz(new(X))';
    const { text, data } = await server.ok('query_start', { query, assume, take: 1 });
    assert.equal(data.changes, undefined);
    assert.match(text, /what (it|this query) changes is gone with it\./);
    assert.equal(await server.snapshot(), 'pay(ann, 10).');
  }
});

test('a clause that is assumed has its lambdas checked', async () => {
  const assume = 'cap(L, Max) :- L = [_,_,_], L ins 0..9, Max in 0..9, maplist([X]>>(X #=< Max), L), sum(L, #=, 20).';
  const { data } = await ask('cap(L, Max), Max #= 3, label(L)', assume, { take: 1 });
  assert.deepEqual(data.notices, [
    'A lambda copies Max, and the copy has no constraints: write `{Max}/[X]>>…`, or a predicate of its own.',
  ]);
});
