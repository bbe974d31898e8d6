// The cost of a query in Hornbook's engine, compared with the same goal in a plain instance.
import { NREV, plain } from './plain.mjs';
import { server } from './server.mjs';

const PROGRAM = `${NREV}
nrevs(N) :- range(1, 400, L), between(1, N, _), nrev(L, _), fail.
nrevs(_).
queens(N, Qs) :- range(1, N, Ns), place(Ns, [], Qs).
place([], Qs, Qs).
place(Unplaced, Safe, Qs) :- pick(Q, Unplaced, Rest), \\+ attack(Q, 1, Safe), place(Rest, [Q|Safe], Qs).
pick(X, [X|T], T).
pick(X, [H|T], [H|R]) :- pick(X, T, R).
attack(X, N, [Y|_]) :- X is Y+N.
attack(X, N, [Y|_]) :- X is Y-N.
attack(X, N, [_|T]) :- N1 is N+1, attack(X, N1, T).
all_queens(N) :- queens(N, _), fail.
all_queens(_).
`;
const GOALS = { nrev: 'nrevs(100)', queens: 'all_queens(8)', between: '(between(1, 1000000, _), fail ; true)' };

export async function queries(rounds) {
  const ours = await server('--timeout', '120000');
  const { prolog, once } = await plain();
  await prolog.load_string(PROGRAM, 'program.pl');
  await ours.call('clauses', { operation: 'assert', clauses: PROGRAM });
  const rows = [];
  for (const [name, goal] of Object.entries(GOALS)) {
    const values = [];
    for (let round = -1; round < rounds; round += 1) {
      const plainTime = await timed(() => once(goal));
      const ourTime = await timed(() => ours.call('query_start', { query: goal, take: 1 }));
      if (round >= 0) values.push(ourTime / plainTime); // the first round warms both up
    }
    rows.push({ what: `query of ${name}, to plain`, values, goal: 1.05, unit: 'ratio' });
  }
  await ours.close();
  return rows;
}

export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
