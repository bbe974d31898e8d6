// node tests/attacks/hostile.mjs [--rounds N] [--seed N] [--only NAME/ARITY]: each predicate that the sandbox allows is
// called with values that C might take for a size, a count, an address, a handle, a state or a format. A trap of the
// wasm is a failure, and so are an engine that dies, an answer with the address of something, and clauses that are no
// longer as they were. Prints the seed; the same seed makes the same goals.
import { parseArgs } from 'node:util';
import { Hornbook, NodeHost, loadCrate } from '../../pkg/node.js';
import { Server } from '../node/harness.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const ROUNDS = Number(values.rounds);
const SEED = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
/** How many calls of one predicate are one query. */
const TOGETHER = 24;
/** For one query, in ms: a call has at most 20,000 inferences, but C does not count them. */
const TIMEOUT = 10_000;

/** Mulberry32: a number in [0, 1). */
let state = SEED;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const pick = (list) => list[Math.floor(random() * list.length)];

const NUMBERS = [
  ...['0', '1', '-1', '2', '3', '7', '16', '36', '37', '64', '255', '256', '1000', '4096', '65535', '65536'],
  ...['1114111', '1114112', '55296', '2147483647', '2147483648', '-2147483648', '4294967295', '4294967296'],
  ...['4294967294', '4294967290', '4294967288', '2147483649', '1073741823', '1073741824', '536870911', '268435456'],
  ...['9007199254740993', '9223372036854775807', '-9223372036854775808', '18446744073709551616'],
  ...['(1<<200)', '-(1<<200)', '0.0', '-0.0', '1.5', '1.0e308', '-1.0e308', '5.0e-324', '1r3', 'inf', 'nan'],
];
const HANDLES = [
  ..."'<clause>(0x1000)' '<stream>(0x1000)' '<trie>(0x10000)' '<mutex>(0x1000)' '$stream'(1) '$stream'(4096)".split(
    ' ',
  ),
  ...['user_input', 'user_output', 'user_error', "'$engine'(1)", 'state(5)', 'seed(random)', 'call_info(s(X),4096)'],
  ...['dependency(true)', "'$tbl_answer'", 'worklist(4096)', "'$attvar'", '$', "'$bags'", "'$VAR'(4294967295)"],
];
const TEXTS = [
  ...["''", '""', "'\\0\\'", '"a\\0\\b"', '"\\x10FFFF\\"', "'é'", '"%1000f"', '"%99999999d"', '"%Z%z%+%n"', '"~*c"'],
  ...['"~999999999c"', '"~2147483647|"', '"~`xt~4294967295|~w"', '"~65536e"', '"~300g"', '"~99999999d"', '"~37r"'],
  ...['"~i~*e"', '"~p~q~@"', '"<clause>(0x1000)"', '"<stream>(0x10)"', '"0x1000"', '"0\'"', '"1e999999"', '"36\'Z"'],
  ...['"[[:"', '"(((("', '"%f0%9f%98%80"', '"a\\u0301"', 'utf8', 'octet', 'wchar_t', 'iso_latin_1', 'text', 'codes'],
];
const TERMS = [
  ...[
    'X',
    '_',
    '[]',
    '[a|T]',
    '[1,2,3]',
    "[0'a,-1]",
    '[4294967295]',
    "'[]'",
    '{}',
    'f()',
    'f(X)',
    'f(X,X)',
    'a-b',
    'a:b',
  ],
  ...['point{x:1}', '_{a:X}', '_{1:_{b:2}}', 'f(A,B,C)', '[k-v,k-w]', '[a=b]', 'x:y:z', 'true', 'fail', '(true,true)'],
  ...[
    '[max_depth(4294967295)]',
    '[variable_names(X)]',
    '[length(-1)]',
    '[size(9223372036854775807)]',
    '[priority(-1)]',
  ],
  ...[
    '[start(4294967295)]',
    '[subterm_positions(P),term_position(Q)]',
    '[attributes(X)]',
    '[singletons(S)]',
    'Attributed',
  ],
  ...[
    'Cyclic',
    'f(Cyclic)',
    '[X|Cyclic]',
    'Long',
    'stamp(0)',
    'date(2147483647,13,99,-1,99,1.0e300,x,y,z)',
    'date(1,2)',
  ],
  ...['1+1', '2**100', '1 rdiv 0', 'random(0)', 'cot(0)', 'msb(0)', 'e', 'cputime', '1<<70', 'X is 1'],
];
const POOLS = [NUMBERS, NUMBERS, HANDLES, TEXTS, TERMS, TERMS];
/** What a call may well be made with: often only one argument is a trap, and C looks at it once the others are right. */
const USUAL = [
  '_',
  'X',
  'Y',
  'a',
  'foo',
  '1',
  '2',
  '"abc"',
  "'a b'",
  '[a,b]',
  '[X]',
  'f(x)',
  'g(_,_)',
  'foo/1',
  'user_output',
  '[]',
];
const value = () => (random() < 0.5 ? pick(USUAL) : pick(pick(POOLS)));

/** Kinds of goals beside those of one predicate. */
const [FORMATS, ARITHMETIC] = ['directives of formats', 'functions of arithmetic'];
/** They end a query, wait for somebody, or are too slow for what they say. */
const LEFT_OUT = new Set(['halt/0', 'halt/1', 'repeat/0', 'prolog/0', 'run_tests/0', 'run_tests/1']);
const TRAP =
  /crashed|out of bounds|unreachable|memory access|null function|indirect call|table index|engine (has )?died/i;
const ADDRESS =
  /<(clause|stream|trie|mutex|thread|engine|closure|db|supervisor)>\(0x(?!1000\b|10000\b|10\b)[0-9a-f]+\)/;

async function allowed() {
  await loadCrate();
  const host = new NodeHost(() => {});
  const hornbook = new Hornbook(host, {});
  await hornbook.refusedLibraries();
  const builtins = hornbook.builtins();
  hornbook.close();
  host.close();
  return builtins.filter((indicator) => !LEFT_OUT.has(indicator)).sort();
}

/** A directive of format/2 or format_time/3 with a number that is too large, and what it is given. */
function formatGoal() {
  if (random() < 0.3) {
    const modifier = pick(['', '_', '-', '0', 'E', 'O', '^', '#', ':', pick(NUMBERS)]);
    return `format_time(atom(_), "%${modifier}${pick([...'aAbBcCdDeEFfgGVhHIjklmMnOpPrRsStTuUvwWxXyYzZ+%'])}", ${value()})`;
  }
  const argument = pick(['', '', '*', '`x', pick(NUMBERS)]);
  const text = `~${argument}${pick([...'acdDeEfgGhHiIknopqrRsStWw@|+~'])}${pick(['', '~t~w~30|', '~w', '~10+'])}`;
  return `format(atom(_), "${text}", [${Array.from({ length: 3 }, value).join(', ')}])`;
}

function arithmeticGoal(functions) {
  const { name, arity } = pick(functions);
  const inner = () =>
    random() < 0.2 ? `${pick(['-', 'abs', 'float', 'integer', 'msb'])}(${pick(NUMBERS)})` : pick(NUMBERS);
  const term = arity === 0 ? `'${name}'` : `'${name}'(${Array.from({ length: arity }, inner).join(', ')})`;
  return pick([`_ is ${term}`, `${term} =:= 1`, `${term} < ${pick(NUMBERS)}`, `_ #= ${term}`]);
}

function goal(indicator) {
  if (indicator === FORMATS) return formatGoal();
  if (indicator === ARITHMETIC) return arithmeticGoal(functions);
  const slash = indicator.lastIndexOf('/');
  const [name, arity] = [indicator.slice(0, slash), Number(indicator.slice(slash + 1))];
  const quoted = /^[a-z]\w*$/.test(name) ? name : `'${name.replace(/[\\']/g, '\\$&')}'`;
  return arity === 0 ? quoted : `${quoted}(${Array.from({ length: arity }, value).join(', ')})`;
}

/** A query that makes these calls, each for itself: what one may not do is no matter of the others. */
const query = (goals) =>
  `Cyclic = f(Cyclic), length(Long, 300), freeze(Attributed, true), forall(member(Goal, [${goals
    .map((goal) => `(${goal})`)
    .join(', ')}]), catch(ignore(call_with_inference_limit(Goal, 20000, _)), _, true))`;

let server = await Server.start();
let [passed, failed, calls] = [0, 0, 0];

/** What was wrong with these calls, or undefined. */
async function fault(goals) {
  let reply;
  try {
    reply = await server.call('query_start', { query: query(goals), take: 1, timeout_ms: TIMEOUT });
  } catch (error) {
    server = await Server.start();
    return `the server ended: ${error.message}`;
  }
  const text = reply?.text ?? 'no reply';
  if (TRAP.test(text) && !/limit/.test(text)) return text;
  if (ADDRESS.test(text)) return `an address: ${text}`;
  return undefined;
}

console.log(`seed ${SEED}`);
const predicates = values.only ? [values.only] : await allowed();
const listed = 'forall((current_arithmetic_function(T), functor(T, F, N)), format("~a ~d~n", [F, N]))';
const { text } = await server.call('query_start', { query: listed, take: 1 });
const functions = [...text.matchAll(/^(?:Output: )?(\S+) (\d)$/gm)].map(([, name, arity]) => ({
  name: name.replaceAll('\\', '\\\\'),
  arity: Number(arity),
}));
if (functions.length < 60) throw new Error(`${functions.length} functions of arithmetic`);
if (!values.only) for (let n = 0; n < 60; n += 1) predicates.push(FORMATS, ARITHMETIC);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const indicator of predicates) {
    const goals = Array.from({ length: indicator.endsWith('/0') ? 1 : TOGETHER }, () => goal(indicator));
    calls += goals.length;
    const together = await fault(goals);
    if (together) {
      let told;
      for (const one of goals) {
        const what = await fault([one]);
        if (!what) continue;
        told = true;
        console.log(`not ok ${indicator}: ${one}\n  ${what.slice(0, 400)}`);
      }
      if (!told) console.log(`not ok ${indicator}: ${together.slice(0, 400)}\n  ${goals.join('\n  ')}`);
      failed += 1;
    } else passed += 1;
  }
}
console.log(`# ${calls} calls of ${predicates.length} predicates`);
console.log(`${passed} passed, ${failed} failed`);
await server.close();
if (failed > 0) process.exitCode = 1;
