/** Draws the graph of a workflow from top to bottom. */
import { Graph, layout } from '@dagrejs/dagre';
import type { Drawing } from '../../../pkg/workflow.js';
import { type Point, curve } from '../curve.ts';
import { h, svg } from '../dom.ts';
import { grown } from '../queries/zoom.ts';

/** The state of a node in a run. */
export type NodeState = 'running' | 'done' | 'failed' | 'error' | 'waiting';

const HEIGHT = 40;
/** Wider pictures go below the text, where there is more room. */
const WIDE = 360;
/** Between the picture and its frame. */
const MARGIN = 12;

const STATES: Record<NodeState, string> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  error: 'error',
  waiting: 'waiting',
};

interface Place extends Point {
  width: number;
  height: number;
}

export class WorkflowGraph {
  readonly element = h('div', { class: 'flow-graph' });
  #nodes = new Map<string, SVGGElement>();

  constructor(private readonly select: (name: string) => void) {}

  draw({ nodes, edges }: Drawing): void {
    const graph = new Graph({ multigraph: true });
    graph.setGraph({ rankdir: 'TB', nodesep: 26, ranksep: 34, marginx: MARGIN, marginy: MARGIN });
    graph.setDefaultEdgeLabel(() => ({}));
    const ends = new Set(edges.flatMap(({ from, to }) => [from, to]).filter((id) => id === 'start' || id === 'finish'));
    for (const id of ends) graph.setNode(id, { width: 14, height: 14 });
    for (const { id, name, does } of nodes)
      graph.setNode(id, {
        width: Math.max(90, 8 * Math.max(short(name).length, (does ?? '').length) + 24),
        height: HEIGHT,
      });
    for (const [index, { from, to, label }] of edges.entries()) {
      const width = label ? 6.4 * short(label).length + 8 : 0;
      graph.setEdge(from, to, { width, height: label ? 14 : 0, labelpos: 'c' }, String(index));
    }
    layout(graph);
    const drawn = edges.map((edge, index) => ({
      ...edge,
      ...(graph.edge({ v: edge.from, w: edge.to, name: String(index) }) as { points: Point[] } & Point),
    }));
    const { left, width } = extent(graph, drawn);
    const { height = 0 } = graph.graph() as { height?: number };
    const lines = drawn.map(({ kind, points }) =>
      svg('path', { class: `flow-edge ${kind}`, d: curve(points), 'marker-end': 'url(#flow-arrow)' }),
    );
    // Above all lines, so that none strikes one through.
    const labels = drawn
      .filter(({ label }) => label)
      .map(({ label, x, y }) =>
        svg(
          'text',
          { class: 'flow-label', x, y: y + 4, 'text-anchor': 'middle' },
          short(label!),
          svg('title', {}, label!),
        ),
      );
    const place = (id: string) => graph.node(id) as Place;
    const dots = [...ends].map((id) => {
      const { x, y } = place(id);
      return svg(
        'circle',
        { class: `flow-end ${id}`, cx: x, cy: y, r: 6 },
        svg('title', {}, id === 'start' ? 'start' : 'end'),
      );
    });
    this.#nodes.clear();
    const boxes = nodes.map(({ id, name, does, shape }) => {
      const at = place(id);
      const act = () => this.select(name);
      const box = svg(
        'g',
        {
          class: `flow-node ${shape}`,
          role: 'button',
          tabindex: 0,
          'data-node': name,
          'data-does': does ?? '',
          'aria-label': label(name, does),
          onclick: act,
          onkeydown: (event: KeyboardEvent) => {
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            act();
          },
        },
        svg('rect', {
          x: at.x - at.width / 2,
          y: at.y - HEIGHT / 2,
          width: at.width,
          height: HEIGHT,
          rx: shape === 'plain' ? 8 : 20,
        }),
        svg('text', { class: 'name', x: at.x, y: does ? at.y - 3 : at.y + 5, 'text-anchor': 'middle' }, short(name)),
        ' ',
        does ? svg('text', { class: 'does', x: at.x, y: at.y + 13, 'text-anchor': 'middle' }, does) : null,
      );
      this.#nodes.set(name, box);
      return box;
    });
    const picture = svg(
      'svg',
      { class: 'flow', role: 'group', 'aria-label': `${nodes.length} nodes` },
      svg(
        'defs',
        {},
        svg(
          'marker',
          { id: 'flow-arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
          svg('path', { d: 'M0 0L8 4L0 8z', class: 'arrow' }),
        ),
      ),
      svg('g', { transform: `translate(${-left} 0)` }, ...lines, ...labels, ...dots, ...boxes),
    );
    this.element.classList.toggle('wide', width > WIDE);
    this.element.replaceChildren(grown(picture, width, height, 'Workflow graph'));
  }

  /** Show the state of a node; undefined means as before the run. */
  light(name: string, state: NodeState | undefined): void {
    const box = this.#nodes.get(name);
    if (!box) return;
    if (state) box.dataset.state = state;
    else delete box.dataset.state;
    const own = label(name, box.dataset.does || null);
    box.setAttribute('aria-label', state ? `${own}, ${STATES[state]}` : own);
  }

  clear(): void {
    for (const name of this.#nodes.keys()) this.light(name, undefined);
  }

  /** Highlight the selected node. */
  mark(name: string | undefined): void {
    for (const [other, box] of this.#nodes) {
      box.classList.toggle('selected', other === name);
      box.setAttribute('aria-pressed', String(other === name));
    }
  }
}

/** The left edge and the width of a layout with its margins. dagre's own leave out edges that have no label. */
function extent(graph: Graph, edges: { points: Point[] }[]): { left: number; width: number } {
  const { width = 0 } = graph.graph() as { width?: number };
  const bends = edges.flatMap(({ points }) => points.map(({ x }) => x));
  const left = Math.min(0, ...bends.map((x) => x - MARGIN));
  return { left, width: Math.max(width, ...bends.map((x) => x + MARGIN)) - left };
}

const short = (text: string): string => (text.length > 26 ? `${text.slice(0, 25)}…` : text);

/** The text in the box of a node. */
const label = (name: string, does: string | null): string => (does ? `${short(name)} ${does}` : short(name));
