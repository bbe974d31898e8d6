/** SQLite databases, read only: through Node if it can, otherwise through the package sql.js. */
import { readFile, stat } from 'node:fs/promises';
import { installed } from './installed.js';

/** A row, by column name. */
export type Row = Record<string, unknown>;

/** A value of SQLite; integers are BigInts. */
export type SqliteValue = null | bigint | number | string | Uint8Array;

export interface Database {
  all(sql: string): Row[];
  /** The rows one by one, with the values of `$1`, `$2`, … */
  rows(sql: string, parameters: unknown[]): Iterator<SqliteValue[]>;
  /** Whether it is what the file was when it was opened. */
  isCopy: boolean;
  close(): void;
}

/** The part of `node:sqlite` that is used; not every Node has it. */
interface NodeSqlite {
  DatabaseSync: new (
    path: string,
    options: { readOnly: boolean },
  ) => { prepare(sql: string): NodeStatement; close(): void };
}
interface NodeStatement {
  all(): Row[];
  setReadBigInts(enabled: boolean): void;
  iterate(parameters: Row): Iterator<Row>;
}

/** The part of sql.js that is used. */
interface SqlJs {
  Database: new (
    bytes: Uint8Array,
  ) => {
    exec(sql: string): { columns: string[]; values: unknown[][] }[];
    prepare(sql: string): SqlJsStatement;
    close(): void;
  };
}
interface SqlJsStatement {
  bind(parameters: Row): void;
  step(): boolean;
  get(parameters: null, config: { useBigInt: boolean }): SqliteValue[];
  free(): void;
}

const NODE_SQLITE = 'node:sqlite';

/** @throws Error that says what is missing */
export async function openDatabase(file: string): Promise<Database> {
  const sqlite = await (import(NODE_SQLITE) as Promise<NodeSqlite>).catch(() => undefined);
  if (sqlite) {
    const database = new sqlite.DatabaseSync(file, { readOnly: true });
    return {
      all: (sql) => database.prepare(sql).all(),
      *rows(sql, parameters) {
        const statement = database.prepare(sql);
        statement.setReadBigInts(true);
        const rows = { [Symbol.iterator]: () => statement.iterate(byNumber(parameters)) };
        for (const row of rows) yield Object.values(row) as SqliteValue[];
      },
      isCopy: false,
      close: () => database.close(),
    };
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
    *rows(sql, parameters) {
      const statement = database.prepare(sql);
      try {
        statement.bind(byNumber(parameters));
        while (statement.step()) yield statement.get(null, { useBigInt: true });
      } finally {
        statement.free();
      }
    },
    isCopy: true,
    close: () => database.close(),
  };
}

/** Parameters by the names that statements give them. */
const byNumber = (parameters: unknown[]): Row =>
  Object.fromEntries(parameters.map((value, index) => [`$${index + 1}`, value]));
