/** A notebook as it is shown: its prose, its clauses in colours, and its queries, which can be run. */
import '../styles/notebook.css';
import type { Book } from '../book/book.ts';
import { button, debounced, h, tell } from '../dom.ts';
import { seen } from '../odd.ts';
import { coloured } from '../prolog/highlight.ts';
import { clauses } from '../prolog/language.ts';
import type { QueriesPane } from '../queries/pane.ts';
import { asHtml } from './export.ts';
import { prose } from './prose.ts';
import { Reader } from './reader.ts';
import type { Block } from './text.ts';

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
  /** The file of the book that holds its clauses, and what it holds. */
  file(): string;
  clauses(blocks: Block[]): string;
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

  constructor(
    private readonly source: Source,
    private readonly book: Book,
    private readonly queries: QueriesPane,
  ) {}

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
    const drawn = this.#blocks.map((block) => {
      if (block.kind === 'prose') return prose(block.token);
      if (block.kind === 'clauses') {
        left -= block.text.length;
        const text = left < 0 ? seen(block.text) : [coloured(block.text, clauses)];
        return h('pre', { class: 'clauses', tabindex: 0, 'aria-label': 'Clauses' }, ...text);
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
  }

  #offer(frame: HTMLElement, text: string): void {
    const run = button('Run', () => void this.#run(frame, text), { icon: 'play', name: `Run ${text}` });
    frame.replaceChildren(h('div', { class: 'row offered' }, coloured(`?- ${text}`), run));
  }

  /** Run a query of the notebook, with its clauses in the book. */
  async #run(frame: HTMLElement, text: string): Promise<void> {
    const card = this.queries.embedded(
      text,
      FIRST,
      () => this.#bring(),
      () => this.#offer(frame, text),
    );
    frame.replaceChildren(card.element);
    await card.done;
  }

  /** Run its queries, one after the other. */
  async runAll(): Promise<void> {
    // Include what was just typed.
    await this.show();
    for (const frame of this.#answers.values()) await this.#run(frame, frame.dataset.query!);
  }

  /** Save the clauses of the notebook into the book, as a file. */
  async #bring(): Promise<void> {
    const [file, text] = [this.source.file(), this.source.clauses(this.#blocks)];
    if (text === '' && !this.book.tabs.some(({ name }) => name === file)) return;
    const errors = await this.book.put([{ name: file, text }], false);
    if (errors.length > 0) tell(`A clause of the notebook has an error. ${errors[0]}`, 'error');
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
