/**
 * The pictures available for answers besides the table and text: selected by what fits, by hand, or by `:-
 * use_rendering(...)`.
 */
import { h, sentence } from '../dom.ts';
import { chartOfTable, chartsIn, timelinesIn, type Chart, type Timeline } from './chart-data.ts';
import { Edges, graph } from './graph.ts';
import { grids, gridsIn, isBoard, type Grid } from './grid.ts';
import type { Answer } from './query.ts';
import { isDeep, trees, treesIn, type TermTree } from './tree.ts';

export const PICTURES = ['board', 'chart', 'timeline', 'tree', 'graph'] as const;
export type PictureName = (typeof PICTURES)[number];

export const PICTURE_LABELS: Record<PictureName, string> = {
  board: 'Board',
  chart: 'Chart',
  timeline: 'Timeline',
  tree: 'Tree',
  graph: 'Graph',
};

/** SWISH's names for them. */
const RENDERINGS: Record<string, PictureName> = {
  chess: 'board',
  sudoku: 'board',
  table: 'board',
  tiles: 'board',
  c3: 'chart',
  chart: 'chart',
  timeline: 'timeline',
  svgtree: 'tree',
  tree: 'tree',
  graphviz: 'graph',
  graph: 'graph',
};

/** The pictures requested by `:- use_rendering(NAME)` in the texts. */
export function renderingsIn(texts: string[]): PictureName[] {
  return texts
    .flatMap((text) => [...text.matchAll(/^[ \t]*:-\s*use_rendering\(\s*(\w+)/gm)])
    .flatMap(([, name]) => (Object.hasOwn(RENDERINGS, name!) ? [RENDERINGS[name!]!] : []));
}

/** The maximum number of charts drawn at once. */
const CHARTS = 6;

/** The pictures of the answers seen so far. */
export class Pictures {
  #count = 0;
  #grids: Grid[] = [];
  #trees: TermTree[] = [];
  #charts: Chart[] = [];
  #timelines: Timeline[] = [];
  #edges = new Edges();
  /** The answers as one chart. */
  #whole: Chart | undefined;

  /** Look at further answers. */
  take(answers: readonly Answer[]): void {
    if (this.#count < answers.length) this.#whole = chartOfTable(answers);
    for (; this.#count < answers.length; this.#count += 1) {
      const answer = answers[this.#count]!;
      const number = this.#count + 1;
      this.#grids.push(...gridsIn(answer, number));
      this.#charts.push(...chartsIn(answer, number));
      this.#timelines.push(...timelinesIn(answer, number));
      this.#trees.push(...treesIn(answer, number));
      this.#edges.take(answer);
    }
  }

  get possible(): PictureName[] {
    const are: Record<PictureName, boolean> = {
      board: this.#grids.length > 0,
      chart: this.#charts.length > 0 || this.#whole !== undefined,
      timeline: this.#timelines.length > 0,
      tree: this.#charts.length === 0 && this.#trees.length > 0,
      graph: this.#edges.areGraph,
    };
    return PICTURES.filter((name) => are[name]);
  }

  /** The picture that suits the answers better than text, if any. */
  get fitting(): PictureName | undefined {
    if (this.#grids.some(isBoard)) return 'board';
    if (this.#charts.length > 0) return 'chart';
    if (this.#timelines.length > 0) return 'timeline';
    return undefined;
  }

  /** Whether there are nested terms. */
  get areDeep(): boolean {
    return this.#trees.some(isDeep);
  }

  draw(name: PictureName): HTMLElement {
    switch (name) {
      case 'board':
        return grids(this.#grids, this.#count);
      case 'tree':
        return trees(this.#trees, this.#count);
      case 'graph':
        return graph(this.#edges.all);
      case 'chart':
        return this.#charts.length === 0 && this.#whole
          ? h('div', { class: 'charts' }, chart(this.#whole))
          : this.#several(this.#charts, chart);
      case 'timeline':
        return this.#several(this.#timelines, (one) => late(async () => (await import('./timeline.ts')).timeline(one)));
    }
  }

  #several<T extends { name: string; number: number }>(all: T[], draw: (one: T) => HTMLElement): HTMLElement {
    const shown = all
      .slice(0, CHARTS)
      .map((one) =>
        h(
          'div',
          {},
          draw(one),
          h('p', { class: 'note' }, this.#count > 1 ? `${one.name}, answer ${one.number}` : one.name),
        ),
      );
    const more =
      all.length > CHARTS ? h('p', { class: 'note' }, `The first ${CHARTS} of ${all.length}; the table has all.`) : '';
    return h('div', { class: 'charts' }, ...shown, more);
  }
}

function chart(data: Chart): HTMLElement {
  const frame = h('div', { class: 'chart', 'aria-hidden': 'true' });
  return late(async () => {
    const { described, draw, legend } = await import('./chart.ts');
    // Draw once it is in the page, since the chart takes its width.
    requestAnimationFrame(() => draw(data, frame));
    return h('div', { role: 'group', 'aria-label': `A chart of ${data.name}` }, frame, legend(data), described(data));
  });
}

/** A placeholder that is replaced by the result of `make`. */
function late(make: () => Promise<HTMLElement>): HTMLElement {
  const frame = h('div', {}, h('p', { class: 'note' }, 'Drawing…'));
  make().then(
    (element) => frame.replaceChildren(element),
    (error: unknown) =>
      frame.replaceChildren(h('p', { class: 'fault' }, `The picture could not be drawn: ${sentence(error)}`)),
  );
  return frame;
}
