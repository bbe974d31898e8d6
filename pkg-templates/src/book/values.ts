/** Prolog values in JavaScript. */
import { HornbookError } from './error.js';

/**
 * The value of a variable in an answer. Atoms and strings become strings; `true`, `false` and `null` are themselves;
 * integers beyond 2^53 - 1 are BigInts; lists are arrays, dicts are objects. In answers that are `exact`, other atoms are
 * {@link Atom}, and finite floats {@link Float}.
 */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Atom
  | Float
  | Rational
  | Term
  | Variable
  | Value[]
  | ValueObject;

/** A dict. */
export interface ValueObject {
  [key: string]: Value;
}

/** The bindings of an answer, by variable name. */
export type Bindings = Record<string, Value>;

/** Throws a TypeError unless the name of an atom, a term or a variable is a string. */
function named(name: unknown, what: string): string {
  if (typeof name === 'string') return name;
  throw new TypeError(`the name of ${what} is a string, not ${name === null ? 'null' : `of the type ${typeof name}`}`);
}

/** A compound term: `new Term('point', 1, 2)` is `point(1, 2)`. Throws a TypeError if the name is not a string. */
export class Term {
  /** Its arguments, in order. */
  readonly args: readonly Value[];

  /** @param name the name of its functor */
  constructor(
    readonly name: string,
    ...args: Value[]
  ) {
    named(name, 'a term');
    this.args = args;
  }
}

/**
 * An atom, for places in a goal where text must not become a string: `atom('ann')` gives `ann`, while `'ann'` gives
 * `"ann"`. Throws a TypeError if the name is not a string.
 */
export class Atom {
  /** @param name its text, without quotes */
  constructor(readonly name: string) {
    named(name, 'an atom');
  }
}

/** The same as `new Atom(name)`. */
export const atom = (name: string): Atom => new Atom(name);

/**
 * A float, also if it is whole: `new Float(1)` is `1.0`, while `1` is the integer. Answers that are `exact` have it. It
 * calculates and compares as a number does. Throws a TypeError if the value is not a number.
 */
export class Float {
  /** @param value as a number */
  constructor(readonly value: number) {
    if (typeof value !== 'number') throw new TypeError(`the value of a Float is a number, not a ${typeof value}`);
  }

  /** The number, with which JavaScript calculates. */
  valueOf(): number {
    return this.value;
  }

  /** As Prolog writes it: `1.0`. */
  toString(): string {
    return floatText(this.value);
  }
}

/** A float as Prolog reads it. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return '1.5NaN';
  if (!Number.isFinite(value)) return value > 0 ? '1.0Inf' : '-1.0Inf';
  const [mantissa, exponent] = (Object.is(value, -0) ? '-0' : String(value)).split('e') as [string, string?];
  const point = mantissa.includes('.') ? mantissa : `${mantissa}.0`;
  return exponent === undefined ? point : `${point}e${exponent}`;
}

/** A variable left unbound by an answer; its constraints are in the answer's `residual`. */
export class Variable {
  /** @param name as Prolog writes it, such as `_123` */
  constructor(readonly name: string) {
    named(name, 'a variable');
  }
}

/**
 * A fraction of integers in lowest terms: the denominator is positive. Throws a TypeError if a part is not a BigInt, and
 * a RangeError if the denominator is 0.
 */
export class Rational {
  /** Its numerator, which has the sign. */
  readonly numerator: bigint;
  /** Its denominator, which is positive. */
  readonly denominator: bigint;

  /** Any fraction; it is reduced. */
  constructor(numerator: bigint, denominator: bigint) {
    if (typeof numerator !== 'bigint' || typeof denominator !== 'bigint')
      throw new TypeError('the numerator and the denominator of a Rational are BigInts, such as 1n');
    if (denominator === 0n) throw new RangeError('the denominator of a Rational is not 0');
    const shared = commonDivisor(numerator, denominator) * (denominator < 0n ? -1n : 1n);
    this.numerator = numerator / shared;
    this.denominator = denominator / shared;
  }
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [one, other] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (other !== 0n) [one, other] = [other, one % other];
  return one;
}

/** Decoders for objects in the engine's JSON (docs/engine-protocol.md), by the key that marks them. */
const MARKED: Record<string, (of: never, object: { args: unknown[] }) => Value> = {
  functor: (name: string, { args }) => new Term(name, ...args.map(fromJson)),
  variable: (name: string) => new Variable(name),
  integer: (digits: string) => BigInt(digits),
  rational(text: string) {
    const [numerator, denominator] = text.split('r') as [string, string];
    return new Rational(BigInt(numerator), BigInt(denominator));
  },
  float(text: string) {
    if (/nan/i.test(text)) return Number.NaN;
    if (/inf/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
    return new Float(Number(text));
  },
  atom: (name: string) => new Atom(name),
  dict: (members: object) => dict(members),
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

/** What {@link toJson} makes: `JSON.stringify` writes all of it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * A value, or an answer, in a form that JSON can hold, from which {@link fromJson} makes the same again. What JSON has is
 * itself; of the rest a BigInt is `{ integer: '…' }`, an infinity or NaN `{ float: '…' }`, a term `{ functor: 'f', args: […] }`,
 * and so on (docs/package.md).
 *
 * @throws TypeError for what is no value of Prolog
 */
export function toJson(value: Value): Json {
  if (typeof value === 'bigint') return { integer: String(value) };
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { float: floatText(value) };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no value in Prolog`);
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Atom) return { atom: value.name };
  if (value instanceof Float) return { float: String(value) };
  if (value instanceof Rational) return { rational: `${value.numerator}r${value.denominator}` };
  if (value instanceof Term) return { functor: value.name, args: value.args.map(toJson) };
  if (value instanceof Variable) return { variable: value.name };
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
  return Object.keys(members).some((key) => Object.hasOwn(MARKED, key)) ? { dict: members } : members;
}

/**
 * The value that {@link toJson} wrote.
 *
 * @throws HornbookError if it was cut, or contains itself
 */
export function fromJson(json: unknown): Value {
  if (typeof json !== 'object' || json === null) return json as Value;
  if (Array.isArray(json)) return json.map(fromJson);
  const mark = Object.keys(json).find((key) => Object.hasOwn(MARKED, key));
  if (mark === undefined) return dict(json);
  return MARKED[mark]!((json as Record<string, never>)[mark]!, json as { args: unknown[] });
}

/** `fromEntries`, so that the key `__proto__` is an ordinary one. */
const dict = (members: object): ValueObject =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [key, fromJson(value)]));
