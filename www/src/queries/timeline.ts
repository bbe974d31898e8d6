/** Spans of time, as bars along a scale. */
import { h, svg } from '../dom.ts';
import type { Timeline } from './chart-data.ts';
import { zoomable } from './zoom.ts';

const WIDTH = 640;
/** The heights of a bar with its gap and of the scale, and the width of the names on the left, in pixels. */
const ROW = 32;
const SCALE = 28;
const NAMES = 130;

export function timeline({ name, spans }: Timeline): HTMLElement {
  const least = Math.min(...spans.map(({ from }) => from));
  const most = Math.max(...spans.map(({ to }) => to));
  const scale = (WIDTH - NAMES - 16) / Math.max(most - least, Number.EPSILON);
  const x = (at: number) => NAMES + (at - least) * scale;
  const height = spans.length * ROW + SCALE;
  const marks = ticks(least, most).map((at) =>
    svg(
      'g',
      { class: 'tick' },
      svg('line', { x1: x(at), x2: x(at), y1: 0, y2: height - SCALE }),
      svg('text', { x: x(at), y: height - 8, 'text-anchor': 'middle' }, String(at)),
    ),
  );
  const bars = spans.map(({ label, from, to }, row) => {
    const y = row * ROW;
    return svg(
      'g',
      { class: 'span' },
      svg(
        'text',
        { x: NAMES - 10, y: y + 20, 'text-anchor': 'end' },
        label.length > 15 ? `${label.slice(0, 14)}…` : label,
      ),
      svg('rect', { x: x(from), y: y + 6, width: Math.max(3, x(to) - x(from)), height: ROW - 10, rx: 6 }),
      svg('title', {}, `${label}: ${from} to ${to}`),
    );
  });
  const told = spans.map(({ label, from, to }) => `${label} ${from} to ${to}`).join(', ');
  const picture = svg(
    'svg',
    { class: 'graph timeline', role: 'img', 'aria-label': `A timeline: ${told}` },
    ...marks,
    ...bars,
  );
  return h('figure', { class: 'graph-frame' }, zoomable(picture, WIDTH, height, `Timeline of ${name}`));
}

/** About eight round numbers. */
function ticks(least: number, most: number): number[] {
  const rough = Math.max(most - least, Number.EPSILON) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? rough;
  const all: number[] = [];
  for (let at = Math.ceil(least / step) * step; at <= most; at += step) all.push(Number(at.toPrecision(12)));
  return all;
}
