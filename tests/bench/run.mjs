// npm run bench: Hornbook compared with plain swipl-wasm, in one run. Every figure is a ratio or a rate, with its
// median and spread over the rounds. Options: `--rounds N` (default 5) and `--only NAME`. A full run writes
// docs/performance.md.
import { cpus, release, totalmem, type } from 'node:os';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildPage } from '../../scripts/build.mjs';
import { setup } from '../../scripts/setup.mjs';
import { constraints } from './constraints.mjs';
import { dml } from './dml.mjs';
import { engines } from './engines.mjs';
import { first } from './first.mjs';
import { following } from './following.mjs';
import { graph } from './graph.mjs';
import { growth } from './growth.mjs';
import { lanes } from './lanes.mjs';
import { links } from './links.mjs';
import { memory } from './memory.mjs';
import { opening } from './opening.mjs';
import { page } from './page.mjs';
import { queries } from './queries.mjs';
import { rates } from './rates.mjs';
import { review } from './review.mjs';
import { rivals } from './rivals.mjs';
import { imports, starts } from './whole.mjs';
import { everyday, suite } from './suite.mjs';
import { visit } from './visit.mjs';
import { web } from './web.mjs';
import { workflow } from './workflow.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, only: { type: 'string' } } });
const rounds = Number(values.rounds);
const parts = {
  first,
  queries,
  engines,
  lanes,
  suite,
  everyday,
  rivals,
  dml,
  starts,
  imports,
  rates,
  growth,
  memory,
  graph,
  links,
  following,
  constraints,
  review,
  opening,
  workflow,
  web,
  page,
  visit,
};
const chosen = values.only ? { [values.only]: parts[values.only] } : parts;
if (Object.values(chosen).includes(undefined)) {
  console.error(`There is no part ${values.only}; the parts are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}

/** The heading of each part in the document. */
const HEADINGS = {
  first: 'The first query of a fresh process',
  queries: 'Queries, to the same goal in plain swipl-wasm',
  engines: 'Engines of one book',
  lanes: 'Lookups beside six clients that each have a query of 1.5 s, over and over, with two engines',
  suite: 'Classical programs, to the same as static code in plain swipl-wasm',
  everyday: 'Everyday programs, to the same in plain swipl-wasm',
  rivals: 'The same beside other Prologs',
  dml: 'Programs that ask models',
  starts: 'Start',
  imports: 'Import',
  rates: 'Over stdio',
  growth: 'Growth with the book, and the end of an engine',
  memory: 'Memory of the process',
  graph: 'What agents remember, beside server-memory',
  links: 'Rules over data that stays where it is, in DuckDB',
  following: 'One served book, several hands',
  constraints: 'Constraints and watched goals',
  review: 'Drafts, over a book of 100,000 clauses',
  opening: 'A long book that servers share',
  workflow: 'Workflows',
  web: 'A page of your own, in Chromium',
  page: 'The playground',
  visit: 'A first visit to the playground, over 4 Mbit/s',
};

// Measure the current sources, including the page.
await buildPage(await setup());

const columns = ['what', 'median', 'spread', 'goal', ''];
const sections = [];
for (const [name, part] of Object.entries(chosen)) {
  console.error(`bench: ${name}`);
  const rows = [];
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
  print(rows);
  sections.push({ heading: HEADINGS[name], rows });
}
if (!values.only) writeFileSync(new URL('../../docs/performance.md', import.meta.url), performanceOf(sections));

function print(rows) {
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => row[i].length)));
  const lines = [columns, ...rows].map((row) => row.map((cell, i) => cell.padEnd(widths[i])).join('  '));
  for (const line of lines) console.log(line.trimEnd());
}

function shown(value, unit) {
  if (unit === 'ratio') return value.toFixed(2);
  if (unit === 'MB') return `${value.toFixed(1)} MB`;
  return `${Math.round(value).toLocaleString('en')} ${unit}`;
}

/** The text of docs/performance.md: the results, the machine, and how to measure again. */
function performanceOf(sections) {
  const { version } = JSON.parse(readFileSync(new URL('../../node_modules/swipl-wasm/package.json', import.meta.url)));
  const [{ model }] = cpus();
  const machine = `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`;
  const tables = sections.map(({ heading, rows }) => {
    const lines = rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    return `## ${heading}\n\n| ${columns.join(' | ')} |\n|---|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `# How fast

Written by \`npm run bench\`, which measures each pair side by side in one run, ${rounds} rounds: the median, and the least and the most.
A ratio is of times: 1.00 is as fast as what it is compared with, less is faster.

- Machine: ${machine}
- Node ${process.version}, swipl-wasm ${version}
- ${new Date().toISOString().slice(0, 10)}

${tables.join('\n')}`;
}
