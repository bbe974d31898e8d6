// Tools of other MCP servers, from a configuration in the form that hosts use: in workflows and in programs, over both
// transports.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { Workflow, WorkflowLoadError } from '../../pkg/workflow.js';
import { BIN } from '../support/stdio.mjs';

const SERVER = fileURLToPath(new URL('../support/tool-server.mjs', import.meta.url));
const ODD = fileURLToPath(new URL('../support/odd-server.mjs', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'hornbook-servers-'));
let http;
let url;
before(async () => {
  http = spawn(process.execPath, [SERVER, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(http.stdout, 'data');
  url = `http://127.0.0.1:${String(port).trim()}/mcp`;
});
after(() => {
  http.kill();
  rmSync(directory, { recursive: true });
});

let logs = 0;
/** A server on standard input and output, and what happened to it. */
function local(options = {}) {
  logs += 1;
  const log = join(directory, `${logs}.log`);
  const server = { command: process.execPath, args: [SERVER, '--log', log], ...options };
  const lines = () => {
    try {
      return readFileSync(log, 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  return { server, lines };
}

async function lastOf(events) {
  let last;
  for await (const event of events) last = event;
  return last;
}

async function ended(lines) {
  const deadline = Date.now() + 10_000;
  while (!lines().includes('end') && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(lines().includes('end'), `the server was not ended: ${lines()}`);
}

test('a result that is longer than can be read names the tool, the server and the limit', async () => {
  const mcpServers = { odd: { command: process.execPath, args: [ODD, '--long'] } };
  const workflow = await Workflow.load('nodes: [{ name: get, uses: odd.file }]', { mcpServers });
  const { type, error } = await lastOf(workflow.run());
  workflow.close();
  assert.equal(type, 'error');
  assert.match(error, /The result of the tool file of the MCP server 'odd' is longer than 10 MiB.*Ask it for less/);
});

const USES = `
nodes:
- { name: sum, uses: tools.add, with: { a: "{{ state.a }}", b: 2 }, output: { sum: "{{ result.sum }}" } }
- { name: greet, uses: web.say-hello, with: { name: Ada }, output: said }
- { name: wrong, uses: tools.fail, on_error: { mode: graceful } }
`;

test('a workflow uses the tools of servers, over standard input and output and over HTTP', async () => {
  const { server, lines } = local();
  const other = local();
  const workflow = await Workflow.load(USES, { mcpServers: { tools: server, web: { url }, unused: other.server } });
  assert.deepEqual(lines(), ['start'], 'what the text uses is started to see its tools');
  const { type, state } = await lastOf(workflow.run({ a: 40 }, { run: 'r' }));
  assert.equal(type, 'final', JSON.stringify(state));
  assert.deepEqual([state.sum, state.said], [42, 'hello Ada']);
  assert.match(state.__error__.message, /^The action tools\.fail failed: the disk is full/);
  workflow.close();
  await ended(lines);
  assert.deepEqual(lines(), ['start', 'call add r/sum/1', 'call fail r/wrong/1', 'end']);
  assert.deepEqual(other.lines(), [], 'what no node uses is never started');
});

test('environment variables and headers of servers, and configurations that are wrong', async () => {
  process.env.HORNBOOK_TEST_WORD = 'owl';
  const { server } = local({ env: { WORD: '${HORNBOOK_TEST_WORD}s' } });
  const mcpServers = { tools: server, web: { url, headers: { 'x-token': '${NONE_OF_IT:-usual}' } } };
  const yaml =
    'nodes:\n- { name: a, uses: tools.environment, output: here }\n- { name: b, uses: web.environment, output: there }\n';
  const workflow = await Workflow.load(yaml, { mcpServers });
  const { state } = await lastOf(workflow.run());
  assert.deepEqual([JSON.parse(state.here), JSON.parse(state.there)], [{ word: 'owls' }, { token: 'usual' }]);
  workflow.close();
  for (const [wrong, message] of [
    [{ tools: { command: 'x', args: ['${NONE_OF_IT}'] } }, /MCP server 'tools' needs the variable NONE_OF_IT/],
    [{ tools: {} }, /'tools' needs a command, or a url/],
    [{ tools: { url: 'nowhere' } }, /url of the MCP server 'tools' is no URL: nowhere/],
    [{ tools: { url, type: 'sse' } }, /has the type sse, which is no more/],
    [{ tools: { command: 'x', args: 'y' } }, /args of the MCP server 'tools' must be an array/],
    [[], /mcpServers must be an object/],
  ])
    await assert.rejects(Workflow.load(yaml, { mcpServers: wrong }), message);
});

test('what cannot be used is reported when the workflow is loaded, with its place and what to do', async () => {
  const { server, lines } = local();
  const load = (uses, mcpServers) => Workflow.load(`nodes:\n- { name: a, uses: ${uses} }\n`, { mcpServers });
  const misspelt = await load('tools.ad', { tools: server }).catch((error) => error);
  assert.ok(misspelt instanceof WorkflowLoadError);
  assert.match(misspelt.message, /^line 2, column 19: Node 'a' uses 'tools\.ad', .* Did you mean 'tools\.add'\?/);
  await ended(lines);
  const absent = await load('tools.add', { tools: { command: 'there-is-none', args: ['x'] } }).catch((error) => error);
  assert.ok(absent instanceof WorkflowLoadError, absent.message);
  assert.match(
    absent.message,
    /^line 2, column 19: The MCP server 'tools' cannot be started: .*ENOENT.* Try its command: there-is-none x$/,
  );
  const broken = { command: process.execPath, args: ['-e', 'console.error("no licence"); process.exit(3)'] };
  await assert.rejects(load('tools.add', { tools: broken }), /cannot be started: .* It wrote: no licence Try its/);
  const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], timeout: 300 };
  await assert.rejects(load('tools.add', { tools: silent }), /cannot be started: .*timed out/i);
  const nobody = { url: 'http://127.0.0.1:1/mcp' };
  await assert.rejects(
    load('tools.add', { tools: nobody }),
    /'tools' at http:\/\/127\.0\.0\.1:1\/mcp cannot be reached/,
  );
  await assert.rejects(
    load('github.issue', { tools: server }),
    /a tool of the MCP server 'github', which is not among/,
  );
});

test('a call that takes too long is an error of the node, and a server that died is started again', async () => {
  const { server, lines } = local({ timeout: 3000 });
  const yaml = `
nodes:
- { name: late, uses: tools.hang, on_error: { mode: graceful } }
- { name: again, uses: tools.die, output: said, on_error: { mode: retry, max_retries: 1, base_delay: 0.01 } }
`;
  const workflow = await Workflow.load(yaml, { mcpServers: { tools: server } });
  const { type, state } = await lastOf(workflow.run());
  assert.equal(type, 'final', JSON.stringify(state));
  assert.match(state.__error__.message, /The action tools\.hang failed: .*timed out/i);
  assert.equal(state.said, 'alive');
  workflow.close();
  await ended(lines);
  assert.equal(lines().filter((line) => line === 'start').length, 2);
});

const PROGRAM = `
agent_main :-
  exec(tools_add(a: 40, b: 2), R), Sum = R.sum,
  exec(web_say_hello("Ada"), Hello),
  catch(( exec(tools_fail, _) -> Why = "no" ; Why = "no" ), error(tool_error(tools_fail, failed, _), _), Why = "it failed"),
  with_tools(['tools_*'], task("Add 1 and 2.", integer(N))),
  answer("{Sum} {Hello} {N}; {Why}").`;

test('a DML program calls them, and offers them to models', async () => {
  const { server, lines } = local();
  const requests = [];
  const scripted = scriptedModel([
    { calls: [{ tool: 'tools_add', args: { a: 1, b: 2 } }] },
    {
      calls: [
        { tool: 'set_result', args: { variable: 'N', value: 3 } },
        { tool: 'finish', args: { success: true } },
      ],
    },
  ]);
  const model = {
    turn: (request, options) => {
      requests.push(request);
      return scripted.turn(request, options);
    },
  };
  const dml = await createDeepClause({ model, mcpServers: { tools: server, web: { url } } });
  const events = [];
  for await (const event of dml.runDML(PROGRAM)) events.push(event);
  assert.equal(
    events.find(({ type }) => type === 'answer')?.content,
    '42 hello Ada 3; it failed',
    JSON.stringify(events),
  );
  const offered = requests[0].tools.find(({ name }) => name === 'tools_add');
  assert.deepEqual([offered.description, offered.parameters.required], ['Adds two numbers.', ['a', 'b']]);
  assert.match(events.find(({ type }) => type === 'log').content, /^The tool tools_fail failed: the disk is full/);
  assert.match(JSON.stringify(requests[1].messages), /\\"sum\\":3/);
  assert.deepEqual(await dml.checkDML('agent_main :- exec(tools_add(a: 1, b: 2), _).'), []);
  dml.close();
  await ended(lines);
  await assert.rejects(
    createDeepClause({ mcpServers: { tools: { command: 'there-is-none' } } }),
    /The MCP server 'tools' cannot be started/,
  );
});

const hornbook = (...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { cwd: directory }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });

/** A file in the directory of the commands. */
function file(name, text) {
  writeFileSync(join(directory, name), typeof text === 'string' ? text : JSON.stringify(text));
  return name;
}

test('one odd tool hides no others, resources keep their text and their address, and a server without tools is named', async () => {
  const odd = (...args) => ({ command: process.execPath, args: [ODD, ...args] });
  const warnings = [];
  const { warn } = console;
  console.warn = (text) => warnings.push(text);
  try {
    const dml = await createDeepClause({ mcpServers: { odd: odd() } });
    let answer;
    for await (const event of dml.runDML('agent_main :- exec(odd_file, R), answer(R).'))
      if (event.type === 'answer') answer = event.content;
    dml.close();
    assert.equal(
      answer,
      'downloaded\nTHE CONTENTS\n(resource repo://a/logo.png, image/png)\n(resource_link https://example.org/more: more)\n(image, image/png)',
    );
  } finally {
    console.warn = warn;
  }
  assert.deepEqual(warnings, [
    "The tool odd of the MCP server 'odd' is left out: its inputSchema is not of the type object.",
    "The tool none of the MCP server 'odd' is left out: its inputSchema is not of the type object.",
  ]);
  await assert.rejects(createDeepClause({ mcpServers: { bare: odd('--bare') } }), {
    message: "The MCP server 'bare' has no tools: it does not offer the capability tools.",
  });
});

test('hornbook flow and hornbook run accept the file of a host', async () => {
  const { server, lines } = local();
  const mcp = file('mcp.json', { mcpServers: { tools: server, web: { type: 'http', url } } });
  const flow = await hornbook('flow', file('uses.yaml', USES), '--mcp', mcp, '--state', 'a=40');
  assert.equal(flow.code, 0, flow.stderr);
  assert.equal(JSON.parse(flow.stdout).sum, 42);
  await ended(lines);
  const program = file('add.dml', 'agent_main :- exec(tools_add(40, 2), R), X = R.sum, answer("{X}").');
  const servers = file('vscode.json', { servers: { tools: server } });
  const ran = await hornbook('run', program, '--mcp', servers);
  assert.deepEqual([ran.code, ran.stdout], [0, '42\n'], ran.stderr);
  const checked = await hornbook('check', program, '--mcp', servers);
  assert.deepEqual([checked.code, checked.stdout], [0, ''], checked.stderr);
  for (const [args, message] of [
    [['flow', 'uses.yaml', '--mcp', 'none.json'], /none\.json cannot be read: there is no such file/],
    [['flow', 'uses.yaml', '--mcp', file('bad.json', '{')], /--mcp: bad\.json is not JSON/],
    [['flow', 'uses.yaml', '--mcp', file('empty.json', '{}')], /--mcp: empty\.json names no servers/],
    [
      ['flow', 'uses.yaml', '--mcp', servers],
      /uses\.yaml:4:\d+: Node 'greet' uses 'web\.say-hello', which is not an action/,
    ],
    [
      ['run', program, '--mcp', file('gone.json', { mcpServers: { tools: { command: 'there-is-none' } } })],
      /^hornbook: --mcp: The MCP server 'tools' cannot be started/,
    ],
  ]) {
    const { code, stderr } = await hornbook(...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});
