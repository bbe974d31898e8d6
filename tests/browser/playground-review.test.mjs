// Drafts in the page: agents propose, the person sees what would follow, and accepts or rejects it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, looks, panel, ready, rows, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

const BOOK = `edge(a, b).
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
:- begin_tests(paths).
test(one) :- path(a, b), !.
test(end, fail) :- path(b, _).
:- end_tests(paths).
`;

/** A page with this book, whose agents are under review. */
async function reviewed(options, text = BOOK) {
  const page = await visitors.open(options);
  if ((page.viewportSize()?.width ?? 1280) < 760) await panel(page, 'Book');
  await write(page, text);
  await save(page);
  await panel(page, 'Agent');
  await page.getByLabel('Changes need your review').check();
  await page.getByText('Call a tool yourself').click();
  return page;
}

/** Calls a tool as the page's agent. Resolves with what it reads. */
async function call(page, tool, values) {
  await panel(page, 'Agent');
  const answered = page.locator('.exchange.answered[data-client=agent][data-method="tools/call"]');
  const before = await answered.count();
  await page.getByLabel('Tool', { exact: true }).selectOption(tool);
  await page.getByLabel('Arguments, as JSON').fill(JSON.stringify(values));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForFunction(
    (count) =>
      document.querySelectorAll('.exchange.answered[data-client=agent][data-method="tools/call"]').length > count,
    before,
  );
  const newest = answered.first();
  await newest.locator('summary').click();
  return newest.locator('.for-model').innerText();
}

const propose = (page, ...clauses) => call(page, 'clauses', { operation: 'assert', clauses });
const draft = (page) => page.locator('.draft');

/** Shows the drafts, once all of the first is there. */
async function review(page) {
  await page.getByRole('tab', { name: /^History/ }).click();
  await draft(page)
    .getByText(/tests? pass/)
    .waitFor();
  return draft(page);
}

const lines = (part) => part.locator('.diff div').allInnerTexts();

test('a draft is shown with what follows from it, and accepted as one revision that undo takes back', async () => {
  const page = await reviewed();
  assert.match(await propose(page, 'edge(b, c).'), /1\/1 successful/);
  assert.match(await call(page, 'query_start', { query: 'path(a, X)', take: 9 }), /X = c|"c"|\bc\b/);
  await page.getByRole('tab', { name: /History.*1 to review/ }).waitFor();
  await panel(page, 'Queries');
  assert.deepEqual(await rows(await ask(page, 'path(a, X)', 'Ask for all')), [['b']]);
  await page.getByRole('button', { name: 'Pin: show its answers' }).click();
  const shown = await review(page);
  await shown.getByRole('heading', { name: 'agent proposes 1 change', exact: true }).waitFor();
  assert.deepEqual(await lines(shown), ['In no file', '+ edge(b, c).']);
  const gained = shown.locator('.goal-change .plus');
  assert.deepEqual(await gained.locator('summary').allInnerTexts(), ['+ X = c']);
  await gained.locator('summary').click();
  await gained.locator('.proof-tree').getByText('edge(b,c)').first().waitFor();
  assert.match(await shown.innerText(), /1 test passes, 1 fails that passed before\./);
  await shown.getByRole('button', { name: 'Accept all' }).click();
  await page.getByText('Accepted 1 change.').first().waitFor();
  await draft(page).waitFor({ state: 'detached' });
  const first = page.locator('.revisions summary').first();
  assert.equal(await first.locator('.what').innerText(), 'Accepted what agent proposed');
  assert.equal(await first.locator('.who').innerText(), 'you');
  await panel(page, 'Queries');
  await page.locator('.pinned tr.new', { hasText: 'c' }).waitFor();
  await panel(page, 'History');
  await page.locator('.history').getByRole('button', { name: 'Undo', exact: true }).click();
  await draft(page).waitFor();
  await panel(page, 'Queries');
  assert.deepEqual(await rows(await ask(page, 'path(a, X)', 'Ask for all')), [['b']]);
  await leave(page);
});

test('a rejection reaches the agent with its reason', async () => {
  const page = await reviewed();
  await propose(page, 'edge(b, a).');
  const shown = await review(page);
  await shown.getByLabel('Reason, which the agent reads').fill('No cycles');
  await shown.getByRole('button', { name: 'Reject all' }).click();
  await draft(page).waitFor({ state: 'detached' });
  assert.match(await call(page, 'query_start', { query: 'edge(b, X)', take: 1 }), /rejected your change: No cycles\./);
  await page.getByRole('tab', { name: 'History', exact: true }).waitFor();
  await leave(page);
});

test('some operations are accepted, and what no longer applies is said', async () => {
  const page = await reviewed();
  await propose(page, 'edge(x, 1).');
  await propose(page, 'edge(x, 2).');
  await call(page, 'clauses', { operation: 'retract', clauses: ['edge(a, b)'] });
  const shown = await review(page);
  assert.deepEqual(await lines(shown), ['family.pl', '- edge(a, b).', 'In no file', '+ edge(x, 1).', '+ edge(x, 2).']);
  await shown.getByRole('checkbox').nth(1).uncheck();
  await page.waitForFunction(() => !document.querySelector('.draft .diff').innerText.includes('edge(x, 2)'));
  await write(page, BOOK.replace('edge(a, b).\n', 'edge(b, c).\n'));
  await save(page);
  await shown
    .getByText('No longer applies: edge(a, b). is gone')
    .or(shown.getByText(/No longer applies: .*edge/))
    .waitFor();
  await shown.getByRole('button', { name: 'Accept the 2 ticked' }).click();
  await shown.getByText(/Nothing was changed/).waitFor();
  await shown.getByRole('checkbox').nth(2).uncheck();
  await shown.getByRole('button', { name: 'Accept the 1 ticked' }).click();
  await page.getByText('Accepted 1 change.').first().waitFor();
  await shown.getByRole('heading', { name: 'agent proposes 2 changes' }).waitFor();
  await panel(page, 'Queries');
  assert.deepEqual(await rows(await ask(page, 'edge(x, X)', 'Ask for all')), [['1']]);
  await leave(page);
});

/** Clicks the button that accepts again and again, for so many milliseconds. */
const acceptWhenever = (page, ms) =>
  page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        const accept = document.querySelector('.draft footer button');
        accept.click();
        const begun = performance.now();
        const poll = setInterval(() => {
          if (performance.now() - begun > ms || !accept.isConnected) {
            clearInterval(poll);
            resolve();
          } else accept.click();
        }, 5);
      }),
    ms,
  );

test('only what was drawn and ticked is accepted, however often and early somebody clicks', async () => {
  const page = await reviewed();
  await propose(page, 'r(1).');
  await propose(page, 's(1).');
  const shown = await review(page);
  await shown.getByRole('checkbox').nth(0).uncheck();
  await page.waitForFunction(() => document.querySelectorAll('.draft .diff .plus').length === 1);
  await shown.getByRole('button', { name: 'Accept the 1 ticked' }).and(page.locator(':enabled')).waitFor();
  // The agent goes on while the person clicks.
  await page.evaluate(() => {
    document.querySelector('[aria-label="Tool"]').value = 'clauses';
    const values = { operation: 'assert', clauses: ['evil(1).'] };
    document.querySelector('[aria-label="Arguments, as JSON"]').value = JSON.stringify(values);
    const send = [...document.querySelectorAll('button')].find((one) => one.textContent.trim().startsWith('Send'));
    send.click();
  });
  await page.waitForTimeout(250);
  await acceptWhenever(page, 1_500);
  await shown.getByRole('heading', { name: 'agent proposes 2 changes' }).waitFor();
  assert.deepEqual(await shown.getByRole('checkbox').evaluateAll((boxes) => boxes.map(({ checked }) => checked)), [
    false,
    false,
  ]);
  await shown.getByText('Tick operations to see what they change.').waitFor();
  await shown.getByRole('button', { name: 'Accept the ticked' }).and(page.locator(':disabled')).waitFor();
  await panel(page, 'Queries');
  assert.deepEqual(await rows(await ask(page, 's(X)', 'Ask for all')), [['1']]);
  for (const goal of ['r(X)', 'evil(X)']) {
    await ask(page, `catch(${goal}, _, X = none)`);
    await page.getByText('none', { exact: true }).first().waitFor();
  }
  await leave(page);
});

/** Clicks the button that accepts for so many milliseconds once the draft has this heading. */
const acceptOnceDrawn = (page, heading, ms) =>
  page.evaluate(
    ([heading, ms]) =>
      new Promise((resolve) => {
        const poll = setInterval(() => {
          const accept = document.querySelector('.draft footer button');
          if (document.querySelector('.draft h2').textContent !== heading) return accept.click();
          clearInterval(poll);
          const begun = performance.now();
          const clicks = setInterval(() => {
            accept.click();
            if (performance.now() - begun < ms && accept.isConnected) return;
            clearInterval(clicks);
            resolve();
          }, 5);
        }, 5);
      }),
    [heading, ms],
  );

test('nobody decides about what they cannot have read: clicks count once it has been visible for a moment', async () => {
  const page = await reviewed({}, `${BOOK}:- constraint(edge(X, X), "~w has an edge to itself"-[X]).\n`);
  await propose(page, 'edge(X, Y) :- mirror(X, Y).');
  await panel(page, 'Queries');
  await ask(page, 'assertz(mirror(m, m))');
  const shown = await review(page);
  const accept = shown.getByRole('button', { name: 'Accept all' });
  await accept.and(page.locator(':enabled')).waitFor();
  // A decision that is refused: the state is drawn again, and the clicks that follow at once are not about it.
  await page.evaluate(() => {
    const status = document.querySelector('.draft > .note[role=status]');
    window.refusals = 0;
    new MutationObserver(() => (window.refusals += Number(/refuses this/.test(status.textContent)))).observe(status, {
      childList: true,
    });
  });
  await acceptWhenever(page, 900);
  await shown.getByText(/A constraint refuses this/).waitFor();
  assert.equal(await page.evaluate(() => window.refusals), 1);
  // What comes while the person aims at the button is read first.
  await page.evaluate(() => {
    document.querySelector('[aria-label="Tool"]').value = 'clauses';
    const values = { operation: 'assert', clauses: ['evil(1).'] };
    document.querySelector('[aria-label="Arguments, as JSON"]').value = JSON.stringify(values);
    const send = [...document.querySelectorAll('button')].find((one) => one.textContent.trim().startsWith('Send'));
    send.click();
  });
  await acceptOnceDrawn(page, 'agent proposes 2 changes', 700);
  assert.ok(await accept.isDisabled());
  await accept.and(page.locator(':enabled')).waitFor();
  await shown.getByRole('checkbox').nth(0).uncheck();
  await shown.getByRole('button', { name: 'Accept the 1 ticked' }).click();
  await page.getByText('Accepted 1 change.').first().waitFor();
  await leave(page);
});

test('what the agent asked is compared without being named, with its unseen characters shown', async () => {
  const page = await reviewed();
  await propose(page, 'edge(b, c).');
  await call(page, 'query_start', { query: "path(a, X), X \\== '\u0007'", take: 9 });
  const shown = await review(page);
  const asked = shown.locator('.goal-change', { hasText: 'Its client asked this.' });
  await asked.getByText('+ X = c').waitFor();
  assert.equal(await asked.locator('.goal .odd').innerText(), 'U+0007');
  await leave(page);
});

test('verdicts of another state are not shown, and what is not known is said', async () => {
  const text = `${BOOK.replace(':- end_tests', 'test(slow) :- catch(\\+ go, _, true) -> true ; between(1, inf, X), X < 0.\n:- end_tests')}:- dynamic go/0.\n`;
  const page = await reviewed({}, text);
  await propose(page, 'okay(1).');
  const shown = await review(page);
  assert.match(await shown.innerText(), /3 tests pass\./);
  await shown.getByLabel('Goals, one a line').fill('missing(X)');
  await shown.getByRole('button', { name: 'Compare' }).click();
  await shown.getByText(/Whether its answers change is not known\. Before and after, it raises an error/).waitFor();
  assert.doesNotMatch(await shown.innerText(), /answer the same/);
  await propose(page, 'go.');
  await page.getByRole('tab', { name: /^History/ }).click();
  await shown.getByText('Running the tests of the book…').waitFor();
  assert.match(await shown.locator('.diff').innerText(), /\+ go\./);
  assert.doesNotMatch(await shown.innerText(), /tests? pass/);
  await shown.locator('.fault', { hasText: 'The tests could not be run to their end' }).waitFor({ timeout: 30_000 });
  await leave(page);
});

test('a constraint that refuses a draft is shown, and a draft survives a reload', async () => {
  const page = await reviewed({}, `${BOOK}:- constraint(edge(X, X), "~w has an edge to itself"-[X]).\n`);
  await propose(page, 'edge(X, Y) :- mirror(X, Y).');
  await panel(page, 'Queries');
  await ask(page, 'assertz(mirror(m, m))');
  await page.reload();
  await ready(page);
  await page.getByRole('tab', { name: /History.*1 to review/ }).waitFor();
  const shown = await review(page);
  assert.match(await shown.innerText(), /A constraint refuses it: .*m has an edge to itself/);
  await shown.getByRole('button', { name: 'Accept all' }).click();
  await shown.getByText(/A constraint refuses this, and nothing was changed/).waitFor();
  await leave(page);
});

for (const { name, options, look } of looks)
  test(`axe-core finds nothing in a draft, ${name}`, async () => {
    const page = await reviewed(options);
    await propose(page, 'edge(b, c).', 'edge(c, d).');
    await call(page, 'files', { operation: 'import', filename: 'notes.md', text: '# Notes\n\nabout edges\n' });
    await call(page, 'clauses', { operation: 'retract', clauses: ['edge(a, b)'] });
    const shown = await review(page);
    await shown.getByLabel('Goals, one a line').fill('path(a, X)\npath(b, X)');
    await shown.getByRole('button', { name: 'Compare' }).click();
    await shown.locator('.goal-change summary').first().click();
    await shown.locator('.proof-tree').first().waitFor();
    await look(page, 'review');
    await leave(page);
  });
