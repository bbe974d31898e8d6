/** Folders whose files programs may read and write. */
import type { FileFault, Folder } from '../full/hornbook.js';

export type { Folder };

/** The part of `FileSystemDirectoryHandle` that is used. */
export interface DirectoryHandle {
  /** As the handles of a page have it. */
  readonly kind: 'directory';
  /** A directory in it; rejects with a `NotFoundError` if there is none. */
  getDirectoryHandle(name: string): Promise<DirectoryHandle>;
  /** A file in it, which `create` makes if there is none. */
  getFileHandle(name: string, options?: { create?: boolean }): Promise<FileHandle>;
  /** What is in it, by name. */
  entries(): AsyncIterable<[string, { readonly kind: 'file' | 'directory' }]>;
}

/** The part of `FileSystemFileHandle` that is used. */
interface FileHandle {
  /** Its contents now. */
  getFile(): Promise<{ readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }>;
  /** A stream that writes to it, and is complete once it is closed. */
  createWritable(options: {
    keepExistingData: boolean;
  }): Promise<{ seek(at: number): Promise<void>; write(text: string): Promise<void>; close(): Promise<void> }>;
}

const fault = (fault: FileFault['fault'], message?: string): FileFault => ({ fault, message });

/** A folder in memory; `files` are texts by path. */
export class MemoryFolder implements Folder {
  readonly root = '/';
  readonly #files = new Map<string, string>();

  /** @param files texts by path; none unless given */
  constructor(files: Record<string, string> = {}) {
    for (const [name, text] of Object.entries(files)) this.#files.set(plain(name), text);
  }

  /** The texts by path, without a leading slash. */
  get files(): Record<string, string> {
    return Object.fromEntries([...this.#files].map(([path, text]) => [path.slice(1), text]));
  }

  async resolvePath(path: string): Promise<string> {
    const real = plain(path);
    if (!this.#files.has(real) && !this.#isDirectory(real)) throw fault('not_found');
    return real;
  }

  async readFile(path: string): Promise<Uint8Array> {
    const text = this.#files.get(path);
    if (text === undefined) throw fault(this.#isDirectory(path) ? 'not_a_file' : 'not_found');
    return new TextEncoder().encode(text);
  }

  async writeFile(path: string, text: string, append: boolean): Promise<void> {
    if (this.#isDirectory(path)) throw fault('not_a_file');
    this.#files.set(path, append ? (this.#files.get(path) ?? '') + text : text);
  }

  async listDirectory(path: string): Promise<string[]> {
    if (!this.#isDirectory(path)) throw fault('not_found');
    const under = path.replace(/\/?$/, '/');
    const names = [...this.#files.keys()]
      .filter((name) => name.startsWith(under))
      .map((name) => name.slice(under.length).replace(/\/.*$/, '/'));
    return [...new Set(names)];
  }

  #isDirectory(path: string): boolean {
    return path === '/' || [...this.#files.keys()].some((name) => name.startsWith(`${path}/`));
  }
}

/** A folder chosen by the user of a page, or one in the origin's private file system. */
export class HandleFolder implements Folder {
  readonly root = '/';

  /** @param handle from `showDirectoryPicker()` or `navigator.storage.getDirectory()` */
  constructor(private readonly handle: DirectoryHandle) {}

  resolvePath(path: string): Promise<string> {
    return orFault(async () => {
      const real = plain(path);
      if (real === '/') return real;
      const [directory, name] = await this.#parent(real);
      for await (const [entry] of directory.entries()) if (entry === name) return real;
      throw fault('not_found');
    });
  }

  readFile(path: string, most: number): Promise<Uint8Array> {
    return orFault(async () => {
      const [directory, name] = await this.#parent(path);
      const file = await (await directory.getFileHandle(name)).getFile();
      if (file.size > most) throw fault('too_large');
      return new Uint8Array(await file.arrayBuffer());
    });
  }

  writeFile(path: string, text: string, append: boolean): Promise<void> {
    return orFault(async () => {
      const [directory, name] = await this.#parent(path);
      const file = await directory.getFileHandle(name, { create: true });
      const writable = await file.createWritable({ keepExistingData: append });
      if (append) await writable.seek((await file.getFile()).size);
      await writable.write(text);
      await writable.close();
    });
  }

  listDirectory(path: string): Promise<string[]> {
    return orFault(async () => {
      const names = [];
      for await (const [name, { kind }] of (await this.#directory(parts(path))).entries())
        names.push(kind === 'directory' ? `${name}/` : name);
      return names;
    });
  }

  async #parent(path: string): Promise<[DirectoryHandle, string]> {
    const names = parts(path);
    const name = names.pop();
    if (name === undefined) throw fault('not_a_file');
    return [await this.#directory(names), name];
  }

  async #directory(names: string[]): Promise<DirectoryHandle> {
    let directory = this.handle;
    for (const name of names) directory = await directory.getDirectoryHandle(name);
    return directory;
  }
}

/** A folder as it is; a directory handle as a folder. */
export function folderOf(folder: DirectoryHandle | Folder): Folder {
  return 'root' in folder ? folder : new HandleFolder(folder);
}

/** Convert what directory handles throw into a fault. */
async function orFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name, message } = error as Error;
    if ((error as FileFault).fault) throw error;
    if (name === 'NotFoundError') throw fault('not_found');
    if (name === 'TypeMismatchError') throw fault('not_a_file');
    throw fault('unreadable', message?.replace(/\.$/, ''));
  }
}

const parts = (path: string): string[] => plain(path).split('/').filter(Boolean);

/** An absolute path without `.`, `..` and empty segments. */
function plain(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}
