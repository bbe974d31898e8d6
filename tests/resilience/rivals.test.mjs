// Constraints and drafts while processes are killed, on books in files: of two changes that are each fine and together are
// not, one is kept; what was proposed is accepted once, and nothing that was answered is lost.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BookServer } from '../support/book-server.mjs';
import { rivals } from '../support/rivals.mjs';
import { Serving } from '../support/serve.mjs';
import { BIN } from '../support/stdio.mjs';
import { history, killed, pause } from '../support/writers.mjs';

const FAULTS = Number(process.env.FAULTS ?? 4);
const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-rivals-')));
after(() => rmSync(directory, { recursive: true }));

test('two writers whose changes violate a constraint together: one is kept, whatever is killed', async (t) => {
  const begin = () => Serving.start(directory, ['--client', 'requests=100000', '--limit', 'take=100000']);
  const troubles = Array.from({ length: FAULTS }, (_, round) => killed(round % 2, begin));
  const { wrong, told, refused } = await rivals(begin, troubles);
  t.diagnostic(told);
  assert.deepEqual(wrong, []);
  assert.ok(refused > 0, told);
});

test('what writers that a constraint binds and a watcher see is one order, whatever is killed', async (t) => {
  const begin = () => Serving.start(directory, ['--client', 'requests=100000', '--limit', 'take=100000']);
  const troubles = Array.from({ length: FAULTS }, (_, round) => killed(round % 2, begin));
  const { wrong, told } = await history(begin, troubles);
  t.diagnostic(told);
  assert.equal(wrong, undefined);
});

/** How long a decision may take that nobody kills, in ms. */
const PATIENCE = 60_000;

/** A decision about what is proposed, killed after `ms` milliseconds unless it has ended. */
async function decide(book, ms, ...args) {
  const child = spawn(process.execPath, [BIN, 'review', book, '--accept', '--by', 'ann', ...args], { stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return code;
}

test('what is proposed while processes are killed is accepted once, and nothing of it is lost', async (t) => {
  const book = join(directory, 'drafts.book');
  const other = new BookServer(book);
  await other.assert(':- dynamic(p/1).', ':- dynamic(q/1).');
  const answered = new Set();
  const tried = new Set();
  let [agent, decided, working] = [new BookServer(book, '--review'), 0, true];
  const propose = async () => {
    for (let n = 0; working; n++) {
      tried.add(`${n}`);
      if (/1\/1 successful/.test((await agent.assert(`p(${n}).`)) ?? '')) answered.add(`${n}`);
      await pause(150);
      if (n % 7 === 6) {
        agent.child.kill('SIGKILL');
        agent = new BookServer(book, '--review');
      }
    }
  };
  const write = async () => {
    for (let n = 0; working; n++) {
      await other.assert(`q(${n}).`);
      await pause(300);
    }
  };
  const review = async () => {
    while (answered.size < 3) await pause(100);
    const begun = performance.now();
    if ((await decide(book, PATIENCE)) === 0) decided++;
    // Others are killed in the middle of what this one has taken.
    const whole = performance.now() - begun;
    for (let round = 0; round < 2 * FAULTS; round++) {
      const last = answered.size;
      while (answered.size === last) await pause(20);
      const code = await decide(book, round % 4 === 3 ? PATIENCE : whole * (0.5 + 0.07 * (round % 8)));
      if (code === 0) decided++;
    }
    working = false;
  };
  await Promise.all([propose(), write(), review()]);
  await agent.end();
  // What is left is decided in peace.
  await decide(book, PATIENCE);
  const found = (await other.values('p(X)'))
    .replace(/[[\] ]/g, '')
    .split(',')
    .filter(Boolean);
  await other.end();
  t.diagnostic(`${tried.size} proposed, ${answered.size} answered, ${found.length} in the book, ${decided} decisions`);
  assert.equal(new Set(found).size, found.length, 'something was accepted twice');
  for (const one of answered) assert.ok(found.includes(one), `${one} was answered, and is not there`);
  for (const one of found) assert.ok(tried.has(one), `${one} was never proposed`);
  assert.ok(decided > 0, `${decided} decisions`);
});
