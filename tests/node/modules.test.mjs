// Modules: each has private predicates of its own, whatever they are called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHornbook } from '../../pkg/node.js';
import { Server } from './harness.mjs';

const ONE = ':- module(one, [one/1]).\none(X) :- step(X).\nstep(1).\n';
const TWO = ':- module(two, [two/1]).\n:- dynamic seen/1.\ntwo(X) :- step(X).\nstep(2).\nstep(22).\n';

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

test('two modules with a private predicate of one name each have their own', async (t) => {
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
  assert.match(fault.text, /step\/1 is of the module one \(one\.pl\), which does not export it: call it as one:step/);
  const book = await server.snapshot();
  await server.ok('workspace', { operation: 'undo' });
  assert.doesNotMatch(await server.snapshot(), /two/);
  await agrees(server, { 'one(X)': ['X = 1'] });
  await server.ok('workspace', { operation: 'redo' });
  assert.equal(await server.snapshot(), book);
  await agrees(server, goals);
  await server.ok('files', { operation: 'unimport', filename: 'one.pl' });
  await agrees(server, { 'two(X)': ['X = 2', 'X = 22'] });
  // A snapshot makes the same book.
  await server.reset();
  await server.import('whole.pl', book);
  assert.equal(await server.snapshot(), book);
  await agrees(server, goals);
});
