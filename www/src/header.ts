/** The top of the page: its name, actions on the whole book, and the loading progress of SWI-Prolog. */
import { TABLES } from '../../pkg-templates/src/book/contents.ts';
import type { BookPane } from './book/pane.ts';
import type { Book } from './book/book.ts';
import { agreed, dialog, toCopy } from './dialogs.ts';
import { button, h, icon, sentence, tell } from './dom.ts';
import { download } from './download.ts';
import { EXAMPLES } from './examples/index.ts';
import { menu } from './menu.ts';
import type { QueriesPane } from './queries/pane.ts';
import type { Loading, Session } from './session.ts';
import { linkTo, reachOf } from './share.ts';
import { currentBook, isUnnamed, shelfChanged } from './shelf.ts';
import { isTables } from './tables/facts.ts';
import { followTheme, isDark, toggleTheme } from './theme.ts';

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** A start that takes longer, in milliseconds, may have to do with the book. */
const LONG_MS = 10_000;

/** Shows the progress of loading SWI-Prolog. */
export class LoadingLine {
  readonly element: HTMLElement;
  #bar = h('progress', { 'aria-label': 'Loading SWI-Prolog' });
  #text = h('span', {}, 'Loading…');
  #stop = h('span', {});
  #way = h('span', {});

  /** @param hasBooks whether there are other books to open */
  constructor(private readonly hasBooks: boolean) {
    this.element = h('div', { class: 'loading' }, this.#bar, this.#text, this.#stop, this.#way);
    window.setTimeout(() => this.#offerOthers(), LONG_MS);
  }

  /** The book may be what takes long, or fails: no book is to lock the page. */
  #offerOthers(): void {
    if (this.hasBooks) this.#way.replaceChildren(button('Open another book', chooseBook, { class: 'quiet' }));
  }

  update({ loaded, total }: Loading): void {
    this.#bar.max = total;
    this.#bar.value = loaded;
    this.#text.textContent =
      loaded < total ? `SWI-Prolog: ${megabytes(loaded)} of ${megabytes(total)} MB` : 'Starting SWI-Prolog…';
  }

  /** SWI-Prolog has started, and does this for the page now; `stop` ends it. */
  doing(what: string, stop?: () => void): void {
    this.#bar.removeAttribute('value');
    this.#text.textContent = `${what}…`;
    this.#stop.replaceChildren(...(stop ? [button('Stop', stop, { icon: 'stop', class: 'quiet' })] : []));
  }

  ready(): void {
    this.element.remove();
  }

  failed(message: string): void {
    this.element.replaceChildren(h('span', { class: 'fault', role: 'alert' }, message), this.#way);
    this.#offerOthers();
  }
}

/** @param hasBooks whether the page shows one of the books that the browser stores */
export function header(loading: LoadingLine, hasBooks: boolean): { element: HTMLElement; tools: HTMLElement } {
  const tools = h(
    'nav',
    { class: 'row tools', 'aria-label': 'The whole book' },
    themeButton(),
    button('', shortcuts, { icon: 'keys', title: 'Keyboard shortcuts' }),
  );
  const element = h(
    'header',
    { class: 'top' },
    h('h1', {}, h('img', { src: './icon.svg', alt: '', width: 26, height: 32 }), h('span', {}, 'Hornbook')),
    ...(hasBooks ? [switcher()] : []),
    h('p', { class: 'tagline' }, 'Write Prolog, ask, and see why.'),
    loading.element,
    tools,
  );
  return { element, tools };
}

const chooseBook = (): void =>
  void import('./books/dialog.ts')
    .then(({ showBooks }) => showBooks())
    .catch((error: unknown) => tell(sentence(error), 'error'));

/** The name of the book, which leads to the others. */
function switcher(): HTMLElement {
  const name = h('span', {});
  const draw = () => {
    const book = currentBook();
    name.textContent = book.name;
    document.title = `${book.name} · Hornbook`;
  };
  draw();
  shelfChanged.on(draw);
  return h(
    'button',
    {
      type: 'button',
      class: 'switcher',
      title: 'Books: open, search, add, rename',
      'aria-haspopup': 'dialog',
      onclick: chooseBook,
    },
    name,
    icon('choose'),
  );
}

function themeButton(): HTMLElement {
  const theme = button('', toggleTheme);
  followTheme(() => {
    const label = isDark() ? 'Light theme' : 'Dark theme';
    theme.title = label;
    theme.setAttribute('aria-label', label);
    theme.replaceChildren(icon(isDark() ? 'sun' : 'moon'));
  });
  return theme;
}

/** Add the tools that need a session. */
export function fillTools(
  tools: HTMLElement,
  session: Session,
  book: Book,
  pane: BookPane,
  queries: QueriesPane,
  watch: () => void,
): void {
  const upload = h('input', {
    type: 'file',
    multiple: true,
    accept: ['.pl', '.pro', '.prolog', '.plt', 'text/plain', ...TABLES].join(),
    hidden: true,
    'aria-label': 'Files to import',
    onchange: () => {
      void pane.intake.take([...(upload.files ?? [])]).then(() => (upload.value = ''));
    },
  });
  tools.prepend(
    menu(
      'Examples',
      EXAMPLES.map(({ name, about, text }) => ({
        label: name,
        about,
        act: () => void openExample(book, name, text).catch((error: unknown) => tell(sentence(error), 'error')),
      })),
      'book',
    ),
    button(
      'Share',
      () => void share(session, book, queries).catch((error: unknown) => tell(sentence(error), 'error')),
      { icon: 'share', title: 'Copy a link to your book' },
    ),
    menu(
      'Files',
      [
        { label: 'Import files…', about: 'From this machine', act: () => upload.click() },
        { label: 'Paste a table…', about: 'From a spreadsheet', act: () => void pane.intake.paste() },
        { label: 'Watch my agent…', about: 'What it does in its book, live', act: watch },
        {
          label: 'Download this file',
          act: () => {
            const text = book.text();
            // Of a table the book has the facts.
            const ending = isTables(text) ? '.pl' : '';
            if (book.current) download(`${book.current.name}${ending}`, text, 'text/x-prolog');
          },
        },
        { label: 'Download the book', about: 'All clauses in one file', act: () => void snapshot(session) },
        {
          label: 'Empty the book',
          about: 'You can undo this',
          act: () => void book.clear().catch((error: unknown) => tell(sentence(error), 'error')),
        },
      ],
      'menu',
    ),
    upload,
  );
}

/** Add an example to the book; ask first if a different file has its name. */
async function openExample(book: Book, name: string, text: string): Promise<void> {
  const mine = book.tabs.find((tab) => tab.name === name);
  if (mine && book.text(mine) !== text) {
    const about = `Your book already has a different ${name}. It stays in the history, and you can undo this.`;
    if (!(await agreed(`Replace your ${name}?`, about, 'Replace', 'Keep mine'))) return book.open(name);
  }
  await book.put([{ name, text }]);
}

async function share(session: Session, book: Book, queries: QueriesPane): Promise<void> {
  if (book.tabs.length === 0) return void tell('Nothing to share yet. Write some clauses first.', 'error');
  const files = book.tabs.map((tab) => ({
    name: tab.readOnly ? book.fresh('asserted.pl') : tab.name,
    text: book.text(tab),
  }));
  const link = await linkTo({
    name: isUnnamed() ? undefined : currentBook().name,
    files,
    query: queries.text || undefined,
  });
  if (link === undefined) return shareFile(session, book);
  try {
    await navigator.clipboard.writeText(link);
    const reach = reachOf(window.location);
    const whole = queries.text ? 'your whole book and the query' : 'your whole book';
    const local = `It opens this page at ${window.location.host}, which ${reach} can reach: for others, send the file (Files, Download the book).`;
    tell(`Link copied. It contains ${whole}.${reach ? ` ${local}` : ''}`);
  } catch {
    toCopy('Link to your book', link);
  }
}

/** For a book that is too long for a link. */
async function shareFile(session: Session, book: Book): Promise<void> {
  const text =
    'Mail, chats and browsers would cut off a link this long. Download the book and send the file: it can be dropped into this page.';
  if (!(await agreed('This book is too large for a link', text, 'Download the book', 'Cancel'))) return;
  const refused = await book.saveAll();
  if (refused) return void tell(refused, 'error');
  await snapshot(session);
}

async function snapshot(session: Session): Promise<void> {
  const { dump } = await session.ok('workspace', { operation: 'snapshot' });
  download('book.pl', dump, 'text/x-prolog');
}

const KEYS: [string, string][] = [
  ['Enter', 'Ask the query; Shift+Enter starts a new line'],
  ['; or Space', 'Next answer, in the query box or on a card'],
  ['Esc', 'Stop the running query'],
  ['Ctrl+Enter', 'In the query box: all answers. In the editor: ask the goal at the cursor'],
  ['↑ ↓', 'In the query box: earlier queries'],
  ['Ctrl+S', 'Save the file to the book'],
  ['F12, Shift+F12', 'Go to the definition of the predicate at the cursor; list its references'],
  ['F8', 'Next problem'],
  ['F9', 'Set or clear a breakpoint on this line'],
  ['Ctrl+Space', 'Complete the name'],
  ['Tab', 'Leave the editor'],
  ['Ctrl+V', 'Outside text fields: add a table that was copied in a spreadsheet'],
  ['Ctrl+F', 'Find in the file'],
  ['Alt+1 … Alt+9', 'Go to Book, Queries, History, Agent, DML, Memory, Workflow, Notebook, Live'],
  ['Alt+Z, Alt+Shift+Z', 'Undo and redo changes to the book'],
  ['Delete', "On a file's tab: remove the file"],
  ['?', 'Show this list, outside text fields'],
];

export function shortcuts(): void {
  void dialog('Keyboard shortcuts', (close) => [
    h('dl', { class: 'keys' }, ...KEYS.flatMap(([keys, what]) => [h('dt', {}, h('kbd', {}, keys)), h('dd', {}, what)])),
    h(
      'div',
      { class: 'row end' },
      button('Close', () => close(), { class: 'main' }),
    ),
  ]);
}
