/** The books of a server: each is opened when it is used, and closed after it was idle for a while. */
import type { Rights } from './access.js';
import { once, type Admission, type Client } from './clients.js';
import { bookAndDraft } from './drafts.js';
import type { Log } from './log.js';
import type { ServedLog } from './log-requests.js';
import type { Message } from './message.js';
import { OpenQueries } from './queries.js';
import { Alarms } from './alarms.js';
import { Refusal, later } from './refusal.js';
import { Turns } from './turns.js';
import type { WatchGoal } from './watch-requests.js';

/** One client's connection to a book. */
export interface Pipe {
  /** @param rights what the message may do */
  receive(message: string, rights: Rights): void;
  /** The client has read what it was sent. */
  resume(): void;
  close(): void;
}

/** What serves a book. */
export interface Source {
  /**
   * `send` receives each message for the client, and returns whether more may come now.
   *
   * @param client identifies the client, if there is a number that does
   */
  connect(send: (message: string) => boolean, client?: number): Pipe;
  /** Call a function with what a goal answers, now and each time that this has changed. What it changes is undone. */
  readonly watch: WatchGoal;
  /** How long its engines have been active, in milliseconds. */
  readonly activeMs: number;
  /** Its log, for followers; opened on first use. */
  openLog(): Promise<ServedLog>;
  /** The number of tasks that are running or whose results are kept. They are lost when it is closed. */
  readonly tasks: number;
  /** Whether the task with this id still runs. */
  taskRuns(id: string): boolean;
  /** How many workflow runs go on by themselves now. */
  readonly waking: number;
  /** When the next workflow run goes on by itself, in milliseconds since 1970, if one waits for a time or is going on. */
  readonly dueMs: number | undefined;
  close(): Promise<void>;
}

/** Where books come from. */
export interface Sources {
  /** The books in which workflow runs may wait for a time, as far as that is known without opening them. */
  mayWake(): AsyncIterable<string>;
  /** Whether there is a book with this name. */
  has(name: string): Promise<boolean>;
  /** Open the book, or create it. Rejects with a sentence. */
  open(name: string): Promise<Source>;
}

export interface BookLimits {
  /** The number of books open at the same time, each with an engine. */
  open: number;
  /** A book that is idle for this long is closed, in milliseconds. */
  idleMs: number;
}

/** Names that are valid file names on all systems; Windows has devices of some names, whatever follows a period. */
export const BOOK_NAME = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9_-]{0,63}$/;

/** How often to look whether tasks still run, in milliseconds. */
const TASKS_MS = 500;
/** How long a request waits for room to open its book, in milliseconds. */
const ROOM_MS = 10_000;
/** Requests that run in one book at the same time. Many wait for an engine, and those that are short pass the long ones. */
const RUNNING = 64;
/** The same for a single client: however many requests it sends, the others wait. */
const RUNNING_OF_CLIENT = 1;

/** A book that is open. */
export class OpenBook {
  readonly turns = new Turns(RUNNING, RUNNING_OF_CLIENT);
  readonly queries: OpenQueries;
  /** Whether it was closed; the next use opens it again. */
  gone = false;
  readonly #pipes = new Set<Pipe>();
  /** The clients with running requests and tasks, and how many. */
  readonly #working = new Map<Client, number>();
  /** The tasks that run, and what to call when they end. */
  readonly #tasks = new Map<string, () => void>();
  #timer: NodeJS.Timeout | undefined;
  #counted: number;
  #log: Promise<ServedLog> | undefined;

  constructor(
    readonly name: string,
    private readonly source: Source,
  ) {
    this.#counted = source.activeMs;
    this.queries = new OpenQueries((send) => source.connect(send));
  }

  /** Connect a client; `send` gets each message as text and parsed. */
  connect(client: Client, send: (text: string, message: Message) => boolean): Pipe {
    const pipe = this.source.connect((text) => {
      const message = JSON.parse(text) as Message;
      this.queries.note(client.key, message);
      return send(text, message);
    }, client.number);
    const own: Pipe = {
      receive: (message, rights) => {
        if (!this.#pipes.has(own)) throw new Error('the connection to the book is closed');
        pipe.receive(message, rights);
      },
      resume: () => {
        if (this.#pipes.has(own)) pipe.resume();
      },
      close: () => {
        if (this.#pipes.delete(own)) pipe.close();
      },
    };
    this.#pipes.add(own);
    return own;
  }

  get watch(): WatchGoal {
    return this.source.watch;
  }

  /** Its log, shared by all followers. */
  log(): Promise<ServedLog> {
    this.#log ??= this.source.openLog();
    this.#log.catch(() => (this.#log = undefined));
    return this.#log;
  }

  /** Whether closing it would lose tasks of clients. */
  get hasTasks(): boolean {
    return !this.gone && this.source.tasks + this.source.waking > 0;
  }

  /** When the next workflow run goes on by itself, in milliseconds since 1970. */
  get dueMs(): number | undefined {
    return this.source.dueMs;
  }

  /** A request of a client has become a task, which counts for the client until it ends. */
  follow(task: string, client: Client, admission: Admission): void {
    const ends = [this.work(client), client.task(), admission.hold()];
    this.#tasks.set(task, () => {
      for (const end of ends) end();
    });
    this.#timer ??= setInterval(() => this.#look(), TASKS_MS).unref();
  }

  /** Look which tasks have ended. */
  #look(): void {
    this.#count();
    for (const [task, end] of this.#tasks) {
      if (!this.gone && this.source.taskRuns(task)) continue;
      this.#tasks.delete(task);
      end();
    }
    if (this.#tasks.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Count the engines' activity for this client too, until the returned function is called: it is divided among the
   * requests and tasks that run.
   */
  work(client: Client): () => void {
    this.#count();
    this.#working.set(client, (this.#working.get(client) ?? 0) + 1);
    return once(() => {
      this.#count();
      const left = this.#working.get(client)! - 1;
      if (left > 0) this.#working.set(client, left);
      else this.#working.delete(client);
    });
  }

  #count(): void {
    const active = this.gone ? this.#counted : this.source.activeMs;
    const running = [...this.#working.values()].reduce((sum, count) => sum + count, 0);
    const share = (active - this.#counted) / running;
    this.#counted = active;
    for (const [client, count] of this.#working) client.worked(share * count);
  }

  async close(): Promise<void> {
    this.#count();
    this.gone = true;
    this.#look();
    for (const pipe of [...this.#pipes]) pipe.close();
    const log = await this.#log?.catch(() => undefined);
    await log?.close();
    await this.source.close();
  }
}

interface Place {
  book: Promise<OpenBook>;
  /** The same, once it is open. */
  open: OpenBook | undefined;
  /** The number of requests and streams that use it. */
  uses: number;
  /** The same of each client. */
  users: Map<Client, number>;
  used: number;
}

export class Books {
  readonly #places = new Map<string, Place>();
  /** Books that are being closed. */
  readonly #closing = new Map<string, Promise<void>>();
  #waiting: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  /** Opens books again when a run in them is due. */
  readonly #alarms: Alarms;

  constructor(
    private readonly sources: Sources,
    private readonly limits: BookLimits,
    private readonly log: Log,
  ) {
    this.#alarms = new Alarms((name) => this.#openDue(name));
    this.#timer = setInterval(() => this.#letGo(), Math.max(50, Math.min(10_000, limits.idleMs / 4))).unref();
  }

  /** How many are open. */
  get size(): number {
    return this.#places.size;
  }

  /** Whether there is a book with this name. */
  async has(name: string): Promise<boolean> {
    return this.isOpen(name) || this.sources.has(name);
  }

  isOpen = (name: string): boolean => this.#places.has(name);

  /** Use a book until the second result is called, which may happen more than once. */
  async use(name: string, client: Client, mayCreate: boolean, signal: AbortSignal): Promise<[OpenBook, () => void]> {
    client.uses(name, this.isOpen);
    this.#checkShare(name, client);
    const place = this.#places.get(name) ?? (await this.#open(name, mayCreate, signal));
    place.uses += 1;
    place.users.set(client, (place.users.get(client) ?? 0) + 1);
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      place.uses -= 1;
      const left = place.users.get(client)! - 1;
      if (left > 0) place.users.set(client, left);
      else place.users.delete(client);
      place.used = performance.now();
      if (place.uses === 0) this.#wake();
    };
    try {
      return [await place.book, end];
    } catch (error) {
      end();
      throw error;
    }
  }

  /** However long its requests run, a client leaves a place to others. */
  #checkShare(name: string, client: Client): void {
    const most = Math.max(1, this.limits.open - 1);
    const used = [...this.#places].filter(([other, { users }]) => other !== name && users.has(client));
    if (used.length < most) return;
    throw later(429, `This client has ${most} of at most ${this.limits.open} open books. Close one.`, 5);
  }

  /** Open the books in which workflow runs wait for a time, now and when it comes. */
  async watchTimes(): Promise<void> {
    for await (const name of this.sources.mayWake()) await this.#alarms.ring(name);
  }

  /** Close all books. */
  async close(): Promise<void> {
    this.#alarms.stop();
    clearInterval(this.#timer);
    await Promise.all([...this.#places].map(([name, place]) => this.#close(name, place)));
    await Promise.all(this.#closing.values());
  }

  /** Open a book for its runs. It waits for room as long as it takes, and closes no book for it that has tasks. */
  async #openDue(name: string): Promise<OpenBook> {
    const place = await this.#open(name, false, this.#alarms.stopped, true);
    return place.book;
  }

  async #open(name: string, mayCreate: boolean, signal: AbortSignal, patient = false): Promise<Place> {
    if (!mayCreate && !(await this.sources.has(name)))
      throw new Refusal(
        404,
        `There is no book ${bookAndDraft(name).book}, and this client may not create one (scope admin).`,
      );
    const until = performance.now() + ROOM_MS;
    for (;;) {
      signal.throwIfAborted();
      await this.#closing.get(name);
      const there = this.#places.get(name);
      if (there) return there;
      if (this.#places.size + this.#closing.size < this.limits.open) break;
      if (this.#places.size >= this.limits.open && this.#closeOldest(patient)) continue;
      if (!patient && performance.now() > until)
        throw later(
          503,
          `All ${this.limits.open} open books are in use (limit: open = ${this.limits.open}). Retry.`,
          5,
        );
      await this.#room();
    }
    const place: Place = {
      book: this.#begin(name),
      open: undefined,
      uses: 0,
      users: new Map(),
      used: performance.now(),
    };
    this.#places.set(name, place);
    place.book.then(
      (book) => (place.open = book),
      () => {
        this.#places.delete(name);
        this.#wake();
      },
    );
    return place;
  }

  async #begin(name: string): Promise<OpenBook> {
    const started = performance.now();
    try {
      const book = new OpenBook(name, await this.sources.open(name));
      this.log('book_opened', { book: name, ms: Math.round(performance.now() - started) });
      return book;
    } catch (error) {
      this.log('book_failed', { book: name, error: (error as Error).message });
      const { book } = bookAndDraft(name);
      throw new Refusal(503, `The book ${book} cannot be opened; the server's log says why.`, {}, -32000);
    }
  }

  /**
   * Close the least recently used idle book, preferring books without tasks. Returns whether there was an idle book.
   *
   * @param spares whether books with tasks stay open
   */
  #closeOldest(spares: boolean): boolean {
    const idle = [...this.#places].filter(([, { open, uses }]) => open && uses === 0);
    const free = idle.filter(([, { open }]) => !open!.hasTasks);
    const oldest = (spares || free.length > 0 ? free : idle).reduce<[string, Place] | undefined>(
      (a, b) => (a && a[1].used <= b[1].used ? a : b),
      undefined,
    );
    if (oldest) void this.#close(...oldest);
    return oldest !== undefined;
  }

  #letGo(): void {
    const before = performance.now() - this.limits.idleMs;
    for (const [name, place] of [...this.#places]) {
      if (place.open && place.uses === 0 && place.used < before && !place.open.hasTasks) void this.#close(name, place);
    }
  }

  #close(name: string, place: Place): Promise<void> {
    this.#places.delete(name);
    const closed = place.book
      .then((book) => {
        this.#alarms.set(name, book.dueMs);
        return book.close();
      })
      .then(() => this.log('book_closed', { book: name }))
      .catch((error: Error) => this.log('book_failed', { book: name, error: error.message }))
      .finally(() => {
        this.#closing.delete(name);
        this.#wake();
      });
    this.#closing.set(name, closed);
    return closed;
  }

  /** Resolves when there may be room, after a second at the latest. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 1_000);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
