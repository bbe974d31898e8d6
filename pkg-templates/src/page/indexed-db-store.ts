/**
 * The store of a book in a browser, shared by all pages of an origin: an IndexedDB database. Its transactions are
 * atomic, and a writing transaction has the database to itself, so that of two pages that append at the same byte the
 * second notices. Writers notify the others over a channel.
 */
import type { Heritage, SharedLog, Store } from '../full/hornbook.js';

/** Why a database operation failed, as a sentence fragment. */
const REASONS: Record<string, string> = {
  QuotaExceededError: 'the browser has no more room for this site',
  InvalidStateError: 'the browser has closed its storage; reload the page',
  VersionError: 'a newer version of Hornbook has written it',
  SecurityError: 'this page may not store anything',
};

/** The length of a journal's first line in bytes; it is overwritten in place (`docs/journal.md`). */
const FIRST_LINE = 46;

/** Bytes of the book, and their position. Parts are contiguous. */
interface Part {
  at: number;
  bytes: Uint8Array;
}

/** Keeps bytes in the database `hornbook: NAME`. */
export class IndexedDbStore implements Store {
  readonly name: string;
  readonly shared: SharedLog;
  /** The name of everything that pages share for this book. */
  readonly #key: string;
  #database: IDBDatabase | undefined;
  #channel: BroadcastChannel | undefined;
  /** Held while opening: pages open one at a time, and the first one repairs the log. */
  #opening: Lock | undefined;
  /** Held by each page that has it open. */
  #open: Lock | undefined;
  #wasAlone = false;
  #settled = false;
  /** The first line as of opening; others overwrite it. */
  #firstLine = new Uint8Array();
  /** The length of the log, as last heard. */
  #known = 0;
  /** The last part seen: existing parts do not change. */
  #last = { at: -1, end: 0 };
  /** Calls waiting for others to write. */
  #waiting: (() => void)[] = [];

  /** @param heritage what it takes over from earlier connections of this page */
  constructor(book: string, heritage?: Heritage) {
    this.name = `The book ${book}`;
    this.#key = `hornbook: ${book}`;
    this.shared = this.#share(heritage);
  }

  open(): Promise<number> {
    return explained(async () => {
      this.#opening = await lock(`${this.#key}: opening`);
      this.#open = await lock(this.#key, { mode: 'shared', ifAvailable: true });
      if (!this.#open) throw new Error('a tab with an older version of Hornbook has it open; reload that one');
      this.#wasAlone = await this.#isAlone();
      this.#database = await database(this.#key);
      this.#channel = new BroadcastChannel(this.#key);
      this.#channel.onmessage = ({ data }) => this.#heard(data as number);
      const { parts, done } = this.#begin('readonly');
      const first = await result<Uint8Array | undefined>(parts.get(0));
      this.#firstLine = first?.slice(0, FIRST_LINE) ?? new Uint8Array();
      this.#known = await this.#end(parts);
      await done;
      return this.#known;
    });
  }

  read(from: number, count: number): Promise<Uint8Array> {
    return explained(async () => {
      const to = Math.min(from + count, this.#known);
      const bytes = new Uint8Array(Math.max(to - from, 0));
      for (const part of [...(await this.#load(from, to)), { at: 0, bytes: this.#firstLine }]) {
        const begin = Math.max(from, part.at);
        const stop = Math.min(to, end(part));
        if (begin < stop) bytes.set(part.bytes.subarray(begin - part.at, stop - part.at), begin - from);
      }
      return bytes;
    });
  }

  // The following methods are called by a page that has it alone, before it is shared.
  append(at: number, bytes: Uint8Array, head: Uint8Array): Promise<void> {
    return explained(async () => {
      const { parts, done } = this.#begin('readwrite');
      await cut(parts, at);
      if (bytes.length > 0) parts.put(bytes, at);
      await putHead(parts, head);
      await done;
      this.#changed(at + bytes.length, head);
    });
  }

  replace(bytes: Uint8Array): Promise<void> {
    return explained(async () => {
      const { parts, done } = this.#begin('readwrite');
      parts.clear();
      parts.put(bytes, 0);
      await done;
      this.#changed(bytes.length, bytes);
    });
  }

  setAside(bytes: Uint8Array): Promise<string> {
    return explained(async () => {
      const key = `cut ${new Date().toISOString()}`;
      const transaction = this.#database!.transaction('aside', 'readwrite', { durability: 'strict' });
      const done = completed(transaction);
      transaction.objectStore('aside').add(bytes, key);
      await done;
      return `"${key}" of its database`;
    });
  }

  async close(): Promise<void> {
    this.#channel?.close();
    this.#database?.close();
    this.#wake();
    await this.#open?.release();
    await this.#opening?.release();
  }

  #share(heritage: Heritage | undefined): SharedLog {
    const wasAlone = () => this.#wasAlone;
    const isKeeper = () => this.#wasAlone || this.#settled;
    return {
      connection: [...crypto.getRandomValues(new Uint8Array(6))]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
      get wasAlone() {
        return wasAlone();
      },
      heritage,
      /** The first page repairs it; after that, any page will do. */
      get isKeeper() {
        return isKeeper();
      },
      settled: () => {
        this.#settled = true;
        void this.#opening?.release();
      },
      head: () =>
        explained(async () => {
          const { parts, done } = this.#begin('readonly');
          this.#known = await this.#end(parts);
          await done;
          return { length: this.#known, replaced: false };
        }),
      tail: async (from) => {
        if (this.#known > from) return;
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      },
      append: (at, pieces, head) => explained(() => this.#append(at, pieces, head)),
      replace: (at, bytes) => explained(() => this.#replace(at, bytes)),
    };
  }

  /** Append in one transaction, so that all of it is there or nothing. Resolves with whether the log ended at `at`. */
  async #append(at: number, pieces: Uint8Array[], head: Uint8Array): Promise<boolean> {
    const { parts, done } = this.#begin('readwrite');
    const isNext = (await this.#end(parts)) === at;
    let length = at;
    if (isNext && pieces.length > 0) {
      for (const piece of pieces) {
        parts.put(piece, length);
        length += piece.length;
      }
      await putHead(parts, head);
    }
    await done;
    if (length > at) {
      this.#known = length;
      this.#channel!.postMessage(length);
    }
    return isNext;
  }

  /**
   * Other pages would keep reading at their position, so rewrite only while no other page has it open or can open it.
   */
  async #replace(at: number, bytes: Uint8Array): Promise<boolean> {
    const opening = await lock(`${this.#key}: opening`);
    try {
      if (!(await this.#isAlone())) throw new Error('other pages have it open');
      if ((await this.shared.head()).length !== at) return false;
      await this.replace(bytes);
      return true;
    } finally {
      await opening!.release();
    }
  }

  async #isAlone(): Promise<boolean> {
    const { held = [] } = await navigator.locks.query();
    return held.filter(({ name }) => name === this.#key).length === 1;
  }

  /** This page has changed the contents. */
  #changed(length: number, head: Uint8Array): void {
    this.#known = length;
    this.#firstLine = head.slice(0, FIRST_LINE);
    this.#last = { at: -1, end: 0 };
  }

  #heard(length: number): void {
    this.#known = Math.max(this.#known, length);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #begin(mode: IDBTransactionMode): { parts: IDBObjectStore; done: Promise<void> } {
    const transaction = this.#database!.transaction('parts', mode, { durability: 'strict' });
    return { parts: transaction.objectStore('parts'), done: completed(transaction) };
  }

  /** The end of the last part, whose bytes are read only once. */
  async #end(parts: IDBObjectStore): Promise<number> {
    const cursor = await result(parts.openKeyCursor(null, 'prev'));
    if (!cursor) return 0;
    const at = cursor.key as number;
    // The first part is split by an append.
    if (at === 0 || at !== this.#last.at)
      this.#last = { at, end: at + (await result<Uint8Array>(parts.get(at))).length };
    return this.#last.end;
  }

  /** The parts that overlap this range. */
  async #load(from: number, to: number): Promise<Part[]> {
    const { parts, done } = this.#begin('readonly');
    const first = await partBefore(parts, from);
    const found = await allParts(parts, IDBKeyRange.bound(first?.at ?? 0, to, false, true));
    await done;
    return found;
  }
}

const end = (part: Part | undefined) => (part ? part.at + part.bytes.length : 0);

/** The last part that begins at `at` or before. */
async function partBefore(parts: IDBObjectStore, at: number): Promise<Part | undefined> {
  const cursor = await result(parts.openCursor(IDBKeyRange.upperBound(at), 'prev'));
  return cursor ? { at: cursor.key as number, bytes: cursor.value } : undefined;
}

const lastPart = (parts: IDBObjectStore) => partBefore(parts, Infinity);

async function allParts(parts: IDBObjectStore, range?: IDBKeyRange): Promise<Part[]> {
  const [keys, values] = await Promise.all([result(parts.getAllKeys(range)), result(parts.getAll(range))]);
  return keys.map((at, index) => ({ at: at as number, bytes: values[index] }));
}

/** Keep the first `at` bytes. */
async function cut(parts: IDBObjectStore, at: number): Promise<void> {
  parts.delete(IDBKeyRange.lowerBound(at));
  const last = await lastPart(parts);
  if (at < end(last)) parts.put(last!.bytes.slice(0, at - last!.at), last!.at);
}

/** Overwrite the first bytes, which become a part of their own. */
async function putHead(parts: IDBObjectStore, head: Uint8Array): Promise<void> {
  const first = await result<Uint8Array>(parts.get(0));
  if (first.length > head.length) parts.put(first.slice(head.length), head.length);
  parts.put(head, 0);
}

/** A lock that is held. */
interface Lock {
  /** Resolves when it has been released. */
  release(): Promise<void>;
}

/** Resolves when the lock is held, or with `undefined` if somebody else has it and `options` say not to wait. */
async function lock(name: string, options: LockOptions = {}): Promise<Lock | undefined> {
  const { locks } = navigator;
  if (!locks) throw new Error('this browser has no Web Locks, or the page was not loaded over https');
  return new Promise((resolve, reject) => {
    const held = locks.request(name, options, (lock) => {
      if (!lock) return resolve(undefined);
      return new Promise<void>((free) => {
        resolve({
          release() {
            free();
            return held as Promise<void>;
          },
        });
      });
    });
    held.catch(reject);
  });
}

async function database(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('parts');
    request.result.createObjectStore('aside');
  };
  const opened = await result(request);
  // Deleting the data of this site must not have to wait for this page.
  opened.onversionchange = () => opened.close();
  return opened;
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when the transaction is durable. */
function completed(transaction: IDBTransaction): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser has given it up'));
  });
  // A request of it may fail first, and report the error itself.
  done.catch(() => {});
  return done;
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name, message } = error as DOMException;
    throw new Error(REASONS[name] ?? message);
  }
}
