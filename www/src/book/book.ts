/** The files of the book, and the unsaved text in the editor. */
import { atItsCause } from '../../../pkg-templates/src/lsp/cause.ts';
import { Signal, asSentence, sentence } from '../dom.ts';
import { keep, keptJson, textsIn } from '../kept.ts';
import type { Session } from '../session.ts';
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
  /** The number of clauses in the book. */
  clauses: number;
  readOnly: boolean;
}

const DRAFTS = 'hornbook.drafts';

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
  #drafts = textsIn(keptJson(DRAFTS));
  #refreshing: Promise<void> | undefined;
  #again = false;
  #putting = false;

  constructor(readonly session: Session) {
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
      return [
        { name, saved, draft: draft === saved ? undefined : draft, clauses: known.get(name) ?? 0, readOnly: false },
      ];
    });
    const loose = hornbook.loose();
    if (loose) this.tabs.push({ name: this.fresh(LOOSE), saved: loose, draft: undefined, clauses: 0, readOnly: true });
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
    tab.draft = text === tab.saved ? undefined : text;
    this.#keep(tab.name, tab.draft);
    if (was !== `${tab.draft === undefined} ${this.keepsDrafts}`) this.tabsChanged.send();
  }

  /** Open a new tab with unsaved text. */
  create(name: string, text = ''): void {
    this.#keep(name, text);
    this.tabs = [
      ...this.tabs.filter((tab) => !tab.readOnly),
      { name, saved: undefined, draft: text, clauses: 0, readOnly: false },
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
   * in which it happens.
   */
  async save(tab: Tab, wait?: (turn: Turn) => void): Promise<string[]> {
    const text = tab.draft ?? tab.saved ?? '';
    const { errors, output, notices } = await this.#saved(tab.name, text, wait);
    if (tab.draft === text) tab.draft = undefined;
    this.#keep(tab.name, tab.draft);
    if (output) this.session.noticed.send(`${tab.name} wrote: ${output}`);
    for (const notice of notices) this.session.noticed.send(notice);
    // The book cannot hold a text without clauses, so it stays a draft.
    if (text !== '' && this.session.hornbook.source(tab.name) === undefined) this.#keep(tab.name, text);
    await this.refresh();
    return errors;
  }

  async #saved(name: string, text: string, wait?: (turn: Turn) => void): ReturnType<Session['hornbook']['save']> {
    const turn = { what: `saving ${shortName(name)}` };
    wait?.(turn);
    this.saving = turn;
    this.tabsChanged.send();
    try {
      return await this.session.turns.take(turn, () => this.session.hornbook.save(name, text));
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
   * The first clause that SWI-Prolog cannot read, and which is therefore missing from the book; undefined if there is
   * none.
   */
  async firstFault(): Promise<{ file: string; line: number; message: string } | undefined> {
    for (const tab of this.tabs.filter(({ readOnly }) => !readOnly)) {
      const text = this.text(tab);
      const problems = await this.session.hornbook.check(text);
      const first = problems.find(({ severity }) => severity === 'error');
      if (!first) continue;
      const { start, message } = atItsCause(first, text);
      return { file: tab.name, line: text.slice(0, start).split('\n').length, message: asSentence(message) };
    }
    return undefined;
  }

  /**
   * Put files into the book, replacing those with the same names, and open the first unless told otherwise. Throws a
   * sentence if a file name is invalid.
   */
  async put(files: { name: string; text: string }[], isOpened = true): Promise<string[]> {
    const all: string[] = [];
    for (const { name } of files) {
      const fault = faultOfName(name);
      if (fault) throw new Error(fault);
    }
    this.#putting = true;
    try {
      for (const { name, text } of files) {
        await this.#saveFirst(this.tabs.find((tab) => tab.name === name));
        // Unchanged files need no new revision.
        if (this.session.hornbook.source(name) === text) {
          this.#keep(name, undefined);
          continue;
        }
        const { errors } = await this.#saved(name, text);
        all.push(...errors.map((error) => `${name}:${error}`));
        this.#keep(name, this.session.hornbook.source(name) === undefined ? text : undefined);
      }
    } finally {
      this.#putting = false;
    }
    if (files[0] && isOpened) this.active = files[0].name;
    await this.refresh();
    this.textChanged.send();
    return all;
  }

  /** Remove a file from the book and close its tab; undo restores both. */
  async remove(tab: Tab): Promise<void> {
    await this.#saveFirst(tab);
    this.#keep(tab.name, undefined);
    this.tabs = this.tabs.filter(({ name }) => name !== tab.name);
    if (this.session.hornbook.source(tab.name) !== undefined)
      await this.session.ok('files', { operation: 'unimport', filename: tab.name });
    if (this.active === tab.name) this.active = undefined;
    await this.refresh();
    this.textChanged.send();
  }

  /** Save a draft before something replaces it, so that undo can restore it. */
  async #saveFirst(tab: Tab | undefined): Promise<void> {
    if (tab?.draft?.trim()) await this.save(tab);
  }

  /** Remove everything; undo restores it. */
  async clear(): Promise<void> {
    for (const tab of this.dirty) await this.#saveFirst(tab);
    this.#drafts.clear();
    this.keepsDrafts = keep(DRAFTS, undefined);
    this.tabs = [];
    this.active = undefined;
    await this.session.ok('workspace', { operation: 'reset' });
    await this.refresh();
  }

  #keep(name: string, draft: string | undefined): void {
    if (draft === undefined) this.#drafts.delete(name);
    else this.#drafts.set(name, draft);
    this.keepsDrafts = keep(
      DRAFTS,
      this.#drafts.size === 0 ? undefined : JSON.stringify(Object.fromEntries(this.#drafts)),
    );
  }
}
