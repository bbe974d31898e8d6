// How long a join takes as one statement, goal by goal, and as SQL by hand, in one run.
import { join } from 'node:path';
import { openBook } from '../../pkg/index.js';

const ORDERS = 100_000;
const CUSTOMERS = 10_000;
const GOAL = 'aggregate_all(count, (orders(_, C, A), A > 990, customer(C, de)), N)';
/** What stands between two goals keeps them apart. */
const APART = 'aggregate_all(count, (orders(_, C, A), true, A > 990, true, customer(C, de)), N)';
const FIRST = 'orders(I, C, A), A > 990, customer(C, de)';

async function timed(work) {
  const begun = performance.now();
  const result = await work();
  return { result, ms: `${Math.round(performance.now() - begun).toLocaleString('en')} ms` };
}

/** Measure, and print a table. */
export async function joinTimes(folder) {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  const [orders, customers] = ['orders', 'customers'].map((name) => join(folder, `${name}.parquet`));
  await connection.run(`COPY (SELECT i AS id, 'c' || i * 7919 % ${CUSTOMERS} AS customer, i * 31 % 1000 AS amount
    FROM range(${ORDERS}) t(i)) TO '${orders}'`);
  await connection.run(`COPY (SELECT 'c' || i AS name, CASE i % 4 WHEN 0 THEN 'de' ELSE 'fr' END AS country
    FROM range(${CUSTOMERS}) t(i)) TO '${customers}'`);
  const hand = `SELECT count(*) FROM '${orders}' o JOIN '${customers}' c ON c.name = o.customer
    WHERE o.amount > 990 AND c.country = 'de'`;
  const sql = await timed(async () => Number((await connection.runAndReadAll(hand)).getRows()[0][0]));
  connection.closeSync();
  instance.closeSync();
  const book = await openBook({ data: { orders, customers } });
  await book.assert([':- data(orders/3, orders).', ':- data(customer/2, customers).']);
  await book.once('orders(_, _, _), true, customer(_, _)');
  const count = async (goal) => (await book.once(goal, { timeoutMs: 600_000 })).N;
  const pushed = await timed(() => count(GOAL));
  const apart = await timed(() => count(APART));
  const first = await timed(() => book.once(FIRST));
  await book.close();
  console.log(
    `${ORDERS.toLocaleString('en')} orders with ${CUSTOMERS.toLocaleString('en')} customers, ${sql.result} of them:`,
  );
  console.log('| SQL by hand | one statement | goal by goal | first answer of one statement |\n|---|---|---|---|');
  console.log(`| ${sql.ms} | ${pushed.ms} | ${apart.ms} | ${first.ms} |`);
  if (pushed.result !== sql.result || apart.result !== sql.result)
    throw new Error(`they differ: ${pushed.result} and ${apart.result}`);
}
