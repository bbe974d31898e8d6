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

test('a program and its question in one call: nothing of it is in the book, and the reply is its answers', async () => {
  const program = 'r(X) :- s(X), X > 1.\ns(1). s(2).\nlast([X|_], X).\ngreet --> [hello].';
  const { text, data } = await ask('r(X), last([X], X), phrase(greet, [hello])', [program, 's(3)']);
  assert.deepEqual(values(data), ['2', '3']);
  assert.equal(data.assumed, 6);
  assert.equal(text, 'Solution: X = 2\nSolution: X = 3\nNo more solutions\nStatus: success');
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
  assert.match((await refused(['a.', 'p :- rename_file(f, g).'])).message, /^assume 2: .*rename_file\/2/);
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
    assert.match(text, /the changes of this query are discarded\./);
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

const dump = () => server.snapshot();
const pays = 'pay(ann, 10). pay(bob, 20). pay(ann, 30). pay(cy, 40). total(S) :- aggregate_all(sum(P), pay(_, P), S).';

test('what is supposed to be gone is gone for the query alone, and the reply counts it', async () => {
  await server.assert(pays);
  const whole = await dump();
  const revision = async () => (await server.ok('workspace', { operation: 'history' })).data.revision;
  const before = await revision();
  const { text, data } = await ask('total(X)', ['-pay(ann, _)']);
  assert.deepEqual(values(data), ['60']);
  assert.equal(data.assumed, 0);
  assert.match(text, /^Assumed: 2 clauses gone\.\n/);
  const instead = await ask('total(X)', ['pay(ann, 5).', '-pay(ann, _)']);
  assert.deepEqual(values(instead.data), ['65']);
  assert.match(instead.text, /^Assumed: 1 clause, and 2 gone\.\n/);
  assert.deepEqual(await server.solve('pay(X, Y)'), [
    'X = ann, Y = 10',
    'X = bob, Y = 20',
    'X = ann, Y = 30',
    'X = cy, Y = 40',
  ]);
  assert.equal(await dump(), whole);
  assert.equal(await revision(), before);
});

test('an open query keeps its supposition from answer to answer, beside others, also of what comes meanwhile', async () => {
  await server.assert(pays);
  const each = { query: 'between(1, 4, X), total(Y)', assume: '-pay(ann, _)', query_id: 'without' };
  await server.ok('query_start', each);
  const next = async () => (await server.ok('query_next', { query_id: 'without' })).data.answers[0].Y;
  assert.equal(await next(), '60');
  assert.deepEqual(await server.solve('total(X)'), ['X = 100']);
  assert.equal(await next(), '60');
  await server.assert('pay(ann, 1000). pay(dee, 1).');
  assert.equal(await next(), '61');
  await server.ok('clauses', { operation: 'retract', clauses: 'pay(bob, 20).' });
  assert.equal(await next(), '41');
  assert.deepEqual(await server.solve('pay(X, _)'), ['X = ann', 'X = ann', 'X = cy', 'X = ann', 'X = dee']);
});

test('rules can be gone, an order that matters is as before, and why knows nothing of it', async () => {
  await server.assert('p(1). p(X) :- q(X), !. p(3). q(2). first(X) :- p(X), !.');
  assert.deepEqual(values((await ask('p(X)', ['-(p(X) :- q(X), !)'])).data), ['1', '3']);
  assert.deepEqual(values((await ask('p(X)', ['-(p(_) :- _)', 'p(9)'])).data), ['9']);
  assert.deepEqual(values((await ask('first(X)', '-p(1)')).data), ['2']);
  assert.deepEqual(await server.solve('p(X)'), ['X = 1', 'X = 2']);
  await server.ok('workspace', { operation: 'why', of: 'p(1)' });
});

test('an error changes nothing: in the query, in another text, at the start, by time, and where nothing matches', async () => {
  await server.assert(pays);
  const whole = await dump();
  const fails = async (query, assume, kind) => {
    const { data } = await server.call('query_start', { query, assume, take: 1, timeout_ms: 300 });
    assert.equal(data.error.kind, kind, query);
    assert.equal(await dump(), whole);
    assert.deepEqual(await server.solve('aggregate_all(count, pay(_, _), X)'), ['X = 4']);
  };
  await fails('total(', '-pay(ann, _)', 'syntax_error');
  await fails('total(S), X is foo+S', '-pay(ann, _)', 'type_error');
  await fails('total(S), nowhere(S)', '-pay(ann, _)', 'existence_error');
  await fails('repeat, fail', '-pay(ann, _)', 'timeout');
  await fails('true', ['-pay(ann, _)', 'a :- rename_file(f, g).'], 'unsafe_goal');
  await fails('true', ['-pay(bob, _)', '-pay(dan, _)'], 'existence_error');
  await fails('true', '-append(_, _, _)', 'existence_error');
  const { text } = await server.call('query_start', {
    query: 'true',
    assume: ['-pay(bob, _)', '-pay(dan, _)'],
    take: 1,
  });
  assert.match(text, /assume 2: There is no clause pay\(dan, _\) to be gone\./);
});

test('undo and a restart of the engine find the book whole; an open supposition goes on after it', async () => {
  await server.assert(pays);
  await server.ok('query_start', {
    query: 'between(1, 3, X), total(Y)',
    assume: '-pay(ann, _)',
    query_id: 'on',
    take: 1,
  });
  await server.call('query_start', {
    query: 'numlist(1, 3000000, L), msort(L, _), repeat, fail',
    take: 1,
    timeout_ms: 100,
  });
  assert.equal((await server.ok('query_next', { query_id: 'on' })).data.answers[0].Y, '60');
  await server.assert('pay(eve, 7).');
  await server.ok('workspace', { operation: 'undo' });
  assert.deepEqual(await server.solve('total(X)'), ['X = 100']);
});

test('what the query retracts and adds itself goes with it too', async () => {
  await server.assert(pays);
  const query =
    'between(1, 2, X), retract(pay(bob, N)), M is N+1, assertz(pay(bob, M)), assertz(pay(ann, X)), total(Y)';
  await server.ok('query_start', { query, assume: '-pay(ann, _)', query_id: 'both' });
  assert.equal((await server.ok('query_next', { query_id: 'both' })).data.answers[0].Y, '62');
  assert.deepEqual(await server.solve('total(X)'), ['X = 100']);
  assert.equal((await server.ok('query_next', { query_id: 'both' })).data.answers[0].Y, '65');
  assert.deepEqual(await server.solve('total(X)'), ['X = 100']);
});

test('where -/1 is a predicate of one’s own, -p(x) is a fact of it', async () => {
  assert.deepEqual(
    values((await ask('- flies(X)', ['-flies(X) :- penguin(X).', 'penguin(opus).', '-flies(rex).'])).data),
    ['opus', 'rex'],
  );
  assert.deepEqual(values((await ask('- flies(X)', [':- dynamic((-)/1).', '-flies(rex).'])).data), ['rex']);
  await server.assert('-flies(opus).');
  assert.deepEqual(values((await ask('- flies(X)', '-flies(rex).')).data), ['opus', 'rex']);
});

test('a query without an answer is explained under its supposition, and the book is whole after that', async () => {
  await server.assert(pays);
  const { data } = await ask('pay(ann, X), X > 5', ['-pay(ann, _)']);
  assert.deepEqual(data.answers, []);
  assert.deepEqual(await server.solve('pay(ann, X)'), ['X = 10', 'X = 30']);
});

test('tables are assumed with their clauses, hold from answer to answer, and go with the query', async () => {
  await server.assert(
    'edge(a, b). edge(b, a). :- table reach/2.\nreach(X, Y) :- edge(X, Y). reach(X, Y) :- reach(X, Z), edge(Z, Y).',
  );
  const assume = ':- table path/2.\npath(X, Y) :- path(X, Z), edge(Z, Y).\npath(X, Y) :- edge(X, Y).';
  assert.deepEqual(values((await ask('path(a, X)', assume)).data).sort(), ['a', 'b']);
  await server.ok('query_start', { query: 'path(a, X), path(X, Y)', assume, query_id: 'tabled' });
  const seen = [];
  for (let i = 0; i < 4; i += 1) {
    const [answer] = (await server.ok('query_next', { query_id: 'tabled' })).data.answers;
    seen.push(answer.X + answer.Y);
    assert.equal((await server.solve('reach(a, X)')).length, 2);
  }
  assert.deepEqual(seen.sort(), ['aa', 'ab', 'ba', 'bb']);
  await server.fails('query_start', { query: 'path(a, X)', take: 1 }, 'existence_error');
  await server.assert('path(1, 1). path(1, 1).');
  assert.equal((await server.solve('path(1, X)')).length, 2);
  assert.equal((await server.solve('reach(a, X)')).length, 2);
  assert.equal(values((await ask('reach(a, X)', '-edge(b, a)')).data).join(), 'b');
  assert.equal((await server.solve('reach(a, X)')).length, 2);
  const shortest =
    ':- table sp(_, _, min).\nsp(X, Y, 1) :- edge(X, Y).\nsp(X, Y, N) :- sp(X, Z, M), edge(Z, Y), N is M+1.';
  assert.deepEqual(values((await ask('sp(a, a, X)', shortest)).data), ['2']);
  const { text } = await server.call('query_start', { query: 'edge(a, X)', assume: ':- table edge/2.', take: 1 });
  assert.match(text, /edge\/2 is a predicate of the book/);
});
