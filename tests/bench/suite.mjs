// The cost of the sandbox and the book: programs as a query in Hornbook, compared with the same text in a plain instance.
// In programs/ are those of the textbooks, in everyday/ those that people write: they keep state in clauses, call goals
// that they are given, build text. Each has a `bench/0` that succeeds, any number of times. Both are measured side by
// side, after a warm-up round.
import { readFileSync, readdirSync } from 'node:fs';
import { plain } from './plain.mjs';
import { timed } from './queries.mjs';
import { server } from './server.mjs';

/** The facts that the indexing program searches. */
const FACTS = Array.from({ length: 100_000 }, (_, n) => `fact(${(n * 31) % 100_003}, ${n % 1000}, v${n % 7}).\n`).join(
  '',
);

export const suite = (rounds) => all('programs/', 1.15, 1.05, rounds);

export const everyday = (rounds) => all('everyday/', 1.5, 1.15, rounds);

/** The programs of a folder, the goal of each, and that of their geometric mean. */
async function all(folder, goal, goalOfMean, rounds) {
  const programs = new URL(folder, import.meta.url);
  const rows = [];
  const medians = [];
  for (const file of readdirSync(programs).sort()) {
    const name = file.replace('.pl', '');
    const values = await compare(readFileSync(new URL(file, programs), 'utf8'), name === 'index' ? FACTS : '', rounds);
    medians.push([...values].sort((a, b) => a - b)[values.length >> 1]);
    rows.push({ what: `${name}, to plain`, values, goal, unit: 'ratio' });
  }
  const mean = Math.exp(medians.reduce((sum, ratio) => sum + Math.log(ratio), 0) / medians.length);
  rows.push({ what: `geometric mean of these ${medians.length}`, values: [mean], goal: goalOfMean, unit: 'ratio' });
  return rows;
}

async function compare(program, facts, rounds) {
  const ours = await server('--timeout', '120000');
  await ours.call('files', { operation: 'import', filename: 'program.pl', text: program + facts });
  const { prolog, once } = await plain();
  // Facts that a program declares dynamic are dynamic in both.
  await prolog.load_string(program + facts, 'program.pl');
  const values = [];
  for (let round = -1; round < rounds; round += 1) {
    const plainTime = await timed(() => once('bench'));
    const ourTime = await timed(() => ours.call('query_start', { query: 'bench', take: 1 }));
    if (round >= 0) values.push(ourTime / plainTime);
  }
  await ours.close();
  return values;
}
