/** The page: queries, proofs and history, on the files that are open in the editor. */
import '../../../../www/src/styles/base.css';
import '../../../../www/src/styles/layout.css';
import '../../../../www/src/styles/editor.css';
import '../../../../www/src/styles/queries.css';
import '../../../../www/src/styles/pictures.css';
import '../../../../www/src/styles/panels.css';
import './view.css';
import { Book } from '../../../../www/src/book/book.ts';
import { help } from '../../../../www/src/book/help.ts';
import { Outlines } from '../../../../www/src/book/outlines.ts';
import { h, sentence, tell } from '../../../../www/src/dom.ts';
import { History } from '../../../../www/src/panels/history.ts';
import { QueriesPane } from '../../../../www/src/queries/pane.ts';
import { Session } from '../../../../www/src/session.ts';
import { drawTabs, walkable } from '../../../../www/src/tabs.ts';
import { Traffic } from '../../../../www/src/traffic.ts';
import type { FromView, ToView } from './messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromView): void; setState(state: unknown): void };

const editor = acquireVsCodeApi();
const app = document.getElementById('app')!;
const status = h('p', { class: 'note', role: 'status' }, 'SWI-Prolog is coming up…');
app.replaceChildren(status);

function followTheme(): void {
  const { classList } = document.body;
  const isDark =
    classList.contains('vscode-dark') ||
    (classList.contains('vscode-high-contrast') && !classList.contains('vscode-high-contrast-light'));
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}
followTheme();
new MutationObserver(followTheme).observe(document.body, { attributes: true, attributeFilter: ['class'] });

start().catch((error: unknown) => status.replaceChildren(`Hornbook could not be started: ${sentence(error)}`));

async function start(): Promise<void> {
  const session = await Session.open(new Traffic(), ({ loaded, total }) => {
    if (total > 0) status.replaceChildren(`SWI-Prolog is coming up: ${Math.round((100 * loaded) / total)} %`);
  });
  const book = new Book(session);
  const goTo = (file: string, line: number) => editor.postMessage({ kind: 'goTo', file, line });
  const queries = new QueriesPane(session, book, goTo, help(session, new Outlines(book), goTo, ':- '));
  const history = new History(session);
  session.noticed.on((notice) => tell(notice));

  const panels = { queries: queries.element, history: history.element };
  const names = { queries: 'Queries', history: 'History' };
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels', id: 'panels' });
  walkable(list);
  const show = (active: string) => {
    for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== active;
    const items = Object.entries(names).map(([id, label]) => ({ id, label, controls: `panel-${id}` }));
    drawTabs(list, items, active, show);
  };
  for (const [name, panel] of Object.entries(panels)) {
    panel.id = `panel-${name}`;
    panel.setAttribute('role', 'tabpanel');
  }
  const side = h(
    'section',
    { class: 'pane side', 'aria-label': 'Queries and history' },
    list,
    ...Object.values(panels),
  );
  app.replaceChildren(h('main', { class: 'work' }, side));
  show('queries');

  const incoming = new Latest((message: ToView) => take(book, message));
  window.addEventListener('message', ({ data }: MessageEvent<ToView>) => incoming.put(data));
  // It is opened again with the window: the files come from the editor.
  editor.setState({});
  editor.postMessage({ kind: 'ready' });
  await session.hornbook.refusedLibraries();
  document.documentElement.dataset.ready = 'true';
}

/** The book gets the files that are open, and loses the others. */
async function take(book: Book, { files, active }: ToView): Promise<void> {
  try {
    await book.put(files);
    for (const tab of book.tabs)
      if (!tab.readOnly && !files.some(({ name }) => name === tab.name)) await book.remove(tab);
    if (active !== undefined && book.tabs.some(({ name }) => name === active)) book.open(active);
  } catch (error) {
    tell(sentence(error), 'error');
  }
}

/** Takes one thing at a time, and of those that wait only the last. */
class Latest<T> {
  #next: T | undefined;
  #isBusy = false;

  constructor(private readonly take: (value: T) => Promise<void>) {}

  put(value: T): void {
    this.#next = value;
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#next !== undefined) {
      const value = this.#next;
      this.#next = undefined;
      await this.take(value);
    }
    this.#isBusy = false;
  }
}
