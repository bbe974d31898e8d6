// Arguments that a meta_predicate declaration marks get their module as in SWI-Prolog, in text with a header and without.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { directory, Server } from './harness.mjs';

const FILES = {
  'tools.pl': `:- module(tools, [told/2, twice/1, each/2, passed_on/2, remembered/1, said//1]).
:- meta_predicate told(:, -), twice(0), each(1, ?), passed_on(0, -), remembered(:).
:- dynamic kept/2.
told(M:G, M-G).
twice(G) :- call(G), call(G).
each(_, []).
each(G, [X|Xs]) :- call(G, X), each(G, Xs).
passed_on(G, T) :- told(G, T).
remembered(M:T) :- ( kept(M, T) -> true ; assertz(kept(M, T)) ).
hidden(7).
inside(T) :- told(hidden(_), T).
inside_each :- each(hidden, [7]).
said(X) --> [X].
`,
  'main.pl': `:- use_module(tools).
:- meta_predicate run(:), goal(0, -), closure(1, -), second(2, -), text(//, -), set(^, -), plain(?, +, -), all(?, ^, -),
       each1(1, ?), asked(0).
run(M:G) :- M:G.
goal(G, G).
closure(G, G).
second(G, G).
text(G, G).
set(G, G).
plain(G, _, G).
all(T, G, L) :- bagof(T, G, L).
each1(_, []).
each1(G, [X|Xs]) :- call(G, X), each1(G, Xs).
asked(p(_)).
p(1).
p(2).
q(1, a).
q(2, a).
az --> [a], az.
az --> [].
given(G, T) :- goal(G, T).
whole(T, G, L) :- phrase(G, L, []), T = G.
known(L) :- X = p, closure(X, L).
asserted(T) :- assertz((made(G, T0) :- goal(G, T0))), made(p(1), T).
`,
};

// Each goal with what findall(T, Goal, L) gives.
const CASES = [
  ['run(member(T, [1]))', '[1]'],
  ['run(lists:append([1], [2], T))', '[[1,2]]'],
  ['goal(p(1), T)', '[user:p(1)]'],
  ['goal(lists:append([], [], []), T)', '[lists:append([],[],[])]'],
  ['goal(user:lists:append([], [], []), T)', '[lists:append([],[],[])]'],
  ['closure(p, T)', '[user:p]'],
  ['second(q(1), T)', '[user:q(1)]'],
  ['text(az, T)', '[user:az]'],
  ['set(x^p(x), T)', '[user:x^p(x)]'],
  ['plain(p(1), p(1), T)', '[p(1)]'],
  ['closure(3, T)', '[user:3]'],
  ['all(X, Y^q(X, Y), T)', '[[1,2]]'],
  ['all(X, user:Y^q(X, Y), T)', '[[1,2]]'],
  ['(each1(p, [1,2]), T = yes)', '[yes]'],
  ['(each1([X]>>p(X), [1]), T = yes)', '[yes]'],
  ['(asked(p(_)), T = yes)', '[]'],
  ['given(p(1), T)', '[user:p(1)]'],
  ['given(user:p(1), T)', '[user:p(1)]'],
  ['given(tools:hidden(1), T)', '[tools:hidden(1)]'],
  ['known(T)', '[user:p]'],
  ['(member(G, [p(1),user:p(2),tools:x]), goal(G, T))', '[user:p(1),user:p(2),tools:x]'],
  ['maplist(closure, [p,tools:p], T)', '[[user:p,tools:p]]'],
  ['call(goal(p(1)), T)', '[user:p(1)]'],
  ['(G = goal(p(1), T), G)', '[user:p(1)]'],
  ['(member(C, [goal,closure]), call(C, p, T))', '[user:p,user:p]'],
  ['foldl([X,A0,A]>>(goal(X, Y), A = [Y|A0]), [a,b], [], T)', '[[user:b,user:a]]'],
  ['(text(az, G), phrase(G, [a,a], R), length(R, T))', '[0,1,2]'],
  ['(run(assertz(fresh(1))), fresh(T))', '[1]'],
  ['asserted(T)', '[user:p(1)]'],
  ['told(p(1), T)', '[user-p(1)]'],
  ['told(tools:p(1), T)', '[tools-p(1)]'],
  ['told([a], T)', '[user-[a]]'],
  ['passed_on(p(1), T)', '[user-p(1)]'],
  ['tools:inside(M-hidden(_)), T = M', '[tools]'],
  ['(tools:inside_each, T = yes)', '[yes]'],
  ['(twice(p(1)), T = yes)', '[yes]'],
  ['(each(p, [1]), T = yes)', '[yes]'],
  ['(remembered(p(1)), remembered(user:p(1)), tools:kept(M, X), T = M-X)', '[user-p(1)]'],
];

test('the table says what SWI-Prolog does', (t) => {
  const goals = CASES.map(([goal]) => `:- initialization((findall(T, (${goal}), L), print(L), nl)).\n`);
  const cwd = directory({ ...FILES, 'cases.pl': `:- [main].\n${goals.join('')}` });
  const run = spawnSync('swipl', ['-q', '-f', 'none', '-g', 'halt', join(cwd, 'cases.pl')], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (run.error?.code === 'ENOENT') return t.skip('there is no swipl here');
  assert.equal(run.stderr, '');
  const said = run.stdout.trim().split('\n');
  assert.deepEqual(said.length, CASES.length);
  CASES.forEach(([goal, expected], i) => {
    assert.equal(said[i], expected, goal);
  });
});

test('arguments that are goals get their module as in SWI-Prolog', async (t) => {
  const server = await Server.start({ files: FILES });
  t.after(() => server.close());
  await server.import('main.pl');
  for (const [goal, expected] of CASES) {
    assert.deepEqual(
      (await server.solve(`findall(T, (${goal}), Values)`)).map((one) => one.replace(/^.*Values = /, '')),
      [expected],
      goal,
    );
  }
  // What is shown is what was written.
  const why = await server.call('workspace', { operation: 'why', of: 'given(p(1), _)' });
  assert.match(why.text, /^given\(p\(1\), ?.*\n {2}goal\(p\(1\), ?user:p\(1\)\) {2}% .*main\.pl:\d+$/m);
  const book = await server.snapshot();
  assert.match(book, /^made\(A, B\) :-\s+goal\(A, B\)\./m);
});
