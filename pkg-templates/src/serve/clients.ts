/** What each client may use of the server. */
import { Refusal, later } from './refusal.js';

/** The limits for each client, set by `--client NAME=N`. */
export const CLIENT_LIMITS = {
  /** Requests per second, with bursts of up to twice as many. */
  requests: 200,
  /** Requests waiting or running at the same time. */
  running: 64,
  /** Open streams: those of GET, and subscriptions. */
  streams: 32,
  /** Total size of the messages waiting or running at the same time, in bytes. */
  bytes: 16 << 20,
  /** Books open for it. */
  books: 16,
  /** Queries it may have open in one book. */
  queries: 16,
  /** Engine time per minute, in milliseconds. */
  cpu_ms: 60_000,
};

export type ClientLimits = typeof CLIENT_LIMITS;

const MINUTE = 60_000;
/** A client that is quiet for this long is forgotten, in milliseconds. */
const FORGET_MS = 10 * MINUTE;

/** An allowance that refills over time. */
class Allowance {
  #left: number;
  #at = performance.now();

  /**
   * @param most the most that can be taken at once
   * @param rate how much comes back per millisecond
   */
  constructor(
    private readonly most: number,
    private readonly rate: number,
  ) {
    this.#left = most;
  }

  /** What is left; negative if more was taken than there was. */
  get left(): number {
    const now = performance.now();
    this.#left = Math.min(this.most, this.#left + (now - this.#at) * this.rate);
    this.#at = now;
    return this.#left;
  }

  take(amount: number): void {
    this.#left = this.left - amount;
  }

  /** Seconds until this much is available. */
  until(amount: number): number {
    return Math.max(0, amount - this.left) / this.rate / 1000;
  }
}

export class Client {
  readonly #requests: Allowance;
  readonly #cpu: Allowance;
  #running = 0;
  #bytes = 0;
  #streams = 0;
  /** The books it has used that are still open. */
  readonly #books = new Set<string>();
  seen = performance.now();

  constructor(
    readonly key: string,
    private readonly limits: ClientLimits,
  ) {
    this.#requests = new Allowance(2 * limits.requests, limits.requests / 1000);
    this.#cpu = new Allowance(limits.cpu_ms, limits.cpu_ms / MINUTE);
  }

  get busy(): boolean {
    return this.#running > 0 || this.#streams > 0;
  }

  /** A request arrives. Returns the function to call when it ends. */
  begin(bytes: number): () => void {
    const { requests, running, bytes: most, cpu_ms } = this.limits;
    this.seen = performance.now();
    if (bytes > most)
      throw new Refusal(413, `The message is too long (limit: bytes = ${most}). Send its parts one by one.`);
    if (this.#requests.left < 1)
      throw later(
        429,
        `Too many requests (limit: requests = ${requests} a second). Wait and send it again.`,
        this.#requests.until(1),
      );
    this.#requests.take(1);
    if (this.#running >= running)
      throw later(429, `Too many requests are running (limit: running = ${running}). Wait for the answers of some.`, 1);
    if (this.#bytes + bytes > most)
      throw later(
        429,
        `Too much is being sent at once (limit: bytes = ${most}). Wait for the answers of some requests.`,
        1,
      );
    if (this.#cpu.left <= 0)
      throw later(
        429,
        `The time of the processor is used up (limit: cpu_ms = ${cpu_ms} a minute). Wait and send it again.`,
        this.#cpu.until(cpu_ms / 10),
      );
    this.#running += 1;
    this.#bytes += bytes;
    return () => {
      this.#running -= 1;
      this.#bytes -= bytes;
    };
  }

  /** A stream is opened. Returns the function to call when it is closed. */
  stream(): () => void {
    if (this.#streams >= this.limits.streams)
      throw later(429, `Too many streams are open (limit: streams = ${this.limits.streams}). Close some.`, 1);
    this.#streams += 1;
    return () => {
      this.#streams -= 1;
    };
  }

  /** It uses a book; `isOpen` tells which of the books it used before are still open. */
  uses(book: string, isOpen: (book: string) => boolean): void {
    if (this.#books.has(book)) return;
    for (const used of this.#books) if (!isOpen(used)) this.#books.delete(used);
    if (this.#books.size >= this.limits.books)
      throw later(
        429,
        `Too many books are open for this client (limit: books = ${this.limits.books}). One that is not used is let go after a while.`,
        10,
      );
    this.#books.add(book);
  }

  /** An engine has worked for it. */
  worked(ms: number): void {
    this.#cpu.take(ms);
  }
}

/** The known clients. */
export class Clients {
  readonly #clients = new Map<string, Client>();
  #swept = performance.now();

  constructor(readonly limits: ClientLimits) {}

  get size(): number {
    return this.#clients.size;
  }

  of(key: string): Client {
    this.#sweep();
    let client = this.#clients.get(key);
    if (!client) {
      client = new Client(key, this.limits);
      this.#clients.set(key, client);
    }
    return client;
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#swept < MINUTE) return;
    this.#swept = now;
    for (const [key, client] of this.#clients) {
      if (!client.busy && now - client.seen > FORGET_MS) this.#clients.delete(key);
    }
  }
}
