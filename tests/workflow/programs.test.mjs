// DML programs as nodes: in the package, with the command, and over MCP.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { openHornbook } from '../../pkg/node.js';
import { Workflow, WorkflowLoadError } from '../../pkg/workflow.js';
import { BIN, ROOT, Server } from '../node/harness.mjs';

const TOOLS = join(ROOT, 'tests', 'support', 'tool-server.mjs');

const directory = mkdtempSync(join(tmpdir(), 'hornbook-programs-'));
after(() => rmSync(directory, { recursive: true }));

async function lastOf(events) {
  let last;
  for await (const event of events) last = event;
  return last;
}

const YAML = `
nodes:
- name: name
  type: dml
  run: |
    agent_main(Topic) :- output("looks"), task("Name a word for {Topic}.", string(Word)), answer("{Topic}: {Word}").
  output: { said: "{{ result.answer }}", log: "{{ result.output }}" }
- name: length
  language: prolog
  run: state(said, S), atom_length(S, N), return(n, N).
- { name: double, type: dml, with: { n: "{{ state.n }}" }, output: twice, run: "agent_main(N) :- M is N * 2, answer(M)." }
- { name: both, type: dml, run: "agent_main :- param(n, N), answer(N)." }
`;
const TURN = {
  calls: [
    { tool: 'set_result', args: { variable: 'Word', value: 'dusk' } },
    { tool: 'finish', args: { success: true } },
  ],
};
const STATE = { topic: 'evening', said: 'evening: dusk', log: ['looks'], n: 13, twice: '26', answer: '13', output: [] };

test('a program gets the state or parameters, and returns its answer and its output', async () => {
  const dml = await createDeepClause({ model: scriptedModel([TURN]) });
  const workflow = await Workflow.load(YAML, { dml });
  assert.equal(workflow.drawing().nodes[0].does, 'dml');
  assert.deepEqual(await lastOf(workflow.run({ topic: 'evening' })), { type: 'final', state: STATE });
  workflow.close();
  dml.close();
});

test('an error in a program is an error of the node, which on_error handles', async () => {
  const yaml = (code) =>
    `nodes:\n- { name: a, type: dml, run: ${JSON.stringify(code)}, on_error: { mode: graceful } }\n`;
  for (const [code, message] of [
    ['agent_main :- fail.', /^The program was false: agent_main failed\.$/],
    ['agent_main :- X is foo + 1, answer(X).', /foo/],
    ['agent_main :- task("t").', /no language model/],
    ['agent_main :- input("Which?", X), answer(X).', /Nobody answered|Which/],
    ['agent_main :- p(', /Syntax error/],
  ]) {
    const workflow = await Workflow.load(yaml(code));
    const { type, state } = await lastOf(workflow.run());
    assert.equal(type, 'final');
    assert.equal(state.__error__.type, 'dml', code);
    assert.match(state.__error__.message, message);
    workflow.close();
  }
  const misplaced = Workflow.load('nodes:\n- { name: a, type: dml, run: x, language: prolog }\n');
  await assert.rejects(misplaced, (error) => {
    assert.ok(error instanceof WorkflowLoadError);
    assert.match(error.message, /^line 2, column 42: 'language' of node 'a' has no meaning there/);
    return true;
  });
});

test('hornbook flow accepts the models of programs', async () => {
  writeFileSync(join(directory, 'flow.yaml'), YAML);
  writeFileSync(join(directory, 'turns.json'), JSON.stringify([TURN]));
  const { code, stdout, stderr } = await new Promise((resolve) => {
    const args = [BIN, 'flow', 'flow.yaml', '--state', 'topic=evening', '--script', 'turns.json'];
    execFile(process.execPath, args, { cwd: directory }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), STATE);
});

const NAMED = `
nodes:
- { name: say, type: dml, uses: programs/say.dml, with: { what: "{{ state.what }}" }, output: said }
- { name: more, interrupt: before, type: dml, uses: programs/say.dml, with: { what: more }, output: more }
`;
const SAY = 'agent_main(What) :- answer("said {What}").';

const flow = (...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [BIN, 'flow', ...args], { cwd: directory }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });

test('a node names a program, whose text is supplied separately, kept with the run, and part of what the run is pinned to', async () => {
  const { hornbook, close } = await openHornbook(
    { tools: ['prolog', 'workflow'] },
    () => {},
    join(directory, 'runs.book'),
  );
  const load = (say) => Workflow.load(NAMED, { book: hornbook, files: { 'programs/say.dml': say } });
  const first = await load(SAY);
  const waits = await lastOf(first.run({ what: 'one' }, { run: 'r' }));
  assert.deepEqual([waits.type, waits.state.said], ['interrupt', 'said one']);
  first.close();
  assert.deepEqual(hornbook.runs().files('r'), { 'programs/say.dml': SAY });
  const changed = await load(SAY.replace('said', 'cried'));
  await assert.rejects(lastOf(changed.resume('r')), /departs from the run at checkpoint \d+: node 'say' was changed/);
  changed.close();
  const same = await Workflow.load(hornbook.runs().text('r'), {
    book: hornbook,
    files: async (name) => hornbook.runs().files('r')[name],
  });
  const ended = await lastOf(same.resume('r'));
  assert.deepEqual([ended.type, ended.state.more], ['final', 'said more']);
  same.close();
  await hornbook.runs().forget('r');
  await close();
  await assert.rejects(Workflow.load(NAMED), (error) => {
    assert.ok(error instanceof WorkflowLoadError);
    assert.match(
      error.message,
      /^line 3, column 32: Node 'say' uses the program 'programs\/say\.dml', which was not given/,
    );
    return true;
  });
});

test('hornbook flow reads the programs beside its file, and resumes without it', async () => {
  const work = join(directory, 'named');
  mkdirSync(join(work, 'programs'), { recursive: true });
  writeFileSync(join(work, 'named.yaml'), NAMED);
  const missing = await flow('named/named.yaml');
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^named\/named\.yaml:3:32: .*say\.dml cannot be read: there is no such file/);
  writeFileSync(join(work, 'programs', 'say.dml'), SAY);
  const waits = await flow('named/named.yaml', '--state', 'what=two', '--book', 'named.book');
  assert.deepEqual([waits.code, JSON.parse(waits.stdout).said], [1, 'said two'], waits.stderr);
  const [, run] = /^run (\w+)$/m.exec(waits.stderr);
  rmSync(work, { recursive: true });
  const ended = await flow('--book', 'named.book', '--resume', run);
  assert.deepEqual([ended.code, JSON.parse(ended.stdout).more], [0, 'said more'], ended.stderr);
});

test('hornbook flow accepts several models, and the tools of other servers, as hornbook run does', async () => {
  const asked = [];
  const provider = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { model } = JSON.parse(body);
    asked.push(model);
    if (model === 'first') return void response.writeHead(401).end('{"error":{"message":"no"}}');
    const value = { variable: model === 'second' ? 'V' : 'W', value: `${model} says so` };
    const calls = Object.entries({ set_result: value, finish: { success: true } }).map(([name, args]) => ({
      ...{ id: name, type: 'function', function: { name, arguments: JSON.stringify(args) } },
    }));
    const message = { role: 'assistant', content: null, tool_calls: calls };
    const reply = { id: '1', created: 0, model, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve));
  writeFileSync(
    join(directory, 'both.yaml'),
    `nodes:
- { name: add, uses: tools.add, with: { a: 1, b: 2 }, output: { sum: "{{ result.sum }}" } }
- name: ask
  type: dml
  run: |
    agent_main :- exec(tools_add(a: 40, b: 2), R), get_dict(sum, R, Sum), task("t", V), with_model(other, task("u", W)),
        answer("{Sum} {V}, {W}").
  output: said
`,
  );
  const server = { command: process.execPath, args: [TOOLS, '--log', join(directory, 'tools.log')] };
  writeFileSync(join(directory, 'mcp.json'), JSON.stringify({ mcpServers: { tools: server } }));
  const models = ['openai-compatible/first', 'openai-compatible/second', 'other=openai-compatible/third'];
  const url = `http://127.0.0.1:${provider.address().port}`;
  const options = models.flatMap((model) => ['--model', model]);
  const { code, stdout, stderr } = await flow('both.yaml', '--mcp', 'mcp.json', ...options, '--base-url', url);
  provider.close();
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { sum: 3, said: '42 second says so, third says so' });
  assert.deepEqual(asked, ['first', 'second', 'third']);
  const started = readFileSync(join(directory, 'tools.log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('start'));
  assert.equal(started.length, 1, 'programs and actions use the same server');
  const two = await flow('both.yaml', '--model', 'a/b', '--script', 'x');
  assert.match(two.stderr, /--model and --script cannot be combined/);
});

test('over MCP they run if the tools of DML are served', async () => {
  const yaml =
    'nodes:\n- { name: a, type: dml, run: "agent_main :- param(n, N), M is N + 1, answer(M).", output: m }\n';
  const call = (server) => server.request('tools/call', { name: 'workflow_run', arguments: { yaml, state: { n: 1 } } });
  const server = await Server.start({ args: ['--tools', 'prolog,dml,workflow'] });
  const { structuredContent } = await call(server);
  assert.deepEqual([structuredContent.status, structuredContent.state], ['ended', { n: 1, m: '2' }]);
  const named = 'nodes:\n- { name: a, type: dml, uses: one.dml, output: m }\n';
  const files = { 'one.dml': 'agent_main :- answer("one").' };
  const given = await server.request('tools/call', { name: 'workflow_run', arguments: { yaml: named, files } });
  assert.deepEqual(given.structuredContent.state, { m: 'one' });
  const missing = await server.request('tools/call', { name: 'workflow_run', arguments: { yaml: named } });
  assert.match(missing.content[0].text, /uses the program 'one\.dml', which was not given/);
  await server.close();
  const without = await Server.start({ args: ['--tools', 'workflow'] });
  const refused = await call(without);
  assert.match(
    refused.content[0].text,
    /Node 'a' is a DML program, and this server runs none: serve the tool set dml as well/,
  );
  await without.close();
});
