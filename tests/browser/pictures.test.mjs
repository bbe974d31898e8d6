// The pictures of the playground in the README and the documentation.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { THEMES, pictureOf, shown, stage, textIn } from '../../scripts/pictures.mjs';
import { ROOT } from './harness.mjs';
import { Visitors } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

test('the pictures of the page show the page as it is', async () => {
  const page = await stage(visitors.browser, visitors.site.address);
  for (const theme of THEMES)
    assert.equal(
      textIn(pictureOf(theme)),
      await shown(page, theme),
      `the page in its ${theme} theme has changed: node scripts/pictures.mjs takes new pictures`,
    );
  await page.context().close();
});

test('each picture is used, and each that is used is there', () => {
  const documents = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((name) => `docs/${name}`),
  ];
  const texts = documents
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(ROOT, name), 'utf8'))
    .join('\n');
  const used = [...texts.matchAll(/[\w-]+\.(?:png|webp|svg|gif|jpe?g)(?=["')])/g)].map(([name]) => name);
  assert.deepEqual([...new Set(used)].sort(), readdirSync(join(ROOT, 'docs', 'public')).sort());
});
