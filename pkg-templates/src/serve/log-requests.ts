/** Requests to the log of a book, by the protocol Durable Streams: a stream of text that is read from an offset. */
import type { Scope } from './access.js';
import type { Exchange } from './exchange.js';
import { Refusal } from './refusal.js';

/** A place in a log: bytes before it, and the offset that names it. */
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
  /** Raised when what was there is no longer: whoever follows it begins again. */
  readonly generation: number;
  /** Bytes before an offset; `undefined` where the log does not have it, or no longer. Throws where it is none. */
  find(offset: string): Promise<number | undefined>;
  /** Where it ends, all that was answered to anybody included. */
  end(): Promise<Place>;
  /** A part that begins after so many bytes, and ends with the last {@link end} that was told or before. */
  read(from: number): Promise<LogPart>;
  /** Resolves when it may go further. */
  more(from: number): Promise<void>;
  /** Where it ends with the record; `undefined` where others have written since. `after` is the writer's `Stream-Seq`. */
  append(record: Uint8Array, after: string | undefined): Promise<Place | undefined>;
  close(): Promise<void>;
}

/** What each response to a request for a log has. */
export const LOG_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const TYPE = 'text/plain';
/** What the protocol has for other streams: they would promise what a book does not keep. */
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
/** A reader that has all is answered after so long at the latest, in milliseconds. */
const POLL_MS = 15_000;
/** A stream of events ends after so long, in milliseconds: its client comes again, and is looked at again. */
const EVENTS_MS = 60_000;
/** Cursors count intervals of so many milliseconds. */
const CURSOR_MS = 20_000;

/** What a request to a log needs. To begin a book is more. */
export const scopeOfLog = (method: string): Scope => (method === 'POST' || method === 'PUT' ? 'write' : 'read');

const queryOf = (exchange: Exchange) => new URL(exchange.request.url!, 'http://localhost').searchParams;

/** Whether the request waits for what is new. */
export const isLive = (exchange: Exchange): boolean =>
  exchange.request.method === 'GET' && queryOf(exchange).has('live');

/**
 * Resolves when the response has ended.
 *
 * @param begun whether the request has begun the book
 */
export async function serveLog(exchange: Exchange, log: ServedLog, body: Uint8Array, begun: boolean): Promise<void> {
  switch (exchange.request.method) {
    case 'HEAD': {
      const { offset } = await log.end();
      return exchange.send(200, undefined, { ...CONTENT_TYPE, 'Stream-Next-Offset': offset });
    }
    case 'GET':
      return read(exchange, log);
    case 'POST': {
      checkHeaders(exchange);
      if (body.length === 0) throw new Refusal(400, 'There is nothing to append');
      return exchange.send(204, undefined, { 'Stream-Next-Offset': await append(exchange, log, body) });
    }
    case 'PUT':
      return begin(exchange, log, body, begun);
    default:
      throw new Refusal(405, 'A log is read by GET, and appended to by POST', { Allow: 'GET, HEAD, POST, PUT' });
  }
}

async function begin(exchange: Exchange, log: ServedLog, body: Uint8Array, begun: boolean): Promise<void> {
  checkHeaders(exchange);
  checkType(exchange.header('content-type') ?? TYPE);
  const offset = begun && body.length > 0 ? await append(exchange, log, body) : (await log.end()).offset;
  const { host } = exchange.request.headers;
  const headers = { ...CONTENT_TYPE, 'Stream-Next-Offset': offset };
  if (!begun) return exchange.send(200, undefined, headers);
  exchange.send(201, undefined, { ...headers, Location: `http://${host}${exchange.request.url}` });
}

/** The offset behind what was appended. */
async function append(exchange: Exchange, log: ServedLog, body: Uint8Array): Promise<string> {
  const type = exchange.header('content-type');
  if (type === undefined) throw new Refusal(400, `Content-Type is missing: ${TYPE}`);
  checkType(type);
  const end = await log.append(body, exchange.header('stream-seq'));
  if (!end) throw new Refusal(409, 'Others have written since: read what is new, and append behind that');
  return end.offset;
}

function checkHeaders(exchange: Exchange): void {
  const found = NOT_FOR_BOOKS.find((header) => exchange.header(header) !== undefined);
  if (found) throw new Refusal(400, `${found} is not for the log of a book`);
}

function checkType(type: string): void {
  if (type.split(';')[0]!.trim().toLowerCase() !== TYPE) throw new Refusal(409, `A log is ${TYPE}, not ${type}`);
}

async function read(exchange: Exchange, log: ServedLog): Promise<void> {
  const query = queryOf(exchange);
  const [live, offset] = [query.get('live'), query.get('offset')];
  if (query.getAll('offset').length > 1) throw new Refusal(400, 'There is more than one offset');
  if (live !== null && live !== 'sse' && live !== 'long-poll') throw new Refusal(400, 'live is sse or long-poll');
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
    // What comes behind it makes it another.
    ...(!isNow && { ETag: etag, 'Cache-Control': 'private, no-cache' }),
  };
  if (live !== null && part.bytes.length === 0) return exchange.send(204, undefined, headers);
  if (!isNow && exchange.header('if-none-match') === etag) return exchange.send(304, undefined, headers);
  exchange.send(200, part.bytes, { ...CONTENT_TYPE, ...headers });
}

/** A part, with the first line where it begins there. */
async function readAll(log: ServedLog, from: number): Promise<LogPart> {
  const first = await log.read(from);
  if (from > 0) return first;
  const rest = await log.read(first.end.at);
  return { bytes: Buffer.concat([first.bytes, rest.bytes]), end: rest.end };
}

/** Events of what is there, and of what comes. */
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

/** Wait, but not longer than `ms` and than the client does. */
async function soon(work: Promise<void>, exchange: Exchange, ms: number): Promise<void> {
  let timer: NodeJS.Timeout;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
    timer = setTimeout(resolve, ms);
    exchange.gone.addEventListener('abort', end);
  });
  await Promise.race([work, ended]);
  clearTimeout(timer!);
  exchange.gone.removeEventListener('abort', end);
}

/** Wait until the client has read what was too much. */
function drained(exchange: Exchange): Promise<void> {
  return new Promise((resolve) => {
    exchange.onread = resolve;
    exchange.gone.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** It never comes again, so that nothing between gives the same answer twice. */
function cursor(query: URLSearchParams): string {
  const now = Math.floor(Date.now() / CURSOR_MS);
  const given = Number(query.get('cursor') ?? 0);
  return String(given >= now ? given + 1 + Math.floor(Math.random() * 180) : now);
}
