/** MCP over HTTP: authorizes each request and routes it. */
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Access, Principal } from './access.js';
import { BOOK_NAME, Books, type BookLimits, type OpenBook, type Sources } from './books.js';
import { Clients, type Client, type ClientLimits } from './clients.js';
import { Exchange } from './exchange.js';
import { Guard } from './guard.js';
import { LOG_HEADERS, isLive, scopeOfLog, serveLog } from './log-requests.js';
import type * as Libraries from './libraries.js';
import type { Log } from './log.js';
import { checkHeaders, clientName, failure, isModern, isRequest, parse, type Message } from './message.js';
import { Metrics } from './metrics.js';
import { scopeOf, takesTurn } from './need.js';
import { Refusal } from './refusal.js';
import type { Session } from './session.js';
import { Sessions } from './sessions.js';
import { serveStateless } from './stateless.js';
import { States } from './states.js';

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

/** What is known of an HTTP request, for the log. */
interface Noted {
  client?: string;
  book?: string;
  method?: string;
  tool?: string;
}

export class Server {
  readonly #http: HttpServer;
  readonly #guard: Guard;
  readonly #books: Books;
  readonly #clients: Clients;
  readonly #sessions = new Sessions();
  readonly #states = new States();
  readonly #metrics: Metrics;
  /** Requests being served, with promises that resolve when they end. */
  readonly #open = new Map<Exchange, Promise<void>>();
  readonly #streams = new Set<Exchange>();
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
    this.#metrics = new Metrics(libraries, {
      books: () => this.#books.size,
      sessions: () => this.#sessions.size,
      streams: () => this.#streams.size,
      clients: () => this.#clients.size,
    });
    this.#http = createServer((request, response) => {
      const exchange = new Exchange(request, response);
      const served = this.#serve(exchange).finally(() => this.#open.delete(exchange));
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
    for (const stream of this.#streams) stream.end();
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
      refusal = new Refusal(500, 'The server has failed; its log tells more', {}, -32603);
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
    if (this.#stopping) throw new Refusal(503, 'The server is being stopped', { Connection: 'close' }, -32000);
    if (path === '/metrics' && request.method === 'GET') return this.#tellMetrics(exchange);
    const [, wellKnown, kind, name] =
      /^(?:(\/\.well-known\/oauth-protected-resource)?\/(mcp)|\/(?:log))\/([^/]+)$/.exec(path) ?? [];
    if (name === undefined)
      throw new Refusal(404, 'There is nothing here; a book is at /mcp/NAME, and its log at /log/NAME');
    if (!BOOK_NAME.test(name))
      throw new Refusal(404, `No book can have this name: lower-case letters, digits, - and _, at most 64`);
    if (wellKnown) {
      const metadata = this.settings.access.metadata?.(name);
      if (!metadata) throw new Refusal(404, 'This server has no issuer of tokens');
      return exchange.send(200, JSON.stringify(metadata));
    }
    noted.book = name;
    const principal = await this.settings.access.identify(bearer(exchange), name);
    if (kind === undefined) return this.#log(exchange, name, principal, noted);
    switch (request.method) {
      case 'POST':
        return this.#post(exchange, name, principal, noted);
      case 'GET':
        return this.#listen(exchange, name, principal, noted);
      case 'DELETE': {
        const session = this.#session(exchange, name, principal);
        noted.client = session.client;
        this.#sessions.end(session);
        return exchange.send(200);
      }
      default:
        throw new Refusal(405, 'A message is sent by POST', { Allow: 'POST' });
    }
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

  async #post(exchange: Exchange, name: string, principal: Principal, noted: Noted): Promise<void> {
    if (!exchange.accepts('application/json') && !exchange.accepts('text/event-stream'))
      throw new Refusal(406, 'Answers are application/json or text/event-stream');
    const text = (await exchange.body(this.settings.client.bytes)).toString();
    const parsed = parse(text);
    const messages = Array.isArray(parsed) ? parsed : [parsed];
    const first = messages.find(isRequest) ?? messages[0] ?? {};
    exchange.id = first.id;
    noted.method = first.method ?? 'answer';
    if (first.method === 'tools/call') noted.tool = String(first.params?.name).slice(0, 100);

    const modern = !Array.isArray(parsed) && isModern(exchange.header('mcp-protocol-version'), first);
    if (modern) checkHeaders((header) => exchange.header(header), first);
    const begins = !modern && first.method === 'initialize';
    const session = modern || begins ? undefined : this.#session(exchange, name, principal);
    const readOnly = !principal.may('write', name);
    const own = begins ? this.#sessions.create(name, keyOf(principal, exchange, about(first)), readOnly) : session;
    const client = this.#clients.of(own?.client ?? keyOf(principal, exchange, clientName(first)));
    noted.client = client.key;

    for (const scope of ['read', ...messages.map(scopeOf)] as const)
      if (!principal.may(scope, name)) throw this.settings.access.forbidden(scope, name);
    const ends = [client.begin(Buffer.byteLength(text))];
    try {
      const [book, end] = await this.#books.use(name, client, principal.may('admin', name), exchange.gone);
      ends.push(end);
      for (const message of messages) await this.#checkQueries(message, book, client);
      const turn = messages.some(takesTurn) ? await book.turns.enter(client.key, exchange.gone) : () => {};
      ends.push(turn, book.work(client));
      if (first.method === 'subscriptions/listen') ends.push(this.#keepStream(exchange, client));
      if (modern)
        await serveStateless(exchange, first, text, { book, client: client.key, readOnly, states: this.#states });
      else await this.#inSession(exchange, own!, messages, text, book, turn, begins);
    } finally {
      for (const end of ends.reverse()) end();
    }
  }

  async #inSession(
    exchange: Exchange,
    session: Session,
    messages: Message[],
    text: string,
    book: OpenBook,
    turn: () => void,
    begins: boolean,
  ): Promise<void> {
    if (begins) {
      exchange.response.setHeader('Mcp-Session-Id', session.id);
      this.#sessions.keep(session);
    }
    session.used = performance.now();
    await session.post(exchange, messages, text, book, turn);
    session.used = performance.now();
  }

  async #checkQueries(message: Message, book: OpenBook, client: Client): Promise<void> {
    if (message.method === 'tools/call' && message.params?.name === 'query_start')
      await book.queries.check(client.key, this.settings.client.queries);
  }

  /** Serve a session's stream for messages that belong to no request. */
  async #listen(exchange: Exchange, name: string, principal: Principal, noted: Noted): Promise<void> {
    // Without a session there is no such stream.
    if (exchange.header('mcp-session-id') === undefined)
      throw new Refusal(405, 'A message is sent by POST', { Allow: 'POST' });
    const session = this.#session(exchange, name, principal);
    const client = this.#clients.of(session.client);
    noted.client = client.key;
    noted.method = 'GET';
    if (!exchange.accepts('text/event-stream')) throw new Refusal(406, 'What is sent here is text/event-stream');
    const end = this.#keepStream(exchange, client);
    try {
      const [book, leave] = await this.#books.use(name, client, false, exchange.gone);
      try {
        await session.listen(exchange, book);
      } finally {
        leave();
      }
    } finally {
      end();
    }
  }

  /** Serve the log of a book, which other processes and pages follow and append to. */
  async #log(exchange: Exchange, name: string, principal: Principal, noted: Noted): Promise<void> {
    exchange.isPlain = true;
    for (const [header, value] of Object.entries(LOG_HEADERS)) exchange.response.setHeader(header, value);
    const method = exchange.request.method!;
    const scope = scopeOfLog(method);
    if (!principal.may(scope, name)) throw this.settings.access.forbidden(scope, name);
    const client = this.#clients.of(keyOf(principal, exchange, exchange.header('user-agent')?.slice(0, 100)));
    noted.client = client.key;
    const live = isLive(exchange);
    if (!live) noted.method = `log ${method}`;
    const body = method === 'GET' ? Buffer.alloc(0) : await exchange.body(this.settings.client.bytes);
    const ends = [live ? this.#keepStream(exchange, client) : client.begin(body.length)];
    try {
      const begins = method === 'PUT' && !(await this.#books.has(name));
      const mayCreate = begins && principal.may('admin', name);
      const [book, end] = await this.#books.use(name, client, mayCreate, exchange.gone);
      ends.push(end);
      if (method === 'POST') ends.push(await book.turns.enter(client.key, exchange.gone));
      await serveLog(exchange, await book.log(), body, begins);
    } finally {
      for (const end of ends.reverse()) end();
    }
  }

  /** The stream stays open until the client or the server ends it. */
  #keepStream(exchange: Exchange, client: Client): () => void {
    const end = client.stream();
    this.#streams.add(exchange);
    return () => {
      this.#streams.delete(exchange);
      end();
    };
  }

  #session(exchange: Exchange, book: string, principal: Principal): Session {
    const id = exchange.header('mcp-session-id');
    if (id === undefined)
      throw new Refusal(
        400,
        'Mcp-Session-Id is missing: begin with initialize, or send what revision 2026-07-28 needs',
      );
    const session = this.#sessions.find(id);
    const isOwn = session && (principal.key === '' || session.client === principal.key);
    if (!isOwn || session.bookName !== book)
      throw new Refusal(404, 'There is no such session, or no more; begin again with initialize');
    return session;
  }
}

function bearer(exchange: Exchange): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(exchange.header('authorization') ?? '')?.[1];
}

/** The client's name in `initialize`. */
function about({ params }: Message): string | undefined {
  const info = params?.clientInfo as { name?: unknown } | undefined;
  return typeof info?.name === 'string' ? info.name.slice(0, 100) : undefined;
}

/** Without tokens, clients are distinguished by the names they give. */
function keyOf(principal: Principal, exchange: Exchange, name: string | undefined): string {
  return principal.key || `${name ?? 'unnamed'}@${exchange.request.socket.remoteAddress ?? ''}`;
}
