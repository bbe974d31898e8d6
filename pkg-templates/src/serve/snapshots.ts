/**
 * Snapshots of logs in an object store: the first bytes of a log, compressed, as `BOOK/OFFSET.gz`. The offset tells
 * whether a log begins with exactly these bytes (`places.ts`). A snapshot that does not match is skipped, so that a log
 * reads the same with and without snapshots.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { SharedLog } from '../full/hornbook.js';
import type { OwnStore } from '../node/open.js';
import type { Log } from './log.js';
import type { ObjectStore } from './object-store.js';
import { bytesOf, has, lastOf, placeAt, type Reading } from './places.js';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** A snapshot is due when at least this many bytes are in none, and at least this fraction of what the last one has. */
const LEAST = 1 << 20;
const PART = 1 / 4;
/** How many to keep: a reader that found the last but one may still want to read it. */
const KEPT = 2;
/** How many bytes of a log to read at once. */
const CHUNK = 4 << 20;

const isDue = (length: number, covered: number) => length - covered >= Math.max(LEAST, covered * PART);

/** The beginning of a log. */
interface Snapshot {
  bytes: Buffer;
  offset: string;
}

export class Snapshots {
  constructor(
    private readonly objects: ObjectStore,
    private readonly log: Log,
  ) {}

  /**
   * The store of a book that reads from a snapshot first, and writes new ones.
   *
   * @param open opens a store of the log
   */
  store(book: string, open: () => OwnStore): OwnStore {
    return new SnapshotStore(this, book, open);
  }

  /** The snapshot to begin reading a log of this length from. */
  async begin(book: string, read: Reading, length: number, signal: AbortSignal): Promise<Snapshot | undefined> {
    const found = await this.newest(book, read, length, signal);
    if (found) this.log('snapshot_read', { book, offset: found.offset });
    return found;
  }

  /** The newest snapshot that matches a log of this length. Failures go to the server's log. */
  async newest(book: string, read: Reading, length: number, signal: AbortSignal): Promise<Snapshot | undefined> {
    try {
      for (const { offset, bytes } of await this.#list(book, signal)) {
        const found = (await has(read, length, offset))
          ? await this.#get(book, offset, bytes, signal)
          : 'the log does not have it';
        if (typeof found !== 'string') return { bytes: found, offset };
        this.log('snapshot_passed_over', { book, offset, why: found });
      }
    } catch (error) {
      this.#failed(book, error, signal);
    }
    return undefined;
  }

  /**
   * Write a snapshot of a log, if one is due. Resolves with the number of bytes in the newest. Failures go to the
   * server's log.
   */
  async write(book: string, open: () => OwnStore, signal: AbortSignal): Promise<number | undefined> {
    let store: OwnStore | undefined;
    try {
      store = open();
      const length = await store.open();
      const read = reading(store);
      const last = await this.newest(book, read, length, signal);
      const covered = last?.bytes.length ?? 0;
      if (!isDue(length, covered)) return covered;
      const { offset } = await placeAt(read, length, covered || undefined);
      const parts: Uint8Array[] = last ? [last.bytes] : [];
      for (let at = covered; at < length; at += parts.at(-1)!.length) {
        signal.throwIfAborted();
        parts.push(await read(at, Math.min(CHUNK, length - at)));
      }
      const packed = await pack(Buffer.concat(parts));
      await this.objects.put(`${book}/${offset}.gz`, packed, signal);
      this.log('snapshot_written', { book, offset, bytes: packed.length });
      const others = (await this.#list(book, signal)).filter((other) => other.offset !== offset);
      others.sort((one, other) => (one.written < other.written ? 1 : -1));
      for (const { offset } of others.slice(KEPT - 1)) await this.objects.remove(`${book}/${offset}.gz`, signal);
      return length;
    } catch (error) {
      this.#failed(book, error, signal);
      return undefined;
    } finally {
      await store?.close();
    }
  }

  /** The snapshots of a book, which may be of other logs; the longest first. */
  async #list(book: string, signal: AbortSignal): Promise<{ offset: string; bytes: number; written: string }[]> {
    const found = (await this.objects.list(book, signal)).flatMap(({ name, ...object }) => {
      const offset = name.replace(/\.gz$/, '');
      return name !== offset && bytesOf(offset) !== undefined ? [{ offset, ...object }] : [];
    });
    return found.sort((one, other) => (one.offset < other.offset ? 1 : -1));
  }

  /** The bytes of a snapshot whose offset the log has, or why it cannot be used. */
  async #get(book: string, offset: string, size: number, signal: AbortSignal): Promise<Buffer | string> {
    const at = bytesOf(offset)!;
    const packed = await this.objects.get(`${book}/${offset}.gz`, size, signal);
    const bytes = await unpack(packed, { maxOutputLength: at }).catch(() => undefined);
    if (bytes?.length !== at || lastOf(bytes, 0).offset !== offset) return 'it is damaged';
    return bytes;
  }

  #failed(book: string, error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.log('snapshots_failed', { book, error: (error as Error).message });
  }
}

class SnapshotStore implements OwnStore {
  readonly name: string;
  readonly shared: SharedLog;
  readonly #store: OwnStore;
  readonly #closed = new AbortController();
  /** Kept until it has been read. */
  #snapshot: Snapshot | undefined;
  #opened = false;
  /** How many bytes are in a snapshot, as far as known. */
  #covered = 0;
  /** The length of the log after the last write here. */
  #length = 0;
  /** Incremented when the log is rewritten. */
  #generation = 0;
  #writing: Promise<void> | undefined;

  constructor(
    private readonly snapshots: Snapshots,
    private readonly book: string,
    private readonly another: () => OwnStore,
  ) {
    this.#store = another();
    this.name = this.#store.name;
    const shared = this.#store.shared!;
    this.shared = {
      ...shared,
      append: async (at, pieces, head) => {
        const done = await shared.append(at, pieces, head);
        if (done) this.#grown(pieces.reduce((length, piece) => length + piece.length, at));
        return done;
      },
      replace: async (at, bytes) => {
        const done = await shared.replace(at, bytes);
        if (done) this.#anew();
        if (done) this.#grown(bytes.length);
        return done;
      },
    };
  }

  async open(): Promise<number> {
    const length = await this.#store.open();
    // A log that is rewritten while open is read directly, without waiting for a snapshot.
    if (this.#opened) {
      this.#anew();
      return length;
    }
    this.#opened = true;
    this.#snapshot = await this.snapshots.begin(this.book, reading(this.#store), length, this.#closed.signal);
    this.#covered = this.#snapshot?.bytes.length ?? 0;
    this.#grown(length);
    return length;
  }

  async read(from: number, count: number): Promise<Uint8Array> {
    const { bytes } = this.#snapshot ?? { bytes: Buffer.alloc(0) };
    if (from + count >= bytes.length) this.#snapshot = undefined;
    if (from >= bytes.length) return this.#store.read(from, count);
    const kept = bytes.subarray(from, from + count);
    if (kept.length === count) return kept;
    return Buffer.concat([kept, await this.#store.read(bytes.length, count - kept.length)]);
  }

  append(at: number, bytes: Uint8Array, head: Uint8Array): Promise<void> {
    return this.#store.append(at, bytes, head);
  }

  replace(bytes: Uint8Array): Promise<void> {
    return this.#store.replace(bytes);
  }

  setAside(bytes: Uint8Array): Promise<string> {
    return this.#store.setAside(bytes);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#writing;
    await this.#store.close();
  }

  #anew(): void {
    this.#generation += 1;
    this.#covered = 0;
  }

  /** The process that makes the log this long writes the snapshot if one is due, in the background. */
  #grown(length: number): void {
    this.#length = length;
    if (this.#writing || this.#closed.signal.aborted || !isDue(length, this.#covered)) return;
    this.#writing = this.#write(length).finally(() => {
      this.#writing = undefined;
      // What was written meanwhile may make another one due.
      if (this.#length !== length) this.#grown(this.#length);
    });
  }

  async #write(length: number): Promise<void> {
    const generation = this.#generation;
    const covered = await this.snapshots.write(this.book, this.another, this.#closed.signal);
    // If the snapshot could not be written, retry when the log has grown as much again.
    if (generation === this.#generation) this.#covered = covered ?? length;
  }
}

const reading =
  (store: OwnStore): Reading =>
  async (from, count) => {
    const bytes = await store.read(from, count);
    if (bytes.length < count) throw new Error('the log was truncated while being read');
    return bytes;
  };
