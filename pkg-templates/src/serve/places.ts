/**
 * Places at the ends of records in the log of a book. The offset of a place identifies everything before it: its
 * length, where the last record in it begins, and that record's checksum, which covers all records up to there. So a
 * log has a place exactly if it has the same contents up to there; a rewritten log does not.
 */
import type { Place } from './log-requests.js';

/** The length of a journal's first line in bytes. */
export const FIRST = 46;
/** The number of digits of a checksum. */
const CHECKSUM = 8;
export const NEWLINE = 0x0a;

/** Reads `count` bytes starting at `from`. */
export type Reading = (from: number, count: number) => Promise<Uint8Array>;

export const digits = (count: number): string => String(count).padStart(16, '0');

const place = (at: number, start: number, checksum: string): Place => ({
  at,
  offset: `${digits(at)}_${digits(start)}_${checksum}`,
});

/** After the first line. */
export const BEGIN = place(FIRST, 0, '00000000');

/** The number of bytes before an offset; `undefined` if it is not an offset. */
export function bytesOf(offset: string): number | undefined {
  const found = /^(\d{16})_\d{16}_[0-9a-f]{8}$/.exec(offset);
  return found ? Number(found[1]) : undefined;
}

/** Whether a log that was read up to `length` bytes has the offset. */
export async function has(read: Reading, length: number, offset: string): Promise<boolean> {
  if (offset === BEGIN.offset) return length >= FIRST;
  const [at, start] = offset.split('_').map(Number) as [number, number];
  if (start < FIRST || start + CHECKSUM >= at || at > length) return false;
  const [line, last] = [await read(start, CHECKSUM), await read(at - 1, 1)];
  return offset.endsWith(text(line)) && last[0] === NEWLINE;
}

/** The place at the end of a record; `from` must be the start of a record at or before that one. */
export async function placeAt(read: Reading, at: number, from = FIRST): Promise<Place> {
  if (at <= FIRST) return BEGIN;
  for (let count = 1 << 16; ; count *= 8) {
    const begin = Math.max(from, at - count);
    const bytes = await read(begin, at - begin);
    if (begin === from || bytes.lastIndexOf(NEWLINE, bytes.length - 2) >= 0) return lastOf(bytes, begin);
  }
}

/** The place after `bytes`, which start at position `from` of the log and contain at least the whole last record. */
export function lastOf(bytes: Uint8Array, from: number): Place {
  const start = bytes.lastIndexOf(NEWLINE, bytes.length - 2) + 1;
  return place(from + bytes.length, from + start, text(bytes.subarray(start, start + CHECKSUM)));
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
