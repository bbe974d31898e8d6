// Terms that take long to go through, however few cells they have: of 2^60 parts, 1,000,000 levels, or cyclic. Whatever is
// done with them, and however it ends, whoever waits does not wait long: the limit of the query holds, and what comes after
// the query, its reasons, errors and texts, has limits of its own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';

/** The limit of a query; what comes after it may take an engine's start on a busy machine. */
const LIMIT_MS = 1_000;
const MOST_MS = 20_000;

const BOOK = `sh(0, T, T) :- !.
sh(N, A, T) :- M is N - 1, sh(M, f(A, A), T).
dp(0, T, T) :- !.
dp(N, A, T) :- M is N - 1, dp(M, f(A), T).
big(shared, T) :- sh(60, x, T).
big(deep, T) :- dp(1000000, x, T).
big(cyclic, T) :- T = f(T).
small(T) :- atom(T).
through(T) :- functor(T, f, _), small(T).
:- dynamic kept/1.
`;

const GOALS = [
  'fail',
  'atom(T)',
  'through(T)',
  '\\+ T = f(_)',
  '\\+ T = f(_, _)',
  'maplist(small, [T])',
  'forall(member(X, [T]), small(X))',
  'T = "f"',
  'T == f(a)',
  'T \\== T',
  'member(T, [a, f(b)])',
  'findall(T, fail, [T])',
  'catch(throw(T), _, fail)',
  'true',
  'X = [T, T]',
  'dif(T, X)',
  'freeze(X, small(T))',
  'throw(T)',
  'throw(error(type_error(T, T), T))',
  'X is T',
  'X is 1 + T',
  'atom_length(T, _)',
  'call(T)',
  'call(1, T)',
  'undefined_goal(T)',
  'print(T)',
  'format("~w ~q ~p", [T, T, T])',
  'assertz(kept(T)), fail',
  'assertz((kept(X) :- X = T)), retractall(kept(_))',
  'retract(kept(T))',
  'nb_setval(key, T), nb_getval(key, X), fail',
  'length(T, _)',
  'sort(T, _)',
  'copy_term(T, S), S == T, fail',
];

const CALLS = [
  ['query_start', (query) => ({ query, take: 2, timeout_ms: LIMIT_MS })],
  ['workspace', (of) => ({ operation: 'why', of })],
];

let server;
before(async () => {
  server = await Server.start({ args: ['--timeout', '2000'] });
  await server.import('book.pl', BOOK);
});
after(() => server.close());

/** A call that ends in time, with a reply that says something; the next one is answered, too. */
async function ends(name, values) {
  const begin = Date.now();
  const { text } = await server.call(name, values);
  const took = Date.now() - begin;
  const of = `${name} ${JSON.stringify(values)}`;
  assert.ok(took < MOST_MS, `${of} took ${took} ms`);
  assert.ok(text.length > 0 && text.length < 150_000, of);
  assert.doesNotMatch(text, /No reset|Unknown procedure: attr_unify_hook/, of);
  return text;
}

for (const kind of ['shared', 'deep', 'cyclic']) {
  test(`whatever is done with a ${kind} term ends soon`, { timeout: 600_000 }, async () => {
    for (const [name, values] of CALLS) for (const goal of GOALS) await ends(name, values(`big(${kind}, T), ${goal}`));
    assert.deepEqual(await server.solve('small(a)'), ['true']);
  });

  test(`a constraint that meets a ${kind} term ends soon`, { timeout: 600_000 }, async () => {
    for (const message of ['"~w is large"-[T]', '"large"']) {
      const constraint = `:- constraint((kept(K), big(K, T)), ${message}).`;
      await server.call('clauses', { operation: 'assert', clauses: [constraint] });
      await ends('query_start', { query: `assertz(kept(${kind}))`, take: 1, timeout_ms: LIMIT_MS });
      await server.call('clauses', { operation: 'retract', clauses: [constraint] });
    }
  });
}
