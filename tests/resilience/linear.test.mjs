// The checker of histories finds what is wrong with invalid ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrong } from '../support/linear.mjs';

const append = (value, from, to) => ({ value, from, to });
const read = (values, from, to) => ({ values, from, to });

test('possible histories are accepted', () => {
  assert.equal(wrong({ appends: [], reads: [] }), undefined);
  // Both at once: either order is fine.
  const appends = [append('a', 0, 5), append('b', 1, 4)];
  assert.equal(wrong({ appends, reads: [read(['a', 'b'], 6, 7)] }), undefined);
  assert.equal(wrong({ appends, reads: [read(['b'], 2, 3), read(['b', 'a'], 6, 7)] }), undefined);
  // Nobody knows of one whose reply was lost.
  assert.equal(wrong({ appends: [append('a', 0)], reads: [read([], 5, 6)] }), undefined);
  assert.equal(wrong({ appends: [append('a', 0)], reads: [read([], 5, 6), read(['a'], 7, 8)] }), undefined);
  assert.equal(wrong({ appends: [append('a', 0, 4)], reads: [read([], 1, 5)] }), undefined);
});

test('impossible histories are rejected', () => {
  const a = append('a', 0, 1);
  const b = append('b', 2, 3);
  const cases = [
    [/lost/, { appends: [a], reads: [read([], 2, 3)] }],
    [/came before/, { appends: [a, b], reads: [read(['b', 'a'], 4, 5)] }],
    [/twice/, { appends: [a], reads: [read(['a', 'a'], 2, 3)] }],
    [/never appended/, { appends: [a], reads: [read(['c'], 2, 3)] }],
    [
      /order/,
      { appends: [append('a', 0, 9), append('b', 0, 9)], reads: [read(['a', 'b'], 1, 2), read(['b', 'a'], 1, 2)] },
    ],
    [/does not see/, { appends: [a, b], reads: [read(['a', 'b'], 4, 5), read(['a'], 6, 7)] }],
    [/does not see/, { appends: [append('a', 0)], reads: [read(['a'], 1, 2), read([], 3, 4)] }],
    [/before it was appended/, { appends: [append('a', 5, 6)], reads: [read(['a'], 1, 2)] }],
    [/refused/, { appends: [a], reads: [read(['a'], 2, 3)], refused: ['a'] }],
  ];
  for (const [what, history] of cases) assert.match(wrong(history) ?? 'nothing', what, JSON.stringify(history));
});
