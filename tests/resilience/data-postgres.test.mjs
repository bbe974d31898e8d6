// Goals over tables of Postgres: values, what may be read, and statements that end when nobody wants their rows any more.
// Skipped if Postgres is not installed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { POSTGRES, Postgres } from '../support/postgres.mjs';

describe('linked tables of Postgres', { skip: !POSTGRES && 'Postgres is not installed' }, () => {
  let postgres;
  let book;
  const sql = (text) => {
    const { status, stdout, stderr } = postgres.sql(text);
    assert.equal(status, 0, String(stderr));
    return String(stdout).trim();
  };
  /** How many backends run a statement with this word, after at most a second. */
  const running = async (word) => {
    for (let tried = 0; ; tried++) {
      const count = sql(
        `select count(*) from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like '%${word}%'`,
      );
      if (/\b0\b/.test(count) || tried === 20) return count;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  before(async () => {
    postgres = await Postgres.start();
    sql(`create table orders (id bigint primary key, customer text, amount numeric(10, 2), paid boolean, day date,
        placed timestamptz, tags text[], more jsonb);
      insert into orders select i, 'c' || i % 10, i / 4.0, i % 2 = 0, date '2026-01-01' + (i % 30), '2026-01-31 14:30:00+02',
        array['a', null], '{"k": [1, "x"]}' from generate_series(1, 5000) i;
      insert into orders values (0, null, null, null, null, null, null, null);
      create schema sales; create table sales.orders (id int); create table sales.only (id int, name varchar(20));
      insert into sales.only values (1, 'O''Neil');
      create view slow as select 1 as id from pg_sleep(30)`);
    book = await openBook({ data: { erp: postgres.url } });
    await book.assert([
      ':- data(orders/8, erp:orders).',
      ':- data(only/2, erp:only).',
      ":- data(sold/1, erp:'sales.orders').",
      ':- data(slow/1, erp:slow).',
      ':- data(none/1, erp:none).',
    ]);
  });
  after(async () => {
    await book?.close();
    await postgres?.stop();
  });

  test('their values are Prolog, and are found again', async () => {
    const row = 'orders(7, C, A, P, D, T, Tags, More)';
    for await (const { texts } of book.query(row).answers())
      assert.deepEqual(texts, {
        C: 'c7',
        A: '1.75',
        P: 'false',
        D: "'2026-01-08'",
        T: "'2026-01-31T12:30:00Z'",
        Tags: '[a,null]',
        More: '_A{k:[1,x]}',
      });
    assert.equal((await book.all(`${row}, orders(7, C, A, P, D, T, Tags, More)`)).length, 1);
    const count = async (goal) => (await book.once(`aggregate_all(count, ${goal}, N)`)).N;
    assert.equal(await count('orders(_, _, _, _, _, _, _, _)'), 5001);
    assert.equal(await count('orders(_, null, null, null, null, null, null, null)'), 1);
    assert.equal(await count('orders(_, c3, _, _, _, _, _, _)'), 500);
    assert.equal(await count('orders(_, _, 1.75, _, _, _, _, _)'), 1);
    assert.equal(await count("orders(_, _, _, _, '2026-01-08', _, _, _)"), 167);
    assert.equal(await count('orders(7.0, _, _, _, _, _, _, _)'), 0);
    assert.deepEqual(await book.all('only(_, N)'), [{ N: "O'Neil" }]);
    assert.deepEqual(await book.all('sold(_)'), []);
  });

  test('names and values are no SQL', async () => {
    await assert.rejects(
      book.once('none(_)'),
      /erp has no table none. Its tables are orders, slow, sales.only, sales.orders/,
    );
    await book.assert(":- data(evil/1, erp:'orders\"; drop table orders; --').");
    await assert.rejects(book.once('evil(_)'), /has no table/);
    assert.deepEqual(await book.all("orders(_, '''; drop table orders; --', _, _, _, _, _, _)"), []);
    assert.match(sql('select count(*) from orders'), /5001/);
  });

  test('a goal that is left, cancelled or late stops its statement', async () => {
    for (let round = 0; round < 30; round++) await book.once('orders(_, _, _, _, _, _, _, _)');
    const begun = Date.now();
    await assert.rejects(book.all('slow(_)', { timeoutMs: 500 }), { kind: 'timeout' });
    assert.ok(Date.now() - begun < 1_500);
    assert.match(await running('slow'), /\b0\b/);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    await assert.rejects(book.all('slow(_)', { signal: stop.signal }), { name: 'AbortError' });
    assert.match(await running('slow'), /\b0\b/);
    assert.equal((await book.once('orders(1, C, _, _, _, _, _, _)')).C, 'c1');
  });

  test('a constraint over its rows refuses what a change makes worse, and nothing that came from outside', async () => {
    sql(`create table staff (id int, name text); insert into staff values (1, 'ann'), (2, 'bob')`);
    await book.assert([
      ':- data(staff/2, erp:staff).',
      'badge(ann, 1). badge(bob, 2).',
      ':- constraint((staff(_, Who), \\+ badge(Who, _)), "~w has no badge"-[Who]).',
    ]);
    await assert.rejects(book.once('retract(badge(bob, 2))'), /bob has no badge/);
    sql(`insert into staff values (3, 'joe')`);
    await book.assert('badge(zoe, 4).');
    await assert.rejects(book.once('retract(badge(ann, 1))'), (error) => !/joe/.test(error.message));
    await book.assert('badge(joe, 3).');
    await assert.rejects(book.once('retract(badge(joe, 3))'), /joe has no badge/);
  });

  test('a table is joined by a comparison alone, and streamed', async () => {
    sql(
      `create table bands (name text, low int, high int); insert into bands values ('low', 0, 100), ('high', 100, 2000)`,
    );
    await book.assert(':- data(band/3, erp:bands).');
    const [{ N }] = await book.all(
      'aggregate_all(count, (orders(_, _, A, _, _, _, _, _), A \\== null, band(high, F, T), A >= F, A < T), N)',
    );
    assert.equal(N, 5000 - 399);
    const goal = 'orders(I, _, A, _, _, _, _, _), A \\== null, band(B, F, T), A >= F, A < T, I < 3';
    assert.deepEqual((await book.all(goal)).map(({ I, B }) => `${I}${B}`).sort(), ['1low', '2low']);
  });

  test('rules are evaluated as sets there, and write nothing but temporary tables', async () => {
    sql(`create table parts (whole text, part text, price numeric(8, 2));
      insert into parts select 'p' || i, 'p' || i + 1, i from generate_series(1, 300) i`);
    await book.assert([
      ':- data(part/3, erp:parts).',
      ':- table within/2 as set. :- table price/2 as set.',
      'within(X, Y) :- part(X, Y, _).',
      'within(X, Y) :- within(X, Z), part(Z, Y, _).',
      'root(p1). root(p290).',
      'price(X, S) :- root(X), aggregate_all(sum(P), part(X, _, P), S).',
    ]);
    assert.equal((await book.all('within(p1, Y)')).length, 300);
    assert.equal((await book.all('once(within(p1, _)), root(X), within(X, p295)')).length, 2);
    assert.deepEqual(await book.all('price(X, S), S > 1'), [{ X: 'p290', S: 290 }]);
    assert.match(sql(`select count(*) from pg_class where relname like 'goal%' and relpersistence <> 't'`), /\b0\b/);
    await book.assert([':- table late/1 as set.', 'late(X) :- slow(X).']);
    await assert.rejects(book.all('late(_)', { timeoutMs: 500 }), { kind: 'timeout' });
    assert.match(await running('slow'), /\b0\b/);
  });

  test('a database that goes away is an error, and is used again when it is back', async () => {
    await postgres.crash();
    await assert.rejects(book.once('orders(1, _, _, _, _, _, _, _)'), /erp: /);
    await postgres.begin();
    assert.ok(await book.once('orders(1, _, _, _, _, _, _, _)'));
  });
});
