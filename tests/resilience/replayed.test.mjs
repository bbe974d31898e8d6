// The calls of simulated runs, made by real processes with real engines on a book in a file: each comes to what the
// simulator's model says, though processes are killed between calls and in the middle of them.
//
//   node tests/resilience/replayed.test.mjs [SEEDS] [FIRST] [OPERATIONS]
import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const [SEEDS, FIRST, OPERATIONS] = [4, 3, 25].map((number, at) => Number(process.argv[2 + at] ?? number));
const REPLAYER = new URL('../support/replayer.mjs', import.meta.url).pathname;
const ROOT = new URL('../..', import.meta.url).pathname;

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-replayed-')));
after(() => rmSync(directory, { recursive: true }));

/** The calls of a seed, each with what the book comes to. */
function planOf(seed) {
  const options = ['--plan', '--seed', seed, '--operations', OPERATIONS].map(String);
  const command = ['run', '-q', '-p', 'hornbook-simulate', '--', ...options];
  return JSON.parse(execFileSync('cargo', command, { cwd: ROOT, encoding: 'utf8' })).calls;
}

/** A process with the book. */
async function begin(path) {
  const child = fork(REPLAYER, [path], { stdio: 'inherit' });
  await once(child, 'message');
  const ask = async (call) => {
    child.send(call);
    const [answer] = await once(child, 'message');
    return answer;
  };
  const end = async (ends) => {
    const exit = once(child, 'exit');
    ends();
    await exit;
  };
  return {
    ask,
    kill: () => end(() => child.kill('SIGKILL')),
    send: (call) => child.send(call),
    close: () => end(() => child.send({ do: 'close' })),
  };
}

/** Equal numbers each time: a small generator of chance. */
function chanceOf(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function replay(seed) {
  const calls = planOf(seed);
  const path = join(directory, `${seed}.book`);
  const chance = chanceOf(seed);
  let process = await begin(path);
  let before = (await process.ask({ do: 'read' })).source;
  for (const [at, call] of calls.entries()) {
    const what = `seed ${seed}, call ${at}: ${JSON.stringify({ ...call, source: undefined })}`;
    let isMade = false;
    if (chance(8) === 0) {
      // It is killed in the middle of the call, which was carried out as a whole or not at all.
      process.send(call);
      await new Promise((resolve) => setTimeout(resolve, chance(20)));
      await process.kill();
      process = await begin(path);
      const { source } = await process.ask({ do: 'read' });
      isMade = source !== before;
      assert.ok(source === before || source === call.source, `${what}, killed meanwhile: ${source}`);
    }
    if (!isMade) {
      const { refused, source } = await process.ask(call);
      assert.equal(source, call.source, `${what}: ${refused ?? 'done'}`);
      assert.equal(refused !== undefined, call.refused, `${what}: ${refused ?? 'done'}`);
    }
    before = call.source;
    if (chance(12) === 0) {
      await process.kill();
      process = await begin(path);
      assert.equal((await process.ask({ do: 'read' })).source, before, `${what}, killed after it`);
    }
  }
  await process.close();
}

test(`${SEEDS} simulated runs come to the same on real books`, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) await replay(seed);
});
