// What LangGraph has, as workflows: an example for each row of the table in docs/workflow.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openHornbook } from '../../pkg/node.js';
import { Workflow } from '../../pkg/workflow.js';

let hornbook;
let close;
before(async () => ({ hornbook, close } = await openHornbook({}, () => {})));
after(() => close());

/** Runs a workflow to its end, or to where it waits: its events. */
async function eventsOf(yaml, state = {}, options = {}) {
  const workflow = await Workflow.load(yaml, options);
  const events = [];
  for await (const event of workflow.run(state, { run: 'r' })) events.push(event);
  workflow.close();
  return events;
}

async function endOf(yaml, state, options) {
  const { type, state: end, error } = (await eventsOf(yaml, state, options)).at(-1);
  assert.equal(type, 'final', error);
  return end;
}

const ROWS = {
  'StateGraph, node': async () => {
    const yaml = `
nodes:
- { name: double, language: prolog, run: "state(n, N), M is 2 * N, return(n, M)." }
- { name: tell, uses: notify, with: { n: "{{ state.n }}" }, output: told }
`;
    const actions = { notify: ({ n }) => `told ${n}` };
    assert.deepEqual(await endOf(yaml, { n: 21 }, { actions }), { n: 42, told: 'told 42' });
  },
  edge: async () => {
    const yaml = `
language: prolog
nodes:
- { name: last, run: "state(x, X), Y is X + 1, return(x, Y)." }
- { name: first, run: "return(x, 1)." }
edges:
- { from: __start__, to: first }
- { from: first, to: last }
- { from: last, to: __end__ }
`;
    assert.deepEqual(await endOf(yaml), { x: 2 });
  },
  'conditional edge': async () => {
    const yaml = `
language: prolog
nodes:
- name: decide
  goto:
  - { if: "state.score > 0.8", to: fast }
  - { if: { type: prolog, code: "state(score, S), S > 0.5" }, to: slow }
  - { to: __end__ }
- { name: fast, run: "return(way, fast).", goto: __end__ }
- { name: slow, run: "return(way, slow)." }
`;
    for (const [score, way] of [
      [0.9, 'fast'],
      [0.6, 'slow'],
      [0.1, undefined],
    ])
      assert.equal((await endOf(yaml, { score })).way, way);
  },
  'reducer, Annotation': async () => {
    const yaml = `
language: prolog
state_schema:
  notes: { type: list, reduce: append }
  route: { type: any, reduce: { type: prolog, code: "[Old, New, R]>>(New == stop -> R = stop ; R = Old)" } }
nodes:
- { name: s }
- { name: a, steps: [{ run: "return(notes, [a, b])." }, { run: "return(notes, c)." }] }
- { name: b, run: "return(notes, d), return(route, stop)." }
- { name: join, run: "return(notes, e), return(route, go)." }
edges:
- { from: s, to: a, type: parallel, fan_in: join }
- { from: s, to: b, type: parallel, fan_in: join }
`;
    const end = await endOf(yaml, { route: 'go', notes: ['z'] });
    assert.deepEqual(end, { route: 'stop', notes: ['z', 'a', 'b', 'c', 'd', 'e'] });
  },
  subgraph: async () => {
    const yaml = `
nodes:
- name: sub
  type: workflow
  uses: sub.yaml
  with: { n: "{{ state.n }}" }
  output: { twice: "{{ result.m }}" }
`;
    const files = {
      'sub.yaml': 'nodes: [{ name: m, language: prolog, run: "state(n, N), M is 2 * N, return(m, M)." }]',
    };
    const events = await eventsOf(yaml, { n: 4 }, { files });
    assert.deepEqual(events.at(-1).state, { n: 4, twice: 8 });
    assert.ok(events.some(({ type, node }) => type === 'node_end' && node === 'sub/m'));
  },
  'interrupt_before, interrupt_after': async () => {
    const yaml = `
language: prolog
nodes:
- { name: draft, run: "return(text, hello)." }
- { name: send, interrupt: before, run: "state(approved, true), return(sent, yes)." }
`;
    const workflow = await Workflow.load(yaml);
    let waits;
    for await (const event of workflow.run()) waits = event;
    assert.deepEqual([waits.type, waits.node], ['interrupt', 'send']);
    let end;
    for await (const event of workflow.resume(waits.checkpoint, { approved: true })) end = event;
    assert.deepEqual(end.state, { text: 'hello', approved: true, sent: 'yes' });
    workflow.close();
  },
  'interrupt()': async () => {
    const yaml = 'nodes: [{ name: ask, language: prolog, run: "interrupt(\'sure?\', A), return(said, A)." }]';
    const workflow = await Workflow.load(yaml);
    let waits;
    for await (const event of workflow.run()) waits = event;
    assert.deepEqual([waits.type, waits.question, waits.id], ['interrupt', 'sure?', 'ask:1']);
    let end;
    for await (const event of workflow.resume(waits.checkpoint, { answer: 'yes' })) end = event;
    assert.deepEqual(end.state, { said: 'yes' });
    workflow.close();
  },
  'several interrupts': async () => {
    const yaml = `
language: prolog
nodes:
- { name: s }
- { name: a, interrupt: before, run: "state(ok, X), return(a, X)." }
- { name: b, interrupt: before, run: "state(ok, X), return(b, X)." }
- { name: join, run: "state(parallel_results, [A,B]), return(all, [A.state.a, B.state.b])." }
edges:
- { from: s, to: a, type: parallel, fan_in: join }
- { from: s, to: b, type: parallel, fan_in: join }
`;
    const workflow = await Workflow.load(yaml);
    let event;
    for await (event of workflow.run());
    assert.deepEqual(
      event.interrupts.map(({ id }) => id),
      ['s[0]/a:before', 's[1]/b:before'],
    );
    for await (event of workflow.resume(event.checkpoint, { ok: 2 }, { interrupt: 's[1]/b:before' }));
    for await (event of workflow.resume(event.checkpoint, { ok: 1 }));
    assert.deepEqual(event.state.all, [1, 2]);
    workflow.close();
  },
  Command: async () => {
    const yaml = `
language: prolog
nodes:
- { name: ask, run: "return(seen, yes), return(next, b).", goto: [{ if: "result.next == 'b'", to: b }, { to: a }] }
- { name: a, run: "return(at, a).", goto: __end__ }
- { name: b, run: "return(at, b)." }
`;
    assert.deepEqual(await endOf(yaml), { seen: 'yes', next: 'b', at: 'b' });
  },
  checkpointer: async () => {
    const yaml =
      'language: prolog\nnodes:\n- { name: a, run: "return(x, 1).", interrupt: after }\n- { name: b, run: "return(y, 2)." }\n';
    const first = await Workflow.load(yaml, { book: hornbook });
    for await (const _ of first.run({}, { run: 'kept' }));
    first.close();
    assert.equal(hornbook.runs().list()[0].status, 'waiting');
    const second = await Workflow.load(hornbook.runs().text('kept'), { book: hornbook });
    let end;
    for await (const event of second.resume('kept')) end = event;
    assert.deepEqual(end.state, { x: 1, y: 2 });
    second.close();
  },
  'time travel': async () => {
    const yaml =
      'language: prolog\nnodes:\n- { name: a, run: "return(x, 1)." }\n- { name: b, run: "state(x, X), Y is X + 1, return(y, Y)." }\n';
    const workflow = await Workflow.load(yaml, { book: hornbook });
    for await (const _ of workflow.run({}, { run: 'past' }));
    const runs = hornbook.runs();
    const { number } = runs.checkpoints('past').find(({ node }) => node === 'a');
    assert.deepEqual(runs.state('past', number), { x: 1 });
    await runs.fork('past', number, 'other');
    let end;
    for await (const event of workflow.resume('other', { x: 10 })) end = event;
    assert.deepEqual(end.state, { x: 10, y: 11 });
    workflow.close();
  },
  'Send, map-reduce': async () => {
    const yaml = `
language: prolog
state_schema: { words: { type: list, reduce: append }, length: { type: int, reduce: sum } }
nodes:
- name: each
  type: dynamic_parallel
  items: state.subjects
  item_var: subject
  fan_in: end
  steps: [{ run: "state(subject, S), atom_length(S, N), upcase_atom(S, U), return(words, U), return(length, N)." }]
- { name: end }
`;
    const { words, length } = await endOf(yaml, { subjects: ['cat', 'bird'] });
    assert.deepEqual([words, length], [['CAT', 'BIRD'], 7]);
  },
  'retry policy, timeout': async () => {
    const yaml = `
nodes:
- { name: a, uses: call, timeout: 5, on_error: { mode: retry, max_retries: 2, base_delay: 0, retry_on: [action, timeout] } }
`;
    let calls = 0;
    const call = () => {
      calls += 1;
      if (calls < 3) throw new Error('busy');
      return { ok: true };
    };
    assert.deepEqual(await endOf(yaml, {}, { actions: { call } }), { ok: true });
  },
  'timers, cron jobs': async () => {
    const yaml = 'name: timer\nnodes: [{ name: a, wait: 0.2, language: prolog, run: "return(x, 1)." }]';
    const workflow = await Workflow.load(yaml, { book: hornbook });
    let waits;
    for await (const event of workflow.run({}, { run: 'timer' })) waits = event;
    assert.deepEqual([waits.type, waits.when], ['interrupt', 'time']);
    let end;
    for await (const event of workflow.follow()) {
      end = event;
      if (event.type === 'final') break;
    }
    assert.deepEqual([end.run, end.state], ['timer', { x: 1 }]);
    workflow.close();
    const cron = await Workflow.load('on: { cron: "0 9 * * 1-5" }\nnodes: [{ name: a }]');
    cron.close();
    await assert.rejects(Workflow.load('on: { cron: "0 9 * *" }\nnodes: [{ name: a }]'), /is not a cron expression/);
  },
  'events from outside': async () => {
    const yaml = 'nodes: [{ name: a, wait: { signal: paid, timeout: 1h, output: sum } }]';
    const workflow = await Workflow.load(yaml, { book: hornbook });
    for await (const _ of workflow.run({}, { run: 'paid' }));
    await workflow.signal('paid', 'paid', 40);
    let end;
    for await (const event of workflow.resume('paid')) end = event;
    assert.deepEqual(end.state, { sum: 40 });
    workflow.close();
  },
  'list, cancel and delete threads': async () => {
    const workflow = await Workflow.load('nodes: [{ name: a, interrupt: before }]', { book: hornbook });
    for await (const _ of workflow.run({}, { run: 'old' }));
    const runs = hornbook.runs();
    assert.ok(runs.list('waiting').some(({ run }) => run === 'old'));
    assert.throws(() => runs.list('late'), /'late' is not a run status/);
    await runs.cancel('old');
    assert.equal(runs.list('cancelled')[0].run, 'old');
    await assert.rejects(workflow.resume('old').next(), /was cancelled/);
    assert.equal(await runs.forgetBefore(0), 0);
    assert.ok((await runs.forgetBefore(Date.now() + 1)) >= 1);
    assert.deepEqual(runs.list('cancelled'), []);
    workflow.close();
  },
  'recursion limit': async () => {
    const yaml = `
nodes:
- name: again
  type: while_loop
  condition: "true"
  max_iterations: 3
  output: how
  body: [{ language: prolog, run: "true." }]
`;
    const events = await eventsOf(yaml);
    assert.equal(events.find(({ type }) => type === 'node_end').ended_by, 'max_iterations');
    assert.equal(events.at(-1).state.how, 'max_iterations');
  },
  streaming: async () => {
    const yaml = `
nodes:
- { name: a, language: prolog, run: "format('looks~n'), return(x, 1)." }
- { name: b, type: dml, run: 'agent_main :- output("done"), answer(2).', output: y }
`;
    const events = await eventsOf(yaml);
    const types = events.map(({ type, node }) => [type, node].filter((part) => part).join(' '));
    assert.deepEqual(types, [
      'start',
      'node_start a',
      'node_end a',
      'node_start b',
      'node_event b',
      'node_end b',
      'final',
    ]);
    assert.equal(events[2].output, 'looks\n');
  },
};

for (const [name, run] of Object.entries(ROWS)) test(name, run);

test('the table has these rows, in this order', () => {
  const text = readFileSync(new URL('../../docs/workflow.md', import.meta.url), 'utf8');
  const [, table] = text.split('## From LangGraph\n');
  const rows = table.split('\n## ')[0].matchAll(/^\| ([^|]*) \|/gm);
  const names = Array.from(rows, ([, name]) => name.replaceAll('`', '').trim()).slice(1);
  assert.deepEqual(names, Object.keys(ROWS));
});
