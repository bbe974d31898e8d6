/** Requests to `/mcp/NAME`: who sends them and what they may do, their limits and turns, and where they are served. */
import { actingOf, type Access, type Principal, type Rights } from './access.js';
import type { Books, OpenBook } from './books.js';
import type { Admission, Client, ClientLimits, Clients } from './clients.js';
import { placeOf } from './drafts.js';
import type { Exchange } from './exchange.js';
import { checkHeaders, clientName, isModern, isModernVersion, isRequest, paramsOf, textOf } from './message.js';
import type { Message } from './message.js';
import { opensQuery, scopeOf, takesTurn } from './need.js';
import { Parsing } from './parsing.js';
import { Refusal } from './refusal.js';
import { Session, checkInitialize } from './session.js';
import type { Sessions } from './sessions.js';
import { serveStateless } from './stateless.js';
import { States } from './states.js';
import type { Streams } from './streams.js';

/** What is known of an HTTP request, for the log. */
export interface Noted {
  client?: string;
  book?: string;
  method?: string;
  tool?: string;
}

/** Messages, and how they are served. */
interface Served {
  messages: Message[];
  isBatch: boolean;
  client: Client;
  admission: Admission;
  rights: Rights;
}

export class McpRequests {
  readonly #states = new States();
  readonly #parsing = new Parsing();

  constructor(
    private readonly settings: { access: Access; client: ClientLimits },
    private readonly books: Books,
    private readonly clients: Clients,
    private readonly sessions: Sessions,
    private readonly streams: Streams,
  ) {}

  /** Serve a request. What it may do is decided by its own token, whatever its session was begun with. */
  async serve(exchange: Exchange, name: string, principal: Principal, noted: Noted): Promise<void> {
    const { method } = exchange.request;
    if (method !== 'POST' && method !== 'GET' && method !== 'DELETE')
      throw new Refusal(405, 'Use POST to send a message', { Allow: 'POST' });
    if (!principal.may('read', name)) throw this.settings.access.forbidden('read', name);
    if (method === 'POST') return this.#post(exchange, name, principal, noted);
    if (method === 'GET') return this.#listen(exchange, name, principal, noted);
    const session = this.#session(exchange, name, principal);
    noted.client = session.client.key;
    this.sessions.end(session);
    exchange.send(200);
  }

  async #post(exchange: Exchange, name: string, principal: Principal, noted: Noted): Promise<void> {
    if (!exchange.accepts('application/json') && !exchange.accepts('text/event-stream'))
      throw new Refusal(406, 'Accept must include application/json and text/event-stream');
    noted.method = 'unread';
    const place = placeOf(principal, name);
    // Whoever sends it pays for it from its first byte on.
    const names = exchange.header('mcp-session-id') !== undefined;
    const known = names && !isModernVersion(exchange.header('mcp-protocol-version'));
    const sender = known ? this.#session(exchange, name, principal).client : this.#sender(principal, exchange);
    noted.client = sender.key;
    const isNamed = known || principal.key !== '';
    const arrival = isNamed ? sender.begin() : sender.receive();
    const ends = [arrival.end];
    try {
      const body = await exchange.body(arrival);
      const { text, parsed } = await this.#parsing.parse(body, sender.key, exchange.gone);
      exchange.text = text;
      const isBatch = Array.isArray(parsed);
      const messages = isBatch ? parsed : [parsed];
      const first = messages.find(isRequest) ?? messages[0];
      if (!first) throw new Refusal(400, 'An empty batch is not a message');
      exchange.id = first.id;
      noted.method = first.method?.slice(0, 100) ?? 'answer';
      if (first.method === 'tools/call') noted.tool = textOf(paramsOf(first).name, 100);
      const modern = !isBatch && isModern(exchange.header('mcp-protocol-version'), first);
      if (modern) checkHeaders((header) => exchange.header(header), first);

      const begins = !modern && !isBatch && first.method === 'initialize';
      const given = modern || begins ? undefined : this.#session(exchange, name, principal);
      const client = given?.client ?? this.#named(principal, exchange, first);
      noted.client = client.key;
      for (const message of messages) {
        const scope = place === name ? scopeOf(message) : 'propose';
        if (!principal.may(scope, name)) throw this.settings.access.forbidden(scope, name);
      }
      let admission = arrival;
      if (!isNamed) {
        admission = client.begin();
        ends.push(admission.end);
        admission.add(arrival.bytes);
        arrival.end();
      }
      const requests = messages.filter(isRequest).length;
      if (requests > 1) ends.push(client.beginMore(requests - 1));
      if (messages.some(({ method }) => method === 'tools/call')) client.checkTasks();
      const readOnly = place === name && !principal.may('write', name);
      const rights = { readOnly, acting: actingOf(principal, name) };
      const [book, end] = await this.books.use(place, client, principal.may('admin', name), exchange.gone);
      ends.push(end);
      const served = { messages, isBatch, client, admission, rights };
      if (modern) await this.#stateless(exchange, book, served);
      else await this.#inSession(exchange, book, served, given);
    } finally {
      for (const end of ends.reverse()) end();
    }
  }

  async #stateless(exchange: Exchange, book: OpenBook, served: Served): Promise<void> {
    const [message] = served.messages as [Message];
    const isStream = message.method === 'subscriptions/listen';
    const end = isStream
      ? this.streams.keep(exchange, served.client)
      : await this.#enter(exchange, book, served.client, message);
    try {
      await serveStateless(exchange, message, { ...served, book, states: this.#states });
    } finally {
      end();
    }
  }

  async #inSession(exchange: Exchange, book: OpenBook, served: Served, given: Session | undefined): Promise<void> {
    const session = given ?? new Session(book.name, served.client);
    if (!given) {
      checkInitialize(served.messages[0]!);
      exchange.response.setHeader('Mcp-Session-Id', session.id);
      this.sessions.keep(session);
    }
    session.used = performance.now();
    try {
      const enter = (message: Message) => this.#enter(exchange, book, served.client, message);
      await session.post({ ...served, exchange, book, enter });
    } finally {
      session.used = performance.now();
      if (!session.begun) this.sessions.end(session);
    }
  }

  /** Wait until a request may run. Resolves with the function to call when it has ended, or waits for its client. */
  async #enter(exchange: Exchange, book: OpenBook, client: Client, message: Message): Promise<() => void> {
    const ends: (() => void)[] = [];
    const end = () => {
      for (const one of ends.splice(0).reverse()) one();
    };
    try {
      if (takesTurn(message)) ends.push(await book.turns.enter(client.key, exchange.gone));
      if (opensQuery(message)) ends.push(await book.queries.start(client.key, this.settings.client.queries));
      ends.push(book.work(client));
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Serve a session's stream for messages that belong to no request. */
  async #listen(exchange: Exchange, name: string, principal: Principal, noted: Noted): Promise<void> {
    // Without a session there is no such stream.
    if (exchange.header('mcp-session-id') === undefined)
      throw new Refusal(405, 'Use POST to send a message', { Allow: 'POST' });
    const session = this.#session(exchange, name, principal);
    noted.client = session.client.key;
    noted.method = 'GET';
    if (!exchange.accepts('text/event-stream')) throw new Refusal(406, 'Accept must include text/event-stream');
    const end = this.streams.keep(exchange, session.client);
    try {
      const place = placeOf(principal, name);
      const [book, leave] = await this.books.use(place, session.client, false, exchange.gone);
      try {
        await session.listen(exchange, book);
      } finally {
        leave();
      }
    } finally {
      end();
    }
  }

  #session(exchange: Exchange, book: string, principal: Principal): Session {
    const id = exchange.header('mcp-session-id');
    if (id === undefined)
      throw new Refusal(
        400,
        'Mcp-Session-Id is missing: begin with initialize, or send what revision 2026-07-28 needs',
      );
    const session = this.sessions.find(id);
    const isOwn = session && (principal.key === '' || session.client.key === principal.key);
    if (!isOwn || session.bookName !== placeOf(principal, book))
      throw new Refusal(404, 'Unknown or expired session: start a new one with initialize');
    return session;
  }

  /** The client that sends a message, before the message says its name. */
  #sender(principal: Principal, exchange: Exchange): Client {
    return this.clients.of(principal.key || `@${exchange.request.socket.remoteAddress ?? ''}`, principal.key !== '');
  }

  #named(principal: Principal, exchange: Exchange, message: Message): Client {
    return this.clients.of(keyOf(principal, exchange, clientName(message)), principal.key !== '');
  }
}

/** Without tokens, clients are distinguished by the names they give. */
export function keyOf(principal: Principal, exchange: Exchange, name: string | undefined): string {
  return principal.key || `${name ?? 'unnamed'}@${exchange.request.socket.remoteAddress ?? ''}`;
}
