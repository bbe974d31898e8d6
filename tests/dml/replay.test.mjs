// Recordings of DML: a recorded run can be repeated without a model, a changed program reports where it departs, and an
// interrupted run goes on.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { eventsOf } from '../node/harness.mjs';

const dml = await createDeepClause();
after(() => dml.close());

const finish = { tool: 'finish', args: { success: true } };
const turn = (variable, value) => ({
  text: `about ${value}`,
  calls: [{ tool: 'set_result', args: { variable, value } }, finish],
});
const look = { calls: [{ tool: 'look', args: { arg1: 'owl' } }] };
let called = 0;
dml.registerTool('search', { parameters: { properties: { q: {} } }, execute: ({ q }) => ({ hits: [q, ++called] }) });
dml.registerTool('broken', { execute: () => Promise.reject(new Error('down')) });

const CODE = `
  tool(look(Q, R), "Look it up") :- exec(search(Q), R).
  agent_main(Topic) :-
    get_time(T), random_between(1, 1000000, N), statistics(inferences, I), yield("{T} {N} {I}"),
    exec(search(Topic), S), yield("{S}"), ignore(exec(broken, _)),
    wait_for_input("how many?", A), task("Write about {Topic} {A}", string(V)),
    get_time(T2), random(F), answer("{V} {T2} {F}").`;

const events = (code, options) => eventsOf(dml, code, options);

/** One recorded run, and its events. */
async function recorded(code, options) {
  const recording = [];
  const told = await events(code, { ...options, record: (entry) => recording.push(JSON.parse(JSON.stringify(entry))) });
  return { recording, told };
}

const live = () => ({
  params: { topic: 'owls' },
  onUserInput: () => 'three',
  model: scriptedModel([{ error: 'busy', status: 429 }, look, turn('V', 'Owls.')]),
});

/** Answers whatever the messages ask for, as often as it is asked. */
const steady = { turn: async ({ messages }) => (messages.at(-1).role === 'tool' ? turn('V', 'Owls.') : look) };

test('a recorded run is repeated, without model, tools and user, with the same events', async () => {
  const { recording, told } = await recorded(CODE, live());
  assert.equal(told.at(-1).type, 'finished');
  assert.deepEqual([recording[0].kind, recording.at(-1).kind], ['run', 'end']);
  const before = called;
  assert.deepEqual(await events(CODE, { replay: recording }), told);
  assert.equal(called, before, 'no tool is called');
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.notDeepEqual(await events(CODE, live()), told, 'clock and random numbers of another run are others');
});

test('streamed text is repeated in the same pieces', async () => {
  const model = {
    async turn(_, { onText }) {
      for (const piece of ['a', 'b']) onText(piece);
      return { text: 'ab', calls: [finish], usage: { inputTokens: 3, outputTokens: 2 } };
    },
  };
  const { recording, told } = await recorded('agent_main :- task("t"), answer(x).', { model, streaming: true });
  assert.equal(told.filter(({ type }) => type === 'stream').length, 3);
  assert.deepEqual(await events('agent_main :- task("t"), answer(x).', { replay: recording, streaming: true }), told);
});

test('a changed program replays as far as it agrees, and reports where it departs', async () => {
  const { recording } = await recorded(CODE, live());
  const changed = await events(CODE.replace('exec(search(Topic), S)', 'exec(search("cats"), S)'), {
    replay: recording,
  });
  assert.match(
    changed.at(-1).content,
    /^The program departs from its recording at entry 3: now it called the tool search with {"q":"cats"}, then it called the tool search with {"q":"owls"}\.$/,
  );
  const task = await events(CODE.replace('Write about', 'Sing of'), { replay: recording });
  assert.match(
    task.at(-1).content,
    /at entry 6: now it asked the model “Subtask: Sing of owls three”.*then it asked the model “Subtask: Write about owls three”/,
  );
  const shorter = await events(CODE.replace(/task\(.*\n.*/, 'answer(A).'), { replay: recording });
  assert.match(shorter.at(-1).content, /at entry 6: now it ended, then it asked the model/);
  const longer = await events(CODE.replace('answer("{V}', 'exec(search("more"), _), answer("{V}'), {
    replay: recording,
  });
  assert.match(longer.at(-1).content, /now it called the tool search with {"q":"more"}, then it ended\.$/);
  const said = await events(CODE.replace('answer("{V}', 'yield("another text"), answer("{V}'), { replay: recording });
  assert.equal(said.at(-1).type, 'finished', 'what a program says is its own matter');
});

test('an interrupted run goes on from its recording', async () => {
  const { recording, told } = await recorded(CODE, { ...live(), model: steady });
  assert.equal(recording.length, 10);
  for (let kept = 1; kept < recording.length; kept += 1) {
    const more = [];
    const cut = recording.slice(0, kept);
    const again = await events(CODE, {
      replay: cut,
      record: (entry) => more.push(entry),
      onUserInput: () => 'three',
      model: steady,
    });
    assert.deepEqual(
      again.map(({ type }) => type),
      told.map(({ type }) => type),
      `after ${kept} entries`,
    );
    assert.deepEqual(await events(CODE, { replay: [...cut, ...more] }), again, `both parts, cut after ${kept}`);
  }
});

test('an aborted run leaves an interrupted recording', async () => {
  const controller = new AbortController();
  const model = { turn: () => new Promise(() => {}) };
  const recording = [];
  const events1 = [];
  for await (const event of dml.runDML(CODE, {
    ...live(),
    model,
    signal: controller.signal,
    record: (entry) => recording.push(entry),
  })) {
    events1.push(event);
    if (event.type === 'input_required') setTimeout(() => controller.abort(), 100);
  }
  assert.equal(events1.at(-1).content, 'Execution aborted.');
  assert.equal(recording.at(-1).kind, 'user');
  const again = await events(CODE, { replay: recording, model: scriptedModel([turn('V', 'Now.')]) });
  assert.match(again.at(-2).content, /^Now\. /);
});

test('a run that was ended by a limit ends there again', async () => {
  const slow = 'agent_main :- exec(search("x"), _), yield(a), repeat, fail.';
  const { recording, told } = await recorded(slow, { stepTimeoutMs: 300 });
  assert.equal(recording.at(-1).kind, 'stopped');
  assert.deepEqual(await events(slow, { replay: recording }), told);
  const gas = 'agent_main :- exec(search("x"), _), yield(a), repeat, fail.';
  const gasRun = await recorded(gas, { gasLimit: 100000 });
  assert.match(gasRun.told.at(-1).content, /Gas/);
  assert.deepEqual(await events(gas, { replay: gasRun.recording, gasLimit: 100000 }), gasRun.told);
});

test('an invalid recording, and one that cannot be written, give an error that says so', async () => {
  assert.match((await events(CODE, { replay: [] }))[0].content, /first entry of a recording must have the kind run/);
  await assert.rejects(events(CODE, { replay: [{ kind: 'nonsense' }] }), /the options of a run: .*nonsense/);
  const { recording } = await recorded(CODE, live());
  const newer = [{ ...recording[0], version: 99 }, ...recording.slice(1)];
  assert.match((await events(CODE, { replay: newer }))[0].content, /version 99 .* versions 1 and 2 are understood/);
  const full = await events(CODE, {
    ...live(),
    record: ({ kind }) => {
      if (kind === 'tool') throw new Error('disk full');
    },
  });
  assert.equal(full.at(-1).content, 'The recording could not be written: disk full.');
});

test('the example in the documentation gives the same result twice', () => {
  const document = readFileSync(new URL('../../docs/dml.md', import.meta.url), 'utf8');
  const example = /```js\n(import [^`]*hornbook\/dml[\s\S]*?)```/.exec(document)[1];
  const directory = mkdtempSync(join(tmpdir(), 'hornbook-'));
  try {
    const file = join(directory, 'example.mjs');
    writeFileSync(
      file,
      example.replace("'hornbook/dml'", JSON.stringify(new URL('../../pkg/dml.js', import.meta.url))),
    );
    const lines = execFileSync(process.execPath, [file], { cwd: directory, encoding: 'utf8' }).trim().split('\n');
    assert.match(lines[0], /type: 'answer', content: '\d+ times owl'/);
    assert.deepEqual(lines.slice(lines.length / 2), lines.slice(0, lines.length / 2));
  } finally {
    rmSync(directory, { recursive: true });
  }
});
