// Tables and other texts that are given to the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, rows } from './playground.mjs';

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
