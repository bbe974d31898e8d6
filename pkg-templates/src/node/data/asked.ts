/** Sources that are asked with what a goal knows: tools of an MCP server, functions of this program, addresses. */
import { createHash } from 'node:crypto';
import type { HostPredicate } from '../../book/predicates.js';
import { Variable } from '../../book/values.js';
import type { HttpServer, StdioServer } from '../../mcp/config.js';
import { resultOf } from '../../mcp/result.js';
import { ToolServers } from '../../mcp/servers.js';
import { Address } from './address.js';
import { Answer, type Columns, columnsOf, rowsOf, solutionsOf, type Json } from './answer.js';

/** How long answers hold, and what the book keeps of them. */
interface Kept {
  /** For how long an answer also holds for other queries than the one that asked, in milliseconds. Default: 0. */
  keepMs?: number;
  /** Whether the book keeps what was read, as facts `data_read/6` (docs/data.md). Default: false. */
  record?: boolean;
}

/** Tools of an MCP server as relations. */
export interface ToolSource extends Kept {
  /** The server, as in `mcpServers`. */
  server: StdioServer | HttpServer;
  /** The tools that goals may call, with the columns of each: `{ get_price: ['+item', '-price'] }`. */
  relations: Record<string, string[]>;
}

/** Functions of this program as relations. */
export interface FunctionSource extends Kept {
  /** The columns of each relation, and the function, which answers as one of `predicates` does. */
  relations: Record<string, { columns: string[]; answer: HostPredicate }>;
}

/** Addresses that answer with JSON as relations. */
export interface HttpSource extends Kept {
  /** What all their addresses begin with, as `https://api.example/v1`. */
  url: string;
  /** Sent with each request. Default: none. */
  headers?: Record<string, string>;
  /** The columns of each relation, and the rest of its address, as `/prices/{item}`. */
  relations: Record<string, { columns: string[]; path: string }>;
}

/** What a goal asks with what it knows. */
export type AskedSource = ToolSource | FunctionSource | HttpSource;

/** A question of a goal. */
interface Question {
  source: string;
  table: string | null;
  given: Record<string, Json>;
  bytes: number;
}

/** A relation: its columns, and what answers it. */
interface Relation {
  columns: Columns;
  ask(given: Record<string, Json>, answer: Answer, signal: AbortSignal): Promise<Json[][]>;
}

/** A source whose relations are asked. */
export class Asked {
  readonly #relations: Map<string, Relation>;
  readonly #kept: Required<Kept>;
  readonly #secrets: string[];
  #servers: ToolServers | undefined;

  /** @throws TypeError if it cannot be used */
  constructor(
    private readonly name: string,
    source: AskedSource,
    environment: Record<string, string | undefined>,
  ) {
    checkOptions(name, source);
    const { keepMs = 0, record = false } = source;
    if (!(Number.isSafeInteger(keepMs) && keepMs >= 0))
      throw new TypeError(`data: keepMs of ${name} is a whole number of milliseconds, as 60000`);
    if (typeof record !== 'boolean') throw new TypeError(`data: record of ${name} is true or false`);
    this.#kept = { keepMs, record };
    this.#secrets = secretsOf(source, environment);
    if (typeof source.relations !== 'object' || source.relations === null)
      throw new TypeError(`data: ${name} needs its relations, as { get_price: ['+item', '-price'] }`);
    const relations = Object.entries(source.relations as Record<string, unknown>);
    if (relations.length === 0) throw new TypeError(`data: ${name} has no relations: name those that goals may ask`);
    this.#relations = new Map(relations.map(([of, given]) => [of, this.#relation(source, of, given, environment)]));
  }

  /** What a relation is, as the crate reads it; `unnamed` if it is not named here. */
  describe(table: string | null | undefined): object {
    const relation = this.#find(table ?? null);
    if (typeof relation === 'string') return { unnamed: relation };
    const { keepMs, record } = this.#kept;
    return { asked: { columns: relation.columns, keep_ms: keepMs, record } };
  }

  /** The rows of an answer, as JSON, with its time and hash. */
  async ask({ table, given, bytes }: Question, signal: AbortSignal): Promise<string> {
    try {
      const relation = this.#find(table);
      if (typeof relation === 'string') throw new Error(relation);
      const answer = new Answer(bytes);
      const rows = await relation.ask(given, answer, signal);
      const time = new Date().toISOString();
      const hash = `sha256:${createHash('sha256').update(answer.text).digest('hex')}`;
      return `{"rows":${new Answer(bytes).json(rows)},"time":"${time}","hash":"${hash}"}`;
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error);
      const plain = this.#secrets.reduce((left, secret) => left.replaceAll(secret, '…'), told.trim());
      throw new Error(`${this.name}: ${plain.slice(0, TOLD_CHARS)}`);
    }
  }

  async close(): Promise<void> {
    await this.#servers?.close();
  }

  #find(table: string | null): Relation | string {
    const names = [...this.#relations.keys()];
    if (table === null && names.length === 1) return this.#relations.get(names[0]!)!;
    const found = table === null ? undefined : this.#relations.get(table);
    if (found) return found;
    return table === null
      ? `${this.name} has several relations: write \`${this.name}:RELATION\`. They are ${names.join(', ')}`
      : `${this.name} has no relation ${table} here; its relations are: ${names.join(', ')}`;
  }

  #relation(
    source: AskedSource,
    relation: string,
    given: unknown,
    environment: Record<string, string | undefined>,
  ): Relation {
    const what = `data: the relation ${relation} of ${this.name}`;
    const {
      columns: named,
      answer: solve,
      path,
    } = (Array.isArray(given) ? { columns: given } : (given ?? {})) as Partial<{
      columns: unknown;
      answer: HostPredicate;
      path: string;
    }>;
    const columns = columnsOf(named, what);
    const known = 'server' in source ? ['columns'] : 'url' in source ? ['columns', 'path'] : ['columns', 'answer'];
    if (!Array.isArray(given)) checkKeys(given as object, known, what);
    if ('server' in source) {
      this.#servers ??= new ToolServers({ [this.name]: source.server });
      const server = this.#servers.get(this.name)!;
      const ask: Relation['ask'] = async (given, answer, signal) => {
        const told = resultOf(await server.callTool({ name: relation, arguments: given }, { signal }));
        return rowsOf(answer.of(told), columns, given);
      };
      return { columns, ask };
    }
    if ('url' in source) {
      const headers = expanded(source.headers ?? {}, this.name, environment);
      const names = columns.map(({ name }) => name);
      const address = new Address(source.url, path, names, headers, what);
      const ask: Relation['ask'] = async (given, answer, signal) =>
        rowsOf(answer.of(await address.got(given, answer.bytes, signal)), columns, given);
      return { columns, ask };
    }
    if (typeof solve !== 'function') throw new TypeError(`${what} needs a function, its \`answer\``);
    const ask: Relation['ask'] = async (given, answer, signal) => {
      const args = columns.map(({ name }) => (Object.hasOwn(given, name) ? given[name] : new Variable('_')));
      return solutionsOf(solve(...args), columns, given, answer, signal);
    };
    return { columns, ask };
  }
}

/** Shorter words of headers, as `Bearer`, are no secrets. */
const SECRET_CHARS = 8;

/** How much of an error of a tool is told. */
const TOLD_CHARS = 1_000;

/** @throws TypeError if an option is not known, or those of two kinds are given */
function checkOptions(name: string, source: AskedSource): void {
  const what = `data: ${name}`;
  if ('server' in source && 'url' in source)
    throw new TypeError(`${what} has a server and a url: give each a name of its own`);
  const kind = 'server' in source ? ['server'] : 'url' in source ? ['url', 'headers'] : [];
  checkKeys(source, [...kind, 'relations', 'keepMs', 'record'], what);
  if (!('url' in source)) return;
  const { url, headers = {} } = source;
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:/.test(url) || url.includes('#'))
    throw new TypeError(`data: the url of ${name} is one of http: or https:`);
  const { username, password } = new URL(url);
  if (username || password)
    throw new TypeError(
      `data: the url of ${name} has a user or a password: give them in \`headers\`, as authorization`,
    );
  if (typeof headers !== 'object' || headers === null || Object.values(headers).some((of) => typeof of !== 'string'))
    throw new TypeError(`data: the headers of ${name} are texts by their names`);
}

function checkKeys(given: object, known: string[], what: string): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new TypeError(`${what} has an unknown option ${unknown}; there are ${known.join(', ')}`);
}

function expanded(
  headers: Record<string, string>,
  name: string,
  environment: Record<string, string | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [
      header,
      value.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
        const found = environment[variable];
        if (!found) throw new TypeError(`data: the headers of ${name} need ${variable} in the environment`);
        return found;
      }),
    ]),
  );
}

/**
 * What must not be told of a source: headers and the words in them, the environment of its server, parameters of its address,
 * and what the environment gives.
 */
function secretsOf(source: AskedSource, environment: Record<string, string | undefined>): string[] {
  const { relations: _, ...how } = source;
  const secrets = new Set<string>();
  const text = JSON.stringify(how);
  for (const [, variable] of text.matchAll(/\$\{(?:env:)?(\w+)/g)) secrets.add(environment[variable!] ?? '');
  const { headers = {}, env = {} } = ('server' in source ? source.server : source) as {
    headers?: Record<string, string>;
    env?: Record<string, string>;
  };
  for (const value of [...Object.values(headers), ...Object.values(env)]) secrets.add(value);
  for (const text of Object.values(headers)) {
    const value = text.replace(/\$\{(\w+)\}/g, (_, variable: string) => environment[variable] ?? '');
    // A server may repeat `TOKEN` of `Bearer TOKEN`, or the password of `Basic USER:PASSWORD`.
    const [, basic] = /^basic\s+(\S+)$/i.exec(value) ?? [];
    const words = [value, ...(basic ? [Buffer.from(basic, 'base64').toString()] : [])];
    for (const word of words.flatMap((one) => one.split(/[\s,;:="]+/)))
      if (word.length >= SECRET_CHARS) secrets.add(word);
  }
  const { url } = ('server' in source ? source.server : source) as { url?: string };
  if (url !== undefined && URL.canParse(url))
    for (const value of new URL(url).searchParams.values()) {
      secrets.add(value);
      secrets.add(encodeURIComponent(value));
    }
  return [...secrets].filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length);
}
