// The adapters for language models: the AI SDK, versions 6 and 7, against a provider on the loopback and its own mock
// models; and models that only complete text.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import * as sdk7 from 'ai';
import * as sdk6 from 'ai6';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { MockLanguageModelV3 } from 'ai6/test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenAICompatible as createOpenAICompatible6 } from 'openai-compatible-6';
import { aiModel, chromeModel, createDeepClause } from '../../pkg/dml.js';
import { eventsOf } from '../node/harness.mjs';

const dml = await createDeepClause();
after(() => dml.close());

const run = (code, options) => eventsOf(dml, code, options);
const answer = (events) => events.find(({ type }) => type === 'answer')?.content;

const PROGRAM = `
  tool(double(X, Y), "Doubles a number") :- number_string(N, X), Y is 2*N.
  agent_main :- system("Be exact."), task("Double 21", integer(N)), answer("{N}").`;

/** A provider like OpenAI's chat completions: turns are `{text, calls}` or a status. */
async function provider(turns) {
  const requests = [];
  const keys = [];
  const server = createServer(async (request, response) => {
    keys.push(request.headers.authorization);
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = JSON.parse(body);
    const turn = turns[requests.length] ?? 500;
    requests.push(asked);
    if (typeof turn === 'number') {
      response
        .writeHead(turn, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: 'overloaded' } }));
      return;
    }
    const calls = (turn.calls ?? []).map(({ tool, args }, index) => ({
      index,
      id: `call-${requests.length}-${index}`,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(args) },
    }));
    const usage = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };
    const head = { id: 'x', created: 1, model: 'm' };
    if (!asked.stream) {
      const message = { role: 'assistant', content: turn.text ?? null, tool_calls: calls.length ? calls : undefined };
      const choices = [{ index: 0, message, finish_reason: calls.length ? 'tool_calls' : 'stop' }];
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (delta, finish_reason = null, more = {}) =>
      response.write(
        `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`,
      );
    for (const piece of turn.text?.match(/.{1,4}/gs) ?? []) chunk({ role: 'assistant', content: piece });
    if (calls.length) chunk({ role: 'assistant', tool_calls: calls });
    chunk({}, calls.length ? 'tool_calls' : 'stop', { usage });
    response.end('data: [DONE]\n\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return { requests, keys, baseURL: `http://127.0.0.1:${server.address().port}/v1` };
}

const TURNS = [
  { text: 'I use the tool.', calls: [{ tool: 'double', args: { arg1: '21' } }] },
  {
    calls: [
      { tool: 'set_result', args: { variable: 'N', value: 42 } },
      { tool: 'finish', args: { success: true } },
    ],
  },
];

test('a model by name, with the key for its provider', async () => {
  const { requests, keys, baseURL } = await provider(TURNS);
  const named = await createDeepClause({ model: 'openai-compatible/m', apiKey: 'secret', baseURL });
  assert.equal(answer(await eventsOf(named, PROGRAM)), '42');
  assert.deepEqual([requests[0].model, keys], ['m', ['Bearer secret', 'Bearer secret']]);
  named.close();
});

test('an unknown name, a provider that is not installed, and a key without a name are reported at once', async () => {
  await assert.rejects(createDeepClause({ model: 'what' }), /whose model is 'what'\? Write PROVIDER\/MODEL/);
  await assert.rejects(createDeepClause({ model: 'claude-x' }), /claude-x needs @ai-sdk\/anthropic: npm install/);
  await assert.rejects(createDeepClause({ apiKey: 'secret' }), /a model that is given by its name/);
});

for (const [version, sdk, create] of [
  [7, sdk7, createOpenAICompatible],
  [6, sdk6, createOpenAICompatible6],
]) {
  test(`ai ${version}: a task goes through a provider over HTTP, with tools, results and usage`, async () => {
    const { requests, baseURL } = await provider(TURNS);
    const events = await run(PROGRAM, { model: aiModel(create({ name: 'local', baseURL })('m'), sdk) });
    assert.equal(answer(events), '42', JSON.stringify(events));
    assert.deepEqual(
      events.filter(({ type }) => type === 'usage').map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens]),
      [
        [10, 3],
        [10, 3],
      ],
    );
    const [first, second] = requests;
    assert.match(first.messages[0].content, /^Be exact\./);
    assert.equal(first.messages[0].role, 'system');
    assert.deepEqual(
      first.tools.map((tool) => tool.function.name),
      ['finish', 'set_result', 'ask_user', 'double'],
    );
    assert.deepEqual(
      second.messages.slice(-2).map(({ role }) => role),
      ['assistant', 'tool'],
    );
    assert.equal(second.messages.at(-1).content, '{"result":42}');
  });

  test(`ai ${version}: streamed text arrives in pieces`, async () => {
    const { baseURL } = await provider(TURNS);
    const events = await run(PROGRAM, {
      model: aiModel(create({ name: 'local', baseURL })('m'), sdk),
      streaming: true,
    });
    const pieces = events.filter(({ type }) => type === 'stream').map(({ content }) => content);
    assert.equal(pieces.join(''), 'I use the tool.');
    assert.ok(pieces.length > 2, JSON.stringify(pieces));
    assert.equal(answer(events), '42');
  });

  test(`ai ${version}: transient errors are retried, and permanent ones are reported`, async () => {
    const transient = await provider([503, ...TURNS]);
    const events = await run(PROGRAM, {
      model: aiModel(create({ name: 'local', baseURL: transient.baseURL })('m'), sdk),
    });
    assert.match(events.find(({ type }) => type === 'log').content, /tried again: overloaded/);
    assert.equal(answer(events), '42');
    const lasting = await provider([400]);
    const failed = await run(PROGRAM, {
      model: aiModel(create({ name: 'local', baseURL: lasting.baseURL })('m'), sdk),
    });
    assert.equal(lasting.requests.length, 1);
    assert.deepEqual(
      failed.map(({ type }) => type),
      ['log', 'finished'],
    );
    assert.match(failed[0].content, /The task failed: the model failed: overloaded/);
  });
}

const finish = { type: 'tool-call', toolCallId: '1', toolName: 'finish', input: '{"success":true}' };
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 2 } };
const MOCKS = [
  [7, sdk7, MockLanguageModelV4],
  [6, sdk6, MockLanguageModelV3],
];

for (const [version, sdk, Mock] of MOCKS) {
  test(`ai ${version}: its own mock model, whole and in pieces`, async () => {
    const model = new Mock({
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'hello' }, finish],
        finishReason: { unified: 'tool-calls' },
        usage,
        warnings: [],
      }),
      doStream: async () => ({
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'hel' },
            { type: 'text-delta', id: 't', delta: 'lo' },
            { type: 'text-end', id: 't' },
            finish,
            { type: 'finish', finishReason: { unified: 'tool-calls' }, usage },
          ],
        }),
      }),
    });
    const code = 'agent_main :- task("Say hello"), answer(ok).';
    const whole = await run(code, { model: aiModel(model, sdk) });
    assert.deepEqual(
      whole.filter(({ type }) => type !== 'usage').map(({ content }) => content),
      ['hello', 'ok', undefined],
    );
    const pieces = await run(code, { model: aiModel(model, sdk), streaming: true });
    assert.deepEqual(
      pieces.filter(({ type }) => type === 'stream').map(({ content }) => content),
      ['hel', 'lo', ''],
    );
    assert.equal(pieces.at(-1).usage.outputTokens, 2);
  });
}

test('the model built into Chrome gets a description of the tools, and is asked for JSON', async () => {
  const asked = [];
  const replies = [
    '{"text": "", "calls": [{"tool": "double", "args": {"arg1": "21"}}]}',
    'Here it is: {"text": "done", "calls": [{"tool": "set_result", "args": {"variable": "N", "value": 42}}, {"tool": "finish", "args": {"success": true}}]}',
  ];
  let open = 0;
  const api = {
    availability: async () => 'available',
    async create({ initialPrompts }) {
      open += 1;
      return {
        async prompt(input, { responseConstraint }) {
          asked.push({ initialPrompts, input, responseConstraint });
          return replies.shift();
        },
        destroy: () => (open -= 1),
      };
    },
  };
  const events = await run(PROGRAM, { model: chromeModel(api) });
  assert.equal(answer(events), '42');
  assert.equal(open, 0);
  assert.match(
    asked[0].initialPrompts[0].content,
    /Be exact\.[\s\S]*Reply with one JSON object[\s\S]*- double: Doubles a number/,
  );
  assert.deepEqual(asked[0].responseConstraint.properties.calls.items.properties.tool.enum, [
    'finish',
    'set_result',
    'ask_user',
    'double',
  ]);
  assert.equal(asked[1].input[0].content, 'Result of double: {"result":42}');
});

test('a browser without a built-in model gives an error that says so', async () => {
  const [log] = await run('agent_main :- task("t").', { model: chromeModel() });
  assert.match(log.content, /this browser has no built-in language model/);
});
