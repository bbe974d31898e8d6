// npm run build: makes pkg/, the npm package. Steps whose inputs did not change are skipped.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundleInline } from './inline.mjs';
import { bundleForNode } from './bundle.mjs';
import { thirdPartyLicences } from './licences.mjs';
import { remapped } from './remap.mjs';
import { BINDGEN, setup } from './setup.mjs';
import { ROOT, Plain, done, files, isMain, main, run, say, since, stale } from './steps.mjs';

const PKG = join(ROOT, 'pkg');

/** The version of the crate, the package, and everything made from them. */
export const VERSION = /^version = "(.+)"$/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))[1];

const SWIPL_WASM = join(ROOT, 'node_modules', 'swipl-wasm');

/**
 * swipl-wasm 8.0.5. The guards in pkg-templates/src/engine/engine.ts use the minifier's function names in exactly these
 * files.
 */
const SWIPL_FILES = {
  'swipl-web.js': 'fd829b58dec85887db0ad015fe79bcd0d143c7054a55b73819113361f2fa43ff',
  'swipl-web.wasm': '3223ce237f3ec3f02266a4a07a7cfa7294dd8d5696dce93d305d424e35e66615',
  'swipl-web.data': 'f6ea3ce279e5a11db99ac22e770636c9e8068963624bae5d2e4896d5454e9740',
};

/**
 * The swipl-wasm script as a module. A worker never reaches the Node names in it, but bundlers for pages would replace
 * them unless they were declared here.
 */
const asModule = (script) => `let require, __dirname, __filename;\n${script}\nexport default SWIPL;\n`;

/** Read a file of swipl-wasm, verifying its hash. */
function swiplFile(name) {
  const bytes = readFileSync(join(SWIPL_WASM, 'dist', 'swipl', name));
  if (createHash('sha256').update(bytes).digest('hex') !== SWIPL_FILES[name]) {
    throw new Plain(
      `${name} is not that of swipl-wasm 8.0.5, whose names the guards of the engine rely on; run \`npm ci\`, or for a new version give the guards in pkg-templates/src/engine/engine.ts its names and scripts/build.mjs its hashes`,
    );
  }
  return bytes;
}

/** Copy what the package needs of swipl-wasm. */
function copySwipl() {
  const out = join(PKG, 'swipl');
  // Leftovers of earlier builds would be published.
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'glue.js'), asModule(swiplFile('swipl-web.js')));
  writeFileSync(join(out, 'swipl.wasm'), swiplFile('swipl-web.wasm'));
  cpSync(join(SWIPL_WASM, 'LICENSE.txt'), join(out, 'LICENSE.txt'));
}

/** SWI-Prolog's own library, which engines made from sources need. */
export const library = () => Uint8Array.from(swiplFile('swipl-web.data')).buffer;

/** Write the package.json of the package, with the version of the crate. */
function writeManifest() {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'pkg-templates', 'package.json'), 'utf8'));
  manifest.version = VERSION;
  mkdirSync(PKG, { recursive: true });
  writeFileSync(join(PKG, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

const compile = (project) => run('tsc', ['-p', project], { explain: 'the TypeScript of the package does not compile' });

/**
 * Compile what is needed to make the engine's state. Removes earlier output first: a file that no longer exists would
 * be published.
 */
async function compileEngine() {
  for (const name of readdirSync(PKG)) {
    if (!['package.json', 'core', 'full', 'swipl'].includes(name)) rmSync(join(PKG, name), { recursive: true });
  }
  await compile('tsconfig.engine.json');
}

async function compilePackage() {
  // Stale output here would be read instead of the sources: the types of the crate refer to these files.
  rmSync(join(PKG, 'generated'), { recursive: true, force: true });
  await compile('tsconfig.json');
  chmodSync(join(PKG, 'bin.js'), 0o755);
}

/** The text of the files in prolog/, by their path below it, with slashes. */
export function prologSources() {
  const directory = join(ROOT, 'prolog');
  const paths = readdirSync(directory, { recursive: true }).filter((path) => path.endsWith('.pl'));
  return Object.fromEntries(
    paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(directory, path), 'utf8')]),
  );
}

/**
 * An engine without a saved state, from the current files in prolog/ or from `sources`. Warnings while loading go to
 * `log`.
 */
export async function freshEngine(log, sources = prologSources()) {
  const { EngineHandle } = await import(pathToFileURL(join(PKG, 'engine', 'host.js')));
  const { loadParts, startWorker } = await import(pathToFileURL(join(PKG, 'node', 'engine.js')));
  const engine = new EngineHandle(startWorker, loadParts({ sources, library: library() }), log);
  await engine.ready;
  return engine;
}

/** Boots an engine from the files in prolog/ and saves its memory. A warning while loading fails the build. */
async function saveState() {
  const warnings = [];
  const engine = await freshEngine((text) => warnings.push(text));
  const loading = warnings.join('');
  if (loading) {
    engine.end();
    throw new Plain(`the files in prolog/ load with warnings:\n${loading}`);
  }
  writeFileSync(join(PKG, 'swipl', 'hornbook.state'), gzipSync(await engine.save(), { level: 9 }));
  engine.end();
}

const TARGET = 'wasm32-unknown-unknown';

/** What rustc uses of WebAssembly without being asked; all supported browsers and Node have it. */
const WASM_FEATURES = [
  '--enable-bulk-memory',
  '--enable-multivalue',
  '--enable-mutable-globals',
  '--enable-nontrapping-float-to-int',
  '--enable-reference-types',
  '--enable-sign-ext',
];

/** Compile the crate to wasm with these features, and generate the JavaScript for it. */
async function compileCrate(env, part, features) {
  await run('cargo', ['build', '--lib', '--release', '--locked', '--target', TARGET, ...features], {
    env: { ...env, ...remapped() },
    heartbeat: 'compiling the crate to wasm',
    explain: 'the crate does not build for wasm',
  });
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target');
  const compiled = join(target, TARGET, 'release', 'hornbook.wasm');
  const out = join(PKG, part);
  rmSync(out, { recursive: true, force: true });
  await run(BINDGEN, [compiled, out, 'hornbook'], {
    explain: 'wasm-bindgen cannot read the wasm of the crate',
  });
}

/** What wasm-opt inlines beyond -O1 makes the wasm smaller by 5 % but what a page loads, compressed, larger by 7 %. */
async function optimize(part) {
  const wasm = join(PKG, part, 'hornbook_bg.wasm');
  await run('wasm-opt', [wasm, '-o', wasm, '-O1', ...WASM_FEATURES], {
    heartbeat: `wasm-opt of ${part}`,
    explain: 'wasm-opt cannot read the wasm of the crate',
  });
}

/** Build the whole crate, and the core that pages load first. While the one is optimized, the other is compiled. */
async function buildCrate(env) {
  // Crates must be present before their folder can be remapped.
  await run('cargo', ['fetch', '--locked'], { env, explain: 'the crates could not be fetched' });
  await compileCrate(env, 'full', []);
  const core = async () => {
    await compileCrate(env, 'core', ['--no-default-features']);
    await optimize('core');
  };
  await Promise.all([optimize('full'), core()]);
  const types = join(PKG, 'full', 'hornbook.d.ts');
  // Its classes have `Symbol.dispose`, which the libraries of TypeScript have apart.
  const declarations = withoutPages(readFileSync(types, 'utf8'));
  writeFileSync(types, `/// <reference lib="esnext.disposable" />\n${declarations}`);
  // The classes of the core have the type declarations of the full build, so that both share one type.
  rmSync(join(PKG, 'core', 'hornbook_bg.wasm.d.ts'));
  writeFileSync(
    join(PKG, 'core', 'hornbook.d.ts'),
    "export { Connection, Hornbook, checkOptions, initSync, default } from '../full/hornbook.js';\n",
  );
}

/**
 * Declarations without the types that only pages have, which wasm-bindgen mentions, so that Node programs can use them.
 */
const withoutPages = (types) =>
  types
    .replace(/^(export type \w*InitInput =) .*;$/gm, '$1 unknown;')
    .replaceAll(/\bWebAssembly\.(Memory|Table)\b/g, 'unknown');

/** Record how many bytes a page has to load: servers do not report the size of what they compress. */
function writeSizes() {
  const names = ['core/hornbook_bg.wasm', 'full/hornbook_bg.wasm', 'swipl/swipl.wasm', 'swipl/hornbook.state'];
  const sizes = Object.fromEntries(names.map((name) => [name, statSync(join(PKG, name)).size]));
  writeFileSync(join(PKG, 'swipl', 'sizes.js'), `export const SIZES = ${JSON.stringify(sizes, null, 2)};\n`);
  cpSync(join(ROOT, 'pkg-templates', 'src', 'swipl', 'sizes.d.ts'), join(PKG, 'swipl', 'sizes.d.ts'));
}

/** Build the page that `npm start` serves, from www/ and pkg/. */
async function buildPlayground() {
  await run('tsc', ['-p', 'www'], { explain: 'the TypeScript of the playground does not compile' });
  await run('vite', ['build', 'www', '--logLevel', 'warn'], { explain: 'the playground could not be bundled' });
}

/** Copy what npm shows for the package, and collect the licences of its contents. */
async function writeDocuments() {
  cpSync(join(ROOT, 'README.md'), join(PKG, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(PKG, 'LICENSE'));
  writeFileSync(join(PKG, 'THIRD-PARTY-LICENSES.txt'), await thirdPartyLicences());
}

/** npx looks in node_modules/.bin before it asks a registry. */
function linkCommand() {
  const command = join(ROOT, 'node_modules', '.bin', 'hornbook');
  rmSync(command, { force: true });
  symlinkSync(join('..', '..', 'pkg', 'bin.js'), command);
}

const MANIFEST = {
  name: 'manifest',
  inputs: () => files('pkg-templates/package.json', 'Cargo.toml'),
  outputs: ['pkg/package.json'],
  make: writeManifest,
};
const SWIPL = {
  name: 'swipl-wasm',
  inputs: () => files('node_modules/swipl-wasm/package.json', 'scripts/build.mjs'),
  outputs: ['pkg/swipl/glue.js', 'pkg/swipl/swipl.wasm'],
  make: copySwipl,
};
const ENGINE = {
  name: 'engine',
  inputs: () => files('pkg-templates/src', 'tsconfig.json', 'tsconfig.engine.json'),
  outputs: ['pkg/node/engine.js', 'pkg/node/worker.js'],
  make: compileEngine,
};
const STATE = {
  name: 'engine state',
  inputs: () => files('prolog', 'pkg/engine', 'pkg/swipl/glue.js', 'pkg/swipl/swipl.wasm', 'scripts/build.mjs'),
  outputs: ['pkg/swipl/hornbook.state'],
  make: saveState,
};
const CRATE = {
  name: 'crate',
  inputs: () => files('src', 'Cargo.toml', 'Cargo.lock', 'scripts/remap.mjs'),
  outputs: ['full', 'core'].flatMap((part) =>
    ['hornbook_bg.wasm', 'hornbook.js', 'hornbook.d.ts'].map((name) => `pkg/${part}/${name}`),
  ),
  make: buildCrate,
};
const SIZES = {
  name: 'sizes',
  inputs: () =>
    files('pkg/core/hornbook_bg.wasm', 'pkg/full/hornbook_bg.wasm', 'pkg/swipl/hornbook.state', 'scripts/build.mjs'),
  outputs: ['pkg/swipl/sizes.js'],
  make: writeSizes,
};
const TYPESCRIPT = {
  name: 'TypeScript',
  inputs: () => files('pkg-templates/src', 'tsconfig.json', 'pkg/full/hornbook.d.ts'),
  outputs: ['pkg/bin.js', 'pkg/node.js'],
  make: compilePackage,
};
const INLINE = {
  name: 'single file',
  inputs: () => files('pkg-templates/src', 'pkg/full', 'pkg/swipl', 'scripts/inline.mjs'),
  outputs: ['pkg/inline.bundle.js'],
  make: () => bundleInline(PKG),
};
const LANGUAGE_SERVER = {
  name: 'language server',
  inputs: () => files('pkg-templates/src/lsp', 'pkg/lsp/stdio.js', 'package-lock.json', 'scripts/bundle.mjs'),
  outputs: ['pkg/lsp/server.bundle.js'],
  make: () => bundleForNode(PKG, 'lsp/stdio.js', 'lsp/server.bundle.js'),
};
const SERVER_LIBRARIES = {
  name: 'libraries of the server',
  inputs: () => files('pkg/serve/libraries.js', 'package-lock.json', 'scripts/bundle.mjs'),
  outputs: ['pkg/serve/libraries.bundle.js'],
  make: () => bundleForNode(PKG, 'serve/libraries.js', 'serve/libraries.bundle.js'),
};
const CLIENT_LIBRARIES = {
  name: 'libraries of the client of other servers',
  inputs: () => files('pkg/mcp/libraries.js', 'package-lock.json', 'scripts/bundle.mjs'),
  outputs: ['pkg/mcp/libraries.bundle.js'],
  make: () => bundleForNode(PKG, 'mcp/libraries.js', 'mcp/libraries.bundle.js'),
};
const DOCUMENTS = {
  name: 'documents',
  inputs: () => files('README.md', 'LICENSE', 'Cargo.lock', 'pkg-templates/licences', 'scripts/licences.mjs'),
  outputs: ['pkg/README.md', 'pkg/LICENSE', 'pkg/THIRD-PARTY-LICENSES.txt'],
  make: writeDocuments,
};
const COMMAND = { name: 'command', inputs: () => [], outputs: ['node_modules/.bin/hornbook'], make: linkCommand };

const SITE = {
  name: 'site',
  inputs: () => [
    ...files(
      'docs',
      'pkg/full/hornbook_bg.wasm',
      'package-lock.json',
      'scripts/reference.mjs',
      'scripts/reference-text.mjs',
    ),
    ...files('pkg').filter((file) => file.endsWith('.d.ts')),
  ],
  outputs: ['target/docs/index.html'],
  make: () => run('vitepress', ['build', 'docs'], { explain: 'the site of the documents does not build' }),
};
const PLAYGROUND = {
  name: 'playground',
  inputs: () => files('www', 'pkg', 'package-lock.json', 'scripts/licences.mjs'),
  outputs: ['target/playground/index.html'],
  make: buildPlayground,
};

/** Run those of the steps whose inputs changed. `env` comes from {@link setup}. */
async function make(steps, env) {
  for (const { name, inputs, outputs, make } of steps) {
    const todo = stale(name, inputs(), outputs);
    if (!todo) continue;
    const started = Date.now();
    say(`build: ${name}`);
    await make(env);
    done(todo);
    say(`build: ${name} is done (${since(started)})`);
  }
}

const PACKAGE = [
  MANIFEST,
  SWIPL,
  ENGINE,
  STATE,
  CRATE,
  SIZES,
  TYPESCRIPT,
  INLINE,
  LANGUAGE_SERVER,
  SERVER_LIBRARIES,
  CLIENT_LIBRARIES,
  DOCUMENTS,
  COMMAND,
];

/** Build all of pkg/. */
export const build = (env) => make(PACKAGE, env);

/** Build pkg/, the playground in target/playground/, and the documentation in target/docs/. */
export const buildPage = (env) => make([...PACKAGE, PLAYGROUND, SITE], env);

/** Build what {@link freshEngine} needs. */
export const buildEngine = () => make([MANIFEST, SWIPL, ENGINE]);

if (isMain(import.meta.url)) await main(async () => build(await setup()));
