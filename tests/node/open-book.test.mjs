// `openBook`: the package as used by a program, in the same process.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { bookTools } from '../../pkg/ai.js';
import { Atom, Goal, HornbookError, Rational, Term, Variable, atom, openBook, prolog } from '../../pkg/index.js';
import { openHornbook } from '../../pkg/node.js';
import { BIN, directory } from './harness.mjs';

const FAMILY = 'parent(tom, bob).\nparent(bob, ann).\nancestor(X, Y) :- parent(X, Y).\n';

let book;
before(async () => {
  book = await openBook();
});
after(() => book.close());

/** A book that is closed after the test. */
async function opened(t, options) {
  const own = await openBook(options);
  t.after(() => own.close());
  return own;
}

/** A validator for a HornbookError of the given kind. */
const failsAs = (kind, message) => (error) => {
  assert.ok(error instanceof HornbookError, String(error));
  assert.equal(error.kind, kind, error.message);
  assert.match(error.message, message);
  return true;
};

/** Everything an iterable yields. */
async function listed(iterable) {
  const all = [];
  for await (const one of iterable) all.push(one);
  return all;
}

describe('queries', () => {
  test('a loop over the answers', async () => {
    const found = [];
    for await (const { X } of book.query('member(X, [1, 2, 3])')) found.push(X);
    assert.deepEqual(found, [1, 2, 3]);
  });

  test('a hundred loops at once, which take their answers one by one, all end', async () => {
    const loop = async (from) => {
      const found = [];
      for await (const { X } of book.query(`between(${from}, inf, X)`)) if (found.push(X) === 5) break;
      return found;
    };
    const all = await Promise.all(Array.from({ length: 100 }, (_, from) => loop(from)));
    assert.deepEqual(
      all,
      Array.from({ length: 100 }, (_, from) => [from, from + 1, from + 2, from + 3, from + 4]),
    );
  });

  test('forty long results at once are complete', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => book.all('between(1, 1500, X)')));
    assert.deepEqual(
      all.map(({ length }) => length),
      Array(40).fill(1500),
    );
  });

  test('leaving the loop closes the query', async () => {
    for (let turn = 0; turn < 100; turn++) {
      for await (const { X } of book.query('between(1, inf, X)')) if (X === 2) break;
    }
    // A further query beyond `open_queries` would be refused.
    assert.deepEqual(await book.once('X = 1'), { X: 1 });
  });

  test('an error in the loop closes the query too', async () => {
    for (let turn = 0; turn < 50; turn++) {
      const loop = async () => {
        for await (const _ of book.query('repeat')) throw new Error('mine');
      };
      await assert.rejects(loop, /mine/);
    }
    assert.deepEqual(await book.once('X = 1'), { X: 1 });
  });

  test('no answer is computed before it is requested', async () => {
    for await (const { X } of book.query('( X = 1 ; repeat, fail )')) {
      assert.equal(X, 1);
      break;
    }
  });

  test('values have JavaScript types', async () => {
    const { X } = await book.once(
      `X = [1, -2.5, 10000000000000000000000, a, "text", true, false, null, [], [b], _{k: 1}, f(x, Y), 1r3, Y]`,
    );
    const y = new Variable('Y');
    const fraction = new Rational(1n, 3n);
    const term = new Term('f', 'x', y);
    assert.deepEqual(X, [1, -2.5, 10n ** 22n, 'a', 'text', true, false, null, [], ['b'], { k: 1 }, term, fraction, y]);
  });

  test('an answer has its texts, constraints and output', async () => {
    const [answer] = await listed(book.query("X #> 3, Y = 'A b', write(hello)").answers());
    assert.deepEqual(answer.texts, { X: '_', Y: "'A b'" });
    assert.deepEqual(answer.residual, ['X in 4..sup']);
    assert.equal(answer.output, 'hello');
  });

  test('answers before an error are returned', async () => {
    const found = [];
    const loop = async () => {
      for await (const { X } of book.query('member(X, [2, 1, 0]), Y is 2 / X, Y > 0')) found.push(X);
    };
    await assert.rejects(loop, failsAs('evaluation_error', /division by zero/));
    assert.deepEqual(found, [2, 1]);
  });

  test('once returns undefined if there is no answer, and all returns an array', async () => {
    assert.equal(await book.once('fail'), undefined);
    assert.deepEqual(await book.once('true'), {});
    assert.equal((await book.all('between(1, 2500, X)')).at(-1).X, 2500);
  });

  test('a text that cannot be read is reported with its place', async () => {
    await assert.rejects(book.once('foo(X'), (error) => error.line === 1 && failsAs('syntax_error', /line 1/)(error));
  });

  test('a signal calls an import off, and nothing of the file was added', async (t) => {
    const own = await opened(t);
    const text = `id\n${Array.from({ length: 50_000 }, (_, id) => id).join('\n')}\n`;
    const calledOff = new AbortController();
    const imported = own.import('numbers.csv', text, { signal: calledOff.signal });
    calledOff.abort();
    await assert.rejects(imported, { name: 'AbortError' });
    assert.deepEqual(await own.files(), []);
    assert.equal((await own.import('numbers.csv', text)).clausesAdded, 50_000);
  });

  test('a signal ends a goal that runs forever', async () => {
    const signal = AbortSignal.timeout(200);
    await assert.rejects(book.once('repeat, fail', { signal }), { name: 'TimeoutError' });
    assert.deepEqual(await book.once('X = 1'), { X: 1 });
  });

  test('so does a time limit', async () => {
    await assert.rejects(book.once('repeat, fail', { timeoutMs: 200 }), failsAs('timeout', /200 ms|time/));
  });

  test('a value nested too deep is an error, not half a value', async () => {
    await assert.rejects(
      book.once('length(L, 100), foldl([_, A, [A]]>>true, L, x, X)'),
      failsAs('limit_reached', /json_depth/),
    );
  });
});

describe('the book', () => {
  test('an undo goes back to a savepoint', async (t) => {
    const own = await opened(t);
    await own.assert('p(1)');
    assert.deepEqual(await own.savepoint('first'), { revision: 2 });
    await own.assert('p(2)');
    await own.assert('p(3)');
    assert.equal((await own.undo('first')).steps, 2);
    assert.deepEqual(await own.all('p(X)'), [{ X: 1 }]);
    const { revisions } = await own.history();
    assert.ok(revisions.some(({ action }) => action === 'savepoint: first'));
    await assert.rejects(own.savepoint('\u200b \u2060'), { kind: 'invalid_argument' });
    await assert.rejects(own.undo('second'), { kind: 'no_such_revision', message: /no savepoint 'second'.*first/s });
    assert.deepEqual(await own.savepoint('first'), { revision: 7, movedFrom: 2 });
  });

  test('changes and drafts have no savepoints, and what they do is one step after one of the book', async (t) => {
    const own = await opened(t);
    await own.assert('p(1)');
    await own.savepoint('s');
    await own.change(async (tx) => {
      await tx.assert('p(2)');
      await assert.rejects(tx.savepoint('t'), { kind: 'invalid_argument', message: /has no savepoints/ });
      await assert.rejects(tx.undo('s'), { kind: 'invalid_argument', message: /has no savepoints/ });
      await tx.assert('p(3)');
    });
    assert.equal((await own.undo('s')).steps, 1);
    assert.deepEqual(await own.all('p(X)'), [{ X: 1 }]);
  });

  test('clauses are added, removed, undone and redone', async (t) => {
    const own = await opened(t);
    await own.assert('p(1).', 'p(2). p(3).');
    assert.equal(await own.retract('p(2)'), true);
    assert.equal(await own.retract('p(7)'), false);
    assert.deepEqual(await own.all('p(X)'), [{ X: 1 }, { X: 3 }]);
    assert.equal((await own.undo()).undoable, 1);
    assert.equal((await own.all('p(X)')).length, 3);
    await own.redo();
    assert.equal(await own.source(), 'p(1).\np(3).');
  });

  test('a clause that cannot be added rejects, and the error names it', async (t) => {
    const own = await opened(t);
    await assert.rejects(own.assert('q(1).', 'q(X) :- '), failsAs('syntax_error', /`q\(X\) :-` could not be added/));
    assert.deepEqual(await own.all('q(X)'), [{ X: 1 }]);
  });

  test('a file is imported by its path, or as text', async (t) => {
    const path = directory({ 'family.pl': FAMILY });
    const own = await opened(t, { roots: [path] });
    assert.equal((await own.import(join(path, 'family.pl'))).clausesAdded, 3);
    assert.equal((await own.import('more.pl', 'r(1).\n')).clausesAdded, 1);
    await assert.rejects(own.import('bad.pl', 'r(2).\nr(.\n'), failsAs('import_errors', /bad\.pl: 2:2: .*undo/));
    await assert.rejects(own.import('/etc/passwd'), failsAs('file_path_violation', /allowed roots/));
    rmSync(path, { recursive: true });
  });

  test('what goals have retracted stays so when a program brings its rules again', async (t) => {
    const path = join(directory(), 'counter.hornbook');
    const rules = [
      ':- dynamic n/1.',
      'n(0).',
      'bump :- retract(n(N)), M is N+1, assertz(n(M)).',
      ':- initialization(assertz(begun)).',
      '',
    ].join('\n');
    for (const retracted of [0, 1, 1]) {
      const own = await opened(t, { path });
      assert.equal((await own.import('rules.pl', rules)).clausesRetracted, retracted);
      assert.ok(await own.once('bump'));
      await own.close();
    }
    const own = await opened(t, { path });
    assert.deepEqual(await own.all('n(X)'), [{ X: 3 }]);
    assert.equal((await own.all('begun')).length, 1, 'its initialization has run once');
    const next = await own.import('rules.pl', `${rules}next.\n`);
    assert.deepEqual([next.clausesAdded, next.clausesRetracted], [1, 1]);
    assert.deepEqual(await own.all('n(X), next'), [{ X: 3 }]);
    await own.undo();
    await own.unimport('rules.pl');
    await own.import('rules.pl', rules);
    assert.deepEqual(await own.all('n(X)'), [{ X: 3 }, { X: 0 }]);
  });

  test('what was retracted stays so however it is spelled, in one change with its import, and if nothing else is left', async (t) => {
    const path = join(directory(), 'spelled.hornbook');
    let own = await openBook({ path });
    await own.import('spelled.pl', 'p(X, Y) :- q(X), r(Y).\nn(0).\nq(1).\n');
    await own.retract('n(0)');
    await own.retract('p(X, Y) :- q(X), r(Y)');
    const spelled = "% new\np(A, B) :-\n    q(A),\n    r(B).\nn( 0 ).\n'q'(1).\nn(X) :- q(X).\n";
    assert.equal((await own.import('spelled.pl', spelled)).clausesRetracted, 2);
    assert.deepEqual(await own.all('n(X)'), [{ X: 1 }]);

    await own.change(async (tx) => {
      await tx.import('changed.pl', 'c(0).\nc(1).\n');
      await tx.retract('c(0)');
    });
    await own.import('emptied.pl', 'e(0).\n');
    await own.once('retract(e(0)), assertz(e(1))');
    const check = async () => {
      assert.equal((await own.import('changed.pl', 'c(0).\nc(1).\n')).clausesRetracted, 1);
      assert.equal((await own.import('changed.pl', 'c(0).\nc(1).\nc(2).\n')).clausesRetracted, 1);
      assert.deepEqual(await own.all('c(X)'), [{ X: 1 }, { X: 2 }]);
      await own.undo();
      assert.equal((await own.import('emptied.pl', 'e(0).\n')).clausesRetracted, 1);
      assert.equal((await own.import('emptied.pl', 'e( 0 ).\n')).clausesRetracted, 1);
      assert.deepEqual(await own.all('e(X)'), [{ X: 1 }]);
      await own.close();
    };
    await check();
    own = await openBook({ path });
    await check();
    await promisify(execFile)(process.execPath, [BIN, 'compact', path, '--keep', '0']);
    own = await openBook({ path });
    await check();
    own = await opened(t, { path });
    await own.unimport('emptied.pl');
    assert.equal((await own.import('emptied.pl', 'e(0).\n')).clausesAdded, 1);
    assert.deepEqual(await own.all('e(X)'), [{ X: 1 }, { X: 0 }]);
    await own.undo();
    assert.equal(
      (await own.import('emptied.pl', 'e(0).\n')).clausesAdded,
      1,
      'its import was undone, nothing retracted',
    );
  });

  test('a file that a change has unimported is new when it comes again', async (t) => {
    const own = await opened(t);
    await own.import('r.pl', 'r(1).\n');
    await own.change((tx) => tx.unimport('r.pl'));
    assert.equal((await own.import('r.pl', 'r(1).\n')).clausesAdded, 1);
  });

  test('a kept book takes a new version of a file: what is equal stays, and the result says what changed', async (t) => {
    const path = join(directory(), 'rules.hornbook');
    const first = await openBook({ path });
    await first.import('rules.pl', 'r(1).\nr(2).\n');
    await first.close();
    const own = await opened(t, { path });
    const same = await own.import('rules.pl', 'r(1).\nr(2).\n');
    const counts = { clausesAdded: 0, clausesRemoved: 0, clausesKept: 2, clausesRetracted: 0 };
    assert.deepEqual(same, { filename: 'rules.pl', ...counts, output: '' });
    assert.equal((await own.history()).revision, 1, 'nothing has happened');
    const changed = await own.import('rules.pl', 'r(2).\nr(3).\nr(4).\n');
    assert.deepEqual([changed.clausesAdded, changed.clausesRemoved, changed.clausesKept], [2, 1, 1]);
    assert.equal((await own.history()).revision, 2, 'one revision');
    assert.deepEqual(await own.all('r(X)'), [{ X: 2 }, { X: 3 }, { X: 4 }]);
    await own.undo();
    assert.deepEqual(await own.all('r(X)'), [{ X: 1 }, { X: 2 }]);
    await own.redo();
    await own.retract('r(3)');
    const again = await own.import('rules.pl', 'r(2).\nr(3).\nr(4).\n');
    assert.deepEqual([again.clausesAdded, again.clausesRetracted], [0, 1], 'what was retracted stays so');
  });

  test('a new version of which nothing can be read leaves the old one in the book', async (t) => {
    const own = await opened(t);
    await own.import('rules.pl', 'r(1).\n');
    await assert.rejects(own.import('rules.pl', 'r(.\n'), failsAs('import_errors', /The book has the file as it was/));
    assert.deepEqual(await own.all('r(X)'), [{ X: 1 }]);
    assert.equal((await own.history()).revision, 1);
  });

  test("a module's file takes a new version with other exports, and its users see it", async (t) => {
    const own = await opened(t);
    await own.import('shapes.pl', ':- module(shapes, [area/2]).\narea(S, A) :- A is S * S.\nhidden(1).\n');
    await own.import('use.pl', 'floor(A) :- area(3, A).\n');
    assert.deepEqual(await own.once('floor(A)'), { A: 9 });
    await own.import('shapes.pl', ':- module(shapes, [area/2, side/1]).\narea(S, A) :- A is 4 * S.\nside(7).\n');
    assert.deepEqual(await own.once('floor(A), side(S)'), { A: 12, S: 7 });
    assert.equal((await own.history()).revision, 3);
  });

  test('files, unimport, replace, history and diff', async (t) => {
    const own = await opened(t);
    await own.import('a.pl', 'a(1).\na(2).\n');
    assert.deepEqual(
      (await own.files()).map(({ filename, clauseCount }) => [filename, clauseCount]),
      [['a.pl', 2]],
    );
    await own.replace('a(1)', 'a(one).', 'a(uno).');
    assert.deepEqual(await own.all('a(X)'), [{ X: 'one' }, { X: 'uno' }, { X: 2 }]);
    await assert.rejects(own.replace('a(9)', 'a(nine)'), failsAs('existence_error', /No clause matches/));
    const { revisions } = await own.history(5);
    assert.deepEqual(
      revisions.map(({ operation }) => operation),
      ['replace', 'import'],
    );
    const { text } = await own.diff();
    assert.match(text, /^-a\(1\)\.$/m);
    assert.match(text, /^\+a\(one\)\.$/m);
    assert.deepEqual(await own.unimport('a.pl'), { filename: 'a.pl', clausesRemoved: 3 });
    assert.deepEqual(await own.files(), []);
    await assert.rejects(own.unimport('a.pl'), failsAs('not_imported', /files\(\) lists/));
  });

  test('subscribers hear of each change of the clauses until they have enough', async (t) => {
    const own = await opened(t);
    let heard = 0;
    const end = own.subscribe(() => (heard += 1));
    await own.assert('s(1)');
    await own.once('assertz(s(2))');
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(heard, 2);
    end();
    await own.assert('s(3)');
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(heard, 2);
  });

  test('clauses come as arrays, too, and the error has each that failed', async (t) => {
    const own = await opened(t);
    await own.assert(Array.from({ length: 3_000 }, (_, n) => `n(${n}).`));
    assert.deepEqual(await own.once('aggregate_all(count, n(_), N)'), { N: 3_000 });
    const failed = await own.assert(['good(1)', 'bad(', 'good(2)', 'worse)']).catch((error) => error);
    failsAs(
      'syntax_error',
      /`bad\(` could not be added: .*\n`worse\)` could not be added: .*\nThe other 2 clauses are in the book/,
    )(failed);
    assert.deepEqual(
      failed.failures.map(({ index, clause }) => [index, clause]),
      [
        [1, 'bad('],
        [3, 'worse)'],
      ],
    );
    assert.equal((await own.all('good(X)')).length, 2);
    const long = `bad(${'x'.repeat(5_000)}`;
    const one = await own.assert(['good(3)', long]).catch((error) => error);
    failsAs('syntax_error', /^`bad\(x{196}…` could not be added: .*\nThe other one is in the book/)(one);
    assert.equal(one.failures[0].clause, long);
    const none = await own.assert(['bad(', 'worse(']).catch((error) => error);
    failsAs('syntax_error', /\nNothing was added\.$/)(none);
  });

  test('200,000 clauses come as an array or an asynchronous iterable, in one revision', async (t) => {
    const own = await opened(t);
    const count = 200_000;
    await own.assert(Array.from({ length: count }, (_, n) => `n(${n}).`));
    await own.assert(
      'm(first)',
      (async function* () {
        for (let n = 0; n < 3_000; n++) yield n % 2 ? `m(${n}).` : prolog`m(${n})`;
      })(),
      new Set(['m(last).']),
    );
    assert.deepEqual(await own.once('aggregate_all(count, n(_), N)'), { N: count });
    const all = (await own.all('m(X)')).map(({ X }) => X);
    assert.deepEqual([all.length, all[0], all[1], all[2], all.at(-1)], [3_002, 'first', 0, 1, 'last']);
    const { revisions } = await own.history();
    assert.equal(revisions.length, 2);
    await own.undo();
    assert.equal(await own.once('catch(m(_), _, fail)'), undefined);
    assert.deepEqual(await own.once('aggregate_all(count, n(_), N)'), { N: count });
  });

  test('an iterable that throws adds nothing', async (t) => {
    const own = await opened(t);
    const broken = async function* () {
      yield 'a(1).';
      throw new Error('no more');
    };
    await assert.rejects(own.assert('a(0).', broken()), /no more/);
    assert.equal((await own.history()).revisions.length, 0);
  });

  test('of many clauses that fail, the message names the first, with their own lines', async (t) => {
    const own = await opened(t);
    const texts = Array.from({ length: 1_000 }, (_, n) => (n % 100 === 50 ? ` n(${n} x).` : `n(${n}).`));
    texts[550] = 'r(X) :-\n  n(X) n(X).';
    texts[650] = 'n(650';
    texts[750] = 'write(750).';
    const failed = await own.assert(texts).catch((error) => error);
    failsAs(
      'syntax_error',
      /^`n\(50 x\)\.` could not be added: .* \(index 50\)\n(`n.*\n){4}and 5 more\nThe other 990 clauses are in the book; undo\(\) takes them out again\.$/,
    )(failed);
    assert.deepEqual(
      failed.failures.map(({ index, line, column }) => [index, line, column]),
      [
        [50, 1, 6],
        ...[150, 250, 350, 450].map((index) => [index, 1, 7]),
        [550, 2, 7],
        [650, 1, 5],
        [750, 1, 0],
        ...[850, 950].map((index) => [index, 1, 7]),
      ],
    );
    assert.deepEqual(await own.once('aggregate_all(count, n(_), N)'), { N: 990 });
    assert.equal((await own.source()).match(/^n\(\d+\)\.$/gm).length, 990);
  });

  test('what a clause may say does not depend on the texts beside it', async (t) => {
    const own = await opened(t);
    const texts = [
      'a(1).',
      'b(2). end_of_file. never(1).',
      'c(3)',
      ':- op(700, xfx, ===>).',
      'd(4 ===> 5).',
      "'e f'(5). % five",
      'g(0\'a, "6. x(").',
      'é(7).',
    ];
    await own.assert(texts);
    assert.deepEqual(await own.all('a(A), b(B), c(C), d(D), "e f" \\== A, g(_, S), é(E)'), [
      { A: 1, B: 2, C: 3, D: new Term('===>', 4, 5), S: '6. x(', E: 7 },
    ]);
    assert.match(await own.source(), /'e f'\(5\)\. % five$/m);
  });

  test('why has a time limit, and can be aborted', async (t) => {
    const own = await opened(t);
    await assert.rejects(own.why('repeat, fail', { timeoutMs: 300 }), failsAs('timeout', /timeoutMs/));
    const aborted = own.why('repeat, fail', { signal: AbortSignal.timeout(300) });
    await assert.rejects(aborted, { name: 'TimeoutError' });
  });

  test('why shows the clauses with their lines', async (t) => {
    const own = await opened(t);
    await own.import('family.pl', FAMILY);
    const proof = await own.why('ancestor(bob, Who)');
    assert.equal(String(proof), 'ancestor(bob,ann)  % family.pl:3\n  parent(bob,ann)  % family.pl:2');
    assert.equal(proof.steps[0].because[0].clause.text, 'parent(bob, ann).');
    assert.equal(await own.why('ancestor(bob, Who)', { answer: 2 }), undefined);
    assert.match(String(await own.why('ancestor(ann, Who)')), /^ancestor\(ann,Who\) fails\n/);
    await assert.rejects(own.why('ancestor(ann'), failsAs('syntax_error', /line 1/));
  });

  test('a book with a path can be opened again', async () => {
    const path = directory();
    const file = join(path, 'kept.hornbook');
    const first = await openBook({ path: file });
    await first.assert('kept(1)');
    await first[Symbol.asyncDispose]();
    const second = await openBook({ path: file });
    assert.deepEqual(await second.once('kept(X)'), { X: 1 });
    await second.close();
    rmSync(path, { recursive: true });
  });

  test('a closed book says so on every call', async () => {
    const own = await openBook();
    const query = own.query('true');
    await own.close();
    await own.close();
    for (const call of [
      () => own.once('true'),
      () => listed(query),
      () => own.assert('a'),
      () => own.retract('a'),
      () => own.import('a', ''),
      () => own.undo(),
      () => own.why('true'),
      () => own.source(),
      () => own.tools(),
    ]) {
      await assert.rejects(call, failsAs('closed', /^The book is closed\. Open it again with openBook\.$/));
    }
  });

  test('what runs may end when the book is closed, and nothing new begins', async () => {
    const own = await openBook();
    await own.assert('p(1)');
    const running = own.once('numlist(1, 100000, _L), sum_list(_L, X)');
    const added = own.assert('p(2)');
    const closed = own.close();
    await assert.rejects(own.once('true'), failsAs('closed', /Open it again/));
    assert.equal((await running).X, 5_000_050_000);
    await added;
    await closed;
  });

  test('what has not ended in time is closed, and nobody is told to reset the book', async () => {
    const own = await openBook();
    await own.once('true');
    const endless = own.once('repeat, fail', { timeoutMs: 60_000 });
    const fails = assert.rejects(endless, failsAs('closed', /^The book was closed before this had ended\.$/));
    await own.close();
    await fails;
  });

  test('closing it in a loop simply ends the loop', async () => {
    const own = await openBook();
    const loop = async () => {
      for await (const _ of own.query('repeat')) await own.close();
    };
    await assert.rejects(loop, failsAs('closed', /closed/));
  });

  test('an unknown option is an error', async () => {
    await assert.rejects(openBook({ rots: [] }), failsAs('invalid_argument', /rots/));
    await assert.rejects(openBook({ predicates: { price: () => true } }), failsAs('invalid_argument', /indicator/));
    await assert.rejects(
      openBook({ path: '/no/such/place/a.book' }),
      failsAs('storage_error', /directory does not exist/),
    );
  });

  test('the options that the host reads are checked, too', async () => {
    for (const [args, message] of [
      [[{ path: 'a.book' }, () => {}], /`path` is not among the options of openHornbook: give the path as the third/],
      [[{ data: {} }, () => {}], /`data` is not among the options of openHornbook: give it in the fourth argument/],
      [[{}, 'console'], /The log must be a function, not a string/],
      [[{}, () => {}, 7], /The book must be a string, not 7/],
      [[{}, () => {}, undefined, { embedd: 1 }], /no option `embedd`; did you mean `embed`\?/],
      [[{}, () => {}, undefined, { data: 'shop' }], /`data` must be an object, as .*, not a string/],
      [[{}, () => {}, undefined, { toolsOnly: 'yes' }], /`toolsOnly` must be true or false, not a string/],
      [[{}, () => {}, new URL('http://127.0.0.1:1/log/a')], /The book must be a string, not an object/],
      [[{}, () => {}, { read() {} }], /The book must be a string or a store, which has open, read/],
      [[{}, () => {}, undefined, { embed: {} }], /The url of `embed` must be a string, not undefined/],
      [[{}, () => {}, undefined, { embed: { url: 5 } }], /The url of `embed` must be a string, not 5/],
      [[{}, () => {}, undefined, { embed: { url: 'here', model: 'm' } }], /The url of `embed` must be an address/],
      [[{}, () => {}, undefined, { embed: { url: 'http://a/v1', modle: 'm' } }], /`modle`; did you mean `model`/],
      [[{}, () => {}, undefined, { embed: { url: 'http://a/v1', model: null } }], /The model of `embed` must be/],
      [
        [{}, () => {}, undefined, { predicates: { 'price/2': () => true } }],
        /`predicates` must have indicators.*openBook/,
      ],
      [[{ enginse: 2 }, () => {}], /enginse.*did you mean `engines`/],
    ])
      await assert.rejects(() => openHornbook(...args), { kind: 'invalid_argument', message });
    await assert.rejects(
      openBook({ workspace: '.' }),
      failsAs('invalid_argument', /openHornbook of hornbook\/node has/),
    );
    await assert.rejects(openBook({ embed: 'words' }), failsAs('invalid_argument', /`embed` must be a function/));
  });

  test('a predicate that is built in is refused by name', async () => {
    await assert.rejects(
      openBook({ predicates: { 'price/1': () => true, 'append/3': () => true } }),
      failsAs('invalid_argument', /^predicates: append\/3 is built in\. Choose another name\.$/),
    );
  });

  test('every method refuses options that it does not have, and suggests the one that is meant', async () => {
    const own = await openBook();
    await own.assert('p(1).');
    const draft = await own.draft('d');
    const refusals = {
      'no option `timeout`; did you mean `timeoutMs`': [
        () => own.all('p(X)', { timeout: 100 }),
        () => own.why('p(X)', { timeout: 100 }),
        () => draft.tests({ timeout: 100 }),
        () => draft.consequences(['p(X)'], { timeout: 1 }),
      ],
      'no option `asOf`; the options are: signal, assume, timeoutMs, priority, ahead, exact, schema$': [
        async () => own.query('p(X)', { asOf: 1 }),
        () => own.once('p(X)', { asOf: 1 }),
      ],
      'no option `headers`; did you mean `header`': [() => own.import('a.csv', 'x,y\n1,2\n', { headers: true })],
      'no option `retrie`; did you mean `retries`': [() => own.change(async () => {}, { retrie: 3 })],
      'no option `signl`; did you mean `signal`': [
        () => own.upsert('p', [[1]], { key: [0], signl: null }),
        async () => own.watch('p(X)', { signl: null }),
      ],
      'no option `every`; the options are: all$': [
        () => own.undo(1, { every: true }),
        () => own.redo(1, { every: true }),
      ],
      'no option `form`; did you mean `from`': [() => own.diff({ form: 1 })],
      'no option `clients`; did you mean `client`': [() => own.tools({ clients: 'a' })],
      'no option `reasons`; did you mean `reason`': [
        () => draft.accept({ reasons: 'a' }),
        () => draft.reject({ reasons: 'a' }),
      ],
    };
    for (const [message, calls] of Object.entries(refusals))
      for (const call of calls) await assert.rejects(call, failsAs('invalid_argument', new RegExp(message)), `${call}`);
    await assert.rejects(() => own.all('p(X)', 5), failsAs('invalid_argument', /must be an object.*not 5/));
    assert.deepEqual(await own.all('p(X)'), [{ X: 1 }]);
    await own.close();
  });

  test('an option of the wrong kind is an error that names it and says what it takes', async () => {
    for (const [options, message] of [
      ['agent.book', /must be an object, as \{ path: 'agent.book' \}, not a string/],
      [null, /must be an object/],
      [[], /must be an object/],
      [{ book: 'agent.book' }, /no option `book`: .* `path`/],
      [{ path: 3 }, /^`path` must be a string, not 3\.$/],
      [{ path: '' }, /^`path` is empty; leave it out/],
      [{ token: 5 }, /^`token` must be a string/],
      [{ log: 'console' }, /^`log` must be a function/],
      [{ predicates: 5 }, /^`predicates` must be an object/],
      [{ predicates: { 'a/1': 5 } }, /^`predicates`: a\/1 must be a function, not 5/],
      [{ data: ['a.csv'] }, /^`data` must be an object/],
      [{ roots: '/tmp' }, /^`roots` must be an array of strings/],
      [{ libraries: 5 }, /^`libraries` must be an array/],
      [{ tools: 'prolog' }, /^`tools` must be an array/],
      [{ limits: 5 }, /^`limits` must be whole numbers by name/],
      [{ limits: { take: 'x' } }, /^`limits` must be whole numbers by name/],
      [{ halfLives: 3 }, /^`halfLives` must be numbers of days/],
      [{ timeoutMs: '5' }, /^`timeoutMs` must be a whole number of milliseconds/],
      [{ engines: -1 }, /^`engines` must be a whole number from 1/],
      [{ engines: 0 }, /^`engines` must be 1 or more/],
      [{ unknown: 1 }, /^`unknown` must be a string/],
    ])
      await assert.rejects(openBook(options), failsAs('invalid_argument', message), JSON.stringify(options));
  });
});

describe('the template tag', () => {
  /** What a value comes back as, from a query and from a clause of the book. */
  async function comesBack(value) {
    const { X } = await book.once(prolog`X = ${value}`);
    return X;
  }

  test('any value reads back as itself', async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1e6);
    const random = randomOf(seed);
    const own = await openBook();
    for (let turn = 0; turn < 300; turn++) {
      const value = valueFrom(random, 4);
      assert.deepEqual(await comesBack(value), value, `SEED=${seed}, ${prolog`${value}`}`);
      await own.assert(prolog`kept(${turn}, ${value})`);
      assert.deepEqual((await own.once(prolog`kept(${turn}, X)`)).X, value, `SEED=${seed}, asserted`);
    }
    await own.close();
  });

  for (const [what, value] of Object.entries({
    'every character below 256': String.fromCharCode(...Array(256).keys()),
    'quotes and escapes': `'"\`\\ \\n \\x41\\ ~w %\n/* */ 0'c`,
    'line separators, an emoji and a byte order mark': '\u2028\u2029\ufeff👩‍💻',
    'the ends of the numbers': [Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53, -(2 ** 53) + 1, 5e-324, 0.1 + 0.2, -0],
    infinities: [Infinity, -Infinity, Number.NaN],
    'large integers': [2n ** 64n, -(2n ** 200n)],
    'keys like marks': { functor: 1, args: [], variable: 'x', cut: true, dict: { dict: 1 } },
    'odd keys': JSON.parse('{"__proto__": 1, "constructor": 2, "": 3, "A b": 4, "1": 5, "-1": 6}'),
    'terms in terms': new Term('A b', new Term('-', 1), [new Term('f', 'x')]),
    'a fraction': new Rational(-22n, 7n),
  })) {
    test(what, async () => assert.deepEqual(await comesBack(value), value));
  }

  test('an atom is an atom, and a goal is in parentheses', async () => {
    assert.deepEqual(await book.once(prolog`X = ${atom('A b')}, atom(X)`), { X: 'A b' });
    assert.equal(await book.once(prolog`X = ${'A b'}, atom(X)`), undefined);
    const either = prolog`X = 1 ; X = 2 % or`;
    assert.deepEqual(await book.all(prolog`${either}, X > 1`), [{ X: 2 }]);
  });

  test('a value does not merge with the text around it', async () => {
    assert.deepEqual(await book.once(prolog`X is 3-${-1}`), { X: 4 });
    for (const goal of [prolog`X = 1${2}`, prolog`X = ${1}2`, prolog`X = ${1}${2}`, prolog`X = 1_${2}`]) {
      await assert.rejects(book.once(goal), failsAs('syntax_error', /./));
    }
    await assert.rejects(book.once(prolog`X = foo${[1]}`), failsAs('syntax_error', /./));
  });

  test('no value escapes from its place', async () => {
    const evil = "x'), assertz(p), atom_length('";
    assert.throws(() => prolog`atom_length('${evil}', N)`, /inside of quotes or a comment/);
    assert.throws(() => prolog`X = "${evil}"`, /inside of quotes/);
    assert.throws(() => prolog`true % ${'\nassertz(p)'}`, /comment/);
    assert.throws(() => prolog`true /* ${'*/, assertz(p)'} */`, /comment/);
    assert.throws(() => prolog`X = '\x41\', Y = '${evil}`, /inside of quotes/);
    assert.throws(() => prolog`X = 'it''s ${1}'`, /inside of quotes/);
    assert.deepEqual(await book.once(prolog`X = 'it''s', Y = ${1}`), { X: "it's", Y: 1 });
    assert.deepEqual(await book.once(prolog`X = 0'a, Y = 0''', Z = 16'FF, V = ${1}`), { X: 97, Y: 39, Z: 255, V: 1 });
    assert.deepEqual(
      await book.once(prolog`% a comment with 'a quote
      X = ${1} /* and "another */`),
      { X: 1 },
    );
  });

  test('a value that Prolog cannot represent is refused', () => {
    const cyclic = [];
    cyclic.push(cyclic);
    for (const [value, message] of [
      [undefined, /undefined has no value in Prolog: give null/],
      [() => 1, /a function has no value/],
      [Symbol('s'), /a symbol has no value/],
      [new Date(), /a Date has no value/],
      [new Map(), /a Map has no value/],
      [Array(2), /undefined/],
      ['\ud800', /surrogate/],
      [cyclic, /contains itself/],
      [new Variable('X'), /variable X/],
      [new Term('.', 'a', 1), /a term named \. .* would be evaluated as a call on a dict/],
      [[new Term('.', {}, new Term('put', {}))], /call on a dict/],
      [Object.assign(atom('a'), { name: ['b'] }), /a name must be a string, not an array/],
      [Object.assign(new Rational(1n, 2n), { numerator: '1), assertz(owned(1)), Y = (1' }), /are BigInts/],
      [new Goal('a), assertz(owned(1)), (b'), /is not one term: it ends at a \)/],
      [new Goal('a. assertz(owned(1))'), /is not one term: it ends at a \./],
      [new Goal('f(a'), /lacks a \)/],
      [new Goal("'a"), /inside of quotes/],
      [Array.from({ length: 2000 }).reduce((inner) => [inner], 1), /nests deeper than 1000 levels/],
    ]) {
      assert.throws(() => prolog`X = ${value}`, { name: 'TypeError', message });
    }
  });

  test('a value of the wrong kind is refused when it is made', () => {
    assert.throws(() => new Rational('1), assertz(owned(1)), Y = (1', 2n), {
      name: 'TypeError',
      message: /are BigInts/,
    });
    assert.throws(() => new Rational(1n, 2), { name: 'TypeError', message: /are BigInts/ });
    assert.throws(() => new Rational(1n, 0n), { name: 'RangeError', message: /not 0/ });
    for (const make of [(name) => new Term(name, 1), (name) => new Atom(name), (name) => new Variable(name)])
      for (const name of [undefined, null, 1, ['a'], { toString: () => 'a' }])
        assert.throws(() => make(name), { name: 'TypeError', message: /^the name of an? \w+ is a string, not / });
    assert.throws(() => new Goal({ toString: () => 'true' }), { name: 'TypeError', message: /text of a goal/ });
    assert.deepEqual(new Rational(4n, -6n), new Rational(-2n, 3n));
  });

  test('a random value, whoever tampered with it, is one term or is refused', async () => {
    const own = await openBook();
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
    const random = randomOf(seed);
    let terms = 0;
    for (let turn = 0; turn < 400; turn += 1) {
      const value = tamperedFrom(random, 3);
      let goal;
      try {
        goal = prolog`Z = h(${value}, ${2}), Z =.. L, length(L, N)`;
      } catch (error) {
        assert.match(error.name, /^(Type|Range)Error$/, `SEED=${seed}: ${error.stack}`);
        continue;
      }
      try {
        assert.equal((await own.once(goal)).N, 3, `SEED=${seed}, ${goal}`);
        terms += 1;
      } catch (error) {
        // A random text for a goal need not be one.
        assert.ok(error instanceof HornbookError, `SEED=${seed}, ${goal}: ${error}`);
        assert.match(error.kind, /^(syntax_error|cyclic_term|limit_reached)$/, `SEED=${seed}, ${goal}: ${error}`);
      }
    }
    assert.ok(terms > 50, `SEED=${seed}: only ${terms} were terms`);
    assert.doesNotMatch(await own.source(), /owned/, `SEED=${seed}`);
    await own.close();
  });
});

describe('tools for agents', () => {
  test('are those of the server', async () => {
    const tools = await book.tools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['clauses', 'files', 'workspace', 'query_start', 'query_next', 'query_close', 'help'],
    );
    const ask = tools.find(({ name }) => name === 'query_start');
    assert.match(await ask.call({ query: 'X is 6 * 7', take: 1 }), /X = 42/);
    assert.match(await ask.call({ query: 'X is', take: 1 }), /^Error: /);
  });

  test('the AI SDK calls them', async () => {
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const input = JSON.stringify({ query: 'X is 6 * 7', take: 1 });
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'query_start', input };
    const turns = [
      { content: [call], finishReason: { unified: 'tool-calls' } },
      { content: [{ type: 'text', text: 'It is 42.' }], finishReason: { unified: 'stop' } },
    ];
    const prompts = [];
    const model = new MockLanguageModelV3({
      doGenerate: async ({ prompt }) => {
        prompts.push(prompt);
        return { ...turns.shift(), usage, warnings: [] };
      },
    });
    const { text } = await generateText({
      model,
      tools: await bookTools(book),
      prompt: 'What is 6 * 7?',
      stopWhen: stepCountIs(3),
    });
    assert.equal(text, 'It is 42.');
    assert.match(JSON.stringify(prompts.at(-1)), /X = 42/);
  });
});

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A value, some of whose parts are not what their classes promise. */
function tamperedFrom(random, depth) {
  const below = (n) => Math.floor(random() * n);
  const one = (list) => list[below(list.length)];
  const pieces = [
    '1',
    'a',
    'X',
    '(',
    ')',
    ',',
    '. ',
    '.\n',
    "'",
    '"',
    '`',
    '%',
    '/*',
    '*/',
    '[',
    ']',
    '{',
    '}',
    ' ',
    '|',
  ];
  pieces.push('), assertz(owned(1)), (', '. assertz(owned(1)). ', '\\', "0'", ':-', '2), assertz(owned(1)), Z = h(1');
  const text = () => Array.from({ length: 1 + below(4) }, () => one(pieces)).join('');
  const sly = () => one([text(), { toString: text, replace: text }, [text()], 1, 1n, null, undefined, Object(text())]);
  const inside = () => (depth > 0 ? tamperedFrom(random, depth - 1) : text());
  const kinds = [
    text,
    () => valueFrom(random, 1),
    () => Object.assign(atom('a'), { name: sly() }),
    () => Object.assign(new Rational(1n, 2n), { [one(['numerator', 'denominator'])]: sly() }),
    () => Object.assign(new Term('f', inside()), { name: sly() }),
    () => Object.assign(new Term(text(), inside()), { args: one([sly(), [inside(), inside()]]) }),
    () => new Term(one(['.', 'dict', '[]', '{}', '$VAR', ',', '|']), inside(), inside()),
    () => new Goal(text()),
    () => Object.assign(new Goal('true'), { text: sly() }),
    () => [inside(), inside()],
    () => ({ [text()]: inside(), ['__proto__']: inside() }),
    () => Object.create({ constructor: { name: text() } }),
    () => new (class extends Array {})(inside(), text()),
  ];
  return one(kinds)();
}

function valueFrom(random, depth) {
  const below = (n) => Math.floor(random() * n);
  const many = (make) => Array.from({ length: below(4) }, make);
  const text = () => {
    const odd = [
      '"',
      "'",
      '\\',
      '\n',
      '\0',
      '`',
      '%',
      '/*',
      '*/',
      '~',
      'é',
      '漢',
      '😀',
      '.',
      ' ',
      'a',
      'Z',
      '_',
      '\u2028',
    ];
    return many(() => odd[below(odd.length)]).join('');
  };
  const bits = () => new Float64Array(new Uint32Array([below(2 ** 32), below(2 ** 32)]).buffer)[0];
  const inside = () => valueFrom(random, depth - 1);
  const kinds = [
    text,
    () => below(2 ** 31) - 2 ** 30,
    () => random() * 10 ** (below(40) - 20),
    bits,
    () => (2n ** 53n + BigInt(below(2 ** 31)) ** BigInt(1 + below(4))) * (random() < 0.5 ? 1n : -1n),
    () => [true, false, null][below(3)],
    () => new Rational(BigInt(2 * below(1000) + 1), 1024n),
    () => many(inside),
    () => Object.fromEntries(many(() => [text(), inside()])),
    () => new Term(text(), inside()),
  ];
  return kinds[below(depth > 0 ? kinds.length : 7)]();
}
