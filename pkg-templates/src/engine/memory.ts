/**
 * The memory of an engine as a file: another instance that restores it continues where the first one was. Starting
 * SWI-Prolog with all libraries and Hornbook's own Prolog then only takes copying some megabytes.
 *
 * Numbers are 32 bits, little-endian: the size of the memory, the places, the number of runs; the start and length of
 * each run; then the bytes of all runs. Everything outside the runs is zero.
 */
import { EngineDeath } from './death.js';

const PAGE = 4096;

/** What is needed to use the memory, in the order in which it is written. Addresses, unless noted as handles. */
export interface Places {
  /** Where the C stack begins. It grows downwards. */
  stack: number;
  /** The handle of the predicate that serves requests. */
  predicate: number;
  /** C's time zone: the addresses of four variables. */
  zone: number[];
}

/** The numbers before the runs: the size, the places, the number of runs. */
const NUMBERS = 1 + 6 + 1;

function isZero(memory: Uint8Array, at: number): boolean {
  const words = new Int32Array(memory.buffer, memory.byteOffset + at, PAGE / 4);
  for (let word = 0; word < words.length; word++) if (words[word] !== 0) return false;
  return true;
}

export function writtenMemory(memory: Uint8Array, { stack, predicate, zone }: Places): Uint8Array {
  const runs: [start: number, end: number][] = [];
  for (let at = 0; at < memory.length; at += PAGE) {
    if (isZero(memory, at)) continue;
    const last = runs.at(-1);
    if (last?.[1] === at) last[1] = at + PAGE;
    else runs.push([at, at + PAGE]);
  }
  const head = [memory.length, stack, predicate, ...zone, runs.length];
  const numbers = [...head, ...runs.flatMap(([start, end]) => [start, end - start])];
  const written = new Uint8Array(4 * numbers.length + runs.reduce((sum, [start, end]) => sum + end - start, 0));
  const view = new DataView(written.buffer);
  for (const [index, number] of numbers.entries()) view.setUint32(4 * index, number, true);
  let at = 4 * numbers.length;
  for (const [start, end] of runs) {
    written.set(memory.subarray(start, end), at);
    at += end - start;
  }
  return written;
}

/**
 * Parse a saved memory; throws an {@link EngineDeath} if it is damaged. `writeTo` restores it into a memory of at least
 * `bytes` bytes, of which a newly created instance has touched only the first `used`.
 */
export function readMemory(written: Uint8Array) {
  const view = new DataView(written.buffer, written.byteOffset, written.byteLength);
  const number = (at: number) => view.getUint32(4 * at, true);
  const [bytes, stack, predicate, count] = [number(0), number(1), number(2), number(NUMBERS - 1)];
  const zone = [3, 4, 5, 6].map(number);
  const begin = 4 * (NUMBERS + 2 * count);
  const lengths = Array.from({ length: Math.min(count, bytes / PAGE) }, (_, run) => number(NUMBERS + 2 * run + 1));
  if (bytes === 0 || lengths.reduce((sum, length) => sum + length, begin) !== written.length) {
    throw new EngineDeath('failed', 'its state is damaged');
  }
  const writeTo = (memory: Uint8Array, used: number) => {
    let at = begin;
    let clean = 0;
    for (let run = 0; run < count; run++) {
      const start = number(NUMBERS + 2 * run);
      const length = lengths[run]!;
      clear(memory, clean, Math.min(start, used));
      memory.set(written.subarray(at, at + length), start);
      at += length;
      clean = start + length;
    }
    clear(memory, clean, used);
  };
  const places: Places = { stack, predicate, zone };
  return { bytes, places, writeTo };
}

/** Clear a range. Pages that are zero are not written, so that untouched ones take no physical memory. */
function clear(memory: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at += PAGE) {
    if (!isZero(memory, at)) memory.fill(0, at, at + PAGE);
  }
}
