/** Charts, drawn as SVG by Chartist. Loaded when first needed. */
import 'chartist/dist/index.css';
import '../styles/chart.css';
import { BarChart, LineChart, PieChart } from 'chartist';
import { h } from '../dom.ts';
import type { Chart } from './chart-data.ts';

const HEIGHT = '280px';
/** The width of the scale and the space around the chart, in pixels. */
const AXIS = 80;

/** @param frame must be in the page: the chart takes its width */
export function draw({ type, labels, series }: Chart, frame: HTMLElement): void {
  const data = { labels, series: series.map(({ values }) => values) };
  const axes = { height: HEIGHT, axisX: { showGrid: false }, chartPadding: { top: 16, right: 16, bottom: 8, left: 8 } };
  if (type === 'line') new LineChart(frame, data, { ...axes, fullWidth: true, lineSmooth: false, showArea: false });
  else if (type === 'scatter') new LineChart(frame, data, { ...axes, fullWidth: true, showLine: false });
  else if (type === 'bar') {
    // As wide as there is room.
    const room = Math.max(frame.clientWidth - AXIS, 0) / labels.length;
    const width = Math.min(Math.max((room * 0.7) / series.length, 4), 72);
    frame.style.setProperty('--bar', `${width}px`);
    new BarChart(frame, data, { ...axes, seriesBarDistance: width + 2 });
  }
  if (type === 'pie')
    new PieChart(
      frame,
      {
        labels: labels.map((label, at) => `${label}: ${series[0]!.values[at]}`),
        series: series[0]!.values as number[],
      },
      { height: HEIGHT, chartPadding: 24, labelDirection: 'explode', labelOffset: 72 },
    );
}

/** The names of several series, in their colours. */
export function legend({ series }: Chart): HTMLElement | null {
  if (series.length < 2) return null;
  const names = series.map(({ name }, index) =>
    h('li', { class: `ct-series-${String.fromCharCode(97 + index)}` }, name),
  );
  return h('ul', { class: 'chart-legend', 'aria-hidden': 'true' }, ...names);
}

/** The same data as a table, for people who do not see the chart. */
export function described({ labels, series }: Chart): HTMLElement {
  const head = h('tr', {}, h('td'), ...series.map(({ name }) => h('th', { scope: 'col' }, name)));
  return h(
    'table',
    { class: 'unseen' },
    series.length > 1 && h('thead', {}, head),
    h(
      'tbody',
      {},
      ...labels.map((label, index) =>
        h('tr', {}, h('th', { scope: 'row' }, label), ...series.map(({ values }) => h('td', {}, values[index] ?? ''))),
      ),
    ),
  );
}
