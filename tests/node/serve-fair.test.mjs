// `hornbook serve` while some clients take all they can get: those who take little go first.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Serving } from '../support/serve.mjs';
import { directory } from './harness.mjs';

const MODEST = 'a-token-of-the-modest-one';
const GREEDY = Array.from({ length: 4 }, (_, number) => `a-token-of-greedy-one-${number}`);
const as = (token) => ({ headers: { Authorization: `Bearer ${token}` } });

/** How much lower than the process's own the priority of each of its threads is. */
function lowered({ child }) {
  const niceOf = (path) => Number(readFileSync(path, 'utf8').split(') ')[1].split(' ')[16]);
  const own = niceOf(`/proc/${child.pid}/stat`);
  const threads = readdirSync(`/proc/${child.pid}/task`);
  return threads.map((thread) => niceOf(`/proc/${child.pid}/task/${thread}/stat`) - own).filter((by) => by > 0);
}

describe('a served book', () => {
  const folder = directory();
  let server;
  before(async () => {
    writeFileSync(join(folder, 'tokens'), [MODEST, ...GREEDY].join('\n'));
    server = await Serving.start(folder, ['--tools', 'prolog,dml', '--token-file', join(folder, 'tokens')]);
    await server.assert('a', 'p(1).', as(MODEST));
  });
  after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });

  test('has engines of programs at a lower priority than its first engine', async (t) => {
    if (process.platform !== 'linux') return t.skip('elsewhere a thread has no priority of its own');
    assert.deepEqual(lowered(server), []);
    const code = 'agent_main :- answer(done).';
    const { structuredContent } = await server.call('a', 'dml_run', { code }, as(GREEDY[0]));
    assert.equal(structuredContent.answer, 'done');
    const endless = { code: 'agent_main :- repeat, fail.', timeout_ms: 5_000 };
    const ran = server.call('a', 'dml_run', endless, as(GREEDY[0]));
    while (lowered(server).length === 0) await pause(50);
    assert.deepEqual(await server.answers('a', 'p(X)', 'X', as(MODEST)), ['1']);
    await ran;
  });

  test('answers who asks little before the queries of those who had all engines end', async () => {
    let ended = 0;
    const endless = (timeout_ms) =>
      GREEDY.map(async (token) => {
        const values = { query: 'repeat, fail', take: 1, timeout_ms };
        const { isError } = await server.call('a', 'query_start', values, as(token));
        assert.equal(isError, true);
        ended++;
      });
    await Promise.all(endless(1_000));
    await server.answers('a', 'p(X)', 'X', as(MODEST));
    ended = 0;
    // They go on until the server is ended.
    void Promise.allSettled(endless(20_000));
    for (let round = 2; round < 8; round++) {
      await server.assert('a', `p(${round}).`, as(MODEST));
      const found = await server.answers('a', 'aggregate_all(max(X), p(X), M)', 'M', as(MODEST));
      assert.deepEqual(found, [String(round)]);
      assert.equal(ended, 0);
    }
  });
});
