// One book, several processes: the first has the file, all read and write it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lock } from '../../pkg/node/lock.js';
import { SharedStore } from '../../pkg/node/shared-store.js';
import { isPrivate, privateSocket } from '../../pkg/node/private-socket.js';
import { BookServer } from '../support/book-server.mjs';
import { BIN } from '../support/stdio.mjs';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-shared-')));
after(() => rmSync(directory, { recursive: true }));

let books = 0;
const newBook = () => join(directory, `book-${++books}`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs `body` with servers on one book, the first of which has the file. */
async function sharing(count, body) {
  const book = newBook();
  const servers = [];
  try {
    for (let index = 0; index < count; index += 1) {
      const server = new BookServer(book, '--root', directory);
      servers.push(server);
      await server.snapshot();
    }
    return await body(servers, book);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
}

test('what one process asserts the other finds, whichever has the file', () =>
  sharing(2, async ([first, second], book) => {
    await first.assert('p(1).');
    assert.equal(await second.values('p(X)'), '[1]');
    await second.assert('p(2).');
    assert.equal(await first.values('p(X)'), '[1,2]');
    assert.equal(await first.snapshot(), await second.snapshot());
    await second.text('query_start', { query: 'retract(p(1)), asserta(p(0))', take: 1 });
    assert.equal(await first.values('p(X)'), '[0,2]');
    assert.match(readFileSync(book, 'utf8'), /"by":\{"connection":"[0-9a-f]{12}","client":"tests"\}/);
  }));

test('a rule that one process adds lets a constraint see the change that another one is making', () =>
  sharing(2, async ([first, second]) => {
    await first.assert(':- constraint(wrong(X), "~w is wrong"-[X]).', ':- dynamic(wrong/1).', 'q(1).');
    // The second process knows what the constraint depends on.
    await second.assert('q(2).');
    const slow = 'forall(between(1, 5000000, N), N > 0), assertz(p(a))';
    const changing = second.text('query_start', { query: slow, take: 1, timeout_ms: 60_000 });
    await pause(50);
    assert.match(await first.assert('wrong(X) :- p(X).'), /1\/1 successful/);
    // A query is not run again by itself.
    assert.match(await changing, /a is wrong|not carried out: it changed what a constraint depends on/);
    assert.match(await second.text('query_start', { query: 'assertz(p(a))', take: 1 }), /a is wrong/);
    assert.equal(await first.values('clause(p(X), true)'), '[]');
  }));

test('when a process ends another takes over, and what was answered is there', () =>
  sharing(3, async ([first, second, third], book) => {
    await first.assert('p(1).');
    await second.assert('p(2).');
    await first.kill();
    await second.assert('p(3).');
    assert.equal(await third.values('p(X)'), '[1,2,3]');
    await second.end();
    await third.assert('p(4).');
    assert.equal(await third.values('p(X)'), '[1,2,3,4]');
    const { code, stderr } = await third.end();
    assert.deepEqual([code, third.stderr], [0, ''], stderr);
    const next = new BookServer(book);
    assert.equal(await next.values('p(X)'), '[1,2,3,4]');
    await next.end();
  }));

test('many concurrent operations of both processes are all kept, once each, in one order', () =>
  sharing(2, async (servers) => {
    const writes = servers.flatMap((server, who) =>
      Array.from({ length: 20 }, (_, number) => server.assert(`w(${who}, ${number}).`)),
    );
    for (const reply of await Promise.all(writes)) assert.match(reply, /1\/1 successful/);
    const [one, other] = await Promise.all(servers.map((server) => server.snapshot()));
    assert.equal(one, other);
    const lines = one.split('\n').filter((line) => line.startsWith('w('));
    assert.equal(new Set(lines).size, 40);
    assert.equal(lines.length, 40);
    const [mine, others] = await Promise.all(servers.map((server) => server.values('w(A, B), X = A/B')));
    assert.equal(mine, others);
  }));

test('undo reverts what this process did, or, with all, what any did; history says who', () =>
  sharing(2, async ([first, second]) => {
    await first.assert('a.');
    await second.assert('b.');
    await first.text('workspace', { operation: 'undo' });
    assert.equal(await second.snapshot(), 'b.');
    assert.match(await first.text('workspace', { operation: 'undo' }), /nothing to undo.*all: true/is);
    await first.text('workspace', { operation: 'undo', all: true });
    assert.equal(await second.snapshot(), '(empty workspace)');
    assert.match(await first.text('workspace', { operation: 'history' }), /assert, \+1 -0, by tests \([0-9a-f]{12}\)/);
  }));

test('the memory and its records are shared, and can be exported beside a running server', () =>
  sharing(1, async ([server], book) => {
    const run = (...args) => spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' });
    const lines = join(directory, 'lines.jsonl');
    await server.assert('a.');
    const exported = run('memory', 'export', '--book', book, lines);
    assert.equal(exported.status, 0, exported.stderr);
    assert.ok(existsSync(lines));
    assert.equal(await server.snapshot(), 'a.');
  }));

test('a rewritten journal can still be followed', () =>
  sharing(2, async ([first, second], book) => {
    const text = 'x'.repeat(90_000);
    const before = statSync(book).ino;
    for (let round = 0; round < 30; round += 1) {
      const [one, other] = round % 2 ? [first, second] : [second, first];
      await one.assert(`big('${text}', ${round}).`);
      await other.text('clauses', { operation: 'retract', clauses: ['big(_, _)'] });
    }
    assert.notEqual(statSync(book).ino, before);
    await second.assert('small.');
    assert.equal(await first.snapshot(), 'small.');
    await first.kill();
    await second.assert('smaller.');
    assert.equal(await second.snapshot(), 'small.\nsmaller.');
  }));

test('a process that takes over while it opens the book repairs nothing: others may have written by then', async () => {
  const book = newBook();
  const text = (from, to) => new TextEncoder().encode(`${'x'.repeat(to - from - 1)}\n`);
  const head = (length) =>
    new TextEncoder().encode(`hornbook 6 ${String(length).padStart(16, '0')} 00000000 00000000\n`);
  const stores = [new SharedStore(book), new SharedStore(book), new SharedStore(book)];
  const [first, second, third] = stores;
  try {
    assert.equal(await first.open(), 0);
    assert.equal(first.shared.isKeeper, true, 'it is alone');
    await first.replace(head(46));
    await first.shared.settled(46);
    const length = await second.open();
    assert.equal(length, 46);
    await first.close();
    // It has the file from now on, but has not said yet that it has read it.
    while (!(await second.shared.head().catch(() => undefined))) await pause(10);
    assert.equal(second.shared.isKeeper, false);
    await third.open();
    assert.equal(await third.shared.append(46, [text(46, 100)], head(100)), true);
    await second.shared.settled(length);
    assert.equal(second.shared.isKeeper, true);
    assert.deepEqual(await second.shared.head(), { length: 100, replaced: false });
    assert.deepEqual(await third.shared.head(), { length: 100, replaced: false });
    assert.equal(await third.shared.append(46, [text(46, 60)], head(60)), false, 'nothing is overwritten');
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
});

test('a process that holds the lock without sharing the book is named', async () => {
  const book = newBook();
  const release = await lock(book);
  const { code } = await (async () => {
    const server = new BookServer(book);
    const ended = await server.closed;
    assert.match(server.stderr, new RegExp(`process ${process.pid} has it open; end that process first`));
    return ended;
  })();
  assert.equal(code, 70);
  await release();
});

test('the socket is in a folder of the user alone, and none elsewhere is used', async () => {
  const path = await privateSocket();
  assert.ok(Buffer.byteLength(path) <= 100, path);
  assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
  assert.ok(await isPrivate(path));
  const open = join(directory, 'open');
  mkdirSync(open, { mode: 0o755 });
  assert.equal(await isPrivate(join(open, 'x.sock')), false);

  // If the lock names such a socket, it is not asked.
  const book = newBook();
  const served = join(open, 'x.sock');
  let asked = 0;
  const fake = createServer(() => (asked += 1)).listen(served);
  const release = await lock(book, served);
  const server = new BookServer(book);
  assert.equal((await server.closed).code, 70);
  assert.equal(asked, 0);
  await release();
  fake.close();
});

test('the sockets of killed processes are removed', async () => {
  const path = await privateSocket();
  const folder = join(path, '..');
  const before = new Set(readdirSync(folder));
  const server = new BookServer(newBook());
  await server.assert('a.');
  const left = readdirSync(folder).filter((name) => !before.has(name));
  await server.kill();
  await pause(10);
  await privateSocket();
  assert.ok(left.length > 0);
  for (const name of left) assert.ok(!existsSync(join(folder, name)), name);
});
