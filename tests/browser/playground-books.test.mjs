// Several books in one browser: each with its own files, questions and history; found, copied, deleted, and opened by links.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  create,
  dialog,
  files,
  follow,
  fragment,
  names,
  openBooks,
  query,
  reloading,
  switcher,
  turnTo,
} from './books.mjs';
import { Visitors, ask, leave, looks, panel, ready, rows, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

test('each book has its own files, unsaved text, questions and notebook, and the title has its name', async () => {
  const page = await visitors.open();
  assert.equal(await page.title(), 'My book · Hornbook');
  await write(page, 'first(1).\n');
  await ask(page, 'first(X)');
  await write(page, 'first(2).\n');
  await panel(page, 'Notebook');
  await write(page, '# Of the first\n', page.getByLabel('Notebook text'));
  await page.getByRole('heading', { name: 'Of the first' }).waitFor();

  await create(page, 'Rivers');
  assert.equal(await page.title(), 'Rivers · Hornbook');
  assert.equal(await switcher(page).innerText(), 'Rivers');
  assert.deepEqual(await files(page), []);
  assert.equal(await page.locator('.card').count(), 0);
  await query(page).click();
  await page.keyboard.press('ArrowUp');
  assert.equal((await query(page).innerText()).trim(), 'ancestor(tom, Who)', 'only the placeholder');
  await write(page, 'river(tiber).\n');
  assert.deepEqual(await rows(await ask(page, 'river(X)')), [['tiber']]);
  assert.match(await (await ask(page, 'first(X)')).innerText(), /first\/1/);

  await turnTo(page, 'My book');
  assert.deepEqual(await files(page), ['family.pl']);
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /first\(2\)/);
  await page.getByRole('tab', { name: /family\.pl.*not saved/ }).waitFor();
  assert.match(await page.locator('.card').innerText(), /first\(X\)/);
  await query(page).click();
  await page.keyboard.press('ArrowUp');
  assert.equal((await query(page).innerText()).trim(), 'first(X)');
  await panel(page, 'Notebook');
  await page.getByRole('heading', { name: 'Of the first' }).waitFor();
  await leave(page);
});

test('a book is renamed, copied with its history and unsaved text, deleted and restored', async () => {
  const page = await visitors.open();
  await write(page, 'old(1).\n');
  await save(page);
  await write(page, 'new(1).\n');
  await save(page);
  await write(page, 'draft(1).\n');
  await openBooks(page);
  await page.getByRole('button', { name: 'Rename My book' }).click();
  await page.getByLabel('New name of My book').fill('Numbers');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Numbers', { exact: true }).waitFor();
  assert.equal(await page.title(), 'Numbers · Hornbook');
  await page.getByRole('button', { name: 'Duplicate Numbers' }).click();
  await dialog(page).getByText('Numbers copy', { exact: true }).waitFor();
  // The copy is listed before its bytes are there.
  await page.waitForFunction(async () => (await indexedDB.databases()).length === 2);
  await reloading(page, () => dialog(page).locator('.book-name', { hasText: 'Numbers copy' }).click());
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /draft\(1\)/);
  await save(page);
  await page.keyboard.press('Alt+z');
  await page.waitForFunction(() => document.querySelector('.editor').innerText.includes('new(1)'));
  await page.keyboard.press('Alt+z');
  await page.waitForFunction(() => document.querySelector('.editor').innerText.includes('old(1)'));

  // The open book is deleted: another opens, and says so.
  await openBooks(page);
  await reloading(page, () => page.getByRole('button', { name: 'Delete Numbers copy' }).click());
  assert.equal(await switcher(page).innerText(), 'Numbers');
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /draft\(1\)/);
  const undo = page.locator('.toast', { hasText: 'Deleted Numbers copy.' }).getByRole('button', { name: 'Undo' });
  await reloading(page, () => undo.click());
  assert.equal(await switcher(page).innerText(), 'Numbers copy');
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /old\(1\)/);

  // Another than the open one.
  await openBooks(page);
  await page.getByRole('button', { name: 'Delete Numbers', exact: true }).click();
  await page.getByText('1 deleted book').click();
  assert.deepEqual(await names(page), ['Numbers copy']);
  await page.getByRole('button', { name: 'Restore Numbers' }).click();
  assert.equal((await names(page)).length, 2);
  await page.getByRole('button', { name: 'Delete Numbers', exact: true }).click();
  await page.getByRole('button', { name: 'Delete for good: Numbers' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForFunction(async () => (await indexedDB.databases()).length === 1);
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.evaluate(() => localStorage.getItem('hornbook.drafts')), null);
  // The last one, too: then there is an empty one.
  await openBooks(page);
  await reloading(page, () => page.getByRole('button', { name: 'Delete Numbers copy' }).click());
  assert.equal(await switcher(page).innerText(), 'My book');
  assert.deepEqual(await files(page), []);
  await leave(page);
});

test('names of books are checked, and two books have two names', async () => {
  const page = await visitors.open();
  await openBooks(page);
  for (const [name, told] of [
    ['x'.repeat(61), /up to 60 characters/],
    ['a\u202eb', /invisible characters/],
    ['My book', /Another book is called My book/],
  ]) {
    await page.getByLabel('Name of a new book').fill(name);
    await page.getByRole('button', { name: 'New book' }).click();
    await dialog(page).getByRole('alert').getByText(told).waitFor();
  }
  // What succeeds takes the error away.
  await page.getByRole('button', { name: 'Duplicate My book' }).click();
  await dialog(page).getByText('My book copy', { exact: true }).waitFor();
  assert.equal(await dialog(page).getByRole('alert').innerText(), '');
  assert.deepEqual((await names(page)).sort(), ['My book', 'My book copy']);
  await leave(page);
});

test('a search finds text in all books, also unsaved and asserted, and opens the place', async () => {
  const page = await visitors.open();
  await write(page, 'a(1).\n% The Quick brown fox\nb(2).\n');
  await save(page);
  await ask(page, 'assertz(fox(quick))');
  await create(page, 'Other');
  await write(page, 'c(1).\n\n\nd(quick).\n');
  await openBooks(page);
  await page.getByLabel('Search in all books').fill('quick');
  await page.keyboard.press('Enter');
  const found = dialog(page).getByRole('region', { name: 'Found' });
  await found.locator('h3', { hasText: 'My book' }).waitFor();
  const all = async () => (await found.locator('li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  await page.waitForFunction(() => document.querySelectorAll('.found li').length === 3);
  assert.deepEqual((await all()).sort(), [
    'asserted clauses:1 fox(quick).',
    'family.pl:2 % The Quick brown fox',
    'untitled.pl:4 d(quick).',
  ]);
  await found.locator('li', { hasText: 'd(quick)' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  assert.match(await page.locator('.editor .cm-activeLine').first().innerText(), /d\(quick\)/);
  await openBooks(page);
  await page.getByLabel('Search in all books').fill('nowhere to be found');
  await page.getByRole('button', { name: 'Search' }).click();
  await found.getByText('No book has it.').waitFor();
  await page.getByLabel('Search in all books').fill('brown FOX');
  await page.getByRole('button', { name: 'Search' }).click();
  await found.locator('li').waitFor();
  await reloading(page, () => found.locator('li button').click());
  assert.equal(await switcher(page).innerText(), 'My book');
  assert.match(await page.locator('.editor .cm-activeLine').first().innerText(), /Quick brown fox/);
  await leave(page);
});

test('a link opens beside the own book, which stays as it is, and one undo takes it away', async () => {
  const page = await visitors.open();
  await write(page, 'mine(1).\n');
  const link = fragment({
    name: 'Rivers of Europe',
    files: [{ name: 'rivers.pl', text: 'river(tiber).\nriver(po).\n' }],
    notebook: '# On rivers\n',
    query: 'assertz(made(work))',
  });
  await follow(page, link);
  const preview = page.getByRole('dialog', { name: 'Open the shared book?' });
  await preview.getByText('Rivers of Europe').waitFor();
  assert.deepEqual(await preview.locator('summary').allInnerTexts(), [
    'rivers.pl 2 clauses, 25 bytes',
    'Notebook 12 bytes',
  ]);
  assert.match(await preview.innerText(), /It asks: assertz\(made\(work\)\)/);
  await reloading(page, () => preview.getByRole('button', { name: 'Open', exact: true }).click());
  assert.equal(await switcher(page).innerText(), 'Rivers of Europe');
  assert.equal(await page.evaluate(() => location.hash), '');
  assert.deepEqual(await files(page), ['rivers.pl']);
  await page.getByRole('heading', { name: 'On rivers' }).waitFor();
  // The query is shown, and makes no work by itself.
  await panel(page, 'Queries');
  assert.equal(await query(page).innerText(), 'assertz(made(work))');
  assert.equal(await page.locator('.card').count(), 0);
  const undo = page.locator('.toast', { hasText: 'Opened Rivers of Europe' }).getByRole('button', { name: 'Undo' });
  await reloading(page, () => undo.click());
  assert.equal(await switcher(page).innerText(), 'My book');
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /mine\(1\)/);
  await openBooks(page);
  assert.deepEqual(await names(page), ['My book']);
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  // Whoever cancels has what they had.
  await follow(page, link);
  await preview.getByRole('button', { name: 'Cancel' }).click();
  await ready(page);
  assert.equal(await page.evaluate(() => location.hash), '');
  assert.deepEqual(await files(page), ['family.pl']);
  await leave(page);
});

test('a link names the book of somebody who comes for the first time; the name of a link may be anything', async () => {
  const shared = { files: [{ name: 'hills.pl', text: 'hill(1).\n' }] };
  for (const [name, shown] of [
    ['Hills', 'Hills'],
    [undefined, 'hills'],
    ['x'.repeat(1000), 'hills'],
    [{ toString: null }, 'hills'],
    ['a\nb', 'hills'],
    ['__proto__', '__proto__'],
  ]) {
    const page = await visitors.open({}, fragment({ ...shared, name }));
    assert.equal(await switcher(page).innerText(), shown);
    await page.reload();
    await ready(page);
    assert.equal(await switcher(page).innerText(), shown);
    assert.deepEqual(await files(page), ['hills.pl']);
    await leave(page);
  }
});

test('two tabs have two books, or the same one', async () => {
  const context = await visitors.newcomer();
  const one = await visitors.tab(context);
  await write(one, 'v(one).\n');
  await save(one);
  const other = await visitors.tab(context);
  await create(other, 'Second');
  await write(other, 'v(two).\n');
  await save(other);
  for (const page of [one, other]) {
    await page.reload();
    await ready(page);
  }
  assert.deepEqual(await rows(await ask(one, 'v(X)')), [['one']]);
  assert.deepEqual(await rows(await ask(other, 'v(X)')), [['two']]);
  // What is renamed in one tab has the new name in the other.
  await openBooks(one);
  await one.getByRole('button', { name: 'Rename Second' }).click();
  await one.getByLabel('New name of Second').fill('Zweites');
  await one.keyboard.press('Enter');
  await other.waitForFunction(() => document.title.startsWith('Zweites'));
  // The same book in both.
  await reloading(one, () => dialog(one).locator('.book-name', { hasText: 'Zweites' }).click());
  await write(one, 'v(three).\n');
  await save(one);
  await other.waitForFunction(() => document.querySelector('.editor').innerText.includes('v(three)'));
  // Deleted in one, it can be restored in the other.
  await openBooks(one);
  await reloading(one, () => one.getByRole('button', { name: 'Delete Zweites' }).click());
  const banner = other.getByRole('alert').filter({ hasText: 'Another tab has deleted this book.' });
  await banner.waitFor();
  // It is open there, so nobody deletes it for good.
  await openBooks(one);
  await one.getByText('1 deleted book').click();
  await one.getByRole('button', { name: 'Delete for good: Zweites' }).click();
  await one.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog(one).getByRole('alert').getByText('Close that tab first').waitFor();
  await other.getByRole('button', { name: 'Restore' }).click();
  await banner.waitFor({ state: 'detached' });
  await other.reload();
  await ready(other);
  assert.equal(await switcher(other).innerText(), 'Zweites');
  assert.deepEqual(context.faults, []);
  await context.close();
});

test('whatever the list of books has become, the page starts, and books that it lost are found', async () => {
  const page = await visitors.open();
  await create(page, 'Kept');
  await write(page, 'kept(1).\n');
  await save(page);
  for (const text of [
    'no json',
    '5',
    '{"playground":5,"x":"{"}',
    '{"playground":"null"}',
    '{"y":"{\\"name\\":\\"\\"}"}',
  ]) {
    await page.evaluate((text) => {
      localStorage.setItem('hornbook.books', text);
      sessionStorage.setItem('hornbook.arrival', text);
    }, text);
    await page.reload();
    await ready(page);
  }
  await page.evaluate(() => localStorage.removeItem('hornbook.books'));
  await page.reload();
  await ready(page);
  await turnTo(page, 'Found book');
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /kept\(1\)/);
  await leave(page);
});

for (const { name, options, look } of looks)
  test(`axe-core finds nothing in the books and what is found in them, ${name}`, async () => {
    const page = await visitors.open(options);
    for (const book of ['Rivers of Europe and of other continents', 'Timetable']) await create(page, book);
    await openBooks(page);
    await page.getByRole('button', { name: 'Delete Rivers' }).click();
    await dialog(page).getByText('Deleted Rivers of Europe').waitFor();
    await page.getByText('1 deleted book').click();
    await look(page, 'books');
    await page.getByLabel('Search in all books').fill('parent');
    await page.keyboard.press('Enter');
    await dialog(page).locator('.found li').nth(3).waitFor();
    await look(page, 'books-found');
    await leave(page);
  });
