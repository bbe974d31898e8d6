/**
 * The page's queue for the engine, which does one thing at a time, first come, first served. It lets the page tell the
 * person what they are waiting for.
 */
import { Signal, button, h } from './dom.ts';

export interface Turn {
  /** What is being done, such as `?- goal` or `saving family.pl`. */
  what: string;
  /** Cancels it, if possible. */
  stop?: () => void;
  /** Gets a line of input from the person; resolves with `undefined` if they give none. */
  ask?: (prompt: string) => Promise<string | undefined>;
}

/** Shorter waits, in milliseconds, are not worth mentioning. */
const SHORT_MS = 300;

export class Turns {
  /** The queue changed. */
  readonly changed = new Signal();
  readonly #line: Turn[] = [];
  /** Running and waiting work; each promise settles when it is over. */
  readonly #running = new Set<Promise<unknown>>();
  /** Settles when nothing needs the engine exclusively any more. */
  #alone: Promise<unknown> | undefined;

  /** Do `work`, which uses the engine, in a turn. */
  take<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const alone = this.#alone;
    return this.#stand(turn, alone ? alone.then(work, work) : work());
  }

  /** Do `work` once everything before it is over; later work waits for it. */
  alone<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const before = Promise.allSettled(this.#running).then(work);
    const alone = this.#stand(turn, before);
    this.#alone = alone;
    const over = () => {
      if (this.#alone === alone) this.#alone = undefined;
    };
    alone.then(over, over);
    return alone;
  }

  /** Stay in the queue until `done` settles. */
  async #stand<T>(turn: Turn, done: Promise<T>): Promise<T> {
    this.#line.push(turn);
    this.#running.add(done);
    this.changed.send();
    try {
      return await done;
    } finally {
      this.#line.splice(this.#line.indexOf(turn), 1);
      this.#running.delete(done);
      this.changed.send();
    }
  }

  /** Whose turn it is. */
  get first(): Turn | undefined {
    return this.#line[0];
  }

  /** What `turn` waits for; undefined if it does not wait. */
  before(turn: Turn): Turn | undefined {
    const [first] = this.#line;
    return first !== turn && this.#line.includes(turn) ? first : undefined;
  }
}

/** Shows what a turn waits for, with a button to stop that; empty unless the wait takes a while. */
export class WaitingLine {
  readonly element = h('p', { class: 'waiting', role: 'status' });
  #turn: Turn | undefined;
  #timer: number | undefined;

  constructor(private readonly turns: Turns) {
    turns.changed.on(() => this.#draw());
  }

  /** Watch this turn, or none. */
  watch(turn: Turn | undefined): void {
    this.#turn = turn;
    this.#draw();
  }

  #draw(): void {
    window.clearTimeout(this.#timer);
    const first = this.#turn && this.turns.before(this.#turn);
    if (!first) this.element.replaceChildren();
    // Update a line that is already shown at once.
    else if (this.element.hasChildNodes()) this.#show(first);
    else this.#timer = window.setTimeout(() => this.#show(first), SHORT_MS);
  }

  #show(first: Turn): void {
    this.element.replaceChildren(
      h('span', {}, 'Waiting for ', h('code', {}, short(first.what))),
      ...(first.stop ? [button('Stop that', first.stop, { icon: 'stop', class: 'quiet' })] : []),
    );
  }
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
