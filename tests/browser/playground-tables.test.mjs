// Tables and other texts that are given to the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Visitors, ask, leave, looks, rows, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const give = (page, name, text) =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') });

/** Gives a table, and adds it as the preview shows it. */
async function add(page, name, text) {
  await give(page, name, text);
  await page.getByRole('button', { name: 'Add as facts' }).click();
}

/** Waits until the dialog is closed: the page behind it takes no input. */
const closed = (page) => page.getByRole('dialog').waitFor({ state: 'detached' });

const PEOPLE = 'name,age,town\nAnn,30,Ulm\nBob,41,Bonn\nCid,,Ulm\nDee,9,Köln\n';

/** The values that the rows of a table show, row by row. */
const shownRows = (page) =>
  page
    .locator('.table-grid tbody tr:not(.later)')
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())));

/** Waits until the rows have these values in the first column. */
const waitForRows = async (page, first) => {
  for (let tries = 0; ; tries += 1) {
    const now = (await shownRows(page)).map(([value]) => value);
    if (JSON.stringify(now) === JSON.stringify(first)) return;
    if (tries === 100) assert.deepEqual(now, first);
    await page.waitForTimeout(50);
  }
};

test('a CSV file becomes facts that can be asked, and what is wrong with one is said', async () => {
  const page = await visitors.open();
  await add(page, 'Sales 2026.csv', 'id;city;amount\r\n1;Köln;12,50\r\n2;Bonn;\r\n');
  await page.getByText('Imported Sales 2026.csv. sales_2026: 2 rows.').first().waitFor();
  assert.deepEqual(await rows(await ask(page, 'sales_2026(1, City, Amount)')), [["'Köln'", '12.5']]);
  assert.deepEqual(await rows(await ask(page, 'sales_2026(2, City, Amount)')), [["'Bonn'", 'null']]);
  await give(page, 'bad.csv', 'a,b\n1,"open\n');
  await page.getByRole('alert').getByText('line 2: a quote is opened and not closed').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Add as facts' }).isDisabled());
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await page.getByRole('tab', { name: 'bad.csv' }).count(), 0);
  await leave(page);
});

test('each sheet of a workbook becomes facts', async () => {
  const page = await visitors.open();
  const path = fileURLToPath(new URL('../support/workbooks/shop.xlsx', import.meta.url));
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.getByRole('button', { name: 'Add as facts' }).click();
  await page.getByText('Imported shop.xlsx. shop_orders: ').first().waitFor();
  assert.deepEqual(await rows(await ask(page, 'shop_orders(1001, Who, _, _, _, _), shop_customers(Who, Where)')), [
    ["'Anna'", "'DE'"],
  ]);
  await page.getByLabel('Table', { exact: true }).selectOption('shop_customers');
  assert.deepEqual((await shownRows(page))[0], ['Anna', 'DE']);
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
  await add(page, 'people.csv', 'name,age,home_town\nann,30,Ulm\nbob,41,Bonn\n');
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
  await add(page, 'people.csv', 'name,age\nann,30\nbob,41\n');
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

test('the preview changes the name, the columns and their types, and whether there is a header', async () => {
  const page = await visitors.open();
  await give(page, 'list.csv', '12,Ann\nX7,Bob\n');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 rows.').waitFor();
  assert.ok(!(await dialog.getByLabel('The first row has the names').isChecked()));
  await dialog.getByLabel('Name of column 1').fill('code');
  await dialog.getByLabel('Name of column 2').fill('who');
  await dialog.getByLabel('Type of code').selectOption('number');
  await dialog.getByText('are no numbers and stay text').waitFor();
  await dialog.getByLabel('Predicate').fill('Wrong name');
  await dialog.getByLabel('Predicate').press('Tab');
  await dialog.getByRole('alert').getByText('A predicate begins with a small letter').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Add as facts' }).isDisabled());
  await dialog.getByLabel('Predicate').fill('member_of');
  await dialog.getByLabel('Predicate').press('Tab');
  await dialog.getByRole('button', { name: 'Add as facts' }).click();
  await page.getByText('Imported list.csv. member_of: 2 rows.').first().waitFor();
  assert.deepEqual(await rows(await ask(page, 'member_of{code: Code, who: Who}', 'Ask for all')), [
    ['12', "'Ann'"],
    ["'X7'", "'Bob'"],
  ]);
  // The same file again: read as before, and what changed is said.
  await give(page, 'list.csv', '12,Ann\n13,Cid\n');
  await dialog.getByText('The book has this file: its rows are replaced.').waitFor();
  assert.equal(await dialog.getByLabel('Predicate').inputValue(), 'member_of');
  await dialog.getByRole('button', { name: 'Add as facts' }).click();
  await page.getByText('Imported list.csv. 1 new, 1 gone, 1 as before.').first().waitFor();
  await leave(page);
});

test('a table is shown as rows: sorted, searched and filtered, and asked for as they are shown', async () => {
  const page = await visitors.open();
  await add(page, 'people.csv', Buffer.from(PEOPLE).toString('latin1'));
  const grid = page.locator('.table-grid');
  await grid.getByText('4 rows').waitFor();
  assert.deepEqual(await shownRows(page), [
    ['Ann', '30', 'Ulm'],
    ['Bob', '41', 'Bonn'],
    ['Cid', 'null', 'Ulm'],
    ['Dee', '9', 'Köln'],
  ]);
  await grid.getByRole('button', { name: 'age' }).click();
  await waitForRows(page, ['Dee', 'Ann', 'Bob', 'Cid']);
  assert.equal(await grid.locator('th[aria-sort]').getAttribute('aria-sort'), 'ascending');
  await grid.getByRole('button', { name: 'age' }).click();
  await waitForRows(page, ['Cid', 'Bob', 'Ann', 'Dee']);
  await grid.getByRole('button', { name: 'Filters' }).click();
  await grid.getByLabel('Filter age').fill('>= 10');
  await waitForRows(page, ['Bob', 'Ann']);
  await grid.getByText('2 of 4 rows').waitFor();
  await grid.getByRole('button', { name: 'Ask for these rows' }).click();
  const card = page.locator('.card').first();
  await card.locator('tr[data-answer="2"]').waitFor();
  assert.deepEqual(await rows(card), [
    ['41', "'Bob'", "'Bonn'"],
    ['30', "'Ann'", "'Ulm'"],
  ]);
  await grid.getByLabel('Filter age').fill('');
  await grid.getByLabel('Filter town').fill('=Ulm');
  await grid.getByLabel('Search all columns').fill('CI');
  await waitForRows(page, ['Cid']);
  await grid.getByRole('button', { name: 'Ask for these rows' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.card').length === 2);
  await card.locator('tr[data-answer="1"]').waitFor();
  assert.deepEqual(await rows(card), [['null', "'Cid'"]]);
  // A proof leads to the row, even if it was filtered out.
  const other = await ask(page, "people('Bob', Age, _)");
  await other.getByRole('button', { name: 'Why', exact: false }).first().click();
  await other.getByRole('button', { name: 'people.csv:3' }).first().click();
  await page.locator('.table-grid tr.pointed[data-line="3"]').waitFor();
  // The facts are there, too.
  await page.getByRole('button', { name: 'Facts' }).click();
  await page.locator('.editor').getByText("people('Ann', 30, 'Ulm').").waitFor();
  await leave(page);
});

test('goals for a table are offered', async () => {
  const page = await visitors.open();
  await add(page, 'people.csv', PEOPLE);
  await page.getByRole('button', { name: 'people(Name, Age, Town)' }).waitFor();
  await page.getByRole('button', { name: 'aggregate_all(sum(Age), (people{age: Age}, number(Age)), Sum)' }).click();
  const card = page.locator('.card').first();
  await card.locator('tr[data-answer="1"]').waitFor();
  assert.equal((await rows(card))[0].at(-1), '80');
  await leave(page);
});

test('a table that is pasted as text stays text unless somebody wants facts', async () => {
  const page = await visitors.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  const cells = 'item\tprice\nTea\t2,50\nMilk\t1,20\n';
  await write(page, 'p(1).\tp(2).\nq(1).\tq(2).\n');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  await page.keyboard.press('ControlOrMeta+v');
  await page.locator('.editor').getByText('q(2)').waitFor();
  assert.equal(await page.getByText('This looks like a table').count(), 0, 'clauses with tabs are no table');
  await page.evaluate((text) => navigator.clipboard.writeText(text), cells);
  await write(page, 'p(1).\n');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+v');
  await page.locator('.editor').getByText('Milk').waitFor();
  await page.getByText('This looks like a table: item price').first().waitFor();
  // What is typed before it moves it.
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('r(1). ');
  await page.getByRole('button', { name: 'Add it as facts' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 rows.').waitFor();
  await dialog.getByLabel('Predicate').fill('price');
  await dialog.getByLabel('Predicate').press('Tab');
  await dialog.getByRole('button', { name: 'Add as facts' }).click();
  await page.getByRole('tab', { name: 'price.tsv', selected: true }).waitFor();
  await closed(page);
  assert.deepEqual(await rows(await ask(page, "price('Tea', P)")), [['2.5']]);
  await page.getByRole('tab', { name: 'family.pl' }).click();
  assert.equal((await page.locator('.editor .cm-content').innerText()).trim(), 'r(1). p(1).');
  // What was changed is not taken out, and that is said.
  await page.keyboard.press('Escape');
  await page.locator('.editor .cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+v');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.getByRole('button', { name: 'Add it as facts' }).click();
  await dialog.getByText('2 rows.').waitFor();
  await dialog.getByRole('button', { name: 'Add as facts' }).click();
  await page.getByText('Its text was changed in family.pl and is still there: delete it.').first().waitFor();
  await leave(page);
});

test('a table is pasted by the menu, and anywhere outside of text fields', async () => {
  const page = await visitors.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Files', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Paste a table…' }).click();
  await page.getByLabel('The table').fill('a,b\n1,2\n');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Add as facts' }).click();
  await page.getByRole('tab', { name: 'pasted.csv', selected: true }).waitFor();
  await closed(page);
  await page.evaluate((text) => navigator.clipboard.writeText(text), 'x\ty\n3\t4\n');
  await page.getByRole('tab', { name: 'pasted.csv' }).focus();
  await page.keyboard.press('ControlOrMeta+v');
  await page.getByRole('button', { name: 'Add as facts' }).click();
  await page.getByRole('tab', { name: 'pasted.tsv', selected: true }).waitFor();
  await closed(page);
  assert.deepEqual(await rows(await ask(page, 'pasted(A, B)', 'Ask for all')), [
    ['1', '2'],
    ['3', '4'],
  ]);
  await leave(page);
});

test('several files are dropped anywhere, and those that are tables are added at once', async () => {
  const page = await visitors.open();
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['a,b\n1,2\n'], 'one.csv'));
    transfer.items.add(new File(['- {c: 3}\n- {c: 4}\n'], 'two.yaml'));
    transfer.items.add(new File(['a,b\n1,"'], 'broken.csv'));
    return transfer;
  });
  await page.dispatchEvent('.queries', 'drop', { dataTransfer: dropped });
  await page.getByRole('button', { name: 'Add 2 files' }).click();
  await page.getByRole('tab', { name: 'two.yaml', selected: true }).waitFor();
  await closed(page);
  assert.deepEqual(await rows(await ask(page, 'one(A, B), two(C)', 'Ask for all')), [
    ['1', '2', '3'],
    ['1', '2', '4'],
  ]);
  assert.equal(await page.getByRole('tab', { name: 'broken.csv' }).count(), 0);
  await leave(page);
});

test('a file that is not UTF-8 is told of before it is added, and so is a text', async () => {
  const page = await visitors.open();
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    const euro = (before) => [before, new Uint8Array([0x80]), '\n'];
    transfer.items.add(new File(euro('word\n'), 'w.csv'));
    transfer.items.add(new File(euro('word '), 'w.txt'));
    return transfer;
  });
  await page.dispatchEvent('.queries', 'drop', { dataTransfer: dropped });
  await page.getByRole('dialog').getByText('w.csv is not UTF-8: it was read as Windows-1252.').waitFor();
  await page.getByRole('button', { name: 'Add 2 files' }).click();
  await page.getByText('w.txt is not UTF-8: it was read as Windows-1252.').first().waitFor();
  assert.deepEqual(await rows(await ask(page, 'w(W)')), [['€']]);
  await leave(page);
});

/** Drops files, given as `[name, text]`. */
async function drop(page, ...files) {
  const dropped = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const [name, text] of all) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent('.queries', 'drop', { dataTransfer: dropped });
}

test('what was chosen for a table goes with the names of its columns when it is given again', async () => {
  const page = await visitors.open();
  const dialog = page.getByRole('dialog');
  await give(page, 't.csv', 'name,age\nAnn,30\n');
  await dialog.getByText('1 row.').waitFor();
  await dialog.getByLabel('Name of column 2').fill('years');
  await dialog.getByLabel('Type of age').selectOption('text');
  await dialog.getByLabel('Predicate').fill('tt');
  // Enter confirms.
  await dialog.getByLabel('Predicate').press('Enter');
  await page.getByText('Imported t.csv. tt: 1 row.').first().waitFor();
  await give(page, 't.csv', 'age,name\n30,Ann\n');
  await dialog.getByText('Its columns were name, years: look at the rules that use tt.').waitFor();
  assert.equal(await dialog.getByLabel('Name of column 1').inputValue(), 'years');
  assert.equal(await dialog.getByLabel('Type of years').inputValue(), 'text');
  assert.equal(await dialog.getByLabel('Name of column 2').inputValue(), 'name');
  await dialog.getByRole('button', { name: 'Add as facts' }).click();
  await page.getByText('Imported t.csv. 1 new, 1 gone').first().waitFor();
  assert.deepEqual(await rows(await ask(page, 'tt{name: N, years: A}')), [["'30'", "'Ann'"]]);
  await give(page, 't.csv', 'name,town\nAnn,Ulm\n');
  await dialog.getByText('It has other columns than before: what was chosen for age is left out.').waitFor();
  assert.equal(await dialog.getByLabel('Name of column 2').inputValue(), 'town');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await leave(page);
});

test('of several files each is added or refused with its reason, and one undo takes all back', async () => {
  const page = await visitors.open();
  const dialog = page.getByRole('dialog');
  const tab = (name) => page.getByRole('tab', { name, exact: true });
  const files = [
    ['a.csv', 'x\n1\n2\n'],
    ['is.csv', 'x,y\n1,2\n'],
    ['a.csv', 'x\n3\n'],
    ['parent.csv', 'x,y\n5,6\n'],
    ['p.pl', 'q(1).\n'],
    ['photo.png', '\u0089PNG\0\0'],
  ];
  await drop(page, ...files);
  await page.getByText('photo.png was not added: it is neither text nor a workbook.').first().waitFor();
  await dialog.getByText('With them: p.pl.').waitFor();
  await dialog.getByText('Several files are called a.csv: this one becomes a (2).csv.').waitFor();
  await dialog.getByText('is/2 belongs to the system. Choose another name.').waitFor();
  await dialog.getByText('parent/2 has clauses in family.pl: these rows are added to them.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await tab('p.pl').count(), 0, 'nothing is added if somebody cancels');
  await drop(page, ...files);
  await dialog.getByText('is/2 belongs to the system. Choose another name.').waitFor();
  await dialog.getByRole('button', { name: 'Add 4 files' }).click();
  await dialog.getByText('Added p.pl, a.csv, a (2).csv, parent.csv. Not added: is.csv.').waitFor();
  await dialog.getByLabel('Predicate').fill('append');
  await dialog.getByLabel('Predicate').press('Tab');
  await dialog.getByRole('button', { name: 'Add 1 file' }).click();
  await page.getByText('a: 2 rows. Imported a (2).csv. a_2: 1 row.').first().waitFor();
  assert.deepEqual(await rows(await ask(page, 'a(2), a_2(X), parent(5, Y), q(Z), append(1, W)')), [
    ['3', '6', '1', '2'],
  ]);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await tab('is.csv').waitFor({ state: 'detached' });
  for (const name of ['a.csv', 'a (2).csv', 'parent.csv', 'p.pl']) assert.equal(await tab(name).count(), 0, name);
  // Two of one drop may be one predicate.
  await drop(page, ['u.csv', 'x\n1\n'], ['u.json', '[{"x": 2}]']);
  await dialog.getByText('u.json has u/1, too: it gets the rows of both.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await leave(page);
});

test('a grid and its goal agree about numbers, texts of digits, and missing values', async () => {
  const page = await visitors.open();
  await add(page, 'm.csv', 'n,code,v\n1e3,007,a\n,1,b\n12.50,01,c\n-7,1,d\n');
  const grid = page.locator('.table-grid');
  await grid.getByText('4 rows').waitFor();
  await waitForRows(page, ['1000.0', 'null', '12.5', '-7']);
  await grid.getByRole('button', { name: 'Filters' }).click();
  const agree = async (first) => {
    await waitForRows(page, first);
    const before = await page.locator('.card').count();
    await grid.getByRole('button', { name: 'Ask for these rows' }).click();
    await page.waitForFunction((count) => document.querySelectorAll('.card').length > count, before);
    const card = page.locator('.card').first();
    await card.locator(`tr[data-answer="${first.length}"]`).waitFor();
    assert.deepEqual(await card.locator('tbody tr').count(), first.length);
    return rows(card);
  };
  const filter = (column) => grid.getByLabel(`Filter ${column}`);
  await filter('code').fill('=1');
  await agree(['null', '-7']);
  await filter('code').fill('');
  await filter('n').fill('>=1e2');
  await agree(['1000.0']);
  await filter('n').fill('00.0');
  await agree(['1000.0']);
  await filter('n').fill('');
  for (const direction of ['ascending', 'descending']) {
    await grid.getByRole('button', { name: 'n', exact: true }).click();
    const order = ['-7', '12.5', '1000.0', 'null'];
    if (direction === 'descending') order.reverse();
    assert.deepEqual(
      (await agree(order)).map((row) => row.find((cell) => order.includes(cell))),
      order,
    );
  }
  await leave(page);
});

test('of 100,000 rows only those near the visible ones are drawn', async () => {
  const page = await visitors.open();
  const lines = Array.from({ length: 100_000 }, (_, n) => `${n + 1},row ${(n * 7919) % 100_000}`);
  await add(page, 'many.csv', `id,text\n${lines.join('\n')}\n`);
  const grid = page.locator('.table-grid');
  await grid.getByText('100,000 rows').waitFor();
  await grid.locator('.scroll').evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
  await grid.locator('tr[data-line="100001"]').waitFor();
  assert.ok((await grid.locator('tr[data-line]').count()) <= 1500);
  await grid.getByLabel('Search all columns').fill('row 4242');
  await grid.getByText(/^\d+ of 100,000 rows$/).waitFor();
  assert.equal(await grid.getByText(/^\d+ of 100,000 rows$/).innerText(), '11 of 100,000 rows');
  await leave(page);
});

for (const { name, options, look } of looks) {
  test(`a table and its preview have no flaw of accessibility and fit, ${name}`, async () => {
    const page = await visitors.open(options);
    await give(page, 'people.csv', PEOPLE);
    await page.getByRole('dialog').getByText('4 rows.').waitFor();
    await look(page, 'table-preview');
    await page.getByRole('button', { name: 'Add as facts' }).click();
    await page.locator('.table-grid').getByText('4 rows').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await look(page, 'table');
    await leave(page);
  });
}
