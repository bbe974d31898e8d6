// Tools as actions of workflows: those of the book, and those of another MCP server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openHornbook } from '../../pkg/node.js';
import { bookActions, clientActions, Workflow } from '../../pkg/workflow.js';
import { BIN } from '../node/harness.mjs';

async function lastOf(events) {
  let last;
  for await (const event of events) last = event;
  return last;
}

test("the book's tools and the memory's are actions", async () => {
  const { hornbook, close } = await openHornbook({ tools: ['prolog', 'memory'] }, () => {});
  const actions = await bookActions(hornbook);
  assert.ok(['clauses', 'query_start', 'kn_graph', 'kn_intel'].every((name) => name in actions));
  const workflow = await Workflow.load(
    `
nodes:
- { name: learn, uses: kn_graph, with: { action: add, type: person, name: "{{ state.who }}" }, output: learned }
- { name: rule, uses: clauses, with: { operation: assert, clauses: "known(N) :- kn_node(_, person, N)." }, output: ruled }
- { name: ask, uses: query_start, with: { query: "known(X)", take: 1 }, output: { answers: "{{ result.answers }}" } }
- { name: wrong, uses: kn_graph, with: { action: nonsense }, on_error: { mode: graceful } }
`,
    { book: hornbook, actions },
  );
  const { state } = await lastOf(workflow.run({ who: 'Ada' }));
  assert.match(JSON.stringify(state.answers), /Ada/);
  assert.match(state.__error__.message, /The action kn_graph failed: .*nonsense/s);
  workflow.close();
  await close();
});

test('the tools of another server are actions, and get the key of the attempt', async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN] }));
  const calls = [];
  const recording = {
    listTools: (params) => client.listTools(params),
    callTool: (params) => {
      calls.push(params);
      return client.callTool(params);
    },
  };
  const actions = await clientActions('other', recording);
  const workflow = await Workflow.load(
    'nodes:\n- { name: tell, uses: other.clauses, with: { operation: assert, clauses: "p(1)." }, output: done }\n',
    { actions },
  );
  const last = await lastOf(workflow.run({}, { run: 'r' }));
  assert.equal(last.type, 'final', JSON.stringify(last));
  assert.deepEqual(
    calls.map(({ name, _meta }) => [name, _meta]),
    [['clauses', { 'hornbook/idempotency-key': 'r/tell/1' }]],
  );
  workflow.close();
  await client.close();
});
