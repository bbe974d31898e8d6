// Files of modules in the playground: a name leads to the predicate that calling it would reach.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, leave, ready, underlined } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const FILES = {
  'one.pl':
    ':- module(one, [walk/2]).\n:- include(part).\n\n% One further.\nstep(X, Y) :- Y is X + 1.\nwalk(X, Z) :- step(X, Y), turn(Y, Z).\n',
  'part.pl': 'turn(X, Y) :- step(X, Y).\n',
  'two.pl': ':- module(two, [run/1]).\n\nstep(X, Y) :- Y is X * 2.\nrun(X) :- step(1, X), stride(X).\nstride(_).\n',
  'user.pl': 'go(X) :- walk(1, X), one:step(X, _), turn(X, _).\n\n',
};

/** A page with these files in its editor. */
async function withFiles() {
  const page = await visitors.open();
  await page.evaluate((files) => localStorage.setItem('hornbook.drafts', JSON.stringify(files)), FILES);
  await page.reload();
  await ready(page);
  return page;
}

/** Opens the file with this name, with the cursor before `mark` in line `line`, from 0. */
async function at(page, file, line, mark) {
  await page.getByRole('tab', { name: file }).click();
  await page.getByLabel('Clauses', { exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+Home');
  for (let n = 0; n < line; n += 1) await page.keyboard.press('ArrowDown');
  const before = FILES[file].split('\n')[line].indexOf(mark);
  for (let n = 0; n < before; n += 1) await page.keyboard.press('ArrowRight');
}

const shown = (page) => page.locator('#files [aria-selected="true"]').innerText();

test('F12 goes to the clauses in the module that is meant', async () => {
  const page = await withFiles();
  for (const [file, line, mark, to, clause] of [
    ['two.pl', 3, 'step', 'two.pl', /^step\(X, Y\) :- Y is X \* 2/],
    ['part.pl', 0, 'step', 'one.pl', /^step\(X, Y\) :- Y is X \+ 1/],
    ['one.pl', 5, 'turn', 'part.pl', /^turn\(/],
    ['user.pl', 0, 'step', 'one.pl', /^step\(X, Y\) :- Y is X \+ 1/],
    ['user.pl', 0, 'walk', 'one.pl', /^walk\(/],
  ]) {
    await at(page, file, line, mark);
    await page.keyboard.press('F12');
    await page.locator('.cm-pointed').waitFor();
    assert.match(await page.locator('.cm-pointed').innerText(), clause, `${mark} of ${file}`);
    assert.ok((await shown(page)).startsWith(to), `${mark} of ${file}`);
    await page.keyboard.press('ArrowRight');
  }
  await leave(page);
});

test('Shift+F12 lists the occurrences of that predicate only, including those in the query', async () => {
  const page = await withFiles();
  const places = async (name) => {
    const list = page.getByRole('dialog', { name });
    await list.waitFor();
    const found = await list.locator('.places button').allInnerTexts();
    await list.getByRole('button', { name: 'Close' }).click();
    return found;
  };
  await at(page, 'one.pl', 4, 'step');
  await page.keyboard.press('Shift+F12');
  assert.deepEqual(await places('step/2: 4 places'), ['one.pl:5', 'one.pl:6', 'part.pl:1', 'user.pl:1']);
  await page.getByLabel('Query', { exact: true }).fill('two:step(1, X)');
  await page.getByLabel('Query', { exact: true }).press('ArrowLeft');
  for (let n = 0; n < 'step(1, X)'.length - 1; n += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+F12');
  assert.deepEqual(await places('two:step/2: 2 places'), ['two.pl:3', 'two.pl:4']);
  await leave(page);
});

test('pointing at a predicate private to a module shows how to call it, and none of them is underlined in its own file', async () => {
  const page = await withFiles();
  await page.getByRole('tab', { name: 'user.pl' }).click();
  const over = async (name) => {
    await page.mouse.move(5, 5);
    await page.locator('.cm-tooltip').waitFor({ state: 'detached' });
    await page.locator('.editor .pl-functor', { hasText: name }).first().hover();
    return (await page.locator('.about-predicate').innerText()).replaceAll(/\s+/g, ' ');
  };
  assert.match(
    await over('turn'),
    /turn\/2 is of the module one \(one\.pl\), .* call one:turn\(A, B\) or export it\.$/,
  );
  assert.equal(await over('step'), 'one:step/2 One further. 1 clause, one.pl:5. F12 goes there.');
  await page.getByRole('tab', { name: 'one.pl' }).click();
  assert.deepEqual(await underlined(page, 'error'), []);
  await leave(page);
});

test('completion offers what can be called at the cursor', async () => {
  const page = await withFiles();
  const completed = async (file, text) => {
    await page.getByRole('tab', { name: file }).click();
    await page.getByLabel('Clauses', { exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(text);
    await page.keyboard.press('Control+Space');
    const list = page.locator('.cm-tooltip-autocomplete');
    await list.waitFor();
    const found = await list.locator('li .cm-completionLabel').allInnerTexts();
    await page.keyboard.press('Escape');
    return found;
  };
  // The files are read once the editor has seen one of them.
  await at(page, 'user.pl', 0, 'walk');
  await page.keyboard.press('Shift+F12');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const names = (all) => all.filter((name) => ['step', 'stride'].includes(name));
  assert.deepEqual(names(await completed('two.pl', 'a :- st')), ['step', 'stride']);
  assert.deepEqual(names(await completed('user.pl', 'a :- st')), []);
  assert.deepEqual(names(await completed('user.pl', ', one:s')), ['step']);
  await leave(page);
});

test('the goal at the cursor runs in the module of its file', async () => {
  const page = await withFiles();
  for (const [file, line, asked] of [
    ['two.pl', 4, /^two:stride\(_\)$/],
    ['user.pl', 0, /^go\(X\)/],
  ]) {
    await at(page, file, line, '');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.card').first().waitFor();
    assert.match(await page.getByLabel('Query', { exact: true }).innerText(), asked);
  }
  await leave(page);
});
