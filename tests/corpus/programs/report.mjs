// What run.mjs found, counted: `node tests/corpus/programs/report.mjs FOLDER NAME...` writes the table of docs/programs.md and
// prints each answer that differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verdict } from './verdict.mjs';

const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'programs.md');
const [folder, ...names] = process.argv.slice(2);

/** What `swipl` compiles programs to, and is no predicate of theirs. */
const INTERNAL = /^'?__aux_|___\d+_|^attr_(unify|portray)_hook|^exception\(/;

const rows = [];
/** A line of the table, with nothing counted yet. */
const rowOf = (name) => ({
  name,
  files: 0,
  queries: 0,
  late: 0,
  foreign: 0,
  beyond: 0,
  changing: 0,
  version: 0,
  fail: 0,
  differ: 0,
  alike: 0,
});
const all = rowOf('**all**');
for (const name of names) {
  const row = rowOf(name);
  for (const program of JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))) {
    if (!program.native || !program.loaded) {
      if (program.broken) console.log(`${name}/${program.file}: ${program.broken}`);
      continue;
    }
    const text = readFileSync(join(folder, name, program.file), 'utf8');
    row.files += 1;
    for (const each of program.outcomes) {
      if (INTERNAL.test(each.query)) continue;
      const found = verdict(each, program, text);
      row.queries += 1;
      row[found] += 1;
      if (found !== 'differ') continue;
      const { query, wanted, got } = each;
      console.log(
        `${name}/${program.file} ?- ${query.slice(0, 160)}\n  swipl    ${JSON.stringify(wanted).slice(0, 400)}\n  Hornbook ${JSON.stringify(got).slice(0, 500)}\n  loading  ${JSON.stringify(program.loaded.errors ?? []).slice(0, 300)}`,
      );
    }
  }
  for (const key of Object.keys(row)) if (key !== 'name') all[key] += row[key];
  rows.push(row);
}

const figures = [...rows, all].map(({ alike, differ, ...row }) => {
  const share = alike + differ === 0 ? '' : `${((100 * alike) / (alike + differ)).toFixed(1)} %`;
  return `| ${[...Object.values(row), alike + differ, alike, share].join(' | ')} |`;
});
const table = [
  '| programs | files | queries | out of time | not for `swipl` | files, threads … | change | version | fail in both | compared | alike | share |',
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
  ...figures,
].join('\n');
console.log(table);
const [before, rest] = readFileSync(page, 'utf8').split('<!-- figures -->\n');
writeFileSync(page, `${before}<!-- figures -->\n${table}\n<!-- end -->${rest.split('<!-- end -->')[1]}`);
