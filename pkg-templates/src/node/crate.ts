/** The crate in Node, and how its parts are loaded. */
import { readFile } from 'node:fs/promises';
import type { Part } from '../part.js';

/** The module that wasm-bindgen makes of a part. */
type Crate = typeof import('../full/hornbook.js');

const crates = new Map<Part, Promise<Crate>>();

/** A part of the crate, ready for use. It is loaded once: a process has one instance of it. */
export function loadCrate(part: Part = 'full'): Promise<Crate> {
  let crate = crates.get(part);
  if (!crate) {
    crate = instantiate(part);
    crates.set(part, crate);
    crate.catch(() => crates.delete(part));
  }
  return crate;
}

async function instantiate(part: Part): Promise<Crate> {
  const code = readFile(new URL(`../${part}/hornbook_bg.wasm`, import.meta.url));
  // Compiled in the background: the main thread starts an engine meanwhile.
  const [crate, module] = await Promise.all([
    (part === 'core' ? import('../core/hornbook.js') : import('../full/hornbook.js')) as Promise<Crate>,
    code.then((bytes) => WebAssembly.compile(bytes)),
  ]);
  crate.initSync({ module });
  return crate;
}
