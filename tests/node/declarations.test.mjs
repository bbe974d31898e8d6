// What a directive declares is so after its revision is undone and redone, and after a reload without it is undone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBook } from '../../pkg/index.js';

// Each directive with clauses, and a goal that has another outcome without the directive.
const CASES = [
  [':- det(d/1).\nd(1).\nd(2).', 'catch((d(_), fail), error(determinism_error(_, _, _, _), _), true)'],
  [':- meta_predicate mm(:, -).\nmm(M:_, M).', 'foo:mm(x, foo)'],
  [':- op(700, xfx, ===>).\np(1).', "X = 'a ===> b', term_to_atom(T, X), T =.. [_, a, b]"],
  [':- table t/1.\nt(X) :- t(X).\nt(1).', 't(1)'],
  [':- dynamic nothing/1.', '\\+ nothing(_)'],
  [':- use_module(library(reif)).\nr(T) :- if_(1 = 1, T = yes, T = no).', 'r(yes)'],
  [
    ':- det(e/1), dynamic(f/1).\ne(1).\ne(2).',
    'catch((e(_), fail), error(determinism_error(_, _, _, _), _), \\+ f(_))',
  ],
];

for (const [text, goal] of CASES) {
  const [directive] = text.split('\n');
  test(`${directive} holds after undo and redo, and after a reload is undone`, async () => {
    const book = await openBook({});
    const holds = async (when) => assert.equal((await book.all(goal)).length, 1, when);
    try {
      await book.import('it.pl', text);
      await holds('imported');
      await book.undo();
      await book.redo();
      await holds('redone');
      await book.import('it.pl', `other(1).\n${text.slice(directive.length + 1)}`);
      await book.undo();
      await holds('reload undone');
    } finally {
      await book.close();
    }
  });
}

// Each program with a goal, and what its error says.
const ENDS = [
  [
    ':- det(s/2). s(1, X) => member(X, [1, 2]).',
    's(1, X)',
    /: s\/2 \(by member\/2\) left a choice point in its last goal, and its `:- det`/,
  ],
  [
    ':- det(v/1). v(X) :- u(X). u(X) :- member(X, [1, 2]).',
    'v(X)',
    /: v\/1 \(by member\/2\) left a choice point in its/,
  ],
  [':- det([a/1, c/1]). a(X) :- member(X, [1, 2]). c(X) :- member(X, [3]).', 'a(X)', /: a\/1 \(by member\/2\) left/],
  [':- det(d/1). d(X) :- e(X). e(2).', 'd(1)', /: d\/1 \(by e\/1\) failed in its last goal/],
  [':- det(d/1). d(X) :- member(X, []).', 'd(1)', /: d\/1 \(by member\/2\) failed/],
  [':- det(d/1). d(X) :- catch(X > 3, _, fail).', 'd(1)', /: d\/1 failed, and its `:- det`/],
  [':- det(d/1). d(X) :- e(X). e(X) :- catch(X > 3, _, fail).', 'd(1)', /: d\/1 \(by e\/1\) failed/],
  [':- det([d/1, x/1]). x(G) :- call(G). d(X) :- e(X). e(2).', 'x(e(1))', /: x\/1 failed, and its `:- det`/],
  [':- det(d/1). d(1). d(2).', 'd(X)', /: d\/1 left a choice point, and its `:- det`/],
  [
    ':- det([v/1, w/1]). v(X) :- u(X). w(X) :- u(X). u(X) :- member(X, [1, 2]).',
    'w(X)',
    /: member_?\/[23] left a choice point, which was the last goal/,
  ],
];

for (const [clauses, goal, said] of ENDS) {
  test(`the error of ${goal} after ${clauses} names what is det, if that is sure`, async () => {
    const book = await openBook({});
    try {
      await book.assert(clauses);
      await assert.rejects(book.all(goal), said);
    } finally {
      await book.close();
    }
  });
}

test('what det/1 declares is checked behind a catch/3 that ends the clause, not within it', async () => {
  const book = await openBook({});
  try {
    await book.assert(
      ':- det(price/2). price(I, P) :- catch(lookup(I, P), _, P = unknown). lookup(tea, 3). lookup(tea, 4). lookup(milk, 1).',
    );
    await assert.rejects(book.all('price(tea, P)'), /price\/2 left a choice point, and its `:- det`/);
    assert.equal((await book.all('price(milk, 1)')).length, 1);
    assert.equal((await book.all('clause(price(_, _), catch(lookup(_, _), _, _ = unknown))')).length, 1, 'as written');
  } finally {
    await book.close();
  }
});

test('a catch/3 is shown as it was written, with true/0 behind it and without', async () => {
  const book = await openBook({});
  try {
    for (const body of [
      'catch(p,_,q)',
      '(catch(p,_,q),true)',
      '(catch(p,_,q),r)',
      '((catch(p,_,q),true);r)',
      '(r,catch(p,E,throw(E)))',
    ]) {
      const goal = `retractall(a), assertz((a :- ${body})), clause(a, B), B = ${body}, \\+ (clause(a, C), C \\= ${body})`;
      assert.equal((await book.all(goal)).length, 1, body);
    }
  } finally {
    await book.close();
  }
});
