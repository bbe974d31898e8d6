// Constraints and watched goals over data that stays where it is: the book is held to them, and the data changes untold.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import initSqlJs from 'sql.js';
import { openBook } from '../../pkg/index.js';

const folder = mkdtempSync(join(tmpdir(), 'hornbook-linked-constraints-'));
const at = (name) => join(folder, name);
after(() => rmSync(folder, { recursive: true, force: true }));

const ORDERS = 'id,customer,amount\n1,ann,5\n2,bob,7\n';
const UNKNOWN = ':- constraint((orders(I, C, _), \\+ customer(C)), "order ~w is of ~w, whom nobody knows"-[I, C]).';
const CLAUSES = [':- data(orders/3, shop).', 'customer(ann).', 'customer(bob).', UNKNOWN];

/** A book over a file of orders of its own, with these clauses. */
async function withBook(name, clauses, use, options = {}) {
  writeFileSync(at(`${name}.csv`), ORDERS);
  const book = await openBook({ data: { shop: at(`${name}.csv`) }, ...options });
  try {
    await book.assert(clauses);
    await use(book, (rows) => writeFileSync(at(`${name}.csv`), ORDERS + rows));
  } finally {
    await book.close();
  }
}

const customers = (book) => book.all('customer(C)').then((all) => all.map(({ C }) => C));
const violated = async (book) => {
  const tool = (await book.tools()).find(({ name }) => name === 'workspace');
  return tool.call({ operation: 'list_symbols' });
};

test('a change that a constraint over linked data forbids is refused, with the row', async () => {
  await withBook('refused', CLAUSES, async (book) => {
    for (const change of [() => book.once('retract(customer(bob))'), () => book.retract('customer(bob).')]) {
      const error = await change().catch((failure) => failure);
      assert.equal(error.kind, 'constraint_violation');
      assert.match(error.message, /order 2 is of bob, whom nobody knows\n {2}I = 2, C = bob/);
      assert.match(error.message, /\n {2}orders\(2,bob,7\) {2}% from refused.csv row 2/);
    }
    assert.deepEqual(await customers(book), ['ann', 'bob']);
    await book.assert('customer(joe).');
    assert.deepEqual(await customers(book), ['ann', 'bob', 'joe']);
  });
});

test('a constraint over linked data says what violates it when it is added, and refuses what is new', async () => {
  await withBook('added', [':- data(orders/3, shop).', 'customer(ann).'], async (book) => {
    const tool = (await book.tools()).find(({ name }) => name === 'clauses');
    const told = await tool.call({ operation: 'assert', clauses: [UNKNOWN] });
    assert.match(told, /is violated already; .*order 2 is of bob/);
    await assert.rejects(book.once('retract(customer(ann))'), /order 1 is of ann/);
    await book.assert('customer(bob).');
    await assert.rejects(book.once('retract(customer(bob))'), /order 2 is of bob/);
  });
});

test('rows that came from outside refuse no change, and are told where constraints are listed', async () => {
  await withBook('outside', CLAUSES, async (book, add) => {
    assert.doesNotMatch(await violated(book), /whom nobody knows: /);
    add('3,zed,1\n');
    await book.assert('customer(joe).');
    assert.deepEqual(await customers(book), ['ann', 'bob', 'joe']);
    assert.match(await violated(book), /order 3 is of zed, whom nobody knows/);
    await assert.rejects(book.once('retract(customer(ann))'), (error) => {
      assert.match(error.message, /order 1 is of ann/);
      assert.doesNotMatch(error.message, /zed/);
      return true;
    });
    await book.assert('customer(zed).');
    await assert.rejects(book.once('retract(customer(zed))'), /order 3 is of zed/);
  });
});

test('joins, aggregates, rules and tables of Prolog in constraints see the rows', async () => {
  const clauses = [
    ':- data(orders/3, shop).',
    ':- dynamic(limit/2).',
    ':- table known/1.',
    'known(C) :- orders(_, C, _).',
    'spent(C, S) :- aggregate_all(sum(A), orders(_, C, A), S).',
    ':- constraint((limit(C, Most), spent(C, S), S > Most), "~w spends ~w of ~w"-[C, S, Most]).',
    ':- constraint((limit(C, _), \\+ known(C)), "~w orders nothing"-[C]).',
  ];
  await withBook('rules', clauses, async (book) => {
    await book.assert('limit(ann, 5).');
    await assert.rejects(book.assert('limit(bob, 6).'), /bob spends 7 of 6/);
    await assert.rejects(book.assert('limit(zed, 6).'), /zed orders nothing/);
    assert.deepEqual(await book.all('limit(C, L)'), [{ C: 'ann', L: 5 }]);
  });
});

test('a draft is held to it as the book is, and what is accepted, too', async () => {
  await withBook('draft', CLAUSES, async (book) => {
    const draft = await book.draft('agent');
    await assert.rejects(draft.book.once('retract(customer(bob))'), /order 2 is of bob/);
    await draft.book.assert('customer(joe).');
    await draft.proposal();
    await draft.accept();
    assert.deepEqual(await customers(book), ['ann', 'bob', 'joe']);
    await draft.close();
  });
});

test('one that takes too long refuses the change within the time limit', async () => {
  const SQL = await initSqlJs();
  const database = new SQL.Database();
  database.run(
    'CREATE VIEW e AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n',
  );
  writeFileSync(at('endless.sqlite'), database.export());
  database.close();
  const book = await openBook({ data: { s: at('endless.sqlite') }, timeoutMs: 500 });
  try {
    await book.assert([':- data(e/1, s:e).', ':- dynamic(on/0).', ':- constraint((on, e(_)), "on").']);
    await assert.rejects(book.assert('on.'), /takes longer than 500 ms/);
    assert.deepEqual(await book.all('on'), []);
    await book.assert('other.');
  } finally {
    await book.close();
  }
});

test('a book whose data is not here goes on, and says that it is not checked', async () => {
  const book = await openBook();
  try {
    const tool = (await book.tools()).find(({ name }) => name === 'clauses');
    const told = await tool.call({ operation: 'assert', clauses: CLAUSES });
    assert.match(told, /cannot be checked: .*nothing is linked here/);
    await book.assert('customer(joe).');
    assert.equal((await customers(book)).length, 3);
  } finally {
    await book.close();
  }
});

test('one that cannot be checked now lets changes pass, and each that it sees says so', async () => {
  const LIMIT = ':- constraint((limit(L), orders(I, _, A), A > L), "~w of ~w"-[I, L]).';
  const clauses = [':- data(orders/3, shop).', ':- dynamic(limit/1).', LIMIT];
  const ways = [
    ['null', '3,cyd,\n', /Type error/],
    ['columns', undefined, /shop has 2 columns/],
    ['gone', null, /no such file/],
  ];
  for (const [name, rows, why] of ways) {
    await withBook(`unchecked-${name}`, clauses, async (book, add) => {
      const tool = (await book.tools()).find((one) => one.name === 'clauses');
      const assertion = (clause) => tool.call({ operation: 'assert', clauses: [clause] });
      assert.doesNotMatch(await assertion('limit(100).'), /be checked/);
      if (rows === null) rmSync(at(`unchecked-${name}.csv`));
      else if (rows === undefined) writeFileSync(at(`unchecked-${name}.csv`), 'id,customer\n1,ann\n');
      else add(rows);
      for (const clause of ['limit(101).', 'limit(102).']) {
        const told = await assertion(clause);
        assert.match(told, /Warning: constraint\(\(limit\(L\).* could not be checked: /, name);
        assert.match(told, why);
      }
      const draft = await book.draft('agent');
      await draft.book.assert('limit(103).');
      const { warnings } = await draft.proposal();
      assert.equal(warnings.filter((one) => /could not be checked: /.test(one)).length, 1, warnings.join('\n'));
      const { notices } = await draft.accept();
      assert.equal(notices.filter((one) => /could not be checked: /.test(one)).length, 1, notices.join('\n'));
      await draft.close();
      add('');
      assert.doesNotMatch(await assertion('limit(104).'), /be checked/);
      await assert.rejects(book.assert('limit(6).'), /2 of 6/);
    });
  }
});

test('a goal over linked data that is watched is asked again when the book changes', async () => {
  await withBook('watched', CLAUSES.slice(0, 2), async (book, add) => {
    const watched = book.watch('orders(I, C, _), customer(C)')[Symbol.asyncIterator]();
    const ids = async () => (await watched.next()).value.answers.map(({ I }) => I);
    assert.deepEqual(await ids(), [1]);
    await book.assert('customer(bob).');
    assert.deepEqual(await ids(), [1, 2]);
    // Rows change untold: the next change of the book shows them.
    add('3,bob,1\n');
    await book.assert('customer(joe).');
    assert.deepEqual(await ids(), [1, 2, 3]);
    await watched.return();
  });
});
