/**
 * The store of a book in a browser: a database of IndexedDB, whose transactions are whole or not at all, and a lock
 * that keeps other tabs from writing.
 */
import type { Store } from '../full/hornbook.js';

/** What went wrong with the database, as a part of a sentence. */
const REASONS: Record<string, string> = {
  QuotaExceededError: 'the browser has no more room for this site',
  InvalidStateError: 'the browser has closed its storage; reload the page',
  VersionError: 'a newer version of Hornbook has written it',
  SecurityError: 'this page may not store anything',
};

const READ_ONLY = 'it is open in another tab, and can only be read here; close that tab and reload this one';

/** Bytes of the book, and where they begin. Parts lie one behind the other, without gaps. */
interface Part {
  at: number;
  bytes: Uint8Array;
}

/** Keeps bytes in the database `hornbook: NAME`. */
export class IndexedDbStore implements Store {
  readonly name: string;
  /** Why the book can only be read. */
  readOnly: string | undefined;
  #database: IDBDatabase | undefined;
  /** What there was when it was opened: to read from, where another tab may write meanwhile. */
  #copy: Part[] | undefined;
  /** How many bytes there are; `undefined` after a write that failed. */
  #size: number | undefined;
  #release = async () => {};

  constructor(private readonly book: string) {
    this.name = `The book ${book}`;
  }

  open(): Promise<number> {
    return explained(async () => {
      const release = await lock(`hornbook: ${this.book}`);
      if (release) this.#release = release;
      else this.readOnly = READ_ONLY;
      this.#database = await database(`hornbook: ${this.book}`);
      const { parts, done } = this.#begin('readonly');
      if (!release) this.#copy = await allParts(parts);
      const last = this.#copy ? this.#copy.at(-1) : await lastPart(parts);
      await done;
      this.#size = end(last);
      return this.#size;
    });
  }

  read(from: number, count: number): Promise<Uint8Array> {
    return explained(async () => {
      const to = Math.min(from + count, this.#size!);
      const bytes = new Uint8Array(Math.max(to - from, 0));
      for (const part of this.#copy ?? (await this.#load(from, to))) {
        const begin = Math.max(from, part.at);
        const stop = Math.min(to, end(part));
        if (begin < stop) bytes.set(part.bytes.subarray(begin - part.at, stop - part.at), begin - from);
      }
      return bytes;
    });
  }

  append(at: number, bytes: Uint8Array, head: Uint8Array): Promise<void> {
    return explained(async () => {
      const { parts, done } = this.#begin('readwrite');
      const last = await lastPart(parts);
      // The lock keeps others away; where it does not reach them, nothing of theirs is overwritten.
      if (end(last) < at || (this.#size !== undefined && this.#size !== end(last))) {
        throw new Error('something else has changed it; reload the page to read it again');
      }
      this.#size = undefined;
      if (at < end(last)) await cut(parts, at);
      // A write that failed has left nothing to be taken back, and there may be no room for anything.
      if (bytes.length > 0 || at < end(last)) {
        if (bytes.length > 0) parts.put(bytes, at);
        await putHead(parts, head);
      }
      await done;
      this.#size = at + bytes.length;
    });
  }

  replace(bytes: Uint8Array): Promise<void> {
    return explained(async () => {
      const { parts, done } = this.#begin('readwrite');
      parts.clear();
      parts.put(bytes, 0);
      await done;
      this.#size = bytes.length;
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

  /** Let others have it. */
  async close(): Promise<void> {
    this.#database?.close();
    await this.#release();
  }

  #begin(mode: IDBTransactionMode): { parts: IDBObjectStore; done: Promise<void> } {
    const transaction = this.#database!.transaction('parts', mode, { durability: 'strict' });
    return { parts: transaction.objectStore('parts'), done: completed(transaction) };
  }

  /** The parts that have bytes of this range. */
  async #load(from: number, to: number): Promise<Part[]> {
    const { parts, done } = this.#begin('readonly');
    const first = await partBefore(parts, from);
    const found = await allParts(parts, IDBKeyRange.bound(first?.at ?? 0, to, false, true));
    await done;
    return found;
  }
}

const end = (part: Part | undefined) => (part ? part.at + part.bytes.length : 0);

/** The part that begins at `at` or before it. */
async function partBefore(parts: IDBObjectStore, at: number): Promise<Part | undefined> {
  const cursor = await result(parts.openCursor(IDBKeyRange.upperBound(at), 'prev'));
  return cursor ? { at: cursor.key as number, bytes: cursor.value } : undefined;
}

const lastPart = (parts: IDBObjectStore) => partBefore(parts, Infinity);

async function allParts(parts: IDBObjectStore, range?: IDBKeyRange): Promise<Part[]> {
  const [keys, values] = await Promise.all([result(parts.getAllKeys(range)), result(parts.getAll(range))]);
  return keys.map((at, index) => ({ at: at as number, bytes: values[index] }));
}

/** Leave the first `at` bytes. */
async function cut(parts: IDBObjectStore, at: number): Promise<void> {
  parts.delete(IDBKeyRange.lowerBound(at));
  const last = await lastPart(parts);
  if (at < end(last)) parts.put(last!.bytes.slice(0, at - last!.at), last!.at);
}

/** Put bytes in place of as many at the start, which are a part of their own from then on. */
async function putHead(parts: IDBObjectStore, head: Uint8Array): Promise<void> {
  const first = await result<Uint8Array>(parts.get(0));
  if (first.length > head.length) parts.put(first.slice(head.length), head.length);
  parts.put(head, 0);
}

/** A function that lets go of the lock and resolves when it is free; `undefined` where somebody else has it. */
async function lock(name: string): Promise<(() => Promise<void>) | undefined> {
  const { locks } = navigator;
  if (!locks) throw new Error('this browser has no locks for it, or the page was not loaded by https');
  return new Promise((resolve, reject) => {
    const held = locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(undefined);
      return new Promise<void>((free) => {
        resolve(() => {
          free();
          return held as Promise<void>;
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
  // Whoever deletes the data of this site shall not have to wait for this page.
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
  // A request of it may fail first, and be told instead.
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
