/** Metrics for Prometheus. */
import type * as Libraries from './libraries.js';

/** Upper bounds of the time buckets, in seconds. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export class Metrics {
  readonly #registry;
  readonly #requests;
  readonly #seconds;

  /** @param now the current values */
  constructor(
    { Registry, Counter, Gauge, Histogram, collectDefaultMetrics }: typeof Libraries,
    now: { books: () => number; sessions: () => number; streams: () => number; clients: () => number },
  ) {
    const registry = new Registry();
    const registers = [registry];
    this.#registry = registry;
    this.#requests = new Counter({
      name: 'hornbook_requests_total',
      help: 'Requests by their method of MCP and the status of the response',
      labelNames: ['method', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'hornbook_request_seconds',
      help: 'How long requests took, streams excepted',
      labelNames: ['method'],
      buckets: SECONDS,
      registers,
    });
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge('hornbook_books_open', 'Books that are open', now.books);
    gauge('hornbook_sessions', 'Sessions of clients that begin with initialize', now.sessions);
    gauge('hornbook_streams', 'Streams that are open', now.streams);
    gauge('hornbook_clients', 'Clients that were here in the last minutes', now.clients);
    collectDefaultMetrics({ register: registry });
  }

  /** A request was answered. */
  answered(method: string, status: number, ms: number): void {
    this.#requests.inc({ method, status: String(status) });
    this.#seconds.observe({ method }, ms / 1000);
  }

  get type(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
