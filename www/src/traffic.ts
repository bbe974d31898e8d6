/** The messages between the clients in this page and Hornbook. */
import type { Transport, JSONRPCMessage } from '@modelcontextprotocol/client';
import { Signal } from './dom.ts';

/** A request or notification, with its answer. */
export interface Exchange {
  number: number;
  /** The sender: the page on behalf of its person, or an agent. */
  client: string;
  method: string;
  params: unknown;
  /** Whether Hornbook sent it on its own. */
  fromServer: boolean;
  answer?: { result?: unknown; error?: unknown };
  startedMs: number;
  tookMs?: number;
}

/** How many exchanges to keep. */
const KEPT = 500;

export class Traffic {
  readonly exchanges: Exchange[] = [];
  /** An exchange began or was answered. */
  readonly changed = new Signal<Exchange>();
  #waiting = new Map<string, Exchange>();
  #count = 0;

  sent(client: string, message: JSONRPCMessage, fromServer: boolean): void {
    if ('method' in message) {
      const exchange: Exchange = {
        number: ++this.#count,
        client,
        method: message.method,
        params: message.params,
        fromServer,
        startedMs: performance.now(),
      };
      if ('id' in message) this.#waiting.set(`${client} ${fromServer} ${message.id}`, exchange);
      this.exchanges.push(exchange);
      if (this.exchanges.length > KEPT) this.exchanges.shift();
      this.changed.send(exchange);
    } else {
      const key = `${client} ${!fromServer} ${message.id}`;
      const exchange = this.#waiting.get(key);
      if (!exchange) return;
      this.#waiting.delete(key);
      exchange.answer = 'result' in message ? { result: message.result } : { error: message.error };
      exchange.tookMs = performance.now() - exchange.startedMs;
      this.changed.send(exchange);
    }
  }

  clear(): void {
    this.exchanges.length = 0;
  }
}

/** A transport that reports its messages to `traffic`. */
export function tapped(transport: Transport, client: string, traffic: Traffic): Transport {
  const outer: Transport = {
    async start() {
      transport.onmessage = (message, extra) => {
        traffic.sent(client, message, true);
        outer.onmessage?.(message, extra);
      };
      transport.onclose = () => outer.onclose?.();
      transport.onerror = (error) => outer.onerror?.(error);
      await transport.start();
    },
    async send(message, options) {
      traffic.sent(client, message, false);
      await transport.send(message, options);
    },
    close: () => transport.close(),
  };
  return outer;
}
