// Relations that are asked with what a goal knows: tools of an MCP server over standard input and output, functions, and
// addresses. What was read is recorded, replayed, proved and taken back.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { createDeepClause } from '../../pkg/dml.js';
import { atom, openBook } from '../../pkg/index.js';
import { Workflow } from '../../pkg/workflow.js';

const folder = mkdtempSync(join(tmpdir(), 'hornbook-evidence-'));
const at = (name) => join(folder, name);
after(() => rmSync(folder, { recursive: true, force: true }));

const WORLD = at('world.json');
const LOG = at('calls.log');
const server = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../support/shop-server.mjs'), WORLD, LOG],
};
const world = (prices) => writeFileSync(WORLD, JSON.stringify(prices));
const calls = () => readFileSync(LOG, 'utf8').split('\n').filter(Boolean);

beforeEach(() => {
  world({ tea: 3, jam: 5, wine: 9 });
  writeFileSync(LOG, '');
});

const RELATIONS = {
  get_price: ['+item', '-price'],
  list_items: ['?below', '-item', '-price'],
  fail: ['-text'],
  hang: ['-text'],
};
const shop = (more = {}) => ({ shop: { server, relations: RELATIONS, ...more } });
const RULES = [
  ':- data(price/2, shop:get_price).',
  ':- data(listed/3, shop:list_items).',
  'cheap(X) :- price(X, P), P < 4.',
];

const open = [];
afterEach(async () => {
  for (const book of open.splice(0)) await book.close();
});
async function bookWith(data, clauses = RULES, options = {}) {
  const book = await openBook({ ...(data && { data }), ...options });
  open.push(book);
  if (clauses.length > 0) await book.assert(clauses);
  return book;
}
async function eventsOf(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('a tool of an MCP server', () => {
  test('is asked with what a goal knows, in rules, joins, negation and aggregates', async () => {
    const book = await bookWith(shop());
    assert.deepEqual(await book.all('price(tea, P)'), [{ P: 3 }]);
    assert.deepEqual(await book.all('price(nothing, P)'), []);
    assert.deepEqual(await book.all('price(tea, 4)'), []);
    assert.deepEqual(await book.all('price("tea", P)'), []);
    assert.deepEqual(await book.all('member(X, [tea, jam, wine]), cheap(X)'), [{ X: 'tea' }]);
    assert.deepEqual(await book.all('listed(_, I, P)'), [
      { I: 'tea', P: 3 },
      { I: 'jam', P: 5 },
      { I: 'wine', P: 9 },
    ]);
    assert.deepEqual(await book.all('listed(6, I, P), price(I, P), \\+ cheap(I)'), [{ I: 'jam', P: 5 }]);
    assert.deepEqual(await book.once('aggregate_all(sum(_P), listed(_, _, _P), S)'), { S: 17 });
    assert.deepEqual(calls().slice(-1), ['list_items {}']);
  });

  test('that needs a value which is not known is an instantiation error that names it', async () => {
    const book = await bookWith(shop());
    await assert.rejects(book.all('price(I, P)'), /instantiated.*price\/2.*item is asked with, and is not known/s);
    assert.deepEqual(await book.once('catch(price(_, _), error(instantiation_error, _), true)'), {});
    await assert.rejects(book.all('price([a], P)'), /item is told as text, a number, true, false or null only/);
    await assert.rejects(book.all('price(12345678901234567890, P)'), /item has more digits/);
    assert.deepEqual(calls(), []);
  });

  test('is asked once within a query, and again for the next unless the host keeps its answers', async () => {
    const twice = 'price(tea, P), member(_, [1, 2, 3]), price(tea, P), forall(member(_, [1, 2]), cheap(tea))';
    let book = await bookWith(shop());
    assert.equal((await book.all(twice)).length, 3);
    assert.equal(calls().length, 1);
    await book.all(twice);
    assert.equal(calls().length, 2);
    book = await bookWith(shop({ keepMs: 60_000 }));
    await book.all(twice);
    world({ tea: 4 });
    assert.deepEqual(await book.all('price(tea, P)'), [{ P: 3 }]);
    assert.equal(calls().length, 3);
  });

  test('that fails is an error with its message, and one that hangs ends with the query', async () => {
    const book = await bookWith(shop(), [...RULES, ':- data(fail/1, shop:fail).', ':- data(hang/1, shop:hang).']);
    await assert.rejects(book.once('fail(_)'), (error) => {
      assert.match(error.message, /fail\/1 could not be answered: shop: the till is closed/);
      assert.doesNotMatch(error.message, /\bat .*\.js/);
      return true;
    });
    assert.deepEqual(await book.once('catch(fail(_), error(host_error(_, W), _), true)'), {
      W: 'shop: the till is closed',
    });
    await assert.rejects(book.once('hang(_)', { timeoutMs: 500 }), { kind: 'timeout' });
    const signal = AbortSignal.timeout(300);
    await assert.rejects(book.once('hang(_)', { signal }));
    assert.deepEqual(await book.once('price(tea, P)'), { P: 3 });
  });

  test('a source that nobody names is an error that says what to name', async () => {
    let book = await bookWith({ other: { server, relations: RELATIONS } });
    await assert.rejects(book.once('price(tea, P)'), /there is no source shop here.* Name it in `data` of openBook/);
    book = await bookWith(undefined);
    await assert.rejects(book.once('price(tea, P)'), /price\/2 could not be answered: nothing is linked here: name/);
    book = await bookWith(shop(), [':- data(p/2, shop:rm_all).', ':- data(q/3, shop:get_price).']);
    await assert.rejects(book.once('p(tea, P)'), /shop has no relation rm_all here; its relations are: get_price, /);
    await assert.rejects(book.once('q(tea, P, C)'), /has 2 columns, and q 3 arguments.* item, price/);
  });

  test('has columns: by name in goals, and where symbols are listed', async () => {
    const book = await bookWith(shop());
    assert.deepEqual(await book.all('price{item: tea, price: P}'), [{ P: 3 }]);
    const tool = (await book.tools()).find(({ name }) => name === 'workspace');
    assert.match(await tool.call({ operation: 'list_symbols' }), /price\(item, price\): rows of shop:get_price/);
  });
});

describe('what was read', () => {
  const recorded = () => shop({ record: true });

  test('is recorded in the revision of its query, once for the same answer', async () => {
    const book = await bookWith(recorded());
    assert.deepEqual(await book.all('cheap(tea)'), [{}]);
    const [read] = await book.all('data_read(Source, Goal, Given, Time, Hash, Rows)');
    assert.deepEqual(String(read.Source.name), ':');
    assert.match(read.Time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.match(read.Hash, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(await book.all('data_read(shop:get_price, price(tea, _), [item=tea], _, _, [price(tea, P)])'), [
      { P: 3 },
    ]);
    await book.all('cheap(tea)');
    assert.equal((await book.all('data_read(_, _, _, _, _, _)')).length, 1);
    world({ tea: 4 });
    assert.deepEqual(await book.all('cheap(tea)'), []);
    await book.all('cheap(tea) ; true');
    assert.equal((await book.all('data_read(_, price(tea, _), _, _, _, _)')).length, 2);
  });

  test('is the proof after the world has changed, and names where and when', async () => {
    const book = await bookWith(recorded());
    await book.all('cheap(tea)');
    world({ tea: 8 });
    const proof = String(await book.why('cheap(tea)'));
    assert.match(proof, /price\(tea,3\) {2}% from shop:get_price\(\{item: tea\}\) at \d{4}-\d\d-\d\dT[\d:.]+Z\n/);
    assert.equal(calls().length, 1);
    assert.deepEqual(await book.all('price(tea, P)'), [{ P: 8 }]);
    assert.match(String(await book.why('cheap(tea)')), /8<4/);
  });

  test('is replayed where the host does not name the source', async () => {
    const path = at('replay.book');
    const first = await openBook({ path, data: recorded() });
    await first.assert(RULES);
    assert.deepEqual(await first.all('member(I, [tea, jam, none]), price(I, P)'), [
      { I: 'tea', P: 3 },
      { I: 'jam', P: 5 },
    ]);
    await first.close();
    world({ tea: 100 });
    writeFileSync(LOG, '');
    const book = await bookWith(undefined, [], { path });
    assert.deepEqual(await book.all('cheap(X), true ; member(X, [tea, jam]), cheap(X)').catch(() => 'error'), 'error');
    assert.deepEqual(await book.all('member(X, [tea, jam, none]), cheap(X)'), [{ X: 'tea' }]);
    assert.match(String(await book.why('cheap(tea)')), /from shop:get_price\(\{item: tea\}\) at 20/);
    await assert.rejects(book.once('price(wine, P)'), /nothing is linked here/);
    assert.deepEqual(calls(), []);
  });

  test('is what the book knew then, as of each revision, and never no row', async () => {
    const path = at('then.book');
    const first = await openBook({ path, data: recorded() });
    await first.assert([...RULES, 'item(tea).', 'item(jam).', 'dear(X) :- item(X), \\+ cheap(X).']);
    await first.all('price(tea, P)');
    await first.close();
    for (const data of [recorded(), shop(), undefined]) {
      world({ tea: 100, jam: 1 });
      const book = await bookWith(data, [], { path });
      const [before, then] = [await book.asOf(1), await book.asOf(2)];
      assert.deepEqual(await then.all('price(tea, P), cheap(tea)'), [{ P: 3 }]);
      assert.match(String(await then.why('cheap(tea)')), /price\(tea,3\)/);
      if (data?.shop.record) {
        const untold = { message: /price\(tea,A\) was not read then.*as of a revision that has read it/s };
        for (const goal of ['dear(X)', '\\+ cheap(tea)', 'findall(X, dear(X), L)', 'aggregate_all(count, dear(_), N)'])
          await assert.rejects(before.all(goal), untold, goal);
        await assert.rejects(before.why('cheap(tea)'), untold);
      }
      for (const one of [before, then, open.pop()]) await one.close();
    }
  });

  test('is taken back by undo, and the difference tells which conclusions fall', async () => {
    const book = await bookWith(recorded());
    const tool = (await book.tools()).find(({ name }) => name === 'workspace');
    await book.all('member(X, [tea, jam]), cheap(X)');
    await book.undo();
    assert.deepEqual(await book.all('catch(data_read(_, _, _, _, _, _), _, fail)'), []);
    const told = await tool.call({ operation: 'diff', of: 'member(X, [tea, jam]), cheap(X)', from: 2 });
    assert.match(
      told,
      /revision 2: 1 answer\n.*revision 3: 0 answers, .*cannot be told: price\(tea,A\) was not read then/,
    );
    assert.equal(calls().length, 2);
  });

  test('is taken back a source at a time by retractall', async () => {
    const book = await bookWith(recorded());
    await book.all('cheap(tea)');
    await book.all('listed(4, _, _)');
    const tool = (await book.tools()).find(({ name }) => name === 'workspace');
    await book.once('retractall(data_read(shop:get_price, _, _, _, _, _))');
    const told = await tool.call({ operation: 'diff', of: 'cheap(tea)\nlisted(4, I, _)', from: 3 });
    assert.match(told, /\?- cheap\(tea\)\.\n.*1 answer\n.*cannot be told: price\(tea,A\) was not read then/);
    assert.match(told, /listed\(4, I, _\)\. {2}% the same: 1 answer/);
  });

  test('is not recorded by who may only read, by proofs, and by what does not last', async () => {
    const book = await bookWith(recorded());
    assert.match(String(await book.why('cheap(tea)')), /price\(tea,3\) {2}% from shop:get_price/);
    assert.deepEqual(
      await book.all('cheap(X)', { assume: ['cheap(jam) :- price(jam, 5).'] }).catch(() => 'error'),
      'error',
    );
    assert.deepEqual(await book.all('cheap(jam)', { assume: ['cheap(jam) :- price(jam, 5).'] }), [{}]);
    assert.deepEqual(await book.all('catch(data_read(_, _, _, _, _, _), _, fail)'), []);
  });

  test('of constraints and watched goals is what is recorded, and else asked', async () => {
    const book = await bookWith(recorded(), [
      ...RULES,
      ':- dynamic order/1.',
      ':- constraint((order(I), \\+ price(I, _)), "nobody sells ~w"-[I]).',
    ]);
    await book.assert('order(tea).');
    await assert.rejects(book.assert('order(sand).'), /nobody sells sand/);
    await book.all('price(jam, _)');
    world({});
    await book.assert('order(jam).');
    await assert.rejects(book.assert('order(wine).'), /nobody sells wine/);
  });

  test('wakes who watches what follows from it', async () => {
    const book = await bookWith(recorded());
    await book.all('cheap(tea)');
    const watch = book.watch('member(X, [tea, jam]), cheap(X)');
    const seen = watch[Symbol.asyncIterator]();
    const names = ({ value }) => value.answers.map(({ X }) => X);
    assert.deepEqual(names(await seen.next()), ['tea']);
    world({ tea: 3, jam: 1 });
    await book.all('price(jam, _)');
    assert.deepEqual(names(await seen.next()), ['tea', 'jam']);
    await seen.return?.();
  });
});

describe('in programs and workflows', () => {
  test('goals of a DML program and of a node ask and record', async () => {
    const book = await bookWith(shop({ record: true }));
    const dml = await createDeepClause({ book });
    const events = await eventsOf(
      dml.runDML('agent_main :- findall(I, (member(I, [tea, jam]), book:cheap(I)), L), length(L, N), answer("{N}").'),
    );
    dml.close();
    assert.ok(
      events.some(({ content }) => content === '1'),
      JSON.stringify(events),
    );
    // A query without an answer leaves nothing.
    assert.deepEqual(await book.all('data_read(_, price(I, _), _, _, _, _)'), [{ I: 'tea' }]);
    const yaml =
      'language: prolog\nnodes:\n- name: ask\n  book: true\n  run: |\n    price(wine, P), return(price, P).\n';
    const workflow = await Workflow.load(yaml, { book: book.hornbook });
    const end = (await eventsOf(workflow.run({}))).at(-1);
    assert.equal(end.state?.price, 9, JSON.stringify(end));
    workflow.close();
    assert.deepEqual(await book.all('data_read(_, price(I, _), _, _, _, _)'), [{ I: 'tea' }, { I: 'wine' }]);
  });

  test('rules of a file ask, and a set says why it cannot', async () => {
    const book = await bookWith(shop(), []);
    await book.import('rules.pl', `${RULES.join('\n')}\n:- table far/1 as set.\nfar(P) :- listed(_, _, P).\n`);
    assert.deepEqual(await book.all('cheap(tea)'), [{}]);
    await assert.rejects(book.all('far(P)'), /shop:list_items is asked with what is known, and has no rows to join/);
    await book.import('tabled.pl', ':- table near/1.\nnear(P) :- listed(_, _, P).\n');
    assert.deepEqual((await book.all('near(P)')).map(({ P }) => P).sort(), [3, 5, 9]);
  });
});

describe('a function of the program', () => {
  test('answers as one of `predicates` does', async () => {
    const asked = [];
    const stock = { apple: [3, 4], pear: [12] };
    const relations = {
      stock: {
        columns: ['?item', '-count'],
        *answer(item, count) {
          asked.push([item, count]);
          for (const [name, counts] of Object.entries(stock))
            if (typeof item !== 'string' || item === name) for (const n of counts) yield [name, n];
        },
      },
      big: { columns: ['-n', '-what'], answer: async () => [12345678901234567890n, { a: [atom('b'), 1.5, null] }] },
      is_open: { columns: ['+day'], answer: (day) => day !== 'sunday' },
      bad: { columns: ['-n'], answer: () => [1, 2] },
      left: { columns: ['-n'], answer: () => true },
    };
    const book = await bookWith({ own: { relations } }, [
      ':- data(stock/2, own:stock).',
      ':- data(big/2, own:big).',
      ':- data(open/1, own:is_open).',
      ':- data(bad/1, own:bad).',
      ':- data(left/1, own:left).',
    ]);
    assert.deepEqual(await book.all('stock(apple, N)'), [{ N: 3 }, { N: 4 }]);
    assert.deepEqual(await book.all('stock(I, 12)'), [{ I: 'pear' }]);
    assert.equal(asked.length, 2);
    assert.equal(asked[0][0], 'apple');
    assert.deepEqual(await book.all('big(N, W), get_dict(a, W, [B|_]), atom(B)'), [
      { N: 12345678901234567890n, W: { a: ['b', 1.5, null] }, B: 'b' },
    ]);
    assert.deepEqual(await book.all('member(D, [monday, sunday]), open(D)'), [{ D: 'monday' }]);
    await assert.rejects(book.once('bad(_)'), /a solution is true, false, or an array of 1 arguments/);
    await assert.rejects(book.once('left(_)'), /a solution leaves n open/);
  });
});

describe('an address', () => {
  test('is asked with what is known in its path and its query', async () => {
    const seen = [];
    const listening = createServer((request, response) => {
      seen.push([request.url, request.headers.key]);
      if (request.url.startsWith('/v1/prices/tea')) response.end('{"price":3,"note":"fresh"}');
      else if (request.url.startsWith('/v1/away')) response.writeHead(302, { location: '/v1/prices/tea' }).end();
      else response.writeHead(404).end('{"price":1}');
    });
    await new Promise((done) => listening.listen(0, '127.0.0.1', done));
    const { port } = listening.address();
    try {
      const api = {
        url: `http://127.0.0.1:${port}/v1`,
        headers: { key: 'hush' },
        relations: {
          prices: { columns: ['+item', '?currency', '-price'], path: '/prices/{item}' },
          away: { columns: ['-price'], path: '/away' },
        },
      };
      const book = await bookWith({ api }, [':- data(price/3, api:prices).', ':- data(away/1, api:away).']);
      assert.deepEqual(await book.all("price(tea, 'E&R', P)"), [{ P: 3 }]);
      assert.deepEqual(seen, [['/v1/prices/tea?currency=E%26R', 'hush']]);
      await assert.rejects(book.once("price('x/../../y', _, P)"), /prices?\/3.*api: it answers 404/s);
      assert.equal(seen[1][0], '/v1/prices/x%2F..%2F..%2Fy');
      await assert.rejects(book.once("price('..', _, P)"), /'\.\.' is no part of an address/);
      await assert.rejects(book.once('away(P)'), /api: it cannot be reached/);
      assert.equal(seen.length, 3);
    } finally {
      listening.close();
    }
  });
});
