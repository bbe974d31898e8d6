// Goals that run at the same time: concurrent_maplist/2..5 and first_solution/3, with a model that waits.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDeepClause } from '../../pkg/dml.js';

const dml = await createDeepClause();
after(() => dml.close());

const finish = { tool: 'finish', args: { success: true } };
const done = (value) => ({ calls: [{ tool: 'set_result', args: { variable: 'V', value } }, finish] });
const subtask = ({ messages }) => messages.at(-1).content.replace(/^Subtask: /, '');

/**
 * A model that answers when `most` tasks are waiting for it, the last one first; `says` makes the turn of a task. Its
 * own `most` is how many have waited at the same time.
 */
function waiting(most, says = (task) => done(`<${task}>`)) {
  const open = [];
  const model = {
    most: 0,
    requests: [],
    cancelled: [],
    turn(request, { signal }) {
      const task = subtask(request);
      model.requests.push(request);
      return new Promise((resolve) => {
        const cancelled = () => model.cancelled.push(task);
        // The end of a run aborts every signal.
        signal.addEventListener('abort', cancelled);
        open.push(() => {
          const turn = says(task);
          if (turn === undefined) return;
          signal.removeEventListener('abort', cancelled);
          resolve(turn);
        });
        model.most = Math.max(model.most, open.length);
        if (open.length < most) return;
        for (const answer of open.splice(0).reverse()) answer();
      });
    },
  };
  return model;
}

async function run(code, { model, ...options } = {}) {
  const events = [];
  for await (const event of dml.runDML(code, { model, ...options })) events.push(event);
  return events;
}

const texts = (events) => events.map(({ type, content }) => (content === undefined ? type : `${type}: ${content}`));

test('tasks of concurrent_maplist wait for their models at the same time; results are in the order of the list', async () => {
  const model = waiting(3);
  const code = `
    agent_main :- concurrent_maplist(ask, [a, b, c], Vs), answer("{Vs}").
    ask(X, V) :- task("do {X}", V).`;
  const events = await run(code, { model });
  assert.deepEqual(texts(events), ['answer: [<do a>,<do b>,<do c>]', 'finished']);
  assert.equal(model.most, 3);
});

test('lambdas, two to four lists, and lists that get their length from another', async () => {
  const goal = `concurrent_maplist([X]>>task("t {X}"), [1, 2]),
    concurrent_maplist([X, Y, Z]>>( task("u {X}"), Z = X-Y ), [1, 2], Ys, Zs), Ys = [p, q],
    concurrent_maplist([A, B, C, D]>>( D is A+B+C ), [1, 2], [3, 4], [5, 6], Ds), answer("{Zs} {Ds}")`;
  const events = await run(`agent_main :- ${goal}.`, { model: waiting(2) });
  assert.deepEqual(texts(events), ['answer: [1-p,2-q] [9,12]', 'finished']);
  assert.deepEqual(texts(await run('agent_main :- concurrent_maplist(atom, [], []), answer(ok).')), [
    'answer: ok',
    'finished',
  ]);
});

test('a task remembers what was said before, and afterwards everything is there in the order of the list', async () => {
  const code = `
    agent_main :- user("first"), concurrent_maplist([X]>>task("do {X}", _), [a, b]), task("last"), answer(ok).`;
  // An unnamed output is Result1.
  const says = (task) => ({
    calls: [{ tool: 'set_result', args: { variable: 'Result1', value: task } }, finish],
  });
  const both = waiting(2, says);
  let last;
  const model = {
    turn(request, options) {
      if (subtask(request) !== 'last') return both.turn(request, options);
      last = request;
      return Promise.resolve({ calls: [finish] });
    },
  };
  const events = await run(code, { model });
  assert.deepEqual(texts(events), ['answer: ok', 'finished']);
  assert.deepEqual(
    last.messages.slice(1).map(({ content }) => content),
    [
      'first',
      'Subtask: do a',
      'Task completed. Results: Result1: do a',
      'Subtask: do b',
      'Task completed. Results: Result1: do b',
      'Subtask: last',
    ],
  );
  assert.deepEqual(
    both.requests.map(({ messages }) => messages.length),
    [3, 3],
  );
});

test('if one fails or throws, the others are cancelled, and the goal fails or throws too', async () => {
  const says = (task) => {
    if (task === 'do a') return undefined; // never ends
    return task === 'do b' ? { calls: [{ tool: 'finish', args: { success: false } }] } : done('x');
  };
  const failing = waiting(2, says);
  const code = (second) => `
    agent_main :- ( catch(concurrent_maplist(ask, [a, ${second}], Vs), E, answer("{E}")) -> answer("{Vs}")
                  ; answer("failed") ).
    ask(X, V) :- task("do {X}", V), ( X == bad -> throw(oops(X)) ; true ).`;
  assert.deepEqual(texts(await run(code('b'), { model: failing })), ['answer: failed', 'finished']);
  assert.deepEqual(failing.cancelled, ['do a']);
  const raising = waiting(2, says);
  assert.deepEqual(texts(await run(code('bad'), { model: raising })), ['answer: oops(bad)', 'finished']);
  assert.deepEqual(raising.cancelled, ['do a']);
});

test('first_solution takes the first solution, and cancels the others', async () => {
  const model = waiting(3, (task) => (task === 'quick' ? done('here') : undefined));
  const code = `
    agent_main :-
      Which = quick,
      first_solution(V, [task("slow", V), task("{Which}", V), ( task("slower", _), V = late )], []),
      answer("{V}").`;
  const events = await run(code, { model });
  assert.deepEqual(texts(events), ['answer: here', 'finished']);
  assert.deepEqual(model.cancelled.sort(), ['slow', 'slower']);
});

test('first_solution continues after failures and errors as its options say', async () => {
  const goals = '[fail, throw(no), ( task("t", V), atom_string(X, V) )]';
  const ask = (options) =>
    run(`agent_main :- ( catch(first_solution(X, ${goals}, ${options}), E, X = E) -> answer("{X}") ; answer(none) ).`, {
      model: waiting(1),
    });
  assert.equal(texts(await ask('[]'))[0], 'answer: none');
  assert.equal(texts(await ask('[on_fail(continue)]'))[0], 'answer: no');
  assert.equal(texts(await ask('[on_fail(continue), on_error(continue)]'))[0], 'answer: <t>');
  assert.match(texts(await ask('[on_fail(later)]'))[0], /domain_error\(on_fail,later\)/);
});

test('concurrent goals are subject to the sandbox like any other', async () => {
  const goals = [
    'first_solution(X, [shell(ls, X)], [])',
    'G = shell(ls, X), first_solution(X, [G], [])',
    'first_solution(X, [system:shell(ls, X)], [])',
    'first_solution(X, [call(call, shell(ls, X))], [])',
    'concurrent_maplist(shell, [ls], [X])',
    'concurrent_maplist(system:shell, [ls], [X])',
    'G = shell, concurrent_maplist(G, [ls], [X])',
    'concurrent_maplist([L, X]>>shell(L, X), [ls], [X])',
    'concurrent_maplist([G]>>call(G), [shell(ls, X)])',
    'C = concurrent_maplist, call(C, shell, [ls], [X])',
    'concurrent_maplist(hb_dml_run:step(1, 5), [X], [Y])',
  ];
  for (const goal of goals) {
    const { type, content } = (await run(`agent_main :- ${goal}, answer("pwned {X}").`)).at(-1);
    assert.equal(type, 'error', goal);
    assert.match(content, /outside the sandbox|sandboxed|not allowed|[Mm]odule/, goal);
  }
});

test('a recording of concurrent goals replays to the same events', async () => {
  const code = `
    agent_main :-
      concurrent_maplist([X, V]>>( task("do {X}", V), exec(look(X), L), log(L) ), [a, b, c], Vs),
      first_solution(W, [task("slow", W), task("quick", W)], []),
      answer("{Vs} {W}").`;
  dml.registerTool('look', {
    parameters: { type: 'object', properties: { x: {} } },
    execute: ({ x }) => new Promise((resolve) => setTimeout(() => resolve(`saw ${x}`), x === 'a' ? 40 : 1)),
  });
  const recording = [];
  let left = 3;
  const first = waiting(3);
  const second = waiting(2, (task) =>
    task === 'quick' ? { calls: [{ tool: 'set_result', args: { variable: 'W', value: task } }, finish] } : undefined,
  );
  const model = {
    turn: (request, options) => {
      left -= 1;
      return (left >= 0 ? first : second).turn(request, options);
    },
  };
  const live = texts(await run(code, { model, record: (entry) => recording.push(entry) }));
  assert.equal(live.at(-2), 'answer: [<do a>,<do b>,<do c>] quick');
  assert.deepEqual(texts(await run(code, { replay: recording })), live);
  // Recording in another order is not a departure; something that was never recorded is.
  const other = recording.map((entry) => (entry.last === 'Subtask: do b' ? { ...entry, digest: '0' } : entry));
  assert.match(texts(await run(code, { replay: other })).at(-1), /departs from its recording/);
});

test('a trace has the goals under one step, and goals within goals run', async () => {
  const code = `
    agent_main :- concurrent_maplist([X]>>concurrent_maplist([Y]>>task("do {X} {Y}"), [1, 2]), [a, b]), answer(ok).`;
  const model = waiting(4, () => ({ calls: [finish] }));
  const events = await run(code, { model, trace: true });
  assert.equal(model.most, 4);
  const steps = events.filter(({ type }) => type === 'trace');
  const groups = steps.filter(({ step }) => step === 'concurrent');
  assert.deepEqual(
    groups.map(({ under, goals }) => [under, goals]),
    [
      [0, 2],
      [groups[0].id, 2],
      [groups[0].id, 2],
    ],
  );
});
