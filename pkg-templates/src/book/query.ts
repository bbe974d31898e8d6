/** A query as an async iterable. */
import type { Hornbook, Step } from '../full/hornbook.js';
import { HornbookError } from './error.js';
import { fromJson, type Bindings } from './values.js';

export interface QueryOptions {
  /** Ends the query, also while an answer is looked for. */
  signal?: AbortSignal;
  /** Clauses that hold for this query alone; what it changes is gone with it, too. */
  assume?: string | string[];
  /** The time for each answer, in milliseconds. */
  timeoutMs?: number;
  /**
   * How many answers the engine may look for before they are asked for; default 1. More is faster where there are
   * many, but an answer is then given only when all of them are there.
   */
  ahead?: number;
}

/** An answer with all that there is to it. */
export interface Answer<T = Bindings> {
  bindings: T;
  /** The same as Prolog text. */
  texts: Record<string, string>;
  /** Constraints that remain, as goals. */
  residual: string[];
  /** What the goal wrote. */
  output: string;
}

/**
 * The answers of a goal, one at a time, when they are asked for. Leaving the loop closes the query; each loop asks the
 * goal anew.
 */
export class Query<T = Bindings> implements AsyncIterable<T> {
  readonly #goal: string;
  readonly #options: QueryOptions;
  readonly #hornbook: () => Hornbook;

  /** @param hornbook throws when it cannot be used any more */
  constructor(goal: string, options: QueryOptions, hornbook: () => Hornbook) {
    this.#goal = goal;
    this.#options = options;
    this.#hornbook = hornbook;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { bindings } of this.answers()) yield bindings;
  }

  /** The answers with their texts, constraints and output. */
  async *answers(): AsyncGenerator<Answer<T>, void, undefined> {
    const { signal, timeoutMs, ahead = 1, assume = [] } = this.#options;
    signal?.throwIfAborted();
    const cancel = this.#hornbook().cancellation();
    const abort = () => cancel.cancel();
    signal?.addEventListener('abort', abort);
    let open: string | undefined;
    try {
      let step = await this.#withItsErrors(() =>
        this.#hornbook().queryStart(this.#goal, [assume].flat(), ahead, timeoutMs, cancel),
      );
      for (;;) {
        open = step.more ? step.id : undefined;
        for (const answer of step.answers) yield answerOf<T>(answer);
        if (step.failure) throw HornbookError.from(step.failure);
        if (!step.more) return;
        const { id } = step;
        signal?.throwIfAborted();
        step = await this.#withItsErrors(() => this.#hornbook().queryNext(id, ahead, timeoutMs, cancel));
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      cancel.free();
      // Whatever ended the loop is told; a book that was closed meanwhile has closed its queries.
      if (open !== undefined) await this.#close(open);
    }
  }

  async #close(id: string): Promise<void> {
    try {
      await this.#hornbook().queryClose(id);
    } catch {
      // The book is closed or has failed: the next call says so.
    }
  }

  async #withItsErrors(ask: () => Promise<Step>): Promise<Step> {
    try {
      return await ask();
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      throw HornbookError.from(error);
    }
  }
}

function answerOf<T>({ bindings, residual, output }: Step['answers'][number]): Answer<T> {
  return {
    bindings: Object.fromEntries(bindings.map(([name, , json]) => [name, fromJson(json)])) as T,
    texts: Object.fromEntries(bindings.map(([name, text]) => [name, text])),
    residual,
    output,
  };
}
