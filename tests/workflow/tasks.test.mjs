// Runs of workflows as MCP tasks, in both eras, by the official clients.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { BIN, directory } from '../node/harness.mjs';

const root = directory({});
after(() => rmSync(root, { recursive: true, force: true }));
const server = (book) => ({
  command: process.execPath,
  args: [BIN, '--tools', 'workflow', '--book', join(root, book)],
  env: {},
  cwd: root,
});
const INFO = { name: 'test', version: '1' };

const SHORT = 'language: prolog\nnodes:\n- { name: a, run: "state(n, N), M is N + 1, return(m, M)." }\n';
const WRONG = 'language: prolog\nnodes:\n- { name: a, run: "atom_length(_, _)." }\n';
const ENDLESS = 'language: prolog\nnodes:\n- { name: a, run: "repeat, fail." }\n';
const ASKS = `
language: prolog
nodes:
- { name: draft, run: "return(text, hello)." }
- { name: send, interrupt: before, run: "( state(approved, true) -> return(sent, true) ; return(sent, false) )." }
`;
const YES = { action: 'accept', content: { go_on: true, state: '{"approved": true}' } };

async function legacy(book, capabilities = {}) {
  const client = new LegacyClient(INFO, { capabilities });
  await client.connect(new LegacyTransport(server(book)));
  await client.listTools();
  return client;
}

const stream = (client, values) =>
  client.experimental.tasks.callToolStream({ name: 'workflow_run', arguments: values }, undefined, { task: {} });

test('a client of 2025-11-25 follows a run as a task to its result', async () => {
  const client = await legacy('polled.book');
  const support = (await client.listTools()).tools.map(({ name, execution }) => [name, execution?.taskSupport]);
  assert.deepEqual(Object.fromEntries(support), {
    workflow_run: 'optional',
    workflow_resume: 'optional',
    workflow_runs: undefined,
    help: undefined,
  });
  const heard = [];
  let result;
  for await (const message of stream(client, { yaml: SHORT, state: { n: 1 } })) {
    heard.push(message.type);
    result = message.result ?? result;
  }
  assert.deepEqual([heard[0], heard[1], heard.at(-1)], ['taskCreated', 'taskStatus', 'result']);
  assert.deepEqual(result.structuredContent.state, { m: 2, n: 1 });
  const { tasks } = await client.experimental.tasks.listTasks();
  assert.deepEqual(
    tasks.map(({ status }) => status),
    ['completed'],
  );
  await client.close();
});

test('a task whose run fails says why', async () => {
  const client = await legacy('failed.book');
  let id;
  for await (const message of stream(client, { yaml: WRONG })) id = message.task?.taskId ?? id;
  const { status, statusMessage } = await client.experimental.tasks.getTask(id);
  assert.equal(status, 'failed');
  assert.match(statusMessage, /failed at node 'a' \(line 1\)/);
  const result = await client.experimental.tasks.getTaskResult(id, CallToolResultSchema);
  assert.equal(result.isError, true);
  await client.close();
});

test('a cancelled task ends its run, which can be resumed', async () => {
  const client = await legacy('cancelled.book');
  const heard = [];
  for await (const message of stream(client, { yaml: ENDLESS })) {
    heard.push(message.type);
    if (message.type === 'taskCreated') {
      const { status } = await client.experimental.tasks.cancelTask(message.task.taskId);
      assert.equal(status, 'cancelled');
    }
  }
  assert.equal(heard.at(-1), 'error');
  const { structuredContent } = await client.callTool({ name: 'workflow_runs', arguments: {} });
  // The cancellation may come before the run has a record; a run that has one can be resumed.
  assert.ok(
    structuredContent.runs.every(({ status }) => status === 'interrupted'),
    JSON.stringify(structuredContent.runs),
  );
  // The server has its engine again.
  const { structuredContent: ran } = await client.callTool({
    name: 'workflow_run',
    arguments: { yaml: SHORT, state: { n: 2 } },
  });
  assert.equal(ran.status, 'ended');
  await client.close();
});

test('a task asks the user, and its status says that it is waiting', async () => {
  const client = await legacy('asked.book', { elicitation: {} });
  let id;
  const asked = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const { status } = await client.experimental.tasks.getTask(id);
    asked.push([params._meta['io.modelcontextprotocol/related-task'].taskId === id, status]);
    return YES;
  });
  let result;
  for await (const message of stream(client, { yaml: ASKS })) {
    id ??= message.task?.taskId;
    result = message.result ?? result;
  }
  assert.deepEqual(asked, [[true, 'input_required']]);
  assert.equal(result.structuredContent.state.sent, true);
  await client.close();
});

/** A client of 2026-07-28 and its session of tasks, which sends what the client's own codec does not know. */
async function modern(book) {
  const capabilities = { elicitation: {} };
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' }, capabilities });
  const transport = new StdioClientTransport(server(book));
  await client.connect(transport);
  assert.equal(client.getProtocolEra(), 'modern');
  const waiting = new Map();
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const take = waiting.get(message.id);
    waiting.delete(message.id);
    return take ? take(message) : deliver(message, extra);
  };
  let last = 0;
  const rawDispatch = (request) =>
    new Promise((resolve) => {
      last += 1;
      const id = `raw-${last}`;
      waiting.set(id, ({ result, error }) => resolve(error ? { kind: 'error', error } : { kind: 'result', result }));
      void transport.send({ jsonrpc: '2.0', id, ...request });
    });
  const asked = [];
  const session = createTaskSessionFromClient(client, {
    endpointId: 'hornbook',
    rawDispatch,
    v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo: INFO, clientCapabilities: capabilities },
    onInputRequest: async ({ params }) => {
      asked.push(params.message);
      return YES;
    },
  });
  const close = async () => {
    await session.close();
    await client.close();
  };
  return { client, session, asked, close };
}

test('a client of 2026-07-28 that declares the extension gets a task, and its result', async () => {
  const { session, asked, close } = await modern('modern.book');
  const execution = await session.callTool('workflow_run', { yaml: SHORT, state: { n: 1 } });
  assert.equal(execution.kind, 'task');
  const ended = resultFromTaskOutcome((await execution.settle()).outcome);
  assert.deepEqual(ended.structuredContent.state, { m: 2, n: 1 });
  const other = await session.callTool('workflow_run', { yaml: ASKS });
  const sent = resultFromTaskOutcome((await other.settle()).outcome);
  assert.equal(sent.structuredContent.state.sent, true);
  assert.match(asked[0], /^Run \w+ waits before node 'send'/);
  const looked = await session.callTool('workflow_runs', {});
  assert.equal(looked.kind, 'immediate');
  await close();
});

test('a task of 2026-07-28 is cancelled', async () => {
  const { client, session, close } = await modern('modern-cancelled.book');
  const execution = await session.callTool('workflow_run', { yaml: ENDLESS });
  await execution.cancel();
  const { outcome } = await execution.settle();
  assert.equal(outcome.status, 'cancelled');
  // Without the extension the client waits, as before.
  const arguments_ = { yaml: SHORT, state: { n: 1 } };
  const { structuredContent } = await client.callTool({ name: 'workflow_run', arguments: arguments_ });
  assert.equal(structuredContent.status, 'ended');
  await close();
});
