/** Terms as trees: a node for each functor, with its arguments below. */
import { h, svg } from '../dom.ts';
import { isCompound } from './graph.ts';
import type { Answer } from './query.ts';
import { zoomable } from './zoom.ts';

export interface TermTree {
  /** The variable, and the number of the answer. */
  name: string;
  number: number;
  json: unknown;
}

interface Node {
  label: string;
  children: Node[];
  x: number;
  depth: number;
}

/** The maximum number of trees shown at once, and of nodes in one. */
const TREES = 6;
const NODES = 400;
/** Distances in pixels: between rows, around the picture, and between leaves. */
const ROW = 56;
const EDGE = 12;
const GAP = 14;

/** The compound terms in an answer, by its number from 1. */
export function treesIn({ bindings }: Answer, number: number): TermTree[] {
  return bindings
    .filter(({ json }) => isCompound(json) && size(json, NODES) > 0)
    .map(({ name, json }) => ({ name, number, json }));
}

/** Whether a picture suits it better than text: a compound term that contains compound terms. */
export const isDeep = ({ json }: TermTree): boolean => isCompound(json) && json.args.some(isCompound);

/** The number of nodes in a term; 0 if there are more than `most`. */
function size(json: unknown, most: number): number {
  let left = most;
  const walk = (value: unknown): void => {
    left -= 1;
    if (left < 0) return;
    for (const child of childrenOf(value)) walk(child);
  };
  walk(json);
  return left < 0 ? 0 : most - left;
}

const childrenOf = (json: unknown): unknown[] => (isCompound(json) ? json.args : Array.isArray(json) ? json : []);

function labelOf(json: unknown): string {
  if (isCompound(json)) return json.functor;
  if (Array.isArray(json)) return json.length === 0 ? '[]' : '[…]';
  if (typeof json === 'object' && json !== null)
    return 'variable' in json ? String(json.variable) : 'integer' in json ? String(json.integer) : '…';
  return String(json);
}

const width = (label: string): number => 20 + 8 * short(label).length;
const short = (text: string): string => (text.length > 20 ? `${text.slice(0, 19)}…` : text);

/** Leaves from left to right, each node centered above its children. */
function placed(json: unknown): { root: Node; width: number; height: number } {
  let right = EDGE;
  let deepest = 0;
  const place = (value: unknown, depth: number): Node => {
    deepest = Math.max(deepest, depth);
    const label = labelOf(value);
    const children = childrenOf(value).map((child) => place(child, depth + 1));
    const own = width(label);
    const [first, last] = [children[0], children.at(-1)];
    const x = first && last ? (first.x + last.x) / 2 : right + own / 2;
    right = Math.max(right, x + own / 2 + (first ? 0 : GAP));
    return { label, children, x: Math.max(x, EDGE + own / 2), depth };
  };
  const root = place(json, 0);
  return { root, width: right + EDGE, height: deepest * ROW + 28 + 2 * EDGE };
}

export function trees(all: TermTree[], answers: number): HTMLElement {
  const shown = all.slice(0, TREES).map(({ name, number, json }) => {
    const { root, width: wide, height } = placed(json);
    const lines: SVGElement[] = [];
    const boxes: SVGElement[] = [];
    const draw = (node: Node): void => {
      const y = EDGE + 14 + node.depth * ROW;
      for (const child of node.children) {
        lines.push(svg('path', { class: 'edge', d: `M${node.x} ${y + 14}L${child.x} ${y + ROW - 14}` }));
        draw(child);
      }
      const half = width(node.label) / 2;
      boxes.push(
        svg(
          'g',
          { class: node.children.length > 0 ? 'node' : 'node leaf' },
          svg('rect', { x: node.x - half, y: y - 14, width: 2 * half, height: 28, rx: 6 }),
          svg('text', { x: node.x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, short(node.label)),
          svg('title', {}, node.label),
        ),
      );
    };
    draw(root);
    const label = `The term of ${name} as a tree of ${boxes.length} nodes`;
    const picture = svg('svg', { class: 'graph', role: 'img', 'aria-label': label }, ...lines, ...boxes);
    const title = answers > 1 ? `${name}, answer ${number}` : name;
    return h(
      'figure',
      { class: 'graph-frame' },
      zoomable(picture, Math.max(wide, 320), height, `Tree of ${title}`),
      h('figcaption', {}, title),
    );
  });
  const more =
    all.length > TREES ? h('p', { class: 'note' }, `The first ${TREES} of ${all.length}; the table has all.`) : '';
  return h('div', { class: 'trees' }, ...shown, more);
}
