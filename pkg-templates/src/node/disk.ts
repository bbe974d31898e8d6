/** Files on this machine: what the system says of them, as sentences. */
import type { Stats } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LockedError } from './lock.js';

/** Why a file operation failed, as a sentence fragment. */
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

/** Why something else than a file is refused. */
export const NO_FILE = 'it is a device, a pipe or a socket; a book is kept in a file';

/** Give a new file owner and permissions of the one that it replaces, as far as this process may. */
export async function keepOwner(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  if (process.getuid?.() === 0) await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o777).catch(() => {});
}

/** Make the directory entry of a file durable. */
export async function enter(path: string): Promise<void> {
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * Whether the file exists. Anything but a regular file is refused without opening it, since opening a device may have
 * effects.
 */
export async function checkKind(path: string): Promise<boolean> {
  const there = await lstat(path).catch(ifMissing);
  if (there?.isSymbolicLink()) throw new Error('it is a symbolic link to a file that does not exist');
  if (there?.isDirectory()) throw new Error(REASONS.EISDIR);
  if (there && !there.isFile()) throw new Error(NO_FILE);
  return there !== undefined;
}

/** Write all the bytes, however many the system takes at once. */
export async function write(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
    written += bytesWritten;
  }
}

export function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Whatever the work throws says why as a sentence fragment. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof LockedError || code === undefined) throw error;
    throw new Error(REASONS[code] ?? message);
  }
}
