// Many runs on one object, at once and one after another.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { eventsOf } from '../node/harness.mjs';

const RUNS = 20;
const PROGRAM = `
  :- dynamic n/1.
  tool(mine(_, N)) :- n(N).
  agent_main(N) :-
      assertz(n(N)),
      system("I am {N}."),
      exec(wait(N), R),
      wait_for_input("Who is {N}?", U),
      task("Task of {N}.", V),
      findall(X, n(X), L),
      answer("{L} {R} {U} {V}").
`;

const said = (events) =>
  events.filter(({ type }) => type === 'answer' || type === 'error').map(({ content }) => content);

let dml;
before(async () => (dml = await createDeepClause()));
after(() => dml.close());

test(`${RUNS} runs at once each have their own clauses, memory, tool results and user answers`, async () => {
  dml.registerTool('wait', {
    parameters: { properties: { n: {} } },
    execute: ({ n }) => new Promise((resolve) => setTimeout(resolve, (n * 7) % 50, `r${n}`)),
  });
  await Promise.all(
    Array.from({ length: RUNS }, async (_, n) => {
      const model = scriptedModel([
        { calls: [{ tool: 'mine', args: { arg1: '' } }] },
        {
          calls: [
            { tool: 'set_result', args: { variable: 'V', value: `v${n}` } },
            { tool: 'finish', args: { success: true } },
          ],
        },
      ]);
      const onUserInput = async (prompt) => `u${/\d+/.exec(prompt)}`;
      assert.deepEqual(said(await eventsOf(dml, PROGRAM, { args: [n], model, onUserInput })), [
        `[${n}] r${n} u${n} v${n}`,
      ]);
      const conversation = model.requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n');
      assert.deepEqual([...new Set(conversation.match(/I am \d+/g))], [`I am ${n}`]);
      assert.match(conversation, new RegExp(`\\{"result":${n}\\}`));
    }),
  );
});

test('a run has nothing of the previous one, although its engine stood by', async () => {
  for (let n = 0; n < 5; n += 1) {
    const code = `:- dynamic n/1. agent_main :- findall(X, n(X), L), assertz(n(${n})), answer("{L}").`;
    assert.deepEqual(said(await eventsOf(dml, code)), ['[]']);
  }
});

test('a process ends after its last run, although an engine stands by', () => {
  const script = `
    import { createDeepClause } from ${JSON.stringify(new URL('../../pkg/dml.js', import.meta.url))};
    globalThis.dml = await createDeepClause();
    for (let n = 0; n < 3; n += 1) for await (const { type } of dml.runDML('agent_main :- answer(a).')) console.log(type);`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.deepEqual([status, stdout], [0, 'answer\nfinished\n'.repeat(3)]);
});
