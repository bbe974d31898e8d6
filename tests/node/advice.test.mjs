// The advice of an error is about that error, and not about others of its kind.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';

let server;
before(async () => {
  server = await Server.start();
  await server.assert('score(ann, "42"). score(bob, red).\n:- table path(_, _, min).\npath(a, b, 1).');
});
after(() => server.close());

for (const [query, said] of [
  [
    'score(ann, X), X > 40',
    /arithmetic needs a number, and "42" is a string: number_string\(N, String\) gives its number/,
  ],
  ['score(bob, X), X > 40', /evaluable expected, found red\/0/],
  ['path(a, b, f(1))', /an unbound variable expected, found f\(1\)\. .* call it with one, and unify or compare that/],
  ["format('~!')", /there is no directive ~!; ~~ writes a tilde/],
  ['X = _{a:1}.open(2)', /Unknown function on dicts: open\/1; those of SWI-Prolog are/],
  ['numlist(1, 300000, L), X = 1', /L is too long to show: leave it out by adding projection\(\[X\]\) to the query/],
])
  test(query, async () => {
    const { text, isError } = await server.call('query_start', { query, take: 1 });
    assert.ok(isError);
    assert.match(text, said);
    assert.doesNotMatch(text, /Create it before|must hold one character/);
  });
