/** The notebooks that are open in the editor: Markdown with clauses and queries. Loaded when first shown. */
import type { Book } from '../../../../www/src/book/book.ts';
import { button, h } from '../../../../www/src/dom.ts';
import { EXAMPLE } from '../../../../www/src/notebook/text.ts';
import { NotebookView } from '../../../../www/src/notebook/view.ts';
import type { QueriesPane } from '../../../../www/src/queries/pane.ts';
import { Choice } from './choice.ts';
import { download } from './download.ts';
import { type Files, fileOf, notebookOf } from './messages.ts';

export class NotebooksPanel {
  readonly element: HTMLElement;
  #choice: Choice;

  constructor(book: Book, queries: QueriesPane) {
    const name = () => this.#choice.shown?.name ?? 'notebook.md';
    // Their lines are those of the notebook, so that places in it are what they seem.
    const source = {
      text: () => this.#choice.shown?.text ?? '',
      file: () => fileOf(name()),
      areInPlace: true,
      isOther: (file: string) => notebookOf(file) !== undefined && file !== fileOf(name()),
    };
    const view = new NotebookView(source, book, queries);
    const save = () => download(`${name().replace(/^.*\/|\.\w+$/g, '')}.html`, view.html());
    const bar = h(
      'div',
      { class: 'row bar' },
      button('Run all', () => void view.runAll(), { icon: 'play', class: 'main' }),
      button('Save as HTML', save, { icon: 'down', class: 'quiet', title: 'With the answers as they stand' }),
    );
    const about =
      'Open a Markdown file in the editor whose code blocks are labelled prolog, for clauses, and query, for queries: it is shown here with its answers.';
    this.#choice = new Choice(
      'Notebook',
      { about, language: 'markdown', example: EXAMPLE },
      [bar, view.element],
      (isOther) => (isOther ? view.open() : view.changed()),
      () => view.isRunning,
    );
    this.element = this.#choice.element;
    this.element.classList.add('notebook');
  }

  put({ notebooks, active }: Files): void {
    this.#choice.put(notebooks, active);
  }
}
