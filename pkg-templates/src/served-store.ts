/**
 * The store of a book on a `hornbook serve` server, by the address of its log: pages and processes of any machine read,
 * follow and append to it there. The server speaks Durable Streams.
 */
import type { SharedLog, Store } from './full/hornbook.js';
import { News, Patience, pause } from './remote-log.js';

/** The time limit for a request, except streams, in milliseconds. */
const ANSWER_MS = 15_000;
/** The delay before a retry, in milliseconds. */
const AGAIN_MS = 100;
/** The delay before a failed stream is reopened, in milliseconds. */
const REOPEN_MS = 500;
/** How often a store without a stream asks what is new, in milliseconds. */
const POLL_MS = 2000;
/** A stream that says nothing for this long is lost, in milliseconds: the server sends a comment more often. */
const QUIET_MS = 45_000;
/** How many answers in a row may have nothing new and yet not be the end. */
const EMPTY = 20;
const BEGIN = '-1';

/** Whether the name of a book is the address of its log. */
export const isServed = (book: string): boolean => /^https?:\/\//.test(book);

export class ServedStore implements Store {
  readonly name: string;
  /** Why it can only be read. */
  readOnly: string | undefined;
  readonly shared: SharedLog;
  readonly #url: URL;
  readonly #patience: Patience<unknown>;
  readonly #headers: Record<string, string>;
  readonly #connection = [...crypto.getRandomValues(new Uint8Array(6))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  /** How far it has been read, in bytes and as the server's offset. */
  #length = 0;
  #offset = BEGIN;
  /** Bytes that were fetched but not read yet; they end at `#length`. */
  #parts: Uint8Array[] = [];
  #replaced = false;
  readonly #news = new News();
  readonly #closed = new AbortController();
  #following = false;

  /**
   * @param address of the log, `http://HOST:PORT/log/NAME`
   * @param token that the server asks for
   * @param fetching sends the requests
   * @param mayStream whether a stream may be held from now on, until the signal; without one it is asked what is new
   */
  constructor(
    address: string,
    token?: string,
    private readonly fetching: typeof fetch = (...request) => fetch(...request),
    private readonly mayStream: (origin: string, over: AbortSignal) => Promise<boolean> = async () => true,
  ) {
    this.#url = new URL(address);
    this.name = `${this.#url.origin}${this.#url.pathname}`;
    this.#patience = new Patience({
      server: this.#url.host,
      againMs: AGAIN_MS,
      isFinal: () => this.#closed.signal.aborted,
    });
    this.#headers = {
      'User-Agent': `hornbook-${this.#connection}`,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    this.shared = this.#share();
  }

  async open(): Promise<number> {
    [this.#length, this.#offset, this.#parts, this.#replaced] = [0, BEGIN, [], false];
    const head = await this.#ask('HEAD');
    const mayRead = ['read', 'propose'].includes(head.headers.get('hornbook-scope') ?? '');
    this.readOnly = mayRead ? 'This needs the scope write, which the token does not have' : undefined;
    if (head.status === 404) {
      const begun = await this.#ask('PUT', { 'Content-Type': 'text/plain' });
      if (!begun.ok) throw await refusal(begun);
    }
    await this.#fetchNew();
    if (!this.#following) void this.#follow();
    return this.#length;
  }

  /** What comes before `from` will not be read again. */
  async read(from: number, count: number): Promise<Uint8Array> {
    const held = this.#parts.reduce((sum, part) => sum + part.length, 0);
    let at = this.#length - held;
    while (this.#parts[0] && at + this.#parts[0].length <= from) at += this.#parts.shift()!.length;
    const bytes = new Uint8Array(Math.max(0, Math.min(count, this.#length - from)));
    for (const part of this.#parts) {
      if (at >= from + bytes.length) break;
      const piece = part.subarray(Math.max(from - at, 0), from + bytes.length - at);
      bytes.set(piece, Math.max(at - from, 0));
      at += part.length;
    }
    return bytes;
  }

  // The server creates the book and keeps it intact.
  async append(_at: number, bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0) throw new Error('the server keeps it');
  }

  async replace(): Promise<void> {
    throw new Error('the server keeps it');
  }

  async setAside(): Promise<string> {
    throw new Error('the server keeps it');
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('the book was closed'));
    this.#news.come();
  }

  #share(): SharedLog {
    return {
      connection: this.#connection,
      wasAlone: false,
      isKeeper: false,
      settled() {},
      head: async () => {
        await this.#fetchNew();
        return { length: this.#length, replaced: this.#replaced };
      },
      tail: (from) => this.#news.next(this.#length > from),
      append: (at, pieces) => this.#append(at, pieces),
      replace: async () => false,
    };
  }

  /**
   * Resolves with whether it was written. Retried if the answer was lost, in which case the first write is in the way.
   */
  async #append(at: number, pieces: Uint8Array[]): Promise<boolean> {
    if (at !== this.#length || this.#replaced) return false;
    const record = new Blob(pieces as BlobPart[]);
    if (record.size === 0) return true;
    const offset = this.#offset;
    const answer = await this.#ask('POST', { 'Content-Type': 'text/plain', 'Stream-Seq': offset }, record);
    if (answer.status === 409) return false;
    if (!answer.ok) throw await refusal(answer);
    const bytes = new Uint8Array(await record.arrayBuffer());
    // The stream may have delivered it meanwhile. No await between this check and the write that relies on it.
    if (this.#offset === offset) this.#take(bytes, nextOf(answer));
    return true;
  }

  /** Fetch what is new. */
  async #fetchNew(): Promise<void> {
    for (let empty = 0; ; ) {
      const offset = this.#offset;
      const answer = await this.#ask('GET', {}, undefined, { offset });
      if (answer.status === 410) {
        this.#replaced = true;
        return;
      }
      if (!answer.ok) throw await refusal(answer);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      // The stream was faster and delivered the beginning of this answer, perhaps not all of it.
      if (this.#offset !== offset) continue;
      this.#take(bytes, nextOf(answer));
      if (answer.headers.get('stream-up-to-date') !== null) return;
      if (bytes.length > 0) continue;
      // Others may have written just now.
      if (++empty === EMPTY) throw new Error('the server did not answer like the log of a book');
      await pause(AGAIN_MS);
    }
  }

  #take(bytes: Uint8Array, offset: string): void {
    this.#offset = offset;
    this.#length += bytes.length;
    if (bytes.length > 0) this.#parts.push(bytes);
  }

  /** Follow what others write, for as long as the store is open. */
  async #follow(): Promise<void> {
    this.#following = true;
    let streams = false;
    while (!this.#closed.signal.aborted) {
      try {
        streams ||= await this.mayStream(this.#url.origin, this.#closed.signal);
        if (streams) await this.#listen();
        else {
          await pause(POLL_MS);
          await this.#fetchNew();
        }
      } catch {
        // A permanent failure is reported to the next caller.
        await pause(REOPEN_MS);
      }
      // Notifications sent meanwhile are lost.
      this.#news.come();
    }
  }

  /** Handle the events of one stream, until it ends. */
  async #listen(): Promise<void> {
    let at = this.#offset;
    const url = this.#at({ live: 'sse', offset: at });
    const lost = new AbortController();
    const { body, ok } = await this.fetching(url, {
      headers: this.#headers,
      signal: AbortSignal.any([this.#closed.signal, lost.signal]),
      cache: 'no-store',
    });
    if (!body || !ok) throw new Error('there is no stream');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => lost.abort(new Error('the server is silent')), QUIET_MS);
    };
    let data: string | undefined;
    try {
      heard();
      for await (const { type, text } of events(body)) {
        heard();
        if (type === 'data') data = text;
        if (type !== 'control') continue;
        const { streamNextOffset } = JSON.parse(text) as { streamNextOffset: string };
        if (data === undefined) continue;
        // Skip what was already fetched or written here.
        if (at === this.#offset) this.#take(new TextEncoder().encode(data), streamNextOffset);
        [at, data] = [streamNextOffset, undefined];
        this.#news.come();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** An answer, whatever its status. A server that cannot be reached or is busy is retried for a while. */
  #ask(method: string, headers = {}, body?: Blob, query: Record<string, string> = {}): Promise<Response> {
    const work = async () => {
      const answer = await this.fetching(this.#at(query), {
        method,
        headers: { ...this.#headers, ...headers },
        ...(body && { body }),
        cache: 'no-store',
        signal: AbortSignal.any([this.#closed.signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      if (answer.status !== 429 && answer.status < 500) return answer;
      const seconds = Number(answer.headers.get('retry-after') ?? 0);
      const refused = await refusal(answer);
      await pause(seconds * 1000);
      throw refused;
    };
    return this.#patience.with(work);
  }

  #at(query: Record<string, string>): URL {
    const url = new URL(this.#url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }
}

const nextOf = (answer: Response): string => {
  const offset = answer.headers.get('stream-next-offset');
  if (offset === null) throw new Error('the server did not answer like the log of a book');
  return offset;
};

/** The server's error message, as a sentence fragment. */
async function refusal(answer: Response): Promise<Error> {
  const text = (await answer.text()).trim();
  const reason = (messageOf(text) ?? text).replace(/\.$/, '');
  return new Error(reason || `it answers ${answer.status}`);
}

/** The message of an error in JSON-RPC, in which the server speaks of addresses that have no book. */
function messageOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}

/** The events of a stream, and its comments, which have no type. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<{ type: string; text: string }> {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const parts = (rest + read.value).split('\n\n');
      rest = parts.pop()!;
      for (const part of parts) {
        const fields = part.split('\n').map((line) => /^(event|data): ?(.*)$/s.exec(line) ?? []);
        const lines = fields.filter(([, name]) => name === 'data').map(([, , value]) => value);
        yield { type: fields.find(([, name]) => name === 'event')?.[2] ?? '', text: lines.join('\n') };
      }
    }
  } finally {
    // Whoever stops reading before the end gives the connection back.
    void reader.cancel().catch(() => {});
  }
}
