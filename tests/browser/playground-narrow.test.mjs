// The playground where there is little room: on a phone, and at 200 % on a screen of 1280 pixels. Each control can be seen
// and reached, in light and dark.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, panel, picture, ready } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

/** The controls that are cut off or covered when they are scrolled to, one line each. */
const hidden = (page) =>
  page.evaluate(() => {
    const found = [];
    const all = document.querySelectorAll(
      'button, select, input:not([type=file], [type=range]), textarea, summary, [role=tab], [role=button]',
    );
    for (const control of all) {
      if (!control.checkVisibility() || control.closest('.toasts')) continue;
      control.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
      if (width < 2 || height < 2) continue;
      const name = control.getAttribute('aria-label') ?? control.textContent.trim();
      const told = `${control.tagName.toLowerCase()} "${name.slice(0, 40)}"`;
      const isInside =
        left >= -1 && right <= innerWidth + 1 && (height > innerHeight || (top >= -1 && bottom <= innerHeight + 1));
      const there = document.elementFromPoint((left + right) / 2, Math.min((top + bottom) / 2, innerHeight - 1));
      const isReached = there && (control.contains(there) || control.closest('label') === there);
      if (!isInside)
        found.push(
          `${told} is cut off: ${Math.round(left)}–${Math.round(right)}, ${Math.round(top)}–${Math.round(bottom)}`,
        );
      else if (!isReached)
        found.push(`${told} is covered by ${there?.tagName.toLowerCase()}.${there?.getAttribute('class')}`);
    }
    return found;
  });

/** What is done in each panel before it is looked at. */
const PANELS = {
  Book: async () => {},
  Queries: async (page) => {
    const card = await ask(page, 'ancestor(Who, jim)', 'Ask for all');
    await card.locator('[data-answer]').first().getByRole('button').click();
    await page.locator('.proof').first().waitFor();
  },
  History: (page) => page.locator('.revisions summary').first().click(),
  Agent: async (page) => {
    await page.getByRole('button', { name: 'Play an agent' }).click();
    await page.getByText('The agent is done.').first().waitFor();
  },
  DML: async (page) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Step through' }).waitFor();
  },
  Memory: async (page) => {
    await page.getByRole('button', { name: 'Load an example' }).click();
    await page.locator('.memory-node').first().waitFor();
  },
  Workflow: async (page) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.flow-run[data-phase=done]').waitFor();
  },
  Notebook: async (page) => {
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.locator('.notebook .card:not([data-phase=running])').nth(1).waitFor();
  },
};

for (const [width, height, colorScheme] of [
  [640, 400, 'light'],
  [640, 400, 'dark'],
  [380, 800, 'light'],
  [380, 800, 'dark'],
])
  test(`no control is cut off or covered: ${width} × ${height}, ${colorScheme}`, async () => {
    const page = await visitors.open({ colorScheme, viewport: { width, height } });
    await ready(page);
    for (const [name, act] of Object.entries(PANELS)) {
      await panel(page, name);
      await act(page);
      // Messages go by themselves.
      await page.locator('.toast').first().waitFor({ state: 'detached' });
      assert.deepEqual(await hidden(page), [], name);
      await picture(page, `narrow-${colorScheme}-${width}-${name}`);
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${name} is wider than the page`,
      );
    }
    await leave(page);
  });

test('on a phone the query box is where one asks, and a step of a run shows its clause', async () => {
  const page = await visitors.open({ viewport: { width: 380, height: 800 } });
  const card = await ask(page, 'ancestor(tom, Who)');
  await card.getByRole('button', { name: 'Step through the run' }).click();
  const clause = card.locator('.replay-clause');
  await card.getByRole('button', { name: 'Step', exact: true }).click();
  await clause.waitFor();
  assert.match(await clause.innerText(), /^ancestor\(/);
  const box = page.getByLabel('Query', { exact: true });
  assert.ok(await box.isVisible());
  for (const name of ['DML', 'Agent', 'Notebook']) {
    await panel(page, name);
    assert.ok(!(await box.isVisible()), name);
  }
  await panel(page, 'Book');
  assert.ok(await box.isVisible());
  await leave(page);
});

test('a message said again is one with a count, and messages cover neither the tabs nor the tools of a table', async () => {
  const page = await visitors.open({ viewport: { width: 640, height: 400 } });
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('name,age\nAnn,30\nBob,41\n') });
  await page.getByRole('button', { name: 'Add as facts' }).click();
  await page.locator('.toast', { hasText: 'Imported people.csv.' }).waitFor();
  const covered = () =>
    page.evaluate(() => {
      const toasts = [...document.querySelectorAll('.toast')].map((toast) => toast.getBoundingClientRect());
      const controls = document.querySelectorAll('[role=tab], .table-grid .tools *, .table-grid button, .ask button');
      return [...controls]
        .filter((control) => control.checkVisibility())
        .filter((control) => {
          const { left, right, top, bottom } = control.getBoundingClientRect();
          return toasts.some((one) => one.left < right && one.right > left && one.top < bottom && one.bottom > top);
        })
        .map((control) => control.outerHTML.slice(0, 80));
    });
  assert.deepEqual(await covered(), []);
  await picture(page, 'narrow-toast-table');
  await panel(page, 'Workflow');
  await page.getByLabel('Initial state, as JSON').fill('nope');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  for (let times = 0; times < 3; times += 1) await run.click();
  const toast = page.locator('.toast.error');
  await toast.getByText('×3').waitFor();
  assert.equal(await toast.count(), 1);
  assert.deepEqual(await covered(), []);
  await page.getByRole('tab', { name: 'Notebook' }).click();
  await page.locator('.notebook-text').waitFor();
  await leave(page);
});

test('on a phone a table shows that it has more columns, and a DML run is scrolled to', async () => {
  const page = await visitors.open({ viewport: { width: 380, height: 600 } });
  const buffer = Buffer.from('name,age,town,street\nAnn,30,Ulm,Long Lane\n');
  await page.locator('input[type=file]').first().setInputFiles({ name: 'wide.csv', mimeType: 'text/csv', buffer });
  const rows = page.getByRole('group', { name: 'First rows of wide' });
  const fades = () => rows.evaluate((box) => getComputedStyle(box).maskImage !== 'none');
  await page.locator('.table-preview .has-more').waitFor();
  assert.ok(await fades());
  await picture(page, 'narrow-more-columns');
  await rows.evaluate((box) => box.scrollTo(box.scrollWidth, 0));
  await page.locator('.table-preview .has-more').waitFor({ state: 'detached' });
  assert.ok(!(await fades()));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await panel(page, 'DML');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.run:not([data-phase=running])').waitFor();
  for (const part of ['.run > .status', '.run .verdict']) {
    const { y, height } = await page.locator(part).first().boundingBox();
    assert.ok(y >= 0 && y + height <= 600, `${part} is at ${y}`);
  }
  await leave(page);
});
