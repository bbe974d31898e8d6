// What the playground shows beside answers: proofs, pictures, the agent's side; and what the page as a whole promises.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ROOT } from './harness.mjs';
import {
  Visitors,
  ask,
  begin,
  example,
  leave,
  looks,
  offline,
  panel,
  picture,
  ready,
  rows,
  save,
  write,
} from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

/** Opens the proof of an answer; returns its lines, with their depth. */
async function why(card, answer = 1) {
  await card.getByRole('button', { name: `Why answer ${answer}`, exact: true }).click();
  await card.locator('.proof-tree').first().waitFor();
  return card.locator('.proof-tree li').evaluateAll((all) =>
    all.map((one) => {
      const line = one.querySelector('.proof-line');
      const depth = [...document.querySelectorAll('.proof-tree ul')].filter((list) => list.contains(one)).length;
      return `${'  '.repeat(depth)}${[...line.children].map((part) => part.innerText).join(' | ')}`;
    }),
  );
}

test('an answer explains itself: the clauses, their lines, what was not provable', async () => {
  const page = await visitors.open();
  const ancestor = await ask(page, 'ancestor(tom, ann)');
  assert.deepEqual(await why(ancestor), [
    'ancestor(tom,ann) | family.pl:25',
    '  parent(tom,bob) | family.pl:8',
    '  ancestor(bob,ann) | family.pl:24',
    '    parent(bob,ann) | family.pl:11',
  ]);
  await example(page, 'queens.pl');
  await ancestor.getByRole('button', { name: 'family.pl:25' }).click();
  await page.getByRole('tab', { name: 'family.pl', selected: true }).waitFor();
  assert.match(await page.locator('.cm-pointed').innerText(), /^ancestor\(X, Z\) :-/);
  const childless = await ask(page, 'childless(W)', 'Ask for all');
  const lines = await why(childless, 3);
  assert.equal(lines[0], 'childless(ann) | family.pl:39');
  assert.ok(
    lines.some((line) => /\\\+parent\(ann,_\w*\) \| not provable/.test(line)),
    lines.join('\n'),
  );
  await picture(page, 'proof');
  await leave(page);
});

test('a proof is honest about constraints, tables, cuts and what SWI-Prolog does itself', async () => {
  const page = await visitors.open();
  await write(
    page,
    ':- table t/1.\nt(1).\np(X) :- X #> 3, X #< 6.\nq(X) :- t(X), !, Y is X + 1, Y > 1.\nr :- \\+ fail.\n',
  );
  await save(page);
  const lines = async (query) => {
    const card = await ask(page, query);
    return why(card);
  };
  assert.deepEqual(
    (await lines('p(X)')).map((line) => line.split(' | ')[1]),
    ['family.pl:3', 'constraint', 'constraint'],
  );
  const steps = await lines('q(X)');
  assert.deepEqual(
    steps.map((line) => line.split(' | ')[1]),
    ['family.pl:4', 'family.pl:2', 'cut', 'built in', 'built in'],
  );
  const card = page.locator('.card').first();
  await card.getByLabel('Steps of SWI-Prolog itself').uncheck();
  assert.equal(await card.locator('.proof-tree li:visible').count(), 2);
  const added = await ask(page, 'assertz(seen(1)), seen(X)');
  assert.equal((await why(added)).at(-1), 'seen(1) | added by a query');
  await leave(page);
});

test('queens are on a board, a Sudoku in its grid, and edges are a graph', async () => {
  const page = await visitors.open();
  await example(page, 'queens.pl');
  const queens = await ask(page, 'queens(6, Qs)');
  assert.equal(await queens.locator('svg.board text').count(), 6);
  assert.match(await queens.locator('svg.board').getAttribute('aria-label'), /stand in the rows 2, 4, 6, 1, 3, 5/);
  await example(page, 'puzzles.pl');
  const sudoku = await ask(page, 'problem(1, Rows), sudoku(Rows), maplist(labeling([ff]), Rows)');
  assert.equal(await sudoku.locator('table.grid td').count(), 81);
  await picture(page, 'sudoku');
  const graph = await ask(page, 'parent(P, C)', 'Ask for all');
  await graph.getByRole('button', { name: 'Graph' }).click();
  await graph.locator('svg.graph').waitFor();
  assert.deepEqual([await graph.locator('.graph .node').count(), await graph.locator('.graph .edge').count()], [7, 6]);
  const circle = await ask(page, 'Roads = [lisbon-madrid, madrid-paris, paris-lisbon]');
  await circle.getByRole('button', { name: 'Graph' }).click();
  await circle.locator('svg.graph').waitFor();
  assert.equal(await circle.locator('.graph .edge').count(), 3);
  const truth = await ask(page, 'Implies = [false-true, null-true]');
  await truth.getByRole('button', { name: 'Graph' }).click();
  await truth.locator('svg.graph').waitFor();
  assert.equal(await truth.locator('.graph .edge').count(), 2);
  await picture(page, 'graph');
  await leave(page);
});

test("the agent's side shows an agent's requests, and the book what it has done", async () => {
  const page = await visitors.open();
  await panel(page, 'Agent');
  await page.getByRole('button', { name: 'Play an agent' }).click();
  const calls = page.locator('.exchange[data-client=agent]');
  await calls.filter({ hasText: '"operation":"history"' }).filter({ hasText: 'ms' }).waitFor();
  const failed = calls.filter({ hasText: 'likes(cleo chess)' });
  assert.match(await failed.locator('summary').innerText(), /clauses.*error/s);
  await failed.locator('summary').click();
  assert.match(await failed.locator('.for-model').innerText(), /operator expected/i);
  await picture(page, 'agent');
  await page.getByRole('tab', { name: 'asserted clauses' }).click();
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /likes\(cleo, chess\)\./);
  await page.getByText('Call a tool yourself').click();
  await page.getByLabel('Tool').selectOption('query_start');
  await page.getByLabel('Arguments, as JSON').fill('{"query": "friends(X, Y)", "take": 1}');
  await page.getByRole('button', { name: 'Send' }).click();
  await calls.filter({ hasText: '"query":"friends(X, Y)"' }).filter({ hasText: 'ms' }).waitFor();
  await page.getByLabel('Messages from').selectOption('agent');
  assert.equal(await page.locator('.exchange[data-client=page]').count(), 0);
  await leave(page);
});

test('the book is downloaded as it was written', async () => {
  const page = await visitors.open();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Files', exact: true })
      .click()
      .then(() => page.getByRole('menuitem', { name: 'Download the book' }).click()),
  ]);
  assert.equal(download.suggestedFilename(), 'book.pl');
  assert.match(
    readFileSync(await download.path(), 'utf8'),
    /% An ancestor is a parent, or a parent's ancestor\.\nancestor\(X, Y\)/,
  );
  await leave(page);
});

test('everything can be done with the keyboard only', async () => {
  const page = await visitors.open();
  await page.keyboard.press('Alt+2');
  await page.keyboard.type('parent(X, Y)');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.waitForFunction(() => document.querySelectorAll('.card tbody tr').length === 6);
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('parent(jim, zoe).\n');
  await save(page);
  await page.keyboard.press('Alt+z');
  await page.waitForFunction(() => !document.querySelector('.editor').innerText.includes('zoe'));
  await page.keyboard.press('Alt+Shift+z');
  await page.waitForFunction(() => document.querySelector('.editor').innerText.includes('zoe'));
  await page.getByRole('tab', { name: 'Queries' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'History', selected: true }).waitFor();
  await page.getByRole('button', { name: 'Examples' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'queens.pl', selected: true }).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('tab', { name: 'queens.pl' }).waitFor({ state: 'detached' });
  await page.getByRole('separator', { name: 'Width of the book' }).focus();
  await page.keyboard.press('Home');
  assert.equal(await page.getByRole('separator').getAttribute('aria-valuenow'), '20');
  await leave(page);
});

for (const { name, options, look } of looks) {
  test(`axe-core finds nothing, ${name}`, async () => {
    const page = await visitors.open(options);
    await write(page, 'a(X) :- b.\nc(.\nparent(tom, bob).\nparent(bob, ann).\n');
    await page.locator('.problems li').nth(1).waitFor();
    await look(page, 'book');
    await panel(page, 'Queries');
    const card = await ask(page, 'parent(X, Y)', 'Ask for all');
    await card.getByRole('button', { name: 'Why answer 1', exact: true }).click();
    await card.locator('.proof-tree').waitFor();
    await ask(page, 'X #> 3, print(x)');
    await ask(page, 'nosuch');
    await begin(page, 'repeat, fail');
    await look(page, 'queries');
    await page.getByRole('button', { name: 'Stop' }).click();
    await panel(page, 'History');
    await page.locator('.revisions summary').first().click();
    await page.locator('.diff .plus').first().waitFor();
    await look(page, 'history');
    await panel(page, 'Agent');
    await page.getByLabel('Messages from').selectOption('');
    await page.locator('.exchange summary').first().click();
    await page.getByText('Call a tool yourself').click();
    await look(page, 'agent');
    await page.getByRole('button', { name: 'Examples' }).click();
    await look(page, 'menu');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await look(page, 'keys');
    await leave(page);
  });
}

test('colours chosen by the user are kept', async () => {
  const page = await visitors.open({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.reload();
  await ready(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await leave(page);
});

test('after the first visit no network is needed', async () => {
  const page = await offline(visitors);
  assert.deepEqual(await rows(await ask(page, 'parent(pat, X)')), [['jim']]);
  await leave(page);
});

test('what is loaded before the engine is at most 305 kB, compressed', () => {
  const directory = join(ROOT, 'target', 'playground');
  const size = (name) => gzipSync(readFileSync(join(directory, name)), { level: 9 }).length;
  const linked = [...readFileSync(join(directory, 'index.html'), 'utf8').matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  const shell = ['index.html', 'service-worker.js', ...linked];
  const bytes = shell.reduce((sum, name) => sum + size(name), 0);
  assert.ok(
    linked.some((name) => name.endsWith('.js')) && linked.some((name) => name.endsWith('.css')) && bytes <= 305_000,
    `${bytes} bytes`,
  );
  // The parts for DML, the memory, workflows, notebooks and a live book are loaded when they are first shown.
  const later = readdirSync(join(directory, 'assets')).filter(
    (name) => name.startsWith('panel-') && name.endsWith('.js'),
  );
  assert.ok(later.length === 5 && !later.some((name) => linked.includes(`assets/${name}`)));
});

test('npm start serves the page and prints its address and the lines for mcp.json', async () => {
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'start.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  await new Promise((resolve, reject) => {
    child.on('close', () => reject(new Error(`it ended: ${out}`)));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
      if (out.includes('Ctrl+C')) resolve();
    });
  });
  const [address] = /http:\/\/localhost:\d+\//.exec(out);
  assert.match(await (await fetch(address)).text(), /<title>Hornbook<\/title>/);
  assert.match(await (await fetch(`${address}docs/cookbook.html`)).text(), /Twenty-nine complete tasks/);
  for (const path of ['..%2f..%2fpackage.json', 'docs/..%2f..%2fpackage.json'])
    assert.equal((await fetch(address + path)).status, 404);
  const { mcpServers } = JSON.parse(out.slice(out.indexOf('{'), out.lastIndexOf('}') + 1));
  assert.ok(existsSync(mcpServers.hornbook.args[0]));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.removeAllListeners('close');
  child.kill();
  await ended;
});
