/** Prolog values in JavaScript. */
import { HornbookError } from './error.js';

/**
 * The value of a variable in an answer. Atoms and strings become strings; `true`, `false` and `null` are themselves;
 * integers beyond 2^53 - 1 are BigInts; lists are arrays, dicts are objects.
 */
export type Value = string | number | bigint | boolean | null | Rational | Term | Variable | Value[] | ValueObject;

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
  float: (text: string) => (/nan/i.test(text) ? Number.NaN : text.startsWith('-') ? -Infinity : Infinity),
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

/** Decode the engine's JSON of a term. */
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
