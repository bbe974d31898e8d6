// Runs of workflows whose process is killed, and what they leave.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

/** Calls `use` with the path of a book that does not exist yet. */
export async function withBook(use) {
  const folder = await mkdtemp(join(tmpdir(), 'hornbook-kills-'));
  try {
    return await use(join(folder, 'b.book'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs one process; returns what it printed, and whether it was killed. */
export function once(book, workflow, ...records) {
  return new Promise((resolve) => {
    execFile(process.execPath, [CHILD, book, workflow, ...records.map(String)], (error, stdout, stderr) => {
      resolve({ stdout, stderr, killed: error?.signal === 'SIGKILL' });
    });
  });
}

/** Runs one process that is killed after this many milliseconds unless it has ended. */
export function killedAfter(book, workflow, ms) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CHILD, book, workflow]);
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    child.on('exit', (_, signal) => {
      clearTimeout(timer);
      resolve(signal === 'SIGKILL');
    });
  });
}

/** What the actions were called with, sorted, each key once. */
export async function told(book) {
  const text = await readFile(`${book}.told`, 'utf8').catch(() => '');
  return [...new Set(text.split('\n').filter(Boolean))].sort();
}
