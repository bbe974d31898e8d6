/**
 * Files, and databases of DuckDB, through the package `@duckdb/node-api`. What it may read is settled before the first
 * statement and cannot be changed by one: only what the host has named, and nothing is written but to a temporary folder.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { installed } from '../installed.js';
import { markOf, type Files } from './files.js';
import { plain, type Cell, type Description, type Parameter, type Request, type Rows, type Source } from './source.js';

const PACKAGE = '@duckdb/node-api';

/** The parts of the package that are used. */
interface Api {
  DuckDBInstance: { create(path: string, options: Record<string, string>): Promise<Instance> };
  DOUBLE: unknown;
  BIGINT: unknown;
  VARCHAR: unknown;
  BOOLEAN: unknown;
}
interface Instance {
  connect(): Promise<Connection>;
  closeSync(): void;
}
interface Connection {
  run(sql: string): Promise<unknown>;
  stream(sql: string, values: unknown[], types: unknown[]): Promise<Result>;
  interrupt(): void;
  closeSync(): void;
}
interface Result {
  fetchChunk(): Promise<{ rowCount: number; getRows(): Cell[][] } | null>;
}

/** The name of an attached database in statements. */
const ATTACHED = 'linked';

/** Reads what `of` names: files, or the path of a database. */
export class DuckDb implements Source {
  #instance: Promise<Instance> | undefined;
  #folder: string | undefined;

  constructor(private readonly of: Files | string) {}

  async describe(): Promise<Description> {
    if (typeof this.of === 'string') return { dialect: 'duckdb', mark: '' };
    const { format, paths } = await this.of.list();
    return { dialect: 'duckdb', from: { [format]: paths }, mark: await markOf(paths) };
  }

  async run(request: Request, signal: AbortSignal): Promise<Rows> {
    const api = await this.#api();
    this.#instance ??= this.#create(request);
    let instance: Instance;
    try {
      instance = await this.#instance;
    } catch (error) {
      this.#instance = undefined;
      throw error;
    }
    const connection = await instance.connect();
    const stop = () => connection.interrupt();
    signal.addEventListener('abort', stop);
    let running: Promise<unknown> = Promise.resolve();
    const close = () => {
      signal.removeEventListener('abort', stop);
      connection.interrupt();
      // A statement that is being interrupted still uses it.
      void running.catch(() => {}).finally(() => connection.closeSync());
    };
    const during = <T>(work: Promise<T>): Promise<T> => {
      running = work;
      return work;
    };
    try {
      signal.throwIfAborted();
      const result = await during(
        connection.stream(request.sql, request.parameters.map(plain), request.parameters.map(typeOf(api))),
      );
      const rows: Cell[][] = [];
      let isOver = false;
      return {
        close,
        async next(most) {
          while (rows.length < most && !isOver) {
            const chunk = await during(result.fetchChunk());
            isOver = !chunk || chunk.rowCount === 0;
            if (!isOver) rows.push(...chunk!.getRows());
          }
          return rows.splice(0, most);
        },
      };
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

  async #api(): Promise<Api> {
    const module = await installed(PACKAGE);
    if (!module) throw new Error(`reading files takes the package ${PACKAGE}: npm install ${PACKAGE}`);
    return module as unknown as Api;
  }

  async #create({ memory_bytes, spill_bytes, threads }: Request): Promise<Instance> {
    const { DuckDBInstance } = await this.#api();
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
      const { of } = this;
      if (typeof of === 'string')
        await connection.run(`ATTACH ${literal(await realpath(of))} AS ${ATTACHED} (READ_ONLY)`);
      else if (of.isFolder)
        await set('allowed_directories', `[${literal(of.root.endsWith(sep) ? of.root : of.root + sep)}]`);
      else await set('allowed_paths', `[${literal(of.root)}]`);
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

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The type of a parameter: the package takes a float without decimals for an integer. */
const typeOf =
  ({ DOUBLE, BIGINT, VARCHAR, BOOLEAN }: Api) =>
  (parameter: Parameter): unknown => {
    if (parameter === 'null') return VARCHAR;
    if ('float' in parameter) return DOUBLE;
    if ('integer' in parameter) return BIGINT;
    return 'boolean' in parameter ? BOOLEAN : VARCHAR;
  };
