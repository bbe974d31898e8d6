/** Compares what goals answer after two revisions of the book. */
import '../styles/review.css';
import { h, sentence, tell } from '../dom.ts';
import type { GoTo } from '../queries/replay.ts';
import type { Session } from '../session.ts';
import { lastRevision } from '../undo.ts';
import { goalChanges } from './answers.ts';
import { deskOf } from './desk.ts';
import { Goals } from './goals.ts';

export class Comparison {
  readonly element: HTMLElement;
  #from = number('From revision');
  #to = number('to');
  #goals: Goals;
  /** What was asked before the last time is not shown. */
  #asked = 0;
  #found = h('div', { class: 'goal-changes', role: 'status' });

  constructor(
    private readonly session: Session,
    private readonly goTo: GoTo,
    pinned: () => string[],
  ) {
    this.#goals = new Goals(pinned, 'Compare', () => void this.#compare());
    this.element = h(
      'div',
      { class: 'comparison' },
      h('div', { class: 'row' }, this.#from.element, this.#to.element),
      this.#goals.element,
      this.#found,
    );
  }

  /** Offer to compare a revision with the newest. */
  async offer(from: number | undefined): Promise<void> {
    const last = await lastRevision(this.session);
    this.#from.field.valueAsNumber = from ?? Math.max(last - 1, 0);
    this.#to.field.valueAsNumber = last;
    this.#found.replaceChildren();
    if (from !== undefined && this.#goals.all.length > 0) await this.#compare();
  }

  async #compare(): Promise<void> {
    const [from, to] = [this.#from.field.valueAsNumber, this.#to.field.valueAsNumber];
    const goals = this.#goals.all;
    const asked = ++this.#asked;
    this.#found.replaceChildren();
    if (![from, to].every((one) => Number.isSafeInteger(one) && one >= 0))
      return void tell('Name two revisions by their numbers, from 0.', 'error');
    if (goals.length === 0) return void tell('Pin a query or type a goal first.', 'error');
    this.#found.replaceChildren(h('p', { class: 'note' }, 'Asking…'));
    try {
      const desk = await deskOf(this.session);
      const found = await desk.compare(from, to, goals);
      const prove = (goal: string, answer: number) => desk.proveAt(to, goal, answer);
      if (asked === this.#asked) this.#found.replaceChildren(...goalChanges(found, prove, this.goTo));
    } catch (error) {
      if (asked === this.#asked) this.#found.replaceChildren(h('p', { class: 'fault' }, sentence(error)));
    }
  }
}

function number(label: string): { element: HTMLElement; field: HTMLInputElement } {
  const field = h('input', { type: 'number', min: 0, step: 1, required: true });
  return { element: h('label', { class: 'row' }, label, field), field };
}
