// How long nodes may take, which of their errors are retried, and what their programs tell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeepClause } from '../../pkg/dml.js';
import { Workflow } from '../../pkg/workflow.js';

async function eventsOf(yaml, options = {}, state = {}) {
  const workflow = await Workflow.load(yaml, options);
  const events = [];
  for await (const event of workflow.run(state)) events.push(event);
  workflow.close();
  return events;
}

test('a node has its own time: Prolog, an action, and several steps together', async () => {
  const aborted = [];
  const hang = (_, { signal }) =>
    new Promise((resolve) => {
      const stopped = () => {
        aborted.push(signal.aborted);
        resolve();
      };
      signal.addEventListener('abort', stopped);
    });
  const node = (rest) => `language: prolog\nnodes:\n- { name: a, timeout: 0.3, ${rest} }\n`;
  for (const rest of ['run: "repeat, fail."', 'uses: hang', 'steps: [{ uses: hang }]']) {
    const { type, kind, error } = (await eventsOf(node(rest), { actions: { hang } })).at(-1);
    assert.deepEqual([type, kind], ['error', 'timeout'], rest);
    assert.match(error, /0\.3 s/);
  }
  assert.deepEqual(aborted, [true, true]);
  // It may also be longer than that of the workflow.
  const long =
    'config: { prolog_timeout: 0.2 }\nnodes:\n- { name: a, timeout: 20, language: prolog, run: "sleep(0.5), return(x, 1)." }\n';
  assert.deepEqual((await eventsOf(long)).at(-1), { type: 'final', state: { x: 1 } });
});

test('only the errors of the named kinds are retried', async () => {
  let calls = 0;
  const fails = () => {
    calls += 1;
    throw new Error('no');
  };
  const yaml = (kinds) =>
    `nodes:\n- { name: a, uses: fails, on_error: { mode: retry, base_delay: 0, retry_on: [${kinds}], fallback: b } }\n- { name: b }\n`;
  assert.equal((await eventsOf(yaml('timeout'), { actions: { fails } })).at(-1).type, 'final');
  assert.equal(calls, 1);
  await eventsOf(yaml('timeout, action'), { actions: { fails } });
  assert.equal(calls, 1 + 4);
});

test('a loop says that it ended by max_iterations', async () => {
  const yaml = `
language: prolog
nodes:
- { name: w, type: while_loop, condition: "state.n < 5", max_iterations: 2, output: how, body: [{ run: "state(n, N), M is N + 1, return(n, M)." }] }
`;
  const events = await eventsOf(yaml, {}, { n: 0 });
  assert.equal(events.at(-2).ended_by, 'max_iterations');
  assert.deepEqual(events.at(-1).state, { n: 2, how: 'max_iterations' });
});

test('the events of a program are events of the run, also in a branch', async () => {
  const dml = await createDeepClause();
  const yaml = `
nodes:
- { name: s }
- { name: p, type: dml, run: 'agent_main :- output("looks"), log("deep"), answer(1).', output: x }
- { name: q, language: prolog, run: "return(y, 2)." }
- { name: join }
edges:
- { from: s, to: p, type: parallel, fan_in: join }
- { from: s, to: q, type: parallel, fan_in: join }
`;
  const events = await eventsOf(yaml, { dml });
  const told = events.filter(({ type }) => type === 'node_event');
  assert.deepEqual(told, [
    { type: 'node_event', node: 'p', branch: 'p', event: { type: 'output', content: 'looks' } },
    { type: 'node_event', node: 'p', branch: 'p', event: { type: 'log', content: 'deep' } },
  ]);
  dml.close();
});
