// What the design promises, measured on each tab as it is drawn: sizes of type, corners, the typeface, the grid of
// cards, colours, and the needs of a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, panel, picture } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

/** Each tab with contents: its name, and how to get there. */
const STATES = [
  [
    'Queries',
    async (page) => {
      await ask(page, 'ancestor(X, Y)', 'Ask for all');
      const why = await ask(page, 'ancestor(tom, ann)');
      await why.getByRole('button', { name: 'Why answer 1', exact: true }).click();
      await why.locator('.proof-tree').first().waitFor();
      await ask(page, 'nosuch(X)');
      const no = await ask(page, 'parent(jim, _)');
      await no.getByRole('button', { name: 'Why not?' }).click();
      await no.getByRole('group', { name: 'Why there is no answer' }).waitFor();
      const chart = await ask(page, 'C = chart(bar, [a-1, b-2])');
      await chart.locator('svg').first().waitFor();
    },
  ],
  ['Notebook', (page) => page.getByRole('button', { name: 'Run all' }).waitFor()],
  [
    'DML',
    async (page) => {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.locator('.run:not([data-phase=running])').waitFor();
    },
  ],
  [
    'Workflow',
    async (page) => {
      await page.locator('.flow-node').first().waitFor();
      await page.locator('.workflow').getByRole('button', { name: 'Run', exact: true }).click();
      await page.locator('.flow-run:not([data-phase=running])').waitFor();
    },
  ],
  [
    'Memory',
    async (page) => {
      await page.getByRole('button', { name: 'Load an example' }).click();
      await page.locator('.memory-node').first().waitFor();
    },
  ],
  ['History', (page) => page.locator('.revisions').first().waitFor()],
  ['Agent', (page) => page.getByText('Call a tool yourself').waitFor()],
];

/** Violations of the rules for all visible elements, one line each. */
const breaches = (page) =>
  page.evaluate(() => {
    const found = new Set();
    const { accent, paper } = (() => {
      const probe = document.body.appendChild(document.createElement('i'));
      const colour = (name) => {
        probe.style.color = `var(${name})`;
        return getComputedStyle(probe).color;
      };
      const colours = { accent: colour('--accent'), paper: colour('--paper') };
      probe.remove();
      return colours;
    })();
    if (accent === paper) found.add('there is no brown to look for');
    const named = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].join('.')}`;
    for (const one of document.querySelectorAll('body *')) {
      if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const { width, height } = one.getBoundingClientRect();
      if (width < 2 || height < 2) continue;
      const style = getComputedStyle(one);
      const hasText = [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== '');
      // What is drawn in the units of a picture scales with it; a workflow is drawn in those of the page, or as wide as
      // its frame.
      const flow = one.closest('.flow');
      const isNarrow = flow !== null && flow.clientWidth < Number.parseFloat(flow.style.getPropertyValue('--width'));
      const isFree = isNarrow || one.closest('svg:not(.flow)') !== null;
      const scale = flow?.getScreenCTM().a ?? 1;
      const size = Math.round(100 * scale * Number.parseFloat(style.fontSize)) / 100;
      if (hasText && !isFree && ![12, 14, 16].includes(size)) found.add(`${named(one)} has letters of ${size}px`);
      if (hasText && !/^"?Inter"?,|^ui-monospace,/.test(style.fontFamily))
        found.add(`${named(one)} is written in ${style.fontFamily}`);
      const corners = ['TopLeft', 'TopRight', 'BottomLeft', 'BottomRight'].map(
        (corner) => style[`border${corner}Radius`],
      );
      // 50% is the pill shape of an element as wide as it is high.
      for (const corner of corners)
        if (!['0px', '6px', '10px', '999px', '50%'].includes(corner))
          found.add(`${named(one)} has corners of ${corner}`);
      // Brown is for the name and for the one primary action.
      const isBrown = [style.backgroundColor, style.borderTopColor].includes(accent) && style.borderTopStyle !== 'none';
      if (isBrown && !one.matches('.main')) found.add(`${named(one)} is brown`);
      if (hasText && style.color === accent && !one.closest('h1')) found.add(`${named(one)} has brown letters`);
    }
    return [...found];
  });

/** Controls less than 44 pixels high. */
const small = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.work :is(button, select, summary, [role=tab])')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.unseen'))
      .map((one) => [one.innerText || one.ariaLabel || one.className, one.getBoundingClientRect().height])
      .filter(([, height]) => height > 0 && height < 43.5)
      .map(([name, height]) => `${name} is ${height} pixels high`),
  );

test('a violation of a rule is found', async () => {
  const page = await visitors.open();
  await page.addStyleTag({
    content: '.chip { font-size: 13px; border-radius: 4px; color: var(--accent); } .tagline { font-family: serif; }',
  });
  const found = (await breaches(page)).join('\n');
  for (const breach of ['letters of 13px', 'corners of 4px', 'brown letters', 'written in serif'])
    assert.ok(found.includes(breach), `${breach}: ${found}`);
  await leave(page);
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [1280, 380]) {
    test(`letters, corners and brown follow the design on every tab: ${colorScheme}, ${width}`, async () => {
      const page = await visitors.open({ colorScheme, viewport: { width, height: 800 } });
      const found = { Book: await breaches(page) };
      await picture(page, `design-${colorScheme}-${width}-Book`);
      for (const [name, fill] of STATES) {
        await panel(page, name);
        await fill(page);
        found[name] = await breaches(page);
        await picture(page, `design-${colorScheme}-${width}-${name}`);
        // On a phone the query box leaves its room to the panels that do not ask.
        if (width === 380) {
          const asks = await page.getByRole('button', { name: 'Ask', exact: true }).isVisible();
          assert.equal(asks, ['Book', 'Queries'].includes(name), `Ask on ${name}`);
          assert.deepEqual(await small(page), [], name);
        }
      }
      assert.deepEqual(
        Object.entries(found).filter(([, lines]) => lines.length > 0),
        [],
      );
      await leave(page);
    });
  }
}

test('the typeface comes with the page', async () => {
  const page = await visitors.open();
  const faces = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].map(({ family, status }) => [family.replaceAll('"', ''), status]);
  });
  assert.deepEqual(faces, [['Inter', 'loaded']]);
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.woff2')),
  );
  assert.equal(loaded.length, 1);
  assert.ok(loaded[0].startsWith(visitors.site.address), loaded[0]);
  await leave(page);
});

test('cards follow one grid: 4 pixels, the goal and the row of buttons 32 high, nothing jumps from card to card', async () => {
  const page = await visitors.open();
  await ask(page, 'ancestor(X, Y)', 'Ask for all');
  await ask(page, 'parent(jim, _)');
  await ask(page, 'member(X, [1, 2, 3])');
  const cards = await page.locator('.card').evaluateAll((all) =>
    all.map((card) => {
      const top = card.getBoundingClientRect().top;
      const of = (selector) => card.querySelector(selector).getBoundingClientRect();
      return {
        goal: of('.goal code').top - top,
        goalHigh: of('header').height,
        first: of('.goal .prompt').left - card.getBoundingClientRect().left,
        footHigh: of('footer').height,
        below: Math.round(card.getBoundingClientRect().bottom - of('footer').bottom),
        gap: getComputedStyle(card).rowGap,
        // The first item in the last row, a button or how the query ended, begins where the goal does.
        footFirst:
          [...card.querySelectorAll('footer button, .status')][0].getBoundingClientRect().left - of('.goal').left,
      };
    }),
  );
  assert.equal(cards.length, 3);
  for (const card of cards) {
    assert.deepEqual(card, cards[0]);
    assert.deepEqual([card.goalHigh, card.footHigh, card.gap, card.footFirst], [32, 32, '8px', 0]);
  }
  await leave(page);
});

test('false is grey, what runs is neutral, and the message that there are no more answers is green', async () => {
  const page = await visitors.open();
  const edge = (card) => card.evaluate((one) => getComputedStyle(one).borderLeftColor);
  const colour = (name) =>
    page.evaluate((name) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(${name})`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }, name);
  const no = await ask(page, 'parent(jim, _)');
  assert.equal(await edge(no), await colour('--strong-line'));
  assert.equal(await no.locator('.verdict.no').evaluate((one) => getComputedStyle(one).color), await colour('--grey'));
  assert.equal(await edge(await ask(page, 'ancestor(tom, Who)')), await colour('--strong-line'));
  assert.equal(await edge(await ask(page, 'once(parent(tom, _))')), await colour('--good'));
  await leave(page);
});
