// Books where something is in the way: another tab, a full storage, a narrow page, somebody who stays.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { create, dialog, follow, fragment, names, openBooks, reloading, switcher, turnTo } from './books.mjs';
import { Visitors, leave, picture, ready, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

test('two tabs have unsaved text of a file: each has its own after a reload, and another is offered both', async () => {
  const context = await visitors.newcomer();
  const clauses = (page) => page.getByLabel('Clauses', { exact: true }).innerText();
  const one = await visitors.tab(context);
  const other = await visitors.tab(context);
  for (const [page, text] of [
    [one, 'of(one).\n'],
    [other, 'of(other).\n'],
    [one, 'of(one, again).\n'],
  ])
    await write(page, text);
  for (const page of [one, other]) {
    await page.reload();
    await ready(page);
  }
  assert.match(await clauses(one), /of\(one, again\)/);
  assert.match(await clauses(other), /of\(other\)/);
  assert.equal(await one.locator('.banner').count(), 0, 'nothing is offered of a tab that is open');
  await one.close();
  await other.close();
  const third = await visitors.tab(context);
  assert.match(await clauses(third), /of\(one, again\)/);
  const banner = third.locator('.banner', { hasText: 'Unsaved text of another tab: family.pl.' });
  await banner.getByRole('button', { name: 'Show' }).click();
  const both = third.getByRole('dialog', { name: /Unsaved text of another tab/ });
  await both.getByRole('button', { name: 'Show the difference' }).click();
  assert.match(await both.innerText(), /of\(other\).*of\(one, again\)/s);
  await both.getByRole('button', { name: 'Take theirs' }).click();
  await banner.waitFor({ state: 'detached' });
  assert.match(await clauses(third), /of\(other\)/);
  await third.getByRole('button', { name: 'Bring mine back' }).click();
  await third.waitForFunction(() => document.querySelector('.editor').innerText.includes('of(one, again)'));
  await third.reload();
  await ready(third);
  assert.match(await clauses(third), /of\(one, again\)/);
  assert.equal(await third.locator('.banner').count(), 0);
  assert.deepEqual(context.faults, []);
  await context.close();
});

test('a tab that was copied has unsaved text of its own', async () => {
  const context = await visitors.newcomer();
  const one = await visitors.tab(context);
  const copying = context.waitForEvent('page');
  // A page that another opens begins with what that one remembers of its tab.
  await one.evaluate(() => void window.open(location.href));
  const other = await copying;
  await ready(other);
  const tabs = await Promise.all([one, other].map((page) => page.evaluate(() => sessionStorage['hornbook.tab'])));
  assert.notEqual(tabs[0], tabs[1]);
  await context.close();
});

test('a full storage: what is not stored is said and not shown, and a link stays in the address', async () => {
  const page = await visitors.open();
  await create(page, 'Second');
  await page.evaluate(() => {
    let size = 4_000_000;
    for (let n = 0; size > 0; n += 1) {
      try {
        localStorage.setItem(`filler ${n}`, 'x'.repeat(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  });
  await openBooks(page);
  await page.getByRole('button', { name: 'Rename Second' }).click();
  await page.getByLabel('New name of Second').fill('A name that is much longer than that');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('alert').getByText('nothing was changed').waitFor();
  await page.getByRole('button', { name: 'Delete My book' }).click();
  await dialog(page).getByRole('alert').getByText('My book was not deleted').waitFor();
  assert.deepEqual((await names(page)).sort(), ['My book', 'Second']);
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await write(page, 'mine(1).\n');
  await save(page);
  const hash = fragment({ name: 'Linked', files: [{ name: 'linked.pl', text: 'linked(1).\n' }] });
  await page.evaluate((hash) => (location.hash = hash), hash);
  await page.getByRole('dialog', { name: 'Open the shared book?' }).getByRole('button', { name: 'Open' }).click();
  await page.locator('.toast.error').getByText('holds no other book').waitFor();
  assert.equal(await page.evaluate(() => location.hash), hash);
  await page.context().close();
});

test('who stays in the page, because it asks, stays in the book', async () => {
  const page = await visitors.open();
  await create(page, 'Second');
  await write(page, 'second(1).\n');
  await save(page);
  await page.evaluate(() => window.addEventListener('beforeunload', (event) => event.preventDefault(), { once: true }));
  const asked = page.waitForEvent('dialog');
  await openBooks(page);
  const turning = dialog(page).locator('.book-name', { hasText: 'My book' }).click();
  await (await asked).dismiss();
  await turning;
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await ready(page);
  assert.equal(await switcher(page).innerText(), 'Second');
  await page.evaluate(() => window.addEventListener('beforeunload', (event) => event.preventDefault(), { once: true }));
  const again = page.waitForEvent('dialog');
  await openBooks(page);
  const deleting = page.getByRole('button', { name: 'Delete Second' }).click();
  await (await again).dismiss();
  await deleting;
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await openBooks(page);
  assert.deepEqual((await names(page)).sort(), ['My book', 'Second']);
  await leave(page);
});

test('a name that is typed stays while another tab changes books, and the focus goes back to the button', async () => {
  const context = await visitors.newcomer();
  const one = await visitors.tab(context);
  await create(one, 'Second');
  const other = await visitors.tab(context);
  const focused = () => one.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await openBooks(one);
  await one.getByRole('button', { name: 'Rename My book' }).click();
  await one.keyboard.type('Half a');
  await openBooks(other);
  await other.getByLabel('Name of a new book').fill('Third');
  await reloading(other, () => other.getByRole('button', { name: 'New book' }).click());
  assert.equal(await focused(), 'New name of My book');
  await one.keyboard.type(' name');
  await one.keyboard.press('Enter');
  await dialog(one).getByText('Half a name', { exact: true }).waitFor();
  await dialog(one).getByText('Third', { exact: true }).waitFor();
  assert.equal(await focused(), 'Rename Half a name');
  await one.getByRole('button', { name: 'Duplicate Third' }).press('Enter');
  await dialog(one).getByText('Third copy', { exact: true }).waitFor();
  assert.equal(await focused(), 'Duplicate Third');
  await one.getByRole('button', { name: 'Delete Third copy' }).press('Enter');
  // The row says so, and takes it back.
  assert.equal(await focused(), 'Undo: delete Third copy');
  assert.ok(!(await names(one)).includes('Third copy'));
  await one.keyboard.press('Enter');
  await dialog(one).getByText('Third copy', { exact: true }).waitFor();
  assert.equal(await focused(), 'Rename Third copy');
  assert.deepEqual(context.faults, []);
  await context.close();
});

test('a link that was opened before leads to its book', async () => {
  const page = await visitors.open();
  await write(page, 'mine(1).\n');
  await save(page);
  const link = fragment({ name: 'Linked', files: [{ name: 'linked.pl', text: 'linked(1).\n' }] });
  await follow(page, link);
  const preview = page.getByRole('dialog', { name: 'Open the shared book?' });
  await reloading(page, () => preview.getByRole('button', { name: 'Open', exact: true }).click());
  await write(page, 'changed(1).\n');
  await save(page);
  await turnTo(page, 'My book');
  await follow(page, link);
  await preview.getByText('You have opened this link before').waitFor();
  await reloading(page, () => preview.getByRole('button', { name: 'Open mine' }).click());
  assert.equal(await switcher(page).innerText(), 'Linked');
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /changed\(1\)/);
  await openBooks(page);
  assert.deepEqual((await names(page)).sort(), ['Linked', 'My book']);
  await leave(page);
});

test('while a link runs without end as it is opened, the page says what it waits for, and for how long', async () => {
  const context = await visitors.newcomer({ viewport: { width: 380, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const text = ':- initialization(loop).\nloop :- loop.\n';
  await page.goto(visitors.site.address + fragment({ files: [{ name: 'loop.pl', text }] }));
  await page.locator('.loading').getByText('Running loop.pl, for up to 30 s').waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await picture(page, '380-looping');
  await ready(page);
  assert.equal(await page.locator('.loading').count(), 0);
  await context.close();
});

test('in a narrow page, long names and queries of a link and of what is found are cut', async () => {
  const page = await visitors.open({ viewport: { width: 380, height: 800 } });
  const name = `${'long_'.repeat(18)}.pl`;
  await page.getByRole('tab', { name: 'Book', exact: true }).click();
  await write(page, 'mine(1).\n');
  const query = `member(X, [${'a_long_query, '.repeat(40)}])`;
  await follow(page, fragment({ files: [{ name, text: `% ${'needle'.repeat(50)}\na(1).\n` }], query }));
  const preview = page.getByRole('dialog', { name: 'Open the shared book?' });
  const fits = (element) => element.scrollWidth <= element.clientWidth;
  await preview.waitFor();
  assert.ok(await preview.evaluate(fits));
  assert.ok(await preview.locator('.preview').evaluate(fits));
  assert.equal(await preview.locator('.preview-query').getAttribute('title'), query);
  assert.equal(await preview.locator('summary').getAttribute('title'), name);
  assert.ok((await preview.locator('.preview-query').boundingBox()).height < 40, 'one line');
  await picture(page, '380-preview');
  await reloading(page, () => preview.getByRole('button', { name: 'Open', exact: true }).click());
  await openBooks(page);
  await page.getByLabel('Search in all books').fill('needle');
  await page.keyboard.press('Enter');
  await dialog(page).locator('.found li').first().waitFor();
  assert.ok(await dialog(page).evaluate(fits));
  assert.ok(await dialog(page).locator('.found').evaluate(fits));
  await picture(page, '380-found');
  await leave(page);
});
