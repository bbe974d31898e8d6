// Programs against a provider on the loopback that misbehaves in every way that providers do.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import * as sdk from 'ai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiModel, createDeepClause } from '../../pkg/dml.js';

const dml = await createDeepClause();
after(() => dml.close());

const HEAD = { id: 'x', created: 1, model: 'm' };
const json = (response, status, body, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const called = (...calls) =>
  calls.map(([name, args], index) => ({
    index,
    id: `c${index}`,
    type: 'function',
    function: { name, arguments: args },
  }));
const FINISH = called(['finish', '{"success":true}']);
const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A turn with these calls, whole or streamed, as the request wants it. */
const turn =
  (calls, { text, reason = 'tool_calls' } = {}) =>
  (response, { stream }) => {
    if (!stream) {
      const message = { role: 'assistant', content: text ?? null, tool_calls: calls };
      return json(response, 200, { ...HEAD, choices: [{ index: 0, message, finish_reason: reason }] });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (text) response.write(chunk({ role: 'assistant', content: text }));
    if (calls) response.write(chunk({ role: 'assistant', tool_calls: calls }));
    response.end(`${chunk({}, reason)}data: [DONE]\n\n`);
  };
const ok = turn(FINISH);
const status = (code, headers) => (response) => json(response, code, { error: { message: `no ${code}` } }, headers);
const body = (type, text) => (response) => response.writeHead(200, { 'content-type': type }).end(text);
const stream = (end) => (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: 'first' }), () => end(response));
};

const CODE =
  'agent_main :- catch(( task("t") -> answer("yes") ; answer("no") ), error(model_error(Kind, _), _), answer(Kind)).';

/** Run a program against a provider that gives these replies in order, the last one for ever. */
async function run(replies, options = {}) {
  let requests = 0;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const reply = replies[Math.min(requests, replies.length - 1)];
    requests += 1;
    reply(response, JSON.parse(text));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${server.address().port}/v1`;
  const model = aiModel(createOpenAICompatible({ name: 't', baseURL })('m'), sdk);
  const events = [];
  try {
    for await (const event of dml.runDML(CODE, { model, onUserInput: null, retryPauseMs: 1, ...options }))
      events.push(event);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return { requests, events, answer: events.find(({ type }) => type === 'answer')?.content };
}

for (const [name, reply] of [
  ['500', status(500)],
  ['429', status(429)],
  ['a lost connection', (response) => response.destroy()],
  ['a body that is not JSON', body('application/json', '{"id": ')],
  ['the page of a gateway', body('text/html', '<html>Bad gateway</html>')],
  ['a body without a message', (response) => json(response, 200, { ...HEAD, choices: [] })],
]) {
  test(`${name}, once, is recovered from`, async () => {
    const { requests, answer } = await run([reply, ok]);
    assert.deepEqual([requests, answer], [2, 'yes']);
  });
}

for (const [name, end] of [
  ['cut by the socket', (response) => response.destroy()],
  ['that ends early', (response) => response.end()],
  ['that becomes garbage', (response) => response.end('data: {"id": \n\n')],
]) {
  test(`a stream ${name} is tried again, and its first text is void`, async () => {
    const { requests, answer, events } = await run([stream(end), turn(FINISH, { text: 'second' })], {
      streaming: true,
    });
    assert.deepEqual([requests, answer], [2, 'yes']);
    const told = events
      .filter(({ type }) => type === 'stream')
      .map(({ content, done, void: gone }) => gone ?? (content || done));
    assert.deepEqual(told, ['first', true, 'second', true]);
    assert.equal(events.filter((event) => event.void).length, 1);
  });
}

test('what never recovers is an outage, after as many tries as are set', async () => {
  for (const [reply, kind] of [
    [status(500), 'failed'],
    [status(429), 'failed'],
    [body('text/html', '<html>'), 'failed'],
    [() => {}, 'late'],
  ]) {
    const { requests, answer } = await run([reply], { retries: 2, callTimeoutMs: 2000 });
    assert.deepEqual([requests, answer], [3, kind]);
  }
});

test('a request that is refused is not tried again', async () => {
  const bad = await run([status(400)]);
  assert.deepEqual([bad.requests, bad.answer], [1, 'failed']);
  const key = await run([status(401)]);
  assert.deepEqual([key.requests, key.answer], [1, 'unreachable']);
});

test('Retry-After is kept: a wait that the run does not outlast is not begun', async () => {
  const soon = await run([status(429, { 'retry-after': '0' }), ok]);
  assert.deepEqual([soon.requests, soon.answer], [2, 'yes']);
  const late = await run([status(429, { 'retry-after': '3600' }), ok], { timeoutMs: 60_000 });
  assert.deepEqual([late.requests, late.answer], [1, 'failed']);
});

test('a call that makes no sense goes back to the model', async () => {
  for (const calls of [called(['nope', '{}']), called(['finish', '{"success":"maybe"}'])]) {
    const { requests, answer } = await run([turn(calls), ok]);
    assert.deepEqual([requests, answer], [2, 'yes']);
  }
});

test('a model that never finishes is an outage of its own kind', async () => {
  assert.equal((await run([turn(called(['nope', '{}']))])).answer, 'unfinished');
  assert.equal((await run([turn(undefined, { text: 'a', reason: 'length' })])).answer, 'length');
  assert.equal((await run([turn(undefined, { text: 'a', reason: 'content_filter' })])).answer, 'content_filter');
});
