/** An HTTP request and its response: one JSON document, or a stream of events. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from './clients.js';
import type { Id } from './message.js';

/** How often to send a sign of life on an idle stream, in milliseconds: proxies may close it otherwise. */
const ALIVE_MS = 15_000;
/** While more bytes than this are unread by the client, nothing new starts for it. */
const UNREAD_BYTES = 1 << 20;

export class Exchange {
  /** The id of the message it carries, for errors. */
  id: Id | undefined;
  /** The text of the message it carries. */
  text = '';
  /** Whether a refusal is sent as plain text rather than as a JSON-RPC message. */
  isPlain = false;
  #streaming = false;
  #alive: NodeJS.Timeout | undefined;
  readonly #gone = new AbortController();
  /** Called when the client has caught up. */
  onread = () => {};

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
  ) {
    response.on('close', () => {
      clearInterval(this.#alive);
      this.#gone.abort(new Error('the client has closed the connection'));
      // What waits for it to catch up waits no longer.
      this.onread();
    });
    response.on('drain', () => this.onread());
  }

  /** Aborted when the response has ended or the client is gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get ended(): boolean {
    return this.response.writableEnded || this.gone.aborted;
  }

  get streaming(): boolean {
    return this.#streaming;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** Whether the client accepts this media type, such as `text/event-stream`. */
  accepts(type: string): boolean {
    const accepted = this.header('accept');
    if (accepted === undefined) return true;
    const kinds = accepted.split(',').map((kind) => kind.split(';')[0]!.trim().toLowerCase());
    return kinds.some((kind) => kind === type || kind === '*/*' || kind === `${type.split('/')[0]}/*`);
  }

  /** The body. Its bytes are admitted as they arrive, or at once if the client says how many there are. */
  async body(admission: Admission): Promise<Buffer> {
    let admitted = Number(this.header('content-length') ?? 0);
    admission.add(admitted);
    const parts: Buffer[] = [];
    let length = 0;
    // The response to a body that is refused still has to be sent.
    const body: AsyncIterable<Buffer> = this.request.iterator({ destroyOnReturn: false });
    for await (const part of body) {
      length += part.length;
      if (length > admitted) {
        admission.add(length - admitted);
        admitted = length;
      }
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /** Send the whole response. */
  send(
    status: number,
    body?: string | Uint8Array,
    headers: Record<string, string> = {},
    type = 'application/json',
  ): void {
    if (this.ended) return;
    const content = body === undefined ? {} : { 'Content-Type': type };
    this.response.writeHead(status, {
      ...content,
      'Content-Length': String(Buffer.byteLength(body ?? '')),
      ...headers,
    });
    this.response.end(body);
  }

  /** Begin an event stream, with these additional headers. */
  stream(headers: Record<string, string> = {}): void {
    if (this.#streaming || this.ended) return;
    this.#streaming = true;
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      ...headers,
    });
    this.response.flushHeaders();
    this.#alive = setInterval(() => this.response.write(': alive\n\n'), ALIVE_MS).unref();
  }

  /** Send one event. Returns whether more may be sent now. */
  event(data: string, type = 'message', id?: string): boolean {
    this.stream();
    if (this.ended) return true;
    // A single space after the colon would be dropped.
    const lines = data.split(/\r\n|\r|\n/).map((line) => `data:${line.startsWith(' ') ? ' ' : ''}${line}\n`);
    const named = id === undefined ? '' : `id: ${id}\n`;
    this.response.write(`event: ${type}\n${named}${lines.join('')}\n`);
    return this.response.writableLength < UNREAD_BYTES;
  }

  /** End a stream. */
  end(): void {
    if (!this.ended) this.response.end();
  }
}
