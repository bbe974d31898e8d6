// Faults under load: random operations of several clients, one of them under review, while engines are ended and the
// server is killed. After each restart the book contains what was answered, and the engine what the book contains; what
// was proposed is in the draft, and nowhere else until it was accepted.
//
//   node tests/resilience/faults.mjs [--kills N] [--seconds N] [--books N] [--seed N]
//
// Ends after this many kills or seconds. Several books are in use at the same time, each with its own server.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Model } from './book.mjs';
import { Proposed } from './drafts.mjs';
import { Figures } from './figures.mjs';
import { Life } from './life.mjs';
import { Operations } from './operations.mjs';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '1000000' },
    books: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [kills, seconds, books, seed] = [values.kills, values.seconds, values.books, values.seed].map(Number);
const started = performance.now();
const directory = mkdtempSync(join(tmpdir(), 'hornbook-faults-'));
const figures = new Figures();
let failed = false;

/** Numbers from 0 to 1, always the same for the same seed. */
function numbers(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function work(at) {
  const root = join(directory, `files-${at}`);
  mkdirSync(root);
  const random = numbers(seed * 1000 + at);
  const bench = {
    name: `book ${at}`,
    book: join(directory, `book-${at}`),
    root,
    random,
    figures,
    model: new Model(),
    proposed: new Proposed(),
    operations: new Operations(random, root),
    torn: false,
  };
  let pending;
  while (!failed && figures.kills < kills && performance.now() - started < seconds * 1000) {
    pending = await new Life(bench, pending).live();
  }
  // The last kill is checked too.
  const last = new Life({ ...bench, random: () => 0 }, pending);
  await last.live();
}

console.log(`seed ${seed}`);
const timer = setInterval(() => console.error(`… ${figures.brief()}`), 30_000);
try {
  await Promise.all(
    Array.from({ length: books }, (_, at) =>
      work(at).catch((error) => {
        failed = true;
        throw error;
      }),
    ),
  );
  rmSync(directory, { recursive: true });
  console.log(
    `${figures.told()}\nno answered operation was lost, no other was there in part, and every engine had what the book had (${Math.round((performance.now() - started) / 1000)} s)`,
  );
} catch (error) {
  console.log(figures.told());
  console.log(`FAILED with seed ${seed}; the books are in ${directory}\n${error.stack}`);
  process.exitCode = 1;
} finally {
  clearInterval(timer);
}
