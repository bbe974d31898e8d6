// The cost of each operation on books of 1,000 to 900,000 clauses in a file, and how soon another engine answers after
// one has died.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timed } from './queries.mjs';
import { server } from './server.mjs';

const SIZES = [1_000, 10_000, 100_000, 900_000];
/** Calls of each kind per round. */
const CALLS = 20;
/** Clauses per file of the book: an import is a single message. */
const FILE = 100_000;

/** The goals, in microseconds on a book of 100,000 clauses, for the operations that have one. */
const GOALS = { undo: 5_000, redo: 5_000, snapshot: 50_000 };
/** By the number of clauses in a book whose engine dies: how soon the next one should answer, in milliseconds. */
const RECOVERIES = { 0: 60, 10000: 150, 100000: 500 };

export async function growth(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-bench-'));
  const times = Math.min(rounds, 3);
  const costs = new Map();
  for (const size of SIZES) {
    const ours = await filled(size, '--book', join(folder, `${size}.book`), '--engines', '1');
    costs.set(size, await measured(ours, size, times));
    await ours.close();
  }
  const rows = [];
  for (const kind of costs.get(SIZES[0]).keys()) {
    for (const size of SIZES) {
      const goal = size === 100_000 ? GOALS[kind] : undefined;
      const of = `${kind}, of ${size.toLocaleString('en')} clauses`;
      rows.push({ what: of, values: costs.get(size).get(kind), goal, unit: 'µs' });
    }
    const ratios = costs
      .get(SIZES.at(-1))
      .get(kind)
      .map((cost, round) => cost / costs.get(SIZES[0]).get(kind)[round]);
    rows.push({ what: '  the last to the first', values: ratios, goal: 1.5, unit: 'ratio' });
  }
  for (const [size, goal] of Object.entries(RECOVERIES)) {
    const [first, ...values] = await recoveries(Number(size), times);
    const clauses = `${Number(size).toLocaleString('en')} clauses`;
    rows.push(
      { what: `first answer after an engine's death, ${clauses}`, values, goal, unit: 'ms' },
      { what: `  after the first death of a process`, values: [first], unit: 'ms' },
    );
  }
  rmSync(folder, { recursive: true });
  return rows;
}

/** `double/3` makes an atom too large for the engine, which dies of it. */
const RULES = `
:- dynamic edge/3.
far(X, N) :- edge(X, _, N), N > 1.
double(A, 0, A) :- !.
double(A, N, R) :- atom_concat(A, A, B), M is N-1, double(B, M, R).
`;

const fact = (n) => `edge(n${n % 1000}, m${(n * 7) % 1000}, ${n}).`;

/** A server with this many facts and a rule. */
async function filled(size, ...options) {
  const ours = await server(...options);
  for (let from = 0; from < size; from += FILE) {
    const facts = Array.from({ length: Math.min(FILE, size - from) }, (_, at) => fact(from + at));
    await ours.call('files', { operation: 'import', filename: `facts${from}.pl`, text: `${facts.join('\n')}\n` });
  }
  await ours.call('clauses', { operation: 'assert', clauses: RULES });
  return ours;
}

/** The median of each kind of call in microseconds, per round. */
async function measured(ours, size, rounds) {
  let turn = 1;
  // A different one each time, from the whole book.
  const some = () => (turn++ * 619 + 2) % size;
  const kinds = {
    assert: () => ['clauses', { operation: 'assert', clauses: `new(${turn++}).` }],
    undo: () => ['workspace', { operation: 'undo' }],
    redo: () => ['workspace', { operation: 'redo' }],
    retract: () => ['clauses', { operation: 'retract', clauses: fact(some()) }],
    query: () => ['query_start', { query: `edge(X, Y, ${some()})`, take: 1 }],
    'search of a symbol': () => ['workspace', { operation: 'list_symbols', of: 'far' }],
    snapshot: () => ['workspace', { operation: 'snapshot' }],
    history: () => ['workspace', { operation: 'history' }],
    why: () => ['workspace', { operation: 'why', of: `far(_, ${some()})` }],
  };
  const costs = new Map(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = -1; round < rounds; round += 1) {
    const calls = new Map(Object.keys(kinds).map((kind) => [kind, []]));
    // In turn, so that each undo has an assert to undo, and each redo that undo.
    for (let call = 0; call < CALLS; call += 1) {
      for (const [kind, call] of Object.entries(kinds)) {
        const [tool, args] = call();
        calls.get(kind).push(1000 * (await timed(() => ours.call(tool, args))));
      }
    }
    if (round < 0) continue;
    for (const [kind, times] of calls) costs.get(kind).push(times.sort((a, b) => a - b)[times.length >> 1]);
  }
  return costs;
}

/** Milliseconds from each death of an engine to the next answer. After a process's first, no engine is on standby. */
async function recoveries(size, rounds) {
  const ours = await filled(size, '--engines', '1');
  const values = [];
  for (let round = -1; round < rounds; round += 1) {
    // Give the standby engine time to start.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await ours.call('query_start', { query: 'double(abcdefghij, 40, _)', take: 1 }).catch(() => {});
    const value = await timed(() => ours.call('query_start', { query: 'X = 1', take: 1 }));
    values.push(value);
  }
  await ours.close();
  return values;
}
