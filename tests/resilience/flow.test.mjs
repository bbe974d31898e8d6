// Standard input and output with a client that does not read, or writes without end: the server stays small, and
// survives.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BIN, Server } from '../node/harness.mjs';

const MB = 1 << 20;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The resident memory of a process, in bytes. */
const held = (child) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) * 1024;
/** The most it has held so far. */
const peak = (child) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) * 1024;
const line = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const snapshot = (id) => line(id, 'tools/call', { name: 'workspace', arguments: { operation: 'snapshot' } });

/** Reads lines up to a wanted one. */
function read(child, wanted) {
  return new Promise((resolve) => {
    let parts = [];
    const take = (chunk) => {
      const [end, ...begins] = chunk.split('\n');
      parts.push(end);
      const lines = begins.map((begin) => {
        const text = parts.join('');
        parts = [begin];
        return text;
      });
      if (!lines.some(wanted)) return;
      child.stdout.off('data', take).pause();
      resolve();
    };
    child.stdout.setEncoding('utf8').on('data', take).resume();
  });
}

/** A server whose output a test reads as it wants; with a fact of this many bytes, and replies that may hold it. */
async function raw(bytes, ...args) {
  const child = spawn(process.execPath, [BIN, '--limit', 'reply_tokens=1000000000', ...args]);
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.write(line(1, 'initialize', initialize));
  child.stdin.write(
    line(2, 'tools/call', {
      name: 'files',
      arguments: { operation: 'import', filename: 'big', text: `big("${'x'.repeat(bytes)}").` },
    }),
  );
  await read(child, (line) => line.includes('"id":2'));
  return child;
}

test('a client that does not read gets its replies later, and the server does not grow meanwhile', async () => {
  const [bytes, count] = [5 * MB, 40];
  const child = await raw(bytes);
  const ids = Array.from({ length: count }, (_, at) => 10 + at);
  child.stdin.write(ids.map(snapshot).join(''));
  // And so much that the pipes between the two processes cannot hold it.
  let taken = 0;
  const more = line(9, 'ping').repeat(1000);
  const writing = (async () => {
    for (let at = 0; at < 1000; at += 1) {
      if (!child.stdin.write(more)) await once(child.stdin, 'drain');
      taken += 1;
    }
  })();
  const before = held(child);
  await pause(4_000);
  assert.ok(held(child) - before < 200 * MB, `it grew by ${(held(child) - before) / MB} MB`);
  assert.ok(taken < 1000, 'it read on');
  // Everything is answered when it is read.
  const answers = [];
  await read(child, (line) => {
    if (line.length > bytes) answers.push(Number(/"id":(\d+)/.exec(line.slice(0, 50))[1]));
    return answers.length === count;
  });
  assert.deepEqual(
    answers.sort((a, b) => a - b),
    ids,
  );
  assert.ok(peak(child) - before < 300 * MB, `it grew by ${(peak(child) - before) / MB} MB`);
  child.kill('SIGKILL');
  await writing.catch(() => {});
});

test('a program that writes without end waits for a client that does not read', async () => {
  const child = await raw(1, '--tools', 'dml');
  const code =
    'agent_main :- forall(between(1, 100000000, N), (length(L, 1000), maplist(=(x), L), atomic_list_concat(L, A), output("{N} {A}"))).';
  child.stdin.write(line(3, 'tools/call', { name: 'dml_run', arguments: { code }, _meta: { progressToken: 'p' } }));
  await pause(4_000);
  const before = held(child);
  await pause(3_000);
  assert.ok(held(child) - before < 30 * MB, `it grew by ${(held(child) - before) / MB} MB`);
  child.kill('SIGKILL');
});

test('a line without end is refused, and the connection goes on at the next one', async () => {
  const server = await Server.start();
  const before = server.notifications.length;
  const chunk = Buffer.alloc(MB, 'x');
  for (let at = 0; at < 600; at += 1) if (!server.child.stdin.write(chunk)) await once(server.child.stdin, 'drain');
  const refused = () => server.notifications.slice(before);
  while (refused().length === 0) await pause(10);
  assert.deepEqual(refused(), [
    {
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32600,
        message: 'The message is too long (limit: line_bytes = 134217728). Send its parts one by one.',
      },
    },
  ]);
  server.write('');
  await server.request('ping');
  assert.equal(refused().length, 1);
  assert.ok(peak(server.child) < 700 * MB, `${peak(server.child) / MB} MB`);
  await server.close();
});

test('the limit on a line can be set, and counts bytes', async () => {
  const server = await Server.start({ args: ['--limit', 'line_bytes=2000'] });
  const message = (text) => JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'ping', params: { text } });
  const answer = async (text) => {
    const before = server.notifications.length;
    server.write(text);
    await server.request('ping');
    return server.notifications.slice(before).map(({ id, error }) => [id, error?.code]);
  };
  const room = 2000 - message('').length;
  assert.deepEqual(await answer(message('é'.repeat(Math.floor(room / 2)))), [['x', undefined]]);
  assert.deepEqual(await answer(message('é'.repeat(Math.floor(room / 2) + 1))), [[null, -32600]]);
  await server.close();
});

test('a server whose client does not read ends when told to', async () => {
  const child = await raw(5 * MB);
  child.stdin.write(snapshot(3) + snapshot(4));
  await pause(1_000);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a cancellation is received while as many calls run as allowed', async () => {
  const server = await Server.start();
  const goal = 'repeat, fail';
  const calls = Array.from({ length: 40 }, () =>
    server.begin('tools/call', { name: 'query_start', arguments: { query: goal, take: 1, timeout_ms: 60_000 } }),
  );
  await server.request('ping');
  for (const { id } of calls) server.cancel(id);
  assert.deepEqual(await server.solve('X = 1'), ['X = 1']);
  await server.close();
});
