/** The page: queries, proofs, runs, notebooks, the memory and history, for the files that are open in the editor. */
import '../../../../www/src/styles/base.css';
import '../../../../www/src/styles/layout.css';
import '../../../../www/src/styles/editor.css';
import '../../../../www/src/styles/queries.css';
import '../../../../www/src/styles/pictures.css';
import '../../../../www/src/styles/panels.css';
import '../../../../www/src/styles/tables.css';
import './view.css';
import { Book } from '../../../../www/src/book/book.ts';
import { Drafts } from '../../../../www/src/book/drafts.ts';
import { help } from '../../../../www/src/book/help.ts';
import { Outlines } from '../../../../www/src/book/outlines.ts';
import { button, debounced, h, sentence, tell } from '../../../../www/src/dom.ts';
import { EXAMPLES } from '../../../../www/src/examples/index.ts';
import { keep, kept } from '../../../../www/src/kept.ts';
import { MemoryPanel } from '../../../../www/src/memory/panel.ts';
import { History } from '../../../../www/src/panels/history.ts';
import { Origins } from '../../../../www/src/origins.ts';
import { QueriesPane } from '../../../../www/src/queries/pane.ts';
import { Session } from '../../../../www/src/session.ts';
import { drawTabs, walkable } from '../../../../www/src/tabs.ts';
import { Traffic } from '../../../../www/src/traffic.ts';
import { DataPanel } from './data.ts';
import { hear, say } from './editor.ts';
import { Late } from './late.ts';
import { type Files, type Panel, type ToView, fileOf, notebookOf } from './messages.ts';
import { ProgramsPanel } from './programs.ts';
import * as storage from './storage.ts';
import { followTheme } from './theme.ts';
import { tellEnded } from './unfinished.ts';

const app = document.getElementById('app')!;
const status = h('p', { class: 'note', role: 'status' }, 'Starting SWI-Prolog…');
app.replaceChildren(status);

followTheme();

/** Messages that arrived before the page could handle them. */
const early: ToView[] = [];
let take = (message: ToView): void => void early.push(message);
hear((message) => {
  if (message.kind !== 'begin') return take(message);
  storage.begin(message.kept);
  start().catch((error: unknown) => status.replaceChildren(`Hornbook could not start: ${sentence(error)}`));
});
say({ kind: 'ready' });

async function start(): Promise<void> {
  const traffic = new Traffic();
  const session = await Session.open(
    traffic,
    ({ loaded, total }) => {
      if (total > 0) status.replaceChildren(`Loading SWI-Prolog: ${Math.round((100 * loaded) / total)} %`);
    },
    'the files are kept by the editor',
  );
  await keepMemory(session);
  const book = new Book(session, new Drafts(true));
  let shown: Files = { files: [], programs: [], workflows: [], notebooks: [] };
  const goTo = (file: string, line: number, stays = false) => {
    if (!data.has(file)) return say({ kind: 'goTo', file: notebookOf(file) ?? file, line, stays });
    show('data');
    data.point(file, line);
  };
  const outlines = new Outlines(book);
  const helping = help(session, outlines, goTo);
  const write =
    'facts and rules in a `.pl` file and keep it open, or choose “Add to Book” for a table in the explorer.';
  const example = () => say({ kind: 'open', language: 'prolog', text: EXAMPLES[0]!.text });
  const begin = button('Open an example', example, { class: 'main' });
  const queries = new QueriesPane(session, book, outlines, goTo, helping, false, write, begin);
  const programs = new ProgramsPanel(session, goTo);
  const workflows = new Late(
    'Workflows',
    async () => new (await import('./workflows.ts')).WorkflowsPanel(session, goTo),
  );
  const notebooks = new Late(
    'Notebooks',
    async () => new (await import('./notebooks.ts')).NotebooksPanel(book, queries),
  );
  const data = new DataPanel(book, (goal) => {
    queries.write(goal);
    show('queries');
    void queries.askBox(ROWS);
  });
  session.noticed.on((notice) => tell(notice));

  book.elsewhere = {
    text: (name) => shown.files.find((file) => file.name === name)?.text,
    put: (file, text) => say({ kind: 'write', file, text }),
  };
  const panels: Record<Panel, HTMLElement> = {
    queries: queries.element,
    data: data.element,
    dml: programs.element,
    workflow: workflows.element,
    notebook: notebooks.element,
    memory: new MemoryPanel(session, (_, text) => say({ kind: 'open', language: 'prolog', text })).element,
    history: new History(session, new Origins(session, traffic), {
      isElsewhere: ({ operation }) => operation === 'import' || operation === 'unimport',
      restores: (revision) => void earlier().then(({ offerEarlier }) => offerEarlier(book, revision)),
    }).element,
  };
  const late: Partial<Record<Panel, Late>> = { workflow: workflows, notebook: notebooks };
  const show = tabbed(panels, (panel) => late[panel]?.open());

  let hasPins = false;
  const files = new Latest(async (message: Files) => {
    await put(book, message, data);
    // Before the first files are there, their answers would all be new.
    if (!hasPins) queries.pinned.restore();
    hasPins = true;
  });
  take = (message) => {
    if (message.kind === 'show') show(message.panel);
    if (message.kind === 'pin') queries.pinned.pin(message.goal);
    if (message.kind === 'table') void (message.isNew ? data.offer(message) : data.add(message));
    if (message.kind !== 'files') return;
    shown = message;
    programs.put(message.programs, message.active);
    workflows.put(message);
    notebooks.put(message);
    files.put(message);
  };
  tellEnded();
  for (const message of early.splice(0)) take(message);
  await session.hornbook.refusedLibraries();
  document.documentElement.dataset.ready = 'true';
}

/** Put the panels under tabs; `opened` is told which is shown. Returns a function that shows one. */
function tabbed(panels: Record<Panel, HTMLElement>, opened: (panel: Panel) => void): (panel: Panel) => void {
  const names: Record<Panel, string> = {
    queries: 'Queries',
    data: 'Data',
    dml: 'DML',
    workflow: 'Workflow',
    notebook: 'Notebook',
    memory: 'Memory',
    history: 'History',
  };
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels', id: 'panels' });
  walkable(list);
  const show = (active: string) => {
    for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== active;
    opened(active as Panel);
    const items = Object.entries(names).map(([id, label]) => ({ id, label, controls: `panel-${id}` }));
    drawTabs(list, items, active, chosen);
  };
  const chosen = (panel: string) => {
    show(panel);
    keep(SHOWN, panel);
  };
  for (const [name, panel] of Object.entries(panels)) {
    panel.id = `panel-${name}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-label', names[name as Panel]);
  }
  const side = h('section', { class: 'pane side', 'aria-label': 'Queries and more' }, list, ...Object.values(panels));
  app.replaceChildren(h('main', { class: 'work' }, side));
  const before = kept(SHOWN);
  show(before !== undefined && before in panels ? before : 'queries');
  return chosen;
}

const earlier = () => import('../../../../www/src/panels/earlier.ts');

/** How many rows of a table are asked for at once. */
const ROWS = 10;
const SHOWN = 'hornbook.panel';
const MEMORY = 'hornbook.memory';
/** How long to wait after the last change before saving the memory, in milliseconds. */
const PAUSE_MS = 500;

/** Keep the memory with the workspace, so that it is restored with the page. */
async function keepMemory(session: Session): Promise<void> {
  const before = kept(MEMORY);
  if (before) await session.hornbook.importMemory(before);
  session.remembered.on(debounced(PAUSE_MS, () => keep(MEMORY, session.hornbook.exportMemory())));
}

/** Load the open files into the book, and remove the others, except for the tables and the clauses of open notebooks. */
async function put(book: Book, { files, notebooks, active }: Files, data: DataPanel): Promise<void> {
  const stay = new Set([...files.map(({ name }) => name), ...notebooks.map(({ name }) => fileOf(name))]);
  try {
    await book.put(files);
    for (const tab of book.tabs)
      if (!tab.readOnly && !data.has(tab.name) && !stay.has(tab.name)) await book.remove(tab);
    if (active !== undefined && book.tabs.some(({ name }) => name === active)) book.open(active);
  } catch (error) {
    tell(sentence(error), 'error');
  }
}

/** Handles one value at a time; of those waiting, only the latest. */
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
