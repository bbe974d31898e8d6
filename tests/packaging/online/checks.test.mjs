// What third-party checkers say about the package, and other runtimes for it. They are fetched from the npm registry,
// in the versions named here, and kept in npm's cache.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bundle } from '../../../scripts/package.mjs';
import { launch } from '../../browser/harness.mjs';
import { HOME, ROOT, TARBALL, directory, project, run } from '../harness.mjs';

/** Its output, whatever its exit code; npm fetches it if it is missing. */
const npx = (name, args, cwd = HOME) => run('npx', ['--yes', '--prefer-offline', `--package=${name}`, ...args], cwd);

const ASK = `const book = await openBook();
await book.assert('parent(tom, bob).');
console.log((await book.once('parent(tom, X), Y is 6 * 7')).X);
await book.close();`;

test('publint', async () => {
  const path = directory('publint');
  execFileSync('tar', ['-xzf', TARBALL, '-C', path]);
  // Its regular expressions cannot cope with a file of this length.
  writeFileSync(join(path, 'package', 'inline.bundle.js'), 'export const createHornbook = () => {};\n');
  const said = await npx('publint@0.3.25', ['publint', '--strict', join(path, 'package')]);
  assert.match(said, /All good!/);
});

test('are-the-types-wrong', async () => {
  // A package of modules offers nothing to require, nor to Node 10 resolution; files are not modules.
  const files = ['hornbook.wasm', 'swipl.wasm', 'hornbook.state', 'worker', 'package.json'];
  const args = ['attw', TARBALL, '--profile', 'esm-only', '--exclude-entrypoints', ...files];
  // It fails if there is a problem.
  await npx('@arethetypeswrong/cli@0.18.5', args);
});

test('Next.js, on the server and in a page', { timeout: 600_000 }, async () => {
  const path = await project('next', {}, { packages: ['next@16.4.6', 'react@19', 'react-dom@19'] });
  cpSync(join(ROOT, 'examples', 'next'), path, { recursive: true });
  const env = { NEXT_TELEMETRY_DISABLED: '1' };
  await run('npx', ['next', 'build'], path, env);
  const server = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', '0'], {
    cwd: path,
    env: { ...process.env, ...env },
  });
  const browser = await launch();
  try {
    const origin = await new Promise((resolve) => {
      server.stdout.on('data', (text) => {
        const [found] = /http:\/\/localhost:\d+/.exec(String(text)) ?? [];
        if (found) resolve(found);
      });
    });
    assert.deepEqual(await (await fetch(`${origin}/ask?who=ada`)).json(), ['read', 'write']);
    assert.deepEqual(await (await fetch(`${origin}/ask?who=%22), halt, (%22`)).json(), []);
    const page = await browser.newPage();
    await page.goto(origin);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.locator('output', { hasText: '[{"Who":"ada"}]' }).waitFor();
  } finally {
    await browser.close();
    server.kill();
  }
});

/** A program that keeps its book and loses engines to a time limit, again and again. */
const LIVES = `import { openBook } from 'hornbook';
for (let life = 1; life <= 4; life++) {
  const book = await openBook({ path: 'kept.book' });
  await book.assert(\`life(\${life})\`);
  const { kind } = await book.once('repeat, fail', { timeoutMs: 300 }).catch((error) => error);
  console.log(kind, (await book.all('life(X)')).length);
  await book.close();
}`;
const LIVED = 'timeout 1\ntimeout 2\ntimeout 3\ntimeout 4\n';

test('Bun', async () => {
  const path = await project(
    'bun',
    { 'main.mjs': `import { openBook } from 'hornbook';\n${ASK}`, 'lives.mjs': LIVES },
    { packages: ['bun@1.4.5'] },
  );
  spawnSync(process.execPath, ['node_modules/bun/install.js'], { cwd: path });
  assert.equal(await run('node_modules/.bin/bun', ['main.mjs'], path), 'bob\n');
  assert.equal(await run('node_modules/.bin/bun', ['lives.mjs'], path), LIVED);
});

test('Deno', async () => {
  const path = await project(
    'deno',
    { 'main.mjs': `import { openBook } from 'hornbook';\n${ASK}`, 'lives.mjs': LIVES },
    { packages: ['deno@2.9.6'] },
  );
  const args = ['run', '--allow-all', '--node-modules-dir=manual'];
  assert.equal(await run('node_modules/.bin/deno', [...args, 'main.mjs'], path), 'bob\n');
  assert.equal(await run('node_modules/.bin/deno', [...args, 'lives.mjs'], path), LIVED);
});

test('LangChain calls the tools', async () => {
  const path = await project(
    'langchain',
    {
      'main.mjs': `import { tool } from '@langchain/core/tools';
import { openBook } from 'hornbook';

const book = await openBook();
const tools = (await book.tools()).map(({ call, name, description, inputSchema }) =>
  tool(call, { name, description, schema: inputSchema }),
);
const ask = tools.find(({ name }) => name === 'query_start');
console.log(/X = 42/.test(await ask.invoke({ query: 'X is 6 * 7', take: 1 })));
await book.close();`,
    },
    { packages: ['@langchain/core@1.4.0'] },
  );
  assert.equal(await run(process.execPath, ['main.mjs'], path), 'true\n');
});

test('the bundle satisfies its validator, and runs from where it is unpacked', async (t) => {
  // Packing validates the manifest.
  const path = await bundle(TARBALL, HOME);
  t.diagnostic(`${Math.ceil(statSync(path).size / 1000)} kB`);
  const unpacked = join(HOME, 'unpacked');
  await npx('@anthropic-ai/mcpb@2.1.2', ['mcpb', 'unpack', path, unpacked]);
  const { server, tools, version } = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
  assert.equal(tools.length, 7);
  assert.equal(version, JSON.parse(readFileSync(join(ROOT, 'pkg', 'package.json'), 'utf8')).version);
  const values = { __dirname: unpacked, 'user_config.root': HOME, 'user_config.book': join(HOME, 'mcpb.book') };
  const args = server.mcp_config.args.map((arg) => arg.replace(/\$\{(.*?)\}/g, (_, name) => values[name]));
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: dirname(unpacked), env: {} }));
  const { content } = await client.callTool({ name: 'query_start', arguments: { query: 'X is 6 * 7', take: 1 } });
  assert.match(content[0].text, /X = 42/);
  await client.close();
});

test('npx from an empty cache, beside @modelcontextprotocol/server-memory', async (t) => {
  const timed = async (name, args) => {
    const cache = join(HOME, `cache-${createHash('sha1').update(name).digest('hex')}`);
    const path = directory(`timed-${createHash('sha1').update(name).digest('hex')}`);
    const started = performance.now();
    const client = new Client({ name: 'host', version: '1' });
    const env = { PATH: process.env.PATH, npm_config_cache: cache };
    await client.connect(
      new StdioClientTransport({ command: 'npx', args: ['--yes', `--package=${name}`, ...args], cwd: path, env }),
    );
    await client.listTools();
    const seconds = (performance.now() - started) / 1000;
    await client.close();
    const [kilobytes] = execFileSync('du', ['-sk', cache], { encoding: 'utf8' }).split('\t');
    return { seconds, megabytes: kilobytes / 1000 };
  };
  const own = await timed(TARBALL, ['hornbook']);
  const other = await timed('@modelcontextprotocol/server-memory', ['mcp-server-memory']);
  const told = ({ seconds, megabytes }) => `${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`;
  t.diagnostic(`hornbook: ${told(own)}; server-memory: ${told(other)}`);
  assert.ok(own.megabytes < 60, `${own.megabytes} MB`);
});
