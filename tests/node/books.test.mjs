// Several books in one process: each a Hornbook of its own, sharing one wasm and one host.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FileStore, Hornbook, loadCrate, NodeHost } from '../../pkg/node.js';

/** A client of a book, which calls tools by name. */
function connect(hornbook) {
  const waiting = new Map();
  const connection = hornbook.connect((line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let last = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      connection.receive(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  const clientInfo = { name: 'books', version: '1' };
  void request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return async (name, values) =>
    (await request('tools/call', { name, arguments: values })).structuredContent ??
    assert.fail(`${name} gave no structured content`);
}

test('books of one process have their own clauses, engines, limits and files', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hornbook-books-'));
  await loadCrate();
  const host = new NodeHost(() => {});
  const open = async (name, limits) => {
    const store = new FileStore(join(directory, `${name}.book`));
    return { store, hornbook: await Hornbook.open(host, store, { limits }) };
  };
  let books = [await open('a'), await open('b', { open_queries: 1 })];
  const [a, b] = books.map(({ hornbook }) => connect(hornbook));
  await Promise.all([
    a('clauses', { operation: 'assert', clauses: ['p(1).'] }),
    b('clauses', { operation: 'assert', clauses: ['p(2).', 'q(2).'] }),
  ]);
  const p = async (client) => (await client('query_start', { query: 'p(X)', take: 9 })).answers;
  assert.deepEqual([await p(a), await p(b)], [[{ X: '1' }], [{ X: '2' }]]);

  // A query running in one book delays none of the others, and only its own engine is ended.
  let late = false;
  const spinning = a('query_start', { query: 'repeat, fail', take: 1, timeout_ms: 3000 }).then((told) => {
    late = true;
    return told;
  });
  const held = await b('query_start', { query: 'member(X, [1, 2])', take: 1 });
  assert.deepEqual(await p(b), [{ X: '2' }]);
  assert.equal(late, false, 'the other book was asked while the first one ran');
  assert.equal((await spinning).error.kind, 'timeout');
  assert.equal((await b('query_next', { query_id: held.query_id, take: 1 })).answers[0].X, '2');

  // One book is closed while the others go on; when it comes back, it has its contents and its own undo.
  books[0].hornbook.close();
  await books[0].store.close();
  assert.deepEqual(await p(b), [{ X: '2' }]);
  books = [await open('a'), books[1]];
  const again = connect(books[0].hornbook);
  assert.deepEqual(await p(again), [{ X: '1' }]);
  await again('workspace', { operation: 'undo', steps: 1 });
  assert.deepEqual((await again('workspace', { operation: 'snapshot' })).clauseCount, 0);
  assert.deepEqual((await b('workspace', { operation: 'snapshot' })).clauseCount, 2);
  for (const { hornbook, store } of books) {
    await hornbook.idle();
    hornbook.close();
    await store.close();
  }
  host.close();
  rmSync(directory, { recursive: true });
});
