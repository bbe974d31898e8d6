// Answers in the playground as data: sorted, without duplicates, exported, and very many of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, rows, settled, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

test('a click on a column head sorts in the standard order of terms, a second reverses it, a third restores it', async () => {
  const page = await visitors.open();
  const card = await ask(page, 'member(X, [f(a), "text", b, 10, 9, -1, A, 12345678901234567890, a])', 'Ask for all');
  const sort = () => card.getByRole('button', { name: 'X', exact: true }).click();
  const shown = async () => (await rows(card)).map(([first]) => first);
  const asked = await shown();
  await sort();
  assert.deepEqual(await shown(), ['any', '-1', '9', '10', '12345678901234567890', 'a', 'b', '"text"', 'f(a)']);
  assert.equal(await card.locator('th[aria-sort]').getAttribute('aria-sort'), 'ascending');
  // A proof belongs to its answer, wherever that is.
  assert.equal(await card.locator('tbody tr').nth(3).getAttribute('data-answer'), '4');
  await sort();
  assert.deepEqual(await shown(), ['f(a)', '"text"', 'b', 'a', '12345678901234567890', '10', '9', '-1', 'any']);
  await sort();
  assert.deepEqual(await shown(), asked);
  await leave(page);
});

test('columns can be hidden, along with rows that are then the same', async () => {
  const page = await visitors.open();
  const card = await ask(page, 'parent(Parent, Child)', 'Ask for all');
  await card.getByRole('button', { name: 'Columns' }).click();
  await card.getByRole('menuitemcheckbox', { name: 'Child' }).click();
  assert.equal((await rows(card)).length, 6);
  await card.getByRole('button', { name: 'Distinct' }).click();
  assert.deepEqual((await rows(card)).flat(), ['tom', 'pam', 'bob', 'pat']);
  await card.getByRole('button', { name: '4 distinct' }).click();
  assert.equal((await rows(card)).length, 6);
  await leave(page);
});

/** The text that an item of the menu gives. */
async function taken(card, label) {
  const page = card.page();
  await card.getByRole('button', { name: 'Copy or download the answers' }).click();
  const item = card.getByRole('menuitem', { name: label });
  if (label.startsWith('Copy')) {
    await item.click();
    await page.locator('.toast', { hasText: 'copied as' }).last().waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  }
  const [file] = await Promise.all([page.waitForEvent('download'), item.click()]);
  return readFileSync(await file.path(), 'utf8');
}

test('answers are copied and downloaded as CSV, JSON and Prolog', async () => {
  const page = await visitors.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await write(page, 'd(\'a, "b"\', -1).\nd(\'=1+1\', f(X, X)).\nd("text", 2.5).\n');
  const card = await ask(page, 'd(Name, Value)', 'Ask for all');
  // Text that a spreadsheet would take for a formula is marked as text, but not numbers.
  const csv = 'Name,Value\r\n"a, ""b""",-1\r\n\'=1+1,"f(_A,_A)"\r\ntext,2.5\r\n';
  const plain = (text) => text.replaceAll(/_[A-Z0-9]\w*/g, '_A');
  assert.equal(plain(await taken(card, 'Copy as CSV')), csv);
  assert.equal(plain(await taken(card, 'Download as CSV')), csv);
  const json = JSON.parse(await taken(card, 'Copy as JSON'));
  assert.deepEqual(json[0], { Name: 'a, "b"', Value: -1 });
  assert.deepEqual(json[2], { Name: 'text', Value: 2.5 });
  const facts = await taken(card, 'Download as Prolog');
  assert.match(facts, /^% answer\(Name, Value\) of the query\n% d\(Name, Value\)\n/);
  // What only begins like a number is no number.
  const formulas = [
    '-1+hyperlink("http://evil.example/", "click")',
    '1+webservice("x")',
    '-1',
    '-2.5e10',
    '-1r3',
    '-a(1)',
  ];
  const risky = await ask(page, `member(X, [${formulas}])`, 'Ask for all');
  assert.deepEqual((await taken(risky, 'Copy as CSV')).split('\r\n').slice(1, -1), [
    `"'-1+hyperlink(""http://evil.example/"",""click"")"`,
    '"1+webservice(""x"")"',
    '-1',
    '-25000000000.0',
    "'-1r3",
    "'-a(1)",
  ]);
  await write(page, facts);
  assert.deepEqual((await rows(await ask(page, 'answer(N, V)', 'Ask for all'))).length, 3);
  const constrained = await ask(page, 'X #> 3, Y #= X + 1');
  assert.match(await taken(constrained, 'Copy as Prolog'), /\nanswer\(X, Y\) :- .*X in 4\.\.sup/);
  await leave(page);
});

test('of 100,000 answers only the visible ones are drawn, wherever the user scrolls, and each frame is there quickly', async () => {
  const page = await visitors.open();
  const card = await ask(page, 'between(1, 100000, N)', 'Ask for all');
  await page.waitForFunction((element) => element.dataset.phase !== 'running', await card.elementHandle(), {
    timeout: 120_000,
  });
  await settled(card);
  const frame = card.locator('.scroll');
  // From one end to the other, 3,000 pixels per frame: the slowest 5% of the frames, and the most rows at once.
  const seen = await frame.evaluate(async (element) => {
    const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const frames = [];
    let most = 0;
    const step = Math.max(3000, element.scrollHeight / 300);
    let last = performance.now();
    for (let top = 0; top < element.scrollHeight; top += step) {
      element.scrollTop = top;
      await next();
      const now = performance.now();
      frames.push(now - last);
      last = now;
      most = Math.max(most, element.querySelectorAll('tr[data-answer]').length);
    }
    frames.sort((a, b) => a - b);
    return { median: frames[frames.length >> 1], most };
  });
  assert.ok(seen.most <= 1500, JSON.stringify(seen));
  assert.ok(seen.median < 100, JSON.stringify(seen));
  await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await card.locator('tr[data-answer="100000"]').waitFor();
  await frame.evaluate((element) => element.scrollTo(0, 0));
  await card.locator('tr[data-answer="1"]').waitFor();
  // An open proof stays, however far the user scrolls away.
  await card.getByRole('button', { name: 'Why answer 1', exact: true }).click();
  await card.locator('.proof-tree').waitFor();
  await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await card.locator('tr[data-answer="100000"]').waitFor();
  assert.equal(await card.locator('.proof-tree').count(), 1);
  await card.getByRole('button', { name: 'N', exact: true }).click();
  await card.getByRole('button', { name: 'N', exact: true }).click();
  await card.locator('tr[data-answer="100000"]').waitFor();
  assert.equal(await card.locator('tbody tr').first().getAttribute('data-answer'), '100000');
  await leave(page);
});
