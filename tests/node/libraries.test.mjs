// Libraries: those always available, and those that are requested.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Server } from './harness.mjs';

/** The solutions of each query, run on a new server, and what the server wrote to standard error. */
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

  test('regular expressions are those of PCRE; a capture is not read as a term', async () => {
    const server = await Server.start();
    const solve = (query) => server.solve(query);
    assert.deepEqual(await solve('re_match("^[a-z]+$"/i, "Abc")'), ['true']);
    assert.deepEqual(await solve('re_matchsub("(?<year_I>[0-9]+)-(?<month_I>[0-9]+)", "on 2026-11", D), Y = D.year'), [
      'D = re_match{0:"2026-11",month:11,year:2026}, Y = 2026',
    ]);
    assert.deepEqual(await solve('re_foldl([M,S0,S]>>(get_dict(0, M, T), S = [T|S0]), "a.", "abacad", [], L, [])'), [
      'L = ["ad","ac","ab"]',
    ]);
    assert.deepEqual(await solve('re_replace("a"/g, "<$0>", "banana", R), re_split(",", "a,b", S)'), [
      'R = "b<a>n<a>n<a>", S = ["a",",","b"]',
    ]);
    assert.deepEqual(await solve('re_compile("b+", _R, []), re_matchsub(_R, abbc, _D), X = _D.0'), ['X = "bb"']);
    for (const query of [
      're_matchsub("(?<n_T>.*)", "foo(X)", _)',
      're_compile("(?P<n_T>.*)", R, [])',
      're_compile("a", R, [capture_type(term)])',
      're_foldl([_,_,_]>>halt, R, "a", 0, _, [])',
    ]) {
      const { isError } = await server.call('query_start', { query, take: 1 });
      assert.equal(isError, true, query);
    }
    // The closure of a fold is subject to the sandbox too.
    const { text } = await server.call('query_start', {
      query: 're_foldl([_,_,_]>>shell(ls), "a", "a", 0, _, [])',
      take: 1,
    });
    assert.match(text, /shell\/1/);
    await server.close();
  });

  test('older programs print with writef and write_ln, newer ones in colour', async () => {
    const server = await Server.start();
    const written = async (query) => (await server.ok('query_start', { query, take: 1 })).data.answers[0].output ?? '';
    for (const [goal, expected] of [
      ["writef('%w and %d\\n', [f(X), 'b c'])", /^f\(_.*\) and b c\n$/],
      ["writef('[%5l|%5r|%4c]', [ab, cd, ef])", /^\[ab {3}\| {3}cd\| ef \]$/],
      ["writef('%s\\\\l', [[104, 105]])", /^hi\n$/],
      ["writef('%r|%t %q', [x, 3, 'A b', 'A b'])", /^xxx\|'A b' 'A b'$/],
      ["writef('%n%w', [104, i])", /^hi$/],
      ["put_code(current_output, 0'x)", /^x$/],
      ["swritef(S, '%w', [a]), print(S), write_ln(!), flush", /^"a"!\n$/],
      ["ansi_format([bold, fg(red)], 'x~w', [1])", /^x1$/],
    ]) {
      const result = await server.ok('query_start', { query: goal, take: 1 });
      assert.match(JSON.stringify(result.data), /output/, goal);
      assert.match(result.data.output ?? (await written(goal)), expected, goal);
    }
    const short = await server.call('query_start', { query: "writef('%w', [])", take: 1 });
    assert.match(short.text, /not enough arguments/);
    await server.close();
  });

  test('a library may be requested by its path, and with -l', async () => {
    const { warnings } = await ask({ args: ['-l', 'dcg/high_order'], env: { KB_LIBRARIES: 'dcg/basics' } }, 'true');
    assert.equal(warnings, '');
  });

  test('resource/2 and resource/3 are names like any other', async () => {
    const server = await Server.start();
    await server.assert('resource(cpu, 3). resource(a, b, c).');
    assert.deepEqual(await server.solve('resource(X, Y)'), ['X = cpu, Y = 3']);
    await server.close();
  });

  test('the usual predicates are available: silence would be the worst answer', async () => {
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

  test('--kb-libraries loads the libraries it names, in addition to KB_LIBRARIES', async () => {
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
