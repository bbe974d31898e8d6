// Opens the playground by hostile links: `node tests/browser/links.mjs [COUNT] [SEED] [FIRST]`. After each, the page at its plain
// address must start and answer a query. A failure names the seed and the number of the link.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { Visitors, ask, rows } from './playground.mjs';

/** How long a page may take to start, or to answer, in milliseconds: a hanging one takes for ever. */
const PATIENCE_MS = 120_000;
/** How many links one browser profile opens, one after the other. */
const PER_PROFILE = 20;

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PIECES = [
  ...' \t\n\r\u2028"\'`()[]{}09aZ_é%/*\\.,:;-+=<>!?#@|&$~^\0\u200b\u202e\ufeff\ud800\udc00',
  ...[
    '\r\n',
    '/*',
    '*/',
    '%\n',
    ':- ',
    '?- ',
    '. ',
    '.\n',
    '\\"',
    "''",
    "0'",
    '\\x',
    'f(',
    '[a|',
    '- ',
    '> ',
    '1. ',
    '```\n',
  ],
  ...[
    '**',
    '__',
    '[a](',
    '![',
    '<b>',
    '<script>',
    '| a ',
    '# ',
    '% ?- a ',
    ':- use_rendering(',
    ':- [',
    'a :- b,',
    '😀',
  ],
  ...['```prolog\n', '```query\n', 'a(1).\n', ':- op(700, xfx, =>).\n', ':- dynamic a/1.\n', 'term_expansion(a, b).\n'],
  ...[
    '__proto__',
    'constructor',
    'user:portray(_) :- fail.\n',
    ':- initialization((repeat, fail)).\n',
    ':- module(m, []).\n',
  ],
];

/** What follows the page's address in the link with this number. */
export function hostile(seed, number) {
  const random = randomOf(seed + number * 7919);
  const below = (n) => Math.floor(random() * n);
  const one = (list) => list[below(list.length)];
  const many = (most, make) => Array.from({ length: below(most + 1) }, make);
  const length = () => one([3, 40, 1000, 20_000, 300_000]);
  const run = () => {
    const piece = one(PIECES) + (random() < 0.3 ? one(PIECES) : '');
    return piece.repeat(Math.ceil(length() / piece.length));
  };
  const nested = () => {
    const [open, close] = one([
      ['f(', ')'],
      ['[', ']'],
      ['{', '}'],
      ['(', ')'],
      ['- ', ''],
      ['> ', ''],
      ['a:-b,(', ')'],
      ['\\+ ', ''],
    ]);
    const depth = one([10, 500, 5000, 50_000]);
    return `${open.repeat(depth)}a${close.repeat(random() < 0.5 ? depth : 0)}.\n`;
  };
  const lists = () => Array.from({ length: one([20, 300, 900]) }, (_, n) => `${' '.repeat(n)}- a`).join('\n');
  const mixed = () => many(300, () => one(PIECES)).join('');
  const numeral = () =>
    `a(${one(['1', '-', '0x', '0.', '1r', "16'"])}${one(['0', '9', '1_'])}`.concat(
      one(['0', '7', '0_0']).repeat(length()),
      ').\n',
    );
  const text = () =>
    many(4, () => one([run, nested, lists, mixed, numeral, () => 'p(1).\n'])()).join(one(['', '\n', 'q(2).\n']));
  const name = () =>
    one([`${below(100)}.pl`, '__proto__', 'constructor', mixed(), '../a.pl', '', 'a'.repeat(below(200))]);
  const file = () => ({ name: random() < 0.8 ? `${below(1e6)}.pl` : name(), text: text() });
  const other = () => one([null, 1, -0, Infinity, true, 'x', [], [[]], {}, { args: null }, { length: 5 }]);
  const book = () => ({
    files: random() < 0.9 ? many(3, file) : other(),
    ...(random() < 0.5 && { query: random() < 0.9 ? text() : other() }),
    ...(random() < 0.5 && { notebook: random() < 0.9 ? text() : other() }),
  });
  const json = () => {
    const plain = JSON.stringify(book());
    return one([
      () => plain,
      () => plain.replace('{', '{"__proto__":{"files":[],"notebook":1},'),
      () => plain.replace('"files"', '"fi\\u006ces"'),
      () => plain.slice(0, below(plain.length)),
      () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      () => `{"files":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    ])();
  };
  const packed = (contents) => deflateRawSync(Buffer.from(contents)).toString('base64url');
  const broken = () =>
    one([
      () => mixed(),
      () => packed(json()).slice(0, below(50)),
      () => packed(Buffer.from(many(200, () => below(256)))),
      () => '%'.repeat(below(100)),
      () => packed(' '.repeat(one([4_900_000, 6_000_000]))),
      () => encodeURIComponent(packed(JSON.stringify(book())).replaceAll('-', '+')),
    ])();
  const fragment = () =>
    `#book=${random() < 0.75 ? packed(JSON.stringify(book())) : random() < 0.6 ? packed(json()) : broken()}`;
  const query = () => encodeURIComponent(text().toWellFormed()).slice(0, 60_000);
  const kind = random();
  if (kind < 0.8) return fragment();
  if (kind < 0.9) return `#q=${random() < 0.8 ? query() : mixed()}`;
  // A server refuses longer addresses before the page is asked.
  if (kind < 0.95) return `?q=${query().slice(0, 8000).replace(/%.?$/, '')}${fragment()}`;
  return `?embed${fragment()}`;
}

/**
 * Opens links in a browser. Throws for the first that the page does not survive. A link that breaks the page does so
 * each time, so one that fails is opened again in a new profile; `told` hears of it.
 *
 * @returns how many failed in a profile with others before them, and not alone
 */
export async function openLinks(visitors, count, seed, told = () => {}, first = 0) {
  let again;
  let failures = 0;
  for (let number = first; number < first + count; ) {
    const context = await visitors.newcomer();
    context.setDefaultTimeout(PATIENCE_MS);
    for (let n = 0; n < PER_PROFILE && number < first + count; n += 1, number += 1) {
      try {
        const page = await context.newPage();
        page.on('pageerror', (error) => context.faults.push(error.message));
        const opened = await follow(page, visitors.site.address + hostile(seed, number));
        // The tab has the book of the link, so it is opened again.
        await startsPlainly(page, visitors.site.address);
        assert.deepEqual(context.faults, []);
        await page.close();
        told(number, opened);
      } catch (error) {
        const what = `link ${number}, SEED=${seed}: ${error.message}`;
        if (again === number) throw new Error(what, { cause: error });
        again = number;
        failures += 1;
        told(number, undefined, what);
        break;
      }
    }
    await context.close();
  }
  return failures;
}

/** What the page shows: that it is ready, that it asks whether to open the link, or that it could not start. */
const shown = (page) =>
  page
    .waitForFunction(() => {
      if (document.documentElement.dataset.ready) return 'ready';
      if (document.querySelector('main.aside')) return 'aside';
      return document.querySelector('dialog[open] button.main') ? 'asks' : undefined;
    })
    .then((what) => what.jsonValue());

/**
 * Goes to the page by a link, and agrees to what it asks. Throws if the page does not become ready.
 *
 * @returns `asked` if the page asked first, else `taken`
 */
async function follow(page, link) {
  await page.goto(link, { waitUntil: 'commit' });
  let what = await shown(page);
  const asked = what === 'asks';
  if (asked) {
    await page.locator('dialog[open] button.main').click();
    // The page is loaded anew for the book of the link.
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
    what = await shown(page);
  }
  assert.equal(what, 'ready', 'the page that was opened by the link');
  return asked ? 'asked' : 'taken';
}

async function startsPlainly(page, address) {
  await page.goto(address);
  assert.equal(await shown(page), 'ready', 'the page at its plain address');
  // What the link put into the book may have errors; the query does not depend on it.
  assert.deepEqual(await rows(await ask(page, 'atom_length(abc, X)')), [['3']]);
  await page.getByRole('tab', { name: 'Notebook', exact: true }).click();
  await page.getByRole('button', { name: 'Run all' }).waitFor();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [count = 1000, seed = Math.floor(Math.random() * 2 ** 32), first = 0] = process.argv.slice(2).map(Number);
  const visitors = await Visitors.start();
  console.log(`SEED=${seed}`);
  try {
    const counts = { taken: 0, asked: 0 };
    const told = (number, opened, failed) => {
      if (failed) return console.log(failed);
      counts[opened] += 1;
      if (number % 10 === 9) console.log(`${number + 1}: ${JSON.stringify(counts)}`);
    };
    const failures = await openLinks(visitors, count, seed, told, first);
    console.log(
      `${counts.taken} links were opened at once, ${counts.asked} after a question; ${failures} needed a new profile`,
    );
    if (failures > 0) process.exitCode = 1;
  } finally {
    await visitors.close();
  }
}
