// The playground as a person uses it. A test fails when the page throws where nobody catches, breaks its own policy,
// or asks another address for anything.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { servePage } from '../../scripts/page.mjs';
import { launch } from './harness.mjs';

/** Where the pictures of the page are kept for people to look at. */
export const PICTURES = join(tmpdir(), 'hornbook-pictures');
mkdirSync(PICTURES, { recursive: true });

export class Visitors {
  #contexts = [];

  /** `browser`: as the tests are told to use, or one that was launched. */
  static async start(browser = launch()) {
    const visitors = new Visitors();
    [visitors.browser, visitors.site] = await Promise.all([browser, servePage(0)]);
    return visitors;
  }

  async close() {
    await this.browser.close();
    await this.site.close();
  }

  /** A browser that was never here. */
  async newcomer(options = {}) {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
      ...options,
    });
    context.faults = [];
    // Not every browser tells of each breach in its console.
    await context.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
        console.error(`${violatedDirective} forbids ${blockedURI} in ${sourceFile}`),
      ),
    );
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (!['blob:', 'data:'].includes(url.protocol) && url.href.indexOf(this.site.address) !== 0)
        context.faults.push(`it asked ${url.origin}`);
    });
    this.#contexts.push(context);
    return context;
  }

  /** The playground in a tab; ready when SWI-Prolog is. */
  async open(options, hash = '') {
    return this.tab(await this.newcomer(options), hash);
  }

  async tab(context, hash = '') {
    const page = await context.newPage();
    page.on('pageerror', (error) => context.faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && context.faults.push(message.text()));
    page.setDefaultTimeout(20_000);
    await page.goto(this.site.address + hash);
    await ready(page);
    return page;
  }
}

/** A page that was here before, without a network. */
export async function offline(visitors) {
  const page = await visitors.open({ serviceWorkers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await page.reload();
  await ready(page);
  return page;
}

export const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.ready);

/** Nothing went wrong in the page; its tabs are closed. */
export async function leave(page) {
  assert.deepEqual(page.context().faults, []);
  await page.context().close();
}

/** Asks by the box; the card of the query. `how`: `Ask` or `Ask for all`. */
export async function begin(page, query, how = 'Ask') {
  const before = await page.locator('.card').count();
  // Firefox under load adds to what stands there when a text is put into it at once: it is typed, as a person does.
  await page.getByLabel('Query', { exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(query);
  await page.getByRole('button', { name: how, exact: true }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.card').length > count, before);
  return newest(page);
}

/** The card of the last query; it stays that one when others come. */
export async function newest(page) {
  const [name] = /^Query \d+:/.exec(await page.locator('.card').first().getAttribute('aria-label'));
  return page.locator(`.card[aria-label^="${name}"]`);
}

/** As {@link begin}, until it runs no more. */
export async function ask(page, query, how) {
  const card = await begin(page, query, how);
  await settled(card);
  return card;
}

export const settled = async (card) => {
  await card.page().waitForFunction((element) => element.dataset.phase !== 'running', await card.elementHandle());
  return card;
};

/** The cells of the answers, row by row, without their numbers. */
export const rows = (card) =>
  card
    .locator('tbody tr[data-answer]')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td:not(.last)')].map((cell) => cell.innerText.trim())),
    );

export async function example(page, name) {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
}

export const panel = (page, name) => page.getByRole('tab', { name, exact: true }).click();

/** The text in an editor becomes `text`, as if it were typed. */
export async function write(page, text, editor = page.getByLabel('Clauses', { exact: true })) {
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  // Firefox leaves a line behind where a text replaces another; Chromium lays a long text out for minutes where none was.
  const browser = page.context().browser()?.browserType().name();
  if (browser === 'firefox') await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

export async function save(page) {
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('button', { name: 'Saved' }).waitFor();
}

/** What is underlined in the editor. */
export const underlined = (page, severity) => page.locator(`.editor .cm-lintRange-${severity}`).allInnerTexts();

export const picture = (page, name) => page.screenshot({ path: join(PICTURES, `${name}.png`) });

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** For each theme and width: what axe-core finds in a state of the page is nothing, it is no wider, and has a picture. */
export const looks = ['light', 'dark'].flatMap((colorScheme) =>
  [1280, 380].map((width) => ({
    name: `${colorScheme}, ${width} pixels wide`,
    options: { colorScheme, viewport: { width, height: 800 } },
    async look(page, state) {
      assert.deepEqual(await violations(page), [], state);
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${state} is wider than the page`,
      );
      await picture(page, `${colorScheme}-${width}-${state}`);
    },
  })),
);

/** What axe-core finds, one line each. */
async function violations(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => (await axe.run(document)).violations);
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
  );
}
