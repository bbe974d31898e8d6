/** Facts given as rows of values, which replace those with the same key. */
import { HornbookError } from './error.js';
import { quoted, type Quotable } from './goal.js';

/** The arguments of a fact, in order. */
export type Row = readonly Quotable[];

/** How facts are brought up to date. */
export interface UpsertOptions {
  /** The places of the arguments that tell facts apart, from 0. */
  key: readonly number[];
  /** Calls it off; then nothing has changed. Default: nothing does. */
  signal?: AbortSignal | undefined;
}

/** The names of the options. */
export const UPSERT_OPTIONS: Record<keyof UpsertOptions, true> = { key: true, signal: true };

/** What became of the rows. */
export interface Upserted {
  /** Rows whose key no fact had. */
  added: number;
  /** Rows that are in the place of a fact with the same key. */
  replaced: number;
  /** Rows that were facts already. */
  unchanged: number;
}

/** The places of a key. */
export function placesOf(options: UpsertOptions): number[] {
  const key: unknown = options?.key;
  // Not `every`, which skips holes.
  if (Array.isArray(key) && Array.from(key).every((place) => Number.isInteger(place) && place >= 0 && place < 2 ** 32))
    return key;
  throw new HornbookError('invalid_argument', 'The key is an array of places from 0: give it as { key: [0] }.');
}

/** The texts of the values, row after row, and how many each row has. */
export async function rowTexts(
  predicate: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<{ arity: number; texts: string[] }> {
  if (!isIterable(rows))
    throw new HornbookError('invalid_argument', `The rows of ${predicate} are an array or another iterable of arrays.`);
  const texts: string[] = [];
  let arity: number | undefined;
  let count = 0;
  for await (const row of rows) {
    const place = `Row ${count} of ${predicate}`;
    if (!Array.isArray(row))
      throw new HornbookError('invalid_argument', `${place} is no array. Give each row as the arguments of a fact.`);
    arity ??= row.length;
    if (row.length !== arity)
      throw new HornbookError(
        'invalid_argument',
        `${place} has ${row.length} values, and row 0 has ${arity}. Give each row the arguments of one predicate.`,
      );
    try {
      for (const value of row) texts.push(quoted(value));
    } catch (error) {
      throw new HornbookError('invalid_argument', `${place}: ${(error as Error).message}.`, undefined, undefined, {
        cause: error,
      });
    }
    count += 1;
  }
  return { arity: arity ?? 0, texts };
}

const isIterable = (rows: unknown): boolean =>
  typeof rows === 'object' && rows !== null && (Symbol.iterator in rows || Symbol.asyncIterator in rows);
