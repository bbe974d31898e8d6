/**
 * Places at the ends of records in the log of a book. The offset of one names what is before it: how many bytes, where the
 * last record of them begins, and its checksum, which is one of all records up to there. So a log that has all that has
 * the place, and one that was rewritten does not.
 */
import type { Place } from './log-requests.js';

/** The first line of a journal has so many bytes. */
export const FIRST = 46;
/** A checksum has so many digits. */
const CHECKSUM = 8;
export const NEWLINE = 0x0a;

/** Reads as many bytes from there as are asked for. */
export type Reading = (from: number, count: number) => Promise<Uint8Array>;

export const digits = (count: number): string => String(count).padStart(16, '0');

const place = (at: number, start: number, checksum: string): Place => ({
  at,
  offset: `${digits(at)}_${digits(start)}_${checksum}`,
});

/** Behind the first line. */
export const BEGIN = place(FIRST, 0, '00000000');

/** How many bytes are before an offset; `undefined` where it is none. */
export function bytesOf(offset: string): number | undefined {
  const found = /^(\d{16})_\d{16}_[0-9a-f]{8}$/.exec(offset);
  return found ? Number(found[1]) : undefined;
}

/** Whether a log of which so many bytes are read has the offset. */
export async function has(read: Reading, length: number, offset: string): Promise<boolean> {
  if (offset === BEGIN.offset) return length >= FIRST;
  const [at, start] = offset.split('_').map(Number) as [number, number];
  if (start < FIRST || start + CHECKSUM >= at || at > length) return false;
  const [line, last] = [await read(start, CHECKSUM), await read(at - 1, 1)];
  return offset.endsWith(text(line)) && last[0] === NEWLINE;
}

/** The place at the end of a record, of which none begins before the byte `from` but one that begins there. */
export async function placeAt(read: Reading, at: number, from = FIRST): Promise<Place> {
  if (at <= FIRST) return BEGIN;
  for (let count = 1 << 16; ; count *= 8) {
    const begin = Math.max(from, at - count);
    const bytes = await read(begin, at - begin);
    if (begin === from || bytes.lastIndexOf(NEWLINE, bytes.length - 2) >= 0) return lastOf(bytes, begin);
  }
}

/** The place behind records of which the first begins at `from`, or before it, where that is not the last. */
export function lastOf(bytes: Uint8Array, from: number): Place {
  const start = bytes.lastIndexOf(NEWLINE, bytes.length - 2) + 1;
  return place(from + bytes.length, from + start, text(bytes.subarray(start, start + CHECKSUM)));
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
