// The book in a file: what was answered is there, whatever happens to the process or the disk.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FileStore, Hornbook, NodeHost, openHornbook } from '../../pkg/node.js';
import { Client } from '../../pkg/client.js';

const BIN = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'hornbook-book-'));
after(() => rmSync(directory, { recursive: true }));

/** A path of a book of its own. */
let books = 0;
const newBook = () => join(directory, `book-${++books}`);

/** A server on a book, with a client that calls its tools. */
class Server {
  #waiting = new Map();
  #next = 1;
  stderr = '';

  constructor(book, ...args) {
    this.child = spawn(process.execPath, [BIN, '--root', directory, '--book', book, ...args], { cwd: directory });
    this.closed = once(this.child, 'close').then(([code, signal]) => ({ code, signal, stderr: this.stderr }));
    this.child.stderr.setEncoding('utf8').on('data', (chunk) => (this.stderr += chunk));
    this.child.stdin.on('error', () => {});
    let rest = '';
    this.child.stdout.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        this.#waiting.get(message.id)?.(message.result);
      }
    });
  }

  /** The result of a tool. */
  call(name, values) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const id = this.#next++;
    const result = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: values, _meta } })}\n`);
    return result;
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

  /** End it as a client does; resolves with how it ended. */
  end() {
    this.child.stdin.end();
    return this.closed;
  }

  kill() {
    this.child.kill('SIGKILL');
    return this.closed;
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
  assert.ok(!existsSync(`${book}.lock`));

  const second = new Server(book);
  assert.equal(await second.snapshot(), before);
  const { structuredContent } = await second.call('query_start', { query: 'findall(X, q(X), L), f(A => B)', take: 1 });
  assert.deepEqual(structuredContent.answers[0].bindings.map(({ name, text }) => `${name} = ${text}`), ['X = _', 'L = [0,1]', 'A = a', 'B = b']);
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
    const more = Array.from({ length: 40 }, (_, at) => server.assert(`n(${answered + at}).`).then(() => (answered += 1)));
    await more[19];
    await server.kill();
    assert.ok(answered >= before.length + 20);
  }
});

test('a torn end is cut off, kept beside, and told', async () => {
  const book = newBook();
  const first = new Server(book);
  await first.assert('p(1).');
  const whole = statSync(book).size;
  await first.assert('p(2).');
  await first.end();
  const bytes = readFileSync(book);
  truncateSync(book, bytes.length - 7);

  const second = new Server(book);
  const told = /book-\d+ ended in the middle of a record, as after a crash: its last \d+ bytes were cut off and are kept in .*book-\d+\.cut-.*\. Every operation that was answered is there\./;
  assert.match(await second.assert('p(3).'), told);
  assert.doesNotMatch(await second.assert('p(4).'), told);
  assert.equal(await second.snapshot(), 'p(1).\np(3).\np(4).');
  assert.match((await second.end()).stderr, told);
  const cut = readdirSync(directory).find((name) => join(directory, name).startsWith(`${book}.cut-`));
  assert.deepEqual(readFileSync(join(directory, cut)), bytes.subarray(whole, bytes.length - 7));
  assert.match((await new Server(book).end()).stderr, /^$/);
});

test('a damaged line, a newer format and another file are refused in a sentence', async () => {
  const book = newBook();
  const first = new Server(book);
  await first.assert('p(1).');
  await first.assert('p(2).');
  await first.end();
  const refused = async (text) => {
    writeFileSync(book, text);
    const { code, stderr } = await new Server(book).closed;
    assert.equal(code, 70);
    assert.equal(readFileSync(book, 'utf8'), text);
    assert.ok(!existsSync(`${book}.lock`));
    return stderr;
  };
  const text = readFileSync(book, 'utf8');
  assert.equal(
    await refused(text.replace('p(1)', 'p(9)')),
    `hornbook: ${book}: line 2 is damaged: its checksum does not fit, and it is not the end of what was written last. Nothing was changed; restore the file from a copy.\n`,
  );
  assert.equal(await refused(text.replace('hornbook 1', 'hornbook 2')), `hornbook: ${book} was written by a newer Hornbook: its format is 2, and this one reads 1.\n`);
  assert.equal(await refused('p(1).\n'), `hornbook: ${book} is not a book of Hornbook.\n`);
});

test('a place that cannot hold a book is told', async () => {
  const stderr = async (book) => (await new Server(book).closed).stderr;
  assert.equal(await stderr(directory), `hornbook: ${directory}: it is a directory.\n`);
  const missing = join(directory, 'no', 'book');
  assert.equal(await stderr(missing), `hornbook: ${missing}: its directory does not exist.\n`);
});

test('one server has a book; the second says which process has it, and has it when that one is dead', async () => {
  const book = newBook();
  const first = new Server(book);
  await first.assert('p(1).');
  const link = join(directory, 'link');
  symlinkSync(book, link);
  for (const path of [book, link]) {
    const { code, stderr } = await new Server(path).closed;
    assert.equal(code, 70);
    assert.equal(stderr, `hornbook: ${path}: process ${first.child.pid} has it open; end that process first, or give this one another file (${book}.lock is its lock).\n`);
  }
  await first.kill();
  assert.ok(existsSync(`${book}.lock`));
  const heirs = Array.from({ length: 3 }, () => new Server(book));
  const replies = await Promise.all(heirs.map((heir) => Promise.race([heir.snapshot(), heir.closed.then(() => undefined)])));
  assert.deepEqual(replies.filter(Boolean), ['p(1).']);
  await Promise.all(heirs.map((heir) => heir.end()));
});

test('a lock whose process id is another process now, or that was never finished, is taken over', async () => {
  for (const lock of [`${process.pid} 1\n`, '123', '']) {
    const book = newBook();
    writeFileSync(`${book}.lock`, lock);
    const { hornbook, close } = await openHornbook({}, () => {}, book);
    hornbook.connect(() => {}).close();
    assert.match(readFileSync(`${book}.lock`, 'utf8'), new RegExp(`^${process.pid} `));
    await close();
  }
});

/** A store on a disk that is full after `room` more bytes, and that may fail to be cut back. */
class FullStore {
  room = Infinity;
  cuts = true;

  constructor(path) {
    this.file = new FileStore(path);
    this.name = this.file.name;
    for (const method of ['open', 'read', 'replace', 'setAside', 'close']) this[method] = (...args) => this.file[method](...args);
  }

  async append(at, bytes) {
    if (bytes.length === 0 && !this.cuts) throw new Error('the disk is gone');
    await this.file.append(at, bytes.subarray(0, this.room));
    if (bytes.length > this.room) throw new Error('no space is left on the device');
  }
}

test('an operation that does not fit on the disk fails, and everything is as before', async () => {
  const book = newBook();
  const store = new FullStore(book);
  // The crate is loaded with the first workspace.
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
  const ask = async () => (await client.callTool('query_start', { query: 'findall(X, p(X), L)', take: 1 })).structured.answers[0].bindings.find(({ name }) => name === 'L').text;
  assert.equal(await ask(), '[1]');
  const run = await client.callTool('query_start', { query: 'assertz(p(3))', take: 1 });
  assert.match(run.text, /This could not be saved/);
  assert.equal(await ask(), '[1]');

  // Where the file cannot be cut back either, the next operation does it.
  store.cuts = false;
  assert.match((await add('p(4).')).text, /until that is mended, a restart may bring the operation back/);
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
  assert.match(await server.assert('p(2).'), /was not carried out: something else has changed it; restart the server to read it again/);
  assert.match(await server.assert('p(3).'), /something else has changed it/);
  assert.equal(await server.snapshot(), 'p(1).');
  await server.end();
  assert.deepEqual(readFileSync(book), before);
});

test('a journal that grew long is written anew, with what can be undone', async () => {
  const book = newBook();
  const server = new Server(book);
  const text = `${'x'.repeat(90_000)}`;
  for (let round = 0; round < 30; round += 1) {
    await server.assert(`big('${text}', ${round}).`);
    await server.text('clauses', { operation: 'retract', clauses: ['big(_, _)'] });
  }
  await server.assert('small.');
  await server.kill();
  const records = readFileSync(book, 'utf8').split('\n').map((line) => line.slice(9, 17));
  assert.ok(records.includes('{"book":'), records.join(' '));
  const next = new Server(book);
  assert.equal(await next.snapshot(), 'small.');
  await next.text('workspace', { operation: 'undo', steps: 2 });
  assert.ok((await next.snapshot()) === `big('${text}', 29).`);
  await next.end();
});
