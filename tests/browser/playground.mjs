// The playground as a person uses it. A test fails if the page throws an uncaught error, violates its own policy, or
// requests anything from another address.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { servePage } from '../../scripts/page.mjs';
import { launch } from './harness.mjs';

/** The folder for pictures of the page, for people to look at. */
export const PICTURES = join(tmpdir(), 'hornbook-pictures');
mkdirSync(PICTURES, { recursive: true });

export class Visitors {
  #contexts = [];

  /** `browser`: the one that the tests are told to use, or one that was launched. */
  static async start(browser = launch()) {
    const visitors = new Visitors();
    [visitors.browser, visitors.site] = await Promise.all([browser, servePage(0)]);
    return visitors;
  }

  async close() {
    await this.browser.close();
    await this.site.close();
  }

  /** A browser without any data from earlier visits. */
  async newcomer(options = {}) {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
      ...options,
    });
    context.faults = [];
    // Not every browser reports each violation in its console.
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
    page.setDefaultTimeout(60_000);
    await page.goto(this.site.address + hash);
    await ready(page);
    return page;
  }
}

/** A page that was visited before, without a network. */
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

/** Checks that nothing went wrong in the page, and closes its tabs. */
export async function leave(page) {
  assert.deepEqual(page.context().faults, []);
  await page.context().close();
}

/** Asks a query in the box; returns its card. `how`: `Ask` or `Ask for all`. */
export async function begin(page, query, how = 'Ask') {
  const before = await page.locator('.card').count();
  // Firefox under load appends a text that is set at once to what is there, so it is typed, as a person does.
  await page.getByLabel('Query', { exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(query);
  await page.getByRole('button', { name: how, exact: true }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.card').length > count, before);
  return newest(page);
}

/** The card of the last query, even when others follow. */
export async function newest(page) {
  const [name] = /^Query \d+:/.exec(await page.locator('.card').first().getAttribute('aria-label'));
  return page.locator(`.card[aria-label^="${name}"]`);
}

/** As {@link begin}, but waits until the query has stopped running. */
export async function ask(page, query, how) {
  const card = await begin(page, query, how);
  await settled(card);
  return card;
}

export const settled = async (card, options) => {
  const isSettled = (element) => element.dataset.phase !== 'running';
  await card.page().waitForFunction(isSettled, await card.elementHandle(), options);
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

/** Replaces the text in an editor, as if `text` were typed. */
export async function write(page, text, editor = page.getByLabel('Clauses', { exact: true })) {
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  // Firefox leaves a line behind when text replaces text; Chromium takes minutes to lay out a long text in an empty
  // editor.
  const browser = page.context().browser()?.browserType().name();
  if (browser === 'firefox') await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

export async function save(page) {
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('button', { name: 'Saved' }).waitFor();
}

/** The underlined texts in the editor. */
export const underlined = (page, severity) => page.locator(`.editor .cm-lintRange-${severity}`).allInnerTexts();

export const picture = (page, name) => page.screenshot({ path: join(PICTURES, `${name}.png`) });

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * For each theme and each width: checks that axe-core finds nothing in a state of the page and that it is no wider, and
 * takes a picture. Colours do not depend on the width, so two of the four pairs show everything.
 */
export const looks = [
  ['light', 1280],
  ['dark', 380],
].map(([colorScheme, width]) => ({
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
}));

/** The findings of axe-core, one line each. */
async function violations(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => (await axe.run(document)).violations);
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
  );
}
