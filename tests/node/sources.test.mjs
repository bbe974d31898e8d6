// Texts of clauses as Prolog programmers write them: directives, grammar rules, comments, layout, errors; and that a
// snapshot contains everything, in order.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(() => server.close());
beforeEach(() => server.reset());

const failed = async (filename, text) =>
  (await server.call('files', { operation: 'import', filename, text })).data.errors;

describe('directives', () => {
  test('dynamic: a predicate without clauses fails, and is no error', async () => {
    await server.import('d', ':- dynamic seen/1, counted/2.\n:- dynamic([old/0]).\n');
    for (const goal of ['seen(_)', 'counted(_, _)', 'old']) assert.deepEqual(await server.solve(goal), []);
    await server.fails('query_start', { query: 'unseen(_)', take: 1 }, 'existence_error');
    await server.assert(':- dynamic asked/1.');
    assert.deepEqual(await server.solve('asked(_)'), []);
  });

  test('discontiguous: clauses of several predicates, mixed', async () => {
    await server.import('d', ':- discontiguous a/1, b/1.\na(1). b(1). a(2). b(2).\n');
    assert.deepEqual(await server.solve('findall(X, a(X), As), findall(X, b(X), Bs)'), ['As = [1,2], Bs = [1,2]']);
  });

  test('table: left recursion terminates, answers have no duplicates, and new facts count', async () => {
    await server.import(
      't',
      ':- table path/2.\npath(X, Y) :- path(X, Z), edge(Z, Y).\npath(X, Y) :- edge(X, Y).\nedge(1, 2). edge(2, 1).\n',
    );
    assert.deepEqual(await server.solve('findall(Y, path(1, Y), _L), msort(_L, L)'), ['L = [1,2]']);
    await server.assert('edge(2, 3).');
    assert.deepEqual(await server.solve('findall(Y, path(1, Y), _L), msort(_L, L)'), ['L = [1,2,3]']);
    await server.solve('retract(edge(2, 3))');
    assert.deepEqual(await server.solve('findall(Y, path(1, Y), _L), msort(_L, L)'), ['L = [1,2]']);
  });

  test('op: for that file, and for queries and clauses, but for no other file', async () => {
    await server.import('o', ':- op(700, xfx, ===>).\nrule(a ===> b).\n');
    assert.deepEqual(await server.solve("rule('===>'(A, B))"), ['A = a, B = b']);
    assert.deepEqual(await server.solve('rule(A ===> B)'), ['A = a, B = b']);
    assert.equal((await failed('p', 'rule(c ===> d).\n')).length, 1);
    await server.assert(':- op(200, xfy, ~~>). inline(x ~~> y).');
    assert.equal((await failed('q', 'inline(z ~~> y).\n')).length, 1);
    const snapshot = await server.snapshot();
    await server.reset();
    await server.import('all', snapshot);
    assert.deepEqual(await server.solve("rule('===>'(A, B)), inline('~~>'(X, Y))"), ['A = a, B = b, X = x, Y = y']);
  });

  test('listing shows rules as they are called', async () => {
    await server.import('l', 'l(X) :- X, \\+ X = 1, ( m(X) -> true ; m(2) ).\nm(1).\n');
    assert.deepEqual(await server.solve('with_output_to(string(S), listing(l))'), [
      String.raw`S = ":- dynamic l/1.\n\nl(A) :-\n    call(A),\n    \\+ A=1,\n    (   m(A)\n    ->  true\n    ;   m(2)\n    ).\n\n"`,
    ]);
  });

  test('retract/1 meets what was taken out since it began, as the logical update view has it', async () => {
    await server.import(
      'u',
      ':- dynamic insect/1, seen/1.\ninsect(ant).\ninsect(bee).\nrun(L) :- ( retract(insect(I)), assertz(seen(I)), retract(insect(bee)), fail ; findall(I, retract(seen(I)), L) ).\n',
    );
    assert.deepEqual(await server.solve('run(L), \\+ insect(_), \\+ retract(insect(_))'), ['L = [ant,bee]']);
  });

  test('flags of how a system works by itself: set without effect, in goals too, and asked', async () => {
    await server.import('f', 'run(X) :- current_prolog_flag(gc, Old), set_prolog_flag(gc, false), X = Old.\n');
    assert.deepEqual(await server.solve('run(X), current_prolog_flag(gc, Y)'), ['X = true, Y = true']);
    assert.deepEqual(await server.solve('current_prolog_flag(X, X)'), []);
    assert.deepEqual(await server.solve('F = gc, set_prolog_flag(F, false)'), ['F = gc']);
    assert.deepEqual(
      await server.solve('call(set_prolog_flag, gc, false), maplist(set_prolog_flag, [debug], [false])'),
      ['true'],
    );
    assert.deepEqual(await server.solve('set_prolog_flag(iso, false), current_prolog_flag(iso, X)'), ['X = false']);
    assert.deepEqual(await server.solve('catch(set_prolog_flag(iso, true), error(E, _), true)'), [
      'E = permission_error(modify,flag,iso)',
    ]);
    const later = (await server.call('query_start', { query: 'F = unknown, set_prolog_flag(F, fail)', take: 1 })).data;
    assert.equal(later.error.kind, 'unsafe_goal');
    assert.equal(
      (await server.call('query_start', { query: 'set_prolog_flag(unknown, fail)', take: 1 })).data.error.kind,
      'unsafe_goal',
    );
  });

  test('set_prolog_flag(double_quotes): for that file only', async () => {
    await server.import('f', ':- set_prolog_flag(double_quotes, codes).\nf("ab").\n');
    await server.assert('g("ab").');
    assert.deepEqual(await server.solve('f(X), g(Y)'), ['X = [97,98], Y = "ab"']);
  });

  test('initialization: runs after loading, with its output; an error is reported, and what it asserts is kept', async () => {
    const { text, data } = await server.import(
      'i',
      ':- initialization(main).\nmain :- format("hello ~w~n", [world]), assertz(made(1)).\n',
    );
    assert.deepEqual([data.status, data.output], ['success', 'hello world\n']);
    assert.match(text, /Output:\nhello world/);
    assert.deepEqual(await server.solve('made(X)'), ['X = 1']);
    assert.match(await server.snapshot(), /made\(1\)\.$/);
    const errors = await failed('j', ':- initialization(X is 1/0).\n:- initialization(fail).\nk(1).\n');
    assert.equal(errors.length, 2);
    assert.match(errors[0], /division by zero/);
    assert.deepEqual(await server.solve('k(X)'), ['X = 1']);
  });

  test('initialization is confined by the sandbox, and stopped in time', async () => {
    assert.match(
      (await failed('i', ':- initialization(shell(ls)).\nk(1).\n')).join(),
      /shell\/1 is outside the sandbox/,
    );
    assert.deepEqual(await server.solve('k(X)'), ['X = 1']);
  });

  test('use_module: of the allowed libraries', async () => {
    const libraries = [
      'clpfd',
      'clpb',
      'lists',
      'apply',
      'aggregate',
      'assoc',
      'pairs',
      'option',
      'ordsets',
      'random',
      'solution_sequences',
      'ugraphs',
      'rbtrees',
      'heaps',
      'occurs',
      'nb_set',
      'terms',
      'charsio',
    ];
    const directives = [
      ...libraries.map((library) => `:- use_module(library(${library})).`),
      ':- use_module(library(lists), [append/3]).',
      ':- use_module([library(yall), library(dcg/basics)]).',
      ':- ensure_loaded(library(lists)).',
    ];
    const { data } = await server.import('u', directives.join('\n'));
    assert.deepEqual(data.errors, []);
  });

  for (const [directive, reason] of [
    ['use_module(library(process))', /library\(process\) is not allowed/],
    ['use_module(library(http/http_open))', /library\(http\/http_open\) is not allowed/],
    ['use_module(other)', /other.*[Ii]mport it/],
    ['include(other)', /other.*[Ii]mport it/],
    ['consult(other)', /other.*[Ii]mport it/],
    ['shell(ls)', /dangerous predicate shell\/1/],
    ['set_prolog_flag(unknown, fail)', /unknown/],
    ['set_prolog_flag(iso, true)', /flag iso: .*those of SWI-Prolog/],
    ['end_tests(u)', /No unit of tests has begun/],
  ]) {
    test(`refused by name: ${directive}`, async () => {
      const errors = await failed('r', `before(1).\n:- ${directive}.\nafter(1).\n`);
      assert.equal(errors.length, 1);
      assert.match(errors[0], /^2:0: /);
      assert.match(errors[0], reason);
      assert.deepEqual(await server.solve('before(X), after(Y)'), ['X = 1, Y = 1']);
      const { data } = await server.fails('clauses', { operation: 'assert', clauses: `:- ${directive}.` });
      assert.match(data.failures[0].message, reason);
    });
  }
});

describe('text', () => {
  const FILE = `#!/usr/bin/env swipl
/* A header,
   of two lines. */

:- dynamic fact/1.      % declared

fact( 1 ).   fact(2).   % two on a line
%   between

rule(X,Y):-fact(X),     % first
\tY is X+1.              % with a tab

text("a % no comment", 'it''s', 0'%, 0''', "/* nor this */").
greeting --> [hello], name.          /* grammar */
name --> [world] | [prolog].
last(X) :-
    \\+ \\+ X = 1,
    ( X == 1 -> true ; fail ).  % the end, without a newline`;

  test('a file is kept exactly: comments, layout, empty lines', async () => {
    const { data } = await server.import('f', FILE);
    assert.deepEqual([data.status, data.clausesAdded], ['success', 7]);
    assert.equal(await server.snapshot(), FILE);
    assert.deepEqual(await server.solve('rule(2, Y)'), ['Y = 3']);
    assert.deepEqual(await server.solve('text(A, B, C, D, E)'), [
      `A = "a % no comment", B = 'it\\'s', C = 37, D = 39, E = "/* nor this */"`,
    ]);
    assert.deepEqual(await server.solve('phrase(greeting, [hello, X])'), ['X = world', 'X = prolog']);
  });

  test('CRLF, tabs, Unicode beyond the BMP and a byte order mark', async () => {
    const text = '% ünïcode 🙂\r\nfacé(\'🙂\', "日本").\r\n\r\nq(X) :-\r\n\tfacé(X, _).\r\n';
    await server.import('f', text);
    assert.equal(await server.snapshot(), text);
    assert.deepEqual(await server.solve('q(X), atom_length(X, N)'), ['X = 🙂, N = 1']);
    await server.import('bom', '\ufeffbom(1).\n');
    assert.deepEqual(await server.solve('bom(X)'), ['X = 1']);
  });

  test('inline clauses: several in a string, over several lines, with comments, the last without a period', async () => {
    const { data } = await server.assert(
      '% a family\nparent(ann, bob). parent(bob, cy).\n\ngrandparent(X, Z) :-\n    parent(X, Y),   % someone\n    parent(Y, Z)',
    );
    assert.equal(data.succeeded, 3);
    assert.equal(
      await server.snapshot(),
      '% a family\nparent(ann, bob).\nparent(bob, cy).\ngrandparent(X, Z) :-\n    parent(X, Y),   % someone\n    parent(Y, Z).',
    );
    assert.deepEqual(await server.solve('grandparent(ann, Who)'), ['Who = cy']);
  });

  test('grammar rules: pushback, strings, calls, braces', async () => {
    await server.assert([
      'digits([D|T]) --> digit(D), digits(T). digits([D]) --> digit(D).',
      'digit(D) --> [D], { code_type(D, digit) }.',
      'look(C), [C] --> [C].',
      'sign --> "-" ; "+".',
      'any --> call(rest_of). rest_of(_, []).',
    ]);
    assert.deepEqual(await server.solve('phrase(digits(_Ds), `407`), atom_codes(N, _Ds)'), ["N = '407'"]);
    assert.deepEqual(await server.solve('phrase(look(C), [a, b], Rest)'), ['C = a, Rest = [a,b]']);
    assert.deepEqual(await server.solve('phrase((sign, any), `+12`)'), ['true']);
  });

  test('errors are reported with their lines, and affect only themselves', async () => {
    const errors = await failed(
      'e',
      'a(1).\nb(.\n\n% c\nc(2) :- foo bar.\nd :- X = "open.\ne(3).\nf(\n  1,\n  2 3a).\ng(4).\n',
    );
    assert.deepEqual(
      errors.map((error) => Number(error.split(':')[0])),
      [2, 5, 6, 10],
    );
    assert.deepEqual(await server.solve('a(A), e(E), g(G)'), ['A = 1, E = 3, G = 4']);
    assert.equal(await server.snapshot(), 'a(1).\ne(3).\ng(4).\n');
  });

  test('unsafe clauses are refused by name, but not their neighbours', async () => {
    const errors = await failed(
      'u',
      'ok(1).\nbad :- rename_file(f, g).\nworse(X) :- findall(Y, (member(Y, X), shell(Y)), _).\nok(2).\n',
    );
    assert.equal(errors.length, 2);
    assert.match(errors[0], /^2:0: .*rename_file\/2/);
    assert.match(errors[1], /^3:0: .*shell\/1/);
    assert.deepEqual(await server.solve('ok(X)'), ['X = 1', 'X = 2']);
  });
});

describe('the workspace in order', () => {
  test('inline, file, run: the snapshot is in order of time; asserta goes first', async () => {
    await server.assert('n(2).');
    await server.import('f', '% file\nn(3).\n\nn(4).   % four\n');
    await server.solve('assertz(n(5)), asserta(n(1))');
    await server.assert('n(6).');
    assert.equal(await server.snapshot(), 'n(1).\nn(2).\n% file\nn(3).\n\nn(4).   % four\nn(5).\nn(6).');
    assert.deepEqual(await server.solve('findall(X, n(X), L)'), ['L = [1,2,3,4,5,6]']);
  });

  test('unimport removes the remaining clauses of its file, and no others', async () => {
    await server.import('one', 'n(1).\nn(2).\nn(3).\n');
    await server.import('two', 'n(2).\n');
    await server.retract('n(2)');
    await server.solve('retract(n(3))');
    assert.equal((await server.ok('files', { operation: 'list' })).data.files[0].clauseCount, 1);
    assert.equal((await server.ok('files', { operation: 'unimport', filename: 'one' })).data.clausesRemoved, 1);
    assert.equal(await server.snapshot(), 'n(2).\n');
    await server.import('one', 'n(9).\n');
    assert.deepEqual(await server.solve('findall(X, n(X), L)'), ['L = [2,9]']);
  });

  test('a snapshot can be read again and gives the same snapshot, whatever was done before', async () => {
    await server.import('f', ':- op(700, xfx, is_a).\n% kinds\nfelix is_a cat.\ntom is_a dog.\n');
    await server.assert(['plain("text").', ':- dynamic empty/3.', "odd('A b', [], {}, 'x\\ny')."]);
    await server.solve('assertz((made(X) :- member(X, [1, \'B\']), \\+ X = "s", ( X == 1 -> true ; X \\= {y} )))');
    await server.solve('retract(is_a(tom, dog))');
    const snapshot = await server.snapshot();
    const answers = [];
    for (let round = 0; round < 2; round++) {
      const goals = ['is_a(X, Y)', 'plain(X)', 'odd(A, B, C, D)', 'made(X)', 'empty(_, _, _)'];
      answers.push(await Promise.all(goals.map((goal) => server.solve(goal))));
      assert.equal(await server.snapshot(), snapshot);
      await server.reset();
      await server.import('snapshot', snapshot);
    }
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[0][0], ['X = felix, Y = cat']);
  });
});

describe('retract means retract/1', () => {
  test('the first clause that unifies goes, and only that one', async () => {
    await server.assert([
      'p(1, a). p(2, b). p(3, a).',
      'q(X) :- p(X, a), !.',
      'q(X) :- p(X, b).',
      'g --> [x], g. g --> [].',
    ]);
    await server.retract('p(_, a)');
    await server.retract('q(Any) :- p(Any, b)');
    await server.retract('g --> []');
    assert.equal(await server.snapshot(), 'p(2, b).\np(3, a).\nq(X) :- p(X, a), !.\ng --> [x], g.');
    await server.fails('clauses', { operation: 'retract', clauses: 'q(_)' });
    await server.retract('q(_) :- _');
    assert.equal(await server.snapshot(), 'p(2, b).\np(3, a).\ng --> [x], g.');
  });

  test('the same for a clause of a file; the rest of its text stays', async () => {
    await server.import('f', '% one\nn(1).\n\n% two\nn(2).\n% three\nn(3).\n');
    await server.retract('n(2)');
    assert.equal(await server.snapshot(), '% one\nn(1).\n% three\nn(3).\n');
  });
});

describe('paths', () => {
  test('relative to the root, absolute, with dots and through a symbolic link: the same file', async () => {
    mkdirSync(join(server.directory, 'sub'), { recursive: true });
    writeFileSync(join(server.directory, 'sub', 'f.pl'), 'n(1).\n');
    symlinkSync(join(server.directory, 'sub', 'f.pl'), join(server.directory, 'link.pl'));
    for (const filename of ['sub/f.pl', './sub/../sub/f.pl', 'link.pl', join(server.directory, 'sub', 'f.pl')]) {
      const { data } = await server.ok('files', { operation: 'import', filename });
      assert.equal(data.filename, join(server.directory, 'sub', 'f.pl'));
      await server.fails('files', { operation: 'import', filename: 'link.pl' }, 'already_imported');
      await server.ok('files', { operation: 'unimport', filename });
    }
  });

  test('nothing outside the root is read, neither through dots nor through a link', async () => {
    symlinkSync('/etc/passwd', join(server.directory, 'passwd.pl'));
    for (const filename of ['/etc/passwd', '../../../etc/passwd', 'passwd.pl', '/etc/none', '/usr/lib/x.pl']) {
      const { text } = await server.fails('files', { operation: 'import', filename }, 'file_path_violation');
      assert.match(text, /within allowed roots/);
      assert.doesNotMatch(text, /root:x/);
    }
    assert.match(
      (await server.fails('files', { operation: 'import', filename: 'none.pl' }, 'file_error')).text,
      /not found/,
    );
    assert.match(
      (await server.fails('files', { operation: 'import', filename: '.' }, 'file_error')).text,
      /Not a file/,
    );
  });

  test('several roots; what is not text is refused', async () => {
    const other = await Server.start({
      args: ['--root', server.directory, '--root', '.'],
      files: { 'own.pl': 'own(1).\n', 'binary.pl': Buffer.from([0x70, 0x00, 0xfe, 0x2e]) },
    });
    writeFileSync(join(server.directory, 'shared.pl'), 'shared(1).\n');
    await other.ok('files', { operation: 'import', filename: 'own.pl' });
    await other.ok('files', { operation: 'import', filename: 'shared.pl' });
    assert.deepEqual(await other.solve('own(X), shared(Y)'), ['X = 1, Y = 1']);
    assert.match(
      (await other.fails('files', { operation: 'import', filename: 'binary.pl' }, 'file_error')).text,
      /not text/,
    );
    await other.close();
  });
});
