// The toolset `workflow` as used by MCP clients.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { BIN, Server, directory } from '../node/harness.mjs';

const root = directory({});
after(() => rmSync(root, { recursive: true, force: true }));
const book = join(root, 'runs.book');
const ARGS = ['--tools', 'prolog,workflow', '--book', book];

const ASKS = `
name: review
language: prolog
nodes:
- { name: draft, run: "state(who, W), return(text, W), format('drafted~n')." }
- { name: send, interrupt: before, run: "( state(approved, true) -> return(sent, true) ; return(sent, false) )." }
`;

const call = (server, name, values) => server.request('tools/call', { name, arguments: values });

let run;

test('a run waits, and goes on in another process', async () => {
  const first = await Server.start({ args: ARGS });
  const waits = await call(first, 'workflow_run', { yaml: ASKS, state: { who: 'ann' } });
  run = waits.structuredContent.run;
  assert.deepEqual(
    [waits.structuredContent.status, waits.structuredContent.node, waits.structuredContent.state],
    ['waiting', 'send', { text: 'ann', who: 'ann' }],
  );
  assert.match(
    waits.content[0].text,
    /^Run \w+ waits before node 'send'\.\nOutput: drafted\nState: \{"text":"ann","who":"ann"\}\nResume it with workflow_resume/,
  );
  await first.close();

  const second = await Server.start({ args: ARGS });
  const listed = await call(second, 'workflow_runs', {});
  assert.equal(listed.content[0].text, `${run}: waiting at send (review)`);
  const ended = await call(second, 'workflow_resume', { run, state: { approved: true } });
  assert.deepEqual([ended.structuredContent.status, ended.structuredContent.state.sent], ['ended', true]);
  const looked = await call(second, 'workflow_runs', { run });
  assert.match(looked.content[0].text, /Checkpoints: 1 base __start__, 2 node draft, 3 waits send, 4 resumed, /);
  const forked = await call(second, 'workflow_resume', { run, from: 2 });
  assert.equal(forked.structuredContent.status, 'waiting');
  assert.notEqual(forked.structuredContent.run, run);
  await second.close();
});

const USES_BOOK = `
nodes:
- name: decide
  book: true
  run: |
    worth(P, V) :- price(P, N), V is N * 2.
    worth(apple, V), owner(O), assertz(sold(apple, O)), return(worth, V).
- { name: after, language: prolog, run: "( catch(sold(_, _), _, fail) -> return(seen, true) ; return(seen, false) )." }
`;

test('a node uses the rules and the memory of the book, and its changes are one revision together with its record', async () => {
  const server = await Server.start({ args: ['--tools', 'prolog,memory,workflow'] });
  await call(server, 'clauses', {
    operation: 'assert',
    clauses: ['price(apple, 4).', 'owner(N) :- kn_node(_, person, N).'],
  });
  await call(server, 'kn_graph', { action: 'add', type: 'person', name: 'Ada' });
  const sold = async () => {
    const { structuredContent } = await call(server, 'query_start', { query: 'sold(X, Y)', take: 5 });
    return structuredContent.answers?.map(({ bindings }) => bindings) ?? structuredContent.kind;
  };
  const ran = await call(server, 'workflow_run', { yaml: USES_BOOK });
  const { run, status, state } = ran.structuredContent;
  assert.deepEqual([status, state], ['ended', { seen: false, worth: 8 }], ran.content[0].text);
  const written = await sold();
  assert.equal(written.length, 1, JSON.stringify(written));
  const records = async () => {
    const { structuredContent } = await call(server, 'workflow_runs', { run });
    return structuredContent.checkpoints.map((text) => text.replace(/^\d+ /, ''));
  };
  assert.deepEqual(await records(), ['base __start__', 'node decide', 'node after', 'ended']);
  // The records after the change go along with it.
  const undone = await call(server, 'workspace', { operation: 'undo' });
  assert.equal(undone.structuredContent.steps, 1);
  assert.deepEqual(await records(), ['base __start__']);
  await call(server, 'workspace', { operation: 'redo' });
  assert.deepEqual(await records(), ['base __start__', 'node decide', 'node after', 'ended']);
  await call(server, 'workspace', { operation: 'undo' });
  assert.notEqual((await sold()).length, 1, 'undo of the record takes back what the node wrote');
  const resumed = await call(server, 'workflow_resume', { run });
  assert.deepEqual(resumed.structuredContent.state, { seen: false, worth: 8 });
  assert.equal((await sold()).length, 1);
  await server.close();
});

test('the tools that the server serves are the actions of nodes', async () => {
  const server = await Server.start({ args: ['--tools', 'prolog,memory,workflow', '--book', book] });
  const yaml = `
nodes:
- { name: learn, uses: kn_intel, with: { action: learn, content: "{{ state.said }}", type: decision }, output: { kept: "{{ result.stored_as }}" } }
- { name: rule, uses: clauses, with: { operation: assert, clauses: "told(S) :- kn_experience(_, decision, S)." }, output: added }
- { name: look, book: true, run: "told(S), return(remembered, S)." }
- { name: wrong, uses: kn_graph, with: { action: nonsense }, on_error: { mode: graceful } }
`;
  const ended = (await call(server, 'workflow_run', { yaml, state: { said: 'Owls see at night' } })).structuredContent;
  assert.equal(ended.status, 'ended', JSON.stringify(ended));
  assert.deepEqual([ended.state.kept, ended.state.remembered], ['node', 'Owls see at night']);
  assert.match(ended.state.__error__.message, /The action kn_graph failed: .*Unknown action: nonsense/);
  const none = await call(server, 'workflow_run', { yaml: 'nodes:\n- { name: a, uses: kn_grap }\n' });
  assert.match(none.content[0].text, /kn_grap.*kn_graph/s);
  await server.close();
  // A server without these tools gives none to nodes either.
  const small = await Server.start({ args: ['--tools', 'workflow', '--book', book] });
  const refused = await call(small, 'workflow_run', { yaml });
  assert.match(refused.content[0].text, /kn_intel/);
  assert.equal(refused.isError, true);
  await small.close();
});

test('errors say what to do next', async () => {
  const server = await Server.start({ args: ARGS });
  const failed = await call(server, 'workflow_run', {
    yaml: 'language: prolog\nnodes:\n- { name: a, run: "atom_length(X, _)." }\n',
  });
  assert.equal(failed.isError, true);
  assert.match(failed.content[0].text, /failed at node 'a' \(line 1\): Arguments are not sufficiently instantiated/);
  const unread = await call(server, 'workflow_run', { yaml: 'nodes:\n- { nme: a }\n' });
  assert.match(unread.content[0].text, /needs a 'name'.*line 2, column 2/s);
  const { line, column } = unread.structuredContent.error;
  assert.deepEqual([line, column], [2, 2]);
  const unknown = await call(server, 'workflow_resume', { run: 'nope' });
  assert.match(unknown.content[0].text, /There is no run 'nope'\. The latest are: /);
  const departs = await call(server, 'workflow_resume', {
    run: (await call(server, 'workflow_runs', {})).structuredContent.runs.find(({ status }) => status === 'waiting')
      .run,
    yaml: ASKS.replace('drafted', 'changed'),
  });
  assert.match(departs.content[0].text, /The text departs from the run at checkpoint \d+: node 'draft' was changed/);
  await server.close();
});

test('a reply keeps its budget, says what it left out, and gives that on request', async () => {
  const server = await Server.start({ args: ARGS });
  const yaml =
    'language: prolog\nnodes:\n- { name: a, run: "numlist(1, 2000, L), return(list, L), return(n, 2000)." }\n';
  const { content, structuredContent } = await call(server, 'workflow_run', { yaml });
  assert.ok(content[0].text.length < 4_500, `${content[0].text.length} characters`);
  assert.deepEqual([structuredContent.state, Object.keys(structuredContent.left_out)], [{ n: 2000 }, ['list']]);
  assert.match(content[0].text, /Left out: list \(\d+ characters\)\. workflow_runs with `run`, `keys`/);
  const asked = await call(server, 'workflow_runs', { run: structuredContent.run, keys: ['list'], budget: 10_000 });
  assert.equal(asked.structuredContent.state.list.length, 2000);
  await server.close();
});

test('integers beyond 64 bits are exact in the text of a reply, and texts in its data', async () => {
  const server = await Server.start({ args: ARGS });
  const yaml =
    'language: prolog\nnodes:\n- { name: a, run: "X is 2^70, Y is 2^62, return(big, X), return(small, Y)." }\n';
  const { content, structuredContent } = await call(server, 'workflow_run', { yaml });
  const [big, small] = ['1180591620717411303424', '4611686018427387904'];
  assert.ok(content[0].text.includes(`{"big":${big},"small":${small}}`), content[0].text);
  assert.deepEqual(structuredContent.state, { big, small: Number(small) });
  await server.close();
});

test('the user is asked if the client can ask, and progress is reported', async () => {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: {} } },
  );
  const asked = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { go_on: true, state: '{"approved": true}' } };
  });
  const args = [BIN, '--tools', 'workflow'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: {}, cwd: root }));
  const progress = [];
  const ended = await client.callTool(
    { name: 'workflow_run', arguments: { yaml: ASKS, state: { who: 'bob' } } },
    { onprogress: ({ message }) => progress.push(message) },
  );
  assert.deepEqual([ended.structuredContent.status, ended.structuredContent.state.sent], ['ended', true]);
  assert.match(asked[0], /^Run \w+ waits before node 'send'\. Its state: \{"text":"bob","who":"bob"\}$/);
  assert.ok(progress.includes('draft runs'), progress.join());
  await client.close();
});

test('the user has the time that the limit user_ms sets, then the run waits', async () => {
  // A newer client asks its user by itself, after the reply.
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', () => new Promise(() => {}));
  const args = [BIN, '--tools', 'workflow', '--limit', 'user_ms=200'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: {}, cwd: root }));
  const waits = await client.callTool({ name: 'workflow_run', arguments: { yaml: ASKS, state: { who: 'bob' } } });
  assert.equal(waits.structuredContent.status, 'waiting');
  await client.close();
});
