/** A directory of this machine as the folder of a run. */
import { constants } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { FileFault } from './core/hornbook.js';
import { tooLarge, type Folder } from './folders.js';
import { namesIn, orFault } from './node.js';

const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;

export class NodeFolder implements Folder {
  readonly root: string;

  constructor(path: string) {
    this.root = resolve(path);
  }

  resolvePath(path: string): Promise<string> {
    return orFault(realpath(path));
  }

  async readFile(path: string, most: number): Promise<Uint8Array> {
    return used(await openReal(path, O_RDONLY), async (file) => {
      if ((await file.stat()).size > most) throw tooLarge(most);
      return file.readFile();
    });
  }

  async writeFile(path: string, text: string, append: boolean): Promise<void> {
    return used(await openReal(path, O_WRONLY | O_CREAT | (append ? O_APPEND : 0)), async (file) => {
      if (!append) await file.truncate();
      await file.writeFile(text);
    });
  }

  async listDirectory(path: string): Promise<string[]> {
    const directory = await held(path);
    if (!directory) return namesIn(path);
    return used(directory, () => namesIn(within(directory)));
  }
}

/**
 * Open a file by its real path. Somebody may put a symbolic link in its place, or in that of a directory above, after
 * the path was found to be real: so the directory is held, and seen to be where it was, before the file in it is opened.
 */
async function openReal(path: string, flags: number): Promise<FileHandle> {
  const directory = await held(dirname(path));
  const own = flags | O_NOFOLLOW | O_NONBLOCK;
  if (!directory) return checked(await orFault(open(path, own, 0o666)), path);
  return used(directory, async () => checked(await open(`${within(directory)}/${basename(path)}`, own, 0o666)));
}

/** The directory, opened; `undefined` where the system cannot say where an open directory is. */
async function held(path: string): Promise<FileHandle | undefined> {
  if (process.platform !== 'linux') return undefined;
  const directory = await orFault(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  const place = await readlink(within(directory)).catch(() => undefined);
  if (place === path) return directory;
  await directory.close();
  if (place === undefined) return undefined;
  throw moved();
}

const within = (directory: FileHandle): string => `/proc/self/fd/${directory.fd}`;

/** A file, not a directory or a device; without `held`, the one that is at `path` now. */
async function checked(file: FileHandle, path?: string): Promise<FileHandle> {
  try {
    const found = await file.stat();
    if (!found.isFile()) throw { fault: 'not_a_file' } satisfies FileFault;
    if (path !== undefined) {
      const [real, there] = [await realpath(path), await stat(path)];
      if (real !== path || there.ino !== found.ino || there.dev !== found.dev) throw moved();
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

const moved = (): FileFault => ({ fault: 'unreadable', message: 'it was moved meanwhile' });

async function used<T>(file: FileHandle, work: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await orFault(work(file));
  } finally {
    await file.close();
  }
}
