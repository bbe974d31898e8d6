// Several processes open one book, read it, write to it and close it at random, and some are killed: nothing is
// refused, and nothing that was answered is lost or there twice. `node --test tests/resilience/opening.test.mjs`, or
// with the number of seconds and of processes: `node tests/resilience/opening.test.mjs 600 4`.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openBook } from '../../pkg/index.js';

const SECONDS = Number(process.argv[2] ?? 12);
const PROCESSES = Number(process.argv[3] ?? 3);
/** The least and the most milliseconds between kills. */
const KILL = [2_000, 6_000];
const OPENER = new URL('../support/opener.mjs', import.meta.url).pathname;

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-opening-')));
after(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'busy.book');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What all processes have done. */
const begun = new Set();
const answered = [];
const refused = [];
const counts = { reads: 0, kills: 0 };

class Opener {
  #stopped = false;
  #written = 0;

  constructor(name) {
    this.name = name;
    this.begin();
  }

  begin() {
    this.process = fork(OPENER, [path, this.name, this.#written], { stdio: 'inherit' });
    this.process.on('message', (message) => this.#heard(message));
    this.closed = new Promise((resolve) => this.process.once('exit', resolve));
    /** How many writes were answered before the next read begins: they are in it. */
    this.before = answered.length;
  }

  #heard({ begun: begins, answered: fact, read, notices = [], refused: why }) {
    if (begins) {
      begun.add(begins);
      this.#written += 1;
    }
    if (fact) answered.push(fact);
    if (why) refused.push(`${this.name}: ${why}`);
    refused.push(...notices.filter((notice) => !/Every acknowledged operation is there/.test(notice)));
    if (!read) return;
    counts.reads += 1;
    const there = new Set(read.map((line) => line.slice(0, -1)));
    const lost = answered.slice(0, this.before).filter((fact) => !there.has(fact));
    if (lost.length > 0) refused.push(`${this.name}: ${lost.length} are missing, such as ${lost[0]}`);
    // The next read begins after this message.
    this.before = answered.length;
  }

  async kill() {
    if (this.#stopped) return;
    counts.kills += 1;
    this.process.kill('SIGKILL');
    await this.closed;
    this.begin();
  }

  async stop() {
    this.#stopped = true;
    this.process.send('stop');
    await this.closed;
  }
}

test(`${PROCESSES} processes open, read, write and close one book for ${SECONDS} seconds`, async () => {
  const until = Date.now() + SECONDS * 1_000;
  const openers = Array.from({ length: PROCESSES }, (_, index) => new Opener(`o${index}`));
  while (Date.now() < until) {
    await pause(Math.min(KILL[0] + Math.random() * (KILL[1] - KILL[0]), Math.max(0, until - Date.now())));
    if (Date.now() < until) await openers[Math.floor(Math.random() * PROCESSES)].kill();
  }
  await Promise.all(openers.map((opener) => opener.stop()));
  assert.deepEqual(refused.slice(0, 5), []);
  const book = await openBook({ path });
  const there = (await book.all('w(A, B)')).map(({ A, B }) => `w(${A}, ${B})`);
  await book.close();
  const kept = new Set(there);
  assert.equal(kept.size, there.length, 'nothing is there twice');
  assert.deepEqual(
    answered.filter((fact) => !kept.has(fact)),
    [],
  );
  assert.deepEqual(
    there.filter((fact) => !begun.has(fact)),
    [],
  );
  assert.ok(answered.length > 0 && counts.reads > 0);
  const left = readdirSync(directory).filter((name) => !/^busy\.book(\.cut-.*)?$/.test(name));
  assert.deepEqual(
    left.filter((name) => !/\.lock-/.test(name)),
    [],
  );
  console.log(`${answered.length} writes answered, ${counts.reads} reads, ${counts.kills} kills`);
});
