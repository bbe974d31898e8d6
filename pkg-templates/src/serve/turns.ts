/**
 * Turns on one book: a limited number of requests run at the same time. When others wait, clients take turns, so that
 * one with many requests only delays itself.
 */
export class Turns {
  #running = 0;
  /** The number of running requests of each client. */
  readonly #runningOf = new Map<string, number>();
  /** Waiting requests by client; the client whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * @param most requests that run at the same time
   * @param mostOf requests of one client that do
   */
  constructor(
    private readonly most: number,
    private readonly mostOf: number,
  ) {}

  /** Whether nobody has a turn or waits for one. */
  get idle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  /**
   * Wait for a turn. Resolves with the function that ends it, which may be called twice. Rejects if the signal is
   * aborted first.
   */
  async enter(client: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.size > 0 || !this.#isFree(client)) await this.#wait(client, signal);
    else this.#begin(client);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#end(client);
    };
  }

  #isFree(client: string): boolean {
    return this.#running < this.most && (this.#runningOf.get(client) ?? 0) < this.mostOf;
  }

  #wait(client: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(client) ?? [];
      const begin = () => {
        signal.removeEventListener('abort', leave);
        this.#begin(client);
        resolve();
      };
      const leave = () => {
        queue.splice(queue.indexOf(begin), 1);
        if (queue.length === 0) this.#waiting.delete(client);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.push(begin);
      this.#waiting.set(client, queue);
      this.#next();
    });
  }

  #begin(client: string): void {
    this.#running += 1;
    this.#runningOf.set(client, (this.#runningOf.get(client) ?? 0) + 1);
  }

  #end(client: string): void {
    this.#running -= 1;
    const left = this.#runningOf.get(client)! - 1;
    if (left > 0) this.#runningOf.set(client, left);
    else this.#runningOf.delete(client);
    this.#next();
  }

  #next(): void {
    for (const [client, queue] of [...this.#waiting]) {
      if (this.#running >= this.most) return;
      if (!this.#isFree(client)) continue;
      // Move the client to the end.
      this.#waiting.delete(client);
      const begin = queue.shift()!;
      if (queue.length > 0) this.#waiting.set(client, queue);
      begin();
    }
  }
}
