// The priorities of the engines of `hornbook serve`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Serving } from '../support/serve.mjs';
import { directory } from './harness.mjs';

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
    server = await Serving.start(folder, ['--tools', 'prolog,dml']);
    await server.assert('a', 'p(1).');
  });
  after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });

  test('has engines of programs at a lower priority than its first engine', async (t) => {
    if (process.platform !== 'linux') return t.skip('elsewhere a thread has no priority of its own');
    assert.deepEqual(lowered(server), []);
    const code = 'agent_main :- answer(done).';
    const { structuredContent } = await server.call('a', 'dml_run', { code });
    assert.equal(structuredContent.answer, 'done');
    const endless = { code: 'agent_main :- repeat, fail.', timeout_ms: 5_000 };
    const ran = server.call('a', 'dml_run', endless);
    while (lowered(server).length === 0) await pause(50);
    assert.deepEqual(await server.answers('a', 'p(X)', 'X'), ['1']);
    await ran;
  });

  test('leaves an engine at that priority where none can be raised', (t) => {
    if (process.platform !== 'linux') return t.skip('elsewhere a thread has no priority of its own');
    const script = `
      import { getPriority } from 'node:os';
      import { lowered } from ${JSON.stringify(new URL('../../pkg/node/priority.js', import.meta.url))};
      if (process.getuid() === 0) process.setuid(65534);
      const before = getPriority();
      console.log(JSON.stringify([lowered() ?? null, getPriority() - before]));`;
    const told = execFileSync('bash', [
      '-c',
      'ulimit -e 0; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      script,
    ]);
    assert.deepEqual(JSON.parse(told), [null, 5]);
  });
});
