// node scripts/pictures.mjs: takes the pictures of the playground in docs/public/, light and dark, from the page as it is.
// Each file also has what the page showed, as text; tests/browser/pictures.test.mjs compares that with the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { buildPage } from './build.mjs';
import { chromiumPath } from './chromium.mjs';
import { servePage } from './page.mjs';
import { setup } from './setup.mjs';
import { ROOT, isMain, main } from './steps.mjs';

export const THEMES = ['light', 'dark'];

/** The file with the picture of a theme. */
export const pictureOf = (theme) => join(ROOT, 'docs', 'public', `playground-${theme}.webp`);

const PROGRAM = `% Who may see a document: its owner, and the members of
% the teams that it is shared with, unless they left.

may_see(Who, Doc) :-
    owner(Who, Doc).
may_see(Who, Doc) :-
    shared(Doc, Team),
    member_of(Who, Team),
    \\+ left(Who).

member_of(Who, Team) :-
    works_in(Who, Team).
member_of(Who, Team) :-
    part_of(Part, Team),
    member_of(Who, Part).

owner(ann, plan).
shared(plan, sales).

part_of(export, sales).
works_in(bob, export).
works_in(eve, sales).

left(eve).
`;

/** What is asked, and the button that shows the reasons. */
const QUESTIONS = [
  ['may_see(eve, plan)', 'Why not?'],
  ['may_see(Who, plan)', 'Why answer 2'],
];

const VIEWPORT = { width: 1180, height: 1066 };

/** Opens the page in a browser with a program, and asks who may see a document, why, and why not. */
export async function stage(browser, address) {
  const context = await browser.newContext({ viewport: VIEWPORT, deviceScaleFactor: 1.5, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const book = JSON.stringify({ name: 'Documents', files: [{ name: 'rules.pl', text: PROGRAM }] });
  await page.goto(`${address}#book=${deflateRawSync(book).toString('base64url')}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  for (const [query, why] of QUESTIONS) {
    await page.getByLabel('Query', { exact: true }).fill(query);
    await page.getByRole('button', { name: 'Ask for all', exact: true }).click();
    const card = page.locator('.card', { hasText: query });
    await card.getByRole('button', { name: why }).click();
    await card.locator('.proof-tree').waitFor();
  }
  await page.getByLabel('Query', { exact: true }).blur();
  return page;
}

/** What a page shows in a theme: its text, without measurements, and its colours. */
export async function shown(page, theme) {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-theme=${theme}]`).waitFor();
  const { text, colours } = await page.evaluate(() => {
    const styles = [...document.body.querySelectorAll('*')]
      .filter((one) => one.checkVisibility())
      .map(getComputedStyle);
    const colours = new Set(styles.flatMap(({ color, backgroundColor }) => [color, backgroundColor]));
    return { text: document.body.innerText, colours: [...colours].sort() };
  });
  const words = text.replace(/[\d.,]+ (ms|s|inferences)\b/g, '… $1').replace(/\s+/g, ' ');
  return `${words.trim()}\n${colours.join('\n')}\n`;
}

/** The text that the file of a picture has beside the picture. */
export function textIn(path) {
  const file = readFileSync(path);
  for (let at = 12; at < file.length; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) % 2))
    if (file.toString('latin1', at, at + 4) === CHUNK)
      return file.toString('utf8', at + 8, at + 8 + file.readUInt32LE(at + 4));
  return undefined;
}

/** The chunk with the text; readers of WebP skip chunks that they do not know. */
const CHUNK = 'SHOW';

/** A picture as WebP without loss, with a text in a chunk of its own. */
async function webp(browser, png, text) {
  const page = await browser.newPage();
  const [base64, width, height] = await page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height });
    const context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0);
    // The commonest colours stand for all, which makes a quarter of the file.
    const data = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const pixels = new Uint32Array(data.data.buffer);
    const counts = new Map();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    const palette = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).slice(0, 128);
    const distance = (a, b) =>
      [0, 8, 16].reduce((sum, bits) => sum + (((a >> bits) & 255) - ((b >> bits) & 255)) ** 2, 0);
    const nearest = (pixel) => palette.reduce((a, b) => (distance(pixel, b) < distance(pixel, a) ? b : a));
    const mapped = new Map([...counts.keys()].map((pixel) => [pixel, nearest(pixel)]));
    pixels.forEach((pixel, at) => {
      pixels[at] = mapped.get(pixel);
    });
    context.putImageData(data, 0, 0);
    return [canvas.toDataURL('image/webp', 1).split(',')[1], bitmap.width, bitmap.height];
  }, png.toString('base64'));
  await page.close();
  const file = Buffer.from(base64, 'base64');
  const start = file.indexOf('VP8L');
  const image = file.subarray(start + 8, start + 8 + file.readUInt32LE(start + 4));
  const size = Buffer.alloc(10);
  size.writeUIntLE(width - 1, 4, 3);
  size.writeUIntLE(height - 1, 7, 3);
  const chunks = [chunk('VP8X', size), chunk('VP8L', image), chunk(CHUNK, Buffer.from(text))];
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

function chunk(name, body) {
  const head = Buffer.from(`${name}\0\0\0\0`);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await buildPage(await setup({ tests: true }));
    const site = await servePage(0);
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
    const page = await stage(browser, site.address);
    for (const theme of THEMES) {
      const text = await shown(page, theme);
      const file = await webp(browser, await page.screenshot(), text);
      writeFileSync(pictureOf(theme), file);
      console.log(`${relative(process.cwd(), pictureOf(theme))}: ${Math.ceil(file.length / 1000)} kB`);
    }
    await browser.close();
    await site.close();
  });
}
