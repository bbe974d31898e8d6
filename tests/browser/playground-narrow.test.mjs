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
