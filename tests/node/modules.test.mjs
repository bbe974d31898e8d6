// Modules share their names: what two files define is told, and the second does not join the first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('facts that two modules declare, and clauses that are asserted, are told to be shared', async (t) => {
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
  const { data } = await server.assert(['step(4).', 'one(4).']);
  assert.deepEqual(data.warnings, [
    'step/1 is of the module one (one.pl), which does not export it: this is added to it. Take another name if it is not meant.',
  ]);
});
