// Help in place: what is wrong in a query or a text, with a fix by one click, and what and where a predicate is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, newest, rows, save, settled, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

test('an error in a query is underlined, explained in a sentence, and fixed by one click', async () => {
  const page = await visitors.open();
  for (const [query, wrong, message, repairs] of [
    ['ancestor(tom)', 'ancestor', 'ancestor takes 2 arguments, not 1.', ['ancestor(tom, _)']],
    ['ancester(tom, X)', 'ancester', 'ancester/2 is not defined. Did you mean ancestor/2?', ['ancestor(tom, X)']],
    ['Ancestor(tom, X)', 'Ancestor', 'Predicate names start with a lower-case letter: ancestor.', ['ancestor(tom, X)']],
    ['parent(tom X)', 'X', 'A comma or an operator is missing before X.', ['parent(tom, X)']],
    ['append([parent(tom, X)], [Y', 'Y', '])', ['append([parent(tom, X)], [Y])']],
    ['parent(tom, X))', ')', 'Nothing opens this ).', ['parent(tom, X)']],
    ['X = "abc', '"abc', 'Unterminated string that opens here.', ['X = "abc"']],
    [
      'parent(tom, X). parent(X, Y)',
      'parent',
      'A query ends at the first period.',
      ['parent(tom, X), parent(X, Y)', 'parent(tom, X)'],
    ],
    [
      'female(Ada Lovelace)',
      'Lovelace',
      'A comma or an operator is missing before Lovelace.',
      ['female(Ada, Lovelace)', "female('Ada Lovelace')"],
    ],
    ['parent(tom, X) & parent(X, Y)', '&', '& is not an operator in Prolog: write a comma for and', []],
  ]) {
    const card = await ask(page, query);
    assert.equal(await card.locator('.goal .wrong').innerText(), wrong, query);
    assert.ok((await card.getByRole('alert').innerText()).includes(message), query);
    assert.deepEqual(await card.locator('.repairs button').allInnerTexts(), repairs, query);
  }
  const wrong = await ask(page, 'ancester(tom, Who)');
  // In the query box too, as long as it is there.
  assert.equal(await page.locator('.box .cm-lintRange-error').innerText(), 'ancester');
  await wrong.getByRole('button', { name: 'ancestor(tom, Who)' }).click();
  assert.deepEqual(await rows(await settled(await newest(page))), [['bob']]);
  assert.equal(await page.locator('.box .cm-lintRange-error').count(), 0);
  const refused = await ask(page, 'shell(ls)');
  assert.match(
    await refused.getByRole('alert').innerText(),
    /^shell\/1 is not available: queries run in a sandbox\. Nothing here reaches the operating system: /,
  );
  const read = await ask(page, 'load_files(family, [])');
  assert.match(
    await read.getByRole('alert').innerText(),
    /^load_files\/2 is not available: .* Drop the file into this page instead\.$/,
  );
  for (const query of ['consult(foo)', "open('foo.txt', read, S)"]) {
    const said = await (await ask(page, query)).getByRole('alert').innerText();
    assert.match(said, /foo.* \(in \w+\/\d\): the book has no such file\. Drop it into this page\.$/, query);
  }
  const library = await ask(page, 'use_module(library(socket))');
  assert.equal(
    await library.getByRole('alert').innerText(),
    'library(socket) is not allowed: nothing here reaches the operating system; assert what the program needs of it as facts.',
  );
  await leave(page);
});

test('endless recursion is reported with its predicate and the size of the stack', async () => {
  const page = await visitors.open();
  await write(page, 'deep(X) :- deep(f(X)), g.\ng.\n');
  const card = await ask(page, 'deep(1)');
  assert.match(
    await card.getByRole('alert').innerText(),
    /^Out of stack \(128 MB\)\. deep\/1 calls itself.* Is the recursion infinite\?$/,
  );
  await leave(page);
});

test('problems in the text are fixed by one click', async () => {
  const page = await visitors.open();
  // Names are suggested from the book.
  await write(page, 'likes(ada, tea).\n');
  await save(page);
  await write(page, 'likes(ada, tea)\nlikes(boole, tea).\na(X, Y) :- likez(X, b).\n');
  await page.getByRole('button', { name: 'Insert a period' }).click();
  await page.getByRole('button', { name: 'Write likes' }).click();
  await page.getByRole('button', { name: 'Write _Y', exact: true }).click();
  await page.waitForFunction(() => document.querySelector('.problems').hidden);
  assert.match(
    await page.getByLabel('Clauses', { exact: true }).innerText(),
    /^likes\(ada, tea\)\.\nlikes\(boole, tea\)\.\na\(X, _Y\) :- likes\(X, b\)\./,
  );
  await leave(page);
});

test('a predicate that calls itself first is tabled by one click, and then ends', async () => {
  const page = await visitors.open();
  await write(page, 'edge(a, b).\nedge(b, c).\npath(X, Z) :- path(X, Y), edge(Y, Z).\npath(X, Y) :- edge(X, Y).\n');
  await page.getByRole('button', { name: 'Declare it' }).click();
  await page.waitForFunction(() => document.querySelector('.problems').hidden);
  assert.match(
    await page.getByLabel('Clauses', { exact: true }).innerText(),
    /^edge\(b, c\)\.\n:- table path\/2\.\npath\(X, Z\)/m,
  );
  assert.ok(
    await page.getByLabel('Clauses', { exact: true }).evaluate((editor) => editor.contains(document.activeElement)),
  );
  assert.deepEqual((await rows(await ask(page, 'path(a, X)', 'Ask for all'))).sort(), [['b'], ['c']]);
  await save(page);
  // The saved table does not count for a text without it; the directive goes above what is said about the clause.
  await write(
    page,
    "edge(a, b).\n%!  'my path'(?X, ?Z) is nondet.\n%\n%   Along edges.\n'my path'(X, Z) :- 'my path'(X, Y), edge(Y, Z).\n'my path'(X, Y) :- edge(X, Y).\n",
  );
  await page.getByRole('button', { name: 'Declare it' }).click();
  await page.waitForFunction(() => document.querySelector('.problems').hidden);
  assert.match(
    await page.getByLabel('Clauses', { exact: true }).innerText(),
    /^edge\(a, b\)\.\n:- table 'my path'\/2\.\n%! {2}'my path'/m,
  );
  await write(page, 'edge(a, b).\npath(X, Z) :- path(X, Y), edge(Y, Z).\npath(X, Y) :- edge(X, Y).\n');
  await page.getByRole('button', { name: 'Declare it' }).waitFor();
  await leave(page);
});

test('pointing at a predicate shows what it is; F12 goes to its clauses, Shift+F12 lists its occurrences', async () => {
  const page = await visitors.open();
  await write(
    page,
    '% Who drinks what.\nlikes(ada, tea).\nlikes(boole, tea).\n\nguest(X) :- likes(X, tea), msort([], _), zzz(X).\n',
  );
  const over = async (name) => {
    await page.mouse.move(5, 5);
    await page.locator('.cm-tooltip').waitFor({ state: 'detached' });
    await page.locator('.editor .pl-functor', { hasText: name }).first().hover();
    const text = await page.locator('.about-predicate').innerText();
    return text.replaceAll(/\s+/g, ' ');
  };
  assert.equal(await over('likes'), 'likes/2 Who drinks what. 2 clauses, family.pl:2, 3. F12 goes there.');
  assert.match(await over('msort'), /^msort\(\+List, -Sorted\) is det Sorted by the standard order/);
  assert.match(await over('zzz'), /^zzz\/1 Not defined in your book/);
  await page.keyboard.press('Escape');
  await page.getByLabel('Query', { exact: true }).fill('guest(Who)');
  await page.locator('.box .pl-functor').hover();
  assert.match(await page.locator('.about-predicate').innerText(), /guest\/1/);
  await page.getByLabel('Query', { exact: true }).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('F12');
  await page.locator('.cm-pointed').waitFor();
  assert.match(await page.locator('.cm-pointed').innerText(), /^guest\(X\)/);
  await page
    .locator('.editor .cm-line')
    .nth(1)
    .click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Shift+F12');
  const list = page.getByRole('dialog', { name: 'likes/2: 3 places' });
  await list.getByRole('button', { name: 'family.pl:5' }).click();
  assert.match(await page.locator('.cm-pointed').innerText(), /^guest\(X\)/);
  await leave(page);
});
