// Random tables and goals over them, from a seed: conjunctions with comparisons, negations, cuts, aggregates, facts and rules of
// the book.
import { random } from './programs.mjs';

const VALUES = {
  integer: [0, 1, 2, 3, -1, 7, 100, 9007199254740993n],
  float: [0.5, 1, 2, -2.5, 3.25, 100],
  decimal: ['0.50', '1.00', '2.00', '-2.50', '12.75', '123456789012.25'],
  text: ['a', 'b', 'ann', 'Ann', "O'Neil", 'null', '1', ''],
  boolean: [true, false],
  date: ['2026-01-01', '2026-01-02', '2026-02-01'],
};
/** Types of a database of DuckDB: integers with their least and largest value, and texts that it compares in other ways. */
const INTEGERS = {
  INTEGER: [-(2n ** 31n), 2n ** 31n - 1n],
  BIGINT: [-(2n ** 63n), 2n ** 63n - 1n],
  UBIGINT: [0n, 2n ** 64n - 1n],
  HUGEINT: [-(2n ** 127n) + 1n, 2n ** 127n - 1n],
  UHUGEINT: [0n, 2n ** 128n - 1n],
  BIGNUM: [-(2n ** 200n), 2n ** 200n],
};
const TEXTS = ['VARCHAR', 'VARCHAR COLLATE NOCASE', 'VARCHAR COLLATE NOACCENT'];
/** Where floats begin to round, and where types end. */
const EXTREMES = [
  2n ** 53n,
  -(2n ** 53n) - 1n,
  2n ** 63n - 1n,
  2n ** 64n - 1n,
  2n ** 127n - 2n,
  2n ** 127n - 1n,
  2n ** 128n - 1n,
];
const NUMBERS = ['integer', 'float', 'decimal'];

/** Floats that are in databases and Parquet: in CSV they are text. */
const NOT_FINITE = [Infinity, -Infinity, NaN];

/** A float as Prolog reads it. */
export function float(value) {
  if (Number.isNaN(value)) return '1.5NaN';
  if (!Number.isFinite(value)) return value > 0 ? '1.0Inf' : '-1.0Inf';
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Text in single quotes, which are doubled within, for SQL and Prolog alike. */
export const literal = (text) => `'${text.replaceAll("'", "''")}'`;

class Maker {
  constructor(seed, dialect) {
    this.next = random(seed);
    this.dialect = dialect;
    this.kinds = dialect === 'sqlite' ? ['integer', 'float', 'text'] : Object.keys(VALUES);
    this.form = dialect === 'duckdb' ? this.pick(['parquet', 'csv', 'database']) : 'database';
    this.hasTypes = dialect === 'duckdb' && this.form === 'database';
  }

  below(count) {
    return Math.floor(this.next() * count);
  }

  chance(of) {
    return this.next() < of;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  value({ kind, type, nulls }) {
    if (this.chance(nulls)) return null;
    if (kind === 'float' && this.form !== 'csv' && this.chance(0.1)) {
      // SQLite has no NaN.
      return this.pick(this.dialect === 'sqlite' ? NOT_FINITE.slice(0, 2) : NOT_FINITE);
    }
    if (!(type in INTEGERS)) return this.pick(VALUES[kind]);
    const [least, largest] = INTEGERS[type];
    return this.pick([...VALUES.integer, ...EXTREMES].filter((value) => value >= least && value <= largest));
  }

  type(kind) {
    if (!this.hasTypes) return undefined;
    if (kind === 'integer') return this.pick(Object.keys(INTEGERS));
    return kind === 'text' ? this.pick(TEXTS) : undefined;
  }

  table(number) {
    const columns = Array.from({ length: 2 + this.below(2) }, (_, at) => ({
      name: this.chance(0.1) ? `it's "${at}"` : `c${at}`,
      kind: at === 0 && this.chance(0.8) ? 'integer' : this.pick(this.kinds),
      nulls: this.pick([0, 0, 0.2]),
    }));
    for (const column of columns) column.type = this.type(column.kind);
    const hasKey = this.dialect !== 'duckdb' && columns[0].kind === 'integer' && this.chance(0.7);
    if (hasKey) columns[0].isKey = true;
    const count = this.pick([0, 1, 3, 5, 8]);
    const rows = Array.from({ length: count }, (_, at) =>
      columns.map((column) => (column.isKey ? at : this.value(column))),
    );
    return { name: `t${number}`, columns, rows };
  }

  constant(kind) {
    const value = this.pick(VALUES[kind]);
    if (kind === 'integer' && this.hasTypes && this.chance(0.3)) return String(this.pick(EXTREMES));
    if (this.chance(0.05)) return this.pick(['null', '"a"', 'f(_)', 'foo', '1.0', '1', '9007199254740994', '[]']);
    if (kind === 'text' || kind === 'date') return literal(String(value));
    if (kind === 'decimal') return String(Number(value)).includes('.') ? String(Number(value)) : `${Number(value)}.0`;
    if (kind === 'float') return float(this.chance(0.1) ? this.pick(NOT_FINITE) : value);
    return String(value);
  }

  /** A variable of a kind, most often one that is bound. */
  variable(kind, bound) {
    const known = [...bound].filter(([, one]) => one === kind).map(([name]) => name);
    if (known.length > 0 && this.chance(0.6)) return this.pick(known);
    if (bound.size > 0 && this.chance(0.03)) return this.pick([...bound.keys()]);
    return `V${this.below(9)}`;
  }

  call(tables, bound, binds = true) {
    const { name, columns } = this.pick(this.chance(0.9) ? tables.filter(({ isBook }) => !isBook) : tables);
    const args = columns.map(({ kind }) => {
      if (this.chance(0.25)) return '_';
      if (this.chance(0.12)) return this.constant(kind);
      const variable = this.variable(kind, bound);
      if (binds && !bound.has(variable)) bound.set(variable, kind);
      return variable;
    });
    return `${name}(${args.join(', ')})`;
  }

  check(tables, bound) {
    const names = [...bound.keys()];
    const numbers = names.filter((name) => NUMBERS.includes(bound.get(name)));
    const any = this.chance(0.05) ? 'V8' : this.pick(names);
    switch (this.below(6)) {
      case 0:
      case 1: {
        const left = numbers.length > 0 && this.chance(0.95) ? this.pick(numbers) : any;
        const right =
          numbers.length > 1 && this.chance(0.4) ? this.pick(numbers) : this.constant(this.pick(['integer', 'float']));
        const sides = this.chance(0.2) ? [right, left] : [left, right];
        return sides.join(` ${this.pick(['=:=', '=\\=', '<', '=<', '>', '>='])} `);
      }
      case 2: {
        const right = this.chance(0.4)
          ? this.pick(names)
          : this.chance(0.3)
            ? 'null'
            : this.constant(bound.get(any) ?? 'text');
        return `${any} ${this.pick(['==', '\\==', '\\==', '=', '\\='])} ${right}`;
      }
      case 3: {
        const list = Array.from({ length: 1 + this.below(3) }, () => this.constant(bound.get(any) ?? 'text'));
        return `member(${any}, [${list.join(', ')}])`;
      }
      default:
        return `\\+ ${this.call(tables, bound, false)}`;
    }
  }

  /** Goals next to one another. */
  run(tables, bound) {
    const goals = [this.call(tables, bound)];
    for (let more = this.pick([0, 1, 1, 2, 2, 3]); more > 0; more -= 1) {
      goals.push(bound.size === 0 || this.chance(0.5) ? this.call(tables, bound) : this.check(tables, bound));
    }
    if (bound.size > 0 && this.chance(0.4)) goals.push(this.check(tables, bound));
    if (this.chance(0.15)) goals.splice(1, 0, ...this.apart(tables, bound));
    if (this.chance(0.05)) goals.splice(this.below(goals.length), 0, 'true');
    return goals.join(', ');
  }

  /** Two tables without a variable in common, perhaps a check, and a comparison of their columns. */
  apart(tables, bound) {
    const places = ['A', 'B'].map((letter) => {
      const { name, columns } = this.pick(tables.filter(({ isBook }) => !isBook));
      const args = columns.map((_, at) => `${letter}${at}`);
      const numbers = columns.flatMap(({ kind }, at) => (NUMBERS.includes(kind) ? [at] : []));
      const at = numbers.length > 0 && this.chance(0.9) ? this.pick(numbers) : this.below(columns.length);
      bound.set(args[at], columns[at].kind);
      return { goal: `${name}(${args.join(', ')})`, column: args[at] };
    });
    const [one, other] = places;
    const sides = this.chance(0.5) ? [one.column, other.column] : [other.column, one.column];
    const operator = this.pick(['=:=', '=\\=', '<', '=<', '>', '>=']);
    const between = this.chance(0.3) ? [`${other.column} \\== null`] : [];
    return [one.goal, other.goal, ...between, sides.join(` ${operator} `)];
  }

  goal(tables) {
    const bound = new Map();
    const body = this.run(tables, bound);
    const names = [...bound.keys()];
    const tuple = `[${names.join(', ')}]`;
    const inner = new Map();
    const of = () => this.run(tables, inner);
    switch (this.below(14)) {
      case 0:
        return { goal: `findall(${tuple}, (${body}), L)` };
      case 1: {
        const what =
          names.length > 0 && this.chance(0.7) ? `${this.pick(['sum', 'max', 'min'])}(${this.pick(names)})` : 'count';
        return { goal: `aggregate_all(${what}, (${body}), N)` };
      }
      case 2:
        return { goal: `\\+ (${body}), X = 1` };
      case 3:
        return { goal: `forall((${body}), ${bound.size > 0 ? this.check(tables, bound) : 'true'})` };
      case 4:
        return { goal: `once((${body}))` };
      case 5:
        return { clause: `r(${tuple}) :- ${body}, !.`, goal: 'r(L)' };
      case 6:
        return { clause: `r(${tuple}) :- ${body}.`, goal: this.chance(0.5) ? 'r(L)' : 'r(L), r(L)' };
      case 7:
        return { goal: `${body}, findall(x, (${of()}), L)` };
      case 8:
        return { goal: `${body}, aggregate_all(count, (${of()}), N)` };
      case 9:
        return { goal: `aggregate_all(${this.pick(['bag', 'set'])}(${tuple}), (${body}), L)` };
      case 10:
        return names.length > 0
          ? { goal: `order_by([${this.pick(['asc', 'desc'])}(${this.pick(names)})], (${body}))` }
          : { goal: `limit(2, (${body}))` };
      case 11:
        return { goal: `limit(${1 + this.below(3)}, (${body}))` };
      case 12:
        return { goal: `( ${body} ; ${this.call(tables, bound)} )` };
      case 13:
        return { clause: `r(${tuple}) :- ${body}, ( ${of()} -> true ; \\+ ( ${of()} ) ).`, goal: 'r(L)' };
      default:
        return { goal: body };
    }
  }
}

/** Tables of an engine, and goals over them. */
export function randomWorld(seed, dialect, count) {
  const maker = new Maker(seed, dialect);
  const tables = Array.from({ length: 2 + maker.below(2) }, (_, number) => maker.table(number));
  // One whose rows are facts of the book.
  tables.push({ ...maker.table('b'), isBook: true });
  return { tables, form: maker.form, goals: Array.from({ length: count }, () => maker.goal(tables)) };
}
