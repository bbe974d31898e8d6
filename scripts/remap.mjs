// Keeps the paths of the build machine out of the wasm.
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './steps.mjs';

/**
 * An environment that makes rustc record `cargo/serde-1.0.0/src/lib.rs`, wherever the crates are, and paths of this
 * repository relative to its root. cargo passes these flags only when building for the target, so that nothing for this
 * machine is recompiled. Crates that are not downloaded yet are recorded with the registry's folder.
 */
export function remapped() {
  const crates = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'registry', 'src');
  // If several match, rustc uses the last.
  const folders = [[ROOT, '.'], [crates, 'cargo'], ...registries(crates).map((name) => [join(crates, name), 'cargo'])];
  const flags = folders.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
  return { CARGO_ENCODED_RUSTFLAGS: [...ownFlags(), ...flags].join(SEPARATOR) };
}

const SEPARATOR = '\x1f';

/** The user's own flags, which cargo would ignore next to ours. */
function ownFlags() {
  const { CARGO_ENCODED_RUSTFLAGS: encoded, RUSTFLAGS: plain } = process.env;
  const flags = encoded === undefined ? (plain ?? '').split(' ') : encoded.split(SEPARATOR);
  return flags.filter(Boolean);
}

/** The folders of registries; their names differ between versions of cargo. */
function registries(crates) {
  try {
    return readdirSync(crates).sort();
  } catch {
    return [];
  }
}
