// The cost of a DML program in its engine, compared with the same clauses in a plain instance.
import { createDeepClause } from '../../pkg/dml.js';
import { NREV, plain } from './plain.mjs';

const PROGRAM = `${NREV}
nrevs(Count) :- range(1, 30, L), between(1, Count, I), nrev(L, _), I >= Count, !.
`;
const COUNT = 10_000;
/** CPU time in seconds, as counted by Prolog. */
const TIMED = `nrevs(100), statistics(cputime, T0), nrevs(${COUNT}), statistics(cputime, T1), T is T1-T0`;

export async function dml(rounds) {
  const { prolog, once } = await plain();
  await prolog.load_string(PROGRAM, 'nrev.pl');
  const deepClause = await createDeepClause();
  const values = [];
  for (let round = -1; round < rounds; round += 1) {
    const { T } = once(TIMED);
    let ours;
    for await (const event of deepClause.runDML(`${PROGRAM} agent_main :- ${TIMED}, answer(T).`)) {
      if (event.type === 'error') throw new Error(event.content);
      if (event.type === 'answer') ours = Number(event.content);
    }
    if (round >= 0) values.push(ours / T);
  }
  deepClause.close();
  return [{ what: 'nrev in a DML program, to plain', values, goal: 1.1, unit: 'ratio' }];
}
