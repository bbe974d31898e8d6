/**
 * A client that started with `initialize`: its messages arrive in many requests, and answers are routed to the right
 * ones.
 */
import { randomUUID } from 'node:crypto';
import type { OpenBook, Pipe } from './books.js';
import type { Exchange } from './exchange.js';
import { isRequest, type Id, type Message } from './message.js';

/** How many messages to keep for a client that listens to no stream; beyond that, the oldest are dropped. */
const HELD_BACK = 100;
/** How many messages of a client to remember for replay to its next connection to the book. */
const REMEMBERED = 100;
/** The prefix of the ids of replayed messages: their answers are not for the client. */
const AGAIN = 'hornbook again: ';

/** An HTTP request waiting for answers. */
interface Post {
  exchange: Exchange;
  /** The ids of its JSON-RPC requests, and their progress tokens. */
  ids: Set<string>;
  tokens: Set<string>;
  events: boolean;
  /** Called when the client is asked something, so that others need not wait. */
  asks: () => void;
  done: () => void;
}

const keyOf = (id: unknown) => JSON.stringify(id ?? null);

export class Session {
  readonly id = randomUUID();
  /** When it was last used, on the clock of `performance`. */
  used = performance.now();
  /** The client's name. */
  name = '';
  #pipe: Pipe | undefined;
  #book: OpenBook | undefined;
  /** The messages that bring a new connection to the book into the state of the previous one. */
  readonly #kept = new Map<string, string>();
  readonly #posts = new Set<Post>();
  #listening: Exchange | undefined;
  #heldBack: string[] = [];

  /** @param client the key of the session's client */
  constructor(
    readonly bookName: string,
    readonly client: string,
    private readonly readOnly: boolean,
  ) {}

  get busy(): boolean {
    return this.#posts.size > 0 || this.#listening !== undefined;
  }

  /**
   * Serve the messages of one HTTP request. Resolves when its response has ended. In this era a client that disconnects
   * cancels nothing.
   */
  post(exchange: Exchange, messages: Message[], text: string, book: OpenBook, asks: () => void): Promise<void> {
    const requests = messages.filter(isRequest);
    const pipe = this.#connected(book);
    for (const message of messages) this.#note(message);
    if (requests.length === 0) {
      exchange.send(202);
      pipe.receive(text);
      return Promise.resolve();
    }
    return new Promise((done) => {
      const tokens = requests.map(({ params }) => params?._meta?.progressToken).filter((token) => token !== undefined);
      this.#posts.add({
        exchange,
        ids: new Set(requests.map(({ id }) => keyOf(id))),
        tokens: new Set(tokens.map(keyOf)),
        events: exchange.accepts('text/event-stream'),
        asks,
        done,
      });
      exchange.onread = () => pipe.resume();
      pipe.receive(text);
    });
  }

  /** Serve a stream for messages that belong to no request; it replaces the previous one. */
  listen(exchange: Exchange, book: OpenBook): Promise<void> {
    const pipe = this.#connected(book);
    this.#listening?.end();
    this.#listening = exchange;
    exchange.stream();
    for (const message of this.#heldBack.splice(0)) exchange.event(message);
    exchange.onread = () => pipe.resume();
    return new Promise((resolve) => {
      exchange.gone.addEventListener('abort', () => {
        if (this.#listening === exchange) this.#listening = undefined;
        resolve();
      });
    });
  }

  /** Stop what runs for the session. */
  close(): void {
    this.#pipe?.close();
    this.#pipe = undefined;
    this.#listening?.end();
    for (const post of this.#posts) {
      post.exchange.end();
      post.done();
    }
    this.#posts.clear();
  }

  /** The pipe to the book, which may have been closed since it was last used. */
  #connected(book: OpenBook): Pipe {
    if (this.#pipe && this.#book === book) return this.#pipe;
    this.#pipe?.close();
    this.#book = book;
    const pipe = book.connect(this.client, this.readOnly, (text, message) => this.#send(text, message));
    this.#pipe = pipe;
    for (const message of this.#kept.values()) pipe.receive(message);
    return pipe;
  }

  /** Remember what the next connection has to be told again; expect no answers to cancelled requests. */
  #note({ method, params }: Message): void {
    switch (method) {
      case 'initialize': {
        const about = params?.clientInfo as { name?: unknown } | undefined;
        if (typeof about?.name === 'string') this.name = about.name.slice(0, 100);
        this.#keep('initialize', method, params);
        return;
      }
      case 'logging/setLevel':
        this.#keep('level', method, params);
        return;
      case 'resources/subscribe':
        if (this.#kept.size < REMEMBERED) this.#keep(`subscribe ${params?.uri}`, method, params);
        return;
      case 'resources/unsubscribe':
        this.#kept.delete(`subscribe ${params?.uri}`);
        return;
      case 'notifications/cancelled':
        this.#settle(params?.requestId as Id, false);
    }
  }

  #keep(key: string, method: string, params: unknown): void {
    this.#kept.set(key, JSON.stringify({ jsonrpc: '2.0', id: `${AGAIN}${key}`, method, params }));
  }

  /**
   * Route a message: an answer to its request, progress to the request it is about, and news of the book to the
   * session's own stream.
   */
  #send(text: string, message: Message | Message[]): boolean {
    const isBatch = Array.isArray(message);
    const first = (isBatch ? message[0] : message)!;
    if (first.method === undefined) {
      this.#settle(first.id, isBatch, text);
      return true;
    }
    if (isRequest(first)) for (const { asks } of this.#posts) asks();
    const isNews = /^notifications\/(resources\/updated|\w+\/list_changed)$/.test(first.method);
    const token = keyOf(first.params?.progressToken);
    const open = [...this.#posts].filter(({ events, exchange }) => events && !exchange.ended);
    const post = open.find(({ tokens }) => tokens.has(token)) ?? (isNews ? undefined : open.at(-1));
    if (post) return post.exchange.event(text);
    if (this.#listening && !this.#listening.ended) return this.#listening.event(text);
    this.#heldBack.push(text);
    if (this.#heldBack.length > HELD_BACK) this.#heldBack.shift();
    return true;
  }

  /** A request has its answer, or will get none; the last one ends the response. */
  #settle(id: Id | undefined, isBatch: boolean, answer?: string): void {
    if (typeof id === 'string' && id.startsWith(AGAIN)) return;
    const post = [...this.#posts].find(({ ids }) => ids.has(keyOf(id)));
    if (!post) return;
    post.ids.delete(keyOf(id));
    const { exchange } = post;
    const isLast = isBatch || post.ids.size === 0;
    if (exchange.streaming || !isLast || answer === undefined) {
      if (answer !== undefined) exchange.event(answer);
      else exchange.stream();
      if (isLast) exchange.end();
    } else {
      exchange.send(200, answer);
    }
    if (!isLast) return;
    this.#posts.delete(post);
    post.done();
  }
}
