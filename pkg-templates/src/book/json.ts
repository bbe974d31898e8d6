/** Values as JSON: as the engine writes them, and as programs keep them. */
import { HornbookError } from './error.js';
import { Atom, Float, floatText, isPlain, Rational, Term, Variable, type Value, type ValueObject } from './values.js';

/** What {@link toJson} makes: `JSON.stringify` writes all of it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Reads an object with a mark; `undefined` if it is not of this form. */
type Reader = (marked: unknown, object: Record<string, unknown>, readers: Readers) => Value | undefined;

/** By the key that marks the object. */
type Readers = Readonly<Record<string, Reader>>;

const text = (read: (text: string) => Value | undefined): Reader => {
  return (marked) => (typeof marked === 'string' ? read(marked) : undefined);
};

/** A number as JavaScript has it; `undefined` if the text is none. */
function floatOf(text: string): number | undefined {
  if (/nan/i.test(text)) return Number.NaN;
  if (/inf/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** In answers that are not `exact` (docs/engine-protocol.md). */
const ENGINE: Readers = {
  functor(name, { args }, readers) {
    if (typeof name !== 'string' || !Array.isArray(args)) return undefined;
    return new Term(name, ...args.map((arg) => read(arg, readers)));
  },
  variable: text((name) => new Variable(name)),
  integer: text((digits) => (/^-?\d+$/.test(digits) ? BigInt(digits) : undefined)),
  rational: text((fraction) => {
    const [, numerator, denominator] = /^(-?\d+)r(0*[1-9]\d*)$/.exec(fraction) ?? [];
    return denominator === undefined ? undefined : new Rational(BigInt(numerator!), BigInt(denominator));
  }),
  float: text((digits) => {
    const value = floatOf(digits);
    return value !== undefined && Number.isFinite(value) ? new Float(value) : value;
  }),
  dict: (members, _, readers) => (isObject(members) ? dict(members, readers) : undefined),
  cyclic() {
    throw new HornbookError('cyclic_term', 'A value of the answer contains itself; ask for a part of it.');
  },
  cut() {
    throw new HornbookError(
      'limit_reached',
      'A value of the answer nests deeper than the limit json_depth; raise it in `limits`, or ask for a part of it.',
    );
  },
};

/** In answers that are `exact`. */
const EXACT: Readers = { ...ENGINE, atom: text((name) => new Atom(name)) };

/** The numbers of JavaScript that JSON does not have. */
const NUMBERS: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };

/** In what {@link toJson} writes. */
const KEPT: Readers = {
  ...EXACT,
  float: text((digits) => {
    const value = floatOf(digits);
    return value === undefined ? undefined : new Float(value);
  }),
  number: text((name) => (Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined)),
};

/** A value of an answer, in the engine's JSON. */
export const decoded = (json: unknown, exact = false): Value => read(json, exact ? EXACT : ENGINE);

/**
 * The value that {@link toJson} wrote.
 *
 * @throws HornbookError for what it does not write
 */
export const fromJson = (json: unknown): Value => read(json, KEPT);

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

function read(json: unknown, readers: Readers): Value {
  if (json === null || typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean') return json;
  // Not `map`, which skips holes.
  if (Array.isArray(json)) return Array.from(json, (part) => read(part, readers));
  if (!isObject(json))
    throw new HornbookError('invalid_argument', `JSON has no ${typeof json}: give what toJson wrote.`);
  const mark = Object.keys(json).find((key) => Object.hasOwn(readers, key));
  if (mark === undefined) return dict(json, readers);
  const fits = Object.keys(json).length === (mark === 'functor' ? 2 : 1);
  const value = readers[mark]!(json[mark], json, readers);
  if (fits && value !== undefined) return value;
  throw new HornbookError('invalid_argument', `An object with the key ${mark} is not as toJson writes it.`);
}

/** `fromEntries`, so that the key `__proto__` is an ordinary one. */
const dict = (members: object, readers: Readers): ValueObject =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [key, read(value, readers)]));

/**
 * A value, or an answer, in a form that JSON can hold, from which {@link fromJson} makes the same again. What JSON has is
 * itself; of the rest a BigInt is `{ integer: '…' }`, an infinity, NaN or -0 `{ number: '…' }`, a term
 * `{ functor: 'f', args: […] }`, and so on (docs/package.md).
 *
 * @throws TypeError for what is no value of Prolog, and for what contains itself
 */
export const toJson = (value: Value): Json => written(value, new Set());

/** @param within the objects that the value is in */
function written(value: Value, within: Set<object>): Json {
  switch (typeof value) {
    case 'bigint':
      return { integer: String(value) };
    case 'number':
      if (Object.is(value, -0)) return { number: '-0' };
      return Number.isFinite(value) ? value : { number: String(value) };
    case 'string':
    case 'boolean':
      return value;
    case 'object':
      break;
    default:
      throw new TypeError(`${value === undefined ? 'undefined' : `a ${typeof value}`} has no value in Prolog`);
  }
  if (value === null) return null;
  if (within.has(value)) throw new TypeError('a value contains itself, which JSON cannot hold');
  within.add(value);
  const json = writtenObject(value, (part) => written(part, within));
  within.delete(value);
  return json;
}

function writtenObject(value: Value & object, part: (value: Value) => Json): Json {
  // Not `map`, which skips holes.
  if (Array.isArray(value)) return Array.from(value, part);
  if (value instanceof Atom) return { atom: value.name };
  if (value instanceof Float) return { float: floatText(value.value) };
  if (value instanceof Rational) return { rational: `${value.numerator}r${value.denominator}` };
  if (value instanceof Term) return { functor: value.name, args: value.args.map(part) };
  if (value instanceof Variable) return { variable: value.name };
  if (!isPlain(value)) throw new TypeError(`a ${value.constructor?.name ?? 'class'} has no value in Prolog`);
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, part(member)]));
  return Object.keys(members).some((key) => Object.hasOwn(KEPT, key)) ? { dict: members } : members;
}
