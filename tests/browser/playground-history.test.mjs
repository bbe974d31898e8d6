// Who changed the book, the way back, and what one undo undoes; links that are opened over a book, and what they say.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { Visitors, ask, leave, looks, panel, ready, rows, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const fragment = (shared) => `#book=${deflateRawSync(Buffer.from(JSON.stringify(shared))).toString('base64url')}`;
const BOOK = {
  files: [
    { name: 'rivers.pl', text: 'river(tiber).\nriver(loire).\n' },
    { name: 'hills.pl', text: 'hill(capitol).\n' },
  ],
  query: 'river(X)',
};

const fileNames = (page) =>
  page.locator('#files [role=tab]').evaluateAll((all) => all.map(({ dataset }) => dataset.tab));
/** The entries of the history, newest first: who, and what. */
const entries = (page) =>
  page
    .locator('.revisions summary')
    .evaluateAll((all) =>
      all.map((one) => [one.querySelector('.who').innerText, one.querySelector('.what').innerText]),
    );
const untilEntry = (page, who, what) =>
  page
    .locator('.revisions summary', { hasText: what })
    .filter({ has: page.locator('.who', { hasText: who }) })
    .first()
    .waitFor();

/** A link put into the address of an open page. */
const follow = (page, hash) => page.evaluate((link) => (location.href = link), visitors.site.address + hash);

async function played(page) {
  await panel(page, 'Agent');
  await page.getByRole('button', { name: 'Play an agent' }).click();
  await page.getByText('The agent is done.').first().waitFor();
  await panel(page, 'History');
  await untilEntry(page, 'agent', 'Asserted');
}

test('the history tells agents, queries and the person apart, also after a reload, and undoes what an agent did', async () => {
  const page = await visitors.open();
  await write(page, 'parent(tom, bob).\n');
  await save(page);
  await ask(page, 'assertz(seen(it))');
  await played(page);
  const wanted = [
    ['agent', 'Asserted'],
    ['agent', 'Asserted'],
    ['you', 'Changed by assertz(seen(it))'],
    ['you', 'Saved family.pl'],
    ['you', 'Saved family.pl'],
  ];
  assert.deepEqual(await entries(page), wanted);
  await page.reload();
  await ready(page);
  await panel(page, 'History');
  await untilEntry(page, 'agent', 'Asserted');
  assert.deepEqual(await entries(page), wanted);
  await page.getByRole('button', { name: 'Undo all 2 by agent' }).click();
  await untilEntry(page, 'you', 'Undid 4: Asserted');
  assert.equal(await page.getByRole('button', { name: /by agent/ }).count(), 0);
  await panel(page, 'Queries');
  assert.deepEqual(await rows(await ask(page, 'seen(X)')), [['it']]);
  await leave(page);
});

test("what one did before the memory or a workflow was opened stays one's own, and is undone", async () => {
  const context = await visitors.newcomer();
  const [page, other] = [await visitors.tab(context), await visitors.tab(context)];
  await write(page, 'one(1).\n');
  await save(page);
  await played(page);
  await write(other, 'two(2).\n');
  await save(other);
  await panel(page, 'Workflow');
  await page.locator('.flow-node').first().waitFor();
  await panel(page, 'History');
  await untilEntry(page, 'another tab', 'Saved family.pl');
  await panel(page, 'Queries');
  await ask(page, 'assertz(three(3))');
  await panel(page, 'History');
  await untilEntry(page, 'you', 'Changed by assertz(three(3))');
  assert.deepEqual((await entries(page)).slice(0, 5), [
    ['you', 'Changed by assertz(three(3))'],
    ['another tab', 'Saved family.pl'],
    ['agent', 'Asserted'],
    ['agent', 'Asserted'],
    ['you', 'Saved family.pl'],
  ]);
  // One's own changes are undone, one after the other, and what the other tab did stays.
  for (const what of ['Undid 6', 'Undid 4', 'Undid 3']) {
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await untilEntry(page, 'you', what);
  }
  await panel(page, 'Queries');
  const card = await ask(page, 'two(X)');
  assert.deepEqual(await rows(card), [['2']]);
  await leave(page);
});

test('a tab tells what another tab did, and what an agent did there', async () => {
  const context = await visitors.newcomer();
  const [here, there] = [await visitors.tab(context), await visitors.tab(context)];
  await write(there, 'one(1).\n');
  await save(there);
  await played(there);
  await panel(here, 'History');
  await untilEntry(here, 'another tab', 'Saved family.pl');
  await here.waitForFunction(
    () =>
      [...document.querySelectorAll('.revisions summary .who')].filter((one) => one.innerText === 'agent').length === 2,
  );
  await leave(here);
});

test('each entry leads back to the book as it was after it, if undoing does', async () => {
  const page = await visitors.open();
  for (const text of ['a(1).\n', 'a(1).\na(2).\n', 'a(1).\na(2).\na(3).\n']) {
    await write(page, text);
    await save(page);
  }
  await panel(page, 'History');
  const entry = (number) => page.locator('.revisions li').filter({ has: page.locator(`.number:text-is("${number}")`) });
  await entry(2).locator('summary').click();
  await entry(2).getByText('Undoes the 2 changes after this one.').waitFor();
  await entry(2).getByRole('button', { name: 'Back to here' }).click();
  await page.getByText('Undid 2 changes.').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.editor .cm-content').innerText.trim() === 'a(1).');
  // What was undone since is not reached by undoing.
  await entry(4).locator('summary').click();
  await entry(4).getByText('undoing does not lead back here').waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.waitForFunction(() => document.querySelector('.editor .cm-content').innerText.includes('a(2)'));
  await leave(page);
});

test('one file goes back to an earlier revision, and the others stay as they are', async () => {
  const page = await visitors.open();
  const other = async (text) => {
    await write(page, text);
    await save(page);
  };
  await other('% first\na(1).\n');
  await page.getByRole('button', { name: 'New file' }).click();
  await other('b(1).\n');
  await page.getByRole('tab', { name: 'family.pl' }).click();
  await other('a(2).\n');
  await panel(page, 'History');
  const entry = page.locator('.revisions li').filter({ has: page.locator('.number:text-is("2")') });
  await entry.locator('summary').click();
  await entry.getByRole('button', { name: 'One file as it was…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Files as they were after revision 2' });
  await dialog.getByText('family.pl').click();
  await dialog.locator('.plus').waitFor();
  assert.deepEqual(await dialog.locator('.plus, .minus').allInnerTexts(), ['- % first', '- a(1).', '+ a(2).']);
  for (const { options, look } of looks) {
    await page.setViewportSize(options.viewport);
    await page.emulateMedia({ colorScheme: options.colorScheme });
    await look(page, 'one-file-back');
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('button', { name: 'Back to here: family.pl' }).click();
  await page.getByText('family.pl is as it was after revision 2.').first().waitFor();
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /% first\s+a\(1\)/);
  assert.deepEqual(await rows(await ask(page, 'a(X), b(Y)')), [['1', '1']]);
  // A file that was not there then goes, and undo brings it back.
  await panel(page, 'History');
  await page
    .locator('.revisions li')
    .filter({ has: page.locator('.number:text-is("2")') })
    .getByRole('button', { name: 'One file as it was…' })
    .click();
  await dialog.getByRole('button', { name: 'Back to here: untitled.pl' }).click();
  await page.getByText('untitled.pl is out of the book again.').first().waitFor();
  assert.deepEqual(await fileNames(page), ['family.pl']);
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await page.waitForFunction(() => document.querySelectorAll('#files [role=tab]').length === 2);
  await leave(page);
});

/** The dialog with the files as they were after a revision. */
async function earlier(page, number) {
  await panel(page, 'History');
  const entry = page.locator('.revisions li:not(.burst)').filter({ has: page.locator(`.number:text-is("${number}")`) });
  await entry.locator('summary').click();
  await entry.getByRole('button', { name: 'One file as it was…' }).click();
  const dialog = page.getByRole('dialog', { name: `Files as they were after revision ${number}` });
  await dialog.waitFor();
  return dialog;
}
const clauses = (page) => page.getByLabel('Clauses', { exact: true });
const untilText = (page, text) =>
  page.waitForFunction((wanted) => document.querySelector('.editor .cm-content').innerText.trim() === wanted, text);

test('a file with text that is not saved does not go back before that is saved or discarded', async () => {
  const page = await visitors.open();
  for (const text of ['a(1).\n', 'a(2).\n']) {
    await write(page, text);
    await save(page);
  }
  // It cannot be read, and would never end.
  const typed = ':- initialization(lp).\nlp :- lp.\nprecious(1';
  await write(page, typed);
  const back = async () => (await earlier(page, 2)).getByRole('button', { name: 'Back to here: family.pl' }).click();
  await back();
  await page.getByText('family.pl has changes that are not saved. Save or discard them first.').first().waitFor();
  assert.match(await clauses(page).innerText(), /precious\(1/);
  await page.getByRole('button', { name: 'Discard them' }).click();
  await untilText(page, 'a(2).');
  await page.getByRole('button', { name: 'Bring them back' }).click();
  await page.waitForFunction(() => document.querySelector('.editor .cm-content').innerText.includes('precious(1'));
  await page.reload();
  await ready(page);
  await back();
  await page.getByRole('button', { name: 'Discard them' }).click();
  await untilText(page, 'a(2).');
  const before = (await entries(page)).length;
  await page.reload();
  await ready(page);
  await back();
  await page.getByText('family.pl is as it was after revision 2.').first().waitFor();
  await untilText(page, 'a(1).');
  await untilEntry(page, 'you', 'Saved family.pl');
  await page.waitForFunction(
    (count) => document.querySelectorAll('.revisions summary .number').length === count,
    before + 1,
  );
  await leave(page);
});

test('a file that goes back leaves what one did before one’s own, to undo', async () => {
  const page = await visitors.open();
  for (const text of ['a(1).\n', 'a(2).\n', 'a(3).\n']) {
    await write(page, text);
    await save(page);
  }
  await (await earlier(page, 2)).getByRole('button', { name: 'Back to here: family.pl' }).click();
  await untilText(page, 'a(1).');
  await page.waitForFunction(() => document.querySelectorAll('.revisions summary').length === 5);
  assert.deepEqual(
    (await entries(page)).map(([who]) => who),
    ['you', 'you', 'you', 'you', 'you'],
  );
  const undo = page.locator('.history').getByRole('button', { name: 'Undo', exact: true });
  for (const text of ['a(3).', 'a(2).', 'a(1).']) {
    await undo.click();
    await untilText(page, text);
  }
  await leave(page);
});

test('a document goes back, undo shows its later text again, and the history has each', async () => {
  const page = await visitors.open();
  const give = async (text) => {
    const buffer = Buffer.from(text);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'notes.md', mimeType: 'text/markdown', buffer });
  };
  const length = (count) =>
    page.waitForFunction((wanted) => document.querySelectorAll('.revisions summary').length === wanted, count);
  await panel(page, 'History');
  await length(1);
  await give('First text.\n');
  await length(2);
  await untilText(page, 'First text.');
  await give('Second text.\n');
  await length(3);
  await untilText(page, 'Second text.');
  await (await earlier(page, 2)).getByRole('button', { name: 'Back to here: notes.md' }).click();
  await untilText(page, 'First text.');
  await length(4);
  await page.locator('.toast', { hasText: 'as it was' }).getByRole('button', { name: 'Undo' }).click();
  await untilText(page, 'Second text.');
  await length(5);
  await leave(page);
});

test('a file that another tab saves while one looks at what it was is not overwritten', async () => {
  const context = await visitors.newcomer();
  const here = await visitors.tab(context);
  await write(here, 'a(1).\n');
  await save(here);
  const there = await visitors.tab(context);
  const dialog = await earlier(here, 1);
  await write(there, 'theirs(1).\n');
  await save(there);
  await dialog.getByRole('button', { name: 'Back to here: family.pl' }).click();
  await here.getByText('family.pl was changed meanwhile, and stays as it is.').first().waitFor();
  await untilText(here, 'theirs(1).');
  await leave(here);
});

test('what a text of before leaves out now is told', async () => {
  const page = await visitors.open();
  await write(page, ':- op(700, xfx, ~~>).\n');
  await save(page);
  await page.getByRole('button', { name: 'New file' }).click();
  await write(page, 'x(1 ~~> 2).\ny(1).\n');
  await save(page);
  await write(page, 'y(2).\n');
  await save(page);
  await page.getByRole('tab', { name: 'family.pl' }).click();
  await write(page, 'z(1).\n');
  await save(page);
  await (await earlier(page, 3)).getByRole('button', { name: 'Back to here: untitled.pl' }).click();
  await page.getByText('untitled.pl is as it was after revision 3, without one clause. 1:').first().waitFor();
  await leave(page);
});

test('a link shows what it holds before it is opened, and is one entry of the history and one undo', async () => {
  const page = await visitors.open();
  await follow(page, fragment(BOOK));
  const dialog = page.getByRole('dialog', { name: 'Open the shared book?' });
  await dialog.waitFor();
  assert.deepEqual(await dialog.locator('summary').allInnerTexts(), [
    'rivers.pl 2 clauses, 28 bytes',
    'hills.pl 1 clause, 15 bytes',
  ]);
  assert.match(await dialog.innerText(), /It asks: river\(X\)/);
  await dialog.getByText('hills.pl').click();
  await dialog.getByLabel('Text of hills.pl').getByText('hill(capitol).').waitFor();
  await dialog.getByRole('button', { name: 'Open' }).click();
  await page.getByText('Opened rivers beside your other books.').first().waitFor();
  assert.deepEqual(await fileNames(page), ['rivers.pl', 'hills.pl']);
  await panel(page, 'History');
  await untilEntry(page, 'you', 'Opened a shared book: rivers.pl, hills.pl');
  assert.equal(await page.locator('.revisions summary').count(), 1);
  await page.locator('.history').getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('tab', { name: 'hills.pl' }).waitFor({ state: 'detached' });
  assert.deepEqual(await fileNames(page), []);
  await page.locator('.history').getByRole('button', { name: 'Redo' }).click();
  await page.getByRole('tab', { name: 'hills.pl' }).waitFor();
  assert.deepEqual(await fileNames(page), ['rivers.pl', 'hills.pl']);
  await leave(page);
});

test('a link may carry a question, which Enter asks', async () => {
  const page = await visitors.open({}, '?q=ancestor(tom%2C%20Who)');
  assert.equal(await page.getByLabel('Query', { exact: true }).innerText(), 'ancestor(tom, Who)');
  await page.keyboard.press('Enter');
  await page.locator('.card[data-phase=more]').waitFor();
  await follow(page, '#q=member(X%2C%20%5B1%5D)');
  await page.locator('.box .cm-content', { hasText: 'member(X, [1])' }).waitFor();
  await leave(page);
});

test('whoever shares a page of this machine is told that others cannot open the link', async () => {
  const page = await visitors.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Share' }).click();
  await page
    .getByText(/Link copied\..*which only this machine can reach/)
    .first()
    .waitFor();
  await leave(page);
});

test('at most two messages are shown, and an undo that is too late is no longer offered', async () => {
  const page = await visitors.open();
  const toast = page.locator('.toast', { hasText: 'Removed family.pl.' });
  await page.getByRole('button', { name: 'Remove' }).click();
  await toast.getByRole('button', { name: 'Undo' }).waitFor();
  await ask(page, 'assertz(later(1))');
  await toast.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  for (let n = 1; n <= 4; n += 1) {
    await write(page, `a(${n}).\n`);
    await save(page);
  }
  assert.ok((await page.locator('.toast').count()) <= 2);
  await leave(page);
});

for (const { name, options, look } of looks)
  test(`axe-core finds nothing in the history and in the preview of a link, ${name}`, async () => {
    const page = await visitors.open(options);
    await played(page);
    await page.locator('.revisions summary').nth(1).click();
    await page.getByRole('button', { name: 'Back to here' }).waitFor();
    await look(page, 'history-agent');
    await follow(page, fragment(BOOK));
    await page.getByRole('dialog').waitFor();
    await look(page, 'link-preview');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await leave(page);
  });
