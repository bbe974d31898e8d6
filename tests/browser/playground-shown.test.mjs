// How things are shown: values in tables, forms, find and replace, the text in the editor, and a low page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, example, leave, panel, picture, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const style = (locator, name) => locator.evaluate((one, name) => getComputedStyle(one)[name], name);
const width = async (locator) => (await locator.boundingBox()).width;

test('numbers are aligned on the right, and a long value does not squeeze what is beside it', async () => {
  const page = await visitors.open();
  const card = await ask(
    page,
    "numlist(1, 300, L), member(N, [1, 22, 9007199254740993]), format('written for ~w~n', [N])",
    'Ask for all',
  );
  const row = card.locator('tbody tr[data-answer]').last();
  assert.deepEqual(
    await row.locator('td:not(.last)').evaluateAll((all) => all.map((one) => getComputedStyle(one).textAlign)),
    ['left', 'right', 'left'],
  );
  assert.equal(await style(card.locator('thead th', { hasText: 'N' }), 'textAlign'), 'right');
  assert.ok((await width(row.locator('td.written'))) > 150);
  await picture(page, 'shown-values');
  await leave(page);
});

test('names with numbers are no graph, names with names are', async () => {
  const page = await visitors.open();
  const offers = async (query) => {
    const card = await ask(page, query, 'Ask for all');
    return card.locator('.views button').allInnerTexts();
  };
  assert.ok(!(await offers('member(Month-Sales, [jan-3, feb-5, mar-4])')).includes('Graph'));
  assert.ok(!(await offers('Starts = [design-0, parts-3, casting-0]')).includes('Graph'));
  assert.ok((await offers('member(X-Y, [a-b, b-c])')).includes('Graph'));
  await leave(page);
});

test('a negation that holds is not marked as wrong', async () => {
  const page = await visitors.open();
  const card = await ask(page, 'childless(jim)');
  await card.getByRole('button', { name: 'Why answer 1', exact: true }).click();
  const mark = card.locator('.how-negation .mark');
  const good = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--good)';
    return getComputedStyle(probe).color;
  });
  assert.equal(await style(mark, 'color'), good);
  await leave(page);
});

test('suggested queries stay where they are when one of them takes two lines in the box', async () => {
  const page = await visitors.open();
  await example(page, 'grammar.pl');
  const chips = page.locator('.suggestions');
  const long = chips.getByText('atomic_list_concat');
  await long.waitFor();
  const before = await chips.boundingBox();
  await long.click();
  await page.locator('.card[data-phase=more]').waitFor();
  assert.equal(await page.locator('.box .cm-line').count(), 1);
  assert.ok((await page.locator('.box .cm-content').boundingBox()).height > 40, 'it takes two lines');
  assert.deepEqual(await chips.boundingBox(), before);
  await leave(page);
});

test('the address of an endpoint is readable as a whole', async () => {
  const page = await visitors.open();
  await panel(page, 'DML');
  await page.getByLabel('Model', { exact: true }).selectOption('endpoint');
  const address = page.getByRole('textbox', { name: 'Address' });
  await address.fill('https://models.example.org/openai/v1');
  assert.ok(await address.evaluate((field) => field.scrollWidth <= field.clientWidth));
  await leave(page);
});

test('find and replace is written as the rest of the page, long lines wrap, and a body is indented by four', async () => {
  const page = await visitors.open();
  const editor = page.getByLabel('Clauses', { exact: true });
  await write(page, `% ${'word '.repeat(60)}\n`);
  assert.ok(await page.locator('.editor .cm-scroller').evaluate((one) => one.scrollWidth <= one.clientWidth));
  await write(page, 'happy(X) :-');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('parent(X, _).');
  assert.match(await editor.innerText(), /^happy\(X\) :-\n {4}parent/);
  await page.keyboard.press('ControlOrMeta+f');
  const search = page.locator('.cm-search');
  const sizes = await search
    .locator('input[type=text], input.cm-textfield, button, label')
    .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
  assert.ok(Math.min(...sizes) >= 12, sizes.join());
  await page.keyboard.press('Escape');
  await leave(page);
});

test('columns of problems count from 1, as lines do', async () => {
  const page = await visitors.open();
  await write(page, 'a(1).\nb(X) :- nosuch(X).\n');
  await page.locator('.problems .place').first().waitFor();
  assert.equal(await page.locator('.problems .place').first().innerText(), '2:9');
  await leave(page);
});

test("agents' messages are listed without the page's own, unless these are wanted", async () => {
  const page = await visitors.open();
  await panel(page, 'Agent');
  await page.getByRole('button', { name: 'Play an agent' }).click();
  await page.locator('.exchange[data-client=agent]').nth(3).waitFor();
  assert.equal(await page.locator('.exchange[data-client=page]').count(), 0);
  await page.getByLabel('Messages from').selectOption({ label: 'everyone' });
  assert.ok((await page.locator('.exchange[data-client=page]').count()) > 0);
  await leave(page);
});

test('on a low page the query box is only where queries are asked, and a dialog begins at its top', async () => {
  const page = await visitors.open({ viewport: { width: 640, height: 400 } });
  const box = page.getByRole('button', { name: 'Ask', exact: true });
  assert.ok(await box.isVisible());
  await panel(page, 'DML');
  assert.ok(await box.isHidden());
  await panel(page, 'Queries');
  assert.ok(await box.isVisible());
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  assert.equal(await page.getByRole('dialog').evaluate((one) => one.scrollTop), 0);
  await page.keyboard.press('Escape');
  await leave(page);
});
