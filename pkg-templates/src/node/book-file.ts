/** The file of a book as it is at one moment, read and copied while other processes go on with it. */
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, link, open, readdir, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { ReadBook } from '../full/hornbook.js';
import { loadCrate } from './crate.js';
import { checkKind, enter, explained, keepOwner, write } from './disk.js';
import { LockedError, lock } from './lock.js';
import type { OwnStore } from './open.js';
import { isServed } from '../served-store.js';

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, R_OK, W_OK } = constants;

/** The length of a first line with a mark. */
const HEAD_BYTES = 46;
/** How many bytes are copied at once. */
const CHUNK = 4 << 20;
/** How often a file that changes in other ways than by growing is read. */
const TRIES = 5;
/** How long to wait before that, in milliseconds. */
const AGAIN_MS = 100;

/**
 * The file of a book at the moment it was opened. A book only grows, and what replaces it is another file. So the first
 * line, read before everything else, marks what had been answered by then, and what it marks stays as it is. No lock is
 * needed, and nothing is changed.
 */
class FrozenFile implements OwnStore {
  readonly readOnly = 'this process may only read it';
  #file: FileHandle | undefined;
  #head = new Uint8Array();
  #size = 0;

  /**
   * @param path of the file
   * @param name for messages
   */
  constructor(
    readonly path: string,
    readonly name = path,
  ) {}

  open(): Promise<number> {
    return explained(async () => {
      const path = await realpath(this.path).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new Error('there is no such file') : error;
      });
      await checkKind(path);
      this.#file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      this.#head = await this.#at(0, HEAD_BYTES);
      this.#size = (await this.#file.stat()).size;
      if (this.#size === 0) throw new Error('the file is empty, so it is not a book');
      return this.#size;
    });
  }

  /** Changes whenever the file does. */
  get moment(): string {
    return `${this.#size} ${Buffer.from(this.#head).toString('latin1')}`;
  }

  get size(): number {
    return this.#size;
  }

  /** Its permissions. */
  async mode(): Promise<number> {
    return (await this.#file!.stat()).mode & 0o777;
  }

  read(from: number, count: number): Promise<Uint8Array> {
    return explained(async () => {
      const bytes = await this.#at(from, count);
      // The mark in the file moves on.
      if (from < this.#head.length) bytes.set(this.#head.subarray(from, from + bytes.length));
      return bytes;
    });
  }

  append(): Promise<void> {
    return Promise.reject(new Error(this.readOnly));
  }

  replace(): Promise<void> {
    return Promise.reject(new Error(this.readOnly));
  }

  setAside(): Promise<string> {
    return Promise.reject(new Error(this.readOnly));
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  async #at(from: number, count: number): Promise<Uint8Array<ArrayBuffer>> {
    const { bytesRead, buffer } = await this.#file!.read(new Uint8Array(count), 0, count, from);
    return buffer.subarray(0, bytesRead);
  }
}

/**
 * The book at this path, for whoever mostly reads it: its file as it is now, if this process may not write it or its
 * directory, where the lock would be.
 */
export async function bookToRead(path: string): Promise<string | OwnStore> {
  const real = isServed(path) ? undefined : await realpath(path).catch(() => undefined);
  if (real === undefined) return path;
  const mayWrite = await Promise.all([access(real, R_OK | W_OK), access(dirname(real), W_OK)]).then(
    () => true,
    () => false,
  );
  return mayWrite ? path : new FrozenFile(path, resolve(path));
}

/**
 * Read all records of the file of a book, which may be in use.
 *
 * @throws with a sentence that begins with the path
 */
export function readBookFile(path: string): Promise<ReadBook> {
  return settled(path, readFrozen);
}

/** What was copied. */
export interface Copied {
  revisions: number;
  clauses: number;
  bytes: number;
  /** How many bytes of a torn record were left out. */
  torn: number;
  /** Whether the file showed what had been acknowledged. */
  isMarked: boolean;
  /** The name under which the file that was there before is kept. */
  kept: string | undefined;
}

/**
 * Copy the file of a book, which may be in use, as it is now. The copy is read before it gets its name, so it is there
 * whole and sound, or not at all.
 *
 * @param replaces what to do with a file that is there: nothing and throw, replace it, or replace it and keep it under
 *   another name
 * @throws with a sentence
 */
export async function copyBookFile(
  path: string,
  to: string,
  replaces: 'nothing' | 'it' | { keepsAs: string },
): Promise<Copied> {
  const target = await about(to, () =>
    realpath(to).catch(async () => join(await realpath(dirname(resolve(to))), basename(to))),
  );
  if (target === (await realpath(path))) throw new Error(`${to} is ${path} itself.`);
  if (target.endsWith('.new'))
    throw new Error(
      `${to}: while a book is rewritten, its file ends in .new, and is removed then; choose another name.`,
    );
  const release = await about(to, () => lock(target)).catch((error: Error) => {
    if (!(error.cause instanceof LockedError)) throw error;
    throw new Error(`${to} is in use, and was not changed: ${error.cause.message}.`);
  });
  // Nobody else has a file of this name.
  const made = `${target}.${randomBytes(6).toString('hex')}.new`;
  try {
    await removeLeftovers(target);
    const isThere = await about(to, () => checkKind(target));
    if (isThere && replaces === 'nothing')
      throw new Error(`${to} already exists, and was not changed; --force replaces it.`);
    const before = isThere ? await stat(target) : undefined;
    const copied = await settled(path, (frozen) => copyTo(frozen, made, before));
    const kept = isThere && typeof replaces === 'object' ? `${target}.${replaces.keepsAs}` : undefined;
    // With a second name for the old file there is one at the path at any moment; some file systems have no links.
    await about(to, async () => {
      if (kept) await link(target, kept).catch(() => rename(target, kept));
      await rename(made, target);
      await enter(target);
    });
    return { ...copied, kept };
  } finally {
    await rm(made, { force: true }).catch(() => {});
    await release();
  }
}

/**
 * Do something with the file as it is now. If it fails because the file was changed meanwhile in another way than by
 * growing, as when a record that could not be written was cut off, it is done again.
 */
async function settled<T>(path: string, work: (frozen: FrozenFile) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const frozen = new FrozenFile(path);
    try {
      return await work(frozen);
    } catch (error) {
      const now = new FrozenFile(path);
      const isSame = await now.open().then(
        () => now.moment === frozen.moment,
        () => true,
      );
      await now.close();
      if (isSame || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } finally {
      await frozen.close();
    }
  }
}

async function readFrozen(frozen: FrozenFile): Promise<ReadBook> {
  return (await loadCrate()).ReadBook.from(frozen);
}

/** Remove what copies to this file have left that were killed. Whoever has its lock is alone. */
async function removeLeftovers(target: string): Promise<void> {
  const begin = `${basename(target)}.`;
  const names = await readdir(dirname(target)).catch(() => []);
  const left = names.filter((name) => name.startsWith(begin) && /^[0-9a-f]{12}\.new$/.test(name.slice(begin.length)));
  await Promise.all(left.map((name) => rm(join(dirname(target), name), { force: true }).catch(() => {})));
}

/** Copy to a new file, and read the copy. It gets owner and permissions of the file that it is to replace, if any. */
async function copyTo(frozen: FrozenFile, path: string, before: Stats | undefined): Promise<Omit<Copied, 'kept'>> {
  await about(frozen.name, () => frozen.open());
  const mode = before ? before.mode & 0o777 : (await frozen.mode()) | 0o200;
  const file = await about(path, () => open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
  const copy = new FrozenFile(path, frozen.name);
  try {
    if (before) await keepOwner(file, before);
    for (let at = 0; at < frozen.size; ) {
      const bytes = await about(frozen.name, () => frozen.read(at, Math.min(CHUNK, frozen.size - at)));
      if (bytes.length === 0) throw new Error(`${frozen.name}: it was truncated while being read.`);
      await about(path, () => write(file, bytes, at));
      at += bytes.length;
    }
    const book = await readFrozen(copy);
    const { revisions, clauses, length, head, torn } = book;
    book.free();
    await about(path, async () => {
      await file.truncate(length);
      if (head !== undefined) await write(file, new TextEncoder().encode(head), 0);
      await file.sync();
    });
    return { revisions, clauses, bytes: length, torn, isMarked: head !== undefined };
  } finally {
    await copy.close();
    await file.close();
  }
}

/** Whatever the work throws is a sentence about the file. */
async function about<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await explained(work);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}.`, { cause: error });
  }
}
