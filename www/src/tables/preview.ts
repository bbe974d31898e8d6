/** What files would be as tables: their first rows, and the names and types of their columns, to change before they are added. */
import type { ImportedTable } from '../../../pkg/generated/hornbook.js';
import { isWorkbook } from '../../../pkg-templates/src/book/contents.ts';
import type { Book } from '../book/book.ts';
import { shortName } from '../book/names.ts';
import { h, sentence } from '../dom.ts';
import { seen } from '../odd.ts';
import { headsIn, isNumber, shown, tablesIn } from './facts.ts';
import { type Standing, standingOf } from './predicate.ts';
import { type ReadTables, type Wishes, readTables } from './reading.ts';

/** How many rows are shown, and how many columns of each; and how much of a value. */
const ROWS = 5;
const COLUMNS = 100;
const CHARS = 60;

/** A file that may be added. */
export interface Offered {
  name: string;
  /** Of a workbook, its base64. */
  text: string;
  /** The text that the book has of it. */
  before?: string;
  /** It is not a file: its name is that of its predicate. */
  isPasted?: boolean;
  /** What is to be said about it. */
  about?: string;
}

/** A file to add, and how it is to be read. */
export interface Chosen {
  name: string;
  text: string;
  wishes: Wishes;
  /** What the person was told about it. */
  notes: string[];
  /** How many rows it has. */
  rows: number;
}

const FREE: Standing = { fault: undefined, notes: [] };

/** What was chosen before and is left out now. */
const isLoss = (note: string): boolean => /^It has (other columns than before|several sheets now):/.test(note);

/** The form itself tells of the header. */
const isNews = (note: string): boolean => !note.startsWith('No header');

const NAME = /^[a-z][A-Za-z0-9_]*$/;
const COLUMN = /^\p{L}[\p{L}\p{N}_]*$/u;

export class Preview {
  readonly element = h('section', { class: 'table-preview' });
  /** Resolves when it was read as it is wished for now, and its predicates were looked up. */
  settled: Promise<void> = Promise.resolve();
  #read: ReadTables | undefined;
  /** What is not to be found out: the predicate, the columns, their types, and whether the first row names them. */
  #name: string | undefined;
  #columns: string[] | undefined;
  #kinds: (string | undefined)[] = [];
  #header: boolean | undefined;
  #asked = 0;
  /** What was wished for when the book got the file, until it is read again. */
  #earlier: Wishes | undefined;
  /** What of that is left out. */
  #losses: string[] = [];
  #standing = FREE;
  /** Why the book did not take it. */
  #refusal: string | undefined;
  #shared = h('p', { class: 'note', hidden: true });
  /** Why it could not be read as it is wished for. */
  #fault: string | undefined;
  /** What stands in a field and cannot be taken, and why. */
  #refused: { field: string; value: string; why: string } | undefined;
  #isDrawing = false;

  constructor(
    private readonly book: Book,
    private readonly offered: Offered,
    private readonly changed: () => void,
    private readonly confirmed: () => void,
  ) {
    const [head, other] = headsIn(offered.before ?? '');
    // Read it as before.
    this.#header = head?.header;
    if (head?.asked && !other) {
      const columns = head.columns.map((name, at) => typed(name, head.asked![at])).join(', ');
      this.#name = shown(head.written);
      this.#earlier = { columns: `${head.written}(${columns})`, was: head.was };
    }
    this.element.append(h('p', { class: 'note', role: 'status' }, 'Reading…'));
    this.#again();
  }

  /** It can be added as it was read last. */
  get isReady(): boolean {
    return this.#read !== undefined && this.fault === undefined;
  }

  /** It can be read as tables, if perhaps not as it is wished for now. */
  get isRead(): boolean {
    return this.#read !== undefined;
  }

  /** Why it cannot be added as it is now. */
  get fault(): string | undefined {
    return this.#refused?.why ?? this.#fault ?? this.#standing.fault;
  }

  /** The predicates that its rows are facts of, as `name/arity`. */
  get indicators(): string[] {
    return this.#read?.tables.map(({ name, columns }) => `${name}/${columns.length}`) ?? [];
  }

  /** Tell that the book did not take it. */
  refuse(why: string): void {
    this.#refusal = why;
    this.#redraw();
  }

  /** Tell of the other files with the same predicates. */
  tellShared(text: string): void {
    this.#shared.hidden = text === '';
    this.#shared.textContent = text;
  }

  get chosen(): Chosen {
    const notes = [...this.#losses, ...(this.#read?.tables.flatMap((table) => table.notes) ?? []), this.#others];
    const rows = this.#read?.tables.reduce((sum, table) => sum + table.rows, 0) ?? 0;
    return { name: this.filename, text: this.offered.text, wishes: this.#wishes, notes, rows };
  }

  get #wishes(): Wishes {
    if (this.#earlier) return { ...this.#earlier, header: this.#header };
    const columns = this.#columns?.map((name, at) => typed(name, this.#kinds[at])).join(', ');
    const name = this.#name ?? this.#read?.tables[0]?.name ?? '';
    // A name with other letters can only be found out, and that of a pasted table is the name of its file.
    const named = NAME.test(name) ? `${name}(${columns})` : columns;
    return {
      columns: columns === undefined ? (this.offered.isPasted ? undefined : this.#name) : named,
      header: this.#header,
    };
  }

  get filename(): string {
    const { name, isPasted } = this.offered;
    return isPasted && this.#name !== undefined ? `${this.#name}.${name.split('.').at(-1)}` : name;
  }

  /** Read the file with what is wished for now. */
  #again(): void {
    this.#asked += 1;
    this.#refusal = undefined;
    this.settled = this.#readNow(this.#asked);
  }

  async #readNow(asked: number): Promise<void> {
    let fault: string | undefined;
    let read: ReadTables | undefined;
    try {
      read = await readTables(this.book.session, this.filename, this.offered.text, this.#wishes);
    } catch (error) {
      fault = sentence(error);
    }
    if (asked !== this.#asked) return this.settled;
    if (read && this.#earlier) this.#takeOver(read);
    this.#read = read ?? this.#read;
    this.#fault = fault;
    this.#redraw();
    if (read) await this.#lookUp(read, asked);
  }

  /** Take what was wished for earlier, as it goes with the columns that the file has now. */
  #takeOver({ text, tables }: ReadTables): void {
    const [head, other] = headsIn(text);
    this.#earlier = undefined;
    this.#losses = tables.flatMap(({ notes }) => notes.filter(isLoss));
    if (head?.asked && !other) [this.#columns, this.#kinds] = [head.columns, head.asked];
    else this.#name = undefined;
  }

  /** Find out what the predicates are so far. A query that runs may delay it. */
  async #lookUp({ tables }: ReadTables, asked: number): Promise<void> {
    const found = await Promise.all(
      tables.map(({ name, columns }) =>
        standingOf(this.book, name, columns.length, this.filename).catch((): Standing => FREE),
      ),
    );
    if (asked !== this.#asked) return;
    this.#standing = { fault: found.find(({ fault }) => fault)?.fault, notes: found.flatMap(({ notes }) => notes) };
    this.#redraw();
  }

  /** Draw it again, and keep the place and the letters of somebody who goes from field to field. */
  #redraw(): void {
    const had = this.element.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined;
    // Some browsers tell a field that is removed that it was left.
    this.#isDrawing = true;
    this.#draw();
    this.#isDrawing = false;
    this.changed();
    const field = had?.dataset.field;
    const now = field && this.element.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
    if (!now) return;
    now.focus();
    if (!(had instanceof HTMLInputElement && now instanceof HTMLInputElement) || had.type !== 'text') return;
    if (had.value !== had.defaultValue) now.value = had.value;
    now.setSelectionRange(had.selectionStart, had.selectionEnd);
  }

  #draw(): void {
    const { name, isPasted, about } = this.offered;
    const tables = this.#read?.tables ?? [];
    const rows = this.#read ? tablesIn(this.#read.text) : [];
    const isKnown = this.book.tabs.some((tab) => tab.name === this.filename && tab.saved !== undefined);
    const replaces = isKnown && 'The book has this file: its rows are replaced.';
    const notes = [about, replaces, ...this.#losses, this.#others, ...this.#standing.notes].filter(Boolean);
    const fault = this.fault ?? this.#refusal;
    this.element.replaceChildren(
      ...(isPasted ? [] : [h('h3', {}, shortName(name))]),
      ...(notes.length > 0 ? [h('p', { class: 'note' }, notes.join(' '))] : []),
      this.#shared,
      ...(fault ? [h('p', { class: 'fault', role: 'alert' }, fault)] : []),
      ...tables.flatMap((table, at) => [
        this.#settings(table, tables.length === 1),
        this.#table(table, rows[at]?.first(ROWS) ?? [], tables.length === 1),
        h(
          'p',
          { class: 'note' },
          [`${count(table.rows, 'row')}.`, ...table.notes.filter((note) => isNews(note) && !isLoss(note))].join(' '),
        ),
      ]),
    );
  }

  /** What rules that use the table may depend on. */
  get #others(): string {
    const [table, other] = this.#read?.tables ?? [];
    const [before] = headsIn(this.offered.before ?? '');
    if (!table || other || !before || shown(before.written) !== table.name) return '';
    const names = table.columns.map(({ name }) => name);
    if (names.join() === before.columns.join()) return '';
    return `Its columns were ${before.columns.join(', ')}: look at the rules that use ${table.name}.`;
  }

  /** A field for a name. `take` returns why what stands in it cannot be taken, or takes it. */
  #field(id: string, name: string, attributes: object, take: (value: string) => string | undefined): HTMLInputElement {
    const taken = () => {
      const value = field.value.trim();
      if (this.#isDrawing || value === (this.#refused?.field === id ? this.#refused.value : name)) return;
      const why = take(value);
      this.#refused = why === undefined ? undefined : { field: id, value, why };
      if (why === undefined) this.#again();
      // What has the focus next has it by then.
      else setTimeout(() => this.#redraw());
    };
    const field = h('input', {
      ...attributes,
      type: 'text',
      value: name,
      'data-field': id,
      'aria-invalid': (this.#refused?.field === id || (id === 'name' && this.#standing.fault !== undefined)) && 'true',
      spellcheck: 'false',
      onblur: taken,
      onkeydown: ({ key }: KeyboardEvent) => {
        if (key !== 'Enter') return;
        taken();
        if (id === 'name') this.confirmed();
      },
    });
    if (this.#refused?.field === id) field.value = this.#refused.value;
    return field;
  }

  /** The name of the predicate, and whether the first row has the names of the columns. */
  #settings(table: ImportedTable, isOne: boolean): HTMLElement {
    if (!isOne) return h('p', {}, h('b', {}, table.name));
    const name = this.#field('name', table.name, {}, (value) => {
      if (!NAME.test(value)) return 'A predicate begins with a small letter from a to z; letters, digits and _ follow.';
      this.#name = value;
      return undefined;
    });
    const header = h('input', {
      type: 'checkbox',
      'data-field': 'header',
      checked: this.#header ?? table.notes.every(isNews),
      onchange: () => {
        // The names of the columns are others then.
        [this.#header, this.#columns, this.#kinds] = [header.checked, undefined, []];
        this.#again();
      },
    });
    const hasHeader = isWorkbook(this.offered.name) || /\.(csv|tsv|tab)$/i.test(this.offered.name);
    return h(
      'div',
      { class: 'row settings' },
      h('label', { class: 'row' }, 'Predicate', name),
      hasHeader && h('label', { class: 'check' }, header, 'The first row has the names'),
    );
  }

  #table(table: ImportedTable, rows: string[][], isOne: boolean): HTMLElement {
    const columns = table.columns.slice(0, COLUMNS);
    // Another column may have been named since it was read.
    const named = () => this.#columns ?? table.columns.map(({ name }) => name);
    const head = columns.map(({ name, kind, nulls }, at) => {
      if (!isOne) return h('th', { scope: 'col' }, name, h('span', { class: 'about' }, ` ${kind}`));
      const attributes = { 'aria-label': `Name of column ${at + 1}`, size: Math.max(6, Math.min(20, name.length)) };
      const field = this.#field(`column ${at}`, name, attributes, (value) => {
        if (!COLUMN.test(value)) return 'The name of a column begins with a letter; letters, digits and _ follow.';
        if (named().some((other, index) => index !== at && other === value)) return 'Another column has this name.';
        this.#columns = named().with(at, value);
        return undefined;
      });
      // What is neither stays what it is.
      const kinds = [...new Set([kind, 'number', 'text'])];
      const choice = h(
        'select',
        {
          'aria-label': `Type of ${name}`,
          'data-field': `type ${at}`,
          onchange: () => {
            this.#columns = named();
            this.#kinds[at] = ['number', 'text'].includes(choice.value) ? choice.value : undefined;
            this.#again();
          },
        },
        ...kinds.map((one) => h('option', { value: one, selected: one === kind }, one)),
      );
      const missing = nulls > 0 && h('span', { class: 'about' }, `${nulls.toLocaleString('en')} missing`);
      return h('th', { scope: 'col' }, field, h('span', { class: 'row' }, choice, missing));
    });
    const more = table.columns.length - columns.length;
    const box = h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `First rows of ${table.name}` },
      h(
        'table',
        {},
        h('thead', {}, h('tr', {}, ...head, more > 0 && h('th', { scope: 'col' }, `and ${count(more, 'column')}`))),
        h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.slice(0, COLUMNS).map(cell)))),
      ),
    );
    const look = () => box.classList.toggle('has-more', box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    box.addEventListener('scroll', look);
    new ResizeObserver(look).observe(box);
    return box;
  }
}

const typed = (name: string, kind: string | undefined): string => (kind ? `${name}: ${kind}` : name);

function cell(text: string): HTMLElement {
  const value = shown(text);
  const cut = value.length > CHARS ? `${value.slice(0, CHARS)}…` : value;
  return h('td', { class: text === 'null' ? 'missing' : isNumber(text) && 'numeric' }, ...seen(cut));
}

export const count = (number: number, what: string): string =>
  number === 1 ? `1 ${what}` : `${number.toLocaleString('en')} ${what}s`;
