// Files under the roots: no link leads outside, whenever it is created, and what is not a file is reported at once.
import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '../../pkg/client.js';
import { NodeHost, openHornbook } from '../../pkg/node.js';
import { Server, directory } from './harness.mjs';

const SWAPPER = fileURLToPath(new URL('swapper.mjs', import.meta.url));
const MOST = 1000;
const TRIES = 2000;

let root, outside, host;
before(() => {
  root = directory({ 'turn.pl': 'inside.', 'turn/file.pl': 'inside.', 'listed/here.pl': '', 'sub/x.pl': 'x.' });
  outside = directory({ 'file.pl': 'secret.' });
  host = new NodeHost(() => {});
});
after(() => {
  host.close();
  for (const path of [root, outside]) rmSync(path, { recursive: true });
});

/** Runs `work` while `path` alternates between its contents and a link to `elsewhere`. */
async function swapping(path, elsewhere, work) {
  const swapper = fork(SWAPPER, [path, elsewhere]);
  try {
    await work();
  } finally {
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
  }
}

test('a path that becomes a link between check and read never leads outside the roots', async () => {
  const { hornbook, close } = await openHornbook({ roots: [root] }, () => {});
  const client = new Client(hornbook);
  // The file itself, and the directory above it.
  for (const [path, elsewhere, name] of [
    [join(root, 'turn.pl'), join(outside, 'file.pl'), 'turn.pl'],
    [join(root, 'turn'), outside, 'turn/file.pl'],
  ]) {
    let read = 0;
    await swapping(path, elsewhere, async () => {
      for (let tried = 0; tried < TRIES; tried += 1) {
        const { text } = await client.callTool('files', { operation: 'import', filename: name });
        if (!text.startsWith('Successfully')) continue;
        read += 1;
        const { text: snapshot } = await client.callTool('workspace', { operation: 'snapshot' });
        assert.match(snapshot, /inside/);
        await client.callTool('files', { operation: 'unimport', filename: name });
        await client.callTool('workspace', { operation: 'reset' });
      }
    });
    assert.ok(read > 0, 'nothing was read');
  }
  await close();
});

test('a directory that becomes a link is never listed elsewhere', async () => {
  await swapping(join(root, 'listed'), outside, async () => {
    for (let tried = 0, listed = 0; tried < TRIES || listed === 0; tried += 1) {
      const real = await host.resolvePath(join(root, 'listed')).catch(() => '');
      if (!real.startsWith(`${root}/`)) continue;
      const names = await host.listDirectory(real).catch(() => undefined);
      listed += Number(names !== undefined);
      assert.deepEqual(names ?? ['here.pl'], ['here.pl']);
    }
  });
});

test('a file that becomes a link after it was found is not read, even if a directory above it does', async () => {
  const file = join(root, 'sub/x.pl');
  const real = await host.resolvePath(file);
  assert.equal(Buffer.from(await host.readFile(real, MOST)).toString(), 'x.');
  const moved = { fault: 'unreadable', message: 'it was moved meanwhile' };
  renameSync(file, `${file}-away`);
  symlinkSync(join(outside, 'file.pl'), file);
  await assert.rejects(host.readFile(real, MOST), moved);
  rmSync(file);
  renameSync(join(root, 'sub'), join(root, 'sub-away'));
  symlinkSync(outside, join(root, 'sub'));
  await assert.rejects(host.readFile(join(root, 'sub/file.pl'), MOST), { fault: /unreadable|not_found/ });
  await assert.rejects(host.listDirectory(join(root, 'sub')), { fault: /unreadable|not_found/ });
});

test('what is not a file, and what is too large, is reported at once, and the server goes on', async () => {
  const server = await Server.start({ files: { 'sub/x.pl': 'x.', 'large.pl': '' } });
  const at = (name) => join(server.directory, name);
  execFileSync('mkfifo', [at('pipe.pl')]);
  const listening = createServer().listen(at('socket.pl'));
  await once(listening, 'listening');
  truncateSync(at('large.pl'), 2 ** 36);
  for (const [name, expected] of [
    ['pipe.pl', /Not a file: .*pipe\.pl/],
    ['socket.pl', /Not a file: .*socket\.pl/],
    ['sub', /Not a file: .*sub/],
    ['large.pl', /File .*large\.pl is too large \(limit: file_bytes = 67108864\)/],
    ['none.pl', /File not found: .*none\.pl/],
  ]) {
    assert.match((await server.fails('files', { operation: 'import', filename: name })).text, expected);
  }
  await server.ok('files', { operation: 'import', filename: 'sub/x.pl' });
  assert.deepEqual(await server.solve('x'), ['true']);
  listening.close();
  await server.close();
});

test('a device under a root is not a file', async () => {
  const server = await Server.start({ args: ['--root', '/dev'] });
  for (const name of ['/dev/zero', '/dev/null', '/dev/full']) {
    assert.match((await server.fails('files', { operation: 'import', filename: name })).text, /Not a file: \/dev\//);
  }
  await server.close();
});

test('a file that grows while it is read is not read beyond the limit', async () => {
  const path = join(root, 'growing.pl');
  writeFileSync(path, 'x'.repeat(900));
  const reading = host.readFile(await host.resolvePath(path), MOST);
  appendFileSync(path, 'y'.repeat(900));
  const read = await reading.catch((fault) => fault);
  if (read.fault) assert.deepEqual(read, { fault: 'too_large' });
  else assert.ok(read.length <= MOST);
  assert.equal(readFileSync(path).length, 1800);
});
