// Attacks on linked data: names that are SQL, files and views that reach for others, what errors tell, and statements without
// an end.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import initSqlJs from 'sql.js';
import { openBook } from '../../pkg/index.js';

const folder = mkdtempSync(join(tmpdir(), 'hornbook-attacks-linked-'));
const at = (...names) => join(folder, ...names);
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(at('secret.csv'), 'word\nhush\n');

async function withBook(data, clauses, use, options = {}) {
  const book = await openBook({ data, ...options });
  try {
    await book.assert(clauses);
    await use(book);
  } finally {
    await book.close();
  }
}

async function duckdb(path, ...statements) {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const sql of statements) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

async function sqlite(path, ...statements) {
  const database = new (await initSqlJs()).Database();
  for (const sql of statements) database.run(sql);
  writeFileSync(path, database.export());
  database.close();
}

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;
const atom = (name) => `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Names that would do something else if they became SQL as they are. */
const NAMES = [
  'a"; DROP TABLE kept; --',
  "a'; DROP TABLE kept; --",
  '$1',
  't0.v0',
  '"',
  "'",
  '/* x */',
  'select',
  'v0 AS v1',
  'a.b',
  'a]b[c',
  '{x}',
  'two words',
  'ünï',
];

for (const [kind, make, file] of [
  ['DuckDB', duckdb, 'names.duckdb'],
  ['SQLite', sqlite, 'names.sqlite'],
])
  test(`names of tables and columns of ${kind} are names, whatever they have`, async () => {
    await make(
      at(file),
      'CREATE TABLE kept (id INTEGER)',
      'INSERT INTO kept VALUES (7)',
      ...NAMES.flatMap((name, number) => [
        `CREATE TABLE ${quoted(name)} (id INTEGER, ${quoted(`${name} `)} VARCHAR, ${quoted(`c${name}`)} INTEGER)`,
        `INSERT INTO ${quoted(name)} VALUES (${number}, 'x', 7), (${number}, NULL, 8)`,
      ]),
    );
    const links = NAMES.map((name, number) => `:- data(t${number}/3, d:${atom(name)}).`);
    await withBook({ d: at(file) }, [...links, ':- data(kept/1, d:kept).'], async (book) => {
      for (const [number, name] of NAMES.entries()) {
        const goal = `t${number}`;
        assert.deepEqual(await book.all(`${goal}(I, x, C), I =:= ${number}, C < 8`), [{ I: number, C: 7 }], name);
        assert.deepEqual(await book.all(`${goal}(_, null, C), \\+ kept(C)`), [{ C: 8 }], name);
        assert.deepEqual(await book.once(`aggregate_all(count, ${goal}(_, _, _), N)`), { N: 2 }, name);
        assert.deepEqual(await book.all(`${goal}(_, _, C), kept(C)`), [{ C: 7 }], name);
        assert.deepEqual(await book.all(`${goal}{${atom(`c${name}`)}: C, id: ${number}}, C > 7`), [{ C: 8 }], name);
      }
    });
  });

test('names of columns of files are names, whatever they have', async () => {
  const header = NAMES.map((name) => `"${name.replaceAll('"', '""')}"`).join(',');
  writeFileSync(at('names.csv'), `${header}\n${NAMES.map((_, number) => number).join(',')}\n`);
  await withBook({ f: at('names.csv') }, `:- data(f/${NAMES.length}, f).`, async (book) => {
    const args = NAMES.map((_, number) => `A${number}`);
    const [found] = await book.all(
      `f(${args.join(', ')}), ${args.map((name, number) => `${name} =:= ${number}`).join(', ')}`,
    );
    assert.equal(Object.keys(found).length, NAMES.length);
    for (const [number, name] of NAMES.entries())
      assert.deepEqual(await book.all(`f{${atom(name)}: X}`), [{ X: number }], name);
  });
});

test('names of sources, tables and predicates in a program are no SQL and no paths', async () => {
  await withBook({ s: at('secret.csv') }, ['x.'], async (book) => {
    for (const from of [
      atom(at('secret.csv')),
      "'../secret.csv'",
      `s:${atom(at('secret.csv'))}`,
      "s:'secret; DROP'",
      "'s''; --'",
    ]) {
      await book.assert(`:- data(evil/1, ${from}).`);
      await assert.rejects(book.once('evil(_)'), /no source|s is one table/, from);
      await book.undo();
    }
  });
});

test('a view of a database reaches no file', async () => {
  const hostile = {
    csv: `SELECT * FROM read_csv('${at('secret.csv')}')`,
    text: `SELECT content FROM read_text('${at('secret.csv')}')`,
    files: `SELECT file FROM glob('${folder}/*')`,
  };
  const views = Object.entries(hostile);
  await duckdb(
    at('views.duckdb'),
    'CREATE TABLE plain (id INTEGER)',
    ...views.map(([name, sql]) => `CREATE VIEW ${name} AS ${sql}`),
  );
  const links = views.map(([name]) => `:- data(${name}/1, d:${name}).`);
  await withBook({ d: at('views.duckdb') }, links, async (book) => {
    for (const [name] of views) {
      const error = await book.once(`${name}(_)`).catch((failure) => failure);
      assert.match(String(error?.message), /d: .*(disabled|[Pp]ermission|not allowed|does not exist)/, name);
      assert.doesNotMatch(error.message, /hush/);
    }
  });
});

test('a file that is swapped for a link out of its folder is refused', async () => {
  mkdirSync(at('in'));
  mkdirSync(at('deep'));
  writeFileSync(at('in', 'a.csv'), 'word\nopen\n');
  await withBook(
    { in: at('in'), some: at('in', '*.csv') },
    [':- data(f/1, in).', ':- data(g/1, some).'],
    async (book) => {
      assert.deepEqual(await book.all('f(W)'), [{ W: 'open' }]);
      rmSync(at('in', 'a.csv'));
      symlinkSync(at('secret.csv'), at('in', 'a.csv'));
      for (const goal of ['f(_)', 'g(_)'])
        await assert.rejects(
          book.once(goal),
          (error) => /points outside/.test(error.message) && !/hush/.test(error.message),
        );
      rmSync(at('in', 'a.csv'));
      symlinkSync(folder, at('in', 'up'));
      await assert.rejects(book.once('f(_)'), /no Parquet, CSV or JSON Lines files/);
      await assert.rejects(book.once('g(_)'), /no Parquet, CSV or JSON Lines files/);
    },
  );
});

test('an error does not tell the folders of the machine', async () => {
  mkdirSync(at('private'));
  writeFileSync(at('private', 'broken.parquet'), 'PAR1 hush PAR1');
  writeFileSync(at('private', 'late.csv'), `n\n${'1\n'.repeat(30_000)}hush\n`);
  writeFileSync(at('private', 'broken.jsonl'), '{"a": 1}\n{"a": hush\n');
  writeFileSync(at('private', 'broken.duckdb'), Buffer.from('\0\0\0\0\0\0\0\0DUCKhush'.padEnd(5000, 'x'), 'latin1'));
  writeFileSync(at('private', 'broken.sqlite'), 'SQLite format 3\0hush');
  const names = readdirSync(at('private'));
  const data = Object.fromEntries(names.map((name, number) => [`s${number}`, at('private', name)]));
  const links = names.map((_, number) => `:- data(t${number}/1, s${number}).`);
  await withBook(data, links, async (book) => {
    for (const [number, name] of names.entries()) {
      const error = await book.all(`t${number}(_)`).catch((failure) => failure);
      assert.match(String(error?.message), new RegExp(`s${number}: `), name);
      assert.doesNotMatch(error.message, new RegExp(folder), `${name}: ${error.message}`);
    }
  });
});

test('a statement that never ends, and one that wants more memory than it may have, are ended; others go on', async () => {
  await duckdb(
    at('endless.duckdb'),
    'CREATE TABLE one (id INTEGER)',
    'INSERT INTO one VALUES (1)',
    'CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n',
    'CREATE VIEW huge AS SELECT list(i) AS l FROM range(500000000) t(i)',
  );
  const links = [':- data(one/1, d:one).', ':- data(endless/1, d:endless).', ':- data(huge/1, d:huge).'];
  const limits = { data_memory_bytes: 64 * 2 ** 20, data_spill_bytes: 64 * 2 ** 20 };
  await withBook(
    { d: at('endless.duckdb') },
    links,
    async (book) => {
      await assert.rejects(book.all('endless(_)', { timeoutMs: 500 }), { kind: 'timeout' });
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 200);
      await assert.rejects(book.all('endless(_)', { signal: stop.signal }), { name: 'AbortError' });
      await assert.rejects(book.all('huge(_)'), /d: .*[Mm]emory/);
      assert.deepEqual(await book.all('one(I), one(I)'), [{ I: 1 }]);
    },
    { limits },
  );
});
