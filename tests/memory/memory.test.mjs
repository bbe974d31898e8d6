// The memory over stdio: what its tools cost a model, what lasts, what a kill takes, how replies keep their budget.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { Server, directory } from '../node/harness.mjs';

const tokens = (value) => encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
const start = (book, ...sets) => Server.start({ args: ['--tools', ...sets, ...(book ? ['--book', book] : [])] });
const newBook = () => join(directory(), 'memory.book');

test('the five tools listed together cost at most 1,900 tokens', async (t) => {
  const server = await start(undefined, 'memory');
  const tools = (await server.request('tools/list')).tools.filter(({ name }) => name.startsWith('kn_'));
  assert.equal(tools.length, 5);
  t.diagnostic(`${tokens({ tools })} tokens: ${tools.map((tool) => `${tool.name} ${tokens(tool)}`).join(', ')}`);
  assert.ok(tokens({ tools }) <= 1900, `${tokens({ tools })} tokens`);
  await server.close();
});

test('a reply costs no more tokens than its budget', async () => {
  const server = await start(undefined, 'memory');
  for (let n = 0; n < 60; n += 1) {
    const words = [
      'naïve café',
      'snake_case_name',
      '0x7fffdeadbeef',
      'https://example.org/a?b=c',
      '知识图谱',
      'a plain sentence of words',
    ];
    const content = Array.from({ length: 30 }, (_, at) => words[(n + at) % words.length]).join(' ');
    await server.ok('kn_intel', {
      action: 'learn',
      content: `cache ${n}: ${content}`,
      type: 'gotcha',
      tags: ['cache'],
    });
  }
  for (const budget of [200, 700, 2000, 6000]) {
    for (const [tool, args] of [
      ['kn_intel', { action: 'recall', topic: 'cache', limit: 50 }],
      ['kn_intel', { action: 'context', keywords: 'cache', limit: 50, detail: 'full' }],
      ['kn_graph', { action: 'query', limit: 50, detail: 'full' }],
      ['kn_experience', { action: 'search', limit: 50 }],
    ]) {
      const { text, data } = await server.ok(tool, { ...args, budget });
      assert.ok(tokens(text) <= budget, `${args.action}: ${tokens(text)} tokens of ${budget}`);
      assert.ok(data.count > 0 && data.left_out > 0, text);
    }
  }
  await server.close();
});

test('memory and rules are in one book, and undo covers both', async () => {
  const book = newBook();
  let server = await start(book, 'prolog,memory');
  await server.assert('rule(a).');
  const learned = (await server.ok('kn_intel', { action: 'learn', content: 'Use WAL for writers', type: 'decision' }))
    .data;
  await server.close();
  server = await start(book, 'prolog,memory');
  const found = (await server.ok('kn_intel', { action: 'recall', topic: 'writer' })).data;
  assert.deepEqual(
    found.results.map(({ id }) => id),
    [learned.node_id],
  );
  assert.deepEqual(await server.solve('rule(X)'), ['X = a']);
  await server.ok('workspace', { operation: 'undo' });
  assert.equal((await server.ok('kn_intel', { action: 'recall' })).data.count, 0);
  await server.ok('workspace', { operation: 'redo' });
  assert.equal((await server.ok('kn_intel', { action: 'recall' })).data.count, 1);
  await server.close();
});

test('what was answered is there after SIGKILL', async () => {
  const book = newBook();
  let next = 0;
  const known = [];
  for (let round = 0; round < 4; round += 1) {
    const server = await start(book, 'memory');
    const status = (await server.ok('kn_graph', { action: 'status' })).data;
    // An unanswered one may be there as well, whole.
    assert.ok(status.nodes >= known.length, `${status.nodes} of ${known.length}`);
    assert.equal(status.nodes, status.experiences);
    for (const id of known.slice(-20)) {
      assert.equal((await server.ok('kn_intel', { action: 'related', node_id: id })).isError, false);
    }
    const ids = [];
    for (let offset = 0; ; offset += 50) {
      const { data } = await server.ok('kn_graph', { action: 'query', limit: 50, offset, budget: 50_000 });
      ids.push(...data.nodes.map(({ id }) => id));
      if (data.next_offset === undefined) break;
    }
    assert.deepEqual(
      known.filter((id) => !ids.includes(id)),
      [],
    );
    // Several at once, so that some are being written when the process ends.
    const learn = async () => {
      for (;;) {
        known.push(
          (await server.ok('kn_intel', { action: 'learn', content: `thing number ${next++}`, type: 'gotcha' })).data
            .node_id,
        );
        if (known.length >= 15 * (round + 1)) server.child.kill('SIGKILL');
      }
    };
    const ends = await Promise.allSettled([learn(), learn(), learn()]);
    for (const { reason } of ends) assert.match(reason.message, /the server ended/);
  }
  assert.ok(known.length >= 60, `${known.length} were answered`);
});

test('the read-only and the full toolset are not served together', async () => {
  const server = new Server(['--tools', 'memory,memory-read'], {}, directory());
  assert.notEqual(await server.exit.catch((code) => code), 0);
  assert.match(server.stderr, /memory-read is the reading part of memory/);
});
