/** JSON whose integers are exact: those that a number does not hold are BigInts. */
import type { Json } from './state.js';

/** A key that no text of a person begins with. */
const MARK = '\u0000integer';

/** The value of a JSON text. Throws as `JSON.parse` does. */
export function readJson(text: string): Json {
  // Strings stay as they are, and so do numbers that are no integers, or short ones.
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

/** `value` as JSON text; BigInts are their digits. */
export function writeJson(value: unknown, indent?: number): string {
  const digits: string[] = [];
  const text = JSON.stringify(
    value,
    (_, part) => (typeof part === 'bigint' ? `\u0000${digits.push(String(part)) - 1}` : part),
    indent,
  );
  return text.replace(/"\\u0000(\d+)"/g, (_, index) => digits[index]!);
}
