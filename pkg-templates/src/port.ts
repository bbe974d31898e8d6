/** MCP over a `MessagePort` or a worker: each message is a JSON-RPC object. */
import type { Hornbook } from './core/hornbook.js';

/**
 * What either side sends last, a notification. The event `close` of ports tells it, too, and of a page that is gone,
 * but not every browser has that.
 */
const CLOSED = { jsonrpc: '2.0', method: 'hornbook/closed' } as const;

/** Carries messages both ways: a `MessagePort`, a `Worker`, or the global scope inside of a worker. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message' | 'messageerror' | 'close', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message' | 'messageerror' | 'close', listener: (event: MessageEvent) => void): void;
  /** A `MessagePort` holds back its messages until it is started. */
  start?(): void;
  close?(): void;
}

/** One client on its port. */
export interface PortConnection {
  /** Stop what runs for this client, and close its `MessagePort`. */
  close(): void;
}

/** Serve the client at the other end of a port until either side closes it. */
export function servePort(hornbook: Hornbook, port: Port, closed: () => void): PortConnection {
  const connection = hornbook.connectObjects((message) => port.postMessage(message));
  const take = ({ data }: MessageEvent) => (data?.method === CLOSED.method ? close() : connection.receiveObject(data));
  let open = true;
  const close = () => {
    if (!open) return;
    open = false;
    port.removeEventListener('message', take);
    port.removeEventListener('close', close);
    connection.close();
    port.postMessage(CLOSED);
    if (port instanceof MessagePort) port.close();
    closed();
  };
  port.addEventListener('message', take);
  port.addEventListener('close', close);
  port.start?.();
  return { close };
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
