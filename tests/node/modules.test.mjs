// Modules: each has private predicates of its own, whatever they are called.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { openHornbook } from '../../pkg/node.js';
import { Server, directory } from './harness.mjs';

const ONE = ':- module(one, [one/1]).\none(X) :- step(X).\nstep(1).\n';
const TWO = ':- module(two, [two/1]).\n:- dynamic seen/1.\ntwo(X) :- step(X).\nstep(2).\nstep(22).\n';

/** Saves a text as a file of the book. */
function saved(hornbook, name, text) {
  return hornbook.save(name, text, hornbook.cancellation());
}

async function started(t, files = {}) {
  const server = await Server.start({ files });
  t.after(() => server.close());
  return server;
}

const imported = (server, filename, text) =>
  server.call('files', { operation: 'import', filename, ...(text === undefined ? {} : { text }) });

const agrees = async (server, goals) => {
  for (const [goal, answers] of Object.entries(goals)) {
    assert.deepEqual(await server.solve(goal), answers, goal);
  }
};

test('two modules with private predicates of the same name each have their own', async (t) => {
  const server = await started(t);
  await server.import('one.pl', ONE);
  const two = await imported(server, 'two.pl', TWO);
  assert.deepEqual([two.data.status, two.data.errors, two.data.warnings ?? []], ['success', [], []]);
  const goals = {
    'one(X)': ['X = 1'],
    'two(X)': ['X = 2', 'X = 22'],
    'one:step(X)': ['X = 1'],
    'two:step(X)': ['X = 2', 'X = 22'],
  };
  await agrees(server, goals);
  const fault = await server.call('query_start', { query: 'step(X)', take: 1 });
  assert.ok(fault.isError || fault.data.error, fault.text);
  assert.match(
    fault.text,
    /step\/1 belongs to the module one \(one\.pl\), which does not export it: call it as one:step\b/,
  );
  const book = await server.snapshot();
  await server.ok('workspace', { operation: 'undo' });
  assert.doesNotMatch(await server.snapshot(), /two/);
  await agrees(server, { 'one(X)': ['X = 1'] });
  await server.ok('workspace', { operation: 'redo' });
  assert.equal(await server.snapshot(), book);
  await agrees(server, goals);
  await server.ok('files', { operation: 'unimport', filename: 'one.pl' });
  await agrees(server, { 'two(X)': ['X = 2', 'X = 22'] });
  // A snapshot gives the same book.
  await server.reset();
  await server.import('whole.pl', book);
  assert.equal(await server.snapshot(), book);
  await agrees(server, goals);
});

test('a new process, and an imported snapshot, have the same modules', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-modules-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const args = ['--book', join(folder, 'one.book')];
  const first = await Server.start({ args });
  t.after(() => first.close().catch(() => undefined));
  await first.import('one.pl', ONE);
  await first.import('two.pl', TWO);
  await first.assert(['one:step(10).', 'one:(twice(X) :- step(Y), X is 2*Y).', 'step(0).']);
  assert.deepEqual(await first.solve('assertz((two:thrice(X) :- two:step(Y), X is 3*Y))'), ['true']);
  const goals = {
    'one(X)': ['X = 1', 'X = 10'],
    'two(X)': ['X = 2', 'X = 22'],
    'one:twice(X)': ['X = 2', 'X = 20'],
    'two:thrice(X)': ['X = 6', 'X = 66'],
    'step(X)': ['X = 0'],
  };
  await agrees(first, goals);
  const book = await first.snapshot();
  assert.match(book, /^two:thrice\(/m);
  await first.close();
  const second = await Server.start({ args });
  t.after(() => second.close());
  assert.equal(await second.snapshot(), book);
  await agrees(second, goals);
  for (let count = 0; count < 4; count++) await second.ok('workspace', { operation: 'undo' });
  assert.equal((await second.snapshot()).trim(), '');
  for (let count = 0; count < 4; count++) await second.ok('workspace', { operation: 'redo' });
  assert.equal(await second.snapshot(), book);
  await agrees(second, goals);
  await second.reset();
  await second.import('whole.pl', book);
  assert.equal(await second.snapshot(), book);
  await agrees(second, goals);
});

const COUNTER = `:- module(counter, [count/1, noted/1, shown/1, called/1, dcg/1, sum/2, double/2, tabled/2, main/0]).
:- dynamic at/1.
at(0).
count(N) :- retract(at(N0)), N is N0+1, assertz(at(N)).
noted(N) :- assertz(note(N)), findall(M, note(M), L), length(L, N).
shown(B) :- clause(called(_), B).
called(X) :- G = at(X), call(G).
dcg(L) :- phrase(as, L).
as --> [a], !, as.
as --> [].
sum(L, S) :- foldl(add, L, 0, S).
add(X, Y, Z) :- Z is X+Y.
double(L, M) :- maplist([X,Y]>>twice(X, Y), L, M).
twice(X, Y), X > 0 => Y is 2*X.
twice(X, Y) => Y = X.
:- table fib/2.
tabled(N, F) :- fib(N, F).
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.
:- initialization(main).
main :- assertz(began(yes)).
:- at(0), assertz(said(it)).
`;

test('running code belongs to its module: what it calls, asserts, removes and passes on', async (t) => {
  const server = await started(t);
  const { data } = await imported(server, 'counter.pl', COUNTER);
  assert.deepEqual(data.errors, []);
  await server.assert(['add(flat).', 'at(flat).']);
  await agrees(server, {
    'count(N)': ['N = 1'],
    'counter:at(X)': ['X = 1'],
    'at(X)': ['X = flat'],
    'noted(N)': ['N = 1'],
    'counter:note(X)': ['true'],
    'shown(B)': ['B = (_A=at(_B),call(_A))'],
    'called(X)': ['X = 1'],
    'dcg([a,a])': ['true'],
    'sum([1,2,3], S)': ['S = 6'],
    'double([1,-2], L)': ['L = [2,-2]'],
    'tabled(20, F)': ['F = 6765'],
    'counter:began(X)': ['X = yes'],
    'counter:said(X)': ['X = it'],
  });
});

test('a module defines functions of the dicts that have its name for a tag', async (t) => {
  const server = await started(t, {
    'point.pl': [
      ':- module(point, [far/1]).',
      'M.scaled(F) := point{x:X, y:Y} :- X is M.x*F, Y is M.y*F.',
      'M.len() := Len :- Len is sqrt(M.x**2 + M.y**2).',
      'M.twice() := M.scaled(2).',
      'far(P) :- P.len() > 10.',
    ].join('\n'),
  });
  const { data } = await imported(server, 'point.pl');
  assert.deepEqual(data.warnings ?? [], []);
  await agrees(server, {
    'X = point{x:3, y:4}.len()': ['X = 5.0'],
    'X = point{x:3, y:4}.twice().len()': ['X = 10.0'],
    'far(point{x:9, y:8})': ['true'],
    'far(point{x:1, y:1})': [],
  });
  const other = await server.call('query_start', { query: 'X = line{x:3}.len()', take: 1 });
  assert.match(other.data.error.message, /Unknown function on dicts: len\/0/);
});

test('running code belongs to the module of its text', async (t) => {
  const server = await started(t);
  await server.import(
    'one.pl',
    ':- module(one, [of/1, text/1]).\nof(M) :- context_module(M).\ntext(B) :- clause(of(_), B).\n',
  );
  await agrees(server, {
    'of(M)': ['M = one'],
    'one:context_module(M)': ['M = one'],
    'context_module(M)': ['M = user'],
    'text(B)': ['B = context_module(_A)'],
  });
});

test('only code that names the module reaches its private predicates', async (t) => {
  const server = await started(t);
  await server.import('one.pl', `${ONE}hidden(X, Y) :- step(X), Y = a.\n`);
  await agrees(server, {
    'one:(step(X), hidden(X, Y))': ['X = 1, Y = a'],
    'findall(X, one:step(X), L)': ['L = [1]'],
    'maplist(one:hidden(1), [X])': ['X = a'],
    'G = one:step(X), call(G)': ['G = one:step(1), X = 1'],
    'current_predicate(one:step/1)': ['true'],
    'current_predicate(step/1)': [],
    'predicate_property(one:step(_), number_of_clauses(N))': ['N = 1'],
    'predicate_property(step(_), defined)': [],
    'clause(one:hidden(X, Y), B)': ['B = (step(X),Y=a)'],
    'clause(one(X), B)': ['B = one:step(X)'],
    "catch('one:step'(_), error(E, _), true)": ["E = existence_error(procedure,'one:step'/1)"],
    "catch(call('one:step', _), error(E, _), true)": ["E = existence_error(procedure,'one:step'/1)"],
    "current_predicate('one:step'/1)": [],
    'catch(step(_), error(E, _), true)': ['E = existence_error(procedure,step/1)'],
  });
  const { data } = await server.call('clauses', { operation: 'assert', clauses: ["'one:step'(2).", 'one:step(3).'] });
  assert.deepEqual(
    data.failures.map(({ clause, kind }) => [clause, kind]),
    [["'one:step'(2).", 'permission_error']],
  );
  assert.deepEqual(await server.solve('one(X)'), ['X = 1', 'X = 3']);
  const symbols = await server.call('workspace', { operation: 'list_symbols' });
  assert.deepEqual(symbols.data.predicates, ['one/1', 'one:hidden/2', 'one:step/1']);
  assert.match(
    (await server.call('workspace', { operation: 'snapshot', of: 'one:step/1' })).text,
    /^step\(1\)\.\none:step\(3\)\.\n$/,
  );
  const why = await server.call('workspace', { operation: 'why', of: 'one(3)' });
  assert.match(why.text, /^one\(3\) {2}% one\.pl:2\n {2}one:step\(3\)/);
});

test('a goal that is passed on belongs to the module given by the declaration', async (t) => {
  const server = await started(t);
  await server.import(
    'apply.pl',
    ':- module(apply, [declared/2, plain/2]).\n:- meta_predicate declared(1, ?).\ndeclared(G, X) :- call(G, X).\nplain(G, X) :- call(G, X).\n',
  );
  await server.import(
    'user.pl',
    ':- module(user_of_it, [a/1, b/1, c/1]).\na(X) :- declared(helper, X).\nb(X) :- plain(helper, X).\nc(X) :- plain(user_of_it:helper, X).\nhelper(mine).\n',
  );
  await agrees(server, {
    'a(X)': ['X = mine'],
    'c(X)': ['X = mine'],
    'catch(b(_), error(E, _), true)': ['E = existence_error(procedure,apply:helper/1)'],
  });
});

test('if two modules export the same predicate, the second keeps its own privately, and that is reported', async (t) => {
  const server = await started(t);
  await server.import('c1.pl', ':- module(c1, [p/1]).\np(1).\n');
  const second = await imported(server, 'c2.pl', ':- module(c2, [p/1, r/1]).\np(2).\nr(X) :- p(X).\n');
  assert.deepEqual(second.data.errors, []);
  assert.deepEqual(second.data.warnings, [
    'p/1 is also exported by the module c1 (c1.pl): call the one in c2 as c2:p(…).',
  ]);
  const plain = await imported(server, 'plain.pl', 'p(3).\n');
  assert.deepEqual(plain.data.warnings, [
    'p/1 is also exported by the module c1 (c1.pl), and both are the same predicate.',
  ]);
  const goals = { 'p(X)': ['X = 1', 'X = 3'], 'r(X)': ['X = 2'], 'c2:p(X)': ['X = 2'] };
  await agrees(server, goals);
  await server.ok('files', { operation: 'unimport', filename: 'c1.pl' });
  await agrees(server, { 'p(X)': ['X = 2', 'X = 3'], 'r(X)': ['X = 2', 'X = 3'] });
  await server.ok('workspace', { operation: 'undo' });
  await agrees(server, goals);
});

test('what a module loads without a header belongs to it; multifile predicates and tests belong to no module', async (t) => {
  const server = await started(t, {
    'whole.pl': ':- module(whole, [whole/1, part/1]).\n:- include(part).\nwhole(X) :- step(X).\nstep(b).\n',
    'part.pl': ':- discontiguous step/1.\nstep(a).\npart(X) :- step(X).\n',
    'open.pl':
      ':- module(open, []).\n:- multifile hook/1.\nhook(a).\nown(1).\n:- begin_tests(open).\ntest(a) :- hook(a).\ntest(b, X == 1) :- own(X).\ntest(c, true(own(1))).\n:- end_tests(open).\n',
    'other.pl':
      ':- module(other, []).\n:- multifile open:hook/1.\nopen:hook(b).\nown(2).\n:- begin_tests(other).\ntest(a) :- own(2).\n:- end_tests(other).\n',
  });
  for (const file of ['whole.pl', 'open.pl', 'other.pl']) {
    const { data } = await imported(server, file);
    assert.deepEqual([file, data.errors], [file, []]);
  }
  const goals = {
    'whole(X)': ['X = a', 'X = b'],
    'part(X)': ['X = a', 'X = b'],
    'whole:step(X)': ['X = a', 'X = b'],
    'hook(X)': ['X = a', 'X = b'],
    'open:own(X)': ['X = 1'],
    run_tests: ['true'],
  };
  await agrees(server, goals);
  const book = await server.snapshot();
  for (let count = 0; count < 4; count++) await server.ok('workspace', { operation: 'undo' });
  for (let count = 0; count < 4; count++) await server.ok('workspace', { operation: 'redo' });
  assert.equal(await server.snapshot(), book);
  await agrees(server, goals);
});

test('retract and replace take a clause of a module as it appears in its file, or qualified', async (t) => {
  const server = await started(t);
  await server.import('one.pl', `${ONE}step(2).\nstep(3).\n`);
  await server.ok('clauses', {
    operation: 'replace',
    old: 'step(2).',
    clauses: ['step(4).', 'step(X) :- five(X).', 'five(5).'],
  });
  assert.deepEqual(await server.solve('one(X)'), ['X = 1', 'X = 4', 'X = 5', 'X = 3']);
  await server.ok('clauses', { operation: 'retract', clauses: ['step(1).', 'one:step(4).'] });
  assert.deepEqual(await server.solve('one(X)'), ['X = 5', 'X = 3']);
  await server.ok('clauses', { operation: 'replace', old: 'one:step(3).', clauses: ['step(6).'] });
  assert.deepEqual(await server.solve('one(X)'), ['X = 5', 'X = 6']);
  const book = await server.snapshot();
  for (let count = 0; count < 3; count++) await server.ok('workspace', { operation: 'undo' });
  assert.deepEqual(await server.solve('one(X)'), ['X = 1', 'X = 2', 'X = 3']);
  for (let count = 0; count < 3; count++) await server.ok('workspace', { operation: 'redo' });
  assert.equal(await server.snapshot(), book);
  assert.deepEqual(await server.solve('one(X)'), ['X = 5', 'X = 6']);
});

test('saving a file with other exports is one revision, and calls then mean what it now says', async () => {
  const { hornbook, close } = await openHornbook({}, () => {});
  const solved = async (goal) => {
    const { answers, failure } = await hornbook.queryStart(goal, [], 10, null, hornbook.cancellation());
    return failure ? failure.kind : answers.map(({ bindings }) => bindings.map(([, text]) => text).join());
  };
  try {
    await saved(hornbook, 'one.pl', ONE);
    await saved(
      hornbook,
      'two.pl',
      ':- module(two, [two/1]).\ntwo(X) :- one:step(X).\nsame(X) :- step(X).\nstep(2).\n',
    );
    assert.deepEqual((await saved(hornbook, 'one.pl', `${ONE}step(11).\n`)).errors, []);
    assert.deepEqual([await solved('two(X)'), await solved('step(X)')], [['1', '11'], 'existence_error']);
    const exported = ONE.replace('[one/1]', '[one/1, step/1]');
    assert.deepEqual((await saved(hornbook, 'one.pl', exported)).errors, []);
    assert.deepEqual([await solved('two(X)'), await solved('step(X)')], [['1'], ['1']]);
    await hornbook.undo(1);
    assert.deepEqual([await solved('two(X)'), await solved('step(X)')], [['1', '11'], 'existence_error']);
    await hornbook.redo(1);
    assert.deepEqual([await solved('one(X)'), await solved('step(X)')], [['1'], ['1']]);
    const append = ':- module(one, [one/1]).\none(X) :- append(X, [], [a]).\n';
    await saved(hornbook, 'one.pl', `${append}append(none, _, _).\n`);
    assert.deepEqual(await solved('one(X)'), ['none']);
    await saved(hornbook, 'one.pl', append);
    assert.deepEqual(await solved('one(X)'), ['[a]']);
  } finally {
    await close();
  }
});

test('an older book, whose modules shared their names, opens with the names that its text gives', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-modules-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'old.book');
  const text = `${ONE}user(X) :- step(X).\n`;
  const end = (part) => text.indexOf(part) + part.length;
  const first = {
    revision: {
      number: 1,
      operation: { import: 'one.pl' },
      at_ms: 1,
      sources: [
        { number: 1, origin: { file: 'one.pl' }, added_ms: 1, text, tail: end('user(X) :- step(X).'), restores: [] },
      ],
      removed: [],
      added: [
        ['d', 1, 1, 0, end('[one/1]).'), 'module', 2],
        ['r', 2, 1, end('[one/1]).'), end('one(X) :- step(X).'), 'one', 1],
        ['f', 3, 1, end('one(X) :- step(X).'), end('step(1).'), 'step', 1],
        ['r', 4, 1, end('step(1).'), end('user(X) :- step(X).'), 'user', 1],
      ],
      known: [
        ['one', 1, 'no', 'written'],
        ['step', 1, 'no', 'written'],
        ['user', 1, 'no', 'written'],
      ],
    },
  };
  const json = JSON.stringify(first);
  writeFileSync(path, `hornbook 4\n${crc32(json).toString(16).padStart(8, '0')} ${json}\n`);
  const server = await Server.start({ args: ['--book', path] });
  t.after(() => server.close());
  await agrees(server, { 'one(X)': ['X = 1'], 'one:user(X)': ['X = 1'] });
  const { data } = await server.call('query_start', { query: 'step(X)', take: 1 });
  assert.equal(data.error.kind, 'existence_error');
  assert.equal(await server.snapshot(), text);
  await server.assert('step(flat).');
  await agrees(server, { 'one(X)': ['X = 1'], 'step(X)': ['X = flat'] });
  await server.ok('workspace', { operation: 'undo' });
  await server.ok('workspace', { operation: 'undo' });
  assert.equal((await server.snapshot()).trim(), '');
  await server.ok('workspace', { operation: 'redo' });
  await agrees(server, { 'one(X)': ['X = 1'], 'one:step(X)': ['X = 1'] });
});

const WHOLE = ':- module(whole, [whole/1, part/1]).\n:- include(part).\nwhole(X) :- step(X).\n';
const PART = 'step(a).\nstep(b).\npart(X) :- step(X).\n';
const OTHER = 'step(other).\nother(X) :- step(X).\n';
const APART = { 'whole(X)': ['X = a', 'X = b'], 'part(X)': ['X = a', 'X = b'], 'other(X)': ['X = other'] };
const NOW = 'part.pl now belongs to module whole, which loads it.';

test('a part that is imported as text belongs to the module that loads it, whichever comes first', async (t) => {
  const server = await started(t);
  const files = { 'part.pl': PART, 'whole.pl': WHOLE, 'other.pl': OTHER };
  const orders = [
    ['part.pl', 'other.pl', 'whole.pl'],
    ['other.pl', 'part.pl', 'whole.pl'],
    ['whole.pl', 'other.pl', 'part.pl'],
  ];
  for (const order of orders) {
    const notices = [];
    for (const file of order) {
      const { data } = await imported(server, file, files[file]);
      const isLacking = order[0] === file && file === 'whole.pl';
      if (!isLacking) assert.deepEqual([file, data.errors, data.warnings ?? []], [file, [], []]);
      notices.push(...(data.notices ?? []));
    }
    assert.deepEqual(notices, [NOW], order.join());
    await agrees(server, APART);
    const book = await server.snapshot();
    const operations = order[0] === 'whole.pl' ? 3 : 4;
    for (let count = 0; count < operations; count++) await server.ok('workspace', { operation: 'undo' });
    assert.equal((await server.snapshot()).trim(), '');
    for (let count = 0; count < operations; count++) await server.ok('workspace', { operation: 'redo' });
    assert.equal(await server.snapshot(), book);
    await agrees(server, APART);
    await server.reset();
  }
});

test('an imported part gets no warning about predicates that its module defines', async (t) => {
  const server = await started(t);
  await server.import('whole.pl', `${WHOLE}inner(c).\nstep(z).\n`);
  const { data } = await imported(server, 'part.pl', 'part(X) :- inner(X).\npart(X) :- none(X).\n');
  assert.deepEqual(data.warnings, ['Not defined: none/1.']);
  await agrees(server, { 'catch(part(X), _, fail)': ['X = c'] });
});

test('a new process has parts in the module they came to belong to', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-modules-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const args = ['--book', join(folder, 'parts.book')];
  const first = await Server.start({ args });
  t.after(() => first.close().catch(() => undefined));
  for (const [file, text] of Object.entries({ 'part.pl': PART, 'other.pl': OTHER, 'whole.pl': WHOLE })) {
    await first.import(file, text);
  }
  const book = await first.snapshot();
  await first.close();
  const second = await Server.start({ args });
  t.after(() => second.close());
  assert.equal(await second.snapshot(), book);
  await agrees(second, APART);
  await second.ok('workspace', { operation: 'undo' });
  await second.ok('workspace', { operation: 'undo' });
  await agrees(second, { 'step(X)': ['X = a', 'X = b', 'X = other'] });
});

test('a saved part belongs to the module that loads it, and follows its header', async () => {
  const { hornbook, close } = await openHornbook({}, () => {});
  const solved = async (goal) => {
    const { answers, failure } = await hornbook.queryStart(goal, [], 10, null, hornbook.cancellation());
    return failure ? failure.kind : answers.map(({ bindings }) => bindings.map(([, text]) => text).join());
  };
  const told = ({ errors, notices }) => ({ errors, notices });
  const well = (...notices) => ({ errors: [], notices });
  try {
    await saved(hornbook, 'other.pl', OTHER);
    assert.deepEqual(told(await saved(hornbook, 'part.pl', PART)), well());
    assert.deepEqual(await solved('step(X)'), ['other', 'a', 'b']);
    assert.deepEqual(told(await saved(hornbook, 'whole.pl', WHOLE)), well(NOW));
    const apart = async () => {
      assert.deepEqual(await solved('whole(X)'), ['a', 'b']);
      assert.deepEqual(await solved('part(X)'), ['a', 'b']);
      assert.deepEqual(await solved('other(X)'), ['other']);
      assert.deepEqual(await solved('step(X)'), ['other']);
    };
    await apart();
    await hornbook.undo(2);
    assert.deepEqual(await solved('step(X)'), ['other', 'a', 'b']);
    await hornbook.redo(2);
    await apart();
    // Saving it again changes nothing.
    assert.deepEqual(told(await saved(hornbook, 'part.pl', `${PART}step(c).\n`)), well());
    assert.deepEqual(await solved('part(X)'), ['a', 'b', 'c']);
    assert.deepEqual(await solved('other(X)'), ['other']);
    // Other exports, or another module, change the names of what it defines.
    assert.deepEqual(told(await saved(hornbook, 'whole.pl', WHOLE.replace(', part/1', ''))), well(NOW));
    assert.deepEqual(await solved('part(X)'), 'existence_error');
    assert.deepEqual(await solved('whole:part(X)'), ['a', 'b', 'c']);
    const renamed = WHOLE.replace('module(whole', 'module(all');
    assert.deepEqual(told(await saved(hornbook, 'whole.pl', renamed)), well(NOW.replace('module whole', 'module all')));
    assert.deepEqual(await solved('all:step(X)'), ['a', 'b', 'c']);
    assert.deepEqual(await solved('part(X)'), ['a', 'b', 'c']);
    assert.deepEqual(await solved('other(X)'), ['other']);
    await hornbook.undo(4);
    await hornbook.undo(1);
    await apart();
    await hornbook.redo(5);
    assert.deepEqual(await solved('all:step(X)'), ['a', 'b', 'c']);
  } finally {
    await close();
  }
});

test('if two modules load the same part, the first in the book gets it, and that is reported both times', async () => {
  const { hornbook, close } = await openHornbook({}, () => {});
  const solved = async (goal) => {
    const { answers, failure } = await hornbook.queryStart(goal, [], 10, null, hornbook.cancellation());
    return failure ? failure.kind : answers.map(({ bindings }) => bindings.map(([, text]) => text).join());
  };
  try {
    await saved(hornbook, 'whole.pl', WHOLE);
    await saved(hornbook, 'part.pl', PART);
    const second = ':- module(second, [second/1]).\n:- include(part).\nsecond(X) :- whole:step(X).\n';
    const told = 'part.pl belongs to module whole, which also loads it, not to second.';
    assert.deepEqual((await saved(hornbook, 'second.pl', second)).notices, [told]);
    assert.deepEqual((await saved(hornbook, 'part.pl', 'step(b).\npart(X) :- step(X).\n')).notices, [told]);
    assert.deepEqual(await solved('second(X)'), ['b']);
    assert.deepEqual(await solved('part(X)'), ['b']);
    await saved(hornbook, 'whole.pl', WHOLE.replace(':- include(part).\n', ''));
    assert.deepEqual((await saved(hornbook, 'part.pl', PART)).notices, [NOW.replace('module whole', 'module second')]);
    assert.deepEqual(await solved('second:step(X)'), ['a', 'b']);
  } finally {
    await close();
  }
});

test('two processes with two engines each keep the modules of one book apart', async (t) => {
  const book = join(directory(), 'shared.book');
  const args = ['--book', book, '--engines', '2'];
  const [one, other] = [await Server.start({ args }), await Server.start({ args })];
  t.after(() => Promise.all([one.close(), other.close()]));
  await one.import(
    'one.pl',
    ':- module(one, [one/1]).\n:- dynamic at/1.\none(X) :- step(X).\nstep(1).\nput(X) :- assertz(at(X)).\n',
  );
  await other.import('two.pl', ':- module(two, [two/1]).\ntwo(X) :- step(X).\nstep(2).\n');
  await one.solve('one:put(7)');
  for (const server of [one, other]) {
    assert.deepEqual(await server.solve('one(X), two(Y)'), ['X = 1, Y = 2']);
    assert.deepEqual(await server.solve('one:at(X)'), ['X = 7']);
    const { text } = await server.call('query_start', { query: 'step(X)', take: 1 });
    assert.match(text, /step\/1 belongs to the module one \(one\.pl\), which does not export it/);
  }
  // The first engine is busy, and the one beside it has the modules too.
  const long = one.call('query_start', { query: 'repeat, fail', take: 1, timeout_ms: 3_000 });
  assert.deepEqual(await one.solve('two(X), one:at(Y)'), ['X = 2, Y = 7']);
  assert.match((await long).text, /time/i);
});

test('modules that load each other can call each other’s private predicates', async (t) => {
  const files = {
    'a.pl': ':- module(a, [a/1]).\n:- use_module(b).\na(X) :- b(X).\nown(1).\nown(2).\n',
    'b.pl': ':- module(b, [b/1]).\n:- use_module(a).\nb(X) :- a:own(X).\n',
  };
  const server = await started(t, files);
  const { data } = await imported(server, 'a.pl');
  assert.deepEqual([data.status, data.errors], ['success', []]);
  await agrees(server, { 'a(X)': ['X = 1', 'X = 2'] });
});

test('a module that no file declares can be named, and keeps what is put into it', async (t) => {
  const server = await started(t);
  await server.assert(['note(X) :- assertz(notes:seen(X)).', 'seen(flat).']);
  const { text } = await server.call('query_start', { query: 'notes:nothing(X)', take: 1 });
  assert.match(text, /Unknown procedure: nothing\/1/);
  await agrees(server, {
    'other:seen(X)': ['X = flat'],
    'other:last([a], X)': ['X = a'],
    'catch(other:shell(ls), error(permission_error(A, B, _), _), true)': ['A = call, B = sandboxed'],
  });
  await server.assert(['notes:seen(0).', 'notes:last(_, none).', 'of(N) :- notes:last([], N).']);
  await server.solve('note(1)');
  const goals = { 'notes:seen(X)': ['X = 0', 'X = 1'], 'seen(X)': ['X = flat'], 'of(N)': ['N = none'] };
  await agrees(server, goals);
  const book = await server.snapshot();
  await server.reset();
  await server.import('whole.pl', book);
  await agrees(server, goals);
  assert.deepEqual(await server.solve('retract(notes:seen(0)), notes:seen(X)'), ['X = 1']);
});

const APPLYING = `:- module(applying, [each/2, twice/2]).
:- meta_predicate each(1, ?), twice(1, ?), inner(1, ?).
each(G, [X|Xs]) :- call(G, X), inner(G, Xs).
inner(_, []).
inner(G, [X|Xs]) :- each(G, [X|Xs]).
twice(G, X) :- findall(Y, call(G, Y), [X|_]).
step(private).
`;

test('a goal that text of no module passes to a module does not mean a private predicate of that module', async (t) => {
  const text = 'use(X) :- twice(step, X).\nall(L) :- each(step, L).\nstep(flat).\n';
  const server = await started(t, { 'applying.pl': APPLYING, 'user.pl': `:- use_module(applying).\n${text}` });
  await imported(server, 'user.pl');
  const goals = {
    'use(X)': ['X = flat'],
    'twice(step, X)': ['X = flat'],
    'G = step, twice(G, X)': ['G = step, X = flat'],
    'twice([X]>>step(X), X)': ['X = flat'],
    'all([X,Y])': ['X = flat, Y = flat'],
    'applying:step(X)': ['X = private'],
    'twice(applying:step, X)': ['X = private'],
    'clause(use(X), B)': ['B = twice(step,X)'],
  };
  await agrees(server, goals);
});

test('a goal that a recursion passes on within its module keeps its single context', async (t) => {
  const text = 'ok(X) :- X > 0.\nall(N) :- numlist(1, N, L), each(ok, L).\nshown(G) :- given(2, ok, G).\n';
  const module = `:- module(applying, [each/2, given/3, twice/2]).
:- meta_predicate each(1, ?), given(?, 1, ?).
each(_, []).
each(G, [X|Xs]) :- call(G, X), each(G, Xs).
given(0, G, G) :- !.
given(N, G, H) :- N1 is N-1, given(N1, G, H).
twice(G, X) :- given(1, own, G), call(G, X).
own(1).
`;
  const server = await started(t, { 'applying.pl': module, 'user.pl': `:- use_module(applying).\n${text}` });
  await imported(server, 'user.pl');
  await agrees(server, {
    'shown(G)': ['G = user:ok'],
    'Goal = given(1, ok, G), Goal': ['Goal = given(1,ok,user:ok), G = user:ok'],
    'twice(G, X)': ['G = applying:own, X = 1'],
  });
  const { answers } = (await server.ok('query_start', { query: 'all(20000)', take: 1, timeout_ms: 10_000 })).data;
  assert.equal(answers.length, 1);
});

test('a predicate that is declared multifile but has no clauses fails', async (t) => {
  const server = await started(t);
  const hooked = ':- module(hooked, [a/1]).\n:- multifile hook/1, user:other/1, prolog:message//1.\na(X) :- hook(X).\n';
  const { data } = await imported(server, 'hooked.pl', hooked);
  assert.deepEqual(data.errors, []);
  await server.import('flat.pl', ':- multifile bare/1.\nb(X) :- bare(X).\n');
  await agrees(server, { 'a(X)': [], 'hook(X)': [], 'other(X)': [], 'b(X)': [] });
  await server.assert(['hook(1).', 'bare(2).']);
  await agrees(server, { 'a(X)': ['X = 1'], 'b(X)': ['X = 2'] });
  await server.reset();
  const fault = await server.call('query_start', { query: 'hook(X)', take: 1 });
  assert.equal(fault.data.error.kind, 'existence_error');
});

test('an export that is undone leaves nothing of the name, whichever clause comes first', async (t) => {
  const server = await started(t);
  await server.import('three0.pl', ':- module(three, []).\nthree:c(8).\nc(9).\n');
  await server.import('three1.pl', ':- module(three, [c/1]).\nb(3).\n');
  await agrees(server, { 'c(X)': ['X = 8', 'X = 9'] });
  await server.ok('workspace', { operation: 'undo' });
  await server.fails('query_start', { query: 'c(X)', take: 1 }, 'existence_error');
  await agrees(server, { 'three:c(X)': ['X = 8', 'X = 9'] });
});

test('a clause that names a module is private to it again when the export that it joined is undone', async (t) => {
  const server = await started(t);
  await server.import('three0.pl', ':- module(three, []).\nthree:a(2).\nb(X) :- a(X).\n');
  await server.import('flat.pl', ':- dynamic three:a/1.\nc(1).\n');
  await server.import('three1.pl', ':- module(three, [a/1]).\nd.\n');
  await agrees(server, { 'a(X)': ['X = 2'] });
  await server.ok('workspace', { operation: 'undo' });
  await server.fails('query_start', { query: 'a(X)', take: 1 }, 'existence_error');
  await agrees(server, { 'three:a(X)': ['X = 2'], 'three:b(X)': ['X = 2'] });
});

test('what a private predicate took over comes back when it goes: by undo, by reload, by unimport', async (t) => {
  const server = await started(t);
  await server.import('one.pl', ':- module(one, [app/2]).\napp(1, 2).\n');
  await server.import('flat.pl', 'u(1).\n');
  await server.import('more.pl', 'one:u(2).\n');
  const apart = (own) => ({ 'u(X)': ['X = 1'], 'one:u(X)': ['X = 2', `X = ${own}`] });
  const together = { 'u(X)': ['X = 1', 'X = 2'] };
  await agrees(server, together);
  await server.ok('clauses', { operation: 'assert', clauses: ['one:(u(X) :- X = 3).'] });
  await agrees(server, apart(3));
  await server.ok('workspace', { operation: 'undo' });
  await agrees(server, together);
  await server.ok('workspace', { operation: 'redo' });
  await agrees(server, apart(3));
  await server.ok('workspace', { operation: 'undo' });
  const last = (operation, text) => server.ok('files', { operation, filename: 'last.pl', text });
  await last('import', 'one:(u(X) :- X = 4).\n');
  await agrees(server, apart(4));
  await last('reload', 'filler.\n');
  await agrees(server, together);
  await last('reload', 'one:(u(X) :- X = 5).\n');
  await agrees(server, apart(5));
  await last('unimport');
  await agrees(server, together);
});
