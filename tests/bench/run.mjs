// npm run bench: Hornbook beside plain swipl-wasm driven by hand, in one run. Every figure is a ratio or a rate with
// its median and its spread over the rounds; `--rounds N` (5) and `--only NAME` choose.
import { parseArgs } from 'node:util';
import { dml } from './dml.mjs';
import { first } from './first.mjs';
import { graph } from './graph.mjs';
import { memory } from './memory.mjs';
import { queries } from './queries.mjs';
import { rates } from './rates.mjs';
import { imports, starts } from './whole.mjs';
import { workflow } from './workflow.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, only: { type: 'string' } } });
const rounds = Number(values.rounds);
const parts = { first, queries, dml, starts, imports, rates, memory, graph, workflow };
const chosen = values.only ? { [values.only]: parts[values.only] } : parts;
if (Object.values(chosen).includes(undefined)) {
  console.error(`There is no part ${values.only}; the parts are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}

const columns = ['what', 'median', 'spread', 'goal', ''];
const rows = [];
for (const [name, part] of Object.entries(chosen)) {
  console.error(`bench: ${name}`);
  for (const { what, values: measured, goal, unit, atLeast } of await part(rounds)) {
    const sorted = [...measured].sort((a, b) => a - b);
    const median = sorted[sorted.length >> 1];
    const row = [what, shown(median, unit), `${shown(sorted[0], unit)} to ${shown(sorted.at(-1), unit)}`, '', ''];
    if (goal !== undefined) {
      const reached = atLeast ? median >= goal : median <= goal;
      row.splice(3, 2, `${atLeast ? 'at least' : 'at most'} ${shown(goal, unit)}`, reached ? 'reached' : 'missed');
    }
    rows.push(row);
  }
}
const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => row[i].length)));
for (const row of [columns, ...rows])
  console.log(
    row
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd(),
  );

function shown(value, unit) {
  if (unit === 'ratio') return value.toFixed(2);
  if (unit === 'MB') return `${value.toFixed(1)} MB`;
  return `${Math.round(value).toLocaleString('en')} ${unit}`;
}
