/** A goal that is watched, as an async iterable. */
import type { StepAnswer, Watch, WatchedStep } from '../full/hornbook.js';
import { difference } from './difference.js';
import { HornbookError } from './error.js';
import { answerOf } from './query.js';
import type { Bindings } from './values.js';

/** How often a process that waits does nothing. */
const KEEP_ALIVE_MS = 1 << 30;

/** How a goal is watched; all are optional. */
export interface WatchOptions {
  /** Ends the watching: the iteration throws its reason. Default: leaving the loop or closing the book does. */
  signal?: AbortSignal;
}

/** The names of the options. */
export const WATCH_OPTIONS: Record<keyof WatchOptions, true> = { signal: true };

/** What a watched goal answers, and what has changed since it was last read. */
export interface Watched<T = Bindings> {
  /** Those that are true; an undefined one, neither true nor false, is left out. Their order does not count. */
  answers: T[];
  /** Answers that are new since the last time; at first all of them. */
  added: T[];
  /** Answers that were there the last time, and are not any more. */
  removed: T[];
  /** Whether there are more answers than the thousand that are compared. */
  more: boolean;
  /**
   * Why the goal has no other answers: it raised an error, takes longer than a second, or names a predicate that the book
   * does not have yet; or why its answers have no values.
   */
  error?: HornbookError;
  /** The revision of the book at which it was asked. */
  revision: number;
}

/**
 * A goal that is watched, from the first `next()` on: what it answers, and then again each time that its answers have
 * changed. Whoever reads slowly gets the newest state, with all that has changed since.
 */
export class GoalWatch<T = Bindings> implements AsyncIterableIterator<Watched<T>> {
  readonly #begin: (changed: (step: WatchedStep) => void) => Watch;
  readonly #signal: AbortSignal | undefined;
  readonly #ended: () => void;
  readonly #abort = () => this.#end();
  #watching: Watch | undefined;
  #hasEnded = false;
  /** What has not been read yet. */
  #newest: WatchedStep | undefined;
  #before: StepAnswer[] = [];
  readonly #readers: (() => void)[] = [];

  /**
   * Use {@link Book.watch}.
   *
   * @param begin starts the watching
   * @param ended called once it has ended
   */
  constructor(
    begin: (changed: (step: WatchedStep) => void) => Watch,
    { signal }: WatchOptions,
    ended: (watch: GoalWatch<T>) => void,
  ) {
    this.#begin = begin;
    this.#signal = signal;
    this.#ended = () => ended(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** What the goal answers, as soon as that has changed since the last call. */
  async next(): Promise<IteratorResult<Watched<T>, undefined>> {
    this.#start();
    while (!this.#newest && !this.#hasEnded) await this.#woken();
    this.#signal?.throwIfAborted();
    const step = this.#newest;
    if (this.#hasEnded || !step) return { done: true, value: undefined };
    const value = changeOf<T>(this.#before, step);
    this.#newest = undefined;
    this.#before = step.answers;
    return { done: false, value };
  }

  /** End the watching; `next()` that waits is done. */
  async return(): Promise<IteratorResult<Watched<T>, undefined>> {
    this.#end();
    return { done: true, value: undefined };
  }

  #start(): void {
    if (this.#watching || this.#hasEnded) return;
    this.#signal?.throwIfAborted();
    this.#watching = this.#begin((step) => {
      this.#newest = step;
      this.#wake();
    });
    this.#signal?.addEventListener('abort', this.#abort);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#watching?.free();
    this.#ended();
    this.#wake();
  }

  /** Until there is something to read. Node does not end meanwhile, as what changes may come from another process. */
  async #woken(): Promise<void> {
    const alive = setInterval(() => {}, KEEP_ALIVE_MS);
    await new Promise<void>((resolve) => this.#readers.push(resolve));
    clearInterval(alive);
  }

  #wake(): void {
    for (const wake of this.#readers.splice(0)) wake();
  }
}

function changeOf<T>(before: StepAnswer[], { answers, more, failure, revision }: WatchedStep): Watched<T> {
  const truths = (of: StepAnswer[]) => of.filter(({ undefined: neither }) => !neither);
  const values = (of: StepAnswer[]) => truths(of).map((answer) => answerOf<T>(answer).bindings);
  const error = failure && HornbookError.from(failure);
  try {
    return {
      answers: values(answers),
      added: values(without(truths(answers), truths(before))),
      removed: values(without(truths(before), truths(answers))),
      more,
      ...(error && { error }),
      revision,
    };
  } catch (thrown) {
    // A cyclic term has no value.
    return { answers: [], added: [], removed: [], more, error: HornbookError.from(thrown), revision };
  }
}

/** The answers that are not among `others`, each of which stands for one. */
export const without = (answers: StepAnswer[], others: StepAnswer[]) => difference(answers, others, keyOf);

const keyOf = ({ bindings, residual, undefined: neither }: StepAnswer) =>
  JSON.stringify([bindings.map(([name, text]) => [name, text]), residual, neither ?? false]);
