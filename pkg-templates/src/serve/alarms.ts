/** Opens books again in which a workflow run waits for a time, when that has come. */

/** How often the clock is looked at, in milliseconds: a timer takes no notice when it is set, or when the machine sleeps. */
const LOOK_MS = 30_000;
/** How long until a book that could not be opened is tried again, in milliseconds. */
const AGAIN_MS = 60_000;

export class Alarms {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stop = new AbortController();

  /** @param open opens a book, whose runs go on while it is open */
  constructor(private readonly open: (name: string) => Promise<unknown>) {}

  /** Aborted once nothing is opened any more. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** A book was closed; `ms` is when its next run is due, in milliseconds since 1970. */
  set(name: string, ms: number | undefined): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
    if (ms === undefined || this.stopped.aborted) return;
    const left = ms - Date.now();
    const timer = setTimeout(
      () => (ms > Date.now() ? this.set(name, ms) : void this.ring(name)),
      Math.max(0, Math.min(left, LOOK_MS)),
    );
    this.#timers.set(name, timer.unref());
  }

  /** Open a book now. */
  async ring(name: string): Promise<void> {
    if (this.stopped.aborted) return;
    this.#timers.delete(name);
    await this.open(name).catch(() => this.set(name, Date.now() + AGAIN_MS));
  }

  stop(): void {
    this.#stop.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
