/** The files of the book, and the unsaved text in the editor. */
import type { Imported } from '../../../pkg/generated/hornbook.js';
import { Signal, sentence } from '../dom.ts';
import type { Cancel, Session } from '../session.ts';
import type { Wishes } from '../tables/reading.ts';
import type { Turn } from '../turns.ts';
import type { Drafts } from './drafts.ts';
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

/** The book has another text of the file than the one that a draft was made from. */
export class Changed extends Error {}

/** A file has a text that is not saved, which would be lost. */
export class Unsaved extends Error {
  constructor(readonly file: string) {
    super(`${shortName(file)} has changes that are not saved. Save or discard them first.`);
  }
}

/** Where files are that the book only reads. */
export interface Elsewhere {
  /** What a file is there; undefined if it is not open. */
  text(name: string): string | undefined;
  put(name: string, text: string): void;
}

/** Why an earlier text of a file is not brought back. */
export const changedMeanwhile = (name: string): string =>
  `${shortName(name)} was changed meanwhile, and stays as it is. Look at what it was again.`;

/** Saves a text into the book, unless it is cancelled. */
type Saving = (cancel: Cancel) => ReturnType<Session['hornbook']['save']>;

/** What `hornbook.save` replaces: anything, or only this text. */
type Over = string | undefined;

export class Book {
  tabs: Tab[] = [];
  active: string | undefined;
  /** Where its files are, if not here: what a person changes of them is changed there. */
  elsewhere: Elsewhere | undefined;
  /** Tabs were added or removed, or another one became active. */
  readonly tabsChanged = new Signal();
  /** Something other than the editor changed the text of the active tab. */
  readonly textChanged = new Signal();
  /** The lines at which a replay stops, from 1, by file name. */
  readonly stops = new Map<string, number[]>();
  /** The turn in which a text is being saved into the book. */
  saving: Turn | undefined;
  #refreshing: Promise<void> | undefined;
  #again = false;
  #putting = false;

  constructor(
    readonly session: Session,
    readonly drafts: Drafts,
  ) {
    // While several files are put into the book, refresh only once, at the end.
    session.changed.on(() => this.#putting || void this.refresh());
  }

  /** Whether the browser can still store drafts for the next visit. */
  get keepsDrafts(): boolean {
    return this.drafts.areKept;
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
      ...this.drafts.names,
    ];
    this.tabs = [...new Set(names)].flatMap((name) => {
      const saved = known.has(name) ? hornbook.source(name) : undefined;
      const draft = this.drafts.get(name);
      if (draft === saved && draft !== undefined) this.drafts.delete(name);
      // A file that was removed from the book and has no draft loses its tab, too.
      if (saved === undefined && draft === undefined) return [];
      const clauses = known.get(name) ?? 0;
      const isStale = draft !== undefined && draft !== saved && this.drafts.isStale(name, saved);
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
    if (tab.draft === undefined) this.drafts.begin(tab.name, tab.saved);
    tab.draft = text === tab.saved ? undefined : text;
    tab.isStale &&= tab.draft !== undefined;
    this.#keep(tab.name, tab.draft);
    if (was !== `${tab.draft === undefined} ${this.keepsDrafts}`) this.tabsChanged.send();
  }

  /** Open a new tab with unsaved text. */
  create(name: string, text = ''): void {
    this.drafts.begin(name, undefined);
    this.drafts.set(name, text);
    this.tabs = [
      ...this.tabs.filter((tab) => !tab.readOnly),
      tabOf(name, { draft: text, isDocument: this.session.hornbook.isDocument(name) }),
      ...this.tabs.filter((tab) => tab.readOnly),
    ];
    this.open(name);
  }

  /** Replace the text of a file in the editor, or begin one. */
  write(name: string, text: string): void {
    if (!this.tabs.some((tab) => tab.name === name)) {
      this.create(name, text);
      return;
    }
    this.active = name;
    this.edit(text);
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
    if (theirs === undefined && this.drafts.isStale(tab.name, tab.saved)) throw new Changed(changed);
    const { errors, output, notices } = await this.#saved(tab.name, text, theirs ?? tab.saved ?? '', wait).catch(
      (error: { kind?: string }) => {
        throw error.kind === 'conflict' ? new Changed(changed) : error;
      },
    );
    if (tab.draft === text) tab.draft = undefined;
    if (tab.draft !== undefined) this.drafts.begin(tab.name, this.session.hornbook.source(tab.name));
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
    this.drafts.delete(name);
    await this.refresh();
    this.textChanged.send();
    return () => {
      if (draft === undefined) return;
      const now = this.tabs.find((other) => other.name === name);
      if (!now) return this.create(name, draft);
      this.drafts.begin(name, now.saved);
      this.drafts.set(name, draft);
      now.draft = draft;
      this.open(name);
    };
  }

  /**
   * Give a file the text that it had earlier, or remove it if it had none, as one revision, if the book still has `now`
   * of it. Resolves with the errors of its clauses. Throws a sentence if it was changed meanwhile, or {@link Unsaved};
   * then nothing changes.
   */
  async bringBack(name: string, then: string | null, now: string | undefined): Promise<string[]> {
    const { hornbook } = this.session;
    const tab = this.tabs.find((other) => other.name === name);
    if (tab?.draft !== undefined) throw new Unsaved(name);
    if (hornbook.source(name) !== now) throw new Error(changedMeanwhile(name));
    if (then === null) {
      if (tab) await this.remove(tab);
      return [];
    }
    const { errors } = await this.#saved(name, then, now ?? '', undefined, 'The book has the text of before.').catch(
      (error: { kind?: string }) => {
        throw error.kind === 'conflict' ? new Error(changedMeanwhile(name)) : error;
      },
    );
    this.active = name;
    await this.refresh();
    this.textChanged.send();
    return errors;
  }

  /** Make the clauses that are in no file one, as one revision, and open it. Resolves with its name. */
  async makeLooseAFile(): Promise<string> {
    const { hornbook } = this.session;
    const loose = hornbook.loose();
    const name = this.fresh('asserted.pl');
    const save: Saving = (cancel) => hornbook.saveLoose(name, `${loose}\n`, cancel, loose);
    const { errors } = await this.#carryOut(name, save, undefined, 'The clauses are as they were.');
    if (hornbook.source(name) === undefined) throw new Error(errors[0]);
    this.active = name;
    await this.refresh();
    this.textChanged.send();
    return name;
  }

  #saved(
    name: string,
    text: string,
    over: Over,
    wait?: (turn: Turn) => void,
    otherwise = 'Its text is still in the editor.',
  ): ReturnType<Saving> {
    return this.#carryOut(name, (cancel) => this.session.hornbook.save(name, text, cancel, over), wait, otherwise);
  }

  async #carryOut(
    name: string,
    save: Saving,
    wait: ((turn: Turn) => void) | undefined,
    otherwise: string,
  ): ReturnType<Saving> {
    const stop = new AbortController();
    const turn = { what: `saving ${shortName(name)}`, saves: shortName(name), stop: () => stop.abort() };
    wait?.(turn);
    this.saving = turn;
    this.tabsChanged.send();
    try {
      return await this.session.turns.take(turn, () => this.session.cancellable(stop.signal, save));
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      const what = sentence(error).startsWith('The directive') ? 'a directive of it' : 'that';
      throw new Error(`${shortName(name)} was not saved: you stopped ${what}. ${otherwise}`);
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
          this.drafts.delete(name);
          continue;
        }
        let errors: string[];
        try {
          ({ errors } = await this.#saved(name, text, undefined));
        } catch (error) {
          if (!isOpened) throw error;
          failed ??= error;
          this.drafts.set(name, text);
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

  /**
   * Import a table, or a workbook as base64: its rows become facts, which its tab shows. `progress` is called with the
   * share that is in the engine. Rejects with what is wrong with it, or if `stop` cancelled it; then nothing of it was
   * added.
   */
  async putTable(
    name: string,
    text: string,
    { columns, header }: Wishes,
    stop = new AbortController(),
    progress: (share: number) => void = () => {},
  ): Promise<Imported> {
    const { turns, hornbook } = this.session;
    await this.saveFirst(this.tabs.find((tab) => tab.name === name));
    const turn = { what: `adding ${shortName(name)}`, stop: () => stop.abort() };
    const report = (done: number, total: number) => progress(done / total);
    const imported = await turns
      .take(turn, () =>
        this.session.cancellable(stop.signal, (cancel) =>
          hornbook.importFile(name, text, columns, header, undefined, cancel, report),
        ),
      )
      .catch((error: unknown) => {
        throw stop.signal.aborted ? new Error(`Cancelled: nothing of ${shortName(name)} was added.`) : error;
      });
    if (imported.errors[0] !== undefined) throw new Error(imported.errors[0]);
    this.drafts.delete(name);
    this.active = name;
    await this.refresh();
    this.textChanged.send();
    return imported;
  }

  /** Remove a file from the book and close its tab; undo restores both. */
  async remove(tab: Tab): Promise<void> {
    await this.saveFirst(tab);
    this.drafts.delete(tab.name);
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
    this.drafts.clear();
    this.tabs = [];
    this.active = undefined;
    await this.session.ok('workspace', { operation: 'reset' });
    await this.refresh();
  }

  #keep(name: string, draft: string | undefined): void {
    if (draft === undefined) this.drafts.delete(name);
    else this.drafts.set(name, draft);
  }
}
