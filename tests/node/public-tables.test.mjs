// Data that others publish, read as tables, has the rows and values that JavaScript's own reader finds; and what answers
// are written as is read again as the same values.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Atom, Float, openBook } from '../../pkg/index.js';

let book;
before(async () => (book = await openBook({ limits: { answer_chars: 2_000_000 } })));
after(() => book.close());

const published = (path) => readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), 'utf8');

/** A value of the book as JSON has it; floats are marked. */
function plain(value) {
  if (value instanceof Float) return { float: Number(value) };
  if (value instanceof Atom) return value.name;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** All rows of a predicate, each a list. */
async function rowsOf(name, columns) {
  const variables = Array.from({ length: columns }, (_, at) => `V${at}`);
  const rows = [];
  for await (const answer of book.query(`'${name}'(${variables})`, { exact: true }))
    rows.push(variables.map((variable) => plain(answer[variable])));
  return rows;
}

/** The rows of a file that is imported for this. */
async function read(filename, text, options) {
  const { table } = await book.import(filename, text, options);
  const rows = await rowsOf(table.name, table.columns.length);
  await book.unimport(filename);
  return { table, rows };
}

/** Objects as rows, with columns in order of first appearance. */
function expected(objects) {
  const keys = [...new Set(objects.flatMap(Object.keys))];
  return { keys, rows: objects.map((object) => keys.map((key) => object[key] ?? null)) };
}

const keyed = (members) => Object.entries(members).map(([key, value]) => ({ '': key, ...value }));

for (const [path, part, objects] of [
  ['mime-db/db.json', (all) => all, keyed],
  ['axe-core/sri-history.json', (all) => all, keyed],
  ['node-releases/data/processed/envs.json', (all) => all, (releases) => releases],
  ['@vueuse/metadata/index.json', (all) => all, ({ functions }) => functions],
  ['pyodide/pyodide-lock.json', ({ packages }) => packages, keyed],
]) {
  test(`${path} has its rows and values`, async () => {
    const data = part(JSON.parse(published(path)));
    const wanted = expected(objects(data));
    const { table, rows } = await read('public.json', JSON.stringify(data, null, 1));
    assert.equal(table.rows, wanted.rows.length);
    assert.deepEqual(rows, wanted.rows);
    assert.deepEqual(
      table.columns.map(({ nulls }) => nulls),
      wanted.keys.map((_, at) => wanted.rows.filter((row) => row[at] === null).length),
    );
  });
}

test('published rows are the same from CSV, TSV, JSON Lines and YAML', async () => {
  const types = Object.entries(JSON.parse(published('mime-db/db.json'))).map(
    ([type, { source, extensions, ...more }], n) => ({
      n,
      type,
      source: source ?? null,
      extension: extensions?.[0] ?? null,
      share: n % 3 ? n / 8 + 0.0625 : null,
      compressible: more.compressible ?? null,
    }),
  );
  const { keys, rows } = expected(types);
  const marked = rows.map((row) =>
    row.map((value, at) => (keys[at] === 'share' && value !== null ? { float: value } : value)),
  );
  const lines = (delimiter, cell) => [keys, ...rows].map((row) => `${row.map(cell).join(delimiter)}\n`).join('');
  const all = (value) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`);
  const quotedAll = (value) => `"${value ?? ''}"`;
  const yaml = types
    .map((type) => `- ${keys.map((key) => `${key}: ${JSON.stringify(type[key])}`).join('\n  ')}\n`)
    .join('');
  for (const [filename, text] of [
    ['t.csv', lines(',', all)],
    ['t.csv', lines('; ', all)],
    ['t.tsv', lines('\t', (value) => value ?? '')],
    ['t.jsonl', types.map((type) => `${JSON.stringify(type)}\n`).join('')],
    ['t.yaml', yaml],
  ])
    assert.deepEqual((await read(filename, text)).rows, marked, filename);
  // A quoted empty value is an empty text, and a missing number.
  const quoted = marked.map((row) => row.map((value, at) => (value === null && keys[at] !== 'share' ? '' : value)));
  assert.deepEqual((await read('t.csv', lines(',', quotedAll))).rows, quoted);
});

/** Pseudo-random, the same every time. */
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const TEXTS = [
  '',
  ' ',
  'null',
  'true',
  'NA',
  'x',
  ' a ',
  'a,b',
  '"',
  '""',
  "'",
  'a\nb',
  'a\r\nb',
  '\r',
  '\t',
  ';',
  '|',
  '# no',
  '\\n',
  '007',
  '1e999',
  '1.0',
  '12',
  '-0',
  'é',
  '😀',
  '\u{feff}',
  '\u2028',
  'ß\u0301',
  '2026-01-31',
  '[]',
  '{}',
  '_',
  'X',
  '日本',
  '%',
];
const NUMBERS = [
  '0',
  '-5',
  '9007199254740993',
  '123456789012345678901234567890',
  '1.0',
  '-0.0',
  '0.1',
  '1.0e300',
  '5.0e-324',
  '1.7976931348623157e308',
  '-2.5e-10',
  '3.0',
  '1.0e22',
  '147.22000122070312',
];
const quotedAtom = (text) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t').replaceAll('\u{feff}', '\\xfeff\\').replaceAll('\u2028', '\\x2028\\')}'`;

test('answers as JSON, JSON Lines and CSV are read again as they were', async () => {
  const random = chance(7);
  const text = () => quotedAtom(Array.from({ length: 1 + random(2) }, () => TEXTS[random(TEXTS.length)]).join(''));
  const number = () => (random(6) ? NUMBERS[random(NUMBERS.length)] : 'null');
  const list = () => `[${[number(), text(), `_{k: ${number()}, 'a b': ${text()}}`].slice(random(3))}]`;
  const facts = Array.from(
    { length: 400 },
    (_, n) => `answer_of(${[n, number(), text(), random(2) ? number() : text(), list()]}).`,
  );
  await book.assert(facts.join('\n'));
  const query = (columns) =>
    book.query(`answer_of(${['N', 'A', 'B', 'C', 'D'].map((name) => (columns.includes(name) ? name : '_'))})`);
  const before = await rowsOf('answer_of', 5);
  for (const format of ['json', 'jsonl']) {
    const { rows } = await read(`back.${format}`, await query('NABCD').written(format));
    assert.deepEqual(rows, before);
  }
  // In CSV, what a spreadsheet would run has an apostrophe before it.
  const defused = (value) => (typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
  const { rows } = await read('back.csv', await query('NAB').toCSV(), { columns: 'n: number, a: number, b: text' });
  assert.deepEqual(
    rows,
    before.map((row) => row.slice(0, 3).map(defused)),
  );
  // What was a number or null is so without being told.
  const found = await read('back.csv', await query('NA').toCSV());
  assert.deepEqual(
    found.rows,
    before.map((row) => row.slice(0, 2)),
  );
});

test('a table that is read again reports the rows that changed, each as often as it is there', async () => {
  const again = async (text) => {
    const { clausesAdded, clausesRemoved } = await book.import('changed.csv', text);
    return [clausesAdded, clausesRemoved];
  };
  const head = 'id,who,n\n';
  const rows = Array.from({ length: 100 }, (_, n) => `${n},w${n % 7},${n / 2}\n`);
  await again(head + rows.join(''));
  assert.deepEqual(await again(head + rows.toReversed().join('')), [0, 0]);
  assert.deepEqual(await again(head + rows.with(5, '5,new,2.5\n').join('') + rows[8] + rows[8]), [3, 1]);
  assert.deepEqual(await again(head + rows.join('') + rows[8]), [1, 2]);
  // Another name of a column changes no row; another column changes all.
  assert.deepEqual(await again(`id,whom,n\n${rows.join('')}`), [0, 1]);
  const wider = rows.map((row) => row.replace('\n', ',x\n'));
  assert.deepEqual(await again(`id,whom,n,more\n${wider.join('')}`), [100, 100]);
  await book.unimport('changed.csv');
});
