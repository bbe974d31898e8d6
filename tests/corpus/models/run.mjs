// Programs that models wrote, and stories as rules, in Hornbook and in the native swipl: `node tests/corpus/models/run.mjs
// FOLDER`, where FOLDER has copies of the repositories Logic-LLM and PARARULE-Plus. Writes the figures into
// docs/models.md, prints each kind of message with an example, and what differs from swipl.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, solution } from '../../node/harness.mjs';
import { logicLm } from './logic_lm.mjs';
import { pararule } from './pararule.mjs';

const here = import.meta.dirname;
const page = join(here, '..', '..', '..', 'docs', 'models.md');
const folder = process.argv[2];
const sets = folder ? [...logicLm(join(folder, 'Logic-LLM')), ...pararule(join(folder, 'PARARULE-Plus'))] : [];
if (sets.length === 0) {
  console.log(
    'usage: node tests/corpus/models/run.mjs FOLDER, with copies of the repositories Logic-LLM and PARARULE-Plus',
  );
  process.exit(2);
}

/** What swipl says of each program. */
function native(programs) {
  const input = programs.map(({ text, queries }) =>
    JSON.stringify({ text, queries: queries.map(({ query }) => query) }),
  );
  const run = spawnSync('swipl', [join(here, 'native.pl')], {
    input: `${input.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(`swipl: ${run.error?.message ?? run.stderr.slice(0, 2000)}`);
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const server = await Server.start();

/** What Hornbook says of a program. */
async function held({ text, queries }) {
  await server.reset();
  const { data } = await server.call('clauses', { operation: 'assert', clauses: text });
  const outcomes = [];
  for (const { query } of queries) {
    const { data } = await server.call('query_start', { query, take: 100, timeout_ms: 5000 });
    const { answers = [], variables, error, hint } = data;
    outcomes.push(
      error
        ? { error: `${error.message} ${error.next}` }
        : { answers: answers.map((each) => solution(each, variables)), hint },
    );
  }
  return { failures: data.failures ?? [], warnings: data.warnings ?? [], outcomes };
}

/** The kind of a message: without what it says of the program at hand. */
const kind = (message) =>
  message
    .replaceAll(/`[^`]*`/g, '`…`')
    .replaceAll(/\b\w+\/\d+/g, 'p/n')
    .replaceAll(/\d+/g, 'N')
    .replaceAll(/\b[a-z]\w*\([^)]*\)/g, 'p(…)');

const kinds = new Map();
function count(message, where, program) {
  const found = kinds.get(kind(message)) ?? { count: 0, where, example: message, program };
  found.count += 1;
  kinds.set(kind(message), found);
}

const same = ({ answers, error }, other) =>
  error || other.error
    ? Boolean(error) === Boolean(other.error)
    : [...answers].sort().join('\n') === [...other.answers].sort().join('\n');

const rows = [];
for (const { data, model, programs } of sets) {
  const theirs = native(programs);
  const row = {
    data,
    model,
    programs: programs.length,
    clean: 0,
    warned: 0,
    failed: 0,
    asked: 0,
    right: 0,
    swipl: 0,
    differ: 0,
  };
  for (const [index, program] of programs.entries()) {
    const { failures, warnings, outcomes } = await held(program);
    const stopped = failures.length > 0 || outcomes.some(({ error }) => error);
    row[stopped ? 'failed' : warnings.length > 0 ? 'warned' : 'clean'] += 1;
    const where = `${data} ${model} ${program.id}`;
    for (const { message, clause } of failures) count(`error: ${message}`, where, clause);
    for (const warning of warnings) count(`warning: ${warning}`, where);
    for (const [at, { query, gold, verdict }] of program.queries.entries()) {
      const ours = outcomes[at];
      const other = theirs[index].outcomes[at];
      if (ours.error) count(`query: ${ours.error}`, where, query);
      if (ours.hint) count(`hint: ${ours.hint}`, where, query);
      row.asked += 1;
      if (!ours.error && verdict(ours.answers) === gold) row.right += 1;
      if (!other.error && verdict(other.answers) === gold) row.swipl += 1;
      if (!same(ours, other)) {
        row.differ += 1;
        console.log(
          `differs: ${where} ${query}\n  Hornbook ${JSON.stringify(ours)}\n  swipl    ${JSON.stringify(other)}`,
        );
      }
    }
  }
  rows.push(row);
  console.log(JSON.stringify(row));
}
await server.close();

for (const [name, { count, where, example, program }] of [...kinds].sort(([, a], [, b]) => b.count - a.count)) {
  console.log(`\n${count} × ${name}\n  ${where}: ${example}${program ? `\n  of ${program}` : ''}`);
}

const table = [
  '| data | programs of | programs | run as they are | run with a warning | do not run | questions | right | right in `swipl` | answers that differ |',
  '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|',
  ...rows.map((row) => `| ${Object.values(row).join(' | ')} |`),
].join('\n');
const [before, rest] = readFileSync(page, 'utf8').split('<!-- figures -->\n');
const after = rest.split('<!-- end -->')[1];
writeFileSync(page, `${before}<!-- figures -->\n${table}\n<!-- end -->${after}`);
