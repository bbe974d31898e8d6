// The command `hornbook`, as a person and an MCP client see it.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BIN, StdioProcess } from '../support/stdio.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'hornbook-cli-'));
after(() => rmSync(directory, { recursive: true }));

/** Runs a command to its end. */
function run(command, args, { env = {} } = {}) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: directory, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
}
const hornbook = (args, options) => run(process.execPath, [BIN, ...args], options);
const ask = (...args) => hornbook(['ask', ...args]);

/** A file in the test's directory. */
function file(name, text) {
  writeFileSync(join(directory, name), text);
  return name;
}

/** A server whose messages are read one by one. */
class Server extends StdioProcess {
  #lines = [];
  #next = [];

  constructor(args = [], env = {}) {
    super([BIN, ...args], { cwd: directory, env: { ...process.env, ...env } });
    /** Resolves with the exit code, the messages not read yet, and any output that is not a message. */
    this.closed = this.closed.then((ended) => ({ ...ended, lines: this.#lines, rest: this.rest, stderr: this.stderr }));
  }

  hear(message) {
    const take = this.#next.shift();
    if (take) take(message);
    else this.#lines.push(message);
  }

  /** The next message. */
  next() {
    return this.#lines.length > 0
      ? Promise.resolve(this.#lines.shift())
      : new Promise((resolve) => this.#next.push(resolve));
  }

  send(message) {
    super.send({ jsonrpc: '2.0', ...message });
  }
}

const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const call = (id, name, values) => ({ id, method: 'tools/call', params: { name, arguments: values } });

test('the example of the README answers as it says', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const program = /```prolog\n([\s\S]*?)```/.exec(readme)[1];
  const [, goal, answers] = /\$ npx hornbook ask family\.pl '(.*)'\n([\s\S]*?)```/.exec(readme);
  assert.deepEqual(await ask(file('family.pl', program), goal), { code: 0, stdout: answers, stderr: '' });
});

test('the mcp.json of the README starts the server', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const { mcpServers } = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)[1]);
  const { command, args } = mcpServers.hornbook;
  const [yes, name, ...options] = args.map((arg) => arg.replace('/path/to/your/prolog/files', directory));
  assert.deepEqual([command, yes, name], ['npx', '-y', 'hornbook']);
  const server = new Server(options);
  server.send(initialize);
  assert.equal((await server.next()).result.serverInfo.name, 'hornbook');
  server.child.stdin.end();
  assert.equal((await server.closed).code, 0);
});

test('npx finds the command in the clone, without a registry', async () => {
  const env = { npm_config_registry: 'http://127.0.0.1:9', npm_config_offline: 'true' };
  const { code, stdout } = await run('npx', ['--prefix', ROOT, 'hornbook', '--version'], { env });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'pkg', 'package.json'), 'utf8'));
  assert.deepEqual({ code, stdout }, { code: 0, stdout: `${version}\n` });
});

test('ask: answers, choice points, residual constraints and output', async () => {
  const asked = async (...args) => {
    const { code, stdout } = await ask(...args);
    return [code, stdout];
  };
  assert.deepEqual(await asked('X = f(Y, "s", \'A b\')'), [0, 'X = f(Y,"s",\'A b\').\n']);
  assert.deepEqual(await asked('X = [a|X], Y = g(X)'), [0, 'X = [a|X],\nY = g(_A),\n_A=[a|_A].\n']);
  assert.deepEqual(await asked('true'), [0, 'true.\n']);
  assert.deepEqual(await asked('fail'), [1, 'false.\n']);
  assert.deepEqual(await asked('member(X, [1, 2])'), [0, 'X = 1 ;\nX = 2.\n']);
  assert.deepEqual(await asked('X #> 3, X #< 6'), [0, 'X in 4..5.\n']);
  assert.deepEqual(await asked('format("one~ntwo"), X = 1'), [0, 'one\ntwo\nX = 1.\n']);
  assert.deepEqual(await asked('write(lost), fail'), [1, 'lost\nfalse.\n']);
});

test('ask: -n sets how many answers are printed, and further ones are announced', async () => {
  const { code, stdout, stderr } = await ask('-n', '2', 'between(1, inf, X)');
  assert.deepEqual([code, stdout], [0, 'X = 1 ;\nX = 2 .\n']);
  assert.match(stderr, /more answers/);
});

test('ask: errors are reported on stderr with exit code 2', async () => {
  for (const [args, complaint] of [
    [['nosuch(1)'], /nosuch\/1/],
    [['X = '], /^ERROR: 1:/],
    [['X is foo + 1'], /foo/],
    [['nofile.pl', 'true'], /^ERROR: File not found: \S*nofile\.pl\. \S/],
  ]) {
    const { code, stdout, stderr } = await ask(...args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, complaint);
    assert.doesNotMatch(stderr, /\n {4}at |\.js:/);
  }
});

test('ask: answers before an error are printed', async () => {
  const { code, stdout, stderr } = await ask('X = 1 ; throw(oops)');
  assert.deepEqual([code, stdout], [2, 'X = 1 ;\n']);
  assert.match(stderr, /oops/);
});

test('ask: an invalid clause affects only itself, and is reported with its place', async () => {
  const { code, stdout, stderr } = await ask(file('part.pl', 'a(1).\na(2 .\na(3).\n'), 'a(X)');
  assert.deepEqual([code, stdout], [0, 'X = 1 ;\nX = 3.\n']);
  assert.match(stderr, /part\.pl:2:/);
});

test('ask: several files together, from any directory, and output of their initialization', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'hornbook-cli-'));
  writeFileSync(join(elsewhere, 'rules.pl'), ':- initialization(writeln(ready)).\nlikes(X) :- drink(X).\n');
  const { code, stdout, stderr } = await ask(
    file('facts.pl', 'drink(tea).\n'),
    join(elsewhere, 'rules.pl'),
    'likes(X)',
  );
  rmSync(elsewhere, { recursive: true });
  assert.deepEqual([code, stdout, stderr], [0, 'ready\nX = tea.\n', '']);
  const missing = await ask(file('facts.pl', 'drink(tea).\n'), 'nofile.pl', 'drink(X)');
  assert.deepEqual([missing.code, missing.stdout], [2, '']);
  assert.match(missing.stderr, /nofile\.pl/);
});

test('ask: --timeout and --unknown are respected', async () => {
  const late = await ask('--timeout', '300', 'repeat, fail');
  assert.equal(late.code, 2);
  assert.match(late.stderr, /time/i);
  assert.deepEqual(await ask('--unknown', 'fail', 'nosuch(1)'), { code: 1, stdout: 'false.\n', stderr: '' });
});

test('a meaningless command line gives one sentence and exit code 2', async () => {
  for (const [args, complaint] of [
    [['--nosuch'], /--nosuch/],
    [['--timeout', 'soon'], /--timeout takes a positive whole number, not 'soon'/],
    [['--timeout'], /--timeout/],
    [['--unknown', 'guess'], /--unknown takes 'error' or 'fail'/],
    [['--tools', 'dance'], /no set of tools 'dance'/],
    [['constructor'], /no command 'constructor'/],
    [['served'], /no command 'served'; the commands are: serve, ask, run, /],
    [['ask'], /needs a goal/],
    [
      ['ask', 'true', file('goal.pl', 'a.')],
      /goal\.pl is a file, and the goal comes last: hornbook ask FILE\.\.\. GOAL/,
    ],
    [['-n', '3'], /-n belongs to/],
  ]) {
    const { code, stdout, stderr } = await hornbook(args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, complaint);
    assert.match(stderr, /^hornbook: [^\n]+\n$/);
  }
});

test('--help lists every option, and --version is that of the package', async () => {
  const { code, stdout } = await hornbook(['--help']);
  assert.equal(code, 0);
  for (const option of [
    'ask',
    '--root',
    '--kb-libraries',
    '--tools',
    '--timeout',
    '--unknown',
    '-n',
    '--help',
    '--version',
  ]) {
    assert.ok(stdout.includes(option), option);
  }
  for (const line of stdout.split('\n')) assert.ok(line.length <= 120, line);
});

test('--help after a command has its options alone', async () => {
  const { code, stdout } = await hornbook(['flow', '-h']);
  assert.equal(code, 0);
  assert.match(stdout, /^Usage:\n {2}hornbook flow \[options\] FILE +run a workflow/);
  for (const option of ['--resume RUN', '--state KEY=VALUE', '--mermaid']) assert.ok(stdout.includes(option), option);
  for (const option of ['--embed', '--books', 'hornbook serve ']) assert.ok(!stdout.includes(option), option);
  assert.equal((await hornbook(['nosuch', '--help'])).stdout, (await hornbook(['--help'])).stdout);
});

test('refused libraries give a warning on stderr, and the server runs', async () => {
  const server = new Server(['--kb-libraries', 'nosuch,lists'], { KB_LIBRARIES: 'process' });
  server.send(initialize);
  await server.next();
  server.send(call(1, 'query_start', { query: 'append(X, [3], [1,2,3])', take: 1 }));
  assert.match((await server.next()).result.content[0].text, /X = \[1,2\]/);
  server.child.stdin.end();
  const { code, stderr } = await server.closed;
  assert.equal(code, 0);
  assert.match(stderr, /library\(process\)/);
  assert.match(stderr, /library\(nosuch\)/);
  assert.doesNotMatch(stderr, /library\(lists\)/);
});

test('standard output contains nothing but messages, whatever a program writes', async () => {
  const server = new Server();
  server.send(initialize);
  await server.next();
  server.send(
    call(1, 'query_start', {
      query: 'format("out~n"), format(user_error, "err~n", []), print_message(error, format("bad", []))',
      take: 1,
    }),
  );
  await server.next();
  server.child.stdin.end();
  const { rest, lines } = await server.closed;
  assert.deepEqual([rest, lines], ['', []]);
});

test('a tool can be called even before initialize', async () => {
  const server = new Server();
  server.send(call(1, 'query_start', { query: 'X = 1', take: 1 }));
  assert.match((await server.next()).result.content[0].text, /X = 1/);
  server.child.stdin.end();
  assert.equal((await server.closed).code, 0);
});

test('messages may arrive in pieces', async () => {
  const server = new Server();
  const bytes = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', ...initialize })}\r\n\n${JSON.stringify({ jsonrpc: '2.0', ...call(1, 'query_start', { query: 'X = word("🙂é")', take: 1 }) })}\n`,
  );
  for (let at = 0; at < bytes.length; at += 7) {
    server.child.stdin.write(bytes.subarray(at, at + 7));
    await new Promise(setImmediate);
  }
  assert.equal((await server.next()).id, 0);
  assert.match((await server.next()).result.content[0].text, /word\("🙂é"\)/);
  server.child.stdin.end();
  assert.equal((await server.closed).code, 0);
});

test('when the input ends, pending replies still come', async () => {
  const server = new Server();
  server.send(initialize);
  server.send(call(1, 'query_start', { query: 'numlist(1, 200000, L), sum_list(L, S), fail ; S = done', take: 1 }));
  server.child.stdin.end(JSON.stringify({ jsonrpc: '2.0', ...call(2, 'help', {}) }));
  const { code, lines } = await server.closed;
  assert.equal(code, 0);
  assert.deepEqual(lines.map(({ id }) => id).sort(), [0, 1, 2]);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  test(`${signal} ends the server cleanly, even while a query runs`, async () => {
    const server = new Server();
    server.send(initialize);
    await server.next();
    server.send(call(1, 'query_start', { query: 'repeat, fail', take: 1 }));
    server.send({ id: 2, method: 'ping' });
    await server.next();
    server.child.kill(signal);
    const { code, signal: killed } = await server.closed;
    assert.deepEqual([code, killed], [0, null]);
  });
}

const PROGRAM = `
  agent_main(Topic) :-
    task("Say something about {Topic}", string(S)), input("Is that right?", A), yield("You said {A}."),
    exec(add(1, 2), N), log("sum {N}"), answer("{S} {N}").`;
const SCRIPT = [
  {
    text: 'I think.',
    calls: [
      { tool: 'set_result', args: { variable: 'S', value: 'Fine' } },
      { tool: 'finish', args: { success: true } },
    ],
  },
];
const TOOLS = 'export const add = { parameters: { properties: { x: {}, y: {} } }, execute: ({ x, y }) => x + y };';

test('run: a program with a scripted model, tools of a module, and the user on standard input', async () => {
  const args = [
    'run',
    file('p.dml', PROGRAM),
    '--param',
    'Topic=Prolog',
    '--script',
    file('turns.json', JSON.stringify(SCRIPT)),
    '--tool-file',
    file('tools.mjs', TOOLS),
  ];
  const child = spawn(process.execPath, [BIN, ...args], { cwd: directory });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
    if (err.includes('right?')) child.stdin.end('yes\n');
  });
  const [code] = await once(child, 'close');
  assert.deepEqual([code, out, err], [0, 'I think.\nYou said yes.\nFine 3\n', 'Is that right? sum 3\n']);
});

test('run: the exit code says how it ended, and the message what to do', async () => {
  const program = file(
    'task.dml',
    'agent_main :- param(n, N), N > 1, answer(N).\nagent_main(X) :- task("t {X}"), answer(X).',
  );
  assert.deepEqual(await hornbook(['run', program, '--param', 'n=2']), { code: 0, stdout: '2\n', stderr: '' });
  assert.deepEqual(await hornbook(['run', program, '--param', 'n=1']), {
    code: 1,
    stdout: '',
    stderr: 'task.dml: agent_main failed.\n',
  });
  const without = await hornbook(['run', program, '--param', 'X=1']);
  assert.equal(without.code, 2);
  assert.match(without.stderr, /no language model was given; add --model PROVIDER\/MODEL, or --script FILE/);
  const wrong = await hornbook(['run', file('wrong.dml', 'agent_main :-\n  X = .')]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^wrong\.dml: line 2, column \d+: Syntax error/);
  for (const [args, message] of [
    [
      ['run', '--limit', 'run_step_ms=300', file('endless.dml', 'agent_main :- repeat, fail.')],
      /computed longer than 1 sec/,
    ],
    [['run'], /takes one file/],
    [['run', 'none.dml'], /none\.dml cannot be read: there is no such file/],
    [['run', program, '--param', 'n'], /--param takes NAME=VALUE, not 'n'/],
    [['run', program, '--model', 'what'], /--model: whose model is 'what'\? Write PROVIDER\/MODEL/],
    [['run', program, '--model', 'claude-x'], /claude-x needs @ai-sdk\/anthropic: npm install ai @ai-sdk\/anthropic/],
    [['run', program, '--model', 'nobody/x'], /needs @ai-sdk\/nobody: npm install ai @ai-sdk\/nobody/],
    [['run', program, '--script', program], /is not JSON/],
    [['run', program, '--tool-file', file('no.mjs', 'export const x = 1;')], /exports no tool/],
    [['run', program, '--log', 'x'], /--log belongs to the server/],
  ]) {
    const { code, stderr } = await hornbook(args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});

test('run: only files in the folder of --workspace', async () => {
  mkdirSync(join(directory, 'space'));
  writeFileSync(join(directory, 'space', 'in.txt'), 'hello');
  const program = file(
    'files.dml',
    `agent_main :-
    open("in.txt", read, S), read_string(S, _, T), close(S), open("out.txt", write, O), write(O, T), close(O),
    catch(open("../files.dml", read, _), error(E, _), true), answer("{T} {E}").`,
  );
  const { code, stdout } = await hornbook(['run', program, '--workspace', join(directory, 'space')]);
  assert.deepEqual([code, stdout], [0, 'hello permission_error(open,source_sink,../files.dml)\n']);
  assert.equal(readFileSync(join(directory, 'space', 'out.txt'), 'utf8'), 'hello');
  const without = await hornbook(['run', program]);
  assert.equal(without.code, 2);
  assert.match(without.stderr, /needs a workspace/);
  const none = await hornbook(['run', program, '--workspace', 'none']);
  assert.deepEqual(
    [none.code, none.stderr],
    [2, 'hornbook: --workspace: there is no directory none. See hornbook --help.\n'],
  );
});

test('check: problems, with line and column', async () => {
  const bad = file('bad.dml', 'agent_main :- foo(1), task("{Topic} {R}", R),\n   exec(web(1), _), bar.\nbar.\n');
  const { code, stdout } = await hornbook(['check', bad]);
  assert.equal(code, 1);
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => /^bad\.dml:(\d+:\d+: .{0,24})/.exec(line)?.[1]),
    [
      '1:14: The predicate foo/1 is n',
      '1:28: {Topic} is neither a var',
      '1:36: {R} stands in a text whe',
      '2:8: There is no tool web.',
    ],
  );
  assert.deepEqual(await hornbook(['check', file('p.dml', PROGRAM), '--tool-file', file('tools.mjs', TOOLS)]), {
    code: 0,
    stdout: '',
    stderr: '',
  });
  const syntax = await hornbook(['check', file('s.dml', 'p :- q(.\nagent_main :- p.\n')]);
  assert.deepEqual([syntax.code, syntax.stdout.split('\n').length], [1, 2], 'p/0 may be what could not be read');
  assert.match(
    (await hornbook(['check', file('none.dml', 'p.\n')])).stdout,
    /^none\.dml:1:0: The program has no agent_main/,
  );
});

test('check: Prolog and workflows, by the name of the file', async () => {
  const found = await hornbook([
    'check',
    file('rules.pl', 'p(X) :- q(X).\nq(1).\nr :- p(.\n'),
    file('good.pl', ':- use_module(library(lists)).\np(X) :- member(X, [1]).\n'),
    file('bad.yaml', 'nodes:\n  - { name: a, language: prolog, run: "return(x, 1).", gotoo: b }\n'),
    file('good.yaml', 'nodes:\n  - { name: a, uses: anything }\n'),
    file('directives.pl', 'p(1).\n:- shell(ls).\n:- p(X), nosuch(X).\n:- late.\nlate.\n'),
  ]);
  assert.equal(found.code, 1);
  const lines = found.stdout.trim().split('\n');
  assert.deepEqual(
    lines.slice(2).map((line) => /^directives\.pl:(\d:\d+: .{0,27})/.exec(line)?.[1]),
    ['2:3: Security Error: dangerous p', '3:9: nosuch/1 is not defined.', '4:0: Unknown procedure: late/0, w'],
    found.stdout,
  );
  assert.equal(lines.length, 5, found.stdout);
  assert.match(lines[0], /^rules\.pl:3:\d+: /);
  assert.match(lines[1], /^bad\.yaml:2:\d+: .*gotoo/);
});

test('check: a workflow alone, and the code in it with the lines of the file', async () => {
  assert.deepEqual(await hornbook(['check', file('alone.yaml', 'nodes:\n  - { name: a, uses: anything }\n')]), {
    code: 0,
    stdout: '',
    stderr: '',
  });
  const text = `language: prolog
nodes:
  - name: first
    run: |
      p(1).
      p(2
      q(X) :- p(X).
      state(x, X), q(X), return(y, X).
  - name: steps
    steps:
      - { name: s, run: "return(x, )." }
      - name: py
        language: python
        run: |
          y = 1
          if y
            return {}
      - { name: templated, language: python, run: "z = {{ state.x }}" }
      - name: lua
        language: lua
        run: |
          local a = 1

          return {{
  - { name: fine, run: "X #> 3, X #< 5, return(x, X)" }
  - name: decide
    goto:
      - { if: "state(x, X), X >", to: fine }
      - { if: "state(x, X), X > 1", to: fine }
`
    .replace('"X #> 3', "'X #> 3")
    .replace('return(x, X)"', "return(x, X).'");
  const { code, stdout } = await hornbook(['check', file('code.yaml', text)]);
  assert.equal(code, 1);
  const found = stdout.trim().split('\n');
  const installed = ['pyodide', 'wasmoon'].map((name) => existsSync(join(ROOT, 'node_modules', name)));
  const expected = [/^code\.yaml:[67]:\d+: /, /^code\.yaml:11:3\d: /];
  if (installed[0]) expected.push(/^code\.yaml:16:\d+: Python: expected ':'/);
  if (installed[1]) expected.push(/^code\.yaml:2[45]:\d+: Lua: .*(near|expected)/);
  expected.push(/^code\.yaml:28:\d+: /);
  assert.equal(found.length, expected.length, stdout);
  for (const [at, pattern] of expected.entries()) assert.match(found[at], pattern);
});

test('check --json: all problems as one array; .prolog is Prolog', async () => {
  const files = [
    file('rules.prolog', 'p(X) :- q.\nq.\n'),
    file('cut.plt', 'r :- p(.\n'),
    file('j.yaml', 'nodes:\n  - { name: a, gotoo: b }\n'),
    file('j.dml', 'agent_main :- nothing.\n'),
    file('j.book', 'hornbook 99\n'),
  ];
  const { code, stdout } = await hornbook(['check', '--json', ...files]);
  assert.equal(code, 1);
  const found = JSON.parse(stdout);
  assert.deepEqual(
    found.map(({ file, line, severity }) => [file, line, severity]),
    [
      ['rules.prolog', 1, 'warning'],
      ['cut.plt', 1, 'error'],
      ['j.yaml', 2, 'error'],
      ['j.dml', 1, 'error'],
      ['j.book', 1, 'error'],
    ],
    stdout,
  );
  for (const one of found) assert.ok(one.message.length > 0 && Number.isInteger(one.column), JSON.stringify(one));
  assert.deepEqual(JSON.parse((await hornbook(['check', '--json', file('ok.pl', 'p(1).\n')])).stdout), []);
});

test('ask: errors name the options of the command line, not the tools', async () => {
  const late = await hornbook(['ask', '--timeout', '300', 'repeat, fail']);
  assert.match(late.stderr, /longer --timeout/);
  const written = await hornbook(['ask', '--timeout', '300', '--format', 'csv', 'repeat, fail']);
  assert.match(written.stderr, /longer --timeout/);
  const missing = await hornbook(['ask', 'nofile.pl', 'p(X)']);
  assert.match(missing.stderr, /File not found: \S*nofile\.pl\. Check the name\.\n$/);
  for (const { stderr } of [late, written, missing]) assert.doesNotMatch(stderr, /timeout_?ms|files list/i);
});

test('flow: an error names the line of the file', async () => {
  const text = 'language: prolog\nnodes:\n  - name: a\n    run: |\n      p(1).\n      X is foo + 1, return(x, X).\n';
  const failed = await hornbook(['flow', file('line.yaml', text)]);
  assert.match(failed.stderr, /^a: line\.yaml:6: /m);
  const none = await hornbook(['flow', file('none.yaml', text.replace('X is foo + 1', 'p(X), X > 1'))]);
  assert.match(none.stderr, /^a: failed at none\.yaml:6: /m);
});

test('run: the progress line names the current activity, and goes when something is written', async () => {
  const { runProgram } = await import('../../pkg/cli/run.js');
  const shown = [];
  const screen = {
    out: (text) => shown.push(text),
    err: (text) => shown.push(text),
    status: (text) => shown.push(`<${text.replace(/\d+ s$/, 'N s')}>`),
  };
  const program = {
    file: join(directory, file('q.dml', 'agent_main :- task("t"), answer(ok).')),
    params: {},
    script: join(directory, file('q.json', '[{"text":"hi","calls":[{"tool":"finish","args":{}}]}]')),
  };
  assert.equal(await runProgram(program, screen, async () => undefined), 0);
  // How often a line is repeated depends on timing.
  const lines = new Set();
  const parts = shown.filter((text) => text !== '<>' && !(text.startsWith('<') && lines.has(text)) && lines.add(text));
  assert.deepEqual(parts, [
    '<starts · 0 model calls, 0 tokens, N s>',
    '<waits for the model · 1 model call, 0 tokens, N s>',
    '<runs · 1 model call, 0 tokens, N s>',
    'hi',
    '\n',
    'ok\n',
  ]);
  assert.equal(shown[shown.indexOf('hi') - 1], '<>', 'what is written stands on no progress line');
  assert.equal(shown.at(-1), '<>');
});
