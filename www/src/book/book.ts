/** The files of the book, and the unsaved text in the editor. */
import type { Imported } from '../../../pkg/generated/hornbook.js';
import { Signal, sentence } from '../dom.ts';
import { keep, keepText, keptJson, textsIn } from '../kept.ts';
import type { Session } from '../session.ts';
import { partOf } from '../shelf.ts';
import type { Wishes } from '../tables/reading.ts';
import type { Turn } from '../turns.ts';
import { faultOfName, shortName } from './names.ts';

/** The tab of the clauses that are not in any file. */
export const LOOSE = 'asserted clauses';

export interface Tab {
  name: string;
  /** The text in the book, or undefined if the book has no such file. */
  saved: string | undefined;
  /** The unsaved text, if it differs. */
  draft: string | undefined;
  /** The book has another text than when the draft was begun: another tab, an agent or a query changed it. */
  isStale: boolean;
  /** The number of clauses in the book. */
  clauses: number;
  readOnly: boolean;
  /** It is text, and no clauses. */
  isDocument: boolean;
}

const tabOf = (name: string, values: Partial<Tab>): Tab => ({
  name,
  saved: undefined,
  draft: undefined,
  isStale: false,
  clauses: 0,
  readOnly: false,
  isDocument: false,
  ...values,
});

export const DRAFTS = partOf('hornbook.drafts');
/** What the book had when the drafts were begun: marks of the texts, by file. */
const BASES = partOf('hornbook.bases');

/** The book has another text of the file than the one that a draft was made from. */
export class Changed extends Error {}

/** What `hornbook.save` replaces: anything, or only this text. */
type Over = string | undefined;

export class Book {
  tabs: Tab[] = [];
  active: string | undefined;
  /** Tabs were added or removed, or another one became active. */
  readonly tabsChanged = new Signal();
  /** Something other than the editor changed the text of the active tab. */
  readonly textChanged = new Signal();
  /** Whether the browser can still store drafts for the next visit. */
  keepsDrafts = true;
  /** The lines at which a replay stops, from 1, by file name. */
  readonly stops = new Map<string, number[]>();
  /** The turn in which a text is being saved into the book. */
  saving: Turn | undefined;
  #drafts: Map<string, string>;
  #bases: Map<string, string>;
  #refreshing: Promise<void> | undefined;
  #again = false;
  #putting = false;

  /** @param storesDrafts false for a book within another page: the drafts of whoever looks at it are their own */
  constructor(
    readonly session: Session,
    private readonly storesDrafts = true,
  ) {
    this.#drafts = textsIn(storesDrafts ? keptJson(DRAFTS) : undefined);
    this.#bases = textsIn(storesDrafts ? keptJson(BASES) : undefined);
    // Another tab that saves a file forgets the draft of it, also if that is this tab's.
    if (storesDrafts) window.addEventListener('storage', ({ key }) => key === DRAFTS && this.#keepAgain());
    // While several files are put into the book, refresh only once, at the end.
    session.changed.on(() => this.#putting || void this.refresh());
  }

  get current(): Tab | undefined {
    return this.tabs.find(({ name }) => name === this.active);
  }

  get dirty(): Tab[] {
    return this.tabs.filter(({ draft }) => draft !== undefined);
  }

  text(tab = this.current): string {
    return tab ? (tab.draft ?? tab.saved ?? '') : '';
  }

  /** Read the book again. */
  refresh(): Promise<void> {
    if (this.#refreshing) {
      this.#again = true;
      return this.#refreshing;
    }
    this.#refreshing = (async () => {
      try {
        do {
          this.#again = false;
          await this.#read();
        } while (this.#again);
      } finally {
        this.#refreshing = undefined;
      }
    })();
    return this.#refreshing;
  }

  async #read(): Promise<void> {
    const before = this.text();
    const { files } = await this.session.ok('files', { operation: 'list' });
    const hornbook = this.session.hornbook;
    const known = new Map(files.map(({ filename, clauseCount }) => [filename, clauseCount]));
    const names = [
      ...this.tabs.filter((tab) => !tab.readOnly).map(({ name }) => name),
      ...known.keys(),
      ...this.#drafts.keys(),
    ];
    this.tabs = [...new Set(names)].flatMap((name) => {
      const saved = known.has(name) ? hornbook.source(name) : undefined;
      const draft = this.#drafts.get(name);
      if (draft === saved && draft !== undefined) this.#keep(name, undefined);
      // A file that was removed from the book and has no draft loses its tab, too.
      if (saved === undefined && draft === undefined) return [];
      const clauses = known.get(name) ?? 0;
      const isStale = draft !== undefined && draft !== saved && this.#isStale(name, saved);
      return [
        tabOf(name, {
          saved,
          draft: draft === saved ? undefined : draft,
          isStale,
          clauses,
          isDocument: hornbook.isDocument(name),
        }),
      ];
    });
    const loose = hornbook.loose();
    if (loose) this.tabs.push(tabOf(this.fresh(LOOSE), { saved: loose, readOnly: true }));
    if (!this.current) this.active = this.tabs[0]?.name;
    this.tabsChanged.send();
    if (this.text() !== before) this.textChanged.send();
  }

  open(name: string): void {
    this.active = name;
    this.tabsChanged.send();
    this.textChanged.send();
  }

  /** Take over the text from the editor. In an empty book it becomes a new file. */
  edit(text: string): void {
    const tab = this.current;
    if (!tab) {
      this.create(this.fresh('untitled.pl'), text);
      return;
    }
    if (tab.readOnly) return;
    const was = `${tab.draft === undefined} ${this.keepsDrafts}`;
    if (tab.draft === undefined) this.#base(tab.name, tab.saved);
    tab.draft = text === tab.saved ? undefined : text;
    tab.isStale &&= tab.draft !== undefined;
    this.#keep(tab.name, tab.draft);
    if (was !== `${tab.draft === undefined} ${this.keepsDrafts}`) this.tabsChanged.send();
  }

  /** Open a new tab with unsaved text. */
  create(name: string, text = ''): void {
    this.#base(name, undefined);
    this.#keep(name, text);
    this.tabs = [
      ...this.tabs.filter((tab) => !tab.readOnly),
      tabOf(name, { draft: text, isDocument: this.session.hornbook.isDocument(name) }),
      ...this.tabs.filter((tab) => tab.readOnly),
    ];
    this.open(name);
  }

  /** A name that no tab has. */
  fresh(base: string): string {
    const [, stem, ending] = /^(.*?)(\.\w+)?$/.exec(base) ?? [];
    for (let n = 1; ; n += 1) {
      const name = n === 1 ? base : `${stem}${n}${ending ?? ''}`;
      if (!this.tabs.some((tab) => tab.name === name)) return name;
    }
  }

  /**
   * Save a tab into the book. Resolves with the errors of its clauses, `line:column: message`. `wait` receives the turn
   * in which it happens. Throws {@link Changed} if the book's text changed since the draft was begun; `theirs`, the text
   * that the book has by now, replaces that one.
   */
  async save(tab: Tab, wait?: (turn: Turn) => void, theirs?: string): Promise<string[]> {
    const text = tab.draft ?? tab.saved ?? '';
    const changed = `${shortName(tab.name)} was changed elsewhere since you began to edit it. Save it to choose a text.`;
    if (theirs === undefined && this.#isStale(tab.name, tab.saved)) throw new Changed(changed);
    const { errors, output, notices } = await this.#saved(tab.name, text, theirs ?? tab.saved ?? '', wait).catch(
      (error: { kind?: string }) => {
        throw error.kind === 'conflict' ? new Changed(changed) : error;
      },
    );
    if (tab.draft === text) tab.draft = undefined;
    if (tab.draft !== undefined) this.#base(tab.name, this.session.hornbook.source(tab.name));
    this.#keep(tab.name, tab.draft);
    if (output) this.session.noticed.send(`${tab.name} wrote: ${output}`);
    for (const notice of notices) this.session.noticed.send(notice);
    // The book cannot hold a text without clauses, so it stays a draft.
    if (text !== '' && this.session.hornbook.source(tab.name) === undefined) this.#keep(tab.name, text);
    await this.refresh();
    return errors;
  }

  /** Drop a draft for the text that the book has. Returns a function that brings the draft back, to save it over that. */
  async takeTheirs(tab: Tab): Promise<() => void> {
    const { name, draft } = tab;
    this.#keep(name, undefined);
    await this.refresh();
    this.textChanged.send();
    return () => {
      if (draft === undefined) return;
      const now = this.tabs.find((other) => other.name === name);
      if (!now) return this.create(name, draft);
      this.#base(name, now.saved);
      this.#keep(name, draft);
      now.draft = draft;
      this.open(name);
    };
  }

  async #saved(
    name: string,
    text: string,
    over: Over,
    wait?: (turn: Turn) => void,
  ): ReturnType<Session['hornbook']['save']> {
    const turn = { what: `saving ${shortName(name)}` };
    wait?.(turn);
    this.saving = turn;
    this.tabsChanged.send();
    try {
      return await this.session.turns.take(turn, () => this.session.hornbook.save(name, text, over));
    } finally {
      if (this.saving === turn) this.saving = undefined;
      this.tabsChanged.send();
    }
  }

  /** Save everything unsaved. Resolves with a sentence for the first file that could not be saved. */
  async saveAll(wait?: (turn: Turn) => void): Promise<string | undefined> {
    for (const tab of this.dirty) {
      try {
        await this.save(tab, wait);
      } catch (error) {
        return `${tab.name}: ${sentence(error)}`;
      }
    }
    return undefined;
  }

  /**
   * Put files into the book, replacing those with the same names, and open the first unless told otherwise. Throws a
   * sentence if a file name is invalid, or if the book cannot take a file; an opened one is there as a draft then.
   */
  async put(files: { name: string; text: string }[], isOpened = true): Promise<string[]> {
    const all: string[] = [];
    for (const { name } of files) {
      const fault = faultOfName(name);
      if (fault) throw new Error(fault);
    }
    let failed: unknown;
    this.#putting = true;
    try {
      for (const { name, text } of files) {
        await this.saveFirst(this.tabs.find((tab) => tab.name === name));
        // Unchanged files need no new revision.
        if (this.session.hornbook.source(name) === text) {
          this.#keep(name, undefined);
          continue;
        }
        let errors: string[];
        try {
          ({ errors } = await this.#saved(name, text, undefined));
        } catch (error) {
          if (!isOpened) throw error;
          failed ??= error;
          this.#keep(name, text);
          continue;
        }
        all.push(...errors.map((error) => `${name}:${error}`));
        this.#keep(name, this.session.hornbook.source(name) === undefined ? text : undefined);
      }
    } finally {
      this.#putting = false;
    }
    if (files[0] && isOpened) this.active = files[0].name;
    await this.refresh();
    this.textChanged.send();
    if (failed !== undefined) throw failed;
    return all;
  }

  /** Import a table, or a workbook as base64: its rows become facts, which its tab shows. Rejects with what is wrong with it. */
  async putTable(name: string, text: string, { columns, header }: Wishes = {}): Promise<Imported> {
    await this.saveFirst(this.tabs.find((tab) => tab.name === name));
    const imported = await this.session.hornbook.importFile(name, text, columns, header);
    if (imported.errors[0] !== undefined) throw new Error(imported.errors[0]);
    this.#keep(name, undefined);
    this.active = name;
    await this.refresh();
    this.textChanged.send();
    return imported;
  }

  /** Remove a file from the book and close its tab; undo restores both. */
  async remove(tab: Tab): Promise<void> {
    await this.saveFirst(tab);
    this.#keep(tab.name, undefined);
    this.tabs = this.tabs.filter(({ name }) => name !== tab.name);
    if (this.session.hornbook.source(tab.name) !== undefined)
      await this.session.ok('files', { operation: 'unimport', filename: tab.name });
    if (this.active === tab.name) this.active = undefined;
    await this.refresh();
    this.textChanged.send();
  }

  /** Save a draft before something replaces it, so that undo can restore it. */
  async saveFirst(tab: Tab | undefined): Promise<void> {
    // Both texts are in the history then, so neither is lost.
    if (tab?.draft?.trim()) await this.save(tab, undefined, this.session.hornbook.source(tab.name) ?? '');
  }

  /** Remove everything; undo restores it. */
  async clear(): Promise<void> {
    for (const tab of this.dirty) await this.saveFirst(tab);
    this.#drafts.clear();
    this.#bases.clear();
    if (this.storesDrafts) keep(BASES, undefined);
    if (this.storesDrafts) this.keepsDrafts = keep(DRAFTS, undefined);
    this.tabs = [];
    this.active = undefined;
    await this.session.ok('workspace', { operation: 'reset' });
    await this.refresh();
  }

  /** Whether the book's text is another than when the draft of a file was begun. */
  #isStale(name: string, saved: string | undefined): boolean {
    const base = this.#bases.get(name);
    return base !== undefined && base !== markOf(saved);
  }

  #base(name: string, saved: string | undefined): void {
    this.#bases.set(name, markOf(saved));
    if (this.storesDrafts) keepText(BASES, name, markOf(saved));
  }

  /** Store the drafts of this tab that another one removed. */
  #keepAgain(): void {
    const stored = textsIn(keptJson(DRAFTS));
    for (const [name, draft] of this.#drafts) {
      if (stored.has(name)) continue;
      keepText(DRAFTS, name, draft);
      keepText(BASES, name, this.#bases.get(name));
    }
  }

  #keep(name: string, draft: string | undefined): void {
    const before = this.#drafts.get(name);
    if (draft !== undefined) {
      this.#drafts.set(name, draft);
      if (this.storesDrafts) this.keepsDrafts = keepText(DRAFTS, name, draft);
      return;
    }
    this.#drafts.delete(name);
    this.#bases.delete(name);
    // Another tab may have a draft of its own.
    if (!this.storesDrafts || before === undefined || textsIn(keptJson(DRAFTS)).get(name) !== before) return;
    this.keepsDrafts = keepText(DRAFTS, name, undefined);
    keepText(BASES, name, undefined);
  }
}

/** A mark that two different texts practically never share: its length and 64 bits (FNV-1a, twice). */
function markOf(text: string | undefined): string {
  if (text === undefined) return 'none';
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  return `${text.length} ${one >>> 0} ${other >>> 0}`;
}
