/** The Prolog files of the workspace, on this machine. */
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Files } from './ground.js';

/** The most files to read, and the largest size of each, in bytes. */
const MOST_FILES = 2000;
const LARGEST = 1 << 20;

const IS_PROLOG = /\.(pl|prolog|plt)$/;
const ELSEWHERE = new Set(['node_modules', 'target', 'dist', 'build', 'vendor']);

export const nodeFiles: Files = {
  async list(folders) {
    const found: string[] = [];
    const walk = async (directory: string): Promise<void> => {
      const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (found.length === MOST_FILES) return;
        const path = join(directory, entry.name);
        if (entry.isDirectory() && !entry.name.startsWith('.') && !ELSEWHERE.has(entry.name)) await walk(path);
        else if (entry.isFile() && IS_PROLOG.test(entry.name)) found.push(pathToFileURL(path).href);
      }
    };
    for (const folder of folders) if (folder.startsWith('file:')) await walk(fileURLToPath(folder));
    return found;
  },

  async read(uri) {
    if (!uri.startsWith('file:')) return undefined;
    const path = fileURLToPath(uri);
    const { size } = await stat(path).catch(() => ({ size: Number.POSITIVE_INFINITY }));
    return size > LARGEST ? undefined : readFile(path, 'utf8').catch(() => undefined);
  },
};
