/** A draft: changes to a book that count once a person has accepted them. */
import type { Decided, Hornbook, Proposal } from '../full/hornbook.js';
import { optionsArgument } from './arguments.js';
import { type Consequence, type ConsequenceOptions, consequences } from './consequences.js';
import { HornbookError } from './error.js';
import type { Goal } from './goal.js';
import type { Queryable } from './query.js';
import { type TestOptions, type TestRun, testsAfter } from './tests.js';

/** How long each goal that the client asked may take, and all of them, in milliseconds. */
const ASKED_MS = 2_000;
const ALL_ASKED_MS = 10_000;

/** Who decides, and why. */
export interface Decision {
  /** Who decides; kept in the history of the book. */
  by?: string;
  /** Why; whoever made the draft is told. */
  reason?: string;
  /** The keys of the operations that were shown. Default: those that {@link Draft.proposal} has told last. */
  shown?: string[];
}

const DECISION_OPTIONS: Record<keyof Decision, true> = { by: true, reason: true, shown: true };

/** The book of a draft, which closes with it. */
export interface Drafted extends Queryable {
  /** Release it. */
  close(): Promise<void>;
}

/** The book that a draft is of. */
interface Base<Book extends Drafted> {
  /** The same draft, or some of its operations. */
  draft(name: string, only?: string[]): Promise<DraftOf<Book>>;
}

/** What a client has proposed, for whoever decides about it; `Book` is the class of its book. */
export class DraftOf<Book extends Drafted> {
  readonly #base: Base<Book>;
  readonly #name: string;
  readonly #hornbook: Hornbook;
  /** The keys of the operations that {@link proposal} has told last. */
  #shown: string[] | undefined;
  /** The goals of its client that {@link proposal} has told last. */
  #asked: string[] | undefined;
  /** The book without it, in an engine of its own: variables and flags that a goal sets do not reach the book's. */
  #without: Promise<DraftOf<Book>> | undefined;

  /**
   * @param book the book with the changes of the draft: what is changed there becomes part of the draft
   * @param only the keys of the operations that it has, if not all
   */
  constructor(
    base: Base<Book>,
    name: string,
    hornbook: Hornbook,
    readonly book: Book,
    only?: string[],
  ) {
    this.#base = base;
    this.#name = name;
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
    this.#asked = proposal.asked;
    return proposal;
  }

  /** What goals would answer, and no longer answer, if it were accepted. What they change is dropped. */
  async consequences(goals: Iterable<string | Goal>, options?: ConsequenceOptions): Promise<Consequence[]> {
    return consequences(await this.#before(), this.book, goals, options);
  }

  /**
   * The same for the goals that its client has asked while it drafted, without those named here: two seconds for each, ten
   * for all. Predicates that the host answers are not called again: the error of a goal that would call one names it.
   */
  async consequencesOfAsked(besides: Iterable<string> = []): Promise<Consequence[]> {
    const asked = this.#asked ?? (await of(this.#hornbook.proposal())).asked;
    const bare = (goal: string) => goal.trim().replace(/\.$/, '');
    const known = new Set([...besides].map(bare));
    const goals = asked.filter((goal) => !known.has(bare(goal)));
    if (goals.length === 0) return [];
    const options = { timeoutMs: ASKED_MS, withinMs: ALL_ASKED_MS, again: true };
    const found = await this.consequences(goals, options);
    return found.map((one) => ({ ...one, asked: true }));
  }

  /**
   * Run the tests of the book (`:- begin_tests`) as they are with the draft, within ten seconds. Tells which of those that
   * fail passed before, and which are removed; `undefined` if there are none. What they change is dropped.
   */
  async tests(options?: TestOptions): Promise<TestRun | undefined> {
    return testsAfter(await this.#before(), this.book, options);
  }

  /**
   * Make it part of the book, as one revision, which can be undone. Rejects, with nothing changed, with `conflict` if it has
   * other operations than were shown, if none were, or if some of it no longer applies, and with `constraint_violation` if a
   * constraint refuses it.
   */
  async accept(decision?: Decision): Promise<Decided> {
    const { by, reason, shown } = optionsArgument<Decision>(decision, DECISION_OPTIONS);
    return of(this.#hornbook.accept(this.#known(shown), by, reason));
  }

  /** Drop it. Rejects with `conflict` if it has other operations than were shown, or if none were. */
  async reject(decision?: Decision): Promise<Decided> {
    const { by, reason, shown } = optionsArgument<Decision>(decision, DECISION_OPTIONS);
    return of(this.#hornbook.reject(this.#known(shown), by, reason));
  }

  async #before(): Promise<Book> {
    // The book with no operation of the draft is the book as it is, and follows it.
    this.#without ??= this.#base.draft(this.#name, []);
    try {
      return (await this.#without).book;
    } catch (error) {
      this.#without = undefined;
      throw error;
    }
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
  async close(): Promise<void> {
    const without = this.#without;
    await this.book.close();
    await without?.then((one) => one.close()).catch(() => {});
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
