/** Who else watches a served book, and at which clause they are. The server is told now and then, and keeps nothing of it. */
import { Signal } from '../dom.ts';
import { ofTab } from '../kept.ts';
import type { Reach } from '../reach/reach.ts';

export interface Other {
  name: string;
  /** The id of a clause. */
  at: string | undefined;
}

/** How often the server is told that this person is still there, in milliseconds: it forgets them soon after. */
const STILL_MS = 10_000;
/** How soon after the last time it is told something new, in milliseconds. */
const SOON_MS = 1000;
/** How long an answer, or leaving, may take, in milliseconds. */
const ANSWER_MS = 10_000;
const LEAVE_MS = 1000;

export class Presence {
  others: Other[] = [];
  /** Others came, went or moved. */
  readonly changed = new Signal();
  readonly #closed = new AbortController();
  #key: string | undefined;
  #at: string | null = null;
  #timer: number | undefined;
  #sent = Number.NEGATIVE_INFINITY;
  #sending = false;

  /**
   * @param address of the book at the server, `http://HOST:PORT/present/NAME`
   * @param isLive whether what happens to the book still arrives: only then is the person there
   */
  constructor(
    private readonly reach: Reach,
    private readonly address: string,
    private readonly headers: Record<string, string>,
    private readonly name: string,
    private readonly isLive: () => boolean,
  ) {}

  /** Be there until it is closed, while the page is seen and the book is live. */
  begin(): void {
    const { signal } = this.#closed;
    document.addEventListener('visibilitychange', () => this.look(), { signal });
    // A page that is loaded again may lose what it says last, and a page that comes back is seen again: it takes its place.
    const hide = () => {
      ofTab.set(this.#place, this.#key);
      void this.#leave();
    };
    window.addEventListener('pagehide', hide, { signal });
    this.look();
  }

  /** Whether the person is there may have changed. */
  look(): void {
    if (!this.isLive()) this.#take([]);
    this.#wait(SOON_MS);
  }

  /** This person is at another clause. */
  move(at: string): void {
    if (at === this.#at) return;
    this.#at = at;
    this.#wait(SOON_MS);
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(new Error('the book is not watched any more'));
    window.clearTimeout(this.#timer);
    await this.#leave();
  }

  /** Where the tab remembers its key from one page to the next. A copy of the tab must not find it meanwhile. */
  get #place(): string {
    return `hornbook.present: ${this.address}`;
  }

  /** The key of the page before this one in the tab. */
  #before(): string | undefined {
    const key = ofTab.get(this.#place);
    ofTab.set(this.#place, undefined);
    return key;
  }

  /** Tell the server so long after the last time. */
  #wait(ms: number): void {
    window.clearTimeout(this.#timer);
    if (this.#closed.signal.aborted || this.#sending) return;
    this.#timer = window.setTimeout(() => void this.#send(), Math.max(0, this.#sent + ms - performance.now()));
  }

  /** Tell where this person is. Whatever changes meanwhile is told after it. */
  async #send(): Promise<void> {
    if (document.hidden || !this.isLive()) return;
    const { signal } = this.#closed;
    const at = this.#at;
    this.#sending = true;
    this.#sent = performance.now();
    let isRefused = false;
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
      this.#key ??= this.#before();
      const answer = await this.#post({ key: this.#key, name: this.name, at }, limit);
      const { ok, status } = answer;
      const told: unknown = await answer.json().catch(() => undefined);
      // An older server does not know of this.
      isRefused = status >= 400 && status < 500 && status !== 429;
      if (ok) this.#key = keyIn(told);
      this.#take(ok && this.isLive() ? othersIn(told) : []);
    } catch {
      this.#take([]);
    } finally {
      this.#sending = false;
    }
    if (!isRefused) this.#wait(at === this.#at ? STILL_MS : SOON_MS);
  }

  /** The person leaves. If this is lost, the server forgets them by itself. */
  async #leave(): Promise<void> {
    const key = this.#key;
    this.#key = undefined;
    if (key !== undefined)
      await this.#post({ key, leave: true }, AbortSignal.timeout(LEAVE_MS), true).catch(() => undefined);
  }

  #post(said: object, signal: AbortSignal, keepalive = false): Promise<Response> {
    // As plain text: with another type, the browser would first ask the server whether it may send it.
    const { headers } = this;
    return this.reach.fetch(this.address, { method: 'POST', headers, body: JSON.stringify(said), signal, keepalive });
  }

  #take(others: Other[]): void {
    if (others.length === 0 && this.others.length === 0) return;
    this.others = others;
    this.changed.send();
  }
}

const keyIn = (told: unknown): string | undefined => {
  const key = (told as { key?: unknown } | null | undefined)?.key;
  return typeof key === 'string' ? key : undefined;
};

/** What comes from a server is checked. */
function othersIn(told: unknown): Other[] {
  const others = (told as { others?: unknown } | null | undefined)?.others;
  const all = Array.isArray(others) ? (others as ({ name?: unknown; at?: unknown } | null)[]) : [];
  return all.flatMap((one) =>
    typeof one?.name === 'string' ? [{ name: one.name, at: typeof one.at === 'string' ? one.at : undefined }] : [],
  );
}
