/** Charts and timelines in answers: `chart(Type, Data)`, SWISH's charts, and lists of what begins and ends. */
import { isCompound } from './graph.ts';
import type { Answer } from './query.ts';

const TYPES = ['bar', 'line', 'scatter', 'pie'] as const;

export interface Chart {
  name: string;
  number: number;
  type: (typeof TYPES)[number];
  labels: string[];
  series: Series[];
}

export interface Series {
  /** The name of its values; empty if there is only one series. */
  name: string;
  /** One per label; null if it has none. */
  values: (number | null)[];
}

export interface Timeline {
  name: string;
  number: number;
  spans: { label: string; from: number; to: number }[];
}

/** The maximum number of points of a chart, and of spans of a timeline. */
const MOST = 500;

/** The maximum number of columns of a chart's data, including the labels: there are colours for six series. */
const COLUMNS = 7;

export function chartsIn({ bindings }: Answer, number: number): Chart[] {
  return bindings.flatMap(({ name, json, text }) => {
    const chart = isCompound(json) ? ownChart(json) : text.startsWith('c3{') ? swishChart(json) : undefined;
    if (!chart) return [];
    const { type, labels, series } = chart;
    const values = series.flatMap((one) => one.values);
    if (labels.length === 0 || values.length === 0 || values.length > MOST) return [];
    if (type === 'pie' && values.some((value) => value === null || value < 0)) return [];
    return [{ name, number, ...chart }];
  });
}

/** The most rows of a table that are drawn: of more, nobody could read the labels. */
const ROWS = 60;

/** A chart of a table: one column of texts, and others of numbers. */
export function chartOfTable(answers: readonly Answer[]): Chart | undefined {
  const [first, second] = answers;
  if (!first || !second || answers.length > ROWS || first.bindings.length >= COLUMNS) return undefined;
  const texts = first.bindings.filter(({ json }) => typeof json === 'string');
  const [label] = texts;
  const numbers = first.bindings.filter(({ json }) => typeof json === 'number');
  if (!label || texts.length > 1 || numbers.length === 0 || numbers.length + 1 < first.bindings.length)
    return undefined;
  const column = (name: string) => answers.map(({ bindings }) => bindings.find((one) => one.name === name)?.json);
  const labels = column(label.name);
  const series = numbers.map(({ name }) => ({ name, values: column(name) }));
  if (!labels.every((one) => typeof one === 'string')) return undefined;
  if (!series.every(({ values }) => values.every((value) => typeof value === 'number'))) return undefined;
  const name = numbers.map((one) => one.name).join(', ');
  return { name: `${name} by ${label.name}`, number: 1, type: 'bar', labels, series: series as Series[] };
}

type Drawn = Pick<Chart, 'type' | 'labels' | 'series'>;

function ownChart({ functor, args }: { functor: string; args: unknown[] }): Drawn | undefined {
  if (functor !== 'chart' || args.length !== 2) return undefined;
  const type = TYPES.find((one) => one === args[0]);
  const points = pointsOf(args[1]);
  if (!type || !points) return undefined;
  const values = points.map(([, value]) => value);
  return { type, labels: points.map(([label]) => label), series: [{ name: '', values }] };
}

/** The supported C3 types, and how they are drawn. */
const C3_TYPES: Record<string, Chart['type']> = {
  bar: 'bar',
  line: 'line',
  spline: 'line',
  step: 'line',
  scatter: 'scatter',
  pie: 'pie',
  donut: 'pie',
};

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** `c3{data: _{x: Name, rows: Rows, type: Type}}`, or with `columns`, lists that begin with their names. */
function swishChart(json: unknown): Drawn | undefined {
  if (!isObject(json) || !isObject(json.data)) return undefined;
  const { data } = json;
  const named = data.type ?? 'line';
  if (typeof named !== 'string' || !Object.hasOwn(C3_TYPES, named)) return undefined;
  const type = C3_TYPES[named]!;
  const table = tableOf(data);
  if (!table) return undefined;
  const x = table.find(([head]) => head === data.x);
  const columns = table.filter((column) => column !== x);
  const length = columns[0]!.length - 1;
  if (columns.length === 0 || columns.length === COLUMNS) return undefined;
  const series = columns.map(([name, ...values]) => ({ name: String(name), values: values.map(numberOf) }));
  if (length === 0 || series.some(({ values }) => values.includes(undefined))) return undefined;
  const drawn = series as Series[];
  // In a pie, each slice stands for a whole series.
  if (type === 'pie') {
    const sums = drawn.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
    return { type, labels: drawn.map(({ name }) => name), series: [{ name: '', values: sums }] };
  }
  const labels = x ? x.slice(1).map(String) : Array.from({ length }, (_, index) => String(index));
  return { type, labels, series: drawn };
}

const numberOf = (value: unknown): number | null | undefined =>
  typeof value === 'number' ? value : value === null || value === 'undefined' ? null : undefined;

/** The columns of the data, all of equal length and starting with their names. */
function tableOf({ rows, columns }: Record<string, unknown>): unknown[][] | undefined {
  const lists = rows === undefined ? listsOf(columns) : turned(listsOf(rows));
  const length = lists?.[0]?.length ?? 0;
  if (!lists || lists.length > COLUMNS || length < 2 || lists.some((list) => list.length !== length)) return undefined;
  return lists.every(([name]) => typeof name === 'string' || typeof name === 'number') ? lists : undefined;
}

/** Lists, terms of equal arity, or dicts, whose keys become the first list. */
function listsOf(json: unknown): unknown[][] | undefined {
  if (!Array.isArray(json) || json.length === 0 || json.length > MOST) return undefined;
  if (json.every(isCompound)) return json.map(({ args }) => args);
  if (json.every(isObject)) {
    const keys = [...new Set(json.flatMap((row) => Object.keys(row)))].sort();
    return [keys, ...json.map((row) => keys.map((key) => row[key] ?? null))];
  }
  return json.every((list) => Array.isArray(list)) ? json : undefined;
}

function turned(rows: unknown[][] | undefined): unknown[][] | undefined {
  const width = rows?.[0]?.length;
  if (!rows || !width || rows.some((row) => row.length !== width)) return undefined;
  return Array.from({ length: width }, (_, index) => rows.map((row) => row[index]));
}

/** The points of a list of `Label-Value`, or of numbers. */
function pointsOf(json: unknown): [string, number][] | undefined {
  if (!Array.isArray(json)) return undefined;
  const points = json.map((item, index): [string, number] | undefined => {
    if (typeof item === 'number') return [String(index + 1), item];
    if (!isCompound(item) || item.args.length !== 2) return undefined;
    const [label, value] = item.args;
    return typeof value === 'number' && ['string', 'number'].includes(typeof label)
      ? [String(label), value]
      : undefined;
  });
  return points.every((point) => point !== undefined) ? points : undefined;
}

export function timelinesIn({ bindings }: Answer, number: number): Timeline[] {
  return bindings.flatMap(({ name, json }) => {
    const list = isCompound(json) && json.functor === 'timeline' && json.args.length === 1 ? json.args[0] : json;
    if (!Array.isArray(list) || list.length < 2 || list.length > MOST) return [];
    const spans = list.map(spanOf);
    return spans.every((span) => span !== undefined) ? [{ name, number, spans }] : [];
  });
}

/** `task(Name, From, To)`, `Name-(From-To)`, `Name-From-To` or `Name-From/To`. */
function spanOf(json: unknown): Timeline['spans'][number] | undefined {
  if (!isCompound(json)) return undefined;
  const { functor, args } = json;
  const [first, second, third] = args;
  if (args.length === 3) return span(first, second, third);
  if (functor !== '-' || args.length !== 2) return undefined;
  if (isCompound(second) && ['-', '/', '..'].includes(second.functor))
    return span(first, second.args[0], second.args[1]);
  return isCompound(first) && first.functor === '-' ? span(first.args[0], first.args[1], second) : undefined;
}

function span(label: unknown, from: unknown, to: unknown): Timeline['spans'][number] | undefined {
  if (!['string', 'number'].includes(typeof label) || typeof from !== 'number' || typeof to !== 'number')
    return undefined;
  return from <= to ? { label: String(label), from, to } : undefined;
}
