// node tests/corpus/terms.mjs [--seconds N] [--seed N] [--rounds N]: random terms through everything that takes terms: answers, errors,
// output, clauses that goals add, clauses that are given, files with operators and flags of their own, undo. After each
// operation the engine holds what was truly done and the book counts as many clauses; after each round the same clauses
// are there when the process was restarted on its book, and where the snapshot was imported. Clauses are compared by
// =@=/2 with what the test wrote. Prints the seed; the same seed makes the same rounds. The last line is
// `N passed, N failed`, of rounds.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Server, directory } from '../node/harness.mjs';
import { OPERATORS, Random, atomText, compound, renamed, term, termText, text, withCodes } from './random.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string' },
    rounds: { type: 'string', default: '1000000' },
  },
});
const SEED = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const OPERATIONS = 25;
/** Faults that no term may bring about. */
const BROKEN = [
  'engine_died',
  'bad_reply',
  'engine_halted',
  'engine_ended',
  'engine_unavailable',
  'out_of_memory',
  'too_deep',
  'storage_error',
  'timeout',
];

/** A clause: `head` is a term that is callable, `body` a term or nothing. */
const clauseText = ({ head, body }, suffix) =>
  body ? `(${termText(head, suffix)} :- ${termText(body, suffix)})` : termText(head, suffix);
const indicator = ({ head }) =>
  head.atom !== undefined ? `${atomText(head.atom)}/0` : `${atomText(head.functor)}/${head.args.length}`;

/** Names that surely may be defined, and others. */
const SAFE = ['zz', 'zz é', 'zz\u202e', 'zz\0', 'Zz', 'zz.', 'zz(', "zz'", '===>', 'zz_not', 'zz_is', '⊕'];
const headName = (random) => (random.chance(0.8) ? random.pick(SAFE) : (term(random, 0).atom ?? 'zz'));

function head(random) {
  const arity = random.below(4);
  const name = headName(random);
  return arity === 0 ? { atom: name } : compound(random, name, arity, 3);
}

function body(random, depth = 2) {
  const goal = () => body(random, depth - 1);
  if (depth === 0 || random.chance(0.3)) {
    return random.pick([
      () => ({ functor: 'zz_goal', args: [term(random, 2)] }),
      () => ({ functor: '==', args: [term(random, 2), term(random, 1)] }),
      () => ({ atom: '!' }),
      () => ({ functor: 'call', args: [{ variable: 'V0' }] }),
      () => ({ functor: '===>', args: [term(random, 1), term(random, 1)] }),
      () => ({ atom: 'zz_goal' }),
    ])();
  }
  return random.pick([
    () => ({ functor: ',', args: [goal(), goal()] }),
    () => ({ functor: ';', args: [goal(), goal()] }),
    () => ({ functor: '->', args: [goal(), goal()] }),
    () => ({ functor: '\\+', args: [goal()] }),
    () => ({ functor: 'findall', args: [term(random, 1), goal(), { variable: 'V1' }] }),
    () => ({ functor: ';', args: [{ functor: '->', args: [goal(), goal()] }, goal()] }),
    () => ({ functor: 'catch', args: [goal(), { variable: 'V2' }, goal()] }),
  ])();
}

/** The body as SWI-Prolog keeps it: conjunctions nest to the right, and what two branches share is taken apart, so that
 *  the goals have variables of their own. */
function clause(random) {
  let goals = 0;
  const apart = (part) => {
    if (part.functor === ',' && part.args[0].functor === ',') {
      const [
        {
          args: [first, second],
        },
        third,
      ] = part.args;
      return apart({ functor: ',', args: [first, { functor: ',', args: [second, third] }] });
    }
    if (CONTROL.includes(part.functor)) return { ...part, args: part.args.map(apart) };
    goals += 1;
    return renamed(part, `_${goals}`);
  };
  return { head: head(random), body: random.chance(0.3) ? apart(body(random)) : undefined };
}
const surely = ({ head }) => SAFE.includes(head.atom ?? head.functor);

const CONTROL = [',', ';', '->', '\\+'];

/** One book, and what must be in it. */
class Round {
  /** The clauses, in order. */
  expected = [];
  /** What was done, for a failure. */
  log = [];
  #path = join(directory(), 'book');
  #files = 0;

  constructor(random) {
    this.random = random;
  }

  async run() {
    this.server = await Server.start({ args: ['--book', this.#path] });
    try {
      for (let i = 0; i < OPERATIONS; i += 1) {
        await this.#operation();
        await this.#agrees(this.server, `after ${this.log.at(-1)}`);
      }
      await this.server.close();
      this.server = await Server.start({ args: ['--book', this.#path] });
      await this.#agrees(this.server, 'after a restart');
      const dump = await this.server.snapshot();
      await this.server.reset();
      const { text } = await this.server.import('dump.pl', dump);
      assert.doesNotMatch(text, /error/i, `the snapshot is not imported whole: ${text}\n${dump}`);
      await this.#agrees(this.server, `where the snapshot was imported:\n${dump}`);
      await this.server.close();
    } finally {
      this.server.child.kill('SIGKILL');
    }
  }

  /** The server has the expected clauses and no others. */
  async #agrees(server, when) {
    for (const pi of new Set(this.expected.map(indicator))) {
      const clauses = this.expected.filter((one) => indicator(one) === pi);
      const list = clauses.map((one, at) =>
        one.body ? clauseText(one, `_${at}`) : `(${clauseText(one, `_${at}`)} :- true)`,
      );
      const query = `${pi} = N/A, functor(H, N, A), findall((H:-B), clause(H, B), L), ( L =@= [${list.join(', ')}] -> R = same ; R = other(L) )`;
      const { data, text } = await server.call('query_start', { query, take: 1 });
      assert.equal(data.answers?.[0]?.R, 'same', `${when}: ${query}\n${text}`);
    }
    const { data } = await server.ok('workspace', { operation: 'snapshot' });
    assert.equal(data.clauseCount, this.expected.length, `${when}: the book has other clauses:\n${data.dump}`);
  }

  /** A query that is asked once; whether it succeeded. */
  async #ask(query) {
    this.log.push(query);
    const { data, text } = await this.server.call('query_start', { query, take: 1 });
    const kind = data.error?.kind;
    assert.ok(!BROKEN.includes(kind), `${query}\n${text}`);
    return { ok: kind === undefined && data.answers?.length === 1, text };
  }

  async #operation() {
    const { random } = this;
    const before = [...this.expected];
    await random.pick([
      () => this.#add(),
      () => this.#add(),
      () => this.#add(),
      () => this.#add(),
      () => this.#caught(),
      () => this.#look(),
      () => this.#look(),
      () => this.#remove(),
      () => this.#give(),
      () => this.#import(),
      () => this.#fail(),
    ])();
    if (this.expected.length === before.length || !random.chance(0.2)) return;
    const after = this.expected;
    this.log.push('undo');
    await this.server.ok('workspace', { operation: 'undo' });
    this.expected = before;
    if (random.chance(0.5)) return;
    await this.#agrees(this.server, 'after undo');
    this.log.push('redo');
    await this.server.ok('workspace', { operation: 'redo' });
    this.expected = after;
  }

  /** Clauses that a goal adds, their variables with attributes or not. */
  async #add() {
    const { random } = this;
    const clauses = Array.from({ length: 1 + random.below(4) }, () => clause(random));
    const front = random.chance(0.3);
    const goals = clauses.map(
      (one, at) =>
        `${random.chance(0.2) ? random.pick([`dif(V0_${at}, zz), `, `freeze(V1_${at}, true), `, `put_attr(V2_${at}, user, a), `]) : ''}${front ? 'asserta' : 'assertz'}(${clauseText(one, `_${at}`)})`,
    );
    const { ok, text } = await this.#ask(goals.join(', '));
    assert.ok(ok || !clauses.every(surely), `it was not added: ${this.log.at(-1)}\n${text}`);
    if (ok) this.expected = front ? [...clauses.reverse(), ...this.expected] : [...this.expected, ...clauses];
  }

  /** What has no text is refused when it is added, and costs nothing else. */
  async #caught() {
    const { random } = this;
    const one = clause(random);
    const other = { head: { functor: 'zz', args: [term(random)] } };
    const bad = random.pick([
      'current_output(S), T = S',
      'T = f(T)',
      'current_output(S), compound_name_arguments(T, S, [a])',
      'dict_pairs(T, f(x), [a-1])',
      'compound_name_arity(_{}, T, _)',
    ]);
    const { ok, text } = await this.#ask(
      `catch((${bad}, assertz(zz(a, [T]))), _, Refused = yes), Refused == yes, assertz(${clauseText(other)})`,
    );
    assert.ok(ok, text);
    this.expected = [...this.expected, other];
    await this.#ask(`${bad}, assertz(${clauseText(one)}), assertz((zz :- zz(T)))`);
  }

  /** Terms that are answered, written or thrown change nothing. */
  async #look() {
    const { random } = this;
    const one = termText(term(random, 4));
    await this.#ask(
      random.pick([
        `X = ${one}`,
        `X = Y, Y = ${one}`,
        `writeq(${one})`,
        `print(${one}), write(${one})`,
        `format("~w ~q ~a", [${one}, ${one}, ${one}])`,
        `throw(${one})`,
        `throw(error(${one}, ${termText(term(random))}))`,
        `throw(error(type_error(${one}, ${one}), context(${one}, ${one})))`,
        `X = '$VAR'(${atomText(text(random))})`,
        `X = '$VAR'('"}]],"residual":[],"output":""}],"changes":{"removed":[1,2,3]},"z":[{"y":[["X","",{"v":"')`,
        `X = f(X, ${one})`,
        `freeze(X, writeq(${one}))`,
        `dif(X, ${one})`,
        `${one}`,
        `member(X, [${one}, ${termText(term(random))}])`,
        `copy_term(${one}, X)`,
        `term_to_atom(${one}, X)`,
        `with_output_to(string(X), writeq(${one}))`,
      ]),
    );
  }

  /** What a goal adds without an answer is taken back. */
  async #fail() {
    const one = clause(this.random);
    await this.#ask(
      `assertz(${clauseText(one)}), ${this.random.pick(['fail', `throw(${termText(term(this.random))})`, 'atom_length(_, _)'])}`,
    );
  }

  async #remove() {
    const { random } = this;
    if (this.expected.length === 0) return;
    const pi = indicator(random.pick(this.expected));
    const all = random.chance(0.2);
    const { ok, text } = await this.#ask(
      `${pi} = N/A, functor(H, N, A), ${all ? 'retractall(H)' : 'retract((H :- _))'}`,
    );
    assert.ok(ok, text);
    const at = this.expected.findIndex((one) => indicator(one) === pi);
    this.expected = this.expected.filter((one, i) => (all ? indicator(one) !== pi : i !== at));
  }

  /** Clauses that are given as text. */
  async #give() {
    const { random } = this;
    const clauses = Array.from({ length: 1 + random.below(3) }, () => clause(random)).filter(surely);
    const texts = clauses.map(
      (one) => `${clauseText(one)}${random.pick(['.', '', ' . % zz', '. /* zz. */', '. end_of_file. zz(lost).'])}`,
    );
    if (texts.length === 0) return;
    this.log.push(`clauses ${JSON.stringify(texts)}`);
    const { text, isError } = await this.server.call('clauses', { operation: 'assert', clauses: texts });
    assert.ok(!isError, `${this.log.at(-1)}\n${text}`);
    this.expected = [...this.expected, ...clauses];
  }

  /** A file with operators and flags of its own. */
  async #import() {
    const { random } = this;
    const clauses = Array.from({ length: 1 + random.below(4) }, () => clause(random)).filter(surely);
    const used = OPERATORS.filter(() => random.chance(0.5));
    const codes = random.chance(0.3);
    const lines = used.map(([name, priority, type]) => `:- op(${priority}, ${type}, ${atomText(name)}).`);
    if (codes) lines.push(':- set_prolog_flag(double_quotes, codes).');
    lines.push(...clauses.map((one) => `${clauseText(one)}.${random.pick(['', ' % zz', ' /* a. */'])}`));
    const added = clauses.map(({ head, body }) =>
      codes ? { head: withCodes(head), body: body && withCodes(body) } : { head, body },
    );
    if (used.some(([name]) => name === '===>')) {
      lines.push("zz(a ===> 'b').");
      added.push({ head: { functor: 'zz', args: [{ functor: '===>', args: [{ atom: 'a' }, { atom: 'b' }] }] } });
    }
    lines.push(random.pick(['', '% the end', '/* the end */', 'end_of_file.\nzz(lost).']));
    this.#files += 1;
    this.log.push(`import ${JSON.stringify(lines.join('\n'))}`);
    const { text } = await this.server.import(`file${this.#files}.pl`, lines.join('\n'));
    assert.doesNotMatch(text, /error/i, `${this.log.at(-1)}\n${text}`);
    this.expected = [...this.expected, ...added];
  }
}

console.log(`seed ${SEED}`);
const end = Date.now() + Number(values.seconds) * 1000;
let passed = 0;
let failed = 0;
for (let round = 0; Date.now() < end && round < Number(values.rounds); round += 1) {
  const one = new Round(new Random(SEED + round));
  try {
    await one.run();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.log(`FAILED with --seed ${SEED + round} --rounds 1: ${error.message.slice(0, 4000)}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
