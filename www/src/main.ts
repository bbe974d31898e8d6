/** The page: the book on the left, the queries on the right, and what else there is to see behind tabs. */
import './styles/base.css';
import './styles/layout.css';
import './styles/editor.css';
import './styles/queries.css';
import './styles/pictures.css';
import './styles/panels.css';
import { Book } from './book/book.ts';
import { BookPane } from './book/pane.ts';
import { agreed } from './dialogs.ts';
import { h, sentence, tell } from './dom.ts';
import { EXAMPLES } from './examples/index.ts';
import { LoadingLine, fillTools, header, shortcuts } from './header.ts';
import { keep, kept } from './kept.ts';
import { keepOffline } from './offline.ts';
import { AgentPanel } from './panels/agent.ts';
import { History } from './panels/history.ts';
import { QueriesPane } from './queries/pane.ts';
import { memoryBanner } from './rescue.ts';
import { Session } from './session.ts';
import { forgetLink, sharedIn } from './share.ts';
import { splitter } from './splitter.ts';
import { drawTabs, walkable } from './tabs.ts';
import { Traffic } from './traffic.ts';
import { WaitingLine } from './turns.ts';

const loading = new LoadingLine();
const top = header(loading);
const app = document.getElementById('app')!;
app.replaceChildren(
  top.element,
  h(
    'main',
    { class: 'wait' },
    h(
      'p',
      {},
      'Hornbook is loading SWI-Prolog. It is kept in this browser: next time it is there at once, with or without a network.',
    ),
  ),
);

start().catch((error: unknown) => loading.failed(`Hornbook could not be started: ${sentence(error)}`));

async function start(): Promise<void> {
  const traffic = new Traffic();
  const session = await Session.open(traffic, (bytes) => loading.update(bytes));
  const book = new Book(session);
  const pane = new BookPane(book);
  const history = new History(session);
  const agent = new AgentPanel(session, traffic);
  const queries = new QueriesPane(session, book, (file, line) => {
    show('book');
    book.open(file);
    pane.editor.point(line);
  });
  session.noticed.on((notice) => tell(notice));
  pane.editor.asks.on((goal) => {
    show('queries');
    queries.write(goal);
    void queries.askBox(1);
  });

  const side = h('section', { class: 'pane side', 'aria-label': 'Queries and more' });
  // Most who are here look at the book only: what other panels need is loaded when they are looked at.
  const late: Record<string, () => Promise<HTMLElement>> = {
    dml: async () => new (await import('./dml/panel.ts')).DmlPanel(session).element,
    memory: async () => {
      const [{ MemoryPanel }] = await Promise.all([import('./memory/panel.ts'), whole('memory')]);
      return new MemoryPanel(session, book).element;
    },
    workflow: async () => {
      const [{ WorkflowPanel }] = await Promise.all([import('./workflow/panel.ts'), whole('workflow')]);
      return new WorkflowPanel(session).element;
    },
  };
  const panels = {
    queries: queries.element,
    history: history.element,
    agent: agent.element,
    dml: h('div', {}),
    memory: h('div', {}),
    workflow: h('div', {}),
  };
  const names = {
    book: 'Book',
    queries: 'Queries',
    history: 'History',
    agent: 'Agent',
    dml: 'DML',
    memory: 'Memory',
    workflow: 'Workflow',
  };
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels', id: 'panels' });
  walkable(list);
  for (const [name, panel] of Object.entries(panels)) {
    panel.id = `panel-${name}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-label', names[name as keyof typeof names]);
  }
  side.append(list, ...Object.values(panels));
  const main = h('main', { class: 'work' }, pane.element, splitter(), side);

  /** All tools are there; the panel says what that waits for. */
  async function whole(name: keyof typeof panels): Promise<void> {
    const waiting = new WaitingLine(session.turns);
    const turn = { what: 'opening the book with all tools' };
    panels[name].append(waiting.element);
    waiting.watch(turn);
    await session.whole(turn);
    waiting.watch(undefined);
  }

  function show(name: string): void {
    const open = late[name];
    if (open) void openLate(names[name as keyof typeof names], panels[name as keyof typeof panels], open);
    main.dataset.shown = name === 'book' ? 'book' : 'side';
    if (name !== 'book') main.dataset.panel = name;
    const active = name === 'book' && isNarrow() ? 'book' : main.dataset.panel;
    for (const [other, panel] of Object.entries(panels)) panel.hidden = other !== main.dataset.panel;
    const items = Object.entries(names).filter(([id]) => id !== 'book' || isNarrow());
    drawTabs(
      list,
      items.map(([id, label]) => ({ id, label, controls: id === 'book' ? 'editor' : `panel-${id}` })),
      active,
      show,
    );
    // On a narrow page the tabs stand above whatever is shown.
    const above = isNarrow() ? main : side;
    if (list.parentElement !== above) above.prepend(list);
    list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  fillTools(top.tools, session, book, pane, queries);
  app.replaceChildren(top.element, main);
  main.dataset.panel = 'queries';
  show(isNarrow() ? 'book' : 'queries');
  narrow.addEventListener('change', () => show('queries'));
  if (session.readOnly) {
    main.before(
      h(
        'p',
        { class: 'banner', role: 'status' },
        session.notice ?? 'This book is open in another tab, so it’s read-only here.',
      ),
    );
  } else if (session.unkept !== undefined) {
    main.before(memoryBanner(session.unkept));
  } else if (session.notice) {
    tell(session.notice, 'error');
  }
  window.addEventListener('beforeunload', (event) => {
    // Only what would be gone is asked about.
    if (session.unkept !== undefined ? touched(book) : !book.keepsDrafts) event.preventDefault();
  });
  keys(show, pane, queries, history);

  await book.refresh();
  const isNew = await begin(session, book, queries);
  await session.hornbook.refusedLibraries();
  if (isNew) await book.saveAll();
  loading.ready();
  await pane.editor.check();
  document.documentElement.dataset.ready = 'true';
  keepOffline();
}

/** Whether the book has something that is no example. */
function touched(book: Book): boolean {
  return book.tabs.some((tab) => !EXAMPLES.some(({ text }) => text === book.text(tab)));
}

/** Put what `open` gives into the panel `name`, when it is looked at first. */
async function openLate(name: string, frame: HTMLElement, open: () => Promise<HTMLElement>): Promise<void> {
  if (frame.hasChildNodes()) return;
  frame.append(h('p', { class: 'note' }, 'Loading…'));
  try {
    frame.replaceChildren(await open());
  } catch (error) {
    frame.replaceChildren();
    tell(`${name} could not be loaded: ${sentence(error)}`, 'error');
  }
}

/** In the order of their keys. */
const PANELS = ['book', 'queries', 'history', 'agent', 'dml', 'memory', 'workflow'];

const narrow = window.matchMedia('(max-width: 760px)');
function isNarrow(): boolean {
  return narrow.matches;
}

/** The book of the link, or an example for somebody who is here for the first time: whether it is. */
async function begin(session: Session, book: Book, queries: QueriesPane): Promise<boolean> {
  window.addEventListener('hashchange', () => void openLink(session, book, queries));
  if (await openLink(session, book, queries)) return false;
  const known = 'hornbook.known';
  const [family] = EXAMPLES;
  const isNew = book.tabs.length === 0 && !session.readOnly && !kept(known);
  // It can be read while SWI-Prolog is on its way.
  if (isNew && family) book.create(family.name, family.text);
  keep(known, 'true');
  return isNew;
}

/** The book of the link in the address, if there is one: whether there is. */
async function openLink(session: Session, book: Book, queries: QueriesPane): Promise<boolean> {
  try {
    const shared = await sharedIn(window.location.hash);
    if (!shared) return false;
    if (session.readOnly) {
      tell('The link was not opened: this book is open in another tab. Close that tab, then reload this one.', 'error');
      return true;
    }
    // The book is kept from now on; where it is not, a reload opens the link again.
    if (session.unkept === undefined) forgetLink();
    const same = shared.files.every(({ name, text }) => book.text(book.tabs.find((tab) => tab.name === name)) === text);
    const text =
      'This link holds a book. It is put in the place of yours; the history keeps yours, and undo brings it back.';
    if (!same && (book.tabs.length === 0 || (await agreed('Open the shared book?', text, 'Open it', 'Keep mine')))) {
      if (book.tabs.length > 0) await book.clear();
      await book.put(shared.files);
    }
    if (shared.query) queries.write(shared.query);
    return true;
  } catch (error) {
    forgetLink();
    tell(sentence(error), 'error');
    return false;
  }
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable=true]') !== null;

function keys(show: (name: string) => void, pane: BookPane, queries: QueriesPane, history: History): void {
  document.addEventListener('keydown', (event) => {
    const number =
      event.altKey && !event.ctrlKey && !event.metaKey ? /^Digit([1-7])$/.exec(event.code)?.[1] : undefined;
    if (number) {
      event.preventDefault();
      const name = PANELS[Number(number) - 1] ?? 'book';
      show(name);
      if (name === 'book') pane.editor.view.focus();
      else if (name === 'queries') queries.focus();
      else
        document
          .querySelector<HTMLElement>(`#panel-${name} button, #panel-${name} select, #panel-${name} summary`)
          ?.focus();
    } else if (event.altKey && event.code === 'KeyZ') {
      event.preventDefault();
      void history.reverse(event.shiftKey ? 'redo' : 'undo');
    } else if ((event.ctrlKey || event.metaKey) && event.key === 's') {
      event.preventDefault();
      void pane.save();
    } else if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) {
      queries.stop();
    } else if (event.key === '?' && !isWriting(event.target) && !document.querySelector('dialog[open]')) {
      event.preventDefault();
      shortcuts();
    }
  });
}
