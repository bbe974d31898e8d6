/** The store of a book in Node: one file, with a lock beside it. */
import { open, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Store } from './core/hornbook.js';
import { LockedError, lock } from './lock.js';

/** What went wrong with a file, as a part of a sentence. */
const REASONS: Record<string, string> = {
  EACCES: 'it may not be read and written',
  EPERM: 'it may not be read and written',
  EROFS: 'it may not be written',
  EISDIR: 'it is a directory',
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'its directory does not exist',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file would be larger than is allowed',
};

/** Keeps bytes in a file; `PATH.lock` is held as long as it is open, `PATH.new` is there while all is replaced. */
export class FileStore implements Store {
  readonly name: string;
  #path = '';
  #file: FileHandle | undefined;
  /** How long the file is; `undefined` after a write that failed. */
  #size: number | undefined = 0;
  /** Whether the directory durably has the file. */
  #entered = true;
  #release = () => {};

  constructor(path: string) {
    this.name = resolve(path);
  }

  open(): Promise<number> {
    return explained(async () => {
      this.#path = await realpath(this.name).catch(async () => join(await realpath(dirname(this.name)), basename(this.name)));
      this.#release = await lock(`${this.#path}.lock`);
      try {
        this.#file = await open(this.#path, 'r+').catch(ifMissing);
        this.#size = (await this.#file?.stat())?.size ?? 0;
        return this.#size;
      } catch (error) {
        this.#release();
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

  append(at: number, bytes: Uint8Array): Promise<void> {
    return explained(async () => {
      const file = this.#file!;
      const { size, nlink } = await file.stat();
      // The lock keeps others away; where it was removed, or does not reach them, nothing of theirs is overwritten.
      if (nlink === 0 || size < at || (this.#size !== undefined && this.#size !== size)) {
        throw new Error('something else has changed it; restart the server to read it again');
      }
      this.#size = undefined;
      if (size > at) await file.truncate(at);
      await write(file, bytes, at);
      await file.datasync();
      if (!this.#entered) await this.#enter();
      this.#size = at + bytes.length;
    });
  }

  /** The directory has the new file durably only after the next {@link append}: until then either file will do. */
  replace(bytes: Uint8Array): Promise<void> {
    return explained(async () => {
      const path = `${this.#path}.new`;
      const file = await open(path, 'w+', (await this.#file?.stat())?.mode);
      try {
        await write(file, bytes, 0);
        await file.sync();
        await rename(path, this.#path);
      } catch (error) {
        await file.close();
        await rm(path, { force: true });
        throw error;
      }
      const before = this.#file;
      this.#file = file;
      this.#size = bytes.length;
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

  /** Let others have it. */
  async close(): Promise<void> {
    await this.#file?.close();
    this.#release();
  }

  async #enter(): Promise<void> {
    const directory = await open(dirname(this.#path), 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
    this.#entered = true;
  }
}

/** All of the bytes, however many the system takes at once. */
async function write(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
    written += bytesWritten;
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof LockedError || code === undefined) throw error;
    throw new Error(REASONS[code] ?? message);
  }
}
