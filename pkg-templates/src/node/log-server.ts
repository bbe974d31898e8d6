/** The log of a book, served by the process that has its file: to itself, and to others over a socket. */
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import type { FileStore } from './file-store.js';
import { receive, send, type Frame } from './frames.js';

/** What a follower asks. */
export type Request =
  | { id: number; ask: 'head' }
  /** The bytes are those of the pieces, of which `head` at the end go to the start of the file. */
  | { id: number; ask: 'append'; at: number; head: number };

/** Which file has the log, and how far it goes. */
export interface Where {
  length: number;
  /** Names a file, however it is named. */
  file: string;
}

/** What the server says: the first message, and whenever others have written, is where the log is. */
export type Message = { where: Where } | ({ id: number } & ({ where: Where } | { done: boolean } | { error: string }));

/** Appends are carried out one after the other, whoever they are from. */
export class LogServer {
  #length = 0;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #followers = new Set<Socket>();
  readonly #server: Server;
  #closed = false;

  /** @param changed called when a follower has written */
  constructor(
    private readonly file: FileStore,
    private readonly path: string,
    private readonly changed: () => void,
  ) {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  get where(): Where {
    return { length: this.#length, file: this.file.identity };
  }

  /** Let others have the log, which goes so far. */
  async serve(length: number): Promise<void> {
    this.#length = length;
    await new Promise<void>((resolve, reject) => {
      this.#server.on('error', reject);
      // A worker of `node:cluster` must hold it itself. It keeps no process alive.
      this.#server.listen({ path: this.path, exclusive: true }, resolve).unref();
    });
  }

  /** Whether it was written: the log ended at `at`. */
  append(at: number, pieces: Uint8Array[], head: Uint8Array, from?: Socket): Promise<boolean> {
    return this.#inTurn(async () => {
      if (at !== this.#length) return false;
      let end = at;
      const last = pieces.length - 1;
      // The first line is written with the last piece: what comes before does not count without it.
      for (const [index, piece] of (last < 0 ? [new Uint8Array()] : pieces).entries()) {
        await this.file.append(end, piece, index < last ? new Uint8Array() : head);
        end += piece.length;
      }
      this.#length = end;
      if (end > at) this.#tell(from);
      return true;
    });
  }

  /** Whether all was replaced: the log ended at `at`. */
  replace(at: number, bytes: Uint8Array): Promise<boolean> {
    return this.#inTurn(async () => {
      if (at !== this.#length) return false;
      await this.file.replace(bytes);
      this.#length = bytes.length;
      this.#tell();
      return true;
    });
  }

  /** What was begun is ended; the followers look for another who serves. */
  async close(): Promise<void> {
    this.#closed = true;
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

  /** Tell all but the one who knows. */
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
    const rest = bytes.length - message.head;
    const pieces = rest > 0 ? [bytes.subarray(0, rest)] : [];
    try {
      const done = await this.append(message.at, pieces, bytes.subarray(rest), socket);
      // One who closes answers nothing more: whether it was written shows in the file.
      if (!socket.destroyed) send(socket, { id, done });
    } catch (error) {
      if (this.#closed) socket.destroy();
      else if (!socket.destroyed) send(socket, { id, error: (error as Error).message });
    }
  }
}
