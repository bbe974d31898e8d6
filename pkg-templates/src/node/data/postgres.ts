/** A Postgres database through the package pg, in transactions that only read. */
import { postgresLibrary, type PgClient } from '../postgres-store.js';
import {
  plain,
  type Cell,
  type Change,
  type Description,
  type Parameter,
  type Request,
  type Rows,
  type Session,
  type Source,
} from './source.js';

/** How long the database may take to answer a new connection, in milliseconds. */
const CONNECT_MS = 5_000;
/** The most connections to it; a goal whose rows are not all read has one. */
const MOST = 8;
const CURSOR = 'hornbook';

export class Postgres implements Source {
  readonly #open = new Set<PgClient>();
  /** Those without a transaction. */
  readonly #idle = new Set<PgClient>();

  constructor(private readonly url: string) {}

  async describe(): Promise<Description> {
    return { dialect: 'postgres', mark: '' };
  }

  async run({ sql, parameters, timeout_ms }: Request, signal: AbortSignal): Promise<Rows> {
    const client = this.#taken() ?? (await this.#connect());
    const drop = () => {
      if (!this.#open.delete(client)) return;
      void client.end().catch(() => {});
    };
    let runs = false;
    const during = async <T>(work: Promise<T>): Promise<T> => {
      runs = true;
      try {
        return await work;
      } finally {
        runs = false;
      }
    };
    // The end of its connection alone does not end a statement.
    const stop = () => {
      if (runs && this.#open.has(client)) void this.#cancel(client);
      drop();
    };
    signal.addEventListener('abort', stop);
    let isOver = false;
    const rest = async () => {
      signal.removeEventListener('abort', stop);
      await client.query('COMMIT');
      if (this.#open.has(client)) this.#idle.add(client);
    };
    try {
      signal.throwIfAborted();
      await client.query('BEGIN READ ONLY');
      await client.query(`SET LOCAL statement_timeout = ${Math.floor(timeout_ms)}`);
      const declared = client.query({
        text: `DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${sql}`,
        values: bound(parameters),
      });
      await during(declared);
      return {
        async next(most) {
          const text = `FETCH ${Math.floor(most)} FROM ${CURSOR}`;
          const fetched = await during(client.query<Cell[]>({ text, rowMode: 'array' })).catch((error: unknown) => {
            drop();
            throw error;
          });
          isOver = fetched.rows.length < most;
          if (isOver) await rest();
          return fetched.rows;
        },
        close() {
          if (!isOver) stop();
        },
      };
    } catch (error) {
      signal.removeEventListener('abort', stop);
      drop();
      throw error;
    }
  }

  /** A connection whose temporary tables statements change; it changes nothing else. */
  async begin(): Promise<Session> {
    const client = await this.#connect();
    return new PostgresSession(client, (runs) => {
      if (!this.#open.delete(client)) return;
      const end = () => client.end().catch(() => {});
      void (runs ? this.#cancel(client).finally(end) : end());
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open].map((client) => client.end()));
    this.#open.clear();
  }

  #taken(): PgClient | undefined {
    const [client] = this.#idle;
    if (client) this.#idle.delete(client);
    return client;
  }

  async #connect(): Promise<PgClient> {
    if (this.#open.size >= MOST)
      throw new Error(`${MOST} goals over it are open already: close them with once/1 or findall/3`);
    const pg = await postgresLibrary();
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      options: '-c default_transaction_read_only=on -c timezone=UTC -c datestyle=ISO -c client_min_messages=error',
    });
    const lost = () => {
      this.#open.delete(client);
      this.#idle.delete(client);
    };
    // Whoever uses it sees the error in a statement.
    client.on('error', lost);
    client.on('end', lost);
    this.#open.add(client);
    try {
      await client.connect();
    } catch (error) {
      this.#open.delete(client);
      throw error;
    }
    return client;
  }

  /** Stop what a connection runs, by another one. */
  async #cancel({ processID }: PgClient): Promise<void> {
    const pg = await postgresLibrary();
    const other = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: CONNECT_MS });
    other.on('error', () => {});
    try {
      await other.connect();
      await other.query({ text: 'SELECT pg_cancel_backend($1)', values: [processID] });
    } catch {
      // The timeout of the statement ends it.
    } finally {
      await other.end().catch(() => {});
    }
  }
}

/** The values of parameters, as the package takes them. */
function bound(parameters: Parameter[]): unknown[] {
  return parameters.map((parameter) => {
    const value = plain(parameter);
    return typeof value === 'bigint' ? String(value) : value;
  });
}

/** The rows of a cursor, which are read to the end before its transaction ends. */
interface Reading {
  cursor: string;
  rows: Cell[][];
  isOver: boolean;
}

/**
 * Temporary tables are made in transactions of their own, which may write; all other statements are in one that only
 * reads, where Postgres lets temporary tables be filled and the tables of the database stay as they were at its start.
 */
class PostgresSession implements Session {
  #last: Promise<unknown> = Promise.resolve();
  #runs = 0;
  #isClosed = false;
  #reads = false;
  #cursors = 0;
  readonly #open = new Set<Reading>();

  constructor(
    private readonly client: PgClient,
    private readonly ended: (runs: boolean) => void,
  ) {}

  change({ sql, parameters, defines, timeout_ms }: Change): Promise<number> {
    return this.#next(async () => {
      if (defines) {
        await this.#commit();
        await this.client.query('BEGIN READ WRITE');
        await this.client.query({ text: sql, values: bound(parameters) });
        await this.client.query('COMMIT');
        return 0;
      }
      await this.#read(timeout_ms);
      return (await this.client.query({ text: sql, values: bound(parameters) })).rowCount ?? 0;
    });
  }

  run({ sql, parameters, timeout_ms }: Request, signal: AbortSignal): Promise<Rows> {
    return this.#next(async () => {
      signal.throwIfAborted();
      await this.#read(timeout_ms);
      this.#cursors += 1;
      const reading: Reading = { cursor: `${CURSOR}_${this.#cursors}`, rows: [], isOver: false };
      const text = `DECLARE ${reading.cursor} NO SCROLL CURSOR FOR ${sql}`;
      await this.client.query({ text, values: bound(parameters) });
      this.#open.add(reading);
      return {
        next: async (most) => {
          const missing = most - reading.rows.length;
          if (missing > 0 && !reading.isOver) await this.#next(() => this.#fetch(reading, missing));
          return reading.rows.splice(0, most);
        },
        close: () => void this.#open.delete(reading),
      };
    });
  }

  close(): void {
    this.#isClosed = true;
    this.ended(this.#runs > 0);
  }

  async #read(timeout_ms: number): Promise<void> {
    if (this.#reads) return;
    this.#reads = true;
    await this.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await this.client.query(`SET LOCAL statement_timeout = ${Math.floor(timeout_ms)}`);
  }

  async #commit(): Promise<void> {
    if (!this.#reads) return;
    for (const reading of this.#open) if (!reading.isOver) await this.#fetch(reading, 'ALL');
    this.#open.clear();
    this.#reads = false;
    await this.client.query('COMMIT');
  }

  async #fetch(reading: Reading, most: number | 'ALL'): Promise<void> {
    const text = `FETCH ${most} FROM ${reading.cursor}`;
    const { rows } = await this.client.query<Cell[]>({ text, rowMode: 'array' });
    reading.isOver = most === 'ALL' || rows.length < most;
    for (const row of rows) reading.rows.push(row);
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const begin = async () => {
      if (this.#isClosed) throw new Error('it was stopped');
      this.#runs += 1;
      try {
        return await work();
      } finally {
        this.#runs -= 1;
      }
    };
    const next = this.#last.then(begin, begin);
    this.#last = next;
    return next;
  }
}
