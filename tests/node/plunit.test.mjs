// Tests in a book: units of plunit, run by `run_tests`, with a report of what failed.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Server } from './harness.mjs';

/** Returns whether all of these tests pass, and the report. */
async function report(server, query = 'run_tests') {
  const { data } = await server.ok('query_start', { query, take: 1 });
  return {
    passed: data.answers.length === 1,
    lines: (data.answers[0]?.output ?? data.output ?? '').trimEnd().split('\n'),
  };
}

/** The report on these tests, in a unit `u` with these other clauses. */
async function run(tests, clauses = '') {
  const server = await Server.start();
  await server.import('unit.plt', `${clauses}\n:- begin_tests(u).\n${tests}\n:- end_tests(u).\n`);
  const { lines } = await report(server);
  await server.close();
  return lines;
}

describe('tests in a book', () => {
  test('tests that pass are counted', async () => {
    const lines = await run(
      'test(a) :- add(1, 2, 3). test(b, X == 4) :- add(2, 2, X). test(c, [true(X =:= 5), nondet]) :- member(X, [5, 6]).',
      ':- use_module(library(plunit)). add(X, Y, Z) :- Z is X + Y.',
    );
    assert.deepEqual(lines, ['3 tests: 3 passed, 0 failed, 0 skipped']);
  });

  test('the setup of a unit runs once before its tests, and its cleanup after them', async () => {
    const server = await Server.start();
    await server.import(
      'unit.plt',
      [
        ':- begin_tests(u, [setup((nb_setval(tag, u), write(begin), nl)), cleanup((write(end), nl))]).',
        'test(a) :- nb_getval(tag, u). test(b, X == u) :- nb_getval(tag, X), write(b), nl.',
        'test(c, [setup(b_setval(now, 1)), X == 1]) :- b_getval(now, X).',
        ':- end_tests(u).',
        ':- begin_tests(v, [setup(fail), cleanup((write(never), nl))]). test(c). :- end_tests(v).',
        ':- begin_tests(w, [condition(fail), setup((write(never), nl))]). test(d). :- end_tests(w).',
      ].join('\n'),
    );
    assert.deepEqual((await report(server)).lines, [
      'begin',
      'b',
      'end',
      'FAILED v:c: the setup of its unit fails',
      'skipped w:d: fail fails',
      '5 tests: 3 passed, 1 failed, 1 skipped',
    ]);
    await server.close();
  });

  test('a unit begins with the default flags of reading, and its own end with it', async () => {
    const server = await Server.start();
    await server.import(
      'unit.plt',
      [
        ':- set_prolog_flag(double_quotes, codes).',
        'before("a").',
        ':- begin_tests(u).',
        'test(text, X == "a") :- string_codes(X, [97]).',
        ':- set_prolog_flag(double_quotes, atom).',
        'test(own, X == a) :- X = "a".',
        ':- end_tests(u).',
        'after("a").',
      ].join('\n'),
    );
    assert.deepEqual((await report(server)).lines, ['2 tests: 2 passed, 0 failed, 0 skipped']);
    assert.deepEqual(await server.solve('before(X), after(X)'), ['X = [97]']);
    await server.import('other.pl', 'other("a").');
    const snapshot = await server.snapshot();
    await server.reset();
    await server.import('again.pl', snapshot);
    assert.deepEqual((await report(server)).lines, ['2 tests: 2 passed, 0 failed, 0 skipped']);
    assert.deepEqual(await server.solve('after(X), other(Y)'), ['X = [97], Y = "a"']);
    await server.close();
  });

  test('a unit within a unit has its own tests and flags, and each end is that of the innermost', async () => {
    const server = await Server.start();
    await server.import(
      'unit.plt',
      [
        ':- set_prolog_flag(double_quotes, codes).',
        ':- begin_tests(u).',
        ':- set_prolog_flag(double_quotes, atom).',
        'test(before, X == a) :- X = "a".',
        ':- begin_tests(w).',
        'test(within) :- string("a").',
        ':- end_tests(w).',
        'test(after, X == a) :- X = "a".',
        ':- end_tests(u).',
        'after("a").',
      ].join('\n'),
    );
    assert.deepEqual((await report(server)).lines, ['3 tests: 3 passed, 0 failed, 0 skipped']);
    assert.deepEqual(await server.solve('after(X), run_tests(w)'), ['X = [97]']);
    const wrong = await server.call('files', {
      operation: 'import',
      filename: 'wrong.plt',
      text: ':- begin_tests(v).\n:- end_tests(x).\n:- end_tests(v).\n:- end_tests(v).',
    });
    assert.match(wrong.text, /2:0: end_tests\(x\) comes within the unit of tests v: end that first/);
    assert.match(wrong.text, /4:0: No unit of tests has begun that end_tests\(v\) could end/);
    await server.close();
  });

  test('negative numbers in a test, and in a clause that is inspected or translated again', async () => {
    assert.deepEqual(await run('test(n) :- X is 2-6, X == -4, X = -4, X \\== -3.'), [
      '1 test: 1 passed, 0 failed, 0 skipped',
    ]);
    const server = await Server.start();
    await server.assert(['below(X) :- X == -4, last([X], Y), Y = -4.']);
    assert.deepEqual(await server.solve('clause(below(X), B)'), ['B = (X== -4,last([X],_A),_A= -4)']);
    await server.assert(['last([X], X).']);
    assert.deepEqual(await server.solve('below(-4), \\+ below(33554428)'), ['true']);
    await server.close();
  });

  test('a failing test is reported with its outcome', async () => {
    assert.deepEqual(
      await run(`
        test(wrong, X == 5) :- X is 2 + 2.
        test(fails) :- fail.
        test(succeeds, fail) :- true.
        test(raises) :- X is foo + 1, X > 0.
        test(other, throws(here)) :- throw(there).
        test(all, all(X == [1, 2])) :- member(X, [2, 1]).
        test(odd, [mispelt(1)]) :- true.`),
      [
        'FAILED u:wrong: 4==5 is false',
        'FAILED u:fails: it fails',
        'FAILED u:succeeds: it succeeds, but should fail',
        'FAILED u:raises: it raises an error: Type error: evaluable expected, found foo/0 (in (is)/2).',
        'FAILED u:other: it throws there (expected: here)',
        'FAILED u:all: [2, 1]==[1, 2] is false',
        'FAILED u:odd: unknown option mispelt(1)',
        '7 tests: 0 passed, 7 failed, 0 skipped',
      ],
    );
  });

  test('the options of plunit', async () => {
    assert.deepEqual(
      await run(`
        test(fail, [fail]) :- 1 > 2.
        test(error, error(type_error(_, _))) :- atom_length(f(x), _).
        test(throws, throws(ball(_))) :- throw(ball(1)).
        test(set, set(X == [1, 2])) :- member(X, [2, 1, 2]).
        test(bag, bag(X == [1, 2, 2])) :- member(X, [2, 1, 2]).
        test(each, [forall(member(X-Y, [1-2, 2-4, 3-7])), true(Y =:= Z)]) :- Z is X * 2.
        test(later, blocked('not yet')) :- fail.
        test(never, condition(1 > 2)) :- fail.
        test(around, [setup(assertz(tmp(1))), cleanup(retractall(tmp(_))), true(X == 1)]) :- tmp(X).
        test(gone, fail) :- tmp(_).
        test(left) :- member(_, [1, 2]).`),
      [
        'FAILED u:each: 7=:=6 is false',
        "skipped u:later: 'not yet'",
        'skipped u:never: 1>2 fails',
        'choice point left: u:left',
        '13 tests: 10 passed, 1 failed, 2 skipped',
      ],
    );
  });

  test('a unit or a single test can be run alone, and an unknown name is answered with a list', async () => {
    const server = await Server.start();
    await server.assert('test(outside) :- fail.');
    assert.match((await server.fails('query_start', { query: 'run_tests', take: 1 })).text, /The book has no tests/);
    await server.import('a.plt', ':- begin_tests(a). test(x) :- true. test(y) :- fail. :- end_tests(a).');
    await server.import('b.plt', ':- begin_tests(b, []). test(x) :- true. :- end_tests(b). test(outside) :- fail.');
    assert.deepEqual((await report(server)).lines.at(-1), '3 tests: 2 passed, 1 failed, 0 skipped');
    assert.deepEqual(await report(server, 'run_tests(b)'), {
      passed: true,
      lines: ['1 test: 1 passed, 0 failed, 0 skipped'],
    });
    assert.deepEqual((await report(server, 'run_tests([a:y, b])')).passed, false);
    assert.match(
      (await server.fails('query_start', { query: 'run_tests(c)', take: 1 })).text,
      /no tests c\. The units are: a, b\./,
    );
    await server.close();
  });

  test('a unit goes with its file, is restored by undo, and is in a reopened book', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hornbook-'));
    const book = join(directory, 'tests.book');
    const server = await Server.start({ args: ['--book', book] });
    await server.import('a.plt', ':- begin_tests(a). test(x) :- true. :- end_tests(a).');
    await server.import('b.plt', ':- begin_tests(b). test(x) :- fail. :- end_tests(b).');
    await server.ok('files', { operation: 'unimport', filename: 'b.plt' });
    assert.deepEqual((await report(server)).lines, ['1 test: 1 passed, 0 failed, 0 skipped']);
    await server.ok('workspace', { operation: 'undo' });
    assert.deepEqual((await report(server)).lines.at(-1), '2 tests: 1 passed, 1 failed, 0 skipped');
    await server.close();

    const again = await Server.start({ args: ['--book', book] });
    assert.deepEqual((await report(again)).lines.at(-1), '2 tests: 1 passed, 1 failed, 0 skipped');
    await again.reset();
    assert.match((await again.fails('query_start', { query: 'run_tests', take: 1 })).text, /The book has no tests/);
    await again.close();
  });

  test('a file may run its tests when it is loaded', async () => {
    const server = await Server.start();
    const { text } = await server.import(
      'a.plt',
      ':- begin_tests(a). test(x) :- fail. :- end_tests(a).\n:- run_tests.',
    );
    assert.match(text, /FAILED a:x: it fails/);
    await server.close();
  });

  test('what tests may not do, they may not do here either', async () => {
    const lines = await run(
      'test(options, setup(shell(ls))) :- true. test(late, true(shell(ls))) :- true. test(goal, X == 1) :- G = shell(ls), X = 1, call(G).',
    );
    assert.equal(lines.at(-1), '3 tests: 0 passed, 3 failed, 0 skipped');
    for (const line of lines.slice(0, 3)) assert.match(line, /shell\/1/);
  });
});
