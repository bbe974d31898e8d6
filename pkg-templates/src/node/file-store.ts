/** The store of a book in Node: a file, with a lock next to it. */
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Store } from '../full/hornbook.js';
import { NO_FILE, checkKind, enter, explained, ifMissing, keepOwner, write } from './disk.js';
import { lock } from './lock.js';

const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Keeps bytes in a file. Holds a lock while it is open; `PATH.new` exists while everything is being replaced. */
export class FileStore implements Store {
  readonly name: string;
  #path = '';
  #file: FileHandle | undefined;
  /** Identifies the file, whatever its name. */
  #identity: BigIntStats | undefined;
  /** The length of the file; `undefined` after a failed write. */
  #size: number | undefined = 0;
  /** Whether the directory entry of the file is durable. */
  #entered = true;
  #release = async () => {};

  /**
   * @param path of the file
   * @param served the path of a socket where others find the book while this store is open; none unless given
   */
  constructor(
    path: string,
    readonly served?: string,
  ) {
    this.name = resolve(path);
  }

  /** The real path, once `open` was called. */
  get path(): string {
    return this.#path;
  }

  /** Distinguishes files, whatever their names. */
  get identity(): string {
    return `${this.#identity?.dev}:${this.#identity?.ino}`;
  }

  open(): Promise<number> {
    return explained(async () => {
      this.#path = await realpath(this.name).catch(async () =>
        join(await realpath(dirname(this.name)), basename(this.name)),
      );
      await checkKind(this.#path);
      this.#release = await lock(this.#path, this.served);
      try {
        if (!(await checkKind(this.#path))) return 0;
        const size = await this.#take(await open(this.#path, O_RDWR | O_NOFOLLOW | O_NONBLOCK));
        if (size === 0)
          throw new Error(
            'the file is empty, so it is not a book; restore it from a copy, or remove it to begin a new book',
          );
        return size;
      } catch (error) {
        await this.close();
        throw error;
      }
    });
  }

  read(from: number, count: number): Promise<Uint8Array> {
    return explained(async () => {
      const { bytesRead, buffer } = await this.#file!.read(new Uint8Array(count), 0, count, from);
      return buffer.subarray(0, bytesRead);
    });
  }

  append(at: number, bytes: Uint8Array, head: Uint8Array): Promise<void> {
    return explained(async () => {
      const file = this.#file!;
      // Bytes that were never acknowledged are cut off even if the file was moved.
      const cuts = bytes.length === 0;
      const there = cuts ? await file.stat() : await this.#found();
      // The lock keeps others out; where it cannot, do not overwrite what they wrote.
      if (there.size < at || (this.#size !== undefined && this.#size !== there.size)) {
        throw new Error('another process has changed it; restart the server to reread it');
      }
      this.#size = undefined;
      if (there.size > at) await file.truncate(at);
      await write(file, bytes, at);
      await file.datasync();
      if (!this.#entered) await this.#enter();
      if (!cuts) await this.#found();
      this.#size = at + bytes.length;
      // Becomes durable with the next append or on close. If this write fails the line is out of date, which is
      // harmless.
      await write(file, head, 0).catch(() => {});
    });
  }

  /**
   * The directory entry of the new file is durable only after the next {@link append}; until then, either file is valid
   * after a crash.
   */
  replace(bytes: Uint8Array): Promise<void> {
    return explained(async () => {
      const path = `${this.#path}.new`;
      const there = await this.#file?.stat();
      const mode = there && there.mode & 0o777;
      // A leftover of a crash. If it is a link, its target is not touched.
      await rm(path, { force: true });
      const file = await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
      try {
        if (there) await keepOwner(file, there);
        await write(file, bytes, 0);
        await file.sync();
        await this.#found();
        await rename(path, this.#path);
      } catch (error) {
        await file.close();
        await rm(path, { force: true });
        throw error;
      }
      const before = this.#file;
      await this.#take(file);
      this.#entered = false;
      await before?.close();
    });
  }

  setAside(bytes: Uint8Array): Promise<string> {
    return explained(async () => {
      const path = `${this.#path}.cut-${new Date().toISOString().replaceAll(':', '-')}`;
      const file = await open(path, 'wx');
      try {
        await write(file, bytes, 0);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#enter();
      return path;
    });
  }

  /** Release the file. This also makes the first line durable. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    try {
      await file?.datasync();
      await file?.close();
    } finally {
      await this.#release();
    }
  }

  /** Use this file for the book from now on. Returns its length. */
  async #take(file: FileHandle): Promise<number> {
    this.#file = file;
    this.#identity = await file.stat({ bigint: true });
    if (!this.#identity.isFile()) throw new Error(NO_FILE);
    this.#size = Number(this.#identity.size);
    return this.#size;
  }

  /** The file at the path. Throws if it is not the one this store has open: nobody would find what is written there. */
  async #found(): Promise<{ size: number }> {
    const [own, there] = [this.#identity, await lstat(this.#path, { bigint: true }).catch(ifMissing)];
    if (own?.ino === there?.ino && own?.dev === there?.dev) return { size: Number(there?.size ?? 0n) };
    const what = own
      ? 'is no longer the file that was opened: it was moved, replaced or removed; put it back, or'
      : 'was made by something else;';
    throw new Error(`${this.#path} ${what} restart the server to continue with what is there now`);
  }

  async #enter(): Promise<void> {
    await enter(this.#path);
    this.#entered = true;
  }
}
