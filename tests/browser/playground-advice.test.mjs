// What the page says to do instead: goals of SWI-Prolog's own prompt, clauses and sentences asked as queries, broken
// clauses, time limits; and the other ways to ask for answers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, newest, panel, ready, rows, settled, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const said = (card) => card.getByRole('alert').innerText();
const offered = (card) => card.locator('.repairs button, .instead button').allInnerTexts();

test('goals of the tracer lead to stepping through the run, and those of the toplevel to what the page has', async () => {
  const page = await visitors.open();
  const traced = await ask(page, 'trace, parent(tom, X)');
  assert.match(await said(traced), /can be stepped through/);
  assert.deepEqual(await offered(traced), ['parent(tom, X)', 'Step through']);
  await traced.getByRole('button', { name: 'Step through', exact: true }).last().click();
  await page.locator('.card .replay').waitFor();
  assert.deepEqual(await rows(await newest(page)), [['bob']]);
  const profiled = await ask(page, 'profile(parent(tom, X))');
  assert.match(await said(profiled), /how many inferences/);
  assert.deepEqual(await offered(profiled), ['parent(tom, X)', 'Step through']);
  for (const [query, wanted] of [
    ['spy(parent/2)', /can be stepped through/],
    ['make', /^Asking saves/],
  ]) {
    const card = await ask(page, query);
    assert.match(await said(card), wanted, query);
    assert.deepEqual(await offered(card), [], query);
  }
  // Help is what is known of the predicates of that name; apropos looks for a part of their names and texts.
  const known = async (query) => {
    const card = await ask(page, query);
    await card.locator('.manual li').first().waitFor();
    return card.locator('.manual li').allInnerTexts();
  };
  const appending = await known('help(append)');
  assert.equal(appending.length, 2);
  assert.match(appending[0], /^append\(\?Xs, \?Ys, \?XsYs\) is nondet\s+XsYs is Xs followed by Ys\.$/);
  assert.equal((await known('help(append/2)')).length, 1);
  const sorting = await known('apropos(sort)');
  assert.match(sorting[0], /^sort\(/);
  assert.ok(
    sorting.some((text) => text.startsWith('setof(')),
    'its text has the word',
  );
  // Those of the book come first, with what is written of them, and nothing is an error.
  await write(page, '%! likes(?Who, ?What) is nondet.\n%  Who likes What.\nlikes(ann, tea).\nlikes(bob, tea).\n');
  const [likes] = await known('help(likes)');
  assert.match(
    likes,
    /^likes\/2\s+likes\(\?Who, \?What\) is nondet\.\s+Who likes What\.\s+2 clauses in your book, family\.pl:3\.$/,
  );
  assert.match((await known('apropos(like)'))[0], /^likes\/2/);
  const card = page.locator('.card').first();
  assert.equal(await card.getAttribute('data-phase'), 'done');
  assert.match(await card.innerText(), /what is known/);
  const nothing = await ask(page, "help('no such name')");
  await nothing.getByText('Nothing is known here of no such name.').waitFor();
  // A predicate of one's own is not taken for SWI-Prolog's.
  await write(page, 'help(ann).\n');
  assert.deepEqual(await rows(await ask(page, 'help(Who)')), [['ann']]);
  await leave(page);
});

test('a clause asked as a query can be added to the file, and that can be undone', async () => {
  const page = await visitors.open();
  const card = await ask(page, 'happy(X) :- parent(X, _).');
  assert.equal(await said(card), 'This is a clause, not a goal.');
  await card.getByRole('button', { name: 'Add this clause' }).click();
  await page.locator('.toast', { hasText: 'Added to family.pl.' }).waitFor();
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /\nhappy\(X\) :- parent\(X, _\)\.\s*$/);
  assert.deepEqual((await rows(await ask(page, 'happy(X)', 'Ask for all'))).at(-1), ['pat']);
  await page.locator('.toast', { hasText: 'Added to family.pl.' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('happy(X) :- parent').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.editor .cm-content').innerText.includes('happy'));
  await leave(page);
});

test('a query that cannot be read is not offered as a repair; a sentence is told from a goal', async () => {
  const page = await visitors.open();
  const sentence = await ask(page, 'is Ada entitled?');
  assert.match(await said(sentence), /^This reads like a sentence\. A query is a goal/);
  assert.deepEqual(await offered(sentence), []);
  const broken = await ask(page, 'parent(tom X) Y) Z');
  assert.deepEqual(await offered(broken), []);
  await leave(page);
});

test('a misspelt name is still recognized while another clause is broken, and a missing one leads to its clause', async () => {
  const page = await visitors.open();
  await write(page, 'unhappy(jim) likes.\nparent(tom, bob).\n\nhappy(joe)\nrich(X) :- happy(X).\n');
  const misspelt = await ask(page, 'parnt(tom, X)');
  assert.match(await said(misspelt), /Did you mean parent\/2\?/);
  assert.deepEqual(await offered(misspelt), ['parent(tom, X)']);
  assert.equal(await misspelt.locator('.hint').count(), 0);
  const missing = await ask(page, 'happy(X)');
  assert.match(await missing.locator('.hint').innerText(), /^Line 4 of family\.pl was not saved/);
  await leave(page);
});

test('a query that was stopped by its time limit can be run longer', async () => {
  const page = await visitors.open();
  const card = await ask(page, 'repeat, fail');
  assert.match(await said(card), /^Stopped after 30 s\./);
  assert.doesNotMatch(await said(card), /timeout_ms/);
  await card.getByRole('button', { name: 'Run longer: 120 s' }).click();
  const longer = await newest(page);
  await longer.getByRole('button', { name: 'Stop' }).click();
  await settled(longer);
  await leave(page);
});

test('answers can be counted, made distinct, ordered and limited from the card', async () => {
  const page = await visitors.open();
  for (const [item, goal, wanted] of [
    ['Count', 'aggregate_all(count, parent(X, Y), Count)', [['6']]],
    ['Distinct', 'distinct([X, Y], parent(X, Y))', undefined],
    ['By Y, largest first', 'order_by([desc(Y)], parent(X, Y))', undefined],
    ['The first 10', 'limit(10, parent(X, Y))', undefined],
  ]) {
    const card = await ask(page, 'parent(X, Y)');
    await card.getByRole('button', { name: 'Ask for them in another way' }).click();
    await card.getByRole('menuitem', { name: item }).click();
    const other = await settled(await newest(page));
    assert.equal(await other.locator('.goal code').innerText(), goal);
    const found = await rows(other);
    if (wanted)
      assert.deepEqual(
        found.map((row) => row.slice(-1)),
        wanted,
      );
    else assert.equal(found.length, 6, item);
    if (item.startsWith('By Y')) assert.deepEqual(found[0], ['pat', 'bob']);
  }
  // Several goals are one argument.
  const both = await ask(page, 'parent(X, Y), parent(Y, Z)');
  await both.getByRole('button', { name: 'Ask for them in another way' }).click();
  await both.getByRole('menuitem', { name: 'Count' }).click();
  const counted = await settled(await newest(page));
  assert.equal(
    await counted.locator('.goal code').innerText(),
    'aggregate_all(count, (parent(X, Y), parent(Y, Z)), Count)',
  );
  await leave(page);
});

test('what was asked is there after a reload: in cards with their answers, and by the arrow keys', async () => {
  const page = await visitors.open();
  await ask(page, 'nosuch(1)');
  await ask(page, 'parent(tom, X)');
  await ask(page, 'member(Y, [1, 2])', 'Ask for all');
  await page.reload();
  await ready(page);
  await panel(page, 'Queries');
  assert.deepEqual(await page.locator('.card .goal code').allInnerTexts(), [
    'member(Y, [1, 2])',
    'parent(tom, X)',
    'nosuch(1)',
  ]);
  const first = page.locator('.card').first();
  assert.deepEqual(await rows(first), [['1'], ['2']]);
  assert.equal(await first.locator('.status').innerText(), '2 answers · from before the reload');
  assert.match(await said(page.locator('.card').last()), /^nosuch\/1 is not defined/);
  const parent = page.locator('.card').nth(1);
  await parent.getByRole('button', { name: 'Why answer 1', exact: true }).click();
  await parent.locator('.proof-tree', { hasText: 'parent(tom,bob)' }).waitFor();
  await page.getByLabel('Query', { exact: true }).click();
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.getByLabel('Query', { exact: true }).innerText(), 'member(Y, [1, 2])');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.getByLabel('Query', { exact: true }).innerText(), 'parent(tom, X)');
  await leave(page);
});

test('a misspelt call in a clause is told with what it may mean, also while another clause cannot be read', async () => {
  const page = await visitors.open();
  await write(
    page,
    'parent(tom, bob).\nparent(bob, ann)\nparent(bob, pat).\ngrand(X, Z) :- parent(X, Y), parnt(Y, Z).\n',
  );
  const card = await ask(page, 'grand(tom, Who)');
  assert.equal(
    await said(card),
    'parnt/2 is not defined. Raised in grand/2, clause 1 (family.pl:4). Did you mean parent/2?',
  );
  assert.equal(await card.locator('.hint').count(), 0);
  // A predicate that nothing is like may be in the clause that is missing.
  assert.match(await (await ask(page, 'nobody(X)')).innerText(), /Line 2 of family\.pl was not saved/);
  await leave(page);
});

test('a calculation with a text that looks like a number says that it is text', async () => {
  const page = await visitors.open();
  await write(page, "income(ann, '1.200,50').\npoor(Who) :- income(Who, I), I < 1600.\n");
  assert.equal(
    await said(await ask(page, 'poor(Who)')),
    "'1.200,50' is text and no number, so it cannot be calculated with. Raised in poor/1, clause 1 (family.pl:2).",
  );
  await leave(page);
});
