/** Answers for other programs: CSV, JSON, JSON Lines, Prolog, and a table for people. */

import { HornbookError } from './error.js';
import { quoted as quotedValue, type Quotable } from './goal.js';
import { toJson } from './json.js';
import { isPlain, type Value } from './values.js';

export interface ExportedBinding {
  name: string;
  /** As Prolog writes it. */
  text: string;
  /** The engine's JSON (docs/engine-protocol.md); undefined if the text is more than a plain term. */
  json: unknown;
}

export interface ExportedAnswer {
  bindings: ExportedBinding[];
  residual?: string[];
  /** Neither true nor false. */
  undefined?: boolean;
  /** The JSON of its bindings is that of an `exact` answer. */
  exact?: boolean;
}

/** What a schema gave for an answer. */
export function exported(value: unknown): ExportedBinding[] {
  if (typeof value !== 'object' || value === null || !isPlain(value))
    throw new HornbookError('invalid_argument', 'The schema gives no object: only the members of one can be written.');
  return Object.entries(value).map(([name, member]) => {
    try {
      return { name, text: quotedValue((member ?? null) as Quotable), json: toJson((member ?? null) as Value) };
    } catch (error) {
      const message = `${name} of what the schema gives: ${(error as Error).message}.`;
      throw new HornbookError('invalid_argument', message, undefined, undefined, { cause: error });
    }
  });
}

export interface Format {
  label: string;
  ending: string;
  type: string;
  /** Write the answers in this order; `shown` returns the bindings to include, and `names` are theirs. */
  write<A extends ExportedAnswer>(
    answers: A[],
    shown: (answer: A) => ExportedBinding[],
    query: string,
    names: string[],
  ): string;
}

/** The text of a marked value: `{"atom": "x"}`. */
function markedIn(json: unknown, mark: string): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const [[key, text] = [], ...more] = Object.entries(json);
  return key === mark && more.length === 0 && typeof text === 'string' ? text : undefined;
}

/** The members of a dict, which is marked if one of its keys is a mark: `{"dict": {"atom": 1}}`. */
function dictIn(json: object): object {
  const [[key, members] = [], ...more] = Object.entries(json);
  return key === 'dict' && more.length === 0 && typeof members === 'object' && members !== null ? members : json;
}

/** A value without Prolog's quotes; `undefined` for a variable. */
function plain({ text, json }: ExportedBinding, exact: boolean | undefined): string | undefined {
  if (typeof json === 'string') return json;
  return (exact ? markedIn(json, 'atom') : undefined) ?? (text === '_' ? undefined : text);
}

/** What begins a text that spreadsheets would treat as a formula; some read wide characters, too, and skip what is blank. */
const FORMULA = /^(?=\s*[=+\-@＝＋－＠]|[\t\r])/;

/** The same, where a spreadsheet divides values by semicolons or tabs. */
const FORMULA_WITHIN = /([;\t][^\S\t]*)(?=[=+\-@＝＋－＠])/g;

/** The text of a number as a whole, which begins like a formula if it is negative. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Quoted where it would be read as another text; an empty one is no missing one, which a variable is. */
function field({ text, isNumber }: Cell): string {
  if (text === undefined) return '';
  const safe = isNumber ? text : text.replace(FORMULA, "'").replace(FORMULA_WITHIN, "$1'");
  return /^$|^\s|\s$|[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const residualsOf = (answer: ExportedAnswer): string => (answer.residual ?? []).join(', ');

/** A value as plain text. */
interface Cell {
  text: string | undefined;
  isNumber: boolean;
}

/** The values of answers as rows of plain text, with a row of names before them. */
function rowsOf<A extends ExportedAnswer>(
  answers: A[],
  shown: (answer: A) => ExportedBinding[],
  names: string[],
): Cell[][] {
  const constrained = answers.some((answer) => residualsOf(answer) !== '');
  const neither = answers.some((answer) => answer.undefined);
  const plainly = (text: string) => ({ text, isNumber: false });
  const head = [...names, ...(constrained ? ['constraints'] : []), ...(neither ? ['truth'] : [])];
  const rows = answers.map((answer) => [
    ...shown(answer).map((one) => ({ text: plain(one, answer.exact), isNumber: NUMBER.test(one.text) })),
    ...(constrained ? [plainly(residualsOf(answer))] : []),
    ...(neither ? [plainly(answer.undefined ? 'undefined' : 'true')] : []),
  ]);
  return [head.map(plainly), ...rows];
}

const CSV: Format = {
  label: 'CSV',
  ending: 'csv',
  type: 'text/csv',
  write(answers, shown, _, names) {
    const rows = rowsOf(answers, shown, names);
    const at = rows.findIndex((row) => row.some(({ text }) => text?.includes('\0')));
    if (at !== -1)
      throw new HornbookError(
        'invalid_argument',
        `Answer ${at} has a NUL character, which a table in CSV cannot have. Write the answers as Prolog or JSON.`,
      );
    const lines = rows.map((row) => row.map(field));
    return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
  },
};

/** JSON whose numbers are as Prolog writes them: an integer has all its digits, and a float its point. */
function jsonText(json: unknown, exact: boolean | undefined): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map((item) => jsonText(item, exact)).join(',')}]`;
  const number = markedIn(json, 'integer') ?? markedIn(json, 'float');
  if (number !== undefined && NUMBER.test(number)) return number;
  const atom = exact ? markedIn(json, 'atom') : undefined;
  if (atom !== undefined) return JSON.stringify(atom);
  return objectText(Object.entries(dictIn(json)).map(([key, value]) => [key, jsonText(value, exact)]));
}

const objectText = (members: [string, string][]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;

/** An answer as JSON. */
function objectOf<A extends ExportedAnswer>(answer: A, shown: (answer: A) => ExportedBinding[]): string {
  const value = ({ text, json }: ExportedBinding) =>
    NUMBER.test(text) && typeof json === 'number' ? text : jsonText(json === undefined ? text : json, answer.exact);
  return objectText([
    ...shown(answer).map((binding): [string, string] => [binding.name, value(binding)]),
    ...((answer.residual ?? []).length > 0 ? [['residual', JSON.stringify(answer.residual)] as [string, string]] : []),
    ...(answer.undefined ? [['undefined', 'true'] as [string, string]] : []),
  ]);
}

const JSON_FORMAT: Format = {
  label: 'JSON',
  ending: 'json',
  type: 'application/json',
  write: (answers, shown) => `[\n${answers.map((answer) => `  ${objectOf(answer, shown)}`).join(',\n')}\n]\n`,
};

const JSON_LINES: Format = {
  label: 'JSON Lines',
  ending: 'jsonl',
  type: 'application/jsonl',
  write: (answers, shown) => answers.map((answer) => `${objectOf(answer, shown)}\n`).join(''),
};

/** Numbers to the right, in columns as wide as their widest value. */
const TABLE: Format = {
  label: 'Table',
  ending: 'txt',
  type: 'text/plain',
  write(answers, shown, _, names) {
    const rows = rowsOf(answers, shown, names).map((row) =>
      row.map(({ text, isNumber }) => ({ text: (text ?? '').replace(/\s+/g, ' '), isNumber })),
    );
    const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => [...(row[at]?.text ?? '')].length)));
    const line = (row: { text: string; isNumber: boolean }[]) => {
      const cells = row.map(({ text, isNumber }, at) => {
        const space = ' '.repeat(widths[at]! - [...text].length);
        return isNumber ? space + text : text + space;
      });
      return cells.join('  ').trimEnd();
    };
    const [head = [], ...rest] = rows;
    const rule = widths.map((width) => '-'.repeat(width)).join('  ');
    return [line(head), rule, ...rest.map(line)].join('\n').concat('\n');
  },
};

/** A quoted atom. */
const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

const PROLOG: Format = {
  label: 'Prolog',
  ending: 'pl',
  type: 'text/x-prolog',
  write(answers, shown, query, names) {
    const head = names.length === 0 ? 'answer' : `answer(${names.join(', ')})`;
    const facts = answers.map((answer) => {
      const values = shown(answer).map(({ text }) => (/^<\w/.test(text) ? quoted(text) : text));
      const residual = [residualsOf(answer), answer.undefined ? 'undefined' : ''].filter(Boolean).join(', ');
      // A variable in a residual goal keeps its name there.
      const args = shown(answer).map(({ name, text }, index) => (text === '_' && residual ? name : values[index]));
      return `answer${args.length > 0 ? `(${args.join(', ')})` : ''}${residual ? ` :- ${residual}` : ''}.`;
    });
    const asked = query.split('\n').map((line) => `% ${line}`);
    return [`% ${head} of the query`, ...asked, ...facts].join('\n').concat('\n');
  },
};

/** Those of files that people keep. */
export const FORMATS = [CSV, JSON_FORMAT, PROLOG];

/** By the names that `hornbook ask --format` has for them. */
export const BY_NAME: Readonly<Record<string, Format>> = {
  csv: CSV,
  json: JSON_FORMAT,
  jsonl: JSON_LINES,
  table: TABLE,
  prolog: PROLOG,
};
