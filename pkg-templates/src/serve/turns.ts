/**
 * Turns on one book: so many requests run at the same time, and when others wait, clients come round in order, so that one
 * who sends many waits behind itself.
 */
export class Turns {
  #running = 0;
  /** The requests of each client that run. */
  readonly #runningOf = new Map<string, number>();
  /** Those that wait, by client; the client that comes next is first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * @param most requests that run at the same time
   * @param mostOf one client
   */
  constructor(
    private readonly most: number,
    private readonly mostOf: number,
  ) {}

  /** Whether nobody has a turn or waits for one. */
  get idle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  /** Wait for a turn; what ends it, which may be called twice. Rejects when the signal is aborted before. */
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
      // It goes to the end.
      this.#waiting.delete(client);
      const begin = queue.shift()!;
      if (queue.length > 0) this.#waiting.set(client, queue);
      begin();
    }
  }
}
