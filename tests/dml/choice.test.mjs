// Which model a task asks, and how: by name, by a list of names, at a temperature; in the program and for a run.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';

const finish = { tool: 'finish', args: { success: true } };
const set = (variable, value) => ({ tool: 'set_result', args: { variable, value } });
const opened = [];
after(() => {
  for (const dml of opened) dml.close();
});

/** A model that finishes each task at once and gives its name; it remembers what it was asked. */
function named(name) {
  const requests = [];
  return {
    requests,
    async turn(request) {
      requests.push(request);
      return { calls: [set('V', name), finish] };
    },
  };
}

const gone = () => ({ turn: () => Promise.reject(Object.assign(new Error('no way'), { status: 401 })) });

async function withModels(models, model) {
  const dml = await createDeepClause({ models, model });
  opened.push(dml);
  return async (code, options) => {
    const events = [];
    for await (const event of dml.runDML(code, options)) events.push(event);
    return events.map(({ type, content }) => (content === undefined ? type : `${type}: ${content}`));
  };
}

const all = (goal) => `agent_main :- findall(V, ( ${goal} ), Vs), answer("{Vs}").`;

test('a goal asks the model that it names, and then the previous one is used again', async () => {
  const usual = named('usual');
  const run = await withModels({ fast: named('fast'), slow: named('slow') }, usual);
  const goals = [
    'task("a", V)',
    'with_model(fast, task("b", V))',
    'with_model("slow", ( task("c"), with_model(fast, prompt("d", V)) ))',
    'with_model(slow, true), task("e", V)',
  ];
  const events = await run(all(goals.map((goal) => `( ${goal} )`).join(' ; ')));
  assert.deepEqual(events, ['answer: [usual,fast,fast,usual]', 'finished']);
  assert.deepEqual(
    usual.requests.map(({ messages }) => messages.at(-1).content),
    ['Subtask: a', 'Subtask: e'],
  );
});

test('of several models the first one that can be reached is asked, and a task stays with it', async () => {
  const second = scriptedModel([{ text: 'hm' }, { calls: [set('V', 'second'), finish] }]);
  const run = await withModels({ first: gone(), second, third: named('third') });
  assert.deepEqual(await run('agent_main :- with_model([first, second, third], task("t", V)), answer(V).'), [
    'log: The model first cannot be reached, second is asked: no way',
    'output: hm',
    'answer: second',
    'finished',
  ]);
  const caught =
    'agent_main :- catch(with_model([first, nobody], task("t", V)), error(model_error(_, V), _), true), answer(V).';
  assert.deepEqual(await run(caught), [
    'log: The model first cannot be reached, nobody is asked: no way',
    'answer: there is no model nobody; the models are: first, second, third',
    'finished',
  ]);
});

test('a run has models and a temperature, which a program may set for a goal', async () => {
  const fast = named('fast');
  const run = await withModels({ gone: gone(), fast });
  const code = 'agent_main :- task("a", V), with_temperature(0, prompt("b", V)), answer(V).';
  const events = await run(code, { models: ['gone', 'fast'], temperature: 0.7 });
  assert.deepEqual(events.slice(-2), ['answer: fast', 'finished']);
  assert.deepEqual(
    fast.requests.map(({ model, temperature }) => [model, temperature]),
    [
      ['fast', 0.7],
      ['fast', 0],
    ],
  );
  assert.match((await run('agent_main :- with_temperature(hot, true).'))[0], /Type error: number expected, found hot/);
  assert.match((await run('agent_main :- with_model([], true).'))[0], /domain_error\(model_names,\[\]\)/);
});

test('without named models, the only model is told the name; a replay asks none', async () => {
  const usual = named('usual');
  const dml = await createDeepClause({ model: usual });
  opened.push(dml);
  const code = 'agent_main :- with_model(fast, task("a", V)), answer(V).';
  const recording = [];
  const events = async (options) => {
    const told = [];
    for await (const event of dml.runDML(code, options)) told.push(event.type);
    return told;
  };
  const first = await events({ temperature: 0.5, record: (entry) => recording.push(entry) });
  assert.deepEqual([usual.requests[0].model, usual.requests[0].temperature], ['fast', 0.5]);
  assert.equal(recording[0].temperature, 0.5);
  assert.deepEqual(await events({ replay: recording }), first);
  assert.equal(usual.requests.length, 1);
});
