/**
 * The store of a book that several processes of this machine share. One of them has the file, and with it the lock, and
 * serves the log to the others; when it ends, another takes its place.
 */
import { randomBytes } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SharedLog, Store } from '../full/hornbook.js';
import { FileStore } from './file-store.js';
import { LockedError } from './lock.js';
import { ConnectionLost, LogClient } from './log-client.js';
import { LogServer, type Where } from './log-server.js';
import { isPrivate, privateSocket } from './private-socket.js';

/** Who has the lock may take so long until it serves: a long book is read first. In milliseconds. */
const SERVES_MS = 60_000;
/** So often, in milliseconds, it is looked whether one serves. */
const AGAIN_MS = 20;

/** Who has the file now: this process, or the one that the client is connected to. */
type Role = { server: LogServer; file: FileStore } | { client: LogClient };

export class SharedStore implements Store {
  readonly name: string;
  readonly shared: SharedLog;
  #role: Promise<Role> | undefined;
  #opened = false;
  #isKeeper = false;
  #wasAlone = false;
  /** How long the file was when it was opened. */
  #size = 0;
  /** The real path of the file. */
  #path = '';
  /** The file that is read, which may have been replaced since; a keeper that has seen no other reads its own. */
  #reader: { handle: FileHandle; file: string } | undefined;
  #closed = false;
  /** Those who wait for others to write. */
  #waiting: (() => void)[] = [];
  readonly #changed = () => {
    for (const wake of this.#waiting.splice(0)) wake();
  };

  constructor(path: string) {
    this.name = resolve(path);
    this.shared = this.#share();
  }

  /** How long the log is; after it was replaced, how long the new one is. */
  async open(): Promise<number> {
    if (!this.#opened) {
      const role = await this.#current();
      this.#wasAlone = 'server' in role;
      this.#opened = true;
      if ('server' in role) return this.#size;
    }
    return this.#withRole(async (role) => {
      for (;;) {
        const where = await whereOf(role);
        const reader = await openToRead(this.#path);
        await this.#reader?.handle.close();
        this.#reader = reader;
        if (reader.file === where.file) return where.length;
        // It was replaced just now.
        await pause(AGAIN_MS);
      }
    });
  }

  async read(from: number, count: number): Promise<Uint8Array> {
    if (this.#reader) {
      const { bytesRead, buffer } = await this.#reader.handle.read(new Uint8Array(count), 0, count, from);
      return buffer.subarray(0, bytesRead);
    }
    return (await this.#keeper()).file.read(from, count);
  }

  // What follows is asked of who keeps the file, before it is shared.
  async append(at: number, bytes: Uint8Array, head: Uint8Array): Promise<void> {
    await (await this.#keeper()).file.append(at, bytes, head);
  }

  async replace(bytes: Uint8Array): Promise<void> {
    await (await this.#keeper()).file.replace(bytes);
  }

  async setAside(bytes: Uint8Array): Promise<string> {
    return (await this.#keeper()).file.setAside(bytes);
  }

  /** Let go of it; another process that has it open takes the file. */
  async close(): Promise<void> {
    this.#closed = true;
    const role = await this.#role?.catch(() => undefined);
    if (role && 'server' in role) {
      await role.server.close();
      await role.file.close();
    } else role?.client.close();
    await this.#reader?.handle.close();
    this.#reader = undefined;
  }

  #share(): SharedLog {
    const connection = randomBytes(6).toString('hex');
    const isKeeper = () => this.#isKeeper;
    const wasAlone = () => this.#wasAlone;
    return {
      connection,
      get isKeeper() {
        return isKeeper();
      },
      get wasAlone() {
        return wasAlone();
      },
      settled: async (length) => {
        const role = await this.#current();
        // Where it cannot listen nobody shares the book.
        if ('server' in role) await role.server.serve(length).catch(() => {});
      },
      head: () => this.#withRole(async (role) => this.#headOf(await whereOf(role))),
      tail: async (from) => {
        const head = await this.#headOf(knownOf(await this.#current()));
        if ((head.length > from || head.replaced) && !this.#closed) return;
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      },
      append: (at, pieces, head) =>
        this.#withRole(async (role) => {
          if ((await this.#headOf(knownOf(role))).replaced) return false;
          return 'server' in role ? role.server.append(at, pieces, head) : role.client.append(at, pieces, head);
        }),
      replace: async (at, bytes) => {
        const { server } = await this.#keeper();
        if (this.#reader && this.#reader.file !== server.where.file) return false;
        const done = await server.replace(at, bytes);
        if (done) {
          await this.#reader?.handle.close();
          this.#reader = undefined;
        }
        return done;
      },
    };
  }

  async #headOf({ length, file }: Where): Promise<{ length: number; replaced: boolean }> {
    if (!this.#reader || this.#reader.file === file) return { length, replaced: false };
    return { length: (await this.#reader.handle.stat()).size, replaced: true };
  }

  async #keeper(): Promise<{ server: LogServer; file: FileStore }> {
    const role = await this.#current();
    if ('server' in role) return role;
    throw new Error('another process has it open');
  }

  /** Who has the file; where none was found it is tried again. */
  #current(): Promise<Role> {
    if (!this.#role) {
      const role = this.#take();
      this.#role = role;
      role.catch(() => {
        if (this.#role === role) this.#role = undefined;
      });
    }
    return this.#role;
  }

  /** Ask whoever has the file; when that one ends meanwhile, the next. */
  async #withRole<T>(work: (role: Role) => Promise<T>): Promise<T> {
    for (;;) {
      const role = await this.#current();
      try {
        return await work(role);
      } catch (error) {
        if (!(error instanceof ConnectionLost) || this.#closed) throw error;
        // Whoever lost it first looks for the next.
        await pause(0);
      }
    }
  }

  /** Take the file, or be connected to who has it. */
  async #take(): Promise<Role> {
    const until = Date.now() + SERVES_MS;
    for (;;) {
      const file = new FileStore(this.name, await privateSocket());
      try {
        const size = await file.open();
        return await this.#keep(file, size);
      } catch (error) {
        if (!(error instanceof LockedError)) throw error;
        const served = error.served && (await isPrivate(error.served)) ? error.served : undefined;
        const client = served && (await this.#connected(served));
        if (client) {
          this.#path = file.path;
          this.#isKeeper = false;
          return { client };
        }
        // One that is busy may not say where it serves; one that does not share the book never does.
        if (Date.now() > until || (!served && !this.#opened)) throw error;
        await pause(AGAIN_MS);
      }
    }
  }

  #connected(path: string): Promise<LogClient | undefined> {
    return LogClient.connect(path, this.#changed, () => this.#lost()).catch(() => undefined);
  }

  /** The file is this process's. Where it has been read before, what was written since then is whole. */
  async #keep(file: FileStore, size: number): Promise<Role> {
    const server = new LogServer(file, file.served!, this.#changed);
    if (this.#opened) {
      try {
        if (size === 0) throw new Error('it was removed');
        const length = await wholeLength(file, size);
        // What one that died has written of a record goes; all else is made durable.
        await file.append(length, new Uint8Array(), new Uint8Array());
        await server.serve(length);
      } catch (error) {
        await file.close();
        throw error;
      }
    }
    this.#path = file.path;
    this.#size = size;
    this.#isKeeper = true;
    return { server, file };
  }

  /** Who had the file has ended. */
  #lost(): void {
    if (this.#closed) return;
    this.#role = undefined;
    // Whoever asks next hears why there is none.
    this.#current().then(this.#changed, this.#changed);
  }
}

const whereOf = async (role: Role): Promise<Where> => ('server' in role ? role.server.where : role.client.head());
/** The same as far as was heard. */
const knownOf = (role: Role): Where => ('server' in role ? role.server.where : role.client.where);

/** Where the last record ends that is whole. Only the one behind the mark can be torn: it lacks its end. */
async function wholeLength(file: FileStore, size: number): Promise<number> {
  const first = Buffer.from(await file.read(0, 46)).toString('latin1');
  const marked = Number(/^hornbook \d+ (\d{16}) /.exec(first)?.[1]);
  if (!(marked <= size)) throw new Error('it is not as this process has left it; restart the server to read it again');
  const rest = Buffer.from(await file.read(marked, size - marked));
  return marked + rest.lastIndexOf(0x0a) + 1;
}

async function openToRead(path: string): Promise<{ handle: FileHandle; file: string }> {
  const handle = await open(path, 'r');
  const { dev, ino } = await handle.stat({ bigint: true });
  return { handle, file: `${dev}:${ino}` };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
