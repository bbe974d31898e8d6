// What a first visit takes over a slow line: the bytes that are sent until one can write, and until the first answer.
// `npm run bench -- visit` measures the times.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
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
/** Whether the core of the crate was built as a release is, small and without the rest. */
const isRelease = statSync(join(PKG, 'core', 'hornbook_bg.wasm')).size < 8e6;

test('over a slow line the editor takes keys before the engine is sent, after the bytes that the docs say', async () => {
  const { page, untilKeys, untilAnswer } = await visitSlowly(visitors);
  const [keys, answer] = [
    told(/the editor takes keys once ([\d.]+) (kB|MB) are there/),
    told(/the first answer comes after ([\d.]+) (kB|MB)/),
  ];
  // What is sent before is in one piece; of what follows, the beginning may be there already.
  assert.ok(untilKeys > 0.95 * keys && untilKeys < 1.1 * keys, `${untilKeys} bytes until it takes keys`);
  if (isRelease) assert.ok(Math.abs(untilAnswer - answer) < 0.03 * answer, `${untilAnswer} bytes until an answer`);
  assert.match(await page.getByLabel('Clauses', { exact: true }).innerText(), /^% mine/);
  await leave(page);
});
