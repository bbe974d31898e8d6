/**
 * Files of this machine, read and written by real path. After a path was resolved and allowed, somebody may replace the
 * file, or a directory above it, by a symbolic link. So a file is opened first, and the checks are made on what is
 * open.
 */
import { constants, existsSync } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { FileFault } from '../full/hornbook.js';

const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;
/** How many bytes to read at once. */
const CHUNK = 1 << 20;

/** The path with all symbolic links resolved. */
export function resolvePath(path: string): Promise<string> {
  return orFault(() => realpath(path));
}

/** The contents of the file at a real path, which must not exceed `most` bytes. */
export function readReal(path: string, most: number): Promise<Uint8Array> {
  return orFault(() =>
    withFile(path, O_RDONLY, async (file) => {
      const tooLarge: FileFault = { fault: 'too_large' };
      if ((await file.stat()).size > most) throw tooLarge;
      const chunks: Buffer[] = [];
      let length = 0;
      // It may grow while it is read, and some systems do not report a size.
      for await (const chunk of file.createReadStream({ end: most, highWaterMark: CHUNK, autoClose: false })) {
        chunks.push(chunk);
        length += chunk.length;
      }
      if (length > most) throw tooLarge;
      return Buffer.concat(chunks);
    }),
  );
}

/** Write the file at a real path as a whole, or append to it. It is created if it does not exist. */
export function writeReal(path: string, text: string, append: boolean): Promise<void> {
  return orFault(() =>
    withFile(path, O_WRONLY | O_CREAT | (append ? O_APPEND : 0), async (file) => {
      if (!append) await file.truncate();
      await file.writeFile(text);
    }),
  );
}

/** The names in the directory at a real path; those of directories end in `/`. */
export function listReal(path: string): Promise<string[]> {
  return orFault(() =>
    withDirectory(path, async (directory) => {
      const entries = await readdir(directory, { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    }),
  );
}

/**
 * Use the file at a real path. Anything but a regular file is not opened: a pipe would block until there is a writer,
 * and opening a device may have effects.
 */
async function withFile<T>(path: string, flags: number, work: (file: FileHandle) => Promise<T>): Promise<T> {
  return withDirectory(dirname(path), async (directory) => {
    const within = `${directory}/${basename(path)}`;
    const there = await lstat(within).catch(ifMissing);
    if (there?.isSymbolicLink()) throw MOVED;
    if (there && !there.isFile()) throw NOT_A_FILE;
    const file = await open(within, flags | O_NOFOLLOW | O_NONBLOCK, 0o666);
    try {
      const found = await file.stat();
      if (!found.isFile()) throw NOT_A_FILE;
      if (!HOLDS_DIRECTORIES) {
        const [now, real] = [await lstat(path), await realpath(path)];
        if (real !== path || now.ino !== found.ino || now.dev !== found.dev) throw MOVED;
      }
      return await work(file);
    } finally {
      await file.close();
    }
  });
}

/** Whether the system can tell the path of an open directory, and reach its entries through it. */
const HOLDS_DIRECTORIES = process.platform === 'linux' && existsSync('/proc/self/fd');

/**
 * Use the directory at a real path, through a path that stays bound to this directory. Except on Linux, that is just
 * its own path.
 */
async function withDirectory<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  if (!HOLDS_DIRECTORIES) return work(path);
  const directory = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const within = `/proc/self/fd/${directory.fd}`;
    if ((await readlink(within)) !== path) throw MOVED;
    return await work(within);
  } finally {
    await directory.close();
  }
}

const NOT_A_FILE: FileFault = { fault: 'not_a_file' };
const MOVED: FileFault = { fault: 'unreadable', message: 'it was moved meanwhile' };

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Convert what the file system throws into a fault. */
async function orFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw (error as FileFault).fault ? error : faultOf(error as NodeJS.ErrnoException);
  }
}

function faultOf({ code, message }: NodeJS.ErrnoException): FileFault {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { fault: 'not_found' };
    case 'EISDIR':
      return { fault: 'not_a_file' };
    case 'EACCES':
    case 'EPERM':
      return { fault: 'unreadable', message: 'permission denied' };
    default:
      // Leave out the path, which need not be the one that was asked for.
      return { fault: 'unreadable', message: message.replace(/^[A-Z0-9]+: (.*?), \w+.*$/s, '$1') };
  }
}
