/** Prolog values in JavaScript. */
import { kindOf } from './arguments.js';

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
    if (typeof value !== 'number') throw new TypeError(`the value of a Float is a number, not ${kindOf(value)}`);
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

/** Whether an object is a dict: neither of a class nor an array. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return !Array.isArray(value) && (prototype === null || Object.getPrototypeOf(prototype) === null);
}
