// Finds or makes a Rust toolchain with the target wasm32-unknown-unknown.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, Plain, output, run, say } from './steps.mjs';
import { installPackages } from './debian.mjs';
import { remapped } from './remap.mjs';

const TARGET = 'wasm32-unknown-unknown';
/** The name under which Debian's own Rust is linked in rustup once it has the target. */
const DISTRO = 'distro';
const DEBIAN_PACKAGES = ['rustc-web', 'cargo-web', 'rust-web-src', 'rust-web-clippy', 'lld-19'];

/**
 * The environment that makes cargo use a toolchain with the target. Tried in order: the current
 * toolchain, if it has the target; adding it with rustup; another toolchain that has it; Debian's Rust, with its
 * standard library built here.
 */
export async function wasmToolchain() {
  if (await hasTarget({})) return {};
  const rustup = (await output('rustup', ['--version'])) !== undefined;
  if (rustup) {
    say(`setup: adding the Rust target ${TARGET} by rustup`);
    if ((await output('timeout', ['300', 'rustup', 'target', 'add', TARGET])) !== undefined && (await hasTarget({}))) {
      say('setup: rustup added it');
      return {};
    }
    for (const name of await toolchains()) {
      const env = { RUSTUP_TOOLCHAIN: name };
      if (await hasTarget(env)) {
        say(`setup: rustup could not add the target; the toolchain ${name} has it and builds the wasm`);
        return env;
      }
    }
  }
  say("setup: no toolchain has the target and rustup could not add it; making one of Debian's Rust");
  await debianToolchain();
  if (!rustup) {
    throw new Plain(
      `Debian's Rust has the target ${TARGET} now, but rustup is not there to select it: install rustup, or put /usr/bin first on PATH`,
    );
  }
  return { RUSTUP_TOOLCHAIN: DISTRO };
}

async function hasTarget(env) {
  const sysroot = (await output('rustc', ['--print', 'sysroot'], { env }))?.trim();
  return sysroot !== undefined && existsSync(join(sysroot, 'lib', 'rustlib', TARGET, 'lib'));
}

async function toolchains() {
  const list = (await output('rustup', ['toolchain', 'list'])) ?? '';
  return list
    .split('\n')
    .map((line) => line.split(' ')[0])
    .filter(Boolean);
}

/**
 * Debian's Rust has no wasm target, but its sources and LLVM can make one: the standard library is built once and kept.
 */
export async function debianToolchain() {
  await installPackages(DEBIAN_PACKAGES, `Rust for ${TARGET}`);
  const library = `/usr/lib/rustlib/${TARGET}/lib`;
  await buildStandardLibrary(library);
  const linker = join('/usr/lib/rustlib', hostTriple(), 'bin', 'rust-lld');
  if (!existsSync(linker)) symlinkSync('/usr/bin/lld-19', linker);
  if ((await output('rustup', ['--version'])) !== undefined) {
    await run('rustup', ['toolchain', 'link', DISTRO, '/usr']);
  }
}

function hostTriple() {
  return readdirSync('/usr/lib/rustlib').find((name) => name.endsWith('-linux-gnu'));
}

async function buildStandardLibrary(library) {
  say('setup: building the Rust standard library for wasm (about 90 seconds)');
  const crate = join(CACHE, 'wasm-std');
  rmSync(crate, { recursive: true, force: true });
  mkdirSync(join(crate, 'src'), { recursive: true });
  writeFileSync(
    join(crate, 'Cargo.toml'),
    '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n',
  );
  writeFileSync(join(crate, 'src', 'lib.rs'), '');
  await run(
    '/usr/bin/cargo',
    ['build', '--release', '--target', TARGET, '-Zbuild-std=std,panic_abort,proc_macro,test'],
    {
      cwd: crate,
      env: {
        RUSTC_BOOTSTRAP: '1',
        PATH: `/usr/bin:${process.env.PATH}`,
        RUSTUP_TOOLCHAIN: undefined,
        CARGO_TARGET_DIR: join(crate, 'target'),
        ...remapped(),
      },
      heartbeat: 'building the standard library',
      explain: 'the Rust standard library for wasm could not be built; the crates registry must be reachable',
    },
  );
  mkdirSync(library, { recursive: true });
  const built = join(crate, 'target', TARGET, 'release', 'deps');
  for (const name of readdirSync(built)) {
    if (name.endsWith('.rlib') && !name.startsWith('libempty')) copyFileSync(join(built, name), join(library, name));
  }
  rmSync(crate, { recursive: true, force: true });
}
