/** What logs that are kept by a server have in common. */

/** A server that cannot be reached is tried again for so long, in milliseconds. */
const PATIENCE_MS = 15_000;
/** What is asked so soon after a server has not answered, in milliseconds, waits no longer than what was asked then. */
const STILL_MS = 1_000;

/** That others may have written to a log. */
export class News {
  #heard = false;
  #waiting: (() => void)[] = [];

  /** They may have. */
  come(): void {
    this.#heard = true;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when they may have; at once where that was heard since the last call, or where `isThere`. */
  async next(isThere: boolean): Promise<void> {
    const heard = this.#heard;
    this.#heard = false;
    if (heard || isThere) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Nobody knows whether what was asked was done. */
class Unanswered extends Error {
  readonly unanswered = true;
}

interface Trying<E> {
  /** What is told where it does not answer, as `NATS`. */
  server: string;
  /** It is tried again after so many milliseconds. */
  againMs: number;
  /** Whether trying again does not help. */
  isFinal(error: E): boolean;
}

/** Tries again what a lost connection, another writer or a change of servers has cut off. */
export class Patience<E> {
  /** Since when the server does not answer, and when that was last seen. */
  #since = 0;
  #seen = 0;

  constructor(private readonly trying: Trying<E>) {}

  /** Whoever waits behind others for a server that does not answer does not wait for as long again. */
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
