/**
 * Runs in a worker thread: statements of one database of SQLite, which hold their thread and cannot be interrupted. Each
 * message is a statement to begin, a number of rows to read, or the end of one.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase, type Database, type SqliteValue } from '../sqlite.js';
import { markOf } from './files.js';
import { taken, type Cell } from './source.js';

/** What the thread is asked. `call` is the number of the answer; without it, the statement is over. */
export interface Asked {
  cursor: number;
  call?: number;
  begin?: { sql: string; parameters: unknown[] };
  most?: number;
}

/** What it answers. */
export interface Answered {
  call: number;
  rows?: Cell[][];
  error?: string;
}

const { path } = workerData as { path: string };
const port = parentPort!;
const cursors = new Map<number, Iterator<SqliteValue[]>>();
let opened: { database: Database; mark: string } | undefined;

/** The database as it is now: what was read whole is read again once the file has changed. */
async function current(): Promise<Database> {
  const mark = await markOf([path]);
  // Rows that are being read of the former one stay what they are.
  if (opened && (!opened.database.isCopy || opened.mark === mark)) return opened.database;
  const database = await openDatabase(path);
  opened = { database, mark };
  return database;
}

async function answer({ cursor, begin, most = 0 }: Asked): Promise<Cell[][] | undefined> {
  if (begin) {
    const database = await current();
    cursors.set(cursor, database.rows(begin.sql, begin.parameters));
    return undefined;
  }
  const rows = await taken(cursors.get(cursor)!, most);
  return rows.map((row) => row.map(cell));
}

port.on('message', async (asked: Asked) => {
  const { cursor, call } = asked;
  if (call === undefined) {
    cursors.get(cursor)?.return?.();
    cursors.delete(cursor);
    return;
  }
  let answered: Answered;
  try {
    answered = { call, rows: await answer(asked) };
  } catch (error) {
    answered = { call, error: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(answered);
});

/** Each value has its own type. */
function cell(value: SqliteValue): Cell {
  if (value === null) return null;
  if (typeof value === 'bigint') return { integer: String(value) };
  if (typeof value === 'number') {
    // JSON has no number for these.
    if (Object.is(value, -0)) return { decimal: '-0.0' };
    return Number.isFinite(value) ? { float: value } : { decimal: String(value) };
  }
  if (typeof value === 'string') return { text: value };
  return { text: Buffer.from(value).toString('hex') };
}
