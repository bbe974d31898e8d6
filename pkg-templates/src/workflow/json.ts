/** JSON with exact integers: those that a number cannot hold are BigInts. */
import type { Json } from './state.js';

/** A key that no text written by a person begins with. */
const MARK = '\u0000integer';

/** The value of a JSON text. Throws as `JSON.parse` does. */
export function readJson(text: string): Json {
  // Strings are left alone, and so are non-integers and short numbers.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? JSON.stringify({ [MARK]: token }) : token,
  );
  const value = JSON.parse(marked, (_, part) => {
    if (typeof part?.[MARK] !== 'string') return part;
    const number = Number(part[MARK]);
    return Number.isSafeInteger(number) ? number : BigInt(part[MARK]);
  });
  return value as Json;
}

/** `value` as JSON text; BigInts are written as their digits. */
export function writeJson(value: unknown, indent?: number): string {
  const digits: string[] = [];
  const text = JSON.stringify(
    value,
    (_, part) => (typeof part === 'bigint' ? `\u0000${digits.push(String(part)) - 1}` : part),
    indent,
  );
  return text.replace(/"\\u0000(\d+)"/g, (_, index) => digits[index]!);
}
