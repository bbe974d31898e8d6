// Rules over data that stays where it is, beside the same SQL by hand in DuckDB, in turns: a join and an aggregate of
// 10,000,000 rows of Parquet, recursive rules as sets, also beside SWI-Prolog's tabling, the first answer of a goal, a proof,
// and the memory of a process through which 10,000,000 rows go.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBook } from '../../pkg/index.js';
import { timed } from './queries.mjs';
import { CASES, tablesOf } from './recursion.mjs';

const ROWS = 10_000_000;
const CUSTOMERS = 100_000;
const TIMEOUT_MS = 600_000;
/** How long tabling may take. */
const TABLING_MS = 60_000;

const SOURCES = ['orders', 'customers'];
const LINKS = [':- data(orders/3, orders).', ':- data(customer/2, customers).'];

const engineOf = async () => (await import('@duckdb/node-api').catch(() => undefined))?.DuckDBInstance;
const fileOf = (folder, name) => join(folder, `${name}.parquet`);

/** Open a book with these sources, which are files of `folder`. */
const opened = (folder, names) =>
  openBook({
    data: Object.fromEntries(names.map((name) => [name, fileOf(folder, name)])),
    timeoutMs: TIMEOUT_MS,
    limits: { longest_timeout_ms: TIMEOUT_MS },
  });

export async function links(rounds) {
  const DuckDb = await engineOf();
  if (!DuckDb) {
    console.error('links: skipped, since the package @duckdb/node-api is not installed');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-bench-links-'));
  const instance = await DuckDb.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  try {
    const rows = await overRows(connection, folder, rounds);
    for (const one of CASES) rows.push(...(await recursive(one, connection, folder, rounds)));
    return rows;
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Joins, sums, first answers, proofs and streams over many rows. */
async function overRows(connection, folder, rounds) {
  const [orders, customers] = SOURCES.map((name) => fileOf(folder, name));
  await connection.run(`COPY (SELECT i AS id, 'c' || i * 7919 % ${CUSTOMERS} AS customer, i * 31 % 1000 AS amount
    FROM range(${ROWS}) t(i)) TO '${orders}'`);
  await connection.run(`COPY (SELECT 'c' || i AS name, CASE i % 4 WHEN 0 THEN 'de' ELSE 'fr' END AS country
    FROM range(${CUSTOMERS}) t(i)) TO '${customers}'`);
  const book = await opened(folder, SOURCES);
  await book.assert(LINKS);
  const pairs = {
    join: [
      'count, (orders(_, C, A), A > 990, customer(C, de))',
      `SELECT count(*) FROM '${orders}' o JOIN '${customers}' c ON c.name = o.customer
        WHERE o.amount > 990 AND c.country = 'de'`,
    ],
    sum: ['sum(A), (orders(_, _, A), A > 500)', `SELECT sum(amount) FROM '${orders}' WHERE amount > 500`],
  };
  const ratios = { join: [], sum: [] };
  const [first, proofs] = [[], []];
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, [goal, sql]] of Object.entries(pairs)) {
      const hand = () => counted(connection, sql);
      const ours = async () => (await book.once(`aggregate_all(${goal}, N)`)).N;
      const [time, handTime] = await inTurns(name, round, ours, hand);
      if (round >= 0) ratios[name].push(time / handTime);
    }
    const id = (round + 2) * 1_234_567;
    const firstTime = await timed(() => book.once(`orders(${id}, C, A)`));
    let proof;
    const proofTime = await timed(async () => (proof = String(await book.why(`orders(${id + 1}, C, A)`))));
    if (!proof.includes(`row ${id + 2}`)) throw new Error(`not the row of ${id + 1}: ${proof}`);
    if (round < 0) continue;
    first.push(firstTime);
    proofs.push(proofTime);
  }
  await book.close();
  const grown = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder], { encoding: 'utf8' });
  if (grown.status !== 0) throw new Error(grown.stderr);
  return [
    { what: 'a join of 10,000,000 rows with 100,000, counted, to SQL', values: ratios.join, goal: 1.2, unit: 'ratio' },
    { what: 'a sum over 10,000,000 rows, to SQL', values: ratios.sum, goal: 1.2, unit: 'ratio' },
    { what: 'the first answer of a goal over 10,000,000 rows', values: first, goal: 20, unit: 'ms' },
    { what: 'the proof of one of 10,000,000 rows', values: proofs, goal: 100, unit: 'ms' },
    {
      what: 'growth of the process while 10,000,000 rows go through',
      values: [Number(grown.stdout)],
      goal: 100,
      unit: 'MB',
    },
  ];
}

/** One case of recursive rules: as sets to SQL by hand, and to tabling where that has an answer in time. */
async function recursive(one, connection, folder, rounds) {
  const tables = tablesOf(one);
  for (const { name, columns, rows } of tables) {
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE made (${columns.map((column) => `${column} BIGINT`).join(', ')})`,
    );
    await connection.run(`INSERT INTO made VALUES ${rows.map((row) => `(${row})`).join(', ')}`);
    await connection.run(`COPY made TO '${fileOf(folder, name)}'`);
    await connection.run(`CREATE OR REPLACE TEMP VIEW ${name} AS FROM '${fileOf(folder, name)}'`);
  }
  const names = tables.map(({ name }) => name);
  const book = await opened(folder, names);
  await book.assert(tables.map(({ name, columns }) => `:- data(${name}/${columns.length}, ${name}).`));
  const rulesAs = (how) => one.sets.map((set) => `:- table ${set}${how}.\n`).join('') + one.rules;
  await book.import('rules.pl', rulesAs(' as set'));
  const goal = `aggregate_all(count, ${one.goal}, N)`;
  const ours = async () => (await book.once(goal)).N;
  const hand = () => one.hand(connection);
  const tabling = await openBook({ timeoutMs: TABLING_MS });
  const facts = tables.flatMap(({ name, rows }) => rows.map((row) => `${name}(${row}).\n`));
  await tabling.import('rules.pl', `${rulesAs('')}\n${facts.join('')}`);
  const tabled = async () => {
    await tabling.once('abolish_all_tables');
    return (await tabling.once(goal)).N;
  };
  const [ratios, beside] = [[], []];
  let isTabled = true;
  for (let round = -1; round < rounds; round += 1) {
    const [time, handTime, found] = await inTurns(one.what, round, ours, hand);
    if (round >= 0) ratios.push(time / handTime);
    if (!isTabled) continue;
    try {
      let answer;
      const tabledTime = await timed(async () => (answer = await tabled()));
      if (answer !== found) throw new Error(`${one.what}: tabling has ${answer} instead of ${found}`);
      if (round >= 0) beside.push(time / tabledTime);
    } catch (error) {
      if (!['timeout', 'resource', 'memory'].includes(error.kind)) throw error;
      console.error(`links: ${one.what}: tabling has no answer: ${error.message}`);
      isTabled = false;
    }
  }
  await book.close();
  await tabling.close();
  const rows = [{ what: `${one.what}, as sets, to SQL`, values: ratios, goal: 1.5, unit: 'ratio' }];
  if (isTabled) rows.push({ what: '  the same, to tabling over facts', values: beside, unit: 'ratio' });
  return rows;
}

/** How long each takes, and their number; in every other round the other one is first. */
async function inTurns(name, round, ours, hand) {
  const [times, numbers] = [[], []];
  for (const at of round % 2 === 0 ? [0, 1] : [1, 0])
    times[at] = await timed(async () => (numbers[at] = await [ours, hand][at]()));
  if (numbers[0] !== numbers[1]) throw new Error(`${name}: ${numbers[0]} instead of ${numbers[1]}`);
  return [...times, numbers[0]];
}

const counted = async (connection, sql) => Number((await connection.runAndReadAll(sql)).getRows()[0][0]);

/** Let all rows through a goal that fails, and write by how many megabytes the process grew after the first tenth. */
async function streamed(folder) {
  const book = await opened(folder, SOURCES);
  await book.assert(LINKS);
  const through = (upTo) => book.once(`orders(I, C, _), I >= ${upTo}, true, atom_length(C, 99) ; true`);
  await through(ROWS - ROWS / 10);
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 100);
  await through(0);
  clearInterval(watch);
  await book.close();
  console.log(Math.round((most - before) / 2 ** 20));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await streamed(process.argv[2]);
