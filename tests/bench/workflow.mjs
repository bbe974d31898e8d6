// Workflows: the cost of a node, branches on two engines compared with one, and the cost of a stored run at its end
// compared with its start.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { BookSaver } from '../../pkg/langgraph.js';
import { openHornbook } from '../../pkg/node.js';
import { Workflow } from '../../pkg/workflow.js';

const WARM = 200;
const NODES = 1_000;
const BRANCHES = 16;

const ROUND = (most) => `
language: prolog
nodes:
- { name: up, run: "state(n, N), M is N + 1, return(n, M).", goto: [{ if: "state.n < ${most}", to: up }, { to: __end__ }] }
`;

const ACTIONS = 500;

/** The same graph as LangGraph's below: a JavaScript node that counts until it reaches the limit. */
const COUNTING = `
nodes:
- { name: up, uses: up, goto: [{ if: "state.n < ${ACTIONS}", to: up }, { to: __end__ }] }
`;

const HEAVY = `
language: prolog
nodes:
- { name: start }
${Array.from({ length: BRANCHES }, (_, at) => `- { name: b${at}, run: "numlist(1, 150000, L), foldl([X, A, B]>>(B is (A + X * X) mod 1000003), L, 0, S), return(s, S)." }`).join('\n')}
- { name: join, run: "state(parallel_results, Rs), length(Rs, N), return(n, N)." }
edges:
${Array.from({ length: BRANCHES }, (_, at) => `- { from: start, to: b${at}, type: parallel, fan_in: join }\n- { from: b${at}, to: join }`).join('\n')}
`;

/** Milliseconds from the end of each node to the end of the next, in one run. */
async function paces(workflow, state, options) {
  const ends = [];
  for await (const event of workflow.run(state, options)) {
    if (event.type === 'node_end') ends.push(performance.now());
    if (event.type === 'error') throw new Error(event.error);
  }
  return ends.slice(1).map((end, at) => end - ends[at]);
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function elapsed(workflow) {
  const began = performance.now();
  await paces(workflow, {});
  return performance.now() - began;
}

/** The CPU time of each thread of this process, in hundredths of a second; empty if the system does not report it. */
function threads() {
  const folder = '/proc/self/task';
  const ids = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    ids.map((id) => {
      const [user, system] = readFileSync(`${folder}/${id}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
      return [id, Number(user) + Number(system)];
    }),
  );
}

/**
 * The CPU time of the busiest thread in a run, which shows how work is shared among engines, however busy the machine
 * is.
 */
async function busiest(workflow) {
  const before = threads();
  await paces(workflow, {});
  return Math.max(...[...threads()].map(([id, time]) => time - (before.get(id) ?? 0)));
}

/** Milliseconds per node, for `run` with a new book. */
async function inBook(run) {
  const folder = await mkdtemp(join(tmpdir(), 'hornbook-bench-'));
  const { hornbook, close } = await openHornbook({}, () => {}, join(folder, 'b.book'));
  try {
    return await run(hornbook);
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A JavaScript node, stored: Hornbook's workflow, and LangGraph's graph with a checkpointer on the same kind of book.
 */
async function kept() {
  const ours = await inBook(async (book) => {
    const counting = await Workflow.load(COUNTING, { book, actions: { up: (_, { state }) => ({ n: state.n + 1 }) } });
    const began = performance.now();
    await paces(counting, { n: 0 });
    const spent = performance.now() - began;
    counting.close();
    return spent / ACTIONS;
  });
  const theirs = await inBook(async (book) => {
    const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
      .addNode('up', ({ n }) => ({ n: n + 1 }))
      .addEdge(START, 'up')
      .addConditionalEdges('up', ({ n }) => (n < ACTIONS ? 'up' : END))
      .compile({ checkpointer: new BookSaver(book) });
    const began = performance.now();
    const { n } = await graph.invoke(
      { n: 0 },
      { configurable: { thread_id: 't' }, recursionLimit: ACTIONS + 1, durability: 'sync' },
    );
    if (n !== ACTIONS) throw new Error(`LangGraph counted to ${n}`);
    return (performance.now() - began) / ACTIONS;
  });
  return { ours: 1_000 * ours, theirs: 1_000 * theirs };
}

export async function workflow(rounds) {
  const warm = [];
  const gain = [];
  const shared = [];
  const ours = [];
  const theirs = [];
  const time = [];
  const bytes = [];
  const small = await Workflow.load(ROUND(WARM), { engines: 1 });
  const [one, two] = [await Workflow.load(HEAVY, { engines: 1 }), await Workflow.load(HEAVY, { engines: 2 })];
  // Engines start when they are first needed.
  await paces(small, { n: 0 });
  await elapsed(one);
  await elapsed(two);
  for (let round = 0; round < rounds; round += 1) {
    warm.push(1_000 * median(await paces(small, { n: 0 })));
    gain.push((await elapsed(one)) / (await elapsed(two)));
    if (threads().size > 0) shared.push((await busiest(one)) / (await busiest(two)));
    const beside = await kept();
    ours.push(beside.ours);
    theirs.push(beside.theirs);
    const folder = await mkdtemp(join(tmpdir(), 'hornbook-bench-'));
    const path = join(folder, 'b.book');
    const { hornbook, close } = await openHornbook({}, () => {}, path);
    const long = await Workflow.load(ROUND(NODES), { engines: 1, book: hornbook });
    const sizes = [];
    const ends = [];
    const state = { n: 0, text: 'x'.repeat(100_000) };
    for await (const event of long.run(state)) {
      if (event.type !== 'node_end') continue;
      ends.push(performance.now());
      if (ends.length % 100 === 0) sizes.push((await stat(path)).size);
    }
    const steps = ends.slice(1).map((end, at) => end - ends[at]);
    time.push(median(steps.slice(-100)) / median(steps.slice(0, 100)));
    bytes.push((sizes.at(-1) - sizes.at(-2)) / (sizes[1] - sizes[0]));
    long.close();
    await close();
    await rm(folder, { recursive: true, force: true });
  }
  for (const loaded of [small, one, two]) loaded.close();
  return [
    { what: 'a warm node of Prolog', values: warm, goal: 500, unit: 'µs' },
    { what: 'a node of JavaScript, kept in a book', values: ours, unit: 'µs' },
    { what: 'the same in LangGraph.js, kept in a book', values: theirs, unit: 'µs' },
    { what: `${BRANCHES} heavy branches: one engine / two`, values: gain, goal: 1.6, unit: 'ratio', atLeast: true },
    ...(shared.length > 0
      ? [{ what: '  by the work of the busiest thread', values: shared, goal: 1.6, unit: 'ratio', atLeast: true }]
      : []),
    { what: `a checkpoint, time: last 100 of ${NODES} / first`, values: time, goal: 1.5, unit: 'ratio' },
    { what: `a checkpoint, bytes: last 100 of ${NODES} / first`, values: bytes, goal: 1.1, unit: 'ratio' },
  ];
}
