// A book that has lost facts here and there: a new engine holds all that is left, each with its own id.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Process } from '../support/process.mjs';

const COUNT = 60_000;

let server;
before(() => (server = new Process({})));
after(() => server.end());

const call = (name, values) => server.call(0, name, values);

test('of 60,000 facts every other one was retracted, and a new engine has the others', async () => {
  const text = Array.from({ length: COUNT }, (_, n) => `p("item ${n}", ${n}).`).join('\n');
  await call('files', { operation: 'import', filename: 'p.pl', text });
  const query = 'forall((p(_, N), N mod 2 =:= 1), retract(p(_, N)))';
  const { changes } = await call('query_start', { query, take: 1, timeout_ms: 120_000 });
  assert.deepEqual(changes, { added: 0, removed: COUNT / 2, undone: 0 });
  server.endEngines();
  const { answers, notices } = await call('query_start', { query: 'aggregate_all(count, p(_, _), Count)', take: 1 });
  assert.equal(answers[0].Count, String(COUNT / 2));
  assert.ok(!notices?.some((notice) => notice.includes('set aside')), String(notices));
  await call('query_start', { query: 'retract(p("item 40", _)), retract(p("item 59998", _))', take: 1 });
  assert.deepEqual(await server.differences(), []);
  server.endEngines();
  const left = await call('query_start', { query: 'aggregate_all(count, p(_, _), Count)', take: 1 });
  assert.equal(left.answers[0].Count, String(COUNT / 2 - 2));
});
