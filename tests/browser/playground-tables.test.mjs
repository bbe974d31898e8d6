// Tables that are given to the page.
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
