// Two processes on one book write at the same time, read, undo and are killed: nothing that was answered is lost,
// nothing is there twice, and both see the same book. `node --test tests/resilience/shared.test.mjs`, or with the
// number of writes of each: `node tests/resilience/shared.test.mjs 1000`.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BookServer } from '../support/book-server.mjs';

const WRITES = Number(process.argv[2] ?? 60);
/** About one operation in this many is followed by a kill. */
const KILLED = Math.max(20, WRITES / 12);

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-two-')));
after(() => rmSync(directory, { recursive: true }));

/** Numbers that are the same in each run. */
let seed = 7;
function random(below) {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
}

/** Writes through a process, and starts another when that one was killed. */
class Writer {
  /** What is known about each fact: `kept`, `gone` or, if the reply was lost, nothing. */
  facts = new Map();
  kills = 0;

  constructor(book, name) {
    this.book = book;
    this.name = name;
    this.begin();
  }

  /** The 1,000 facts and more that it reads come in one reply. */
  begin() {
    this.server = new BookServer(this.book, '--limit', 'reply_tokens=1000000');
  }

  async write(number) {
    const fact = `w(${this.name}, ${number}).`;
    this.facts.set(fact, undefined);
    const reply = await (number % 5 === 4
      ? this.server.text('query_start', { query: `assertz(${fact.slice(0, -1)})`, take: 1 })
      : this.server.assert(fact));
    if (reply === undefined) return this.again();
    assert.match(reply, number % 5 === 4 ? /true|1 solution|answer/i : /1\/1 successful/, reply);
    this.facts.set(fact, 'kept');
    if (random(8) === 0) await this.undo(fact);
    if (random(6) === 0) await this.read();
  }

  /** Undoes the fact, which must be the last operation of this process. */
  async undo(fact) {
    this.facts.set(fact, undefined);
    const reply = await this.server.text('workspace', { operation: 'undo' });
    if (reply === undefined) return this.again();
    assert.match(reply, /Undone: 1 operation/);
    this.facts.set(fact, 'gone');
  }

  /** What this one has written and undone is visible at once. */
  async read() {
    const seen = await this.server.values(`w(${this.name}, X)`);
    if (seen === undefined) return this.again();
    const numbers = new Set(JSON.parse(seen));
    for (const [fact, state] of this.facts) {
      const number = Number(/(\d+)\)\.$/.exec(fact)[1]);
      if (state !== undefined) assert.equal(numbers.has(number), state === 'kept', `${fact} is ${state}`);
    }
  }

  async again() {
    await this.server.closed;
    this.begin();
  }

  async kill() {
    this.kills += 1;
    await this.server.kill();
  }

  async all() {
    for (let number = 0; number < WRITES; number += 1) await this.write(number);
  }
}

test(`two processes write ${WRITES} times each, and are killed meanwhile`, async () => {
  const book = join(directory, 'book');
  const writers = [new Writer(book, 0), new Writer(book, 1)];
  let writing = true;
  const kill = async () => {
    while (writing) {
      const before = writers.reduce((sum, { facts }) => sum + facts.size, 0);
      const until = before + 1 + random(2 * KILLED);
      while (writing && writers.reduce((sum, { facts }) => sum + facts.size, 0) < until)
        await new Promise((resolve) => setTimeout(resolve, 5));
      if (writing) await writers[random(2)].kill();
    }
  };
  const killing = kill();
  try {
    await Promise.all(writers.map((writer) => writer.all()));
  } finally {
    writing = false;
    await killing;
  }
  try {
    // One of them may have been killed at the end.
    for (const writer of writers) if (writer.server.gone) await writer.again();
    const [one, other] = await Promise.all(writers.map(({ server }) => server.snapshot()));
    assert.equal(one, other);
    const lines = one.split('\n').filter(Boolean);
    assert.equal(new Set(lines).size, lines.length, 'each once');
    const there = new Set(lines);
    for (const { facts } of writers)
      for (const [fact, state] of facts)
        if (state !== undefined) assert.equal(there.has(fact), state === 'kept', `${fact} is ${state}`);
    const engines = await Promise.all(writers.map(({ server }) => server.values('w(A, B), X = A-B')));
    assert.equal(engines[0], engines[1]);
    assert.equal(engines[0].match(/\d+-\d+/g).length, lines.length);
    const states = writers.flatMap(({ facts }) => [...facts.values()]);
    const count = (state) => states.filter((known) => known === state).length;
    const kills = writers.reduce((sum, writer) => sum + writer.kills, 0);
    console.log(`# ${count('kept')} kept, ${count('gone')} undone, ${count(undefined)} not answered, ${kills} kills`);
    assert.ok(kills > 0);
    assert.ok(count('kept') > WRITES);
  } finally {
    await Promise.all(writers.map(({ server }) => server.kill()));
  }
});
