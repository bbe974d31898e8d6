// The memory's tools on a large memory: the cost of a call over stdio, whether it grows with the memory, and a restart.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BIN } from '../support/stdio.mjs';
import { timed } from './queries.mjs';
import { server, started } from './server.mjs';

const WORDS = ['cache', 'index', 'parser', 'socket', 'ledger', 'planner', 'replica', 'shard', 'token', 'vector'];
const SMALL = 1_000;
const MIDDLE = 10_000;
const LARGE = 100_000;
/** Calls of each kind per round. */
const CALLS = 40;
/** A widely used memory server, for comparison on the same work; installed beside when first measured. */
const OTHER = '@modelcontextprotocol/server-memory';
const OTHER_VERSION = '2026.8.31';

export async function graph(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-bench-'));
  const restarts = [];
  const costs = new Map();
  for (const nodes of [SMALL, MIDDLE, LARGE]) {
    const book = join(folder, `${nodes}.book`);
    const file = join(folder, `${nodes}.jsonl`);
    writeFileSync(file, lines(nodes));
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'memory', 'import', file, '--book', book]);
    if (status !== 0) throw new Error(String(stderr));
    if (nodes === MIDDLE) {
      for (let round = 0; round < rounds; round += 1) restarts.push(await timed(() => opened(book)));
    }
    costs.set(nodes, await measured(book, nodes, rounds));
  }
  const theirs = await otherMeasured(folder, rounds);
  rmSync(folder, { recursive: true });
  const rows = [
    { what: 'memory of 10,000 nodes: restart to the first answer', values: restarts, goal: 2_000, unit: 'ms' },
  ];
  for (const [kind, values] of costs.get(MIDDLE)) {
    const goal = kind.startsWith('related') ? 50_000 : 5_000;
    rows.push({ what: `memory of 10,000 nodes: ${kind}`, values, goal, unit: 'µs' });
    const other = theirs?.get(kind);
    if (other) rows.push({ what: '  the same in server-memory', values: other, unit: 'µs' });
    const ratios = values.map((_, round) => costs.get(LARGE).get(kind)[round] / costs.get(SMALL).get(kind)[round]);
    rows.push({ what: `  100,000 nodes to 1,000: ${kind}`, values: ratios, goal: 1.5, unit: 'ratio' });
  }
  return rows;
}

async function opened(book) {
  const memory = await server('--tools', 'memory', '--book', book);
  await memory.call('kn_graph', { action: 'status' });
  await memory.close();
}

/** The same nodes and edges in server-memory, if it can be installed, with the calls that it supports. */
async function otherMeasured(folder, rounds) {
  const place = join(homedir(), '.cache', 'hornbook', `server-memory-${OTHER_VERSION}`);
  const main = join(place, 'node_modules', OTHER, 'dist', 'index.js');
  if (!existsSync(main)) {
    mkdirSync(place, { recursive: true });
    const npm = ['install', '--prefix', place, '--no-audit', '--no-fund', `${OTHER}@${OTHER_VERSION}`];
    if (spawnSync('npm', npm, { stdio: 'ignore' }).status !== 0) {
      console.error(`bench: ${OTHER} cannot be installed, and is left out`);
      return undefined;
    }
  }
  const file = join(folder, 'server-memory.jsonl');
  const told = [];
  for (const line of lines(MIDDLE).split('\n')) {
    const { node, edge } = JSON.parse(line);
    if (node) {
      const { id: name, type: entityType, name: called, description } = node;
      told.push({ type: 'entity', name, entityType, observations: [called, description] });
    }
    if (edge) {
      const { source_id: from, target_id: to, type: relationType } = edge;
      told.push({ type: 'relation', from, to, relationType });
    }
  }
  writeFileSync(file, told.map((record) => JSON.stringify(record)).join('\n'));
  const memory = await started([main], { MEMORY_FILE_PATH: file });
  let turn = 0;
  const word = () => WORDS[turn++ % WORDS.length];
  const id = () => `n${(turn++ * 7_919) % MIDDLE}`;
  const entity = (name, entityType, said) => [
    'create_entities',
    { entities: [{ name, entityType, observations: [said] }] },
  ];
  const costs = await costsOf(
    memory,
    {
      add: () => entity(`bench${turn}`, 'service', `${word()} ${word()} ${turn}`),
      connect: () => ['create_relations', { relations: [{ from: id(), to: id(), relationType: `bench${turn}` }] }],
      'query by text': () => ['search_nodes', { query: `${word()} ${turn % MIDDLE}` }],
      learn: () => entity(`learned${turn}`, 'gotcha', `the ${word()} needs ${turn}`),
      'related, depth 1': () => ['open_nodes', { names: [id()] }],
    },
    Math.min(rounds, 3),
    5,
  );
  await memory.close();
  return costs;
}

/** The median of each kind of call in microseconds, per round. */
async function measured(book, nodes, rounds) {
  const memory = await server('--tools', 'memory', '--book', book);
  let turn = 0;
  const word = () => WORDS[turn++ % WORDS.length];
  const id = () => `n${(turn++ * 7_919) % nodes}`;
  const kinds = {
    add: () => ['kn_graph', { action: 'add', name: `${word()} ${word()} ${turn}`, type: 'service' }],
    connect: () => ['kn_graph', { action: 'connect', source_id: id(), target_id: id(), edge_type: `bench${turn}` }],
    'query by text': () => ['kn_graph', { action: 'query', text: `${word()} ${turn % nodes}` }],
    'query by type': () => ['kn_graph', { action: 'query', node_type: 'service', limit: 20 }],
    recall: () => ['kn_intel', { action: 'recall', topic: `${word()} ${word()}` }],
    context: () => ['kn_intel', { action: 'context', keywords: `${word()} ${word()}` }],
    learn: () => ['kn_intel', { action: 'learn', content: `the ${word()} needs ${turn}`, type: 'gotcha' }],
  };
  for (const depth of [1, 2, 3, 4, 5]) {
    kinds[`related, depth ${depth}`] = () => ['kn_intel', { action: 'related', node_id: id(), depth, limit: 50 }];
  }
  const costs = await costsOf(memory, kinds, rounds, CALLS);
  await memory.close();
  return costs;
}

/** The median of `calls` calls of each kind in microseconds, per round. */
async function costsOf(memory, kinds, rounds, calls) {
  const costs = new Map(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [kind, call] of Object.entries(kinds)) {
      const times = [];
      for (let n = 0; n < calls; n += 1) {
        const [tool, args] = call();
        times.push(1_000 * (await timed(() => memory.call(tool, args))));
      }
      times.sort((a, b) => a - b);
      if (round >= 0) costs.get(kind).push(times[calls >> 1]); // the first round warms up
    }
  }
  return costs;
}

/** This many nodes, five times as many edges, and a fifth as many experiences, up to 2,000. */
function lines(nodes) {
  const told = [];
  const life = { created_at: Date.now() - 86_400_000 };
  const words = (n) => `${WORDS[n % 10]} ${WORDS[(n * 7 + 3) % 10]} ${n}`;
  let number = 0;
  for (let n = 0; n < nodes; n += 1) {
    const kept = { id: `n${n}`, number: number++, namespace: 'knowledge', type: 'service', name: words(n), life };
    told.push({ node: { ...kept, description: `about ${words(n + 1)}`, source_type: 'import' } });
  }
  for (let n = 0; n < 5 * nodes; n += 1) {
    const [source, target] = [n % nodes, (n * 7_919 + 13) % nodes];
    const ends = { source_id: `n${source}`, target_id: `n${target}`, type: `t${Math.floor(n / nodes)}` };
    told.push({ edge: { ...ends, number: number++, weight: 1, life } });
  }
  for (let n = 0; n < Math.min(2_000, nodes / 5); n += 1) {
    const kept = { id: `x${n}`, number: number++, namespace: 'knowledge', type: 'gotcha', content: `mind ${words(n)}` };
    told.push({ experience: { ...kept, confidence: 'high', tags: [], learned_at: life.created_at, times: 1, life } });
  }
  return told.map((record) => JSON.stringify(record)).join('\n');
}
