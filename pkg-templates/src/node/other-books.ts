/** The books of a folder, for reading. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FileFault, OtherBooks } from '../full/hornbook.js';
import { readReal } from './files.js';

const SUFFIX = '.book';
/** The maximum size of a book file to read. */
const MOST_BYTES = 512 << 20;

/** The files of a folder that end in `.book`, except this process's own book. */
export class FolderOfBooks implements OtherBooks {
  readonly #folder: string;
  readonly #own: string | undefined;

  constructor(folder: string, own?: string) {
    this.#folder = resolve(folder);
    this.#own = own === undefined ? undefined : resolve(own);
  }

  async list(): Promise<{ name: string; mark: string }[]> {
    const own = this.#own === undefined ? undefined : await realpath(this.#own).catch(() => undefined);
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(SUFFIX));
    const listed = names.map(async (name) => {
      const path = await realpath(join(this.#folder, name)).catch(() => undefined);
      if (path === undefined || path === own) return [];
      const { mtimeMs, size, ino } = await stat(path);
      return [{ name: name.slice(0, -SUFFIX.length), mark: `${ino} ${size} ${mtimeMs}` }];
    });
    return (await Promise.all(listed)).flat();
  }

  async read(name: string): Promise<Uint8Array> {
    const path = await realpath(join(this.#folder, `${name}${SUFFIX}`));
    return readReal(path, MOST_BYTES).catch(({ fault, message }: FileFault) => {
      throw new Error(fault === 'too_large' ? `it has more than ${MOST_BYTES} bytes` : (message ?? 'it is not a file'));
    });
  }
}
