// What attackers with tokens of their own do to one `hornbook serve` (hostile.mjs): a process of its own, so that what they
// do costs the honest client's process nothing. What to attack comes as JSON in the first argument; how often each was
// done, and refused, is sent when it is over.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { send } from '../support/serve.mjs';
import { beginSession } from '../support/session.mjs';

export const NAMES = ['eve', 'mallory', 'oscar', 'trudy'];
/** How long anybody waits for an answer, in milliseconds: what takes longer is no answer. */
export const PATIENCE = 120_000;
/** A connection that is used again may be one that the server is just closing for being idle. */
export const ALONE = { Connection: 'close' };

const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
const message = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const query = (id, goal, more = { take: 1 }) =>
  message(id, 'tools/call', { name: 'query_start', arguments: { query: goal, ...more } });
const WORKFLOW =
  'name: t\nnodes: [{name: a, language: prolog, book: true, run: "?- assertz(owned(1)).", goto: __end__}]';
const ENDLESS = 'name: t\nnodes: [{name: a, language: prolog, run: "?- repeat, fail.", goto: __end__}]';

/** By what they do: what an attacker does again and again. */
export const ATTACKS = {
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
  async 'does not end its bodies'({ token, url, book }) {
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(new URL(url).port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`POST /mcp/${book} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`);
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
  async 'lets tasks and programs run'({ url, options, book }) {
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const run = (tool, values) =>
      read(send(url, book, 'tools/call', { name: tool, arguments: values }, { ...options(), capabilities }));
    await run('workflow_run', { yaml: ENDLESS });
    await run('dml_run', { code: 'agent_main :- repeat, fail.', timeout_ms: 2_000 });
  },
  async 'tries to write'({ url, options, reads, book }) {
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
      await read(send(url, book, 'tools/call', { name, arguments: values }, options()));
    const headers = { ...options().headers, 'Content-Type': 'text/plain', 'Stream-Seq': 'x' };
    await read(fetch(`${url}/log/${book}`, { method: 'POST', headers, body: 'x' }));
  },
};

/** The end of a response, whatever it is. */
export async function read(sent) {
  const response = await sent;
  await response.arrayBuffer();
  return response.status;
}

/** Attack until the time is over. Resolves with how often each was done, and refused. */
async function attack({ url, book, tokens, reads, seconds, only }) {
  const until = performance.now() + seconds * 1_000;
  const done = {};
  const refused = {};
  const chosen = Object.entries(ATTACKS).filter(([what]) => only === undefined || what === only);
  const attackers = Object.values(tokens).flatMap((token) =>
    chosen.map(async ([what, once]) => {
      const headers = { Authorization: `Bearer ${token}`, ...ALONE };
      const options = () => ({ headers, signal: AbortSignal.timeout(PATIENCE) });
      const attacker = {
        url,
        book,
        token,
        reads,
        options,
        session: (options) => beginSession(url, book, { headers, ...options }),
        post: (body, more) =>
          read(
            fetch(`${url}/mcp/${book}`, {
              ...options(),
              method: 'POST',
              headers: { 'Content-Type': 'application/json', ...headers, ...more },
              body,
            }),
          ),
      };
      while (performance.now() < until) {
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
  await Promise.all(attackers);
  return { done, refused };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const counted = await attack(JSON.parse(process.argv[2]));
  process.send(counted, () => process.exit());
}
