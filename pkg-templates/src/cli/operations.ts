/** Operations on the file of a book, which may be in use: `hornbook backup`, `restore`, `compact`, and `check`. */
import { open, realpath, stat } from 'node:fs/promises';
import type { ReadBook } from '../full/hornbook.js';
import { copyBookFile, readBookFile, type Copied } from '../node/book-file.js';
import { loadCrate } from '../node/crate.js';
import { isLocked } from '../node/lock.js';
import { NodeHost } from '../node/open.js';
import { SharedStore } from '../node/shared-store.js';
import { counted, number } from './counted.js';
import type { Screen } from './terminal.js';
import { UsageError } from './usage.js';

export type Operation =
  /** Without `to`, next to the book. */
  | { kind: 'backup'; book: string; to: string | undefined; force: boolean }
  | { kind: 'restore'; backup: string; book: string; force: boolean }
  /** `keep` revisions, by default as many as the book keeps by itself. */
  | { kind: 'compact'; book: string; keep: number | undefined };

/** How often to look whether a process completes the record that it is writing, and how long to wait before that. */
const LOOKS = 20;
const AGAIN_MS = 100;

/** Returns the exit code: 1 if it was not done. */
export async function operate(operation: Operation, screen: Screen): Promise<0 | 1> {
  await checkFile(operation.kind === 'restore' ? operation.backup : operation.book);
  try {
    screen.out(`${await done(operation)}\n`);
    return 0;
  } catch (error) {
    screen.err(`hornbook: ${(error as Error).message}\n`);
    return 1;
  }
}

/** Do it. Resolves to what was done, in a line or two. */
async function done(operation: Operation): Promise<string> {
  switch (operation.kind) {
    case 'backup': {
      const { book, to = `${book}.backup-${now()}`, force } = operation;
      const copied = await copyBookFile(book, to, force ? 'it' : 'nothing');
      return `${to}: ${copy(copied)}`;
    }
    case 'restore': {
      const { backup, book, force } = operation;
      const copied = await copyBookFile(backup, book, force ? { keepsAs: `before-restore-${now()}` } : 'nothing');
      const kept = copied.kept === undefined ? '' : `\nThe book that was there is kept as ${copied.kept}.`;
      return `${book}: ${copy(copied)}${kept}`;
    }
    case 'compact': {
      const { book, keep } = operation;
      const { before, after, revisions, kept, lost, notice } = await compacted(book, keep);
      const undo =
        lost === 0
          ? `All that could be undone still can: ${counted(kept, 'operation')}.`
          : `${counted(lost, 'operation')} can no longer be undone; ${kept === 0 ? 'none' : `the last ${number(kept)}`} can.`;
      return `${notice === undefined ? '' : `${notice}\n`}${book}: ${number(before)} bytes before, ${number(after)} after\n${undo} The book is at revision ${number(revisions)}.`;
    }
  }
}

/** The least that is kept of a book in use: a process that lags further behind would have to be restarted. */
const KEPT_IN_USE = 1_000;

async function compacted(book: string, keep: number | undefined) {
  if (keep !== undefined && keep < KEPT_IN_USE && (await isLocked(await realpath(book))))
    throw new Error(
      `${book} is in use: leave out --keep, or end the processes that use it, since one that lags behind could not follow.`,
    );
  const store = new SharedStore(book);
  try {
    return await (await loadCrate()).compactBook(store, keep);
  } finally {
    await store.close();
  }
}

/** Whether `hornbook check` takes the file for a book. */
export async function isBook(file: string): Promise<boolean> {
  if (/\.book(\.(backup|before-restore)-[^/\\]*)?$/i.test(file)) return true;
  const begin = await beginning(file).catch(() => undefined);
  return begin !== undefined && BEGINS.test(begin);
}

/** Read a book without changing it, and have an engine load it. Prints what was found; resolves to whether it is sound. */
export async function checkBook(file: string, libraries: string[], screen: Screen): Promise<boolean> {
  await checkFile(file);
  let book: ReadBook;
  let isUsed = false;
  try {
    book = await readBookFile(file);
    for (let looks = 0; book.torn > 0 && looks < LOOKS; looks++) {
      isUsed = await isLocked(await realpath(file));
      if (!isUsed) break;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      book.free();
      book = await readBookFile(file);
    }
  } catch (error) {
    screen.out(`${(error as Error).message}\n`);
    return false;
  }
  const host = new NodeHost((text) => screen.err(`${text}\n`));
  try {
    const aside = await book.setAside(host, libraries);
    for (const { entry, why } of aside)
      screen.out(`${file}: ${entry} is set aside, no engine can load it: ${why.replace(/\.$/, '')}\n`);
    const { revisions, clauses, length: bytes, torn, head } = book;
    screen.out(
      `${file}: ${holds({ revisions, clauses, bytes })}${torn === 0 ? '' : `; ${rest(torn, head, isUsed)}`}\n`,
    );
    return aside.length === 0 && (torn === 0 || head !== undefined);
  } finally {
    book.free();
    host.close();
  }
}

/** What a book holds. */
const holds = ({ revisions, clauses, bytes }: Pick<Copied, 'revisions' | 'clauses' | 'bytes'>): string =>
  `${counted(revisions, 'revision')}, ${counted(clauses, 'clause')}, ${counted(bytes, 'byte')}`;

/** What a copy holds, and what was left out. */
function copy(copied: Copied): string {
  const { torn, isMarked } = copied;
  if (torn === 0) return holds(copied);
  const what = isMarked ? 'which was not acknowledged' : 'which may have been acknowledged: the file does not show it';
  return `${holds(copied)}; left out ${counted(torn, 'byte')}, the beginning of a record ${what}`;
}

/** What follows the whole records of a book, `head` being its first line. */
function rest(torn: number, head: string | undefined, isUsed: boolean): string {
  const begin = `${counted(torn, 'byte')} more are the beginning of a record`;
  if (isUsed) return `${begin}, which a process is writing`;
  const what =
    head === undefined
      ? 'the file does not show whether it was an acknowledged operation, so inspect it'
      : 'it was not acknowledged, so nothing is lost';
  return `${begin}, as a crash leaves it; ${what}. Whoever opens the book next cuts it off and keeps it aside`;
}

const BEGINS = /^hornbook \d/;

/** The first bytes of a file; `undefined` if it is a directory or anything else, which is not opened. */
async function beginning(path: string): Promise<string | undefined> {
  if (!(await stat(path)).isFile()) return undefined;
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(16), 0, 16, 0);
    return Buffer.from(buffer.subarray(0, bytesRead)).toString('latin1');
  } finally {
    await file.close();
  }
}

/** Check that the user named the file of a book. */
export async function checkFile(path: string): Promise<void> {
  let begin: string | undefined;
  try {
    begin = await beginning(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}`);
  }
  if (begin === undefined) throw new UsageError(`${path} is not a file; name the file of a book`);
  if (begin === '')
    throw new UsageError(
      `${path} is empty, so it is not a book; restore it from a backup: hornbook restore BACKUP BOOK`,
    );
  if (!BEGINS.test(begin))
    throw new UsageError(`${path} is not a Hornbook book; name a file that hornbook --book has made`);
}

const now = () => new Date().toISOString().replaceAll(':', '-');
