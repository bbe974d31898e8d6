// Modules share their names: what two files define is told, and the second does not join the first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHornbook } from '../../pkg/node.js';
import { Server } from './harness.mjs';

const RENAME = 'modules share their names here, so rename it in one of the two files.';

const ONE = ':- module(one, [one/1]).\none(X) :- step(X).\nstep(1).\n';
const TWO = ':- module(two, [two/1]).\n:- dynamic seen/1.\ntwo(X) :- step(X).\nstep(2).\nstep(22).\n';
const THREE = ':- module(three, [three/1]).\nthree(X) :- step(X).\n\n% The last.\nstep(3).\n';

async function started(t, files = {}) {
  const server = await Server.start({ files });
  t.after(() => server.close());
  return server;
}

const imported = (server, filename, text) =>
  server.call('files', { operation: 'import', filename, ...(text === undefined ? {} : { text }) });

test('three modules with a private predicate of one name: the first keeps it, the others are told', async (t) => {
  const server = await started(t);
  await server.import('one.pl', ONE);
  const two = await imported(server, 'two.pl', TWO);
  assert.deepEqual(two.data.errors, [
    `4:0: step/1 is defined by the module one (one.pl), too: its 2 clauses were left out; ${RENAME}`,
  ]);
  assert.equal(two.data.status, 'partial');
  assert.equal(two.data.clausesAdded, 1);
  assert.ok(two.text.includes(two.data.errors[0]), two.text);
  const three = await imported(server, 'three.pl', THREE);
  assert.deepEqual(three.data.errors, [
    `5:0: step/1 is defined by the module one (one.pl), too: its clause was left out; ${RENAME}`,
  ]);
  assert.deepEqual(await server.solve('step(X)'), ['X = 1']);
  assert.deepEqual(await server.solve('one(X)'), ['X = 1']);
  assert.doesNotMatch(await server.snapshot(), /step\([23]/);

  // As told: renamed, each has its own.
  await server.ok('files', { operation: 'unimport', filename: 'two.pl' });
  const renamed = await imported(server, 'two.pl', TWO.replaceAll('step', 'two_step'));
  assert.deepEqual([renamed.data.status, renamed.data.errors], ['success', []]);
  assert.deepEqual(await server.solve('two(X)'), ['X = 2', 'X = 22']);
  assert.deepEqual(await server.solve('one(X)'), ['X = 1']);
});

test('undo and redo of such an import, and a new engine, have the same book', async (t) => {
  const server = await started(t);
  await server.import('one.pl', ONE);
  await imported(server, 'two.pl', TWO);
  const book = await server.snapshot();
  await server.ok('workspace', { operation: 'undo' });
  assert.doesNotMatch(await server.snapshot(), /two/);
  await server.ok('workspace', { operation: 'redo' });
  assert.equal(await server.snapshot(), book);
  assert.deepEqual(await server.solve('two(X)'), ['X = 1']);
  await server.ok('files', { operation: 'unimport', filename: 'one.pl' });
  assert.deepEqual(await server.solve('two(X)'), []);
});

test('a module and a file without a header, in either order', async (t) => {
  const server = await started(t);
  await server.import('plain.pl', 'step(0).\nplain(X) :- step(X).\n');
  const one = await imported(server, 'one.pl', ONE);
  assert.match(one.data.errors[0], /^3:0: step\/1 is defined by plain\.pl, too: its clause was left out/);
  await server.reset();
  await server.import('one.pl', ONE);
  const plain = await imported(server, 'plain.pl', 'step(0).\nplain(X) :- step(X).\n');
  assert.match(plain.data.errors[0], /^1:0: step\/1 is defined by the module one \(one\.pl\), too/);
  assert.deepEqual(await server.solve('step(X)'), ['X = 1']);
});

test('what is loaded into a module, multifile or qualified, and tests are no second definition', async (t) => {
  const server = await started(t, {
    'whole.pl': ':- module(whole, [whole/1]).\n:- include(part).\nwhole(X) :- step(X).\nstep(b).\n',
    'part.pl': ':- discontiguous step/1.\nstep(a).\n',
    'open.pl':
      ':- module(open, []).\n:- multifile hook/1.\nhook(a).\n:- begin_tests(open).\ntest(a) :- hook(a).\n:- end_tests(open).\n',
    'other.pl':
      ':- module(other, []).\nopen:hook(b).\nhook(c).\n:- begin_tests(other).\ntest(b) :- hook(b).\n:- end_tests(other).\n',
    'plain.pl': 'one(1).\n',
    'more.pl': 'one(2).\n',
  });
  for (const file of ['whole.pl', 'open.pl', 'other.pl', 'plain.pl', 'more.pl']) {
    const { data } = await imported(server, file);
    assert.deepEqual([file, data.errors], [file, []]);
  }
  assert.deepEqual(await server.solve('whole(X)'), ['X = a', 'X = b']);
  assert.deepEqual(await server.solve('hook(X)'), ['X = a', 'X = b', 'X = c']);
  assert.deepEqual(await server.solve('one(X)'), ['X = 1', 'X = 2']);
});

test('facts that two modules declare, and clauses that were asserted before, are told to be shared', async (t) => {
  const server = await started(t);
  await server.assert('step(0).');
  const one = await imported(server, 'one.pl', `${ONE}:- dynamic seen/1, step/1.\n`);
  assert.deepEqual(one.data.warnings, [
    `step/1 has clauses that were asserted, too, and is one predicate with them: ${RENAME}`,
  ]);
  const two = await imported(server, 'two.pl', ':- module(two, []).\n:- dynamic seen/1.\ntwo.\n');
  assert.deepEqual(two.data.warnings, [
    `seen/1 is of the module one (one.pl), too, and is one predicate for both: ${RENAME}`,
  ]);
  assert.ok(two.text.includes(two.data.warnings[0]), two.text);
});

const REFUSED =
  'step/1 is of the module one (one.pl), which does not export it. To add to it write `one:` before the clause, else take another name.';

test('assert adds nothing to what a module keeps to itself, but where it names the module', async (t) => {
  const server = await started(t);
  await server.import('one.pl', ONE);
  const book = await server.snapshot();
  const refused = await server.call('clauses', { operation: 'assert', clauses: 'step(4).' });
  assert.deepEqual(
    refused.data.failures.map(({ clause, kind, message }) => [clause, kind, message]),
    [['step(4).', 'permission_error', REFUSED]],
  );
  assert.ok(refused.text.includes(REFUSED), refused.text);
  assert.equal(await server.snapshot(), book);

  // Its neighbours are added, in their order, and the same text may have several.
  const clauses = ['a(1). step(5). a(2).', 'a(3).', 'step(X) :- a(X).', 'one(0). one:step(6).'];
  const { data } = await server.call('clauses', { operation: 'assert', clauses });
  assert.deepEqual(
    data.failures.map(({ number, clause, message }) => [number, clause, message]),
    [
      [2, 'step(5).', REFUSED],
      [5, 'step(X) :- a(X).', REFUSED],
    ],
  );
  assert.deepEqual(await server.solve('a(X)'), ['X = 1', 'X = 2', 'X = 3']);
  assert.deepEqual(await server.solve('step(X)'), ['X = 1', 'X = 6']);
  assert.deepEqual(await server.solve('one(X)'), ['X = 1', 'X = 6', 'X = 0']);
  const whole = await server.snapshot();
  assert.doesNotMatch(whole, /step\(5\)|step\(X\) :- a/);
  await server.ok('workspace', { operation: 'undo' });
  assert.equal(await server.snapshot(), book);
  await server.ok('workspace', { operation: 'redo' });
  assert.equal(await server.snapshot(), whole);
});

test('replace puts clauses of what a module keeps to itself nowhere but in its file', async (t) => {
  const server = await started(t);
  await server.import('one.pl', ONE);
  await server.assert('loose(1).');
  const replace = (old, clauses) => server.call('clauses', { operation: 'replace', old, clauses });
  const book = await server.snapshot();
  const refused = await replace('loose(1).', 'step(9).');
  assert.ok(refused.isError, refused.text);
  assert.ok(refused.text.includes(`${REFUSED} Nothing was replaced.`), refused.text);
  assert.equal(await server.snapshot(), book);
  assert.deepEqual(await server.solve('one(X)'), ['X = 1']);
  const inFile = await replace('step(1).', ['step(7).', 'step(8).']);
  assert.ok(!inFile.isError, inFile.text);
  assert.deepEqual(await server.solve('one(X)'), ['X = 7', 'X = 8']);
  const named = await replace('loose(1).', 'one:step(9).');
  assert.ok(!named.isError, named.text);
  assert.deepEqual(await server.solve('one(X)'), ['X = 7', 'X = 8', 'X = 9']);
});

test('running code that adds to what a module keeps to itself is told, but for what is dynamic there', async (t) => {
  const server = await started(t);
  const counter =
    ':- module(counter, [count/1]).\n:- dynamic at/1.\nat(0).\ncount(N) :- retract(at(N0)), N is N0+1, assertz(at(N)).\n';
  await server.import('one.pl', ONE);
  await server.import('counter.pl', counter);
  const told =
    'step/1 is of the module one (one.pl), which does not export it: what was asserted is added to it. Take another name if it is not meant.';
  const query = await server.call('query_start', { query: 'assertz(step(2))', take: 1 });
  assert.deepEqual(query.data.notices, [told]);
  assert.ok(query.text.includes(told), query.text);
  const directive = await server.assert([':- assertz(step(3)).']);
  assert.deepEqual(directive.data.notices, [told]);
  for (const goal of [':- assertz(step(4)).', ':- initialization(assertz(step(5))).']) {
    const file = await imported(
      server,
      `${goal.length}.pl`,
      `other.\n${goal}\n`.replace('other', `other_${goal.length}`),
    );
    assert.deepEqual([file.data.errors, file.data.notices], [[], [told]], goal);
  }
  assert.deepEqual(await server.solve('one(X)'), ['X = 1', 'X = 2', 'X = 3', 'X = 4', 'X = 5']);
  const own = await server.call('query_start', { query: 'count(N), assertz(elsewhere(N))', take: 1 });
  assert.deepEqual([own.data.answers, own.data.notices ?? []], [[{ N: '1' }], []]);
});

test('a file that is saved anew is held apart from the others, and not from what it was', async () => {
  const { hornbook, close } = await openHornbook({}, () => {});
  try {
    assert.deepEqual((await hornbook.save('one.pl', ONE)).errors, []);
    assert.deepEqual((await hornbook.save('one.pl', `${ONE}step(11).\n`)).errors, []);
    const { errors } = await hornbook.save('two.pl', TWO);
    assert.deepEqual(errors, [
      `4:0: step/1 is defined by the module one (one.pl), too: its 2 clauses were left out; ${RENAME}`,
    ]);
    assert.match(await hornbook.source('one.pl'), /step\(11\)/);
  } finally {
    await close();
  }
});

test('what a program of DML asserts is told by the next reply', async (t) => {
  const server = await Server.start({ args: ['--tools', 'prolog,dml', '--dml-book', 'write'] });
  t.after(() => server.close());
  await server.import('one.pl', ONE);
  const run = await server.call('dml_run', { code: 'agent_main :- book:assertz(step(9)), answer(done).' });
  assert.equal(run.data.answer, 'done');
  const { data } = await server.assert('other(1).');
  assert.match(
    data.notices.join(),
    /^step\/1 is of the module one \(one\.pl\), which does not export it: what was asserted/,
  );
});
