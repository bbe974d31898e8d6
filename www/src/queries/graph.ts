/** Answers that are edges, as a graph. */
import { h, svg } from '../dom.ts';
import type { Answer } from './query.ts';

interface Edge {
  from: string;
  to: string;
  label: string;
}

/** More would be a ball of wool. */
const EDGES = 200;
const WIDTH = 640;
const HEIGHT = 420;

const NODE = (json: unknown): string | undefined =>
  typeof json === 'string' || typeof json === 'number' ? String(json) : undefined;

/** The ends of `A-B`, `A->B`, `edge(A, B)` and the like. */
function pair(json: unknown): Edge | undefined {
  if (!json || typeof json !== 'object' || !('functor' in json)) return undefined;
  const { functor, args } = json as { functor: string; args: unknown[] };
  const [from, to, third] = [NODE(args[0]), NODE(args[1]), NODE(args[2])];
  if (from === undefined || to === undefined || args.length > 3 || (args.length === 3 && third === undefined)) return undefined;
  return { from, to, label: third ?? '' };
}

/** Two variables with names as values are an edge each answer, a third its label; so is a list of pairs. */
export function edgesOf(answers: Answer[]): Edge[] {
  const edges: Edge[] = [];
  for (const { bindings } of answers) {
    const [from, to, label] = bindings.map(({ json }) => NODE(json));
    if ((bindings.length === 2 || bindings.length === 3) && from !== undefined && to !== undefined) edges.push({ from, to, label: label ?? '' });
    for (const { json } of bindings) {
      const pairs = Array.isArray(json) ? json.map(pair) : [pair(json)];
      if (pairs.length > 0 && pairs.every((one) => one !== undefined)) edges.push(...(pairs as Edge[]));
    }
  }
  const named = edges.some(({ from }) => /^\D/.test(from));
  return edges.length > 1 && named ? edges : [];
}

interface Point {
  name: string;
  x: number;
  y: number;
}

/** Where the nodes stand: springs along the edges, and nodes that keep away from each other. */
function laidOut(edges: Edge[]): Map<string, Point> {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const points = names.map((name, index) => {
    const angle = (2 * Math.PI * index) / names.length;
    return { name, x: Math.cos(angle) * 150, y: Math.sin(angle) * 150 };
  });
  const at = new Map(points.map((point) => [point.name, point]));
  const ideal = 60 + 400 / Math.sqrt(names.length + 4);
  for (let step = 0; step < 250; step += 1) {
    const heat = 12 * (1 - step / 250);
    const pull = new Map(points.map((point) => [point, { x: -point.x * 0.004, y: -point.y * 0.008 }]));
    for (const a of points) {
      for (const b of points) {
        if (a === b) continue;
        const [dx, dy] = [a.x - b.x, a.y - b.y];
        const distance = Math.max(8, Math.hypot(dx, dy));
        const force = (ideal * ideal) / distance / distance / 4;
        pull.get(a)!.x += dx * force / 10;
        pull.get(a)!.y += dy * force / 10;
      }
    }
    for (const { from, to } of edges) {
      const [a, b] = [at.get(from)!, at.get(to)!];
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const distance = Math.max(1, Math.hypot(dx, dy));
      const force = (distance - ideal) / distance / 12;
      pull.get(a)!.x += dx * force;
      // Edges point down where they can: a family, a hierarchy, reads from the top.
      pull.get(a)!.y += dy * force - 0.9;
      pull.get(b)!.x -= dx * force;
      pull.get(b)!.y -= dy * force - 0.9;
    }
    for (const point of points) {
      const { x, y } = pull.get(point)!;
      const length = Math.max(1, Math.hypot(x, y) / heat);
      point.x += x / length;
      point.y += y / length;
    }
  }
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const scaleX = (WIDTH - 140) / Math.max(1, Math.max(...xs) - left);
  const scaleY = (HEIGHT - 70) / Math.max(1, Math.max(...ys) - top);
  const scale = { x: Math.min(scaleX, 2.2 * scaleY), y: Math.min(scaleY, 2.2 * scaleX) };
  for (const point of points) {
    point.x = 70 + (point.x - left) * scale.x;
    point.y = 35 + (point.y - top) * scale.y;
  }
  return at;
}

let count = 0;

export function graph(all: Edge[]): HTMLElement {
  const edges = all.slice(0, EDGES);
  const at = laidOut(edges);
  const arrow = `arrow-${++count}`;
  const half = (name: string) => Math.min(60, 10 + 4 * shortened(name).length);
  const lines = edges.map(({ from, to, label }) => {
    const [a, b] = [at.get(from)!, at.get(to)!];
    if (a === b) return svg('path', { class: 'edge', d: `M${a.x + 8} ${a.y - 14}c24 -36 44 8 ${half(a.name) - 4} 8`, 'marker-end': `url(#${arrow})` });
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const cutOff = (name: string) => Math.min(half(name) / Math.max(0.001, Math.abs(dx)), 15 / Math.max(0.001, Math.abs(dy)), 0.45);
    const [s, e] = [cutOff(from), cutOff(to)];
    const line = svg('line', { class: 'edge', x1: a.x + dx * s, y1: a.y + dy * s, x2: b.x - dx * e, y2: b.y - dy * e, 'marker-end': `url(#${arrow})` });
    if (!label) return line;
    return svg('g', {}, line, svg('text', { class: 'edge-label', x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 4, 'text-anchor': 'middle' }, shortened(label)));
  });
  const nodes = [...at.values()].map((point) => svg('g', { class: 'node' },
    svg('rect', { x: point.x - half(point.name), y: point.y - 14, width: 2 * half(point.name), height: 28, rx: 14 }),
    svg('text', { x: point.x, y: point.y, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, shortened(point.name)),
    svg('title', {}, point.name)));
  const label = `A graph of ${at.size} nodes and ${edges.length} edges: ${edges.slice(0, 20).map(({ from, to }) => `${from} to ${to}`).join(', ')}`;
  const picture = svg('svg', { class: 'graph', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    svg('defs', {}, svg('marker', { id: arrow, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, svg('path', { d: 'M0 0L8 4L0 8z', class: 'arrow' }))),
    ...lines, ...nodes);
  const more = all.length > EDGES ? h('p', { class: 'note' }, `The first ${EDGES} of ${all.length} edges.`) : null;
  return h('figure', { class: 'graph-frame' }, picture, more);
}

const shortened = (name: string): string => (name.length > 13 ? `${name.slice(0, 12)}…` : name);
