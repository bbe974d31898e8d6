/** What logs kept by a server have in common. */

/** How long to retry a server that cannot be reached, in milliseconds. */
const PATIENCE_MS = 15_000;
/**
 * A request this soon after the server failed to answer, in milliseconds, counts as part of the same outage and shares
 * its deadline.
 */
const STILL_MS = 1_000;

/** Notices that others may have written to a log. */
export class News {
  #heard = false;
  #waiting: (() => void)[] = [];

  /** Others may have written. */
  come(): void {
    this.#heard = true;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when others may have written; at once if that was noticed since the last call, or if `isThere`. */
  async next(isThere: boolean): Promise<void> {
    const heard = this.#heard;
    this.#heard = false;
    if (heard || isThere) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** It is unknown whether the request was carried out. */
class Unanswered extends Error {
  readonly unanswered = true;
}

interface Trying<E> {
  /** The name used in the message when it does not answer, such as `NATS`. */
  server: string;
  /** The delay before retrying, in milliseconds. */
  againMs: number;
  /** Whether retrying is pointless. */
  isFinal(error: E): boolean;
}

/** Retries what was cut off by a lost connection, another writer or a change of servers. */
export class Patience<E> {
  /** Since when the server has not answered, and when that was last noticed. */
  #since = 0;
  #seen = 0;

  constructor(private readonly trying: Trying<E>) {}

  /** Retry `work`. A call made during an outage shares its deadline rather than waiting as long again. */
  async with<T>(work: () => Promise<T>): Promise<T> {
    const { server, againMs, isFinal } = this.trying;
    for (;;) {
      const begun = Date.now();
      try {
        const done = await work();
        this.#seen = 0;
        return done;
      } catch (error) {
        if (isFinal(error as E)) throw error;
        if (begun - this.#seen > STILL_MS) this.#since = begun;
        this.#seen = Date.now();
        if (this.#seen - this.#since > PATIENCE_MS)
          throw new Unanswered(`${server} does not answer: ${(error as Error).message}`);
        await pause(againMs);
      }
    }
  }
}
