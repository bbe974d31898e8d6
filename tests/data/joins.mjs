// node tests/data/joins.mjs [--count N] [--seed N] [--sqlite | --postgres] [--times]: random goals over linked tables, whose
// neighbours one statement asks, and over the same rows as clauses. They have the same answers, of files in the same order,
// and the same errors. `--times` measures instead. First: npm run build
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBook } from '../../pkg/index.js';
import { Postgres } from '../support/postgres.mjs';
import { float, literal, randomWorld } from './conjunctions.mjs';
import { joinTimes } from './join-times.mjs';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    sqlite: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
  },
});
/** Goals over the same tables. */
const GOALS = 40;
const dialect = values.sqlite ? 'sqlite' : values.postgres ? 'postgres' : 'duckdb';
const folder = mkdtempSync(join(tmpdir(), 'hornbook-joins-'));
const server = values.postgres ? await Postgres.start() : undefined;

const TYPES = {
  duckdb: {
    integer: 'BIGINT',
    float: 'DOUBLE',
    decimal: 'DECIMAL(18,2)',
    text: 'VARCHAR',
    boolean: 'BOOLEAN',
    date: 'DATE',
  },
  postgres: { integer: 'BIGINT', float: 'FLOAT8', decimal: 'NUMERIC', text: 'TEXT', boolean: 'BOOLEAN', date: 'DATE' },
  sqlite: { integer: 'INTEGER', float: 'REAL', text: 'TEXT' },
};
const quoted = (name) => `"${name.replaceAll('"', '""')}"`;
function sqlValue(value) {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return literal(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return String(value);
  return dialect === 'sqlite' ? `${value < 0 ? '-' : ''}9e999` : `CAST('${value}' AS DOUBLE PRECISION)`;
}

/** The statements that make a table. */
function made({ name, columns, rows }) {
  const typeOf = ({ kind, type, isKey }) =>
    isKey && dialect === 'sqlite' ? 'INTEGER PRIMARY KEY' : (type ?? TYPES[dialect][kind]);
  const types = columns.map((one) => {
    const { name: column, isKey } = one;
    const type = typeOf(one);
    return `${quoted(column)} ${type}${isKey && dialect === 'postgres' ? ' PRIMARY KEY' : ''}`;
  });
  // A large literal would be a float.
  const cell = (value, at) =>
    typeof value === 'bigint' ? `CAST('${value}' AS ${typeOf(columns[at])})` : sqlValue(value);
  const inserted = rows.map((row) => `(${row.map(cell).join(', ')})`).join(', ');
  return [
    `CREATE TABLE ${name} (${types.join(', ')})`,
    ...(rows.length > 0 ? [`INSERT INTO ${name} VALUES ${inserted}`] : []),
  ];
}

const csvCell = (value) =>
  value === null ? '' : typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);

/** The addresses of the tables, and what links them. */
const worlds = {
  async duckdb(seed, { tables, form }) {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const database = join(folder, `${seed}.duckdb`);
    const instance = await DuckDBInstance.create(form === 'database' ? database : ':memory:');
    const connection = await instance.connect();
    const data = {};
    for (const table of tables) {
      const path = join(folder, `${seed}-${table.name}.${form}`);
      if (form !== 'database') data[table.name] = path;
      if (form === 'csv') {
        const lines = [table.columns.map(({ name }) => csvCell(name)), ...table.rows.map((row) => row.map(csvCell))];
        writeFileSync(path, lines.map((line) => `${line.join(',')}\n`).join(''));
        continue;
      }
      for (const sql of made(table)) await connection.run(sql);
      if (form === 'parquet') await connection.run(`COPY ${table.name} TO ${literal(path)}`);
    }
    connection.closeSync();
    instance.closeSync();
    return form === 'database'
      ? { data: { app: database }, from: (name) => `app:${name}` }
      : { data, from: (name) => name };
  },
  async sqlite(seed, { tables }) {
    const { default: initSqlJs } = await import('sql.js');
    const SQL = await initSqlJs();
    const database = new SQL.Database();
    for (const sql of tables.flatMap(made)) database.run(sql);
    const path = join(folder, `${seed}.sqlite`);
    writeFileSync(path, database.export());
    database.close();
    return { data: { app: path }, from: (name) => `app:${name}` };
  },
  async postgres(_, { tables }) {
    const { default: pg } = await import('pg');
    const client = new pg.Client(server.url);
    await client.connect();
    for (const { name } of tables) await client.query(`DROP TABLE IF EXISTS ${name}`);
    for (const sql of tables.flatMap(made)) await client.query(sql);
    await client.end();
    return { data: { erp: server.url }, from: (name) => `erp:${name}` };
  },
};

/** The answers of a goal up to its error, as texts. */
async function asked(book, goal) {
  const answers = [];
  try {
    for await (const { texts } of book.query(goal, { timeoutMs: 20_000 }).answers())
      answers.push(JSON.stringify(texts));
    return { answers, error: '' };
  } catch (error) {
    return { answers, error: error.message.replace(/ ?(Raised in|Check the arguments).*/s, '') };
  }
}

/** A row of a book, as a fact. */
const fact = (name, columns, row) => {
  const argument = (value, { kind }) => {
    if (value === null) return 'null';
    if (kind === 'decimal' || kind === 'float') return float(Number(value));
    return typeof value === 'string' ? literal(value) : String(value);
  };
  return `${name}(${row.map((value, at) => argument(value, columns[at])).join(', ')}).`;
};

async function world(seed, count, counts) {
  const all = randomWorld(seed, dialect, count);
  const made = { ...all, tables: all.tables.filter(({ isBook }) => !isBook) };
  const isFile = made.form !== 'database';
  const { data, from } = await worlds[dialect](seed, made);
  const linked = await openBook({ data });
  const plain = await openBook();
  try {
    for (const { name, columns } of made.tables) {
      await linked.assert(`:- data(${name}/${columns.length}, ${from(name)}).`);
      const args = columns.map((_, at) => `A${at}`).join(', ');
      const rows = [];
      for await (const { texts } of linked.query(`${name}(${args})`).answers()) rows.push(Object.values(texts));
      await plain.assert(`:- dynamic(${name}/${columns.length}).`);
      if (rows.length > 0) await plain.assert(rows.map((row) => `${name}(${row.join(', ')}).`));
    }
    for (const { name, columns, rows } of all.tables.filter(({ isBook }) => isBook))
      for (const book of [linked, plain]) {
        await book.assert(`:- dynamic(${name}/${columns.length}).`);
        if (rows.length > 0) await book.assert(rows.map((row) => fact(name, columns, row)));
      }
    for (const { goal, clause } of made.goals) {
      const both = [];
      for (const book of [linked, plain]) {
        if (clause) await book.assert(clause);
        both.push(await asked(book, goal));
        if (clause) await book.undo();
      }
      const [got, expected] = both;
      if (both.some(({ error }) => /was stopped after/.test(error))) {
        counts.late += 1;
        continue;
      }
      // A database has no order, so another row may be the first that is wrong.
      const kindOf = (error) => error.replace(/found .*/, 'found …');
      const compared = ({ answers, error }) =>
        isFile ? [...answers, error] : error ? [kindOf(error)] : [...answers].sort();
      counts.goals += 1;
      counts['with answers'] += expected.answers.length > 0 ? 1 : 0;
      counts['with errors'] += expected.error ? 1 : 0;
      counts.answers += expected.answers.length;
      const text = `${clause} ${goal}`;
      // Whether an error or an answer comes first.
      if (!isFile && /once|limit|->|!/.test(text) && both.some(({ error }) => error)) continue;
      const isOrdered = isFile || !/findall|once|limit|bag|->|!/.test(text);
      if (!isOrdered && expected.error === got.error) continue;
      if (compared(got).join('\n') === compared(expected).join('\n')) continue;
      counts.differ += 1;
      console.log(`seed ${seed}, ${dialect} ${made.form}: ${clause ?? ''} ${goal}`);
      console.log('linked', got, '\nclauses', expected);
      for (const table of made.tables)
        console.log(JSON.stringify(table, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
    }
  } finally {
    await linked.close();
    await plain.close();
  }
}

try {
  if (values.times) {
    await joinTimes(folder);
  } else {
    const counts = { goals: 0, answers: 0, 'with answers': 0, 'with errors': 0, late: 0, differ: 0 };
    const count = Number(values.count);
    for (let seed = Number(values.seed); counts.goals < count && counts.differ < 3; seed += 1)
      await world(seed, Math.min(GOALS, count - counts.goals), counts);
    console.log(counts);
    if (counts.differ > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
  await server?.stop();
}
