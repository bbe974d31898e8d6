/** The page: the book on the left, the queries on the right, and everything else behind tabs. */
import './strict.ts';
import './styles/face.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/editor.css';
import './styles/queries.css';
import './styles/pictures.css';
import './styles/panels.css';
import './styles/live.css';
import './styles/tables.css';
import './styles/phone.css';
import { asideOf } from './aside.ts';
import { Book } from './book/book.ts';
import { Drafts } from './book/drafts.ts';
import { help } from './book/help.ts';
import { offerLeft } from './book/left.ts';
import { Outlines } from './book/outlines.ts';
import { BookPane } from './book/pane.ts';
import type { NotebookPanel } from './notebook/panel.ts';
import { h, sentence, tell } from './dom.ts';
import { EarlyEditor, handOver } from './early.ts';
import { EXAMPLES, type Example } from './examples/index.ts';
import { Watching } from './live/watching.ts';
import { LoadingLine, fillTools, header, shortcuts } from './header.ts';
import { keep, kept } from './kept.ts';
import { keepOffline } from './offline.ts';
import { type Opener, openLink } from './opening.ts';
import { Origins } from './origins.ts';
import { AgentPanel } from './panels/agent.ts';
import { History } from './panels/history.ts';
import { QueriesPane } from './queries/pane.ts';
import { memoryBanner } from './rescue.ts';
import { ComparisonFrame } from './review/comparison.ts';
import { Waiting } from './review/waiting.ts';
import { Session } from './session.ts';
import { NOTEBOOK } from './share.ts';
import { arrive, shelve } from './shelved.ts';
import { nameTab } from './shelf.ts';
import { SHOWN, Side, isNarrow } from './side.ts';
import { risky, wasCutOff } from './starting.ts';
import { Traffic } from './traffic.ts';

/** Whether the page shows a notebook embedded in another page. */
const isEmbedded = new URLSearchParams(window.location.search).has('embed');
const loading = new LoadingLine(!isEmbedded);
if (isEmbedded) document.documentElement.dataset.embed = '';

const top = header(loading, !isEmbedded);
const app = document.getElementById('app')!;
const LOADING = 'Loading SWI-Prolog. Your browser keeps it, so next time it opens at once, even offline.';
/** Set once this browser has had a book. */
const KNOWN = 'hornbook.known';
const [FAMILY] = EXAMPLES as [Example, ...Example[]];
const early =
  isEmbedded || kept(KNOWN) !== undefined || window.location.hash !== ''
    ? undefined
    : new EarlyEditor(FAMILY, `${LOADING} You can write already.`);
app.replaceChildren(top.element, early?.element ?? h('main', { class: 'wait' }, h('p', {}, LOADING)));

begin().catch((error: unknown) => {
  loading.failed(`Hornbook could not start: ${sentence(error)}`);
  if (!isEmbedded) setAside('Hornbook could not start. A text stored in this browser may be the cause.');
});

/** Start, unless the last start never ended: then a stored text may be the cause. */
async function begin(): Promise<void> {
  // An embedded notebook stores nothing.
  if (isEmbedded) return start(() => {});
  if (await wasCutOff()) {
    loading.ready();
    setAside('This page hung or crashed when it was opened last. A text stored in this browser may be the cause.');
    return;
  }
  await start(risky());
}

/** Show what the browser stores in place of the page. */
function setAside(reason: string): void {
  app.replaceChildren(
    top.element,
    asideOf(reason, () => Session.open(new Traffic(), () => {})),
  );
}

/** `shown` is to be called when what the browser stores is in the page. */
async function start(shown: () => void): Promise<void> {
  const named = isEmbedded ? undefined : nameTab();
  const traffic = new Traffic();
  const session = await Session.open(
    traffic,
    (bytes) => loading.update(bytes),
    // Viewers of an embedded notebook keep their own book.
    isEmbedded ? 'the notebook stands in another page' : undefined,
  );
  session.turns.changed.on(() => {
    const { saves, stop } = session.turns.current ?? {};
    if (saves !== undefined) loading.doing(`Running ${saves}, for up to 30 s`, stop);
    else loading.doing('Starting SWI-Prolog');
  });
  await named;
  const book = new Book(session, new Drafts(!isEmbedded));
  const outlines = new Outlines(book);
  const goTo = (file: string, line: number, stays = false) => {
    // A narrow page shows only one of the two.
    if (stays && isNarrow()) return;
    if (!stays) side.show('book');
    if (book.active !== file) book.open(file);
    pane.point(line);
  };
  const pane = new BookPane(
    book,
    outlines,
    help(session, outlines, goTo, () => book.active),
  );
  const origins = new Origins(session, traffic);
  const agent = new AgentPanel(session, traffic, () => watching.ask());
  const queries = new QueriesPane(session, book, outlines, goTo, help(session, outlines, goTo), !isEmbedded);
  const pinned = () => queries.pinned.goals;
  const waiting = new Waiting(session, goTo, pinned);
  const comparison = new ComparisonFrame(session, goTo, pinned);
  const history = new History(session, origins, {
    above: waiting.element,
    comparison: comparison.element,
    compares: (revision) => void comparison.compare(revision),
    restores: (revision) => void import('./panels/earlier.ts').then((all) => all.offerEarlier(book, revision)),
  });
  queries.pinned.changed.on(() => waiting.pinnedChanged());
  queries.asks.on(() => side.show('queries'));
  session.noticed.on((notice) => tell(notice));
  pane.editor.asks.on(async (goal) => {
    queries.write(await outlines.asked(goal, book.active));
    void queries.askBox(1);
  });

  pane.rowsAsked.on((goal) => {
    queries.write(goal);
    void queries.askBox(ROWS);
  });

  /** The notebook from a link. */
  let given: string | undefined;
  let notebook: NotebookPanel | undefined;
  const openNotebook = (text: string) => {
    given = text;
    if (!isEmbedded) keep(NOTEBOOK, text);
    side.show('notebook');
    notebook?.put(text);
  };
  const side = new Side({
    book: pane.element,
    queries,
    history,
    agent,
    late: {
      dml: async () => new (await import('./dml/panel.ts')).DmlPanel(session),
      notebook: async () => {
        const { NotebookPanel } = await import('./notebook/panel.ts');
        notebook = new NotebookPanel(book, queries, given, isEmbedded);
        return notebook;
      },
      memory: async () => {
        const [{ MemoryPanel }] = await Promise.all([import('./memory/panel.ts'), session.whole()]);
        const giveRules = async (name: string, text: string) => {
          if (book.tabs.some((tab) => tab.name === name)) return;
          book.create(name, text);
          await book.saveAll();
        };
        return new MemoryPanel(session, giveRules);
      },
      workflow: async () => {
        const [{ WorkflowPanel }] = await Promise.all([import('./workflow/panel.ts'), session.whole()]);
        return new WorkflowPanel(session, book);
      },
    },
    toReview: () => waiting.count,
  });
  waiting.changed.on(() => side.drawTabs());
  waiting.wanted.on(() => side.show('history'));
  const watching = new Watching();
  watching.changed.on(() => side.watch(watching.panel));
  pane.intake.watched.on((dropped) => void watching.take(dropped));

  fillTools(top.tools, session, book, pane, queries, () => watching.ask());
  if (!isEmbedded) handOver(book, pane.editor.view, FAMILY.name, early);
  const { main } = side;
  app.replaceChildren(top.element, main);
  side.show(isNarrow() ? 'book' : 'queries');
  if (session.unkept !== undefined && !isEmbedded) {
    main.before(memoryBanner(session.unkept));
  } else if (session.notice) {
    tell(session.notice, 'error');
  }
  window.addEventListener('beforeunload', (event) => {
    // Only ask if something would be lost.
    if (isEmbedded ? false : session.unkept !== undefined ? touched(book) : !book.keepsDrafts) event.preventDefault();
  });
  keys(side, pane, queries, history, watching);
  if (!isEmbedded) pane.intake.accept(app, pane.element);
  document.addEventListener('paste', (event) => {
    if (isWriting(event.target) || isEmbedded || document.querySelector('dialog[open]')) return;
    if (pane.intake.takePasted(event.clipboardData)) event.preventDefault();
  });

  if (session.unkept === undefined) shelve(session, book, goTo, main);
  await book.refresh();
  shown();
  await offerLeft(book, main);
  const isNew = await fill({ session, book, queries, origins, isEmbedded, openNotebook });
  await session.hornbook.refusedLibraries();
  if (isNew) await book.saveAll();
  arrive(goTo);
  loading.ready();
  await pane.editor.check();
  document.documentElement.dataset.ready = 'true';
  if (!isEmbedded) void watching.resume();
  keepOffline();
}

/** How many rows of a table are asked for at once. */
const ROWS = 10;

/** Whether the book contains anything but examples. */
function touched(book: Book): boolean {
  return book.tabs.some((tab) => !EXAMPLES.some(({ text }) => text === book.text(tab)));
}

/** Open the book from the link, or an example on a first visit. Resolves with whether this is a first visit. */
async function fill(opener: Opener): Promise<boolean> {
  const { book } = opener;
  window.addEventListener('hashchange', () => void openLink(opener));
  if (await openLink(opener)) return false;
  const isNew = !isEmbedded && book.tabs.length === 0 && !kept(KNOWN);
  // It can be read while SWI-Prolog loads.
  if (isNew) book.create(FAMILY.name, FAMILY.text);
  keep(KNOWN, 'true');
  return isNew;
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable=true]') !== null;

/** What Escape closes or leaves first. */
const FIRST_CLOSED =
  'dialog[open], .cm-tooltip-autocomplete, .cm-search:focus-within, .rename, [aria-haspopup=menu][aria-expanded=true]';

function keys(side: Side, pane: BookPane, queries: QueriesPane, history: History, watching: Watching): void {
  // Before the editors, for which Escape reduces a selection: the text of a query is selected while it runs.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || document.querySelector(FIRST_CLOSED)) return;
      if (queries.stop()) event.preventDefault();
    },
    { capture: true },
  );
  document.addEventListener('keydown', (event) => {
    const number =
      event.altKey && !event.ctrlKey && !event.metaKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined;
    if (number) {
      event.preventDefault();
      const name = SHOWN[Number(number) - 1] ?? 'book';
      if (name === 'live' && !watching.panel) return;
      side.show(name);
      if (name === 'book') pane.focus();
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
    } else if (event.key === '?' && !isWriting(event.target) && !document.querySelector('dialog[open]')) {
      event.preventDefault();
      shortcuts();
    }
  });
}
