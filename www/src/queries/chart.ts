/** `chart(Type, Data)` as a chart, by Chartist, which draws SVG. Loaded when there is one. */
import 'chartist/dist/index.css';
import '../styles/chart.css';
import { BarChart, LineChart, PieChart } from 'chartist';
import { h } from '../dom.ts';
import type { Chart } from './chart-data.ts';

const HEIGHT = '280px';

/** @param frame is in the page: the chart takes its width */
export function draw({ type, labels, values }: Chart, frame: HTMLElement): void {
  const data = { labels, series: [values] };
  const axes = { height: HEIGHT, axisX: { showGrid: false }, chartPadding: { top: 16, right: 16, bottom: 8, left: 8 } };
  if (type === 'line') new LineChart(frame, data, { ...axes, fullWidth: true, lineSmooth: false, showArea: false });
  else if (type === 'scatter') new LineChart(frame, data, { ...axes, fullWidth: true, showLine: false });
  else if (type === 'bar') new BarChart(frame, data, axes);
  else
    new PieChart(
      frame,
      { labels, series: values },
      { height: HEIGHT, chartPadding: 24, labelDirection: 'explode', labelOffset: 72 },
    );
}

/** The same for those who do not see it. */
export function described({ labels, values }: Chart): HTMLElement {
  return h(
    'table',
    { class: 'unseen' },
    h(
      'tbody',
      {},
      ...labels.map((label, index) => h('tr', {}, h('th', { scope: 'row' }, label), h('td', {}, values[index]!))),
    ),
  );
}
