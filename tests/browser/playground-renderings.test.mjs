// Pictures that one can ask for: charts, timelines, trees of terms, graphs; by what fits, by hand, and as SWISH has it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, looks, panel, picture, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const pressed = (card) => card.locator('.views [aria-pressed=true]').innerText();

test('chart(Type, Data) is a chart: bars, a line, points, slices', async () => {
  const page = await visitors.open();
  const bars = await ask(page, 'C = chart(bar, [tea-3, coffee-5, water-1])');
  assert.equal(await pressed(bars), 'Chart');
  await bars.locator('.chart .ct-bar').nth(2).waitFor({ state: 'attached' });
  assert.deepEqual(await bars.locator('.chart .ct-label.ct-horizontal').allTextContents(), ['tea', 'coffee', 'water']);
  // Who does not see it has a table.
  assert.equal(await bars.locator('table.unseen td').nth(1).textContent(), '5');
  const line = await ask(page, 'findall(X-Y, (between(0, 10, X), Y is X * X), Ps), C = chart(line, Ps)');
  await line.locator('.chart .ct-line').waitFor({ state: 'attached' });
  assert.equal(await line.locator('.chart .ct-point').count(), 11);
  const pie = await ask(page, "C = chart(pie, ['<b>x</b>'-1, b-3])");
  await pie.locator('.chart .ct-slice-pie').nth(1).waitFor({ state: 'attached' });
  // A label is text, whatever it looks like.
  assert.equal(await pie.locator('.chart b').count(), 0);
  assert.match(await pie.locator('.chart').textContent(), /<b>x<\/b>/);
  await picture(page, 'charts');
  const none = await ask(page, 'C = chart(bar, [a-b])');
  assert.equal(await none.locator('.views button', { hasText: 'Chart' }).count(), 0);
  await leave(page);
});

test('what begins and ends is a timeline', async () => {
  const page = await visitors.open();
  const card = await ask(page, 'Plan = [task(design, 0, 3), task(parts, 3, 5), task(testing, 12, 14)]');
  assert.equal(await pressed(card), 'Timeline');
  assert.match(
    await card.locator('svg.timeline').getAttribute('aria-label'),
    /design 0 to 3, parts 3 to 5, testing 12 to 14/,
  );
  const pairs = await ask(page, 'T = timeline([a-(1-4), b-(2-3)])');
  assert.equal(await pairs.locator('svg.timeline .span').count(), 2);
  await leave(page);
});

test('a term is a tree, a graph has its parts side by side, and each fills the screen', async () => {
  const page = await visitors.open();
  const card = await ask(page, 'T = s(np(d(the), n(cat)), vp(v(sleeps)))');
  await card.getByRole('button', { name: 'Tree' }).click();
  assert.deepEqual(await card.locator('.graph .node text').allTextContents(), [
    'the',
    'd',
    'cat',
    'n',
    'np',
    'sleeps',
    'v',
    'vp',
    's',
  ]);
  await card.getByRole('button', { name: 'Full screen' }).click();
  await page.waitForFunction(() => document.fullscreenElement?.className === 'zoom-frame');
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.fullscreenElement && document.exitFullscreen());
  const parts = await ask(page, 'G = digraph([a->b, b->c, x->y, edge(y->z, [color(red)])])');
  await parts.getByRole('button', { name: 'Graph' }).click();
  await parts.locator('.graph .node').nth(5).waitFor();
  assert.equal(await parts.locator('.graph path.edge').count(), 4);
  const boxes = await parts.locator('.graph .node rect').evaluateAll((all) => all.map((one) => one.getBBox()));
  const overlap = boxes.some((a, i) =>
    boxes.some(
      (b, j) => i < j && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
    ),
  );
  assert.ok(!overlap);
  await leave(page);
});

test(':- use_rendering(...) is taken as SWISH takes it, and chooses the picture', async () => {
  const page = await visitors.open();
  await write(
    page,
    ':- use_rendering(svgtree).\n:- use_rendering(graphviz, [zoom]).\n:- use_rendering(nosuch).\nt(f(g(a), b)).\n',
  );
  await save(page);
  assert.equal(await page.locator('.problems li').count(), 0);
  const card = await ask(page, 't(T)');
  assert.equal(await pressed(card), 'Tree');
  const graph = await ask(page, 'member(X-Y, [a-b, b-c])', 'Ask for all');
  assert.equal(await pressed(graph), 'Graph');
  await leave(page);
});

for (const { name, options, look } of looks) {
  test(`axe-core finds nothing in pictures, ${name}`, async () => {
    const page = await visitors.open(options);
    await panel(page, 'Queries');
    const chart = await ask(page, 'C = chart(pie, [a-1, b-3])');
    await chart.locator('.ct-slice-pie').nth(1).waitFor({ state: 'attached' });
    const tree = await ask(page, 'T = s(np(d(the), n(cat)), vp(v(sleeps)))');
    await tree.getByRole('button', { name: 'Tree' }).click();
    await ask(page, 'Plan = [task(design, 0, 3), task(parts, 3, 5)]');
    await look(page, 'renderings');
    await leave(page);
  });
}
