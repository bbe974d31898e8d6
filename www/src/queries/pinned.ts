/** Queries that are pinned: their answers, which change as the book does. */
import '../styles/pinned.css';
import { without } from '../../../pkg/book/watch.js';
import type { StepAnswer, WatchedStep } from '../../../pkg/full/hornbook.js';
import { Signal, asSentence, button, h, tell } from '../dom.ts';
import { keep, keptJson } from '../kept.ts';
import { coloured, withoutEnd } from '../prolog/highlight.ts';
import { partOf } from '../shelf.ts';
import { withCode } from './faulty.ts';

const PINNED = partOf('hornbook.pinned');
/** How many queries can be pinned, and how many answers of each are shown. */
const MOST = 20;
const MOST_ROWS = 200;

/** Watches a goal: `take` gets what it answers now, and after each change. Returns what ends the watching. */
export type Watches = (goal: string, take: (step: WatchedStep) => void) => () => void;

export class Pinned {
  readonly element = h('section', { class: 'pinned', 'aria-label': 'Pinned queries' });
  /** Others are pinned. */
  readonly changed = new Signal();
  #goals = new Map<string, PinnedGoal>();
  #keeps = false;

  /**
   * @param ask asks a query in the usual way, where there is one
   * @param name under which the browser keeps them
   */
  constructor(
    private readonly watches: Watches,
    private readonly ask?: (goal: string) => void,
    private readonly name = PINNED,
  ) {
    this.#draw();
  }

  /** Show those that were kept, and keep them from now on. */
  restore(): void {
    this.#keeps = true;
    for (const goal of stored(this.name)) if (!this.#goals.has(goal)) this.#add(goal);
    this.#keep();
    this.#draw();
  }

  /** Watch all of them in the book that is open now. */
  rewatch(): void {
    for (const goal of this.#goals.values()) goal.watch();
  }

  /** The pinned goals. */
  get goals(): string[] {
    return [...this.#goals.keys()];
  }

  /** Watch none of them any more. */
  close(): void {
    for (const goal of this.#goals.values()) goal.close();
  }

  has(query: string): boolean {
    return this.#goals.has(withoutEnd(query));
  }

  /** Pin a query, or take its pin away. */
  toggle(query: string): void {
    const goal = withoutEnd(query);
    if (this.#goals.has(goal)) {
      this.#remove(goal);
      this.#keep();
      this.#draw();
    } else {
      this.pin(goal);
    }
  }

  /** Pin a query, and show it. */
  pin(query: string): void {
    const goal = withoutEnd(query);
    if (!this.#goals.has(goal)) {
      if (this.#goals.size >= MOST) {
        tell(`Only ${MOST} queries can be pinned. Take another pin away first.`, 'error');
        return;
      }
      this.#add(goal);
      this.#keep();
      this.#draw();
    }
    this.#goals.get(goal)!.element.scrollIntoView({ block: 'nearest' });
  }

  #keep(): void {
    if (this.#keeps) keep(this.name, this.#goals.size === 0 ? undefined : JSON.stringify(this.goals));
  }

  #add(goal: string): void {
    const { ask } = this;
    const one = new PinnedGoal(this.watches, goal, {
      ...(ask && { ask: () => ask(goal) }),
      unpin: () => this.toggle(goal),
    });
    this.#goals.set(goal, one);
    this.element.append(one.element);
  }

  #remove(goal: string): void {
    const one = this.#goals.get(goal);
    const next = one?.element.nextElementSibling ?? one?.element.previousElementSibling;
    const hadFocus = one?.element.contains(document.activeElement);
    one?.close();
    this.#goals.delete(goal);
    if (hadFocus) (next as HTMLElement | null)?.focus({ preventScroll: true });
  }

  #draw(): void {
    this.element.hidden = this.#goals.size === 0;
    this.changed.send();
  }
}

/** A line in which a query to pin is typed. */
export function pinForm(pinned: Pinned): HTMLElement {
  const goal = h('input', {
    type: 'text',
    'aria-label': 'Query to pin',
    placeholder: 'ancestor(tom, Who)',
    spellcheck: 'false',
  });
  return h(
    'form',
    {
      class: 'row pin-form',
      onsubmit: (event: Event) => {
        event.preventDefault();
        if (goal.value.trim() !== '') pinned.pin(goal.value);
        goal.value = '';
      },
    },
    goal,
    h('button', { title: 'Show its answers as the book changes' }, 'Pin'),
  );
}

/** Pins a query, so that its answers follow the book. */
export function pinButton(text: string, pinned: Pinned): HTMLButtonElement {
  const title = 'Pin: show its answers as the book changes';
  const pin = button('', () => pinned.toggle(text), { icon: 'pin', title, class: 'quiet' });
  const draw = () => pin.setAttribute('aria-pressed', String(pinned.has(text)));
  const off = pinned.changed.on(() => (pin.isConnected ? draw() : off()));
  draw();
  return pin;
}

/** A pinned goal, and what it answers now. */
class PinnedGoal {
  readonly element: HTMLElement;
  #end: (() => void) | undefined;
  #before: StepAnswer[] | undefined;
  #rows = h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Answers now' });
  #status = h('p', { class: 'status', role: 'status' }, 'asking…');

  constructor(
    private readonly watches: Watches,
    private readonly goal: string,
    actions: { ask?: () => void; unpin: () => void },
  ) {
    const prompt = h('span', { class: 'prompt', 'aria-hidden': 'true' }, '?-');
    this.element = h(
      'article',
      { class: 'pinned-query', tabindex: -1, 'aria-label': `Pinned query: ${goal}` },
      h(
        'header',
        { class: 'row' },
        h('h2', { class: 'goal' }, prompt, h('span', { class: 'text' }, coloured(goal))),
        h(
          'span',
          { class: 'tools' },
          ...(actions.ask ? [button('', actions.ask, { icon: 'play', title: 'Ask it', class: 'quiet' })] : []),
          button('', actions.unpin, { icon: 'close', title: 'Take the pin away', class: 'quiet' }),
        ),
      ),
      this.#rows,
      h('footer', { class: 'row' }, this.#status),
    );
    this.watch();
  }

  /** Watch it in the book that is open now. */
  watch(): void {
    this.#end?.();
    this.#end = this.watches(this.goal, (step) => this.#take(step));
  }

  close(): void {
    this.#end?.();
    this.element.remove();
  }

  #take({ answers, more, failure }: WatchedStep): void {
    const added = new Set(this.#before ? without(answers, this.#before) : []);
    const gone = this.#before ? without(this.#before, answers) : [];
    this.#before = answers;
    this.#draw(answers, added, gone);
    const counts = [
      failure ? 'error' : answers.length === 0 ? 'no answer' : counted(answers.length + (more ? 1 : 0), more),
      added.size > 0 && `${added.size} new`,
      gone.length > 0 && `${gone.length} gone`,
    ];
    this.#status.textContent = counts.filter(Boolean).join(' · ');
    this.element.dataset.phase = failure ? 'error' : 'done';
    if (failure) this.#rows.append(h('p', { class: 'fault' }, ...withCode(asSentence(failure.message))));
  }

  #draw(answers: StepAnswer[], added: Set<StepAnswer>, gone: StepAnswer[]): void {
    const [first] = [...answers, ...gone];
    if (!first) {
      this.#rows.replaceChildren();
      return;
    }
    const row = (answer: StepAnswer, kind: 'new' | 'gone' | 'same') => {
      const cells = cellsOf(answer);
      const mark = kind === 'same' ? '' : kind;
      return h(
        'tr',
        { class: kind },
        h('td', { class: 'mark' }, mark),
        ...cells.map((cell) => h('td', {}, kind === 'gone' ? h('del', {}, cell) : cell)),
      );
    };
    const shown = [
      ...answers.slice(0, MOST_ROWS).map((answer) => row(answer, added.has(answer) ? 'new' : 'same')),
      ...gone.slice(0, MOST_ROWS).map((answer) => row(answer, 'gone')),
    ];
    const names = first.bindings.map(([name]) => h('th', { scope: 'col' }, name));
    const head = h('tr', {}, h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'Change')), ...names);
    const table = h('table', {}, h('thead', {}, head), h('tbody', {}, ...shown));
    const left = answers.length - MOST_ROWS;
    this.#rows.replaceChildren(table, ...(left > 0 ? [h('p', { class: 'note' }, `and ${left} more`)] : []));
  }
}

/** The values of an answer, with what else is known of it. */
function cellsOf({ bindings, residual, undefined: neither }: StepAnswer): HTMLElement[] {
  const cells = bindings.map(([, text]) => coloured(text));
  const rest = [...residual.map((one) => coloured(one)), ...(neither ? [h('span', {}, 'undefined')] : [])];
  if (cells.length > 0 && rest.length === 0) return cells;
  return [...cells, ...(rest.length > 0 ? rest : [h('span', {}, 'true')])];
}

const counted = (count: number, more: boolean): string =>
  `${more ? 'more than ' : ''}${(more ? count - 1 : count).toLocaleString('en')} answer${count === 1 ? '' : 's'}`;

function stored(name: string): string[] {
  const value = keptJson(name);
  return Array.isArray(value) ? value.filter((goal) => typeof goal === 'string').slice(0, MOST) : [];
}
