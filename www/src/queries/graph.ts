/** Answers that are edges, as a graph. */
import { curve } from '../curve.ts';
import { h, sentence, svg } from '../dom.ts';
import { dotEdges } from './dot.ts';
import type { Edge, LaidOut } from './layout.ts';
import type { Answer } from './query.ts';
import { zoomable } from './zoom.ts';

/** More edges would be an unreadable tangle. */
const EDGES = 500;

/** The atoms `true`, `false` and `null` are these values in JSON. */
const NODE = (json: unknown): string | undefined =>
  json === null || ['string', 'number', 'boolean'].includes(typeof json) ? String(json) : undefined;

interface Compound {
  functor: string;
  args: unknown[];
}

/** A dict may have these keys too, with any values. */
export function isCompound(json: unknown): json is Compound {
  return (
    typeof json === 'object' &&
    json !== null &&
    'functor' in json &&
    typeof json.functor === 'string' &&
    'args' in json &&
    Array.isArray(json.args)
  );
}

/** The ends of `A-B`, `A->B`, `edge(A, B)` and the like, and of `edge(A->B, Attributes)`. */
function pair(json: unknown): Edge | undefined {
  if (!isCompound(json)) return undefined;
  const { functor, args } = json;
  if (functor === 'edge' && args.length === 2 && isCompound(args[0])) return pair(args[0]);
  const [from, to, third] = [NODE(args[0]), NODE(args[1]), NODE(args[2])];
  if (from === undefined || to === undefined || args.length > 3 || (args.length === 3 && third === undefined))
    return undefined;
  return { from, to, label: third ?? '' };
}

/** The edges of SWISH's `graph(List)`, `digraph(List)` and `dot(Text)`; other items of the list are ignored. */
function listOf(json: unknown): unknown {
  if (!isCompound(json) || json.args.length !== 1) return json;
  const [inside] = json.args;
  if (json.functor === 'dot') return typeof inside === 'string' ? (dotEdges(inside) ?? json) : json;
  if (!['graph', 'digraph'].includes(json.functor) || !Array.isArray(inside)) return json;
  return inside.filter((item) => !isAttribute(item));
}

/** `node(Name, Attributes)` stands alone; `Name=Value` and `node([…])` only set styles. */
const isAttribute = (item: unknown): boolean =>
  isCompound(item) &&
  (item.functor === '=' || item.functor === 'node' || (item.functor === 'edge' && Array.isArray(item.args[0])));

/**
 * The edges in answers: two variables bound to names form one, with a third as its label; so does each pair in a list.
 */
export class Edges {
  readonly all: Edge[] = [];
  #named = false;

  take({ bindings }: Answer): void {
    const [from, to, label] = bindings.map(({ json }) => NODE(json));
    if ((bindings.length === 2 || bindings.length === 3) && from !== undefined && to !== undefined)
      this.#add({ from, to, label: label ?? '' });
    for (const { json } of bindings) {
      const list = listOf(json);
      const pairs = Array.isArray(list) ? list.map(pair) : [pair(list)];
      if (pairs.length > 0 && pairs.every((one) => one !== undefined))
        for (const one of pairs) this.#add(one, list !== json);
    }
  }

  /** Whether they make a picture: more than one, and not only numbers, nor each a name and its number. */
  get areGraph(): boolean {
    return this.all.length > 1 && this.#named;
  }

  #add(edge: Edge, isMeant = false): void {
    this.all.push(edge);
    this.#named ||= /^\D/.test(edge.from) && (isMeant || !/^-?\d/.test(edge.to));
  }
}

export function graph(all: Edge[]): HTMLElement {
  const edges = all.slice(0, EDGES);
  const frame = h('figure', { class: 'graph-frame' }, h('p', { class: 'note' }, 'Drawing…'));
  const more = all.length > EDGES ? h('p', { class: 'note' }, `The first ${EDGES} of ${all.length} edges.`) : '';
  import('./layout.ts').then(
    ({ laidOut }) => {
      const at = laidOut(edges, width);
      frame.replaceChildren(zoomable(drawn(edges, at), at.width, at.height, 'Graph'), more);
    },
    (error: unknown) =>
      frame.replaceChildren(h('p', { class: 'fault' }, `The graph could not be drawn: ${sentence(error)}`)),
  );
  return frame;
}

const width = (name: string): number => Math.max(32, 20 + 8 * shortened(name).length);

let count = 0;

function drawn(edges: Edge[], { nodes, lines }: LaidOut): SVGSVGElement {
  const arrow = `arrow-${++count}`;
  const ways = edges.map(({ label }, index) => {
    const points = lines[index]!;
    const line = svg('path', { class: 'edge', d: curve(points), 'marker-end': `url(#${arrow})` });
    const middle = points[points.length >> 1]!;
    if (!label) return line;
    const text = { class: 'edge-label', x: middle.x, y: middle.y + 4, 'text-anchor': 'middle' };
    return svg('g', {}, line, svg('text', text, shortened(label)));
  });
  const boxes = [...nodes].map(([name, { x, y }]) =>
    svg(
      'g',
      { class: 'node' },
      svg('rect', { x: x - width(name) / 2, y: y - 14, width: width(name), height: 28, rx: 14 }),
      svg('text', { x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, shortened(name)),
      svg('title', {}, name),
    ),
  );
  const told = edges.slice(0, 20).map(({ from, to }) => `${from} to ${to}`);
  const label = `A graph of ${nodes.size} nodes and ${edges.length} edges: ${told.join(', ')}`;
  const marker = svg(
    'marker',
    { id: arrow, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' },
    svg('path', { d: 'M0 0L8 4L0 8z', class: 'arrow' }),
  );
  return svg('svg', { class: 'graph', role: 'img', 'aria-label': label }, svg('defs', {}, marker), ...ways, ...boxes);
}

const shortened = (name: string): string => (name.length > 13 ? `${name.slice(0, 12)}…` : name);
