/** The top of the page: its name, what can be done with the whole book, and how far SWI-Prolog is loaded. */
import type { BookPane } from './book/pane.ts';
import type { Book } from './book/book.ts';
import { button, download, h, icon, sentence, tell } from './dom.ts';
import { EXAMPLES } from './examples/index.ts';
import { menu } from './menu.ts';
import type { QueriesPane } from './queries/pane.ts';
import type { Loading, Session } from './session.ts';
import { linkTo } from './share.ts';
import { followTheme, isDark, toggleTheme } from './theme.ts';

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** The bytes of SWI-Prolog as they come. */
export class LoadingLine {
  readonly element: HTMLElement;
  #bar = h('progress', { 'aria-label': 'Loading SWI-Prolog' });
  #text = h('span', {}, 'Loading…');

  constructor() {
    this.element = h('div', { class: 'loading' }, this.#bar, this.#text);
  }

  update({ loaded, total }: Loading): void {
    this.#bar.max = total;
    this.#bar.value = loaded;
    this.#text.textContent = loaded < total ? `SWI-Prolog: ${megabytes(loaded)} of ${megabytes(total)} MB` : 'Starting SWI-Prolog…';
  }

  ready(): void {
    this.element.remove();
  }

  failed(message: string): void {
    this.element.replaceChildren(h('span', { class: 'fault', role: 'alert' }, message));
  }
}

export function header(loading: LoadingLine): { element: HTMLElement; tools: HTMLElement } {
  const tools = h('nav', { class: 'row tools', 'aria-label': 'The whole book' }, themeButton(), button('', shortcuts, { icon: 'keys', title: 'Keys' }));
  const element = h('header', { class: 'top' },
    h('h1', {}, h('img', { src: './icon.svg', alt: '', width: 26, height: 32 }), 'Hornbook'),
    h('p', { class: 'tagline' }, 'Write Prolog, ask, and see why.'),
    loading.element, tools);
  return { element, tools };
}

function themeButton(): HTMLElement {
  const theme = button('', toggleTheme);
  followTheme(() => {
    const label = isDark() ? 'Light colours' : 'Dark colours';
    theme.title = label;
    theme.setAttribute('aria-label', label);
    theme.replaceChildren(icon(isDark() ? 'sun' : 'moon'));
  });
  return theme;
}

/** What needs a session. */
export function fillTools(tools: HTMLElement, session: Session, book: Book, pane: BookPane, queries: QueriesPane): void {
  const upload = h('input', { type: 'file', multiple: true, accept: '.pl,.pro,.prolog,.plt,text/plain', hidden: true, 'aria-label': 'Files to import', onchange: () => {
    void pane.take([...(upload.files ?? [])]).then(() => (upload.value = ''));
  } });
  tools.prepend(
    menu('Examples', EXAMPLES.map(({ name, about, text }) => ({
      label: name, about, act: () => void book.put([{ name, text }]).catch((error: unknown) => tell(sentence(error), 'error')),
    })), 'book'),
    button('Share', () => void share(book, queries), { icon: 'share', title: 'Copy a link that holds the book' }),
    menu('Files', [
      { label: 'Import files…', about: 'From this machine', act: () => upload.click() },
      { label: 'Download this file', act: () => book.current && download(book.current.name, book.text(), 'text/x-prolog') },
      { label: 'Download the book', about: 'All clauses, one file', act: () => void snapshot(session) },
      { label: 'Empty the book', about: 'Undo brings it back', act: () => void book.clear().catch((error: unknown) => tell(sentence(error), 'error')) },
    ], 'down'),
    upload);
}

async function share(book: Book, queries: QueriesPane): Promise<void> {
  const files = book.tabs.map((tab) => ({ name: tab.readOnly ? 'asserted.pl' : tab.name, text: book.text(tab) }));
  if (files.length === 0) return tell('There is nothing to share yet.', 'error');
  const link = await linkTo({ files, query: queries.text || undefined });
  history.replaceState(null, '', link);
  try {
    await navigator.clipboard.writeText(link);
    tell(`The link is copied: it holds the whole book, ${link.length.toLocaleString('en')} characters.`);
  } catch {
    tell('The link stands in the address of this page: it holds the whole book.');
  }
}

async function snapshot(session: Session): Promise<void> {
  const { dump } = (await session.ok('workspace', { operation: 'snapshot' })) as { dump: string };
  download('book.pl', dump, 'text/x-prolog');
}

const KEYS: [string, string][] = [
  ['Ctrl+S', 'Save the file: bring its text into the book'],
  ['Enter', 'Ask; in a query, Shift+Enter begins a new line'],
  ['Ctrl+Enter', 'Ask for every answer'],
  ['↑ ↓', 'In the query: what was asked before'],
  ['F8', 'The next problem of the text'],
  ['Ctrl+Space', 'Complete a name'],
  ['Ctrl+F', 'Find in the text'],
  ['Alt+1 … Alt+5', 'Go to the book, the queries, the history, the agent, DML'],
  ['Alt+Z, Alt+Shift+Z', 'Undo and redo operations on the book'],
  ['Delete', 'On the tab of a file: take it out of the book'],
];

export function shortcuts(): void {
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'keys-title' },
    h('h2', { id: 'keys-title' }, 'Keys'),
    h('dl', { class: 'keys' }, ...KEYS.flatMap(([keys, what]) => [h('dt', {}, h('kbd', {}, keys)), h('dd', {}, what)])),
    h('div', { class: 'row end' }, button('Close', () => dialog.close(), { class: 'main' })));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Resolves with whether it was agreed to. */
export function agreed(title: string, text: string, yes: string, no: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'agree-title' },
      h('h2', { id: 'agree-title' }, title), h('p', {}, text),
      h('div', { class: 'row end' },
        button(no, () => dialog.close('no')),
        button(yes, () => dialog.close('yes'), { class: 'main' })));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
