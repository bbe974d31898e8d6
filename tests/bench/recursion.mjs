// Recursive rules as sets over Parquet, beside the best SQL by hand in DuckDB and SWI-Prolog's tabling of the same rules over
// facts. Where SQL's own recursion is for one predicate that calls itself once, the SQL by hand goes round by round,
// with a table for what was new in the last.

const random = (seed) => {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};
const rows = (count, row) => Array.from({ length: count }, (_, n) => row(n));

/**
 * Evaluate by hand: `start` makes the first tuples, and each of `steps` reads those of the last round as `delta`. Returns how
 * many there are.
 */
async function byRounds(connection, columns, start, steps) {
  const list = columns.join(', ');
  const same = columns.map((column) => `k.${column} = n.${column}`).join(' AND ');
  await connection.run(`CREATE OR REPLACE TEMP TABLE found AS SELECT DISTINCT * FROM (${start}) t(${list})`);
  await connection.run('CREATE OR REPLACE TEMP TABLE delta AS FROM found');
  while ((await count(connection, 'SELECT count(*) FROM delta')) > 0) {
    await connection.run(`CREATE OR REPLACE TEMP TABLE delta AS
      SELECT DISTINCT n.* FROM (${steps.join(' UNION ALL ')}) n(${list}) ANTI JOIN found k ON ${same}`);
    await connection.run('INSERT INTO found FROM delta');
  }
  return count(connection, 'SELECT count(*) FROM found');
}

const count = async (connection, text) => Number((await connection.runAndReadAll(text)).getRows()[0][0]);
const CLOSURE = (table) =>
  `WITH RECURSIVE path(a, b) AS (SELECT a, b FROM ${table} UNION SELECT p.a, e.b FROM path p JOIN ${table} e ON p.b = e.a)`;

/**
 * Each case has its tables, whose columns are integers, the rules, the predicate as set whose tuples are counted, and the SQL
 * by hand, which gets the connection; each table is a view there.
 */
export const CASES = [
  {
    what: 'the closure of 10,000 random edges',
    tables: {
      edge: ['a b', (next) => rows(10_000, () => [next(9_000), next(9_000)])],
    },
    sets: ['path/2'],
    rules: 'path(X, Y) :- edge(X, Y). path(X, Y) :- path(X, Z), edge(Z, Y).',
    goal: 'path(_, _)',
    hand: (connection) => count(connection, `${CLOSURE('edge')} SELECT count(*) FROM path`),
  },
  {
    what: 'the closure of a chain of 400',
    tables: { step: ['a b', () => rows(400, (n) => [n, n + 1])] },
    sets: ['path/2'],
    rules: 'path(X, Y) :- step(X, Y). path(X, Y) :- path(X, Z), step(Z, Y).',
    goal: 'path(_, _)',
    hand: (connection) => count(connection, `${CLOSURE('step')} SELECT count(*) FROM path`),
  },
  {
    what: 'same generation in a tree of 2,000',
    tables: { parent: ['a b', () => rows(2_000, (n) => [Math.floor((n + 1) / 2), n + 1])] },
    sets: ['same/2'],
    rules: `same(X, Y) :- parent(P, X), parent(P, Y), X \\== Y.
      same(X, Y) :- parent(P, X), same(P, Q), parent(Q, Y).`,
    goal: 'same(_, _)',
    hand: (connection) =>
      count(
        connection,
        `WITH RECURSIVE same(x, y) AS (SELECT p.b, q.b FROM parent p JOIN parent q ON p.a = q.a WHERE p.b <> q.b UNION
          SELECT p.b, q.b FROM same s JOIN parent p ON p.a = s.x JOIN parent q ON q.a = s.y) SELECT count(*) FROM same`,
      ),
  },
  {
    what: 'shares that 3,000 companies hold, directly and through others',
    tables: {
      // Who owns is of a lower number than what is owned; percent.
      owns: ['a b share', (next) => rows(6_000, (n) => [n % 3_000, (n % 3_000) + 1 + next(400), 10 + next(50)])],
    },
    sets: ['holds/3', 'held/2', 'stake/3'],
    rules: `holds(A, B, S) :- owns(A, B, P), S is P * 10000.
      holds(A, C, S) :- holds(A, B, S1), owns(B, C, P), S is S1 * P // 100, S > 10000.
      held(A, B) :- holds(A, B, _).
      stake(A, B, T) :- held(A, B), aggregate_all(sum(S), holds(A, B, S), T).`,
    goal: 'stake(_, _, _)',
    hand: (connection) =>
      count(
        connection,
        `WITH RECURSIVE holds(a, b, s) AS (SELECT a, b, share * 10000 FROM owns UNION SELECT h.a, o.b, h.s * o.share // 100
          FROM holds h JOIN owns o ON o.a = h.b WHERE h.s * o.share // 100 > 10000)
          SELECT count(*) FROM (SELECT a, b, sum(s) FROM holds GROUP BY a, b)`,
      ),
  },
  {
    what: 'who may see what, by groups and roles',
    tables: {
      member: ['a b', (next) => rows(5_000, (n) => [n, 10_000 + next(1_000)])],
      within: ['a b', (next) => rows(999, (n) => [10_001 + n, 10_000 + next(n + 1)])],
      granted: ['a b', (next) => rows(500, () => [10_000 + next(1_000), 20_000 + next(100)])],
      includes: ['a b', (next) => rows(100, (n) => [20_000 + n, 20_000 + next(n + 1)])],
      permits: ['a b', (next) => rows(300, () => [20_000 + next(100), 30_000 + next(200)])],
      denied: ['a b', (next) => rows(3_000, () => [next(5_000), 30_000 + next(200)])],
    },
    sets: ['in/2', 'role/2', 'sees/2'],
    rules: `in(U, G) :- member(U, G). in(U, G) :- in(U, H), within(H, G).
      role(U, R) :- in(U, G), granted(G, R). role(U, R) :- role(U, Q), includes(Q, R).
      sees(U, D) :- role(U, R), permits(R, D), \\+ denied(U, D).`,
    goal: 'sees(_, _)',
    hand: (connection) =>
      count(
        connection,
        `WITH RECURSIVE in_(u, g) AS (FROM member UNION SELECT i.u, w.b FROM in_ i JOIN within w ON w.a = i.g),
          role(u, r) AS (SELECT DISTINCT i.u, g.b FROM in_ i JOIN granted g ON g.a = i.g
            UNION SELECT q.u, i.b FROM role q JOIN includes i ON i.a = q.r)
          SELECT count(*) FROM (SELECT DISTINCT r.u, p.b FROM role r JOIN permits p ON p.a = r.r
            ANTI JOIN denied d ON d.a = r.u AND d.b = p.b)`,
      ),
  },
  {
    what: 'what 5,000 pointers may point to (Andersen)',
    tables: {
      address: ['a b', (next) => rows(2_000, (n) => [n % 2_000, next(2_000)])],
      copy: ['a b', (next) => rows(3_000, () => [next(5_000), next(5_000)])],
      load: ['a b', (next) => rows(300, () => [next(5_000), next(5_000)])],
      store: ['a b', (next) => rows(300, () => [next(5_000), next(5_000)])],
    },
    sets: ['points/2'],
    rules: `points(P, O) :- address(P, O).
      points(P, O) :- copy(P, Q), points(Q, O).
      points(P, O) :- load(P, Q), points(Q, R), points(R, O).
      points(R, O) :- store(P, Q), points(P, R), points(Q, O).`,
    goal: 'points(_, _)',
    hand: (connection) =>
      byRounds(connection, ['p', 'o'], 'FROM address', [
        'SELECT c.a, d.o FROM copy c JOIN delta d ON d.p = c.b',
        'SELECT l.a, f.o FROM load l JOIN delta d ON d.p = l.b JOIN found f ON f.p = d.o',
        'SELECT l.a, d.o FROM load l JOIN found f ON f.p = l.b JOIN delta d ON d.p = f.o',
        'SELECT d.o, f.o FROM store s JOIN delta d ON d.p = s.a JOIN found f ON f.p = s.b',
        'SELECT f.o, d.o FROM store s JOIN found f ON f.p = s.a JOIN delta d ON d.p = s.b',
      ]),
  },
];

/** The rows of the tables of a case, by name. */
export const tablesOf = ({ tables }) => {
  const next = random(7);
  return Object.entries(tables).map(([name, [columns, make]]) => ({
    name,
    columns: columns.split(' '),
    rows: make(next),
  }));
};
