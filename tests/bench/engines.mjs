// Two concurrent queries on one book: how much faster both are answered with two engines than with one.
import { timed } from './queries.mjs';
import { server } from './server.mjs';

/** About a second of work, and one answer. */
const WORK = 'between(1, 3000000, X), X >= 3000000';

export async function engines(rounds) {
  const work = (ours) => ours.call('query_start', { query: WORK, take: 1 });
  const together = (ours) => () => Promise.all([work(ours), work(ours)]);
  const [one, two] = [await server('--engines', '1'), await server('--engines', '2')];
  const values = [];
  for (let round = -2; round < rounds; round += 1) {
    const [alone, beside] = [await timed(together(one)), await timed(together(two))];
    if (round >= 0) values.push(alone / beside);
  }
  await one.close();
  await two.close();
  return [
    { what: 'two engines against one, two independent queries', values, goal: 1.7, unit: 'ratio', atLeast: true },
  ];
}
