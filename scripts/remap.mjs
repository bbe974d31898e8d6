// What stands in the wasm for the folders of the machine that builds it.
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './steps.mjs';

/**
 * The environment in which rustc writes `cargo/serde-1.0.0/src/lib.rs` into what it compiles, wherever crates lie, and names
 * the files of this repository from its root. cargo gives these flags to the target only, so that what runs on this
 * machine is not compiled again. Crates that are not there yet are named with the registry's folder.
 */
export function remapped() {
  const crates = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'registry', 'src');
  // Of several that fit, rustc takes the last.
  const folders = [[ROOT, '.'], [crates, 'cargo'], ...registries(crates).map((name) => [join(crates, name), 'cargo'])];
  const flags = folders.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
  return { CARGO_ENCODED_RUSTFLAGS: [...ownFlags(), ...flags].join(SEPARATOR) };
}

const SEPARATOR = '\x1f';

/** Those of the environment, which cargo would not look at beside ours. */
function ownFlags() {
  const { CARGO_ENCODED_RUSTFLAGS: encoded, RUSTFLAGS: plain } = process.env;
  const flags = encoded === undefined ? (plain ?? '').split(' ') : encoded.split(SEPARATOR);
  return flags.filter(Boolean);
}

/** The folders of registries, whose names differ between versions of cargo. */
function registries(crates) {
  try {
    return readdirSync(crates).sort();
  } catch {
    return [];
  }
}
