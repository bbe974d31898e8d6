/** The books of a server: each is opened when it is used, and let go when it has not been used for a while. */
import type { Client } from './clients.js';
import type { Log } from './log.js';
import type { ServedLog } from './log-requests.js';
import type { Message } from './message.js';
import { OpenQueries } from './queries.js';
import { Refusal, later } from './refusal.js';
import { Turns } from './turns.js';

/** One client's pipe to a book. */
export interface Pipe {
  receive(message: string): void;
  /** The client has read what it was sent. */
  resume(): void;
  close(): void;
}

/** What serves a book. */
export interface Source {
  /** `send` takes each message for the client, and says whether more may come now. */
  connect(send: (message: string) => boolean, readOnly: boolean): Pipe;
  /** How long its engines have worked, in milliseconds. */
  readonly activeMs: number;
  /** Its log, for those who follow it: opened when it is first asked for. */
  openLog(): Promise<ServedLog>;
  /** Tasks that run or whose results are kept: they are gone when it is closed. */
  readonly tasks: number;
  close(): Promise<void>;
}

/** Where books come from. */
export interface Sources {
  /** Whether there is a book of this name. */
  has(name: string): Promise<boolean>;
  /** Open it, or begin a new one. Rejects with a sentence. */
  open(name: string): Promise<Source>;
}

export interface BookLimits {
  /** Books that are open at the same time, each with an engine. */
  open: number;
  /** One that nobody has used for so long is let go, in milliseconds. */
  idleMs: number;
}

/** Names are those of files, on all systems. */
export const BOOK_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A request waits so long for room to open its book, in milliseconds. */
const ROOM_MS = 10_000;
/** Requests that run in one book at the same time; its engine does one after the other. */
const RUNNING = 8;
/** Those of one client: however many it sends, others wait for one of them. */
const RUNNING_OF_CLIENT = 1;

/** A book that is open. */
export class OpenBook {
  readonly turns = new Turns(RUNNING, RUNNING_OF_CLIENT);
  readonly queries: OpenQueries;
  /** Whether it was let go; it is opened again for the next who uses it. */
  gone = false;
  readonly #pipes = new Set<Pipe>();
  /** The clients whose requests run, by how many. */
  readonly #working = new Map<Client, number>();
  #counted: number;
  #log: Promise<ServedLog> | undefined;

  constructor(
    readonly name: string,
    private readonly source: Source,
  ) {
    this.#counted = source.activeMs;
    this.queries = new OpenQueries((send) => source.connect(send, true));
  }

  /** A pipe for a client; `send` gets each message as text and parsed. */
  connect(client: string, readOnly: boolean, send: (text: string, message: Message | Message[]) => boolean): Pipe {
    const pipe = this.source.connect((text) => {
      const message = JSON.parse(text) as Message | Message[];
      if (!Array.isArray(message)) this.queries.note(client, message);
      return send(text, message);
    }, readOnly);
    const own: Pipe = {
      receive: (message) => pipe.receive(message),
      resume: () => pipe.resume(),
      close: () => {
        if (this.#pipes.delete(own)) pipe.close();
      },
    };
    this.#pipes.add(own);
    return own;
  }

  /** Its log, which all who follow it share. */
  log(): Promise<ServedLog> {
    this.#log ??= this.source.openLog();
    this.#log.catch(() => (this.#log = undefined));
    return this.#log;
  }

  /** Whether tasks of clients are gone when it is closed. */
  get hasTasks(): boolean {
    return !this.gone && this.source.tasks > 0;
  }

  /** A request of the client runs from now on: what engines do counts for those whose requests run. What ends it. */
  work(client: Client): () => void {
    this.#count();
    this.#working.set(client, (this.#working.get(client) ?? 0) + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#count();
      const left = this.#working.get(client)! - 1;
      if (left > 0) this.#working.set(client, left);
      else this.#working.delete(client);
    };
  }

  #count(): void {
    const active = this.gone ? this.#counted : this.source.activeMs;
    const share = (active - this.#counted) / this.#working.size;
    this.#counted = active;
    for (const client of this.#working.keys()) client.worked(share);
  }

  async close(): Promise<void> {
    this.#count();
    this.gone = true;
    for (const pipe of [...this.#pipes]) pipe.close();
    const log = await this.#log?.catch(() => undefined);
    await log?.close();
    await this.source.close();
  }
}

interface Place {
  book: Promise<OpenBook>;
  /** The same, when it is open. */
  open: OpenBook | undefined;
  /** Requests and streams that use it. */
  uses: number;
  used: number;
}

export class Books {
  readonly #places = new Map<string, Place>();
  /** Those that are being let go. */
  readonly #closing = new Map<string, Promise<void>>();
  #waiting: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly sources: Sources,
    private readonly limits: BookLimits,
    private readonly log: Log,
  ) {
    this.#timer = setInterval(() => this.#letGo(), Math.max(50, Math.min(10_000, limits.idleMs / 4))).unref();
  }

  /** How many are open. */
  get size(): number {
    return this.#places.size;
  }

  /** Whether there is a book of this name. */
  async has(name: string): Promise<boolean> {
    return this.isOpen(name) || this.sources.has(name);
  }

  isOpen = (name: string): boolean => this.#places.has(name);

  /** Use a book, until the second result is called, which may be done twice. */
  async use(name: string, client: Client, mayCreate: boolean, signal: AbortSignal): Promise<[OpenBook, () => void]> {
    client.uses(name, this.isOpen);
    const place = this.#places.get(name) ?? (await this.#open(name, mayCreate, signal));
    place.uses += 1;
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      place.uses -= 1;
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

  /** Let go of all. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#places].map(([name, place]) => this.#close(name, place)));
    await Promise.all(this.#closing.values());
  }

  async #open(name: string, mayCreate: boolean, signal: AbortSignal): Promise<Place> {
    if (!mayCreate && !(await this.sources.has(name)))
      throw new Refusal(404, `There is no book ${name}, and this client may not create one (scope admin).`);
    const until = performance.now() + ROOM_MS;
    for (;;) {
      signal.throwIfAborted();
      await this.#closing.get(name);
      const there = this.#places.get(name);
      if (there) return there;
      if (this.#places.size + this.#closing.size < this.limits.open) break;
      if (this.#places.size >= this.limits.open && this.#closeOldest()) continue;
      if (performance.now() > until)
        throw later(503, `All ${this.limits.open} books that may be open are in use. Send it again.`, 5);
      await this.#room();
    }
    const place: Place = { book: this.#begin(name), open: undefined, uses: 0, used: performance.now() };
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
      throw new Refusal(503, (error as Error).message, {}, -32000);
    }
  }

  /**
   * Let go of the one that was not used for the longest time, of one with tasks only where all have them; whether there is one
   * that nobody uses.
   */
  #closeOldest(): boolean {
    const idle = [...this.#places].filter(([, { open, uses }]) => open && uses === 0);
    const free = idle.filter(([, { open }]) => !open!.hasTasks);
    const oldest = (free.length > 0 ? free : idle).reduce<[string, Place] | undefined>(
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
      .then((book) => book.close())
      .then(() => this.log('book_closed', { book: name }))
      .catch((error: Error) => this.log('book_failed', { book: name, error: error.message }))
      .finally(() => {
        this.#closing.delete(name);
        this.#wake();
      });
    this.#closing.set(name, closed);
    return closed;
  }

  /** Resolves when there may be room; in a moment at the latest. */
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
