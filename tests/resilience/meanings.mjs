// node tests/resilience/meanings.mjs [--seconds N] [--count N] [--seed N] [--native PATH]: random books of several modules,
// changed at random: imports, unimports, clauses of every spelling, changes by running code, failing queries, refused
// clauses, undo and redo. After each step the engine must hold what the book says, and after the last a new engine must
// answer as the one before did; so must native SWI-Prolog, if it is there, for books that mean the same to it. Facts are
// added in one text and one by one, and must be the same. A sequence that fails is shortened and printed, with its seed.
// The last line is `N passed, N failed`.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, parseArgs } from 'node:util';
import { Process } from '../support/process.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string' },
    native: { type: 'string' },
  },
});
const until = values.seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + 1000 * Number(values.seconds);
const count = values.count === undefined ? Number.POSITIVE_INFINITY : Number(values.count);
const first = values.seed === undefined ? Date.now() % 1e9 : Number(values.seed);

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

const MODULES = ['one', 'two', 'three'];
const FACTS = ['a', 'b', 'c'];
const RULES = ['r', 's', 'u'];

/** A call of a fact with the argument X, in one of the ways that Prolog has for it. */
function callOf(random, module) {
  const name = random.of(FACTS);
  const named = random.chance(0.5) ? name : `${random.of([...MODULES, 'user', module ?? 'one'])}:${name}`;
  return random.of([
    `${named}(X)`,
    `${named}(X)`,
    `call(${named}, X)`,
    `maplist(${named}, [X])`,
    `findall(Y, ${named}(Y), X)`,
    `once(${named}(X))`,
    `(G = ${named}, call(G, X))`,
    `(${name}(X), \\+ ${named}(99))`,
    `app(${named}, X)`,
    `one:app(${named}, X)`,
    `${random.of(MODULES)}:(${name}(X), ${named}(X))`,
    `forall(${named}(Y), integer(Y)), X = y`,
    `call([Z]>>(${named}(Z)), X)`,
    `(phrase(g, [X]) -> true ; X = none)`,
    `phrase(${random.of(MODULES)}:g, [X])`,
    `call_dcg(g, [X], [])`,
    `catch(${named}(X), _, X = caught)`,
    `context_module(X)`,
    `(X0 = 8, X is X0-1)`,
    `foldl([Y,Z0,Z]>>(${named}(Y), Z = Z0), [X], 0, _)`,
    `aggregate_all(count, ${named}(_), X)`,
    `clause(${named}(X), true)`,
    `(current_predicate(${name}/1) -> X = there ; X = missing)`,
    `X = _{k: 5}.k`,
  ]);
}

function clauseOf(random, module) {
  const at = random.chance(0.25) ? `${random.of([...MODULES, 'user'])}:` : '';
  const kind = random.below(12);
  if (kind < 6) return `${at}${random.of(FACTS)}(${random.below(10)}).`;
  if (kind < 9) return `${at}${random.of(RULES)}(X) :- ${callOf(random, module)}.`;
  if (kind === 9) return `${random.of(MODULES)}:(${random.of(RULES)}(X) :- ${callOf(random, module)}).`;
  return random.of([
    `${at}a(_{k:${random.below(9)}}.k).`,
    `g --> [${random.below(9)}].`,
    `${at}${random.of(FACTS)}(X) :- X = ${random.below(9)}.`,
    `${at}${random.of(FACTS)}(_) :- shell(x).`,
    `${random.of(RULES)}(X) :- shell(X).`,
    `app(G, X) :- call(G, X).`,
    `${at}k.`,
  ]);
}

const textOf = (random, module, most) =>
  Array.from({ length: 1 + random.below(most) }, () => clauseOf(random, module)).join('\n');

function fileOf(random) {
  const module = random.chance(0.85) ? random.of(MODULES) : undefined;
  const lines = [];
  if (module !== undefined) {
    const exports = [...FACTS.map((name) => `${name}/1`), ...RULES.map((name) => `${name}/1`), 'app/2', 'g//1'];
    lines.push(`:- module(${module}, [${exports.filter(() => random.chance(0.2)).join(', ')}]).`);
  }
  if (random.chance(0.25)) lines.push(':- meta_predicate app(1, ?).');
  if (random.chance(0.15))
    lines.push(`:- multifile ${random.of([random.of(FACTS), `${random.of(MODULES)}:${random.of(FACTS)}`])}/1.`);
  if (random.chance(0.2))
    lines.push(`:- dynamic ${random.of([random.of(FACTS), `${random.of(MODULES)}:${random.of(FACTS)}`])}/1.`);
  if (random.chance(0.4)) lines.push('app(G, X) :- call(G, X).');
  lines.push(textOf(random, module, 8));
  if (random.chance(0.1))
    lines.push(':- begin_tests(x).', 'test(p, true(a(_))).', 'test(q, true(a(_))).', ':- end_tests(x).');
  if (random.chance(0.1)) lines.push(':- op(700, xfx, ===>).', `c(X) :- X = (1 ===> ${random.below(9)}).`);
  return { file: `${module ?? 'flat'}${random.below(2)}.pl`, text: `${lines.join('\n')}\n` };
}

const goalOf = (random) => {
  const clause = () =>
    clauseOf(random)
      .replace(/\.$/, '')
      .replace(/^(.*:-.*)$/, '($1)')
      .replace(/^(.*-->.*)$/, '($1)');
  const head = () =>
    `${random.chance(0.5) ? `${random.of(MODULES)}:` : ''}${random.of(FACTS)}(${random.chance(0.5) ? '_' : random.below(10)})`;
  return random.of([
    () => `assertz(${clause()})`,
    () => `asserta(${clause()})`,
    () => `assertz(${clause()}), assertz(${clause()})`,
    () => `retract(${head()})`,
    () => `retractall(${head()})`,
    () => `assertz(${clause()}), fail`,
    () => `retract(${head()}), fail`,
    () => `catch(assertz(${random.of(MODULES)}:(${random.of(FACTS)}(_) :- shell(x))), _, true)`,
    () => `dynamic(${random.of(MODULES)}:${random.of(FACTS)}/1)`,
    () => `${random.of(MODULES)}:assertz(${random.of(FACTS)}(${random.below(10)}))`,
    () => `strip_module(${random.of(MODULES)}:x, _, _)`,
    () => `${random.of(MODULES)}:${random.of(RULES)}(_)`,
    () => 'with_output_to(string(_), listing)',
  ])();
};

function stepOf(random) {
  const kind = random.below(20);
  if (kind < 7) return { import: fileOf(random) };
  if (kind < 11) return { assert: textOf(random, undefined, 4) };
  if (kind < 15) return { query: goalOf(random) };
  if (kind < 16) return { retract: clauseOf(random) };
  if (kind < 17) return { unimport: `${random.of([...MODULES, 'flat'])}${random.below(2)}.pl` };
  if (kind < 18)
    return {
      assert: random.of([
        ':- multifile one:a/1.',
        ':- use_module(library(reif)).',
        'append(a,b,c).',
        ':- dynamic two:b/1.',
      ]),
    };
  if (kind < 19) return { undo: 1 + random.below(2) };
  return { redo: 1 };
}

const GOALS = [...MODULES, 'user'].flatMap((module) => [...FACTS, ...RULES].map((name) => `${module}:${name}`));
/** One goal that gives what all predicates answer, as one text. */
const EVERYTHING = `findall(P-R, (member(P, [${GOALS.join(',')}]), catch(findall(X, limit(20, call(P, X)), R), E, (E = error(F, _) -> functor(F, R, _) ; R = E))), L)`;

class Subject {
  process = new Process({ limits: { reply_tokens: 1e6 } });

  call = (name, args) => this.process.call(0, name, args);
  fresh = () => this.call('workspace', { operation: 'reset' });

  async take(step) {
    const { call } = this;
    if (step.import) return call('files', { operation: 'import', filename: step.import.file, text: step.import.text });
    if (step.unimport) return call('files', { operation: 'unimport', filename: step.unimport });
    if (step.assert) return call('clauses', { operation: 'assert', clauses: [step.assert] });
    if (step.retract) return call('clauses', { operation: 'retract', clauses: [step.retract] });
    if (step.query) return call('query_start', { query: step.query, take: 3 });
    return call('workspace', step.undo ? { operation: 'undo', steps: step.undo } : { operation: 'redo', steps: 1 });
  }

  async answers() {
    const reply = await this.call('query_start', { query: EVERYTHING, take: 1 });
    return reply.answers?.[0]?.L ?? JSON.stringify(reply.error);
  }

  end() {
    this.process.child.kill('SIGKILL');
  }
}

/** What is wrong after these steps, if anything. */
async function wrong(subject, steps) {
  await subject.fresh();
  for (const [at, step] of steps.entries()) {
    const reply = await subject.take(step);
    const text = JSON.stringify(reply) ?? '';
    if (/internal|crashed|engine is restarted|panic/i.test(text)) return `step ${at + 1}: ${text}`;
    const differences = await subject.process.differences();
    if (differences.length > 0) return `after step ${at + 1}: ${differences.join('; ')}`;
  }
  const before = await subject.answers();
  subject.process.endEngines();
  const after = await subject.answers();
  if (before !== after) return `answers differ in a new engine:\n  ${before}\n  ${after}`;
  const differences = await subject.process.differences();
  if (differences.length > 0) return `in a new engine: ${differences.join('; ')}`;
  return undefined;
}

/** The fewest steps that still fail. */
async function shortened(subject, steps) {
  let best = steps;
  for (let at = best.length - 1; at >= 0; at--) {
    const fewer = best.toSpliced(at, 1);
    if (await wrong(subject, fewer)) best = fewer;
  }
  for (const [at, step] of best.entries()) {
    const text = step.import?.text ?? step.assert;
    if (text === undefined) continue;
    let lines = text.split('\n');
    for (let line = lines.length - 1; line >= 0; line--) {
      const fewer = lines.toSpliced(line, 1);
      if (fewer.length === 0) continue;
      const changed = step.import
        ? { import: { ...step.import, text: fewer.join('\n') } }
        : { assert: fewer.join('\n') };
      const tried = best.with(at, changed);
      if (await wrong(subject, tried)) {
        best = tried;
        lines = fewer;
      }
    }
  }
  return best;
}

/** Facts in one text are added as one by one. */
async function factsWrong(subject, random) {
  const term = () =>
    random.of([
      () => String(random.below(100) - 50),
      () => `f(${random.below(9)}, "s")`,
      () => '_{a: 1}.a',
      () => `g([1, _{b: ${random.below(9)}}.b])`,
      () => 'X',
      () => `'${random.of(['a b', '', '[]', 'x'])}'`,
      () => '[1,2|T]',
      () => '_{a: 1}',
      () => "'$VAR'(1)",
      () => '(a :- b)',
      () => '{x}',
    ])();
  const facts = Array.from({ length: 2 + random.below(8) }, () => {
    const at = random.of(['', '', '', 'm:', 'user:', 'n:']);
    return random.chance(0.1) ? `${at}p.` : `${at}${random.of(['p', 'p', 'p', 'q', 'test'])}(${term()}).`;
  });
  const header = random.chance(0.5) ? ':- module(n, [q/1]).\n' : '';
  const seen = [];
  const goal =
    'findall(H-B, (member(M, [user,m,n]), member(N/A, [p/1,p/0,q/1,test/1]), functor(H0, N, A), H = M:H0, catch(clause(H, B), _, fail)), L)';
  await subject.fresh();
  await subject.call('files', { operation: 'import', filename: 'f.pl', text: header + facts.join('\n') });
  const together = await subject.call('query_start', { query: goal, take: 1 });
  await subject.fresh();
  // A directive between two facts ends what is read as one.
  await subject.call('files', {
    operation: 'import',
    filename: 'f.pl',
    text: header + facts.join('\n:- style_check(-singletons).\n'),
  });
  const apart = await subject.call('query_start', { query: goal, take: 1 });
  seen.push(JSON.stringify(together.answers ?? together), JSON.stringify(apart.answers ?? apart));
  return seen[0] === seen[1] ? undefined : `facts differ:\n${header}${facts.join('\n')}\n  ${seen.join('\n  ')}`;
}

/** Clauses that mean the same to SWI-Prolog: its modules are files, and no two files define the same flat predicate. */
function nativeFiles(random) {
  const flat = [...FACTS, ...RULES];
  const exports = new Map(MODULES.map((module) => [module, []]));
  exports.set('user', []);
  for (const name of flat) if (random.chance(0.6)) exports.get(random.of([...exports.keys()])).push(name);
  const apply = random.of(MODULES);
  const files = [];
  for (const [module, own] of exports) {
    const lines = [];
    if (module !== 'user') {
      const heads = own.map((name) => `${name}/1`);
      lines.push(`:- module(${module}, [${[...heads, ...(module === apply ? ['app/2'] : [])].join(', ')}]).`);
      if (module === apply && random.chance(0.5)) lines.push(':- meta_predicate app(1, ?).');
      if (module === apply) lines.push('app(G, X) :- call(G, X).');
    }
    // A private predicate may have any name; text of no module defines only what no module exports.
    const names = module === 'user' ? own : flat.filter((name) => own.includes(name) || random.chance(0.4));
    for (const name of names) {
      const many = own.includes(name) ? 1 + random.below(3) : 1 + random.below(2);
      for (let at = 0; at < many; at++) {
        if (FACTS.includes(name))
          lines.push(random.chance(0.1) ? `${name}(_{k:${random.below(9)}}.k).` : `${name}(${random.below(10)}).`);
        else lines.push(`${name}(X) :- ${nativeCall(random)}.`);
      }
    }
    files.push({ name: module === 'user' ? 'flat' : module, text: `${lines.join('\n')}\nfiller.\n` });
  }
  return files;
}

function nativeCall(random) {
  for (;;) {
    const call = callOf(random);
    if (!/context_module|clause|current_predicate|one:app|phrase|dcg/.test(call)) return call;
  }
}

async function nativeWrong(subject, random) {
  const files = nativeFiles(random);
  await subject.fresh();
  for (const { name, text } of files) await subject.take({ import: { file: `${name}.pl`, text } });
  const ours = await subject.answers();
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-meanings-'));
  for (const { name, text } of files) writeFileSync(join(folder, `${name}.pl`), text);
  const loads = files.map(({ name }) =>
    name === 'flat' ? `load_files(user:'flat.pl', [])` : `use_module('${name}.pl')`,
  );
  const goal = `style_check(-singleton), style_check(-discontiguous), ${loads.join(', ')}, ${EVERYTHING}, format("~q", [L])`;
  const { stdout } = await run(native, ['-q', '-f', 'none', '-g', goal, '-t', 'halt'], { cwd: folder }).catch(
    (error) => error,
  );
  rmSync(folder, { recursive: true });
  return ours === stdout
    ? undefined
    : `SWI-Prolog answers\n  ${stdout}\nand not\n  ${ours}\n${files.map(({ text }) => text).join('\n')}`;
}

let passed = 0;
let failed = 0;
async function work(take) {
  let subject = new Subject();
  for (let seed = take(); seed !== undefined; seed = take()) {
    const random = randomOf(seed);
    const steps = Array.from({ length: 3 + random.below(8) }, () => stepOf(random));
    try {
      const why =
        (await wrong(subject, steps)) ??
        (await factsWrong(subject, random)) ??
        (native && seed % 4 === 0 ? await nativeWrong(subject, random) : undefined);
      if (why === undefined) {
        passed += 1;
        continue;
      }
      const least = /^(facts|SWI)/.test(why) ? [] : await shortened(subject, steps);
      const last = least.length > 0 ? await wrong(subject, least) : why;
      console.log(
        `FAILED --seed ${seed} --count 1: ${last ?? why}\n${least.map((step) => `    ${JSON.stringify(step)}`).join('\n')}`,
      );
      failed += 1;
    } catch (error) {
      failed += 1;
      console.log(`FAILED --seed ${seed} --count 1: ${error.message}`);
      subject.end();
      subject = new Subject();
    }
  }
  subject.end();
}
const run = promisify(execFile);
const native = await run(values.native ?? 'swipl', ['--version']).then(
  () => values.native ?? 'swipl',
  () => undefined,
);
let next = 0;
const take = () => (next < count && Date.now() < until ? first + next++ : undefined);
await Promise.all([work(take)]);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
