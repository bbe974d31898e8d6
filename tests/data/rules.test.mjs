// Rules as sets on DuckDB, and on Postgres where it is installed: cases with known answers.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { POSTGRES, Postgres } from '../support/postgres.mjs';
import { call, compare, derived, goal, is, not, of, relation, rule, term, values } from './building.mjs';
import { DuckDb, Evaluator, PostgresDb, sorted } from './evaluator.mjs';
import { proved } from './proofs.mjs';

const PATH = derived(
  'path',
  rule(['X', 'Y'], call('edge', 'X', 'Y')),
  rule(['X', 'Y'], call('edge', 'X', 'Z'), call('path', 'Z', 'Y')),
);

for (const engine of ['DuckDB', 'Postgres']) {
  describe(engine, { skip: engine === 'Postgres' && !POSTGRES }, () => {
    let evaluator;
    let database;
    let server;
    before(async () => {
      evaluator = new Evaluator();
      if (engine === 'Postgres') server = await Postgres.start();
      database = server ? await PostgresDb.open(server.url) : await DuckDb.open();
    });
    after(async () => {
      evaluator.close();
      await database.close();
      await server?.stop();
    });

    /** Evaluate a goal over predicates, with the rows of each relation by its name. */
    async function evaluate(predicates, rows, asked, options = {}) {
      const facts = [];
      for (const { name, arity, relation } of predicates) {
        if (!relation) continue;
        const tuples = rows[name].map((row) => row.map(term));
        await database.make(relation, tuples);
        facts.push({ name, arity, tuples });
      }
      try {
        const result = await evaluator.evaluate(database, { predicates }, asked, options);
        if (options.proofs && !result.refused) {
          result.steps = [];
          for (const tuple of result.answers) {
            result.steps.push(await proved(evaluator, database, facts, result, tuple));
          }
        }
        return result;
      } finally {
        await database.clear();
      }
    }

    /** Assert that a goal has these answers, whether or not proofs are wanted. */
    async function answers(predicates, rows, asked, expected) {
      for (const proofs of [false, true]) {
        const result = await evaluate(predicates, rows, asked, { proofs });
        assert.equal(result.refused, undefined);
        assert.deepEqual(sorted(result.answers), sorted(expected.map((row) => row.map(term))), `proofs: ${proofs}`);
      }
    }

    const CYCLE = {
      edge: [
        [1, 2],
        [2, 3],
        [3, 1],
        [3, 4],
        [5, 6],
      ],
    };
    const EDGE = relation('edge', 'integer', 'integer');

    test('the transitive closure of a graph with a cycle', async () => {
      const cycle = [1, 2, 3].flatMap((from) => [1, 2, 3, 4].map((to) => [from, to]));
      await answers([EDGE, PATH], CYCLE, goal('path', 'X', 'Y'), [...cycle, [5, 6]]);
    });

    test('what a node reaches, and what reaches it', async () => {
      await answers([EDGE, PATH], CYCLE, goal('path', 2, 'Y'), [
        [2, 1],
        [2, 2],
        [2, 3],
        [2, 4],
      ]);
      await answers([EDGE, PATH], CYCLE, goal('path', 'X', 4), [
        [1, 4],
        [2, 4],
        [3, 4],
      ]);
      await answers([EDGE, PATH], CYCLE, goal('path', 5, 6), [[5, 6]]);
      await answers([EDGE, PATH], CYCLE, goal('path', 5, 1), []);
      await answers([EDGE, PATH], CYCLE, goal('path', 'X', 'X'), [
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
    });

    test('a known argument derives less', async () => {
      const chain = { edge: Array.from({ length: 50 }, (_, n) => [n, n + 1]) };
      const all = await evaluate([EDGE, PATH], chain, goal('path', 'X', 'Y'));
      const some = await evaluate([EDGE, PATH], chain, goal('path', 40, 'Y'));
      assert.equal(all.rows, 1275);
      assert.equal(some.rows, 11 + 10, 'the nodes that are called, and the answers');
      const left = derived('path', PATH.rules[0], rule(['X', 'Y'], call('path', 'X', 'Z'), call('edge', 'Z', 'Y')));
      const first = await evaluate([EDGE, left], chain, goal('path', 40, 'Y'));
      assert.equal(first.rows, 1 + 10, 'the one node that is called, and the answers');
    });

    test('the same generation', async () => {
      const same = derived(
        'same',
        rule(['X', 'Y'], call('parent', 'P', 'X'), call('parent', 'P', 'Y'), values('X', '\\==', 'Y')),
        rule(['X', 'Y'], call('parent', 'P', 'X'), call('same', 'P', 'Q'), call('parent', 'Q', 'Y')),
      );
      const family = {
        parent: [
          ['ann', 'bea'],
          ['ann', 'cas'],
          ['bea', 'dan'],
          ['cas', 'eva'],
          ['cas', 'finn'],
          ['zoe', 'yan'],
        ],
      };
      const predicates = [relation('parent', 'atom', 'atom'), same];
      await answers(predicates, family, goal('same', 'dan', 'Y'), [
        ['dan', 'eva'],
        ['dan', 'finn'],
      ]);
      await answers(predicates, family, goal('same', 'bea', 'Y'), [['bea', 'cas']]);
    });

    test('what variables of a program point to', async () => {
      const points = derived(
        'points',
        rule(['V', 'O'], call('new', 'V', 'O')),
        rule(['V', 'O'], call('assign', 'V', 'W'), call('points', 'W', 'O')),
        rule(['V', 'O'], call('load', 'V', 'B', 'F'), call('points', 'B', 'H'), call('field', 'H', 'F', 'O')),
      );
      const field = derived(
        'field',
        rule(['H', 'F', 'O'], call('store', 'B', 'F', 'V'), call('points', 'B', 'H'), call('points', 'V', 'O')),
      );
      const predicates = [
        relation('new', 'atom', 'atom'),
        relation('assign', 'atom', 'atom'),
        relation('load', 'atom', 'atom', 'atom'),
        relation('store', 'atom', 'atom', 'atom'),
        points,
        field,
      ];
      const program = {
        new: [
          ['a', 'o1'],
          ['b', 'o2'],
          ['e', 'o3'],
        ],
        assign: [
          ['c', 'a'],
          ['a', 'c'],
        ],
        store: [['c', 'f', 'b']],
        load: [
          ['d', 'a', 'f'],
          ['g', 'e', 'f'],
        ],
      };
      const expected = [
        ['a', 'o1'],
        ['b', 'o2'],
        ['c', 'o1'],
        ['d', 'o2'],
        ['e', 'o3'],
      ];
      await answers(predicates, program, goal('points', 'V', 'O'), expected);
      await answers(predicates, program, goal('points', 'd', 'O'), [['d', 'o2']]);
      await answers(predicates, program, goal('field', 'H', 'F', 'O'), [['o1', 'f', 'o2']]);
    });

    test('ownership: control through chains, with totals over it', async () => {
      const predicates = [
        relation('owns', 'atom', 'atom', 'integer'),
        derived(
          'controls',
          rule(['A', 'B'], call('owns', 'A', 'B', 'S'), compare('S', '>', 50)),
          rule(['A', 'C'], call('controls', 'A', 'B'), call('owns', 'B', 'C', 'S'), compare('S', '>', 50)),
        ),
        derived('top', rule(['A'], call('controls', 'A', '_'), not('controls', '_', 'A'))),
        derived('size', rule(['A', 'count'], call('top', 'A'), call('controls', 'A', 'B'))),
        derived('held', rule(['B', { sum: 'S' }], call('owns', '_', 'B', 'S'))),
      ];
      const owns = {
        owns: [
          ['a', 'b', 60],
          ['b', 'c', 80],
          ['c', 'd', 30],
          ['a', 'd', 30],
          ['e', 'f', 51],
        ],
      };
      await answers(predicates, owns, goal('top', 'A'), [['a'], ['e']]);
      await answers(predicates, owns, goal('size', 'A', 'N'), [
        ['a', 2],
        ['e', 1],
      ]);
      await answers(predicates, owns, goal('held', 'd', 'N'), [['d', 60]]);
    });

    test('values are equal only if they are identical in Prolog', async () => {
      const predicates = [
        relation('v', 'mixed'),
        relation('w', 'mixed?'),
        derived('both', rule(['X'], call('v', 'X'), call('w', 'X'))),
      ];
      const [one, float, text, string] = [1, { float: 1 }, { atom: '1' }, { string: '1' }];
      const compound = { other: 'f(a,1)' };
      const rows = {
        v: [[one], [text], [{ float: 2.5 }], [compound], ['null']],
        w: [[float], [text], [string], [{ float: 2.5 }], [compound], ['null']],
      };
      await answers(predicates, rows, goal('both', 'X'), [[text], [{ float: 2.5 }], [compound], ['null']]);
    });

    test('an aggregate may stand in a column with other kinds', async () => {
      const predicates = [
        relation('n', 'integer'),
        derived('r', rule(['count'], call('n', 'X')), rule([{ max: 'X' }], call('n', 'X')), rule(['none'])),
      ];
      await answers(predicates, { n: [[7], [8], [9]] }, goal('r', 'X'), [[3], [9], ['none']]);
    });

    test('a null is the atom, and no number', async () => {
      const predicates = [
        relation('order', 'atom', 'integer?'),
        derived('big', rule(['O'], call('order', 'O', 'A'), compare('A', '>', 10))),
        derived('open', rule(['O'], call('order', 'O', 'null'))),
        derived('known', rule(['O', 'A'], call('order', 'O', 'A'), values('A', '\\==', 'null'))),
      ];
      const rows = {
        order: [
          ['x', 20],
          ['y', 'null'],
          ['z', 3],
        ],
      };
      await answers(predicates, rows, goal('big', 'O'), [['x']]);
      await answers(predicates, rows, goal('open', 'O'), [['y']]);
      await answers(predicates, rows, goal('known', 'O', 'A'), [
        ['x', 20],
        ['z', 3],
      ]);
    });

    test('arithmetic is as in Prolog', async () => {
      const result = (expression) => derived('r', rule(['Y'], call('n', 'X'), is('Y', expression)));
      const cases = [
        [of('//', 'X', 2), -3],
        [of('mod', 'X', 3), 2],
        [of('mod', 'X', -3), -1],
        [of('/', 'X', 7), -1],
        [of('/', 'X', 2), { float: -3.5 }],
        [of('abs', 'X'), 7],
        [of('*', 'X', { float: 2 }), { float: -14 }],
        [of('max', 'X', 0), 0],
      ];
      for (const [expression, expected] of cases) {
        await answers([relation('n', 'integer'), result(expression)], { n: [[-7]] }, goal('r', 'Y'), [[expected]]);
      }
    });

    test('a result that nothing needs does no harm', async () => {
      const results = [is('Y', of('+', 1, 2)), is('Z', of('*', 'X', 3)), values('Y', '\\==', 'a')];
      const predicates = [relation('n', 'integer'), derived('r', rule(['X'], call('n', 'X'), ...results))];
      await answers(predicates, { n: [[7]] }, goal('r', 'X'), [[7]]);
    });

    test('a division by zero is an error, unless the solution fails anyway', async () => {
      const divided = (...more) => [
        relation('n', 'integer'),
        derived('r', rule(['Y'], call('n', 'X'), ...more, is('Y', of('//', 10, 'X')))),
      ];
      const rows = { n: [[0], [5]] };
      await assert.rejects(evaluate(divided(), rows, goal('r', 'Y')), /not.null/i);
      await answers(divided(compare('X', '=\\=', 0)), rows, goal('r', 'Y'), [[2]]);
    });

    test('values that rules invent end at the limit', async () => {
      const count = derived('n', rule([0]), rule(['Y'], call('n', 'X'), is('Y', of('+', 'X', 1))));
      const limits = { rounds: 20, rows: 500 };
      const one = await evaluate([count], {}, goal('n', 'X'), { limits });
      assert.match(one.refused, /^more than 500 tuples follow, the last of n\/1: /);
      const other = await evaluate([count], {}, goal('n', 'X'), { limits, proofs: true });
      assert.match(other.refused, /^n\/1 still had new tuples after 20 rounds: /);
    });

    test('a proof has a step for each tuple that was derived', async () => {
      const { steps, answers: found } = await evaluate(
        [EDGE, PATH],
        {
          edge: [
            [1, 2],
            [2, 3],
            [3, 4],
            [1, 3],
          ],
        },
        goal('path', 1, 4),
        { proofs: true },
      );
      assert.deepEqual(found, [[term(1), term(4)]]);
      assert.deepEqual(steps, [2], 'by the shorter way: path(1, 4), path(3, 4)');
    });
  });
}
