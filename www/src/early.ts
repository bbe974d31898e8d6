/** The editor of a first visit: it shows an example and takes keys while everything else loads. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import type { Book } from './book/book.ts';
import { h } from './dom.ts';
import { keep, kept } from './kept.ts';
import type { Example } from './examples/index.ts';
import { prologColours } from './prolog/highlight.ts';
import { clauses } from './prolog/language.ts';

/** What was written in it. */
export const WRITTEN = 'hornbook.early';

export class EarlyEditor {
  readonly element: HTMLElement;
  readonly view: EditorView;

  constructor(example: Example, waiting: string) {
    this.view = new EditorView({
      state: EditorState.create({
        doc: kept(WRITTEN) ?? example.text,
        extensions: [
          lineNumbers(),
          clauses,
          prologColours,
          history(),
          drawSelection(),
          EditorView.updateListener.of(({ docChanged, state }) => {
            const text = state.doc.toString();
            if (docChanged) keep(WRITTEN, text === example.text ? undefined : text);
          }),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Clauses', spellcheck: 'false' }),
          keymap.of([...historyKeymap, ...defaultKeymap]),
        ],
      }),
    });
    this.element = h(
      'main',
      { class: 'work early', 'data-shown': 'book' },
      h('section', { class: 'pane book', 'aria-label': 'The book' }, h('div', { class: 'editor' }, this.view.dom)),
      h('div', { class: 'splitter' }),
      h('section', { class: 'pane side', 'aria-label': 'Loading' }, h('div', { class: 'wait' }, h('p', {}, waiting))),
    );
  }
}

/** Give what was written to the book, in this visit or in one that ended before all was loaded. */
export function handOver(book: Book, editor: EditorView, name: string, early: EarlyEditor | undefined): void {
  const text = kept(WRITTEN);
  if (text === undefined) return;
  const isFree = book.session.hornbook.source(name) === undefined;
  book.create(isFree ? name : book.fresh('untitled.pl'), text);
  keep(WRITTEN, undefined);
  // Another tab may have written since.
  if (early?.view.state.doc.toString() !== text) return;
  editor.dispatch({ selection: early.view.state.selection, scrollIntoView: true });
  // Once it is in the page.
  if (early.view.hasFocus) queueMicrotask(() => editor.focus());
}
