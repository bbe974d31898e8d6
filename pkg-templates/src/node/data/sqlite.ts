/** Databases of SQLite, read only: through Node if it can, otherwise through the package sql.js. */
import { openDatabase, type Database, type SqliteValue } from '../sqlite.js';
import { markOf } from './files.js';
import { plain, taken, type Cell, type Description, type Request, type Rows, type Source } from './source.js';

export class Sqlite implements Source {
  #database: Promise<Database> | undefined;
  /** The state of the file that was read whole, if it was. */
  #mark = '';

  constructor(private readonly path: string) {}

  async describe(): Promise<Description> {
    return { dialect: 'sqlite', mark: await markOf([this.path]) };
  }

  async run(request: Request): Promise<Rows> {
    const mark = await markOf([this.path]);
    const before = await this.#database;
    if (before?.isCopy && mark !== this.#mark) {
      // Rows that are being read of it stay what they are.
      this.#database = undefined;
    }
    this.#mark = mark;
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
  if (typeof value === 'number')
    return Number.isFinite(value) ? { float: value } : { text: value > 0 ? 'inf' : value < 0 ? '-inf' : 'nan' };
  if (typeof value === 'string') return { text: value };
  return { text: Buffer.from(value).toString('hex') };
}
