// `workspace diff` with goals: which of their answers differ between two revisions.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { BookServer } from '../support/book-server.mjs';
import { Server } from './harness.mjs';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-diff-goals-')));
after(() => rmSync(folder, { recursive: true }));

const PRICES = ['price(milk, 2).', 'price(wine, 9).', 'price(tea, 4).', 'cheap(X) :- price(X, P), P < 5.'];
const RULE = { operation: 'replace', old: PRICES[3], clauses: 'cheap(X) :- price(X, P), P > 3.' };

describe('over MCP', () => {
  let server;
  beforeEach(async () => {
    server = await Server.start({ args: ['--timeout', '1000'] });
    await server.assert(PRICES);
    await server.ok('clauses', RULE);
  });
  afterEach(() => server.close());
  const diff = (of, more = {}) => server.ok('workspace', { operation: 'diff', of, ...more });

  test('answers that a changed rule adds and removes follow the lines that changed', async () => {
    const { text, data } = await diff('% Which are cheap?\n?- cheap(X).\n\nprice(X, 2)', { from: 1, to: 2 });
    assert.equal(
      text,
      '--- revision 1\n+++ revision 2\n@@ -1,4 +1,4 @@\n price(milk, 2).\n price(wine, 9).\n price(tea, 4).\n' +
        '-cheap(X) :- price(X, P), P < 5.\n+cheap(X) :- price(X, P), P > 3.\n' +
        '\n?- cheap(X).\n- X = milk\n+ X = wine\n?- price(X, 2).  % the same: 1 answer',
    );
    assert.deepEqual(data.goals, [
      { goal: 'cheap(X)', gained: ['X = wine'], lost: ['X = milk'] },
      { goal: 'price(X, 2)', gained: [], lost: [] },
    ]);
    assert.equal((await server.ok('workspace', { operation: 'diff' })).data.goals, undefined);
  });

  test('a goal of a predicate that is not defined has no answers, one with another error none that are known', async () => {
    await server.assert('owner(ann, milk).');
    const goals = ['owner(X, Y)', 'cheap(X', 'price(Y, 4), owner(X, Y)', 'owner(X, Y) ; price(X, Y)'];
    const { text, data } = await diff(goals.join('\n'), { from: 2 });
    const [owner, unread, both, either] = data.goals;
    assert.deepEqual([both.gained, either.gained], [[], []]);
    assert.match(both.unknownBefore, /^it was not defined/);
    assert.match(either.unknownBefore, /^not all answers are known/);
    assert.match(owner.unknownBefore, /^it was not defined: .*owner\/2/);
    assert.deepEqual([owner.unknownAfter, owner.gained, owner.lost], [undefined, ['X = ann, Y = milk'], []]);
    assert.match(
      text,
      /\?- owner\(X, Y\)\.\n {2}revision 2: 0 answers, it was not .*\n {2}revision 3: 1 answer\n\+ X = ann/,
    );
    assert.ok(unread.unknownBefore && unread.unknownAfter, text);
  });

  test('a goal that takes too long ends after its share of the time limit, and others are compared', async () => {
    const { data } = await diff('repeat, fail\ncheap(X)', { from: 1 });
    assert.match(data.goals[0].unknownBefore, /its share of the time limit, 250 ms, was over/);
    assert.equal(data.goals[0].unknownAfter, data.goals[0].unknownBefore);
    assert.deepEqual(data.goals[1].gained, ['X = wine']);
  });

  test('of more answers than are compared only those are told that are known to differ', async () => {
    const { data } = await diff('between(1, 2000, X)\nbetween(1, inf, X), price(Y, X)', { from: 1 });
    assert.equal(data.goals[0].unknownBefore, 'only its first 1000 answers were compared');
    assert.deepEqual([data.goals[0].gained, data.goals[0].lost], [[], []]);
  });

  test('what a goal changes is dropped, in the book and in what later goals see', async () => {
    const { data } = await diff('retract(price(tea, P))\nassertz(price(jam, 1))\nprice(X, P)', { from: 1 });
    assert.deepEqual(
      data.goals.map(({ gained, lost, unknownAfter }) => [gained, lost, unknownAfter]),
      [0, 1, 2].map(() => [[], [], undefined]),
    );
    assert.equal((await server.ok('workspace', { operation: 'history' })).data.revision, 2);
    assert.equal((await server.solve('price(X, _)')).length, 3);
  });

  test('more differences than fit are counted, and say how to go on', async () => {
    await server.assert(Array.from({ length: 900 }, (_, number) => `item(number_${number}, of_the_new_catalogue).`));
    const { text, data } = await diff('item(X, Y)\ncheap(X)', { from: 1 });
    const [items, cheap] = data.goals;
    assert.match(items.unknownBefore, /item\/2/);
    assert.deepEqual(cheap.gained, ['X = wine']);
    const many = await diff('member(X, [1, 2]), catch(item(Y, Z), _, fail)\ncheap(X)', { from: 2, to: 3 });
    const [{ gained, leftOut }] = many.data.goals;
    assert.ok(gained.length > 10);
    assert.equal(gained.length + leftOut, 1_000);
    assert.match(many.text, /\n… and \d+ more: ask a narrower goal, alone\n\?- cheap/);
    assert.match(text, /revision 3: 900 answers/);
  });

  test('without a goal, or with too many, it says what to give', async () => {
    const fails = (of, kind) => server.fails('workspace', { operation: 'diff', of }, kind);
    assert.match((await fails('% none\n', 'invalid_argument')).text, /Give goals, one a line/);
    assert.match((await fails('true\n'.repeat(51), 'limit_reached')).text, /51 goals; at most 50/);
  });
});

test('goals use linked data and predicates of the host, as its own queries do', async () => {
  writeFileSync(join(folder, 'orders.csv'), 'id,customer\n1,ann\n2,bob\n');
  const book = await openBook({
    data: { shop: join(folder, 'orders.csv') },
    predicates: { 'discount/2': (name) => [undefined, name === 'ann' ? 10 : 0] },
  });
  try {
    await book.assert([':- data(orders/2, shop).', 'big(C, D) :- orders(_, C), discount(C, D), D > 5.']);
    await book.assert('big(C, 0) :- orders(2, C).');
    const workspace = (await book.tools()).find(({ name }) => name === 'workspace');
    const told = await workspace.call({ operation: 'diff', of: 'big(C, D)' });
    assert.match(told, /\?- big\(C, D\)\.\n\+ C = "?bob"?, D = 0$/);
    const without = await workspace.call({ operation: 'diff', of: 'discount(ann, D)' });
    assert.match(without, /\?- discount\(ann, D\)\. {2}% the same: 1 answer$/);
  } finally {
    await book.close();
  }
});

test('a client under review compares revisions of its draft, and one beside it those of the book', async () => {
  const path = join(folder, 'drafted.book');
  const owner = new BookServer(path);
  await owner.assert(...PRICES);
  const agent = new BookServer(path, '--review');
  await agent.text('clauses', RULE);
  const told = await agent.text('workspace', { operation: 'diff', of: 'cheap(X)' });
  assert.match(told, /\?- cheap\(X\)\.\n- X = milk\n\+ X = wine$/);
  const own = { operation: 'diff', from: 0, to: 1, of: 'cheap(X)' };
  assert.match(await owner.text('workspace', own), /revision 1: 2 answers\n\+ X = milk\n\+ X = tea$/);
  await agent.end();
  await owner.end();
});
