// Files of which nothing is left because their clauses were retracted: they stay imported however that came about.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openBook } from '../../pkg/index.js';
import { BIN, directory } from './harness.mjs';

const TEXT = 'n(0).\nn(1).\n';
const NEW = `% new\n${TEXT}n(2).\n`;

async function empty(book) {
  await book.retract('n(0)');
  await book.retract('n(1)');
}

const emptied = async (book) => {
  await book.import('f.pl', TEXT);
  await empty(book);
};

/** How a file comes to be empty. */
const WAYS = {
  'its clauses are retracted': emptied,
  'a goal retracts all': async (book) => {
    await book.import('f.pl', TEXT);
    await book.once('retractall(n(_))');
  },
  'one change imports and retracts all': (book) => book.change(emptied),
  'one change retracts all': async (book) => {
    await book.import('f.pl', TEXT);
    await book.change(empty);
  },
  'an accepted draft retracts all': async (book) => {
    await book.import('f.pl', TEXT);
    const draft = await book.draft('agent');
    await empty(draft.book);
    const { cells, removed } = await draft.proposal();
    assert.deepEqual([cells, removed.length], [[], 2]);
    await draft.accept();
  },
  'the import of a new text is undone': async (book) => {
    await emptied(book);
    await book.import('f.pl', NEW);
    await book.undo();
  },
  'an undo goes back to a savepoint': async (book) => {
    await emptied(book);
    await book.savepoint('empty');
    await book.assert('other.');
    await book.import('f.pl', NEW);
    await book.undo('empty');
  },
  'its unimport is undone': async (book) => {
    await emptied(book);
    await book.unimport('f.pl');
    await book.undo();
  },
  'what emptied it is undone and redone': async (book) => {
    await emptied(book);
    await book.undo(2);
    assert.deepEqual(await book.all('n(X)'), [{ X: 0 }, { X: 1 }]);
    await book.redo(2);
  },
  'a new text has only what was retracted': async (book) => {
    await book.import('f.pl', `${TEXT}n(5).\n`);
    await empty(book);
    await book.import('f.pl', TEXT);
  },
};

const files = async (book) => (await book.files()).map((file) => [file.filename, file.clauseCount]);

async function isEmpty(book) {
  assert.deepEqual(await files(book), [['f.pl', 0]]);
  const { clausesAdded, clausesRetracted } = await book.import('f.pl', TEXT);
  assert.deepEqual([clausesAdded, clausesRetracted], [0, 2]);
  assert.deepEqual(await files(book), [['f.pl', 0]]);
}

describe('a file of which nothing is left stays imported', () => {
  for (const [way, make] of Object.entries(WAYS)) {
    test(way, async () => {
      const path = join(directory(), 'emptied.hornbook');
      let book = await openBook({ path });
      await make(book);
      await isEmpty(book);
      await book.close();
      book = await openBook({ path });
      await isEmpty(book);
      await book.close();
      await promisify(execFile)(process.execPath, [BIN, 'compact', path, '--keep', '0']);
      book = await openBook({ path });
      await isEmpty(book);
      assert.equal((await book.import('f.pl', NEW)).clausesRetracted, 2);
      assert.deepEqual(await book.all('n(X)'), [{ X: 2 }]);
      await book.undo();
      await isEmpty(book);
      await book.change((tx) => tx.unimport('f.pl'));
      assert.deepEqual(await files(book), []);
      await book.undo();
      await isEmpty(book);
      await book.unimport('f.pl');
      assert.deepEqual((await book.import('f.pl', TEXT)).clausesAdded, 2);
      await book.close();
    });
  }

  test('a change, a draft and a program that gives it a new text add what was not retracted', async () => {
    for (const give of [
      (book) => book.import('f.pl', NEW),
      (book) => book.change((tx) => tx.import('f.pl', NEW)),
      async (book) => {
        const draft = await book.draft('agent');
        await draft.book.import('f.pl', NEW);
        assert.deepEqual(
          (await draft.proposal()).operations.map(({ dropped }) => dropped),
          [undefined],
        );
        await draft.accept();
      },
    ]) {
      const book = await openBook();
      await emptied(book);
      await give(book);
      assert.deepEqual(await book.all('n(X)'), [{ X: 2 }]);
      assert.deepEqual(await files(book), [['f.pl', 1]]);
      const again = await book.import('f.pl', `${NEW}n(3).\n`);
      assert.deepEqual([again.clausesAdded, again.clausesRetracted], [1, 2]);
      await book.close();
    }
  });

  test('an import of it that is undone leaves no trace', async () => {
    const book = await openBook();
    await emptied(book);
    await book.undo(3);
    assert.deepEqual(await files(book), []);
    assert.equal((await book.import('f.pl', TEXT)).clausesAdded, 2);
    await book.close();
  });
});
