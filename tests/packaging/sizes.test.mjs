// How large the package is, and how much of it a page loads: budgets that fail. Prints raw, gzip and brotli sizes.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ROOT, TARBALL } from './harness.mjs';

const PKG = join(ROOT, 'pkg');
/** For the files that a page loads, in kB, gzipped. The crate's wasm has this size if built for size. */
const BUDGETS = {
  'core/hornbook_bg.wasm': 1385,
  'core/hornbook.js': 20,
  'full/hornbook_bg.wasm': 3330,
  'full/hornbook.js': 24,
  'swipl/swipl.wasm': 850,
  'swipl/hornbook.state': 2600,
  'swipl/glue.js': 60,
  'inline.bundle.js': 6790,
};
/** In kB. */
const BUDGET_OF_THE_TARBALL = 15_650;

const kB = (bytes) => Math.ceil(bytes / 1000);
/** Builds optimised for speed are not small. */
const isFast = process.env.CARGO_PROFILE_RELEASE_OPT_LEVEL !== undefined;
const ofTheCrate = (name) => /^(core|full|inline)/.test(name);

for (const [name, budget] of Object.entries(BUDGETS)) {
  test(name, { skip: isFast && ofTheCrate(name) && 'the crate was built fast' }, (t) => {
    const bytes = readFileSync(join(PKG, name));
    const gzip = kB(gzipSync(bytes, { level: 9 }).length);
    const brotli = kB(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length);
    t.diagnostic(`${name}: ${kB(bytes.length)} kB, gzip ${gzip} kB, brotli ${brotli} kB`);
    assert.ok(gzip <= budget, `${name} has ${gzip} kB with gzip, more than ${budget} kB`);
  });
}

test('the tarball', { skip: isFast && 'the crate was built fast' }, (t) => {
  const size = kB(statSync(TARBALL).size);
  t.diagnostic(`${size} kB`);
  assert.ok(size <= BUDGET_OF_THE_TARBALL, `the tarball has ${size} kB, more than ${BUDGET_OF_THE_TARBALL} kB`);
});
