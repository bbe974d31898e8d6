/**
 * The log of a book in a Postgres table, which processes of any machine share. A row holds what one append has written,
 * from byte `start` on: of two appends at the same place only one can succeed, which the primary key enforces. A row
 * without bytes ends a generation; the next one is the same book, rewritten.
 */
import { randomBytes } from 'node:crypto';
import type { SharedLog, Store } from '../full/hornbook.js';
import { News, Patience } from '../remote-log.js';

/** The part of the library that is used. */
interface Queryable {
  query<Row>(query: string | Query): Promise<{ rows: Row[]; rowCount?: number | null }>;
}
interface Query {
  text: string;
  values?: unknown[];
  /** How long it may take to answer, in milliseconds. */
  query_timeout?: number;
  /** Rows as arrays. */
  rowMode?: 'array';
}
export interface PgClient extends Queryable {
  /** Of the process that serves it. */
  readonly processID: number;
  connect(): Promise<void>;
  on(event: 'notification', heard: (message: { payload?: string }) => void): void;
  on(event: 'error' | 'end', happened: () => void): void;
  end(): Promise<void>;
}
interface PgPool extends Queryable {
  connect(): Promise<Queryable & { release(destroy?: boolean): void }>;
  on(event: 'error', happened: () => void): void;
  on(event: 'connect', happened: (client: PgClient) => void): void;
  end(): Promise<void>;
}
interface Pg {
  Client: new (options: object) => PgClient;
  Pool: new (options: object) => PgPool;
}

const TABLE = `create table if not exists hornbook_log (
  book text not null,
  generation bigint not null,
  start bigint not null,
  bytes bytea,
  primary key (book, generation, start)
)`;
const CHANNEL = 'hornbook_log';

/** The delay before retrying a database that cannot be reached, in milliseconds. */
const AGAIN_MS = 200;
/** How long a database may take to answer, in milliseconds, before the connection is dropped. */
const ANSWER_MS = 5_000;
/** Allow an extra millisecond for this many bytes. */
const BYTES_PER_MS = 1_000;
/** How often to check that the listening connection still answers, in milliseconds. */
const ALIVE_MS = 5_000;
/** How often to look for changes if the database does not send notifications, in milliseconds. */
const LOOK_MS = 1_000;
/** The error code for a key that already exists. */
const TAKEN = '23505';
/** Error codes of a server going away, of conflicts with another writer, and of the network. */
const PASSING = /^(57P0[123]|08...|40001|40P01|53300|E[A-Z]+)$/;
/** Limits how long a transaction left open by a hanging connection can block others. */
const BEGIN = `begin; set local idle_in_transaction_session_timeout = ${ANSWER_MS}`;
const INSERT = 'insert into hornbook_log (book, generation, start, bytes) values ($1, $2, $3, $4)';

/** A database with books. */
export class PostgresLogs {
  readonly name: string;
  readonly #listeners = new Map<string, Set<() => void>>();
  #ears: PgClient | undefined;
  /** Whether the database sends notifications; CockroachDB does not, nor do older versions of YugabyteDB. */
  #tells = true;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(
    private readonly pg: Pg,
    private readonly settings: object,
    private readonly pool: PgPool,
    { host, pathname }: URL,
  ) {
    this.name = host + pathname;
  }

  /** Connect. Rejects with a sentence if that fails, or if the database might lose what it has confirmed. */
  static async connect(url: string): Promise<PostgresLogs> {
    const pg = await postgresLibrary();
    const settings = {
      connectionString: url,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    };
    const pool = new pg.Pool({ ...settings, max: 8 });
    // An idle connection was lost; the next user gets another.
    pool.on('error', () => {});
    // The user of a connection sees the error in its query.
    pool.on('connect', (client) => client.on('error', () => {}));
    const logs = new PostgresLogs(pg, settings, pool, new URL(url));
    try {
      const { rows: careless } = await pool.query(
        "select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off'",
      );
      if (careless.length > 0) throw new Error('it may lose confirmed writes: set fsync and synchronous_commit to on');
      // Two processes that create it at once collide; the second attempt succeeds.
      await pool.query(TABLE).catch(() => pool.query(TABLE));
      await logs.#listen().catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        logs.#tells = false;
        logs.#every(LOOK_MS, () => logs.#wakeAll());
      });
      return logs;
    } catch (error) {
      await logs.close();
      throw new Error(`the database cannot be used: ${(error as Error).message}`);
    }
  }

  store(book: string): PostgresStore {
    return new PostgresStore(this.pool, book, this.#tells, (wake) => {
      const listeners = this.#listeners.get(book) ?? new Set();
      this.#listeners.set(book, listeners.add(wake));
      return () => {
        listeners.delete(wake);
        if (listeners.size === 0) this.#listeners.delete(book);
      };
    });
  }

  async has(book: string): Promise<boolean> {
    const { rows } = await this.pool.query({
      text: 'select 1 from hornbook_log where book = $1 limit 1',
      values: [book],
    });
    return rows.length > 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#ears?.end().catch(() => {});
    await this.pool.end();
  }

  async #listen(): Promise<void> {
    const ears = new this.pg.Client(this.settings);
    let lost = false;
    const again = () => {
      if (lost) return;
      lost = true;
      clearInterval(this.#timer);
      void this.#listenAgain();
    };
    const give = () => void ears.end().catch(() => {});
    ears.on('error', () => this.#ears === ears && again());
    ears.on('notification', ({ payload = '' }) => this.#wake(payload));
    try {
      await ears.connect();
      await ears.query(`listen ${CHANNEL}`);
    } catch (error) {
      give();
      throw error;
    }
    this.#ears = ears;
    ears.on('end', again);
    this.#every(ALIVE_MS, () => void ears.query('select 1').catch(give));
    this.#wakeAll();
  }

  #every(ms: number, work: () => void): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(work, ms).unref();
  }

  /** Notifications sent while nobody listened are lost. */
  #wakeAll(): void {
    for (const book of this.#listeners.keys()) this.#wake(book);
  }

  async #listenAgain(): Promise<void> {
    while (!this.#closed) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
      try {
        return await this.#listen();
      } catch {
        // Retried until the database is back.
      }
    }
  }

  #wake(book: string): void {
    for (const wake of this.#listeners.get(book) ?? []) wake();
  }
}

export class PostgresStore implements Store {
  readonly name: string;
  readonly shared: SharedLog;
  #generation = 0;
  /** How far this process has read or written. */
  #known = 0;
  readonly #news = new News();
  readonly #unlisten: () => void;

  readonly #patience = new Patience({ server: 'the database', againMs: AGAIN_MS, isFinal: isRefusal });

  /**
   * @param tells whether notifications reach others
   * @param listen registers a callback for when others may have written, and returns the function that removes it
   */
  constructor(
    private readonly pool: PgPool,
    private readonly book: string,
    private readonly tells: boolean,
    listen: (wake: () => void) => () => void,
  ) {
    this.name = `book ${book}`;
    this.shared = this.#share();
    this.#unlisten = listen(() => this.#news.come());
  }

  async open(): Promise<number> {
    // In one statement: between two, the log could be rewritten.
    const [last] = await this.#query<{ generation: string; at: string; length: number | null }>(
      `select generation::text, start::text as at, octet_length(bytes) as length from hornbook_log
       where book = $1 order by generation desc, start desc limit 1`,
      [this.book],
    );
    this.#generation = Number(last?.generation ?? 0);
    this.#known = last ? Number(last.at) + (last.length ?? 0) : 0;
    return this.#known;
  }

  async read(from: number, count: number): Promise<Uint8Array> {
    const rows = await this.#query<{ part: Uint8Array }>(
      `select substring(bytes
         from (greatest($3::bigint - start, 0) + 1)::int
         for (least(start + octet_length(bytes), $4::bigint) - greatest(start, $3::bigint))::int) as part
       from hornbook_log
       where book = $1 and generation = $2 and bytes is not null
         and start < $4::bigint and start >= (
           select coalesce(max(start), 0) from hornbook_log
           where book = $1 and generation = $2 and start <= $3::bigint and bytes is not null)
       order by start`,
      [this.book, this.#generation, from, from + count],
      count,
    );
    const bytes = Buffer.concat(rows.map(({ part }) => part));
    this.#known = Math.max(this.#known, from + bytes.length);
    return bytes;
  }

  /** Appends are atomic: there is nothing to cut off or to mark. */
  async append(at: number, bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0 && !(await this.#put(at, bytes))) throw new Error('another process has written to it');
  }

  /** Create the book; everybody creates it with the same bytes. */
  async replace(bytes: Uint8Array): Promise<void> {
    if (await this.#put(0, bytes)) return;
    const begun = await this.read(0, bytes.length);
    if (Buffer.compare(begun, bytes) !== 0) throw new Error('another process has just created it; open it again');
  }

  async setAside(): Promise<string> {
    throw new Error('a row of its log is incomplete');
  }

  async close(): Promise<void> {
    this.#unlisten();
    this.#news.come();
  }

  #share(): SharedLog {
    return {
      connection: randomBytes(6).toString('hex'),
      wasAlone: false,
      isKeeper: true,
      settled() {},
      head: () => this.#end(),
      tail: (from) => this.#news.next(this.#known > from),
      append: async (at, pieces) => {
        const bytes = Buffer.concat(pieces);
        return bytes.length === 0 || this.#put(at, bytes);
      },
      replace: (at, bytes) => this.#replace(at, bytes),
    };
  }

  /**
   * Resolves with whether it was written. Retried if the reply was lost, in which case the first write is in the way.
   */
  async #put(at: number, bytes: Uint8Array): Promise<boolean> {
    const generation = this.#generation;
    const done = await this.#take([[INSERT, [this.book, generation, at, Buffer.from(bytes)]]], bytes.length);
    if (done && generation === this.#generation) this.#known = Math.max(this.#known, at + bytes.length);
    return done;
  }

  /** End this generation at `at` and begin the next; readers of generations before this one must start over. */
  async #replace(at: number, bytes: Uint8Array): Promise<boolean> {
    const { book } = this;
    const generation = this.#generation;
    const statements: Statement[] = [
      [INSERT, [book, generation, at, null]],
      [INSERT, [book, generation + 1, 0, Buffer.from(bytes)]],
      ['delete from hornbook_log where book = $1 and generation < $2', [book, generation]],
    ];
    const done = await this.#take(statements, bytes.length);
    if (done) {
      this.#generation = generation + 1;
      this.#known = bytes.length;
    }
    return done;
  }

  /** The end of the generation, and whether it was replaced by another. */
  async #end(): Promise<{ length: number; replaced: boolean }> {
    const [last] = await this.#query<{ at: string; length: number | null }>(
      `select start::text as at, octet_length(bytes) as length from hornbook_log
       where book = $1 and generation = $2 order by start desc limit 1`,
      [this.book, this.#generation],
    );
    // The generation is gone if the log was rewritten twice; nothing has been written if the book is new.
    if (!last) return { length: this.#known, replaced: this.#known > 0 };
    return { length: Number(last.at) + (last.length ?? 0), replaced: last.length === null };
  }

  /** @param bytes the most that it returns */
  async #query<Row>(text: string, values: unknown[], bytes = 0): Promise<Row[]> {
    const query = { text, values, query_timeout: timeFor(bytes) };
    return this.#patience.with(async () => (await this.pool.query<Row>(query)).rows);
  }

  /**
   * Run all statements or none, and notify the others. Resolves with whether the places were free.
   *
   * @param bytes that are written
   */
  async #take(statements: Statement[], bytes: number): Promise<boolean> {
    const query_timeout = timeFor(bytes);
    const told: Statement[] = this.tells ? [['select pg_notify($1, $2)', [CHANNEL, this.book]]] : [];
    try {
      await this.#patience.with(async () => {
        const client = await this.pool.connect();
        let whole = false;
        try {
          await client.query(BEGIN);
          for (const [text, values] of [...statements, ...told]) await client.query({ text, values, query_timeout });
          await client.query({ text: 'commit', query_timeout });
          whole = true;
        } finally {
          // Discarding the connection also discards what was begun on it.
          client.release(!whole);
        }
      });
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === TAKEN) return false;
      throw error;
    }
  }
}

/** A statement with its values. */
type Statement = [text: string, values: unknown[]];

/** The time limit for a statement that writes or returns this many bytes, in milliseconds. */
const timeFor = (bytes: number) => ANSWER_MS + Math.ceil(bytes / BYTES_PER_MS);

/**
 * Whether the database has refused it permanently. Errors without a code are the library's own report of a lost
 * connection.
 */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code !== undefined && !PASSING.test(code);
}

/** The library, which the user has to install. */
export async function postgresLibrary(): Promise<Pg> {
  const name = 'pg';
  const found = await import(name).catch(() => {
    throw new Error('the npm package pg is needed: npm install pg');
  });
  return (found as { default: Pg }).default;
}
