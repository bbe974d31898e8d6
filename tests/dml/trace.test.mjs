// What a run reports to an observer: the tree of its steps, and what the program undid, by whatever means.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { openBook } from '../../pkg/index.js';

const dml = await createDeepClause();
after(() => dml.close());

const finish = (success = true) => ({ tool: 'finish', args: { success } });

/** The events of a run; every task succeeds at once, except those whose number, from 1, is in `fails`. */
async function run(code, { fails = [], turns, ...options } = {}) {
  turns ??= Array.from({ length: 20 }, (_, n) => ({ calls: [finish(!fails.includes(n + 1))] }));
  const events = [];
  for await (const event of dml.runDML(code, { model: scriptedModel(turns), ...options })) events.push(event);
  return events;
}

/** Tasks and calls of the program in order, and which of them are undone, by their texts. */
async function watched(goal, options) {
  const events = await run(`agent_main :- ${goal}.`, { ...options, trace: true });
  assert.equal(events.at(-1).type, 'finished', JSON.stringify(events.at(-1)));
  const names = new Map();
  const told = [];
  for (const { type, step, id, under, text, tool, ids } of events) {
    if (type !== 'trace') continue;
    if ((step === 'task' || step === 'call') && under === 0) {
      names.set(id, text ?? tool);
      told.push(text ?? tool);
    } else if (step === 'undone') {
      told.push(`undone ${ids.map((one) => names.get(one)).join(' ')}`);
    }
  }
  return told;
}

test('what a program undoes is reported, whatever undoes it', async () => {
  dml.registerTool('look', { execute: () => 'seen' });
  const cases = [
    ['task("a"), ( task("b"), fail ; task("c") )', ['a', 'b', 'undone b', 'c']],
    ['( task("a") ; true ), exec(look, _), task("b")', ['a', 'look', 'b']],
    // A cut removes the choice points, but what came before it is undone all the same.
    ['( ( task("a"), task("b"), ! ; true ), fail ; true )', ['a', 'b', 'undone a b']],
    ['( task("a") -> ( task("b") -> fail ; true ) ; true ) ; task("c")', ['a', 'b', 'undone a b', 'c']],
    ['catch((task("a"), throw(no)), no, true), task("b")', ['a', 'undone a', 'b']],
    ['\\+ \\+ task("a"), task("b")', ['a', 'undone a', 'b']],
    ['findall(X, ( member(X, [1, 2]), task("t {X}") ), _), task("b")', ['t 1', 'undone t 1', 't 2', 'undone t 2', 'b']],
    ['exec(look, X), X == other ; task("b")', ['look', 'undone look', 'b']],
    // What comes only at the end.
    ['task("a"), task("b"), fail', ['a', 'b', 'undone a b']],
    ['task("a"), \\+ \\+ task("b")', ['a', 'b', 'undone b']],
  ];
  for (const [goal, expected] of cases) assert.deepEqual(await watched(goal), expected, goal);
  // A task that failed has failed; it is not undone.
  assert.deepEqual(await watched('task("a"), ( task("b") ; task("c") )', { fails: [2] }), ['a', 'b', 'c']);
});

test('a step has its result, or the reason for having none, and what a tool of the program does is under its call', async () => {
  const code = `
    tool(twice(X, Y), "Twice X") :- exec(look, _), task("sure?"), number_string(N, X), Y is 2 * N.
    agent_main :- task("use it", integer(N)), wait_for_input("ok?", _), answer("{N}").`;
  const turns = [
    { text: 'So be it.', calls: [{ tool: 'twice', args: { arg1: '4' } }], usage: { inputTokens: 1, outputTokens: 2 } },
    { calls: [finish()] },
    {
      calls: [
        { tool: 'set_result', args: { variable: 'N', value: 'eight' } },
        { tool: 'nope', args: {} },
      ],
    },
    { calls: [{ tool: 'set_result', args: { variable: 'N', value: 8 } }, finish()] },
  ];
  const events = await run(code, { turns, trace: true, onUserInput: () => 'yes' });
  const steps = events.filter(({ type }) => type === 'trace').map(({ type, ...step }) => step);
  const shown = steps.map(({ step, id, under, text, tool, prompt, content, result, failure }) =>
    [step, id, under, text || tool || prompt || content, failure ? 'failed' : JSON.stringify(result)]
      .filter((part) => part !== undefined && part !== '')
      .join(' '),
  );
  assert.deepEqual(shown, [
    'task 1 0 use it',
    'turn 1 So be it.',
    'call 2 1 twice',
    'call 3 2 look',
    'ended 3 "seen"',
    'task 4 2 sure?',
    'turn 4',
    'call 5 4 finish',
    'ended 5 null',
    'ended 4 {}',
    'ended 2 8',
    'turn 1',
    'call 6 1 set_result',
    'ended 6 failed',
    'call 7 1 nope',
    'ended 7 failed',
    'turn 1',
    'call 8 1 set_result',
    'ended 8 true',
    'call 9 1 finish',
    'ended 9 null',
    'ended 1 {"N":8}',
    'input 10 0 ok?',
    'ended 10 "yes"',
    'answer 0 8',
  ]);
  assert.deepEqual(steps[0].outputs, [{ name: 'N', type: 'integer' }]);
  assert.equal(steps[0].messages.at(-1).content, 'Subtask: use it');
  assert.deepEqual(steps[1].usage, { inputTokens: 1, outputTokens: 2 });
});

test('each event has the line of its goal; events within a task have that of the task', async () => {
  const code = `tool(twice(X, Y), "Twice X") :-
  log("called"),
  number_string(N, X), Y is 2 * N.
agent_main :-
  log("first"),
  (   task("use it"),
      fail
  ;   exec(look, N)
  ),
  maplist([W]>>output("{W}"), [a]),
  maplist(log, [b]),
  answer("{N}").`;
  const turns = [{ calls: [{ tool: 'twice', args: { arg1: '4' } }] }, { calls: [finish()] }];
  const events = await run(code, { turns, trace: true });
  const steps = events.filter(({ type }) => type === 'trace');
  assert.deepEqual(
    steps.map(({ step, line, content, tool, text }) => [step, content || tool || text || '', line]),
    [
      ['log', 'first', 5],
      ['task', 'use it', 6],
      ['turn', '', 6],
      ['call', 'twice', 6],
      ['log', 'called', 2],
      ['ended', '', 6],
      ['turn', '', 6],
      ['call', 'finish', 6],
      ['ended', '', 6],
      ['ended', '', 6],
      ['undone', '', 6],
      ['call', 'look', 8],
      ['ended', '', 8],
      ['output', 'a', 10],
      ['log', 'b', undefined],
      ['answer', 'seen', 12],
    ],
  );
});

test('concurrent goals, goals of the book and output have their lines', async () => {
  const book = await openBook();
  await book.assert('p(1).', 'p(2).');
  const own = await createDeepClause({ book });
  after(async () => {
    own.close();
    await book.close();
  });
  const code = `agent_main :-
  write(a), nl,
  concurrent_maplist([X]>>format("~w", [X]), [1, 2]),
  first_solution(Y, [book:p(Y)], []),
  forall(
    book:(p(Z), write(z)),
    print(Z)),
  atom_length(abc, _), write(end).`;
  const events = [];
  for await (const event of own.runDML(code, { trace: true })) if (event.type === 'trace') events.push(event);
  assert.deepEqual(
    events.map(({ step, line, content, tool, goals }) => [step, content ?? tool ?? goals ?? '', line]),
    [
      ['output', 'a\n', 2],
      ['concurrent', 2, 3],
      ['output', '1', 3],
      ['output', '2', 3],
      ['ended', '', 3],
      ['concurrent', 1, 4],
      ['call', 'book', 4],
      ['ended', '', 4],
      ['ended', '', 4],
      ['call', 'book', 6],
      ['output', 'z', 6],
      ['ended', '', 6],
      ['output', '1', 7],
      ['call', 'book', 6],
      ['output', 'z', 6],
      ['ended', '', 6],
      // All output until the program's next request has the line of the first goal that wrote.
      ['output', '2end', 7],
      ['undone', '', 6],
    ],
  );
});

test('the other events, their order and the recording are the same with and without it', async () => {
  const code = 'agent_main :- log(a), ( task("b"), fail ; exec(look, X), yield(X) ), write(x), answer(done).';
  const told = async (options) => {
    const recording = [];
    const events = await run(code, { ...options, record: (entry) => recording.push(entry) });
    const strip = (entry) => ({ ...entry, seed: undefined });
    return { events: events.filter(({ type }) => type !== 'trace'), recording: recording.map(strip) };
  };
  const without = await told({});
  assert.deepEqual(await told({ trace: true }), without);
  assert.equal(
    (await run(code)).some(({ type }) => type === 'trace'),
    false,
  );
});

test('each step has its time, and a finished one its duration', async () => {
  dml.registerTool('rest', { execute: () => new Promise((resolve) => setTimeout(() => resolve('up'), 60)) });
  const steps = (await run('agent_main :- task("a"), exec(rest, X), answer(X).', { trace: true })).filter(
    ({ type }) => type === 'trace',
  );
  const times = steps.map(({ at }) => at);
  assert.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
  const rest = steps.find(({ tool }) => tool === 'rest');
  const ended = steps.find(({ step, id }) => step === 'ended' && id === rest.id);
  assert.ok(ended.took >= 50 && ended.at - rest.at >= 50, JSON.stringify([rest, ended]));
});

test('a replayed run gives the same tree', async () => {
  const code = 'agent_main :- ( task("b"), fail ; exec(look, X) ), answer(X).';
  const recording = [];
  const trace = (events) => events.filter(({ type }) => type === 'trace').map(({ at, took, ...step }) => step);
  const first = trace(await run(code, { trace: true, record: (entry) => recording.push(entry) }));
  assert.deepEqual(trace(await run(code, { trace: true, replay: recording, turns: [] })), first);
});

test('the parameters of a program are reported along with its errors', async () => {
  const code = ':- param("max", "How many", 3).\nagent_main(Topic, Max) :- nosuch(Topic, Max).\n';
  const { findings, parameters } = await dml.inspectDML(code);
  assert.deepEqual(parameters, [
    { name: 'Topic', required: true },
    { name: 'Max', required: false, description: 'How many', default: 3 },
  ]);
  assert.deepEqual(findings, await dml.checkDML(code));
  assert.match(findings[0].message, /nosuch\/2/);
});
