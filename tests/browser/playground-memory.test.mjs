// The memory in the playground: the graph, time, experiences, projects, ideas, inference, import and export.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Visitors, ask, begin, leave, looks, offline, panel, picture, ready, rows, settled } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const view = (page, name) =>
  page.getByRole('group', { name: 'What to look at' }).getByRole('button', { name, exact: true }).click();

/** The tab, with its example. */
async function openExample(options) {
  const page = await visitors.open(options);
  await panel(page, 'Memory');
  await page.getByRole('button', { name: 'Load an example' }).click();
  await node(page, 'Web shop').waitFor();
  return page;
}

const node = (page, name) => page.locator(`.memory-node[aria-label^="${name},"]`);
const names = async (page) =>
  (await page.locator('.memory-node').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).sort();
const details = (page) => page.locator('section.details');

test('opening the tab does not change the book, and what an agent learns appears', async () => {
  const page = await visitors.open();
  const open = await ask(page, 'ancestor(tom, Who)');
  assert.equal(await open.getAttribute('data-phase'), 'more');
  await panel(page, 'Memory');
  await page.getByText('Nothing here yet').waitFor();
  // An open query goes on.
  await panel(page, 'Queries');
  assert.equal(await open.getAttribute('data-phase'), 'more');
  await open.getByRole('button', { name: 'Next', exact: true }).click();
  await page.waitForFunction(
    (card) => card.querySelectorAll('tr[data-answer]').length === 2,
    await open.elementHandle(),
  );
  assert.deepEqual((await rows(open)).flat().length, 2);
  assert.deepEqual(await rows(await ask(page, 'parent(pat, X)')), [['jim']]);
  await panel(page, 'Agent');
  await page.getByText('Call a tool yourself').click();
  await page.getByLabel('Tool', { exact: true }).selectOption('kn_graph');
  await page.getByLabel('Arguments, as JSON').fill('{"action": "add", "name": "Told", "type": "note"}');
  await page.getByRole('button', { name: 'Send' }).click();
  await panel(page, 'Memory');
  await node(page, 'Told').waitFor();
  await panel(page, 'History');
  await page.getByRole('button', { name: 'Undo' }).click();
  await panel(page, 'Memory');
  await page.getByText('Nothing here yet').waitFor();
  await leave(page);
});

test('running and open queries go on while the tab is opened', async () => {
  const page = await visitors.open();
  const open = await ask(page, 'member(X, [a, b, c])');
  const endless = await begin(page, 'repeat, fail');
  await panel(page, 'Memory');
  await page.getByText('Nothing here yet').waitFor();
  assert.equal(await endless.getAttribute('data-phase'), 'running');
  await panel(page, 'Queries');
  // One press stops it, though the text of the query is selected.
  await page.getByLabel('Query', { exact: true }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Escape');
  await settled(endless);
  assert.equal(await endless.getAttribute('data-phase'), 'stopped');
  await open.getByRole('button', { name: 'All', exact: true }).click();
  await settled(open);
  assert.deepEqual((await rows(open)).flat(), ['a', 'b', 'c']);
  await leave(page);
});

test('the graph shows a node with its neighbours, finds words, and hides types of edges', async () => {
  const page = await openExample();
  assert.equal((await names(page)).length, 8);
  await node(page, 'Checkout').click();
  assert.match(await details(page).innerText(), /Checkout[\s\S]*Takes the order[\s\S]*needs →\s+Payments/);
  assert.equal(await node(page, 'Ana').evaluate((one) => one.classList.contains('far')), true);
  await details(page).getByRole('button', { name: 'Order queue', exact: true }).click();
  await details(page).getByRole('heading', { name: 'Order queue' }).waitFor();
  await page.getByLabel('Search graph').fill('primary');
  await details(page).getByRole('heading', { name: 'Postgres' }).waitFor();
  assert.match(await page.locator('.graph-view > .note').innerText(), /1 found for “primary”/);
  await page.getByRole('button', { name: /^owned_by/ }).click();
  assert.equal(await page.locator('.memory-edge', { hasText: 'owned_by' }).count(), 0);
  // With the keyboard only.
  await node(page, 'Sign-in').focus();
  await page.keyboard.press('Enter');
  await details(page).getByRole('heading', { name: 'Sign-in' }).waitFor();
  await picture(page, 'memory-node');
  await leave(page);
});

test('removed nodes are shown in grey on request, and can be restored', async () => {
  const page = await openExample();
  assert.equal(await node(page, 'Redis').count(), 0);
  await page.getByLabel('Ended and removed').check();
  assert.match(await node(page, 'Redis').getAttribute('aria-label'), /removed/);
  await node(page, 'Redis').click();
  await details(page).getByRole('button', { name: 'Restore Redis' }).click();
  await page.waitForFunction(() => document.querySelector('[aria-label="Redis, cache"]'));
  await details(page).getByRole('button', { name: 'Remove Redis' }).click();
  await page.waitForFunction(() => document.querySelector('[aria-label="Redis, cache, removed"]'));
  await page.getByLabel('Ended and removed').uncheck();
  assert.equal(await node(page, 'Redis').count(), 0);
  await leave(page);
});

test('the slider shows the memory as of a time', async () => {
  const page = await openExample();
  const slider = page.getByLabel('As of');
  await slider.focus();
  await page.keyboard.press('Home');
  assert.deepEqual(await names(page), ['Ana, person', 'Postgres, database', 'Web shop, service']);
  // Redis was not removed yet, and nobody was Ben.
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
  assert.ok((await names(page)).includes('Redis, cache'));
  assert.equal(await node(page, 'Ben').count(), 0);
  await view(page, 'Experiences');
  await page.getByText('No experiences.').waitFor();
  await view(page, 'Graph');
  await slider.focus();
  await page.keyboard.press('End');
  assert.equal((await names(page)).length, 8);
  assert.equal(await page.locator('.when').innerText(), 'now');
  await leave(page);
});

test('experiences are sorted by relevance, and can be removed and restored', async () => {
  const page = await openExample();
  await view(page, 'Experiences');
  const items = page.locator('.experience');
  await items.nth(3).waitFor();
  const relevance = (await page.locator('.relevance').allInnerTexts()).map((text) => Number.parseInt(text, 10));
  assert.deepEqual(
    relevance,
    relevance.toSorted((a, b) => b - a),
  );
  assert.match(await items.first().innerText(), /99%[\s\S]*pool keeps dead connections[\s\S]*high confidence/);
  await items
    .first()
    .getByRole('button', { name: /Remove/ })
    .click();
  await page.getByText('Removed (1)').click();
  assert.equal(await items.count(), 3);
  await page.getByRole('button', { name: /Restore “After a failover/ }).click();
  await items.nth(3).waitFor();
  await page.getByLabel('Search experiences').fill('idempotency');
  await page.waitForFunction(() => document.querySelectorAll('.experience').length === 1);
  await leave(page);
});

test('projects have their log, and ideas move across the board', async () => {
  const page = await openExample();
  await view(page, 'Projects');
  await page.getByText('Move the sessions').click();
  const project = page.locator('.projects .inside');
  await project.getByText('Old sessions were gone').waitFor();
  assert.match(await project.innerText(), /Goals\s+Sessions survive a failover[\s\S]*failed/);
  await view(page, 'Ideas');
  const stage = (name) => page.getByRole('region', { name });
  await stage('draft').getByText('Passkeys').waitFor();
  await page.getByLabel('Stage of Passkeys').selectOption('done');
  await page
    .getByText(/Invalid status transition/)
    .first()
    .waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-label="Stage of Passkeys"]').value === 'draft');
  await page.getByLabel('Stage of Passkeys').selectOption('evaluating');
  await stage('evaluating').getByText('Passkeys').waitFor();
  assert.equal(await stage('draft').locator('.idea').count(), 0);
  await leave(page);
});

test('an inference has its proof, and can be made under an assumption', async () => {
  const page = await openExample();
  await view(page, 'Infer');
  await page.getByLabel('Goal').fill("impact('Order queue', 'Postgres').");
  await page.keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Answer 1' });
  await answer.waitFor();
  const proof = await answer.locator('.proof-tree').innerText();
  assert.match(proof, /impact\('Order queue', ?'Postgres'\)/);
  assert.match(proof, /kn_edge\(queue, ?needs, ?postgres\)/);
  assert.match(await answer.innerText(), /confidence 0\.6/);
  await page.getByLabel('Goal').fill('kn_edge(ana, needs, X)');
  await page.getByRole('button', { name: 'Infer', exact: true }).last().click();
  await page.getByText('false', { exact: true }).waitFor();
  await page.getByText('What if').click();
  await page.getByLabel('Clauses to assume').fill("kn_node(coffee, drink, 'Coffee').\nkn_edge(ana, needs, coffee).");
  await page.getByRole('button', { name: 'Infer', exact: true }).last().click();
  await page.getByText('X = coffee').waitFor();
  await page.getByLabel('Goal').fill('kn_edge(');
  await page.keyboard.press('Enter');
  await page.locator('.inferred [role=alert]').waitFor();
  await leave(page);
});

test('the memory is exported as lines of JSON, and imported elsewhere', async () => {
  const page = await openExample();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const lines = readFileSync(await (await downloading).path(), 'utf8');
  assert.ok(
    lines
      .trim()
      .split('\n')
      .every((line) => JSON.parse(line)),
  );
  await leave(page);
  const other = await visitors.open();
  await panel(other, 'Memory');
  const put = (name, text) =>
    other
      .getByLabel('Memory file to import')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await other.getByText('Nothing here yet').waitFor();
  await put('memory.jsonl', lines);
  await node(other, 'Web shop').waitFor();
  assert.equal((await names(other)).length, 8);
  await put('bad.jsonl', 'no JSON\n');
  await other
    .getByText(/1 left out \(line 1: /)
    .first()
    .waitFor();
  // It is in the book: there after a reload, with all tools from the start.
  await other.reload();
  await ready(other);
  assert.deepEqual(await rows(await ask(other, "kn_node(X, _, 'Web shop')")), [['shop']]);
  await panel(other, 'Memory');
  await node(other, 'Web shop').waitFor();
  await leave(other);
});

test('in a graph of 200 nodes, names can be read, types have colours of their own, and the frame is as wide as the panel', async () => {
  const page = await visitors.open({ viewport: { width: 1440, height: 900 } });
  await panel(page, 'Memory');
  const life = { created_at: 1788193991746 };
  const types = ['database', 'person', 'service', 'team', 'ticket'];
  const others = { namespace: 'knowledge', description: null, properties: null, tags: null, source_type: 'import' };
  const nodes = Array.from({ length: 200 }, (_, n) => ({
    node: { id: `n${n}`, name: `number ${n}`, type: types[n % 5], life, number: n + 1, updated_at: null, ...others },
  }));
  const edges = Array.from({ length: 199 }, (_, n) => ({
    edge: {
      source_id: `n${n + 1}`,
      target_id: `n${n >> 2}`,
      type: 'near',
      weight: 1,
      life,
      number: n + 201,
      properties: null,
    },
  }));
  await page.getByText('Nothing here yet').waitFor();
  await page.getByLabel('Memory file to import').setInputFiles({
    name: 'memory.jsonl',
    mimeType: 'text/plain',
    buffer: Buffer.from([...nodes, ...edges].map((line) => `${JSON.stringify(line)}\n`).join('')),
  });
  await page.getByLabel('200 nodes and 199 edges').waitFor();
  const heights = () =>
    page.locator('.memory-node text').evaluateAll((all) => all.map((text) => text.getBoundingClientRect().height));
  const before = await heights();
  assert.ok(before.length > 10 && before.every((height) => height > 9 && height < 24), before.join());
  await page.getByRole('button', { name: 'Zoom in' }).click();
  assert.ok(
    (await heights()).every((height) => height > 9 && height < 24),
    'zoomed in, names do not grow',
  );
  const colours = await page
    .locator('.memory-node .dot')
    .evaluateAll((all) => [...new Set(all.map((dot) => getComputedStyle(dot).stroke))]);
  assert.equal(colours.length, 5);
  const [frame, above] = await Promise.all(
    ['.memory-graph', '.graph-view'].map((part) => page.locator(part).first().boundingBox()),
  );
  assert.ok(Math.abs(frame.width - above.width) < 2, `${frame.width} of ${above.width}`);
  await leave(page);
});

test('the tab works without a network', async () => {
  const page = await offline(visitors);
  await panel(page, 'Memory');
  await page.getByRole('button', { name: 'Load an example' }).click();
  await node(page, 'Web shop').waitFor();
  await page.context().close();
});

for (const { name, options, look } of looks) {
  test(`the memory is accessible in each state: ${name}`, async () => {
    const page = await visitors.open(options);
    await panel(page, 'Memory');
    await page.getByText('Nothing here yet').waitFor();
    await look(page, 'memory-empty');
    await page.getByRole('button', { name: 'Load an example' }).click();
    await page.getByLabel('Ended and removed').check();
    await node(page, 'Redis').click();
    await look(page, 'memory-graph');
    await view(page, 'Experiences');
    await page.locator('.experience').first().waitFor();
    await look(page, 'memory-experiences');
    await view(page, 'Projects');
    await page.getByText('Move the sessions').click();
    await page.getByText('Old sessions were gone').waitFor();
    await look(page, 'memory-projects');
    await view(page, 'Ideas');
    await page.locator('.idea').first().waitFor();
    await look(page, 'memory-ideas');
    await view(page, 'Infer');
    await page.getByLabel('Goal').fill("impact(Who, 'Postgres')");
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Answer 1' }).waitFor();
    await look(page, 'memory-infer');
    await leave(page);
  });
}
