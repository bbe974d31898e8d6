// A book in a file: what was answered is there, whatever happens to the process or the disk.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FileStore, Hornbook, NodeHost, openHornbook } from '../../pkg/node.js';
import { Client } from '../../pkg/client.js';
import { BIN, META, StdioProcess } from '../support/stdio.mjs';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-book-')));
after(() => rmSync(directory, { recursive: true }));

/** The path of a new book. */
let books = 0;
const newBook = () => join(directory, `book-${++books}`);
/** The files beside a book, without its own name: locks, and what was cut off. */
const beside = (book) =>
  readdirSync(directory)
    .map((name) => join(directory, name))
    .filter((path) => path.startsWith(book) && path !== book)
    .map((path) => path.slice(book.length));

/** Sets the first line of a book, which says how far it was answered, to an earlier state, as a crash leaves it. */
function putFirstLine(book, line) {
  const file = openSync(book, 'r+');
  writeSync(file, line, 0);
  closeSync(file);
}
const firstLine = (book) => readFileSync(book).subarray(0, 46).toString();

/** A server on a book, and a client that calls its tools. */
class Server extends StdioProcess {
  constructor(book, ...args) {
    super([BIN, '--root', directory, '--book', book, ...args], { cwd: directory });
    this.closed = this.closed.then((ended) => ({ ...ended, stderr: this.stderr }));
  }

  /** The result of a tool; never resolves if the server ends before. */
  async call(name, values) {
    const params = { name, arguments: values, _meta: META };
    const reply = await this.ask((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })).reply;
    if (reply?.error) throw new Error(reply.error.message);
    return reply?.result ?? new Promise(() => {});
  }

  async text(name, values) {
    return (await this.call(name, values)).content[0].text;
  }

  assert(...clauses) {
    return this.text('clauses', { operation: 'assert', clauses });
  }

  snapshot() {
    return this.text('workspace', { operation: 'snapshot' });
  }
}

test('the next server has the book, its files, its history and its engine', async () => {
  const book = newBook();
  writeFileSync(join(directory, 'file.pl'), '% a file\n:- op(700, xfx, =>).\nf(a => b).\n');
  const first = new Server(book);
  await first.assert('p(1). p(2).', 'q(X) :- p(X). % note');
  await first.text('files', { operation: 'import', filename: 'file.pl' });
  await first.text('query_start', { query: 'asserta(p(0)), retract(p(2))', take: 1 });
  const before = await first.snapshot();
  assert.equal((await first.end()).code, 0);
  assert.deepEqual(beside(book), []);

  const second = new Server(book);
  assert.equal(await second.snapshot(), before);
  const { structuredContent } = await second.call('query_start', { query: 'findall(X, q(X), L), f(A => B)', take: 1 });
  assert.deepEqual(
    Object.entries(structuredContent.answers[0]).map(([name, text]) => `${name} = ${text}`),
    ['A = a', 'B = b', 'L = [0,1]', 'X = _'],
  );
  assert.match(await second.text('files', { operation: 'list' }), /file\.pl/);
  await second.text('workspace', { operation: 'undo' });
  assert.match(await second.snapshot(), /p\(1\)\.\np\(2\)\./);
  assert.deepEqual(await second.end(), { code: 0, signal: null, stderr: '' });
});

test('what was answered is there after kill -9, in the middle of further operations', async () => {
  const book = newBook();
  for (let round = 0, answered = 0; round < 3; round += 1) {
    const server = new Server(book);
    const before = (await server.snapshot()).match(/n\(\d+\)\./g) ?? [];
    assert.ok(before.length >= answered, `${before.length} of ${answered}`);
    answered = before.length;
    const more = Array.from({ length: 40 }, (_, at) =>
      server.assert(`n(${answered + at}).`).then(() => (answered += 1)),
    );
    await more[19];
    await server.kill();
    assert.ok(answered >= before.length + 20);
  }
});

test('a torn end is cut off, kept beside the book, and reported', async () => {
  const book = newBook();
  const first = new Server(book);
  await first.assert('p(1).');
  const whole = statSync(book).size;
  const before = firstLine(book);
  await first.assert('p(2).');
  await first.kill();
  const bytes = readFileSync(book);
  truncateSync(book, bytes.length - 7);
  putFirstLine(book, before);

  const second = new Server(book);
  const told =
    /book-\d+ ended in the middle of a record, as after a crash: its last \d+ bytes were cut off and are kept in .*book-\d+\.cut-.*\. Every acknowledged operation is there\./;
  assert.match(await second.assert('p(3).'), told);
  assert.doesNotMatch(await second.assert('p(4).'), told);
  assert.equal(await second.snapshot(), 'p(1).\np(3).\np(4).');
  assert.match((await second.end()).stderr, told);
  const cut = readdirSync(directory).find((name) => join(directory, name).startsWith(`${book}.cut-`));
  assert.deepEqual(readFileSync(join(directory, cut)), bytes.subarray(whole, bytes.length - 7));
  assert.match((await new Server(book).end()).stderr, /^$/);
});

test('damage, a newer format and a foreign file are refused in a sentence that says how to go on', async () => {
  const book = newBook();
  const first = new Server(book);
  await first.assert('p(1).');
  await first.assert('p(2).');
  await first.assert('p(3).');
  await first.end();
  const refused = async (text) => {
    writeFileSync(book, text);
    const { code, stderr } = await new Server(book).closed;
    assert.equal(code, 70);
    assert.equal(readFileSync(book, 'utf8'), text);
    assert.deepEqual(beside(book), []);
    return stderr;
  };
  const text = readFileSync(book, 'utf8');
  const damaged = (line) =>
    `hornbook: ${book}: line ${line} is damaged, and holds acknowledged data. Nothing was changed. Restore the file from a copy; or, to continue with what comes before, keep a copy, delete line ${line} and all after it, and make the first line \`hornbook 6\`.\n`;
  assert.equal(await refused(text.replace('p(1)', 'p(9)')), damaged(2));
  // One bit of the last record.
  assert.equal(await refused(text.replace('p(3)', 'p(2)')), damaged(4));
  const lines = text.split(/(?<=\n)/);
  for (const cut of [1, 2, 3]) {
    const short = lines.slice(0, cut).join('');
    assert.equal(
      await refused(short),
      `hornbook: ${book} was cut short: ${text.length - short.length} acknowledged bytes after line ${cut} are missing. Nothing was changed. Restore the file from a copy; or, to continue with what is there, keep a copy and make the first line \`hornbook 6\`.\n`,
    );
  }
  assert.match(await refused(lines.toSpliced(2, 1).join('')), /line 3 is damaged/);
  assert.equal(
    await refused(''),
    `hornbook: ${book}: the file is empty, so it is not a book; restore it from a copy, or remove it to begin a new book.\n`,
  );
  assert.equal(
    await refused(text.replace('hornbook 6', 'hornbook 7')),
    `hornbook: ${book} was written by a newer Hornbook: its format is 7, and this one reads 6; update this one.\n`,
  );
  assert.equal(await refused('p(1).\n'), `hornbook: ${book} is not a Hornbook book.\n`);

  // The suggested way to go on works.
  writeFileSync(book, ['hornbook 6\n', ...lines.slice(1, 3)].join(''));
  const mended = new Server(book);
  assert.equal(await mended.snapshot(), 'p(1).\np(2).');
  await mended.assert('p(4).');
  await mended.kill();
  const next = new Server(book);
  assert.equal(await next.snapshot(), 'p(1).\np(2).\np(4).');
  assert.equal((await next.end()).stderr, '');
});

test('a book of format 1 is converted, with its history', async () => {
  const book = newBook();
  copyFileSync(new URL('../support/books/format-1.book', import.meta.url), book);
  const server = new Server(book);
  const before =
    "p(0).\np(1).\nq(X) :- p(X). % note\n% A family.\n:- op(700, xfx, =>).\nf(a => b).\nname('ü\u{1f9ee}').\n";
  assert.equal(await server.snapshot(), before);
  assert.match(await server.text('workspace', { operation: 'undo', steps: 2 }), /Undone: 2 operations/);
  await server.kill();
  const next = new Server(book);
  assert.match(await next.snapshot(), /^p\(1\)\.\np\(2\)\./);
  await next.text('workspace', { operation: 'redo', steps: 2 });
  assert.equal(await next.snapshot(), before);
  assert.equal((await next.end()).stderr, '');
  assert.match(readFileSync(book, 'utf8'), /^hornbook 6 0/);
});

test('a book of format 3 is read as it is, and goes on with places that its ids do not tell', async () => {
  const book = newBook();
  copyFileSync(new URL('../support/books/format-3.book', import.meta.url), book);
  const written = readFileSync(book);
  const server = new Server(book);
  const old = (two) =>
    `s(0).\n% who\np(1).\n% the second\n${two} % here\nq(X) :- p(X).\n% :- initialization(assertz(made(1))).\np(3).\n% end\nmade(1).\ns(1).\ns(3).\ns(4).`;
  assert.equal(await server.snapshot(), old('p(two) :- true.'));
  assert.deepEqual(readFileSync(book), written);
  const replace = (old, clauses) => server.text('clauses', { operation: 'replace', old, clauses });
  await server.text('workspace', { operation: 'redo', steps: 1 });
  await server.text('workspace', { operation: 'undo', steps: 2 });
  assert.equal(await server.snapshot(), old('p(2).'));
  await replace('p(2)', 'p(a). p(b).');
  await replace('p(a)', 'p(a). p(c).');
  await server.kill();
  assert.match(firstLine(book), /^hornbook 6 0/);
  const next = new Server(book);
  assert.equal(await next.snapshot(), old('p(a). p(c). p(b).'));
  await next.text('query_start', { query: 'findall(X, p(X), L)' });
  assert.match(await next.text('query_next', { query_id: 'q1' }), /L = \[1, ?a, ?c, ?b, ?3\]/);
  await next.text('workspace', { operation: 'undo', steps: 2 });
  assert.equal(await next.snapshot(), old('p(2).'));
  assert.equal((await next.end()).stderr, '');
});

test('a place that cannot hold a book is reported, and left as it is', async () => {
  const stderr = async (book) => (await new Server(book).closed).stderr;
  assert.equal(await stderr(directory), `hornbook: ${directory}: it is a directory.\n`);
  const missing = join(directory, 'no', 'book');
  assert.equal(await stderr(missing), `hornbook: ${missing}: its directory does not exist.\n`);
  const [pipe, socket, link] = ['pipe', 'socket', 'loose'].map((name) => join(directory, name));
  execFileSync('mkfifo', [pipe]);
  const listening = createServer().listen(socket);
  await once(listening, 'listening');
  symlinkSync(join(directory, 'nothing'), link);
  for (const other of [pipe, socket, '/dev/null', '/dev/full']) {
    assert.equal(
      await stderr(other),
      `hornbook: ${other}: it is a device, a pipe or a socket; a book is kept in a file.\n`,
    );
  }
  assert.equal(await stderr(link), `hornbook: ${link}: it is a symbolic link to a file that does not exist.\n`);
  assert.ok(
    lstatSync(pipe).isFIFO() &&
      lstatSync(socket).isSocket() &&
      lstatSync('/dev/null').isCharacterDevice() &&
      lstatSync(link).isSymbolicLink(),
  );
  assert.ok(!existsSync('/dev/null.lock'));
  listening.close();
});

test('files that a book puts beside it do not overwrite the targets of links', async () => {
  const book = newBook();
  const victim = join(directory, 'victim');
  writeFileSync(victim, 'precious');
  for (const suffix of ['.lock', '.new']) symlinkSync(victim, `${book}${suffix}`);
  const server = new Server(book);
  await server.assert('p(1).');
  await server.end();
  assert.equal(readFileSync(victim, 'utf8'), 'precious');
  assert.ok(lstatSync(book).isFile());
});

test('a book that is moved, replaced or removed while open is not written until it is put back', async () => {
  const refused =
    /This could not be saved, and was not carried out: .*book-\d+ is no longer the file that was opened: it was moved, replaced or removed; put it back, or restart the server to continue with what is there now\./;
  const book = newBook();
  const server = new Server(book);
  await server.assert('p(1).');
  renameSync(book, `${book}-moved`);
  const moved = readFileSync(`${book}-moved`);
  assert.match(await server.assert('p(2).'), refused);
  writeFileSync(book, 'another');
  assert.match(await server.assert('p(3).'), refused);
  assert.deepEqual(readFileSync(`${book}-moved`), moved);
  assert.equal(readFileSync(book, 'utf8'), 'another');
  renameSync(`${book}-moved`, book);
  assert.match(await server.assert('p(4).'), /1\/1 successful/);
  // A copy is a different file.
  copyFileSync(book, `${book}-copy`);
  renameSync(`${book}-copy`, book);
  assert.match(await server.assert('p(5).'), refused);
  rmSync(book);
  assert.match(await server.assert('p(6).'), refused);
  assert.equal(await server.snapshot(), 'p(1).\np(4).');
  await server.end();
});

test('a book that is replaced while an operation is written is noticed before the reply', async () => {
  const book = newBook();
  const store = new FileStore(book);
  await store.open();
  const head = Buffer.from('head');
  await store.replace(Buffer.from('head and more'));
  const writing = store.append(13, Buffer.alloc(64 << 20), head);
  writeFileSync(`${book}-other`, 'other');
  while (statSync(book).size === 13) await new Promise((resolve) => setImmediate(resolve));
  renameSync(`${book}-other`, book);
  await assert.rejects(writing, /is no longer the file that was opened/);
  await store.close();
  assert.equal(readFileSync(book, 'utf8'), 'other');
});

test('servers share a book, also through a link to it; there is one lock beside it, and none when all have ended', async () => {
  const book = newBook();
  const first = new Server(book);
  await first.assert('p(1).');
  const link = join(directory, 'link');
  symlinkSync(book, link);
  const [claim, ...others] = beside(book);
  assert.deepEqual(others, []);
  const second = new Server(link);
  assert.equal(await second.snapshot(), 'p(1).');
  assert.deepEqual(beside(book), [claim]);
  await second.end();
  await first.kill();
  assert.deepEqual(beside(book), [claim]);
  const heirs = Array.from({ length: 3 }, () => new Server(book));
  const replies = await Promise.all(heirs.map((heir) => heir.snapshot()));
  assert.deepEqual(replies, ['p(1).', 'p(1).', 'p(1).']);
  await Promise.all(heirs.map((heir) => heir.end()));
  assert.deepEqual(beside(book), []);
});

/** A store on a disk that is full after `room` more bytes, and that may fail to be cut back. */
class FullStore {
  room = Infinity;
  cuts = true;

  constructor(path) {
    this.file = new FileStore(path);
    this.name = this.file.name;
    for (const method of ['open', 'read', 'replace', 'setAside', 'close'])
      this[method] = (...args) => this.file[method](...args);
  }

  async append(at, bytes, head) {
    if (bytes.length === 0 && !this.cuts) throw new Error('the disk is gone');
    // As much as the disk has room for; the first line is written only after all of it.
    const fits = bytes.length <= this.room;
    await this.file.append(at, bytes.subarray(0, this.room), fits ? head : new Uint8Array());
    if (bytes.length > this.room) throw new Error('no space is left on the device');
  }
}

test('an operation that does not fit on the disk fails, and everything is as before', async () => {
  const book = newBook();
  const store = new FullStore(book);
  // The first workspace loads the crate.
  await (await openHornbook({}, () => {})).close();
  const host = new NodeHost(() => {});
  const hornbook = await Hornbook.open(host, store, {});
  const client = new Client(hornbook);
  const add = (clause) => client.callTool('clauses', { operation: 'assert', clauses: [clause] });
  await add('p(1).');
  const before = readFileSync(book);
  store.room = 40;
  const failed = await add('p(2).');
  assert.match(failed.text, /This could not be saved, and was not carried out: no space is left on the device\./);
  assert.deepEqual(readFileSync(book), before);
  const ask = async () =>
    (await client.callTool('query_start', { query: 'findall(X, p(X), L)', take: 1 })).structured.answers[0].L;
  assert.equal(await ask(), '[1]');
  const run = await client.callTool('query_start', { query: 'assertz(p(3))', take: 1 });
  assert.match(run.text, /This could not be saved/);
  assert.equal(await ask(), '[1]');

  // If the file cannot be cut back either, the next operation does it.
  store.cuts = false;
  assert.match((await add('p(4).')).text, /until that is fixed, a restart may bring the operation back/);
  store.room = Infinity;
  await add('p(5).');
  assert.equal(await ask(), '[1,5]');
  hornbook.close();
  host.close();
  await store.close();
  const next = await openHornbook({}, () => {}, book);
  assert.equal((await new Client(next.hornbook).callTool('workspace', { operation: 'snapshot' })).text, 'p(1).\np(5).');
  await next.close();
});

test('a file that something else has changed is not written', async () => {
  const book = newBook();
  const server = new Server(book);
  await server.assert('p(1).');
  appendFileSync(book, 'more\n');
  const before = readFileSync(book);
  assert.match(
    await server.assert('p(2).'),
    /was not carried out: another process has changed it; restart the server to reread it/,
  );
  assert.match(await server.assert('p(3).'), /another process has changed it/);
  assert.equal(await server.snapshot(), 'p(1).');
  await server.end();
  assert.deepEqual(readFileSync(book), before);
});

test('a long journal is rewritten, keeping what can be undone', async () => {
  const book = newBook();
  const server = new Server(book);
  const text = `${'x'.repeat(90_000)}`;
  for (let round = 0; round < 30; round += 1) {
    await server.assert(`big('${text}', ${round}).`);
    await server.text('clauses', { operation: 'retract', clauses: ['big(_, _)'] });
  }
  await server.assert('small.');
  await server.kill();
  const records = readFileSync(book, 'utf8')
    .split('\n')
    .map((line) => line.slice(9, 17));
  assert.ok(records.includes('{"book":'), records.join(' '));
  const next = new Server(book);
  assert.equal(await next.snapshot(), 'small.');
  await next.text('workspace', { operation: 'undo', steps: 2 });
  const { structuredContent } = await next.call('query_start', { query: 'big(_T, R), atom_length(_T, N)', take: 1 });
  assert.deepEqual(structuredContent.answers, [{ N: '90000', R: '29' }]);
  await next.end();
});
