/** Goals and clauses with values in them: the template tag `prolog`. */
import { Atom, Rational, Term, Variable } from './values.js';

/** What a template can hold. */
export type Quotable =
  | string
  | number
  | bigint
  | boolean
  | null
  | Atom
  | Goal
  | Rational
  | Term
  | Variable
  | readonly Quotable[]
  | { readonly [key: string]: Quotable };

/** Prolog text whose values have been quoted. */
export class Goal {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/**
 * Prolog text with values in it. Each value becomes exactly one term, whatever it holds: strings become strings,
 * numbers and BigInts numbers, `true`, `false` and `null` the atoms of those names, arrays lists, plain objects dicts,
 * and goals are put in parentheses.
 *
 *    prolog`member(X, ${['a', 1]}), X \\== ${name}`
 *
 * @throws TypeError for a value that Prolog cannot represent, and for one placed inside quotes or a comment
 */
export function prolog(strings: TemplateStringsArray, ...values: Quotable[]): Goal {
  // Raw, since backslashes belong to Prolog.
  const texts = strings.raw;
  for (const text of texts.slice(0, -1)) refuseOpen(text);
  const terms = values.map((value, index) => apart(quoted(value), texts[index]!, texts[index + 1]!));
  return new Goal(texts.map((text, index) => (index === 0 ? text : terms[index - 1] + text)).join(''));
}

/** Separate a term from the tokens beside it: with blanks, and with parentheses where it could join a digit group. */
function apart(term: string, before: string, after: string): string {
  const joins = /^-?[0-9]/.test(term) && (/(^|[0-9_])\s*$/.test(before) || /^\s*($|[0-9_])/.test(after));
  return joins && (before + after).trim() !== '' ? ` (${term}) ` : ` ${term} `;
}

const ESCAPE = String.raw`\\x[0-9a-fA-F]+\\?|\\[0-7]+\\?|\\[\s\S]`;
const quotedBy = (quote: string) => `${quote}(?:[^${quote}\\\\]|${ESCAPE}|${quote}${quote})*${quote}`;

/** The tokens of Prolog, as far as needed to tell where quotes and comments begin and end. */
const TOKEN = new RegExp(
  [
    String.raw`[\p{L}_][\p{L}\p{N}_]*`, // a name
    String.raw`0'(?:${ESCAPE}|''|[^'\\])`, // a character code
    String.raw`[0-9][0-9_]*(?:'[\p{L}\p{N}]+(?!'))?`, // a number, possibly with a radix
    ...["'", '"', '`'].map(quotedBy),
    String.raw`%[^\n]*\n`,
    String.raw`\/\*[\s\S]*?\*\/`,
    String.raw`(?!\/\*)(?:(?!.\/\*)[+\-*\/\\^<>=~:.?@#&$])+`, // a symbol atom
    '[^\\p{L}_0-9\'"`%+\\-*\\/\\\\^<>=~:.?@#&$]', // punctuation and layout
  ].join('|'),
  'uy',
);

/** Throws if the text ends inside quotes or a comment, or if that cannot be determined. */
function refuseOpen(text: string): void {
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex;
    if (TOKEN.test(text)) continue;
    const open = JSON.stringify(text.slice(start, start + 20));
    throw new TypeError(
      `a value stands inside of quotes or a comment that begins at ${open}: values are quoted by themselves, so leave the quotes out`,
    );
  }
}

/** A value as one term. */
export function quoted(value: unknown, within: readonly unknown[] = []): string {
  switch (typeof value) {
    case 'string':
      return quotedText(value, '"');
    case 'number':
      return quotedNumber(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (within.includes(value)) throw new TypeError('a value contains itself, which has no text in Prolog');
      return quotedObject(value, [...within, value]);
    default:
      throw new TypeError(
        value === undefined
          ? 'undefined has no value in Prolog: give null, or leave it out'
          : `a ${typeof value} has no value in Prolog`,
      );
  }
}

function quotedObject(value: object, within: readonly unknown[]): string {
  const inside = (part: unknown) => quoted(part, within);
  if (value instanceof Goal) return `(${value.text}\n)`;
  if (value instanceof Atom) return quotedText(value.name, "'");
  if (value instanceof Term) return `${quotedText(value.name, "'")}(${value.args.map(inside).join(',')})`;
  if (value instanceof Rational) return `${value.numerator}r${value.denominator}`;
  if (value instanceof Variable)
    throw new TypeError(`the variable ${value.name} of an answer has no value that could stand in a goal`);
  // Not `map`, which skips holes.
  if (Array.isArray(value)) return `[${Array.from(value, inside).join(',')}]`;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError(
      `a ${value.constructor?.name ?? 'class'} has no value in Prolog: give a string, a number, an array or a plain object`,
    );
  return `_{${Object.entries(value)
    .map(([key, member]) => `${quotedText(key, "'")}: ${inside(member)}`)
    .join(',')}}`;
}

/** A number that is exactly an integer becomes a Prolog integer; any other becomes a float. */
function quotedNumber(value: number): string {
  if (Number.isNaN(value)) return '1.5NaN';
  if (!Number.isFinite(value)) return value > 0 ? '1.0Inf' : '-1.0Inf';
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  const [mantissa, exponent] = (Object.is(value, -0) ? '-0' : String(value)).split('e') as [string, string?];
  const point = mantissa.includes('.') ? mantissa : `${mantissa}.0`;
  return exponent === undefined ? point : `${point}e${exponent}`;
}

function quotedText(text: string, quote: '"' | "'"): string {
  if (/\p{Surrogate}/u.test(text))
    throw new TypeError('a text has half of a surrogate pair, which is no character, in it');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these have to be escaped
  const escaped = text.replace(/[\\"'\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]/g, (character) =>
    character === (quote === '"' ? "'" : '"')
      ? character
      : character === '\\' || character === quote
        ? `\\${character}`
        : `\\x${character.charCodeAt(0).toString(16)}\\`,
  );
  return `${quote}${escaped}${quote}`;
}
