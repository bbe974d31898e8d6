// The package in pages: in projects built by bundlers without any special settings, and without a bundler.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build as esbuild } from 'esbuild';
import { build } from 'vite';
import webpack from 'webpack';
import { assertSound, launch, serve, visit } from '../browser/harness.mjs';
import { ROOT, project } from './harness.mjs';

const ASK = `
globalThis.ask = async (goal) => {
  const book = await openBook(OPTIONS);
  await book.assert('parent(tom, bob).');
  const answer = await book.once(goal);
  await book.close();
  return answer;
};
globalThis.ready = true;
`;
/** A page that runs a query. */
const main = (from = 'hornbook', options = '{}') =>
  `import { openBook } from '${from}';${ASK.replace('OPTIONS', options)}`;

const HTML = (script) => `<!doctype html><title>consumer</title><link rel="icon" href="data:,"><body>${script}</body>`;

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** The built project runs a query in Chromium, under the policy of the harness or another one. */
async function asks(directory, options) {
  const site = await serve({ directories: { '/': directory }, ...options });
  const page = await visit(browser, site.origin);
  const answer = await page.evaluate(() => ask('parent(tom, X), Y is 6 * 7'));
  assert.deepEqual(answer, { X: 'bob', Y: 42 });
  assertSound(page);
  await site.close();
}

test('Vite', async () => {
  const root = await project('vite', {
    'main.js': main(),
    'index.html': HTML('<script type="module" src="/main.js"></script>'),
  });
  await build({ root, configFile: false, logLevel: 'error', build: { outDir: 'dist' } });
  const assets = readdirSync(join(root, 'dist', 'assets'))
    .map((name) => name.replace(/-[\w-]{8}(\.\w+)$/, '$1'))
    .sort();
  // The core and the full crate, and the writer of CSV, each loaded when it is used.
  const crate = ['hornbook.js', 'hornbook.js', 'hornbook.state', 'hornbook_bg.wasm', 'hornbook_bg.wasm'];
  assert.deepEqual(
    assets.filter((name) => !/^index/.test(name)),
    ['export.js', ...crate, 'swipl.wasm', 'worker-web.js'],
  );
  await asks(join(root, 'dist'));
});

/** Builds with webpack, without errors and warnings. */
async function packed(root) {
  const stats = await new Promise((resolve, reject) =>
    webpack(
      {
        context: root,
        entry: './main.js',
        mode: 'production',
        output: { path: join(root, 'dist'), publicPath: '/' },
        performance: { hints: false },
      },
      (error, stats) => (error ? reject(error) : resolve(stats)),
    ),
  );
  assert.deepEqual([stats.toJson().errors, stats.toJson().warnings], [[], []]);
  writeFileSync(join(root, 'dist', 'index.html'), HTML('<script src="/main.js"></script>'));
}

test('webpack', async () => {
  const root = await project('webpack', { 'main.js': main() });
  await packed(root);
  await asks(join(root, 'dist'));
});

test('webpack, with the official client on a port', async () => {
  const root = await project('webpack-mcp', {
    'main.js': `
import { Client } from '@modelcontextprotocol/client';
import { PortTransport, createHornbook } from 'hornbook/web';

window.ask = async (goal) => {
  const steps = [];
  const hornbook = await createHornbook({ progress: (loaded, total) => steps.push(loaded / total) });
  const { port1, port2 } = new MessageChannel();
  hornbook.connect(port1);
  const client = new Client({ name: 'consumer', version: '1' });
  await client.connect(new PortTransport(port2));
  await client.callTool({ name: 'clauses', arguments: { operation: 'assert', clauses: 'parent(tom, bob).' } });
  const { content } = await client.callTool({ name: 'query_start', arguments: { query: goal, take: 1 } });
  return steps.at(-1) === 1 && /X = bob, Y = 42/.test(content[0].text) ? { X: 'bob', Y: 42 } : content[0].text;
};
window.ready = true;
`,
  });
  symlinkSync(join(ROOT, 'node_modules', '@modelcontextprotocol'), join(root, 'node_modules', '@modelcontextprotocol'));
  await packed(root);
  await asks(join(root, 'dist'));
});

test('esbuild, which copies no files: their address is an option', async () => {
  const root = await project('esbuild', { 'main.js': main('hornbook', "{ assets: '/hornbook/' }") });
  await bundled(root);
  cpSync(join(root, 'node_modules', 'hornbook'), join(root, 'dist', 'hornbook'), { recursive: true });
  await asks(join(root, 'dist'));
});

test('esbuild, all in one file', async () => {
  const root = await project('esbuild-inline', {
    'main.js': `import { createHornbook } from 'hornbook/inline';
window.ask = async (goal) => {
  const hornbook = await createHornbook();
  await hornbook.hornbook.assert(['parent(tom, bob).']);
  const told = [];
  const connection = hornbook.hornbook.connect((message) => told.push(JSON.parse(message)));
  connection.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {
    name: 'query_start', arguments: { query: goal, take: 1 }, _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {} } } }));
  await hornbook.hornbook.idle();
  const { text } = told[0].result.content[0];
  return /X = bob, Y = 42/.test(text) ? { X: 'bob', Y: 42 } : text;
};
window.ready = true;`,
  });
  await bundled(root);
  await asks(join(root, 'dist'));
});

async function bundled(root) {
  const entryPoints = [join(root, 'main.js')];
  await esbuild({
    entryPoints,
    bundle: true,
    format: 'esm',
    outfile: join(root, 'dist', 'main.js'),
    logLevel: 'error',
  });
  writeFileSync(join(root, 'dist', 'index.html'), HTML('<script type="module" src="/main.js"></script>'));
}

test('no bundler: an import map', async () => {
  const root = await project('import-map', {
    'main.js': main(),
    'index.html':
      HTML(`<script type="importmap">{ "imports": { "hornbook": "/node_modules/hornbook/index-web.js" } }</script>
<script type="module" src="/main.js"></script>`),
  });
  // An import map is a script in the page.
  const csp = "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
  await asks(root, { csp });
});

test('in a Web Worker', async () => {
  const root = await project('worker', {
    'worker.js': `${main()}
onmessage = async ({ data }) => postMessage(await ask(data));`,
    'main.js': `const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
window.ask = (goal) => new Promise((resolve) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.postMessage(goal);
});
window.ready = true;`,
    'index.html': HTML('<script type="module" src="/main.js"></script>'),
  });
  await build({ root, configFile: false, logLevel: 'error', build: { outDir: 'dist' }, worker: { format: 'es' } });
  await asks(join(root, 'dist'));
});
