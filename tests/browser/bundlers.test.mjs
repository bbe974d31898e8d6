// The package as it is published, in projects that Vite and webpack build with no word about it in their settings.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'vite';
import webpack from 'webpack';
import { PKG, ROOT, assertSound, launch, serve, visit } from './harness.mjs';

const MAIN = `
import { Client } from '@modelcontextprotocol/client';
import { PortTransport, createHornbook } from 'hornbook/web';

window.ask = async (query) => {
  const steps = [];
  const hornbook = await createHornbook({ progress: (loaded, total) => steps.push(loaded / total) });
  const { port1, port2 } = new MessageChannel();
  hornbook.connect(port1);
  const client = new Client({ name: 'consumer', version: '1' });
  await client.connect(new PortTransport(port2));
  const { content } = await client.callTool({ name: 'query_start', arguments: { query, take: 1 } });
  return [content[0].text, steps.at(-1)];
};
window.ready = true;
`;

let browser, packed, project;
before(async () => {
  // Below the repository: what it has installed is found from there.
  mkdirSync(join(ROOT, 'target'), { recursive: true });
  packed = mkdtempSync(join(ROOT, 'target', 'packed-'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', packed], { cwd: PKG });
  const [tarball] = readdirSync(packed);
  execFileSync('tar', ['-xzf', join(packed, tarball), '-C', packed]);
  browser = await launch();
});
after(async () => {
  await browser.close();
  rmSync(packed, { recursive: true });
});

/** A project that has the package installed. */
function consumer(name, files) {
  project = join(packed, name);
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  cpSync(join(packed, 'package'), join(project, 'node_modules', 'hornbook'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
  return project;
}

/** The built project asks in Chromium. */
async function asks(directory) {
  const site = await serve({ directories: { '/': directory } });
  const page = await visit(browser, site.origin);
  const [text, loaded] = await page.evaluate(() => ask('X is 6 * 7'));
  assert.match(text, /X = 42/);
  assert.equal(loaded, 1);
  assertSound(page);
  await site.close();
}

const HTML = (script) => `<!doctype html><title>consumer</title><link rel="icon" href="data:,"><body>${script}</body>`;

test('Vite', async () => {
  const root = consumer('vite', {
    'main.js': MAIN,
    'index.html': HTML('<script type="module" src="/main.js"></script>'),
  });
  await build({ root, configFile: false, logLevel: 'error', build: { outDir: 'dist' } });
  const assets = readdirSync(join(root, 'dist', 'assets'))
    .map((name) => name.replace(/-[\w-]{8}(\.\w+)$/, '$1'))
    .sort();
  assert.deepEqual(
    assets.filter((name) => !/^index/.test(name)),
    ['hornbook.state', 'hornbook_bg.wasm', 'swipl.data', 'swipl.wasm', 'worker-web.js'],
  );
  await asks(join(root, 'dist'));
});

test('webpack', async () => {
  const root = consumer('webpack', { 'main.js': MAIN });
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
  await asks(join(root, 'dist'));
});
