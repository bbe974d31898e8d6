// Predicates that are tabled as sets: rules that the data engine evaluates, over linked files and facts of the book.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { openBook } from '../../pkg/index.js';
import { BIN } from '../support/stdio.mjs';
import { random } from '../data/programs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'hornbook-sets-test-'));
const at = (...names) => join(folder, ...names);
after(() => rmSync(folder, { recursive: true, force: true }));

before(async () => {
  writeFileSync(at('links.csv'), 'from,to\na,b\nb,c\nc,a\nx,y\n');
  writeFileSync(at('closed.csv'), 'place\nc\n');
  writeFileSync(
    at('orders.csv'),
    'id,customer,amount,day\n1,Ann,10,2026-01-01\n2,Ann,10,2026-01-01\n3,Bob,5,2026-01-02\n',
  );
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT i AS parent, i + 1 AS child FROM range(3000) t(i)) TO '${at('chain.parquet')}'`);
  await connection.run(`ATTACH '${at('erp.duckdb')}' AS erp`);
  await connection.run(`CREATE TABLE erp.boss AS SELECT * FROM (VALUES ('ann', 'bob'), ('bob', 'cy')) t(a, b)`);
  await connection.run('DETACH erp');
  connection.closeSync();
  instance.closeSync();
});

/** The answers of a query, in an order of their own. */
async function answers(book, query) {
  const found = [];
  for await (const answer of book.query(query)) found.push(JSON.stringify(answer));
  return found.sort();
}

/** A book with data, some clauses, and what `use` does with it. */
async function withBook(data, clauses, use, options = {}) {
  const book = await openBook({ data, ...options });
  try {
    if (clauses.length > 0) await book.assert([clauses].flat());
    return await use(book);
  } finally {
    await book.close();
  }
}

const links = { net: at('links.csv'), shut: at('closed.csv') };
const REACH = [
  ':- data(link/2, net).',
  ':- table reach/2 as set.',
  'reach(X, Y) :- link(X, Y).',
  'reach(X, Y) :- link(X, Z), reach(Z, Y).',
];

describe('rules over linked data', () => {
  test('are closed transitively', async () => {
    await withBook(links, REACH, async (book) => {
      assert.equal((await answers(book, 'reach(X, Y)')).length, 10);
      assert.deepEqual(await answers(book, 'reach(x, Y)'), ['{"Y":"y"}']);
      assert.deepEqual(await answers(book, 'reach(X, X)'), ['{"X":"a"}', '{"X":"b"}', '{"X":"c"}']);
      assert.deepEqual(await answers(book, 'reach(y, Y)'), []);
      assert.deepEqual(await book.once('reach(a, _), \\+ reach(y, _), reach(X, y)'), { X: 'x' });
    });
  });

  test('of Parquet, with facts of the book, a cut, and other goals meanwhile', async () => {
    const rules = [
      ':- data(next/2, chain).',
      ':- table below/2 as set.',
      'below(X, Y) :- next(X, Y).',
      'below(X, Y) :- below(X, Z), next(Z, Y).',
      'start(2000). start(2990).',
    ];
    await withBook({ chain: at('chain.parquet') }, rules, async (book) => {
      const { N } = await book.once('aggregate_all(count, (start(X), below(X, _)), N)');
      assert.equal(N, 1000 + 10);
      const both = 'once(below(2990, A)), below(2995, B), below(2998, C)';
      assert.equal((await answers(book, both)).length, 5 * 2);
    });
  });

  test('with both ends known, of a recursion that goes forward', async () => {
    const rules = [
      ':- data(next/2, chain).',
      ':- table below/2 as set.',
      'below(X, Y) :- next(X, Y).',
      'below(X, Y) :- below(X, Z), next(Z, Y).',
    ];
    await withBook({ chain: at('chain.parquet') }, rules, async (book) => {
      assert.deepEqual(await book.once('below(2980, 2990)'), {});
      assert.equal(await book.once('below(2990, 2980)'), undefined);
      assert.match(String(await book.why('below(2980, 2983)')), /next\(2982,2983\).*chain.parquet row 2983/);
    });
  });

  test('are counted by the engine, as Prolog counts their answers', async () => {
    const rules = [...REACH, ':- table any/1 as set.', 'any(X) :- reach(X, _).'];
    await withBook(links, rules, async (book) => {
      for (const goal of [
        'reach(_, _)',
        'reach(X, X)',
        'reach(a, _)',
        'reach(y, _)',
        'reach(a, b)',
        'reach(f(_), _)',
        'any(_)',
      ]) {
        const { N, L } = await book.once(`aggregate_all(count, ${goal}, N), findall(1, ${goal}, All), length(All, L)`);
        assert.equal(N, L, goal);
      }
      assert.equal(await book.once('aggregate_all(count, reach(_, _), 9)'), undefined);
      assert.match(
        String(await book.why('aggregate_all(count, reach(a, _), N)')),
        /aggregate_all\(count,reach\(a,_\w*\),3\)/,
      );
      const more = { assume: ['link(y, z).'] };
      assert.equal((await book.once('aggregate_all(count, reach(x, _), N)', more)).N, 2);
    });
  });

  test('have the value null where a column has nulls, and join other columns as they are', async () => {
    writeFileSync(at('holes.csv'), 'from,to\n1,2\n2,\n,3\n3,4\n');
    const rules = [
      ':- data(hole/2, holes).',
      ':- table path/2 as set.',
      'path(X, Y) :- hole(X, Y).',
      'path(X, Y) :- path(X, Z), hole(Z, Y).',
    ];
    await withBook({ holes: at('holes.csv') }, rules, async (book) => {
      const found = (await book.all('path(1, Y)')).map(({ Y }) => Y);
      assert.deepEqual(new Set(found), new Set([2, null, 3, 4]));
      writeFileSync(at('holes.csv'), 'from,to\n1,2\n2,3\n');
      assert.deepEqual(await answers(book, 'path(1, Y)'), ['{"Y":2}', '{"Y":3}']);
      assert.equal((await book.once('aggregate_all(count, path(_, _), N)')).N, 3);
    });
  });

  test('are joined over files and a database of DuckDB', async () => {
    const rules = [
      ':- data(link/2, net). :- data(boss/2, erp:boss).',
      ':- table over/2 as set.',
      'over(X, Y) :- boss(X, Y).',
      'over(X, Y) :- over(X, Z), boss(Z, Y).',
      "over(X, Y) :- link(X, Y), X == 'x'.",
    ];
    await withBook({ ...links, erp: at('erp.duckdb') }, rules, async (book) => {
      const found = await answers(book, 'over(X, Y)');
      assert.deepEqual(found, [
        '{"X":"ann","Y":"bob"}',
        '{"X":"ann","Y":"cy"}',
        '{"X":"bob","Y":"cy"}',
        '{"X":"x","Y":"y"}',
      ]);
    });
  });

  test('see a file as it is at each query', async () => {
    writeFileSync(at('changing.csv'), 'from,to\na,b\n');
    const rules = [':- data(link/2, net).', ...REACH.slice(1)];
    await withBook({ net: at('changing.csv') }, rules, async (book) => {
      assert.equal((await answers(book, 'reach(a, Y)')).length, 1);
      writeFileSync(at('changing.csv'), 'from,to\na,b\nb,c\n');
      assert.equal((await answers(book, 'reach(a, Y)')).length, 2);
    });
  });

  const TWO = [
    ':- data(big/2, big).',
    ':- table to/2 as set.',
    'to(X, Y) :- big(X, Y).',
    'to(X, Y) :- to(X, Z), big(Z, Y).',
  ];

  /** Ask for what 1 and then what 2 leads to, in one query, and change the file between them. */
  async function changed(name, rows, after) {
    writeFileSync(at(name), `a,b\n${rows.join('\n')}\n`);
    const found = [];
    await withBook({ big: at(name) }, TWO, async (book) => {
      for await (const { Y } of book.query('( to(1, Y) ; to(2, Y) )')) {
        if (found.length === 0) writeFileSync(at(name), `a,b\n${after.join('\n')}\n`);
        found.push(Y);
      }
    });
    return found;
  }

  test('are those of a small file as it was when the query began', async () => {
    assert.deepEqual(await changed('small.csv', ['1,10', '2,20'], ['1,11', '2,']), [10, 20]);
  });

  test('of a large file that gets its first null meanwhile are refused with what to do', async () => {
    const rows = Array.from({ length: 100_001 }, (_, n) => `${n},${n + 200_000}`);
    const after = rows.map((row) => (row.startsWith('2,') ? '2,' : row));
    await assert.rejects(changed('large.csv', rows, after), /big has changed while rules read it: ask again/);
  });

  test('end at the limits of tuples and rounds, which can be set', async () => {
    const ask = (limits, rules) => withBook(links, rules, (book) => answers(book, 'reach(X, Y)'), { limits });
    await assert.rejects(ask({ set_tuples: 5 }, REACH), /more than 5 tuples follow/);
    const double = [...REACH.slice(0, 3), 'reach(X, Y) :- reach(X, Z), reach(Z, Y).'];
    await assert.rejects(ask({ set_rounds: 2 }, double), /new tuples after 2 rounds/);
    assert.equal((await ask({ set_tuples: 10, set_rounds: 9 }, double)).length, 10);
  });

  test('have proofs down to the rows, read off the rounds that derived them', async () => {
    const rules = [
      ...REACH,
      ':- data(closed/1, shut).',
      ':- table open/2 as set.',
      'open(X, Y) :- reach(X, Y), \\+ closed(Y).',
      ':- table far/1 as set.',
      'far(z).',
      'far(X) :- reach(X, b), X \\== a.',
    ];
    await withBook(links, rules, async (book) => {
      assert.deepEqual(String(await book.why('reach(a, a)')).split('\n'), [
        'reach(a,a)',
        '  link(a,b)  % from links.csv row 1',
        '  reach(b,a)',
        '    link(b,c)  % from links.csv row 2',
        '    reach(c,a)',
        '      link(c,a)  % from links.csv row 3',
      ]);
      assert.match(String(await book.why('open(X, b)')), /^open\(.,b\)\n {2}reach\(.,b\)\n(.*\n)*.*closed\(b\)/);
      assert.equal(String(await book.why('far(z)')), 'far(z)');
      assert.match(
        String(await book.why('far(c)')),
        /^far\(c\)\n {2}reach\(c,b\)\n {4}link\(c,a\).*row 3\n {4}reach\(a,b\)/,
      );
      assert.match(String(await book.why('open(a, c)')), /because this holds:\n +closed\(c\) .*from closed.csv row 1/);
    });
  });

  test('say why not, and prove what is negated, also of a recursion that is not tabled and goes in circles', async () => {
    for (const step of ['path(X, Z), link(Z, Y)', 'link(X, Z), path(Z, Y)'])
      await withBook(
        links,
        [
          ':- data(link/2, net).',
          ':- table top/1 as set.',
          ':- table lone/1 as set.',
          `path(X, Y) :- ${step}.`,
          'path(X, Y) :- link(X, Y).',
          'top(X) :- path(a, X).',
          'lone(X) :- link(X, _), \\+ path(X, c).',
        ],
        async (book) => {
          assert.match(String(await book.why('top(c)')), /path\(a,c\)/, step);
          assert.match(String(await book.why('top(z)')), /^top\(z\) fails\n.*path\(a,z\)/s, step);
          assert.match(String(await book.why('lone(x)')), /\\\+path\(x,c\)/, step);
          assert.match(String(await book.why('lone(a)')), /path\(a,c\)/, step);
        },
        { timeoutMs: 20_000 },
      );
  });

  test('of a long chain have the proof that its rounds have, without search', async () => {
    const rules = [
      ':- data(step/2, chain).',
      ':- table up/2 as set.',
      'up(X, Y) :- step(X, Y).',
      'up(X, Y) :- step(X, Z), up(Z, Y).',
    ];
    await withBook({ chain: at('chain.parquet') }, rules, async (book) => {
      const lines = String(await book.why('up(2960, 2990)')).split('\n');
      assert.equal(lines.filter((line) => /from chain.parquet row/.test(line)).length, 30);
      assert.match(lines.at(-1), /step\(2989,2990\) {2}% from chain.parquet row 2990/);
      const long = await book.why('up(2800, 2990)');
      const shown = String(long).split('\n');
      assert.match(shown.at(-1), /^ {80}\(190\) step\(2989,2990\) {2}% from chain.parquet row 2990$/);
      assert.equal(shown.length, 380);
      let depth = 0;
      for (let step = long.steps[0]; step; step = step.because.at(-1)) depth++;
      assert.equal(depth, 191);
    });
  });

  test('have proofs with the rows whose columns nothing reads', async () => {
    writeFileSync(at('gaps.csv'), 'from,to\na,\nb,c\n');
    const rules = [
      ':- data(link/2, net). :- data(closed/1, shut). :- data(gap/2, gaps).',
      ...['from/1', 'ring/1', 'hole/1', 'open/1', 'counted/2', 'listed/1'].map((of) => `:- table ${of} as set.`),
      'from(X) :- link(X, _).',
      'ring(X) :- link(X, _), link(_, X).',
      'hole(X) :- gap(X, _).',
      'open(X) :- link(X, _), \\+ closed(X), \\+ gap(_, X).',
      'counted(X, N) :- link(X, _), aggregate_all(count, gap(_, _), N).',
      'listed(X) :- member(X, [c, b]), link(X, _).',
    ];
    const above = ['from(X)', 'ring(X)', 'hole(X)', 'open(X)', 'counted(X, 2)', 'listed(X)'];
    const goals = above.map((goal, at) => `above${at}(X) :- ${goal}.`);
    const tables = above.map((_, at) => `:- table above${at}/1 as set.`);
    await withBook({ ...links, gaps: at('gaps.csv') }, [...rules, ...tables, ...goals], async (book) => {
      const rows = async (goal) =>
        [...String(await book.why(goal)).matchAll(/(\w+\([^)]*\)) {2}% from (.*)/g)].map(
          ([, row, place]) => `${row} ${place}`,
        );
      assert.deepEqual(await rows('above0(a)'), ['link(a,b) links.csv row 1']);
      assert.deepEqual(await rows('above1(b)'), ['link(b,c) links.csv row 2', 'link(a,b) links.csv row 1']);
      assert.deepEqual(await rows('above2(a)'), ['gap(a,null) gaps.csv row 1']);
      assert.deepEqual(await rows('above2(b)'), ['gap(b,c) gaps.csv row 2']);
      assert.deepEqual(await rows('above3(x)'), ['link(x,y) links.csv row 4']);
      assert.deepEqual(await rows('above4(c)'), ['link(c,a) links.csv row 3']);
      assert.deepEqual(await rows('above5(b)'), ['link(b,c) links.csv row 2']);
      for (const at of above.keys()) assert.doesNotMatch(String(await book.why(`above${at}(X)`)), /% tabled/);
    });
  });

  test('see rows that a query supposes', async () => {
    await withBook(links, REACH, async (book) => {
      const far = async (options) => (await book.once('aggregate_all(count, reach(a, _), N)', options)).N;
      assert.equal(await far({}), 3);
      assert.equal(await far({ assume: ['link(c, x).'] }), 5);
      assert.equal(await far({}), 3);
    });
  });
});

test('the command line answers them', () => {
  writeFileSync(at('two.csv'), 'from,to\na,b\nb,c\n');
  writeFileSync(at('rules.pl'), REACH.join('\n'));
  const args = ['ask', '--data', `net=${at('two.csv')}`, at('rules.pl'), 'reach(a, Y)'];
  const { stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' });
  assert.equal(stdout, 'Y = b ;\nY = c.\n', stderr);
});

describe('negation, aggregates and arithmetic', () => {
  test('mutual recursion with negation', async () => {
    const rules = [
      ':- data(link/2, net). :- data(closed/1, shut).',
      ':- table odd/2 as set. :- table even/2 as set.',
      'odd(X, Y) :- link(X, Y), \\+ closed(Y).',
      'odd(X, Y) :- even(X, Z), link(Z, Y), \\+ closed(Y).',
      'even(X, Y) :- odd(X, Z), link(Z, Y), \\+ closed(Y).',
    ];
    await withBook(links, rules, async (book) => {
      assert.deepEqual(await answers(book, 'odd(X, Y)'), [
        '{"X":"a","Y":"b"}',
        '{"X":"c","Y":"a"}',
        '{"X":"x","Y":"y"}',
      ]);
      assert.deepEqual(await answers(book, 'even(X, Y)'), ['{"X":"c","Y":"b"}']);
    });
  });

  test('an aggregate counts each row, and is 0 without any', async () => {
    const rules = [
      ':- data(order/4, shop).',
      "customer('Ann'). customer('Bob'). customer('Cy').",
      ':- table total/2 as set. :- table most/2 as set. :- table days/2 as set.',
      'total(C, S) :- customer(C), aggregate_all(sum(A), order(_, C, A, _), S).',
      'most(C, M) :- customer(C), aggregate_all(max(A), (order(_, C, A, _), A > 0), M).',
      'days(C, N) :- customer(C), aggregate_all(count, order(_, C, _, _), N).',
    ];
    await withBook({ shop: at('orders.csv') }, rules, async (book) => {
      assert.deepEqual(await answers(book, 'total(C, S)'), [
        '{"C":"Ann","S":20}',
        '{"C":"Bob","S":5}',
        '{"C":"Cy","S":0}',
      ]);
      assert.deepEqual(await answers(book, 'most(C, M)'), ['{"C":"Ann","M":10}', '{"C":"Bob","M":5}']);
      assert.deepEqual(await answers(book, "days('Ann', N)"), ['{"N":2}']);
    });
  });

  test('a division by zero is an error of evaluation', async () => {
    const rules = ['n(0). n(2).', ':- table half/1 as set.', 'half(Y) :- n(X), Y is 4 // X.'];
    await withBook(links, rules, async (book) => {
      assert.deepEqual(await book.once('catch(half(_), error(evaluation_error(E), _), true)'), { E: 'zero_divisor' });
    });
  });
});

describe('facts of the book', () => {
  const FACTS = ['edge(1, 2). edge(2, 3). edge(3, one). edge("s", f(a)). edge(f(a), 1.5).', ':- table path/2 as set.'];
  const PATH = [...FACTS, 'path(X, Y) :- edge(X, Y).', 'path(X, Y) :- edge(X, Z), path(Z, Y).'];

  test('are evaluated with values of all kinds', async () => {
    await withBook(links, PATH, async (book) => {
      const texts = [];
      for await (const answer of book.query('path(X, Y)').answers()) texts.push(Object.values(answer.texts).join(' '));
      const expected = ['1 2', '1 3', '1 one', '2 3', '2 one', '3 one', '"s" f(a)', '"s" 1.5', 'f(a) 1.5'];
      assert.deepEqual(texts.sort(), expected.sort());
      assert.equal((await book.all('path(f(X), Y)')).length, 1);
      assert.equal((await book.all('path(1.0, Y)')).length, 0);
    });
  });

  test('change, and are undone', async () => {
    await withBook(links, PATH, async (book) => {
      const count = async () => (await answers(book, 'path(1, _)')).length;
      assert.equal(await count(), 3);
      await book.assert('edge(one, two).');
      assert.equal(await count(), 4);
      await book.undo();
      assert.equal(await count(), 3);
      const within = await book.once('path(1, two) -> R = before ; assertz(edge(one, two)), path(1, two) -> R = after');
      assert.deepEqual(within, { R: 'after' });
    });
  });

  test('are there when the book is opened again', async () => {
    const options = { path: at('kept.hornbook') };
    await withBook(links, PATH, async (book) => assert.equal((await answers(book, 'path(1, _)')).length, 3), options);
    await withBook(links, [], async (book) => assert.equal((await answers(book, 'path(1, _)')).length, 3), options);
  });

  test('of a book without data are tabled by Prolog', async () => {
    await withBook(undefined, PATH, async (book) => {
      assert.match(String(await book.why('path(1, _)')), /^path\(1,.*\)\n {2}edge\(1,/);
      assert.equal((await answers(book, 'path(1, _)')).length, 3);
      // What no set has, Prolog has.
      await book.assert([':- table long/1 as set.', 'long(X) :- edge(A, _), X = f(A).']);
      assert.equal((await answers(book, 'long(_)')).length, 5);
    });
  });
});

describe('what is no set', () => {
  const refused = (rules, query, expected) =>
    withBook(links, rules, (book) => assert.rejects(answers(book, query), expected));

  test('is refused with the predicate, the goal and the way out', async () => {
    await refused(
      ['q(a).', ':- table p/1 as set.', 'p(X) :- q(X), atom_length(X, 1).'],
      'p(X)',
      /p\/1 cannot be evaluated as a set\. p\/1, `atom_length\(A, ?1\)`: .*leave `as set` out/,
    );
    await refused(['q(a).', ':- table p/1 as set.', 'p(f(X)) :- q(X).'], 'p(X)', /its head/);
    await refused(
      ['q(a).', ':- table p/1 as set.', 'p(X) :- q(X), \\+ p(X).'],
      'p(X)',
      /cannot be evaluated as a set\..*p\/1/,
    );
    await refused(['q(a).', ':- table p/1 as set.', 'p(X) :- q(_), X > 1.'], 'p(X)', /p\/1, rule 1, .*nothing binds A/);
  });

  test('is refused beside rows that a query supposes, too', async () => {
    const goals = [
      ['p(X) :- link(X, _), atom_length(X, 1).', /p\/1 cannot be evaluated as a set/],
      ['p(X) :- link(X, _), \\+ p(X).', /p\/1 cannot be evaluated as a set/],
    ];
    for (const [rule, expected] of goals)
      await withBook(links, [':- data(link/2, net).', ':- table p/1 as set.', rule], async (book) => {
        await assert.rejects(book.once('p(X)'), expected);
        await assert.rejects(book.once('p(X)', { assume: ['link(q, r).'] }), expected);
      });
  });
});

/** A program of facts and rules, some of which call one another, and of a query. */
function program(seed) {
  const next = random(seed);
  const below = (n) => Math.floor(next() * n);
  const pick = (list) => list[below(list.length)];
  const facts = Array.from(
    { length: 3 + below(8) },
    () => `e(${pick(['a', 'b', 'c', 'd', '1'])}, ${pick(['a', 'b', 'c', 'd', '2'])}).`,
  );
  const names = ['p', 'q'];
  const rules = names.flatMap((name) => [
    `${name}(X, Y) :- e(X, Y).`,
    `${name}(X, Y) :- ${pick(['e', ...names])}(X, Z), ${pick(['e', ...names])}(Z, Y)${pick(['', '', ', X \\== Y', ', \\+ e(Y, X)'])}.`,
  ]);
  const last = `r(X, Y) :- e(X, _), e(_, Y), \\+ ${pick(names)}(X, Y).`;
  return { clauses: [...new Set(facts), ...rules, last], query: pick(['p(X, Y)', 'q(a, Y)', 'r(X, Y)', 'q(X, X)']) };
}

test('random programs have the answers of ordinary tabling', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { clauses, query } = program(seed);
    const found = [];
    for (const option of ['', ' as set'])
      await withBook(
        links,
        [...['p', 'q', 'r'].map((name) => `:- table ${name}/2${option}.`), ...clauses],
        async (book) => {
          found.push(await answers(book, query));
        },
      );
    assert.deepEqual(found[1], found[0], `seed ${seed}: ${clauses.join(' ')} ?- ${query}`);
  }
});
