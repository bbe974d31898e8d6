/** A draft: changes to a book that count once a person has accepted them. */
import type { Decided, Hornbook, Proposal } from '../full/hornbook.js';
import type { Book } from './book.js';
import { type Consequence, type ConsequenceOptions, consequences } from './consequences.js';
import { HornbookError } from './error.js';
import type { Goal } from './goal.js';
import { type TestOptions, type TestRun, testsAfter } from './tests.js';

/** Who decides, and why. */
export interface Decision {
  /** Who decides; kept in the history of the book. */
  by?: string;
  /** Why; whoever made the draft is told. */
  reason?: string;
  /** The keys of the operations that were shown. Default: those that {@link Draft.proposal} has told last. */
  shown?: string[];
}

/** What a client has proposed, for whoever decides about it. */
export class Draft {
  readonly #base: Book;
  readonly #hornbook: Hornbook;
  /** The keys of the operations that {@link proposal} has told last. */
  #shown: string[] | undefined;

  /**
   * @param book the book with the changes of the draft: what is changed there becomes part of the draft
   * @param only the keys of the operations that it has, if not all
   */
  constructor(
    base: Book,
    hornbook: Hornbook,
    readonly book: Book,
    only?: string[],
  ) {
    this.#base = base;
    this.#hornbook = hornbook;
    this.#shown = only && [...only].sort();
  }

  /**
   * What it proposes: its operations, the clauses that the book would get and lose, and the constraints that this would
   * violate. Rejects with `existence_error` if it proposes nothing.
   */
  async proposal(): Promise<Proposal> {
    const proposal = await of(this.#hornbook.proposal());
    this.#shown = proposal.operations.map(({ key }) => key);
    return proposal;
  }

  /** What goals would answer, and no longer answer, if it were accepted. What they change is dropped. */
  consequences(goals: Iterable<string | Goal>, options?: ConsequenceOptions): Promise<Consequence[]> {
    return consequences(this.#base, this.book, goals, options);
  }

  /**
   * Run the tests of the book (`:- begin_tests`) as they are with the draft, within ten seconds. Tells which of those that
   * fail passed before; `undefined` if there are none. What they change is dropped.
   */
  tests(options?: TestOptions): Promise<TestRun | undefined> {
    return testsAfter(this.#base, this.book, options);
  }

  /**
   * Make it part of the book, as one revision, which can be undone. Rejects, with nothing changed, with `conflict` if it has
   * other operations than were shown, if none were, or if some of it no longer applies, and with `constraint_violation` if a
   * constraint refuses it.
   */
  async accept({ by, reason, shown }: Decision = {}): Promise<Decided> {
    return of(this.#hornbook.accept(this.#known(shown), by, reason));
  }

  /** Drop it. Rejects with `conflict` if it has other operations than were shown, or if none were. */
  async reject({ by, reason, shown }: Decision = {}): Promise<Decided> {
    return of(this.#hornbook.reject(this.#known(shown), by, reason));
  }

  /** The keys of the operations that a decision is about: nobody decides about what was not shown. */
  #known(shown = this.#shown): string[] {
    if (shown?.length) return shown;
    throw new HornbookError(
      'conflict',
      'Nothing of the draft was shown, and nothing was decided. Read proposal() first.',
    );
  }

  /** Release it; the draft stays. */
  close(): Promise<void> {
    return this.book.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

async function of<T>(done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    throw HornbookError.from(error);
  }
}
