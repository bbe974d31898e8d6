/** What of an answer is a chart or a timeline: `chart(Type, Data)`, and lists of what begins and ends. */
import { isCompound } from './graph.ts';
import type { Answer } from './query.ts';

const TYPES = ['bar', 'line', 'scatter', 'pie'] as const;

export interface Chart {
  name: string;
  number: number;
  type: (typeof TYPES)[number];
  labels: string[];
  values: number[];
}

export interface Timeline {
  name: string;
  number: number;
  spans: { label: string; from: number; to: number }[];
}

/** Points of a chart, and spans of a timeline. */
const MOST = 500;

export function chartsIn({ bindings }: Answer, number: number): Chart[] {
  return bindings.flatMap(({ name, json }) => {
    if (!isCompound(json) || json.functor !== 'chart' || json.args.length !== 2) return [];
    const type = TYPES.find((one) => one === json.args[0]);
    const points = pointsOf(json.args[1]);
    if (!type || !points || points.length === 0 || points.length > MOST) return [];
    if (type === 'pie' && points.some(([, value]) => value < 0)) return [];
    return [{ name, number, type, labels: points.map(([label]) => label), values: points.map(([, value]) => value) }];
  });
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
