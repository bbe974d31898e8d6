/** The right side: the query box, and the queries so far. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
  selectedCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import { EditorView, drawSelection, keymap, placeholder } from '@codemirror/view';
import type { Book } from '../book/book.ts';
import type { Outlines } from '../book/outlines.ts';
import { Signal, button, h, sentence, tell } from '../dom.ts';
import { atomText } from '../../../pkg-templates/src/lsp/names.ts';
import { suggested } from '../examples/index.ts';
import { completion } from '../prolog/completion.ts';
import { prologColours } from '../prolog/highlight.ts';
import { goal } from '../prolog/language.ts';
import type { Session } from '../session.ts';
import { goalsOf, isTables } from '../tables/facts.ts';
import type { Turn } from '../turns.ts';
import { Asked } from './asked.ts';
import { Card } from './card.ts';
import { renderingsIn } from './pictures.ts';
import { Pinned } from './pinned.ts';
import { Query } from './query.ts';
import { keepQueries, takeKept } from './kept.ts';
import { addClause, missingFor } from './mending.ts';
import type { GoTo } from './replay.ts';

/** Loaded when somebody first asks why. */
const proofs = () => import('./proof.ts');

/** The goal that reads a document. */
const readingOf = (name: string): string => `read_file_to_string(${atomText(name)}, Text, [])`;

export class QueriesPane {
  readonly element: HTMLElement;
  /** The query box. On a narrow page it is below every panel. */
  readonly ask: HTMLElement;
  /** A query was run. */
  readonly asks = new Signal();
  readonly queries: Query[] = [];
  readonly pinned: Pinned;
  #session: Session;
  #book: Book;
  #goTo: GoTo;
  #box: EditorView;
  #cards = h('div', { class: 'cards' });
  #count = h('span', {});
  #askedBar = h(
    'div',
    { class: 'asked' },
    this.#count,
    button('Close all', () => this.closeAll(), { class: 'quiet', title: 'Close all queries' }),
  );
  #suggestions = h('div', { class: 'suggestions', role: 'group', 'aria-label': 'Suggested queries' });
  /** As tall as the longest suggestion in the box, so that those below it stay where they are when one is taken. */
  #room = h('div', { class: 'room', 'aria-hidden': 'true' });
  #empty: HTMLElement;
  #cardOf = new Map<Query, HTMLElement>();
  #asked: Asked;
  #outlines: Outlines;

  /**
   * @param keepsAsked whether the browser keeps what was asked
   * @param write where one writes what is asked about, as a part of a sentence
   * @param begin what helps to begin, below the first steps
   */
  constructor(
    session: Session,
    book: Book,
    outlines: Outlines,
    goTo: GoTo,
    helping: Extension,
    keepsAsked: boolean,
    write = 'facts and rules on the left, drop a table there, or open an example.',
    begin?: HTMLElement,
  ) {
    this.#empty = firstSteps(write, begin);
    this.#session = session;
    this.#outlines = outlines;
    this.#asked = new Asked(keepsAsked);
    this.#book = book;
    this.#goTo = goTo;
    this.pinned = new Pinned(
      (goal, take) => {
        const watch = session.hornbook.watch(goal, take);
        return () => watch.free();
      },
      (goal) => {
        this.write(goal);
        this.#press(1);
      },
    );
    session.reopened.on(() => this.pinned.rewatch());
    this.#box = new EditorView({
      state: EditorState.create({
        extensions: [
          goal,
          helping,
          prologColours,
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          EditorView.lineWrapping,
          // Enter runs the query unless a completion was selected with the arrow keys.
          autocompletion({ override: [completion(session, outlines)], icons: false, selectOnOpen: false }),
          placeholder('ancestor(tom, Who)'),
          EditorView.contentAttributes.of({ 'aria-label': 'Query', spellcheck: 'false' }),
          Prec.high(
            keymap.of([
              { key: 'Enter', run: (view) => !selectedCompletion(view.state) && this.#askNow(1), shift: newLine },
              { key: 'Mod-Enter', run: () => this.#askNow() },
              { key: ';', run: () => this.#goOn() },
              { key: 'Space', run: () => this.#goOn() },
              { key: 'ArrowUp', run: () => this.#recall(-1) },
              { key: 'ArrowDown', run: () => this.#recall(1) },
            ]),
          ),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        ],
      }),
    });
    const box = h(
      'div',
      { class: 'box' },
      h('span', { class: 'prompt', 'aria-hidden': 'true' }, '?-'),
      h('div', { class: 'field' }, this.#box.dom, this.#room),
    );
    box.append(
      button('All', () => this.#press(), {
        class: 'quiet',
        keys: 'Ctrl+Enter',
        title: 'Every answer',
        name: 'Ask for all',
      }),
      button('Ask', () => this.#press(1), { icon: 'play', class: 'main', keys: 'Enter', title: 'The first answer' }),
    );
    this.ask = h('div', { class: 'ask', role: 'search', 'aria-label': 'Ask' }, box);
    this.element = h(
      'div',
      { class: 'queries' },
      this.ask,
      this.#suggestions,
      this.#empty,
      this.pinned.element,
      this.#askedBar,
      this.#cards,
    );
    this.#drawCount();
    if (keepsAsked) {
      this.pinned.restore();
      for (const query of takeKept(session).reverse()) this.#list(query);
      window.addEventListener('pagehide', () => keepQueries(this.queries));
    }
    book.textChanged.on(() => this.#suggest());
    book.tabsChanged.on(() => this.#suggest());
  }

  #suggest(): void {
    const { current } = this.#book;
    const text = this.#book.text();
    const goals = current?.isDocument ? [readingOf(current.name)] : isTables(text) ? goalsOf(text) : suggested(text);
    this.#suggestions.hidden = goals.length === 0;
    const drawn = goals.join('\n');
    if (this.#suggestions.dataset.drawn === drawn) return;
    this.#suggestions.dataset.drawn = drawn;
    this.#room.replaceChildren(...goals.map((text) => h('div', {}, text)));
    this.#suggestions.replaceChildren(
      ...goals.map((text) =>
        h(
          'button',
          {
            type: 'button',
            class: 'chip',
            onclick: () => {
              this.write(text);
              this.#press(1);
            },
          },
          text,
        ),
      ),
    );
  }

  /** Put a query into the box. */
  write(text: string): void {
    this.#box.dispatch({
      changes: { from: 0, to: this.#box.state.doc.length, insert: text },
      selection: { anchor: text.length },
    });
  }

  focus(): void {
    this.#box.focus();
  }

  /** The query in the box. */
  get text(): string {
    return this.#box.state.doc
      .toString()
      .trim()
      .replace(/^\?-\s*/, '');
  }

  /** In a single-line box, the arrow keys walk through earlier queries. */
  #recall(by: number): boolean {
    if (this.#box.state.doc.lines > 1 || completionStatus(this.#box.state) === 'active') return false;
    const text = this.#asked.recall(by);
    if (text !== undefined) this.write(text);
    return text !== undefined;
  }

  /** Run from a button. The card gets the focus, so that its keys ask for more answers. */
  #press(take?: number): void {
    void this.askBox(take);
    const [query] = this.queries;
    if (this.text && query) this.#cardOf.get(query)?.focus({ preventScroll: true });
  }

  /** Run the query and select its text, so that the person can type another, or continue as at Prolog's own prompt. */
  #askNow(take?: number): boolean {
    void this.askBox(take);
    this.#box.dispatch({ selection: { anchor: 0, head: this.#box.state.doc.length } });
    return true;
  }

  /** Take the next answer if the text in the box is selected and is the newest query. Returns whether it is. */
  #goOn(): boolean {
    const [query] = this.queries;
    const { from, to } = this.#box.state.selection.main;
    if (!query || query.text !== this.text || from !== 0 || to !== this.#box.state.doc.length) return false;
    if (query.phase === 'more') void query.take(1);
    return true;
  }

  /** The keys of Prolog's own prompt, on a card. */
  #cardKeys(query: Query, event: KeyboardEvent): void {
    const { target, currentTarget, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || (target as Element).matches('input, textarea, select'))
      return;
    // On a button, the space bar must press it.
    if (key !== ';' && !(key === ' ' && target === currentTarget)) return;
    event.preventDefault();
    if (query.phase === 'more') void query.take(1);
  }

  /** Stop a running query: the one that has the focus, or else the newest. Returns whether there is one. */
  stop(): boolean {
    const card = document.activeElement?.closest('.card');
    const running = this.queries.filter(({ isRunning }) => isRunning);
    const query = running.find((query) => this.#cardOf.get(query) === card) ?? running[0];
    query?.stop();
    return query !== undefined;
  }

  async askBox(take?: number): Promise<void> {
    const text = this.text;
    if (!text) return this.focus();
    closeCompletion(this.#box);
    await this.#ask(text, take);
  }

  /** Run a query, with the book as it is in the editor. */
  async #ask(text: string, take?: number, timeoutMs?: number): Promise<Card> {
    this.#asked.add(text);
    const query = new Query(this.#session, text, timeoutMs);
    const card = this.#list(query);
    this.asks.send();
    await query.take(take, (wait) => this.#save(wait));
    this.#underline(query);
    return card;
  }

  /** Show a query above the others. */
  #list(query: Query): Card {
    const card = this.#card(query, () => {
      query.close();
      this.#cardOf.delete(query);
      this.queries.splice(this.queries.indexOf(query), 1);
      const next = (card.element.nextElementSibling ?? card.element.previousElementSibling) as HTMLElement | null;
      card.element.remove();
      this.#drawCount();
      if (next) next.focus({ preventScroll: true });
      else this.focus();
    });
    this.queries.unshift(query);
    this.#cardOf.set(query, card.element);
    this.#cards.prepend(card.element);
    this.#drawCount();
    return card;
  }

  async #save(wait: (turn: Turn) => void): Promise<void> {
    const refused = await this.#book.saveAll(wait);
    if (refused) tell(refused, 'error');
  }

  #card(query: Query, close: () => void): Card {
    const again = (text: string) => {
      this.asks.send();
      this.write(text);
    };
    const card = new Card(query, {
      again: () => {
        again(query.text);
        this.focus();
      },
      ask: (other, isAll = false) => {
        again(other);
        this.#press(isAll ? undefined : 1);
      },
      step: (other) => {
        again(other);
        void this.#ask(other, 1).then((next) => next.replay());
      },
      longer: ({ text, wanted }, ms) => void this.#ask(text, wanted, ms),
      add: (clause) => void addClause(this.#book, clause).catch((error: unknown) => tell(sentence(error), 'error')),
      manual: async (topic) =>
        (await import('./manual.ts')).known(topic, this.#session.hornbook.builtins(), await this.#outlines.defined()),
      close,
      pinned: this.pinned,
      why: (_query, answer, beside) =>
        void this.#why(beside, async () => (await proofs()).proof(this.#session, query, answer, this.#goTo)),
      replay: async () => (await import('./replay.ts')).replay(this.#session, query.text, this.#goTo, this.#book.stops),
      whyNot: (_query, beside) =>
        void this.#why(beside, async () => (await proofs()).refutation(this.#session, query, this.#goTo)),
      renderings: () => renderingsIn(this.#book.tabs.map((tab) => this.#book.text(tab))),
      missing: (asked) => missingFor(this.#book, asked, this.#goTo),
    });
    card.element.addEventListener('keydown', (event) => this.#cardKeys(query, event));
    return card;
  }

  /** A query shown elsewhere, run after `before`; `closed` is called when somebody closes it. */
  embedded(
    text: string,
    take: number,
    before: () => Promise<void>,
    closed: () => void,
  ): { element: HTMLElement; done: Promise<void> } {
    const query = new Query(this.#session, text);
    const { element } = this.#card(query, () => {
      query.close();
      closed();
    });
    const done = query.take(take, async (wait) => {
      await before();
      await this.#save(wait);
    });
    return { element, done };
  }

  /** Also underline the fault of a query in the box, while its text is there. */
  #underline(query: Query): void {
    const { fault } = query;
    const { state } = this.#box;
    const at = state.doc.toString().indexOf(query.text);
    if (at < 0 || query !== this.queries[0]) return;
    const shown = fault?.place
      ? [
          {
            from: at + fault.place.from,
            to: at + fault.place.to,
            severity: 'error' as const,
            message: fault.message.replaceAll('`', ''),
            actions: fault.repairs.map((repair) => ({ name: repair, apply: () => this.write(repair) })),
          },
        ]
      : [];
    this.#box.dispatch(setDiagnostics(state, shown));
  }

  #drawCount(): void {
    const { length } = this.queries;
    this.#empty.hidden = length > 0;
    this.#askedBar.hidden = length < 2;
    this.#count.textContent = `${length} queries`;
  }

  closeAll(): void {
    for (const query of this.queries) query.close();
    this.queries.length = 0;
    this.#cardOf.clear();
    this.#cards.replaceChildren();
    this.#drawCount();
    this.focus();
  }

  async #why(beside: HTMLElement, explained: () => Promise<HTMLElement>): Promise<void> {
    const row = beside.closest<HTMLElement>('[data-answer]');
    if (!row) return;
    const next = row.nextElementSibling;
    if (next?.classList.contains('proof-frame')) {
      next.remove();
      beside.setAttribute('aria-expanded', 'false');
      return;
    }
    beside.setAttribute('aria-expanded', 'true');
    beside.setAttribute('aria-busy', 'true');
    const tree = await explained().catch((error: unknown) => h('p', { class: 'fault' }, sentence(error)));
    beside.removeAttribute('aria-busy');
    if (!row.isConnected) return;
    const frame =
      row.tagName === 'TR'
        ? h('tr', { class: 'proof-frame' }, h('td', { colspan: row.children.length }, tree))
        : h(row.tagName === 'LI' ? 'li' : 'div', { class: 'proof-frame' }, tree);
    row.after(frame);
  }
}

function newLine(view: EditorView): boolean {
  view.dispatch(view.state.replaceSelection('\n'));
  return true;
}

/** What somebody does first, while nothing was asked. */
function firstSteps(write: string, begin: HTMLElement | undefined): HTMLElement {
  const steps = [
    ['Write', write],
    ['Ask', 'a goal here: `ancestor(tom, Who)`. Variables start with a capital letter. `;` gives the next answer.'],
    ['See why', 'an answer is true, clause by clause, or why there is none.'],
  ].map(([step, text]) => {
    const parts = text!.split('`').map((part, index) => (index % 2 ? h('code', {}, part) : part));
    return h('li', {}, h('b', {}, step), ' ', ...parts);
  });
  const list = h('ol', { class: 'steps' }, ...steps);
  return begin ? h('div', { class: 'begin' }, list, begin) : list;
}
