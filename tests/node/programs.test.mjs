// Real programs: imported from a file, queried, and read again from their own snapshot.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PROGRAMS, ROOT, Server, solution } from './harness.mjs';

/** Each example of the playground is one of the programs. */
const EXAMPLES = join(ROOT, 'www', 'src', 'examples');
const EXAMPLE = 'queens.pl';

/**
 * For each file: queries, the number of solutions to take, and the solutions. Without them they need only be the same
 * every time.
 */
const EXPECTED = {
  [EXAMPLE]: [
    ['queens(8, Qs)', 1, ['Qs = [1,5,8,6,3,7,2,4]']],
    ['aggregate_all(count, queens(6, _), N)', 2, ['N = 4']],
    ['queens(3, Qs)', 2, []],
  ],
  'send_more.pl': [
    ['solved(P)', 2, ['P = ([9,5,6,7]+[1,0,8,5]=[1,0,6,5,2])']],
    ['puzzle([S|_] + [M|_] = _)', 2, null],
  ],
  'calculator.pl': [
    ['value("2 + 3 * (4 - 1) ^ 2", V)', 2, ['V = 29']],
    ['value("1 - 2 - 3", V)', 2, ['V = -4']],
    ['value("2^3^2 / 6", V)', 2, ['V = 256r3']],
    ['value("1 +", V)', 2, []],
  ],
  'paths.pl': [
    ['findall(Y, reach(a, Y), _Ys), msort(_Ys, All)', 2, ['All = [a,b,c,d,e]']],
    ['reach(a, x)', 2, []],
    ['distance(a, e, N)', 2, ['N = 4']],
  ],
  'words.pl': [
    [
      'text(_T), ranking(_T, R)',
      2,
      ['R = [it-4,of-4,the-4,was-4,age-2,times-2,best-1,foolishness-1,wisdom-1,worst-1]'],
    ],
  ],
  'zebra.pl': [
    ['zebra_owner(Who)', 2, ['Who = japanese']],
    ['water_drinker(Who)', 2, ['Who = norwegian']],
    [
      'numbered(N, C)',
      9,
      [
        'N = 1 of row, C = yellow',
        'N = 2 of row, C = blue',
        'N = 3 of row, C = red',
        'N = 4 of row, C = ivory',
        'N = 5 of row, C = green',
      ],
    ],
  ],
};

let server;
before(async () => (server = await Server.start({ args: ['--root', PROGRAMS, '--root', EXAMPLES, '--root', '.'] })));
after(() => server.close());

test('every program is queried', () => {
  assert.deepEqual(
    Object.keys(EXPECTED).sort(),
    [EXAMPLE, ...readdirSync(PROGRAMS).filter((name) => name.endsWith('.pl'))].sort(),
  );
});

for (const [name, queries] of Object.entries(EXPECTED)) {
  test(`${name}: the same answers from the file, and from its snapshot as a file and as a text`, async () => {
    async function answers() {
      const all = [];
      for (const [query, take, expected] of queries) {
        const { data } = await server.ok('query_start', { query, take });
        if (expected)
          assert.deepEqual(
            data.answers.map((answer) => solution(answer, data.variables)),
            expected,
            query,
          );
        all.push(data.answers);
      }
      return all;
    }
    const imported = (await server.ok('files', { operation: 'import', filename: name })).data;
    assert.equal(imported.status, 'success');
    const first = await answers();
    const snapshot = await server.snapshot();
    assert.equal(
      snapshot.trimEnd(),
      readFileSync(join(name === EXAMPLE ? EXAMPLES : PROGRAMS, name), 'utf8').trimEnd(),
    );
    assert.match(snapshot, /^(%|\/\*)/);

    writeFileSync(join(server.directory, 'snapshot.pl'), snapshot);
    for (const again of [{ filename: 'snapshot.pl' }, { filename: 'snapshot', text: snapshot }]) {
      await server.reset();
      assert.equal(
        (await server.ok('files', { operation: 'import', ...again })).data.clausesAdded,
        imported.clausesAdded,
      );
      assert.deepEqual(await answers(), first);
      assert.equal(await server.snapshot(), snapshot);
    }
    await server.reset();
  });
}

test("all programs at once: each in its place, without getting in each other's way", async () => {
  for (const name of Object.keys(EXPECTED)) await server.ok('files', { operation: 'import', filename: name });
  for (const [query, take, expected] of Object.values(EXPECTED).flat()) {
    const { data } = await server.ok('query_start', { query, take });
    if (expected)
      assert.deepEqual(
        // zebra.pl declares `of` as an operator.
        data.answers.map((answer) => solution(answer, data.variables).replace('(of)', 'of')),
        expected,
        query,
      );
  }
  const snapshot = await server.snapshot();
  await server.reset();
  await server.ok('files', { operation: 'import', filename: 'all', text: snapshot });
  assert.equal(await server.snapshot(), snapshot);
});
