// Tables and other texts that are given to the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Visitors, ask, leave, rows, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const give = (page, name, text) =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') });

test('a CSV file becomes facts that can be asked, and what is wrong with one is said', async () => {
  const page = await visitors.open();
  await give(page, 'Sales 2026.csv', 'id;city;amount\r\n1;Köln;12,50\r\n2;Bonn;\r\n');
  await page
    .getByText('Imported Sales 2026.csv. sales_2026(id number; city text; amount number, 1 null): 2 rows.')
    .first()
    .waitFor();
  assert.deepEqual(await rows(await ask(page, 'sales_2026(1, City, Amount)')), [["'Köln'", '12.5']]);
  assert.deepEqual(await rows(await ask(page, 'sales_2026(2, City, Amount)')), [["'Bonn'", 'null']]);
  await give(page, 'bad.csv', 'a,b\n1,"open\n');
  await page.getByText('line 2: a quote is opened and not closed').first().waitFor();
  await leave(page);
});

test('each sheet of a workbook becomes facts', async () => {
  const page = await visitors.open();
  const path = fileURLToPath(new URL('../support/workbooks/shop.xlsx', import.meta.url));
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page
    .getByText('Imported shop.xlsx. shop_orders(id number; customer text; amount number, 1 null;')
    .first()
    .waitFor();
  assert.deepEqual(await rows(await ask(page, 'shop_orders(1001, Who, _, _, _, _), shop_customers(Who, Where)')), [
    ["'Anna'", "'DE'"],
  ]);
  await leave(page);
});

test('a text becomes a document: shown without problems, read by goals, edited, undone, removed', async () => {
  const page = await visitors.open();
  await give(page, 'notes.md', '# Notes\nIt is not Prolog (at all.\n');
  await page.getByText('Imported notes.md.').first().waitFor();
  await page.getByText('document, 34 characters').waitFor();
  await page.getByRole('button', { name: "read_file_to_string('notes.md', Text, [])" }).waitFor();
  assert.deepEqual(await rows(await ask(page, "read_file_to_string('notes.md', T, []), string_length(T, N)")), [
    ['"# Notes\\nIt is not Prolog (at all.\\n"', '34'],
  ]);
  assert.equal(await page.locator('.problems li').count(), 0);
  await page.locator('.cm-content').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('More.');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved notes.md.').first().waitFor();
  assert.deepEqual(await rows(await ask(page, "read_file_to_string('notes.md', T, []), string_length(T, N), T = T0")), [
    ['"# Notes\\nIt is not Prolog (at all.\\nMore."', '39', '"# Notes\\nIt is not Prolog (at all.\\nMore."'],
  ]);
  await page.getByRole('button', { name: 'Remove' }).first().click();
  await page.getByText('Removed notes.md.').first().waitFor();
  await ask(page, "exists_file('notes.md')");
  await leave(page);
});

test('the columns of a table are shown and completed', async () => {
  const page = await visitors.open();
  await give(page, 'people.csv', 'name,age,home_town\nann,30,Ulm\nbob,41,Bonn\n');
  await page.getByText('Imported people.csv.').first().waitFor();
  await page.getByRole('tab', { name: 'family.pl' }).click();
  await page.getByLabel('Clauses', { exact: true }).focus();
  const completed = async (text) => {
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(text);
    await page.keyboard.press('Control+Space');
    const list = page.locator('.cm-tooltip-autocomplete');
    await list.waitFor();
    return list.locator('li').allInnerTexts();
  };
  assert.deepEqual(
    (await completed('\nold(N) :- peop')).filter((shown) => shown.startsWith('people')),
    ['people(name, age, home_town)'],
  );
  const accept = () => page.locator('.cm-tooltip-autocomplete li').first().click();
  await accept();
  await page.getByText('old(N) :- people(Name, Age, HomeTown)').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+End');
  assert.deepEqual(await completed(', people{age: A, '), ['home_town', 'name']);
  await accept();
  await page.getByText('people{age: A, home_town: HomeTown').waitFor();
  await page.getByLabel('Query', { exact: true }).fill('people(N, A, T)');
  await page.locator('.box .pl-functor').hover();
  assert.match(await page.locator('.about-predicate').innerText(), /people\(name, age, home_town\)\s+2 clauses/);
  await leave(page);
});

test('a rule that names columns is saved as the plain goal, and the editor shows it', async () => {
  const page = await visitors.open();
  await give(page, 'people.csv', 'name,age\nann,30\nbob,41\n');
  await page.getByText('Imported people.csv.').first().waitFor();
  await page.getByRole('tab', { name: 'family.pl' }).click();
  await write(page, 'old(N) :- people{age: A, name: N}, A > 40.\n');
  await save(page);
  await page.locator('.editor').getByText('old(N) :- people(N, A), A > 40.').waitFor();
  assert.deepEqual(await rows(await ask(page, 'old(Who)')), [['bob']]);
  await write(page, 'old(N) :- people{age: A, name: N}, A > 20.\n');
  await save(page);
  assert.deepEqual(await rows(await ask(page, 'old(Who)')), [['ann']]);
  await leave(page);
});
