/** The sessions of clients that start with `initialize`. */
import type { Session } from './session.js';

/** A session ends after being idle for this long, in milliseconds. */
const IDLE_MS = 30 * 60_000;
/** The most sessions; beyond that, one of the client that has the most ends. */
const MOST = 10_000;
/** The most sessions of one client. */
const MOST_OF_CLIENT = 1_000;

export class Sessions {
  /** Ordered by last use, the most recent last. */
  readonly #sessions = new Map<string, Session>();
  /** The same, by client. */
  readonly #of = new Map<string, Set<Session>>();

  get size(): number {
    return this.#sessions.size;
  }

  /** Register a session, so that it can be found. The client's least recently used one may end for it. */
  keep(session: Session): void {
    this.#sweep();
    const own = this.#of.get(session.client.key) ?? new Set();
    if (own.size >= MOST_OF_CLIENT) this.#endOldest(own);
    if (this.#sessions.size >= MOST) this.#endOldest(this.#greatest());
    this.#sessions.set(session.id, session);
    this.#of.set(session.client.key, own.add(session));
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session) {
      this.#sessions.delete(id);
      this.#sessions.set(id, session);
      const own = this.#of.get(session.client.key)!;
      own.delete(session);
      own.add(session);
    }
    return session;
  }

  end(session: Session): void {
    if (this.#sessions.delete(session.id)) {
      const own = this.#of.get(session.client.key)!;
      own.delete(session);
      if (own.size === 0) this.#of.delete(session.client.key);
    }
    session.close();
  }

  close(): void {
    for (const session of [...this.#sessions.values()]) this.end(session);
  }

  /** The sessions of the client that has the most. */
  #greatest(): Set<Session> {
    return [...this.#of.values()].reduce((a, b) => (b.size > a.size ? b : a));
  }

  /** End the least recently used of these, one that is idle if there is one. */
  #endOldest(sessions: Set<Session>): void {
    const all = [...sessions];
    this.end(all.find(({ busy }) => !busy) ?? all[0]!);
  }

  #sweep(): void {
    const before = performance.now() - IDLE_MS;
    for (const session of [...this.#sessions.values()]) {
      if (session.used > before) return;
      if (!session.busy) this.end(session);
    }
  }
}
