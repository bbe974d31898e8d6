/** Which rows of a table are shown and in which order, and the goal that asks for just them. */
import { atomText } from '../../../pkg-templates/src/lsp/names.ts';
import { variableOf } from '../prolog/columns.ts';
import { type Kind, type Table, isNumber, rowGoal, shown } from './facts.ts';

/** What a person writes to narrow a column: a comparison, or a text that values contain. */
interface Wanted {
  sign: '=' | '!=' | '<' | '<=' | '>' | '>=' | undefined;
  text: string;
  /** It is compared with the numbers of the column. */
  isNumeric: boolean;
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Of a column with lists or objects nothing is wanted: it has no field. */
function wantedIn(written: string, { hasNumbers, isNested }: Kind): Wanted | undefined {
  if (isNested) return undefined;
  const whole = written.trim();
  const sign = /^(!=|<=|>=|=|<|>)/.exec(whole)?.[0] as Wanted['sign'];
  const text = whole.slice(sign?.length ?? 0).trim();
  return text === '' ? undefined : { sign, text, isNumeric: sign !== undefined && hasNumbers && NUMBER.test(text) };
}

/** A number of a person as Prolog reads it. */
const numberOf = (text: string): string => (/[.eE]/.test(text) ? shown(text) : String(BigInt(text)));
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
    const { head, kinds } = table;
    const { columns } = head;
    const search = this.search.trim().toLowerCase();
    const wanted = columns.flatMap((column, at) => {
      const one = wantedIn(this.filters.get(column) ?? '', kinds[at]!);
      return one ? [[at, one] as const] : [];
    });
    const by = this.by === undefined ? -1 : columns.indexOf(this.by);
    const rows: number[] = [];
    const keys = new Map<number, Key>();
    for (let index = 0; index < table.length; index += 1) {
      if (search === '' && wanted.length === 0 && by < 0) {
        rows.push(index);
        continue;
      }
      const cells = table.row(index);
      if (!wanted.every(([at, one]) => holds(one, cells[at]!))) continue;
      const isFound = (cell: string, at: number) => !kinds[at]!.isNested && hasText(cell, search);
      if (search !== '' && !cells.some(isFound)) continue;
      rows.push(index);
      if (by >= 0) keys.set(index, keyOf(cells[by]!));
    }
    if (by < 0) return rows;
    const turn = this.descending ? -1 : 1;
    return rows.sort((a, b) => turn * compare(keys.get(a)!, keys.get(b)!));
  }

  /** The goal whose answers are the rows that are shown, in their order. */
  goal({ head, kinds }: Table): string {
    const { columns } = head;
    const given = new Map<string, string>();
    const more: string[] = [];
    const used = new Set<string>();
    let search = this.search.trim();
    columns.forEach((column, at) => {
      const wanted = wantedIn(this.filters.get(column) ?? '', kinds[at]!);
      const variable = variableOf(column);
      if (!wanted) return;
      used.add(column);
      const { sign, text, isNumeric } = wanted;
      if (sign === undefined) more.push(contains(variable, text));
      else if (isNumeric) {
        if (kinds[at]!.hasOther) more.push(`number(${variable})`);
        more.push(`${variable} ${SIGNS[sign]} ${numberOf(text)}`);
      } else if (sign === '=') given.set(column, atomText(text));
      else more.push(`${variable} ${ORDERS[sign]} ${atomText(text)}`);
    });
    // Each of the rows has it.
    if ([...given.keys()].some((column) => hasText(given.get(column)!, search.toLowerCase()))) search = '';
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
  `sub_atom_icasechk(${variable}, _, ${atomText(text.toLowerCase())})`;

const hasText = (cell: string, part: string): boolean => shown(cell).toLowerCase().includes(part);

/** Whether a value is what is wanted: as a number, or in the standard order of terms. */
function holds({ sign, text, isNumeric }: Wanted, cell: string): boolean {
  if (sign === undefined) return hasText(cell, text.toLowerCase());
  if (isNumeric && !isNumber(cell)) return false;
  const compared = isNumeric ? difference(cell, text) : compare(keyOf(cell), { number: undefined, text });
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
  /** As it is written. */
  number: string | undefined;
  text: string;
}

const keyOf = (cell: string): Key => ({ number: isNumber(cell) ? cell : undefined, text: shown(cell) });

const isInteger = (number: string): boolean => !/[.eE]/.test(number);

function difference(a: string, b: string): number {
  const about = Number(a) - Number(b);
  // Not every integer is one of the numbers here.
  return about === 0 && isInteger(a) && isInteger(b) ? Number(BigInt(a) - BigInt(b)) : about;
}

/** The standard order of terms: numbers before texts, and of equal numbers the float first. */
function compare(a: Key, b: Key): number {
  if (a.number !== undefined && b.number !== undefined)
    return difference(a.number, b.number) || Number(isInteger(a.number)) - Number(isInteger(b.number));
  if (a.number !== undefined || b.number !== undefined) return a.number !== undefined ? -1 : 1;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
