/** Draws the graph of the memory. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import { h, svg } from '../dom.ts';
import { zoomable } from '../queries/zoom.ts';
import type { EdgeRecord, NodeRecord } from '../../../pkg/generated/memory.js';
import type { Standing } from './records.ts';

export interface ShownNode extends NodeRecord {
  standing: Standing;
}

export interface ShownEdge extends EdgeRecord {
  standing: Standing;
}

interface Body extends SimulationNodeDatum {
  id: string;
  x: number;
  y: number;
}

/** The size of a picture of few nodes, in its own units, which are pixels; it grows with the number of nodes. */
const WIDE = [640, 420] as const;
const NARROW = [350, 400] as const;
const FEW = 18;
/** With more edges, only those of the selected node show their types. */
const LABELLED = 40;
/** Of more nodes, only the best connected show their names. */
const ALL_NAMED = 60;
const NAMED = 24;
const RADIUS = 9;
/** The number of hues that have CSS classes. */
const HUES = 6;
const TICKS = 300;

/** The last positions of nodes, so that they stay there when the picture is redrawn. */
const places = new Map<string, { x: number; y: number }>();

/** The hue of each node type, in alphabetical order. */
export function hues(types: Iterable<string>): Map<string, number> {
  return new Map([...new Set(types)].sort().map((type, index) => [type, index % HUES]));
}

export interface PictureOptions {
  nodes: ShownNode[];
  edges: ShownEdge[];
  hues: Map<string, number>;
  /** The node whose neighbours are highlighted. */
  selected: string | undefined;
  /** The nodes that the search found. */
  found: ReadonlySet<string>;
  select: (id: string) => void;
}

export function picture({ nodes, edges, hues, selected, found, select }: PictureOptions): HTMLElement {
  const size = Math.sqrt(Math.max(1, nodes.length / FEW));
  // As wide as the panel, which has about half of the window.
  const wide = [Math.max(WIDE[0], Math.round(window.innerWidth / 2 - 34)), WIDE[1]];
  const [width, height] = (window.innerWidth < 500 ? NARROW : wide).map((side) => Math.round(side * size)) as [
    number,
    number,
  ];
  const at = laidOut(nodes, edges, width, height);
  const near = new Set(selected === undefined ? [] : [selected]);
  for (const { source_id, target_id } of edges) {
    if (source_id === selected) near.add(target_id);
    if (target_id === selected) near.add(source_id);
  }
  const degrees = new Map<string, number>();
  for (const { source_id, target_id } of edges)
    for (const id of [source_id, target_id]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  const named = new Set(
    nodes
      .toSorted((a, b) => (degrees.get(b.id) ?? 0) - (degrees.get(a.id) ?? 0))
      .slice(0, nodes.length > ALL_NAMED ? NAMED : ALL_NAMED)
      .map(({ id }) => id),
  );
  const isFar = (...ids: string[]) => selected !== undefined && !ids.every((id) => near.has(id));
  const between = new Map<string, number>();

  const lines = edges.map((edge) => {
    const [a, b] = [at.get(edge.source_id)!, at.get(edge.target_id)!];
    const pair = [edge.source_id, edge.target_id].sort().join(' ');
    const before = between.get(pair) ?? 0;
    between.set(pair, before + 1);
    const far =
      isFar(edge.source_id, edge.target_id) ||
      (selected !== undefined && ![edge.source_id, edge.target_id].includes(selected));
    return arrow(edge, a, b, before, far, edges.length <= LABELLED || near.size > 0);
  });
  const dots = nodes.map((node) => {
    const { x, y } = at.get(node.id)!;
    const isGone = node.standing !== 'holds';
    const classes = [
      'memory-node',
      `hue-${hues.get(node.type) ?? 0}`,
      isGone && 'gone',
      node.id === selected && 'selected',
      found.has(node.id) && 'found',
      isFar(node.id) && 'far',
    ];
    const act = () => select(node.id);
    return svg(
      'g',
      {
        class: classes.filter(Boolean).join(' '),
        'data-node': node.id,
        role: 'button',
        tabindex: 0,
        'aria-pressed': String(node.id === selected),
        'aria-label': `${node.name}, ${node.type}${isGone ? `, ${node.standing}` : ''}`,
        onclick: act,
        onkeydown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          act();
        },
      },
      svg('circle', { class: 'halo', cx: x, cy: y, r: RADIUS + 6 }),
      svg('circle', { class: 'dot', cx: x, cy: y, r: RADIUS }),
      named.has(node.id) || near.has(node.id) || found.has(node.id)
        ? svg('text', { x, y: y + RADIUS + 2, dy: '1em', 'text-anchor': 'middle' }, short(node.name))
        : null,
      svg('title', {}, `${node.name} (${node.type})`),
    );
  });
  const image = svg(
    'svg',
    { class: 'memory-graph', role: 'group', 'aria-label': `${nodes.length} nodes and ${edges.length} edges` },
    svg(
      'defs',
      {},
      svg(
        'marker',
        { id: 'memory-arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
        svg('path', { d: 'M0 0L8 4L0 8z', class: 'arrow' }),
      ),
    ),
    ...lines,
    ...dots,
  );
  // What is smaller on the screen the more nodes there are: names and dots are not.
  image.style.setProperty('--size', String(size));
  return h('figure', { class: 'graph-frame' }, zoomable(image, width, height, 'Memory graph'));
}

/** An edge from `a` to `b`; parallel edges bend away from each other. */
function arrow(edge: ShownEdge, a: Body, b: Body, before: number, isFar: boolean, isNamed: boolean): SVGElement {
  const classes = `memory-edge${edge.standing === 'holds' ? '' : ' gone'}${isFar ? ' far' : ''}`;
  if (a === b) {
    const d = `M${a.x + 6} ${a.y - RADIUS + 2}c${20 + 8 * before} -30 ${-32 - 16 * before} -30 -12 0`;
    return svg('g', { class: classes }, svg('path', { d, 'marker-end': 'url(#memory-arrow)' }));
  }
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.max(1, Math.hypot(dx, dy));
  const bend = (before % 2 ? 1 : -1) * Math.ceil(before / 2) * 26;
  const [mx, my] = [(a.x + b.x) / 2 - (dy / length) * bend, (a.y + b.y) / 2 + (dx / length) * bend];
  const cut = (x: number, y: number, by: number) => {
    const far = Math.max(1, Math.hypot(mx - x, my - y));
    return `${(x + ((mx - x) / far) * by).toFixed(1)} ${(y + ((my - y) / far) * by).toFixed(1)}`;
  };
  const d = `M${cut(a.x, a.y, RADIUS + 1)}Q${mx.toFixed(1)} ${my.toFixed(1)} ${cut(b.x, b.y, RADIUS + 3)}`;
  const [lx, ly] = [(a.x + b.x) / 4 + mx / 2, (a.y + b.y) / 4 + my / 2];
  return svg(
    'g',
    { class: classes },
    svg('path', { d, 'marker-end': 'url(#memory-arrow)' }),
    isNamed && !isFar && svg('text', { x: lx, y: ly - 3, 'text-anchor': 'middle' }, short(edge.type)),
  );
}

/** A force layout with springs along the edges; nodes with a previous position start there. */
function laidOut(nodes: NodeRecord[], edges: EdgeRecord[], width: number, height: number): Map<string, Body> {
  const bodies = nodes.map(({ id }): Body => ({ id, ...places.get(id) }) as Body);
  const isNew = bodies.some(({ x }) => x === undefined);
  const links = edges.map(({ source_id, target_id }) => ({ source: source_id, target: target_id }));
  const names = new Map(nodes.map(({ id, name }) => [id, short(name).length]));
  const simulation = forceSimulation(bodies)
    .force('charge', forceManyBody().strength(-420))
    .force(
      'link',
      forceLink<Body, { source: string | Body; target: string | Body }>(links)
        .id(({ id }) => id)
        .distance(110),
    )
    .force('x', forceX(0).strength(0.06))
    .force('y', forceY(0).strength(0.06))
    .force(
      'collide',
      forceCollide<Body>(({ id }) => 16 + 3 * (names.get(id) ?? 0)),
    )
    .stop();
  if (isNew) simulation.tick(TICKS);
  for (const { id, x, y } of bodies) places.set(id, { x, y });
  return new Map(fitted(bodies, width, height).map((body) => [body.id, body]));
}

/** Scale to the frame and center it, but do not stretch a picture of few nodes. */
function fitted(bodies: Body[], width: number, height: number): Body[] {
  const [xs, ys] = [bodies.map(({ x }) => x), bodies.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [roomX, roomY] = [width - 120, height - 80];
  const [scaleX, scaleY] = [roomX / Math.max(1, right - left), roomY / Math.max(1, bottom - top)].map((scale) =>
    Math.min(scale, 2.2),
  ) as [number, number];
  return bodies.map(({ id, x, y }) => ({
    id,
    x: width / 2 + (x - (left + right) / 2) * scaleX,
    y: height / 2 - 8 + (y - (top + bottom) / 2) * scaleY,
  }));
}

const short = (name: string): string => (name.length > 20 ? `${name.slice(0, 19)}…` : name);
