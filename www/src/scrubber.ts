/** Controls to step through a run forwards and backwards, and to breakpoints. */
import { button, h, type Child } from './dom.ts';

export interface Steps {
  /** The number of steps, at least one. */
  count: number;
  /** Step `index`, from 0, as shown and as read out. Called when it becomes the current one. */
  show(index: number): { now: Child[]; said: string; beside: Child[] };
  /** Whether there is a breakpoint at a step. */
  stopsAt(index: number): boolean;
}

export class Scrubber {
  readonly element: HTMLElement;
  #at = 0;
  #slider: HTMLInputElement;
  #now = h('div', { class: 'replay-now', 'aria-live': 'polite' });
  #beside = h('div', { class: 'replay-beside' });

  constructor(
    private readonly steps: Steps,
    note: Child,
  ) {
    this.#slider = h('input', {
      type: 'range',
      min: 0,
      max: steps.count - 1,
      value: 0,
      'aria-label': 'Step',
      oninput: () => this.#show(Number(this.#slider.value)),
    });
    this.element = h(
      'section',
      { class: 'replay', 'aria-label': 'The run, step by step' },
      h(
        'div',
        { class: 'row' },
        button('Back', () => this.#show(this.#at - 1), { class: 'small' }),
        this.#slider,
        button('Step', () => this.#show(this.#at + 1), { class: 'small' }),
        button('To breakpoint', () => this.#toStop(), {
          class: 'small',
          title: 'Continue to the next breakpoint. Click a line number to set one.',
        }),
      ),
      this.#now,
      this.#beside,
      note,
    );
    this.#show(0);
  }

  #show(index: number): void {
    const { count } = this.steps;
    this.#at = Math.max(0, Math.min(index, count - 1));
    const { now, said, beside } = this.steps.show(this.#at);
    const where = `${this.#at + 1} of ${count}`;
    this.#slider.value = String(this.#at);
    this.#slider.setAttribute('aria-valuetext', `${where}: ${said}`);
    this.#now.replaceChildren(...present([...now, h('span', { class: 'note' }, where)]));
    this.#beside.replaceChildren(...present(beside));
    this.#beside.hidden = !this.#beside.hasChildNodes();
  }

  #toStop(): void {
    let next = this.#at + 1;
    while (next < this.steps.count && !this.steps.stopsAt(next)) next += 1;
    this.#show(next);
  }
}

const present = (children: Child[]): (Node | string)[] =>
  children.flatMap((child) =>
    child === null || child === undefined || child === false ? [] : [typeof child === 'number' ? String(child) : child],
  );
