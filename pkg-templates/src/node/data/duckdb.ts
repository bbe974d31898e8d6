/**
 * Files, and databases of DuckDB, through the package `@duckdb/node-api`. What it may read is settled before the first
 * statement and cannot be changed by one: only what the host has named, and nothing is written but to a temporary folder.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { installed } from '../installed.js';
import { markOf, type Files } from './files.js';
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

const PACKAGE = '@duckdb/node-api';

/** How often a statement is interrupted that goes on, in milliseconds. */
const INTERRUPT_MS = 20;

/** The parts of the package that are used. */
interface Api {
  DuckDBInstance: { create(path: string, options: Record<string, string>): Promise<Instance> };
  DOUBLE: unknown;
}
interface Instance {
  connect(): Promise<Connection>;
  closeSync(): void;
}
interface Connection {
  run(sql: string, values?: unknown[], types?: unknown[]): Promise<{ rowsChanged: number }>;
  stream(sql: string, values: unknown[], types?: unknown[]): Promise<Result>;
  interrupt(): void;
  closeSync(): void;
}
interface Result {
  fetchChunk(): Promise<Chunk | null>;
}
interface Chunk {
  rowCount: number;
  getRowValues(row: number): Cell[];
}

/** What an engine reads: files, or the path of a database, which statements know by this name. */
interface Part {
  of: Files | string;
  attached: string;
}

/** The bounds on an engine. */
type Bounds = Pick<Request, 'memory_bytes' | 'spill_bytes' | 'threads'>;

/** Whether the package that reads files is there. */
export const hasDuckDb = async (): Promise<boolean> => (await installed(PACKAGE)) !== undefined;

/** An engine, made when it is first used, which may read these parts and nothing else. */
export class Engine {
  #instance: Promise<Instance> | undefined;
  #folder: string | undefined;
  #double: unknown;

  constructor(private readonly parts: Part[]) {}

  async connect(bounds: Bounds): Promise<Connection> {
    this.#instance ??= this.#create(bounds);
    let instance: Instance;
    try {
      instance = await this.#instance;
    } catch (error) {
      this.#instance = undefined;
      throw error;
    }
    return instance.connect();
  }

  /** A whole number would be bound as an integer. */
  types(parameters: Parameter[]): unknown[] {
    return parameters.map((one) => (typeof one === 'object' && 'float' in one ? this.#double : undefined));
  }

  async run(request: Request, signal: AbortSignal): Promise<Rows> {
    const connection = await this.connect(request);
    const stop = () => interruptUntil(running, connection);
    signal.addEventListener('abort', stop);
    let running: Promise<unknown> = Promise.resolve();
    const close = () => {
      signal.removeEventListener('abort', stop);
      stop();
      void running.catch(() => {}).finally(() => ended(connection));
    };
    const during = <T>(work: Promise<T>): Promise<T> => {
      running = work;
      return work;
    };
    try {
      signal.throwIfAborted();
      const { sql, parameters } = request;
      const result = await during(connection.stream(sql, parameters.map(plain), this.types(parameters)));
      const rows = new Streamed(result);
      return { close, next: (most) => during(rows.next(most)) };
    } catch (error) {
      close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const instance = await this.#instance?.catch(() => undefined);
    instance?.closeSync();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #create({ memory_bytes, spill_bytes, threads }: Bounds): Promise<Instance> {
    const module = await installed(PACKAGE);
    if (!module) throw new Error(`reading files takes the package ${PACKAGE}: npm install ${PACKAGE}`);
    const { DuckDBInstance, DOUBLE } = module as unknown as Api;
    this.#double = DOUBLE;
    const megabytes = (bytes: number) => `${Math.max(1, Math.floor(bytes / 2 ** 20))}MiB`;
    this.#folder ??= await mkdtemp(join(tmpdir(), 'hornbook-data-'));
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: megabytes(memory_bytes),
      threads: String(threads),
      max_temp_directory_size: megabytes(spill_bytes),
      temp_directory: this.#folder,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    });
    const connection = await instance.connect();
    try {
      const set = (name: string, value: string) => connection.run(`SET GLOBAL ${name} = ${value}`);
      const folders: string[] = [];
      const files: string[] = [];
      for (const { of, attached } of this.parts) {
        if (typeof of === 'string')
          await connection.run(`ATTACH ${literal(await realpath(of))} AS "${attached}" (READ_ONLY)`);
        else if (of.isFolder) folders.push(literal(of.root.endsWith(sep) ? of.root : of.root + sep));
        else files.push(literal(of.root));
      }
      if (folders.length > 0) await set('allowed_directories', `[${folders.join(', ')}]`);
      if (files.length > 0) await set('allowed_paths', `[${files.join(', ')}]`);
      await set('TimeZone', `'UTC'`);
      await set('enable_external_access', 'false');
      await set('lock_configuration', 'true');
    } catch (error) {
      instance.closeSync();
      throw error;
    } finally {
      connection.closeSync();
    }
    return instance;
  }
}

/** Reads what `of` names: files, or the path of a database. */
export class DuckDb implements Source {
  readonly #engine: Engine;

  constructor(readonly of: Files | string) {
    this.#engine = new Engine([{ of, attached: 'linked' }]);
  }

  async describe(): Promise<Description> {
    if (typeof this.of === 'string') return { dialect: 'duckdb', mark: '' };
    const { format, paths } = await this.of.list();
    return { dialect: 'duckdb', from: { [format]: paths }, mark: await markOf(paths) };
  }

  run(request: Request, signal: AbortSignal): Promise<Rows> {
    return this.#engine.run(request, signal);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

/** Interrupt a connection until what runs is over: a statement that is not yet prepared forgets it. */
function interruptUntil(running: Promise<unknown>, connection: Connection): void {
  connection.interrupt();
  const again = setInterval(() => connection.interrupt(), INTERRUPT_MS);
  const end = () => clearInterval(again);
  running.then(end, end);
}

/**
 * Closes a connection on which nothing runs any more. Another statement ends a result of which rows are left: else it keeps its
 * memory until it is collected as garbage.
 */
async function ended(connection: Connection): Promise<void> {
  await connection.run('SELECT 1').catch(() => {});
  connection.closeSync();
}

/** The rows of a result. */
class Streamed {
  readonly #chunks: Chunk[] = [];
  /** Rows that were taken of the first chunk. */
  #taken = 0;
  #isOver = false;

  constructor(private readonly result: Result) {}

  async next(most: number): Promise<Cell[][]> {
    const rows: Cell[][] = [];
    while (rows.length < most) {
      const [chunk] = this.#chunks;
      if (!chunk) {
        if (this.#isOver) break;
        await this.#read();
      } else if (this.#taken === chunk.rowCount) {
        this.#chunks.shift();
        this.#taken = 0;
      } else {
        rows.push(chunk.getRowValues(this.#taken));
        this.#taken += 1;
      }
    }
    return rows;
  }

  /** Read all that is left: the next statement of the connection ends the result. */
  async drain(): Promise<void> {
    while (!this.#isOver) await this.#read();
  }

  async #read(): Promise<void> {
    const chunk = await this.result.fetchChunk();
    if (chunk && chunk.rowCount > 0) this.#chunks.push(chunk);
    else this.#isOver = true;
  }
}

/** Temporary tables of one connection. */
export class DuckDbSession implements Session {
  /** What runs, one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #open: Streamed | undefined;
  #isClosed = false;

  private constructor(
    private readonly engine: Engine,
    private readonly connection: Connection,
  ) {}

  static async begin(engine: Engine, bounds: Bounds): Promise<DuckDbSession> {
    return new DuckDbSession(engine, await engine.connect(bounds));
  }

  change({ sql, parameters }: Change): Promise<number> {
    return this.#next(async () => {
      await this.#free();
      // Without parameters several statements are carried out as one.
      const run =
        parameters.length > 0
          ? this.connection.run(sql, parameters.map(plain), this.engine.types(parameters))
          : this.connection.run(sql);
      return (await run).rowsChanged;
    });
  }

  run({ sql, parameters }: Request, signal: AbortSignal): Promise<Rows> {
    return this.#next(async () => {
      await this.#free();
      signal.throwIfAborted();
      const types = this.engine.types(parameters);
      const rows = new Streamed(await this.connection.stream(sql, parameters.map(plain), types));
      this.#open = rows;
      const close = () => {
        if (this.#open === rows) this.#open = undefined;
      };
      return { next: (most) => this.#next(() => rows.next(most)), close };
    });
  }

  close(): void {
    this.#isClosed = true;
    interruptUntil(this.#last, this.connection);
    void this.#last.catch(() => {}).finally(() => ended(this.connection));
  }

  async #free(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.drain();
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const begin = () => {
      if (this.#isClosed) throw new Error('it was stopped');
      return work();
    };
    const next = this.#last.then(begin, begin);
    this.#last = next;
    return next;
  }
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
