/** The data that the host names, and the statements that run on it. */
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import type { DataHost } from '../../full/hornbook.js';
import { Asked, type AskedSource } from './asked.js';
import { DuckDb, DuckDbSession, Engine, hasDuckDb } from './duckdb.js';
import { PATTERN, databaseKind, filesAt } from './files.js';
import { Postgres } from './postgres.js';
import { shown } from './shown.js';
import { Batches } from './batches.js';
import type { Change, Request, Rows, Session, Source } from './source.js';
import { Sqlite } from './sqlite.js';

/** Addresses by the names that programs use, with `${NAME}` for what the environment has. */
export type DataAddresses = Record<string, string>;

/** The data of a program: addresses, and what is asked with what a goal knows. */
export type DataSources = Record<string, string | AskedSource>;

interface Cursor {
  stop: AbortController;
  rows: Promise<Batches>;
  failure: (error: unknown) => Error;
  request: Request;
  /** How many rows were read of it, and for how long it ran in milliseconds. */
  count: number;
  ms: number;
}

/** A session that begins, or has begun. */
interface Begun {
  session: Promise<Session>;
  failure: (error: unknown) => Error;
}

/** What a session is asked for. */
interface Beginning extends Pick<Request, 'memory_bytes' | 'spill_bytes' | 'threads' | 'timeout_ms'> {
  dialect: 'duckdb' | 'postgres';
  sources: string[];
}

/** A source with what must not be told of it. */
class Named {
  #source: Promise<Source> | undefined;

  constructor(
    readonly name: string,
    private readonly address: string,
    private readonly secrets: string[],
  ) {}

  /** Opened when it is first used, and again after it failed. */
  async source(): Promise<Source> {
    this.#source ??= sourceAt(this.address);
    try {
      return await this.#source;
    } catch (error) {
      this.#source = undefined;
      throw error;
    }
  }

  /** An error for whoever asks: by the name of the source, without its secrets and the folders of this machine. */
  failure(error: unknown): Error {
    return new Error(`${this.name}: ${this.hidden(asError(error)).message}`);
  }

  /** An error without its secrets, and without the folder of its files. */
  hidden(error: Error): Error {
    const told = this.without(error.message).split('\n')[0]!;
    const without = this.#folders().reduce((left, one) => left.replaceAll(one, ''), told);
    const limit = /out of memory error/i.test(without) ? ' (limit: data_memory_bytes)' : '';
    return new Error(without + limit);
  }

  /** The folder that has the file, or the folder, and where it really is. */
  #folders(): string[] {
    if (urlOf(this.address)) return [];
    const folder = dirname(this.address.split(PATTERN)[0]!);
    const found = [folder];
    try {
      found.push(realpathSync(folder));
    } catch {
      // It is not there, as the error says.
    }
    return found.map((one) => (one.endsWith(sep) ? one : one + sep)).filter((one) => one !== sep);
  }

  /** A text without its secrets. */
  without(text: string): string {
    return this.secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text);
  }

  async close(): Promise<void> {
    const source = await this.#source?.catch(() => undefined);
    await source?.close();
  }
}

export class LinkedData implements DataHost {
  readonly #sources = new Map<string, Named>();
  readonly #asked = new Map<string, Asked>();
  /** The questions that are not answered yet. */
  readonly #questions = new Map<number, AbortController>();
  readonly #cursors = new Map<number, Cursor>();
  readonly #sessions = new Map<number, Begun>();
  /** Engines that read several sources, by their names. */
  readonly #engines = new Map<string, Engine>();
  readonly #shows: boolean;

  /**
   * @param environment has what addresses name, and, as HORNBOOK_SQL, whether statements are written to standard error
   * @param folder where relative paths begin
   * @throws TypeError if a name or an address cannot be used
   */
  constructor(
    sources: DataSources,
    environment: Record<string, string | undefined> = process.env,
    folder = process.cwd(),
  ) {
    this.#shows = Boolean(environment.HORNBOOK_SQL);
    for (const [name, address] of Object.entries(sources)) {
      if (!/^\p{Ll}[\p{L}\p{N}_]*$/u.test(name))
        throw new TypeError(`data: '${name}' is no name of a source; write a word in lower case, as 'shop'`);
      if (typeof address === 'object' && address !== null) {
        this.#asked.set(name, new Asked(name, address, environment));
        continue;
      }
      if (typeof address !== 'string' || address === '')
        throw new TypeError(
          `data: the address of ${name} is a text, such as 'orders.parquet' or 'postgres://HOST/DATABASE'`,
        );
      const secrets = new Set<string>();
      const full = address.replace(/\$\{(\w+)\}/g, (_, variable: string, at: number) => {
        const value = environment[variable];
        if (!value) throw new TypeError(`data: the address of ${name} needs ${variable} in the environment`);
        secrets.add(value);
        // A user and a password may have any characters.
        return URL_BEGIN.test(address) && address.includes('@', at) ? encodeURIComponent(value) : value;
      });
      const url = urlOf(full);
      if (url) {
        if (!['postgres:', 'postgresql:'].includes(url.protocol))
          throw new TypeError(
            `data: ${name} has an address of ${url.protocol}//; use a file or postgres://HOST/DATABASE`,
          );
        for (const secret of [full, url.password, decoded(url.password)]) if (secret) secrets.add(secret);
        for (const [parameter, value] of url.searchParams) if (/pass/i.test(parameter)) secrets.add(value);
      }
      const at = url || isAbsolute(full) ? full : resolve(folder, full);
      // The longest first: one may contain another.
      this.#sources.set(
        name,
        new Named(
          name,
          at,
          [...secrets].sort((a, b) => b.length - a.length),
        ),
      );
    }
  }

  async describe(text: string): Promise<string> {
    const { source, table } = JSON.parse(text) as Request;
    const asked = this.#asked.get(source);
    if (asked) return JSON.stringify(asked.describe(table));
    if (!this.#sources.has(source)) return JSON.stringify({ unnamed: this.#unnamed(source) });
    const named = this.#named(source);
    try {
      return JSON.stringify(await (await named.source()).describe());
    } catch (error) {
      throw named.failure(error);
    }
  }

  async open(cursor: number, text: string): Promise<void> {
    const request = JSON.parse(text) as Request;
    const { session } = request;
    const stop = new AbortController();
    let rows: Promise<Rows>;
    let failure: Cursor['failure'];
    if (session === undefined) {
      const all = (request.sources ?? [request.source]).map((name) => this.#named(name));
      failure = (error) => failureOf(all, error);
      rows = (async () => (await this.#reader(all)).run(request, stop.signal))();
    } else {
      const begun = this.#begun(session);
      failure = begun.failure;
      rows = (async () => (await begun.session).run(request, stop.signal))();
    }
    const began = performance.now();
    const opened: Cursor = { stop, rows: rows.then((all) => new Batches(all)), failure, request, count: 0, ms: 0 };
    this.#cursors.set(cursor, opened);
    try {
      await opened.rows;
      opened.ms = performance.now() - began;
    } catch (error) {
      this.#cursors.delete(cursor);
      throw failure(error);
    }
  }

  async fetch(cursor: number, most: number, bytes: number): Promise<string> {
    const reading = this.#cursors.get(cursor)!;
    const { rows: opened, failure } = reading;
    const began = performance.now();
    try {
      const { rows, count, more } = await (await opened).next(most, bytes);
      reading.ms += performance.now() - began;
      reading.count += count;
      return `{"rows":[${rows.join(',')}],"more":${more}}`;
    } catch (error) {
      throw failure(error);
    }
  }

  async begin(number: number, text: string): Promise<boolean> {
    const request = JSON.parse(text) as Beginning;
    const all = request.sources.map((name) => this.#named(name));
    const failure = (error: unknown) => failureOf(all, error);
    if (request.dialect === 'duckdb' && !(await hasDuckDb())) return false;
    const session = this.#begin(all, request);
    this.#sessions.set(number, { session, failure });
    try {
      await session;
      return true;
    } catch (error) {
      this.#sessions.delete(number);
      throw failure(error);
    }
  }

  async change(number: number, text: string): Promise<number> {
    const { session, failure } = this.#begun(number);
    try {
      return await (await session).change(JSON.parse(text) as Change);
    } catch (error) {
      throw failure(error);
    }
  }

  async ask(number: number, text: string): Promise<string> {
    const question = JSON.parse(text) as Parameters<Asked['ask']>[0];
    const asked = this.#asked.get(question.source);
    if (!asked) throw new Error(this.#unnamed(question.source));
    const stop = new AbortController();
    this.#questions.set(number, stop);
    try {
      return await asked.ask(question, stop.signal);
    } finally {
      this.#questions.delete(number);
    }
  }

  close(number: number): void {
    this.#questions.get(number)?.abort();
    const begun = this.#sessions.get(number);
    this.#sessions.delete(number);
    void begun?.session.then((session) => session.close()).catch(() => {});
    const open = this.#cursors.get(number);
    if (!open) return;
    this.#cursors.delete(number);
    if (this.#shows) process.stderr.write(this.#told(open));
    open.stop.abort();
    void open.rows.then((rows) => rows.close()).catch(() => {});
  }

  /** Stop everything, and release the sources. */
  async end(): Promise<void> {
    const open = [this.#cursors, this.#sessions, this.#questions];
    for (const number of open.flatMap((numbers) => [...numbers.keys()])) this.close(number);
    const closing = [this.#sources, this.#engines, this.#asked].flatMap((ones) => [...ones.values()]);
    await Promise.allSettled(closing.map((one) => one.close()));
  }

  async #begin(all: Named[], request: Beginning): Promise<Session> {
    const [first] = all;
    if (request.dialect === 'postgres') {
      const source = await first!.source();
      if (source instanceof Postgres) return source.begin();
    }
    return DuckDbSession.begin(await this.#engine(all), request);
  }

  /** What runs a statement over these sources: the one itself, or an engine of DuckDB with all of them. */
  async #reader(all: Named[]): Promise<Pick<Source, 'run'>> {
    return all.length === 1 ? all[0]!.source() : this.#engine(all);
  }

  async #engine(all: Named[]): Promise<Engine> {
    const key = all.map(({ name }) => name).join(' ');
    let engine = this.#engines.get(key);
    if (!engine) {
      const sources = await Promise.all(all.map(async (one) => ({ name: one.name, source: await one.source() })));
      const parts = sources.flatMap(({ name, source }) =>
        source instanceof DuckDb ? [{ of: source.of, attached: `linked_${name}` }] : [],
      );
      engine = this.#engines.get(key) ?? new Engine(parts);
      this.#engines.set(key, engine);
    }
    return engine;
  }

  /** A statement that is over, without secrets. */
  #told({ request, count, ms }: Cursor): string {
    const { source, sources = [source] } = request;
    const text = shown(request, { source: sources.join(', ') || 'sets', rows: count, ms });
    const names = new Set(sources);
    return [...this.#sources.values()].reduce((told, one) => (names.has(one.name) ? one.without(told) : told), text);
  }

  #begun(number: number): Begun {
    const begun = this.#sessions.get(number);
    if (!begun) throw new Error('it was stopped');
    return begun;
  }

  #named(name: string): Named {
    const named = this.#sources.get(name);
    if (named) return named;
    throw new Error(this.#unnamed(name));
  }

  #unnamed(name: string): string {
    const names = [...this.#sources.keys(), ...this.#asked.keys()].join(', ') || 'none';
    return `there is no source ${name} here; the sources are: ${names}. Name it in \`data\` of openBook, or with --data ${name}=ADDRESS`;
  }
}

/** An error of a statement over these sources, without the secrets of any. */
const failureOf = (all: Named[], error: unknown): Error =>
  all.length === 1 ? all[0]!.failure(error) : all.reduce((failed, one) => one.hidden(failed), asError(error));

const asError = (error: unknown): Error =>
  error instanceof Error ? new Error(error.message.trim()) : new Error(String(error));

/** A drive of Windows is none. */
const URL_BEGIN = /^[a-z][a-z\d+.-]+:\/\//i;

/** The URL that an address is. */
function urlOf(address: string): URL | undefined {
  if (!URL_BEGIN.test(address)) return undefined;
  if (!URL.canParse(address)) throw new TypeError('data: an address is not a valid URL');
  return new URL(address);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function sourceAt(address: string): Promise<Source> {
  if (urlOf(address)) return new Postgres(address);
  const kind = await databaseKind(address);
  if (kind === 'sqlite') return new Sqlite(address);
  return new DuckDb(kind === 'duckdb' ? address : await filesAt(address));
}
