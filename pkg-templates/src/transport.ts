/** The client's side of the connections to Hornbook in a page (docs/page.md). It is small and has no dependencies. */

export type { ToolArguments, ToolResults } from './generated/tools.js';
export type { ToolData, ToolFailed, ToolValues } from './results.js';

/**
 * The last notification that either side sends. The `close` event of ports would tell too, even for a page that is
 * gone, but not every browser has it.
 */
export const CLOSED = { jsonrpc: '2.0', method: 'hornbook/closed' } as const;

/** Carries messages both ways: a `MessagePort`, a `Worker`, or the global scope inside a worker. */
export interface Port {
  /** Send a message to the other end. */
  postMessage(message: unknown): void;
  /** As of `MessagePort`. */
  addEventListener(type: 'message' | 'messageerror' | 'close', listener: (event: MessageEvent) => void): void;
  /** As of `MessagePort`. */
  removeEventListener(type: 'message' | 'messageerror' | 'close', listener: (event: MessageEvent) => void): void;
  /** A `MessagePort` queues its messages until it is started. */
  start?(): void;
  /** A worker has none. */
  close?(): void;
}

/** How a client is served; all are optional. */
export interface ConnectOptions {
  /**
   * The maximum tokens in a reply to this client, for clients that are not models. Default: the limit `reply_tokens`.
   */
  replyTokens?: number;
  /** The client is the page itself: the rules of the book (`may_change/2`) do not bind it. Default: false. */
  host?: boolean;
}

/** One client on its port. */
export interface PortConnection {
  /** Stop what runs for this client, and close its `MessagePort`. */
  close(): void;
}

/** A JSON-RPC message, as the official client sends and receives it. */
interface Message {
  /** The version of the protocol. */
  jsonrpc: '2.0';
}

/**
 * A transport for the official client, `Client` of `@modelcontextprotocol/client`, over a port that Hornbook serves.
 */
export class PortTransport<M extends Message = Message> {
  /** Set by the client: receives each message. */
  onmessage?: (message: M) => void;
  /** Set by the client: called when either side has closed. */
  onclose?: () => void;
  /** Set by the client: called when a message cannot be read. */
  onerror?: (error: Error) => void;
  readonly #port: Port;
  #closed = false;

  /** @param port to Hornbook, such as that of {@link framePort} */
  constructor(port: Port) {
    this.#port = port;
  }

  /** Begin to receive; the client calls it. */
  async start(): Promise<void> {
    this.#port.addEventListener('message', this.#take);
    this.#port.addEventListener('messageerror', this.#fail);
    this.#port.addEventListener('close', this.#end);
    this.#port.start?.();
  }

  /** Send a message; rejects once the connection is closed. */
  async send(message: M): Promise<void> {
    if (this.#closed) throw new Error('the connection is closed');
    this.#port.postMessage(message);
  }

  /** Closes a `MessagePort`; a worker keeps running. */
  async close(): Promise<void> {
    this.#end();
  }

  #take = ({ data }: MessageEvent) => {
    if (data?.method === CLOSED.method) this.#end();
    else if (data?.jsonrpc === '2.0') this.onmessage?.(data);
  };

  #fail = () => this.onerror?.(new Error('a message could not be read'));

  #end = () => {
    if (this.#closed) return;
    this.#closed = true;
    this.#port.removeEventListener('message', this.#take);
    this.#port.removeEventListener('messageerror', this.#fail);
    this.#port.removeEventListener('close', this.#end);
    this.#port.postMessage(CLOSED);
    if (this.#port instanceof MessagePort) this.#port.close();
    this.onclose?.();
  };
}

/** How often to ask again a window that does not answer, in milliseconds: it may not be listening yet. */
const ASK_AGAIN = 250;

/**
 * Ask Hornbook in another window, whose origin is `origin`, for a port. Waits until that window answers, which it never
 * does if it does not allow the origin of this page.
 */
export function framePort(target: Window, origin: string, signal?: AbortSignal): Promise<MessagePort> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const id = crypto.randomUUID();
    const ask = () => target.postMessage({ jsonrpc: '2.0', id, method: 'hornbook/connect' }, origin);
    const timer = setInterval(ask, ASK_AGAIN);
    const stop = () => {
      clearInterval(timer);
      removeEventListener('message', take);
      signal?.removeEventListener('abort', abort);
    };
    const take = ({ source, origin: from, data, ports }: MessageEvent) => {
      if (source !== target || from !== origin || data?.id !== id || !ports[0]) return;
      stop();
      resolve(ports[0]);
    };
    const abort = () => {
      stop();
      reject(signal!.reason);
    };
    addEventListener('message', take);
    signal?.addEventListener('abort', abort);
    ask();
  });
}
