/**
 * Lays out the nodes of a graph, each connected component separately: in rows along the edges, by dagre; large
 * components with springs, by d3-force.
 */
import { Graph, layout } from '@dagrejs/dagre';
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import type { Point } from '../curve.ts';

export interface Edge {
  from: string;
  to: string;
  label: string;
}

export interface LaidOut {
  width: number;
  height: number;
  nodes: Map<string, Point>;
  /** The points of each edge's line, in the order of the edges. */
  lines: Point[][];
}

/** Between components, and around the picture, in pixels. */
const GAP = 28;
const NODE_HEIGHT = 28;
/** The target ratio of width to height. */
const SHAPE = 1.9;
/**
 * The most edges of a component that is laid out in rows: with more, dagre takes seconds, and the rows get too wide.
 */
const ROWS = 60;
/** Simulation steps of the springs, and the length of an edge in pixels. */
const STEPS = 150;
const LENGTH = 60;

/** `width` returns the width of a node. */
export function laidOut(edges: Edge[], width: (name: string) => number): LaidOut {
  const parts = partsOf(edges).map((part) => arranged(part, width));
  // The largest first, in rows about as wide as the picture should be.
  const area = parts.reduce((sum, part) => sum + (part.width + GAP) * (part.height + GAP), 0);
  const wide = Math.max(Math.sqrt(area * SHAPE), ...parts.map((part) => part.width));
  const all: LaidOut = { width: 0, height: 0, nodes: new Map(), lines: [] };
  let [x, y, rowHeight] = [GAP / 2, GAP / 2, 0];
  for (const part of parts.toSorted((a, b) => b.height - a.height)) {
    if (x > GAP && x + part.width > wide + GAP) [x, y, rowHeight] = [GAP / 2, y + rowHeight + GAP, 0];
    for (const [name, at] of part.nodes) all.nodes.set(name, { x: at.x + x, y: at.y + y });
    for (const [index, line] of part.lines)
      all.lines[index] = line.map((point) => ({ x: point.x + x, y: point.y + y }));
    all.width = Math.max(all.width, x + part.width + GAP / 2);
    x += part.width + GAP;
    rowHeight = Math.max(rowHeight, part.height);
  }
  all.height = y + rowHeight + GAP / 2;
  return all;
}

type Part = [index: number, edge: Edge][];

/** The edges of each connected component, with their indexes. */
function partsOf(edges: Edge[]): Part[] {
  const root = new Map<string, string>();
  const find = (name: string): string => {
    let at = name;
    for (let up = root.get(at); up !== undefined && up !== at; up = root.get(at)) at = up;
    root.set(name, at);
    return at;
  };
  for (const { from, to } of edges) root.set(find(from), find(to));
  return [...Map.groupBy(edges.entries(), ([, { from }]) => find(from)).values()];
}

interface Arranged {
  width: number;
  height: number;
  nodes: Map<string, Point>;
  lines: [number, Point[]][];
}

const arranged = (part: Part, width: (name: string) => number): Arranged =>
  (part.length > ROWS ? bySprings : inRows)(part, width);

function inRows(part: Part, width: (name: string) => number): Arranged {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ nodesep: 16, ranksep: 44 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [index, { from, to, label }] of part) {
    for (const name of [from, to]) graph.setNode(name, { width: width(name), height: NODE_HEIGHT });
    graph.setEdge(
      from,
      to,
      label ? { width: 8 * Math.min(label.length, 13), height: 16, labelpos: 'c' } : {},
      `${index}`,
    );
  }
  layout(graph);
  const size = graph.graph() as { width: number; height: number };
  const nodes = graph.nodes().map((name) => [name, graph.node(name) as Point] as const);
  const lines = part.map(([index, { from, to }]): [number, Point[]] => {
    const { points } = graph.edge(from, to, `${index}`) as { points: Point[] };
    return [index, points];
  });
  return { width: size.width, height: size.height, nodes: new Map(nodes), lines };
}

function bySprings(part: Part, width: (name: string) => number): Arranged {
  const names = [...new Set(part.flatMap(([, { from, to }]) => [from, to]))];
  const nodes = names.map((name) => ({ name, x: 0, y: 0, half: width(name) / 2 }));
  const links = part
    .filter(([, { from, to }]) => from !== to)
    .map(([, { from, to }]) => ({ source: from, target: to }));
  const simulation = forceSimulation(nodes.map((node, index) => Object.assign(node, spiral(index))))
    .force(
      'links',
      forceLink<(typeof nodes)[number], (typeof links)[number]>(links)
        .id(({ name }) => name)
        .distance(LENGTH),
    )
    .force('apart', forceManyBody().strength(-120))
    .force('x', forceX().strength(0.03))
    .force('y', forceY().strength(0.05))
    .force(
      'collide',
      forceCollide<(typeof nodes)[number]>(({ half }) => Math.hypot(half, NODE_HEIGHT / 2) + 1).iterations(3),
    )
    .stop();
  simulation.tick(STEPS);
  // Finish with only the collisions, without any other force.
  for (const name of ['links', 'apart', 'x', 'y']) simulation.force(name, null);
  simulation.alpha(1).tick(100);
  const left = Math.min(...nodes.map(({ x, half }) => x - half));
  const top = Math.min(...nodes.map(({ y }) => y - NODE_HEIGHT / 2));
  const at = new Map(nodes.map(({ name, x, y }): [string, Point] => [name, { x: x - left, y: y - top }]));
  const lines = part.map(([index, { from, to }]): [number, Point[]] => [
    index,
    between(at.get(from)!, at.get(to)!, width(to) / 2),
  ]);
  return {
    width: Math.max(...nodes.map(({ x, half }) => x + half)) - left,
    height: Math.max(...nodes.map(({ y }) => y + NODE_HEIGHT / 2)) - top,
    nodes: at,
    lines,
  };
}

/** A fixed starting position per node, so that the same graph always looks the same. */
const spiral = (index: number): Point => ({
  x: 12 * Math.sqrt(index) * Math.cos(index * 2.4),
  y: 12 * Math.sqrt(index) * Math.sin(index * 2.4),
});

/** A line from one node to the border of another, whose half width is `half`; for a loop, an arc above the node. */
function between(from: Point, to: Point, half: number): Point[] {
  if (from === to) {
    const y = from.y - NODE_HEIGHT / 2;
    return [
      { x: from.x - 8, y },
      { x: from.x, y: y - 24 },
      { x: from.x + 8, y },
    ];
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const cut = Math.min(half / Math.max(Math.abs(dx), 0.001), NODE_HEIGHT / 2 / Math.max(Math.abs(dy), 0.001), 0.5);
  const end = { x: to.x - dx * cut, y: to.y - dy * cut };
  return [from, { x: (from.x + end.x) / 2, y: (from.y + end.y) / 2 }, end];
}
