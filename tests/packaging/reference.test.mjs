// The reference of the JavaScript API, as it is made for the site: nothing is without a description, each option says its
// default, and all links lead somewhere.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { reference } from '../../scripts/reference.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { pages, undescribed } = reference();

test('everything that the package exports is described', () => {
  assert.deepEqual(undescribed, []);
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'pkg', 'package.json'), 'utf8'));
  const typed = Object.keys(exports).filter((path) => exports[path].types);
  assert.deepEqual(pages.map(({ path }) => path).sort(), typed.map((path) => join('hornbook', path)).sort());
  for (const { path, exported, markdown } of pages)
    for (const name of exported)
      assert.match(markdown, new RegExp(`^## \`${name}\`|^Also exported.*\`${name}\``, 'm'), path);
  const [book] = pages;
  for (const name of ['query', 'once', 'assert', 'import', 'watch', 'why', 'close'])
    assert.match(book.markdown, new RegExp(`^### \`${name}\` \\{#Book-${name}\\}$`, 'm'));
});

test('each option says its default, or what is so without it', () => {
  // What the crates declare is described there.
  const declared = /\{#(?:Options|RunSettings)\}/;
  const sections = pages.flatMap(({ markdown }) => markdown.split(/^(?=## )/m));
  const options = sections.filter(
    (text) => /^## `(?:\w*Options|More|ToolDefinition)`/.test(text) && !declared.test(text),
  );
  assert.ok(options.length >= 12);
  const crates = new Set(
    sections.filter((text) => declared.test(text)).flatMap((text) => text.match(/^\| `\w+\?` \|/gm)),
  );
  const silent = options.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => /^\| `\w+\?`/.test(line) && !crates.has(/^\| `\w+\?` \|/.exec(line)[0]))
      .filter((line) => !/Default|Without|With `null`/.test(line))
      .map((line) => `${/^## `(\w+)`/.exec(text)[1]}: ${line}`),
  );
  assert.deepEqual(silent, []);
});

test('links lead to what they name', () => {
  const anchors = new Set(
    pages.flatMap(({ name, markdown }) => [...markdown.matchAll(/\{#([\w-]+)\}$/gm)].map(([, id]) => `${name}#${id}`)),
  );
  for (const { name, markdown } of pages) {
    for (const [, page, id] of markdown.matchAll(/\]\((?:\.\/([\w-]+)\.md)?#([\w-]+)\)/g))
      assert.ok(anchors.has(`${page ?? name}#${id}`), `${name}: ${page}#${id}`);
  }
  const errors = readFileSync(join(ROOT, 'docs', 'reference', 'errors.md'), 'utf8');
  for (const [, page, id] of errors.matchAll(/\]\(([\w-]+)\.md#(\w+)\)/g)) assert.ok(anchors.has(`${page}#${id}`), id);
});

test('the list of errors has every kind, and no other', () => {
  const types = readFileSync(join(ROOT, 'pkg', 'generated', 'tools.d.ts'), 'utf8');
  const [, union] = /^export type FaultKind = (.*);$/m.exec(types);
  const folder = join(ROOT, 'pkg-templates', 'src', 'book');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const thrown = texts.flatMap((text) => [...text.matchAll(/HornbookError\(\s*'(\w+)'/g)].map(([, kind]) => kind));
  const kinds = new Set([...union.matchAll(/"(\w+)"/g)].map(([, kind]) => kind).concat(thrown, 'failed'));
  const text = readFileSync(join(ROOT, 'docs', 'reference', 'errors.md'), 'utf8');
  const listed = [
    ...text.matchAll(/^\| ([^|]*`[^|]*) \|/gm),
    ...text.matchAll(/^Only the tools of agents have (.*)\. The/gm),
  ].flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)].map(([, kind]) => kind));
  assert.deepEqual(listed.sort(), [...kinds].sort());
});
