// The dialog of the books, as a person uses it.
import { deflateRawSync } from 'node:zlib';

export const switcher = (page) => page.locator('.switcher');
export const dialog = (page) => page.getByRole('dialog', { name: 'Books' });
export const names = (page) => dialog(page).locator('.books:not(.deleted-books .books) .book-name b').allInnerTexts();
export const files = (page) =>
  page.locator('#files [role=tab]').evaluateAll((all) => all.map(({ dataset }) => dataset.tab));
export const query = (page) => page.getByLabel('Query', { exact: true });
export const fragment = (shared) =>
  `#book=${deflateRawSync(Buffer.from(JSON.stringify(shared))).toString('base64url')}`;

export async function openBooks(page) {
  await switcher(page).click();
  await dialog(page).waitFor();
}

/** Does what loads the page anew, and waits for it. */
export async function reloading(page, act) {
  await page.evaluate(() => (window.isOld = true));
  await act();
  await page.waitForFunction(() => !window.isOld && document.documentElement?.dataset.ready);
}

export async function create(page, name) {
  await openBooks(page);
  await page.getByLabel('Name of a new book').fill(name);
  await reloading(page, () => page.getByRole('button', { name: 'New book' }).click());
}

export async function turnTo(page, name) {
  await openBooks(page);
  await reloading(page, () => dialog(page).locator('.book-name', { hasText: name }).click());
}

export async function follow(page, hash) {
  const { origin, pathname } = new URL(page.url());
  await page.goto('about:blank');
  await page.goto(origin + pathname + hash);
}
