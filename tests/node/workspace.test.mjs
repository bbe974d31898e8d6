// A workspace as an agent sees it: the text of its clauses, its files, its resources, and all tools together. The
// individual operations are in operations.test.mjs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Server } from './harness.mjs';

const SNAPSHOT = 'prolog://workspace/snapshot';
const SYMBOLS = 'prolog://workspace/symbols';

let server;
before(
  async () =>
    (server = await Server.start({
      files: {
        'family.pl':
          '% The family.\nparent(ann, bob).\nparent(bob, cy).\n\ngrandparent(Who, Child) :-\n    parent(Who, Someone),  % the one between\n    parent(Someone, Child).\n',
        'pets.pl': 'pet(Owner, Animal) :- owns(Owner, Animal).\nowns(ann, cat).\n',
        'broken.pl': 'good(1).\nbad(a b).\ngood(2).\nworse(.\ngood(3).\n',
        'directives.pl':
          ':- dynamic seen/1.\n:- use_module(library(lists)).\n:- shell(ls).\nlast_one(L, X) :- last(L, X).\n',
      },
    })),
);
after(() => server.close());
beforeEach(() => server.reset());

const files = (operation, filename) => server.ok('files', { operation, filename });
const read = async (uri) => (await server.request('resources/read', { uri })).contents[0].text;
const symbols = async () => (await server.ok('workspace', { operation: 'list_symbols' })).data.predicates;

describe('the text of clauses', () => {
  test('assert fact, snapshot shows exact input (variable names preserved)', async () => {
    await server.assert('likes( Someone,\tprolog ) .');
    assert.equal(await server.snapshot(), 'likes( Someone,\tprolog ) .');
  });

  test('assert fact with variables X, Y: snapshot keeps X, Y (not A, B)', async () => {
    await server.assert('same(X, Y, X).');
    assert.equal(await server.snapshot(), 'same(X, Y, X).');
  });

  test('assert multiple facts, snapshot shows all in insertion order', async () => {
    await server.assert(['z(1).', 'a(2).', 'm(3).']);
    await server.assert('a(0).');
    assert.equal(await server.snapshot(), 'z(1).\na(2).\nm(3).\na(0).');
  });

  test('retract fact, snapshot no longer shows it', async () => {
    await server.assert(['keep(1).', 'drop(1).']);
    await server.retract('drop(1).');
    assert.equal(await server.snapshot(), 'keep(1).');
    assert.deepEqual(await server.solve('drop(X)'), []);
  });

  test('retract specific fact from multiple identical, only one removed', async () => {
    await server.assert(['twin(1).', 'twin(1).', 'twin(1).']);
    await server.retract('twin(1)');
    assert.equal(await server.snapshot(), 'twin(1).\ntwin(1).');
    assert.deepEqual(await server.solve('twin(X)'), ['X = 1', 'X = 1']);
  });

  test('reset clears the text and the engine', async () => {
    await server.assert('gone(1).');
    await server.reset();
    assert.equal(await server.snapshot(), '');
    const { data } = await server.fails('query_start', { query: 'gone(X)', take: 1 }, 'existence_error');
    assert.match(data.error.message, /gone\/1/);
  });

  test('a refused clause is not in the text', async () => {
    const { data } = await server.fails('clauses', {
      operation: 'assert',
      clauses: ['ok(1).', 'broken(1', 'p :- shell(ls).', 'ok(2).'],
    });
    assert.deepEqual(
      data.failures.map(({ number }) => number),
      [2, 3],
    );
    assert.equal(await server.snapshot(), 'ok(1).\nok(2).');
  });

  test('the text is the same after queries with errors', async () => {
    await server.assert(['num(1).', 'boom :- X is foo + 1, num(X).']);
    const before = await server.snapshot();
    await server.fails('query_start', { query: 'boom', take: 1 }, 'type_error');
    await server.fails('query_start', { query: 'throw(oops)', take: 1 }, 'uncaught_exception');
    assert.equal(await server.snapshot(), before);
    assert.deepEqual(await server.solve('num(X)'), ['X = 1']);
  });
});

describe('files', () => {
  test('import file, clauses added with file provenance', async () => {
    const { data } = await files('import', 'family.pl');
    assert.equal(data.filename, `${server.directory}/family.pl`);
    assert.equal(data.clausesAdded, 3);
    assert.deepEqual(
      (await files('list')).data.files.map(({ filename }) => filename),
      [data.filename],
    );
    assert.deepEqual(await server.solve('grandparent(ann, Who)'), ['Who = cy']);
  });

  test('import file, snapshot shows clauses with original variable names', async () => {
    await files('import', 'family.pl');
    assert.match(
      await server.snapshot(),
      /^grandparent\(Who, Child\) :-\n {4}parent\(Who, Someone\), {2}% the one between\n {4}parent\(Someone, Child\)\.$/m,
    );
  });

  test('import duplicate file, get error (already imported)', async () => {
    await files('import', 'family.pl');
    const before = await server.snapshot();
    const { text } = await server.fails(
      'files',
      { operation: 'import', filename: `${server.directory}/./family.pl` },
      'already_imported',
    );
    assert.match(text, /already imported.*[Uu]nimport/);
    assert.equal(await server.snapshot(), before);
  });

  test('import file, then import different file, both tracked', async () => {
    await files('import', 'family.pl');
    await files('import', 'pets.pl');
    const { data } = await files('list');
    assert.equal(data.count, 2);
    assert.deepEqual(
      data.files.map(({ filename }) => filename.split('/').at(-1)),
      ['family.pl', 'pets.pl'],
    );
  });

  test('list imports, shows correct metadata (path, count, timestamp)', async () => {
    const earliest = Date.now();
    await files('import', 'pets.pl');
    const [file] = (await files('list')).data.files;
    assert.equal(file.filename, `${server.directory}/pets.pl`);
    assert.equal(file.clauseCount, 2);
    assert.ok(file.timestamp >= earliest && file.timestamp <= Date.now());
  });

  test('list imports when empty, returns empty array', async () => {
    const { data, text } = await files('list');
    assert.deepEqual([data.type, data.files, data.count], ['files_list', [], 0]);
    assert.equal(text, '(no imported files)');
  });

  test("unimport file, only that file's clauses removed", async () => {
    await server.assert('parent(inline, kept).');
    await files('import', 'family.pl');
    await files('import', 'pets.pl');
    assert.equal((await files('unimport', 'family.pl')).data.clausesRemoved, 3);
    assert.deepEqual(await server.solve('parent(X, Y)'), ['X = inline, Y = kept']);
    assert.deepEqual(await server.solve('pet(ann, What)'), ['What = cat']);
  });

  test('unimport file, snapshot no longer shows those clauses', async () => {
    await files('import', 'family.pl');
    await server.assert('kept(1).');
    await files('unimport', 'family.pl');
    assert.equal(await server.snapshot(), 'kept(1).');
  });

  test('unimport nonexistent file, get error', async () => {
    const { data, text } = await server.fails('files', { operation: 'unimport', filename: 'never.pl' }, 'not_imported');
    assert.equal(data.status, 'not_found');
    assert.match(text, /never\.pl is not imported/);
  });

  test('import file with parse errors, partial import with errors reported', async () => {
    const { data, text } = await files('import', 'broken.pl');
    assert.equal(data.status, 'partial');
    assert.equal(data.clausesAdded, 3);
    assert.deepEqual(
      data.errors.map((error) => /^\d+:\d+: /.exec(error)?.[0]),
      ['2:6: ', '4:6: '],
    );
    assert.match(text, /3 succeeded, 2 failed/);
    assert.deepEqual(await server.solve('good(X)'), ['X = 1', 'X = 2', 'X = 3']);
  });
});

describe('resources', () => {
  test('prolog://workspace/snapshot matches workspace(snapshot)', async () => {
    await files('import', 'family.pl');
    await server.assert('p(X) :- q(X).');
    assert.equal(await read(SNAPSHOT), await server.snapshot());
  });

  test('prolog://workspace/symbols matches workspace(list_symbols)', async () => {
    await server.assert('p(1). q(1, 2).');
    assert.deepEqual((await read(SYMBOLS)).split('\n'), await symbols());
  });

  test('resource snapshot updates after assert', async () => {
    assert.equal(await read(SNAPSHOT), '% Empty workspace');
    await server.assert('p(1).');
    assert.equal(await read(SNAPSHOT), 'p(1).');
  });

  test('resource snapshot updates after retract', async () => {
    await server.assert('p(1). p(2).');
    await server.retract('p(1)');
    assert.equal(await read(SNAPSHOT), 'p(2).');
  });

  test('resource snapshot clears after reset', async () => {
    await server.assert('p(1).');
    await server.reset();
    assert.equal(await read(SNAPSHOT), '% Empty workspace');
  });

  test('resource symbols updates after assert new predicate', async () => {
    await server.assert('p(1).');
    assert.equal(await read(SYMBOLS), 'p/1');
    await server.assert('q(1, 2).');
    assert.deepEqual((await read(SYMBOLS)).split('\n').sort(), ['p/1', 'q/2']);
  });

  test('reference://help returns help content', async () => {
    assert.equal(await read('reference://help'), (await server.ok('help')).text);
  });
});

describe('the tools together', () => {
  test('an unknown tool is refused, and the reply lists the tools', async () => {
    const { message } = await server.refusal('tools/call', { name: 'assert', arguments: {} });
    assert.match(message, /the tools are: clauses, files, workspace, query_start, query_next, query_close, help$/);
  });

  test('a program takes the inferences that Prolog needs, and few more', async () => {
    await server.assert(
      'app([], L, L). app([H|T], L, [H|R]) :- app(T, L, R). nrev([], []). nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).',
    );
    await server.assert(
      'cost(Goal, N) :- statistics(inferences, A), call(Goal), statistics(inferences, B), N is B - A.',
    );
    const { data } = await server.ok('query_start', { query: 'numlist(1, 300, L), cost(nrev(L, _), N)', take: 1 });
    const needed = (300 * 301) / 2 + 300 + 1;
    const taken = Number(data.answers[0].N);
    assert.ok(taken >= needed && taken <= needed * 1.05, `${taken} inferences for ${needed}`);
  });

  test('an error says what is wrong, and where or what may be meant', async () => {
    await server.assert('parent(ann, bob).');
    for (const [query, message] of [
      ['parnet(X, Y)', /Unknown procedure: parnet\/2\. Did you mean parent\/2\?/],
      ['parent(X', /line 1, column \d+/],
      ['X is a + 1', /a\/0/],
      ['shell(ls)', /shell\/1 is outside the sandbox/],
      ['atom_length(X, Y)', /not sufficiently instantiated/],
    ]) {
      const { text } = await server.fails('query_start', { query, take: 1 });
      assert.match(text, message);
    }
  });

  test('import a file, add clauses, query, snapshot, unimport: each has what the ones before it left', async () => {
    await files('import', 'family.pl');
    await server.assert([
      'parent(cy, dee).',
      'ancestor(X, Y) :- parent(X, Y).',
      'ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).',
    ]);
    assert.deepEqual(await server.solve('ancestor(ann, Who)'), ['Who = bob', 'Who = cy', 'Who = dee']);
    const snapshot = await server.snapshot();
    assert.match(snapshot, /^% The family\.\nparent\(ann, bob\)\.[\s\S]*parent\(cy, dee\)\.\nancestor/);
    await files('unimport', 'family.pl');
    assert.deepEqual(await server.solve('ancestor(cy, Who)'), ['Who = dee']);
    assert.deepEqual(await server.solve('ancestor(ann, Who)'), []);
    assert.equal(await server.snapshot(), snapshot.slice(snapshot.indexOf('parent(cy, dee).')));
  });

  test('20,000 clauses take less than 200 MB', async (t) => {
    const megabytes = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', server.child.pid])) / 1024;
    const before = megabytes();
    await server.assert(Array.from({ length: 20_000 }, (_, n) => `edge(${n}, node_${n % 97}, "text ${n}").`));
    assert.deepEqual(await server.solve('aggregate_all(count, edge(_, _, _), N)'), ['N = 20000']);
    const grown = megabytes() - before;
    t.diagnostic(`${grown.toFixed(0)} MB more than ${before.toFixed(0)} MB`);
    assert.ok(grown < 200, `${grown} MB`);
  });
});

describe('edge cases', () => {
  test('assert clause with trailing period', async () => {
    await server.assert('p(1).');
    assert.equal(await server.snapshot(), 'p(1).');
  });

  test('assert clause without trailing period', async () => {
    await server.assert('p(1)');
    assert.equal(await server.snapshot(), 'p(1).');
    assert.deepEqual(await server.solve('p(X)'), ['X = 1']);
  });

  test('assert rule with :- operator', async () => {
    await server.assert('big(X) :- X > 10, ( X < 20 -> true ; X =:= 42 ).');
    assert.deepEqual(await server.solve('member(X, [5, 15, 42, 50]), big(X)'), ['X = 15', 'X = 42']);
  });

  test('assert fact with special characters (quotes, etc.)', async () => {
    const facts = [
      `q('it''s', "a \\"word\\"", 'x.y', 0'a, 'new\\nline').`,
      'u("zażółć 🙂", \'Ω\').',
      'op(- 1, \\+ a, [a|b], {c}, \'A\'-"B").',
    ];
    await server.assert(facts);
    assert.equal(await server.snapshot(), facts.join('\n'));
    assert.deepEqual(await server.solve('q(A, B, C, D, E)'), [
      `A = 'it\\'s', B = "a \\"word\\"", C = 'x.y', D = 97, E = 'new\\nline'`,
    ]);
    assert.deepEqual(await server.solve('u(S, A)'), [`S = "zażółć 🙂", A = 'Ω'`]);
  });

  test('retract with/without period (both work)', async () => {
    await server.assert('p(1). p(2).');
    await server.retract('p(1).');
    await server.retract('p(2)');
    assert.equal(await server.snapshot(), '');
  });

  test('import file with comments (comments skipped)', async () => {
    const { data } = await files('import', 'family.pl');
    assert.deepEqual([data.status, data.clausesAdded], ['success', 3]);
  });

  test('import file with directives (handled appropriately)', async () => {
    const { data } = await files('import', 'directives.pl');
    assert.equal(data.status, 'partial');
    assert.match(data.errors.join(), /^3:0: .*dangerous predicate shell\/1/);
    assert.deepEqual(await server.solve('seen(X)'), []);
    assert.deepEqual(await server.solve('last_one([a, b], X)'), ['X = b']);
  });

  test('snapshot with mix of inline and file-imported clauses', async () => {
    await server.assert('first(1).');
    await files('import', 'pets.pl');
    await server.assert('last(1).');
    assert.equal(
      await server.snapshot(),
      'first(1).\npet(Owner, Animal) :- owns(Owner, Animal).\nowns(ann, cat).\nlast(1).',
    );
  });

  test('unimport one file while other files remain', async () => {
    await files('import', 'family.pl');
    await files('import', 'pets.pl');
    await files('unimport', 'family.pl');
    assert.equal(await server.snapshot(), 'pet(Owner, Animal) :- owns(Owner, Animal).\nowns(ann, cat).\n');
    assert.deepEqual((await files('list')).data.count, 1);
    assert.deepEqual(await server.solve('pet(X, Y)'), ['X = ann, Y = cat']);
  });
});
