// The lock of a book: one process holds it, and the system releases it when the process dies.
import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LockedError, lock, pipeOf } from '../../pkg/node/lock.js';
import { openHornbook } from '../../pkg/node.js';
import { BIN } from './harness.mjs';

const RACER = fileURLToPath(new URL('lock-racer.mjs', import.meta.url));
const ROUNDS = 200;
const RACERS = 4;

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-lock-')));
after(() => rmSync(directory, { recursive: true }));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a killed process leaves: a socket on which nobody listens. */
async function leaveDead(path, number) {
  const server = createServer().listen(`${path}.dead`);
  await once(server, 'listening');
  renameSync(`${path}.dead`, `${path}.lock-${number}-0123456789ab`);
  await new Promise((closed) => server.close(closed));
}

async function racer() {
  const child = fork(RACER);
  await once(child, 'message');
  return {
    child,
    async tell(message) {
      child.send(message);
      return (await once(child, 'message'))[0];
    },
  };
}

test('a killed process that its parent has not waited for no longer holds a lock', async () => {
  const book = join(directory, 'unreaped');
  // The parent becomes a program that waits for nobody.
  const script = 'exec 3<&0; "$0" "$@" <&3 & echo $! >&2; exec sleep 1000';
  const parent = spawn('sh', ['-c', script, process.execPath, BIN, '--book', book]);
  try {
    const [line] = await once(parent.stderr.setEncoding('utf8'), 'data');
    const id = Number(line);
    parent.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await once(parent.stdout, 'data');
    await assert.rejects(lock(book), new RegExp(`process ${id} has it open`));
    process.kill(id, 'SIGKILL');
    const state = () => readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1][0];
    while (state() !== 'Z') await pause(5);
    const { close } = await openHornbook({}, () => {}, book);
    assert.equal(state(), 'Z');
    await close();
  } finally {
    parent.kill('SIGKILL');
  }
});

test('a pending question does not keep a process alive that releases the lock and has nothing else to do', async () => {
  const path = join(directory, 'asked');
  const script = `
    import { lock } from ${JSON.stringify(new URL('../../pkg/node/lock.js', import.meta.url).href)};
    const release = await lock(${JSON.stringify(path)});
    console.log('held');
    await new Promise((told) => process.stdin.once('data', told));
    process.stdin.destroy();
    await release();
    console.log('released');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  while (!said.includes('held')) await pause(5);
  const claim = readdirSync(directory).find((name) => name.startsWith('asked.lock-'));
  // It receives the answer, but does not hang up.
  const asking = connect({ path: join(directory, claim), allowHalfOpen: true });
  await once(asking, 'data');
  child.stdin.write('now');
  const [code] = await once(child, 'close');
  asking.destroy();
  assert.deepEqual([code, said], [0, 'held\nreleased\n']);
});

test('what a process leaves that was killed before its claim had a name is removed by a later one', async () => {
  const path = join(directory, 'early');
  await leaveDead(path, 1);
  const [old, young] = [1, 2].map((number) => `${path}.lock-${number}-0123456789ab.new`);
  renameSync(`${path}.lock-1-0123456789ab`, old);
  utimesSync(old, 0, 0);
  // Its process may be about to listen.
  await leaveDead(path, 2);
  renameSync(`${path}.lock-2-0123456789ab`, young);
  const release = await lock(path);
  await release();
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('early')),
    [basename(young)],
  );
});

test('a stopped process keeps the lock', async () => {
  const path = join(directory, 'stopped');
  const { child, tell } = await racer();
  assert.equal(await tell(path), 'held');
  child.kill('SIGSTOP');
  try {
    await assert.rejects(lock(path), new RegExp(`^Error: process ${child.pid} has it open; end that process first`));
  } finally {
    child.kill('SIGKILL');
  }
  await once(child, 'exit');
  const release = await lock(path);
  await release();
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('stopped')),
    [],
  );
});

test(`of ${RACERS} processes that race to take over from a dead one, exactly one gets the lock, ${ROUNDS} times`, async () => {
  const racers = await Promise.all(Array.from({ length: RACERS }, racer));
  for (let round = 0; round < ROUNDS; round += 1) {
    const path = join(directory, `race-${round % 3}`);
    await leaveDead(path, round + 1);
    const told = await Promise.all(racers.map(({ tell }) => tell(path)));
    const holders = racers.filter((_, at) => told[at] === 'held');
    assert.equal(holders.length, 1, `round ${round}: ${told.join('\n')}`);
    const [{ child, tell }] = holders;
    for (const refusal of told.filter((text) => text !== 'held'))
      assert.ok(refusal.startsWith(`process ${child.pid} has it open`), refusal);
    if (round % 20 === 0) {
      child.kill('SIGKILL');
      racers[racers.indexOf(holders[0])] = await racer();
    } else assert.equal(await tell('release'), 'released');
  }
  for (const { child } of racers) child.kill();
  for (const number of [0, 1, 2]) {
    const release = await lock(join(directory, `race-${number}`));
    await release();
  }
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('race')),
    [],
  );
});

test('a path that is too long for a socket has a lock too', async () => {
  const deep = join(directory, 'd'.repeat(120), 'e'.repeat(120));
  mkdirSync(deep, { recursive: true });
  for (const name of ['book', 'ü'.repeat(120)]) {
    const path = join(deep, name);
    const release = await lock(path);
    await assert.rejects(lock(path), LockedError);
    const { child, tell } = await racer();
    assert.match(await tell(path), new RegExp(`^process ${process.pid} has it open`));
    await release();
    assert.equal(await tell(path), 'held');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await lock(path))();
    assert.deepEqual(readdirSync(deep), []);
  }
});

test('a file with the name of a lock that is not one is left alone, and nobody holds it as a lock', async () => {
  const path = join(directory, 'named');
  const other = `${path}.lock-1-0123456789ab`;
  writeFileSync(other, 'mine');
  await (await lock(path))();
  assert.equal(readFileSync(other, 'utf8'), 'mine');
});

test('on Windows the lock of a book is a pipe, whose name derives from its path, whatever its characters and length', () => {
  const book = 'C:\\Users\\Ann\\family.book';
  const paths = [
    book,
    'C:\\Users\\Ann\\family2.book',
    'D:\\Users\\Ann\\family.book',
    '\\\\server\\share\\family.book',
    `C:\\${'long name\\'.repeat(3_000)}a.book`,
    'C:\\книга\\\u{1f4d6} "x" | y.book',
  ];
  const names = paths.map(pipeOf);
  assert.equal(new Set(names).size, paths.length);
  // A name has at most 256 characters, and no backslash after the folder of pipes.
  for (const name of names) assert.match(name, /^\\\\\.\\pipe\\hornbook-[0-9a-f]{16}$/);
  assert.equal(pipeOf(book), pipeOf(book.toUpperCase()));
  assert.equal(pipeOf('C:\\КНИГА\\É.book'), pipeOf('c:\\книга\\é.book'));
});
