/** A book of clauses, as returned by `openBook`. */
import { Client } from '../client.js';
import type { Hornbook, Options, Outcome, Outcomes, Reversed } from '../full/hornbook.js';
import { HornbookError } from './error.js';
import type { Goal } from './goal.js';
import type { HostPredicate } from './predicates.js';
import { proofOf, type Proof } from './proof.js';
import { Query, type QueryOptions } from './query.js';
import type { Bindings } from './values.js';

export interface BookOptions extends Options {
  /**
   * Where the book is kept: a file in Node, a name in IndexedDB in a page, or in either the address of its log on a
   * server, `http://HOST:PORT/log/NAME`. Without it the book lives in memory.
   */
  path?: string;
  /** The token that the server asks for. */
  token?: string;
  /** Predicates that queries may call and these functions answer, by indicator: `{ 'price/2': (item) => … }`. */
  predicates?: Record<string, HostPredicate>;
  /** Receives what Prolog writes outside queries, and notices about an operation that are not part of its result. */
  log?: (text: string) => void;
  /** In a page: the address that serves this package's files, if they are not next to its modules. */
  assets?: string | URL;
}

/** A file that was imported. */
export interface Imported {
  filename: string;
  clausesAdded: number;
  /** What its `initialization/1` goals wrote. */
  output: string;
}

/** A tool for an agent. */
export interface BookTool {
  name: string;
  title: string;
  description: string;
  /** A JSON Schema. */
  inputSchema: Record<string, unknown>;
  /** Resolves with the text for the agent; errors are text too. */
  call(input: Record<string, unknown>): Promise<string>;
}

/** What a {@link Book} needs. */
export interface Ground {
  hornbook: Hornbook;
  log: (text: string) => void;
  close(): Promise<void>;
}

/** Clauses as they were written, and queries over them. Every method rejects with a {@link HornbookError}. */
export class Book {
  readonly #ground: Ground;
  #client: Client | undefined;
  #closed: Promise<void> | undefined;

  constructor(ground: Ground) {
    this.#ground = ground;
    if (ground.hornbook.notice) ground.log(ground.hornbook.notice);
  }

  /** The workspace itself, to serve to MCP clients with `connect` or `connectObjects`. */
  get hornbook(): Hornbook {
    if (this.#closed) throw new HornbookError('closed', 'The book is closed. Open it again with openBook.');
    return this.#ground.hornbook;
  }

  /** Iterate over the answers of a goal. Nothing runs until the iteration starts. */
  query<T = Bindings>(goal: string | Goal, options: QueryOptions = {}): Query<T> {
    return new Query<T>(String(goal), options, () => this.hornbook);
  }

  /** The first answer, or `undefined` if there is none. */
  async once<T = Bindings>(goal: string | Goal, options?: QueryOptions): Promise<T | undefined> {
    for await (const bindings of this.query<T>(goal, options)) return bindings;
    return undefined;
  }

  /** All answers, fetched up to a thousand at a time. */
  async all<T = Bindings>(goal: string | Goal, options?: QueryOptions): Promise<T[]> {
    const found: T[] = [];
    for await (const bindings of this.query<T>(goal, { ahead: 1000, ...options })) found.push(bindings);
    return found;
  }

  /** Add clauses at the end of the book. Rejects if one cannot be added; the others have been added by then. */
  async assert(...clauses: (string | Goal)[]): Promise<void> {
    const { failed } = this.#outcomes(await this.#do((book) => book.assert(clauses.map(String))));
    const [first] = failed;
    if (first) throw incomplete(first, failed.length, 'could not be added');
  }

  /** Remove the first clause that unifies with this one. Resolves with whether there was one. */
  async retract(clause: string | Goal): Promise<boolean> {
    const { failed } = this.#outcomes(await this.#do((book) => book.retract([String(clause)])));
    const [first] = failed;
    if (first && first.failure.kind !== 'existence_error') throw HornbookError.from(first.failure);
    return first === undefined;
  }

  /**
   * Add the clauses of a file: in Node by its path, or from `text`, in which case `filename` is only a name. Rejects if
   * a clause cannot be added; the others have been added by then.
   */
  async import(filename: string, text?: string): Promise<Imported> {
    const { errors, notices, ...imported } = await this.#do((book) => book.importFile(filename, text));
    this.#tell(notices);
    if (errors.length > 0)
      throw new HornbookError(
        'import_errors',
        `${imported.filename}: ${errors.slice(0, 5).join('; ')}${errors.length > 5 ? `; and ${errors.length - 5} more` : ''}. The other ${imported.clausesAdded} clauses are in the book; undo() takes them out again.`,
      );
    return imported;
  }

  /** Undo the last operations on the book. */
  async undo(steps = 1): Promise<Omit<Reversed, 'notices'>> {
    return this.#reversed(await this.#do((book) => book.undo(steps)));
  }

  /** Redo operations that were undone. */
  async redo(steps = 1): Promise<Omit<Reversed, 'notices'>> {
    return this.#reversed(await this.#do((book) => book.redo(steps)));
  }

  /**
   * Why a goal holds: the proof of answer number `answer`, from 1. If the goal has no answers at all, why it fails.
   * `undefined` if it has answers, but fewer than that.
   */
  async why(goal: string | Goal, answer = 1): Promise<Proof | undefined> {
    if (answer === 1) return proofOf(await this.#do((book) => book.why(String(goal))));
    try {
      return proofOf(await this.#do((book) => book.prove(String(goal), answer)));
    } catch (error) {
      if (error instanceof HornbookError && /^The query has no such answer/.test(error.message)) return undefined;
      throw error;
    }
  }

  /** The whole book as Prolog text that can be loaded again. */
  async source(): Promise<string> {
    return this.#do((book) => book.snapshot());
  }

  /** The tools that agents get over MCP, for use with any agent library. */
  async tools(): Promise<BookTool[]> {
    const client = this.#agent();
    const { tools } = (await client.request('tools/list', {})) as { tools: Omit<BookTool, 'call'>[] };
    return tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
      call: async (input) => (await this.#agent().callTool(name, input)).text,
    }));
  }

  /** Stop what is running and release the book. */
  close(): Promise<void> {
    this.#closed ??= this.#ground.close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #agent(): Client {
    const { hornbook } = this;
    this.#client ??= new Client(hornbook, 'openBook');
    return this.#client;
  }

  async #do<T>(operation: (hornbook: Hornbook) => Promise<T>): Promise<T> {
    try {
      return await operation(this.hornbook);
    } catch (error) {
      throw HornbookError.from(error);
    }
  }

  #outcomes({ clauses, notices }: Outcomes) {
    this.#tell(notices);
    return { failed: clauses.flatMap(({ clause, failure }) => (failure ? [{ clause, failure }] : [])) };
  }

  #reversed({ notices, ...reversal }: Reversed) {
    this.#tell(notices);
    return reversal;
  }

  #tell(notices: string[]): void {
    for (const notice of notices) this.#ground.log(notice);
  }
}

type Failed = Required<Outcome>;

function incomplete({ clause, failure }: Failed, count: number, what: string): HornbookError {
  const others = count > 1 ? ` (and ${count - 1} more)` : '';
  const { kind, message, line, column } = HornbookError.from(failure);
  return new HornbookError(kind, `\`${clause}\`${others} ${what}: ${message}`, line, column);
}

/** Wait until the engine has the host predicates. Rejects if one of them has the name of a SWI-Prolog predicate. */
export async function whenReady(book: Book): Promise<Book> {
  try {
    await book.once('true');
    return book;
  } catch (error) {
    await book.close();
    throw error;
  }
}
