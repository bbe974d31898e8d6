// How long rules take as sets, beside the best SQL by hand in the same run.
import { call, derived, goal, relation, rule, values } from './building.mjs';
import { random } from './programs.mjs';

const EDGE = relation('edge', 'integer', 'integer');
const closure = (first) => ({
  predicates: [
    EDGE,
    derived(
      'path',
      rule(['X', 'Y'], call('edge', 'X', 'Y')),
      rule(['X', 'Y'], call(first, 'X', 'Z'), call('path', 'Z', 'Y')),
    ),
  ],
});
const RIGHT = closure('edge');
const DOUBLE = closure('path');
const SAME = {
  predicates: [
    EDGE,
    derived(
      'same',
      rule(['X', 'Y'], call('edge', 'P', 'X'), call('edge', 'P', 'Y'), values('X', '\\==', 'Y')),
      rule(['X', 'Y'], call('edge', 'P', 'X'), call('same', 'P', 'Q'), call('edge', 'Q', 'Y')),
    ),
  ],
};

const CLOSURE = `with recursive path(a, b) as
  (select c0, c1 from edge union select p.a, e.c1 from path p join edge e on p.b = e.c0)`;
const REACHED = `with recursive path(b) as
  (select c1 from edge where c0 = 0 union select e.c1 from path p join edge e on p.b = e.c0)`;
const STEP = `select p.c1, q.c1 from edge p join edge q on p.c0 = q.c0 where p.c1 <> q.c1`;
const GENERATION = `with recursive same(x, y) as
  (${STEP} union select p.c1, q.c1 from same s join edge p on p.c0 = s.x join edge q on q.c0 = s.y)`;
const OF_ONE = `with recursive up(x) as (select 4000::bigint union select e.c0 from up join edge e on e.c1 = up.x),
  same(x, y) as (${STEP} and p.c1 in (select x from up) union
    select p.c1, q.c1 from same s join edge p on p.c0 = s.x join edge q on q.c0 = s.y join up on up.x = p.c1)`;

const chain = (length) => Array.from({ length }, (_, n) => [n, n + 1]);
const graph = (edges, nodes) => {
  const next = random(7);
  return Array.from({ length: edges }, () => [Math.floor(next() * nodes), Math.floor(next() * nodes)]);
};
/** Each node's parent is one with half its number. */
const tree = (nodes) => Array.from({ length: nodes }, (_, n) => [Math.floor((n + 1) / 2), n + 1]);

const CASES = [
  [
    'closure of a chain of 1,000 edges',
    chain(1000),
    RIGHT,
    goal('path', 'X', 'Y'),
    `${CLOSURE} select count(*) from path`,
  ],
  [
    'what the start of a chain of 10,000 edges reaches',
    chain(10_000),
    RIGHT,
    goal('path', 0, 'Y'),
    `${REACHED} select count(*) from path`,
  ],
  [
    'closure of 10,000 random edges, 10,000 nodes',
    graph(10_000, 10_000),
    RIGHT,
    goal('path', 'X', 'Y'),
    `${CLOSURE} select count(*) from path`,
  ],
  [
    'the same, as double recursion',
    graph(10_000, 10_000),
    DOUBLE,
    goal('path', 'X', 'Y'),
    `${CLOSURE} select count(*) from path`,
  ],
  [
    'closure of 10,000 random edges, 2,000 nodes',
    graph(10_000, 2_000),
    RIGHT,
    goal('path', 'X', 'Y'),
    `${CLOSURE} select count(*) from path`,
  ],
  [
    'what one node of it reaches',
    graph(10_000, 2_000),
    RIGHT,
    goal('path', 0, 'Y'),
    `${REACHED} select count(*) from path`,
  ],
  [
    'same generation in a tree of 2,000',
    tree(2000),
    SAME,
    goal('same', 'X', 'Y'),
    `${GENERATION} select count(*) from same`,
  ],
  [
    'same generation as one node of 10,000',
    tree(10_000),
    SAME,
    goal('same', 4000, 'Y'),
    `${OF_ONE} select count(*) from same where x = 4000`,
  ],
];

/** Measure, and print a table. */
export async function times(evaluator, database) {
  console.log('| case | tuples | rounds | as sets | SQL by hand |\n|---|---|---|---|---|');
  for (const [name, edges, program, asked, hand] of CASES) {
    await database.run('create table edge (c0 bigint, c1 bigint)');
    await database.run(`insert into edge values ${edges.map((edge) => `(${edge})`).join(', ')}`);
    const start = performance.now();
    const result = await evaluator.evaluate(database, program, asked, { read: false });
    if (result.refused) throw new Error(result.refused);
    const found = await result.count();
    const sets = performance.now() - start;
    await result.clear();
    const before = performance.now();
    const [[expected]] = await database.read({ sql: hand, parameters: [] });
    const sql = performance.now() - before;
    const rounded = (ms) => `${Math.round(ms).toLocaleString('en')} ms`;
    const differs = Number(expected) === found ? '' : ` (${expected} tuples!)`;
    console.log(
      `| ${name} | ${found.toLocaleString('en')} | ${result.rounds} | ${rounded(sets)} | ${rounded(sql)}${differs} |`,
    );
    await database.run('drop table edge');
  }
}
