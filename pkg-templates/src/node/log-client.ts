/** A connection to the process that serves the log of a book. */
import { connect, type Socket } from 'node:net';
import { receive, send } from './frames.js';
import type { Message, Where } from './log-server.js';

/** How long the server may stay silent, in milliseconds. */
const ANSWER_MS = 15_000;

/** The connection is gone; the file shows whether the last request was carried out. */
export class ConnectionLost extends Error {}

interface Waiting {
  resolve(reply: Message): void;
  reject(error: Error): void;
}

export class LogClient {
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  private constructor(
    private readonly socket: Socket,
    /** As far as known. */
    public where: Where,
  ) {}

  /**
   * @param changed called when others have written
   * @param lost called when the connection is gone
   */
  static connect(path: string, changed: () => void, lost: () => void): Promise<LogClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      let client: LogClient | undefined;
      socket.setTimeout(ANSWER_MS, () => !client && socket.destroy());
      socket.on('error', reject);
      socket.on('close', () => {
        reject(new ConnectionLost('the process that serves the book has ended'));
        if (client?.end()) lost();
      });
      receive<Message>(socket, ({ message }) => {
        if ('id' in message) {
          client?.answered(message);
        } else if (client) {
          client.where = message.where;
          changed();
        } else {
          client = new LogClient(socket, message.where);
          // The connection itself does not keep the process alive; requests waiting for a reply do.
          socket.unref();
          resolve(client);
        }
      });
    });
  }

  /** Where the log ends now. */
  async head(): Promise<Where> {
    const reply = await this.#request({ ask: 'head' }, [], ANSWER_MS);
    if ('where' in reply) this.where = reply.where;
    return this.where;
  }

  append(at: number, pieces: Uint8Array[], head: Uint8Array): Promise<boolean> {
    return this.#write({ ask: 'append', at, head: head.length, file: this.where.file }, [...pieces, head]);
  }

  /** Replace everything, if the log ends at `after`. */
  replace(after: number, bytes: Uint8Array): Promise<boolean> {
    return this.#write({ ask: 'replace', after }, [bytes]);
  }

  async #write(message: object, pieces: Uint8Array[]): Promise<boolean> {
    const reply = await this.#request(message, pieces);
    if ('error' in reply) throw new Error(reply.error);
    return 'done' in reply && reply.done;
  }

  close(): void {
    this.end();
    this.socket.destroy();
  }

  #request(message: object, pieces: Uint8Array[], within?: number): Promise<Message> {
    const id = ++this.#last;
    return new Promise<Message>((resolve, reject) => {
      if (this.socket.destroyed) return reject(new ConnectionLost('the process that serves the book has ended'));
      let timer: NodeJS.Timeout | undefined;
      const settle = () => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.socket.unref();
      };
      if (within !== undefined) {
        const late = `the process that has it open has not answered for ${within / 1000} seconds`;
        timer = setTimeout(() => {
          settle();
          reject(new Error(late));
        }, within);
      }
      this.#waiting.set(id, {
        resolve(reply) {
          settle();
          resolve(reply);
        },
        reject(error) {
          settle();
          reject(error);
        },
      });
      this.socket.ref();
      send(this.socket, { id, ...message }, pieces);
    });
  }

  private answered(message: Message & { id: number }): void {
    this.#waiting.get(message.id)?.resolve(message);
  }

  #ended = false;
  /** Reject all waiting requests. Returns whether this was the first call. */
  private end(): boolean {
    const first = !this.#ended;
    this.#ended = true;
    for (const { reject } of [...this.#waiting.values()]) {
      reject(new ConnectionLost('the process that serves the book has ended'));
    }
    return first;
  }
}
