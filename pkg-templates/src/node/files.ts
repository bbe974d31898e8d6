/**
 * Files of this machine, read and written by their real path. Somebody may put a symbolic link in the place of a file, or
 * of a directory above it, after the path was found to be real, and allowed: so what is there is opened first, and it is
 * decided on what is open.
 */
import { constants, existsSync } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { FileFault } from '../full/hornbook.js';

const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;
/** So many bytes are read at once. */
const CHUNK = 1 << 20;

/** The path with all symbolic links resolved. */
export function resolvePath(path: string): Promise<string> {
  return orFault(() => realpath(path));
}

/** The contents of the file at a real path, which has no more than `most` bytes. */
export function readReal(path: string, most: number): Promise<Uint8Array> {
  return orFault(() =>
    withFile(path, O_RDONLY, async (file) => {
      const tooLarge: FileFault = { fault: 'too_large' };
      if ((await file.stat()).size > most) throw tooLarge;
      const chunks: Buffer[] = [];
      let length = 0;
      // It may grow while it is read, and some systems tell no size.
      for await (const chunk of file.createReadStream({ end: most, highWaterMark: CHUNK, autoClose: false })) {
        chunks.push(chunk);
        length += chunk.length;
      }
      if (length > most) throw tooLarge;
      return Buffer.concat(chunks);
    }),
  );
}

/** Write the file at a real path as a whole, or at its end; it may be new. */
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
 * Use the file at a real path. Other things that may be there are not opened: a pipe would wait for a writer, and a
 * device may do something.
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

/** Whether the system tells where an open directory is, and reaches what is in it by way of that. */
const HOLDS_DIRECTORIES = process.platform === 'linux' && existsSync('/proc/self/fd');

/** Use the directory at a real path, by a path that stays that of this directory. Elsewhere than on Linux, by its own. */
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

/** What the file system throws, as a fault. */
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
      // Without the path, which need not be the one that was asked for.
      return { fault: 'unreadable', message: message.replace(/^[A-Z0-9]+: (.*?), \w+.*$/s, '$1') };
  }
}
