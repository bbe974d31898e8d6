/** The streams that clients keep open. */
import type { Client } from './clients.js';
import type { Exchange } from './exchange.js';

export class Streams {
  readonly #open = new Set<Exchange>();

  get size(): number {
    return this.#open.size;
  }

  /** The stream stays open until the client or the server ends it. Returns the function to call then. */
  keep(exchange: Exchange, client: Client): () => void {
    const end = client.stream();
    this.#open.add(exchange);
    return () => {
      this.#open.delete(exchange);
      end();
    };
  }

  /** End them all. */
  end(): void {
    for (const stream of this.#open) stream.end();
  }
}
