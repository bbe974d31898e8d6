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

/** Others are faster three times, so that a change then holds the book while it does `last`. */
function holding(book, last) {
  let tries = 0;
  return async (tx) => {
    await tx.assert('half(1).');
    if (++tries <= 3) await book.assert(`faster(${tries}).`);
    else await last(tx);
  };
}

/** A change that works until it is ended. Resolves once it works, with what it was given and how it ended. */
async function endless(book, options, last = () => {}) {
  let ended;
  const tx = await new Promise((resolve) => {
    ended = book.change(
      holding(book, async (own) => {
        resolve(own);
        last();
        await new Promise(() => {});
      }),
      options,
    );
    ended.catch(() => {});
  });
  return { tx, ended };
}

test('a change that never ends is ended by its signal, and lets go of the book: the next finds nothing of it', async () => {
  const book = await openBook();
  await book.assert('count(0).');
  const ending = new AbortController();
  const { tx, ended } = await endless(book, { signal: ending.signal });
  const waiting = book.assert('beside(1).');
  const next = book.change(count);
  ending.abort(new RangeError('enough'));
  await assert.rejects(ended, { message: 'enough' });
  await waiting;
  await assert.rejects(tx.assert('late(1).'), { kind: 'closed' });
  assert.equal(await next, 1);
  assert.deepEqual(await book.all('catch((half(X) ; late(X)), _, fail)'), []);
  await book.close();
});

test('a change whose signal is aborted at the end of its work lets go of the book', async (t) => {
  const book = await openBook();
  // What would let go of the book by itself never comes.
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (call, ms, ...rest) => (ms >= 1_000 ? 0 : setTimeout(call, ms, ...rest));
  t.after(() => (globalThis.setTimeout = setTimeout));
  const ending = new AbortController();
  const { ended } = await endless(book, { signal: ending.signal }, () => ending.abort());
  await assert.rejects(ended, { name: 'AbortError' });
  await book.assert('beside(1).');
  globalThis.setTimeout = setTimeout;
  assert.deepEqual(await book.all('beside(X)'), [{ X: 1 }]);
  await book.close();
});

test('a change that waits to begin is ended by its signal, and takes no hold of the book afterwards', async () => {
  const book = await openBook();
  await book.assert('count(0).');
  const ending = new AbortController();
  let tries = 0;
  let busy;
  const change = book.change(
    async (tx) => {
      await tx.assert('half(1).');
      await book.assert(`faster(${++tries}).`);
      if (tries < 3) return;
      // The book is busy when it is to be held.
      busy = book.once('assertz(slow(1)), sleep(1)');
      setTimeout(() => ending.abort(), 300);
    },
    { signal: ending.signal },
  );
  await assert.rejects(change, { name: 'AbortError' });
  await busy;
  assert.equal(tries, 3);
  assert.equal(await book.change(count), 1);
  await book.close();
});

test('a change that waits for one that never ends is ended by its signal, and both by `close`', async () => {
  const book = await openBook();
  const { ended } = await endless(book);
  const ending = new AbortController();
  const waits = book.change(count, { signal: ending.signal });
  const others = [book.change(count), book.change(count)];
  for (const other of others) other.catch(() => {});
  ending.abort();
  await assert.rejects(waits, { name: 'AbortError' });
  const order = [];
  const closing = book.close().then(() => order.push('closed'));
  for (const other of others) await assert.rejects(other, { kind: 'closed' });
  order.push('those that wait');
  await assert.rejects(ended, { kind: 'closed', message: /closed before this had ended/ });
  await closing;
  assert.deepEqual(order, ['those that wait', 'closed']);
});

test('a change that is in a goal without end is ended by `close`', async () => {
  const book = await openBook();
  const changing = book.change((tx) => tx.once('repeat, fail'));
  changing.catch(() => {});
  await book.all('true');
  await book.close();
  await assert.rejects(changing, { kind: 'closed' });
});

test('a change that ends soon is made, although the book is being closed', async () => {
  const path = join(directory, 'closing.book');
  const book = await openBook({ path });
  let closing;
  await book.change(async (tx) => {
    await tx.assert('p(1).');
    closing = book.close();
    await tx.assert('p(2).');
  });
  await closing;
  const again = await openBook({ path });
  assert.deepEqual(await again.all('p(X)'), [{ X: 1 }, { X: 2 }]);
  await again.close();
});

test('a change within a change is refused with what to do, and the next change is made', async () => {
  const book = await openBook();
  await book.assert('count(0).');
  const nested = book.change(() => book.change(count));
  const next = nested.catch(() => book.change(count));
  await assert.rejects(nested, {
    kind: 'conflict',
    message: /not used the book that it is given for 10 s.*use only the book that it is given/,
  });
  assert.equal(await next, 1);
  await book.close();
});

test('a change waits for one that takes long but goes on', async () => {
  const book = await openBook();
  await book.assert('count(0).');
  const long = book.change(async (tx) => {
    for (let n = 0; n < 6; n++) await tx.once('sleep(2)');
    return count(tx);
  });
  assert.deepEqual(await Promise.all([long, book.change(count)]), [1, 2]);
  await book.close();
});

test('a change with a time limit or a signal waits for one that does not use its book', async () => {
  const book = await openBook();
  await book.assert('count(0).');
  const long = book.change(async (tx) => {
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    return count(tx);
  });
  const patient = book.change(count, { timeoutMs: 60_000 });
  const signalled = book.change(count, { signal: new AbortController().signal });
  await assert.rejects(book.change(count, { timeoutMs: 500 }), {
    kind: 'timeout',
    message: /longer than its 500 ms.*nothing was changed/,
  });
  assert.deepEqual(await Promise.all([long, patient, signalled]), [1, 2, 3]);
  await book.close();
});

test('a time limit ends a change that works, and the next one is made', async () => {
  const book = await openBook();
  await book.assert('count(0).');
  const endless = book.change(() => new Promise(() => {}), { timeoutMs: 300 });
  await assert.rejects(endless, { kind: 'timeout' });
  assert.equal(await book.change(count), 1);
  await assert.rejects(book.change(count, { timeoutMs: -1 }), { kind: 'invalid_argument' });
  const slow = async (tx) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return count(tx);
  };
  // Longer than a timer runs, and none.
  assert.equal(await book.change(slow, { timeoutMs: 2 ** 31 }), 2);
  assert.equal(await book.change(slow, { timeoutMs: null }), 3);
  await book.close();
});
