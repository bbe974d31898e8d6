/** Files that the user names. */
import { readFile } from 'node:fs/promises';
import { UsageError } from './usage.js';

/** The contents of a file that the user named. */
export async function text(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}`);
  }
}
