/** Databases of SQLite, read only: through Node if it can, otherwise through the package sql.js. */
import { openDatabase, type Database, type SqliteValue } from '../sqlite.js';
import { plain, taken, type Cell, type Description, type Request, type Rows, type Source } from './source.js';

export class Sqlite implements Source {
  #database: Promise<Database> | undefined;

  constructor(private readonly path: string) {}

  async describe(): Promise<Description> {
    return { dialect: 'sqlite', changes: false };
  }

  async run(request: Request): Promise<Rows> {
    this.#database ??= openDatabase(this.path);
    let database: Database;
    try {
      database = await this.#database;
    } catch (error) {
      this.#database = undefined;
      throw error;
    }
    const rows = database.rows(request.sql, request.parameters.map(plain));
    return {
      next: async (most) => (await taken(rows, most)).map((row) => row.map(cell)),
      close: () => void rows.return?.(),
    };
  }

  async close(): Promise<void> {
    const database = await this.#database?.catch(() => undefined);
    database?.close();
  }
}

/** Each value has its own type. */
function cell(value: SqliteValue): Cell {
  if (value === null) return null;
  if (typeof value === 'bigint') return { integer: String(value) };
  if (typeof value === 'number') return { float: value };
  if (typeof value === 'string') return { text: value };
  return { text: Buffer.from(value).toString('hex') };
}
