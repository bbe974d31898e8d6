/** Databases of SQLite, read only, in a thread of their own: through Node if it can, otherwise through sql.js. */
import { Worker } from 'node:worker_threads';
import { markOf } from './files.js';
import { plain, type Cell, type Description, type Request, type Rows, type Source } from './source.js';
import type { Answered, Asked } from './sqlite-worker.js';

/** How long a statement that is stopped may go on, in milliseconds; then its thread is ended. */
const GRACE_MS = 100;

export class Sqlite implements Source {
  #thread: Thread | undefined;
  #cursors = 0;

  constructor(private readonly path: string) {}

  async describe(): Promise<Description> {
    return { dialect: 'sqlite', mark: await markOf([this.path]) };
  }

  async run({ sql, parameters }: Request, signal: AbortSignal): Promise<Rows> {
    signal.throwIfAborted();
    if (!this.#thread || this.#thread.isRetired) this.#thread = new Thread(this.path);
    const thread = this.#thread;
    const cursor = ++this.#cursors;
    const stop = () => thread.stop(cursor);
    signal.addEventListener('abort', stop);
    const close = () => {
      signal.removeEventListener('abort', stop);
      thread.stop(cursor);
    };
    try {
      await thread.ask(cursor, { begin: { sql, parameters: parameters.map(plain) } });
    } catch (error) {
      close();
      throw error;
    }
    return { next: (most) => thread.ask(cursor, { most }), close };
  }

  async close(): Promise<void> {
    await this.#thread?.end();
  }
}

interface Call {
  cursor: number;
  resolve(rows: Cell[][]): void;
  reject(error: Error): void;
}

/** A thread with the database, and what it has not answered. */
class Thread {
  /** Begins no more statements: one does not end, or the thread has. */
  isRetired = false;
  #isOver = false;
  readonly #worker: Worker;
  readonly #open = new Set<number>();
  readonly #calls = new Map<number, Call>();
  #last = 0;

  constructor(path: string) {
    this.#worker = new Worker(new URL('./sqlite-worker.js', import.meta.url), { workerData: { path } });
    this.#worker.unref();
    this.#worker.on('message', ({ call, rows, error }: Answered) => {
      const waiting = this.#calls.get(call);
      this.#calls.delete(call);
      if (this.#calls.size === 0) this.#worker.unref();
      if (error === undefined) waiting?.resolve(rows ?? []);
      else waiting?.reject(new Error(error));
    });
    this.#worker.on('error', (error) => this.#ended(error as Error));
    this.#worker.on('exit', () => this.#ended());
  }

  ask(cursor: number, what: Omit<Asked, 'cursor'>): Promise<Cell[][]> {
    if (this.#isOver) return Promise.reject(stopped());
    this.#open.add(cursor);
    const call = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { cursor, resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ ...what, cursor, call } satisfies Asked);
    });
  }

  /** End a statement. If it does not answer, neither does any other of the thread, and that is ended. */
  stop(cursor: number): void {
    if (this.#isOver) return;
    this.#open.delete(cursor);
    this.#worker.postMessage({ cursor } satisfies Asked);
    const isBusy = () => [...this.#calls.values()].some((call) => call.cursor === cursor);
    if (isBusy()) {
      this.isRetired = true;
      setTimeout(() => isBusy() && void this.end(), GRACE_MS);
    } else if (this.isRetired && this.#open.size === 0) void this.end();
  }

  async end(): Promise<void> {
    this.#ended();
    await this.#worker.terminate();
  }

  #ended(error: Error = stopped()): void {
    this.isRetired = true;
    this.#isOver = true;
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }
}

const stopped = () => new Error('another statement of this database was stopped, and this one with it: retry');
