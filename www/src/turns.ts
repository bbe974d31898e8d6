/**
 * The page's queue for the engine, which does one thing at a time, first come, first served. It lets the page tell the
 * person what they are waiting for.
 */
import { Signal, button, h } from './dom.ts';

export interface Turn {
  /** What is being done, such as `?- goal` or `saving family.pl`. */
  what: string;
  /** The file that is being saved into the book. */
  saves?: string;
  /** Cancels it, if possible. */
  stop?: () => void;
  /** Gets a line of input from the person; resolves with `undefined` if they give none. */
  ask?: (prompt: string) => Promise<string | undefined>;
  /** The connection that it uses, if it can ask. */
  via?: object;
}

/** Shorter waits, in milliseconds, are not worth mentioning. */
const SHORT_MS = 300;

export class Turns {
  /** The queue changed. */
  readonly changed = new Signal();
  readonly #line: Turn[] = [];

  /** Do `work`, which uses the engine, in a turn. */
  async take<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const done = work();
    this.#line.push(turn);
    this.changed.send();
    try {
      return await done;
    } finally {
      this.#line.splice(this.#line.indexOf(turn), 1);
      this.changed.send();
    }
  }

  /** What the engine does. */
  get current(): Turn | undefined {
    return this.#line[0];
  }

  /** Who gets input for what runs in a connection. */
  asking(via: object | undefined): Turn | undefined {
    return this.#line.find((turn) => turn.ask && turn.via === via);
  }

  /** What `turn` waits for; undefined if it does not wait. */
  before(turn: Turn): Turn | undefined {
    const [first] = this.#line;
    return first !== turn && this.#line.includes(turn) ? first : undefined;
  }
}

/** Shows what a turn waits for, or that it saves a file, with a button to stop that; empty unless it takes a while. */
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
    const turn = this.#turn;
    const first = turn && (this.turns.before(turn) ?? (turn.saves === undefined ? undefined : turn));
    if (!first) this.element.replaceChildren();
    // Update a line that is already shown at once.
    else if (this.element.hasChildNodes()) this.#show(first);
    else this.#timer = window.setTimeout(() => this.#show(first), SHORT_MS);
  }

  #show(first: Turn): void {
    this.element.replaceChildren(
      first === this.#turn
        ? h('span', {}, `Running ${short(first.saves ?? '')}`)
        : h('span', {}, 'Waiting for ', h('code', {}, short(first.what))),
      ...(first.stop
        ? [button(first === this.#turn ? 'Stop' : 'Stop that', first.stop, { icon: 'stop', class: 'quiet' })]
        : []),
    );
  }
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
