/** A query as an async iterable. */
import type { Cancel, Hornbook, Step } from '../full/hornbook.js';
import { countArgument, oneOf, optional, textsArgument, timeArgument } from './arguments.js';
import { HornbookError } from './error.js';
import type { ExportedBinding } from './export.js';
import type { Goal } from './goal.js';
import { fitting, type StandardSchema } from './schema.js';
import { decoded } from './json.js';
import type { Bindings } from './values.js';

/** Carries out an operation on a book. */
export type Running = <T>(operation: (hornbook: Hornbook) => Promise<T>) => Promise<T>;

/** Who goes first among those that wait for an engine. */
export type Priority = (typeof PRIORITIES)[number];

export const PRIORITIES = ['high', 'normal', 'low'] as const;

/** How a query runs; all are optional. */
export interface QueryOptions {
  /** Ends the query, even while it is searching for an answer. Default: leaving the loop does. */
  signal?: AbortSignal;
  /** Clauses that hold for this query only. Changes that the query makes are dropped with them. Default: none. */
  assume?: string | string[];
  /** The time limit for each answer, in milliseconds. Default: that of the book. */
  timeoutMs?: number;
  /**
   * Who goes first among those that wait for an engine. `low` is for what takes long: it waits until it may, and delays no
   * change. `high` goes before all that wait, except earlier changes of the same program. Default: `normal`; what takes
   * long makes way for what is short by itself.
   */
  priority?: Priority;
  /**
   * How many answers the engine may compute ahead. Default: 1. A higher number is faster when there are many, but no
   * answer is delivered until the whole batch is there.
   */
  ahead?: number;
  /**
   * Answers tell atoms from strings and floats from integers: they have {@link Atom} and {@link Float}, and what they have
   * means the same in a goal made with the tag `prolog`. Default: atoms and strings are strings, and `1.0` is 1.
   */
  exact?: boolean;
  /**
   * Each answer is what this schema, of Zod or another library of Standard Schema, gives for its bindings; one that does
   * not fit ends the query with a {@link HornbookError} of the kind `schema_mismatch`. Default: answers are as they are.
   */
  schema?: StandardSchema | undefined;
}

/** The names of the options. */
export const QUERY_OPTIONS: Record<keyof QueryOptions, true> = {
  signal: true,
  assume: true,
  timeoutMs: true,
  priority: true,
  ahead: true,
  exact: true,
  schema: true,
};

/** How much of a goal messages have. */
const SHOWN_CHARS = 200;

/** How a goal is asked that somebody else has asked: it calls no predicates that the host answers. */
export interface Again {
  /** Somebody else has asked it. Default: it is the program's own. */
  again?: boolean;
}

/** What is asked goals, such as a book. */
export interface Queryable {
  /** As `query` of a book. */
  query<T = Bindings>(goal: string | Goal, options?: QueryOptions): Query<T>;
  /** As `once` of a book. */
  once<T = Bindings>(goal: string | Goal, options?: QueryOptions): Promise<T | undefined>;
}

/** An answer with everything known about it. */
export interface Answer<T = Bindings> {
  /** The values of the variables, by name. */
  bindings: T;
  /** The same as Prolog text. */
  texts: Record<string, string>;
  /** The remaining constraints, as goals. */
  residual: string[];
  /** What the goal wrote. */
  output: string;
  /**
   * Neither true nor false, by the well-founded semantics of tabled negation. Only `answers()` yields such an answer;
   * whatever takes an answer for true throws a {@link HornbookError} of the kind `undefined` instead.
   */
  undefined: boolean;
}

/**
 * The answers of a goal, computed one at a time on demand. Leaving the loop closes the query; each new loop runs the
 * goal again. Any number of loops may run at once: a query stays open until its loop is left.
 */
export class Query<T = Bindings> implements AsyncIterable<T> {
  readonly #goal: string;
  readonly #valueChars: number;
  readonly #options: QueryOptions & Again;
  readonly #run: Running;
  readonly #tell: (notices: string[]) => void;

  /**
   * Use {@link Book.query}.
   *
   * @param run carries out an operation on the book; throws once the book cannot be used any more
   */
  /** @param tell receives notices that are not part of an answer, as of clauses that an engine could not load */
  constructor(
    goal: string | Goal,
    options: QueryOptions & Again,
    run: Running,
    tell: (notices: string[]) => void = () => {},
  ) {
    this.#goal = String(goal);
    this.#valueChars = typeof goal === 'string' ? 0 : goal.valueChars;
    this.#options = options;
    this.#run = run;
    this.#tell = tell;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { bindings } of this.#answers((answer) => this.#trueOnly(answer))) yield bindings;
  }

  /** @throws HornbookError if the answer is undefined */
  #trueOnly(one: Answer<T>): Answer<T> {
    const { texts, undefined: neither } = one;
    if (!neither) return one;
    const values = Object.entries(texts).map(([name, text]) => `${name} = ${text}`);
    const answer = values.length === 0 ? '' : ` (${values.join(', ')})`;
    throw new HornbookError(
      'undefined',
      `An answer of ${this.#shown}${answer} is undefined: neither true nor false. Use query(…).answers(), which marks such answers.`,
    );
  }

  /** The answers with their texts, constraints, output, and whether they are undefined. */
  async *answers(): AsyncGenerator<Answer<T>, void, undefined> {
    yield* this.#answers((answer) => answer);
  }

  /** @param taken gives an answer as the caller takes it, before the schema checks it */
  async *#answers<A extends { bindings: unknown }>(
    taken: (answer: Answer<T>) => A,
  ): AsyncGenerator<A, void, undefined> {
    const { schema, exact } = this.#options;
    let number = 0;
    for await (const step of this.#steps()) {
      const answer = taken(answerOf<T>(step, exact));
      number += 1;
      if (schema) answer.bindings = await this.#fitting(answer.bindings, number);
      yield answer;
    }
  }

  /** What the schema gives for the bindings of the answer of this number. */
  #fitting(bindings: unknown, number: number): Promise<unknown> {
    const { schema, signal } = this.#options;
    return unlessAborted(fitting(schema!, bindings, `Answer ${number} of ${this.#shown}`), signal);
  }

  /** The goal, for messages. */
  get #shown(): string {
    return this.#goal.length > SHOWN_CHARS ? `${this.#goal.slice(0, SHOWN_CHARS)}…` : this.#goal;
  }

  /**
   * The answers as CSV: the names of the variables in the first line, then a line for each answer, ended as spreadsheets
   * do; with a schema, what it gives. Texts that a spreadsheet would run as formulas begin with an apostrophe.
   */
  async toCSV(): Promise<string> {
    return this.written('csv');
  }

  /** All answers, or the first `most`, as text: `csv`, `json`, `jsonl`, `table` or `prolog`. */
  async written(format: string, most = Infinity): Promise<string> {
    const { BY_NAME, exported } = await import('./export.js');
    const { schema } = this.#options;
    // A float is not an integer in a file either. A schema gets the values that the caller asked for.
    const exact = schema ? this.#options.exact : true;
    const answers = [];
    let names: string[] = [];
    for await (const step of this.#steps(exact, (variables) => (names = variables))) {
      const { bindings, ...answer } = step;
      const shown: ExportedBinding[] = schema
        ? exported(await this.#fitting(decodedBindings(bindings, exact), answers.length + 1))
        : bindings.map(([name, text, json]) => ({ name, text, json }));
      if (schema && answers.length === 0) names = shown.map(({ name }) => name);
      answers.push({ ...answer, bindings: shown, exact: !schema });
      if (answers.length >= most) break;
    }
    return BY_NAME[format]!.write(answers, ({ bindings }) => bindings, this.#goal, names);
  }

  /** @param begun takes the names of the variables */
  async *#steps(
    exact = this.#options.exact,
    begun?: (variables: string[]) => void,
  ): AsyncGenerator<Step['answers'][number], void, undefined> {
    const { signal, assume, again } = this.#options;
    const ahead = countArgument(this.#options.ahead ?? 1, 'The number of answers ahead');
    const timeoutMs = optional(this.#options.timeoutMs, 'The time limit', timeArgument);
    const priority = optional(this.#options.priority, 'The priority', (value, what) => oneOf(PRIORITIES, value, what));
    const clauses = assume === undefined ? undefined : textsArgument([assume].flat(), 'The assumed clauses');
    signal?.throwIfAborted();
    // Made by the operation that starts the query, so that a query counts as running as soon as it is asked.
    let cancel!: Cancel;
    const abort = () => cancel.cancel();
    signal?.addEventListener('abort', abort);
    let open: string | undefined;
    try {
      let step = await this.#withItsErrors((hornbook) => {
        cancel = hornbook.cancellation(priority);
        return hornbook.queryStart(this.#goal, clauses, ahead, timeoutMs, cancel, again, exact, this.#valueChars);
      });
      begun?.(step.variables ?? []);
      for (;;) {
        open = step.more ? step.id : undefined;
        this.#tell(step.notices);
        yield* step.answers;
        if (step.failure) throw HornbookError.from(step.failure);
        if (!step.more) return;
        const { id } = step;
        signal?.throwIfAborted();
        step = await this.#withItsErrors((hornbook) => hornbook.queryNext(id, ahead, timeoutMs, cancel));
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      cancel?.free();
      // A failure to close must not hide what ended the loop; a book closed meanwhile has closed its queries.
      if (open !== undefined) await this.#close(open);
    }
  }

  async #close(id: string): Promise<void> {
    try {
      await this.#run((hornbook) => hornbook.queryClose(id));
    } catch {
      // The book is closed or has failed; the next call reports it.
    }
  }

  async #withItsErrors(ask: (hornbook: Hornbook) => Promise<Step>): Promise<Step> {
    try {
      return await this.#run(ask);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      throw error;
    }
  }
}

const decodedBindings = (bindings: Step['answers'][number]['bindings'], exact?: boolean): Bindings =>
  Object.fromEntries(bindings.map(([name, , json]) => [name, decoded(json, exact)]));

/** @param exact whether the query was asked to tell atoms from strings */
export function answerOf<T>(
  { bindings, residual, output, undefined: neither }: Step['answers'][number],
  exact = false,
): Answer<T> {
  return {
    bindings: decodedBindings(bindings, exact) as T,
    texts: Object.fromEntries(bindings.map(([name, text]) => [name, text])),
    residual,
    output,
    undefined: neither === true,
  };
}

/** What `work` resolves with; rejects as soon as `signal` is aborted. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  // The schema may fail after all; nobody waits for it any more.
  work.catch(() => {});
  signal.throwIfAborted();
  let abort!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
