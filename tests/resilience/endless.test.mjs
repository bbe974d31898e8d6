// Queries that never end are answered in time, whatever they do, and leave the workspace whole.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../node/harness.mjs';

const LIMIT = 1000;
/** How late an answer may be, in milliseconds: an engine that must be ended is given `grace_ms` before. */
const LATE = 700;
/** A busy machine may delay anything, but a query that cannot be stopped is late every time. */
const ATTEMPTS = 3;

const PROGRAM = `
loop :- loop.
deep :- deep, true.
longer([_|T]) :- longer(T).
again :- catch(again_, _, again).
again_ :- repeat, fail.
within :- catch(within, _, true), within.
doubled(A) :- atom_concat(A, A, B), doubled(B).
asserting(N) :- assertz(made(N)), M is N + 1, asserting(M).
replacing(N) :- retractall(made(_)), assertz(made(N)), M is N + 1, replacing(M).
declaring(N) :- atom_concat(p, N, Name), dynamic(Name/1), M is N + 1, declaring(M).
writing :- repeat, write(x), flush_output, fail.
:- table fibonacci/2.
fibonacci(0, 0).
fibonacci(N, F) :- M is N + 1, fibonacci(M, F).
kept(1).
`;

const TIMEOUT = ['timeout'];
/** By what they do: the goal, and the kinds of error that may end it. */
const ENDLESS = {
  'repeat, fail': ['repeat, fail', TIMEOUT],
  'pure recursion': ['loop', TIMEOUT],
  'recursion that grows the stack': ['deep', ['timeout', 'resource_error']],
  'recursion that grows a term': ['longer(L)', ['timeout', 'resource_error']],
  'a huge power': ['X is 7**(7**9)', ['timeout', 'resource_error']],
  'a huge power, without brackets': ['X is 7^7^9', ['timeout', 'resource_error']],
  'a huge multiplication': ['X is 3**20000000 * 5**20000000', ['timeout', 'resource_error']],
  'lists of every length': ['length(L, N), N < 0', ['timeout', 'resource_error']],
  'a list of 50,000,000 elements': ['numlist(1, 50000000, L)', ['timeout', 'resource_error']],
  'all answers of what never ends': ['findall(X, repeat, L)', ['timeout', 'resource_error']],
  'a loop that catches everything': ['again', TIMEOUT],
  'a catch within a catch': ['within', ['timeout', 'resource_error']],
  'cleanup that never ends': ['setup_call_cleanup(true, true, (repeat, fail))', TIMEOUT],
  'cleanup that never ends, of a goal that never ends': [
    'setup_call_cleanup(true, (repeat, fail), (repeat, fail))',
    TIMEOUT,
  ],
  'setup that never ends': ['setup_call_cleanup((repeat, fail), true, true)', TIMEOUT],
  'an atom that doubles': ['doubled(ab)', ['timeout', 'resource_error', 'out_of_memory']],
  'a search too large': ['length(L, 14), L ins 1..13, all_different(L), label(L)', TIMEOUT],
  'all permutations': ['numlist(1, 30, L), permutation(L, [30, 29|_]), fail', TIMEOUT],
  'tabling without an end': ['fibonacci(1, F)', ['timeout', 'resource_error']],
  'assertions without an end': ['asserting(0)', TIMEOUT],
  'retractions without an end': ['replacing(0)', TIMEOUT],
  'declarations without an end': ['declaring(0)', TIMEOUT],
  'output without an end': ['writing', ['timeout', 'resource_error']],
  'a wait for what never comes': ['freeze(X, true), repeat, nonvar(X)', TIMEOUT],
};

let server;
before(async () => (server = await Server.start()));
after(() => server.close());

/** Runs a query; returns its result, and how many milliseconds after its limit that came. */
async function timed(query) {
  await server.solve('kept(_)');
  const begun = performance.now();
  const result = await server.call('query_start', { query, take: 1, timeout_ms: LIMIT });
  return { result, late: performance.now() - begun - LIMIT };
}

for (const [title, [query, kinds]] of Object.entries(ENDLESS)) {
  test(`${title}: ${query}`, async (t) => {
    await server.reset();
    await server.import('program', PROGRAM);
    const whole = await server.snapshot();
    const symbols = (await server.ok('workspace', { operation: 'list_symbols' })).text;
    for (let attempt = 1; ; attempt++) {
      const { result, late } = await timed(query);
      assert.equal(result.isError, true, result.text);
      assert.ok(kinds.includes(result.data.error.kind), result.text);
      t.diagnostic(`${result.data.error.kind}, ${Math.round(late)} ms after the limit`);
      assert.equal(await server.snapshot(), whole);
      if (late <= LATE) break;
      assert.ok(attempt < ATTEMPTS, `${Math.round(late)} ms late`);
    }
    assert.deepEqual(await server.solve('kept(X)'), ['X = 1']);
    await server.fails('query_start', { query: 'made(_)', take: 1 }, 'existence_error');
    assert.equal((await server.ok('workspace', { operation: 'list_symbols' })).text, symbols);
  });
}

test('other open queries live on if the engine does, and otherwise go on in the next one', async () => {
  await server.reset();
  await server.import('program', PROGRAM);
  await server.ok('query_start', { query: 'member(X, [a, b, c])', query_id: 'other' });
  await server.fails('query_start', { query: 'repeat, fail', take: 1, timeout_ms: 200 }, 'timeout');
  assert.equal((await server.ok('query_next', { query_id: 'other' })).data.answers[0].X, 'a');
  const { text } = await server.fails('query_start', { query: 'loop', take: 1, timeout_ms: 200 }, 'timeout');
  assert.match(text, /engine is restarted and the workspace is intact; 1 open query will continue when asked for more/);
  assert.equal((await server.ok('query_next', { query_id: 'other' })).data.answers[0].X, 'b');
});

test('a limit applies to each call: earlier answers stay, and a later step may time out on its own', async () => {
  await server.reset();
  await server.ok('query_start', { query: 'X = 1 ; repeat, fail', query_id: 'late', timeout_ms: 300 });
  assert.equal((await server.ok('query_next', { query_id: 'late' })).data.answers[0].X, '1');
  await server.fails('query_next', { query_id: 'late', timeout_ms: 300 }, 'timeout');
});
