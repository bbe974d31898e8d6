// The licences of everything in the package. That each is one of those allowed is checked when it is built.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PKG = join(ROOT, 'pkg');
const LICENCES = readFileSync(join(PKG, 'THIRD-PARTY-LICENSES.txt'), 'utf8');

for (const [from, bundle] of [
  ['lsp/stdio.js', 'lsp/server.bundle.js'],
  ['serve/libraries.js', 'serve/libraries.bundle.js'],
  ['mcp/libraries.js', 'mcp/libraries.bundle.js'],
]) {
  test(`${bundle}: the licence of each library in it is in the package`, async () => {
    const { metafile } = await build({
      entryPoints: [join(PKG, from)],
      bundle: true,
      platform: 'node',
      format: 'esm',
      metafile: true,
      write: false,
      absWorkingDir: ROOT,
      logLevel: 'error',
    });
    const [{ inputs }] = Object.values(metafile.outputs);
    const used = Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    const listed = LICENCES.match(new RegExp(`(?<=^In ${bundle}: ).*$`, 'gm'));
    // One text stands for what is made together with the language server's library.
    const isListed = (name) => listed.includes(name.replace(/^vscode-.*/, 'vscode-languageserver'));
    assert.deepEqual(
      [...new Set(used)].filter((name) => !isListed(name)),
      [],
    );
  });
}

test('the crates may have the licences that npm packages may have', () => {
  const names = (path, list) =>
    [...list.exec(readFileSync(join(ROOT, path), 'utf8'))[1].matchAll(/['"]([\w.-]+)['"]/g)].map(([, name]) => name);
  assert.deepEqual(
    names('deny.toml', /^allow = \[(.*)\]$/m),
    names('scripts/licences.mjs', /^const ALLOWED = new Set\(\[([\s\S]*?)\]\)/m),
  );
});

test('the page has the licence of each library in its scripts, styles and workers', () => {
  const page = readFileSync(join(ROOT, 'target', 'playground', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const library of ['@codemirror/view', '@fontsource-variable/inter', '@jitl/quickjs-wasmfile-release-sync', 'ai'])
    assert.match(page, new RegExp(`^${library} \\d[\\d.]* \\(`, 'm'));
  assert.ok(page.endsWith(LICENCES));
});

test('what is in the package comes with the whole text of its licence', () => {
  const [, ...parts] = LICENCES.split(/^=+$/m);
  const short = parts.filter((_, index) => index % 2 === 1 && parts[index].trim().length < 500);
  assert.deepEqual(short, []);
  assert.match(LICENCES, /^In full\/hornbook_bg\.wasm: .*ts-rs/m);
});
