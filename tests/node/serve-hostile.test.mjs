// `hornbook serve` against messages that are meant to harm: it refuses them, and everybody else is served as before.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Serving } from '../support/serve.mjs';
import { answerIn, beginSession } from '../support/session.mjs';
import { directory } from './harness.mjs';

/** Far more than any request takes. */
const LONG = 60_000;
const FIRST = { Authorization: 'Bearer first-token-of-all' };
const SECOND = { Authorization: 'Bearer second-token-of-all' };
/** A goal that takes about a second of the processor. */
const SLOW = 'once((between(1, inf, X), X > 1000000))';
const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
const legacy = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
/** The memory of a process, in MiB. */
const memoryOf = ({ child }) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024;

async function withTokens(...args) {
  const folder = directory();
  const file = join(folder, 'tokens');
  writeFileSync(file, 'first-token-of-all\nsecond-token-of-all\n');
  const server = await Serving.start(folder, ['--token-file', file, ...args]);
  const end = async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  };
  return Object.assign(server, { folder, end });
}

describe('what is no message', () => {
  let server;
  before(async () => {
    server = await withTokens();
    await server.assert('a', 'p(1).', { headers: FIRST });
  });
  after(() => server.end());

  const post = (body, headers = {}) =>
    fetch(`${server.url}/mcp/a`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...FIRST, ...headers },
      body,
      signal: AbortSignal.timeout(LONG),
    });
  const modern = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call' };

  test('is refused with a sentence, whatever it is, and nothing else happens', async () => {
    const bodies = {
      'an id nested deep': [`{"id":${nested(6000)},"method":"x"}`],
      'a method nested deep': [`{"id":1,"method":${nested(6000)}}`],
      'parameters nested deep': [`{"id":1,"method":"initialize","params":${nested(7000)}}`],
      'a request state nested deep': [
        `{"id":1,"method":"tools/call","params":{"requestState":"x","a":${nested(7000)},"_meta":{}}}`,
        modern,
      ],
      'a progress token nested deep': [
        `{"id":1,"method":"initialize","params":{"_meta":{"progressToken":${nested(6000)}}}}`,
      ],
      'a list of null': ['[null]'],
      'an empty list': ['[]'],
      'null metadata': ['{"id":1,"method":"tools/list","params":{"_meta":null}}', modern],
      'a name that is an object': [
        '{"id":1,"method":"tools/call","params":{"name":{"toString":1,"valueOf":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
        modern,
      ],
      'a version that is an object': [
        '{"id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":{"toString":1}}}}',
        modern,
      ],
      'a method that is an object': ['{"id":1,"method":{"a":1}}'],
      'many values': [`[${'{},'.repeat(300_000)}{}]`],
      'a text without an end': ['"'],
      'half of a message': ['{"id":1,"method":"tools/li'],
    };
    for (const [what, [body, headers]] of Object.entries(bodies)) {
      const response = await post(body, headers);
      assert.ok([400, 413].includes(response.status), `${what}: ${response.status}`);
      const { error } = await response.json();
      assert.ok(error.message.length > 10 && error.message.length < 400, what);
    }
    for (const id of ['{}', 'true', '[1]', '"\\ud800"', '1e999', 'null', `"${'x'.repeat(2_000)}"`]) {
      const response = await post(`{"jsonrpc":"2.0","id":${id},"method":"initialize","params":{}}`);
      assert.equal(response.status, 400, id.slice(0, 20));
    }
    assert.deepEqual(await server.answers('a', 'p(X)', 'X', { headers: FIRST }), ['1']);
    assert.deepEqual(
      server.events.filter(({ event }) => event === 'failed'),
      [],
    );
  });

  test('does not fill the log', async () => {
    const before = server.events.length;
    await post(`{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(1 << 20)}"}`);
    await pause(200);
    for (const event of server.events.slice(before)) assert.ok(JSON.stringify(event).length < 1_000);
  });

  test('names of devices are no names of books', async () => {
    for (const name of ['con', 'prn', 'aux', 'nul', 'com1', 'lpt9']) {
      const response = await server.send(name, 'server/discover', {}, { headers: FIRST });
      assert.equal(response.status, 404, name);
    }
    assert.equal((await server.send('console', 'server/discover', {}, { headers: FIRST })).status, 200);
  });
});

describe('a session', () => {
  let server;
  before(async () => {
    server = await withTokens();
  });
  after(() => server.end());
  const signal = () => AbortSignal.timeout(LONG);

  test('is not locked by a request that cannot be answered', async () => {
    const session = await beginSession(server.url, 'locked', { headers: FIRST });
    const list = { jsonrpc: '2.0', method: 'tools/list' };
    for (const id of [{}, true, [1]])
      assert.equal((await session.send({ ...list, id }, { signal: signal() })).status, 400, JSON.stringify(id));
    const texts = [
      '{"jsonrpc":"2.0","id":"\\ud800","method":"tools/list"}',
      // The book cannot read the last of these, but answers.
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list","params":{"a":"\\ud800"}}',
    ];
    for (const text of texts) await (await session.send(text, { signal: signal() })).text();
    const batch = await session.send([{ ...list, id: 85 }], { signal: signal() });
    assert.equal(batch.status, 400);
    assert.match((await batch.json()).error.message, /2025-03-26/);
    const marked = await session.send({ ...list, id: 'hornbook again: x' }, { signal: signal() });
    assert.equal(JSON.parse(answerIn(await marked.text())).id, 'hornbook again: x');
    assert.deepEqual(await server.answers('locked', 'X = 1', 'X', { headers: FIRST, signal: signal() }), ['1']);
  });

  test('answers each request once: an id that is in use is refused', async () => {
    const session = await beginSession(server.url, 'twice', { headers: FIRST });
    const query = 'once((between(1, inf, X), X > 5000000)), Y = slow';
    const running = session.send(legacy(7, 'tools/call', { name: 'query_start', arguments: { query, take: 1 } }));
    await pause(300);
    assert.equal((await session.send(legacy(7, 'ping'))).status, 400);
    assert.match(await (await running).text(), /slow/);
  });

  test('with batches takes a turn for each request, and answers them together', async () => {
    const session = await beginSession(server.url, 'batch', { headers: FIRST, revision: '2025-03-26' });
    const query = (id) => legacy(id, 'tools/call', { name: 'query_start', arguments: { query: `X = ${id}`, take: 1 } });
    const batch = [query(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, query(2), legacy(3, 'nothing')];
    const response = await session.send(batch, { headers: { Accept: 'application/json' } });
    const answers = await response.json();
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [1, undefined],
        [2, undefined],
        [3, -32601],
      ],
    );
    const many = Array.from({ length: 65 }, (_, id) => query(id));
    const refused = await session.send(many);
    assert.equal(refused.status, 413);
    assert.match((await refused.json()).error.message, /limit: running = 64/);
    // Another client waits for one of them, not for all.
    const slow = Array.from({ length: 5 }, (_, id) =>
      legacy(id, 'tools/call', { name: 'query_start', arguments: { query: SLOW, take: 1 } }),
    );
    const order = [];
    const running = session.send(slow).then((response) => response.text().then(() => order.push('batch')));
    await pause(100);
    for (let time = 0; time < 2; time++) await server.answers('batch', 'X = 1', 'X', { headers: SECOND });
    order.push('other');
    await running;
    assert.deepEqual(order, ['other', 'batch']);
  });

  test('that the server refuses to begin does not remain', async () => {
    const before = await (await fetch(`${server.url}/metrics`, { headers: FIRST })).text();
    await assert.rejects(beginSession(server.url, 'none', { headers: FIRST, revision: 7 }));
    const after = await (await fetch(`${server.url}/metrics`, { headers: FIRST })).text();
    const sessions = (text) => /^hornbook_sessions (\d+)$/m.exec(text)[1];
    assert.equal(sessions(after), sessions(before));
  });
});

describe('memory', () => {
  test('what is kept for a session is bounded', async (t) => {
    const server = await withTokens('--client', 'requests=1000');
    t.after(() => server.end());
    const padding = 'x'.repeat(8 << 20);
    await beginSession(server.url, 'a', { headers: FIRST });
    const before = memoryOf(server);
    for (let time = 0; time < 30; time++) {
      await assert.rejects(
        beginSession(server.url, 'a', { headers: FIRST, capabilities: { experimental: { padding } } }),
        ({ status }) => status === 413,
      );
    }
    const numbers = (count, number) => ({ experimental: { numbers: Array(count).fill(number) } });
    await assert.rejects(
      beginSession(server.url, 'a', { headers: FIRST, capabilities: numbers(1_000, 123_456_789_012_345) }),
      ({ status }) => status === 413,
    );
    const session = await beginSession(server.url, 'a', { headers: FIRST, capabilities: numbers(2_500, 7) });
    for (let time = 0; time < 30; time++) {
      const params = { uri: `prolog://${time}${padding}` };
      const response = await session.send(legacy(time, 'resources/subscribe', params));
      assert.match(answerIn(await response.text()), /not found/i);
    }
    assert.ok(memoryOf(server) < before + 350, `${before} to ${memoryOf(server)} MiB`);
  });

  test('bodies count from their first byte, for their own client only', async (t) => {
    const server = await withTokens('--client', 'bytes=4000000');
    t.after(() => server.end());
    await server.assert('a', 'p(1).', { headers: FIRST });
    const { port } = new URL(server.url);
    const open = () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('data', (data) => resolve({ socket, status: Number(String(data).split(' ')[1]) }));
        // What was sent after the refusal may keep its text from arriving.
        socket.on('error', () => resolve({ socket, status: 429 }));
        const token = FIRST.Authorization;
        socket.write(
          `POST /mcp/a HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${token}\r\nContent-Length: 3000000\r\n\r\n`,
        );
        socket.write(' '.repeat(1_000_000));
        // One is read, and waits for the rest of its body.
        setTimeout(() => resolve({ socket }), 6_000);
      });
    const sent = await Promise.all(Array.from({ length: 20 }, open));
    const refused = sent.filter(({ status }) => status === 429).length;
    assert.equal(refused, 19, JSON.stringify(sent.map(({ status }) => status)));
    assert.deepEqual(await server.answers('a', 'p(X)', 'X', { headers: SECOND }), ['1']);
    for (const { socket } of sent) socket.destroy();
    // What did not arrive does not count for ever.
    await pause(200);
    assert.deepEqual(await server.answers('a', 'p(X)', 'X', { headers: FIRST }), ['1']);
  });
});

describe('fairness', () => {
  test('a request that is refused counts, too', async (t) => {
    const server = await withTokens('--client', 'requests=5');
    t.after(() => server.end());
    const statuses = new Set();
    for (let time = 0; time < 20; time++) {
      const headers = { ...FIRST, 'Mcp-Session-Id': 'none' };
      statuses.add((await fetch(`${server.url}/mcp/a`, { method: 'POST', headers, body: '{' })).status);
      statuses.add((await fetch(`${server.url}/mcp/a`, { method: 'POST', headers: FIRST, body: '{' })).status);
    }
    assert.ok(statuses.has(429), [...statuses].join());
  });

  test('queries that are only started count as open', async (t) => {
    const server = await withTokens('--client', 'queries=4');
    t.after(() => server.end());
    const start = () =>
      server.send('a', 'tools/call', { name: 'query_start', arguments: { query: 'repeat' } }, { headers: FIRST });
    const other = await server.call('a', 'query_start', { query: 'repeat', take: 1 }, { headers: SECOND });
    const statuses = (await Promise.all(Array.from({ length: 40 }, start))).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 4);
    const { query_id } = other.structuredContent;
    const more = await server.call('a', 'query_next', { query_id, take: 1 }, { headers: SECOND });
    assert.equal(more.structuredContent.answers.length, 1);
  });

  test('with tokens each client has its own queries', async (t) => {
    const server = await withTokens();
    t.after(() => server.end());
    const { structuredContent } = await server.call(
      'a',
      'query_start',
      { query: 'repeat', query_id: 'mine' },
      { headers: FIRST },
    );
    assert.equal(structuredContent.query_id, 'mine');
    for (const tool of ['query_next', 'query_close']) {
      const { content } = await server.call('a', tool, { query_id: 'mine' }, { headers: SECOND });
      assert.match(content[0].text, /no query mine|No active session/i, tool);
    }
    const listed = async (headers) =>
      (await server.call('a', 'workspace', { operation: 'list_queries' }, { headers })).structuredContent.queries
        .length;
    assert.deepEqual([await listed(FIRST), await listed(SECOND)], [1, 0]);
    // The newest query is meant, whichever request started it.
    const more = await server.call('a', 'query_next', { take: 1 }, { headers: FIRST });
    assert.equal(more.structuredContent.query_id, 'mine');
  });

  test('who only listens is not billed for what others run, and a task is', async (t) => {
    const server = await withTokens('--tools', 'prolog,dml,workflow', '--client', 'cpu_ms=3000');
    t.after(() => server.end());
    const signal = AbortSignal.timeout(LONG * 2);
    const listening = server.send('a', 'subscriptions/listen', { notifications: {} }, { headers: SECOND, signal });
    const yaml = 'name: t\nnodes: [{name: a, language: prolog, run: "?- repeat, fail.", goto: __end__}]';
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const begun = await server.call('a', 'workflow_run', { yaml }, { headers: FIRST, capabilities });
    assert.equal(begun.resultType, 'task');
    const ask = async (headers) => (await server.send('a', 'tools/list', {}, { headers, signal })).status;
    let status;
    for (let waited = 0; waited < LONG && status !== 429; waited += 500) {
      await pause(500);
      status = await ask(FIRST);
      assert.equal(await ask(SECOND), 200);
    }
    assert.equal(status, 429);
    void listening.catch(() => {});
  });

  test("one client's sessions do not end those of others", async () => {
    const { Sessions } = await import('../../pkg/serve/sessions.js');
    const sessions = new Sessions();
    const session = (key, number) => ({ id: `${key}${number}`, client: { key }, used: performance.now(), close() {} });
    const kept = session('quiet', 0);
    sessions.keep(kept);
    for (let number = 0; number < 30_000; number++) sessions.keep(session(`flood${number % 12}`, number));
    assert.equal(sessions.find('quiet0'), kept);
    assert.equal(sessions.size, 10_000);
    for (let number = 0; number < 2_000; number++) sessions.keep(session('one', number));
    assert.equal(sessions.find('one0'), undefined);
    assert.ok(sessions.find('one1999'));
    assert.equal(sessions.find('quiet0'), kept);
  });
});

test('errors do not tell where the books are', async (t) => {
  const server = await withTokens();
  t.after(() => server.end());
  writeFileSync(join(server.folder, 'broken.book'), 'something else');
  const response = await server.send('broken', 'server/discover', {}, { headers: FIRST });
  const text = await response.text();
  assert.equal(response.status, 503);
  assert.match(text, /broken/);
  assert.ok(!text.includes(server.folder));
  await server.assert('lost', 'p(1).', { headers: FIRST });
  rmSync(join(server.folder, 'lost.book'));
  const log = await fetch(`${server.url}/log/lost?offset=-1`, { headers: FIRST });
  const told = await log.text();
  assert.equal(log.status, 503);
  assert.ok(!told.includes(server.folder), told);
  const saved = await server.assert('lost', 'p(2).', { headers: FIRST });
  assert.ok(!JSON.stringify(saved).includes(server.folder), JSON.stringify(saved));
});
