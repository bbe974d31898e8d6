// The host never blocks: how long its thread is held by each operation on a book of this many entries, at most 1000000:
//   node tests/resilience/thread.mjs [ENTRIES]
// Measured by a timer in the host's own thread; prints the longest hold of every operation, and fails if one is beyond
// the bound. The bound is generous, because other work may keep the machine busy.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { directory } from '../node/harness.mjs';
import { FileStore, Hornbook, NodeHost, loadCrate } from '../../pkg/node.js';

const ENTRIES = Number(process.argv[2] ?? 300_000);

/** Clauses in the largest file, leaving room for what else is added. */
const CLAUSES = Math.floor(0.85 * ENTRIES);

/** In milliseconds. */
const BOUND = Number(process.env.BOUND ?? 250);

const STATISTICS = `/proc/self/task/${process.pid}/schedstat`;
const counted = existsSync(STATISTICS);

/**
 * Milliseconds of this thread's work if the system counts them, independent of other load; otherwise of elapsed time.
 */
const now = () => (counted ? Number(readFileSync(STATISTICS, 'latin1').split(' ')[0]) / 1e6 : performance.now());

/** The longest time for which the thread did nothing else since the last query. */
class Watch {
  #last = now();
  #longest = 0;
  #timer = setInterval(() => this.#look(), 2);

  #look() {
    const at = now();
    this.#longest = Math.max(this.#longest, at - this.#last);
    this.#last = at;
  }

  /** The last stretch was the test's own work. */
  async aside() {
    this.#last = now();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  longest() {
    this.#look();
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  end() {
    clearInterval(this.#timer);
  }
}

/** A client in the same process. */
class Client {
  #waiting = new Map();
  #id = 0;

  constructor(hornbook) {
    this.connection = hornbook.connect((text) => this.#receive(text));
  }

  /** Does not parse long texts, which would hold the thread too. */
  #receive(text) {
    const [, id] = /"id":(\d+)/.exec(text.slice(-200)) ?? /"id":(\d+)/.exec(text.slice(0, 200)) ?? [];
    this.#waiting.get(Number(id))?.(text);
    this.#waiting.delete(Number(id));
  }

  async request(method, params) {
    this.#id += 1;
    const id = this.#id;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    await watch.aside();
    this.connection.receive(line);
    return answer;
  }

  async call(name, values) {
    const text = await this.request('tools/call', { name, arguments: values });
    assert.doesNotMatch(text.slice(0, 2_000), /"isError":true/, text.slice(0, 2_000));
    return text;
  }
}

let passed = 0;
let failed = 0;
const watch = new Watch();

/** Runs `work`, and prints how long it took and held the thread. */
async function held(what, work) {
  watch.longest();
  const begun = performance.now();
  const result = await work();
  // Freeing memory afterwards counts too.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const longest = watch.longest();
  const good = longest <= BOUND;
  passed += good;
  failed += !good;
  const told = `${what.padEnd(56)} ${Math.round(longest).toString().padStart(6)} ms of ${Math.round(performance.now() - begun)} ms`;
  console.log(good ? told : `${told}: more than ${BOUND} ms`);
  return result;
}

const facts = (name, count) => Array.from({ length: count }, (_, at) => `${name}(${at}, n${at % 1000}).\n`).join('');

await loadCrate();
const path = directory();
const book = join(path, 'book');

async function open() {
  const host = new NodeHost(() => {});
  const store = new FileStore(book);
  const hornbook = await Hornbook.open(host, store, { roots: [path], timeoutMs: 120_000 });
  const client = new Client(hornbook);
  await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  return {
    client,
    async close() {
      hornbook.close();
      host.close();
      await store.close();
    },
  };
}

const { client, close } = await held('open an empty book', open);
const workspace = (operation, values = {}) => client.call('workspace', { operation, ...values });
const text = facts('p', CLAUSES);
await held('import', () => client.call('files', { operation: 'import', filename: 'p.pl', text }));
await held('query', () => client.call('query_start', { query: `p(${CLAUSES - 1}, X)`, take: 1 }));
await held('snapshot', () => workspace('snapshot'));
await held('read the snapshot as a resource', () =>
  client.request('resources/read', { uri: 'prolog://workspace/snapshot' }),
);
await held('list_symbols', () => workspace('list_symbols'));
await held('history', () => workspace('history'));
await held('diff of an import', () => workspace('diff'));
await held('provenance of a predicate', () => workspace('provenance', { of: 'p/2' }));
await held('provenance of a clause', () => workspace('provenance', { of: `p(${CLAUSES - 1}, X)` }));
await held('an unknown procedure', () =>
  client.request('tools/call', { name: 'query_start', arguments: { query: 'pp(1, X)', take: 1 } }),
);
await held('completion', () =>
  client.request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'optimize' },
    argument: { name: 'query', value: 'p' },
  }),
);
await held('files list', () => client.call('files', { operation: 'list' }));
await held('assert of one', () => client.call('clauses', { operation: 'assert', clauses: ['q(1).'] }));
await held('assert of many, as one text', () =>
  client.call('clauses', { operation: 'assert', clauses: [facts('q', CLAUSES / 20)] }),
);
await held('assert of many, as texts', () =>
  client.call('clauses', {
    operation: 'assert',
    clauses: facts('r', CLAUSES / 20)
      .trim()
      .split('\n'),
  }),
);
await held('retract of some', () =>
  client.call('clauses', { operation: 'retract', clauses: facts('r', 500).trim().split('\n') }),
);
await held('predicates, many', () =>
  client.call('files', {
    operation: 'import',
    filename: 's.pl',
    text: Array.from({ length: 40_000 }, (_, at) => `name_${at}(x).\n`).join(''),
  }),
);
await held('list_symbols of many', () => workspace('list_symbols'));
await held('an unknown procedure beside many', () =>
  client.request('tools/call', { name: 'query_start', arguments: { query: 'name_x1(X)', take: 1 } }),
);
await held('undo of many predicates', () => workspace('undo'));
await held('redo of many predicates', () => workspace('redo'));
await held('a query after it', () => client.call('query_start', { query: 'name_39999(X)', take: 1 }));
await held('a query that adds many', () =>
  client.call('query_start', { query: 'forall(between(1, 20000, X), assertz(made(X)))', take: 1 }),
);
await held('a query that takes them', () => client.call('query_start', { query: 'retractall(made(_))', take: 1 }));
const variables = Array.from({ length: 100_000 }, (_, at) => `X${at}`).join(',');
await client.call('files', { operation: 'import', filename: 'w.pl', text: `w([${variables}]).\n` });
await held('provenance of 100,000 variables', () =>
  workspace('provenance', { of: `w([${variables.replaceAll('X', 'Y')}])` }),
);
const mixed = (seed) =>
  Array.from({ length: 100_000 }, (_, at) => `k(${(at * seed + ((at * at) >> 3)) % 3}).\n`).join('');
await held('unimport', () => client.call('files', { operation: 'unimport', filename: 'p.pl' }));
await held('undo of it', () => workspace('undo'));
await held('a query after it, in a new engine', () =>
  client.call('query_start', { query: `p(${CLAUSES - 1}, X)`, take: 1 }),
);
await held('close', close);
const again = await held('open the book again', open);
await held('the first query', () => again.client.call('query_start', { query: `p(${CLAUSES - 1}, X)`, take: 1 }));
await held('reset', () => again.client.call('workspace', { operation: 'reset' }));
await again.client.call('files', { operation: 'import', filename: 'k.pl', text: mixed(7) });
const [, revision] = /"revision":(\d+)/.exec(await again.client.call('workspace', { operation: 'history', steps: 1 }));
await again.client.call('workspace', { operation: 'reset' });
await again.client.call('files', { operation: 'import', filename: 'k.pl', text: mixed(11) });
await held('diff of lines of three kinds', () =>
  again.client.call('workspace', { operation: 'diff', from: Number(revision) }),
);
await again.close();
watch.end();
rmSync(path, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
