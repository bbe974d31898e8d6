/** Drafts for a screen that may be in another thread or process: every argument and result can be sent as JSON. */
import type { Decided, Proof, Proposal } from '../full/hornbook.js';
import type { Book, Draft } from './book.js';
import { type Consequence, consequences } from './consequences.js';
import type { Decision } from './draft.js';
import { HornbookError } from './error.js';
import type { Answer } from './query.js';
import type { TestRun } from './tests.js';

/** A draft, or only these of its operations, by their keys. */
export interface Chosen {
  draft: string;
  only?: string[];
}

/** A decision, with the keys of the operations that it is about. */
export type Shown = Decision & { shown: string[] };

/** An answer, as text. */
export type Row = Pick<Answer, 'texts' | 'residual' | 'undefined'>;

/** How the answers of a goal change. */
export interface GoalChange {
  goal: string;
  gained: Row[];
  lost: Row[];
  /** Whether there are more answers than were compared. */
  more: boolean;
  /** The error that the goal raises before and after. */
  errorBefore?: string;
  errorAfter?: string;
  /** The client of the draft has asked it. */
  asked?: true;
  /** There was no time left to ask it. */
  leftOut?: true;
}

/** A draft with all its operations, and with those that were chosen last. */
interface Opened {
  whole?: Promise<Draft>;
  part?: { only: string; draft: Promise<Draft> };
}

/** What a person needs to review the drafts of a book. */
export class ReviewDesk {
  readonly #book: Book;
  /** The drafts that are open, by their names. */
  readonly #open = new Map<string, Opened>();
  /** The book after the revisions that were compared last. */
  #then = new Map<number, Promise<Book>>();

  constructor(book: Book) {
    this.#book = book;
  }

  /** The names of the drafts that propose something. */
  drafts(): Promise<string[]> {
    return this.#book.drafts();
  }

  /** What a draft proposes. */
  async proposal(chosen: Chosen): Promise<Proposal> {
    return (await this.#draft(chosen)).proposal();
  }

  /** How the answers of goals would change, and then those of the goals that its client has asked. */
  async consequences(chosen: Chosen, goals: string[]): Promise<GoalChange[]> {
    const draft = await this.#draft(chosen);
    const named = await draft.consequences(goals);
    return [...named, ...(await draft.consequencesOfAsked(goals))].map(plain);
  }

  /** The proof of an answer of a goal with the draft, by its number from 1. */
  async prove(chosen: Chosen, goal: string, answer: number): Promise<Proof> {
    return (await this.#draft(chosen)).book.hornbook.prove(goal, answer);
  }

  /** What the book's tests do with the draft; `null` if it has none. */
  async tests(chosen: Chosen): Promise<TestRun | null> {
    return (await (await this.#draft(chosen)).tests()) ?? null;
  }

  /** Accept or reject exactly the operations that a person was shown: the proposal told last may not have been. */
  async decide(chosen: Chosen, decision: 'accept' | 'reject', said: Shown): Promise<Decided> {
    if (!said.shown?.length)
      throw new HornbookError(
        'conflict',
        'The draft has changed since it was shown, and nothing was decided: look again.',
      );
    const decided = await (await this.#draft(chosen))[decision](said);
    await this.release(chosen.draft);
    return decided;
  }

  /** Close a draft that is no longer shown. */
  async release(name: string): Promise<void> {
    const { whole, part } = this.#open.get(name) ?? {};
    this.#open.delete(name);
    for (const draft of [whole, part?.draft]) await draft?.then((one) => one.close()).catch(() => {});
  }

  /** How the answers of goals differ between two revisions. */
  async compare(from: number, to: number, goals: string[]): Promise<GoalChange[]> {
    const others = [...this.#then].filter(([revision]) => revision !== from && revision !== to);
    for (const [revision, book] of others) {
      this.#then.delete(revision);
      await (await book).close();
    }
    return (await consequences(await this.#asOf(from), await this.#asOf(to), goals)).map(plain);
  }

  /** The proof of an answer of a goal after a revision, by its number from 1. */
  async proveAt(revision: number, goal: string, answer: number): Promise<Proof> {
    return (await this.#asOf(revision)).hornbook.prove(goal, answer);
  }

  /** Close what is open; the book stays. */
  async close(): Promise<void> {
    const books = [...this.#then.values()];
    this.#then = new Map();
    await Promise.all([...this.#open.keys()].map((name) => this.release(name)));
    for (const book of books) await (await book).close();
  }

  #draft({ draft: name, only }: Chosen): Promise<Draft> {
    const open = this.#open.get(name) ?? {};
    this.#open.set(name, open);
    if (only === undefined) {
      open.whole ??= this.#opened(name, () => (open.whole = undefined));
      return open.whole;
    }
    const key = JSON.stringify(only);
    if (open.part?.only !== key) {
      void open.part?.draft.then((draft) => draft.close()).catch(() => {});
      open.part = { only: key, draft: this.#opened(name, () => (open.part = undefined), only) };
    }
    return open.part.draft;
  }

  #opened(name: string, failed: () => void, only?: string[]): Promise<Draft> {
    const draft = this.#book.draft(name, only);
    draft.catch(failed);
    return draft;
  }

  #asOf(revision: number): Promise<Book> {
    const known = this.#then.get(revision);
    if (known) return known;
    const book = this.#book.asOf(revision);
    this.#then.set(revision, book);
    book.catch(() => this.#then.delete(revision));
    return book;
  }
}

function plain({ goal, gained, lost, more, errorBefore, errorAfter, asked, leftOut }: Consequence): GoalChange {
  const row = ({ texts, residual, undefined: neither }: Answer): Row => ({ texts, residual, undefined: neither });
  return {
    goal,
    gained: gained.map(row),
    lost: lost.map(row),
    more,
    ...(errorBefore && { errorBefore: errorBefore.message }),
    ...(errorAfter && { errorAfter: errorAfter.message }),
    ...(asked && { asked }),
    ...(leftOut && { leftOut }),
  };
}
