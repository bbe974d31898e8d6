/** Who else watches a served book, and at which clause they are. The server tells, and keeps nothing of it. */
import { events } from '../../../pkg/event-stream.js';
import { Signal } from '../dom.ts';
import type { Reach } from '../reach/reach.ts';

export interface Other {
  name: string;
  /** The id of a clause. */
  at: string | undefined;
}

/** How soon a stream that has ended is opened again, in milliseconds. */
const AGAIN_MS = 1000;

export class Presence {
  others: Other[] = [];
  /** Others came, went or moved. */
  readonly changed = new Signal();
  readonly #closed = new AbortController();
  #key: string | undefined;
  #at: string | null = null;
  #sending = false;

  /** @param address of the book at the server, `http://HOST:PORT/present/NAME` */
  constructor(
    private readonly reach: Reach,
    private readonly address: string,
    private readonly headers: Record<string, string>,
    private readonly name: string,
  ) {}

  /** Be there until it is closed. */
  async begin(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const isRefused = await this.#stream(signal).catch(() => false);
      this.#key = undefined;
      this.#take([]);
      if (isRefused) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** This person is at another clause. */
  move(at: string): void {
    this.#at = at;
    void this.#send();
  }

  close(): void {
    this.#closed.abort(new Error('the book is not watched any more'));
  }

  /** Follow one stream to its end. Resolves with whether the server refuses it, as an older one does. */
  async #stream(signal: AbortSignal): Promise<boolean> {
    const address = `${this.address}?name=${encodeURIComponent(this.name)}`;
    const headers = { ...this.headers, Accept: 'text/event-stream' };
    const { ok, status, body } = await this.reach.fetch(address, { headers, signal });
    if (!ok || !body) return status >= 400 && status < 500 && status !== 429;
    for await (const { type, text } of events(body)) {
      const told: unknown = JSON.parse(text);
      if (type === 'others') this.#take(othersIn(told));
      if (type !== 'key') continue;
      this.#key = String((told as { key?: unknown } | null)?.key);
      void this.#send();
    }
    return false;
  }

  /** Tell where this person is. While that takes, one newer place waits for it. */
  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    const headers = { ...this.headers, 'Content-Type': 'application/json' };
    for (let sent: string | null = null; this.#key !== undefined && this.#at !== sent; ) {
      sent = this.#at;
      const body = JSON.stringify({ key: this.#key, at: sent });
      // If it is lost, the stream ends, too.
      await this.reach
        .fetch(this.address, { method: 'POST', headers, body, signal: this.#closed.signal })
        .catch(() => {});
    }
    this.#sending = false;
  }

  #take(others: Other[]): void {
    this.others = others;
    this.changed.send();
  }
}

/** What comes from a server is checked. */
function othersIn(told: unknown): Other[] {
  const all = Array.isArray(told) ? (told as ({ name?: unknown; at?: unknown } | null)[]) : [];
  return all.flatMap((one) =>
    typeof one?.name === 'string' ? [{ name: one.name, at: typeof one.at === 'string' ? one.at : undefined }] : [],
  );
}
