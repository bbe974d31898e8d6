// Engine and book agree, clause by clause, after any change to either.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { CHANGES, ODD } from '../support/odd.mjs';
import { Process } from '../support/process.mjs';

let server;
before(() => (server = new Process({})));
after(() => server.end());

const call = (name, values) => server.call(0, name, values);
const assertClauses = (clauses) => call('clauses', { operation: 'assert', clauses });
const ask = (query, more = {}) => call('query_start', { query, take: 1, ...more });
const reset = () => call('workspace', { operation: 'reset' });

/** Checks that engine and book agree and that a query is answered. */
async function agrees(what) {
  assert.deepEqual(await server.differences(), [], what);
  const { answers, error } = await ask('true');
  assert.deepEqual(answers, [{}], `true is not answered after ${what}: ${error?.message}`);
}

test('clauses are replaced, inserted between two others, removed and restored', async () => {
  const clauses = (operation, more) => call('clauses', { operation, ...more });
  const order = async () => (await ask('findall(X, p(X), L)')).answers[0].L;
  await call('files', { operation: 'import', filename: 'p.pl', text: 'p(1).\np(2).\nq.\np(3).\n' });
  await assertClauses(['p(4)']);
  await ask('asserta(p(0)), assertz(p(5))');
  await clauses('replace', { old: 'p(2)', clauses: ['p(a)', 'p(b) :- q', 'r'] });
  await clauses('replace', { old: 'p(b) :- q', clauses: ['p(c)', 'p(d)'] });
  await agrees('replace');
  assert.equal(await order(), '[0,1,a,c,d,3,4,5]');
  for (const steps of [1, 2]) {
    await call('workspace', { operation: 'undo', steps });
    await agrees('undo');
    await call('workspace', { operation: 'redo', steps });
    await agrees('redo');
    assert.equal(await order(), '[0,1,a,c,d,3,4,5]');
  }
  await ask('retract(p(d)), asserta(p(e))');
  await call('workspace', { operation: 'undo', steps: 3 });
  await agrees('undo of more');
  assert.equal(await order(), '[0,1,2,3,4,5]');
  await reset();
});

test('a file with declarations is imported, unimported, and both undone', async () => {
  const text =
    ":- table t/1, m(_, min), g//0.\n:- dynamic (+)/2, 'x y'/1.\n:- dynamic([a//1, user:b/2]).\nt(1).\nm(1, 2).\n";
  const change = (operation, more) => call('workspace', { operation, ...more });
  const files = (operation, more) => call('files', { operation, filename: 'declared.pl', ...more });
  const { clausesAdded } = await files('import', { text });
  assert.equal(clausesAdded, 2);
  await agrees('import');
  assert.deepEqual((await ask('t(X), m(1, Y)')).answers, [{ X: '1', Y: '2' }]);
  await files('unimport');
  await agrees('unimport');
  for (const operation of ['undo', 'undo', 'redo', 'redo', 'undo']) {
    await change(operation, { steps: 1 });
    await agrees(operation);
  }
  await files('unimport');
  await files('import', { text: 't(1).\nt(X) :- X = 1.\n' });
  await agrees('an import without the directives');
  assert.equal((await ask('findall(X, t(X), L)')).answers[0].L, '[1,1]');
  await files('unimport');
  await files('import', { text });
  await reset();
  await agrees('reset');
  await change('undo', { steps: 1 });
  await agrees('undo of reset');
  await reset();
});

test('a step whose error is too large to report leaves no clauses in the engine', async () => {
  const text = (name) => `:- assertz(mine(${name})), length(L, 2400000), throw(L).\n`;
  const { errors } = await call('files', { operation: 'import', filename: 'large.pl', text: text('a') });
  assert.match(errors[0], /too large to be shown|needs more stack/);
  await agrees('it');
  const after = await call('files', { operation: 'import', filename: 'after.pl', text: ':- assertz(mine(b)).\n' });
  assert.deepEqual(after.errors ?? [], []);
  await agrees('a directive after it');
  assert.equal((await ask('findall(X, mine(X), L)')).answers[0].L, '[a,b]');
  await reset();
});

test('a goal with too many changes to report leaves nothing', async () => {
  const { answers, error, changes } = await ask(
    "forall((length(L, 1000000), maplist(=(0'x), L), atom_codes(A, L), between(1, 200, I)), (atom_concat(A, I, B), assertz(big(B)))), assertz(mine(1))",
  );
  // A slow machine reaches the time limit before the limit of what can be reported.
  assert.match(error.kind, /^(resource_error|timeout)$/);
  assert.deepEqual([answers ?? [], changes?.added ?? 0], [[], 0]);
  await agrees('it');
  await assertClauses(['mine(2).']);
  await ask('retract(mine(_))');
  await agrees('a change after it');
});

test('odd clauses, from text and from running code, and in a rebuilt engine', async () => {
  const failed = [];
  for (const odd of ODD) {
    await assertClauses([`t(${odd}).`, `t(X) :- X = ${odd}, \\+ u(${odd}).`]);
    await ask(`catch(assertz(t(${odd})), _, true), catch(asserta((t(X) :- u(${odd}), X)), _, true)`);
    const differences = await server.differences();
    if (differences.length > 0) failed.push([odd.slice(0, 80), differences]);
  }
  for (const change of CHANGES) {
    for (const goal of [change, `catch((${change}), _, true)`, `call_with_inference_limit((${change}), 60, _)`]) {
      await ask(goal);
      const differences = await server.differences();
      if (differences.length > 0) failed.push([goal.slice(0, 80), differences]);
      if (differences.length > 0) await reset();
    }
  }
  assert.deepEqual(failed, []);
  server.endEngines();
  await agrees('the end of the engine');
  await reset();
});

/**
 * The names of all operators, and of all predicates that SWI-Prolog's modules define and its libraries export; and of
 * these `wide`, those that have more than three arguments.
 */
async function names() {
  const swipl = createRequire(import.meta.url)('swipl-wasm/dist/swipl-node.js');
  const { prolog } = await swipl({ arguments: ['-q'] });
  const goal = `findall(N/A, ( current_op(_, _, N), atom(N), A = 0
                             ; predicate_property(system:H, defined), functor(H, N, A)
                             ; member(L, [lists, apply, yall, clpfd, aggregate, dcg/basics]), use_module(library(L)),
                               module_property(M, class(library)), module_property(M, exports(Es)), member(N/A, Es) ), PIs),
                findall(N, member(N/_, PIs), Ns), findall(N, ( member(N/A, PIs), A > 3 ), Ws),
                maplist([Ns0,Names]>>( sort(Ns0, Ns1), maplist([N1,S]>>format(string(S), "~q", [N1]), Ns1, Names) ),
                        [Ns,Ws], [All,Wide])`;
  const { All, Wide } = prolog.query(goal).once();
  return { all: All.map(String), wide: new Set(Wide.map((name) => quoted(String(name)))) };
}

/** As quoted atoms, whatever operators exist. */
const quoted = (name) => (/^[a-z]\w*$|^'/.test(name) ? name : `'${name.replace(/[\\']/g, '\\$&')}'`);

const ARITIES = [...Array(9).keys()];
const head = (name, arity, argument = '1') =>
  arity === 0 ? name : `${name}(${Array(arity).fill(argument).join(',')})`;

/**
 * Everything that running code can do to a predicate; what is refused is skipped. The clause added last stays. A system
 * predicate that it takes, as `forall/2`, means the new clauses at once.
 */
const RUN = `\\+ ( member(N, Names), between(0, 8, A), length(L, A), maplist(=(1), L), ( A =:= 0 -> H = N ; H =.. [N|L] ),
    member(G, [assertz(H), asserta((H :- true)), clause(H, _), retract(H), retractall(H), dynamic(N/A), discontiguous(N/A),
               with_output_to(string(_), listing(N/A)), assertz((H :- fail)), abolish(N/A), current_predicate(N/A),
               predicate_property(H, dynamic), assertz(H)]),
    \\+ catch((G -> true ; true), _, true) )`;

describe('every operator and every system predicate as a head, at every arity up to 8', () => {
  let all;
  let wide;
  before(async () => {
    const found = await names();
    all = found.all.map(quoted);
    wide = found.wide;
  });
  /** The arities of a name in text: all of them only where the system has many arguments, too. */
  const arities = (name) => (wide.has(name) ? ARITIES : [0, 1, 2, 3, 8]);

  /** Runs all of them in parts; if a part fails, tries its names one by one to report them. */
  async function inParts(size, work) {
    assert.ok(all.length > 1000, `${all.length} names`);
    const failed = [];
    for (let at = 0; at < all.length; at += size) {
      const part = all.slice(at, at + size);
      const why = (names) =>
        work(names).then(
          () => undefined,
          (error) => error.message,
        );
      if (!(await why(part))) continue;
      for (const name of part) {
        await reset();
        const one = await why([name]);
        if (one) failed.push(one);
      }
    }
    assert.deepEqual(failed, []);
  }

  test('by running code', async () => {
    await inParts(100, async (part) => {
      const { answers, error } = await ask(`Names = [${part}], ${RUN}`, { timeout_ms: 60_000 });
      assert.equal(answers.length, 1, `${part}: ${error?.message}`);
      await agrees(part);
      await reset();
      await agrees(part);
    });
  });

  test('by running code that fails', async () => {
    await inParts(400, async (part) => {
      const { more, error } = await ask(`Names = [${part}], ${RUN}, fail`, { timeout_ms: 60_000 });
      assert.equal(more, false, `${part}: ${error?.message}`);
      await agrees(part);
    });
  });

  test('as text, then tabled, then retracted', async () => {
    await inParts(100, async (part) => {
      const heads = part.flatMap((name) => arities(name).map((arity) => head(name, arity)));
      await assertClauses(heads.map((text) => `${text}.`));
      await agrees(part);
      await assertClauses(heads.map((text) => `${text} :- fail.`));
      const indicators = part.flatMap((name) => arities(name).map((arity) => `${name}/${arity}`));
      await assertClauses(
        indicators.flatMap((pi) => [`:- dynamic ${pi}.`, `:- discontiguous ${pi}.`, `:- table ${pi}.`]),
      );
      await agrees(part);
      await call('clauses', { operation: 'retract', clauses: heads.map((text) => `${text}.`) });
      await agrees(part);
      await call('workspace', { operation: 'undo', steps: 2 });
      await agrees(part);
      await reset();
      await agrees(part);
    });
  });
});

test('a file that is sent to a new engine in parts is read there as before', async () => {
  // An engine is sent about a megabyte at a time.
  const filler = `% ${'x'.repeat(40_000)}\n`;
  const lines = (from, line) => Array.from({ length: 40 }, (_, at) => `${line(from + at)}. ${filler}`).join('');
  const rules = (from) => lines(from, (number) => `fact(${number}) ===> "text ${number % 40}"`);
  const text = `:- op(700, xfx, ===>).\n${rules(0)}:- set_prolog_flag(double_quotes, atom).\n${rules(40)}`;
  await call('files', { operation: 'import', filename: 'rules.pl', text });
  await call('files', { operation: 'import', filename: 'many.pl', text: lines(0, (number) => `many(${number})`) });
  await assertClauses(['plain(1).']);
  for (const what of ['the death of an engine', 'the death of the next']) {
    server.endEngines();
    const query = 'findall(F, ===>(F, \'text 7\'), Atoms), findall(F, ===>(F, "text 7"), Strings), plain(X)';
    assert.deepEqual((await ask(query)).answers, [{ Atoms: '[fact(47)]', F: '_', Strings: '[fact(7)]', X: '1' }]);
    await agrees(what);
  }
  // What a goal has removed and that is restored also comes in parts.
  await ask('retract(many(30)), fail');
  await agrees('it');
  assert.equal((await ask('aggregate_all(count, many(_), N)')).answers[0].N, '40');
  await reset();
});
