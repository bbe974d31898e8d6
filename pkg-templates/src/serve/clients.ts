/** What each client may use of the server. */
import { createHash } from 'node:crypto';
import { Refusal, later } from './refusal.js';

/** The limits for each client, set by `--client NAME=N`. */
export const CLIENT_LIMITS = {
  /** Requests per second, with bursts of up to twice as many. */
  requests: 200,
  /** Requests waiting or running at the same time. */
  running: 64,
  /** Open streams: those of GET, and subscriptions. */
  streams: 32,
  /** Total size of the messages arriving, waiting or running at the same time, in bytes. */
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
/** The most clients that are known; beyond that, quiet ones are forgotten sooner. */
const MOST = 10_000;

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
  #tasks = 0;
  /** The books it has used that are still open. */
  readonly #books = new Set<string>();
  seen = performance.now();
  /** Identifies it to books, if clients are told apart by something that they cannot choose. */
  readonly number: number | undefined;

  /** @param isKnown whether it had to prove who it is */
  constructor(
    readonly key: string,
    isKnown: boolean,
    private readonly limits: ClientLimits,
  ) {
    this.number = isKnown ? createHash('sha256').update(key).digest().readUIntBE(0, 6) : undefined;
    this.#requests = new Allowance(2 * limits.requests, limits.requests / 1000);
    this.#cpu = new Allowance(limits.cpu_ms, limits.cpu_ms / MINUTE);
  }

  get busy(): boolean {
    return this.#running > 0 || this.#streams > 0 || this.#tasks > 0;
  }

  /** A request arrives. */
  begin(): Admission {
    const admission = new Admission((bytes) => this.#count(bytes));
    admission.onend(this.#admit(1));
    return admission;
  }

  /** A message arrives whose sender is not known yet: only its length is counted. */
  receive(): Admission {
    return new Admission((bytes) => this.#count(bytes));
  }

  /** A batch has this many more requests than one. Returns the function to call when they end. */
  beginMore(requests: number): () => void {
    const { running } = this.limits;
    if (requests >= running)
      throw new Refusal(
        413,
        `The batch has too many requests (limit: running = ${running}). Send them in smaller ones.`,
      );
    return this.#admit(requests);
  }

  /** A call that may become a task is refused while too many tasks run. */
  checkTasks(): void {
    const { running } = this.limits;
    if (this.#tasks >= running)
      throw later(429, `Too many tasks are running (limit: running = ${running}). Wait until some have ended.`, 1);
  }

  /** A task begins. Returns the function to call when it ends. */
  task(): () => void {
    this.#tasks += 1;
    return once(() => {
      this.#tasks -= 1;
    });
  }

  #admit(count: number): () => void {
    const { requests, running, cpu_ms } = this.limits;
    this.seen = performance.now();
    if (this.#requests.left < count)
      throw later(
        429,
        `Too many requests (limit: requests = ${requests} a second). Wait and send it again.`,
        this.#requests.until(count),
      );
    this.#requests.take(count);
    if (this.#running + count > running)
      throw later(429, `Too many requests are running (limit: running = ${running}). Wait for some of the answers.`, 1);
    if (this.#cpu.left <= 0)
      throw later(
        429,
        `The CPU budget is exhausted (limit: cpu_ms = ${cpu_ms} a minute). Wait, then retry.`,
        this.#cpu.until(cpu_ms / 10),
      );
    this.#running += count;
    return once(() => {
      this.#running -= count;
    });
  }

  /** Count bytes of a message; fewer again if negative. */
  #count(bytes: number): void {
    const { bytes: most } = this.limits;
    if (bytes > most)
      throw new Refusal(413, `The message is too long (limit: bytes = ${most}). Send its parts one by one.`);
    if (this.#bytes + bytes > most)
      throw later(
        429,
        `Too much is being sent at once (limit: bytes = ${most}). Wait for the answers of some requests.`,
        1,
      );
    this.#bytes += bytes;
  }

  /** A stream is opened. Returns the function to call when it is closed. */
  stream(): () => void {
    if (this.#streams >= this.limits.streams)
      throw later(429, `Too many streams are open (limit: streams = ${this.limits.streams}). Close some.`, 1);
    this.#streams += 1;
    return once(() => {
      this.#streams -= 1;
    });
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

  /** Whether its time of the engines is used up. */
  get overworked(): boolean {
    return this.#cpu.left <= 0;
  }

  /** An engine has worked for it. */
  worked(ms: number): void {
    this.#cpu.take(ms);
  }
}

/** What a request takes of its client's limits. It counts until {@link end} and every {@link hold} have ended. */
export class Admission {
  #bytes = 0;
  #holds = 1;
  readonly #ends: (() => void)[] = [];

  /** @param count counts bytes for the client; throws a {@link Refusal} */
  constructor(private readonly count: (bytes: number) => void) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of the message arrive. */
  add(bytes: number): void {
    this.count(bytes);
    this.#bytes += bytes;
  }

  /** Call this when the request ends. */
  onend(end: () => void): void {
    this.#ends.push(end);
  }

  /** Something goes on after the request that needs its message. Returns the function to call when it ends. */
  hold(): () => void {
    this.#holds += 1;
    return once(() => this.#release());
  }

  /** The request has ended. */
  readonly end = once(() => {
    for (const end of this.#ends.splice(0)) end();
    this.#release();
  });

  #release(): void {
    this.#holds -= 1;
    if (this.#holds === 0) this.count(-this.#bytes);
  }
}

/** The function, which does nothing when it is called again. */
export function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

/** The known clients. */
export class Clients {
  readonly #clients = new Map<string, Client>();
  #swept = performance.now();

  constructor(readonly limits: ClientLimits) {}

  get size(): number {
    return this.#clients.size;
  }

  /** @param isKnown whether the client had to prove who it is */
  of(key: string, isKnown: boolean): Client {
    this.#sweep();
    const client = this.#clients.get(key) ?? new Client(key, isKnown, this.limits);
    // The one that was quiet for longest comes first.
    this.#clients.delete(key);
    this.#clients.set(key, client);
    return client;
  }

  #sweep(): void {
    const now = performance.now();
    const isFull = this.#clients.size >= MOST;
    if (!isFull && now - this.#swept < MINUTE) return;
    this.#swept = now;
    const before = now - FORGET_MS;
    for (const [key, client] of this.#clients) {
      if (client.seen > before && this.#clients.size < MOST) break;
      if (!client.busy) this.#clients.delete(key);
    }
  }
}
