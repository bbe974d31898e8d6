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

test('the error of a predicate that is det names it where its last goal leaves a choice point', async () => {
  const book = await openBook({});
  try {
    await book.assert(':- det(s/2). s(1, X) => member(X, [1, 2]).');
    await assert.rejects(
      book.all('s(1, X)'),
      /s\/2 \(by member\/2\) left a choice point in its last goal, and its `:- det`/,
    );
    await book.assert(':- det(v/1). v(X) :- u(X). u(X) :- member(X, [1, 2]).');
    await assert.rejects(book.all('v(X)'), /s\/2 \(by member\/2\) or v\/1 \(by member\/2\) left a choice point/);
  } finally {
    await book.close();
  }
});
