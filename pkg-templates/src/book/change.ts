/** Several changes of a book as one. */
import type { Hornbook } from '../full/hornbook.js';
import { LONGEST_TIMER_MS } from './arguments.js';
import { HornbookError } from './error.js';

/** How a change is made. */
export interface ChangeOptions {
  /** How often it is tried again because others have changed the book meanwhile. Default: 20. */
  retries?: number;
  /**
   * How long it may take in all, in milliseconds: it waits that long for the change before it, too, whatever that one
   * does. Default: as long as it takes; but one that has also no `signal` waits for a change that does not use its book for
   * ten seconds only.
   */
  timeoutMs?: number;
  /** Ends it, whether it waits or works, until what it changed becomes part of the book. Default: nothing does. */
  signal?: AbortSignal;
}

/** The names of the options. */
export const CHANGE_OPTIONS: Record<keyof ChangeOptions, true> = { retries: true, timeoutMs: true, signal: true };

/** How a change is made within the package. */
interface OwnOptions extends ChangeOptions {
  /**
   * Whether it counts after some tries, too, if others have changed the book meanwhile and what it changes still
   * applies: it does not depend on the rest of the book.
   */
  follows?: boolean;
}

const RETRIES = 20;
/** The tries after which a change follows the book, if it may do so, or else holds the book while it is made. */
const TRIES_AS_IS = 3;
/** The longest that a change holds the book, in milliseconds: its work may wait for whatever it likes. */
const HOLD_MS = 2_000;
/** The longest wait before another try, in milliseconds. */
const WAIT_MS = 50;
/**
 * How long one that runs may leave its book unused while another waits that nothing else ends, in milliseconds: it may wait
 * for that one.
 */
const UNUSED_MS = 10_000;
/** How long the one that runs may go on once the book is to close, in milliseconds. */
const CLOSE_MS = 1_000;

/** What the workspace rejects with, as everything of a book. */
const own = <T>(done: Promise<T>): Promise<T> =>
  done.catch((error: unknown) => {
    throw HornbookError.from(error);
  });

/** What is done, unless a signal is aborted first. */
function unless<T>(signals: (AbortSignal | undefined)[], done: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signals.find((signal) => signal?.aborted)?.reason);
    const leave = () => {
      for (const signal of signals) signal?.removeEventListener('abort', abort);
    };
    for (const signal of signals) signal?.addEventListener('abort', abort);
    if (signals.some((signal) => signal?.aborted)) abort();
    done.then(resolve, reject);
    done.then(leave, leave);
  });
}

const tooLong = (ms: number): HornbookError =>
  new HornbookError(
    'timeout',
    `The change took longer than its ${ms} ms, with the wait for those before it; nothing was changed. Give it more time, or do less in it.`,
  );

const closed = (): HornbookError => new HornbookError('closed', 'The book was closed before this had ended.');

/** Where changes are made: a workspace beside a book. */
export interface Beside<Book> {
  hornbook: Hornbook;
  /** What a change is given. */
  book: Book;
  /** When the book was last in use, as `performance.now()`; infinite while it is. */
  lastUsed(): number;
  /** Ends what runs there. */
  discard(): Promise<void>;
}

/** Makes the changes of one book, one after the other, in a workspace beside it that is opened for the first. */
export class Changes<Book extends { close(): Promise<void> }> {
  readonly #open: () => Promise<Beside<Book>>;
  #opened: Promise<Beside<Book>> | undefined;
  #discarded: Promise<unknown> = Promise.resolve();
  #last: Promise<unknown> = Promise.resolve();
  /** When the one that runs was last seen to do something; infinite unless it works. */
  #lastUsed = () => Infinity;
  readonly #closing = new AbortController();
  readonly #closed = new AbortController();

  /** @param open opens the workspace in which changes are made */
  constructor(open: () => Promise<Beside<Book>>) {
    this.#open = open;
  }

  make<T>(work: (tx: Book) => Promise<T>, { timeoutMs: given, ...options }: OwnOptions): Promise<T> {
    const before = this.#last;
    const late = new AbortController();
    const timeoutMs = Math.min(given ?? Infinity, LONGEST_TIMER_MS);
    const isLimited = typeof given === 'number';
    const signals = [options.signal, isLimited ? late.signal : undefined].filter((one) => !!one);
    const signal = signals.length > 0 ? AbortSignal.any(signals) : undefined;
    const timer = isLimited ? setTimeout(() => late.abort(tooLong(timeoutMs)), timeoutMs) : undefined;
    const made = this.#turn(before, signal)
      .then(() => this.#make(work, { ...options, ...(signal && { signal }) }))
      .finally(() => clearTimeout(timer));
    this.#last = made.catch(() => {}).then(() => before);
    return made;
  }

  /** Ends those that wait, at once, and soon the one that runs. */
  end(): void {
    this.#closing.abort(closed());
    const late = setTimeout(() => this.#closed.abort(closed()), CLOSE_MS);
    void this.#last.then(() => clearTimeout(late));
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.book.close();
    await this.#discarded;
  }

  /** Waits for the change before; if nothing else ends this one, unless that one seems to wait for it. */
  async #turn(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
    const stuck = new AbortController();
    const begun = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const left = Math.max(begun, this.#lastUsed()) + UNUSED_MS - performance.now();
      if (left > 0) timer = setTimeout(look, Math.min(left, UNUSED_MS));
      else
        stuck.abort(
          new HornbookError(
            'conflict',
            `Another change of this book has not ended, and has not used the book that it is given for ${UNUSED_MS / 1_000} s; nothing was changed. Within a change, use only the book that it is given: \`change\` waits for the change that it is called in. If that one does other things, such as asking a model, give this one a \`timeoutMs\` or a \`signal\`: then it waits as long as these let it.`,
          ),
        );
    };
    if (!signal) look();
    try {
      await unless([this.#closing.signal, signal, stuck.signal], before);
    } finally {
      clearTimeout(timer);
    }
  }

  async #make<T>(
    work: (tx: Book) => Promise<T>,
    { retries = RETRIES, signal, follows = false }: OwnOptions,
  ): Promise<T> {
    const signals = [this.#closed.signal, signal];
    this.#opened ??= this.#open();
    this.#opened.catch(() => (this.#opened = undefined));
    const beside = await unless(signals, this.#opened);
    const { hornbook, book } = beside;
    let holds = !follows;
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      let waits = true;
      const beginning = own(hornbook.beginChange(holds && tries >= TRIES_AS_IS ? HOLD_MS : 0));
      const begun = await unless(
        signals,
        beginning.finally(() => (waits = false)),
      ).catch((error: unknown) => {
        if (waits) this.#discard(beside);
        throw error;
      });
      const beganAt = performance.now();
      // What the package does itself calls no other change.
      if (!follows) this.#lastUsed = () => Math.max(beganAt, beside.lastUsed());
      let works = true;
      const working = (async () => work(book))().finally(() => (works = false));
      const result = await unless(signals, working)
        .catch((error: unknown) => {
          hornbook.abandonChange();
          // It may go on, which is not to reach the next change.
          if (works) this.#discard(beside);
          throw error;
        })
        .finally(() => (this.#lastUsed = () => Infinity));
      // Others have waited long enough for one that takes so long.
      holds &&= performance.now() - beganAt < HOLD_MS;
      const committed = await own(hornbook.commitChange(begun, follows && tries >= TRIES_AS_IS));
      if (committed !== null) return result;
      if (tries >= retries)
        throw new HornbookError(
          'conflict',
          `The book was changed during each of ${tries + 1} attempts at this change; nothing was changed. Do less in it, use only the book that it is given, or allow more retries.`,
        );
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(WAIT_MS, 2 ** tries)));
    }
  }

  /** Closes a workspace in which something goes on; the next change opens another. */
  #discard(beside: Beside<Book>): void {
    this.#opened = undefined;
    this.#discarded = Promise.allSettled([this.#discarded, beside.discard()]).then(() => {});
  }
}
