/** A query as it is shown: its answers, and what can be done with it. */
import { button, h, icon } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import { asTable, asText } from './answers.ts';
import { edgesOf, graph } from './graph.ts';
import { gridsOf, grids, isBoard } from './grid.ts';
import type { Query } from './query.ts';

type View = 'table' | 'text' | 'graph' | 'board';

/** How many answers are taken at a time by the button for a few. */
const FEW = 10;

export interface CardActions {
  /** Put the query into the box again. */
  again(query: Query): void;
  close(query: Query): void;
  /** Show how an answer, by its number from 1, came to be. */
  why(query: Query, answer: number, beside: HTMLElement): void;
}

export class Card {
  readonly element: HTMLElement;
  #query: Query;
  #actions: CardActions;
  #view: View = 'table';
  #chosen = false;
  #body = h('div', { class: 'answers' });
  #status = h('p', { class: 'status', role: 'status' });
  #buttons = h('div', { class: 'row buttons' });
  #views = h('div', { class: 'views', role: 'group', 'aria-label': 'Show answers as' });
  #ticking: number | undefined;
  #drawn = '';

  constructor(query: Query, actions: CardActions) {
    this.#query = query;
    this.#actions = actions;
    const title = h('h2', { class: 'goal' }, h('span', { class: 'prompt', 'aria-hidden': 'true' }, '?-'), coloured(query.text));
    this.element = h('article', { class: 'card', tabindex: -1, 'aria-label': `Query ${query.number}: ${query.text}` },
      h('header', { class: 'row' }, title,
        h('span', { class: 'tools' },
          button('', () => actions.again(query), { icon: 'again', title: 'Edit and ask again', class: 'quiet' }),
          button('', () => actions.close(query), { icon: 'close', title: 'Close this query', class: 'quiet' }))),
      this.#views, this.#body, h('footer', { class: 'row' }, this.#buttons, this.#status));
    query.changed.on(() => this.#draw());
    this.#draw();
  }

  #draw(): void {
    const { phase } = this.#query;
    this.element.dataset.phase = phase;
    this.#drawButtons();
    this.#drawViews();
    this.#drawAnswers();
    this.#drawStatus();
    window.clearInterval(this.#ticking);
    if (phase === 'running') this.#ticking = window.setInterval(() => this.#drawStatus(), 100);
  }

  #drawButtons(): void {
    const query = this.#query;
    const had = this.#buttons.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.does : undefined;
    const does = (name: string, element: HTMLButtonElement) => {
      element.dataset.does = name;
      return element;
    };
    const shown: HTMLButtonElement[] = [];
    if (query.isRunning) shown.push(does('stop', button('Stop', () => query.stop(), { icon: 'stop', class: 'danger' })));
    if (query.phase === 'more') {
      shown.push(
        does('next', button('Next', () => void query.take(1), { class: 'main', title: 'One more answer' })),
        does('few', button(`Next ${FEW}`, () => void query.take(FEW))),
        does('all', button('All', () => void query.take(), { title: 'All the other answers, up to a thousand at a time' })));
    }
    this.#buttons.replaceChildren(...shown);
    // Whoever steps through answers by the keyboard goes on where they were.
    if (had) (shown.find((one) => one.dataset.does === had) ?? shown[0] ?? this.element).focus({ preventScroll: true });
  }

  #drawViews(): void {
    const { answers } = this.#query;
    const possible: [View, string][] = [['table', 'Table'], ['text', 'Text']];
    if (gridsOf(answers).length > 0) possible.push(['board', 'Board']);
    if (edgesOf(answers).length > 0) possible.push(['graph', 'Graph']);
    if (!possible.some(([view]) => view === this.#view)) this.#view = 'table';
    if (!this.#chosen && this.#view === 'table' && gridsOf(answers).some(isBoard)) this.#view = 'board';
    const shown = answers.some(({ bindings }) => bindings.length > 0);
    this.#views.hidden = !shown;
    const drawn = `${this.#view} ${possible.join()}`;
    if (this.#views.dataset.drawn === drawn) return;
    this.#views.dataset.drawn = drawn;
    const had = this.#views.contains(document.activeElement);
    this.#views.replaceChildren(...possible.map(([view, label]) => {
      const one = h('button', { type: 'button', 'aria-pressed': String(view === this.#view), onclick: () => {
        this.#view = view;
        this.#chosen = true;
        this.#draw();
      } }, label);
      return one;
    }));
    if (had) (this.#views.querySelector('[aria-pressed=true]') as HTMLElement | null)?.focus();
  }

  #drawAnswers(): void {
    const { answers, output, error, phase } = this.#query;
    const drawn = `${this.#view} ${answers.length} ${output.length} ${phase}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const why = (number: number, beside: HTMLElement) => this.#actions.why(this.#query, number, beside);
    const parts: HTMLElement[] = [];
    if (answers.length > 0) {
      if (this.#view === 'graph') parts.push(graph(edgesOf(answers)));
      else if (this.#view === 'board') parts.push(grids(gridsOf(answers)));
      else if (this.#view === 'text') parts.push(asText(answers, why));
      else parts.push(asTable(answers, why));
    }
    if (this.#view === 'graph' || this.#view === 'board') {
      const residual = answers.flatMap((answer) => answer.residual ?? []);
      if (residual.length > 0) parts.push(h('p', { class: 'note' }, 'Some answers have constraints that remain: see the table.'));
    }
    if (output) parts.push(h('pre', { class: 'output', tabindex: 0, 'aria-label': 'Output' }, output));
    if (answers.length === 0 && phase === 'done') parts.push(h('p', { class: 'verdict no' }, 'false'));
    if (error) parts.push(h('p', { class: 'fault', role: 'alert' }, error));
    this.#body.replaceChildren(...parts);
  }

  #drawStatus(): void {
    const { answers, phase, effect, tookMs, startedMs, inferences } = this.#query;
    const ms = tookMs + (startedMs === undefined ? 0 : performance.now() - startedMs);
    const time = ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
    const state = { running: 'running…', more: 'there may be more', done: 'no more', error: 'ended by an error', stopped: 'stopped' }[phase];
    const parts = [answers.length > 0 && count(answers.length, 'answer'), phase === 'done' && answers.length === 0 ? 'no answer' : state, time, count(inferences, 'inference'), effect];
    const text = parts.filter(Boolean).join(' · ');
    if (phase === 'running') {
      // A clock that is read out ten times a second would help nobody.
      this.#status.setAttribute('aria-live', 'off');
      this.#status.replaceChildren(h('span', { class: 'spinner', 'aria-hidden': 'true' }), text);
    } else {
      this.#status.removeAttribute('aria-live');
      this.#status.replaceChildren(text);
    }
  }
}

const count = (number: number | undefined, what: string): string | undefined =>
  number === undefined ? undefined : `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;

/** The button that shows how an answer came to be. */
export function whyButton(number: number, show: (number: number, beside: HTMLElement) => void): HTMLElement {
  const one: HTMLButtonElement = h('button', {
    type: 'button', class: 'quiet why', title: 'How this answer came to be', 'aria-label': `Why answer ${number}`, 'aria-expanded': 'false',
    onclick: () => show(number, one),
  }, icon('why'), h('span', {}, 'Why'));
  return one;
}
