/** Predicates of a book that are answered by functions of this program. */
import type { HostPredicates } from '../full/hornbook.js';
import { quoted, type Quotable } from './goal.js';
import { decoded } from './json.js';
import type { Value } from './values.js';

/**
 * A solution: `true`, or the value of each argument in order, with `undefined` for an argument to leave as it is.
 * `false`, `null` and `undefined` mean no solution.
 */
export type Solution = boolean | null | undefined | readonly (Quotable | undefined)[];

/**
 * Answers goals of one predicate. It gets the arguments, unbound ones as {@link Variable}, and returns a solution, or a
 * generator of any number of them: Prolog asks for the next one when it backtracks into the goal. An exception becomes
 * the Prolog error `error(host_error(Indicator, Message), _)`.
 */
export type HostPredicate = (
  // biome-ignore lint/suspicious/noExplicitAny: each function defines what it takes
  ...args: any[]
) => Solution | Promise<Solution> | Iterator<Solution> | AsyncIterator<Solution>;

type Solutions = Iterator<Solution> | AsyncIterator<Solution>;

/** A generator that Prolog may still backtrack into. */
interface Waiting {
  query: number;
  solutions: Solutions;
  arity: number;
}

/** The {@link HostPredicate} functions behind the interface that the crate calls. */
export class Predicates implements HostPredicates {
  readonly indicators: string[];
  readonly #functions: Map<string, HostPredicate>;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  /** @throws TypeError when a key is not an indicator `name/arity` */
  constructor(functions: Record<string, HostPredicate>) {
    this.#functions = new Map(Object.entries(functions));
    this.indicators = [...this.#functions.keys()];
    for (const indicator of this.indicators) {
      if (!/^\p{Ll}[\p{L}\p{N}_]*\/(\d|[1-9]\d)$/u.test(indicator))
        throw new TypeError(`predicates: '${indicator}' is no indicator; write name/arity, as 'price/2'`);
    }
  }

  async answer(query: number, question: string): Promise<string> {
    try {
      const asked = JSON.parse(question) as number | [string, unknown[]];
      if (typeof asked === 'number') return await this.#next(asked);
      const [name, args] = asked;
      return await this.#first(
        query,
        name,
        args.map((arg) => decoded(arg)),
      );
    } catch (error) {
      return `failed(${quoted(error instanceof Error ? error.message : String(error))})`;
    }
  }

  keep(queries: number[]): void {
    for (const [number, { query, solutions }] of this.#waiting) {
      if (queries.includes(query)) continue;
      this.#waiting.delete(number);
      close(solutions);
    }
  }

  async #first(query: number, name: string, args: Value[]): Promise<string> {
    const made = await this.#functions.get(`${name}/${args.length}`)!(...args);
    if (!isIterator(made)) return `rows([${row(made, args.length)}], none)`;
    this.#last += 1;
    this.#waiting.set(this.#last, { query, solutions: made, arity: args.length });
    return this.#next(this.#last);
  }

  async #next(number: number): Promise<string> {
    const { solutions, arity } = this.#waiting.get(number)!;
    const breath = breathing();
    try {
      for (;;) {
        await breath();
        // Its query may be over.
        if (!this.#waiting.has(number)) return 'rows([], none)';
        const { done, value } = await solutions.next();
        // The return value of a generator is not a solution.
        const solution = done ? '' : row(value, arity);
        if (!done && solution === '') continue;
        if (!done) return `rows([${solution}], more(${number}))`;
        this.#waiting.delete(number);
        return 'rows([], none)';
      }
    } catch (error) {
      this.#waiting.delete(number);
      close(solutions);
      throw error;
    }
  }
}

/** The arguments of a solution as the text of a list; empty if there is no solution. */
function row(solution: Solution, arity: number): string {
  if (solution === undefined || solution === null || solution === false) return '';
  if (solution === true) return `[${Array(arity).fill('_').join(',')}]`;
  if (!Array.isArray(solution)) throw new TypeError('a solution is true, false, or an array of the arguments');
  if (solution.length !== arity)
    throw new TypeError(`a solution has ${solution.length} arguments, and the predicate ${arity}`);
  return `[${Array.from(solution, (argument) => (argument === undefined ? '_' : quoted(argument))).join(',')}]`;
}

/** How long a generator without solutions runs before timers and others get their turn, in milliseconds. */
const BREATH_MS = 50;

/** Waits from time to time, so that the time limit of a query also ends a generator without solutions. */
export function breathing(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < BREATH_MS) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        last = performance.now();
        resolve();
      });
    });
  };
}

function isIterator(made: unknown): made is Solutions {
  return typeof made === 'object' && made !== null && typeof (made as Partial<Solutions>).next === 'function';
}

/** Let a generator clean up. Errors while it does are ignored. */
function close(solutions: Solutions): void {
  try {
    void Promise.resolve(solutions.return?.()).catch(() => {});
  } catch {}
}
