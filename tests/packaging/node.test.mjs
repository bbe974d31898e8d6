// The package in Node programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, run } from './harness.mjs';

const ASK = `
async function main({ openBook, prolog }) {
  const book = await openBook();
  await book.assert('parent(tom, bob).');
  for await (const { X } of book.query(prolog\`member(X, \${['a', 2]})\`)) console.log(X);
  console.log(await book.once('parent(tom, Who)'));
  await book.close();
}
`;
const SAID = "a\n2\n{ Who: 'bob' }\n";

test('a module', async () => {
  const path = await project('esm', { 'main.mjs': `import * as hornbook from 'hornbook';${ASK}await main(hornbook);` });
  assert.equal(await run(process.execPath, ['main.mjs'], path), SAID);
});

test('CommonJS, by import()', async () => {
  const path = await project('cjs', { 'main.cjs': `${ASK}import('hornbook').then(main);` });
  assert.equal(await run(process.execPath, ['main.cjs'], path), SAID);
});

test('CommonJS, by require, if Node can require modules', async () => {
  const path = await project('require', { 'main.cjs': `${ASK}main(require('hornbook'));` });
  const canRequire = process.features.require_module;
  if (canRequire) assert.equal(await run(process.execPath, ['main.cjs'], path), SAID);
  else await assert.rejects(run(process.execPath, ['main.cjs'], path), /ERR_REQUIRE_ESM|ERR_PACKAGE_PATH_NOT_EXPORTED/);
});

test('three lines in an empty folder', async () => {
  const path = await project('three', {
    'three.mjs': `import { openBook } from 'hornbook';
const book = await openBook();
console.log(await book.once('X is 6 * 7'));
process.exit();`,
  });
  assert.equal(await run(process.execPath, ['three.mjs'], path), '{ X: 42 }\n');
});

test('a program that leaves its book open still ends', async () => {
  const path = await project('open', {
    'open.mjs': `import { openBook } from 'hornbook';
for await (const { X } of (await openBook()).query('member(X, [1, 2])')) { console.log(X); break; }`,
  });
  assert.equal(await run(process.execPath, ['open.mjs'], path), '1\n');
});

test('every entry of the package can be imported', async () => {
  const path = await project('entries', {
    'main.mjs': `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { exports } = require('hornbook/package.json');
for (const entry of Object.keys(exports)) {
  const name = 'hornbook' + entry.slice(1);
  if (typeof exports[entry] === 'string') readFileSync(new URL(import.meta.resolve(name)));
  else if (!['./ai', './langgraph'].includes(entry)) await import(name);
}
console.log(Object.keys(exports).length > 10);
process.exit();`,
  });
  assert.equal(await run(process.execPath, ['main.mjs'], path), 'true\n');
});
