// `hornbook init` on the configuration files of each host.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BIN, directory } from './harness.mjs';

const ROOT_OF = { windows: ['cmd', ['/c', 'npx']], other: ['npx', []] };
const [COMMAND, FIRST] = process.platform === 'win32' ? ROOT_OF.windows : ROOT_OF.other;

/** Where each host has its file on Linux, what else is in it, and what must be added. */
const FIXTURES = {
  claude: {
    file: 'home/.config/Claude/claude_desktop_config.json',
    before: {
      globalShortcut: 'Ctrl+Space',
      mcpServers: { files: { command: 'npx', args: ['server-filesystem', '/'] } },
    },
    key: 'mcpServers',
    root: (project) => project,
  },
  'claude-code': {
    file: 'project/.mcp.json',
    before: { mcpServers: { github: { type: 'http', url: 'https://example.com/mcp' } } },
    key: 'mcpServers',
    root: () => '.',
  },
  cursor: {
    file: 'home/.cursor/mcp.json',
    before: { mcpServers: {} },
    key: 'mcpServers',
    root: (project) => project,
  },
  vscode: {
    file: 'project/.vscode/mcp.json',
    before: { inputs: [{ type: 'promptString', id: 'key' }], servers: {} },
    key: 'servers',
    root: () => '${workspaceFolder}',
  },
  windsurf: {
    file: 'home/.codeium/windsurf/mcp_config.json',
    before: { mcpServers: {} },
    key: 'mcpServers',
    root: (project) => project,
  },
  gemini: {
    file: 'home/.gemini/settings.json',
    before: { theme: 'Default', mcpServers: { one: { command: 'one' } } },
    key: 'mcpServers',
    root: (project) => project,
  },
};

/** Runs `hornbook init` in a project, with a separate home directory. */
async function init(path, ...args) {
  const env = { PATH: process.env.PATH, HOME: join(path, 'home') };
  const child = spawn(process.execPath, [BIN, 'init', ...args], { cwd: join(path, 'project'), env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  child.stdin.end();
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, said };
}

/** A home directory and a project, with files. */
const place = (files) => directory({ 'home/.keep': '', 'project/.keep': '', ...files });
const read = (path, file) => JSON.parse(readFileSync(join(path, file), 'utf8'));

for (const [name, { file, before, key, root }] of Object.entries(FIXTURES)) {
  test(`${name}: the entry is added, the rest stays, a copy is kept`, async () => {
    const text = `${JSON.stringify(before, null, 4)}\n`;
    const path = place({ [file]: text });
    const { code, said } = await init(path, name, '--yes');
    assert.equal(code, 0, said);
    const args = [...FIRST, '-y', 'hornbook', '--root', root(join(path, 'project'))];
    const entry = { ...(key === 'servers' && { type: 'stdio' }), command: COMMAND, args };
    assert.deepEqual(read(path, file), { ...before, [key]: { ...before[key], hornbook: entry } });
    assert.match(readFileSync(join(path, file), 'utf8'), /^\{\n {4}"/);
    assert.equal(readFileSync(join(path, `${file}.before-hornbook`), 'utf8'), text);
    // A second run changes nothing.
    assert.match((await init(path, name, '--yes')).said, /has it already/);
    rmSync(path, { recursive: true });
  });

  test(`${name}: without a file, one is created`, async () => {
    const path = place({});
    const { code, said } = await init(path, name, '--yes', '--book', 'my.book', '--tools', 'prolog,memory');
    assert.equal(code, 0, said);
    const { args } = read(path, file)[key].hornbook;
    assert.match(args.join(' '), /--book \S*my\.book --tools prolog,memory$/);
    rmSync(path, { recursive: true });
  });
}

test('hosts are found by the traces they leave', async () => {
  const path = place({ 'home/.cursor/x': '', 'project/.vscode/settings.json': '{}' });
  const { code, said } = await init(path, '--yes');
  assert.equal(code, 0, said);
  assert.deepEqual(
    [...said.matchAll(/^(.*): added/gm)].map(([, title]) => title),
    ['Cursor', 'VS Code, in this project'],
  );
  rmSync(path, { recursive: true });
});

test('--print changes nothing', async () => {
  const path = place({});
  const { code, said } = await init(path, 'cursor', '--print');
  assert.equal(code, 0);
  assert.match(said, /"mcpServers": \{\n {4}"hornbook": \{/);
  assert.equal(existsSync(join(path, 'home', '.cursor')), false);
  rmSync(path, { recursive: true });
});

test('nothing is changed if nobody can be asked', async () => {
  const path = place({ 'home/.cursor/mcp.json': '{}' });
  const { code, said } = await init(path, 'cursor');
  assert.equal(code, 1);
  assert.match(said, /nobody can be asked; give --yes/);
  assert.deepEqual(readdirSync(join(path, 'home', '.cursor')), ['mcp.json']);
  assert.equal(readFileSync(join(path, 'home', '.cursor', 'mcp.json'), 'utf8'), '{}');
  rmSync(path, { recursive: true });
});

for (const [what, text] of Object.entries({
  comments: '{\n  // mine\n  "mcpServers": {}\n}\n',
  'a list': '[]',
  'servers that are no object': '{"mcpServers": []}',
})) {
  test(`a file with ${what} is left alone, and the lines to add are shown`, async () => {
    const path = place({ 'home/.cursor/mcp.json': text });
    const { code, said } = await init(path, 'cursor', '--yes');
    assert.equal(code, 1);
    assert.match(said, /add to its "mcpServers" yourself: \{"hornbook":/);
    assert.equal(readFileSync(join(path, 'home', '.cursor', 'mcp.json'), 'utf8'), text);
    rmSync(path, { recursive: true });
  });
}

test('run again without options keeps what the entry has; options that are given replace theirs', async () => {
  const path = place({});
  const args = () =>
    read(path, 'project/.mcp.json')
      .mcpServers.hornbook.args.slice(FIRST.length + 2)
      .join(' ');
  assert.equal(
    (await init(path, 'claude-code', '--yes', '--root', 'src', '--root', 'lib', '--book', 'my.book')).code,
    0,
  );
  assert.equal(args(), '--root src --root lib --book my.book');
  const again = await init(path, 'claude-code', '--yes');
  assert.equal(args(), '--root src --root lib --book my.book');
  assert.match(again.said, /has it already.*kept as it was: --root src --root lib --book my\.book/);
  const tools = await init(path, 'claude-code', '--yes', '--tools', 'prolog,memory');
  assert.match(tools.said, /changed in .*kept as it was: --root src --root lib --book my\.book/);
  assert.equal(args(), '--root src --root lib --book my.book --tools prolog,memory');
  await init(path, 'claude-code', '--yes', '--book', 'other.book', '--root', '.');
  assert.equal(args(), '--tools prolog,memory --root . --book other.book');
  rmSync(path, { recursive: true });
});

test('a link stays a link', async () => {
  const path = place({ 'home/dotfiles/mcp.json': '{}', 'home/.cursor/x': '' });
  symlinkSync(join('..', 'dotfiles', 'mcp.json'), join(path, 'home', '.cursor', 'mcp.json'));
  assert.equal((await init(path, 'cursor', '--yes')).code, 0);
  assert.ok(lstatSync(join(path, 'home', '.cursor', 'mcp.json')).isSymbolicLink());
  assert.ok(read(path, 'home/dotfiles/mcp.json').mcpServers.hornbook);
  rmSync(path, { recursive: true });
});

test('an older copy is not overwritten', async () => {
  const path = place({ 'home/.cursor/mcp.json': '{"a": 1}', 'home/.cursor/mcp.json.before-hornbook': 'first' });
  await init(path, 'cursor', '--yes');
  assert.equal(readFileSync(join(path, 'home/.cursor/mcp.json.before-hornbook'), 'utf8'), 'first');
  assert.equal(readFileSync(join(path, 'home/.cursor/mcp.json.before-hornbook-2'), 'utf8'), '{"a": 1}');
  rmSync(path, { recursive: true });
});

test('an unknown host, and no host at all', async () => {
  const path = place({});
  const unknown = await init(path, 'emacs');
  assert.equal(unknown.code, 2);
  assert.match(unknown.said, /There is no host 'emacs'; the hosts are: claude, /);
  const none = await init(path);
  assert.equal(none.code, 1);
  assert.match(none.said, /No MCP host was found\. Name one: /);
  rmSync(path, { recursive: true });
});
