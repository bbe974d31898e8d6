// DML from JavaScript: what cases as data (tests/cases/dml.mjs) cannot express.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { eventsOf } from '../node/harness.mjs';

const dml = await createDeepClause();
after(() => dml.close());

const run = (code, options) => eventsOf(dml, code, options);

const finish = { calls: [{ tool: 'finish', args: { success: true } }] };

test('the value sent back for input_required is the answer of the user', async () => {
  const events = dml.runDML('agent_main :- wait_for_input("who?", A), answer(A).');
  assert.deepEqual((await events.next()).value, { type: 'input_required', prompt: 'who?' });
  assert.deepEqual((await events.next('Ann')).value, { type: 'answer', content: 'Ann' });
  await events.return();
});

test('a program that does not stop is stopped', async () => {
  const events = await run('agent_main :- catch((repeat, fail), _, answer(no)).', { stepTimeoutMs: 500 });
  assert.equal(events.length, 1);
  assert.match(events[0].content, /computed longer than/);
});

test('an abort ends a program, and the loop over its events', async () => {
  const controller = new AbortController();
  const events = dml.runDML('agent_main :- yield(a), repeat, fail.', { signal: controller.signal });
  assert.equal((await events.next()).value.content, 'a');
  const next = events.next();
  controller.abort();
  assert.deepEqual((await next).value, { type: 'error', content: 'Execution aborted.' });
  assert.equal((await events.next()).done, true);
});

test('a tool result that JSON cannot hold is a failure of the tool', async () => {
  dml.registerTool('big', { execute: () => ({ n: 1n }) });
  dml.registerTool('code', { execute: () => () => 1 });
  const events = await run('agent_main :- member(T, [big, code]), exec(T, _), answer(T).\nagent_main :- answer(none).');
  const logs = events.filter(({ type }) => type === 'log').map(({ content }) => content);
  assert.match(logs[0], /The tool big failed: .*BigInt/);
  assert.match(logs[1], /The tool code failed: its result is not what JSON can hold/);
  assert.equal(events.at(-2).content, 'none');
});

test('text from a tool, an error or a model is never code', async () => {
  const attack = '"),assertz(pwned(yes)),x("{topic}\\")).';
  dml.registerTool('bad', { execute: () => Promise.reject(new Error(attack)) });
  dml.registerTool('text', { execute: () => attack });
  const model = scriptedModel([
    { calls: [{ tool: 'set_result', args: { variable: 'V', value: attack } }, ...finish.calls] },
  ]);
  const code = `
    agent_main :- ignore(exec(bad, _)), exec(text, R), task("t", V), R == V,
      ( catch(pwned(_), _, fail) -> answer(pwned) ; answer("{V}") ).`;
  const events = await run(code, { model, params: { topic: 'SECRET' } });
  assert.equal(events.find(({ type }) => type === 'answer').content, attack);
});

test('the text of a model comes in pieces on request', async () => {
  const model = {
    async turn({ streaming }, { onText }) {
      assert.equal(streaming, true);
      onText('a');
      await new Promise((resolve) => setTimeout(resolve, 5));
      onText('b');
      return { text: 'ab', ...finish };
    },
  };
  const events = await run('agent_main :- task("t"), answer(ok).', { model, streaming: true });
  const streamed = events.filter(({ type }) => type === 'stream').map(({ content, done }) => [content, done]);
  assert.deepEqual(streamed, [
    ['a', false],
    ['b', false],
    ['', true],
  ]);
});

test('invalid options give errors that say so', async () => {
  await assert.rejects(run('agent_main.', { gaslimit: 5 }), /there is no option `gaslimit`; did you mean `gasLimit`\?/);
  assert.throws(() => dml.setToolPolicy({ mode: 'some', tools: [] }), /a tool policy: unknown variant `some`/);
});

test('recursion can be as deep as in Prolog', async () => {
  const code = `
    len([], 0).
    len([_|T], N) :- len(T, M), N is M+1.
    agent_main :- numlist(1, 1000000, L), len(L, N), answer(N).`;
  assert.equal((await run(code))[0].content, '1000000');
});

test('an unknown option is an error that names the one that was meant', async () => {
  await assert.rejects(createDeepClause({ modle: {} }), {
    message: 'there is no option `modle`; did you mean `model`?',
  });
  await assert.rejects(run('agent_main.', { maxTurn: 3 }), {
    message: 'there is no option `maxTurn`; did you mean `maxTurns`?',
  });
  await assert.rejects(run('agent_main.', { colour: 'red' }), {
    message: /^there is no option `colour`; the options are: params, args, name, streaming, /,
  });
});
