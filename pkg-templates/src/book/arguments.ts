/** Arguments of programs, checked before the crate gets them: it would take others for something else. */
import { HornbookError } from './error.js';

const refused = (message: string) => new HornbookError('invalid_argument', message);

/** What a value is, for messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A text of whole characters. */
export function textArgument(value: unknown, what: string): string {
  if (typeof value !== 'string') throw refused(`${what} must be a string, not ${kindOf(value)}.`);
  if (/\p{Surrogate}/u.test(value))
    throw refused(`${what} contains a lone surrogate, which is not a character: remove it.`);
  return value;
}

/** Texts in an array. */
export function textsArgument(value: unknown, what: string): string[] {
  if (!Array.isArray(value)) throw refused(`${what} must be an array of strings, not ${kindOf(value)}.`);
  return Array.from(value, (text) => textArgument(text, `Each of ${what.charAt(0).toLowerCase()}${what.slice(1)}`));
}

/** A whole number from `least` that 32 bits can hold. */
export function countArgument(value: unknown, what: string, least = 0): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) < 2 ** 32) return value as number;
  throw refused(`${what} must be a whole number from ${least}, not ${kindOf(value)}.`);
}

/** True or false. */
export function truthArgument(value: unknown, what: string): boolean {
  if (typeof value === 'boolean') return value;
  throw refused(`${what} must be true or false, not ${kindOf(value)}.`);
}

/** A time in milliseconds that 32 bits can hold. */
export function timeArgument(value: unknown, what: string): number {
  if (typeof value === 'number' && value >= 0 && value < 2 ** 32) return value;
  throw refused(`${what} must be a number of milliseconds from 0, not ${kindOf(value)}.`);
}

/** The longest that a timer runs, in milliseconds: one that is to run longer fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One of these words. */
export function oneOf<T extends string>(words: readonly T[], value: unknown, what: string): T {
  if (words.includes(value as T)) return value as T;
  const given = typeof value === 'string' ? `'${value}'` : kindOf(value);
  throw refused(`${what} must be one of ${words.map((word) => `'${word}'`).join(', ')}, not ${given}.`);
}

/** An object of named values. `example` shows one. */
export function objectArgument(value: unknown, what: string, example: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refused(`${what} must be an object, as ${example}, not ${kindOf(value)}.`);
}

/** Options, all of which `known` has. What may be left out altogether is no option. */
export function optionsArgument<T extends object>(value: unknown, known: Record<keyof T, true>): T {
  if (value === undefined || value === null) return {} as T;
  const names = Object.keys(known);
  const given = objectArgument(value, 'What follows', `{ ${names[0]}: … }`);
  for (const name of Object.keys(given)) if (!Object.hasOwn(known, name)) throw refused(unknownOption(name, names));
  return given as T;
}

/** As the crate words it for the options of `openBook`. */
function unknownOption(name: string, known: string[]): string {
  const distances = known.map((other) => [distance(name.toLowerCase(), other.toLowerCase()), other] as const);
  const near = distances
    .filter(([far, other]) => far <= Math.min(other.length, 9) / 3)
    .reduce<readonly [number, string] | undefined>((best, one) => (best && best[0] <= one[0] ? best : one), undefined);
  if (near) return `there is no option \`${name}\`; did you mean \`${near[1]}\`?`;
  return `there is no option \`${name}\`; the options are: ${known.join(', ')}`;
}

/** How many letters must be put in, taken out, replaced or swapped to make one word of another. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const [before, last] = [rows[i - 2], rows[i - 1]!];
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = last[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next[j] = Math.min(last[j]! + 1, next[j - 1]! + 1, replaced);
      if (before && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    rows.push(next);
  }
  return rows.at(-1)!.at(-1)!;
}

/** A function. */
export function functionArgument(value: unknown, what: string): (...args: never[]) => unknown {
  if (typeof value === 'function') return value as (...args: never[]) => unknown;
  throw refused(`${what} must be a function, not ${kindOf(value)}.`);
}

/** What may be left out, or else is checked. */
export function optional<T>(value: unknown, what: string, check: (value: unknown, what: string) => T): T | undefined {
  return value === undefined || value === null ? undefined : check(value, what);
}
