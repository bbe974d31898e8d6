/**
 * The store of a book that several processes of this machine share. One of them has the file, and with it the lock, and
 * serves the log to the others; when it ends, another takes over.
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

/**
 * How long a process that has the lock may take until it serves, in milliseconds: it first reads the book, which may be
 * long.
 */
const SERVES_MS = 60_000;
/** How long a process that has the lock may say nothing to one that opens the book, in milliseconds. */
const SILENT_MS = 15_000;
/** How often to check whether it serves, in milliseconds. */
const AGAIN_MS = 20;

/** Who has the file now: this process, or the one that the client is connected to. */
type Role = { server: LogServer; file: FileStore } | { client: LogClient };

/** Keeps bytes in a file that several processes of this machine write to. One of them has it at a time. */
export class SharedStore implements Store {
  readonly name: string;
  readonly shared: SharedLog;
  #role: Promise<Role> | undefined;
  #opened = false;
  #isKeeper = false;
  #wasAlone = false;
  #settled = false;
  /** The length of the file when it was opened. */
  #size = 0;
  /** The real path of the file. */
  #path = '';
  /**
   * The file being read, which may have been replaced since. Unset if this process keeps the file and has seen no
   * other.
   */
  #reader: { handle: FileHandle; file: string } | undefined;
  #closed = false;
  /** Calls waiting for others to write. */
  #waiting: (() => void)[] = [];
  readonly #changed = () => {
    for (const wake of this.#waiting.splice(0)) wake();
  };

  /** The file at `path`, which need not exist yet. */
  constructor(path: string) {
    this.name = resolve(path);
    this.shared = this.#share();
  }

  /** The length of the log; after it was replaced, that of the new one. */
  async open(): Promise<number> {
    if (!this.#opened) {
      const role = await this.#current();
      this.#wasAlone = 'server' in role;
      this.#opened = true;
      if ('server' in role) return this.#size;
    }
    return this.#withRole(async (role) => {
      for (;;) {
        // In this order: while a file is open, no other can be taken for it.
        const reader = await openToRead(this.#path);
        await this.#reader?.handle.close();
        this.#reader = reader;
        const where = await whereOf(role);
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

  // The following methods are called on the process that keeps the file, before it is shared.
  async append(at: number, bytes: Uint8Array, head: Uint8Array): Promise<void> {
    await (await this.#keeper()).file.append(at, bytes, head);
  }

  async replace(bytes: Uint8Array): Promise<void> {
    await (await this.#keeper()).file.replace(bytes);
  }

  async setAside(bytes: Uint8Array): Promise<string> {
    return (await this.#keeper()).file.setAside(bytes);
  }

  /** Close it; another process that has it open takes over the file. */
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
    // One that takes over while it opens has nothing to repair, and others may have written by then.
    const isKeeper = () => (this.#settled ? this.#isKeeper : this.#wasAlone);
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
        this.#settled = true;
        if (!this.#wasAlone) return;
        // If it cannot listen, the book is not shared.
        await (await this.#keeper()).server.serve(length).catch(() => {});
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
        const role = await this.#current();
        // The file that was read so far stays open: `head` tells that it was replaced.
        if ('client' in role) return role.client.replace(at, bytes).catch(ifLost);
        const { server } = role;
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

  /** Who has the file. A failed attempt is repeated on the next call. */
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

  /** Ask whoever has the file; if that process ends meanwhile, its successor. */
  async #withRole<T>(work: (role: Role) => Promise<T>): Promise<T> {
    for (;;) {
      const role = await this.#current();
      try {
        return await work(role);
      } catch (error) {
        if (!(error instanceof ConnectionLost) || this.#closed) throw error;
        // The first to notice the loss looks for the successor.
        await pause(0);
      }
    }
  }

  /** Take the file, or connect to the process that has it. */
  async #take(): Promise<Role> {
    const begun = Date.now();
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
        // A busy process may fail to say where it serves; one that does not share the book never says so.
        const patience = served || this.#opened ? SERVES_MS : error.silent ? SILENT_MS : 0;
        if (Date.now() - begun >= patience) throw error;
        await pause(AGAIN_MS);
      }
    }
  }

  #connected(path: string): Promise<LogClient | undefined> {
    return LogClient.connect(path, this.#changed, () => this.#lost()).catch(() => undefined);
  }

  /** This process now has the file. If it had read the file before, cut it after the last complete record. */
  async #keep(file: FileStore, size: number): Promise<Role> {
    const server = new LogServer(file, file.served!, this.#changed, () => this.#keepReading(file));
    if (this.#opened) {
      try {
        if (size === 0) throw new Error('it was removed');
        const length = await wholeLength(file, size);
        // Cut off the record that a dead process left incomplete; make the rest durable.
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

  /** Before another process replaces the file: keep the one that was read so far, to find out that it was replaced. */
  async #keepReading(file: FileStore): Promise<void> {
    if (this.#reader) return;
    const reader = await openToRead(file.path);
    // If something else is at the path, nothing will be replaced.
    if (reader.file === file.identity) this.#reader = reader;
    else await reader.handle.close();
  }

  /** The process that had the file has ended. */
  #lost(): void {
    if (this.#closed) return;
    this.#role = undefined;
    // A failure is reported to the next caller.
    this.#current().then(this.#changed, this.#changed);
  }
}

const whereOf = async (role: Role): Promise<Where> => ('server' in role ? role.server.where : role.client.head());
/** The same, as last heard. */
const knownOf = (role: Role): Where => ('server' in role ? role.server.where : role.client.where);

/** Where the last complete record ends. Only a record after the mark can be incomplete, with its end missing. */
async function wholeLength(file: FileStore, size: number): Promise<number> {
  const first = Buffer.from(await file.read(0, 46)).toString('latin1');
  const marked = Number(/^hornbook \d+ (\d{16}) /.exec(first)?.[1]);
  if (!(marked <= size)) throw new Error('another process has changed it; restart the server to reread it');
  const rest = Buffer.from(await file.read(marked, size - marked));
  return marked + rest.lastIndexOf(0x0a) + 1;
}

async function openToRead(path: string): Promise<{ handle: FileHandle; file: string }> {
  const handle = await open(path, 'r');
  const { dev, ino } = await handle.stat({ bigint: true });
  return { handle, file: `${dev}:${ino}` };
}

/** Without a reply it is unknown whether the log was replaced; `head` tells. */
function ifLost(error: Error): false {
  if (!(error instanceof ConnectionLost)) throw error;
  return false;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
