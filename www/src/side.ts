/** The panels beside the book, behind tabs. A narrow page shows the book or one of them. */
import { h, sentence, tell } from './dom.ts';
import type { QueriesPane } from './queries/pane.ts';
import { splitter } from './splitter.ts';
import { drawTabs, walkable } from './tabs.ts';

const NAMES = {
  book: 'Book',
  queries: 'Queries',
  history: 'History',
  agent: 'Agent',
  dml: 'DML',
  memory: 'Memory',
  workflow: 'Workflow',
  notebook: 'Notebook',
  live: 'Live',
};

/** What may be shown: the book or a panel. */
export type Shown = keyof typeof NAMES;

/** In the order of their tabs and keyboard shortcuts. */
export const SHOWN = Object.keys(NAMES) as Shown[];

export interface Panel {
  readonly element: HTMLElement;
}

/** A panel with a text area, shown on the left in place of the book; on a narrow page, in the panel. */
export interface Writer extends Panel {
  readonly program: HTMLElement;
  takeBack(): void;
}

/** What the sides of the page show. */
export interface Parts {
  book: HTMLElement;
  queries: QueriesPane;
  history: Panel;
  agent: Panel;
  /** Panels that are loaded when they are first shown: most visitors only look at the book. */
  late: Partial<Record<Shown, () => Promise<Panel | Writer>>>;
  /** How many drafts wait for a decision. */
  toReview: () => number;
}

const narrow = window.matchMedia('(max-width: 760px)');
export const isNarrow = (): boolean => narrow.matches;

export class Side {
  /** Both sides. */
  readonly main: HTMLElement;
  readonly #parts: Parts;
  readonly #side = h('section', { class: 'pane side', 'aria-label': 'Queries and more' });
  readonly #left = h('section', { class: 'pane program-pane', 'aria-label': 'The program' });
  readonly #list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels', id: 'panels' });
  readonly #panels: Record<Exclude<Shown, 'book'>, HTMLElement>;
  readonly #writers: Partial<Record<Shown, Writer>> = {};

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#panels = {
      queries: parts.queries.element,
      history: parts.history.element,
      agent: parts.agent.element,
      dml: h('div', {}),
      memory: h('div', {}),
      workflow: h('div', {}),
      notebook: h('div', {}),
      live: h('div', {}),
    };
    walkable(this.#list);
    for (const [name, panel] of Object.entries(this.#panels)) {
      panel.id = `panel-${name}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-label', NAMES[name as Shown]);
    }
    this.#side.append(this.#list, ...Object.values(this.#panels));
    this.main = h('main', { class: 'work' }, parts.book, this.#left, splitter(), this.#side);
    this.main.dataset.panel = 'queries';
    narrow.addEventListener('change', () => this.show('queries'));
  }

  show(name: Shown): void {
    const { queries } = this.#parts;
    if (name !== 'book') void this.#openLate(name);
    this.main.dataset.shown = name === 'book' ? 'book' : 'side';
    if (name !== 'book') this.main.dataset.panel = name;
    for (const [other, panel] of Object.entries(this.#panels)) panel.hidden = other !== this.main.dataset.panel;
    this.#place();
    this.drawTabs();
    // On a narrow page the tabs are above whatever is shown.
    const above = isNarrow() ? this.main : this.#side;
    if (this.#list.parentElement !== above) above.prepend(this.#list);
    const asks = isNarrow() ? this.main : queries.element;
    // Somebody may be typing in it, so move it only if necessary.
    if (queries.ask.parentElement !== asks) {
      if (isNarrow()) this.main.append(queries.ask);
      else queries.element.prepend(queries.ask);
    }
    this.#list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** Show what is watched, or nothing any more. */
  watch(panel: Writer | undefined): void {
    this.#writers.live?.program.remove();
    if (panel) this.#writers.live = panel;
    else delete this.#writers.live;
    this.#panels.live.replaceChildren(...(panel ? [panel.element] : []));
    if (panel || this.main.dataset.panel === 'live') this.show(panel ? 'live' : 'queries');
    else this.drawTabs();
  }

  drawTabs(): void {
    const active = this.main.dataset.shown === 'book' && isNarrow() ? 'book' : this.main.dataset.panel;
    const isOffered = (id: Shown) => (id === 'book' ? isNarrow() : id !== 'live' || this.#writers.live !== undefined);
    const count = this.#parts.toReview();
    drawTabs(
      this.#list,
      SHOWN.filter(isOffered).map((id) => ({
        id,
        label: NAMES[id],
        controls: id === 'book' ? 'editor' : `panel-${id}`,
        ...(id === 'history' && count > 0 && { mark: String(count), meaning: `, ${count} to review` }),
      })),
      active,
      (id) => this.show(id as Shown),
    );
  }

  /** Fill a panel when it is first shown. */
  async #openLate(name: Exclude<Shown, 'book'>): Promise<void> {
    const open = this.#parts.late[name];
    const frame = this.#panels[name];
    if (!open || frame.hasChildNodes()) return;
    frame.append(h('p', { class: 'note' }, 'Loading…'));
    try {
      const panel = await open();
      if ('program' in panel) {
        this.#writers[name] = panel;
        this.#place();
      }
      frame.replaceChildren(panel.element);
    } catch (error) {
      frame.replaceChildren();
      tell(`${NAMES[name]} could not be loaded: ${sentence(error)}`, 'error');
    }
  }

  /** Put the text area of the panel that is shown on the left. */
  #place(): void {
    const writer = isNarrow() ? undefined : this.#writers[(this.main.dataset.panel ?? '') as Shown];
    this.#parts.book.hidden = writer !== undefined;
    this.#left.hidden = writer === undefined;
    for (const other of Object.values(this.#writers)) if (other !== writer) other.takeBack();
    if (writer && writer.program.parentElement !== this.#left) this.#left.append(writer.program);
  }
}
