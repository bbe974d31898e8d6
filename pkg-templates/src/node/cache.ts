/** Model replies in a directory, one file each. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReplyCache } from '../dml/cache.js';

/** The directory is created with the first reply. */
export class NodeReplyCache implements ReplyCache {
  constructor(private readonly directory: string) {}

  async get(key: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.directory, `${key}.json`), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Atomic: a reader never sees part of a reply. */
  async set(key: string, reply: string): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const file = join(this.directory, `${key}.json`);
    const written = `${file}.${crypto.randomUUID()}`;
    await writeFile(written, reply);
    await rename(written, file);
  }
}
