// The operators that files declare hold in queries, in output and in added clauses, but in no other file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { Server, directory } from './harness.mjs';

let server;
before(async () => (server = await Server.start({ args: ['--engines', '2'] })));
after(() => server.close());
beforeEach(() => server.reset());

const RULES = `:- op(700, xfx, ===>).
:- op(200, xfy, [and, or]).
rule(a ===> b).
rule(b and c ===> d).
show(X) :- rule(X ===> _), print(X ===> X), nl.
`;

const output = async (query) =>
  (await server.ok('query_start', { query, take: 9 })).data.answers.map((answer) => answer.output).join('');

test('in queries, in answers, in output and input, and in texts of terms', async () => {
  await server.import('rules.pl', RULES);
  assert.deepEqual(await server.solve('rule(a ===> B)'), ['B = b']);
  assert.deepEqual(await server.solve('rule(R)'), ['R = (a===>b)', 'R = (b and c===>d)']);
  assert.equal(await output('show(a)'), 'a===>a\n');
  assert.equal(
    await output('X = (p ===> q), format("~w ~q ~p~n", [X, X, X]), writeq(X)'),
    'p===>q p===>q p===>q\np===>q',
  );
  assert.deepEqual(await server.solve("term_to_atom(X, 'm ===> n'), X =.. L, term_to_atom(f(u ===> v), A)"), [
    "X = (m===>n), L = [===>,m,n], A = 'f(u===>v)'",
  ]);
  assert.deepEqual(await server.solve('open_string("x and y.", _S), read(_S, T), close(_S), T =.. [F|_]'), [
    'T = x and y, F = and',
  ]);
  assert.deepEqual(await server.solve('current_op(P, T, ===>)'), ['P = 700, T = xfx']);
});

test('in why, in assume and in patterns for retract', async () => {
  await server.import('rules.pl', RULES);
  const why = await server.ok('workspace', { operation: 'why', of: 'rule(a ===> b)' });
  assert.match(why.text, /rule\(a===>b\)/);
  const assumed = await server.ok('query_start', { query: 'rule(x ===> Y)', assume: 'rule(x ===> y).', take: 1 });
  assert.equal(assumed.data.answers[0].Y, 'y');
  await server.retract(['rule(a ===> b)']);
  assert.deepEqual(await server.solve('rule(a ===> B)'), []);
});

test("in added clauses: the book keeps them in a text that needs no file's operators", async () => {
  await server.import('rules.pl', RULES);
  await server.assert('% of mine\nrule(X ===> Y) :- other(X and Y), \\+ X = Y. plain(1). other(e and f)');
  assert.deepEqual(await server.solve('rule(e ===> Y)'), ['Y = f']);
  const snapshot = await server.snapshot();
  assert.match(snapshot, /% of mine\nrule\(===>\(X, ?Y\)\) ?:-/);
  assert.match(snapshot, /\nother\(and\(e, ?f\)\)\./);

  // The clauses are the same without the file, and in a new engine.
  await server.ok('files', { operation: 'unimport', filename: 'rules.pl' });
  await server.fails('query_start', { query: 'rule(e ===> Y)', take: 1 }, 'syntax_error');
  assert.deepEqual(await server.solve('rule(R)'), ['R = ===>(e,f)']);
  const other = await Server.start();
  await other.import('dump.pl', await server.snapshot());
  assert.deepEqual(await other.solve('rule(R)'), ['R = ===>(e,f)']);
  await other.close();
});

test('a directive among clauses holds from then on, until it is undone', async () => {
  await server.assert(':- op(700, xfx, loves).');
  await server.assert('john loves mary.');
  assert.deepEqual(await server.solve('X loves mary'), ['X = john']);
  await server.ok('workspace', { operation: 'undo', steps: 2 });
  await server.fails('query_start', { query: 'X loves mary', take: 1 }, 'syntax_error');
  await server.ok('workspace', { operation: 'redo', steps: 2 });
  assert.deepEqual(await server.solve('X loves mary'), ['X = john']);
});

test('of two declarations the later holds, and the earlier one again when that goes', async () => {
  await server.import('one.pl', ':- op(700, xfx, ==>>).\n:- op(200, xfx, <+>).\none(a ==>> b).\n');
  await server.import('two.pl', ':- op(200, xfy, <+>).\ntwo(a <+> b <+> c).\n');
  assert.deepEqual(await server.solve('two(X <+> Y)'), ['X = a, Y = b<+>c']);
  await server.ok('files', { operation: 'unimport', filename: 'two.pl' });
  await server.fails('query_start', { query: 'X = (a <+> b <+> c)', take: 1 }, 'syntax_error');
  assert.deepEqual(await server.solve('X = (a <+> b), one(L ==>> R)'), ['X = a<+>b, L = a, R = b']);
});

test('a file has its own operators, and those of the files that it loads', async () => {
  await server.import('one.pl', ':- module(one, [op(700, xfx, ===>), r/1]).\nr(a ===> b).\n');
  const alone = await server.call('files', { operation: 'import', filename: 'x.pl', text: 'x(a ===> b).\n' });
  assert.match(alone.text, /operator expected/);
  await server.import('user.pl', ':- use_module(one).\ns(X) :- r(X ===> _).\n');
  assert.deepEqual(await server.solve('s(X)'), ['X = a']);
});

test('a new engine, those beside the first, and a reopened book have them too', async () => {
  const book = join(directory(), 'book');
  const first = await Server.start({ args: ['--book', book], files: { 'rules.pl': RULES } });
  await first.ok('files', { operation: 'import', filename: 'rules.pl' });
  await first.assert('rule(x ===> y)');
  await first.close();
  const again = await Server.start({ args: ['--book', book] });
  assert.deepEqual(await again.solve('rule(x ===> Y)'), ['Y = y']);
  await again.close();

  await server.import('rules.pl', RULES);
  const all = await Promise.all(
    ['repeat, fail', 'rule(a ===> X)'].map((query) => server.call('query_start', { query, take: 1, timeout_ms: 1500 })),
  );
  assert.equal(all[1].data.answers[0].X, 'b');
});
