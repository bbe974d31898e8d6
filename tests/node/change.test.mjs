// `book.change`: several changes as one revision, again on what is there if others were faster.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openBook } from '../../pkg/index.js';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-change-')));
after(() => rmSync(directory, { recursive: true }));

/** Adds one to the counter. */
async function count(tx) {
  const { N } = await tx.once('count(N)');
  await tx.retract(`count(${N})`);
  await tx.assert(`count(${N + 1}).`);
  return N + 1;
}

test('what a change does is one revision, which sees itself, and can be undone', async () => {
  const book = await openBook();
  await book.assert('count(0).', 'twice(M) :- count(N), M is 2 * N.');
  const made = await book.change(async (tx) => {
    await tx.assert('seen(1).');
    await tx.import('rules.pl', 'r(X) :- seen(X).\n');
    await count(tx);
    assert.deepEqual(await book.all('count(N)'), [{ N: 0 }]);
    assert.deepEqual(await tx.all('r(X), twice(M)'), [{ X: 1, M: 2 }]);
    return 'done';
  });
  assert.equal(made, 'done');
  const { revisions, revision } = await book.history();
  assert.deepEqual([revision, revisions[0].operation], [2, 'change']);
  assert.deepEqual(await book.all('r(X), twice(M)'), [{ X: 1, M: 2 }]);
  await book.undo();
  assert.deepEqual(await book.all('count(N)'), [{ N: 0 }]);
  await assert.rejects(book.once('r(_)'), { kind: 'existence_error' });
  await book.close();
});

test('a change that throws, or that a constraint refuses, changes nothing, and the next one begins anew', async () => {
  const book = await openBook();
  await book.assert('count(0).', ':- constraint((count(N), N > 1), "too many: ~w"-[N]).');
  const thrown = book.change(async (tx) => {
    await tx.assert('lost(1).');
    throw new RangeError('no');
  });
  await assert.rejects(thrown, { message: 'no' });
  await assert.rejects(
    book.change(async (tx) => tx.assert('count(7).')),
    { kind: 'constraint_violation' },
  );
  assert.deepEqual(await book.change(async (tx) => tx.all('lost(X)').catch(({ kind }) => kind)), 'existence_error');
  await book.close();
});

test('a change that changes nothing is no revision', async () => {
  const book = await openBook();
  await book.assert('p(1).');
  await book.change((tx) => tx.all('p(X)'));
  assert.equal((await book.history()).revision, 1);
  await book.close();
});

test('changes at once, and others meanwhile, lose nothing', async () => {
  const book = await openBook();
  await book.assert('count(0).');
  const changes = Array.from({ length: 10 }, () => book.change(count));
  const others = (async () => {
    for (let n = 0; n < 10; n++) {
      await book.assert(`other(${n}).`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  assert.deepEqual(
    (await Promise.all(changes)).sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  await others;
  assert.deepEqual(await book.all('count(N)'), [{ N: 10 }]);
  await book.close();
});

test('two processes that read, modify and write lose no count', async () => {
  const path = join(directory, 'shared.book');
  const script = join(directory, 'counts.mjs');
  const index = pathToFileURL(join(import.meta.dirname, '../../pkg/index.js')).href;
  writeFileSync(
    script,
    `import { openBook } from ${JSON.stringify(index)};
${count}
const book = await openBook({ path: ${JSON.stringify(path)} });
for (let n = 0; n < 15; n++) await book.change(count, { retries: 1000 });
await book.close();
process.exit(0);
`,
  );
  const book = await openBook({ path });
  await book.assert('count(0).');
  const children = [fork(script), fork(script)];
  const codes = await Promise.all(children.map((child) => once(child, 'exit')));
  assert.deepEqual(
    codes.map(([code]) => code),
    [0, 0],
  );
  assert.deepEqual(await book.all('count(N)'), [{ N: 30 }]);
  await book.close();
});

for (const [where, path] of [
  ['in memory', undefined],
  ['in a file', join(directory, 'busy.book')],
])
  test(`a book ${where} is changed beside a writer of its process that never pauses, and after a change that throws`, async () => {
    const book = await openBook({ ...(path && { path }) });
    await book.assert('count(0).', ':- constraint((count(N), N < 0), "~w is too few"-[N]).');
    let working = true;
    const write = async () => {
      for (let n = 0; working; n++) await book.assert(`w(${n}).`);
    };
    const writing = write();
    for (let n = 1; n <= 3; n++) assert.equal(await book.change(count), n);
    // Once it holds the book.
    let tries = 0;
    const throws = book.change(async (tx) => {
      await tx.assert('half(1).');
      // Somebody is faster each time before.
      if (++tries > 3) throw new Error('no more');
      await book.assert('faster(1).');
    });
    await assert.rejects(throws, { message: 'no more' });
    assert.deepEqual(await book.all('catch(half(_), _, fail)'), []);
    assert.equal(await book.change(count), 4);
    working = false;
    await writing;
    await book.close();
  });

test('a book that always changes ends in a conflict that says what to do', async () => {
  const book = await openBook();
  await book.assert('count(0).');
  // What it waits for itself waits for it no longer than a change may hold the book.
  const clumsy = book.change(async () => book.assert('oops(1).'), { retries: 4 });
  await assert.rejects(clumsy, { kind: 'conflict', message: /each of 5 attempts.*use only the book that it is given/ });
  await assert.rejects(
    book.change((tx) => tx.change(count)),
    { message: /not within a draft or another change/ },
  );
  await book.close();
});
