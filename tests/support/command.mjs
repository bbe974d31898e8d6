// The command `hornbook`, and books for it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { BIN } from './stdio.mjs';

/** Runs the command while other processes go on. */
export async function hornbook(...args) {
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** A folder that is removed after the tests of a file, and `newBook`: the path of a new book in a folder of its own. */
export function newBooks(name) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `hornbook-${name}-`)));
  after(() => rmSync(directory, { recursive: true }));
  let folders = 0;
  const newBook = () => {
    const folder = join(directory, `${++folders}`);
    mkdirSync(folder);
    return join(folder, 'notes.book');
  };
  return { directory, newBook };
}
