// Pictures on request: charts, timelines, trees of terms, graphs; chosen automatically, by hand, and as in SWISH.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, example, leave, looks, panel, picture, save, write } from './playground.mjs';

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
  // For those who cannot see it, there is a table.
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

test('rows with a beginning and an end are a timeline', async () => {
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

test('a table of a name and numbers can be a chart, and the examples show the pictures that they speak of', async () => {
  const page = await visitors.open();
  await write(page, 'sales(jan, 10, 1).\nsales(feb, 20, 2).\nsales(mar, 15, 3).\nodd(a, 1).\nodd(b, c).\n');
  const card = await ask(page, 'sales(Month, Tea, Water)', 'Ask for all');
  assert.equal(await pressed(card), 'Table');
  await card.getByRole('button', { name: 'Chart' }).click();
  await card.locator('.chart .ct-bar').nth(5).waitFor({ state: 'attached' });
  assert.deepEqual(await card.locator('.chart .ct-label.ct-horizontal').allTextContents(), ['jan', 'feb', 'mar']);
  assert.deepEqual(await card.locator('.chart-legend li').allInnerTexts(), ['Tea', 'Water']);
  const width = await card
    .locator('.chart .ct-bar')
    .first()
    .evaluate((bar) => parseFloat(getComputedStyle(bar).strokeWidth));
  assert.ok(width > 40, `a bar of six is ${width} pixels wide`);
  const others = await ask(page, 'odd(X, Y)', 'Ask for all');
  assert.equal(await others.locator('.views button', { hasText: 'Chart' }).count(), 0);
  for (const [file, query, view] of [
    ['schedule.pl', 'schedule(Plan, End)', 'Timeline'],
    ['grammar.pl', 'sentence_tree("the cat sees a mouse", Tree)', 'Tree'],
  ]) {
    await example(page, file);
    assert.equal(await pressed(await ask(page, query)), view);
  }
  await panel(page, 'Notebook');
  await page.getByRole('button', { name: 'Run all' }).click();
  await page.locator('.notebook .card .views [aria-pressed=true]', { hasText: 'Graph' }).waitFor();
  await leave(page);
});

test('a term is a tree, a graph has its parts side by side, and each can fill the screen', async () => {
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

test(':- use_rendering(...) works as in SWISH, and selects the picture', async () => {
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

test('C3 charts in the form of SWISH are drawn: rows, columns, dicts, several series', async () => {
  const page = await visitors.open();
  const rows = await ask(
    page,
    'C = c3{data: _{x: elem, rows: [elem-count, a-3, b-5], type: bar}, axis: _{x: _{type: category}}}',
  );
  assert.equal(await pressed(rows), 'Chart');
  await rows.locator('.chart .ct-bar').nth(1).waitFor({ state: 'attached' });
  assert.deepEqual(await rows.locator('.chart .ct-label.ct-horizontal').allTextContents(), ['a', 'b']);
  const lines = await ask(
    page,
    'findall([X,Y,Z], (between(1, 4, X), Y is X * X, Z is 2 * X), L), C = c3{data: _{x: n, rows: [[n,square,double]|L]}}',
  );
  await lines.locator('.chart .ct-series-b .ct-line').waitFor({ state: 'attached' });
  assert.deepEqual(await lines.locator('.chart-legend li').allInnerTexts(), ['square', 'double']);
  assert.equal(await lines.locator('table.unseen tbody tr').count(), 4);
  const dicts = await ask(page, 'C = c3{data: _{x: k, rows: [_{k: a, v: 1}, _{k: b, v: 2}], type: line}}');
  assert.equal(await dicts.locator('table.unseen td').nth(1).textContent(), '2');
  const pie = await ask(page, 'C = c3{data: _{columns: [[yes, 3], [no, 1]], type: pie}}');
  await pie.locator('.chart .ct-slice-pie').nth(1).waitFor({ state: 'attached' });
  await picture(page, 'charts-c3');
  // An invalid chart, or one of an unsupported type, stays a table.
  for (const wrong of ['c3{data: _{rows: [[a], [b]]}}', 'c3{data: _{columns: [[a, 1]], type: gauge}}', 'c3{data: 1}']) {
    const none = await ask(page, `C = ${wrong}`);
    assert.equal(await none.locator('.views button', { hasText: 'Chart' }).count(), 0, wrong);
  }
  await leave(page);
});

test('Graphviz graphs in the form of SWISH are drawn: dot(Text), and lists with attributes', async () => {
  const page = await visitors.open();
  const nodes = async (card) => {
    await card.getByRole('button', { name: 'Graph' }).click();
    await card.locator('.graph .node').first().waitFor();
    return (await card.locator('.graph .node title').allTextContents()).toSorted();
  };
  const dot = await ask(
    page,
    'G = dot("digraph g { rankdir=LR; node [shape=box]; a -> b -> \\"c d\\" [label=\\"to\\"]; /* x */ a -> \\"c d\\"; }")',
  );
  assert.deepEqual(await nodes(dot), ['a', 'b', 'c d']);
  assert.equal(await dot.locator('.graph path.edge').count(), 3);
  assert.deepEqual(await dot.locator('.graph .edge-label').allTextContents(), ['to', 'to']);
  const list = await ask(
    page,
    "G = graph([rankdir='LR', node([shape(box)]), a-b, edge(b-c, [label(x)]), node(a, [color(red)])])",
  );
  assert.deepEqual(await nodes(list), ['a', 'b', 'c']);
  const none = await ask(page, 'G = dot("no graph")');
  assert.equal(await none.locator('.views button', { hasText: 'Graph' }).count(), 0);
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
