/** A client's end of the ways to Hornbook in a page (docs/page.md). It is small, and needs nothing else. */

export type { ToolArguments, ToolResults } from './generated/tools.js';
export type { ToolData, ToolFailed, ToolValues } from './results.js';

/**
 * What either side sends last, a notification. The event `close` of ports tells it, too, and of a page that is gone,
 * but not every browser has that.
 */
export const CLOSED = { jsonrpc: '2.0', method: 'hornbook/closed' } as const;

/** Carries messages both ways: a `MessagePort`, a `Worker`, or the global scope inside of a worker. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message' | 'messageerror' | 'close', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message' | 'messageerror' | 'close', listener: (event: MessageEvent) => void): void;
  /** A `MessagePort` holds back its messages until it is started. */
  start?(): void;
  close?(): void;
}

export interface ConnectOptions {
  /** Tokens that replies to this client have at most, in place of the limit `reply_tokens`: for a client that is no model. */
  replyTokens?: number;
}

/** One client on its port. */
export interface PortConnection {
  /** Stop what runs for this client, and close its `MessagePort`. */
  close(): void;
}

/** A message of JSON-RPC, as the official client gives and takes it. */
type Message = { jsonrpc: '2.0' };

/** The transport of the official client, `Client` of `@modelcontextprotocol/client`, over a port that Hornbook serves. */
export class PortTransport<M extends Message = Message> {
  onmessage?: (message: M) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #port: Port;
  #closed = false;

  constructor(port: Port) {
    this.#port = port;
  }

  async start(): Promise<void> {
    this.#port.addEventListener('message', this.#take);
    this.#port.addEventListener('messageerror', this.#fail);
    this.#port.addEventListener('close', this.#end);
    this.#port.start?.();
  }

  async send(message: M): Promise<void> {
    if (this.#closed) throw new Error('the connection is closed');
    this.#port.postMessage(message);
  }

  /** A `MessagePort` is closed with it; a worker goes on. */
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

/** So often a window is asked again that does not answer, in milliseconds: it may not listen yet. */
const ASK_AGAIN = 250;

/**
 * Ask Hornbook in another window, of this origin, for a port. It waits until that window answers; what this origin is
 * not allowed is never answered.
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
