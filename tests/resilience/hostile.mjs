// Attackers with tokens of their own against one `hornbook serve`, while an honest client works in the same book:
//
//   node tests/resilience/hostile.mjs [SECONDS] [tokens | issuer]
//
// With an issuer, the attackers may only read, and try to write. Reports how long the honest client waited, and the
// memory of the server. Fails unless the client was always answered, memory stayed bounded, and the book has what the
// client wrote and nothing else.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Issuer } from '../support/issuer.mjs';
import { Serving } from '../support/serve.mjs';
import { beginSession } from '../support/session.mjs';

const BOOK = 'shared';
/** How long anybody waits for an answer, in milliseconds: what takes longer is no answer. */
const PATIENCE = 120_000;
/** How much memory the server may take beyond what it had, in MiB: what clients may send at once, and engines. */
const ROOM = 1_500;

const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
const message = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const query = (id, goal, more = { take: 1 }) =>
  message(id, 'tools/call', { name: 'query_start', arguments: { query: goal, ...more } });
const WORKFLOW =
  'name: t\nnodes: [{name: a, language: prolog, book: true, run: "?- assertz(owned(1)).", goto: __end__}]';
const ENDLESS = 'name: t\nnodes: [{name: a, language: prolog, run: "?- repeat, fail.", goto: __end__}]';

/** By what they do: what an attacker does again and again. */
const ATTACKS = {
  async 'sends what is no message'({ post }) {
    for (const body of [
      `{"id":${nested(6000)},"method":"x"}`,
      `{"id":1,"method":${nested(6000)}}`,
      '[null]',
      '{"id":1,"method":"tools/list","params":{"_meta":null}}',
      `{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(1 << 20)}"}`,
      `[${'{},'.repeat(1 << 20)}{}]`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":[${'{},'.repeat(90_000)}{}]}}`,
    ])
      await post(body);
    await post(`[${'{},'.repeat(1 << 20)}{}]`, { 'Mcp-Session-Id': 'none' });
  },
  async 'begins sessions that cannot be answered'({ session }) {
    const begun = await session();
    for (const id of [{}, true, [1], 'hornbook again: x']) await read(begun.send(message(id, 'tools/list')));
    await read(begun.send('{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list","params":{"a":"\\ud800"}}'));
    await read(begun.send([message(85, 'tools/list')]));
    const leaves = new AbortController();
    const left = begun.send(query(9, 'repeat, fail', { take: 1, timeout_ms: 1_000 }), { signal: leaves.signal });
    await pause(50);
    leaves.abort();
    await left.catch(() => {});
  },
  async 'has much kept for it'({ session }) {
    const padding = 'x'.repeat(4 << 20);
    await session({ capabilities: { experimental: { padding } } }).catch(() => {});
    const begun = await session();
    await read(begun.send(message(1, 'resources/subscribe', { uri: `prolog://${padding}` })));
    for (let time = 0; time < 20; time++) await session();
  },
  async 'does not end its bodies'({ token, url }) {
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(new URL(url).port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`POST /mcp/${BOOK} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`);
      socket.write(`Content-Length: ${8 << 20}\r\n\r\n${' '.repeat(1 << 20)}`);
      return socket;
    });
    await pause(1_000);
    for (const socket of sockets) socket.destroy();
  },
  async 'sends batches and opens queries'({ session }) {
    const begun = await session({ revision: '2025-03-26' });
    const slow = Array.from({ length: 60 }, (_, id) => query(id, 'once((between(1, inf, X), X > 100000))'));
    await read(begun.send(slow));
    await Promise.all(Array.from({ length: 40 }, (_, id) => read(begun.send(query(id, 'repeat', {})))));
  },
  async 'lets tasks and programs run'({ server, options }) {
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const run = (tool, values) =>
      read(server.send(BOOK, 'tools/call', { name: tool, arguments: values }, { ...options(), capabilities }));
    await run('workflow_run', { yaml: ENDLESS });
    await run('dml_run', { code: 'agent_main :- repeat, fail.', timeout_ms: 2_000 });
  },
  async 'tries to write'({ server, options, reads }) {
    // Who may write would.
    if (!reads) return pause(1_000);
    const calls = [
      ['workflow_run', { yaml: WORKFLOW }],
      ['query_start', { query: 'assertz(owned(2))', take: 1 }],
      ['clauses', { operation: 'assert', clauses: 'owned(3).' }],
      ['kn_idea', { action: 'create', title: 'Owned' }],
      ['dml_run', { code: 'agent_main :- book:assertz(owned(4)), answer(done).' }],
    ];
    for (const [name, values] of calls)
      await read(server.send(BOOK, 'tools/call', { name, arguments: values }, options()));
    const headers = { ...options().headers, 'Content-Type': 'text/plain', 'Stream-Seq': 'x' };
    await read(fetch(`${server.url}/log/${BOOK}`, { method: 'POST', headers, body: 'x' }));
  },
};

/** The end of a response, whatever it is. */
async function read(sent) {
  const response = await sent;
  await response.arrayBuffer();
  return response.status;
}

const memoryOf = ({ child }) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Attack for this many seconds. Resolves with the figures. */
export async function attack(seconds, kind, say = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-hostile-'));
  const issuer = kind === 'issuer' ? await Issuer.start() : undefined;
  const names = ['honest', 'eve', 'mallory', 'oscar', 'trudy'];
  const tokens = {};
  for (const name of names)
    tokens[name] = issuer
      ? await issuer.token(name, name === 'honest' ? 'write' : 'read')
      : `token-of-${name}-for-the-server`;
  writeFileSync(join(folder, 'tokens'), Object.values(tokens).join('\n'));
  const access = issuer ? issuer.arguments : ['--token-file', join(folder, 'tokens')];
  const server = await Serving.start(folder, ['--tools', 'prolog,dml,memory,workflow', ...access]);
  let ended;
  void server.closed.then((how) => (ended = how));
  // A connection that is used again may be one that the server is just closing for being idle.
  const alone = { Connection: 'close' };
  const optionsOf = (name) => ({
    headers: { Authorization: `Bearer ${tokens[name]}`, ...alone },
    signal: AbortSignal.timeout(PATIENCE),
  });
  try {
    const admin = issuer
      ? { headers: { Authorization: `Bearer ${await issuer.token('root', 'admin')}` } }
      : optionsOf('honest');
    await server.assert(BOOK, 'written(0).', admin);
    let written = 0;
    /** One change and one question of the honest client; how long both took. */
    const work = async () => {
      const began = performance.now();
      await server.assert(BOOK, `written(${written + 1}).`, optionsOf('honest'));
      written++;
      const goal = 'aggregate_all(max(N), written(N), M)';
      const [found] = await server.answers(BOOK, goal, 'M', optionsOf('honest'));
      assert.equal(found, String(written));
      return performance.now() - began;
    };
    const usual = [];
    for (let time = 0; time < 20; time++) usual.push(await work());

    const before = memoryOf(server);
    const memory = [];
    /** How long a request waits that needs no book. */
    const health = [];
    const until = performance.now() + seconds * 1_000;
    const goesOn = () => performance.now() < until && !ended;
    const done = {};
    const refused = {};
    const attackers = names.slice(1).flatMap((name) =>
      Object.entries(ATTACKS).map(async ([what, once]) => {
        const { headers } = optionsOf(name);
        const attacker = {
          server,
          url: server.url,
          token: tokens[name],
          reads: issuer !== undefined,
          options: () => optionsOf(name),
          session: (options) => beginSession(server.url, BOOK, { headers, ...options }),
          post: (body, more) =>
            read(
              fetch(`${server.url}/mcp/${BOOK}`, {
                method: 'POST',
                headers: { 'Content-Type': 'application/json', ...headers, ...more },
                body,
                signal: AbortSignal.timeout(PATIENCE),
              }),
            ),
        };
        while (goesOn()) {
          try {
            await once(attacker);
            done[what] = (done[what] ?? 0) + 1;
          } catch (error) {
            // It was refused, or its connection was closed. That it was not answered is a fault.
            if (error.name === 'TimeoutError') throw new Error(`no answer to one who ${what}`, { cause: error });
            refused[what] = (refused[what] ?? 0) + 1;
          }
          await pause(50);
        }
      }),
    );
    const during = [];
    const honest = async () => {
      while (goesOn()) {
        during.push(await work());
        await pause(100);
      }
    };
    const watch = async () => {
      while (goesOn()) {
        memory.push(memoryOf(server));
        const began = performance.now();
        await read(fetch(`${server.url}/health`, { headers: alone, signal: AbortSignal.timeout(PATIENCE) }));
        health.push(performance.now() - began);
        const last = during.slice(-20);
        say(`${Math.round(memory.at(-1))} MiB, ${Math.round(median(last) ?? 0)} ms`);
        await pause(seconds > 60 ? 10_000 : 1_000);
      }
    };
    await Promise.all([honest(), watch(), ...attackers]).catch((cause) => {
      throw ended
        ? new Error(`the server has ended: ${JSON.stringify([ended, server.events.at(-1)])}`, { cause })
        : cause;
    });
    assert.equal(ended, undefined, 'the server has ended');
    const [there] = await server.answers(BOOK, 'aggregate_all(count, written(_), N)', 'N', optionsOf('honest'));
    assert.equal(there, String(written + 1));
    const symbols = await server.call(BOOK, 'workspace', { operation: 'snapshot' }, optionsOf('honest'));
    assert.doesNotMatch(symbols.content[0].text, /owned/);
    const half = memory.slice(Math.floor(memory.length / 2));
    const figures = {
      'usual, ms': Math.round(median(usual)),
      'under attack, ms': Math.round(median(during)),
      'longest, ms': Math.round(Math.max(...during)),
      ratio: Math.round((median(during) / median(usual)) * 10) / 10,
      'without a book, ms': Math.round(median(health)),
      'honest rounds': during.length,
      'memory before, MiB': Math.round(before),
      'in the first half at most': Math.round(Math.max(...memory.slice(0, half.length))),
      'in the second half at most': Math.round(Math.max(...half)),
      'failed events': server.events.filter(({ event }) => event === 'failed').length,
      done,
      refused,
    };
    assert.ok(Math.max(...memory) < before + ROOM, JSON.stringify(figures));
    return figures;
  } finally {
    await server.kill();
    issuer?.close();
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [seconds = '60', kind = 'tokens'] = process.argv.slice(2);
  console.log(await attack(Number(seconds), kind, console.log));
}
