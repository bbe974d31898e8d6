// `hornbook serve` under load: `node tests/bench/load.mjs [BOOKS] [CLIENTS] [SECONDS] [OPTIONS...]`, with options of
// the server. Each client sends one request at a time, each to a different book: nine queries out of ten requests, and
// one assert. Then one client floods a book, and the other clients of that book are compared with themselves without
// the flood. Memory is read from /proc.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Serving } from '../support/serve.mjs';

const [books = 200, clients = 200, seconds = 60] = process.argv.slice(2, 5).map(Number);
const options = process.argv.slice(5);
/** How many concurrent requests the flooding client has. */
const FLOOD = 60;
/** How many other clients use the same book. */
const OTHERS = 4;

const folder = mkdtempSync(join(tmpdir(), 'hornbook-load-'));
const limits = [`books=${books}`, 'requests=100000', 'cpu_ms=1000000000'].flatMap((limit) => ['--client', limit]);
const serving = await Serving.start(folder, ['--open-books', `${books}`, ...limits, ...options]);
const resident = () => {
  const status = readFileSync(`/proc/${serving.child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1024;
};
/** CPU time that it has used, in seconds. */
const worked = () => {
  const fields = readFileSync(`/proc/${serving.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  // In ticks of 10 ms: user, then system.
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const timed = async (work) => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};
const at = (sorted, part) => `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(0)} ms`;

/** One request of a client. */
const request = (client, book, n) =>
  n % 10 === 9
    ? serving.assert(`b${book}`, `seen(${n}).`, { client })
    : serving.answers(`b${book}`, 'p(X)', 'X', { client });

const idle = resident();
for (let book = 0; book < books; book++) await serving.assert(`b${book}`, 'p(1). p(2). p(3).', { client: 'first' });
console.log(`memory: ${idle.toFixed(0)} MB, and ${((resident() - idle) / books).toFixed(0)} MB for each open book`);

const open = resident();
const before = worked();
const times = [];
const until = performance.now() + seconds * 1000;
const busy = async (client) => {
  for (let n = 0; performance.now() < until; n++) {
    times.push(await timed(() => request(`client ${client}`, (client + n) % books, n)));
  }
};
await Promise.all(Array.from({ length: clients }, (_, client) => busy(client)));
times.sort((a, b) => a - b);
const each = (1000 * (worked() - before)) / times.length;
console.log(
  `${books} books, ${clients} clients: ${(times.length / seconds).toFixed(0)} requests a second; half within ${at(times, 0.5)}, ` +
    `99 % within ${at(times, 0.99)}, all within ${at(times, 1)}; ${each.toFixed(1)} ms of a core for each, ${(resident() - open).toFixed(0)} MB more than before`,
);

/** The median latency of each of the others. */
const others = async () => {
  const waits = [];
  const one = async (client) => {
    for (let n = 0; n < 50; n++) waits.push(await timed(() => request(`other ${client}`, 0, n)));
  };
  await Promise.all(Array.from({ length: OTHERS }, (_, client) => one(client)));
  return waits.sort((a, b) => a - b)[waits.length >> 1];
};
const alone = await others();
let flooding = true;
const flood = Array.from({ length: FLOOD }, async () => {
  for (let n = 0; flooding; n++) await request('flood', 0, n);
});
const beside = await others();
flooding = false;
await Promise.all(flood);
console.log(
  `beside a client that floods the book the others' median is ${(beside / alone).toFixed(2)} times what it was: ` +
    `${alone.toFixed(0)} ms, ${beside.toFixed(0)} ms`,
);
await serving.stop();
rmSync(folder, { recursive: true });
