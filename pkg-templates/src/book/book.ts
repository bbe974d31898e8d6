/// <reference lib="esnext.disposable" preserve="true" />
/** A book of clauses, as returned by `openBook`. */
import { Client } from '../client.js';
import type {
  Cancel,
  Changes,
  FileInfo,
  Hornbook,
  ImportedTable,
  Outcomes,
  Reversed,
  Revisions,
  WatchedStep,
} from '../full/hornbook.js';
import {
  countArgument,
  oneOf,
  optional,
  optionsArgument,
  textArgument,
  textsArgument,
  timeArgument,
} from './arguments.js';
import { base64Of, type Decoded, isWorkbook, textOfBytes } from './contents.js';
import { type Bundle, deployInto, type Deployed, readBundle } from './bundle.js';
import { CHANGE_OPTIONS, type ChangeOptions, Changes as BookChanges } from './change.js';
import { DraftOf } from './draft.js';
import { HornbookError, type FailedClause } from './error.js';
import { Goal } from './goal.js';
import { proofOf, type Proof } from './proof.js';
import { type Again, PRIORITIES, type Priority, QUERY_OPTIONS, Query, type QueryOptions } from './query.js';
import { TEST_OPTIONS, type TestOptions } from './tests.js';
import type { SchemaOutput, StandardSchema } from './schema.js';
import { UPSERT_OPTIONS, placesOf, rowTexts, type Row, type UpsertOptions, type Upserted } from './upsert.js';
import type { Bindings } from './values.js';
import { GoalWatch, WATCH_OPTIONS, type WatchOptions } from './watch.js';

/** How long {@link Book.close} waits for what is running, in milliseconds. */
const DRAIN_MS = 5_000;
const CLOSED = 'The book is closed. Open it again with openBook.';

/** A file that was imported, perhaps in place of an earlier version of it. */
export interface Imported {
  /** The name under which the book has it. */
  filename: string;
  /** Clauses that are new in the book. */
  clausesAdded: number;
  /** Clauses that the file had before and has no more. */
  clausesRemoved: number;
  /** Clauses that the file had before and still has. */
  clausesKept: number;
  /** What its `initialization/1` goals wrote. */
  output: string;
  /** What was found out about a table; of a workbook, about that of its first sheet. */
  table?: ImportedTable;
  /** Of a workbook with several sheets: what was found out about each. */
  tables?: ImportedTable[];
  /** Of a document: how many it has. */
  characters?: number;
}

/** What a file is, and how a table is read. What is not said is found out. */
export interface ImportOptions {
  /** Default: what the extension says; a file of another extension is Prolog. */
  format?: 'prolog' | 'csv' | 'tsv' | 'json' | 'jsonl' | 'yaml' | 'xlsx' | 'ods' | 'document';
  /**
   * The predicate, its columns and their types, as `sales(id, amount: number, code: text)`; or one of these alone.
   * Default: by the name of the file, its header and its values.
   */
  columns?: string;
  /** Whether the first row names the columns. Default: found out from the rows. */
  header?: boolean;
  /** Calls it off; then nothing of it was added. Default: nothing does. */
  signal?: AbortSignal | undefined;
}

const IMPORT_OPTIONS: Record<keyof ImportOptions, true> = { format: true, columns: true, header: true, signal: true };

/** A tool for an agent. */
export interface BookTool {
  /** Its name, for the model. */
  name: string;
  /** Its name, for people. */
  title: string;
  /** What it does and when to use it, for the model. */
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
  /** By the names of the agents. */
  readonly #clients = new Map<string, Client>();
  #closed: Promise<void> | undefined;
  /** Operations under way. */
  readonly #running = new Set<Promise<unknown>>();
  /** When the last of them ended, as `performance.now()`. */
  #lastUsed = 0;
  /** Whether {@link close} waits no more. */
  #hasEnded = false;
  #listeners: Set<() => void> | undefined;
  readonly #watches = new Set<GoalWatch>();
  #changes: BookChanges<Book> | undefined;

  /** Use {@link openBook}. */
  constructor(ground: Ground) {
    this.#ground = ground;
    if (ground.hornbook.notice) ground.log(ground.hornbook.notice);
  }

  /** The workspace itself, to serve to MCP clients with `connect` or `connectObjects`. */
  get hornbook(): Hornbook {
    if (this.#closed) throw new HornbookError('closed', CLOSED);
    return this.#ground.hornbook;
  }

  /** Iterate over the answers of a goal. Nothing runs until the iteration starts. */
  query<S extends StandardSchema>(goal: string | Goal, options: Checked<S>): Query<SchemaOutput<S>>;
  /** Without a schema, the type of answers is what you say it is. */
  query<T = Bindings>(goal: string | Goal, options?: QueryOptions): Query<T>;
  query<T>(goal: string | Goal, options?: QueryOptions & Again): Query<T> {
    const { again, ...others } = options ?? {};
    const own = optionsArgument<QueryOptions>(typeof options === 'object' ? others : options, QUERY_OPTIONS);
    return new Query<T>(
      goal,
      { ...own, ...(again && { again }) },
      (operation) => this.#do(operation),
      (notices) => this.#tell(notices),
    );
  }

  /** The first answer, or `undefined` if there is none. */
  once<S extends StandardSchema>(goal: string | Goal, options: Checked<S>): Promise<SchemaOutput<S> | undefined>;
  /** Without a schema, the type of the answer is what you say it is. */
  once<T = Bindings>(goal: string | Goal, options?: QueryOptions): Promise<T | undefined>;
  async once<T>(goal: string | Goal, options?: QueryOptions): Promise<T | undefined> {
    for await (const bindings of this.query<T>(goal, options)) return bindings;
    return undefined;
  }

  /** All answers, fetched up to a thousand at a time. */
  all<S extends StandardSchema>(goal: string | Goal, options: Checked<S>): Promise<SchemaOutput<S>[]>;
  /** Without a schema, the type of answers is what you say it is. */
  all<T = Bindings>(goal: string | Goal, options?: QueryOptions): Promise<T[]>;
  async all<T>(goal: string | Goal, options?: QueryOptions): Promise<T[]> {
    const own = optionsArgument<QueryOptions>(options, QUERY_OPTIONS);
    const found: T[] = [];
    for await (const bindings of this.query<T>(goal, { ahead: 1000, ...own })) found.push(bindings);
    return found;
  }

  /**
   * Add clauses at the end of the book, in one revision. They are given one by one or as arrays and other iterables, also
   * asynchronous ones, which may be long and are read to their end first: if one throws, nothing is added. Rejects if
   * some cannot be added; the others have been added by then. The error has the `failures`, and its message the first.
   */
  async assert(...clauses: (Clauses | AsyncIterable<string | Goal>)[]): Promise<void> {
    const texts: string[] = [];
    for (const one of clauses) {
      if (isAsync(one)) for await (const clause of one) texts.push(textOf(clause));
      else for (const text of textsOf([one])) texts.push(text);
    }
    const outcomes = await this.#do((book) => book.assert(texts));
    const failed = this.#outcomes(outcomes);
    if (failed.length > 0) throw incomplete(failed, outcomes.succeeded);
  }

  /**
   * Bring facts of a predicate up to date, in one revision: `upsert('price', [['tea', 3], ['milk', 2]], { key: [0] })`. Each
   * row has the arguments of a fact, which are quoted as by the tag `prolog`. A fact that the book has with the same values
   * at the places of the key is replaced, a row with a new key is added at the end, and what is the same already stays as
   * it is. Of rows with the same key, the last counts; of facts with the same key, one is left. Rules stay.
   *
   * Resolves with how many facts were added, replaced and left alone. Rejects if that is not possible or a constraint
   * refuses it; then nothing has changed.
   */
  async upsert(predicate: string, rows: Iterable<Row> | AsyncIterable<Row>, options: UpsertOptions): Promise<Upserted> {
    const name = textArgument(predicate, 'The name of the predicate');
    const places = placesOf(options);
    const { signal } = optionsArgument<UpsertOptions>(options, UPSERT_OPTIONS);
    signal?.throwIfAborted();
    const { arity, texts } = await rowTexts(name, rows);
    signal?.throwIfAborted();
    const { notices, ...counts } = await this.#unlessAborted(signal, (book, cancel) =>
      book.upsert(name, arity, texts, places, cancel),
    );
    this.#tell(notices);
    return counts;
  }

  /** Remove the first clause that unifies with this one. Resolves with whether there was one. */
  async retract(clause: string | Goal): Promise<boolean> {
    const [first] = this.#outcomes(await this.#do((book) => book.retract([textOf(clause)])));
    if (first && first.kind !== 'existence_error') throw HornbookError.from(first);
    return first === undefined;
  }

  /** Put clauses in the place of the first clause that unifies with `clause`. If that fails, nothing has changed. */
  async replace(clause: string | Goal, ...by: Clauses[]): Promise<void> {
    const texts = [...textsOf(by)];
    const old = textOf(clause);
    this.#outcomes(await this.#do((book) => book.replaceClause(old, texts)));
  }

  /**
   * Add the clauses of a file: in Node by its path, or from its contents, in which case `filename` is only a name. If the
   * file is in the book already, its new contents replace the old ones in one revision, and if they are the same,
   * nothing happens. Rejects if a clause cannot be added; the others have been added by then.
   *
   * A file named `.csv`, `.tsv`, `.json` or `.jsonl` is a table, and each of its rows becomes a fact (docs/tables.md); of
   * one named `.xlsx` or `.ods`, whose bytes or their base64 are given, each sheet is a table. Nothing of it is added if
   * it cannot be read as a whole. One named `.txt`, `.md`, `.log` and the like is kept as a document, which goals read as
   * a file (docs/documents.md).
   */
  async import(
    filename: string,
    contents?: string | Uint8Array | ArrayBuffer,
    options?: ImportOptions,
  ): Promise<Imported> {
    const { format, columns, header, signal } = optionsArgument<ImportOptions>(options, IMPORT_OPTIONS);
    signal?.throwIfAborted();
    const name = textArgument(filename, 'The name of the file');
    const shape = optional(columns, 'The columns', textArgument);
    const kind = optional(format, 'The format', textArgument);
    const { text, doubt } = textFor(name, format, contents);
    const { errors, notices, ...imported } = await this.#unlessAborted(signal, (book, cancel) =>
      book.importFile(name, text, shape, header, kind, cancel),
    );
    if (doubt !== undefined) (imported.table?.notes ?? notices).unshift(doubt);
    this.#tell(notices);
    if (errors.length > 0)
      throw new HornbookError(
        'import_errors',
        `${imported.filename}: ${errors.slice(0, 5).join('; ').replace(/\.$/, '')}${errors.length > 5 ? `; and ${errors.length - 5} more` : ''}. ${restOf(imported)}`,
      );
    return imported;
  }

  /** Remove what remains of an imported file. */
  async unimport(filename: string): Promise<{ filename: string; clausesRemoved: number }> {
    const name = textArgument(filename, 'The name of the file');
    const { notices, ...removed } = await this.#do((book) => book.unimport(name));
    this.#tell(notices);
    return removed;
  }

  /** The imported files, oldest first. */
  async files(): Promise<FileInfo[]> {
    return this.#do((book) => book.files());
  }

  /**
   * Give the book as it is now a name, to which `undo` goes back. Resolves to the number of the revision. A savepoint of the
   * same name moves here.
   */
  async savepoint(name: string): Promise<number> {
    const given = textArgument(name, 'The name of the savepoint');
    return this.#do((book) => book.savepoint(given));
  }

  /**
   * Undo the last operations on the book, one unless given: those of this process, or with `all` those of any process
   * that shares it. With the name of a savepoint, all since then.
   */
  async undo(steps: number | string = 1, options?: { all?: boolean }): Promise<Omit<Reversed, 'notices'>> {
    const { all = false } = optionsArgument<{ all?: boolean }>(options, { all: true });
    if (typeof steps === 'string') return this.#reversed(await this.#do((book) => book.undoTo(steps, all)));
    const count = countArgument(steps, 'The number of steps');
    return this.#reversed(await this.#do((book) => book.undo(count, all)));
  }

  /** Redo operations that were undone, one unless given. */
  async redo(steps = 1, options?: { all?: boolean }): Promise<Omit<Reversed, 'notices'>> {
    const { all = false } = optionsArgument<{ all?: boolean }>(options, { all: true });
    const count = countArgument(steps, 'The number of steps');
    return this.#reversed(await this.#do((book) => book.redo(count, all)));
  }

  /** The last `steps` operations on the book, newest first; with `to`, up to the revision of this number. */
  async history(steps = 10, to?: number): Promise<Revisions> {
    const count = countArgument(steps, 'The number of steps');
    const last = optional(to, 'A revision', countArgument);
    return this.#do((book) => book.history(count, last));
  }

  /**
   * The differences between the book after revision `from` and after `to`, which is the last one unless given. Without
   * `from`, what revision `to` changed.
   */
  async diff(options?: { from?: number; to?: number }): Promise<Changes> {
    const { from, to } = optionsArgument<{ from?: number; to?: number }>(options, { from: true, to: true });
    const [before, after] = [from, to].map((revision) => optional(revision, 'A revision', countArgument));
    return this.#do((book) => book.diff(before, after));
  }

  /**
   * Call a function after each change of the clauses, whoever made it: this program, an agent, or another process that
   * shares the book. Returns the function that ends this.
   */
  subscribe(changed: () => void): () => void {
    const { hornbook } = this;
    if (!this.#listeners) {
      const listeners = new Set<() => void>();
      hornbook.onChange(() => {
        // The change is complete when listeners hear of it, and they may use the book.
        for (const listener of listeners) queueMicrotask(() => !this.#closed && listeners.has(listener) && listener());
      });
      this.#listeners = listeners;
    }
    const own = () => changed();
    this.#listeners.add(own);
    return () => void this.#listeners?.delete(own);
  }

  /**
   * Watch a goal: yields what it answers, and then again each time that its answers have changed, by whomever. It is
   * asked again only after changes that it can see; what it changes itself is undone. The first thousand answers are
   * compared. Leaving the loop, aborting `signal` or closing the book ends it.
   */
  watch<T = Bindings>(goal: string | Goal, options?: WatchOptions): GoalWatch<T> {
    const begin = (changed: (step: WatchedStep) => void) => this.hornbook.watch(String(goal), changed);
    const own = optionsArgument<WatchOptions>(options, WATCH_OPTIONS);
    const watch = new GoalWatch<T>(begin, own, (ended) => this.#watches.delete(ended as GoalWatch));
    this.#watches.add(watch as GoalWatch);
    return watch;
  }

  /**
   * Why a goal holds: the proof of answer number `answer`, from 1 (default). If the goal has no answers at all, why it
   * fails. `undefined` if it has answers, but fewer than that.
   */
  async why(goal: string | Goal, options?: WhyOptions): Promise<Proof | undefined> {
    const { answer = 1, timeoutMs, priority, signal } = optionsArgument<WhyOptions>(options, WHY_OPTIONS);
    const nth = answer === 1 ? undefined : countArgument(answer, 'The number of an answer', 1);
    const withinMs = optional(timeoutMs, 'The time limit', timeArgument);
    const rank = optional(priority, 'The priority', (value, what) => oneOf(PRIORITIES, value, what));
    signal?.throwIfAborted();
    const cancel = await this.#do(async (book) => book.cancellation(rank));
    const abort = () => cancel.cancel();
    signal?.addEventListener('abort', abort);
    try {
      return proofOf(await this.#do((book) => book.explain(String(goal), nth, withinMs, cancel)));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof HornbookError && /^The query has no such answer/.test(error.message)) return undefined;
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      cancel.free();
    }
  }

  /** The whole book as Prolog text that can be loaded again. */
  async source(): Promise<string> {
    return this.#do((book) => book.snapshot());
  }

  /**
   * Make several changes as one revision. `work` is given a book that has this one's clauses; what it changes there comes
   * into this one when it resolves, all of it or, if it throws, nothing. If others have changed the book meanwhile, `work`
   * runs again on what is there now: it should have no other effects. Changes of one book are made one after the other, so
   * `work` calls no `change` of this book. One without `timeoutMs` and `signal` waits for a change before it only as long as
   * that one uses the book that it is given: after ten seconds without, it rejects with `conflict`.
   *
   * Others in this process that never pause do not keep it from being made: once they were faster three times, they wait
   * while `work` runs, for at most two seconds. Other processes do not wait, since a log takes what comes first.
   *
   * Rejects with what `work` throws, with `constraint_violation` if a constraint refuses the result, and with `conflict` if
   * others were faster each time.
   */
  async change<T>(work: (tx: Book) => Promise<T>, options?: ChangeOptions): Promise<T> {
    const own = optionsArgument<ChangeOptions>(options, CHANGE_OPTIONS);
    optional(own.timeoutMs, 'The time limit', timeArgument);
    return this.#change(work, own);
  }

  async #change<T>(work: (tx: Book) => Promise<T>, own: Parameters<BookChanges<Book>['make']>[1]): Promise<T> {
    if (this.#closed) throw new HornbookError('closed', CLOSED);
    this.#changes ??= new BookChanges(async () => {
      const hornbook = await this.#do(async (book) => book.forChanges());
      const book = this.#beside(hornbook);
      const lastUsed = () => (book.#running.size > 0 ? Infinity : book.#lastUsed);
      return { hornbook, book, lastUsed, discard: () => (book.#closed ??= book.#end(0)) };
    });
    const made = this.#changes.make(work, own);
    this.#running.add(made);
    return made.finally(() => this.#running.delete(made));
  }

  /**
   * Take over a bundle of rules, which `hornbook bundle` or `bundleOf` has made: its files come in the place of those of
   * the bundle that was deployed before. That is one revision, which `undo` takes back; the bundle before it may as well be
   * deployed again. The tests of the book (`:- begin_tests`) run first, on a copy. The facts
   * `deployed_bundle(Version, Sha256, Files)` tell what is deployed.
   *
   * A file of the same name that is not of that bundle is replaced, which the result tells. Others may go on changing the
   * book: after some tries, what they change beside the files of the bundles meanwhile is not there for the tests.
   *
   * Rejects, with nothing changed, with `invalid_argument` if the bundle is damaged, with `import_errors` if a clause cannot
   * be added, and with `tests_failed`.
   */
  async deploy(bundle: string | Bundle, options?: TestOptions): Promise<Deployed> {
    const own = optionsArgument<TestOptions>(options, TEST_OPTIONS);
    const read = await readBundle(bundle);
    optional(own.timeoutMs, 'The time limit', timeArgument);
    return this.#change((tx) => deployInto(tx, this, read, own), { signal: own.signal, follows: true });
  }

  /** The names of the drafts that propose something (docs/review.md). */
  async drafts(): Promise<string[]> {
    return this.#do((book) => book.drafts());
  }

  /**
   * The draft of this name, which need not exist yet. Its `book` is this one with the changes of the draft: what is
   * changed there becomes part of the draft, and part of this book once somebody has accepted it.
   *
   * @param only open only these of its operations, by the keys that its proposal tells
   */
  async draft(name: string, only?: string[]): Promise<Draft> {
    const known = textArgument(name, 'The name of the draft');
    const keys = optional(only, 'The keys', textsArgument);
    const hornbook = await this.#do((book) => book.draft(known, keys));
    return new Draft(this, known, hornbook, this.#beside(hornbook), keys);
  }

  /** The book as it was after a revision. It can be asked, and not changed. */
  async asOf(revision: number): Promise<Book> {
    if (!Number.isSafeInteger(revision) || revision < 0)
      throw new HornbookError('domain_error', `A revision is a whole number from 0, not ${revision}.`);
    return this.#beside(await this.#do((book) => book.asOf(revision)));
  }

  #beside(hornbook: Hornbook): Book {
    const close = async () => {
      await hornbook.keepAsked();
      hornbook.close();
    };
    return new Book({ hornbook, log: this.#ground.log, close });
  }

  /**
   * The tools that agents get over MCP, for use with any agent library. What they change is recorded with the name
   * `client`, and as far as the rules of the book let that client (`may_change/2`).
   */
  async tools(options?: { client?: string }): Promise<BookTool[]> {
    const { client: agent = 'openBook' } = optionsArgument<{ client?: string }>(options, { client: true });
    const client = this.#agent(agent);
    const { tools } = (await client.request('tools/list', {})) as { tools: Omit<BookTool, 'call'>[] };
    return tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
      call: async (input) => (await this.#agent(agent).callTool(name, input)).text,
    }));
  }

  /**
   * Release the book. Nothing new begins; what is running may end within five seconds, and rejects with the kind
   * `closed` if it has not. A `change` may go on for one second, and one that waits for another ends at once.
   */
  close(): Promise<void> {
    for (const watch of [...this.#watches]) void watch.return();
    this.#changes?.end();
    this.#closed ??= this.#end(DRAIN_MS);
    return this.#closed;
  }

  /** @param drainMs how long to wait for what is running */
  async #end(drainMs: number): Promise<void> {
    const ended = Promise.allSettled([...this.#running]);
    let late: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([ended, new Promise((resolve) => (late = setTimeout(resolve, drainMs)))]);
    clearTimeout(late);
    this.#hasEnded = true;
    await this.#changes?.close();
    await this.#ground.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #agent(name: string): Client {
    const { hornbook } = this;
    const client = this.#clients.get(name) ?? new Client(hornbook, name);
    this.#clients.set(name, client);
    return client;
  }

  async #do<T>(operation: (hornbook: Hornbook) => Promise<T>): Promise<T> {
    const { hornbook } = this;
    const running = operation(hornbook);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      if (this.#hasEnded) throw new HornbookError('closed', 'The book was closed before this had ended.');
      throw HornbookError.from(error);
    } finally {
      this.#running.delete(running);
      this.#lastUsed = performance.now();
    }
  }

  /** As `#do`, for what a signal calls off. */
  async #unlessAborted<T>(
    signal: AbortSignal | undefined,
    operation: (hornbook: Hornbook, cancel: Cancel) => Promise<T>,
  ): Promise<T> {
    const cancel = await this.#do(async (book) => book.cancellation());
    const abort = () => cancel.cancel();
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      return await this.#do((book) => operation(book, cancel));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      cancel.free();
    }
  }

  /** The clauses that failed. */
  #outcomes({ failed, notices }: Outcomes): FailedClause[] {
    this.#tell(notices);
    return failed.map(({ failure, ...clause }) => ({ ...clause, ...failure }));
  }

  #reversed({ notices, ...reversal }: Reversed) {
    this.#tell(notices);
    return reversal;
  }

  #tell(notices: string[]): void {
    for (const notice of notices) this.#ground.log(notice);
  }
}

/** The options of a query whose answers a schema checks. */
type Checked<S extends StandardSchema> = QueryOptions & { schema: S };

/** Clauses as arguments, one or many. */
export type Clauses = string | Goal | Iterable<string | Goal>;

/** How a goal is explained; all are optional. */
export interface WhyOptions {
  /** The number of the answer. Default: 1. */
  answer?: number;
  /** The time limit, in milliseconds. Default: that of the book. */
  timeoutMs?: number;
  /** As of {@link QueryOptions}. A proof is sought in the first engine of the book, whatever its priority. Default: `normal`. */
  priority?: Priority;
  /** Ends the search for the proof. Default: nothing but the time limit does. */
  signal?: AbortSignal;
}

const WHY_OPTIONS: Record<keyof WhyOptions, true> = { answer: true, timeoutMs: true, priority: true, signal: true };

function isAsync(clauses: Clauses | AsyncIterable<string | Goal>): clauses is AsyncIterable<string | Goal> {
  return typeof clauses === 'object' && clauses !== null && Symbol.asyncIterator in clauses;
}

function* textsOf(clauses: Clauses[]): Generator<string> {
  for (const one of clauses) {
    const isMany = typeof one === 'object' && one !== null && Symbol.iterator in one;
    if (isMany) for (const clause of one) yield textOf(clause);
    else yield textOf(one);
  }
}

const textOf = (clause: string | Goal): string =>
  clause instanceof Goal ? clause.text : textArgument(clause, 'A clause');

/** What is in the book after a file was imported in part. */
function restOf({ clausesAdded, clausesRemoved, clausesKept }: Imported): string {
  if (clausesAdded + clausesRemoved === 0 && clausesKept > 0) return 'The book has the file as it was.';
  return keptOf(clausesAdded + clausesKept);
}

/** How many of the clauses that failed the message quotes, and how much of each. */
const QUOTED = 5;
const QUOTED_CHARS = 200;

/** @param kept how many clauses were added */
function incomplete(failed: FailedClause[], kept: number): HornbookError {
  const amongMany = failed.length + kept > 1;
  const told = failed.slice(0, QUOTED).map((failure) => {
    const { message } = HornbookError.from(failure);
    const index = amongMany ? ` (index ${failure.index})` : '';
    const { clause } = failure;
    const quoted = clause.length > QUOTED_CHARS ? `${clause.slice(0, QUOTED_CHARS)}…` : clause;
    return `\`${quoted}\` could not be added: ${message}${index}`;
  });
  const more = failed.length > QUOTED ? [`and ${failed.length - QUOTED} more`] : [];
  if (amongMany) more.push(keptOf(kept));
  const [{ kind, line, column }] = failed as [FailedClause];
  return new HornbookError(kind, [...told, ...more].join('\n'), line, column, { failures: failed });
}

/** What a client has proposed, for whoever decides about it. */
export class Draft extends DraftOf<Book> {}

/** What is in the book after some clauses could not be added. */
function keptOf(kept: number): string {
  if (kept === 0) return 'Nothing was added.';
  if (kept === 1) return 'The other one is in the book; undo() takes it out again.';
  return `The other ${kept} clauses are in the book; undo() takes them out again.`;
}

/** The text in which the workspace takes the contents of a file. */
function textFor(
  filename: string,
  format: ImportOptions['format'],
  contents?: string | Uint8Array | ArrayBuffer,
): Partial<Decoded> {
  if (contents === undefined || typeof contents === 'string') return { text: contents };
  const isBytes = contents instanceof Uint8Array || contents instanceof ArrayBuffer;
  if (!isBytes)
    throw new HornbookError(
      'invalid_argument',
      `The contents of ${filename} must be a string, a Uint8Array or an ArrayBuffer.`,
    );
  const bytes = new Uint8Array(contents);
  const hasSheets = isWorkbook(format === undefined ? filename : `.${format}`);
  return hasSheets ? { text: base64Of(bytes) } : textOfBytes(filename, bytes);
}
