// Libraries: those at hand and those that are asked for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Server } from './harness.mjs';

/** The solutions of each query, asked of a server of its own, and what it wrote to standard error. */
async function ask(options, ...queries) {
  const server = await Server.start(options);
  const solutions = [];
  for (const query of queries) solutions.push(await server.solve(query));
  await server.close();
  return { solutions, warnings: server.stderr };
}

describe('libraries', () => {
  test('clpfd available without explicit loading; #>, #<, ins and label work immediately', async () => {
    const { solutions, warnings } = await ask(
      {},
      'X #= 3 + 4',
      'X #> 3, X #< 6, indomain(X)',
      'X #< 3, X #> 1',
      '[X, Y] ins 1..2, X #< Y, label([X, Y])',
      'X in 1..9, X #> 7',
      'length(Q, 4), Q ins 1..4, all_distinct(Q), sum(Q, #=, S), Q = [2, 1|_], once(label(Q))',
    );
    assert.deepEqual(solutions, [
      ['X = 7'],
      ['X = 4', 'X = 5'],
      ['X = 2'],
      ['X = 1, Y = 2'],
      ['X in 8..9'],
      ['Q = [2,1,3,4], S = 10'],
    ]);
    assert.equal(warnings, '');
  });

  test('a library may be asked for by its path, and by -l', async () => {
    const { warnings } = await ask({ args: ['-l', 'dcg/high_order'], env: { KB_LIBRARIES: 'dcg/basics' } }, 'true');
    assert.equal(warnings, '');
  });

  test('resource/2 and resource/3 are names like others', async () => {
    const server = await Server.start();
    await server.assert('resource(cpu, 3). resource(a, b, c).');
    assert.deepEqual(await server.solve('resource(X, Y)'), ['X = cpu, Y = 3']);
    await server.close();
  });

  test('the usual predicates are at hand: silence would be the worst answer', async () => {
    const { solutions } = await ask(
      {},
      'aggregate_all(count, member(_, [a, b]), N)',
      'foldl([X, S0, S]>>(S is S0 + X), [1, 2, 3], 0, Sum)',
      'dif(X, a), member(X, [a, b])',
      'between(1, 3, X), X > 1',
      'split_string("a,b", ",", "", Parts)',
      'list_to_assoc([k-v], _A), get_assoc(k, _A, V), put_assoc(n, _A, 1, _B), assoc_to_keys(_B, Keys)',
      'pairs_keys_values(P, [a, b], [1, 2])',
      'ord_union([a, c], [b], S)',
      'string_concat(X, Y, "ab")',
      'nth1(2, [a, b, c], E), sumlist([1, 2], S), max_list([3, 1], M), msort([b, a], L)',
      'format(atom(A), "~w-~a", [f(x), y])',
      'phrase(integer(N), `42`)',
      'findall(X-Y, (member(X, [1, 2]), member(Y, [a])), L)',
      'sat(X + Y), labeling([X, Y])',
      'limit(2, member(X, [a, b, c]))',
    );
    assert.deepEqual(solutions, [
      ['N = 2'],
      ['Sum = 6'],
      ['X = b'],
      ['X = 2', 'X = 3'],
      ['Parts = ["a","b"]'],
      ['V = v, Keys = [k,n]'],
      ['P = [a-1,b-2]'],
      ['S = [a,b,c]'],
      ['X = "", Y = "ab"', 'X = "a", Y = "b"', 'X = "ab", Y = ""'],
      ['E = b, S = 3, M = 3, L = [a,b]'],
      ["A = 'f(x)-y'"],
      ['N = 42'],
      ['L = [1-a,2-a]'],
      ['X = 0, Y = 1', 'X = 1, Y = 0', 'X = 1, Y = 1'],
      ['X = a', 'X = b'],
    ]);
  });

  test('KB_LIBRARIES env var loads additional libraries; with a comma-separated list it loads all', async () => {
    const { solutions, warnings } = await ask(
      { env: { KB_LIBRARIES: 'assoc, ugraphs,heaps' } },
      'list_to_assoc([a-1], _A), get_assoc(a, _A, V)',
      'vertices_edges_to_ugraph([c], [a-b], G)',
      'list_to_heap([2-b, 1-a], _H), get_from_heap(_H, P, K, _)',
    );
    assert.deepEqual(solutions, [['V = 1'], ['G = [a-[b],b-[],c-[]]'], ['P = 1, K = a']]);
    assert.equal(warnings, '');
  });

  for (const [source, options] of [
    ['KB_LIBRARIES with invalid library', { env: { KB_LIBRARIES: 'nosuch,lists,http/http_open' } }],
    ['--kb-libraries with invalid library', { args: ['--kb-libraries', 'nosuch,lists,http/http_open'] }],
  ]) {
    test(`${source} shows warning, doesn't crash`, async () => {
      const { solutions, warnings } = await ask(options, 'last([a, b], X)');
      assert.deepEqual(solutions, [['X = b']]);
      assert.match(warnings, /Warning: library\(nosuch\)/);
      assert.match(warnings, /Warning: library\(http\/http_open\)/);
      assert.doesNotMatch(warnings, /lists/);
    });
  }

  test('--kb-libraries loads what it names, beside KB_LIBRARIES', async () => {
    const { solutions, warnings } = await ask(
      { args: ['--kb-libraries=clpb,rbtrees'], env: { KB_LIBRARIES: 'nb_set' } },
      'rb_new(_T0), rb_insert(_T0, k, v, _T), rb_lookup(k, V, _T)',
      'sat(X * ~Y)',
      'empty_nb_set(_S), add_nb_set(a, _S), nb_set_to_list(_S, L)',
    );
    assert.deepEqual(solutions, [['V = v'], ['X = 1, Y = 0'], ['L = [a]']]);
    assert.equal(warnings, '');
  });
});
