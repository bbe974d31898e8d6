// The keys of the playground: those of Prolog's own prompt, those of the editor, and targets large enough for a finger.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, begin, leave, newest, panel, rows, save, settled, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const count = (page, wanted) =>
  page.waitForFunction((n) => document.querySelectorAll('.card tbody tr[data-answer]').length === n, wanted);

test('; and the space bar get the next answer, behind the query and on its card; Esc stops', async () => {
  const page = await visitors.open();
  await page.keyboard.press('Alt+2');
  await page.keyboard.insertText('ancestor(tom, Who)');
  await page.keyboard.press('Enter');
  await count(page, 1);
  await page.keyboard.press(';');
  await count(page, 2);
  await page.keyboard.press('Space');
  await count(page, 3);
  // The query stays in the box, and is replaced when the next one is typed.
  assert.match(await page.getByLabel('Query', { exact: true }).innerText(), /^ancestor\(tom, Who\)$/);
  await page.keyboard.insertText('member(X, [a, b, c])');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const card = await settled(await newest(page));
  await page.keyboard.press(';');
  await page.waitForFunction(
    (element) => element.querySelectorAll('tbody tr').length === 2,
    await card.elementHandle(),
  );
  await page.keyboard.press('Space');
  await settled(card);
  assert.deepEqual((await rows(card)).flat(), ['a', 'b', 'c']);
  const endless = await begin(page, 'repeat, fail');
  await endless.getByRole('button', { name: 'Stop' }).waitFor();
  await page.keyboard.press('Escape');
  await settled(endless);
  assert.match(await endless.locator('.status').innerText(), /^stopped/);
  await leave(page);
});

test('Ctrl+Enter in the text asks the goal at the cursor', async () => {
  const page = await visitors.open();
  await write(
    page,
    '% ?- likes(ada, What).\nlikes(ada, tea).\n\nfriend(X, Y) :-\n    likes(X, Z),\n    likes(Y, Z).\n\ngreeting --> [hello].\n\n% Nothing follows.\n',
  );
  const editor = page.locator('.editor .cm-line');
  const asked = async (line, wanted) => {
    const before = await page.locator('.card').count();
    await editor.nth(line).click();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.waitForFunction((n) => document.querySelectorAll('.card').length > n, before);
    const card = await settled(await newest(page));
    assert.equal(await card.locator('.goal code').innerText(), wanted);
    return card;
  };
  assert.deepEqual(await rows(await asked(0, 'likes(ada, What)')), [['tea']]);
  await asked(1, 'likes(ada, tea)');
  // In the middle of a clause, that is its head.
  assert.deepEqual(await rows(await asked(4, 'friend(X, Y)')), [['ada', 'ada']]);
  assert.deepEqual(await rows(await asked(7, 'phrase(greeting, Words)')), [['[hello]']]);
  await editor.nth(9).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByText('No clause at the cursor').first().waitFor();
  await leave(page);
});

test('? lists the keys outside text fields, and is typed as itself in them', async () => {
  const page = await visitors.open();
  await page.keyboard.press('Alt+2');
  await page.keyboard.type('X = ?');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await panel(page, 'History');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await leave(page);
});

test('a removed file is restored by the button of the message', async () => {
  const page = await visitors.open();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('tab', { name: 'family.pl' }).waitFor({ state: 'detached' });
  await page.locator('.toast', { hasText: 'Removed family.pl.' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('tab', { name: 'family.pl' }).waitFor();
  await leave(page);
});
test('on a phone all controls are 44 pixels high', async () => {
  const page = await visitors.open({ viewport: { width: 380, height: 800 }, hasTouch: true, isMobile: true });
  const small = () =>
    page.evaluate(() =>
      [
        ...document.querySelectorAll(
          'button, select, summary, input:not([type=checkbox]), [role=tab], .box .cm-content',
        ),
      ]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.unseen'))
        .map((one) => [one.innerText || one.ariaLabel || one.className, one.getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 0 && (height < 43.5 || width < 43.5))
        .map(([name, { width, height }]) => `${name} ${width}x${height}`),
    );
  assert.deepEqual(await small(), [], 'Book');
  await panel(page, 'Queries');
  await ask(page, 'ancestor(X, Y)');
  await ask(page, 'parent(X, Y)', 'Ask for all');
  assert.deepEqual(await small(), [], 'Queries');
  for (const name of ['Notebook', 'History', 'Agent', 'DML', 'Workflow', 'Memory']) {
    await panel(page, name);
    await page.waitForTimeout(500);
    assert.deepEqual(await small(), [], name);
  }
  // Messages appear above the query box.
  await panel(page, 'Book');
  await write(page, 'parent(tom, bob).\n', page.locator('.editor .cm-content'));
  await save(page);
  const toast = await page.locator('.toast.done').last().boundingBox();
  assert.ok(toast.y + toast.height <= (await page.locator('.ask').boundingBox()).y);
  await leave(page);
});
