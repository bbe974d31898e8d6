// Import of tables: `node tests/bench/import.mjs [ROWS]`. The same rows of nineteen columns as Prolog text, CSV and JSON, each into a new book
// in a process of its own: the time, how long the thread was held at most, and the memory at its peak. The others are
// compared with the Prolog text. The thread's time is read from /proc: what else the machine does is not in it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBook } from '../../pkg/index.js';

const COLUMNS = 19;

/** CPU time of this thread, in ms. */
const worked = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;

async function importOf(path) {
  const limits = { entries: 10_000_000, file_bytes: 1_000_000_000 };
  const book = await openBook({ timeoutMs: 600_000, limits });
  await book.once('true');
  const text = readFileSync(path, 'utf8');
  let [last, longest] = [worked(), 0];
  const tick = () => {
    const now = worked();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const ticks = setInterval(tick, 1);
  const from = performance.now();
  await book.import(path, text);
  const ms = performance.now() - from;
  tick();
  clearInterval(ticks);
  await book.close();
  return { ms, longest, memory: process.resourceUsage().maxRSS / 1024 };
}

function compare(count) {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-import-'));
  const names = Array.from({ length: COLUMNS }, (_, at) => `c${at}`);
  const value = (n, at) => [n + at, `city ${n % 500}`, (n % 977) / 8, n % 3 ? 'open' : 'paid'][at % 4];
  const rows = Array.from({ length: count }, (_, n) => names.map((_, at) => value(n, at)));
  const term = (value) => (typeof value === 'string' ? `'${value}'` : value);
  const texts = {
    'rows.pl': rows.map((row) => `rows(${row.map(term).join(', ')}).`).join('\n'),
    'rows.csv': [names, ...rows].map((row) => row.join(',')).join('\n'),
    'rows.json': JSON.stringify(rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])))),
  };
  let plain;
  for (const [name, text] of Object.entries(texts)) {
    const path = join(folder, name);
    writeFileSync(path, `${text}\n`);
    const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), path], {
      encoding: 'utf8',
    });
    if (!stdout) throw new Error(stderr);
    const { ms, longest, memory } = JSON.parse(stdout);
    plain ??= ms;
    console.log(
      `${name}: ${(ms / 1000).toFixed(1)} s (${(ms / plain).toFixed(2)} of Prolog text), ` +
        `the thread held for ${longest.toFixed(0)} ms at most, ${memory.toFixed(0)} MB`,
    );
  }
  rmSync(folder, { recursive: true });
}

const [given = '100000'] = process.argv.slice(2);
if (/^\d+$/.test(given)) compare(Number(given));
else console.log(JSON.stringify(await importOf(given)));
