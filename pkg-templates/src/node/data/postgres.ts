/** A Postgres database through the package pg, in transactions that only read. */
import { postgresLibrary, type PgClient } from '../postgres-store.js';
import { plain, type Cell, type Description, type Request, type Rows, type Source } from './source.js';

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
        values: parameters.map((parameter) => {
          const value = plain(parameter);
          return typeof value === 'bigint' ? String(value) : value;
        }),
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
    if (this.#open.size >= MOST) throw new Error(`${MOST} goals over it are open: end them with once/1 or findall/3`);
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
