// `hornbook backup`, `restore`, `compact` and `check` on the file of a book, also while processes use it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { openBook } from '../../pkg/index.js';
import { BookServer } from '../support/book-server.mjs';
import { hornbook, newBooks } from '../support/command.mjs';
import { BIN } from '../support/stdio.mjs';

const { directory, newBook } = newBooks('operations');
const beside = (book) => readdirSync(join(book, '..')).filter((name) => !/^notes\.book($|\.lock-)/.test(name));

async function ok(...args) {
  const { code, stdout, stderr } = await hornbook(...args);
  assert.deepEqual([code, stderr], [0, ''], stdout);
  return stdout;
}

/** Runs `body` with servers on one book, the first of which has the file. */
async function using(book, count, body) {
  const servers = [];
  try {
    for (let index = 0; index < count; index += 1) {
      const server = new BookServer(book);
      servers.push(server);
      await server.snapshot();
    }
    return await body(servers, book);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
}

/** A book that nobody uses, with these clauses, each a revision. */
async function bookWith(...clauses) {
  const book = newBook();
  const server = new BookServer(book);
  for (const clause of clauses) await server.assert(clause);
  await server.end();
  return book;
}

async function snapshotOf(book) {
  const server = new BookServer(book);
  const snapshot = await server.snapshot();
  const { code } = await server.end();
  assert.deepEqual([code, server.stderr], [0, '']);
  return snapshot;
}

test('a backup of a book that two processes write to has all that was answered before, and opens', () =>
  using(newBook(), 2, async (servers, book) => {
    let working = true;
    const answered = [0, 0];
    const write = async (who) => {
      for (let n = 1; working; n += 1) {
        assert.match(await servers[who].assert(`w(${who}, ${n}).`), /1\/1 successful/);
        answered[who] = n;
      }
    };
    const writing = [write(0), write(1)];
    for (let round = 1; round <= 3; round += 1) {
      const before = [...answered];
      const to = `${book}.${round}`;
      const said = await ok('backup', book, to);
      const [, revisions, clauses, bytes] = /: ([\d,]+) revisions?, ([\d,]+) clauses?, ([\d,]+) bytes/.exec(said);
      assert.equal(revisions, clauses);
      assert.equal(Number(bytes.replaceAll(',', '')), statSync(to).size);
      const facts = (await snapshotOf(to)).split('\n');
      assert.equal(facts.length, Number(clauses.replaceAll(',', '')));
      for (const who of [0, 1]) {
        const own = facts.filter((fact) => fact.startsWith(`w(${who},`));
        assert.deepEqual(
          own,
          own.map((_, at) => `w(${who}, ${at + 1}).`),
        );
        assert.ok(own.length >= before[who], `${own.length} of ${before[who]}`);
      }
    }
    working = false;
    await Promise.all(writing);
  }));

test('a backup gets a name of its own, replaces nothing without --force, and leaves the book as it was', async () => {
  const book = await bookWith('p(1).', 'p(2).');
  const bytes = readFileSync(book);
  const said = await ok('backup', book);
  const [name] = beside(book);
  assert.match(name, /^notes\.book\.backup-\d{4}-\d\d-\d\dT[\d.-]+Z$/);
  assert.equal(said, `${join(book, '..', name)}: 2 revisions, 2 clauses, ${bytes.length} bytes\n`);
  const to = join(book, '..', 'copy');
  writeFileSync(to, 'mine');
  const refused = await hornbook('backup', book, to);
  assert.deepEqual(refused, {
    code: 1,
    stdout: '',
    stderr: `hornbook: ${to} already exists, and was not changed; --force replaces it.\n`,
  });
  assert.equal(readFileSync(to, 'utf8'), 'mine');
  await ok('backup', book, to, '--force');
  assert.deepEqual(readFileSync(to), bytes);
  assert.deepEqual(readFileSync(book), bytes);
  assert.equal((await hornbook('backup', book, book, '--force')).stderr, `hornbook: ${book} is ${book} itself.\n`);
  assert.match(
    (await hornbook('backup', book, join(directory, 'none', 'x'))).stderr,
    /x: its directory does not exist\.\n$/,
  );
  assert.match((await hornbook('backup', book, directory)).stderr, /: it is a directory\.\n$/);
});

test('a backup that is killed leaves no file of that name, and the next one goes on', async () => {
  const book = newBook();
  const text = 'x'.repeat(1_000_000);
  await using(book, 1, async ([server]) => {
    for (let n = 0; n < 12; n += 1) await server.assert(`big(${n}, '${text}').`);
    for (const name of ['one', 'two']) {
      const to = join(book, '..', name);
      const child = spawn(process.execPath, [BIN, 'backup', book, to], { stdio: 'ignore' });
      const unfinished = () => readdirSync(join(book, '..')).filter((file) => /^\w+\.[0-9a-f]{12}\.new$/.test(file));
      while (unfinished().length === 0) await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      const [, signal] = await once(child, 'close');
      assert.equal(signal, 'SIGKILL');
      assert.equal(existsSync(to), false);
      assert.match(await ok('backup', book, to), /: 12 revisions, 12 clauses, /);
      assert.deepEqual(unfinished(), []);
      assert.match(await ok('check', to), /12 clauses/);
    }
    await server.assert('small.');
  });
});

test('a book is restored when nobody uses it, and what was there is kept', async () => {
  const book = await bookWith('p(1).');
  const backup = `${book}.1`;
  await ok('backup', book, backup);
  await using(book, 2, async ([first, second]) => {
    await second.assert('p(2).');
    const { code, stdout, stderr } = await hornbook('restore', backup, book, '--force');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /notes\.book is in use, and was not changed: process \d+ has it open; end that process first/);
    assert.equal(await first.values('p(X)'), '[1,2]');
  });
  const refused = await hornbook('restore', backup, book);
  assert.equal(refused.stderr, `hornbook: ${book} already exists, and was not changed; --force replaces it.\n`);
  const said = await ok('restore', backup, book, '--force');
  const kept = /^The book that was there is kept as (.*)\.$/m.exec(said)[1];
  assert.match(kept, /notes\.book\.before-restore-\d{4}/);
  assert.equal(await snapshotOf(book), 'p(1).');
  assert.equal(await snapshotOf(kept), 'p(1).\np(2).');
  // Where there is no book, nothing is kept.
  const other = newBook();
  assert.equal(await ok('restore', backup, other), `${other}: 1 revision, 1 clause, ${statSync(backup).size} bytes\n`);
  assert.deepEqual(beside(other), []);
});

test('a damaged backup is not restored, and not made', async () => {
  const book = await bookWith('p(1).', 'p(2).');
  const bytes = readFileSync(book);
  const damaged = join(book, '..', 'damaged');
  writeFileSync(damaged, readFileSync(book, 'utf8').replace('p(1)', 'p(7)'));
  for (const args of [
    ['restore', damaged, book, '--force'],
    ['backup', damaged, `${book}.2`],
  ]) {
    const { code, stdout, stderr } = await hornbook(...args);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^hornbook: \S+damaged: line 2 is damaged, and holds acknowledged data\. .*\n$/);
  }
  assert.deepEqual(readFileSync(book), bytes);
  assert.deepEqual(beside(book), ['damaged']);
});

test('what is no book is refused with what to do', async () => {
  const book = await bookWith('p(1).');
  const file = (name, text) => {
    const path = join(book, '..', name);
    writeFileSync(path, text);
    return path;
  };
  const newer = file('newer.book', readFileSync(book, 'utf8').replace('hornbook 6', 'hornbook 7'));
  const bad = [
    [join(directory, 'none.book'), /none\.book cannot be read: there is no such file\. See hornbook --help\./, 2],
    [directory, /is not a file; name the file of a book\. See/, 2],
    [
      file('text.book', 'p(1).\n'),
      /text\.book is not a Hornbook book; name a file that hornbook --book has made\. See/,
      2,
    ],
    [file('empty.book', ''), /empty\.book is empty, so it is not a book; restore it from a backup/, 2],
    [
      newer,
      /newer\.book was written by a newer Hornbook: its format is 7, and this one reads 6; update this one\.$/m,
      1,
    ],
  ];
  for (const [path, message, expected] of bad) {
    for (const args of [
      ['backup', path],
      ['restore', path, join(book, '..', 'other')],
      ['compact', path],
      ['check', path],
    ]) {
      if (args[0] === 'check' && path === directory) continue;
      const { code, stdout, stderr } = await hornbook(...args);
      assert.match(stdout + stderr, message, args[0]);
      assert.equal((stdout + stderr).split('\n').length, 2, stdout + stderr);
      assert.equal(code, expected, `${args[0]} ${path}`);
    }
  }
  assert.equal(existsSync(join(directory, 'none.book')), false);
  assert.deepEqual(beside(book), ['empty.book', 'newer.book', 'text.book']);
  for (const args of [['backup'], ['restore', book], ['compact', book, book], ['compact', book, '--keep', 'x']])
    assert.equal((await hornbook(...args)).code, 2, args.join(' '));
});

/** The bytes before and after that `hornbook compact` tells, and its last line. */
async function compact(...args) {
  const [first, last] = (await ok('compact', ...args)).split('\n');
  const [before, after] = /: ([\d,]+) bytes before, ([\d,]+) after$/
    .exec(first)
    .slice(1)
    .map((text) => Number(text.replaceAll(',', '')));
  return { before, after, last };
}

test('a book that nobody uses is compacted: clauses stay, and the last revisions can be undone', async () => {
  const book = await bookWith('p(1).', 'p(2).', 'p(3).', `big(${'x'.repeat(10_000)}).`);
  await using(book, 1, ([server]) => server.text('clauses', { operation: 'retract', clauses: ['big(_)'] }));
  const size = statSync(book).size;
  const all = await compact(book);
  assert.deepEqual([all.before, all.after], [size, statSync(book).size]);
  assert.equal(all.last, 'All that could be undone still can: 5 operations. The book is at revision 5.');
  const few = await compact(book, '--keep', '2');
  assert.equal(few.last, '3 operations can no longer be undone; the last 2 can. The book is at revision 5.');
  const none = await compact(book, '--keep', '0');
  assert.ok(none.after < 1_000 && few.after > 10_000, `${none.after}, ${few.after}`);
  assert.equal(none.last, '2 operations can no longer be undone; none can. The book is at revision 5.');
  assert.match(await ok('check', book), /: 5 revisions, 3 clauses, /);
  assert.equal(await snapshotOf(book), 'p(1).\np(2).\np(3).');
});

test('what is proposed in drafts pushes nothing out that can be undone, and what is not known any more says so', async () => {
  const path = await bookWith('p(1).', 'p(2).', 'p(3).');
  const book = await openBook({ path });
  const draft = await book.draft('bot');
  for (let at = 0; at < 9; at += 1) await draft.book.assert(`q(${at}).`);
  await draft.close();
  await book.close();
  assert.equal(
    (await compact(path)).last,
    'All that could be undone still can: 3 operations. The book is at revision 12.',
  );
  const few = await compact(path, '--keep', '2');
  assert.equal(few.last, '1 operation can no longer be undone; the last 2 can. The book is at revision 12.');
  await using(path, 1, async ([server]) => {
    const told = await server.text('workspace', { operation: 'provenance', of: 'p/1' });
    assert.match(told, /p\(1\)\.\n {2}inline, added by revision 1 or one before it, which are no longer kept\n/);
    assert.match(told, /p\(2\)\.\n {2}inline, added by revision 2 \(assert\)/);
  });
});

test('what was retracted from a file is known after the book was compacted', async () => {
  const path = await bookWith('p(1).');
  let book = await openBook({ path });
  await book.import('f.pl', 'f(1).\nf(2).\n');
  await book.retract('f(1)');
  await book.close();
  await compact(path, '--keep', '0');
  book = await openBook({ path });
  assert.equal((await book.import('f.pl', 'f(1).\nf(2).\n')).clausesRetracted, 1);
  assert.deepEqual(await book.all('f(X)'), [{ X: 2 }]);
  await book.close();
});

test('a file whose loaded file has changed answers as both are now', async () => {
  const path = await bookWith('p(1).');
  const [main, util] = ['main.pl', 'util.pl'].map((name) => join(path, '..', name));
  writeFileSync(main, ':- use_module(util).\nm(X) :- u(X).\n');
  writeFileSync(util, ':- module(util, [u/1]).\nu(1).\n:- initialization(writeln(begun)).\n');
  assert.match((await hornbook('ask', '--book', path, main, 'm(X)')).stdout, /begun\nX = 1/);
  assert.match((await hornbook('ask', '--book', path, main, 'm(X)')).stdout, /^X = 1/);
  writeFileSync(util, ':- module(util, [u/1]).\nu(2).\n:- initialization(writeln(begun)).\n');
  const { stdout, stderr } = await hornbook('ask', '--book', path, main, 'm(X)');
  assert.match(stdout, /begun\nX = 2/);
  assert.match(stderr, /^% .*util\.pl has changed, and was read again because .*main\.pl loads it\.$/m);
});

test('reading commands make no book, and read one that they may not write', async () => {
  const path = await bookWith('p(1).');
  const none = join(directory, 'typo.book');
  const { code, stderr } = await hornbook('memory', 'export', '--book', none);
  assert.equal(code, 2);
  assert.match(stderr, /typo\.book cannot be read: there is no such file/);
  assert.equal(existsSync(none), false);
  if (process.getuid?.() !== 0) {
    chmodSync(path, 0o444);
    assert.match(await ok('ask', '--book', path, 'p(X)'), /X = 1/);
    const writes = await hornbook('ask', '--book', path, 'assertz(p(2))');
    assert.match(writes.stderr, /may only read it/);
  }
});

test('a book in use is compacted through the process that has it, and both processes go on', () =>
  using(newBook(), 2, async ([first, second], book) => {
    const text = 'x'.repeat(50_000);
    for (let round = 0; round < 4; round += 1) {
      const [one, other] = round % 2 ? [first, second] : [second, first];
      await one.assert(`big('${text}', ${round}).`);
      await other.text('clauses', { operation: 'retract', clauses: ['big(_, _)'] });
    }
    await first.assert('p(1).');
    await second.assert('p(2).');
    const few = await hornbook('compact', book, '--keep', '1');
    assert.match(few.stderr, /notes\.book is in use: leave out --keep, or end the processes that use it/);
    const { after, last } = await compact(book);
    assert.equal(last, 'All that could be undone still can: 10 operations. The book is at revision 10.');
    // Twice the same: the file is another one of the same length.
    assert.equal((await compact(book)).after, after);
    await second.assert('p(3).');
    assert.equal(await first.values('p(X)'), '[1,2,3]');
    await first.assert('p(4).');
    await first.text('workspace', { operation: 'undo' });
    // What a process has in memory it can still undo.
    await first.text('workspace', { operation: 'undo' });
    assert.equal(await second.values('p(X)'), '[2,3]');
    assert.match(await ok('check', book), /2 clauses/);
    await first.kill();
    await second.assert('p(5).');
    assert.equal(await second.values('p(X)'), '[2,3,5]');
    assert.equal(await snapshotOf(book), 'p(2).\np(3).\np(5).');
  }));

test('a book is compacted while two processes write to it, and loses nothing', () =>
  using(newBook(), 2, async (servers, book) => {
    // So long that it cannot be rewritten between two writes: they have to wait.
    await servers[0].assert(`big('${'x'.repeat(4_000_000)}').`);
    let working = true;
    let written = 1;
    const write = async (who) => {
      for (let n = 1; working; n += 1) {
        assert.match(await servers[who].assert(`w(${who}, ${n}).`), /1\/1 successful/);
        written += 1;
      }
    };
    const writing = [write(0), write(1)];
    for (let round = 0; round < 5; round += 1) await compact(book);
    working = false;
    await Promise.all(writing);
    const [one, other] = await Promise.all(servers.map((server) => server.values('w(A, B), X = A/B')));
    assert.equal(one, other);
    assert.equal(new Set(one.match(/\d+\/\d+/g)).size, written - 1);
    assert.match(await ok('check', book), new RegExp(`: ${written.toLocaleString('en-US')} revisions, `));
  }));

test('check tells what a book holds, also in use, and changes nothing', () =>
  using(newBook(), 2, async ([first, second], book) => {
    await first.assert('p(1).');
    await second.assert('p(2).');
    const [bytes, { mtimeMs }] = [readFileSync(book), statSync(book)];
    assert.equal(await ok('check', book), `${book}: 2 revisions, 2 clauses, ${bytes.length} bytes\n`);
    assert.deepEqual([readFileSync(book), statSync(book).mtimeMs], [bytes, mtimeMs]);
    await first.assert('p(3).');
    assert.equal(await second.values('p(X)'), '[1,2,3]');
  }));

test('check tells damage, a torn record, and clauses that no engine can load', async () => {
  const book = await bookWith('p(1).', 'p(2).');
  const sound = readFileSync(book);
  const check = async () => {
    const bytes = readFileSync(book);
    const { code, stdout, stderr } = await hornbook('check', book);
    assert.deepEqual(readFileSync(book), bytes);
    assert.equal(stderr, '');
    return { code, stdout };
  };
  appendFileSync(book, '01234567 {"revision":{"num');
  assert.deepEqual(await check(), {
    code: 0,
    stdout: `${book}: 2 revisions, 2 clauses, ${sound.length} bytes; 26 bytes more are the beginning of a record, as a crash leaves it; it was not acknowledged, so nothing is lost. Whoever opens the book next cuts it off and keeps it aside\n`,
  });
  // A backup has the whole records.
  assert.match(
    await ok('backup', book, `${book}.1`),
    / bytes; left out 26 bytes, the beginning of a record which was not acknowledged\n$/,
  );
  assert.deepEqual(readFileSync(`${book}.1`), sound);
  truncateSync(book, sound.length - 5);
  const cut = await check();
  assert.equal(cut.code, 1);
  assert.match(cut.stdout, /notes\.book: line 3 is damaged|was cut short/);
  writeFileSync(book, sound.toString().replace('p(2)', 'p(3)'));
  const damaged = await check();
  assert.equal(damaged.code, 1);
  assert.match(
    damaged.stdout,
    /^\S+notes\.book: line 3 is damaged, and holds acknowledged data\. Nothing was changed\. .*\n$/,
  );

  const old = join(book, '..', 'old');
  const texts = ['p(1).', 'two(a b).', 'p(2).'];
  const records = texts.map((text, at) => {
    const number = at + 1;
    const [length, name] = [text.length, text.slice(0, text.indexOf('('))];
    const json = JSON.stringify({
      revision: {
        number,
        operation: 'assert',
        at_ms: 1,
        sources: [{ number, origin: 'inline', added_ms: 1, text: `${text}\n`, tail: length + 1, restores: [] }],
        removed: [],
        added: [['f', number, number, 0, length, name, 1]],
        known: number < 3 ? [[name, 1, 'no', 'written']] : [],
      },
    });
    return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
  });
  writeFileSync(old, `hornbook 1\n${records.join('')}`);
  // Its name says nothing; it begins as a book.
  const aside = await hornbook('check', old);
  assert.equal(aside.code, 1);
  const [first, last] = aside.stdout.split('\n');
  assert.match(first, /^\S+old: `two\(a b\)\.` \(asserted\) is set aside, no engine can load it: \S/);
  assert.match(last, /old: 3 revisions, 3 clauses, /);
  // A book of an old format is copied as it is.
  await ok('backup', old, `${old}.1`);
  assert.deepEqual(readFileSync(`${old}.1`), readFileSync(old));
  copyFileSync(`${book}.1`, book);
  assert.equal(await snapshotOf(book), 'p(1).\np(2).');
});

test('a backup and a restoration touch no other file, whatever its name', async () => {
  const book = await bookWith('p(1).');
  const copy = `${book}.copy`;
  writeFileSync(`${copy}.new`, 'notes');
  await ok('backup', book, copy);
  assert.equal(readFileSync(`${copy}.new`, 'utf8'), 'notes');
  // The source of a restoration may have the name that a book has while it is rewritten.
  const source = `${book}.new`;
  writeFileSync(source, readFileSync(book));
  const refused = await hornbook('restore', source, book);
  assert.match(refused.stderr, /already exists, and was not changed/);
  assert.ok(existsSync(source));
  await ok('restore', source, book, '--force');
  assert.ok(existsSync(source));
  const own = await hornbook('backup', book, `${book}.new`, '--force');
  assert.match(own.stderr, /its file ends in \.new, and is removed then; choose another name/);
});

test('a book keeps its permissions when it is restored or compacted, whatever the backup has', async () => {
  const book = await bookWith('p(1).');
  chmodSync(book, 0o600);
  await ok('backup', book, `${book}.copy`);
  chmodSync(`${book}.copy`, 0o444);
  await ok('restore', `${book}.copy`, book, '--force');
  assert.equal(statSync(book).mode & 0o777, 0o600);
  await compact(book);
  assert.equal(statSync(book).mode & 0o777, 0o600);
  const restored = newBook();
  await ok('restore', `${book}.copy`, restored);
  assert.equal(statSync(restored).mode & 0o200, 0o200);
});

test('a failed backup leaves no lock behind', async () => {
  const book = await bookWith('p(1).');
  const refused = await hornbook('backup', book, join(book, '..', `${'n'.repeat(240)}.book`));
  assert.equal(refused.code, 1);
  assert.doesNotMatch(refused.stderr, /listen E|rm returned/);
  assert.deepEqual(
    readdirSync(join(book, '..')).filter((name) => name !== 'notes.book'),
    [],
  );
});
