// npm run setup: prepares a fresh clone for building. Steps that are already done are skipped.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './debian.mjs';
import { CACHE, Plain, ROOT, isMain, main, output, run, say, since } from './steps.mjs';
import { wasmToolchain } from './wasm-target.mjs';

/** The crate and the tool must have the same version, which Cargo.toml states. */
const WASM_BINDGEN = /^wasm-bindgen = "=(.+)"$/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))[1];

/**
 * Install everything needed for building and, with `tests`, for testing. Resolves with the environment in which cargo
 * and wasm-bindgen build wasm.
 */
export async function setup({ tests = false } = {}) {
  await npmPackages();
  if ((await output('cargo', ['--version'])) === undefined) {
    throw new Plain('Rust is missing: install rustup with a stable toolchain (1.90 or newer)');
  }
  const env = await wasmToolchain();
  await cargoTool('wasm-bindgen', 'wasm-bindgen-cli', WASM_BINDGEN, [
    // Without its runner of tests, which downloads drivers of browsers.
    '--no-default-features',
    '--bin',
    'wasm-bindgen',
  ]);
  if (tests && (await output('swipl', ['--version'])) === undefined) {
    await installPackages(['swi-prolog-nox'], 'native SWI-Prolog, with which the tests compare');
  }
  if (tests && !process.env.CHROMIUM && !existsSync('/usr/bin/chromium')) {
    await installPackages(
      ['chromium'],
      'Chromium, in which the tests of the page run (or CHROMIUM names one that is there)',
    );
  }
  if (tests && !existsSync(process.env.FIREFOX || '/usr/bin/firefox-esr')) {
    const skipped = ({ message }) => say(`setup: ${message}; the tests in Firefox are skipped`);
    await installPackages(['firefox-esr'], 'Firefox, in which a walk through the page is tested').catch(skipped);
  }
  return env;
}

/** Run `npm ci` if the lock file differs from the one last installed. */
export async function npmPackages() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const stamp = join(ROOT, 'node_modules', '.hornbook-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  const started = Date.now();
  say('setup: installing the npm packages');
  await run('npm', ['ci', '--no-audit', '--no-fund'], {
    heartbeat: 'npm ci',
    explain: 'the npm packages could not be installed; the npm registry must be reachable',
  });
  // The package `node` is for test tools that need a newer one; everything else uses the user's Node.
  rmSync(join(ROOT, 'node_modules', '.bin', 'node'), { force: true });
  writeFileSync(stamp, lock);
  say(`setup: npm packages installed (${since(started)})`);
}

/** A tool in exactly this version: the one on PATH, or one built into the cache. */
async function cargoTool(command, crate, version, options) {
  if ((await output(command, ['--version']))?.trim() === `${command} ${version}`) return;
  const started = Date.now();
  say(`setup: building ${crate} ${version} into ${CACHE} (some minutes, once)`);
  await run('cargo', ['install', crate, '--version', version, '--root', CACHE, ...options], {
    heartbeat: `building ${crate}`,
    explain: `${crate} ${version} could not be built; the crates registry and a C compiler must be there`,
  });
  say(`setup: ${crate} is there (${since(started)})`);
}

if (isMain(import.meta.url)) await main(() => setup());
