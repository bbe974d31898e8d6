/** Answers that are edges, as a graph. */
import { h, svg } from '../dom.ts';
import { laidOut, type Edge } from './layout.ts';
import type { Answer } from './query.ts';
import { zoomable } from './zoom.ts';

/** More would be a ball of wool. */
const EDGES = 500;
/** The picture of a few nodes; it grows with them. */
const WIDTH = 640;
const HEIGHT = 340;
const FEW = 24;

/** The atoms `true`, `false` and `null` are these in JSON. */
const NODE = (json: unknown): string | undefined =>
  json === null || ['string', 'number', 'boolean'].includes(typeof json) ? String(json) : undefined;

/** The ends of `A-B`, `A->B`, `edge(A, B)` and the like. */
function pair(json: unknown): Edge | undefined {
  // A dict may have these keys, too, with any values.
  if (
    !json ||
    typeof json !== 'object' ||
    !('args' in json) ||
    !('functor' in json) ||
    typeof json.functor !== 'string'
  )
    return undefined;
  const { args } = json;
  if (!Array.isArray(args)) return undefined;
  const [from, to, third] = [NODE(args[0]), NODE(args[1]), NODE(args[2])];
  if (from === undefined || to === undefined || args.length > 3 || (args.length === 3 && third === undefined))
    return undefined;
  return { from, to, label: third ?? '' };
}

/** The edges of answers: two variables with names as values are one, a third is its label; so is each pair of a list. */
export class Edges {
  readonly all: Edge[] = [];
  #named = false;

  take({ bindings }: Answer): void {
    const [from, to, label] = bindings.map(({ json }) => NODE(json));
    if ((bindings.length === 2 || bindings.length === 3) && from !== undefined && to !== undefined)
      this.#add({ from, to, label: label ?? '' });
    for (const { json } of bindings) {
      const pairs = Array.isArray(json) ? json.map(pair) : [pair(json)];
      if (pairs.length > 0 && pairs.every((one) => one !== undefined)) for (const one of pairs) this.#add(one);
    }
  }

  /** Whether they make a picture: several, and not of numbers alone. */
  get areGraph(): boolean {
    return this.all.length > 1 && this.#named;
  }

  #add(edge: Edge): void {
    this.all.push(edge);
    this.#named ||= /^\D/.test(edge.from);
  }
}

let count = 0;

export function graph(all: Edge[]): HTMLElement {
  const edges = all.slice(0, EDGES);
  const half = (name: string) => Math.min(60, 10 + 4 * shortened(name).length);
  const nodesCount = new Set(edges.flatMap(({ from, to }) => [from, to])).size;
  const size = Math.sqrt(Math.max(1, nodesCount / FEW));
  const [width, height] = [Math.round(WIDTH * size), Math.round(HEIGHT * size)];
  const at = laidOut(edges, width, height, half);
  const arrow = `arrow-${++count}`;
  const lines = edges.map(({ from, to, label }) => {
    const [a, b] = [at.get(from)!, at.get(to)!];
    if (a === b)
      return svg('path', {
        class: 'edge',
        d: `M${a.x + 8} ${a.y - 14}c24 -36 44 8 ${half(a.name) - 4} 8`,
        'marker-end': `url(#${arrow})`,
      });
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const cutOff = (name: string) =>
      Math.min(half(name) / Math.max(0.001, Math.abs(dx)), 15 / Math.max(0.001, Math.abs(dy)), 0.45);
    const [s, e] = [cutOff(from), cutOff(to)];
    const line = svg('line', {
      class: 'edge',
      x1: a.x + dx * s,
      y1: a.y + dy * s,
      x2: b.x - dx * e,
      y2: b.y - dy * e,
      'marker-end': `url(#${arrow})`,
    });
    if (!label) return line;
    return svg(
      'g',
      {},
      line,
      svg(
        'text',
        { class: 'edge-label', x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 4, 'text-anchor': 'middle' },
        shortened(label),
      ),
    );
  });
  const nodes = [...at.values()].map((point) =>
    svg(
      'g',
      { class: 'node' },
      svg('rect', { x: point.x - half(point.name), y: point.y - 14, width: 2 * half(point.name), height: 28, rx: 14 }),
      svg(
        'text',
        { x: point.x, y: point.y, 'text-anchor': 'middle', 'dominant-baseline': 'central' },
        shortened(point.name),
      ),
      svg('title', {}, point.name),
    ),
  );
  const label = `A graph of ${at.size} nodes and ${edges.length} edges: ${edges
    .slice(0, 20)
    .map(({ from, to }) => `${from} to ${to}`)
    .join(', ')}`;
  const picture = svg(
    'svg',
    { class: 'graph', role: 'img', 'aria-label': label },
    svg(
      'defs',
      {},
      svg(
        'marker',
        {
          id: arrow,
          viewBox: '0 0 8 8',
          refX: 7,
          refY: 4,
          markerWidth: 7,
          markerHeight: 7,
          orient: 'auto-start-reverse',
        },
        svg('path', { d: 'M0 0L8 4L0 8z', class: 'arrow' }),
      ),
    ),
    ...lines,
    ...nodes,
  );
  const more = all.length > EDGES ? h('p', { class: 'note' }, `The first ${EDGES} of ${all.length} edges.`) : null;
  return h('figure', { class: 'graph-frame' }, zoomable(picture, width, height, 'Graph'), more);
}

const shortened = (name: string): string => (name.length > 13 ? `${name.slice(0, 12)}…` : name);
