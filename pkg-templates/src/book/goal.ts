/** Goals and clauses with values in them: the template tag `prolog`. */
import { kindOf } from './arguments.js';
import { Atom, Float, floatText, isPlain, Rational, Term, Variable } from './values.js';

/** What a template can hold. */
export type Quotable =
  | string
  | number
  | bigint
  | boolean
  | null
  | Atom
  | Float
  | Goal
  | Rational
  | Term
  | Variable
  | readonly Quotable[]
  | { readonly [key: string]: Quotable };

/** Prolog text whose values have been quoted. Throws a TypeError if it is not a string. */
export class Goal {
  /** How many characters of its text are of values. They count for the limit `value_chars`, not for `query_chars`. */
  readonly valueChars: number;

  /**
   * @param text of one term; its values have been quoted already
   * @param valueChars how many characters of it are of values
   */
  constructor(
    readonly text: string,
    valueChars = 0,
  ) {
    if (typeof text !== 'string') throw new TypeError('the text of a goal is a string');
    this.valueChars = valueChars;
  }

  /** Its text. */
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
 * @throws TypeError for a value that Prolog cannot represent, for a goal that is not one term, and for a value placed
 *   inside quotes or a comment
 */
export function prolog(strings: TemplateStringsArray, ...values: Quotable[]): Goal {
  // Raw, since backslashes belong to Prolog.
  const texts = strings.raw;
  for (const text of texts.slice(0, -1)) for (const _token of tokensOf(text));
  const terms = values.map((value, index) => apart(quoted(value), texts[index]!, texts[index + 1]!));
  const valueChars = values.map((value, index) => (value instanceof Goal ? value.valueChars : charsOf(terms[index]!)));
  return new Goal(
    texts.map((text, index) => (index === 0 ? text : terms[index - 1] + text)).join(''),
    valueChars.reduce((sum, chars) => sum + chars, 0),
  );
}

/** The length of a text in characters of Unicode. */
function charsOf(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
}

/** Separate a term from the tokens beside it: with blanks, and with parentheses where it could join a digit group. */
function apart(term: string, before: string, after: string): string {
  const joins = /^-?[0-9]/.test(term) && (/(^|[0-9_])\s*$/.test(before) || /^\s*($|[0-9_])/.test(after));
  return joins && (before + after).trim() !== '' ? ` (${term}) ` : ` ${term} `;
}

/** What a backslash in quotes takes with it. */
const ESCAPE = String.raw`\\(?:x[0-9a-fA-F]+\\?|[0-7]+\\?|[\s\S])`;
const ESCAPED = new RegExp(ESCAPE, 'uy');

/** The tokens of Prolog without quoted ones, as far as needed to tell where quotes and comments begin and end. */
const TOKEN = new RegExp(
  [
    String.raw`[\p{L}_][\p{L}\p{N}_]*`, // a name
    String.raw`0'(?:${ESCAPE}|''|[^'\\])`, // a character code
    String.raw`[0-9][0-9_]*(?:'[\p{L}\p{N}]+(?!'))?`, // a number, possibly with a radix
    String.raw`%[^\n]*\n`,
    String.raw`\/\*[\s\S]*?\*\/`,
    String.raw`(?!\/\*)(?:(?!.\/\*)[+\-*\/\\^<>=~:.?@#&$])+`, // a symbol atom
    '[^\\p{L}_0-9\'"`%+\\-*\\/\\\\^<>=~:.?@#&$]', // punctuation and layout
  ].join('|'),
  'uy',
);

/** The tokens of a text. Throws if it ends inside quotes or a comment, or if that cannot be determined. */
function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = `'"\``.includes(text[at]!) ? endOfQuotes(text, at) : endOf(TOKEN, text, at);
    if (end === undefined)
      throw new TypeError(
        `a value stands inside of quotes or a comment that begins at ${JSON.stringify(text.slice(at, at + 20))}: values are quoted by themselves, so leave the quotes out`,
      );
    yield text.slice(at, end);
    at = end;
  }
}

function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endOfQuotes(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let at: number | undefined = start + 1; at !== undefined && at < text.length; ) {
    if (text[at] === '\\') at = endOf(ESCAPED, text, at);
    else if (text[at] !== quote) at += 1;
    else if (text[at + 1] === quote) at += 2;
    else return at + 1;
  }
  return undefined;
}

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** The text of a goal in parentheses. Throws if it would end before they do. */
function parenthesized(text: string): string {
  const open: string[] = [];
  // A comment at its end may lack its line end.
  const tokens = [...tokensOf(`${text}\n`)];
  tokens.forEach((token, index) => {
    const next = tokens[index + 1] ?? '\n';
    const closes = ')]}'.includes(token) && open.pop() !== token;
    if (closes || (token === '.' && /^[\s%]/.test(next)))
      throw new TypeError(`the goal ${JSON.stringify(text.slice(0, 60))} is not one term: it ends at a ${token}`);
    if (Object.hasOwn(CLOSING, token)) open.push(CLOSING[token]!);
  });
  if (open.length > 0) throw new TypeError(`the goal ${JSON.stringify(text.slice(0, 60))} lacks a ${open.at(-1)}`);
  return `(${text}\n)`;
}

/** How deep values may nest: beyond that, a reader may run out of stack. */
const DEEPEST = 1000;

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
      if (within.includes(value)) throw new TypeError('a value contains itself, which Prolog text cannot express');
      if (within.length >= DEEPEST) throw new TypeError(`a value nests deeper than ${DEEPEST} levels`);
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
  if (value instanceof Goal) return parenthesized(new Goal(value.text).text);
  if (value instanceof Atom) return quotedText(value.name, "'");
  if (value instanceof Term) return quotedTerm(quotedText(value.name, "'"), Array.from(value.args, inside));
  if (value instanceof Float) return floatText(value.value);
  if (value instanceof Rational) {
    const { numerator, denominator } = new Rational(value.numerator, value.denominator);
    return denominator === 1n ? String(numerator) : `${numerator}r${denominator}`;
  }
  if (value instanceof Variable)
    throw new TypeError(`the variable ${value.name} of an answer has no value to put into a goal`);
  // Not `map`, which skips holes.
  if (Array.isArray(value)) return `[${Array.from(value, inside).join(',')}]`;
  if (!isPlain(value))
    throw new TypeError(
      `a ${value.constructor?.name ?? 'class'} has no value in Prolog: give a string, a number, an array or a plain object`,
    );
  return `_{${Object.entries(value)
    .map(([key, member]) => `${quotedText(key, "'")}: ${inside(member)}`)
    .join(',')}}`;
}

function quotedTerm(name: string, args: string[]): string {
  if (name === "'.'" && args.length === 2)
    throw new TypeError(
      'a term named . with two arguments would be evaluated as a call on a dict: give it another name',
    );
  return `${name}(${args.join(',')})`;
}

/** A number that is exactly an integer becomes a Prolog integer; any other becomes a float. */
function quotedNumber(value: number): string {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : floatText(value);
}

function quotedText(text: string, quote: '"' | "'"): string {
  if (typeof text !== 'string') throw new TypeError(`a name must be a string, not ${kindOf(text)}`);
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('a text contains a lone surrogate, which is not a character');
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
