/** NATS servers with the logs of books: the connection, and whether confirmed writes are durable. */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { AGAIN_MS, ANSWER_MS, MISSING, NatsStore, changedOf, codeOf, streamOf, type Library } from './nats-store.js';
import { readNatsUrl } from './nats-address.js';

/** NATS servers that have books. */
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

  /** Connect. Rejects with a sentence if that fails, or if the servers might lose what they have confirmed. */
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
        // Drop a connection on which nothing arrives any more, and make another.
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

  /** Wake all listeners after a reconnect: notifications sent meanwhile are lost. */
  async #watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'reconnect') for (const wake of this.#listeners) wake();
    }
  }
}

/**
 * A server confirms what it has written, but only its monitoring tells whether confirmed writes are on disk. Every
 * server that may lead a stream has to be listed.
 */
async function assertWritesThrough(monitors: string[]): Promise<void> {
  const how = 'say where each server is monitored, as nats://HOST:4222/?monitor=http://HOST:8222';
  if (monitors.length === 0) throw new Error(`cannot tell whether it writes through; ${how}`);
  for (const monitor of monitors) {
    const answer = await fetch(new URL('/varz', monitor), { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => {
      throw new Error(`${monitor} does not answer; ${how}`);
    });
    const { jetstream } = (await answer.json()) as { jetstream?: { config?: { sync_always?: boolean } } };
    if (!jetstream?.config) throw new Error(`the server of ${monitor} has no JetStream`);
    if (!jetstream.config.sync_always)
      throw new Error(`the server of ${monitor} may lose confirmed writes: set sync_interval: always`);
  }
}

/** The libraries, which the user has to install. */
async function libraries(): Promise<Library> {
  const names = ['@nats-io/transport-node', '@nats-io/jetstream'];
  const found = await Promise.all(names.map((name) => import(name) as Promise<Library>)).catch(() => {
    throw new Error(`the npm packages ${names.join(' and ')} are needed: npm install ${names.join(' ')}`);
  });
  return Object.assign({}, ...found) as Library;
}
