/** The files of the book, and what was written in the editor but not saved. */
import { Signal, asSentence, sentence } from '../dom.ts';
import { keep, keptJson, textsIn } from '../kept.ts';
import type { Session } from '../session.ts';
import type { Turn } from '../turns.ts';
import { faultOfName, shortName } from './names.ts';
import { atItsCause } from './problems.ts';

/** The tab of the clauses that are in no file. */
export const LOOSE = 'asserted clauses';

export interface Tab {
  name: string;
  /** The text in the book, or undefined when the book has no such file. */
  saved: string | undefined;
  /** What was written instead, if it is another. */
  draft: string | undefined;
  /** Clauses in the book. */
  clauses: number;
  readOnly: boolean;
}

const DRAFTS = 'hornbook.drafts';

export class Book {
  tabs: Tab[] = [];
  active: string | undefined;
  /** Tabs came or went, or another is active. */
  readonly tabsChanged = new Signal();
  /** The text of the active tab was changed by something else than the editor. */
  readonly textChanged = new Signal();
  /** Whether the browser still keeps what was not saved, for a visit after this one. */
  keepsDrafts = true;
  /** Lines at which a replay stops, from 1, by the names of files. */
  readonly stops = new Map<string, number[]>();
  /** A text that is being brought into the book. */
  saving: Turn | undefined;
  #drafts = textsIn(keptJson(DRAFTS));
  #refreshing: Promise<void> | undefined;
  #again = false;
  #putting = false;

  constructor(readonly session: Session) {
    // Of many files that are put into the book the last tells of all.
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

  /** The book as it is now. */
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
      // A file that went out of the book and was not edited goes from the tabs, too.
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

  /** What the editor says; in an empty book it is the text of a new file. */
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

  /** A new tab with a text that is not saved yet. */
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
   * Bring what was written into the book; the errors of its clauses, `line:column: message`. `wait` is told of the turn
   * in which it is done.
   */
  async save(tab: Tab, wait?: (turn: Turn) => void): Promise<string[]> {
    const text = tab.draft ?? tab.saved ?? '';
    const { errors, output, notices } = await this.#saved(tab.name, text, wait);
    if (tab.draft === text) tab.draft = undefined;
    this.#keep(tab.name, tab.draft);
    if (output) this.session.noticed.send(`${tab.name} wrote: ${output}`);
    for (const notice of notices) this.session.noticed.send(notice);
    // A text without a clause is in no book; it stays what it was, a draft.
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

  /** Save all that is not; a sentence for the first file that could not be. */
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

  /** The first clause of a file that SWI-Prolog cannot take, so that the book does not have it; undefined where there is none. */
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
   * Put files into the book, in the place of those of the same names, and unless told otherwise open the first. Throws a
   * sentence where one has no name that a file may have.
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
        // What is there already needs no new revision.
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

  /** Take a file out of the book; its tab goes, and undo brings both back. */
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

  /** What was written goes into the history before something else takes its place: undo brings it back. */
  async #saveFirst(tab: Tab | undefined): Promise<void> {
    if (tab?.draft?.trim()) await this.save(tab);
  }

  /** Everything goes; undo brings it back. */
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
