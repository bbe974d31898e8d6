// What a first visit takes over a slow line: the bytes that are sent until one can write, and until the first answer.
// `npm run bench -- visit` measures the times.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { PKG, ROOT } from './harness.mjs';
import { Visitors, leave } from './playground.mjs';
import { visitSlowly } from './slow.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

/** The bytes that docs/page.md says. */
const told = (pattern) => {
  const [, number, unit] = pattern.exec(readFileSync(join(ROOT, 'docs', 'page.md'), 'utf8').replaceAll('\n', ' '));
  return Number(number) * (unit === 'kB' ? 1e3 : 1e6);
};
/** How many more bytes the core of the crate has than that of a release; it has the rest of the crate where it was built fast. */
const moreThanReleased = () =>
  gzipSync(readFileSync(join(PKG, 'core', 'hornbook_bg.wasm'))).length -
  told(/The core of the crate is ([\d.]+) (kB|MB)/);

test('over a slow line the editor takes keys before the engine is sent, after the bytes that the docs say', async () => {
  const { page, untilKeys, untilAnswer } = await visitSlowly(visitors);
  const [keys, answer] = [
    told(/the editor takes keys once ([\d.]+) (kB|MB) are there/),
    told(/the first answer comes after ([\d.]+) (kB|MB)/),
  ];
  const isAbout = (bytes, wanted) => Math.abs(bytes - wanted) < 0.05 * wanted;
  assert.ok(isAbout(untilKeys, keys), `${untilKeys} bytes until it takes keys`);
  const released = untilAnswer - moreThanReleased();
  assert.ok(isAbout(released, answer), `${released} bytes until an answer`);
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /^% mine/);
  await leave(page);
});
