/** SQLite databases, read only: through Node if it can, otherwise through the package sql.js. */
import { readFile, stat } from 'node:fs/promises';
import { installed } from './installed.js';

/** A row, by column name. */
export type Row = Record<string, unknown>;

export interface Database {
  all(sql: string): Row[];
  close(): void;
}

/** The part of `node:sqlite` that is used; not every Node has it. */
interface NodeSqlite {
  DatabaseSync: new (
    path: string,
    options: { readOnly: boolean },
  ) => { prepare(sql: string): { all(): Row[] }; close(): void };
}

/** The part of sql.js that is used. */
interface SqlJs {
  Database: new (
    bytes: Uint8Array,
  ) => { exec(sql: string): { columns: string[]; values: unknown[][] }[]; close(): void };
}

const NODE_SQLITE = 'node:sqlite';

/** @throws Error that says what is missing */
export async function openDatabase(file: string): Promise<Database> {
  const sqlite = await (import(NODE_SQLITE) as Promise<NodeSqlite>).catch(() => undefined);
  if (sqlite) {
    const database = new sqlite.DatabaseSync(file, { readOnly: true });
    return { all: (sql) => database.prepare(sql).all(), close: () => database.close() };
  }
  const module = await installed('sql.js');
  if (!module)
    throw new Error(
      `${file} is a database of SQLite: to read it takes Node 22.13 or later, or the package sql.js: npm install sql.js`,
    );
  // sql.js reads only the one file, and would miss the latest writes.
  const log = await stat(`${file}-wal`).catch(() => undefined);
  if (log && log.size > 0)
    throw new Error(
      `${file} has changes in ${file}-wal that sql.js does not read: end the program that uses it, or take Node 22.13 or later`,
    );
  const { Database } = await (module.default as () => Promise<SqlJs>)();
  const database = new Database(await readFile(file));
  return {
    all: (sql) =>
      database
        .exec(sql)
        .flatMap(({ columns, values }) =>
          values.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))),
        ),
    close: () => database.close(),
  };
}
