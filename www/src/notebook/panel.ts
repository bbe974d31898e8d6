/** A notebook: prose, clauses and queries in one text, shown rendered. Loaded when first shown. */
import '../styles/notebook.css';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import type { Book } from '../book/book.ts';
import { toCopy } from '../dialogs.ts';
import { button, debounced, h, sentence, tell } from '../dom.ts';
import { download } from '../download.ts';
import { keep, kept } from '../kept.ts';
import { menu } from '../menu.ts';
import { oddInEditor, seen } from '../odd.ts';
import { coloured } from '../prolog/highlight.ts';
import { clauses } from '../prolog/language.ts';
import type { QueriesPane } from '../queries/pane.ts';
import { NOTEBOOK, linkTo } from '../share.ts';
import { asHtml } from './export.ts';
import { prose } from './prose.ts';
import { Reader } from './reader.ts';
import { EXAMPLE, clausesOf, type Block } from './text.ts';

/** The file of the book that holds its clauses. */
const FILE = 'notebook.pl';
/** How long to wait after the last keystroke before rendering again, in milliseconds. */
const PAUSE_MS = 300;
/** How many answers a query of a notebook takes at first. */
const FIRST = 20;
/** How many characters of clauses get colours, and how many are shown of a text that is no notebook. */
const COLOURED = 200_000;
const PLAIN = 20_000;

export class NotebookPanel {
  readonly element: HTMLElement;
  /** Its source text; it may be shown outside the panel. */
  readonly program: HTMLElement;
  #view: EditorView;
  #shown = h('article', { class: 'notebook-text' });
  #reader = new Reader();
  /** Counts what was to be shown: only the latest is. */
  #latest = 0;
  #blocks: Block[] = [];
  /** Answers shown, by the query's number and text. */
  #answers = new Map<string, HTMLElement>();
  #draw = debounced(PAUSE_MS, () => void this.#show());

  constructor(
    private readonly book: Book,
    private readonly queries: QueriesPane,
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
            this.#draw();
          }),
          keymap.of([...historyKeymap, ...defaultKeymap]),
        ],
      }),
    });
    this.program = h('div', { class: 'program' }, h('div', { class: 'program-text' }, this.#view.dom));
    this.element = h(
      'div',
      { class: 'notebook' },
      h(
        'div',
        { class: 'row bar' },
        button('Run all', () => void this.#runAll(), { icon: 'play', class: 'main' }),
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
                    act: () => download('notebook.html', asHtml(this.#title(), this.#shown), 'text/html'),
                  },
                ],
                'down',
              ),
            ]),
      ),
      this.#shown,
    );
    void this.#show();
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replace this notebook by the one from a link. */
  put(text: string): void {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
    void this.#show();
  }

  /** Put the source text back into the panel. */
  takeBack(): void {
    if (this.program.parentElement !== this.element) this.element.firstElementChild!.after(this.program);
  }

  #title(): string {
    return this.#shown.querySelector('h2')?.textContent ?? 'Notebook';
  }

  /** Resolves when the current text is shown. */
  async #show(): Promise<void> {
    const latest = ++this.#latest;
    const read = await this.#reader.read(this.text);
    if (latest !== this.#latest) return;
    if (read.fault !== undefined) {
      this.#blocks = [];
      this.#answers.clear();
      this.#shown.replaceChildren(...plain(this.text, read.fault));
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
    this.#shown.replaceChildren(...drawn);
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

  async #runAll(): Promise<void> {
    // Include what was just typed.
    await this.#show();
    for (const frame of this.#answers.values()) await this.#run(frame, frame.dataset.query!);
  }

  /** Save the clauses of the notebook into the book, as a file. */
  async #bring(): Promise<void> {
    const text = clausesOf(this.#blocks);
    if (text === '' && !this.book.tabs.some(({ name }) => name === FILE)) return;
    const errors = await this.book.put([{ name: FILE, text }], false);
    if (errors.length > 0) tell(`A clause of the notebook has an error. ${errors[0]}`, 'error');
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

/** A text that cannot be shown as a notebook. */
function plain(text: string, fault: string): HTMLElement[] {
  const cut = text.length > PLAIN;
  return [
    h('p', { class: 'fault', role: 'alert' }, `This notebook is shown as text only. ${fault}`),
    h('pre', { tabindex: 0, 'aria-label': 'Text' }, ...seen(text.slice(0, PLAIN))),
    ...(cut ? [h('p', { class: 'note' }, 'This is its beginning; the text on the left is whole.')] : []),
  ];
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
