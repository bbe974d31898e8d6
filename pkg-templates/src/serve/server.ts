/** MCP over HTTP: authorizes each request and routes it. */
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { actingOf, highestScope, type Access, type Principal } from './access.js';
import { BOOK_NAME, Books, type BookLimits, type Sources } from './books.js';
import { Clients, type ClientLimits } from './clients.js';
import { placeOf } from './drafts.js';
import { Exchange } from './exchange.js';
import { Guard } from './guard.js';
import { LOG_HEADERS, isLive, scopeOfLog, serveLog } from './log-requests.js';
import type * as Libraries from './libraries.js';
import type { Log } from './log.js';
import { failure } from './message.js';
import { McpRequests, keyOf, type Noted } from './mcp-requests.js';
import { Metrics } from './metrics.js';
import { Presence, presentName } from './presence.js';
import { Refusal } from './refusal.js';
import { Sessions } from './sessions.js';
import { Streams } from './streams.js';
import { serveWatch, watchedGoal } from './watch-requests.js';

export interface Settings {
  host: string;
  port: number;
  /** Origins whose pages may use the server. */
  origins: string[];
  /** Names of the server besides `localhost` and its addresses. */
  hosts: string[];
  access: Access;
  client: ClientLimits;
  books: BookLimits;
  /** How long running requests may take after the server is stopped, in milliseconds. */
  graceMs: number;
}

/** The methods that metrics distinguish. */
const METHODS = new Set(
  'initialize ping tools/list tools/call resources/list resources/templates/list resources/read resources/subscribe resources/unsubscribe prompts/list prompts/get completion/complete logging/setLevel server/discover subscriptions/listen'
    .split(' ')
    .concat('log HEAD', 'log GET', 'log POST', 'log PUT'),
);

export class Server {
  readonly #http: HttpServer;
  readonly #guard: Guard;
  readonly #books: Books;
  readonly #clients: Clients;
  readonly #sessions = new Sessions();
  readonly #mcp: McpRequests;
  readonly #metrics: Metrics;
  /** Requests being served, with promises that resolve when they end. */
  readonly #open = new Map<Exchange, Promise<void>>();
  readonly #streams = new Streams();
  readonly #presence = new Presence();
  #stopping = false;

  constructor(
    private readonly settings: Settings,
    sources: Sources,
    libraries: typeof Libraries,
    private readonly log: Log,
  ) {
    this.#guard = new Guard(settings.origins, settings.hosts);
    this.#books = new Books(sources, settings.books, log);
    this.#clients = new Clients(settings.client);
    this.#mcp = new McpRequests(settings, this.#books, this.#clients, this.#sessions, this.#streams);
    this.#metrics = new Metrics(libraries, {
      books: () => this.#books.size,
      sessions: () => this.#sessions.size,
      streams: () => this.#streams.size,
      clients: () => this.#clients.size,
    });
    this.#http = createServer((request, response) => {
      const exchange = new Exchange(request, response);
      const served = this.#serve(exchange)
        // Whatever is wrong with one request ends that one only.
        .catch((error: Error) => {
          log('failed', { error: String(error.message).slice(0, 1_000) });
          response.destroy();
        })
        .finally(() => this.#open.delete(exchange));
      this.#open.set(exchange, served);
    });
  }

  /** Start listening. Resolves with the base URL. */
  async listen(): Promise<string> {
    const { host, port } = this.settings;
    await new Promise<void>((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen({ host, port }, resolve);
    });
    void this.#books.watchTimes().catch((error: Error) => this.log('failed', { error: error.message }));
    const { address, family, port: found } = this.#http.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${found}`;
  }

  /**
   * Accept nothing new, let running requests finish, and close the books. Resolves with whether all finished in time.
   */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeIdleConnections();
    this.#streams.end();
    let timer: NodeJS.Timeout;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.settings.graceMs);
    });
    const inTime = await Promise.race([Promise.all(this.#open.values()).then(() => true), late]);
    clearTimeout(timer!);
    this.#sessions.close();
    await this.#books.close();
    this.#http.closeAllConnections();
    await closed;
    return inTime;
  }

  async #serve(exchange: Exchange): Promise<void> {
    const started = performance.now();
    const noted: Noted = {};
    try {
      await this.#route(exchange, noted);
    } catch (error) {
      this.#refuse(exchange, error as Error);
    }
    const ms = performance.now() - started;
    const status = exchange.response.statusCode;
    const { method } = noted;
    if (method !== undefined) this.#metrics.answered(METHODS.has(method) ? method : 'other', status, ms);
    const gone = exchange.response.writableFinished || exchange.response.writableEnded ? undefined : true;
    const path = exchange.request.url?.split('?')[0];
    this.log('request', {
      http: exchange.request.method,
      path: noted.book === undefined ? path?.slice(0, 200) : undefined,
      ...noted,
      client: noted.client?.slice(0, 200),
      status,
      gone,
      ms: Math.round(ms * 10) / 10,
    });
  }

  #refuse(exchange: Exchange, error: Error): void {
    if (exchange.gone.aborted) return;
    let refusal: Refusal;
    if (error instanceof Refusal) {
      refusal = error;
    } else {
      this.log('failed', { error: error.message });
      refusal = new Refusal(500, "Internal error; see the server's log", {}, -32603);
    }
    if (exchange.streaming) {
      exchange.end();
      return;
    }
    // The rest of the request is not read.
    if (!exchange.request.complete) exchange.response.setHeader('Connection', 'close');
    const { status, headers, code, message } = refusal;
    if (exchange.isPlain) exchange.send(status, `${message}\n`, headers, 'text/plain; charset=utf-8');
    else exchange.send(status, failure(exchange.id, code, message), headers);
  }

  async #route(exchange: Exchange, noted: Noted): Promise<void> {
    const { request } = exchange;
    const path = request.url!.split('?')[0]!;
    if (path === '/health' && request.method === 'GET') return this.#health(exchange);
    this.#guard.check(exchange);
    this.#guard.allow(exchange);
    if (request.method === 'OPTIONS') return this.#guard.preflight(exchange);
    if (this.#stopping) throw new Refusal(503, 'The server is shutting down', { Connection: 'close' }, -32000);
    if (path === '/metrics' && request.method === 'GET') return this.#tellMetrics(exchange);
    const [, wellKnown, kind, name] =
      /^(?:(\/\.well-known\/oauth-protected-resource)?\/(?=mcp)|\/)(mcp|log|watch|present)\/([^/]+)$/.exec(path) ?? [];
    if (name === undefined)
      throw new Refusal(
        404,
        'There is nothing here; a book is at /mcp/NAME, its log at /log/NAME, what a goal answers at /watch/NAME?goal=GOAL, and who is there at /present/NAME?name=WHO',
      );
    if (!BOOK_NAME.test(name))
      throw new Refusal(404, `Invalid book name: use lower-case letters, digits, - and _, at most 64`);
    if (wellKnown) {
      const metadata = this.settings.access.metadata?.(name);
      if (!metadata) throw new Refusal(404, 'This server has no token issuer');
      return exchange.send(200, JSON.stringify(metadata));
    }
    noted.book = name;
    const principal = await this.settings.access.identify(bearer(exchange), name);
    if (kind === 'log') return this.#log(exchange, name, principal, noted);
    if (kind === 'watch') return this.#watch(exchange, name, principal, noted);
    if (kind === 'present') return this.#present(exchange, name, principal, noted);
    return this.#mcp.serve(exchange, name, principal, noted);
  }

  #health(exchange: Exchange): void {
    const status = this.#stopping ? 'stopping' : 'ok';
    exchange.send(this.#stopping ? 503 : 200, JSON.stringify({ status, books: this.#books.size }));
  }

  async #tellMetrics(exchange: Exchange): Promise<void> {
    const principal = await this.settings.access.identify(bearer(exchange), '');
    if (!principal.may('admin', '')) throw this.settings.access.forbidden('admin', '');
    exchange.send(200, await this.#metrics.text(), {}, this.#metrics.type);
  }

  /** Serve what a goal answers, which takes no turn: the book asks it after the changes that it can see. */
  async #watch(exchange: Exchange, name: string, principal: Principal, noted: Noted): Promise<void> {
    if (!principal.may('read', name)) throw this.settings.access.forbidden('read', name);
    const goal = watchedGoal(exchange);
    const key = keyOf(principal, exchange, exchange.header('user-agent')?.slice(0, 100));
    const client = this.#clients.of(key, principal.key !== '');
    noted.client = client.key;
    const admission = client.begin();
    const ends = [admission.end];
    try {
      ends.push(this.#streams.keep(exchange, client));
      const [book, end] = await this.#books.use(placeOf(principal, name), client, false, exchange.gone);
      ends.push(end);
      // Asking it for the first time is a request, and what follows is a stream.
      let worked = () => {};
      ends.push(() => worked());
      const asking = (is: boolean) => {
        worked();
        worked = is ? book.work(client) : () => {};
        // It connects again once it has time.
        if (!is && client.overworked && exchange.streaming) exchange.end();
      };
      await serveWatch(exchange, goal, book.watch, admission.end, asking);
    } finally {
      for (const end of ends.reverse()) end();
    }
  }

  /** Serve who has the book before them, and take where somebody is. */
  async #present(exchange: Exchange, name: string, principal: Principal, noted: Noted): Promise<void> {
    if (!principal.may('read', name)) throw this.settings.access.forbidden('read', name);
    const { method } = exchange.request;
    if (method !== 'GET' && method !== 'POST')
      throw new Refusal(405, 'Use GET to be present, and POST to say where', { Allow: 'GET, POST' });
    const client = this.#clients.of(keyOf(principal, exchange, undefined), principal.key !== '');
    noted.client = client.key;
    const admission = method === 'POST' ? client.begin() : undefined;
    const ends = [admission?.end ?? this.#streams.keep(exchange, client)];
    try {
      if (admission) {
        this.#presence.move(name, await exchange.body(admission));
        return exchange.send(204);
      }
      const who = presentName(exchange);
      const [, end] = await this.#books.use(name, client, false, exchange.gone);
      end();
      await this.#presence.stream(exchange, name, who);
    } finally {
      for (const end of ends.reverse()) end();
    }
  }

  /** Serve the log of a book, which other processes and pages follow and append to. */
  async #log(exchange: Exchange, name: string, principal: Principal, noted: Noted): Promise<void> {
    exchange.isPlain = true;
    for (const [header, value] of Object.entries(LOG_HEADERS)) exchange.response.setHeader(header, value);
    const method = exchange.request.method!;
    const scope = scopeOfLog(method);
    if (!principal.may(scope, name)) throw this.settings.access.forbidden(scope, name);
    exchange.response.setHeader('Hornbook-Scope', highestScope(principal, name));
    const key = keyOf(principal, exchange, exchange.header('user-agent')?.slice(0, 100));
    const client = this.#clients.of(key, principal.key !== '');
    noted.client = client.key;
    const live = isLive(exchange);
    if (!live) noted.method = `log ${method}`;
    const admission = live ? undefined : client.begin();
    const ends = [admission?.end ?? this.#streams.keep(exchange, client)];
    try {
      const body = admission && method !== 'GET' ? await exchange.body(admission) : Buffer.alloc(0);
      const begins = method === 'PUT' && !(await this.#books.has(name));
      const mayCreate = begins && principal.may('admin', name);
      const [book, end] = await this.#books.use(name, client, mayCreate, exchange.gone);
      ends.push(end);
      if (method === 'POST') ends.push(await book.turns.enter(client.key, exchange.gone));
      const acting = actingOf(principal, name);
      await serveLog(exchange, await book.log(), { body, begun: begins, acting });
    } catch (error) {
      if (error instanceof Refusal || exchange.gone.aborted) throw error;
      this.log('book_failed', { book: name, error: (error as Error).message });
      throw new Refusal(503, `The log of ${name} cannot be read or written now; the server's log says why.`);
    } finally {
      for (const end of ends.reverse()) end();
    }
  }
}

function bearer(exchange: Exchange): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(exchange.header('authorization') ?? '')?.[1];
}
