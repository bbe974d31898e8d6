// npm run weigh: what each crate contributes to the size of the core: its functions before wasm-opt, raw and gzipped
// separately. An instance of another crate's function made for one of ours (a map of entries, parsing a reply) counts
// as ours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { setup } from './setup.mjs';
import { ROOT, main, run } from './steps.mjs';

const CODE = 10;
const DATA = 11;
const NAMES = 0;
const IMPORTS = 2;

/** The sections, functions and names of a wasm module, as laid out in the specification. */
class Module {
  #bytes;
  #at = 8;

  constructor(bytes) {
    this.#bytes = bytes;
    this.data = new Uint8Array();
    this.functions = [];
    this.names = new Map();
    let imported = 0;
    const bodies = [];
    while (this.#at < bytes.length) {
      const id = this.#byte();
      const end = this.#number() + this.#at;
      if (id === IMPORTS) imported = this.#imports();
      if (id === CODE) for (let left = this.#number(); left > 0; left -= 1) bodies.push(this.#block());
      if (id === DATA) this.data = bytes.subarray(this.#at, end);
      if (id === NAMES && this.#text() === 'name') this.#functionNames(end);
      this.#at = end;
    }
    this.functions = bodies.map((code, at) => ({ code, name: this.names.get(at + imported) ?? '' }));
  }

  #byte() {
    return this.#bytes[this.#at++];
  }

  #number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  #block() {
    const length = this.#number();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #text() {
    return new TextDecoder().decode(this.#block());
  }

  /** The number of imported functions; wasm-bindgen imports nothing else. */
  #imports() {
    const count = this.#number();
    for (let left = count; left > 0; left -= 1) {
      this.#block();
      this.#block();
      if (this.#byte() !== 0) throw new Error('the module imports what is not a function');
      this.#number();
    }
    return count;
  }

  #functionNames(end) {
    while (this.#at < end) {
      const kind = this.#byte();
      const next = this.#number() + this.#at;
      if (kind === 1) for (let left = this.#number(); left > 0; left -= 1) this.names.set(this.#number(), this.#text());
      this.#at = next;
    }
  }
}

/**
 * The crate that a function belongs to: ours if its mangled name contains one of ours, else the first crate it names.
 */
function crateOf(name) {
  const [ours] = /hornbook(_[a-z]+)?(?=\d|C|N|$)/.exec(name) ?? [];
  if (ours) return ours;
  const std = /4core|5alloc|_3std|3std|9hashbrown|compiler_builtins|8dlmalloc/.test(name);
  if (std) return 'core, alloc and std';
  const [, crate] = /(serde_json|serde_core|js_sys|wasm_bindgen|futures|imara_diff|strsim)/.exec(name) ?? [];
  return crate ?? 'others';
}

const kB = (bytes) => (bytes / 1000).toFixed(0).padStart(7);

await main(async () => {
  const { env } = await setup();
  const target = ['--target', 'wasm32-unknown-unknown', '--no-default-features'];
  await run('cargo', ['build', '--release', '--target-dir', 'target/sizes', ...target], {
    env,
    explain: 'the crate does not build for wasm',
  });
  const wasm = readFileSync(join(ROOT, 'target/sizes', 'wasm32-unknown-unknown', 'release', 'hornbook.wasm'));
  const { data, functions } = new Module(wasm);
  const crates = new Map();
  for (const { code, name } of functions) {
    const crate = crateOf(name);
    crates.set(crate, [...(crates.get(crate) ?? []), code]);
  }
  const rows = [...crates].map(([crate, codes]) => [crate, codes.length, Buffer.concat(codes)]);
  rows.push(
    ['data', '', Buffer.from(data)],
    ['all', functions.length, Buffer.concat([...functions.map((f) => f.code), data])],
  );
  rows.sort(([, , a], [, , b]) => b.length - a.length);
  console.log('    raw    gzip   functions  crate (kB)');
  for (const [crate, count, bytes] of rows.filter(([, , bytes]) => bytes.length >= 1000)) {
    console.log(kB(bytes.length), kB(gzipSync(bytes, { level: 9 }).length), String(count).padStart(11), ` ${crate}`);
  }
});
