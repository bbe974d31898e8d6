/** Databases of SQLite, read only: by Node where it can, or else by the package sql.js. */
import { readFile, stat } from 'node:fs/promises';
import { installed } from './installed.js';

/** A row by its columns. */
export type Row = Record<string, unknown>;

export interface Database {
  all(sql: string): Row[];
  close(): void;
}

/** What is used of `node:sqlite`, which not every Node has. */
interface NodeSqlite {
  DatabaseSync: new (
    path: string,
    options: { readOnly: boolean },
  ) => { prepare(sql: string): { all(): Row[] }; close(): void };
}

/** What is used of sql.js. */
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
  // It reads the one file, and would not see what was written last.
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
