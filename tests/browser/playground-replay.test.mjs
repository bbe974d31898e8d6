// The run of a query in the playground, stepped through forwards and backwards, and breakpoints.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, looks, picture, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const TEXT = `p(1).
p(2).

q(X) :-
    p(X),
    X > 1.
`;

async function replayed(query, options) {
  const page = await visitors.open(options);
  await write(page, TEXT);
  await save(page);
  const card = await ask(page, query);
  await card.getByRole('button', { name: 'Step through the run' }).click();
  await card.locator('.replay').waitFor();
  return { page, replay: card.locator('.replay') };
}

const now = async (replay) => (await replay.locator('.replay-now').innerText()).replaceAll(/\s+/g, ' ').trim();
const step = (replay) => replay.getByRole('button', { name: 'Step', exact: true }).click();
const pointed = (page) => page.locator('.editor .cm-pointed').innerText();

test('a run can be stepped forwards and backwards, with its ports, lines and values', async () => {
  const { page, replay } = await replayed('q(X)');
  assert.equal(await now(replay), 'call q(X) 1 of 14');
  await step(replay);
  assert.equal(await now(replay), 'unify q(X) family.pl:4 2 of 14');
  assert.equal(await pointed(page), 'q(X) :-');
  for (let times = 0; times < 6; times += 1) await step(replay);
  assert.equal(await now(replay), 'redo p(1) family.pl:1 8 of 14');
  assert.equal(await pointed(page), 'p(1).');
  assert.deepEqual(await replay.locator('.replay-frames li').allInnerTexts(), ['q(1)']);
  await replay.getByRole('button', { name: 'Back' }).click();
  assert.equal(await now(replay), 'fail 1>1 family.pl:4 7 of 14');
  await picture(page, 'replay');
  await replay.getByRole('slider', { name: 'Step' }).press('End');
  assert.equal(await now(replay), 'answer q(2) 14 of 14');
  await leave(page);
});

test('the goals around a step have their values at that step; if there are many, only the innermost are shown', async () => {
  const page = await visitors.open();
  await write(page, 'len([], z).\nlen([_|T], s(N)) :-\n    len(T, N).\n');
  await save(page);
  const card = await ask(page, 'len([a,b], N)');
  await card.getByRole('button', { name: 'Step through the run' }).click();
  const replay = card.locator('.replay');
  const frames = replay.locator('.replay-frames li');
  for (let times = 0; times < 4; times += 1) await step(replay);
  assert.equal(await now(replay), 'call len([],_A) family.pl:2 5 of 10');
  assert.deepEqual(await frames.allInnerTexts(), ['len([a,b],s(s(_A)))', 'len([b],s(_A))']);
  await step(replay);
  assert.deepEqual(await frames.allInnerTexts(), ['len([a,b],s(s(z)))', 'len([b],s(z))']);
  await replay.getByRole('button', { name: 'Back' }).click();
  assert.deepEqual(await frames.allInnerTexts(), ['len([a,b],s(s(_A)))', 'len([b],s(_A))']);
  const list = Array.from({ length: 12 }, () => 'a');
  const long = await ask(page, `len([${list}], N)`);
  await long.getByRole('button', { name: 'Step through the run' }).click();
  const slider = long.getByRole('slider', { name: 'Step' });
  await slider.fill('20');
  assert.equal(await long.locator('.replay-frames li').count(), 8);
  assert.equal(await long.locator('.replay-frames').getAttribute('start'), '3');
  await leave(page);
});

test('a click on a line number sets a breakpoint', async () => {
  const { page, replay } = await replayed('q(X)');
  await page.locator('.cm-lineNumbers .cm-gutterElement', { hasText: /^2$/ }).click();
  assert.equal(await page.locator('.cm-lineNumbers .cm-stop').innerText(), '2');
  const on = replay.getByRole('button', { name: 'To breakpoint' });
  await on.click();
  assert.equal(await now(replay), 'unify p(2) family.pl:2 9 of 14');
  await on.click();
  assert.equal(await now(replay), 'exit p(2) family.pl:2 10 of 14');
  await on.click();
  assert.equal(await now(replay), 'answer q(2) 14 of 14');
  await leave(page);
});

test('an error ends a run with its message, and an endless run says that it was cut', async () => {
  const { page, replay } = await replayed('q(_), X is foo + 1');
  await replay.getByRole('slider', { name: 'Step' }).press('End');
  assert.match(await now(replay), /^error .*foo/);
  await leave(page);
  const other = await replayed('between(1, 900, X), X < 0');
  await other.replay.getByText('The first 2,000 steps; the run is longer.').waitFor();
  await leave(other.page);
});

for (const { name, options, look } of looks)
  test(`axe-core finds nothing in a replay, ${name}`, async () => {
    const { page, replay } = await replayed('q(X)', { ...options, viewport: { width: 1280, height: 800 } });
    await page.setViewportSize(options.viewport);
    await step(replay);
    await look(page, 'replay');
    await leave(page);
  });
