/** What a source of data is to those that use it. */

/** A value: `null`, the text of a value of the column's type, or a value with a type of its own. */
export type Cell = null | string | Typed;
export type Typed =
  | { integer: string }
  | { float: number }
  | { decimal: string }
  | { text: string }
  | { boolean: boolean };

/** A value that a statement is given. */
export type Parameter = 'null' | Typed;

/** A statement with its parameters, and the bounds on what runs it. */
export interface Request {
  source: string;
  table?: string;
  /** All sources, if it reads several in one engine. */
  sources?: string[];
  /** The session whose tables it reads. */
  session?: number;
  sql: string;
  parameters: Parameter[];
  memory_bytes: number;
  spill_bytes: number;
  threads: number;
  timeout_ms: number;
}

/** What a source consists of (`src/data/links.rs`). */
export interface Description {
  dialect: 'duckdb' | 'postgres' | 'sqlite';
  /** The files of the only table, by their format. */
  from?: { [format: string]: string[] };
  /** Is another when its files have changed. */
  mark: string;
}

/** The rows of a statement that runs. */
export interface Rows {
  /** The next rows, at most this many; fewer are the last. */
  next(most: number): Promise<Cell[][]>;
  /** Stop, and release what it holds. */
  close(): void;
}

/** A statement of a session, which changes temporary tables; or several that make or drop them. */
export interface Change {
  sql: string;
  parameters: Parameter[];
  timeout_ms: number;
  /** It makes or drops tables or views. */
  defines: boolean;
}

/** A connection with temporary tables of its own. */
export interface Session {
  /** How many rows the statement added. */
  change(change: Change): Promise<number>;
  run(request: Request, signal: AbortSignal): Promise<Rows>;
  /** Stop what runs, and drop the tables. */
  close(): void;
}

/** Data that statements can be run on. */
export interface Source {
  describe(): Promise<Description>;
  /** @param signal stops the statement, at once */
  run(request: Request, signal: AbortSignal): Promise<Rows>;
  close(): Promise<void>;
}

/** The value that a library of databases takes. */
export function plain(parameter: Parameter): string | number | boolean | bigint | null {
  if (parameter === 'null') return null;
  if ('integer' in parameter) return BigInt(parameter.integer);
  if ('float' in parameter) return parameter.float;
  if ('boolean' in parameter) return parameter.boolean;
  return 'text' in parameter ? parameter.text : parameter.decimal;
}

/** The next rows of an iterator, at most this many. */
export async function taken<Row>(rows: Iterator<Row> | AsyncIterator<Row>, most: number): Promise<Row[]> {
  const found: Row[] = [];
  while (found.length < most) {
    const { done, value } = await rows.next();
    if (done) break;
    found.push(value);
  }
  return found;
}
