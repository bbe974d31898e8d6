// Runs of workflows as MCP tasks over Streamable HTTP, by the official client of 2025-11-25.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, CreateTaskResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { directory } from '../node/harness.mjs';
import { Serving } from '../support/serve.mjs';

const SHORT = 'language: prolog\nnodes:\n- { name: a, run: "state(n, N), M is N + 1, return(m, M)." }\n';
/** Takes about two seconds. */
const LONG =
  'language: prolog\nnodes:\n- { name: a, run: "get_time(T), repeat, get_time(N), N - T > 2, !, return(m, 1)." }\n';
const ENDLESS = 'language: prolog\nnodes:\n- { name: a, run: "repeat, fail." }\n';
const ASKS = `
language: prolog
nodes:
- { name: draft, run: "return(text, hello)." }
- { name: send, interrupt: before, run: "( state(approved, true) -> return(sent, true) ; return(sent, false) )." }
`;

/** Longer than an unused book stays open here. */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let server;
const folder = directory({});
before(async () => {
  // An unused book is closed soon, but a task uses its book.
  server = await Serving.start(folder, ['--tools', 'workflow', '--idle', '1']);
});
after(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function connected(book, capabilities = {}, sessionId) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/${book}`), { sessionId });
  await client.connect(transport);
  if (!sessionId) await client.listTools();
  return { client, transport };
}

const stream = (client, values) =>
  client.experimental.tasks.callToolStream({ name: 'workflow_run', arguments: values }, undefined, { task: {} });

test('a run is followed as a task to its result', async () => {
  const { client } = await connected('polled');
  const heard = [];
  let result;
  for await (const message of stream(client, { yaml: SHORT, state: { n: 1 } })) {
    heard.push(message.type);
    result = message.result ?? result;
  }
  assert.deepEqual([heard[0], heard.at(-1)], ['taskCreated', 'result']);
  assert.deepEqual(result.structuredContent.state, { m: 2, n: 1 });
  await client.close();
});

test('a task goes on while its client is away, and its session has the result', async () => {
  const { client, transport } = await connected('away');
  const { task } = await client.request(
    { method: 'tools/call', params: { name: 'workflow_run', arguments: { yaml: LONG }, task: {} } },
    CreateTaskResultSchema,
  );
  const { sessionId } = transport;
  await client.close();
  await pause(3_000);
  const again = await connected('away', {}, sessionId);
  const result = await again.client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
  assert.equal(result.structuredContent.state.m, 1);
  // Its result is kept.
  await pause(3_000);
  const { status } = await again.client.experimental.tasks.getTask(task.taskId);
  assert.equal(status, 'completed');
  await again.client.close();
});

test('a task is cancelled', async () => {
  const { client } = await connected('cancelled');
  for await (const message of stream(client, { yaml: ENDLESS }))
    if (message.type === 'taskCreated') {
      const { status } = await client.experimental.tasks.cancelTask(message.task.taskId);
      assert.equal(status, 'cancelled');
    }
  const ran = await client.callTool({ name: 'workflow_run', arguments: { yaml: SHORT, state: { n: 2 } } });
  assert.equal(ran.structuredContent.status, 'ended');
  await client.close();
});

test('a task asks the user', async () => {
  const { client } = await connected('asked', { elicitation: {} });
  const asked = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params._meta['io.modelcontextprotocol/related-task'].taskId);
    return { action: 'accept', content: { go_on: true, state: '{"approved": true}' } };
  });
  let id;
  let result;
  for await (const message of stream(client, { yaml: ASKS })) {
    id ??= message.task?.taskId;
    result = message.result ?? result;
  }
  assert.deepEqual(asked, [id]);
  assert.equal(result.structuredContent.state.sent, true);
  await client.close();
});
