/** What logs that are kept by a server have in common. */

/** A server that cannot be reached is tried again for so long, in milliseconds. */
const PATIENCE_MS = 15_000;

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

interface Patience<E> {
  /** What is told where it does not answer, as `NATS`. */
  server: string;
  /** It is tried again after so many milliseconds. */
  againMs: number;
  /** Whether trying again does not help. */
  isFinal(error: E): boolean;
}

/** Try again what a lost connection, another writer or a change of servers has cut off. */
export async function patiently<T, E>(work: () => Promise<T>, { server, againMs, isFinal }: Patience<E>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isFinal(error as E)) throw error;
      if (Date.now() > until) throw new Error(`${server} does not answer: ${(error as Error).message}`);
      await pause(againMs);
    }
  }
}
