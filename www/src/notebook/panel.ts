/** A notebook: prose, clauses and queries in one text, shown rendered. Loaded when first shown. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import type { Book } from '../book/book.ts';
import { toCopy } from '../dialogs.ts';
import { button, h, sentence, tell } from '../dom.ts';
import { download } from '../download.ts';
import { keep, kept } from '../kept.ts';
import { menu } from '../menu.ts';
import { oddInEditor } from '../odd.ts';
import type { QueriesPane } from '../queries/pane.ts';
import { NOTEBOOK, linkTo } from '../share.ts';
import { EXAMPLE } from './text.ts';
import { NotebookView } from './view.ts';

/** The file of the book that holds its clauses. */
const FILE = 'notebook.pl';

export class NotebookPanel {
  readonly element: HTMLElement;
  /** Its source text; it may be shown outside the panel. */
  readonly program: HTMLElement;
  #view: EditorView;
  #shown: NotebookView;

  constructor(
    book: Book,
    queries: QueriesPane,
    /** The notebook from a link. */
    given?: string,
    isEmbedded = false,
  ) {
    this.#view = new EditorView({
      state: EditorState.create({
        doc: given ?? kept(NOTEBOOK) ?? EXAMPLE,
        extensions: [
          lineNumbers(),
          oddInEditor,
          history(),
          drawSelection(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Notebook text', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            keep(NOTEBOOK, this.text);
            this.#shown.changed();
          }),
          keymap.of([...historyKeymap, ...defaultKeymap]),
        ],
      }),
    });
    const source = { text: () => this.text, file: () => FILE, areInPlace: false, isOther: () => false };
    this.#shown = new NotebookView(source, book, queries);
    this.program = h('div', { class: 'program' }, h('div', { class: 'program-text' }, this.#view.dom));
    this.element = h(
      'div',
      { class: 'notebook' },
      h(
        'div',
        { class: 'row bar' },
        button('Run all', () => void this.#shown.runAll(), { icon: 'play', class: 'main' }),
        ...(isEmbedded
          ? [button('Open in Hornbook', () => void this.#open(), { class: 'quiet' })]
          : [
              button('Copy link', () => void this.#link(), { icon: 'share' }),
              menu(
                'Export',
                [
                  { label: 'Embed in a page', about: 'One line of HTML', act: () => void this.#embed() },
                  { label: 'Download as Markdown', act: () => download('notebook.md', this.text, 'text/markdown') },
                  {
                    label: 'Download as HTML',
                    about: 'With the answers as they stand',
                    act: () => download('notebook.html', this.#shown.html(), 'text/html'),
                  },
                ],
                'down',
              ),
            ]),
      ),
      this.#shown.element,
    );
    void this.#shown.show();
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replace this notebook by the one from a link. */
  put(text: string): void {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
    void this.#shown.show();
  }

  /** Put the source text back into the panel. */
  takeBack(): void {
    if (this.program.parentElement !== this.element) this.element.firstElementChild!.after(this.program);
  }

  async #address(): Promise<string | undefined> {
    const link = await linkTo({ files: [], notebook: this.text });
    if (link === undefined) tell('This notebook is too long for a link. Download it and send the file.', 'error');
    return link;
  }

  async #link(): Promise<void> {
    const link = await this.#address();
    if (link) await copied(link, 'Link copied. It contains your whole notebook.', 'Link to your notebook');
  }

  async #embed(): Promise<void> {
    const link = await this.#address();
    if (!link) return;
    const [page, hash] = link.split('#');
    const line = `<iframe src="${page}?embed#${hash}" width="100%" height="600" style="border:0" allow="fullscreen" title="Hornbook notebook"></iframe>`;
    await copied(line, 'HTML copied. Paste it into your page.', 'HTML that embeds this notebook');
  }

  async #open(): Promise<void> {
    const link = await this.#address();
    if (link) window.open(link, '_blank', 'noopener');
  }
}

async function copied(text: string, said: string, title: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(said);
  } catch (error) {
    console.debug(sentence(error));
    toCopy(title, text);
  }
}
