// node tests/resilience/changes.mjs [--count N] [--seed N]: random programs that change clauses, a few times or some
// thousand: asserts at both ends, of facts and rules, retracts that may stay open meanwhile and over pages, failures, exceptions, cuts, nested queries. Each is asked of a
// book and of plain swipl-wasm. Afterwards the clauses must be the same in both, in their order, the book must have what its
// engine has, and the reply must tell the net changes. Then it is undone, or a new engine reads the book: the clauses are
// as before. Prints the seed of a program that fails. The last line is `N passed, N failed`.
import { parseArgs } from 'node:util';
import { plain } from '../bench/plain.mjs';
import { Process } from '../support/process.mjs';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});

/** Random numbers from a seed: mulberry32. */
function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n) => Math.floor(next() * n);
  return { chance: (p) => next() < p, below, of: (list) => list[below(list.length)] };
}

/** A fact or a rule; X is the number of the round. */
function clause(random) {
  const name = random.of(['a', 'a', 'b', 'c']);
  const argument = () =>
    random.of(['X', 'X', '1', 'k', "'Two words'", 'f(X)', '"text"', '[X,y]', '2.5', '-3', '_', 'g(_, Z, Z)', '(:-)']);
  if (name !== 'c') return random.chance(0.06) ? `(${name}(${argument()}) :- X > 0, true)` : `${name}(${argument()})`;
  return `c(${argument()}, ${argument()})`;
}

const pattern = (random) =>
  random.of(['a(_)', 'a(X)', 'b(_)', 'a(f(_))', 'c(_, _)', 'c(X, _)', 'c(_, X)', '(a(_) :- true)', '(b(_) :- _)']);

/** A goal that changes something, in the round X. */
function change(random, depth) {
  const inner = () => change(random, depth - 1);
  const simple = [
    () => `assertz(${clause(random)})`,
    () => `assertz(${clause(random)})`,
    () => `asserta(${clause(random)})`,
    () => `ignore(retract(${pattern(random)}))`,
    () => `ignore(retract(${pattern(random)}))`,
    () => `(retract(${pattern(random)}), fail ; true)`,
    () => `(retract(${pattern(random)}), fail ; true)`,
    () => `retractall(${random.of(['a(_)', 'b(X)', 'c(X, _)', 'c(_, k)', 'a(f(_))'])})`,
    () => `( b(1) -> true ; assertz(b(1)) )`,
  ];
  if (depth === 0) return random.of(simple)();
  return random.of([
    () => `(${inner()}, ${inner()})`,
    () => `(${inner()}, ${inner()})`,
    () => `ignore((${inner()}, fail))`,
    () => `catch((${inner()}, throw(ball)), ball, true)`,
    () => `catch((${inner()}, throw(other)), ball, true)`,
    () => `once((${inner()} ; ${inner()}))`,
    () => `\\+ \\+ ${inner()}`,
    () => `forall(member(Y, [1, 2]), (X0 = Y, ${inner().replaceAll('X', 'X0')}))`,
    () => `findall(Y, (member(Y, [1, 2]), ${inner()}), _)`,
    () => `( a(Y), integer(Y), ${inner()}, Y > 3 -> true ; true )`,
    () => `( X mod ${2 + random.below(5)} =:= 0 -> ${inner()} ; true )`,
    () => `aggregate_all(count, a(_), _)`,
  ])();
}

/** A retract that stays open while a rule comes, or what it has not yet reached goes. */
function openRetract(random) {
  const [fact, all] = random.of([
    ['a(V)', 'a(_)'],
    ['b(V)', 'b(_)'],
    ['c(V, _)', 'c(_, _)'],
  ]);
  const meanwhile = random.of([
    () => `assertz((${all} :- true))`,
    () => `asserta((${fact} :- V == 1))`,
    () => `assertz(${clause(random)})`,
    () => `retractall(${all})`,
    () => `retractall(${fact})`,
    () => change(random, 1),
  ])();
  return `(retract(${fact}), ${random.chance(0.5) ? `( integer(V), V mod 7 =:= 0 -> ${meanwhile} ; true )` : meanwhile})`;
}

/** Changes of a predicate that are as many as make the engine note them in another way. */
const warm = (random) => {
  const fact = random.of(['a(w)', 'b(w)', 'c(w, 1)']);
  return `forall(between(1, ${61 + random.below(40)}, _), (assertz(${fact}), retract(${fact})))`;
};

/** Steps. Each is a goal with one answer, or with `answers`, of which so many are read, `take` a page. */
function programOf(random) {
  const steps = [];
  if (random.chance(0.4)) steps.push({ goal: warm(random) });
  if (random.chance(0.4)) {
    const goal = `between(1, ${random.of([1, 3, 9])}, X), catch(${openRetract(random)}, other, true)`;
    steps.push({ goal, take: random.of([1, 2, 7]), answers: random.of([2, 5, 30]) });
  }
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const rounds = random.of([1, 5, 40, 200, 400]);
    const goal = random.chance(0.2) ? `(${openRetract(random)}, fail ; true)` : change(random, 1 + random.below(3));
    steps.push({ goal: `forall(between(1, ${rounds}, X), catch((${goal}), other, true))` });
  }
  return steps;
}

const LIST =
  "findall(T, ( member(H, [a(_), b(_), c(_, _)]), clause(H, B), copy_term(H-B, C), numbervars(C, 0, _), format(string(T), '~k', [C]) ), Ts), atomic_list_concat(Ts, '; ', All)";

const native = await plain();
const server = new Process({ limits: { reply_tokens: 1e8, answer_chars: 1e8, take: 100 } });

/** The clauses in a book's engine, in order, as text. */
const listed = async () => {
  const { answers, error } = await server.call(0, 'query_start', { query: `projection([All]), ${LIST}`, take: 1 });
  if (error) throw new Error(error.message);
  return plainly(answers[0].All);
};

/** Ask the book what a step says: an error, or how many clauses more it is told that there are, and whether any changed. */
async function asked({ goal, take = 1, answers = 1 }) {
  let net = 0;
  let changed = false;
  let reply = await server.call(0, 'query_start', { query: goal, take: Math.min(take, answers), timeout_ms: 60_000 });
  for (let left = answers; ; ) {
    if (reply.error) return { error: reply.error };
    net += (reply.changes?.added ?? 0) - (reply.changes?.removed ?? 0);
    changed ||= reply.changes !== undefined;
    left -= reply.answers.length;
    if (!reply.more || answers === 1) return { net, changed };
    if (left === 0) break;
    reply = await server.call(0, 'query_next', { query_id: reply.query_id, take: Math.min(take, left) });
  }
  await server.call(0, 'query_close', { query_id: reply.query_id });
  return { net, changed };
}

/** Inferences of plain SWI-Prolog after which a program is left out: one that doubles its clauses at each round has no end. */
const LARGEST = 1_000_000;

const DECLARED = 'dynamic([a/1, b/1, c/2])';

/** Facts that the book has by the hundred, mostly none: how a change is noted depends on how many clauses there are. */
function many(random) {
  const count = random.of([0, 0, 100, 700]);
  const fact = random.of([(n) => `a(${n})`, (n) => `c(${n}, ${random.of(['k', 'f(k)', 'n'])})`]);
  return Array.from({ length: count }, (_, n) => fact(n));
}

/** Why the program fails, undefined if it does not, or null if it is too large to be compared. */
async function flaw(steps, random) {
  native.once('retractall(a(_)), retractall(b(_)), retractall(c(_, _))');
  await server.call(0, 'workspace', { operation: 'reset' });
  const facts = ['a(0)', 'b(0)', 'a(9)', ...many(random)];
  await server.call(0, 'clauses', {
    operation: 'assert',
    clauses: [':- dynamic([a/1, b/1, c/2]).', ...facts.map((fact) => `${fact}.`)],
  });
  for (const fact of facts) native.once(`assertz(${fact})`);
  for (const [at, step] of steps.entries()) {
    const before = await listed();
    const goal = step.answers ? `forall(limit(${step.answers}, (${step.goal})), true)` : step.goal;
    const { Limit: within } = native.once(`call_with_inference_limit(${goal}, ${LARGEST}, Limit)`);
    if (String(within) === 'inference_limit_exceeded') return null;
    const { All: wanted } = native.once(LIST);
    const { error, net, changed } = await asked(step);
    if (error) return `step ${at}: ${error.message}`;
    const got = await listed();
    if (got !== String(wanted)) return `step ${at}: the clauses are ${got}, and natively ${wanted}`;
    const differences = await server.differences();
    if (differences.length > 0) return `step ${at}: ${differences[0]}`;
    const count = (text) => (text === '' ? 0 : text.split('; ').length);
    if (net !== count(got) - count(before))
      return `step ${at}: ${net} clauses more are told, and there are ${count(got)} after ${count(before)}`;
    if (changed && !step.answers && random.chance(0.3)) {
      await server.call(0, 'workspace', { operation: 'undo' });
      const undone = await listed();
      if (undone !== before) return `step ${at}: after undo the clauses are ${undone}, and were ${before}`;
      await server.call(0, 'workspace', { operation: 'redo' });
    }
    if (random.chance(0.1)) server.endEngines();
    if ((await listed()) !== got) return `step ${at}: a new engine has other clauses: ${await listed()}`;
  }
  return undefined;
}

/** An answer's quoted atom, as the text that it stands for. */
const plainly = (text) =>
  text.startsWith("'") && text.endsWith("'")
    ? text.slice(1, -1).replaceAll(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char))
    : text;

native.once(DECLARED);
const first = Number(values.seed);
let failed = 0;
let large = 0;
for (let n = 0; n < Number(values.count); n += 1) {
  const random = randomOf(first + n);
  const steps = programOf(random);
  const why = await flaw(steps, random).catch((error) => error.message);
  if (why === null) large += 1;
  if (why) {
    failed += 1;
    console.log(
      `FAILED --seed ${first + n} --count 1: ${why.slice(0, 600)}\n    ${steps.map((step) => JSON.stringify(step)).join('\n    ')}`,
    );
  }
}
await server.end();
if (large > 0) console.log(`${large} programs grow too large to be compared`);
console.log(`${Number(values.count) - large - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
