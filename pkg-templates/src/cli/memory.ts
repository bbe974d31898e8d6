/** `hornbook memory`: exports the memory of a book, and imports into it, as lines of JSON. */
import { readFile, writeFile } from 'node:fs/promises';
import { bookToRead } from '../node/book-file.js';
import { openHornbook } from '../node/open.js';
import { openDatabase } from '../node/sqlite.js';
import { isServed } from '../served-store.js';
import { checkFile } from './operations.js';
import { UsageError } from './usage.js';

export type Transfer =
  /** Without a file, to standard output. */
  { action: 'export'; book: string; file: string | undefined } | { action: 'import'; book: string; file: string };

interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

/** Returns the exit code: 1 if some records were not imported. */
export async function transferMemory(transfer: Transfer, terminal: Terminal): Promise<0 | 1> {
  const text = transfer.action === 'import' ? await lines(transfer.file) : '';
  if (transfer.action === 'export' && !isServed(transfer.book)) await checkFile(transfer.book);
  const book = transfer.action === 'export' ? await bookToRead(transfer.book) : transfer.book;
  const { hornbook, close } = await openHornbook({}, terminal.err, book);
  try {
    if (transfer.action === 'export') {
      const exported = hornbook.exportMemory();
      if (transfer.file === undefined) terminal.out(exported);
      else await writeFile(transfer.file, exported);
      return 0;
    }
    const report = await hornbook.importMemory(text);
    for (const { line, why } of report.problems) terminal.err(`${transfer.file}:${line}: ${why}\n`);
    if (report.problems_left_out) terminal.err(`and ${report.problems_left_out} lines more\n`);
    for (const warning of report.warnings ?? []) terminal.err(`Warning: ${warning}\n`);
    const { added, replaced, unchanged, not_taken } = report;
    terminal.out(`${added} added, ${replaced} replaced, ${unchanged} unchanged, ${not_taken} not taken over\n`);
    return not_taken > 0 ? 1 : 0;
  } finally {
    await close();
  }
}

/** The lines of a file. For a database of Kairn, its rows. */
async function lines(file: string): Promise<string> {
  const content = await readFile(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  return content.toString('latin1', 0, 15) === 'SQLite format 3' ? rows(file) : content.toString();
}

const TABLES = ['nodes', 'edges', 'experiences', 'projects', 'progress', 'ideas'];

async function rows(file: string): Promise<string> {
  const database = await openDatabase(file).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  try {
    const there = database.all("SELECT name FROM sqlite_master WHERE type = 'table'");
    const tables = TABLES.filter((table) => there.some(({ name }) => name === table));
    if (!tables.includes('nodes')) throw new UsageError(`${file} is not a Kairn database: it has no table nodes`);
    const told = tables.flatMap((table) =>
      database.all(`SELECT * FROM ${table} ORDER BY created_at`).map((row) => JSON.stringify({ table, row })),
    );
    return told.join('\n');
  } finally {
    database.close();
  }
}
