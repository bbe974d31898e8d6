// The log of a served book, over Durable Streams: read, followed, appended to.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Serving } from '../support/serve.mjs';
import { directory } from './harness.mjs';

const TEXT = { 'Content-Type': 'text/plain' };
const next = (response) => response.headers.get('stream-next-offset');
/** The records of a journal: each line without its checksum. */
const records = (text) =>
  text
    .split('\n')
    .filter((line) => line.includes('{'))
    .map((line) => JSON.parse(line.slice(9)));

let server;
let folder;
before(async () => {
  folder = directory();
  server = await Serving.start(folder);
});
after(async () => {
  await server.kill();
  rmSync(folder, { recursive: true });
});
const log = (book, query = '', options = {}) => fetch(`${server.url}/log/${book}${query}`, options);

/** A whole log, which comes in parts. */
async function whole(book) {
  let text = '';
  for (let offset = '-1'; ; ) {
    const part = await log(book, `?offset=${offset}`);
    text += await part.text();
    if (part.headers.get('stream-up-to-date')) return text;
    offset = next(part);
  }
}

/** The events of a log from an offset on, as they arrive. */
async function* events(book, offset, signal) {
  const { body } = await log(book, `?live=sse&offset=${offset}`, { signal });
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop();
    for (const part of parts) {
      const lines = part.split('\n');
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
      yield { type: lines[0].replace('event: ', ''), data: data.join('\n') };
    }
  }
}

/** What a book of the same content appended, and the offset it follows: a record made elsewhere. */
async function recordFor(book, clause) {
  const offset = next(await log(book, '', { method: 'HEAD' }));
  await server.assert(book, clause);
  const record = await (await log(book, `?offset=${offset}`)).text();
  await server.call(book, 'workspace', { operation: 'undo' });
  return { offset, record };
}

describe('the log of a book', () => {
  test('a book is created by PUT, once, and reading a missing one does not create it', async () => {
    assert.equal((await log('new')).status, 404);
    assert.equal((await log('new', '', { method: 'PUT' })).status, 201);
    assert.equal((await log('new', '', { method: 'PUT' })).status, 200);
    assert.match(await (await log('new')).text(), /^hornbook \d+ 0{14}46 0{8} [0-9a-f]{8}\n$/);
  });

  test('it can be read from any offset, and each part stays the same forever', async () => {
    await server.assert('read', 'p(1).');
    const first = await log('read');
    const begun = await first.text();
    assert.equal(first.headers.get('stream-up-to-date'), 'true');
    await server.assert('read', 'p("zwei – 2").');
    const more = await (await log('read', `?offset=${next(first)}`)).text();
    assert.equal(records(more)[0].revision.sources[0].text, 'p("zwei – 2").\n');
    assert.equal(await (await log('read', '?offset=-1')).text(), begun + more);
    const etag = (await log('read')).headers.get('etag');
    assert.equal((await log('read', '', { headers: { 'If-None-Match': etag } })).status, 304);
    assert.equal((await log('read', '?offset=17')).status, 400);
  });

  test('a reader that follows events, or waits for more, gets what comes', async () => {
    await server.assert('live', 'p(1).');
    const leaving = new AbortController();
    const stream = events('live', 'now', leaving.signal);
    const { value: control } = await stream.next();
    const { streamNextOffset, upToDate } = JSON.parse(control.data);
    assert.equal(upToDate, true);
    const waited = log('live', `?live=long-poll&offset=${streamNextOffset}`);
    await server.assert('live', 'p(2).');
    const { value: heard } = await stream.next();
    assert.equal(heard.type, 'data');
    assert.equal(records(heard.data)[0].revision.number, 2);
    assert.equal(await (await waited).text(), heard.data);
    leaving.abort();
  });

  test('a record is appended after the one it follows, reaches the book, and is refused anywhere else', async () => {
    await server.assert('append', 'p(1).');
    const { offset } = await recordFor('append', 'p(2).');
    // Two logs that begin with the same bytes accept the same records.
    const all = await whole('append');
    const lines = all.trimEnd().split('\n');
    writeFileSync(join(folder, 'twin.book'), `${lines.slice(0, 2).join('\n')}\n`);
    const send = (record, after) =>
      log('twin', '', { method: 'POST', body: record, headers: { ...TEXT, ...(after && { 'Stream-Seq': after }) } });
    const record = `${lines[2]}\n`;
    assert.equal((await send(record)).status, 400);
    assert.equal((await send(record.replace('p(2)', 'p(3)'), offset)).status, 400);
    const done = await send(record, offset);
    assert.equal(done.status, 204);
    assert.deepEqual(await server.answers('twin', 'p(X)', 'X'), ['1', '2']);
    const late = await send(record, offset);
    assert.equal(late.status, 409);
    assert.match(await late.text(), /read the new records/);
    assert.equal((await send(`${lines[3]}\n`, next(done))).status, 204);
    assert.deepEqual(await server.answers('twin', 'p(X)', 'X'), ['1']);
    assert.equal(await whole('twin'), all);
  });

  test('a rewritten journal is a different log', async () => {
    await server.assert('big', 'p(0).');
    const old = next(await log('big', '', { method: 'HEAD' }));
    const text = `t("${'x'.repeat(400_000)}").`;
    for (let count = 0; count < 4; count++) {
      await server.assert('big', text);
      await server.call('big', 'clauses', { operation: 'retract', clauses: 't(_).' });
    }
    const gone = await log('big', `?offset=${old}`);
    assert.equal(gone.status, 410);
    assert.match(await gone.text(), /offset=-1/);
    const anew = records(await whole('big'));
    assert.ok(anew.some((record) => record.book));
  });
});

test('a log needs a token, is closed to pages of other origins, and nobody can remove it', async (t) => {
  const secret = 'a-secret-of-sixteen';
  const books = directory();
  const closed = await Serving.start(books, [], { env: { HORNBOOK_TOKEN: secret } });
  t.after(async () => {
    await closed.kill();
    rmSync(books, { recursive: true });
  });
  const ask = (options) => fetch(`${closed.url}/log/mine`, options);
  assert.equal((await ask({ method: 'PUT' })).status, 401);
  const headers = { Authorization: `Bearer ${secret}` };
  assert.equal((await ask({ method: 'PUT', headers })).status, 201);
  assert.equal((await ask({ headers: { ...headers, Origin: 'https://elsewhere.example' } })).status, 403);
  assert.equal((await ask({ method: 'DELETE', headers })).status, 405);
});

test('answers about a log say what the token may do, also to a page', async (t) => {
  const books = directory();
  const scopes = ['read', 'propose', 'write', 'admin'];
  const token = (scope) => `${scope}-with-this-token`;
  const file = join(books, 'tokens');
  writeFileSync(file, scopes.map((scope) => `${scope} ${token(scope)}\n`).join(''));
  const page = 'https://page.example';
  const known = await Serving.start(books, ['--token-file', file, '--origin', page]);
  t.after(async () => {
    await known.kill();
    rmSync(books, { recursive: true });
  });
  const ask = (scope, method) =>
    fetch(`${known.url}/log/mine`, { method, headers: { Authorization: `Bearer ${token(scope)}`, Origin: page } });
  assert.equal((await ask('admin', 'PUT')).status, 201);
  for (const scope of scopes) {
    const { headers } = await ask(scope, 'HEAD');
    assert.equal(headers.get('hornbook-scope'), scope);
    assert.match(headers.get('access-control-expose-headers'), /Hornbook-Scope/);
  }
});
