// npm run runs: a thousand runs of DML on one object leave nothing behind. `-- N` for another number.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';

const RUNS = Number(process.argv[2] ?? 1000);
const PROGRAM = 'agent_main(N) :- numlist(1, 1000, L), assertz(kept(L)), task("Name {N}.", V), answer(V).';

const files = () => readdirSync(tmpdir()).length;
const mib = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`;

const dml = await createDeepClause();
const before = files();
const started = performance.now();
const complaints = [];
let quarter;
for (let n = 1; n <= RUNS; n += 1) {
  const model = scriptedModel([
    {
      calls: [
        { tool: 'set_result', args: { variable: 'V', value: `v${n}` } },
        { tool: 'finish', args: { success: true } },
      ],
    },
  ]);
  const said = [];
  for await (const event of dml.runDML(PROGRAM, { args: [n], model })) {
    if (event.type === 'answer' || event.type === 'error') said.push(event.content);
  }
  if (said.join() !== `v${n}`) complaints.push(`run ${n} said ${said.join()}`);
  if (n === Math.ceil(RUNS / 4)) quarter = process.memoryUsage.rss();
  if (n % 100 === 0) console.error(`… ${n} runs`);
}
const end = process.memoryUsage.rss();
dml.close();
console.log(
  `${RUNS} runs, ${Math.round((performance.now() - started) / RUNS)} ms each; ${mib(quarter)} after a quarter of them, ${mib(end)} at the end`,
);
if (files() > before) complaints.push(`${files() - before} files were left in ${tmpdir()}`);
// Allows for chance in the garbage collectors of two machines.
if (end > 1.1 * quarter + 2 ** 24) complaints.push('memory has grown');
for (const complaint of complaints) console.log(`FAILED ${complaint}`);
process.exit(complaints.length === 0 ? 0 : 1);
