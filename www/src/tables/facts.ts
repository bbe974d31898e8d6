/** The tables of a file of the book, read from the text of their facts. */
import { fieldOf, variableOf } from '../prolog/columns.ts';

/** How the first facts of a table begin: `orders`, its columns, and where the text goes on. */
const HEAD = /\s*\/\* table: ('[^']*'|[^\s('*]+)\(([^)]*)\)([^*]*)\*\//y;

/** What the comment at the head of a table says. */
export interface Head {
  /** The predicate, as it is written. */
  written: string;
  columns: string[];
  /** The types that were asked for, by column; undefined if neither they nor the names were. */
  asked: (string | undefined)[] | undefined;
  /** The names that the columns have in the file. */
  was: string[];
  header: boolean | undefined;
}

/** A number as the facts have it. */
export const isNumber = (cell: string): boolean => /^-?\d/.test(cell);

/** Whether a text is that of tables. */
export const isTables = (text: string): boolean => text.startsWith('/* table: ');

/** The heads of the tables of a text, and where their facts begin. */
function headsAndEnd(text: string): { heads: Head[]; end: number } {
  const heads: Head[] = [];
  if (!isTables(text)) return { heads, end: 0 };
  let end = 0;
  for (;;) {
    HEAD.lastIndex = end;
    const found = HEAD.exec(text);
    if (!found) return { heads, end };
    const [, written, columns, rest] = found as unknown as [string, string, string, string];
    end = HEAD.lastIndex;
    const names = columns.split(', ').map((column) => column.split(': ')[0]!);
    heads.push({
      written,
      columns: names,
      was: /of \(([^)]*)\)/.exec(rest)?.[1]?.split(', ') ?? names,
      asked: rest.includes('as asked') ? columns.split(', ').map((column) => column.split(': ')[1]) : undefined,
      header: /header: true/.test(rest) ? true : /header: false/.test(rest) ? false : undefined,
    });
  }
}

/** The beginning of a text that says which tables it has, and how they were read. */
export const headOf = (text: string): string => text.slice(0, headsAndEnd(text).end);

export const headsIn = (text: string): Head[] => headsAndEnd(text).heads;

/** What the values of a column are. */
export interface Kind {
  /** Numbers, as far as there are any values. */
  isNumeric: boolean;
  hasNumbers: boolean;
  /** There are others, or none in some rows. */
  hasOther: boolean;
  /** There are lists or objects. */
  isNested: boolean;
}

/** A table: its rows are read when they are needed. */
export class Table {
  /** The line of each row in the file. */
  readonly lines: number[] = [];
  #starts: number[] = [];
  #kinds: Kind[] | undefined;

  constructor(
    readonly head: Head,
    private readonly text: string,
  ) {}

  /** @param start where the first argument begins */
  add(start: number, line: number): void {
    this.#starts.push(start);
    this.lines.push(line);
  }

  get length(): number {
    return this.#starts.length;
  }

  /** The values of a row as Prolog text, one for each column. */
  row(index: number): string[] {
    const cells = argumentsAt(this.text, this.#starts[index]!);
    return this.head.columns.map((_, column) => cells[column] ?? '');
  }

  /** The values of so many rows, or of all that there are. */
  first(count: number): string[][] {
    return Array.from({ length: Math.min(count, this.length) }, (_, index) => this.row(index));
  }

  /** For each column. */
  get kinds(): Kind[] {
    if (this.#kinds) return this.#kinds;
    const counts = this.head.columns.map(() => ({ numbers: 0, nulls: 0, nested: 0 }));
    for (let index = 0; index < this.length; index += 1)
      this.row(index).forEach((cell, column) => {
        if (isNumber(cell)) counts[column]!.numbers += 1;
        else if (cell === 'null') counts[column]!.nulls += 1;
        else if (/^(\[|_\{)/.test(cell)) counts[column]!.nested += 1;
      });
    this.#kinds = counts.map(({ numbers, nulls, nested }) => ({
      isNumeric: numbers > 0 && numbers + nulls === this.length,
      hasNumbers: numbers > 0,
      hasOther: numbers < this.length,
      isNested: nested > 0,
    }));
    return this.#kinds;
  }
}

/** The tables of a text. */
export function tablesIn(text: string): Table[] {
  const { heads, end } = headsAndEnd(text);
  const tables = heads.map((head) => new Table(head, text));
  const byName = new Map(tables.map((table) => [table.head.written, table]));
  let line = 1;
  for (let at = 0; at < end; at += 1) if (text[at] === '\n') line += 1;
  for (let at = end; at < text.length; line += 1) {
    const ending = text.indexOf('\n', at);
    const to = ending < 0 ? text.length : ending;
    while (at < to && (text[at] === ' ' || text[at] === '\r')) at += 1;
    const open = at < to ? text.indexOf('(', at) : -1;
    if (open >= 0 && open < to) byName.get(text.slice(at, open))?.add(open + 1, line);
    at = to + 1;
  }
  return tables;
}

/** The arguments of a fact, from the first one. */
function argumentsAt(text: string, start: number): string[] {
  const all: string[] = [];
  let from = start;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === "'" || char === '"') at = quotedEnd(text, at);
    else if ('([{'.includes(char)) depth += 1;
    else if (char === ',' && depth === 0) {
      all.push(text.slice(from, at).trim());
      from = at + 1;
    } else if (')]}'.includes(char)) {
      depth -= 1;
      if (depth >= 0) continue;
      all.push(text.slice(from, at).trim());
      return all;
    }
  }
  return all;
}

/** Where the quotes that open at a place close. */
function quotedEnd(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[open]) return at;
  }
  return text.length;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

/** A number as Prolog writes it: `1e3` is `1000.0`. */
function writtenNumber(cell: string): string {
  if (!/[.eE]/.test(cell)) return cell;
  const [, sign, first, rest = '', power] = /^(-?)(\d)(?:\.(\d+))?e(.+)$/.exec(Number(cell).toExponential()) ?? [];
  if (first === undefined) return cell;
  const exponent = Number(power);
  const digits = first + rest;
  if (exponent < -4 || (exponent >= 15 && digits.length <= exponent + 1))
    return `${sign}${first}.${rest || '0'}e${exponent}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return `${sign}${digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')}.${digits.slice(exponent + 1) || '0'}`;
}

/** A value as people read it: an atom without its quotes, a number as Prolog writes it. */
export function shown(cell: string): string {
  if (isNumber(cell)) return writtenNumber(cell);
  if (!cell.startsWith("'")) return cell;
  return cell
    .slice(1, -1)
    .replace(/\\x([0-9a-f]+)\\|\\(.)/g, (_, code: string | undefined, char: string) =>
      code === undefined ? (ESCAPES[char] ?? char) : String.fromCodePoint(Number.parseInt(code, 16)),
    );
}

/** The most columns that a goal names. */
const MOST_NAMED = 8;
/** The most tables of a file for which goals are suggested. */
const MOST_TABLES = 3;

/** The row of a table as a goal: `orders{id: Id, customer: Customer}`. */
export function rowGoal({ written, columns }: Head, used: Iterable<string> = [], given?: Map<string, string>): string {
  const named = new Set([...columns.slice(0, MOST_NAMED), ...used]);
  const field = (column: string) => {
    const value = given?.get(column);
    return value === undefined ? fieldOf(column) : `${fieldOf(column).split(': ')[0]}: ${value}`;
  };
  return `${written}{${columns
    .filter((column) => named.has(column))
    .map(field)
    .join(', ')}}`;
}

/** A column whose numbers may be summed, unless its name says that they only name something. */
const isSummed = (column: string, cell: string): boolean =>
  isNumber(cell) && !/(^|_)(id|nr|no|number|code|year|zip|plz|line)$/.test(column);

/** How much of a text is looked at for goals, in characters after its heads; and how many of its rows. */
const LOOKED_AT = 20_000;
const ROWS = 20;

/** Goals that ask for the tables of a text: its rows, how many, and a sum. */
export function goalsOf(text: string): string[] {
  const { end } = headsAndEnd(text);
  const tables = tablesIn(text.slice(0, end + LOOKED_AT)).slice(0, MOST_TABLES);
  return tables.flatMap((table) => {
    const { written, columns } = table.head;
    const rows =
      columns.length > MOST_NAMED ? rowGoal(table.head) : `${written}(${columns.map(variableOf).join(', ')})`;
    const goals = [rows, `aggregate_all(count, ${written}{}, Count)`];
    const first = table.first(ROWS);
    const summed = columns.findIndex((column, at) => first.some((row) => isSummed(column, row[at]!)));
    if (summed >= 0) {
      const value = variableOf(columns[summed]!);
      const row = `${written}{${fieldOf(columns[summed]!)}}`;
      goals.push(`aggregate_all(sum(${value}), (${row}, number(${value})), Sum)`);
    }
    return goals;
  });
}
