// Requests and answers per second over stdio, one request at a time. They depend on how fast the machine wakes a
// process and a thread; the echo, which does nothing else, gives the upper bound.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { timed } from './queries.mjs';
import { nativeVersion } from './rivals.mjs';
import { server, started } from './server.mjs';

export async function rates(rounds) {
  const echo = spawn(process.execPath, [fileURLToPath(new URL('./echo.mjs', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const echoed = (text) =>
    new Promise((resolve) => {
      echo.stdout.once('data', resolve);
      echo.stdin.write(text);
    });
  const ours = await server();
  await ours.call('query_start', { query: 'between(1, inf, X)', query_id: 'numbers' });
  const next = (take) => () => ours.call('query_next', { query_id: 'numbers', ...(take && { take }) });
  let fact = 0;
  const kinds = [
    { what: 'echo of a line by a worker', times: 5000, each: 1, work: () => echoed('{"id":1}\n') },
    {
      what: 'single asserts',
      times: 3000,
      each: 1,
      goal: 3000,
      work: () => ours.call('clauses', { operation: 'assert', clauses: `fact(${fact++}, a).` }),
    },
    { what: 'query_next', times: 5000, each: 1, goal: 5000, work: next() },
    { what: 'answers with take: 100', times: 1000, each: 100, goal: 100_000, work: next(100) },
  ];
  const rows = [];
  for (const { what, times, each, goal, work } of kinds) {
    const values = [];
    for (let round = -1; round < rounds; round += 1) {
      const time = await timed(async () => {
        for (let i = 0; i < times; i += 1) await work();
      });
      if (round >= 0) values.push((times * each) / (time / 1000));
    }
    rows.push({ what, values, goal, unit: 'a second', atLeast: true });
  }
  const [echoes, , nexts] = rows;
  const toEcho = nexts.values.map((rate, round) => rate / echoes.values[round]);
  rows.push({ what: 'query_next, to the echo', values: toEcho, goal: 0.25, unit: 'ratio', atLeast: true });
  rows.push(...(await besideNative(ours, rounds)));
  await ours.close();
  echo.stdin.end();
  return rows;
}

/** One query with one answer at a time, sent to an MCP server that passes it to a native Prolog over pipes. */
async function besideNative(ours, rounds) {
  const version = nativeVersion();
  if (!version) return [];
  const theirs = await started([fileURLToPath(new URL('./native-server.mjs', import.meta.url))]);
  const values = [];
  for (let round = -1; round < rounds; round += 1) {
    const each = async ({ call }, args) => {
      for (let i = 0; i < 1000; i += 1) await call('query_start', { query: `X = f(${i})`, ...args });
    };
    const theirTime = await timed(() => each(theirs));
    const ourTime = await timed(() => each(ours, { take: 1 }));
    if (round >= 0) values.push(ourTime / theirTime);
  }
  await theirs.close();
  const what = `a query and its answer, to a server of MCP that has SWI-Prolog ${version} over pipes`;
  return [{ what, values, goal: 1, unit: 'ratio' }];
}
