/** A book of clauses: what `openBook` resolves with. */
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
   * Where the book is kept: in Node a file, in a page a name in IndexedDB; in both the address of its log on a server,
   * `http://HOST:PORT/log/NAME`. Without it the book lives in memory.
   */
  path?: string;
  /** What that server wants to know who comes. */
  token?: string;
  /** Predicates that queries may call and these functions answer, by their indicators: `{ 'price/2': (item) => … }`. */
  predicates?: Record<string, HostPredicate>;
  /** Takes what Prolog writes outside of queries, and what there is to know of an operation beside its result. */
  log?: (text: string) => void;
  /** In a page: the address under which the files of this package are served, when they are not beside its modules. */
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
  /** Resolves with what the agent is told, errors too. */
  call(input: Record<string, unknown>): Promise<string>;
}

/** What {@link Book} is made on. */
export interface Ground {
  hornbook: Hornbook;
  log: (text: string) => void;
  close(): Promise<void>;
}

/** Clauses as they were written, and queries over them. Everything rejects with a {@link HornbookError}. */
export class Book {
  readonly #ground: Ground;
  #client: Client | undefined;
  #closed: Promise<void> | undefined;

  constructor(ground: Ground) {
    this.#ground = ground;
    if (ground.hornbook.notice) ground.log(ground.hornbook.notice);
  }

  /** The workspace itself, for serving it to MCP clients: `connect`, `connectObjects`. */
  get hornbook(): Hornbook {
    if (this.#closed) throw new HornbookError('closed', 'The book is closed. Open it again with openBook.');
    return this.#ground.hornbook;
  }

  /** The answers of a goal, to be iterated; nothing is asked before. */
  query<T = Bindings>(goal: string | Goal, options: QueryOptions = {}): Query<T> {
    return new Query<T>(String(goal), options, () => this.hornbook);
  }

  /** The first answer, `undefined` where there is none. */
  async once<T = Bindings>(goal: string | Goal, options?: QueryOptions): Promise<T | undefined> {
    for await (const bindings of this.query<T>(goal, options)) return bindings;
    return undefined;
  }

  /** All answers, looked for a thousand at a time. */
  async all<T = Bindings>(goal: string | Goal, options?: QueryOptions): Promise<T[]> {
    const found: T[] = [];
    for await (const bindings of this.query<T>(goal, { ahead: 1000, ...options })) found.push(bindings);
    return found;
  }

  /** Add clauses at the end of the book. Rejects when one cannot be added; the others are then in the book. */
  async assert(...clauses: (string | Goal)[]): Promise<void> {
    const { failed } = this.#outcomes(await this.#do((book) => book.assert(clauses.map(String))));
    const [first] = failed;
    if (first) throw incomplete(first, failed.length, 'could not be added');
  }

  /** Take out the first clause that unifies with this one; resolves with whether there was one. */
  async retract(clause: string | Goal): Promise<boolean> {
    const { failed } = this.#outcomes(await this.#do((book) => book.retract([String(clause)])));
    const [first] = failed;
    if (first && first.failure.kind !== 'existence_error') throw HornbookError.from(first.failure);
    return first === undefined;
  }

  /**
   * Add the clauses of a file, in Node by its path; with `text`, its contents, `filename` is only a name. Rejects when a
   * clause cannot be added; the others are then in the book.
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

  /** Take back the last operations on the book. */
  async undo(steps = 1): Promise<Omit<Reversed, 'notices'>> {
    return this.#reversed(await this.#do((book) => book.undo(steps)));
  }

  /** Do again what was taken back. */
  async redo(steps = 1): Promise<Omit<Reversed, 'notices'>> {
    return this.#reversed(await this.#do((book) => book.redo(steps)));
  }

  /**
   * Why a goal holds, the proof of its answer with this number, from 1; or why it fails, where it has no answer at all.
   * `undefined` where it has answers, but not so many.
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

  /** All of the book as Prolog text, which loads again. */
  async source(): Promise<string> {
    return this.#do((book) => book.snapshot());
  }

  /** The tools that agents have over MCP, for any library of agents. */
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

  /** End what runs, and let others have the book. */
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

/** A book whose engine has taken the predicates; rejects where one has a name that SWI-Prolog has. */
export async function whenReady(book: Book): Promise<Book> {
  try {
    await book.once('true');
    return book;
  } catch (error) {
    await book.close();
    throw error;
  }
}
