// The package as published: packed, and installed in separate projects outside the repository.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pack } from '../../scripts/package.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of all projects of this process; removed when the process ends. */
export const HOME = mkdtempSync(join(tmpdir(), 'hornbook-packaging-'));
process.on('exit', () => rmSync(HOME, { recursive: true, force: true }));

/** The tarball. */
export const TARBALL = await pack(HOME);

const start = promisify(execFile);

/** Runs a command in a directory; resolves with what it wrote to standard output. */
export async function run(command, args, cwd, env = {}) {
  try {
    const { stdout } = await start(command, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    throw new Error(`\`${[command, ...args].join(' ')}\`: ${error.message}\n${error.stdout}\n${error.stderr}`);
  }
}

/** A directory with `files`, contents by name, and a package.json. */
export function directory(name, files = {}, manifest = {}) {
  const path = join(HOME, name);
  mkdirSync(path);
  const all = { 'package.json': JSON.stringify({ private: true, ...manifest }), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

/** A project with the package installed, and `packages` beside it. Without these, nothing is downloaded. */
export async function project(name, files, { manifest, packages = [] } = {}) {
  const path = directory(name, files, manifest);
  const offline = packages.length > 0 ? '--prefer-offline' : '--offline';
  await run('npm', ['install', offline, '--no-audit', '--no-fund', '--loglevel', 'error', TARBALL, ...packages], path);
  return path;
}
