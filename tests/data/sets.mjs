// node tests/data/sets.mjs [--count N] [--seed N] [--postgres] [--times]: random programs, evaluated as sets on a data
// engine, by definition, and, without aggregates, by SWI-Prolog's tabling. All must have the same answers, and each
// answer that is asked a proof. `--times` measures instead. First: cargo build -p hornbook-data --example fixpoint
import { parseArgs } from 'node:util';
import { Postgres } from '../support/postgres.mjs';
import { DuckDb, Evaluator, PostgresDb, sorted } from './evaluator.mjs';
import { randomProgram } from './programs.mjs';
import { Tabling } from './tabling.mjs';
import { proved } from './proofs.mjs';
import { times } from './times.mjs';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
  },
});

const evaluator = new Evaluator();
const server = values.postgres ? await Postgres.start() : undefined;
const database = server ? await PostgresDb.open(server.url) : await DuckDb.open();
const tabling = new Tabling();
const counts = {
  equal: 0,
  refused: 0,
  stopped: 0,
  'divided by zero or beyond 64 bits': 0,
  'with answers': 0,
  'of several rounds': 0,
  answers: 0,
  proofs: 0,
  statements: 0,
};
const reasons = new Map();
const failures = [];

async function compare(seed) {
  const { program, goal, facts, hasAggregate } = randomProgram(seed);
  for (const { name, relation } of program.predicates) {
    if (relation) await database.make(relation, facts.find((fact) => fact.name === name).tuples);
  }
  try {
    for (const proofs of [false, true]) {
      const result = await evaluator.evaluate(database, program, goal, {
        proofs,
        limits: { rounds: 60, rows: 20_000 },
      });
      if (result.refused) {
        const isLimit = /after 60 rounds|more than 20000 tuples/.test(result.refused);
        counts[isLimit ? 'stopped' : 'refused'] += 1;
        const reason = result.refused
          .replace(/^.*?: /, '')
          .replace(/\b[A-Z]\d\b|`[^`]*`/g, '…')
          .slice(0, 60);
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        return;
      }
      const oracle = await evaluator.ask({ oracle: { program, goal, facts } });
      if (oracle.error) {
        counts.stopped += 1;
        await result.clear();
        return;
      }
      const got = sorted(result.answers);
      const expected = sorted(oracle.answers);
      if (got.join() !== expected.join()) {
        failures.push(seed);
        console.log(`seed ${seed}, proofs ${proofs}:\n${oracle.text.join('\n')}`);
        console.log('facts', JSON.stringify(facts), '\ngoal', JSON.stringify(goal));
        console.log('engine', got, '\noracle', expected, `\n${result.log.join('\n')}`);
        return;
      }
      if (proofs) {
        for (const tuple of result.answers.slice(0, 3)) {
          counts.proofs += await proved(evaluator, database, facts, result, tuple);
        }
      } else if (!hasAggregate) {
        tabling.add(seed, program, goal, facts, oracle);
      }
      counts.statements += result.log.length;
      await result.clear();
      if (proofs) continue;
      counts.answers += got.length;
      counts['with answers'] += got.length > 0 ? 1 : 0;
      counts['of several rounds'] += result.log.some((sql) => / round = |\.round = /.test(sql)) ? 1 : 0;
    }
    counts.equal += 1;
  } catch (error) {
    if (/NOT NULL|not-null|Out of Range|out of range|Could not convert string|Overflow/.test(error.message)) {
      counts['divided by zero or beyond 64 bits'] += 1;
      return;
    }
    // The signal may have ended the example, too.
    if (isStopped) return;
    failures.push(seed);
    console.log(`seed ${seed}: ${error.stack}`);
  } finally {
    await database.clear();
  }
}

// What was compared until then is worth knowing, too. A second signal ends at once.
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));

try {
  if (values.times) {
    await times(evaluator, database);
  } else {
    const first = Number(values.seed);
    const isDone = () => isStopped || counts.equal >= Number(values.count) || failures.length >= 3;
    for (let seed = first; !isDone(); seed += 1) await compare(seed);
    console.log(counts, Object.fromEntries(reasons));
    const tabled = await tabling.compare();
    console.log(`SWI-Prolog: ${tabled.equal} equal, ${tabled.raised} raised an error, ${tabled.differ.length} differ`);
    for (const line of tabled.differ.slice(0, 5)) console.log(line);
    if (failures.length > 0 || tabled.differ.length > 0) process.exitCode = 1;
  }
} finally {
  evaluator.close();
  await database.close();
  await server?.stop();
}
