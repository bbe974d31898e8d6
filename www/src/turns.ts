/**
 * Whose turn it is. The engine does one thing at a time, first come, first served; what the page asks of it stands
 * in this line, so that whoever waits can be told for what.
 */
import { Signal, button, h } from './dom.ts';

export interface Turn {
  /** What is done, as `?- goal` or `saving family.pl`. */
  what: string;
  /** Gives it up, where that can be. */
  stop?: () => void;
  /** What the person says to a prompt of what is done, a line; `undefined` where they say nothing. */
  ask?: (prompt: string) => Promise<string | undefined>;
}

/** Milliseconds of waiting that nobody needs to be told of. */
const SHORT_MS = 300;

export class Turns {
  /** Somebody came or went. */
  readonly changed = new Signal();
  readonly #line: Turn[] = [];
  /** What runs or waits, each settled when it is over. */
  readonly #running = new Set<Promise<unknown>>();
  /** Settled when nobody needs the engine for himself any more. */
  #alone: Promise<unknown> | undefined;

  /** Do `work`, which asks the engine, in a turn. */
  take<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const alone = this.#alone;
    return this.#stand(turn, alone ? alone.then(work, work) : work());
  }

  /** Do `work` when all that came before is over; what comes later waits for it. */
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

  /** Stand in the line until `done` is settled. */
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

  /** What `turn` waits for; undefined where it does not. */
  before(turn: Turn): Turn | undefined {
    const [first] = this.#line;
    return first !== turn && this.#line.includes(turn) ? first : undefined;
  }
}

/** For whom a turn waits, and the button that ends that; empty while it does not, or not for long. */
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
    // One that is shown already changes at once.
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
