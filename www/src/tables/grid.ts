/** The rows of a table: sorted, filtered, searched, and the goal that asks for them. */
import { FORMATS } from '../../../pkg-templates/src/book/export.ts';
import { button, debounced, h } from '../dom.ts';
import { download } from '../download.ts';
import { seen } from '../odd.ts';
import { coloured } from '../prolog/highlight.ts';
import { Rows, holding } from '../queries/rows.ts';
import { type Table, isNumber, shown, tablesIn } from './facts.ts';
import { Narrowed } from './narrowed.ts';

/** How long to wait after the last keystroke before narrowing the rows, in milliseconds. */
const PAUSE_MS = 150;
/** The most characters of a value that a row shows. */
const SHOWN = 200;

export class Grid {
  readonly element: HTMLElement;
  #asks: (goal: string) => void;
  #text: string | undefined;
  #tables: Table[] = [];
  #at = 0;
  /** Of each table of the text. */
  #narrowed: Narrowed[] = [];
  #order: number[] = [];
  #rows: Rows | undefined;
  #pointed: number | undefined;
  #hasFilters = false;
  #later = debounced(PAUSE_MS, () => this.#arrange());
  #sheets = h('select', { 'aria-label': 'Table', onchange: () => this.#choose(this.#sheets.selectedIndex) });
  #search = h('input', {
    type: 'search',
    'aria-label': 'Search all columns',
    placeholder: 'Search',
    spellcheck: 'false',
    oninput: () => {
      this.#now.search = this.#search.value;
      this.#later();
    },
  });
  #filter = button('Filters', () => this.#toggle(), { title: 'A field for each column' });
  #download = button('', () => this.#write(), { icon: 'down', title: 'Download these rows as CSV' });
  #count = h('span', { class: 'status', role: 'status' });
  #table = h('table', {});
  #frame = h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Rows' }, this.#table);
  #goal = h('span', { class: 'goal' });

  /** @param asks runs a goal */
  constructor(asks: (goal: string) => void) {
    this.#asks = asks;
    const ask = button('Ask', () => this.#asks(this.#now.goal(this.#current)), {
      icon: 'play',
      title: 'Ask for these rows',
      name: 'Ask for these rows',
    });
    this.element = h(
      'div',
      { class: 'table-grid' },
      h('div', { class: 'row tools' }, this.#sheets, this.#search, this.#filter, this.#download, this.#count),
      this.#frame,
      h('div', { class: 'asks' }, this.#goal, ask),
    );
  }

  /** Show the tables of a text. What was narrowed stays, if it is another version of the same tables. */
  show(text: string): void {
    if (text === this.#text) return;
    const names = (tables: Table[]) => tables.map(({ head }) => `${head.written} ${head.columns}`).join('\n');
    const before = names(this.#tables);
    this.#text = text;
    this.#tables = tablesIn(text);
    if (names(this.#tables) !== before) {
      this.#narrowed = this.#tables.map(() => new Narrowed());
      this.#at = 0;
      this.#pointed = undefined;
    }
    this.#sheets.replaceChildren(...this.#tables.map(({ head }) => h('option', {}, shown(head.written))));
    this.#sheets.hidden = this.#tables.length < 2;
    this.#choose(this.#at);
  }

  /** Show the row of a line of the file, from 1. */
  point(line: number): void {
    const at = this.#tables.findIndex(({ lines }) => lines.includes(line));
    if (at < 0) return;
    this.#pointed = line;
    if (!this.#order.some((row) => this.#tables[at]!.lines[row] === line) || at !== this.#at) {
      this.#narrowed[at]!.widen();
      this.#choose(at);
    }
    const index = this.#order.findIndex((row) => this.#current.lines[row] === line);
    this.#table.querySelector('.pointed')?.classList.remove('pointed');
    this.#table.querySelector(`[data-line="${line}"]`)?.classList.add('pointed');
    const row = this.#table.querySelector<HTMLElement>('tbody tr:not(.later)');
    const height = row?.offsetHeight ?? 0;
    this.#frame.scrollTop = Math.max(0, (index + 0.5) * height - this.#frame.clientHeight / 2);
  }

  focus(): void {
    this.#search.focus();
  }

  get #current(): Table {
    return this.#tables[this.#at]!;
  }

  get #now(): Narrowed {
    return this.#narrowed[this.#at]!;
  }

  #choose(at: number): void {
    this.#at = at;
    if (!this.#tables[at]) return;
    this.#sheets.selectedIndex = at;
    this.#search.value = this.#now.search;
    this.#drawHead();
    this.#arrange();
  }

  #toggle(): void {
    this.#hasFilters = !this.#hasFilters;
    if (!this.#hasFilters) this.#now.filters.clear();
    this.#drawHead();
    this.#arrange();
    if (this.#hasFilters) this.#table.querySelector<HTMLElement>('thead input')?.focus();
  }

  #drawHead(): void {
    const { head, kinds } = this.#current;
    const now = this.#now;
    this.#hasFilters ||= now.filters.size > 0;
    this.#filter.setAttribute('aria-pressed', String(this.#hasFilters));
    const sort = (column: string, index: number) => {
      // Lists and objects are neither compared nor narrowed.
      if (kinds[index]!.isNested) return h('th', { scope: 'col' }, column);
      const direction = now.by !== column ? undefined : now.descending ? 'descending' : 'ascending';
      const sorter = h(
        'button',
        {
          type: 'button',
          class: 'quiet sort',
          title: `Sort by ${column}`,
          'data-column': column,
          onclick: () => {
            now.sortBy(column);
            this.#drawHead();
            this.#arrange();
            this.#table.querySelector<HTMLElement>(`[data-column="${CSS.escape(column)}"]`)?.focus();
          },
        },
        column,
        direction && h('span', { 'aria-hidden': 'true' }, direction === 'ascending' ? ' ↑' : ' ↓'),
      );
      return h('th', { scope: 'col', class: kinds[index]!.isNumeric && 'numeric', 'aria-sort': direction }, sorter);
    };
    const filter = (column: string, index: number) => {
      if (kinds[index]!.isNested) return h('td', {});
      const field = h('input', {
        type: 'text',
        value: now.filters.get(column) ?? '',
        'aria-label': `Filter ${column}`,
        title: 'Part of a text, or a comparison: =, !=, <, <=, >, >=',
        placeholder: kinds[index]!.isNumeric ? '> 0' : 'part',
        spellcheck: 'false',
        oninput: () => {
          now.filters.set(column, field.value);
          this.#later();
        },
      });
      return h('td', {}, field);
    };
    const corner = h('th', { scope: 'col', class: 'number' }, h('span', { class: 'unseen' }, 'Line'));
    this.#table.tHead?.remove();
    this.#table.prepend(
      h(
        'thead',
        {},
        h('tr', {}, corner, ...head.columns.map(sort)),
        this.#hasFilters && h('tr', { class: 'filters' }, h('td', {}), ...head.columns.map(filter)),
      ),
    );
  }

  #arrange(): void {
    const table = this.#current;
    this.#order = this.#now.rows(table);
    this.#rows?.close();
    for (const body of [...this.#table.tBodies]) body.remove();
    const draw = (row: number) => this.#row(this.#order[row]!, row);
    this.#rows = new Rows(this.#frame, this.#table, ['tbody', 'tr'], draw, holding(this.#table));
    this.#rows.extend(this.#order.length);
    this.#frame.scrollTop = 0;
    this.#table.setAttribute('aria-rowcount', String(this.#order.length + 1));
    const all = table.length.toLocaleString('en');
    const some = this.#order.length.toLocaleString('en');
    const rows = table.length === 1 ? 'row' : 'rows';
    this.#count.textContent = some === all ? `${all} ${rows}` : `${some} of ${all} ${rows}`;
    this.#goal.replaceChildren(coloured(this.#now.goal(table)));
  }

  #write(): void {
    const { head } = this.#current;
    const answers = this.#order.map((index) => ({
      bindings: this.#current.row(index).map((cell, column) => {
        // An empty field is read as a missing value again.
        const text = cell === 'null' ? '' : cell;
        return { name: head.columns[column]!, text, json: isNumber(cell) ? undefined : shown(text) };
      }),
    }));
    const csv = FORMATS.find(({ ending }) => ending === 'csv')!;
    download(
      `${shown(head.written)}.csv`,
      csv.write(answers, ({ bindings }) => bindings, '', head.columns),
      csv.type,
    );
  }

  /** @param row its place among those that are shown */
  #row(index: number, row: number): HTMLElement {
    const { lines, kinds } = this.#current;
    const line = lines[index]!;
    return h(
      'tr',
      { 'data-line': line, 'aria-rowindex': row + 2, class: line === this.#pointed && 'pointed' },
      h('th', { scope: 'row', class: 'number' }, line),
      ...this.#current.row(index).map((cell, column) => {
        const text = shown(cell);
        const isCut = text.length > SHOWN;
        return h(
          'td',
          {
            class: cell === 'null' ? 'missing' : isNumber(cell) && kinds[column]!.isNumeric && 'numeric',
            title: isCut && text.slice(0, 2000),
          },
          ...seen(isCut ? `${text.slice(0, SHOWN)}…` : text),
        );
      }),
    );
  }
}
