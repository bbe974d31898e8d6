// What takes long says how far it is, and is stopped: a table that is added, a directive that never ends.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { Visitors, ask, begin, leave, looks, picture, ready, rows, save, settled, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const fragment = (shared) => `#book=${deflateRawSync(Buffer.from(JSON.stringify(shared))).toString('base64url')}`;
const ROWS = 200_000;
const table = () => `id,city\n${Array.from({ length: ROWS }, (_, at) => `${at},Ulm`).join('\n')}\n`;

const give = (page, name, text) =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('a table that is added tells its rows and can be cancelled: nothing of it is kept, and it can be added after all', async () => {
  for (const { name, options, look } of looks) {
    const page = await visitors.open(options);
    page.setDefaultTimeout(120_000);
    await give(page, 'people.csv', table());
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${ROWS.toLocaleString('en')} rows.`).waitFor();
    const add = dialog.getByRole('button', { name: 'Add as facts' });
    await add.click();
    const bar = dialog.getByRole('progressbar', { name: 'Rows added' });
    await page.waitForFunction(() => document.querySelector('.importing progress').value > 0.05);
    assert.match(await dialog.locator('.importing').innerText(), /people\.csv: [\d,]+ of 200,000 rows/);
    await picture(page, `${name}-adding`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('alert').getByText('Cancelled: nothing of people.csv was added.').waitFor();
    assert.ok(await bar.isHidden());
    if (options.viewport.width > 760)
      assert.equal(await page.locator('#files [role=tab]', { hasText: 'people' }).count(), 0);
    await look(page, 'adding-cancelled');
    await add.click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByText(`people: ${ROWS.toLocaleString('en')} rows.`)
      .first()
      .waitFor();
    await leave(page);
  }
});

test('a table that waits for a query says so, and is cancelled at once', async () => {
  const page = await visitors.open();
  const card = await begin(page, 'repeat, fail');
  await give(page, 'people.csv', 'id,city\n1,Ulm\n');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 row.').waitFor();
  await dialog.getByRole('button', { name: 'Add as facts' }).focus();
  await page.keyboard.press('Enter');
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  assert.ok(await cancel.evaluate((element) => element === document.activeElement));
  await dialog.getByText('Waiting for ?- repeat, fail').waitFor();
  await cancel.click();
  await dialog.waitFor({ state: 'detached', timeout: 5000 });
  assert.equal(await card.getAttribute('data-phase'), 'running');
  await card.getByRole('button', { name: 'Stop' }).click();
  await settled(card);
  assert.deepEqual(await rows(await ask(page, 'findall(N, current_predicate(people/N), L)')), [['any', '[]']]);
  // What it waits for can be stopped there.
  await begin(page, 'repeat, fail');
  await give(page, 'people.csv', 'id,city\n1,Ulm\n');
  await dialog.getByText('1 row.').waitFor();
  await dialog.getByRole('button', { name: 'Add as facts' }).click();
  await dialog.getByRole('button', { name: 'Stop that' }).click();
  await page.getByText('people: 1 row.').first().waitFor();
  await leave(page);
});

test('closing the dialog cancels what is being added', async () => {
  const page = await visitors.open();
  await give(page, 'people.csv', table());
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`${ROWS.toLocaleString('en')} rows.`).waitFor();
  await dialog.getByRole('button', { name: 'Add as facts' }).click();
  await page.waitForFunction(() => document.querySelector('.importing progress').value > 0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(await rows(await ask(page, 'findall(N, current_predicate(people/N), L)')), [['any', '[]']]);
  await leave(page);
});

test('a goal that loops as a link is opened can be stopped, and the page opens with what it was', async () => {
  for (const [directive, told] of [
    [':- initialization(loop).', /initialization\(loop\).*was (cancelled|stopped)/],
    [':- loop.', /loop\.pl was not saved: you stopped a directive of it\./],
  ]) {
    for (const { name, options } of looks) {
      const context = await visitors.newcomer(options);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const text = `good(1).\nloop :- loop.\n${directive}\n`;
      await page.goto(visitors.site.address + fragment({ files: [{ name: 'loop.pl', text }] }));
      const loading = page.locator('.loading');
      await loading.getByText('Running loop.pl').waitFor();
      await picture(page, `${name}-stop`);
      await loading.getByRole('button', { name: 'Stop' }).click();
      await ready(page);
      assert.match(await page.locator('.toast').first().innerText(), told);
      await picture(page, `${name}-stopped`);
      await page
        .getByRole('tab', { name: 'Book', exact: true })
        .click({ timeout: 1000 })
        .catch(() => {});
      assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /loop :- loop/);
      await context.close();
    }
  }
});

test('a save whose goal loops can be stopped below the text; a query that waits for it names it', async () => {
  const page = await visitors.open();
  await write(page, ':- initialization(loop).\nloop :- loop.\ngood(1).\n');
  await page.keyboard.press('ControlOrMeta+s');
  const bar = page.locator('.bar.under');
  await bar.getByText('Running family.pl').waitFor();
  await bar.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Saved family.pl without one clause').first().waitFor();
  assert.deepEqual(await rows(await ask(page, 'good(X)')), [['1']]);
  await write(page, 'good(2).\n');
  await save(page);
  assert.deepEqual(await rows(await ask(page, 'good(X)')), [['2']]);
  await leave(page);
});
