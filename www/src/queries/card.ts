/** A query in the list: its answers, and the actions on it. */
import { askUser } from '../asking.ts';
import { button, h } from '../dom.ts';
import { menu } from '../menu.ts';
import { coloured } from '../prolog/highlight.ts';
import { WaitingLine } from '../turns.ts';
import { asTable, asText, type Shown } from './answers.ts';
import { Arrangement } from './arranged.ts';
import type { Format } from '../../../pkg-templates/src/book/export.ts';
import { faultOf, type Fault } from './fault.ts';
import { drawnFault, withCode } from './faulty.ts';
import type { Topic } from './habits.ts';
import { output as shownOutput } from './long.ts';
import { PICTURE_LABELS, Pictures, type PictureName } from './pictures.ts';
import { type Pinned, pinButton } from './pinned.ts';
import { ALL, type Query } from './query.ts';
import { exportMenu, solutionsMenu } from './solutions.ts';
import { verdictNo } from './why.ts';

type View = 'table' | 'text' | PictureName;

/** How many answers the button for a few takes. */
const FEW = 10;

export interface CardActions {
  /** Put the query back into the box. */
  again(query: Query): void;
  /** Run another query instead, up to its first answer or to the last. */
  ask(text: string, isAll?: boolean): void;
  /** Run another query, and step through its run. */
  step(text: string): void;
  /** Run it again, for at most so many milliseconds. */
  longer(query: Query, ms: number): void;
  /** Add a clause to the file in the editor. */
  add(clause: string): void;
  /** What is known of a topic. */
  manual(topic: Topic): Promise<HTMLElement>;
  close(query: Query): void;
  /** The queries that are pinned. */
  pinned: Pinned;
  /** Show why an answer holds, by its number from 1. */
  why(query: Query, answer: number, beside: HTMLElement): void;
  /** The query's run, step by step. */
  replay(query: Query): Promise<HTMLElement>;
  /** Show why there is no answer. */
  whyNot(query: Query, beside: HTMLElement): void;
  /** The pictures that the texts of the book request. */
  renderings(): PictureName[];
  /** An error in the text of the book that may explain missing answers; undefined if there is none. */
  missing(query: Query): Promise<HTMLElement | undefined>;
}

export class Card {
  readonly element: HTMLElement;
  #query: Query;
  #actions: CardActions;
  #view: View = 'table';
  #chosen = false;
  #body = h('div', { class: 'answers' });
  #goal = h('span', { class: 'text' });
  #status = h('p', { class: 'status', role: 'status' });
  #buttons = h('div', { class: 'row buttons' });
  #views = h('div', { class: 'views', role: 'group', 'aria-label': 'Show answers as' });
  #columns = h('div', { class: 'row columns' });
  #take = h('span', {});
  /** The run, step by step. */
  #run = h('div', {});
  #arrangement = new Arrangement();
  #waiting: WaitingLine;
  #ticking: number | undefined;
  #drawn = '';
  #shown: Shown | undefined;
  #shownAs: View | undefined;
  /** The answers, and what comes after them: output, the verdict, faults. */
  #list = h('div', { class: 'list' });
  #after = h('div', { class: 'after' });
  /** The form for input that the query waits for. */
  #asking = h('div', {});
  #pictures = new Pictures();

  constructor(query: Query, actions: CardActions) {
    this.#query = query;
    this.#actions = actions;
    this.#waiting = new WaitingLine(query.session.turns);
    this.#body.append(this.#list, this.#after);
    this.#goal.append(coloured(query.text));
    const prompt = h('span', { class: 'prompt', 'aria-hidden': 'true' }, '?-');
    const title = h('h2', { class: 'goal' }, prompt, this.#goal);
    this.element = h(
      'article',
      { class: 'card', tabindex: -1, 'aria-label': `Query ${query.number}: ${query.text}` },
      h(
        'header',
        { class: 'row' },
        title,
        h(
          'span',
          { class: 'tools' },
          this.#take,
          button('Step through', () => void this.replay(), {
            icon: 'steps',
            title: 'Step through the run, forwards and back',
            name: 'Step through the run',
            class: 'quiet labelled',
          }),
          pinButton(query.text, actions.pinned),
          button('', () => actions.again(query), { icon: 'edit', title: 'Edit and ask again', class: 'quiet' }),
          button('', () => actions.close(query), { icon: 'close', title: 'Close this query', class: 'quiet' }),
        ),
      ),
      h('div', { class: 'row showing' }, this.#views, this.#columns),
      this.#body,
      this.#asking,
      this.#run,
      h('footer', { class: 'row' }, this.#buttons, this.#status, this.#waiting.element),
    );
    query.ask = (prompt, signal) =>
      askUser(this.#asking, prompt || 'The query reads a line of input.', 'The query reads end of file', signal);
    query.changed.on(() => this.#draw());
    this.#draw();
  }

  /** Show or hide the run. */
  async replay(): Promise<void> {
    if (this.#run.hasChildNodes()) this.#run.replaceChildren();
    else this.#run.replaceChildren(await this.#actions.replay(this.#query));
  }

  #draw(): void {
    const { phase, earlier } = this.#query;
    this.element.dataset.phase = earlier !== undefined ? 'earlier' : this.#query.fault?.topic ? 'done' : phase;
    this.#waiting.watch(this.#query.turn);
    this.#pictures.take(this.#query.answers);
    this.#drawButtons();
    this.#drawViews();
    this.#drawColumns();
    this.#drawTake();
    this.#drawAnswers();
    this.#drawStatus();
    window.clearInterval(this.#ticking);
    if (phase === 'running') this.#ticking = window.setInterval(() => this.#drawStatus(), 100);
  }

  #drawButtons(): void {
    const query = this.#query;
    const had = this.#buttons.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.does
      : undefined;
    const does = (name: string, element: HTMLButtonElement) => {
      element.dataset.does = name;
      return element;
    };
    const shown: HTMLButtonElement[] = [];
    if (query.isRunning)
      shown.push(
        does(
          'stop',
          button('Stop', () => query.stop(), { icon: 'stop', class: 'danger' }),
        ),
      );
    if (query.phase === 'more') {
      shown.push(
        does(
          'next',
          button('Next', () => void query.take(1), { class: 'main', title: 'One more answer' }),
        ),
        does(
          'few',
          button(`Next ${FEW}`, () => void query.take(FEW)),
        ),
        does(
          'all',
          button('All', () => void query.take(), {
            title: `All remaining answers, up to ${ALL.toLocaleString('en')} at a time`,
          }),
        ),
      );
    }
    this.#buttons.replaceChildren(...shown);
    // Keep the focus for somebody who steps through answers with the keyboard.
    if (had) (shown.find((one) => one.dataset.does === had) ?? shown[0] ?? this.element).focus({ preventScroll: true });
  }

  #drawViews(): void {
    const { answers } = this.#query;
    const possible: [View, string][] = [
      ['table', 'Table'],
      ['text', 'Text'],
    ];
    const { possible: pictures, fitting, areDeep } = this.#pictures;
    possible.push(...pictures.map((name): [View, string] => [name, PICTURE_LABELS[name]]));
    if (!possible.some(([view]) => view === this.#view)) this.#view = 'table';
    if (!this.#chosen && this.#view === 'table')
      this.#view = this.#actions.renderings().find((name) => pictures.includes(name)) ?? fitting ?? 'table';
    const isPlain = pictures.length === 0 || (pictures.length === 1 && pictures[0] === 'tree' && !areDeep);
    // A single answer reads the same either way.
    this.#views.hidden = (answers[0]?.bindings.length ?? 0) === 0 || (answers.length === 1 && isPlain && !this.#chosen);
    const drawn = `${this.#view} ${possible.join()}`;
    if (this.#views.dataset.drawn === drawn) return;
    this.#views.dataset.drawn = drawn;
    const had = this.#views.contains(document.activeElement);
    this.#views.replaceChildren(
      ...possible.map(([view, label]) => {
        const one = h(
          'button',
          {
            type: 'button',
            'aria-pressed': String(view === this.#view),
            onclick: () => {
              this.#view = view;
              this.#chosen = true;
              this.#draw();
            },
          },
          label,
        );
        return one;
      }),
    );
    if (had) (this.#views.querySelector('[aria-pressed=true]') as HTMLElement | null)?.focus();
  }

  /** Controls for the columns of a table with several answers. */
  #drawColumns(): void {
    const { answers } = this.#query;
    const names = (answers[0]?.bindings ?? []).map(({ name }) => name);
    this.#columns.hidden = this.#view !== 'table' || answers.length < 2 || names.length === 0;
    const { distinct, hidden } = this.#arrangement;
    const count = distinct && !this.#query.isRunning ? this.#arrangement.rows(answers).length : undefined;
    const drawn = JSON.stringify([names, [...hidden], distinct, count]);
    if (this.#columns.hidden || this.#columns.dataset.drawn === drawn) return;
    this.#columns.dataset.drawn = drawn;
    const had = this.#columns.contains(document.activeElement);
    const unique = button(count === undefined ? 'Distinct' : `${count.toLocaleString('en')} distinct`, () => {
      this.#arrangement.distinct = !distinct;
      this.#arrange();
    });
    unique.setAttribute('aria-pressed', String(distinct));
    unique.title = 'Hide repeated rows';
    unique.classList.add('toggle-rows');
    const columns = names.map((name) => ({
      label: name,
      checked: !hidden.has(name),
      act: () => {
        this.#arrangement.hide(name, !hidden.has(name));
        this.#arrange();
      },
    }));
    this.#columns.replaceChildren(
      unique,
      ...(names.length > 1 ? [menu('Columns', columns, undefined, { class: 'small' })] : []),
    );
    if (had) this.#columns.querySelector('button')?.focus({ preventScroll: true });
  }

  #arrange(): void {
    const had = (document.activeElement as HTMLElement | null)?.dataset.does;
    this.#shown?.close();
    this.#shown = undefined;
    this.#drawn = '';
    this.#draw();
    if (had?.startsWith('sort '))
      this.#list.querySelector<HTMLElement>(`[data-does="${CSS.escape(had)}"]`)?.focus({ preventScroll: true });
  }

  /** The menus for the answers as a whole. */
  #drawTake(): void {
    const query = this.#query;
    const isThere = (query.answers[0]?.bindings.length ?? 0) > 0;
    if (!isThere || this.#take.hasChildNodes()) return;
    this.#take.append(
      solutionsMenu(query, (text) => this.#actions.ask(text, true)),
      exportMenu(query, (format) => this.#written(format)),
    );
  }

  #written({ write }: Format): string {
    const { answers, text } = this.#query;
    const isTable = this.#view === 'table';
    const rows = isTable ? this.#arrangement.rows(answers).map((index) => answers[index]!) : answers;
    const shown = (answer: (typeof answers)[number]) => (isTable ? this.#arrangement.shown(answer) : answer.bindings);
    const names = shown(answers[0]!).map(({ name }) => name);
    return write(rows, shown, text, names);
  }

  #drawAnswers(): void {
    const { answers, output, phase } = this.#query;
    const drawn = `${this.#view} ${answers.length} ${output.length} ${phase}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#drawList();
    const parts: HTMLElement[] = [];
    if (
      this.#view !== 'table' &&
      this.#view !== 'text' &&
      answers.some(({ residual }) => residual && residual.length > 0)
    ) {
      parts.push(h('p', { class: 'note' }, 'Some answers have remaining constraints: see the table.'));
    }
    if (output) parts.push(shownOutput(output, 'Output'));
    if (answers.length === 0 && phase === 'done')
      parts.push(verdictNo((beside) => this.#actions.whyNot(this.#query, beside)));
    const { fault } = this.#query;
    if (fault) parts.push(...this.#drawFault(fault));
    this.#after.replaceChildren(...parts);
    if (this.#query.mayLackClauses) void this.#explain();
  }

  /** Append new answers to those shown; pictures wait for the last one. */
  #drawList(): void {
    const { answers } = this.#query;
    if (answers.length === 0) return;
    const same = this.#shown !== undefined && this.#shownAs === this.#view;
    if (same && this.#shown?.extend(!this.#query.isRunning)) return;
    this.#shown?.close();
    this.#shown = this.#make();
    this.#shownAs = this.#view;
    this.#list.replaceChildren(this.#shown.element);
  }

  #make(): Shown {
    const { answers } = this.#query;
    const why = (number: number, beside: HTMLElement) => this.#actions.why(this.#query, number, beside);
    if (this.#view === 'table')
      return asTable(answers, { arrangement: this.#arrangement, why, arranged: () => this.#arrange() });
    if (this.#view === 'text') return asText(answers, why);
    const element = this.#pictures.draw(this.#view);
    return { element, extend: () => this.#query.isRunning, close() {} };
  }

  #drawFault(fault: Fault): HTMLElement[] {
    const query = this.#query;
    const { text } = query;
    const { place } = fault;
    if (place) {
      const wrong = h('span', { class: 'wrong' }, coloured(text.slice(place.from, place.to) || ' '));
      this.#goal.replaceChildren(coloured(text.slice(0, place.from)), wrong, coloured(text.slice(place.to)));
    }
    const { ask, step, add, longer, manual } = this.#actions;
    return drawnFault(fault, { ask, step, add, manual, longer: (ms) => longer(query, ms) });
  }

  /**
   * If a clause could not be read, the missing predicate may be in it: then correct that, and do not offer a
   * declaration.
   */
  async #explain(): Promise<void> {
    const { text, error, place } = this.#query;
    const why = await this.#actions.missing(this.#query);
    if (!why) return;
    const fault = this.#after.querySelector('.fault');
    const without = faultOf({ text, error, place, next: '' });
    if (fault && without) fault.replaceChildren(...withCode(without.message));
    this.#after.querySelector('.repairs')?.remove();
    this.#after.append(why);
  }

  #drawStatus(): void {
    const { answers, phase, effect, tookMs, startedMs, inferences, earlier } = this.#query;
    if (earlier !== undefined) {
      const shown =
        answers.length < earlier ? `${answers.length} of ${count(earlier, 'answer')}` : count(earlier, 'answer');
      this.#status.replaceChildren(`${shown} · from before the reload`);
      return;
    }
    const ms = tookMs + (startedMs === undefined ? 0 : performance.now() - startedMs);
    const time = ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
    const waits = this.#query.turn !== undefined && this.#query.session.turns.before(this.#query.turn) !== undefined;
    const state = {
      running: waits ? 'waiting…' : 'running…',
      more: 'there may be more',
      done: 'no more',
      error: this.#query.fault?.topic ? 'what is known' : 'error',
      stopped: 'stopped',
    }[phase];
    const parts = [
      answers.length > 0 && count(answers.length, 'answer'),
      phase === 'done' && answers.length === 0 ? 'no answer' : state,
      time,
      count(inferences, 'inference'),
      effect,
    ];
    const text = parts.filter(Boolean).join(' · ');
    if (phase === 'running') {
      // Screen readers should not read out a clock ten times a second.
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
