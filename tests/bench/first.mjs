// The first query of a fresh process, which is what an agent meets. With 16 million inferences it is long enough to
// show whether the JavaScript engine keeps running the code that it compiled first.
import { timed } from './queries.mjs';
import { server } from './server.mjs';

/** A program whose `long/0` takes this many million inferences. */
export const LONG = `
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []).
nrev([H|T], R) :- nrev(T, R1), app(R1, [H], R).
long :- numlist(1, 400, L), between(1, 200, _), nrev(L, _), fail.
long.`;
export const MILLIONS = (200 * 80_601) / 1e6;

export async function first(rounds) {
  const rates = [];
  const ratios = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await server();
    await ours.call('clauses', { operation: 'assert', clauses: [LONG] });
    const ask = () => timed(() => ours.call('query_start', { query: 'long', take: 1, timeout_ms: 60_000 }));
    const begun = await ask();
    const warm = await ask();
    await ours.close();
    rates.push((MILLIONS / begun) * 1e3);
    ratios.push(begun / warm);
  }
  return [
    { what: 'first query of a fresh process, 16 M inferences', values: rates, unit: 'M inferences/s' },
    { what: 'that query, to the same asked again', values: ratios, goal: 1.2, unit: 'ratio' },
  ];
}
