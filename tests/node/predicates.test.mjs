// Predicates implemented by functions of the program: `openBook({ predicates })`.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBook, Variable } from '../../pkg/index.js';

const PRICES = { apple: 3, pear: 2, plum: 4 };

describe('predicates that the host answers', () => {
  let book;
  let asked = [];
  let closed = [];
  const predicates = {
    async 'price/2'(item, price) {
      asked.push([item, price]);
      return item in PRICES ? [undefined, PRICES[item]] : false;
    },
    *'item/1'() {
      try {
        for (const name of Object.keys(PRICES)) {
          asked.push(name);
          yield [name];
        }
      } finally {
        closed.push('item');
      }
    },
    async *'page/2'(from) {
      for (let number = from; ; number++) yield [undefined, { number, tags: ['a', null] }];
    },
    'echo/2': (value) => [undefined, value],
    'broken/0'() {
      throw new Error('no "connection"');
    },
    'wrong/1': () => [1, 2],
    'late/0': () => new Promise((resolve) => setTimeout(resolve, 5_000).unref()),
    'yes/0': () => true,
  };

  before(async () => {
    book = await openBook({ predicates });
    await book.assert('cheap(I) :- item(I), price(I, P), P < 4.', ':- dynamic seen/1.');
  });
  after(() => book.close());

  test('a function is called with the arguments, and its solution is unified with them', async () => {
    asked = [];
    assert.deepEqual(await book.once('price("apple", P)'), { P: 3 });
    assert.equal(asked[0][0], 'apple');
    assert.ok(asked[0][1] instanceof Variable);
    assert.deepEqual(await book.all('price("apple", 4)'), []);
    assert.deepEqual(await book.all('price("cherry", P)'), []);
    assert.deepEqual(await book.all('yes'), [{}]);
  });

  test('a generator is asked for the next solution only on backtracking, and closed with its query', async () => {
    asked = [];
    closed = [];
    for await (const { I } of book.query('item(I)')) {
      assert.equal(I, 'apple');
      break;
    }
    assert.deepEqual(asked, ['apple']);
    await book.once('true');
    assert.deepEqual(closed, ['item']);
    assert.deepEqual(await book.all('item(I)'), [{ I: 'apple' }, { I: 'pear' }, { I: 'plum' }]);
  });

  test('it is a goal like any other: in rules, findall, cuts and if-then-else', async () => {
    assert.deepEqual(await book.all('cheap(I)'), [{ I: 'apple' }, { I: 'pear' }]);
    assert.deepEqual(await book.once('findall(I-P, (item(I), price(I, P)), L), length(L, N)'), {
      ...(await book.once('L = ["apple"-3, "pear"-2, "plum"-4], N = 3, (I = I ; P = P)')),
    });
    assert.deepEqual(await book.once('page(7, P), !, get_dict(number, P, N)'), {
      P: { number: 7, tags: ['a', null] },
      N: 7,
    });
    assert.deepEqual(await book.once('( price("cherry", _) -> X = yes ; X = no )'), { X: 'no' });
  });

  test('values cross unchanged, with names that are not words', async () => {
    for (const value of [
      'it\'s "quoted"\n\\x',
      '',
      12345678901234567890n,
      -0.5,
      [],
      [1, ['two']],
      { 'a b': true },
      '日本',
    ])
      assert.deepEqual(await book.once(['echo(', ', X)'].join(textOf(value))), { X: value });
  });

  test('an exception it throws is an error that Prolog can catch', async () => {
    await assert.rejects(async () => book.once('broken'), /broken\/0 could not be answered: no "connection"/);
    assert.deepEqual(await book.once('catch(broken, error(host_error(PI, _), _), true)'), {
      PI: (await book.once('PI = broken/0')).PI,
    });
    await assert.rejects(async () => book.once('wrong(X)'), /a solution has 2 arguments, and the predicate 1/);
  });

  test('a step that asks is one change of the book, and nothing of it stays if it fails', async () => {
    await book.once('assertz(seen(a)), item(I), assertz(seen(I))');
    assert.deepEqual(await book.all('seen(X)'), [{ X: 'a' }, { X: 'apple' }]);
    await assert.rejects(async () => book.once('assertz(seen(b)), yes, broken'));
    assert.deepEqual(await book.all('assertz(seen(c)), yes, fail'), []);
    assert.deepEqual(await book.all('seen(X)'), [{ X: 'a' }, { X: 'apple' }]);
    await book.undo();
    assert.deepEqual(await book.all('seen(X)'), []);
    assert.deepEqual(await book.hornbook.differences(), []);
  });

  test('answers before a question are returned with those after it', async () => {
    assert.deepEqual(
      await book.all('member(X, [1, 2]) ; item(X) ; X = 3'),
      [1, 2, 'apple', 'pear', 'plum', 3].map((X) => ({ X })),
    );
  });

  test('a proof goes through them, and says what was taken from the host', async () => {
    const proof = await book.why('cheap(I)');
    assert.equal(proof.holds, true);
    assert.match(String(proof), /item\("apple"\)[^\n]*taken from the host/);
    assert.match(String(proof), /price\("apple",3\)[^\n]*taken from the host/);
    assert.match(String(await book.why('cheap(I)', { answer: 2 })), /price\("pear",2\)[^\n]*taken from the host/);
    assert.equal(await book.why('cheap(I)', { answer: 3 }), undefined);
    await assert.rejects(async () => book.why('item(I), broken'), /broken\/0 could not be answered: no "connection"/);
  });

  test('a proof ends at its time limit where the program answers without end', { timeout: 60_000 }, async () => {
    const endless = {
      *'counted/1'() {
        for (let number = 0; ; number++) yield [number];
      },
    };
    const other = await openBook({ predicates: endless });
    await assert.rejects(() => other.why('counted(X), X < 0', { timeoutMs: 200 }), {
      kind: 'timeout',
      message: /after 200 ms/,
    });
    assert.equal((await other.why('counted(X), X > 2')).holds, true);
    await other.close();
  });

  test('why a goal fails is told at the goal that the host did not affirm', async () => {
    asked = [];
    const failure = await book.why('cheap("plum")');
    assert.equal(failure.holds, false);
    assert.match(String(failure), /4 ?< ?4/);
    assert.equal(
      asked.filter((one) => Array.isArray(one) && one[0] === 'plum').length,
      2,
      'for the proof, and for this',
    );
    const none = await book.why('price("cherry", P)');
    assert.equal(none.holds, false);
    assert.match(String(none), /price\("cherry",/);
    assert.match(String(await book.why('forall(item(I), (price(I, P), P < 4))')), /plum|4 ?< ?4|forall/);
    assert.deepEqual(await book.all('yes'), [{}]);
  });

  test('the time limit applies while the host is asked, and a query can be cancelled meanwhile', async () => {
    await assert.rejects(
      async () => book.once('assertz(seen(late)), late', { timeoutMs: 200 }),
      /stopped after 200 ms/,
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    await assert.rejects(async () => book.once('assertz(seen(late)), late', { signal: controller.signal }), {
      name: 'AbortError',
    });
    assert.deepEqual(await book.all('seen(late)'), []);
    assert.deepEqual(await book.all('yes'), [{}]);
    assert.deepEqual(await book.hornbook.differences(), []);
  });

  test('it cannot be given clauses, and only queries may call it', async () => {
    await assert.rejects(() => book.assert('price(x, 1).'), /price\/2/);
    await assert.rejects(
      () =>
        book
          .assert(':- initialization((yes -> true ; true)).')
          .then(() => book.import('i.pl', ':- initialization(yes).')),
      /only queries can ask it/,
    );
    await assert.rejects(() => openBook({ predicates: { 'Price/2': () => true } }), /no indicator; write name\/arity/);
    await assert.rejects(() => openBook({ predicates: { 'member/2': () => true } }), /member\/2/);
  });

  test('agents use them through the tools', async () => {
    const tools = await book.tools();
    const start = tools.find(({ name }) => name === 'query_start');
    assert.match(await start.call({ query: 'price("pear", P)', take: 1 }), /P = 2/);
  });
});

function textOf(value) {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\\n', '\\x0a\\');
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  return `_{${Object.entries(value).map(([key, member]) => `'${key}': ${member}`)}}`;
}

test('a generator goes on while other states of the book end their queries', async () => {
  const pause = () => new Promise((resolve) => setTimeout(() => resolve(true), 20));
  const book = await openBook({
    predicates: {
      *'numbered/1'() {
        for (let number = 0; number < 5; number++) yield [number];
      },
      'slow/0': pause,
    },
  });
  await book.assert(':- dynamic got/1.', 'x(0).');
  const then = await book.asOf(1);
  let goes = true;
  const ask = async () => {
    while (goes) {
      await Promise.all([book.all('x(_)'), then.all('x(_)')]);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const others = ask();
  await book.change((tx) => tx.once('forall((numbered(N), slow), assertz(got(N)))'));
  assert.deepEqual(
    await then.all('numbered(N), slow'),
    [0, 1, 2, 3, 4].map((N) => ({ N })),
  );
  goes = false;
  await others;
  assert.deepEqual(
    await book.all('got(N)'),
    [0, 1, 2, 3, 4].map((N) => ({ N })),
  );
  await then.close();
  await book.close();
});
