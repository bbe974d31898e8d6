/** The editor of a first visit: it shows an example and takes keys while everything else loads. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import type { Book } from './book/book.ts';
import { h } from './dom.ts';
import type { Example } from './examples/index.ts';
import { prologColours } from './prolog/highlight.ts';
import { clauses } from './prolog/language.ts';

export class EarlyEditor {
  readonly element: HTMLElement;
  #view: EditorView;

  constructor(
    private readonly example: Example,
    waiting: string,
  ) {
    this.#view = new EditorView({
      state: EditorState.create({
        doc: example.text,
        extensions: [
          lineNumbers(),
          clauses,
          prologColours,
          history(),
          drawSelection(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Clauses', spellcheck: 'false' }),
          keymap.of([...historyKeymap, ...defaultKeymap]),
        ],
      }),
    });
    this.element = h(
      'main',
      { class: 'work early', 'data-shown': 'book' },
      h('section', { class: 'pane book', 'aria-label': 'The book' }, h('div', { class: 'editor' }, this.#view.dom)),
      h('div', { class: 'splitter' }),
      h('section', { class: 'pane side', 'aria-label': 'Loading' }, h('div', { class: 'wait' }, h('p', {}, waiting))),
    );
  }

  /** Give what was written to the book, and the cursor to its editor, if anything was. */
  handOver(book: Book, editor: EditorView): void {
    const { doc, selection } = this.#view.state;
    const text = doc.toString();
    if (text === this.example.text) return;
    const { name } = this.example;
    const isFree = book.session.hornbook.source(name) === undefined;
    book.create(isFree ? name : book.fresh('untitled.pl'), text);
    editor.dispatch({ selection, scrollIntoView: true });
    // Once it is in the page.
    if (this.#view.hasFocus) queueMicrotask(() => editor.focus());
  }
}
