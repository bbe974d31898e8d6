/** A notebook as it is shown: its prose, its clauses in colours, and its queries, which can be run. */
import '../styles/notebook.css';
import type { Book } from '../book/book.ts';
import { asSentence, button, debounced, h, tell } from '../dom.ts';
import { seen } from '../odd.ts';
import { coloured } from '../prolog/highlight.ts';
import { clauses } from '../prolog/language.ts';
import type { QueriesPane } from '../queries/pane.ts';
import { asHtml } from './export.ts';
import { prose } from './prose.ts';
import { Reader } from './reader.ts';
import { type Block, type Clauses, clausesOf } from './text.ts';

/** How long to wait after the last keystroke before rendering again, in milliseconds. */
const PAUSE_MS = 300;
/** How many answers a query of a notebook takes at first. */
const FIRST = 20;
/** How many characters of clauses get colours, and how many are shown of a text that is no notebook. */
const COLOURED = 200_000;
const PLAIN = 20_000;

/** The notebook to show, and its owner. */
export interface Source {
  /** Its current text. */
  text(): string;
  /** The file of the book that holds its clauses. */
  file(): string;
  /** Whether they are there at the lines at which they are in the notebook. */
  areInPlace: boolean;
  /** Whether a file of the book holds the clauses of another notebook. */
  isOther(file: string): boolean;
}

export class NotebookView {
  readonly element = h('article', { class: 'notebook-text' });
  /** The text has changed; it is shown after a pause in typing. */
  readonly changed = debounced(PAUSE_MS, () => void this.show());
  #reader = new Reader();
  /** Counts what was to be shown: only the latest is. */
  #latest = 0;
  #blocks: Block[] = [];
  /** Answers shown, by the query's number and text. */
  #answers = new Map<string, HTMLElement>();
  /** The clauses with which the answers in a frame were found. */
  #foundWith = new WeakMap<HTMLElement, string>();
  /** What of which clauses the book could not take, by the number of their block. */
  #faults: { text: string; ofBlock: Map<number, string[]> } = { text: '', ofBlock: new Map() };
  #running = 0;

  constructor(
    private readonly source: Source,
    private readonly book: Book,
    private readonly queries: QueriesPane,
  ) {}

  /** Whether a query of it runs. */
  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** The notebook with its answers as they stand, as one file. */
  html(): string {
    return asHtml(this.element.querySelector('h2')?.textContent ?? 'Notebook', this.element);
  }

  /** Show another notebook, without the answers of this one. */
  open(): void {
    this.#answers.clear();
    void this.show();
  }

  /** Resolves when the current text is shown. */
  async show(): Promise<void> {
    const latest = ++this.#latest;
    const read = await this.#reader.read(this.source.text());
    if (latest !== this.#latest) return;
    if (read.fault !== undefined) {
      this.#blocks = [];
      this.#answers.clear();
      this.element.replaceChildren(...plain(this.source.text(), read.fault));
      return;
    }
    this.#blocks = read.blocks;
    const answers = new Map<string, HTMLElement>();
    let number = 0;
    let left = COLOURED;
    const drawn = this.#blocks.flatMap((block) => {
      if (block.kind === 'prose') return prose(block.token);
      if (block.kind === 'clauses') {
        left -= block.text.length;
        const text = left < 0 ? seen(block.text) : [coloured(block.text, clauses)];
        const shown = h('pre', { class: 'clauses', tabindex: 0, 'aria-label': 'Clauses' }, ...text);
        return [shown, h('div', { class: 'block-faults', role: 'alert' })];
      }
      const key = `${++number} ${block.text}`;
      // Keep the answers as long as the query is unchanged.
      const frame = this.#answers.get(key) ?? h('div', { class: 'asked-here', 'data-query': block.text });
      answers.set(key, frame);
      if (!frame.hasChildNodes()) this.#offer(frame, block.text);
      return frame;
    });
    this.#answers = answers;
    this.element.replaceChildren(...drawn);
    this.#mark();
  }

  get #clauses(): Clauses {
    return clausesOf(this.#blocks, this.source.areInPlace);
  }

  /** Tell what of the clauses the book could not take, and which answers are of other clauses. */
  #mark(): void {
    const { text } = this.#clauses;
    const faults = this.#faults.text === text ? this.#faults.ofBlock : undefined;
    for (const [index, frame] of this.element.querySelectorAll('.block-faults').entries())
      frame.replaceChildren(...(faults?.get(index) ?? []).map((fault) => h('p', { class: 'fault' }, fault)));
    for (const [, frame] of this.#answers) {
      const before = this.#foundWith.get(frame);
      frame.querySelector('.outdated')?.remove();
      if (before === undefined || before === text) continue;
      const again = button('Run again', () => void this.#run(frame, frame.dataset.query!), { icon: 'play' });
      const about = h('span', { class: 'note' }, 'The clauses have changed since.');
      frame.prepend(h('div', { class: 'row outdated', role: 'status' }, about, again));
    }
  }

  #offer(frame: HTMLElement, text: string): void {
    const run = button('Run', () => void this.#run(frame, text), { icon: 'play', name: `Run ${text}` });
    this.#foundWith.delete(frame);
    frame.replaceChildren(h('div', { class: 'row offered' }, coloured(`?- ${text}`), run));
  }

  /** Run a query of the notebook, with its clauses in the book. */
  async #run(frame: HTMLElement, text: string): Promise<void> {
    const card = this.queries.embedded(
      text,
      FIRST,
      async () => void this.#foundWith.set(frame, await this.#bring()),
      () => this.#offer(frame, text),
    );
    frame.replaceChildren(card.element);
    this.#running += 1;
    await card.done.finally(() => (this.#running -= 1));
    this.#mark();
  }

  /** Run its queries, one after the other. */
  async runAll(): Promise<void> {
    // Include what was just typed.
    await this.show();
    for (const frame of this.#answers.values()) await this.#run(frame, frame.dataset.query!);
  }

  /** Save the clauses of the notebook into the book, as a file, in place of those of other notebooks. Resolves with them. */
  async #bring(): Promise<string> {
    const { book, source } = this;
    const [blocks, file, { text, begins }] = [this.#blocks, source.file(), this.#clauses];
    for (const tab of book.tabs.filter(({ name }) => source.isOther(name))) await book.remove(tab);
    if (text === '' && !book.tabs.some(({ name }) => name === file)) return text;
    // The book tells the faults of a text when it takes it.
    if (book.session.hornbook.source(file) === text) return text;
    this.#faults = { text, ofBlock: new Map() };
    const lines = blocks.flatMap((block) => (block.kind === 'clauses' ? [block.line] : []));
    for (const error of await book.put([{ name: file, text }], false)) {
      const [, at, message] = /^(\d+):\d+: (.*)$/s.exec(error.slice(file.length + 1)) ?? [];
      if (at === undefined) {
        tell(error, 'error');
        continue;
      }
      const block = begins.findLastIndex((begin) => begin <= Number(at));
      const line = lines[block]! + Number(at) - begins[block]!;
      const known = this.#faults.ofBlock.get(block) ?? [];
      this.#faults.ofBlock.set(block, [...known, `Line ${line} was not saved: ${asSentence(message!)}`]);
    }
    this.#mark();
    return text;
  }
}

/** A text that cannot be shown as a notebook. */
function plain(text: string, fault: string): HTMLElement[] {
  const cut = text.length > PLAIN;
  return [
    h('p', { class: 'fault', role: 'alert' }, `This notebook is shown as text only. ${fault}`),
    h('pre', { tabindex: 0, 'aria-label': 'Text' }, ...seen(text.slice(0, PLAIN))),
    ...(cut ? [h('p', { class: 'note' }, 'This is its beginning; the text itself is whole.')] : []),
  ];
}
