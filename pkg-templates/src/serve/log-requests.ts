/** Requests to the log of a book, in the Durable Streams protocol: a text stream that is read from an offset. */
import type { Acting, Scope } from './access.js';
import type { Exchange } from './exchange.js';
import { Refusal } from './refusal.js';

/** A position in a log: the number of bytes before it, and the offset that names it. */
export interface Place {
  at: number;
  offset: string;
}

export interface LogPart {
  bytes: Uint8Array;
  end: Place;
}

/** A log of text. */
export interface ServedLog {
  /** Incremented when existing content was rewritten: followers start over. */
  readonly generation: number;
  /**
   * The number of bytes before an offset; `undefined` if the log does not have it, or no longer. Throws if it is not an
   * offset.
   */
  find(offset: string): Promise<number | undefined>;
  /** Where it ends, including everything acknowledged to anybody. */
  end(): Promise<Place>;
  /** A part that begins after this many bytes, and ends no later than the last {@link end}. */
  read(from: number): Promise<LogPart>;
  /** Resolves when there may be more. */
  more(from: number): Promise<void>;
  /**
   * Append a record. Resolves with the new end, or `undefined` if others have written since. `after` is the writer's
   * `Stream-Seq`. Refused if the rules of the book do not let the writer make the change.
   */
  append(record: Uint8Array, after: string | undefined, acting: Acting): Promise<Place | undefined>;
  close(): Promise<void>;
}

/** Headers of every response about a log. */
export const LOG_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const TYPE = 'text/plain';
/** Parts of the protocol for other kinds of streams, which would promise what a book does not keep. */
const NOT_FOR_BOOKS = [
  'stream-closed',
  'stream-ttl',
  'stream-expires-at',
  'stream-forked-from',
  'stream-fork-offset',
  'stream-fork-sub-offset',
  'producer-id',
  'producer-epoch',
  'producer-seq',
];
const CONTENT_TYPE = { 'Content-Type': TYPE };
/** A reader that is up to date gets an answer after this long at the latest, in milliseconds. */
const POLL_MS = 15_000;
/** The maximum duration of an event stream, in milliseconds: its client reconnects, and is authorized again. */
const EVENTS_MS = 60_000;
/** Cursors count intervals of this many milliseconds. */
const CURSOR_MS = 20_000;

/** The scope that a request to a log needs. Creating a book needs more. */
export const scopeOfLog = (method: string): Scope => (method === 'POST' || method === 'PUT' ? 'write' : 'read');

const queryOf = (exchange: Exchange) => new URL(exchange.request.url!, 'http://localhost').searchParams;

/** Whether the request waits for new content. */
export const isLive = (exchange: Exchange): boolean =>
  exchange.request.method === 'GET' && queryOf(exchange).has('live');

/** What a request to a log brings. */
export interface LogRequest {
  body: Uint8Array;
  /** Whether it has created the book. */
  begun: boolean;
  acting: Acting;
}

/**
 * Serve a request; resolves when the response has ended.
 */
export async function serveLog(exchange: Exchange, log: ServedLog, given: LogRequest): Promise<void> {
  const { body, acting } = given;
  switch (exchange.request.method) {
    case 'HEAD': {
      const { offset } = await log.end();
      return exchange.send(200, undefined, { ...CONTENT_TYPE, 'Stream-Next-Offset': offset });
    }
    case 'GET':
      return read(exchange, log);
    case 'POST': {
      checkHeaders(exchange);
      if (body.length === 0) throw new Refusal(400, 'Nothing to append');
      return exchange.send(204, undefined, { 'Stream-Next-Offset': await append(exchange, log, body, acting) });
    }
    case 'PUT':
      return begin(exchange, log, given);
    default:
      throw new Refusal(405, 'Use GET to read a log, and POST to append to it', { Allow: 'GET, HEAD, POST, PUT' });
  }
}

async function begin(exchange: Exchange, log: ServedLog, { body, begun, acting }: LogRequest): Promise<void> {
  checkHeaders(exchange);
  checkType(exchange.header('content-type') ?? TYPE);
  const offset = begun && body.length > 0 ? await append(exchange, log, body, acting) : (await log.end()).offset;
  const { host } = exchange.request.headers;
  const headers = { ...CONTENT_TYPE, 'Stream-Next-Offset': offset };
  if (!begun) return exchange.send(200, undefined, headers);
  exchange.send(201, undefined, { ...headers, Location: `http://${host}${exchange.request.url}` });
}

/** Append, and return the offset after it. */
async function append(exchange: Exchange, log: ServedLog, body: Uint8Array, acting: Acting): Promise<string> {
  const type = exchange.header('content-type');
  if (type === undefined) throw new Refusal(400, `Content-Type is missing: ${TYPE}`);
  checkType(type);
  const end = await log.append(body, exchange.header('stream-seq'), acting);
  if (!end) throw new Refusal(409, 'Another process has appended since: read the new records, and append after them');
  return end.offset;
}

function checkHeaders(exchange: Exchange): void {
  const found = NOT_FOR_BOOKS.find((header) => exchange.header(header) !== undefined);
  if (found) throw new Refusal(400, `${found} is not the content type of a book's log`);
}

function checkType(type: string): void {
  if (type.split(';')[0]!.trim().toLowerCase() !== TYPE) throw new Refusal(409, `A log is ${TYPE}, not ${type}`);
}

async function read(exchange: Exchange, log: ServedLog): Promise<void> {
  const query = queryOf(exchange);
  const [live, offset] = [query.get('live'), query.get('offset')];
  if (query.getAll('offset').length > 1) throw new Refusal(400, 'Give one offset');
  if (live !== null && live !== 'sse' && live !== 'long-poll') throw new Refusal(400, 'live must be sse or long-poll');
  if (live !== null && offset === null) throw new Refusal(400, 'offset is missing: -1 is the start, now is the end');
  const end = await log.end();
  const isNow = offset === 'now';
  const from = isNow ? end.at : offset === null || offset === '-1' ? 0 : await log.find(offset);
  if (from === undefined)
    throw new Refusal(410, 'The log no longer has this offset: it was rewritten. Read it from the start (offset=-1)');
  if (live === 'sse') return stream(exchange, log, from);
  const { generation } = log;
  if (live === 'long-poll' && from >= end.at) await soon(log.more(from), exchange, POLL_MS);
  const part = isNow && live === null ? { bytes: new Uint8Array(), end } : await readAll(log, from);
  if (log.generation !== generation)
    throw new Refusal(410, 'The log was rewritten. Read it from the start (offset=-1)');
  const isUpToDate = part.end.at >= (await log.end()).at;
  const etag = `"${offset ?? '-1'}:${part.end.offset}"`;
  const headers = {
    'Stream-Next-Offset': part.end.offset,
    ...(isUpToDate && { 'Stream-Up-To-Date': 'true' }),
    ...(live !== null && { 'Stream-Cursor': cursor(query) }),
    // New content would change what this URL returns.
    ...(!isNow && { ETag: etag, 'Cache-Control': 'private, no-cache' }),
  };
  if (live !== null && part.bytes.length === 0) return exchange.send(204, undefined, headers);
  if (!isNow && exchange.header('if-none-match') === etag) return exchange.send(304, undefined, headers);
  exchange.send(200, part.bytes, { ...CONTENT_TYPE, ...headers });
}

/** A part; at the start of the log, the first line and what follows it. */
async function readAll(log: ServedLog, from: number): Promise<LogPart> {
  const first = await log.read(from);
  if (from > 0) return first;
  const rest = await log.read(first.end.at);
  return { bytes: Buffer.concat([first.bytes, rest.bytes]), end: rest.end };
}

/** Send events for existing and new content. */
async function stream(exchange: Exchange, log: ServedLog, from: number): Promise<void> {
  const until = performance.now() + EVENTS_MS;
  const query = queryOf(exchange);
  const { generation } = log;
  exchange.stream();
  for (let at = from, told = false; !exchange.ended && performance.now() < until; ) {
    const { bytes, end } = await log.read(at);
    if (log.generation !== generation) break;
    if (bytes.length > 0 || !told) {
      told = true;
      if (bytes.length > 0) exchange.event(Buffer.from(bytes).toString(), 'data');
      const upToDate = end.at >= (await log.end()).at;
      const control = { streamNextOffset: end.offset, streamCursor: cursor(query), ...(upToDate && { upToDate }) };
      if (!exchange.event(JSON.stringify(control), 'control')) await drained(exchange);
      at = end.at;
    } else {
      await soon(log.more(at), exchange, until - performance.now());
    }
  }
  exchange.end();
}

/** Wait for the work, but at most for `ms` and as long as the client is there. */
async function soon(work: Promise<void>, exchange: Exchange, ms: number): Promise<void> {
  let timer: NodeJS.Timeout;
  let end = () => {};
  // Nobody may be waiting any more when it fails.
  work.catch(() => {});
  const ended = new Promise<void>((resolve) => {
    end = resolve;
    timer = setTimeout(resolve, ms);
    exchange.gone.addEventListener('abort', end);
  });
  await Promise.race([work, ended]);
  clearTimeout(timer!);
  exchange.gone.removeEventListener('abort', end);
}

/** Wait until the client has caught up. */
function drained(exchange: Exchange): Promise<void> {
  return new Promise((resolve) => {
    exchange.onread = resolve;
    exchange.gone.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Never repeats, so that no cache in between gives the same answer twice. */
function cursor(query: URLSearchParams): string {
  const now = Math.floor(Date.now() / CURSOR_MS);
  const given = Number(query.get('cursor') ?? 0);
  return String(given >= now ? given + 1 + Math.floor(Math.random() * 180) : now);
}
