// Goals over data that stays where it is: files, folders, and databases of DuckDB and SQLite, made here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import initSqlJs from 'sql.js';
import { openBook } from '../../pkg/index.js';
import { BIN } from '../support/stdio.mjs';

const folder = mkdtempSync(join(tmpdir(), 'hornbook-data-test-'));
const at = (...names) => join(folder, ...names);
after(() => rmSync(folder, { recursive: true, force: true }));

before(async () => {
  for (const name of ['days', 'led', 'mixed', 'outside']) mkdirSync(at(name));
  writeFileSync(at('people.csv'), 'name,age,born\nAnn,41,1985-01-31\nBob,,2009-02-01\n"O\'Neil, ""the"" third",17,\n');
  writeFileSync(at('events.jsonl'), '{"id":1,"tags":["a","b"],"by":{"name":"Ann"}}\n{"id":2,"tags":[],"by":null}\n');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const make = (sql) => connection.run(sql);
  await make(`COPY (SELECT i AS id, 'c' || i % 10 AS customer, CAST(i AS DECIMAL(12, 2)) / 4 AS amount,
    DATE '2026-01-01' + CAST(i % 30 AS INTEGER) AS day, i % 2 = 0 AS paid, CASE WHEN i % 3 > 0 THEN 'n' || i END AS note
    FROM range(20000) t(i)) TO '${at('orders.parquet')}'`);
  await make(`COPY (SELECT CAST(1 AS BIGINT) AS small, CAST('17014118346046923173168730371588410572' AS DECIMAL(38, 0)) AS huge,
    CAST('1234567890123456.78' AS DECIMAL(18, 2)) AS exact, CAST('12.50' AS DECIMAL(10, 2)) AS price,
    CAST(7 AS DECIMAL(10, 0)) AS whole, 0.1::DOUBLE AS float, TIMESTAMP '2026-01-31 14:30:00' AS at,
    TIMESTAMPTZ '2026-01-31 14:30:00+02' AS zoned, [1, NULL] AS list, {'a': 'x', 'b': [true]} AS struct, 'null' AS word,
    'it''s' || chr(10) || 'two' AS text)
    TO '${at('types.parquet')}'`);
  await make(`ATTACH '${at('erp.duckdb')}' AS erp`);
  await make(`CREATE TABLE erp.customers AS SELECT 'c' || i AS id, 'City ' || i % 3 AS city FROM range(10) t(i)`);
  await make('CREATE TABLE erp.big AS SELECT 170141183460469231731687303715884105727 AS n');
  await make('CREATE TABLE erp.lines ("order" INTEGER, line INTEGER, what VARCHAR, PRIMARY KEY ("order", line))');
  await make(`INSERT INTO erp.lines VALUES (7, 1, 'pen'), (7, 2, 'ink')`);
  await make(`CREATE SCHEMA erp.old; CREATE TABLE erp.old.customers (id INTEGER, name VARCHAR)`);
  await make(`CREATE VIEW erp.peek AS SELECT * FROM read_csv('${at('people.csv')}')`);
  await make('DETACH erp');
  connection.closeSync();
  instance.closeSync();
  for (const [day, ids] of [
    ['01', '1,2'],
    ['02', '3'],
  ])
    writeFileSync(
      at('days', `${day}.csv`),
      `id,day\n${ids
        .split(',')
        .map((id) => `${id},${day}\n`)
        .join('')}`,
    );
  const SQL = await initSqlJs();
  const database = new SQL.Database();
  database.run(`CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, "2026" REAL, blob BLOB)`);
  database.run(
    `INSERT INTO things VALUES (1, 'one', 1.5, x'00ff'), (9007199254740993, '7', NULL, NULL), (3, NULL, 2.0, NULL)`,
  );
  writeFileSync(at('app.sqlite'), database.export());
  database.close();
});

/** A book with data, some clauses, and what `use` does with it. */
async function withBook(data, clauses, use, options = {}) {
  const book = await openBook({ data, ...options });
  try {
    await book.assert([clauses].flat());
    await use(book);
  } finally {
    await book.close();
  }
}
const shop = { shop: at('orders.parquet') };
const ORDERS = ':- data(orders/6, shop).';

describe('a Parquet file', () => {
  test('is asked like any predicate, by rules, aggregation and cuts', async () => {
    await withBook(
      shop,
      [ORDERS, 'spent(C, S) :- aggregate_all(sum(A), orders(_, C, A, _, _, _), S).'],
      async (book) => {
        assert.deepEqual(await book.once('orders(7, C, A, D, P, N)'), {
          C: 'c7',
          A: 1.75,
          D: '2026-01-08',
          P: false,
          N: 'n7',
        });
        assert.deepEqual(await book.once('spent(c1, S)'), { S: 4_998_000 });
        assert.deepEqual(await book.once('aggregate_all(count, orders(_, _, _, _, _, _), N)'), { N: 20000 });
        assert.deepEqual(await book.once('findall(_I, orders(_I, c3, _, _, true, _), Is)'), { Is: [] });
      },
    );
  });

  test('gives its rows in their order, in batches', async () => {
    await withBook(shop, ORDERS, async (book) => {
      const ids = await book.all('orders(I, _, _, _, _, _)');
      assert.deepEqual(
        ids.map(({ I }) => I),
        Array.from({ length: 20000 }, (_, id) => id),
      );
    });
  });

  test('matches as facts do', async () => {
    await withBook(shop, ORDERS, async (book) => {
      const count = async (goal) => (await book.once(`aggregate_all(count, ${goal}, N)`)).N;
      assert.equal(await count("orders(7, 'c7', _, _, _, _)"), 1);
      assert.equal(await count('orders(7, "c7", _, _, _, _)'), 0);
      assert.equal(await count('orders(7.0, _, _, _, _, _)'), 0);
      assert.equal(await count('orders(_, _, 1.75, _, _, _)'), 1);
      assert.equal(await count('orders(4, _, 1, _, _, _)'), 0);
      assert.equal(await count('orders(4, _, 1.0, _, _, _)'), 1);
      assert.equal(await count("orders(_, _, _, '2026-01-07', _, null)"), 667);
      assert.equal(await count('orders(_, _, _, _, yes, _)'), 0);
      assert.equal(await count('orders(X, _, X, _, _, _)'), 0);
      assert.equal(await count('orders(f(_), _, _, _, _, _)'), 0);
      assert.equal(await count('(orders(I, _, _, _, _, _), I < 5)'), 5);
    });
  });

  test('has exact values of each type', async () => {
    const all = 'types(Small, Huge, Exact, Price, Whole, Float, At, Zoned, List, Struct, Word, Text)';
    await withBook({ t: at('types.parquet') }, ':- data(types/12, t).', async (book) => {
      for await (const { texts } of book.query(all).answers())
        assert.deepEqual(texts, {
          Small: '1',
          Huge: '17014118346046923173168730371588410572',
          Exact: "'1234567890123456.78'",
          Price: '12.5',
          Whole: '7',
          Float: '0.1',
          At: "'2026-01-31T14:30:00'",
          Zoned: "'2026-01-31T12:30:00Z'",
          List: '[1,null]',
          Struct: '_A{a:x,b:[true]}',
          Word: 'null',
          Text: "'it\\'s\\ntwo'",
        });
      // Each value finds its row again.
      assert.deepEqual(await book.all(`${all}, ${all}`).then((found) => found.length), 1);
      assert.deepEqual(await book.all('types(_, _, _, _, _, _, _, _, _, _, null, _)').then(({ length }) => length), 1);
    });
  });

  test('is asked lazily, and let go when nobody reads on', async () => {
    await withBook(shop, [ORDERS, 'some(I) :- once(orders(I, _, _, _, _, _)).'], async (book) => {
      // More goals than may be open at a time, none of which is read to its end.
      assert.deepEqual(await book.once('forall(between(1, 100, _), some(0))'), {});
      const nested = 'findnsols(3, I-J, (orders(I, c1, _, _, _, _), orders(J, c2, _, _, _, _)), L)';
      assert.deepEqual((await book.once(nested)).L.length, 3);
      for (let round = 0; round < 50; round++)
        for await (const { I } of book.query('orders(I, _, _, _, _, _)')) {
          assert.equal(I, 0);
          break;
        }
    });
  });

  test('is where proofs end', async () => {
    await withBook(shop, [ORDERS, 'big(I, A) :- orders(I, c9, A, _, _, _), A > 4990.'], async (book) => {
      const lines = String(await book.why('big(I, A)')).split('\n');
      assert.match(lines[0], /^big\(19969,4992.25\)/);
      assert.match(
        lines[1],
        /^ {2}orders\(19969,c9,4992.25,'2026-01-20',false,n19969\) {2}% from orders.parquet row 19970$/,
      );
      assert.match(String(await book.why('orders(-1, _, _, _, _, _)')), /orders\(-1/);
    });
  });

  test('tells in a proof where each row is, and of a goal that fails the nearest row', async () => {
    const rules = [ORDERS, ':- data(day/2, days).', 'big(I, A) :- orders(I, _, A, _, true, _), A > 4000.'];
    await withBook({ ...shop, days: at('days') }, rules, async (book) => {
      const lines = String(await book.why('big(I, A)')).split('\n');
      assert.match(lines[1], /orders\(16002,c2,4000.5,.*true,.*from orders.parquet row 16003$/);
      assert.match(String(await book.why("day(3, '02')")), /from 02.csv$/m);
      assert.match(
        String(await book.why('big(7, A)')),
        /the nearest row is orders\(7,.*\(orders.parquet row 8\): paid is false, not true/,
      );
      const why = String(await book.why('orders(7, "c7", _, _, _, _)'));
      assert.match(why, /the nearest row is orders\(7,c7,.*: customer is c7, not "c7"$/m);
      assert.match(String(await book.why('orders(7, c8, _, _, _, _)')), /: customer is c7, not c8$/m);
    });
  });

  test('is named where its columns are called as what DuckDB says of rows', async () => {
    mkdirSync(at('named'));
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const write = (columns, file) => connection.run(`COPY (SELECT ${columns}) TO '${at(file)}'`);
    await write(`1 AS id, 'x' AS filename`, 'one.parquet');
    await write('1 AS id, 7 AS file_row_number', 'numbered.parquet');
    await write(`1 AS "number of the row", 'x' AS "Filename"`, 'one.csv');
    await write(`1 AS id, 'x' AS filename`, 'named/a.parquet');
    await write(`2 AS id, 'y' AS filename`, 'named/b.parquet');
    connection.closeSync();
    instance.closeSync();
    const names = ['one.parquet', 'numbered.parquet', 'one.csv', 'named'];
    const data = Object.fromEntries(names.map((name, index) => [`d${index}`, at(name)]));
    const rules = names.map((_, index) => `:- data(r${index}/2, d${index}).`);
    await withBook(data, rules, async (book) => {
      assert.equal(String(await book.why('r0(_, x)')), 'r0(1,x)  % from one.parquet row 1');
      assert.equal(String(await book.why('r1(_, 7)')), 'r1(1,7)  % from numbered.parquet row 1');
      assert.equal(String(await book.why('r2(_, x)')), 'r2(1,x)  % from one.csv row 1');
      assert.equal(String(await book.why('r3(_, y)')), 'r3(2,y)  % from d3');
    });
  });

  test('of a database is named by its primary key, where it has one', async () => {
    const rules = [':- data(line/3, erp:lines).', ':- data(city/2, erp:customers).', ':- data(thing/4, app:things).'];
    await withBook({ erp: at('erp.duckdb'), app: at('app.sqlite') }, rules, async (book) => {
      assert.match(String(await book.why('line(_, _, ink)')), /% from erp.lines order=7, line=2$/);
      assert.match(String(await book.why('city(c3, _)')), /% from erp.customers$/);
      assert.match(String(await book.why('thing(I, one, _, _)')), /% from app.things id=1$/);
    });
  });

  test('has rows beside it that a query supposes', async () => {
    const rules = [
      ORDERS,
      ':- data(person/3, people).',
      'of(Who, I) :- orders(I, Who, A, _, _, _), A > 4999, person(Who, _, _).',
    ];
    await withBook({ ...shop, people: at('people.csv') }, rules, async (book) => {
      const query = 'findall(I-W, of(W, I), L)';
      const answer = async (options) => String((await book.once(query, options)).L);
      assert.equal(await answer({}), '');
      const assume = ['person(c7, 1, null).', "orders(1, 'Ann', 6000, null, true, null)."];
      const supposed = await book.once(`${query}, length(L, N)`, { assume });
      assert.equal(supposed.N, 2, JSON.stringify(supposed));
      assert.equal(await answer({}), '');
      await assert.rejects(book.once('assertz(person(x, 1, null))'), /linked data/);
      await assert.rejects(book.once('retractall(person(_, _, _))', { assume }), /linked data/);
    });
  });

  test('is listed with its columns', async () => {
    await withBook(shop, [ORDERS, ':- data(gone/1, nowhere:t).'], async (book) => {
      const tool = (await book.tools()).find(({ name }) => name === 'workspace');
      const text = await tool.call({ operation: 'list_symbols' });
      assert.match(text, /orders\(id, customer, amount, day, paid, note\): rows of shop/);
      assert.match(text, /gone\/1: rows of nowhere:t/);
    });
  });

  test('takes errors and limits as any goal does', async () => {
    await withBook(shop, ORDERS, async (book) => {
      await assert.rejects(book.all('(orders(I, _, _, _, _, _), I > 3, throw(enough(I)))'), /enough\(4\)/);
      const join = 'orders(_, _, A, _, _, _), orders(_, _, B, _, _, _), A + B < 0';
      const begun = Date.now();
      await assert.rejects(book.all(join, { timeoutMs: 700 }), { kind: 'timeout' });
      assert.ok(Date.now() - begun < 2_000);
      assert.equal((await book.once('orders(1, C, _, _, _, _)')).C, 'c1');
    });
  });
});

describe('a link', () => {
  test('is part of the book: listed, undone, redone, and kept', async () => {
    const path = at('kept.book');
    await withBook(
      shop,
      ORDERS,
      async (book) => {
        assert.match(await book.source(), /:- data\(orders\/6, shop\)/);
        await book.undo();
        await assert.rejects(book.once('orders(1, _, _, _, _, _)'), /orders\/6/);
        await book.redo();
        assert.ok(await book.once('orders(1, _, _, _, _, _)'));
      },
      { path },
    );
    const again = await openBook({ path, data: shop });
    assert.ok(await again.once('orders(1, _, _, _, _, _)'));
    await again.close();
  });

  test('comes with a file, and goes with it', async () => {
    await withBook(shop, 'x.', async (book) => {
      await book.import('rules.pl', 'big(I) :- orders(I, _, A, _, _, _), A > 4999.\n:- data(orders/6, shop).\n');
      assert.equal((await book.all('big(I)')).length, 3);
      await book.unimport('rules.pl');
      await assert.rejects(book.once('orders(1, _, _, _, _, _)'));
    });
  });

  test('keeps its predicate to itself', async () => {
    await withBook(shop, ORDERS, async (book) => {
      for (const goal of [
        'assertz(orders(1, 2, 3, 4, 5, 6))',
        'retract(orders(1, _, _, _, _, _))',
        'retractall(orders(_, _, _, _, _, _))',
      ])
        await assert.rejects(book.once(goal), /linked data, which is only read/);
      await assert.rejects(book.assert('orders(1, 2, 3, 4, 5, 6).'), /only read/);
      await book.assert('people(a).');
      await assert.rejects(book.assert(':- data(people/1, shop).'), /people\/1 has clauses/);
      await assert.rejects(book.assert(':- data(orders, shop).'), /number of columns/);
      await assert.rejects(book.assert(":- data(o/1, 'shop'(x))."), /name of a source/);
    });
  });

  test('is asked by the names of its columns, wherever its directive stands', async () => {
    const big = 'big(C, A) :- orders{customer: C, amount: A, paid: true}, A > 4999.';
    const links = [
      (book) => book.assert([ORDERS, big]),
      (book) => book.import('rules.pl', `${ORDERS}\n${big}\n`),
      (book) => book.assert(ORDERS).then(() => book.import('rules.pl', `${big}\n`)),
    ];
    for (const link of links)
      await withBook(shop, 'x.', async (book) => {
        await link(book);
        assert.deepEqual(await book.all('big(C, A)'), [{ C: 'c8', A: 4999.5 }]);
        assert.deepEqual(await book.once('orders{id: 7, day: D}'), { D: '2026-01-08' });
        assert.match(String(await book.why('orders{id: 7, note: N}')), /orders\(7,c7,1.75,.*from orders.parquet row 8/);
        assert.match(await book.source(), /big\(C, A\) :- orders\(_, C, A, _, true, _\), A > 4999\./);
        await assert.rejects(book.once('orders{custmer: C}'), {
          message: /The table orders has no column custmer\. Its columns are id, customer, amount, day, paid, note/,
        });
      });
  });

  test('without its columns says why a row by their names is none', async () => {
    await withBook(shop, [':- data(orders/3, shop).', ':- data(other/1, nowhere).'], async (book) => {
      await assert.rejects(
        book.once('orders{id: 7}'),
        /columns of orders are not known: it has 6, which are id, customer/,
      );
      await assert.rejects(book.assert('p(X) :- other{a: X}.'), /columns of other are not known: .*no source nowhere/);
      await assert.rejects(book.once('orders(_, _, _)'), /6 columns/);
    });
    await withBook(undefined, ORDERS, async (book) => {
      await assert.rejects(book.once('orders{id: 7}'), /columns of orders are not known: nothing is linked here/);
    });
  });

  test('tells its columns if it has another number of arguments, and what sources there are', async () => {
    await withBook(
      shop,
      [':- data(orders/3, shop).', ':- data(other/1, nowhere).', ':- data(other_table/1, shop:x).'],
      async (book) => {
        await assert.rejects(
          book.once('orders(_, _, _)'),
          /6 columns.*orders\/6.*id, customer, amount, day, paid, note/,
        );
        await assert.rejects(book.once('other(_)'), /no source nowhere here; the sources are: shop/);
        await assert.rejects(book.once('other_table(_)'), /shop is one table/);
      },
    );
    await withBook(undefined, ORDERS, async (book) => {
      await assert.rejects(book.once('orders(_, _, _, _, _, _)'), /nothing is linked here: name the data/);
    });
  });
});

describe('other sources', () => {
  test('CSV and JSON Lines are read as DuckDB finds their types', async () => {
    const data = { people: at('people.csv'), events: at('events.jsonl') };
    await withBook(data, [':- data(person/3, people).', ':- data(event/3, events).'], async (book) => {
      assert.deepEqual(await book.all('person(Name, Age, Born)'), [
        { Name: 'Ann', Age: 41, Born: '1985-01-31' },
        { Name: 'Bob', Age: null, Born: '2009-02-01' },
        { Name: `O'Neil, "the" third`, Age: 17, Born: null },
      ]);
      assert.deepEqual(await book.all('event(I, [a|T], By)'), [{ I: 1, T: ['b'], By: { name: 'Ann' } }]);
    });
  });

  test('a folder or a pattern is one table, with the files that are there at the time', async () => {
    const data = { days: at('days'), first: at('days', '0[1]*.csv') };
    await withBook(data, [':- data(day/2, days).', ':- data(first/2, first).'], async (book) => {
      assert.deepEqual(
        (await book.all('day(I, _)')).map(({ I }) => I),
        [1, 2, 3],
      );
      assert.deepEqual(
        (await book.all('first(I, _)')).map(({ I }) => I),
        [1, 2],
      );
      writeFileSync(at('days', '03.csv'), 'id,day\n4,03\n');
      assert.deepEqual(
        (await book.all('day(I, _)')).map(({ I }) => I),
        [1, 2, 3, 4],
      );
    });
  });

  test('a database of DuckDB has tables, and its views read no files', async () => {
    const links = [
      ':- data(customer/2, erp:customers).',
      ":- data(old/2, erp:'old.customers').",
      ':- data(peek/3, erp:peek).',
      ':- data(big/1, erp:big).',
      ':- data(any/2, erp).',
      ':- data(none/2, erp:nothing).',
    ];
    await withBook({ erp: at('erp.duckdb'), ...shop }, [...links, ORDERS], async (book) => {
      assert.deepEqual(await book.once('customer(c4, City)'), { City: 'City 1' });
      assert.deepEqual(await book.all('old(_, _)'), []);
      const big = 170141183460469231731687303715884105727n;
      assert.deepEqual(await book.all('big(N)'), [{ N: big }]);
      assert.equal((await book.all(`big(${big})`)).length, 1);
      assert.deepEqual(await book.once('orders(14, C, _, _, _, _), customer(C, City)'), { C: 'c4', City: 'City 1' });
      await assert.rejects(book.once('peek(_, _, _)'), /erp: .*disabled by configuration/);
      await assert.rejects(
        book.once('any(_, _)'),
        /several tables: write `erp:TABLE`. They are big, customers, lines, peek, old.customers/,
      );
      await assert.rejects(book.once('none(_, _)'), /no table nothing. Its tables are big, customers/);
    });
  });

  test('a database of SQLite has values with types of their own', async () => {
    await withBook({ app: at('app.sqlite') }, ':- data(thing/4, app:things).', async (book) => {
      assert.deepEqual(await book.all('thing(I, N, R, B)'), [
        { I: 1, N: 'one', R: 1.5, B: '00ff' },
        { I: 3, N: null, R: 2, B: null },
        { I: 9007199254740993n, N: '7', R: null, B: null },
      ]);
      for (const [goal, count] of [
        ['thing(9007199254740993, _, _, _)', 1],
        ['thing(_, 7, _, _)', 0],
        ["thing(_, '7', _, _)", 1],
        ['thing(_, _, 2.0, _)', 1],
        ['thing(_, _, 2, _)', 0],
        ["thing(_, _, _, '00ff')", 1],
        ['thing(_, null, _, _)', 1],
      ])
        assert.equal((await book.all(goal)).length, count, goal);
    });
  });
});

describe('the command line', () => {
  const hornbook = (...args) => spawnSync(process.execPath, [BIN, ...args], { cwd: folder, encoding: 'utf8' });

  test('links data for one goal, and says what is wrong without the address', () => {
    writeFileSync(at('people.pl'), ':- data(person/3, people).\nadult(N) :- person(N, A, _), A \\== null, A >= 18.\n');
    const asked = hornbook('ask', '--data', 'people=people.csv', 'people.pl', 'adult(N)');
    assert.equal(asked.stdout, "N = 'Ann'.\n", asked.stderr);
    const refused = hornbook('ask', '--data', 'erp=mysql://app:secret@h/d', 'true');
    assert.match(refused.stderr, /--data: erp has an address of mysql:/);
    assert.doesNotMatch(refused.stderr, /secret/);
  });
});

describe('goals next to one another', () => {
  /** The statements of what `use` does with a book in another process, without those that list columns. */
  const statements = (data, clauses, goal) => {
    writeFileSync(at('shown.pl'), `${clauses.join('\n')}\n`);
    const named = Object.entries(data).flatMap(([name, path]) => ['--data', `${name}=${path}`]);
    const env = { ...process.env, HORNBOOK_SQL: '1' };
    const asked = spawnSync(process.execPath, [BIN, 'ask', ...named, 'shown.pl', goal], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    const shown = asked.stderr.split(/^(?=-- )/m).filter((text) => text.startsWith('-- ') && !/DESCRIBE/.test(text));
    return { shown, answers: asked.stdout };
  };
  const LINKS = [':- data(person/3, people).', ':- data(pet/2, pets).'];
  const both = { people: 'people.csv', pets: 'pets.csv' };
  before(() => writeFileSync(at('pets.csv'), 'owner,pet\nAnn,cat\nBob,dog\nAnn,eel\n,fox\n'));

  test('are one statement, which can be seen', () => {
    const rule = 'of(N, P) :- person(N, A, _), A \\== null, A > 20, pet(N, P).';
    const { shown, answers } = statements(both, [...LINKS, rule], 'of(N, P)');
    assert.equal(answers, "N = 'Ann',\nP = cat ;\nN = 'Ann',\nP = eel.\n");
    assert.equal(shown.length, 1, shown.join());
    assert.match(shown[0], /^-- people, pets: 2 rows, [\d.]+ ms\nSELECT .*CAST\(20 AS BIGINT\).* LEFT JOIN /);
  });

  test('are one statement where only a comparison joins them, in the order of Prolog', async () => {
    writeFileSync(at('bands.csv'), 'band,from,to\nold,30,200\nany,0,200\nyoung,0,30\n');
    const links = [LINKS[0], ':- data(band/3, bands).'];
    const rule = 'in(N, B) :- person(N, A, _), A \\== null, band(B, F, T), A >= F, A < T.';
    const data = { people: 'people.csv', bands: 'bands.csv' };
    const { shown, answers } = statements(data, [...links, rule], 'findall(N-B, in(N, B), L)');
    const young = `'O\\'Neil, "the" third'`;
    assert.equal(answers, `L = ['Ann'-old,'Ann'-any,${young}-any,${young}-young].\n`);
    // One asks how many pairs of rows there are.
    assert.equal(shown.length, 2, shown.join());
    const counted = statements(data, links, 'aggregate_all(count, ( person(_, _, _), band(_, _, _) ), N)');
    assert.equal(counted.answers, 'N = 9.\n');
    assert.equal(counted.shown.length, 1, counted.shown.join());
  });

  test('are asked one by one where a comparison alone would join too many rows to hold', async () => {
    await withBook(shop, ORDERS, async (book) => {
      const pair = 'orders(I, _, A, _, _, _), orders(J, _, B, _, _, _), A < B';
      assert.deepEqual(await book.once(`once((${pair}))`), { I: 0, J: 1, A: 0, B: 0.25 });
    });
  });

  test('have the errors of Prolog, in their order', async () => {
    const data = { people: at('people.csv'), pets: at('pets.csv') };
    await withBook(data, LINKS, async (book) => {
      const found = [];
      await assert.rejects(async () => {
        for await (const { N } of book.query('person(N, A, _), A > 20, pet(N, P)')) found.push(N);
      }, /null/);
      assert.deepEqual(found, ['Ann', 'Ann']);
      await assert.rejects(book.once('aggregate_all(count, (person(_, A, _), A > 20), N)'), /null/);
    });
  });

  test('are joined where nulls meet, and cut, negated and counted', async () => {
    const data = { people: at('people.csv'), pets: at('pets.csv') };
    await withBook(data, LINKS, async (book) => {
      assert.deepEqual(await book.all('person(_, N, _), pet(N, P)'), [{ N: null, P: 'fox' }]);
      assert.deepEqual(await book.all('person(N, A, _), \\+ pet(N, _)'), [{ N: `O'Neil, "the" third`, A: 17 }]);
      assert.deepEqual(await book.all('once((person(N, _, _), pet(N, P)))'), [{ N: 'Ann', P: 'cat' }]);
      assert.deepEqual(await book.once('aggregate_all(count, (person(_N, _, _), pet(_N, _)), C)'), { C: 3 });
      assert.deepEqual(await book.once("aggregate_all(max(_A), person('Ann', _A, _), M)"), { M: 41 });
      assert.deepEqual(await book.all("person(N, _, _), member(N, ['Bob', x]), pet(N, P)"), [{ N: 'Bob', P: 'dog' }]);
    });
  });

  /** A database of DuckDB made by these statements, for `use`. */
  const withDatabase = async (name, statements, clauses, use) => {
    const instance = await DuckDBInstance.create(at(name));
    const connection = await instance.connect();
    for (const sql of statements) await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    await withBook({ d: at(name) }, clauses, use);
  };

  test('compare texts by their characters, whatever the collation of a column, and integers by their value', async () => {
    const made = [
      'CREATE TABLE t (i INTEGER, n VARCHAR COLLATE NOCASE, o VARCHAR COLLATE NOACCENT)',
      "INSERT INTO t VALUES (1, 'Ann', 'a'), (2, 'ann', 'á'), (3, 'BOB', NULL), (4, NULL, 'b')",
      'CREATE TABLE w (n VARCHAR, k INTEGER)',
      "INSERT INTO w VALUES ('ann', 1), ('bob', 2), ('null', 3)",
      'CREATE TABLE wide (i BIGINT, u UHUGEINT)',
      "INSERT INTO wide VALUES (1, CAST('170141183460469231731687303715884105727' AS UHUGEINT)), (7, 7)",
    ];
    const rules = [
      ':- table both/1 as set.',
      'both(I) :- t(I, N, _), w(N, _).',
      ':- table only/1 as set.',
      'only(I) :- t(I, N, _), \\+ known(N).',
      ':- table known/1 as set.',
      'known(N) :- w(N, _).',
      ':- table ann/1 as set.',
      'ann(I) :- t(I, ann, _).',
      ':- table twin/1 as set.',
      'twin(I) :- t(I, N, N).',
      ':- table names/1 as set.',
      'names(C) :- aggregate_all(count, t(_, _, _), C).',
    ];
    const links = [':- data(t/3, d:t).', ':- data(w/2, d:w).', ':- data(wide/2, d:wide).', ...rules];
    await withDatabase('collated.duckdb', made, links, async (book) => {
      const numbers = async (goal) => (await book.all(goal)).map(({ I }) => I).sort();
      assert.deepEqual(await numbers('t(I, N, _), \\+ w(N, _)'), [1, 3]);
      assert.deepEqual(await numbers('t(I, N, _), w(N, _)'), [2, 4]);
      assert.deepEqual(await numbers('t(I, N, _), N \\== ann'), [1, 3, 4]);
      assert.deepEqual(await numbers('t(I, N, N)'), []);
      assert.deepEqual(await book.all('wide(X, X)'), [{ X: 7 }]);
      assert.deepEqual(await numbers('t(I, N, N), w(N, _)'), []);
      assert.deepEqual(await numbers('twin(I)'), []);
      assert.deepEqual(await numbers('t(I, N, _), member(N, [ann, x])'), [2]);
      assert.deepEqual(await numbers('t(I, N, _), \\+ t(_, _, N)'), [1, 2, 3]);
      assert.deepEqual(await book.all('w(N, _), \\+ t(_, N, _)'), [{ N: 'bob' }]);
      assert.deepEqual(await book.once('aggregate_all(count, t(_, ann, _), C)'), { C: 1 });
      assert.deepEqual(await book.once('aggregate_all(count, (t(_, _N, _), w(_N, _)), C)'), { C: 2 });
      assert.deepEqual(await numbers('both(I)'), [2, 4]);
      assert.deepEqual(await numbers('only(I)'), [1, 3]);
      assert.deepEqual(await numbers('ann(I)'), [2]);
    });
  });

  test('compare numbers of any two types as Prolog does, however large they are', async () => {
    const [exact, wide] = [2n ** 53n, 2n ** 127n];
    const types = {
      BIGINT: [1, exact + 1n, -exact - 1n],
      UBIGINT: [1, exact, 2n ** 64n - 1n],
      HUGEINT: [-1, 1, exact + 1n, wide - 1n],
      UHUGEINT: [1, exact, wide - 2n, 2n * wide - 1n],
      BIGNUM: [1, exact + 1n, wide - 1n, 2n * wide],
      DOUBLE: [1, '-0.0', exact],
      'DECIMAL(18, 0)': [1, exact + 1n],
      'DECIMAL(38, 10)': [1, '0.1', '12345678901234567890.5'],
    };
    const names = Object.keys(types);
    let state = 1;
    const below = (count) => {
      state = (state * 48271) % 2147483647;
      return state % count;
    };
    const row = () => names.map((type) => `CAST('${types[type][below(types[type].length)]}' AS ${type})`).join(', ');
    const made = [
      `CREATE TABLE x (${names.map((type, at) => `c${at} ${type}`).join(', ')})`,
      ...Array.from({ length: 40 }, () => `INSERT INTO x VALUES (${row()})`),
    ];
    const args = (shown) => names.map((_, at) => shown[at] ?? '_').join(', ');
    await withDatabase('numbers.duckdb', made, `:- data(x/${names.length}, d:x).`, async (book) => {
      const rows = [];
      for await (const { texts } of book.query(`x(${names.map((_, at) => `A${at}`).join(', ')})`).answers())
        rows.push(Object.values(texts));
      const facts = `:- dynamic(x/${names.length}).`;
      const plain = await openBook();
      try {
        await plain.assert([facts, ...rows.map((one) => `x(${one.join(', ')}).`)]);
        const goals = names.flatMap((_, a) =>
          names.flatMap((_, b) => [
            `x(${args({ [a]: 'X' })}), \\+ x(${args({ [b]: 'X' })})`,
            ...(a < b ? ['<', '=:='].map((one) => `x(${args({ [a]: 'X', [b]: 'Y' })}), X ${one} Y`) : []),
          ]),
        );
        for (const number of [...types.UHUGEINT, exact + 1n, `${exact}.0`])
          for (const at of names.keys())
            goals.push(`x(${args({ [at]: number })})`, `x(${args({ [at]: 'X' })}), X =< ${number}`);
        for (const goal of goals) {
          // An error, as that an atom is no number, has the same text in both.
          const counted = `catch(aggregate_all(count, (${goal}), C), error(type_error(T, V), _), C = T-V)`;
          const [one, other] = await Promise.all([book, plain].map((of) => of.once(counted)));
          assert.deepEqual(one.C, other.C, goal);
        }
      } finally {
        await plain.close();
      }
    });
  });

  test('have the order of the rows where a list has a value twice', async () => {
    writeFileSync(at('firsts.csv'), 'a,b\n1,x\n2,y\n');
    writeFileSync(at('seconds.csv'), 'b,c\nx,10\ny,20\ny,21\n');
    const data = { t: at('firsts.csv'), u: at('seconds.csv') };
    await withBook(data, [':- data(t/2, t).', ':- data(u/2, u).'], async (book) => {
      const found = await book.once('findall(C, (t(A, B), member(A, [2, 2]), u(B, C)), L)');
      assert.deepEqual(found.L, [20, 21, 20, 21]);
    });
  });

  test('with a long list, or of many calls, are answered soon', async () => {
    await withBook({ people: at('people.csv') }, LINKS[0], async (book) => {
      const timeoutMs = 10_000;
      const long = 'numlist(1, 40000, L), person(N, A, _), member(A, L), A > 20, projection([N])';
      assert.deepEqual(await book.all(long, { timeoutMs }), [{ N: 'Ann' }]);
      const many = Array.from({ length: 100 }, () => 'person(N, A, _), A \\== null, A > 20').join(', ');
      assert.deepEqual(await book.all(many, { timeoutMs }), [{ N: 'Ann', A: 41 }]);
    });
  });

  test('are joined by what is the number of a row of SQLite, and by no other key', async () => {
    const SQL = await initSqlJs();
    const database = new SQL.Database();
    database.run(`CREATE TABLE k (id INTEGER PRIMARY KEY DESC, x); INSERT INTO k VALUES (NULL, 'a'), (1, 'b'), ('t', 'c');
      CREATE TABLE w (id INTEGER PRIMARY KEY, x) WITHOUT ROWID; INSERT INTO w VALUES (1, 'b');
      CREATE TABLE o (id, y); INSERT INTO o VALUES (NULL, 'n'), (1, 'i'), ('1', 't'), ('t', 's')`);
    writeFileSync(at('keys.sqlite'), database.export());
    database.close();
    const links = ['k', 'w', 'o'].map((name) => `:- data(${name}/2, s:${name}).`);
    await withBook({ s: at('keys.sqlite') }, links, async (book) => {
      const found = async (goal) => (await book.all(goal)).map(({ X, Y }) => `${X}${Y}`).sort();
      assert.deepEqual(await found('k(I, X), o(I, Y)'), ['an', 'bi', 'cs']);
      assert.deepEqual(await found('o(I, Y), k(I, X)'), ['an', 'bi', 'cs']);
      assert.deepEqual(await found('w(I, X), o(I, Y)'), ['bi']);
    });
  });

  test('never become SQL, whatever they have', async () => {
    const data = { people: at('people.csv'), pets: at('pets.csv') };
    const hostile = [`x') OR 1=1; --`, '$1', 't0.v0', '"name"', '/*', "''", '\\0\\', 'a\\nb', 'NULL', 'end'];
    await withBook(data, LINKS, async (book) => {
      const { prolog, atom } = await import('../../pkg/index.js');
      for (const text of hostile) {
        const value = atom(text);
        const of = (query) => book.all(query).then(({ length }) => length);
        assert.equal(await of(prolog`person(N, _, _), N == ${value}, pet(N, _)`), 0, text);
        assert.equal(await of(prolog`person(N, _, _), N \== ${value}, pet(N, _)`), 3, text);
        assert.equal(await of(prolog`person(N, _, _), \+ pet(${value}, N), pet(N, _)`), 3, text);
        assert.equal(await of(prolog`person(N, _, _), member(N, [${value}]), pet(N, _)`), 0, text);
      }
      const number = (goal) =>
        book.all(`person(N, A, _), A \\== null, ${goal}, pet(N, _)`).then(({ length }) => length);
      assert.equal(await number('A < 170141183460469231731687303715884105728'), 2);
      assert.equal(await number('A < 1.0e300'), 2);
      assert.equal(await number('A > -9223372036854775808'), 2);
      await assert.rejects(number("A < '1; DROP'"), /evaluable|Type error/);
    });
  });
});

describe('what the host has not named', () => {
  test('is not read: a link or a pattern that leads out, hostile names', async () => {
    writeFileSync(at('outside', 'secret.csv'), 'a\n1\n');
    symlinkSync(at('outside', 'secret.csv'), at('led', 'in.csv'));
    copyFileSync(at('people.csv'), at('mixed', 'a.csv'));
    copyFileSync(at('events.jsonl'), at('mixed', 'b.jsonl'));
    const data = { led: at('led'), mixed: at('mixed'), none: at('none.parquet'), text: at('kept.txt') };
    writeFileSync(at('kept.txt'), 'x');
    const links = Object.keys(data).map((name) => `:- data(${name}/1, ${name}).`);
    await withBook(data, links, async (book) => {
      await assert.rejects(book.once('led(_)'), /led: in.csv points outside its folder/);
      await assert.rejects(book.once('mixed(_)'), /several formats: csv, json/);
      await assert.rejects(book.once('none(_)'), /none: there is not a file or folder none.parquet/);
      await assert.rejects(book.once('text(_)'), /kept.txt is not a Parquet, CSV or JSON Lines file/);
    });
  });

  test('values are never SQL', async () => {
    const hostile = `x' OR '1'='1'; COPY (SELECT 1) TO '${at('written.csv')}'; --`;
    await withBook(shop, ORDERS, async (book) => {
      const { prolog, atom } = await import('../../pkg/index.js');
      assert.deepEqual(await book.all(prolog`orders(_, ${atom(hostile)}, _, _, _, _)`), []);
    });
  });

  test('secrets come from the environment and are told to nobody', async () => {
    process.env.DATA_TEST_PASSWORD = 'hush/hush';
    const data = { erp: 'postgres://app:${DATA_TEST_PASSWORD}@127.0.0.1:1/none' };
    await withBook(data, ':- data(c/1, erp:c).', async (book) => {
      const error = await book.once('c(_)').catch((failure) => failure);
      assert.match(error.message, /erp: /);
      assert.doesNotMatch(error.message, /hush/);
    });
    await assert.rejects(
      openBook({ data: { erp: 'postgres://${DATA_TEST_NONE}@h/d' } }),
      /erp needs DATA_TEST_NONE in the environment/,
    );
    await assert.rejects(openBook({ data: { Erp: 'x' } }), /'Erp' is no name of a source/);
    await assert.rejects(openBook({ data: { erp: 'mysql://h/d' } }), /mysql/);
  });
});

describe('rows by the names of columns', () => {
  test('a name that needs an escape, however it is written', async () => {
    const links = [":- data('it\\'s'/3, people).", ":- data('a\\nb'/3, people)."];
    await withBook({ people: at('people.csv') }, links, async (book) => {
      for (const name of ["'it\\'s'", "'it''s'", "'a\\nb'", "'a\\x0a\\b'"])
        assert.deepEqual(await book.all(`${name}{name: 'Ann', age: A}`), [{ A: 41 }], name);
    });
  });

  test('a file may link in a module or with brackets, and has such rows', async () => {
    for (const link of ['(people/3)', 'm:people/3', 'm:(people/3)']) {
      await withBook({ people: at('people.csv') }, 'x.', async (book) => {
        const name = link.startsWith('m') ? 'm:people' : 'people';
        await book.import('f.pl', `:- data(${link}, people).\nage(A) :- ${name}{name: 'Ann', age: A}.\n`);
        assert.deepEqual(await book.all('age(A)'), [{ A: 41 }], link);
      });
    }
  });

  test('of two numbers of columns the row is of the table that has its columns', async () => {
    writeFileSync(at('two.csv'), 'name,city\nAnn,Rome\n');
    const links = [':- data(p/3, people).', ':- data(p/2, two).'];
    await withBook({ people: at('people.csv'), two: at('two.csv') }, links, async (book) => {
      assert.deepEqual(await book.all('p{city: C}'), [{ C: 'Rome' }]);
      assert.deepEqual(await book.all("p{age: A, name: 'Ann'}"), [{ A: 41 }]);
      await assert.rejects(
        book.all('p{name: N}'),
        /may be of several tables: p\/2 with name, city; p\/3 with name, age/,
      );
      await assert.rejects(book.all('p{age: A, city: C}'), /No table p has all columns of the row/);
    });
  });
});

test('an error names no folder that is outside of what the host has named', async () => {
  for (const name of ['[x]', '[x]/in', 'out', 'out/[y]']) mkdirSync(at(name));
  for (const file of ['[x]/in/q.csv', 'out/[y]/q.csv', 'out/[q].csv'])
    writeFileSync(at(...file.split('/')), 'a,b\n1,2\n');
  for (const [path, what] of [
    ['[x]/in/q.csv', 'a folder above q.csv, or the file that it links to'],
    ['out/[q].csv', '[q].csv'],
    ['[x]/in', 'a folder above q.csv, or the file that it links to'],
    ['out', '[q].csv'],
  ])
    await withBook({ t: at(...path.split('/')) }, ':- data(t/2, t).', async (book) => {
      const { message } = await book.all('t(A, B)').catch((failure) => failure);
      assert.ok(message.includes(`rename ${what}: it has one of`), message);
    });
});

describe('what is easily wrong without an error', () => {
  test('rows that cannot be read to their end are an error, however late', async () => {
    const lines = Array.from({ length: 30_000 }, (_, id) => `${id},${id}\n`).join('');
    writeFileSync(at('late.csv'), `id,n\n${lines}x,y\n`);
    await withBook({ late: at('late.csv') }, ':- data(late/2, late).', async (book) => {
      await assert.rejects(book.once('aggregate_all(count, late(_, _), N)'), /only a part of the rows can be read/);
    });
  });

  test('a number of CSV keeps its digits, and nothing but ISO dates is one', async () => {
    writeFileSync(
      at('digits.csv'),
      'big,dec,day,flag,text\n12345678901234567890,0.5,01/02/2026,t,""\n2,3,03/02/2026,f,x\n',
    );
    await withBook({ d: at('digits.csv') }, ':- data(d/5, d).', async (book) => {
      assert.deepEqual(
        (await book.all("d('12345678901234567890', B, C, D, E)")).map((one) => Object.values(one)),
        [[0.5, '01/02/2026', 't', '']],
      );
      assert.deepEqual(await book.all('d(A, 3.0, _, _, _)'), [{ A: 2 }]);
      assert.deepEqual(await book.all('d(A, 3, _, _, _)'), []);
    });
  });

  test('files of several types are one table of both', async () => {
    mkdirSync(at('parts'));
    writeFileSync(at('parts', 'a.csv'), 'n,who\n1,ann\n');
    writeFileSync(at('parts', 'b.csv'), 'n,who,more\n2.6,bob,x\n');
    await withBook({ p: at('parts') }, ':- data(p/3, p).', async (book) => {
      assert.deepEqual(await book.all('p(N, W, M)'), [
        { N: 1, W: 'ann', M: null },
        { N: 2.6, W: 'bob', M: 'x' },
      ]);
      assert.deepEqual(await book.all('p(2.6, W, _)'), [{ W: 'bob' }]);
    });
  });

  test('rows that are long come in batches of their bytes, and one that is too long is an error', async () => {
    const text = (n) => String.fromCharCode(97 + n).repeat(60_000);
    writeFileSync(at('long.csv'), `id,text\n${Array.from({ length: 20 }, (_, n) => `${n},${text(n)}\n`).join('')}`);
    const SQL = await initSqlJs();
    const database = new SQL.Database();
    database.run('CREATE TABLE long (id INTEGER PRIMARY KEY, text TEXT)');
    for (let n = 0; n < 20; n += 1) database.run('INSERT INTO long VALUES (?, ?)', [n, text(n)]);
    writeFileSync(at('long.sqlite'), database.export());
    database.close();
    const links = [':- data(csv/2, csv).', ':- data(lite/2, lite:long).'];
    const data = { csv: at('long.csv'), lite: at('long.sqlite') };
    const all = (table) => `${table}(I, T), true, atom_length(T, 60000), sub_atom(T, 0, 1, _, First)`;
    const few = { limits: { data_batch_bytes: 150_000 } };
    await withBook(
      data,
      links,
      async (book) => {
        for (const table of ['csv', 'lite']) {
          const found = await book.all(`findall(I-First, (${all(table)}), L), length(L, N), last(L, Last)`);
          assert.equal(found[0].N, 20, table);
          assert.equal(String(found[0].Last.args[1]), 't', table);
        }
      },
      few,
    );
    await withBook(
      data,
      links,
      async (book) => {
        for (const table of ['csv', 'lite'])
          await assert.rejects(
            book.all(all(table)),
            /a row has 600\d\d bytes, and 50000 is the limit \(data_batch_bytes\)/,
          );
      },
      { limits: { data_batch_bytes: 50_000 } },
    );
  });

  test('a file that changes is read with the types that it has now', async () => {
    writeFileSync(at('changes.csv'), 'id,v\n1,a\n');
    await withBook({ t: at('changes.csv') }, ':- data(t/2, t).', async (book) => {
      assert.deepEqual(await book.all('t(1, V)'), [{ V: 'a' }]);
      writeFileSync(at('changes.csv'), 'id,v\nabc,b\n');
      assert.deepEqual(await book.all('t(abc, V)'), [{ V: 'b' }]);
    });
  });

  test('a database of SQLite is asked as it is then, whatever the type of a column', async () => {
    const SQL = await initSqlJs();
    const database = new SQL.Database();
    database.run('CREATE TABLE t (id, name); INSERT INTO t VALUES (1, 9e999)');
    database.run('CREATE VIEW v AS SELECT id + 0 AS id, name FROM t');
    writeFileSync(at('now.sqlite'), database.export());
    await withBook({ s: at('now.sqlite') }, [':- data(v/2, s:v).', ':- data(t/2, s:t).'], async (book) => {
      assert.deepEqual(await book.all('v(1, N)'), [{ N: Infinity }]);
      database.run('INSERT INTO t VALUES (2, 3)');
      writeFileSync(at('now.sqlite'), database.export());
      assert.deepEqual(await book.all('t(2, N)'), [{ N: 3 }]);
    });
    database.close();
  });

  test('infinities and not a number are floats, of each engine and wherever they are compared', async () => {
    const SQL = await initSqlJs();
    const database = new SQL.Database();
    database.run('CREATE TABLE r (id INTEGER PRIMARY KEY, f REAL); CREATE TABLE q (id INTEGER PRIMARY KEY, f REAL)');
    database.run('INSERT INTO r VALUES (1, 9e999), (2, -9e999), (3, 1.0), (4, NULL); INSERT INTO q VALUES (1, 9e999)');
    writeFileSync(at('inf.sqlite'), database.export());
    database.close();
    const instance = await DuckDBInstance.create(at('inf.duckdb'));
    const connection = await instance.connect();
    for (const sql of [
      'CREATE TABLE r (id BIGINT, f DOUBLE)',
      'CREATE TABLE q (id BIGINT, f DOUBLE)',
      "INSERT INTO r VALUES (1, 'inf'), (2, '-inf'), (3, 1.0), (4, NULL), (5, 'nan')",
      "INSERT INTO q VALUES (1, 'inf')",
    ])
      await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    for (const source of ['inf.sqlite', 'inf.duckdb']) {
      await withBook({ s: at(source) }, [':- data(r/2, s:r).', ':- data(q/2, s:q).'], async (book) => {
        const ids = async (goal) => [...new Set((await book.all(goal)).map(({ I }) => I))].sort();
        const nan = source === 'inf.duckdb' ? [5] : [];
        for (const [goal, expected] of [
          ['r(I, F), F == null', [4]],
          ['r(I, 1.0Inf)', [1]],
          ['r(I, -1.0Inf)', [2]],
          ['r(I, F), X is inf, F == X', [1]],
          ['r(I, F), float(F), F > 5', [1]],
          ['r(I, F), float(F), F < 0', [2]],
          ['r(I, F), member(F, [1.0Inf, 1.0])', [1, 3]],
          ['r(I, F), q(_, F)', [1]],
          ['r(I, F), true, q(_, F)', [1]],
          ['r(I, F), \\+ q(_, F)', [2, 3, 4, ...nan]],
          ['r(I, inf)', []],
          ["r(I, '-inf')", []],
          ['r(I, 1.5NaN)', nan],
          ['r(I, F), r(I, F)', [1, 2, 3, 4, ...nan]],
        ])
          assert.deepEqual(await ids(goal), expected, `${source}: ${goal}`);
        assert.deepEqual(await book.all('r(1, F)'), [{ F: Infinity }]);
      });
    }
  });

  test('a statement of DuckDB that is stopped while it is prepared does not go on', async () => {
    const { DuckDb } = await import('../../pkg/node/data/duckdb.js');
    const source = new DuckDb(at('erp.duckdb'));
    const bounds = { source: 'erp', memory_bytes: 2 ** 28, spill_bytes: 2 ** 28, threads: 1, timeout_ms: 60_000 };
    const run = (sql, signal) => source.run({ ...bounds, sql, parameters: [] }, signal);
    try {
      (await run('SELECT 1', new AbortController().signal)).close();
      // Its conditions take long to prepare, and its rows for ever.
      const slow = Array.from({ length: 20_000 }, (_, at) => `r.range = ${at}`).join(' OR ');
      const endless = Array.from({ length: 60 }, (_, at) => `range(10) t${at}`).join(', ');
      const stop = new AbortController();
      const stopped = run(`SELECT ${slow}, (SELECT count(*) FROM ${endless}) FROM range(3) r`, stop.signal);
      setTimeout(() => stop.abort(), 20);
      await assert.rejects(stopped, /Interrupt/);
    } finally {
      await source.close();
    }
  });

  test('an endless statement of SQLite holds up nobody, and is stopped', async () => {
    const SQL = await initSqlJs();
    const database = new SQL.Database();
    database.run('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    database.run(
      'CREATE VIEW e AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n',
    );
    writeFileSync(at('endless.sqlite'), database.export());
    database.close();
    await withBook({ s: at('endless.sqlite') }, [':- data(t/1, s:t).', ':- data(e/1, s:e).'], async (book) => {
      let ticks = 0;
      const timer = setInterval(() => ticks++, 10);
      await assert.rejects(book.all('e(_)', { timeoutMs: 500 }), { kind: 'timeout' });
      clearInterval(timer);
      assert.ok(ticks > 5, `${ticks} ticks of the host's thread`);
      assert.deepEqual(await book.all('t(A), t(A)'), [{ A: 1 }]);
    });
  });
});

test('many queries that leave rows unread keep no memory', async () => {
  const book = await openBook({ data: { people: at('people.csv') } });
  await book.assert([':- data(person/3, people).']);
  for (let asked = 0; asked < 60; asked++)
    assert.equal((await book.once('aggregate_all(count, person(_, _, _), N)')).N, 3);
  await book.close();
});
