// Text that is accepted but perhaps not meant gets a short warning, and correct text gets none.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { ROOT, Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(() => server.close());
beforeEach(() => server.reset());

const warned = async (clauses) => {
  const { text, data } = await server.call('clauses', { operation: 'assert', clauses });
  for (const warning of data.warnings ?? []) assert.ok(text.includes(`\nWarning: ${warning}`), text);
  return data.warnings ?? [];
};

for (const [what, clause, expected] of [
  [
    'a name with a capital',
    'parent(Carol, dan).',
    /: Carol occurs only once: write carol for the atom, _Carol if intended\.$/,
  ],
  ['a variable', 'p(X) :- member(X, [1]), member(Y, [2]).', /: Y occurs only once: write _Y if that is intended\.$/],
  [
    'a variable of a branch',
    'p(X) :- ( member(Y, [X]) ; X = 1, member(Y, [2]) ).',
    /: Y occurs only once in its branch/,
  ],
  [
    'a near name',
    'grandpa(X, Z) :- parent(X, Y), parrent(Y, Z).',
    /: parrent\/2 is not defined\. Did you mean parent\/2\?$/,
  ],
  [
    'a predicate of a library',
    'append(a, b, c).',
    /: append\/3 is built in: these clauses take its place in the whole book\.$/,
  ],
  ['a negation', 'not(red(bob)).', /: not\/1 is built in: .* as in `not_red\(bob\)\.`$/],
  [
    'a function',
    'double(X) := X*2.',
    /: `:=` does not define functions, so this does not define double\/1: write a rule/,
  ],
  ['a hyphen in a name', 'is-even(2).', /: is-even is not a name but `-` of two terms: write is_even\.$/],
  ['a rule of CHR without its library', 'rain ==> wet.', /: This is a fact of `==>`: for a rule of CHR write/],
  ['other quotation marks', 'said(ann, “hello”).', /: “” are not quotation marks in Prolog: write ' or "\.$/],
  [
    'a lambda that loses constraints',
    'cap(L, Max) :- L ins 0..9, Max in 0..9, maplist([X]>>(X #=< Max), L).',
    /: A lambda copies Max, and the copy has no constraints: write `\{Max\}\/\[X\]>>…`, or a predicate of its own\.$/,
  ],
  [
    'a comment in the middle of a clause that looks like modulo',
    'even(X) :- 0 is X % 2\n  , X > 0.',
    /: `%` begins a comment: write `X mod 2`, if this is not a comment\.$/,
  ],
  ['a variable as a goal', 'run(X) :- G, X = G.', /: G is called as a goal, but nothing binds it first\.$/],
]) {
  test(`${what} gives a warning`, async () => {
    await server.assert('parent(ann, bob).');
    const warnings = await warned(clause);
    assert.equal(warnings.length, 1, JSON.stringify(warnings));
    assert.match(warnings[0], expected);
  });
}

test('for a file the line is given, and what is defined nowhere; a list is not a clause', async () => {
  const file = 'a(1).\nb(X) :- a(X),\n  c(X).\na(2).\nd(Dan).\n[a, b].\n';
  const { text, data } = await server.import('f.pl', file);
  assert.deepEqual(data.warnings, [
    'line 4: The clauses of a/1 are not together: move them, or declare `:- discontiguous a/1.`',
    'line 5: Dan occurs only once: write dan for the atom, _Dan if intended.',
    'Not defined: c/1.',
  ]);
  assert.match(text, /This is a list, not a clause/);
});

test('the tests of a unit may come in any order', async () => {
  const unit = ':- begin_tests(u).\ntest(a) :- true.\ntest(b, X == 1) :- X = 1.\ntest(c) :- true.\n:- end_tests(u).\n';
  assert.equal((await server.import('u.pl', unit)).data.warnings, undefined);
});

test('there are not too many', async () => {
  const clauses = Array.from({ length: 200 }, (_, n) => `p${n}(Some) :- q(Other).`);
  const warnings = await warned(clauses);
  assert.equal(warnings.length, 11);
  assert.match(warnings[10], /^\d+ more warnings\.$/);
});

test('a predicate name that is taken gives one warning, and rules may come before what they call', async () => {
  assert.equal((await warned('last([X], X).')).length, 1);
  assert.deepEqual(await warned('last([_|T], X) :- last(T, X).'), []);
  assert.deepEqual(await warned('reaches(X, Y) :- edge(X, Y). reaches(X, Z) :- edge(X, Y), reaches(Y, Z).'), []);
});

for (const directory of ['tests/support/programs', 'www/src/examples']) {
  for (const name of readdirSync(join(ROOT, directory)).filter((name) => name.endsWith('.pl'))) {
    test(`${directory}/${name} gives none`, async () => {
      const { data } = await server.import(name, readFileSync(join(ROOT, directory, name), 'utf8'));
      assert.deepEqual(data.warnings ?? [], []);
    });
  }
}

test('lambdas over variables that are bound, shared or labelled get no warning', async () => {
  for (const clause of [
    'scaled(L, F, M) :- maplist([X, Y]>>(Y is X * F), L, M).',
    'small(L, Max) :- maplist([X]>>(X #=< Max), L).',
    'rows(N, L) :- length(L, N), L ins 1..N, maplist([X]>>(X #=< N), L).',
    'cap(L, Max) :- Max in 0..9, maplist({Max}/[X]>>(X #=< Max), L).',
    'best(L) :- M in 1..3, label([M]), maplist([X]>>(X > M), L).',
    'sums(L, S) :- foldl([X, A0, A]>>(A #= A0 + X), L, 0, S).',
    'twice(L, M, N) :- maplist([X, Y]>>(Z is X * 2, Y is Z), L, M), maplist([X, Y]>>(Z is X * 3, Y is Z), M, N).',
  ])
    assert.deepEqual(await warned(clause), [], clause);
});

test('comments at the end of a line are no modulo', async () => {
  for (const clause of [
    'price(X, Y) :-\n  Y is X * 2,  % 2 for VAT\n  Y > 0.',
    'area(X, A) :-\n  A is X * X  % X squared\n  .',
    'a(X) :- b(X).  % 5 of them\n b(1).',
    'c(\'100 % 5\'). d("7 % 2").',
  ])
    assert.deepEqual(await warned(clause), [], clause);
});

test('a lambda that copies a variable with constraints is told when it happens, once a reply', async () => {
  const notice = /^A lambda copies Max, and the copy has no constraints: write `\{Max\}\/\[X\]>>…`/;
  const query = 'L = [A, B], Max in 0..3, limited(L, Max), label([Max])';
  await server.assert('limited(L, Max) :- maplist([X]>>(X #=< Max), L).');
  const { text, data } = await server.ok('query_start', { query, take: 2 });
  assert.equal(data.notices.length, 1);
  assert.match(data.notices[0], notice);
  assert.match(text, /Notice: A lambda copies Max/);
  const inner =
    ':- use_module(library(lambda)).\nouter(L) :- M in 0..3, inner(L, M).\ninner(L, M) :- maplist(\\X^(X #=< M), L).';
  await server.assert(inner);
  const hidden = await server.ok('query_start', { query: 'outer([A, B])', take: 2 });
  assert.match(hidden.data.notices[0], /^A lambda copies a variable in `\\/);
  for (const fine of [
    'maplist([X]>>(X #=< 3), [A, B])',
    'Max = 3, limited([A, B], Max)',
    'Max in 0..3, maplist({Max}/[X]>>(X #=< Max), [A, B])',
    'Max in 0..3, maplist(Max+\\X^(X #=< Max), [A, B])',
    'L = [A, B], L ins 0..3, maplist([X]>>(X #> 1), L)',
  ]) {
    const { data } = await server.ok('query_start', { query: fine, take: 2 });
    assert.equal(data.notices, undefined, fine);
  }
});

test('a fact that is there already, or twice in one text, is told once', async () => {
  await server.assert('pay(ann, 10). pay(bob, 20).');
  assert.deepEqual(await warned('pay( ann, 10 ). % again'), [
    '`pay( ann, 10 ).` is already there: it now counts twice.',
  ]);
  assert.deepEqual(await warned('c(1). c(2). c(1).'), ['`c(1).` is already there: it now counts twice.']);
  assert.deepEqual(await warned('pay(ann, 11). c(3).'), []);
});

test('a pair of numbers that heads take apart and give is data', async (t) => {
  const server = await Server.start();
  t.after(() => server.close());
  const { data } = await server.assert('below(R*C, S*C) :- S is R+1.');
  assert.equal(data.warnings, undefined);
  for (const [clause, term] of [
    ['scaled(N, N*F) :- F is N+1.', 'N*F'],
    ['step(N-1, M-1) :- M is N.', 'N-1'],
  ]) {
    const slip = await server.assert(clause);
    assert.ok(slip.data.warnings.join('\n').includes(`\`${term}\` in a head is a term, not its value`), clause);
  }
});
