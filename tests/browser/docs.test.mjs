// The documentation as a site: served beside the playground, searched without a network, and requesting nothing from
// elsewhere.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '../../pkg/client.js';
import { openHornbook } from '../../pkg/node.js';
import { ROOT } from './harness.mjs';
import { Visitors, leave, picture } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

async function open(path, options) {
  const context = await visitors.newcomer(options);
  const page = await context.newPage();
  page.on('pageerror', (error) => context.faults.push(error.message));
  page.setDefaultTimeout(60_000);
  await page.goto(`${visitors.site.address}docs/${path}`);
  await page.locator('.vp-doc h1').waitFor();
  return page;
}

/** The text of a page, or of the file that is all of it. */
function sourceOf(name) {
  const source = readFileSync(join(ROOT, name), 'utf8');
  const included = /^<!--@include: (.+)-->\s*$/.exec(source);
  return included ? sourceOf(join(dirname(name), included[1])) : source;
}

test('every page is in the list beside it, with its title', async () => {
  const page = await open('');
  const links = await page.locator('.VPSidebar a').evaluateAll((all) => all.map(({ pathname }) => pathname));
  const wanted = readdirSync(join(ROOT, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md') && !name.includes('['))
    .map((name) => `/docs/${name === 'index.md' ? '' : name.replace(/\.md$/, '.html')}`);
  assert.deepEqual(
    wanted.filter((path) => !links.includes(path)),
    [],
  );
  for (const path of wanted.filter((path) => path.endsWith('.html'))) {
    await page.goto(visitors.site.address + path.slice(1));
    const title = /^# (.+)$/m.exec(sourceOf(path.slice(1).replace(/\.html$/, '.md')))[1];
    assert.equal((await page.locator('.vp-doc h1').innerText()).replace(/\s*\u200b?$/, ''), title);
  }
  await leave(page);
});

test('the tools are those that the server lists', async () => {
  const page = await open('reference/tools.html');
  const { hornbook, close } = await openHornbook({ tools: ['prolog', 'dml', 'memory', 'workflow'] }, () => {});
  const { tools } = await new Client(hornbook, 'test').request('tools/list', {});
  await close();
  const titles = (await page.locator('.vp-doc h3').allInnerTexts()).map((text) => text.replace(/\s*\u200b?$/, ''));
  assert.deepEqual(titles.sort(), tools.map(({ name }) => name).sort());
  const text = await page.locator('.vp-doc').innerText();
  for (const { inputSchema } of tools)
    for (const name of Object.keys(inputSchema.properties ?? {})) assert.ok(text.includes(name), name);
  await picture(page, 'docs-tools');
  await leave(page);
});

test('each entry point of the package has a page, whose links lead to what they name', async () => {
  const page = await open('reference/hornbook.html');
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'pkg', 'package.json'), 'utf8'));
  const wanted = Object.keys(exports).filter((path) => exports[path].types);
  const listed = await page.locator('.VPSidebar a').allInnerTexts();
  assert.deepEqual(
    wanted.filter((path) => !listed.includes(path.replace('.', 'hornbook'))),
    [],
  );
  await page
    .locator('.vp-doc a', { hasText: /^Hornbook$/ })
    .first()
    .click();
  await page.waitForURL(/reference\/node\.html#Hornbook$/);
  await page.locator('h2#Hornbook').waitFor();
  await picture(page, 'docs-package');
  await leave(page);
});

test('a word is found on whatever page it is', async () => {
  const page = await open('');
  await page
    .getByRole('button', { name: /search/i })
    .first()
    .click();
  await page.getByRole('searchbox').or(page.locator('#localsearch-input')).first().fill('supersedes');
  await page.locator('.result', { hasText: 'Memory' }).first().click();
  await page.waitForURL(/memory\.html/);
  await leave(page);
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [1280, 380]) {
    test(`the site is readable: ${colorScheme}, ${width} pixels wide`, async () => {
      const page = await open('', { colorScheme, viewport: { width, height: 800 } });
      const shown = page.locator('.vp-doc picture img');
      await shown.evaluate((image) => image.decode());
      assert.match(
        await shown.evaluate((image) => image.currentSrc),
        new RegExp(`/docs/playground-${colorScheme}\\.webp$`),
      );
      await picture(page, `${colorScheme}-${width}-docs`);
      await page.goto(`${visitors.site.address}docs/cookbook.html`);
      await page.locator('.vp-doc h1').waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await picture(page, `${colorScheme}-${width}-docs-cookbook`);
      await leave(page);
    });
  }
}
