// npm run package: makes in dist/, from pkg/, what is published: hornbook-VERSION.tgz for npm, server.json for the MCP
// registry, and hornbook-VERSION.mcpb for hosts that install bundles.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VERSION, build } from './build.mjs';
import { setup } from './setup.mjs';
import { ROOT, isMain, main, run } from './steps.mjs';

const DIST = join(ROOT, 'dist');
const PKG = join(ROOT, 'pkg');
/** The tool that packs and validates bundles. */
const MCPB = '@anthropic-ai/mcpb@2.1.2';

/** Pack pkg/, which must be built, into `directory`. Resolves with the path of the file. */
export async function pack(directory = DIST) {
  mkdirSync(directory, { recursive: true });
  await run('npm', ['pack', '--silent', '--pack-destination', directory], {
    cwd: PKG,
    explain: 'npm could not pack pkg/',
  });
  return join(directory, `hornbook-${VERSION}.tgz`);
}

const template = (name) => JSON.parse(readFileSync(join(ROOT, 'pkg-templates', name), 'utf8'));

/** The entry for the MCP registry. */
export function serverJson() {
  const server = template('server.json');
  server.version = VERSION;
  for (const one of server.packages) one.version = VERSION;
  return server;
}

/** The manifest of the bundle, with the tools as the server lists them. */
export async function bundleManifest() {
  const { openBook } = await import(pathToFileURL(join(PKG, 'index.js')));
  const book = await openBook();
  const tools = await book.tools();
  await book.close();
  return {
    ...template('mcpb.json'),
    version: VERSION,
    tools: tools.map(({ name, description }) => ({ name, description })),
  };
}

/**
 * The parts of the package that only pages and compilers read. Exception: a module for pages that workflows refer to.
 */
export const NOT_IN_A_BUNDLE = /^(page\/(?!languages\.js)|ai|inline|web|index-web|worker-web|language-web)\b|\.d\.ts$/;

/** Make a bundle from the contents of the tarball. Resolves with its path. */
export async function bundle(tarball, directory = DIST) {
  const inside = join(ROOT, 'target', 'mcpb');
  rmSync(inside, { recursive: true, force: true });
  mkdirSync(inside, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', inside, '--strip-components', '1']);
  for (const name of readdirSync(inside, { recursive: true }))
    if (NOT_IN_A_BUNDLE.test(name)) rmSync(join(inside, name), { recursive: true, force: true });
  writeFileSync(join(inside, 'manifest.json'), `${JSON.stringify(await bundleManifest(), null, 2)}\n`);
  const path = join(directory, `hornbook-${VERSION}.mcpb`);
  // Packing validates the manifest first.
  await run('npx', ['--yes', `--package=${MCPB}`, 'mcpb', 'pack', inside, path], {
    explain: `the bundle could not be made: ${MCPB} is fetched from the npm registry once, and checks the manifest`,
  });
  return path;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await build(await setup());
    const tarball = await pack();
    const server = join(DIST, 'server.json');
    writeFileSync(server, `${JSON.stringify(serverJson(), null, 2)}\n`);
    for (const path of [tarball, server, await bundle(tarball)]) console.log(relative(process.cwd(), path));
  });
}
