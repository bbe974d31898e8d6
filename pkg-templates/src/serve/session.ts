/**
 * A client that started with `initialize`: its messages arrive in many requests, and answers are routed to the right
 * ones.
 */
import { randomUUID } from 'node:crypto';
import { READS, type Rights } from './access.js';
import type { OpenBook, Pipe } from './books.js';
import type { Admission, Client } from './clients.js';
import type { Exchange } from './exchange.js';
import { BATCHES, isRequest, metaOf, paramsOf, taskOf, textOf, type Id, type Message } from './message.js';
import { Refusal } from './refusal.js';

/** What to keep for a client that listens to no stream: beyond these many messages or characters, the oldest go. */
const HELD_BACK = 100;
const HELD_BACK_CHARS = 1 << 20;
/** How many characters of the capabilities in `initialize` are kept for the client's next connection to the book. */
const KEPT_CHARS = 1 << 13;

/** What one HTTP request brings, and what it may do. */
export interface Sent {
  exchange: Exchange;
  messages: Message[];
  isBatch: boolean;
  book: OpenBook;
  admission: Admission;
  /** What they may do. */
  rights: Rights;
  /** Wait until a request may run. Resolves with the function to call when it has ended or waits for its client. */
  enter: (request: Message) => Promise<() => void>;
}

/** An HTTP request waiting for answers. */
interface Post {
  exchange: Exchange;
  isBatch: boolean;
  admission: Admission;
  /** Its JSON-RPC requests that have no answer yet, and what to call when they have one. */
  open: Map<string, { request: Message; done: () => void }>;
  tokens: Set<string>;
  events: boolean;
  /** The answers, if they are sent as one. */
  answers: string[];
  /** End the turn of the request that runs. */
  leave: () => void;
}

const keyOf = (id: unknown) => JSON.stringify(id ?? null);

export class Session {
  readonly id = randomUUID();
  /** When it was last used, on the clock of `performance`. */
  used = performance.now();
  /** The revision that `initialize` agreed on. */
  #revision: unknown;
  #pipe: Pipe | undefined;
  #book: OpenBook | undefined;
  /** The messages that bring a new connection to the book into the state of the previous one. */
  readonly #kept = new Map<string, string>();
  /** Begins the ids of messages that are sent again: their answers are not for the client, which cannot know it. */
  readonly #again = randomUUID();
  readonly #posts = new Set<Post>();
  /** The one whose message the book is being given. */
  #given: Post | undefined;
  #listening: Exchange | undefined;
  #heldBack: string[] = [];

  constructor(
    readonly bookName: string,
    readonly client: Client,
  ) {}

  get busy(): boolean {
    return this.#posts.size > 0 || this.#listening !== undefined;
  }

  /** Whether `initialize` was answered. */
  get begun(): boolean {
    return this.#revision !== undefined;
  }

  /**
   * Serve the messages of one HTTP request, one after the other. Resolves when its response has ended. In this era a
   * client that disconnects cancels nothing that runs.
   */
  async post(sent: Sent): Promise<void> {
    const { exchange, messages, book, rights } = sent;
    const requests = messages.filter(isRequest);
    this.#check(sent, requests);
    const pipe = this.#connected(book);
    const give = (message: Message) => {
      if (message.method === 'notifications/cancelled') this.#settle(paramsOf(message).requestId as Id);
      pipe.receive(sent.isBatch ? JSON.stringify(message) : sent.exchange.text, rights);
    };
    if (requests.length === 0) {
      exchange.send(202);
      for (const message of messages) give(message);
      return;
    }
    const tokens = requests.map((request) => metaOf(request).progressToken).filter((token) => token !== undefined);
    const post: Post = {
      exchange,
      isBatch: sent.isBatch,
      admission: sent.admission,
      open: new Map(requests.map((request) => [keyOf(request.id), { request, done: () => {} }])),
      tokens: new Set(tokens.map(keyOf)),
      events: exchange.accepts('text/event-stream'),
      answers: [],
      leave: () => {},
    };
    this.#posts.add(post);
    exchange.onread = () => pipe.resume();
    try {
      for (const message of messages) {
        const open = isRequest(message) ? post.open.get(keyOf(message.id)) : undefined;
        // A request that was cancelled before its turn came is not begun.
        if (isRequest(message) && !open) continue;
        if (!open) {
          give(message);
          continue;
        }
        const answered = new Promise<void>((resolve) => (open.done = resolve));
        post.leave = await sent.enter(message);
        try {
          if (post.open.has(keyOf(message.id))) {
            this.#given = post;
            give(message);
            this.#given = undefined;
            await answered;
          }
        } finally {
          this.#given = undefined;
          post.leave();
        }
      }
    } finally {
      this.#posts.delete(post);
    }
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
      const end = () => {
        if (this.#listening === exchange) this.#listening = undefined;
        resolve();
      };
      if (exchange.gone.aborted) end();
      else exchange.gone.addEventListener('abort', end);
    });
  }

  /** Stop what runs for the session. */
  close(): void {
    this.#pipe?.close();
    this.#pipe = undefined;
    this.#listening?.end();
    for (const { exchange, open } of this.#posts) {
      exchange.end();
      const waiting = [...open.values()];
      open.clear();
      for (const { done } of waiting) done();
    }
    this.#posts.clear();
  }

  /** Check what the book would answer in a way that cannot be told apart. */
  #check({ isBatch }: Sent, requests: Message[]): void {
    if (isBatch && this.#revision !== BATCHES)
      throw new Refusal(400, `Batches are part of revision ${BATCHES} only: send the messages one by one`);
    const keys = requests.map(({ id }) => keyOf(id));
    const open = [...this.#posts].some((post) => keys.some((key) => post.open.has(key)));
    if (open || new Set(keys).size < keys.length)
      throw new Refusal(400, 'Another request with this id is still running');
  }

  /** The pipe to the book, which may have been closed since it was last used. */
  #connected(book: OpenBook): Pipe {
    if (this.#pipe && this.#book === book) return this.#pipe;
    this.#pipe?.close();
    this.#book = book;
    const pipe = book.connect(this.client, (text, message) => this.#send(text, message));
    this.#pipe = pipe;
    for (const message of this.#kept.values()) pipe.receive(message, READS);
    return pipe;
  }

  /** A request has succeeded: remember what the next connection has to be told again. */
  #remember(request: Message, answer: Message): void {
    const { uri, level, protocolVersion, capabilities, clientInfo } = paramsOf(request);
    switch (request.method) {
      case 'initialize': {
        this.#revision = answer.result?.protocolVersion;
        const named = clientInfo as { name?: unknown; version?: unknown } | null | undefined;
        const about = { name: textOf(named?.name, 100), version: textOf(named?.version, 100) };
        this.#keep('initialize', 'initialize', { protocolVersion, capabilities, clientInfo: about });
        return;
      }
      case 'logging/setLevel':
        this.#keep('level', 'logging/setLevel', { level });
        return;
      case 'resources/subscribe':
        this.#keep(`subscribe ${String(uri)}`, 'resources/subscribe', { uri });
        return;
      case 'resources/unsubscribe':
        this.#kept.delete(`subscribe ${String(uri)}`);
    }
  }

  #keep(key: string, method: string, params: unknown): void {
    this.#kept.set(key, JSON.stringify({ jsonrpc: '2.0', id: `${this.#again} ${key}`, method, params }));
  }

  /**
   * Route a message: an answer to its request, progress to the request it is about, and news of the book to the
   * session's own stream.
   */
  #send(text: string, message: Message): boolean {
    const { method } = message;
    if (method === undefined) {
      this.#settle(message.id, { text, message });
      return true;
    }
    if (isRequest(message)) for (const { leave } of this.#posts) leave();
    const isNews = /^notifications\/(resources\/updated|\w+\/list_changed)$/.test(method);
    const token = keyOf(paramsOf(message).progressToken);
    const open = [...this.#posts].filter(({ events, exchange }) => events && !exchange.ended);
    const post = open.find(({ tokens }) => tokens.has(token)) ?? (isNews ? undefined : open.at(-1));
    if (post) return post.exchange.event(text);
    if (this.#listening && !this.#listening.ended) return this.#listening.event(text);
    this.#holdBack(text);
    return true;
  }

  #holdBack(text: string): void {
    const held = this.#heldBack;
    held.push(text);
    let chars = held.reduce((sum, { length }) => sum + length, 0);
    while (held.length > HELD_BACK || (chars > HELD_BACK_CHARS && held.length > 1)) chars -= held.shift()!.length;
  }

  /** A request has its answer, or will get none; the last one ends the response. */
  #settle(id: Id | undefined, answer?: { text: string; message: Message }): void {
    if (typeof id === 'string' && id.startsWith(this.#again)) return;
    const key = keyOf(id);
    let post = [...this.#posts].find(({ open }) => open.has(key));
    let settled = key;
    if (!post && answer && (id ?? null) === null) {
      // The book could not read the id: what it was given last is not answered otherwise.
      post = this.#given ?? [...this.#posts].at(-1);
      settled = [...(post?.open.keys() ?? [])][0] ?? key;
    }
    const found = post?.open.get(settled);
    if (!post || !found) return;
    post.open.delete(settled);
    const task = answer && taskOf(answer.message);
    if (task !== undefined) this.#book?.follow(task, this.client, post.admission);
    if (answer && !answer.message.error) this.#remember(found.request, answer.message);
    this.#answer(post, answer?.text);
    found.done();
  }

  #answer({ exchange, isBatch, open, answers }: Post, text: string | undefined): void {
    const isLast = open.size === 0;
    if (exchange.streaming) {
      if (text !== undefined) exchange.event(text);
      if (isLast) exchange.end();
      return;
    }
    if (text !== undefined) answers.push(text);
    if (!isLast) return;
    if (answers.length > 0) exchange.send(200, isBatch ? `[${answers.join(',')}]` : answers[0]);
    else {
      exchange.stream();
      exchange.end();
    }
  }
}

/** How many characters of a JSON text a value is, with a comma and without what is in it. */
function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  return typeof value === 'object' && value ? 2 : String(value).length + 1;
}

/** Check that `initialize` has no more than can be kept. */
export function checkInitialize(message: Message): void {
  const { protocolVersion, capabilities } = paramsOf(message);
  let left = KEPT_CHARS;
  // However long they are, no more of them is looked at.
  JSON.stringify([protocolVersion, capabilities], function (this: unknown, key, value: unknown) {
    left -= charsOf(value) + (Array.isArray(this) ? 0 : key.length + 3);
    if (left < 0) throw new Refusal(413, `The capabilities in initialize have more than ${KEPT_CHARS} characters`);
    return value;
  });
}
