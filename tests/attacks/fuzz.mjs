// node tests/attacks/fuzz.mjs [--seconds N] [--seed N]: goals from the grammar of control constructs, meta-predicates,
// closures and lambdas over the names of every predicate in the engine. A goal that the sandbox passes and that then
// reaches a refused predicate (instrument.pl) is a failure. Goals that change clauses are asked of a server: after each a
// query is answered, and engine and book agree. Prints the seed; the same seed makes the same goals.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { freshEngine, prologSources } from '../../scripts/build.mjs';
import { CHANGES, ODD } from '../support/odd.mjs';
import { Process } from '../support/process.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, seed: { type: 'string' } } });
const SECONDS = Number(values.seconds);
const SEED = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
/** A query that takes longer is ended with its engine, in ms. */
const PATIENCE = 20_000;

/** Mulberry32: a number in [0, 1). */
let state = SEED;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const below = (n) => Math.floor(random() * n);
const pick = (list) => list[below(list.length)];

async function spawn() {
  const sources = prologSources();
  sources['instrument.pl'] = readFileSync(new URL('instrument.pl', import.meta.url), 'utf8');
  sources['hornbook.pl'] += ':- use_module(instrument).\n';
  let log = '';
  const engine = await freshEngine((text) => (log += text), sources);
  if (/warning|error/i.test(log)) throw new Error(`the instrumented engine loads with warnings:\n${log}`);
  await engine.request('boot([unknown(error)])');
  return engine;
}

/** The reply, or undefined when the engine died or hung; it is gone then. */
async function ask(engine, request) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => {
      engine.end();
      resolve(undefined);
    }, PATIENCE);
  });
  try {
    const reply = await Promise.race([engine.request(request), late]);
    // It no longer vouches for what it holds: the conductor ends it.
    return /^.{16}died /.test(reply) ? undefined : reply;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** What follows the line that the conductor obeys. */
const partsOf = (reply) =>
  reply
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line));

const string = (text) => `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;

/* The grammar. A leaf is `{ module, name, arity }`, its name quoted. */
let leaves;
let targets;
const leaf = () => (random() < 0.75 ? pick(targets) : pick(leaves));
const argument = () => (random() < 0.8 ? 'zz_mark' : pick(['_', 'V', '[zz_mark]', 'f(zz_mark)', '"zz_mark"', '1']));
const commas = (n, make = argument) => Array.from({ length: n }, make).join(',');
const term = ({ name }, n) => (n > 0 ? `${name}(${commas(n)})` : name);

/** A leaf as a goal, with a module or without. */
function call() {
  const l = leaf();
  const goal = term(l, l.arity);
  const r = random();
  if (r < 0.6) return goal;
  if (r < 0.7) return `${l.module}:${goal}`;
  if (r < 0.8) return `${pick(['user', 'knowledge_base', 'lists', 'system', 'apply', 'M'])}:${goal}`;
  if (r < 0.85) return `user:knowledge_base:${l.module}:${goal}`;
  if (r < 0.9) return `'@'(${goal},${pick(['user', 'system', 'knowledge_base'])})`;
  return `(M=${l.module},M:${goal})`;
}

/** A term that becomes a goal when n arguments are added. */
function closure(n, depth) {
  const r = random();
  if (r < 0.2 && depth > 0) {
    const given = below(n + 1);
    const parameters = `[${commas(given, () => pick(['_', 'P', 'zz_mark']))}]`;
    const body = given === n ? goal(depth - 1) : closure(n - given, depth - 1);
    return `(${pick(['', '', '{V}/', '{}/'])}${parameters}>>(${body}))`;
  }
  if (r < 0.25 && depth > 0) return `{V}/(${closure(n, depth - 1)})`;
  if (r < 0.35) return `user:(${closure(n, Math.max(depth - 1, 0))})`;
  if (r < 0.45)
    return pick(['call', 'apply', 'call(call)', 'once', 'ignore', 'findall(_)', 'forall(true)', 'maplist(call)']);
  const wide = targets.filter((l) => l.arity >= n);
  const l = wide.length > 0 && random() < 0.9 ? pick(wide) : leaf();
  const given = Math.max(0, l.arity - n);
  const partial = term(l, given);
  return random() < 0.15 ? `${l.module}:${partial}` : partial;
}

/** Goals built when the code runs. */
const built = [
  (d) => `(G=(${goal(d)}),G)`,
  (d) => `(G=(${goal(d)}),call(G))`,
  (d) => `(G=(${goal(d)}),findall(x,G,_))`,
  (d) => `(G=(${goal(d)}),H=(true,G),H)`,
  (d) => `(C=(${closure(1, d)}),maplist(C,[zz_mark]))`,
  (d) => `(C=(${closure(2, d)}),call(C,zz_mark,zz_mark))`,
  (d) => `(C=(${closure(3, d)}),foldl(C,[zz_mark],zz_mark,_))`,
  () => {
    const l = leaf();
    return `(G=..[${[l.name, ...Array.from({ length: l.arity }, argument)].join(',')}],G)`;
  },
  () => {
    const l = leaf();
    return `(compound_name_arguments(G,${l.name},[${commas(l.arity)}]),call(G))`;
  },
  () => {
    const l = leaf();
    return `apply(${l.name},[${commas(l.arity)}])`;
  },
  () => {
    const l = leaf();
    return `call(${[l.name, ...Array.from({ length: l.arity }, argument)].join(',')})`;
  },
  (d) => `(term_to_atom(T,${quoted(goal(d))}),call(T))`,
  (d) => `(term_string(T,${string(goal(d))}),call(T))`,
  (d) => `(assertz((zz_p:-${goal(d)})),zz_p)`,
  (d) => `(assertz((zz_p(X):-X)),zz_p((${goal(d)})))`,
  (d) => `(nb_setval(k,(${goal(d)})),nb_getval(k,G),G)`,
  () => {
    const l = leaf();
    return `(T=${term(l, l.arity)},setarg(1,T,zz_mark),T)`;
  },
  () => `call(${[...Array(below(8)).fill('call'), call()].join(',')})`,
  () => {
    const l = leaf();
    const calls = Math.max(1, 7 - l.arity + below(3));
    return `call(${[...Array(calls).fill('call'), l.name, ...Array.from({ length: l.arity }, argument)].join(',')})`;
  },
];

const metas = [
  (d) => `(${goal(d)},${goal(d)})`,
  (d) => `(${goal(d)};${goal(d)})`,
  (d) => `(${goal(d)}->${goal(d)};${goal(d)})`,
  (d) => `(${goal(d)}*->${goal(d)};${goal(d)})`,
  (d) => `(fail;${goal(d)})`,
  (d) => `'|'(fail,${goal(d)})`,
  (d) => `\\+ (${goal(d)})`,
  (d) => `not((${goal(d)}))`,
  (d) => `once((${goal(d)}))`,
  (d) => `ignore((${goal(d)}))`,
  (d) => `(zz_undefined;${goal(d)})`,
  (d) => `call((${goal(d)}))`,
  (d) => `forall(true,(${goal(d)}))`,
  (d) => `forall((${goal(d)}),true)`,
  (d) => `findall(x,(${goal(d)}),_)`,
  (d) => `findall(x,(${goal(d)}),_,_)`,
  (d) => `bagof(x,V^(${goal(d)}),_)`,
  (d) => `setof(x,(${goal(d)}),_)`,
  (d) => `aggregate_all(count,(${goal(d)}),_)`,
  (d) => `aggregate_all(max(X),(${goal(d)}),_)`,
  (d) => `aggregate(count,X^(${goal(d)}),_)`,
  (d) => `catch((${goal(d)}),_,true)`,
  (d) => `catch(throw(a),_,(${goal(d)}))`,
  (d) => `catch_with_backtrace((${goal(d)}),_,true)`,
  (d) => `setup_call_cleanup(true,true,(${goal(d)}))`,
  (d) => `setup_call_cleanup((${goal(d)}),true,true)`,
  (d) => `call_cleanup(fail,(${goal(d)}))`,
  (d) => `call_with_inference_limit((${goal(d)}),1000,_)`,
  (d) => `with_output_to(string(_),(${goal(d)}))`,
  (d) => `format("~@",[(${goal(d)})])`,
  (d) => `format("~-1@",[(${goal(d)})])`,
  (d) => `format("~*:@",[1,(${goal(d)})])`,
  (d) => `format(atom(_),"~w ~\`x@",[a,(${goal(d)})])`,
  (d) => `print_message(error,format("~@",[(${goal(d)})]))`,
  (d) => `(freeze(F,(${goal(d)})),F=1)`,
  (d) => `(when(nonvar(F),(${goal(d)})),F=1)`,
  (d) => `(dif(F,a),freeze(F,(${goal(d)})),F=b)`,
  (d) => `call_residue_vars((${goal(d)}),_)`,
  (d) => `assertion((${goal(d)}))`,
  (d) => `time((${goal(d)}))`,
  (d) => `limit(1,(${goal(d)}))`,
  (d) => `order_by([asc(X)],(${goal(d)}))`,
  (d) => `distinct(X,(${goal(d)}))`,
  (d) => `call_nth((${goal(d)}),1)`,
  (d) => `foreach(member(X,[1]),(${goal(d)}))`,
  (d) => `foldall(${closure(2, d)},member(X,[1]),zz_mark,_)`,
  (d) => `phrase((${grammar(d)}),[zz_mark])`,
  (d) => `phrase((${grammar(d)}),[zz_mark],_)`,
  (d) => `call_dcg((${grammar(d)}),zz_mark,zz_mark)`,
  (d) => `phrase(sequence(${closure(3, d)},_),[zz_mark],_)`,
  (d) => `phrase(foreach((${goal(d)}),[]),[],_)`,
  (d) => `maplist(${closure(1, d)},[zz_mark])`,
  (d) => `maplist(${closure(2, d)},[zz_mark],[zz_mark])`,
  (d) => `maplist(${closure(3, d)},[zz_mark],[zz_mark],[zz_mark])`,
  (d) => `foldl(${closure(3, d)},[zz_mark],zz_mark,_)`,
  (d) => `include(${closure(1, d)},[zz_mark],_)`,
  (d) => `exclude(${closure(1, d)},[zz_mark],_)`,
  (d) => `partition(${closure(1, d)},[zz_mark],_,_)`,
  (d) => `convlist(${closure(2, d)},[zz_mark],_)`,
  (d) => `predsort(${closure(3, d)},[zz_mark,b],_)`,
  (d) => `call(${closure(1, d)},zz_mark)`,
  (d) => `call(${closure(2, d)},zz_mark,zz_mark)`,
  (d) => `call(${closure(3, d)},zz_mark,zz_mark,zz_mark)`,
  (d) => `map_list_to_pairs(${closure(2, d)},[zz_mark],_)`,
  (d) => `mapargs(${closure(2, d)},f(zz_mark),_)`,
  (d) => `foldsubterms(${closure(3, d)},f(zz_mark),zz_mark,_)`,
  (d) => `max_member(${closure(2, d)},_,[zz_mark,zz_mark])`,
  (d) => `(list_to_assoc([k-zz_mark],A),map_assoc(${closure(1, d)},A))`,
  (d) => `(rb_new(k,zz_mark,R),rb_map(${closure(1, d)},R))`,
  (d) => `mapdict(${closure(2, d)},_{k:zz_mark})`,
  (d) => `X=zz_mark.put(k,(${goal(d)}))`,
  (d) => `[zz_mark]>>(${goal(d)})`,
  (d) => `call([_]>>(${goal(d)}),zz_mark)`,
  (d) => `{V}/(${goal(d)})`,
  (d) => `tnot((${goal(d)}))`,
  (d) => `not_exists((${goal(d)}))`,
];

const grammar = (depth) =>
  pick([
    () => `{${goal(depth)}}`,
    () => `call(${closure(2, depth)})`,
    () => `\\+ {${goal(depth)}}`,
    () => `([zz_mark],{${goal(depth)}})`,
    () => `({${goal(depth)}}->[];[zz_mark])`,
    () => closure(2, depth),
    () => `call(${closure(3, depth)},zz_mark)`,
  ])();

function goal(depth) {
  if (depth <= 0 || random() < 0.1) return call();
  return (random() < 0.3 ? pick(built) : pick(metas))(depth - 1);
}

/** A goal that changes clauses, heads of any name and arity among them, and may be cut off or taken back. */
function change(depth) {
  if (depth > 0) {
    return pick([
      () => `(${change(depth - 1)},${change(depth - 1)})`,
      () => `(${change(depth - 1)};${change(depth - 1)})`,
      () => `catch((${change(depth - 1)}),_,true)`,
      () => `call_with_inference_limit((${change(depth - 1)}),${1 + below(400)},_)`,
      () => `ignore((${change(depth - 1)}))`,
      () => `\\+ (${change(depth - 1)})`,
      () => `forall(between(1,${1 + below(5)},X),(${change(depth - 1)}))`,
      () => `(${change(depth - 1)},fail)`,
      () => `(${change(depth - 1)},throw(zz))`,
      () => `setup_call_cleanup(true,(${change(depth - 1)}),(${change(depth - 1)}))`,
      () => `findall(X,(${change(depth - 1)}),_)`,
      () => `(freeze(F,(${change(depth - 1)})),F=1)`,
    ])();
  }
  const { name, arity } = random() < 0.6 ? { name: pick(['zz_a', 'zz_b', 'zz_c']), arity: below(4) } : leaf();
  const head = term({ name }, random() < 0.7 ? arity : below(9));
  const odd = `zz_odd(${pick(ODD)})`;
  return pick([
    () => `assertz(${head})`,
    () => `asserta(${head})`,
    () => `assertz((${head}:-${change(0)}))`,
    () => `assertz((${head}:-${goal(1)}))`,
    () => `retract(${head})`,
    () => `retract((${head}:-_))`,
    () => `retractall(${head})`,
    () => `abolish(${name}/${arity})`,
    () => `dynamic(${name}/${arity})`,
    () => `clause(${head},_)`,
    () => head,
    () => `assertz(${odd})`,
    () => `asserta((zz_p(V):-${odd},V))`,
    () => `retract(${odd})`,
    () => pick(CHANGES),
  ])();
}

/** Why engine and book may not agree after this goal, or undefined. */
async function disagreement(text) {
  await server.call(0, 'query_start', { query: text, take: 1 + below(3), timeout_ms: 500 });
  const { answers, error } = await server.call(0, 'query_start', { query: 'true', take: 1 });
  if (answers?.length !== 1) return `true is not answered: ${error?.message}`;
  const differences = await server.differences();
  if (differences.length > 0 || counts.changes % 50 === 0) await server.call(0, 'workspace', { operation: 'reset' });
  return differences.length > 0 ? `engine and book do not agree: ${differences.slice(0, 3).join('; ')}` : undefined;
}

const quoted = (text) => `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;

let engine = await spawn();
const listed = partsOf(await engine.request('predicates'))[0];
leaves = listed
  .split('\n')
  .map((line) => /^p\((.+?),(.+),(\d+)\)$/s.exec(line))
  .filter(Boolean)
  .map(([, module, name, arity]) => ({
    module,
    name: /^[a-z]\w*$|^'.*'$/s.test(name) ? name : `(${name})`.replace(/^\((.*)\)$/s, '$1'),
    arity: Number(arity),
  }))
  .map((l) => ({
    ...l,
    name: /^\w|^'/.test(l.name) ? l.name : `'${l.name.replace(/^\(|\)$/g, '').replace(/[\\']/g, '\\$&')}'`,
  }))
  .filter(({ arity }) => arity <= 9);
const refused = new Set(partsOf(await engine.request('boot([])'))[3]);
targets = leaves.filter(
  ({ module, name, arity }) =>
    /^(system|'\$.*)$/.test(module) && !refused.has(`${name.replace(/^'|'$/g, '')}/${arity}`),
);

console.log(`seed ${SEED}, ${leaves.length} predicates, ${targets.length} refused`);
const server = new Process({});
const counts = { goals: 0, changes: 0, refused: 0, ran: 0, unread: 0, deaths: 0 };
const found = [];
const end = Date.now() + SECONDS * 1000;
while (Date.now() < end) {
  const text = goal(1 + below(3));
  counts.goals += 1;
  const reply = await ask(engine, `query(1,${string(text)},3,0.2,1000,-1000)`);
  const told = reply === undefined ? undefined : await ask(engine, 'reached');
  const reached = told === undefined ? undefined : partsOf(told)[0];
  if (reached === undefined) {
    counts.deaths += 1;
    if (process.env.SHOW) console.log(`died: ${text}`);
    engine.end();
    engine = await spawn();
    continue;
  }
  const error = partsOf(reply).find((part) => part.kind !== undefined);
  if (error?.kind === 'syntax_error') {
    counts.unread += 1;
    if (process.env.SHOW) console.log(`unread: ${text} ${error.message}`);
  } else if (error?.kind === 'unsafe_goal') counts.refused += 1;
  else counts.ran += 1;
  if (reached !== '') {
    found.push(text);
    console.log(`FAILED reached ${reached.replaceAll('\n', ', ')}: ${text}`);
  }
  if (counts.goals % 50 === 0) {
    await ask(engine, 'reset');
    await ask(engine, 'reached');
  }
  if (counts.goals % 4 === 0) {
    counts.changes += 1;
    const changing = change(below(3));
    const why = await disagreement(changing);
    if (why) {
      found.push(changing);
      console.log(`FAILED ${why}: ${changing}`);
    }
  }
}
engine.end();
await server.end();
console.log(
  `${counts.goals} goals: ${counts.refused} refused, ${counts.ran} ran, ${counts.unread} unread, ${counts.deaths} ended their engine; ${counts.changes} that change clauses`,
);
console.log(`${counts.goals + counts.changes - found.length} passed, ${found.length} failed`);
process.exit(found.length === 0 ? 0 : 1);
