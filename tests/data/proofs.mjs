// Builds proofs from what the tables say, and checks them.
import { sorted } from './evaluator.mjs';

/** Prove `tuple`, down to facts; the number of its steps. Throws if a step is missing or goes in circles. */
export async function proved(evaluator, database, facts, { goal }, tuple) {
  if (goal === null) return 0;
  const ask = async (request) => {
    const { query } = await evaluator.ask({ tuple: request });
    const [row] = await database.rows(query);
    if (!row) throw new Error(`no proof of ${JSON.stringify(request)}`);
    return row.map(({ integer }) => Number(integer));
  };
  const known = new Map(facts.map(({ name, arity, tuples }) => [`${name}/${arity}`, new Set(sorted(tuples))]));
  const done = new Set();
  const prove = async (predicate, tuple, round, rule) => {
    const key = JSON.stringify([predicate, tuple]);
    if (done.has(key) || done.size > 40) return;
    done.add(key);
    const { step } = await evaluator.ask({ premises: { predicate, tuple, round, rule } });
    if (!step) throw new Error(`no step for ${key}`);
    const rows = await database.rows(step.query);
    if (rows.length === 0) throw new Error(`no premises for ${key}: ${step.query.statement.sql}`);
    for (const row of step.is_group ? rows : rows.slice(0, 1)) {
      for (const { holds } of step.premises) {
        if (!holds) continue;
        const premise = holds.arguments.map(({ constant, column }) => constant ?? row[column]);
        if (!holds.derived) {
          if (!known.get(holds.predicate).has(sorted([premise])[0])) {
            throw new Error(`${holds.predicate} does not have ${JSON.stringify(premise)}`);
          }
          continue;
        }
        const [below, by] = [holds.derived.round, holds.derived.rule].map((column) => Number(row[column].integer));
        if (below >= round) throw new Error(`round ${below} is not below ${round}`);
        await prove(holds.derived.predicate, premise, below, by);
      }
    }
  };
  const [round, rule] = await ask({ predicate: goal, tuple });
  await prove(goal, tuple, round, rule);
  return done.size;
}
