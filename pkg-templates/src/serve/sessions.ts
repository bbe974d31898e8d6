/** The sessions of clients that start with `initialize`. */
import { Session } from './session.js';

/** A session ends after being idle for this long, in milliseconds. */
const IDLE_MS = 30 * 60_000;
/** The most sessions; beyond that, the least recently used one ends. */
const MOST = 10_000;

export class Sessions {
  /** Ordered by last use, the most recent last. */
  readonly #sessions = new Map<string, Session>();

  get size(): number {
    return this.#sessions.size;
  }

  create(book: string, client: string, readOnly: boolean): Session {
    return new Session(book, client, readOnly);
  }

  /** Register a session, so that it can be found. */
  keep(session: Session): void {
    this.#sweep();
    this.#sessions.set(session.id, session);
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session) {
      this.#sessions.delete(id);
      this.#sessions.set(id, session);
    }
    return session;
  }

  end(session: Session): void {
    this.#sessions.delete(session.id);
    session.close();
  }

  close(): void {
    for (const session of [...this.#sessions.values()]) this.end(session);
  }

  #sweep(): void {
    const before = performance.now() - IDLE_MS;
    for (const session of [...this.#sessions.values()]) {
      if (session.used > before && this.#sessions.size < MOST) return;
      if (!session.busy) this.end(session);
    }
  }
}
