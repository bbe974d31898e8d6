/** The log of a book, served by the process that has its file: to itself, and to others over a socket. */
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import type { FileStore } from './file-store.js';
import { receive, send, type Frame } from './frames.js';

/** How long others wait for a follower that replaces everything, in milliseconds. */
const HOLD_MS = 10_000;

/** A follower's requests. */
export type Request =
  | { id: number; ask: 'head' }
  /** The bytes are those of the pieces, followed by `head` bytes that go to the start of the file, which is `file`. */
  | { id: number; ask: 'append'; at: number; head: number; file: string }
  /** The bytes replace everything, if the log ends at `after`. */
  | { id: number; ask: 'replace'; after: number };

/** Which file has the log, and how long it is. */
export interface Where {
  length: number;
  /** Identifies the file, whatever its name. */
  file: string;
}

/** The server's messages. `where` comes first, and again whenever others have written. */
export type Message = { where: Where } | ({ id: number } & ({ where: Where } | { done: boolean } | { error: string }));

/** A follower for which all others wait. */
interface Held {
  by: Socket;
  end(): void;
  /** It is replacing everything. */
  work?: Promise<void>;
}

/** Appends are carried out one at a time, whoever sent them. */
export class LogServer {
  #length = 0;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #followers = new Set<Socket>();
  readonly #server: Server;
  #closed = false;
  #held: Held | undefined;

  /**
   * @param changed called when a follower has written
   * @param replacing called before a follower replaces everything: what was there can be read until it resolves
   */
  constructor(
    private readonly file: FileStore,
    private readonly path: string,
    private readonly changed: () => void,
    private readonly replacing: () => Promise<void>,
  ) {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  get where(): Where {
    return { length: this.#length, file: this.file.identity };
  }

  /** Let others use the log, which has this length. */
  async serve(length: number): Promise<void> {
    this.#length = length;
    await new Promise<void>((resolve, reject) => {
      this.#server.on('error', reject);
      // With `node:cluster`, the worker must own the socket itself. `unref`, so that it does not keep the process
      // alive.
      this.#server.listen({ path: this.path, exclusive: true }, resolve).unref();
    });
  }

  /** Resolves with whether it was written, that is, whether the log ended at `at`, and `file` has it. */
  append(
    at: number,
    pieces: Uint8Array[],
    head: Uint8Array,
    file = this.file.identity,
    from?: Socket,
  ): Promise<boolean> {
    return this.#inTurn(async () => {
      if (at !== this.#length || file !== this.file.identity) return false;
      let end = at;
      const last = pieces.length - 1;
      // The first line is written with the last piece: without it, earlier pieces do not count.
      for (const [index, piece] of (last < 0 ? [new Uint8Array()] : pieces).entries()) {
        await this.file.append(end, piece, index < last ? new Uint8Array() : head);
        end += piece.length;
      }
      this.#length = end;
      if (end > at) this.#tell(from);
      return true;
    });
  }

  /**
   * Resolves with whether everything was replaced, that is, whether the log ended at `at`. If it did not, a follower
   * would hardly be faster the next time while others go on writing: they wait until it has tried again.
   */
  async replace(at: number, bytes: Uint8Array, from?: Socket): Promise<boolean> {
    const held = this.#held;
    if (from && held?.by === from && !held.work) {
      const replaced = this.#replace(at, bytes, from);
      held.work = replaced.catch(() => {}).then(held.end);
      return replaced;
    }
    return new Promise((resolve, reject) => {
      this.#inTurn(async () => {
        const done = await this.#replace(at, bytes, from);
        resolve(done);
        if (!done && from) await this.#holdFor(from);
      }).catch(reject);
    });
  }

  async #replace(at: number, bytes: Uint8Array, from?: Socket): Promise<boolean> {
    if (at !== this.#length) return false;
    if (from) await this.replacing();
    await this.file.replace(bytes);
    this.#length = bytes.length;
    this.#tell(from);
    return true;
  }

  /** Resolves once the follower has replaced everything or is gone, or it has taken too long. */
  #holdFor(by: Socket): Promise<void> {
    return new Promise((resolve) => {
      const held: Held = {
        by,
        end: () => {
          clearTimeout(timer);
          by.off('close', held.end);
          this.#held = undefined;
          // What has begun is finished first.
          resolve(held.work);
        },
      };
      const { end } = held;
      const timer = setTimeout(end, HOLD_MS).unref();
      by.once('close', end);
      this.#held = held;
      if (by.destroyed || this.#closed) end();
    });
  }

  /** Finish what has begun, then stop. Followers will look for another server. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#held?.end();
    await this.#queue.catch(() => {});
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#followers) socket.end();
    for (const socket of this.#followers) socket.destroySoon();
    if (process.platform !== 'win32') await rm(this.path, { force: true });
    await closed;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => {
      if (this.#closed) throw new Error('the book was closed');
      return work();
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Notify everybody but the writer. */
  #tell(from?: Socket): void {
    for (const socket of this.#followers) if (socket !== from) send(socket, { where: this.where });
    if (from) this.changed();
  }

  #serve(socket: Socket): void {
    socket.unref();
    socket.on('error', () => {});
    socket.on('close', () => this.#followers.delete(socket));
    if (this.#closed) return void socket.destroy();
    this.#followers.add(socket);
    send(socket, { where: this.where });
    receive<Request>(socket, (frame) => void this.#answer(socket, frame));
  }

  async #answer(socket: Socket, { message, bytes }: Frame<Request>): Promise<void> {
    const { id } = message;
    if (message.ask === 'head') return send(socket, { id, where: this.where });
    try {
      const done = await this.#write(socket, message, bytes);
      // A client that has disconnected gets no reply: the file shows whether it was written.
      if (!socket.destroyed) send(socket, { id, done });
    } catch (error) {
      if (this.#closed) socket.destroy();
      else if (!socket.destroyed) send(socket, { id, error: (error as Error).message });
    }
  }

  #write(socket: Socket, message: Exclude<Request, { ask: 'head' }>, bytes: Buffer): Promise<boolean> {
    if (message.ask === 'replace') return this.replace(message.after, bytes, socket);
    const rest = bytes.length - message.head;
    const pieces = rest > 0 ? [bytes.subarray(0, rest)] : [];
    return this.append(message.at, pieces, bytes.subarray(rest), message.file, socket);
  }
}
