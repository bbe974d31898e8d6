// Options of tasks: models, retries, time limits, settings, and what is done about turns that failed or were cut.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDeepClause } from '../../pkg/dml.js';

const finish = { tool: 'finish', args: { success: true } };
const set = (value) => ({ tool: 'set_result', args: { variable: 'V', value } });
const opened = [];
after(() => {
  for (const dml of opened) dml.close();
});

const cut = (kind) => ({ text: `${kind}…`, cut: kind, usage: { inputTokens: 1, outputTokens: 1 } });
const busy = () => Promise.reject(Object.assign(new Error('busy'), { status: 429 }));
const hangs = (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));

/** A model whose turns are these, and then the end of the task; it remembers what it was asked. */
function model(name, ...turns) {
  const requests = [];
  return {
    requests,
    async turn(request, { signal, onText }) {
      requests.push(request);
      const next = turns.shift() ?? { calls: [set(name), finish] };
      if (request.streaming && next.text) onText(next.text);
      return typeof next === 'function' ? next(signal) : next;
    },
  };
}

async function run(code, models, options = {}) {
  const dml = await createDeepClause({ models });
  opened.push(dml);
  const events = [];
  for await (const event of dml.runDML(code, { retryPauseMs: 1, ...options })) events.push(event);
  return events;
}
const told = (events) =>
  events
    .filter(({ type }) => ['log', 'answer', 'error', 'output'].includes(type))
    .map(({ type, content }) => `${type}: ${content}`);
const task = (options) => `agent_main :- with_task_options(${options}, task("t", V)), answer(V).`;

test('a turn that was cut is tried again, goes to the next model, or is an outage, as its reason says', async () => {
  for (const kind of ['length', 'content_filter']) {
    const again = await run(task(`[model(a), on(${kind}, retry)]`), { a: model('a', cut(kind), cut(kind)) });
    assert.equal(told(again).at(-1), 'answer: a');
    assert.equal(told(again).filter((line) => line.includes('does not count and is tried again')).length, 2);
    assert.equal(again.filter(({ type }) => type === 'usage').length, 2, 'what was used counts');
    assert.ok(!told(again).some((line) => line.startsWith('output')), 'what does not count is not told');
    const next = await run(task(`[model([a, b]), on([length, content_filter], fallback)]`), {
      a: model('a', cut(kind)),
      b: model('b'),
    });
    assert.deepEqual(told(next).at(-1), 'answer: b');
    assert.match(told(next)[0], /^log: The model a gave no turn, b is asked: /);
    const caught = `agent_main :- catch(with_task_options([model(a), retries(0), on(${kind}, retry)], (task("t", _) -> true ; true)), error(model_error(K, _), _), true), answer(K).`;
    assert.equal(told(await run(caught, { a: model('a', cut(kind)) })).at(-1), `answer: ${kind}`);
  }
  const alone = await run(task('[model(a)]'), { a: model('a', cut('length')) });
  assert.deepEqual(told(alone).slice(-1), ['answer: a'], 'by default, a turn that was cut goes on in the next');
});

test('failures and calls that take too long go to the next model after their retries', async () => {
  const a = model('a', busy, busy, busy);
  const events = await run(task('[model([a, b]), retries(1), on(failed, fallback)]'), { a, b: model('b') });
  assert.equal(a.requests.length, 2);
  assert.equal(told(events).at(-1), 'answer: b');
  const slow = model('slow', hangs, hangs);
  const late = await run(task('[model([slow, b]), retries(0), call_timeout(0.05), on(late, fallback)]'), {
    slow,
    b: model('b'),
  });
  assert.equal(told(late).at(-1), 'answer: b');
  assert.match(told(late)[0], /longer than the 50 ms/);
  const once = model('once', busy);
  const outage = await run(task('[model(once), on(failed, outage)]'), { once });
  assert.equal(once.requests.length, 1);
  assert.match(outage.at(-1).outage, /busy/);
});

test('a streamed turn that does not count is void', async () => {
  const events = await run(
    task('[model(a), on(length, retry)]'),
    { a: model('a', cut('length')) },
    { streaming: true },
  );
  const pieces = events.filter(({ type }) => type === 'stream').map(({ content, void: gone }) => gone ?? content);
  assert.deepEqual(pieces.slice(0, 2), ['length…', true]);
});

test('a program has options for all its tasks, a goal adds to them, and a run has those left over', async () => {
  const a = model('a');
  const code = `:- task_options([model(a), temperature(0.5), max_output_tokens(100)]).
    agent_main :- task("x", V), with_task_options([temperature(0), top_p(0.1)], task("y", V)), task("z", V), answer(V).`;
  assert.equal(told(await run(code, { a }, { topP: 0.9, temperature: 1, maxOutputTokens: 5 })).at(-1), 'answer: a');
  assert.deepEqual(
    a.requests.map(({ model, temperature, maxOutputTokens, topP }) => [model, temperature, maxOutputTokens, topP]),
    [
      ['a', 0.5, 100, 0.9],
      ['a', 0, 100, 0.1],
      ['a', 0.5, 100, 0.9],
    ],
  );
  const b = model('b', cut('length'));
  const events = await run(
    'agent_main :- task("x", V), answer(V).',
    { b, c: model('c') },
    {
      models: ['b', 'c'],
      on: { length: 'fallback' },
    },
  );
  assert.equal(told(events).at(-1), 'answer: c');
});

test('an option that does not exist is an error, in a directive before the program runs', async () => {
  const first = async (code) => told(await run(code, { a: model('a') }))[0];
  assert.match(await first(task('[speed(9)]')), /error: .*domain_error\(task_option,speed\(9\)\)/);
  assert.match(await first(task('[retries(-1)]')), /domain_error\(between\(0,1000\),-1\)/);
  assert.match(await first(task('[on(length, wait)]')), /oneof\(\[retry,fallback,outage\]\)/);
  assert.match(
    await first(':- task_options([speed(9)]).\nagent_main :- answer("x").'),
    /task option expected, found speed\(9\)/,
  );
});

test('options that are out of range are errors of the program, and of a run', async () => {
  for (const option of [
    'retries(99999999999)',
    'max_output_tokens(99999999999999999999999)',
    'call_timeout(1.0e300)',
    'top_p(7)',
    'temperature(X)',
  ]) {
    const code = `agent_main :- X is inf, with_task_options([${option}], task("t", V)), answer(V).`;
    const said = told(await run(code, { a: model('a') }));
    assert.match(said[0], /^error: Runtime error: .*domain_error\(between\(/, option);
    const caught = `agent_main :- X is nan, catch(with_task_options([${option}], true), error(domain_error(_, _), _), answer(caught)).`;
    assert.deepEqual(told(await run(caught, {})), ['answer: caught'], option);
  }
  for (const options of [
    { topP: -1 },
    { maxOutputTokens: 0 },
    { retries: 1001 },
    { callTimeoutMs: 1e12 },
    { temperature: 101 },
  ])
    await assert.rejects(
      run('agent_main :- answer("x").', {}, options),
      new RegExp(`${Object.keys(options)[0]} must be a number from`),
    );
});

test('a replay makes the same events as the run with its retries and fallbacks', async () => {
  const recording = [];
  const code = task('[model([a, b]), retries(1), on(length, retry), on(content_filter, fallback)]');
  const models = { a: model('a', cut('length'), cut('content_filter')), b: model('b') };
  const first = await run(code, models, { record: (entry) => recording.push(entry) });
  assert.equal(told(first).at(-1), 'answer: b');
  assert.deepEqual(await run(code, {}, { replay: recording }), first);
});
