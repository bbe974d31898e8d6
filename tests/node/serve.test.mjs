// `hornbook serve`: MCP over HTTP, in both eras, for many books and many clients.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Turns } from '../../pkg/serve/turns.js';
import { Serving } from '../support/serve.mjs';
import { BIN, directory } from './harness.mjs';

const ME = { name: 'test', version: '1' };
const SNAPSHOT = 'prolog://workspace/snapshot';
/** A query that does not end by itself. */
const ENDLESS = 'repeat, fail';
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A server on a folder of its own, both removed after the test. */
async function serving(t, args, options) {
  const folder = directory();
  const server = await Serving.start(folder, args, options);
  t.after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });
  return Object.assign(server, { folder });
}

async function legacy(server, book, headers = {}) {
  const client = new LegacyClient(ME);
  await client.connect(new LegacyTransport(new URL(`${server.url}/mcp/${book}`), { requestInit: { headers } }));
  return client;
}

/** The status of a request that fetch would not send as it is. */
function rawStatus(server, path, headers) {
  return new Promise((resolve, reject) => {
    request(new URL(path, server.url), { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('clients of both eras', () => {
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

  test("the official clients work on one book, and each is notified of the other's changes", async () => {
    const modern = new Client(ME, { versionNegotiation: { mode: 'auto' } });
    await modern.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/both`)));
    assert.equal(modern.getNegotiatedProtocolVersion(), '2026-07-28');
    const old = await legacy(server, 'both');
    const heard = { modern: [], old: [] };
    modern.setNotificationHandler('notifications/resources/updated', ({ params }) => heard.modern.push(params.uri));
    old.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => heard.old.push(params.uri));
    await modern.listen({ resourceSubscriptions: [SNAPSHOT] });
    await old.subscribeResource({ uri: SNAPSHOT });
    await modern.callTool({ name: 'clauses', arguments: { operation: 'assert', clauses: 'p(1).' } });
    await old.callTool({ name: 'clauses', arguments: { operation: 'assert', clauses: 'p(2).' } });
    const { contents } = await old.readResource({ uri: SNAPSHOT });
    assert.match(contents[0].text, /p\(1\)\.\s+p\(2\)\./);
    for (let waited = 0; heard.modern.length < 2 || heard.old.length < 2; waited += 50) {
      assert.ok(waited < 10_000, JSON.stringify(heard));
      await pause(50);
    }
    await modern.close();
    await old.close();
  });

  test('books have their own clauses, and a query in one does not delay another', async () => {
    await server.assert('first', 'q(1).');
    await server.assert('second', 'q(2).');
    const endless = server.call('first', 'query_start', { query: ENDLESS, take: 1, timeout_ms: 20_000 });
    assert.deepEqual(await server.answers('second', 'q(X)', 'X'), ['2']);
    const state = await Promise.race([endless.then(() => 'ended'), pause(0).then(() => 'runs')]);
    assert.equal(state, 'runs');
  });

  test('closing the connection cancels the request', async () => {
    const gone = new AbortController();
    const endless = server.send(
      'cancelled',
      'tools/call',
      { name: 'query_start', arguments: { query: ENDLESS, take: 1, timeout_ms: 60_000 } },
      { signal: gone.signal },
    );
    await server.event('book_opened', ({ book }) => book === 'cancelled');
    await pause(1_000);
    gone.abort();
    await assert.rejects(endless);
    const started = Date.now();
    assert.deepEqual(await server.answers('cancelled', 'X = 1', 'X'), ['1']);
    assert.ok(Date.now() - started < 30_000);
  });

  test('the headers of a request must match its body', async () => {
    const response = await server.send('both', 'tools/call', { name: 'help' }, { headers: { 'Mcp-Name': 'clauses' } });
    assert.equal(response.status, 400);
    assert.equal((await response.json()).error.code, -32020);
  });

  test('an address that is not that of a book gets an explanation', async () => {
    for (const path of ['/', '/mcp', '/mcp/A', '/mcp/..%2fx', '/mcp/a/b']) {
      const response = await fetch(server.url + path, { method: 'POST', body: '{}' });
      assert.equal(response.status, 404, path);
      assert.match((await response.json()).error.message, /\/mcp\/NAME|lower-case/);
    }
    const response = await fetch(`${server.url}/mcp/both`, { method: 'POST', body: '{' });
    assert.equal(response.status, 400);
    assert.equal((await response.json()).error.code, -32700);
    assert.equal((await fetch(`${server.url}/mcp/both`)).status, 405);
    const unknown = await fetch(`${server.url}/mcp/both`, { headers: { 'Mcp-Session-Id': 'x' } });
    assert.equal(unknown.status, 404);
  });

  test('health, and metrics for Prometheus', async () => {
    assert.equal((await (await fetch(`${server.url}/health`)).json()).status, 'ok');
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    assert.match(metrics, /^hornbook_requests_total\{method="tools\/call",status="200"\} \d+$/m);
    assert.match(metrics, /^hornbook_books_open [1-9]/m);
  });
});

describe('access', () => {
  test('other names, and pages of other origins, are refused; an allowed origin may read', async (t) => {
    const server = await serving(t, ['--origin', 'https://agent.example']);
    const { host } = new URL(server.url);
    assert.equal(await rawStatus(server, '/mcp/a', { Host: 'evil.example' }), 403);
    assert.equal(await rawStatus(server, '/metrics', { Host: `evil.example:${host.split(':')[1]}` }), 403);
    assert.equal(await rawStatus(server, '/metrics', { Host: 'localhost' }), 200);
    const post = (Origin) => server.send('a', 'server/discover', {}, { headers: { Origin } });
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1', 'https://agent.example:8443'])
      assert.equal((await post(origin)).status, 403, origin);
    assert.equal((await post(server.url)).status, 200);
    const response = await post('https://agent.example');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://agent.example');
    const preflight = await fetch(`${server.url}/mcp/a`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://agent.example', 'Access-Control-Request-Headers': 'content-type,mcp-method' },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'content-type,mcp-method');
  });

  test('with tokens only their holders; this includes the metrics, but not the health', async (t) => {
    const file = join(directory(), 'tokens');
    writeFileSync(file, '# tokens of the team\nfirst-token-of-all\nsecond-token-of-all\n');
    const server = await serving(t, ['--token-file', file], { env: { HORNBOOK_TOKEN: 'token-of-the-environment' } });
    const status = async (authorization) =>
      (
        await server.send(
          'a',
          'server/discover',
          {},
          { headers: authorization ? { Authorization: authorization } : {} },
        )
      ).status;
    assert.equal(await status(), 401);
    assert.equal(await status('Bearer first-token-of-al'), 401);
    assert.equal(await status('Basic first-token-of-all'), 401);
    for (const token of ['first-token-of-all', 'second-token-of-all', 'token-of-the-environment'])
      assert.equal(await status(`Bearer ${token}`), 200, token);
    const refused = await fetch(`${server.url}/metrics`);
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get('www-authenticate'), /^Bearer /);
    assert.equal((await fetch(`${server.url}/health`)).status, 200);
    // The session of one token is not valid for another.
    const one = await legacy(server, 'a', { Authorization: 'Bearer first-token-of-all' });
    const headers = { 'Mcp-Session-Id': one.transport.sessionId, Authorization: 'Bearer second-token-of-all' };
    assert.equal((await fetch(`${server.url}/mcp/a`, { method: 'DELETE', headers })).status, 404);
    assert.doesNotMatch(JSON.stringify(server.events), /of-all|of-the-environment/);
    await one.close();
  });

  test('a command line that would let everybody in is refused', () => {
    const run = (...args) => {
      const { status, stderr } = spawnSync(process.execPath, [BIN, 'serve', ...args], { encoding: 'utf8', env: {} });
      return `${status} ${stderr.trim()}`;
    };
    assert.match(run(), /^2 hornbook: hornbook serve takes the folder of the books/);
    assert.match(run('--books', 'b', '--host', '0.0.0.0'), /^2 .*needs --token-file, HORNBOOK_TOKEN or --issuer/);
    assert.match(run('--books', 'b', '--issuer', 'https://issuer.example'), /^2 .*needs --public-url/);
    assert.match(run('--books', 'b', '--client', 'request=1'), /^2 .*--client takes NAME=N/);
    assert.match(run('--books', 'b', '--origin', 'agent.example'), /^2 .*--origin takes an origin/);
  });
});

describe('limits', () => {
  test('each client has its own, and is told which one it has hit', async (t) => {
    const limits = ['requests=20', 'bytes=20000', 'books=2', 'queries=2'].flatMap((limit) => ['--client', limit]);
    const server = await serving(t, limits);
    const refused = (status, message) => (error) => error.status === status && message.test(error.message);

    await assert.rejects(server.assert('a', `p("${'x'.repeat(30_000)}").`), refused(413, /limit: bytes = 20000/));

    const query = (client) => server.call('a', 'query_start', { query: 'member(X, [1, 2])', take: 1 }, { client });
    const { structuredContent } = await query('one');
    await query('one');
    await assert.rejects(query('one'), refused(429, /limit: queries = 2\)\. Close some with query_close/));
    await query('two');
    await server.call('a', 'query_close', { query_id: structuredContent.query_id }, { client: 'one' });
    await query('one');

    const use = (book) => server.answers(book, 'X = 1', 'X', { client: 'reader' });
    await use('a');
    await use('b');
    await assert.rejects(use('c'), refused(429, /limit: books = 2/));

    const many = Array.from({ length: 80 }, () => server.send('a', 'tools/list', {}, { client: 'flood' }));
    const responses = await Promise.all(many);
    const statuses = responses.map(({ status }) => status);
    assert.ok(statuses.includes(200) && statuses.includes(429), statuses.join());
    const [first] = responses.filter(({ status }) => status === 429);
    assert.match((await first.json()).error.message, /limit: requests = 20 a second/);
    assert.ok(Number(first.headers.get('retry-after')) >= 1);
    assert.equal((await server.send('a', 'tools/list', {}, { client: 'other' })).status, 200);
  });

  test('the time that engines work for a client is counted', async (t) => {
    const server = await serving(t, ['--client', 'cpu_ms=1500']);
    await server.call('a', 'query_start', { query: ENDLESS, take: 1, timeout_ms: 2_500 });
    await assert.rejects(server.answers('a', 'X = 1', 'X'), /limit: cpu_ms = 1500 a minute/);
    assert.deepEqual(await server.answers('a', 'X = 1', 'X', { client: 'other' }), ['1']);
  });

  test('a client that floods a book does not triple the response time of the others', async (t) => {
    const server = await serving(t, ['--client', 'requests=100000', '--client', 'running=1000']);
    const work = 'numlist(1, 3000, L), foldl([X, A, B]>>(B is A + X), L, 0, S)';
    const time = async (client) => {
      const started = performance.now();
      await server.answers('a', work, 'S', { client });
      return performance.now() - started;
    };
    const median = async () => {
      const times = [];
      for (let n = 0; n < 12; n++) times.push(await time('calm'));
      return times.sort((a, b) => a - b)[6];
    };
    await median();
    const alone = await median();
    let flooding = true;
    const flood = Array.from({ length: 60 }, async () => {
      while (flooding) await time('flood');
    });
    await pause(500);
    const beside = await median();
    flooding = false;
    await Promise.all(flood);
    // One call of the flood may precede each of the client's own; on a busy machine there is more in the way than the
    // flood.
    t.diagnostic(`median alone ${alone.toFixed(1)} ms, beside a flood of 60 ${beside.toFixed(1)} ms`);
    assert.ok(beside < 10 * alone, `${alone} ms, then ${beside} ms`);
  });

  test('clients that wait take turns', async () => {
    const turns = new Turns(2, 1);
    const order = [];
    const never = new AbortController().signal;
    const enter = async (client, signal = never) => {
      const end = await turns.enter(client, signal);
      order.push(client);
      return end;
    };
    const first = await enter('flood');
    const more = [enter('flood'), enter('flood'), enter('flood')];
    const other = await enter('other');
    const gone = new AbortController();
    const left = enter('gone', gone.signal);
    const third = enter('third');
    gone.abort();
    await assert.rejects(left);
    other();
    (await third)();
    first();
    for (const one of more) (await one)();
    assert.deepEqual(order, ['flood', 'other', 'third', 'flood', 'flood', 'flood']);
    assert.ok(turns.idle);
  });
});

describe('the life of a server', () => {
  test('an unused book is released, and a session goes on with it afterwards', async (t) => {
    const server = await serving(t, ['--idle', '1']);
    const client = await legacy(server, 'idle');
    // Without its stream nothing keeps the book open.
    await client.callTool({ name: 'clauses', arguments: { operation: 'assert', clauses: 'p(1).' } });
    const { sessionId } = client.transport;
    const headers = { 'Mcp-Session-Id': sessionId, 'Content-Type': 'application/json', Accept: '*/*' };
    const call = (id, params) =>
      fetch(`${server.url}/mcp/idle`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
      });
    client.transport._abortController?.abort();
    await server.event('book_closed', ({ book }) => book === 'idle');
    const response = await call(7, { name: 'query_start', arguments: { query: 'p(X)', take: 1 } });
    const { id, result } = await response.json();
    assert.equal(id, 7);
    assert.deepEqual(result.structuredContent.answers, [{ X: '1' }]);
    assert.equal(server.events.filter(({ event }) => event === 'book_opened').length, 2);
  });

  test('when too many books are open, the least recently used one goes', async (t) => {
    const server = await serving(t, ['--open-books', '2']);
    for (const book of ['a', 'b', 'c', 'a', 'b']) {
      await server.assert(book, `in(${book}).`);
      assert.ok((await server.answers(book, 'in(X)', 'X')).every((found) => found === book));
    }
    assert.match(await (await fetch(`${server.url}/metrics`)).text(), /^hornbook_books_open 2$/m);
    assert.deepEqual(await server.answers('a', 'in(X)', 'X'), ['a', 'a']);
  });

  test('a client whose queries do not end leaves a place to others', async (t) => {
    const server = await serving(t, ['--open-books', '2']);
    await server.assert('a', 'in(a).', { client: 'greedy' });
    const endless = server.call(
      'a',
      'query_start',
      { query: ENDLESS, take: 1, timeout_ms: 60_000 },
      { client: 'greedy' },
    );
    endless.catch(() => {});
    await pause(500);
    await assert.rejects(server.assert('b', 'in(b).', { client: 'greedy' }), { status: 429 });
    await server.assert('b', 'in(b).', { client: 'other' });
    assert.deepEqual(await server.answers('b', 'in(X)', 'X', { client: 'other' }), ['b']);
  });

  test('a killed server loses nothing that it has answered', async (t) => {
    const server = await serving(t);
    const answered = new Set();
    const write = async (client) => {
      for (let n = 0; ; n++) {
        await server.assert('kept', `w(${client}, ${n}).`, { client: `c${client}` });
        answered.add(`${client},${n}`);
      }
    };
    const writers = [0, 1, 2, 3].map((client) => write(client).catch(() => {}));
    while (answered.size < 100) await pause(10);
    await server.kill();
    await Promise.all(writers);
    const again = await Serving.start(server.folder);
    const { structuredContent } = await again.call('kept', 'query_start', { query: 'w(C, N)', take: 1000 });
    const there = new Set(structuredContent.answers.map(({ C, N }) => `${C},${N}`));
    for (const one of answered) assert.ok(there.has(one), one);
    assert.deepEqual(await again.stop(), { code: 0, signal: null });
  });

  test('a stopped server answers what is running, accepts nothing new, and leaves no lock', async (t) => {
    const server = await serving(t);
    await server.assert('a', 'p(1).');
    const old = await legacy(server, 'a');
    const running = server.call('a', 'query_start', { query: 'sleep(2), p(X)', take: 1 }).catch((error) => error);
    await pause(500);
    const started = Date.now();
    const stopped = server.stop();
    await server.event('stopping');
    await assert.rejects(server.answers('a', 'p(X)', 'X'));
    await running;
    assert.deepEqual(await stopped, { code: 0, signal: null });
    assert.ok(Date.now() - started < 20_000);
    assert.ok(server.events.some(({ tool, status }) => tool === 'query_start' && status === 200));
    assert.ok(existsSync(join(server.folder, 'a.book')));
    await old.close();
  });

  test('what does not end in time is cut off', async (t) => {
    const server = await serving(t, ['--grace', '1']);
    const endless = server.call('a', 'query_start', { query: ENDLESS, take: 1, timeout_ms: 60_000 });
    endless.catch(() => {});
    await server.event('book_opened');
    await pause(500);
    assert.deepEqual(await server.stop(), { code: 1, signal: null });
    await assert.rejects(endless);
  });

  test('a request state is valid only for its client and book', async (t) => {
    const server = await serving(t, ['--tools', 'prolog,dml']);
    const params = { name: 'dml_run', arguments: { code: 'agent_main :- input("Name?", N), answer(N).' } };
    const ask = { capabilities: { elicitation: {} } };
    const response = await server.send('a', 'tools/call', params, { client: 'one', ...ask });
    const text = await response.text();
    const { result } = JSON.parse(/^data: ?(.*input_required.*)$/m.exec(text)?.[1] ?? text);
    assert.equal(result.resultType, 'input_required', JSON.stringify(result));
    const [key] = Object.keys(result.inputRequests);
    const [form] = Object.values(result.inputRequests);
    const [field] = Object.keys(form.params.requestedSchema.properties);
    const inputResponses = { [key]: { action: 'accept', content: { [field]: 'Ada' } } };
    const again = { ...params, inputResponses, requestState: result.requestState };
    const stolen = await server.send('a', 'tools/call', again, { client: 'two', ...ask });
    assert.equal(stolen.status, 400);
    assert.match(await stolen.text(), /requestState/);
    const own = await server.send('a', 'tools/call', again, { client: 'one', ...ask });
    assert.match(await own.text(), /Ada/);
  });
});
