/** Which rows of a table are shown and in which order, and the goal that asks for just them. */
import { variableOf } from '../prolog/columns.ts';
import { type Table, isNumber, rowGoal, shown, termOf } from './facts.ts';

/** What a person writes to narrow a column: a comparison, or a text that values contain. */
interface Wanted {
  sign: '=' | '!=' | '<' | '<=' | '>' | '>=' | undefined;
  text: string;
}

function wantedIn(written: string): Wanted | undefined {
  const whole = written.trim();
  const sign = /^(!=|<=|>=|=|<|>)/.exec(whole)?.[0] as Wanted['sign'];
  const text = whole.slice(sign?.length ?? 0).trim();
  return text === '' ? undefined : { sign, text };
}

const isNumeric = (text: string): boolean => isNumber(termOf(text));
const SIGNS = { '=': '=:=', '!=': '=\\=', '<': '<', '<=': '=<', '>': '>', '>=': '>=' };
const ORDERS = { '=': '==', '!=': '\\==', '<': '@<', '<=': '@=<', '>': '@>', '>=': '@>=' };

export class Narrowed {
  /** In any column. */
  search = '';
  /** By column. */
  readonly filters = new Map<string, string>();
  by: string | undefined;
  descending = false;

  /** Cycle the sorting by a column: ascending, descending, off. */
  sortBy(column: string): void {
    if (this.by !== column) [this.by, this.descending] = [column, false];
    else if (!this.descending) this.descending = true;
    else [this.by, this.descending] = [undefined, false];
  }

  /** Show every row, in the order that there is. */
  widen(): void {
    this.search = '';
    this.filters.clear();
  }

  /** The indexes of the rows to show, in their order. */
  rows(table: Table): number[] {
    const { columns } = table.head;
    const search = this.search.trim().toLowerCase();
    const wanted = columns.flatMap((column, at) => {
      const one = wantedIn(this.filters.get(column) ?? '');
      return one ? [[at, one] as const] : [];
    });
    const by = this.by === undefined ? -1 : columns.indexOf(this.by);
    let rows: number[] = [];
    const keys = new Map<number, Key>();
    for (let index = 0; index < table.length; index += 1) {
      if (search === '' && wanted.length === 0 && by < 0) {
        rows.push(index);
        continue;
      }
      const cells = table.row(index);
      if (!wanted.every(([at, one]) => holds(one, cells[at]!))) continue;
      if (search !== '' && !cells.some((cell) => shown(cell).toLowerCase().includes(search))) continue;
      rows.push(index);
      if (by >= 0) keys.set(index, keyOf(cells[by]!));
    }
    if (by < 0) return rows;
    const turn = this.descending ? -1 : 1;
    rows = rows.sort((a, b) => compare(keys.get(a)!, keys.get(b)!, turn));
    return rows;
  }

  /** The goal whose answers are the rows that are shown, in their order except for missing values. */
  goal({ head, kinds }: Table): string {
    const { columns } = head;
    const given = new Map<string, string>();
    const more: string[] = [];
    const used = new Set<string>();
    const search = this.search.trim();
    columns.forEach((column, at) => {
      const wanted = wantedIn(this.filters.get(column) ?? '');
      const variable = variableOf(column);
      if (!wanted) return;
      used.add(column);
      const { sign, text } = wanted;
      if (sign === undefined) more.push(contains(variable, text));
      else if (isNumeric(text)) {
        if (kinds[at]!.hasOther) more.push(`number(${variable})`);
        more.push(`${variable} ${SIGNS[sign]} ${text}`);
      } else if (sign === '=') given.set(column, termOf(text));
      else more.push(`${variable} ${ORDERS[sign]} ${termOf(text)}`);
    });
    if (search !== '') {
      for (const column of columns) used.add(column);
      const all = columns.filter((column, at) => !given.has(column) && !kinds[at]!.isNested).map(variableOf);
      more.push(`once((member(_Value, [${all.join(', ')}]), ${contains('_Value', search)}))`);
    }
    if (this.by !== undefined) used.add(this.by);
    const goal = [rowGoal(head, used, given), ...more].join(', ');
    if (this.by === undefined || given.has(this.by)) return goal;
    const order = `${this.descending ? 'desc' : 'asc'}(${variableOf(this.by)})`;
    return `order_by([${order}], ${more.length > 0 ? `(${goal})` : goal})`;
  }
}

/** In the predicate, capitals match only themselves. */
const contains = (variable: string, text: string): string =>
  `sub_atom_icasechk(${variable}, _, ${termOf(text.toLowerCase())})`;

/** Whether a value is what is wanted. Numbers are compared with numbers, other values as texts. */
function holds({ sign, text }: Wanted, cell: string): boolean {
  const value = shown(cell);
  if (sign === undefined) return value.toLowerCase().includes(text.toLowerCase());
  const compared = isNumeric(text) ? Number(cell) - Number(text) : value < text ? -1 : value > text ? 1 : 0;
  if (isNumeric(text) && !isNumber(cell)) return false;
  // In the standard order of terms a number is before every text.
  if (!isNumeric(text) && isNumber(cell)) return sign === '!=' || sign === '<' || sign === '<=';
  switch (sign) {
    case '=':
      return compared === 0;
    case '!=':
      return compared !== 0;
    case '<':
      return compared < 0;
    case '<=':
      return compared <= 0;
    case '>':
      return compared > 0;
    case '>=':
      return compared >= 0;
  }
}

interface Key {
  isMissing: boolean;
  number: number | undefined;
  text: string;
}

const keyOf = (cell: string): Key => ({
  isMissing: cell === 'null',
  number: isNumber(cell) ? Number(cell) : undefined,
  text: shown(cell),
});

/** Numbers before texts; missing values last, in whatever direction. */
function compare(a: Key, b: Key, turn: number): number {
  if (a.isMissing || b.isMissing) return Number(a.isMissing) - Number(b.isMissing);
  if (a.number !== undefined && b.number !== undefined) return turn * (a.number - b.number);
  if (a.number !== undefined || b.number !== undefined) return turn * (a.number !== undefined ? -1 : 1);
  return turn * (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
}
