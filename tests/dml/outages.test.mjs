// What got no answer is not false: outages of models and tools, and what a program may conclude from them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';

const dml = await createDeepClause();
after(() => dml.close());
dml.registerTool('db', {
  parameters: { properties: { id: {} } },
  execute: ({ id }) => {
    if (id === 'down') throw new Error('connection refused');
    return id;
  },
});

const DOWN = { error: 'quota', status: 429 };
const yes = (variable, value) => ({
  calls: [
    { tool: 'set_result', args: { variable, value } },
    { tool: 'finish', args: { success: true } },
  ],
});
const no = { calls: [{ tool: 'finish', args: { success: false } }] };

/** The events that matter of a run whose model always fails, or takes these turns. */
async function run(code, { turns, ...options } = {}) {
  const model = turns ? scriptedModel(turns) : { turn: () => scriptedModel([DOWN]).turn({ messages: [] }) };
  const events = [];
  for await (const event of dml.runDML(code, { model, retries: 0, onUserInput: null, ...options })) events.push(event);
  return events;
}
const last = async (code, options) => (await run(code, options)).at(-1);
const answer = async (code, options) =>
  (await run(code, options)).find(({ type }) => type === 'answer')?.content ?? (await last(code, options)).content;

const FRAUD =
  'agent_main :- ( task("Is it fraudulent?", boolean(F)), F == true -> answer("reject") ; answer("approve") ).';
const EXISTS = 'agent_main :- ( exec(db(id: "down"), _) -> answer("exists") ; answer("create") ).';

test('an outage in a condition is an error, not the other branch', async () => {
  assert.match(await answer(FRAUD), /^Runtime error: The task failed: the model failed: quota\..*model_error\(failed,/);
  assert.match(await answer(EXISTS), /connection refused.*tool_error\(db,failed,/);
  assert.equal(await answer(FRAUD, { turns: [no] }), 'approve');
  assert.equal(await answer(FRAUD, { turns: [yes('F', true)] }), 'reject');
});

test('wherever a failure would count as a no, the error is raised', async () => {
  for (const goal of [
    '\\+ exec(db(id: "down"), _)',
    'not(exec(db(id: "down"), _))',
    '( exec(db(id: "down"), _) *-> fail ; true )',
    '\\+ down',
    'G = exec(db(id: "down"), _), \\+ G',
    '( call(exec, db(id: "down"), _) -> fail ; true )',
    'forall(exec(db(id: "down"), _), fail)',
    'findall(X, ( member(Id, [a, "down"]), exec(db(id: Id), X) ), [_])',
    'aggregate_all(count, exec(db(id: "down"), _), 0)',
    '\\+ setof(X, Id^( member(Id, [b, "down"]), exec(db(id: Id), X) ), _)',
    'exclude([Id]>>exec(db(id: Id), _), [a, "down"], ["down"])',
    'cut',
    'cut_inside',
    '\\+ concurrent_maplist([Id]>>exec(db(id: Id), _), [a, "down"])',
    '\\+ with_tools([], exec(db(id: "down"), _))',
    '\\+ ( member(Id, [a, "down"]), exec(db(id: Id), nothing) )',
  ]) {
    const code = `agent_main :- catch(( ${goal} -> answer("concluded") ; answer("false") ), error(tool_error(Tool, failed, _), _), answer(Tool)).
      down :- exec(db(id: "down"), _).
      cut :- down, !, fail.
      cut.
      cut_inside :- ( down, ! ; true ).`;
    assert.equal(await answer(code), 'db', goal);
  }
});

test('other alternatives are tried, and settle what happened before them', async () => {
  const code = (goal) => `agent_main :- ${goal}.
    fetch(X) :- exec(db(id: "down"), X).
    fetch(X) :- exec(db(id: backup), X).
    agent_main :- answer("otherwise").`;
  assert.equal(await answer(code('exec(db(id: "down"), _), answer("x")')), 'otherwise');
  assert.equal(await answer(code('( exec(db(id: "down"), X) ; X = "fallback" ), answer(X)')), 'fallback');
  assert.equal(await answer(code('( fetch(X) -> answer(X) ; answer("none") )')), 'backup');
  assert.equal(await answer(code('findall(X, once(fetch(X)), L), answer("{L}")')), '[backup]');
  assert.equal(await answer(code('fetch(X), ( X == "other" -> answer("x") ; answer("not other") )')), 'not other');
  assert.equal(await answer(code('ignore(exec(db(id: "down"), _)), answer("ignored")')), 'ignored');
  const handled = '\\+ ( catch(( \\+ exec(db(id: "down"), _) ), error(_, _), true), fail ), answer("handled")';
  assert.equal(await answer(code(handled)), 'handled');
});

test('without another alternative the last event names the outage', async () => {
  const { success, outage } = await last('agent_main :- task("x").');
  assert.deepEqual([success, outage], [false, 'The task failed: the model failed: quota.']);
  const refused = await last('agent_main :- task("x").', { turns: [no] });
  assert.deepEqual([refused.success, refused.outage], [false, undefined]);
});

test('a policy is a no', async () => {
  dml.setToolPolicy({ mode: 'blacklist', tools: ['db'] });
  assert.equal(await answer(EXISTS), 'create');
  dml.clearToolPolicy();
});

test('the program or the host decides what an outage does', async () => {
  const caught = 'agent_main :- catch(task("x"), error(model_error(Kind, _), _), true), answer(Kind).';
  const goal = 'agent_main :- catch(exec(db(id: "down"), _), error(tool_error(_, K, _), _), true), answer(K).';
  assert.equal(await answer(caught, { outages: 'throw' }), 'failed');
  assert.equal(await answer(goal, { outages: 'throw' }), 'failed');
  assert.equal(await answer(`:- outages(throw).\n${goal}`), 'failed');
  assert.equal(await answer(FRAUD, { outages: 'fail' }), 'approve');
  assert.equal(await answer(`:- outages(fail).\n${FRAUD}`), 'approve');
  assert.match(await answer(`:- outages(fail).\n${FRAUD}`, { outages: 'unknown' }), /model_error/);
  assert.match(await answer(`:- outages(never).\n${FRAUD}`), /never/);
});

test('a model is told that a tool of the program could not ask', async () => {
  const code = 'tool(look(Id, X)) :- exec(db(id: Id), X).\nagent_main :- task("x"), answer("ok").';
  const model = scriptedModel([
    { calls: [{ tool: 'look', args: { arg1: 'down' } }] },
    { calls: [{ tool: 'finish', args: { success: true } }] },
  ]);
  for await (const event of dml.runDML(code, { model, onUserInput: null })) assert.notEqual(event.type, 'error');
  assert.match(model.requests[1].messages.at(-1).content, /"error".*connection refused/);
});

test('clauses are shown as they were written', async () => {
  const code = `:- dynamic p/1, q/1.
    p(X) :- ( q(X) -> true ; \\+ q(X), findall(Y, q(Y), _) ), !, q(X).
    q(1).
    agent_main :- clause(p(_), B), assertz((r(X) :- \\+ q(X), !, q(X))), clause(r(_), C), retract((r(Z) :- \\+ q(Z), !, q(Z))),
      bagof(A-D, ( q(A), ( q(A) -> D = 1 ; D = 2 ) ), L), format("~p ~p ~p", [B, C, L]).`;
  const [{ content }] = await run(code);
  assert.doesNotMatch(content, /hb_|watch/);
  assert.match(content, /findall/);
});

test('a replay has the same outages, and recordings of version 1 have failures', async () => {
  const recording = [];
  const events = await run(FRAUD, { record: (entry) => recording.push(entry) });
  const replayed = [];
  for await (const event of dml.runDML(FRAUD, { replay: recording, retries: 0 })) replayed.push(event);
  assert.deepEqual(replayed, events);
  recording[0] = { ...recording[0], version: 1 };
  const old = [];
  for await (const event of dml.runDML(FRAUD, { replay: recording, retries: 0 })) old.push(event);
  assert.equal(old.find(({ type }) => type === 'answer').content, 'approve');
});

test('a call of a model or a tool has a time of its own', async () => {
  const never = { turn: () => new Promise(() => {}) };
  const options = { model: never, callTimeoutMs: 50, retryPauseMs: 1, outages: 'throw' };
  const late = 'agent_main :- catch(task("x"), error(model_error(Kind, _), _), true), answer(Kind).';
  assert.equal(await answer(late, options), 'late');
  let aborted = false;
  dml.registerTool('hangs', {
    execute: (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => (aborted = true))),
  });
  const tool = 'agent_main :- catch(exec(hangs, _), error(tool_error(_, Kind, _), _), true), answer(Kind).';
  assert.equal(await answer(tool, options), 'late');
  assert.equal(aborted, true);
});

test('what was cut off is told, and what a filter withheld is an outage', async () => {
  const code = 'agent_main :- catch(task("x"), error(model_error(Kind, _), _), true), answer(Kind).';
  const options = { outages: 'throw' };
  assert.equal(await answer(code, { ...options, turns: Array(3).fill({ text: 'a', cut: 'length' }) }), 'length');
  assert.equal(await answer(code, { ...options, turns: [{ text: 'a', cut: 'content_filter' }] }), 'content_filter');
});

test('a model is offered ask_user, whose question the consumer of the events answers', async () => {
  const model = scriptedModel([
    { calls: [{ tool: 'ask_user', args: { prompt: 'which?' } }] },
    {
      calls: [
        { tool: 'set_result', args: { variable: 'X', value: 'x' } },
        { tool: 'finish', args: { success: true } },
      ],
    },
  ]);
  const events = dml.runDML('agent_main :- task("t", X), answer(X).', { model });
  for (let step = await events.next(); !step.done; )
    step = await events.next(step.value.type === 'input_required' ? 'order 7' : undefined);
  assert.ok(model.requests[0].tools.some(({ name }) => name === 'ask_user'));
  assert.match(model.requests[1].messages.at(-1).content, /order 7/);
});

test('an answer that is a list or a dict comes as such', async () => {
  const [event] = await run('agent_main :- answer(_{a: 1, b: ["x", true, null, [2.5]]}).');
  assert.deepEqual(event.value, { a: 1, b: ['x', true, null, [2.5]] });
  assert.equal(event.type, 'answer');
  const [list] = await run('agent_main :- L = [a, "b"], answer(L).');
  assert.deepEqual([list.content, list.value], ['[a,b]', ['a', 'b']]);
  const [text] = await run('agent_main :- answer("{x}").');
  assert.deepEqual(text, { type: 'answer', content: '{x}' });
});
