// npm run setup: prepares a fresh clone for building. Steps that are already done are skipped.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromiumPath } from './chromium.mjs';
import { installPackages } from './debian.mjs';
import { CACHE, Plain, ROOT, isMain, main, output, run, say, since } from './steps.mjs';
import { wasmToolchain } from './wasm-target.mjs';

/** The crate and the command must have the same version, which Cargo.toml states. */
const WASM_BINDGEN = /^wasm-bindgen = "=(.+)"$/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))[1];

/** The command that generates JavaScript for the wasm of the crate: `BINDGEN IN.wasm OUT_DIR NAME`. */
export const BINDGEN = join(CACHE, 'bin', `wasm-bindgen-${WASM_BINDGEN}`);

/**
 * Install everything needed for building and, with `tests`, for testing. Resolves with the environment in which cargo
 * and wasm-bindgen build wasm.
 */
export async function setup({ tests = false } = {}) {
  // Each of these keeps at most one processor busy, or waits for the network.
  const packages = npmPackages();
  const rust = rustToolchain();
  // After the toolchain, which may install Debian packages, too.
  const programs = rust.then(() => tests && testPrograms());
  const [env] = await Promise.all([rust, rust.then(wasmBindgen), programs, packages]);
  return env;
}

async function rustToolchain() {
  if ((await output('cargo', ['--version'])) === undefined) {
    throw new Plain('Rust is missing: install rustup with a stable toolchain (1.90 or newer)');
  }
  return wasmToolchain();
}

/**
 * Build the command that generates JavaScript for the wasm of the crate, once for each version. It is wasm-bindgen's
 * library: wasm-bindgen's own command has three times as many crates.
 */
async function wasmBindgen() {
  if (existsSync(BINDGEN)) return;
  const started = Date.now();
  const target = join(CACHE, 'build-wasm-bindgen');
  say(`setup: building wasm-bindgen ${WASM_BINDGEN} into ${CACHE} (about a minute, once)`);
  await run('cargo', ['build', '--release', '--locked', '--target-dir', target], {
    cwd: join(ROOT, 'scripts', 'wasm-bindgen'),
    heartbeat: 'building wasm-bindgen',
    explain: 'wasm-bindgen could not be built; the crates registry and a C compiler must be there',
  });
  mkdirSync(dirname(BINDGEN), { recursive: true });
  copyFileSync(join(target, 'release', 'hornbook-wasm-bindgen'), BINDGEN);
  rmSync(target, { recursive: true, force: true });
  say(`setup: wasm-bindgen is there (${since(started)})`);
}

/** Programs that only tests use. */
async function testPrograms() {
  if ((await output('swipl', ['--version'])) === undefined) {
    await installPackages(['swi-prolog-nox'], 'native SWI-Prolog, with which the tests compare');
  }
  if (chromiumPath() === undefined) {
    await installPackages(
      ['chromium-headless-shell'],
      'Chromium, in which the tests of the page run (or CHROMIUM names one that is there)',
    );
  }
  if (!existsSync(process.env.FIREFOX || '/usr/bin/firefox-esr')) {
    const skipped = ({ message }) => say(`setup: ${message}; the tests in Firefox are skipped`);
    await installPackages(['firefox-esr'], 'Firefox, in which a walk through the page is tested').catch(skipped);
  }
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

if (isMain(import.meta.url)) await main(() => setup());
