/** NATS servers that have the logs of books: the connection, and whether they keep what they confirm. */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { AGAIN_MS, ANSWER_MS, MISSING, NatsStore, changedOf, codeOf, streamOf, type Library } from './nats-store.js';
import { readNatsUrl } from './nats-address.js';

/** Servers with books. */
export class NatsLogs {
  readonly name: string;
  readonly #listeners = new Set<() => void>();

  private constructor(
    private readonly library: Library,
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly replicas: number,
  ) {
    this.name = connection.getServer();
  }

  /** Connect; rejects with a sentence where that cannot be done, or what was answered might be lost there. */
  static async connect(url: string): Promise<NatsLogs> {
    const address = readNatsUrl(url)!;
    const library = await libraries();
    const { servers, user, pass, tls, monitors, replicas } = address;
    let connection: NatsConnection | undefined;
    try {
      await assertWritesThrough(monitors);
      connection = await library.connect({
        servers,
        ...(user ? { user } : {}),
        ...(pass ? { pass } : {}),
        ...(tls ? { tls: {} } : {}),
        name: 'hornbook',
        maxReconnectAttempts: -1,
        reconnectTimeWait: AGAIN_MS,
        timeout: ANSWER_MS,
        // A connection of which nothing comes any more is given up, and another made.
        pingInterval: ANSWER_MS,
        maxPingOut: 2,
      });
      const manager = await library.jetstreamManager(connection, { timeout: ANSWER_MS });
      const logs = new NatsLogs(library, connection, manager, replicas);
      void logs.#watch();
      return logs;
    } catch (error) {
      await connection?.close();
      throw new Error(`NATS cannot be used: ${(error as Error).message}`);
    }
  }

  store(book: string): NatsStore {
    return new NatsStore(this.library, this.connection, this.manager, this.replicas, book, (wake) => {
      const heard = this.connection.subscribe(changedOf(book), { callback: wake });
      this.#listeners.add(wake);
      return () => {
        heard.unsubscribe();
        this.#listeners.delete(wake);
      };
    });
  }

  async has(book: string): Promise<boolean> {
    try {
      await this.manager.streams.info(streamOf(book));
      return true;
    } catch (error) {
      if (codeOf(error) === MISSING) return false;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** What was said while the connection was lost is not known. */
  async #watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'reconnect') for (const wake of this.#listeners) wake();
    }
  }
}

/**
 * A server confirms what it has written; whether that is on disk then only its monitoring says. All that may lead a
 * stream have to be named.
 */
async function assertWritesThrough(monitors: string[]): Promise<void> {
  const how = 'say where each server is monitored, as nats://HOST:4222/?monitor=http://HOST:8222';
  if (monitors.length === 0) throw new Error(`whether it writes through cannot be seen; ${how}`);
  for (const monitor of monitors) {
    const answer = await fetch(new URL('/varz', monitor), { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => {
      throw new Error(`${monitor} does not answer; ${how}`);
    });
    const { jetstream } = (await answer.json()) as { jetstream?: { config?: { sync_always?: boolean } } };
    if (!jetstream?.config) throw new Error(`the server of ${monitor} has no JetStream`);
    if (!jetstream.config.sync_always)
      throw new Error(`the server of ${monitor} may lose what it has confirmed: set sync_interval: always`);
  }
}

/** The libraries, which the user has installed. */
async function libraries(): Promise<Library> {
  const names = ['@nats-io/transport-node', '@nats-io/jetstream'];
  const found = await Promise.all(names.map((name) => import(name) as Promise<Library>)).catch(() => {
    throw new Error(`the npm packages ${names.join(' and ')} are needed: npm install ${names.join(' ')}`);
  });
  return Object.assign({}, ...found) as Library;
}
