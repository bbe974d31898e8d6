/** Several changes of a book as one. */
import type { Hornbook } from '../full/hornbook.js';
import { HornbookError } from './error.js';

/** How a change is made. */
export interface ChangeOptions {
  /** How often it is tried again because others have changed the book meanwhile. Default: 20. */
  retries?: number;
  /** Ends the trying, and is checked before the change is made. Default: nothing does. */
  signal?: AbortSignal;
}

/** The names of the options. */
export const CHANGE_OPTIONS: Record<keyof ChangeOptions, true> = { retries: true, signal: true };

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

/** What the workspace rejects with, as everything of a book. */
const own = <T>(done: Promise<T>): Promise<T> =>
  done.catch((error: unknown) => {
    throw HornbookError.from(error);
  });

/** Makes the changes of one book, one after the other, in a workspace beside it that is opened for the first. */
export class Changes<Book extends { close(): Promise<void> }> {
  readonly #open: () => Promise<{ hornbook: Hornbook; book: Book }>;
  #opened: Promise<{ hornbook: Hornbook; book: Book }> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param open opens the workspace in which changes are made */
  constructor(open: () => Promise<{ hornbook: Hornbook; book: Book }>) {
    this.#open = open;
  }

  make<T>(work: (tx: Book) => Promise<T>, options: OwnOptions): Promise<T> {
    const made = this.#last.then(() => this.#make(work, options));
    this.#last = made.catch(() => {});
    return made;
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.book.close();
  }

  async #make<T>(
    work: (tx: Book) => Promise<T>,
    { retries = RETRIES, signal, follows = false }: OwnOptions,
  ): Promise<T> {
    this.#opened ??= this.#open();
    this.#opened.catch(() => (this.#opened = undefined));
    const { hornbook, book } = await this.#opened;
    let holds = !follows;
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      const begun = await own(hornbook.beginChange(holds && tries >= TRIES_AS_IS ? HOLD_MS : 0));
      const beganAt = performance.now();
      const result = await work(book).catch((error: unknown) => {
        hornbook.abandonChange();
        throw error;
      });
      // Others have waited long enough for one that takes so long.
      holds &&= performance.now() - beganAt < HOLD_MS;
      signal?.throwIfAborted();
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
}
