// npm run vscode: makes hornbook-vscode-VERSION.vsix in dist/, the VS Code extension for the desktop and the browser.
import { appendFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VERSION, build } from './build.mjs';
import { licencesOfModules } from './licences.mjs';
import { NOT_IN_A_BUNDLE, pack } from './package.mjs';
import { setup } from './setup.mjs';
import { ROOT, isMain, main, run } from './steps.mjs';

const PKG = join(ROOT, 'pkg');
const SOURCE = join(ROOT, 'pkg-templates', 'vscode');
/** The extension's files before packing. */
export const STAGE = join(ROOT, 'target', 'vscode');
/** The licences of the libraries in its scripts, beside them. */
export const LICENCES = 'THIRD-PARTY-LICENSES.txt';
/** The tool that packs extensions. */
const VSCE = '@vscode/vsce@4.1.0';

/** Tools for agents in the browser, where no process can serve MCP. */
async function languageModelTools() {
  const { openBook } = await import(pathToFileURL(join(PKG, 'index.js')));
  const book = await openBook();
  const tools = await book.tools();
  await book.close();
  return tools.map(({ name, title, description, inputSchema }) => ({
    name: `hornbook_${name}`,
    displayName: `Hornbook: ${title}`,
    modelDescription: description,
    inputSchema,
    canBeReferencedInPrompt: true,
    toolReferenceName: `hornbook_${name}`,
    when: 'isWeb',
  }));
}

/** The manifest of the extension. */
export async function extensionManifest() {
  const manifest = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'));
  manifest.version = VERSION;
  manifest.contributes.languageModelTools = await languageModelTools();
  return manifest;
}

/** Modules of the extension's pages that replace those of the playground: engines, and what only browsers can do. */
const OWN = [
  [/\/pkg\/web\.js$/, 'web.ts'],
  [/\/storage\.ts$/, 'storage.ts'],
  [/\/download\.ts$/, 'download.ts'],
  [/\/javascript\.ts$/, 'javascript.ts'],
  [/\/start\.ts$/, 'reader-worker.ts'],
];
const ownParts = {
  name: 'own parts',
  setup(build) {
    for (const [filter, name] of OWN)
      build.onResolve({ filter }, ({ importer }) =>
        importer.startsWith(join(ROOT, 'www')) ? { path: join(SOURCE, 'src', 'view', name) } : undefined,
      );
    // They have the full crate alone: its code need not be there twice.
    build.onResolve({ filter: /\/core\/hornbook\.js$/ }, () => ({ path: join(PKG, 'full', 'hornbook.js') }));
    // As Vite does for the playground.
    build.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('?raw', '')),
      namespace: 'raw',
    }));
    build.onLoad({ filter: /./, namespace: 'raw' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      loader: 'text',
    }));
  },
};

/** Bundle the scripts of the extension from its sources and pkg/. */
async function bundleScripts(out) {
  const { build } = await import('esbuild');
  const common = { bundle: true, minify: true, logLevel: 'error', legalComments: 'eof', absWorkingDir: ROOT };
  // These scripts have no files beside them.
  const browser = { ...common, platform: 'browser', define: { 'import.meta.url': '""' } };
  const modules = new Set();
  const bundle = async (options) => {
    const result = await build({ ...options, outdir: out, metafile: true });
    for (const { inputs } of Object.values(result.metafile.outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) modules.add(path);
    return result;
  };
  const textOf = async (path) => {
    const { outputFiles } = await bundle({ ...browser, entryPoints: [path], format: 'iife', write: false });
    return JSON.stringify(outputFiles[0].text);
  };
  const page = {
    ...browser,
    define: {
      ...browser.define,
      ENGINE_WORKER: await textOf(join(PKG, 'worker-web.js')),
      READER_WORKER: await textOf(join(ROOT, 'www', 'src', 'notebook', 'worker.ts')),
    },
    loader: { '.pl': 'text', '.dml': 'text', '.wasm': 'binary' },
    plugins: [ownParts],
  };
  const entry = (name) => ({ entryPoints: [join(SOURCE, 'src', name)] });
  await bundle({ ...common, ...entry('desktop.ts'), platform: 'node', format: 'cjs', external: ['vscode'] });
  await bundle({ ...common, ...entry('web.ts'), platform: 'browser', format: 'cjs', external: ['vscode'] });
  // It only checks programs and workflows and never runs them, so models are left out.
  await bundle({ ...page, ...entry('server-worker.ts'), format: 'iife', external: ['ai'] });
  await bundle({ ...page, ...entry('view/javascript-worker.ts'), format: 'iife' });
  // What a page shows later is in scripts of its own, but it has its styles from the beginning.
  for (const [name, path] of Object.entries({ view: 'main.ts', review: 'review.ts' })) {
    const entryPoints = { [name]: join(SOURCE, 'src', 'view', path) };
    const parts = { splitting: true, chunkNames: `${name}-[name]-[hash]` };
    const { metafile } = await bundle({ ...page, ...parts, entryPoints, format: 'esm' });
    const styles = Object.keys(metafile.outputs).filter(
      (file) => file.endsWith('.css') && basename(file) !== `${name}.css`,
    );
    for (const file of styles) {
      appendFileSync(join(out, `${name}.css`), readFileSync(join(ROOT, file)));
      rmSync(join(ROOT, file));
    }
  }
  const about =
    'This file has the licences of the libraries in the scripts beside it; what those have of the package is in ../server.';
  writeFileSync(join(out, LICENCES), licencesOfModules(about, [...modules]));
}

/** Copy the parts of the package that the extension needs: what runs in Node, and SWI-Prolog for its pages. */
async function copyServer(out) {
  const tarball = await pack(join(ROOT, 'target'));
  mkdirSync(out, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', out, '--strip-components', '1']);
  for (const name of readdirSync(out, { recursive: true }))
    if (NOT_IN_A_BUNDLE.test(name) || /^README\b/.test(name)) rmSync(join(out, name), { recursive: true, force: true });
}

/** Build the extension in {@link STAGE}; pkg/ must be built. */
export async function stageExtension() {
  await run('tsc', ['-p', SOURCE], { explain: 'the TypeScript of the extension does not compile' });
  rmSync(STAGE, { recursive: true, force: true });
  mkdirSync(STAGE, { recursive: true });
  for (const name of readdirSync(SOURCE))
    if (!['src', 'tsconfig.json', 'package.json'].includes(name))
      cpSync(join(SOURCE, name), join(STAGE, name), { recursive: true });
  for (const name of ['CHANGELOG.md', 'LICENSE']) cpSync(join(ROOT, name), join(STAGE, name));
  writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(await extensionManifest(), null, 2)}\n`);
  await bundleScripts(join(STAGE, 'dist'));
  await copyServer(join(STAGE, 'server'));
}

/** Pack the extension in a folder. */
export async function packFolder(folder, path) {
  const once = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
  await run('npx', ['--yes', `--package=${VSCE}`, 'vsce', 'package', ...once, '--out', path], {
    cwd: folder,
    heartbeat: 'packing the extension',
    explain: `the extension could not be packed: ${VSCE} is fetched from the npm registry once, and checks the manifest`,
  });
}

/** Pack the extension. Resolves with its path. */
export async function packExtension(directory = join(ROOT, 'dist')) {
  await stageExtension();
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `hornbook-vscode-${VERSION}.vsix`);
  await packFolder(STAGE, path);
  return path;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await build(await setup());
    const path = await packExtension();
    console.log(`${relative(process.cwd(), path)}: ${(statSync(path).size / 1e6).toFixed(1)} MB`);
  });
}
