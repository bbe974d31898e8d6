// The playground in Firefox: a tour of each part of the page. The other files of this folder run there with
// TEST_BROWSER=firefox.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { FIREFOX, launchFirefox } from './harness.mjs';
import { Visitors, ask, begin, leave, looks, panel, ready, rows, save, settled, write } from './playground.mjs';

const skip = existsSync(FIREFOX) ? false : `there is no Firefox at ${FIREFOX}`;

let visitors;
before(async () => {
  if (!skip) visitors = await Visitors.start(launchFirefox());
});
after(() => visitors?.close());

const editor = (page) => page.getByLabel('Clauses', { exact: true });

test('Firefox: a book is written, queried, kept, and shared by two tabs', { skip }, async () => {
  const page = await visitors.open();
  const card = await ask(page, 'ancestor(tom, Who)');
  assert.deepEqual(await rows(card), [['bob']]);
  await card.getByRole('button', { name: 'All' }).click();
  await settled(card);
  assert.deepEqual((await rows(card)).flat(), ['bob', 'liz', 'ann', 'pat', 'jim']);
  await card.getByRole('button', { name: 'Why answer 1', exact: true }).click();
  await card.locator('.proof-tree').getByText('parent(tom,bob)').waitFor();
  const no = await ask(page, 'parent(jim, _)');
  assert.match(await no.locator('.verdict').innerText(), /^false/);
  const endless = await begin(page, 'repeat, fail');
  await endless.getByRole('button', { name: 'Stop', exact: true }).click();
  await settled(endless);
  assert.match(await endless.locator('.status').innerText(), /^stopped/);
  // Typing over a selection replaces it, and errors in the new text are underlined.
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('likes(ada, tea)');
  assert.equal((await editor(page).innerText()).trim(), 'likes(ada, tea)');
  await page.locator('.editor .cm-lintRange-error').first().waitFor();
  await write(page, 'likes(ada, tea).\nlikes(boole, chess).\n');
  await save(page);
  await page.locator('.editor .cm-line').nth(1).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.locator('.card .goal', { hasText: 'likes(boole, chess)' }).waitFor();
  await page.reload();
  await ready(page);
  assert.deepEqual(await rows(await ask(page, 'likes(Who, chess)')), [['boole']]);
  const other = await visitors.tab(page.context());
  await ask(other, 'assertz(likes(cleo, go))');
  await page.bringToFront();
  assert.deepEqual(await rows(await ask(page, 'likes(Who, go)')), [['cleo']]);
  await leave(page);
});

test('Firefox: keys, and a link with the book', { skip }, async () => {
  const page = await visitors.open();
  await page.keyboard.press('Alt+2');
  await page.keyboard.type('member(X, [a, b, c])');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  const taken = (count) =>
    page.waitForFunction((n) => document.querySelectorAll('.card tbody tr[data-answer]').length === n, count);
  await taken(1);
  await page.keyboard.press(';');
  await taken(2);
  await page.keyboard.press('Space');
  await taken(3);
  await write(page, 'shared(book).\n');
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      window.copied = text;
    };
  });
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByText('Link copied.').first().waitFor();
  const link = await page.evaluate(() => window.copied);
  const other = await visitors.open({}, link.slice(link.indexOf('#')));
  assert.equal(await other.evaluate(() => window.location.hash), '');
  assert.deepEqual(await rows(await ask(other, 'shared(X)')), [['book']]);
  await leave(other);
  await leave(page);
});

test('Firefox: where sites may store nothing, the page works in memory and says so', { skip }, async () => {
  const own = await Visitors.start(launchFirefox('light', { 'network.cookie.cookieBehavior': 2 }));
  const page = await own.open();
  const nameOfError = () => {
    try {
      return String(localStorage);
    } catch (error) {
      return error.name;
    }
  };
  assert.equal(await page.evaluate(nameOfError), 'SecurityError');
  assert.match(
    await page.locator('.banner').innerText(),
    /Your book can't be saved in this browser: .*Download it before you close this page/s,
  );
  assert.deepEqual(await rows(await ask(page, 'member(X, [a])')), [['a']]);
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await panel(page, 'DML');
  await page.getByRole('textbox', { name: 'Program' }).waitFor();
  await leave(page);
  await own.close();
});

test('Firefox: pictures, notebooks, programs, the memory and workflows', { skip }, async () => {
  const page = await visitors.open();
  const chart = await ask(page, 'C = chart(bar, [a-1, b-2])');
  await chart.locator('svg').first().waitFor();
  const board = await ask(page, 'X = [2, 4, 1, 3]');
  assert.equal(await board.getAttribute('data-phase'), 'done');
  await panel(page, 'Notebook');
  const text = '## Tea\n\n```prolog\nlikes(ada, tea).\n```\n\n```query\nlikes(Who, tea)\n```\n';
  await write(page, text, page.getByLabel('Notebook text'));
  await page.getByRole('heading', { name: 'Tea' }).waitFor();
  await page.getByRole('button', { name: 'Run all' }).click();
  await page.locator('.notebook .card tbody').getByText('ada').waitFor();
  await panel(page, 'DML');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.run:not([data-phase=running])').waitFor();
  assert.equal(await page.locator('.run').getAttribute('data-phase'), 'done', await page.locator('.run').innerText());
  await panel(page, 'Workflow');
  await page.locator('.flow-node').first().waitFor();
  await page.locator('.workflow').getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.flow-run:not([data-phase=running])').waitFor();
  assert.equal(await page.locator('.flow-run').getAttribute('data-phase'), 'done');
  await panel(page, 'Memory');
  await page.getByRole('button', { name: 'Load an example' }).click();
  await page.locator('.memory-node[aria-label^="Web shop,"]').waitFor();
  await leave(page);
});

for (const scheme of ['light', 'dark']) {
  test(`Firefox: axe-core finds nothing, and nothing is too wide, ${scheme}`, { skip }, async () => {
    const own = scheme === 'light' ? visitors : await Visitors.start(launchFirefox(scheme));
    for (const { look, options } of looks.filter(({ options }) => options.colorScheme === scheme)) {
      const page = await own.open(options);
      await look(page, 'firefox-book');
      await panel(page, 'Queries');
      await ask(page, 'ancestor(X, Y)', 'Ask for all');
      await ask(page, 'parent(jim, _)');
      await look(page, 'firefox-queries');
      await leave(page);
    }
    if (own !== visitors) await own.close();
  });
}
