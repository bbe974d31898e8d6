// Notebooks of the playground: prose, clauses and queries in one text, in a link, in another page, and as files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serve } from './harness.mjs';
import { Visitors, leave, looks, panel, ready, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const TEXT = `# Tea & <b>chess</b>

Who likes *what*? See [there](javascript:alert(1)) or [here](https://example.org/).

![a picture](https://example.org/x.png) <script>alert(1)</script>

\`\`\`prolog
likes(ada, tea).
likes(boole, tea).
\`\`\`

- one
- two

\`\`\`query
?- likes(Who, tea).
\`\`\`

\`\`\`query
likes(Who, chess)
\`\`\`
`;

/** Replaces the notebook by `text`. */
async function notebook(page, text) {
  await panel(page, 'Notebook');
  await write(page, text, page.getByLabel('Notebook text'));
  return page.locator('.notebook-text');
}

const answered = (page, count) =>
  page.waitForFunction(
    (n) => document.querySelectorAll('.notebook .card:not([data-phase=running])').length === n,
    count,
  );

test('prose is shown as such and is never markup; clauses go into the book, and queries run', async () => {
  const page = await visitors.open();
  const shown = await notebook(page, TEXT);
  await shown.getByRole('heading', { name: 'Tea & <b>chess</b>' }).waitFor();
  assert.equal(await shown.locator('h2 b, script, img, a[href^=javascript]').count(), 0);
  assert.deepEqual(await shown.locator('a').evaluateAll((all) => all.map(({ href, rel }) => [href, rel])), [
    ['https://example.org/', 'noopener noreferrer'],
  ]);
  assert.deepEqual(await shown.locator('li').allInnerTexts(), ['one', 'two']);
  await page.getByRole('button', { name: 'Run all' }).click();
  await answered(page, 2);
  const cards = shown.locator('.card');
  assert.deepEqual(await cards.nth(0).locator('tbody td:not(.last)').allInnerTexts(), ['ada', 'boole']);
  assert.match(await cards.nth(1).locator('.verdict').innerText(), /^false/);
  await page.getByRole('tab', { name: 'Queries' }).click();
  await page.getByRole('tab', { name: 'notebook.pl' }).waitFor();
  // It is there after a reload.
  await page.reload();
  await ready(page);
  await panel(page, 'Notebook');
  await page.getByRole('heading', { name: 'Tea & <b>chess</b>' }).waitFor();
  await leave(page);
});

test('a broken clause is told at its block, by the line of the notebook, and answers of other clauses say so', async () => {
  const page = await visitors.open();
  const shown = await notebook(page, TEXT.replace('- one', '```prolog\nok(1).\nbroken(2.\n```\n\n- one'));
  await page.getByRole('button', { name: 'Run all' }).click();
  await answered(page, 2);
  const fault = shown.locator('.block-faults .fault');
  assert.match(await fault.innerText(), /^Line 14 was not saved: /);
  assert.equal(await shown.locator('.block-faults').nth(1).locator('.fault').count(), 1);
  await notebook(page, TEXT.replace('boole', 'cid'));
  await shown.getByText('The clauses have changed since.').nth(1).waitFor();
  assert.equal(await fault.count(), 0);
  await shown.getByRole('button', { name: 'Run again' }).first().click();
  await shown.locator('.card td', { hasText: 'cid' }).waitFor();
  assert.equal(await shown.getByText('The clauses have changed since.').count(), 1);
  await leave(page);
});

test('a notebook goes into a link, and a link does not replace another without asking', async () => {
  const page = await visitors.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await notebook(page, TEXT);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied. It contains your whole notebook.').first().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await visitors.open({}, link.slice(link.indexOf('#')));
  await other.getByRole('heading', { name: 'Tea & <b>chess</b>' }).waitFor();
  assert.equal(await other.evaluate(() => window.location.hash), '');
  await other.reload();
  await ready(other);
  await notebook(other, '# Mine\n');
  await other.getByRole('heading', { name: 'Mine' }).waitFor();
  await other.goto(link);
  await other.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await panel(other, 'Notebook');
  await other.getByRole('heading', { name: 'Mine' }).waitFor();
  await leave(other);
  await leave(page);
});

test('a notebook is shown within another page, in memory, with one line', async () => {
  const page = await visitors.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await notebook(page, TEXT);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Embed in a page' }).click();
  await page.getByText('HTML copied.').first().waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(line, /^<iframe src="http:\/\/localhost:\d+\/\?embed#book=[\w-]+"/);
  const elsewhere = await serve({ files: { '/index.html': `<!doctype html><title>blog</title>${line}` }, csp: '' });
  const context = await visitors.browser.newContext();
  const blog = await context.newPage();
  await blog.goto(elsewhere.origin);
  const frame = blog.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Run all' }).click();
  await frame.locator('.card[data-phase=done]').nth(1).waitFor({ timeout: 30_000 });
  assert.deepEqual(await frame.locator('.card').first().locator('tbody td:not(.last)').allInnerTexts(), [
    'ada',
    'boole',
  ]);
  assert.equal(await frame.locator('.top, .editor, .banner').filter({ visible: true }).count(), 0);
  assert.equal(await frame.locator('.toast').count(), 0);
  await context.close();
  await elsewhere.close();
  await leave(page);
});

test('a notebook that nests, is too long or cannot be read in time is shown as text, and can be edited', async () => {
  const page = await visitors.open();
  const said = page.getByText('This notebook is shown as text only.', { exact: false });
  const list = Array.from({ length: 700 }, (_, n) => `${'  '.repeat(n)}- a`).join('\n');
  for (const text of [
    `${'1. '.repeat(2000)}a`,
    `${'>'.repeat(2000)} a`,
    '- a\n'.repeat(15_000),
    list,
    '\u200b'.repeat(30_000),
  ]) {
    await page.evaluate((text) => localStorage.setItem('hornbook.notebook', text), text);
    await page.reload();
    await ready(page);
    await panel(page, 'Notebook');
    await said.waitFor();
    await page.locator('.notebook-text pre').waitFor();
  }
  const shown = await notebook(page, '# Short again\n');
  await shown.getByRole('heading', { name: 'Short again' }).waitFor();
  assert.equal(await said.count(), 0);
  await leave(page);
});

test('a notebook is downloaded as Markdown, and as a single page that needs no network and no scripts', async () => {
  const page = await visitors.open();
  await notebook(page, TEXT);
  await page.getByRole('button', { name: 'Run all' }).click();
  await answered(page, 2);
  const taken = async (name) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()]);
    return file.path();
  };
  assert.equal(readFileSync(await taken('Download as Markdown'), 'utf8'), TEXT);
  const path = await taken('Download as HTML');
  const html = readFileSync(path, 'utf8');
  assert.doesNotMatch(html, /<script|<button|<b>/);
  const context = await visitors.browser.newContext({ offline: true, javaScriptEnabled: false });
  const reader = await context.newPage();
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${path}.html`, html);
  await reader.goto(pathToFileURL(`${path}.html`).href);
  assert.match(await reader.locator('body').innerText(), /Tea & <b>chess<\/b>[\s\S]*ada[\s\S]*boole[\s\S]*false/);
  await context.close();
  await leave(page);
});

for (const { name, options, look } of looks) {
  test(`axe-core finds nothing in a notebook, ${name}`, async () => {
    const page = await visitors.open(options);
    await panel(page, 'Notebook');
    await page.getByRole('button', { name: 'Run all' }).click();
    await answered(page, 2);
    await look(page, 'notebook');
    await leave(page);
  });
}
