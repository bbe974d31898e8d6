// Drafts: an agent proposes, a person decides, and nothing of it counts before.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReviewDesk } from '../../pkg/book/desk.js';
import { review } from '../../pkg/cli/review.js';
import { consequences, openBook } from '../../pkg/index.js';
import { openHornbook } from '../../pkg/node.js';
import { Client } from '../../pkg/client.js';
import { BookServer } from '../support/book-server.mjs';
import { hornbook, newBooks } from '../support/command.mjs';

const { directory, newBook } = newBooks('review');
/** An agent under review, and another client that writes at once, on one book. */
async function withBoth(body, ...args) {
  const book = newBook();
  const other = new BookServer(book);
  await other.assert('edge(a, b).', 'path(X, Y) :- edge(X, Y).', 'path(X, Y) :- edge(X, Z), path(Z, Y).');
  const agent = new BookServer(book, '--review', ...args);
  try {
    await body({ book, agent, other });
  } finally {
    await Promise.all([agent.end(), other.end()]);
  }
}

test('an agent sees its draft, others do not until a person accepts it, and the agent reads who did', async () => {
  await withBoth(async ({ book, agent, other }) => {
    await agent.assert('edge(b, c).');
    assert.deepEqual(await agent.values('path(a, X)'), '[b,c]');
    assert.deepEqual(await other.values('path(a, X)'), '[b]');
    await other.assert('edge(c, d).');
    assert.deepEqual(await agent.values('path(a, X)'), '[b,c,d]');
    const shown = await hornbook('review', book, '--goal', 'path(a, X)');
    assert.equal(shown.stderr, '');
    assert.match(
      shown.stdout,
      /^agent: 1 operation .*on revision \d+\n {2}\d+ {2}\S+ \S+ {2}assert\n\n\+ edge\(b, c\)\.\n/,
    );
    assert.match(shown.stdout, /\?- path\(a, X\)\.\n\+ X = c\n(?: {4}.*\n)* {4}.*edge\(b,c\)/);
    assert.match(shown.stdout, /\+ X = d\n/);
    const done = await hornbook('review', book, 'agent', '--accept', '--by', 'ann', '--reason', 'well found');
    assert.deepEqual([done.code, done.stderr], [0, '']);
    assert.match(done.stdout, /1 operation accepted \(\+1 -0\): revision \d+\n$/);
    assert.deepEqual(await other.values('path(a, X)'), '[b,c,d]');
    assert.match(await agent.text('query_start', { query: 'true', take: 1 }), /ann accepted your change: well found\./);
    assert.match(await other.text('workspace', { operation: 'history' }), /accept/);
    assert.match(await agent.text('workspace', { operation: 'undo' }), /nothing to undo/i);
    assert.equal((await hornbook('review', book)).stdout, 'There is nothing to review.\n');
  });
});

test('what needs no engine does not wait for that of a draft', async () => {
  const book = await openBook();
  await book.import('many.pl', Array.from({ length: 50_000 }, (_, n) => `many(${n}).`).join('\n'));
  const first = await book.draft('agent');
  await first.book.assert('p(1).', 'p(2).');
  await first.book.assert('p(3).');
  await first.close();
  for (const decide of ['accept', 'reject']) {
    const draft = await book.draft('agent');
    const order = [];
    const asked = draft.book.all('many(7)').then(() => order.push('asked'));
    const { operations } = await draft.proposal();
    order.push('proposal');
    await asked;
    assert.deepEqual(order, ['proposal', 'asked'], decide);
    const some = await book.draft('agent', [operations[0].key]);
    const later = some.book.all('many(7)').then(() => order.push('asked'));
    await some.proposal();
    await some[decide]({ by: 'ann' });
    order.push(decide);
    await later;
    assert.deepEqual(order.slice(2), [decide, 'asked']);
    await some.close();
    await draft.close();
  }
  assert.deepEqual(await book.all('p(X)'), [{ X: 1 }, { X: 2 }]);
  await book.close();
});

test('a draft that is rejected is gone, and its agent reads why', async () => {
  await withBoth(async ({ book, agent, other }) => {
    await agent.assert('edge(b, a).');
    const done = await hornbook('review', book, '--reject', '--by', 'ann', '--reason', 'No cycles');
    assert.match(done.stdout, /1 operation rejected: revision/);
    const said = await agent.text('query_start', { query: 'edge(b, X)', take: 1 });
    assert.match(said, /ann rejected your change: No cycles\./);
    assert.match(said, /false|No answers|\(none\)/i);
    assert.deepEqual(await other.values('edge(b, X)'), '[]');
  });
});

test('an agent reads what was decided with its next call, whichever tool that is, and once', async () => {
  const path = newBook();
  const agent = new BookServer(path, '--review', '--tools', 'prolog,memory');
  const calls = [
    ['workspace', { operation: 'list_symbols' }],
    ['workspace', { operation: 'history' }],
    ['files', { operation: 'list' }],
    ['kn_intel', { action: 'recall', query: 'p' }],
    ['query_start', { query: 'true' }],
  ];
  for (const [n, [tool, values]] of calls.entries()) {
    await agent.assert(`p(${n}).`);
    await hornbook('review', path, '--reject', '--by', 'ann', '--reason', `No ${n}`);
    const texts = async () => (await agent.call(tool, values)).content.map(({ text }) => text).join('\n');
    assert.match(await texts(), new RegExp(`ann rejected your change: No ${n}\\.`), tool);
    assert.doesNotMatch(await texts(), /rejected/);
  }
  await agent.end();
});

test('a draft outlives its process, and follows the book meanwhile', async () => {
  const path = newBook();
  const first = new BookServer(path, '--review', '--draft', 'night');
  await first.assert('p(1).', 'p(2).');
  await first.text('workspace', { operation: 'undo' });
  await first.assert('q(1).');
  await first.kill?.('SIGKILL');
  await first.end();
  const other = new BookServer(path);
  await other.assert('q(0).');
  const again = new BookServer(path, '--review', '--draft', 'night');
  assert.deepEqual(await again.values('q(X)'), '[0,1]');
  await again.text('workspace', { operation: 'undo' });
  assert.deepEqual(await again.values('q(X)'), '[0]');
  await Promise.all([again.end(), other.end()]);
});

test('some operations are accepted, and the others stay proposed', async () => {
  await withBoth(async ({ book, agent, other }) => {
    await agent.assert('edge(x, 1).');
    await agent.assert('edge(x, 2).');
    await agent.assert('edge(x, 3).');
    const { operations } = JSON.parse((await hornbook('review', book, '--json')).stdout);
    const [first, , third] = operations.map(({ number }) => String(number));
    const done = await hornbook('review', book, 'agent', '--only', first, '--only', third, '--accept');
    // The numbers stay those of the same operations.
    const again = await hornbook('review', book, 'agent', '--only', third, '--accept');
    assert.match(again.stderr, /--only \d+: the operations are \d+\./);
    assert.match(done.stdout, /2 operations accepted \(\+2 -0\)/);
    assert.deepEqual(await other.values('edge(x, X)'), '[1,3]');
    assert.deepEqual(await agent.values('edge(x, X)'), '[1,3,2]');
    const { stdout } = await hornbook('review', book, '--json');
    assert.deepEqual(JSON.parse(stdout).added, [{ clause: 'edge(x, 2).' }]);
  });
});

test('a person who accepts while the agent goes on has accepted what was shown', async () => {
  await withBoth(async ({ book, agent, other }) => {
    /** Review the draft, and accept it once the agent has done something more. */
    const accept = async (meanwhile) => {
      const printed = [];
      const print = (text) => printed.push(text);
      const ask = async (prompt) => {
        if (!prompt.includes('Accept (a)')) return undefined;
        await meanwhile();
        return 'a';
      };
      const asked = { book, draft: 'agent', only: [], goals: [], libraries: [], by: 'ann' };
      const code = await review(asked, { out: print, err: print }, ask);
      return { code, printed: printed.join('') };
    };
    await agent.assert('edge(x, 1).');
    const more = await accept(() => agent.assert('edge(x, 2).'));
    assert.equal(more.code, 0);
    assert.match(more.printed, /1 operation accepted \(\+1 -0\)/);
    assert.ok(more.printed.endsWith(`1 operation proposed since then: hornbook review ${book} agent\n`), more.printed);
    assert.deepEqual(await other.values('edge(x, X)'), '[1]');
    assert.deepEqual(await agent.values('edge(x, X)'), '[1,2]');
    // What it has taken back is not there to be accepted.
    const less = await accept(async () => {
      await agent.text('workspace', { operation: 'undo' });
      await agent.assert('edge(x, 3).');
    });
    assert.equal(less.code, 1);
    assert.match(less.printed, /has changed since it was shown\. Nothing was decided\. Look at it again\.\n$/);
    assert.deepEqual(await other.values('edge(x, X)'), '[1]');
  });
});

test('a draft is changed beside writers that never pause, with constraints and without', async () => {
  const book = await openBook();
  await book.assert(':- dynamic p/1.');
  const draft = await book.draft('bot');
  let [goes, written] = [true, 0];
  const write = async () => {
    while (goes) await book.assert(`p(${++written}).`);
  };
  const writers = [write(), write()];
  for (let number = 1; number <= 5; number++) await draft.book.assert(`p(free(${number})).`);
  await book.assert(':- constraint((p(N), number(N), N < 0), "~w is negative"-[N]).');
  for (let number = 1; number <= 5; number++) await draft.book.assert(`p(bound(${number})).`);
  await assert.rejects(draft.book.assert('p(-1).'), { kind: 'constraint_violation', message: /-1 is negative/ });
  goes = false;
  await Promise.all(writers);
  assert.ok(written > 10, `${written}`);
  const own = [1, 2, 3, 4, 5].flatMap((number) => [`free(${number})`, `bound(${number})`]).sort();
  const found = await draft.book.all('p(T), compound(T), term_to_atom(T, X)');
  assert.deepEqual(found.map(({ X }) => X).sort(), own);
  assert.equal((await draft.book.all('p(X), number(X)')).length, written);
  await draft.accept({ by: 'ann', shown: (await draft.proposal()).operations.map(({ key }) => key) });
  assert.equal((await book.all('p(_)')).length, written + own.length);
  await draft.close();
  await book.close();
});

test('what the book has changed meanwhile is said, and a constraint refuses an acceptance', async () => {
  await withBoth(async ({ book, agent, other }) => {
    await other.assert(':- constraint((edge(X, Y), edge(Y, X)), "~w and ~w are a cycle"-[X, Y]).');
    await agent.text('clauses', { operation: 'retract', clauses: ['edge(a, b)'] });
    await agent.assert('edge(c, d).');
    assert.match(await agent.assert('edge(d, c).'), /c and d are a cycle|d and c are a cycle/);
    await other.text('clauses', { operation: 'retract', clauses: ['edge(a, b)'] });
    await other.assert('edge(d, c).');
    const shown = await hornbook('review', book);
    assert.match(shown.stdout, /\d {2}.*retract {3}no longer applies: `edge\(a, b\)\.` is gone/);
    assert.match(shown.stdout, /! a constraint refuses it: .*cycle/);
    const all = await hornbook('review', book, '--accept');
    assert.equal(all.code, 1);
    assert.match(all.stderr, /not all of the draft applies to it: `edge\(a, b\)\.` is gone/);
    const number = / (\d+) {2}\S+ \S+ {2}assert$/m.exec(shown.stdout)[1];
    const rest = await hornbook('review', book, '--only', number, '--accept');
    assert.match(rest.stderr, /A constraint refuses this, and nothing was changed: .*cycle/);
    assert.deepEqual(await other.values('edge(c, X)'), '[]');
  });
});

test('the rules of the book accept what they know, and nothing else', async () => {
  await withBoth(async ({ agent, other }) => {
    await other.assert('note(start, 0).', 'accepts_proposal(added(note(_, N)), Client) :- N < 10, Client \\== eve.');
    const accepted = async (goal) => {
      for (let tries = 0; tries < 40; tries++) {
        if ((await other.values(goal)) !== '[]') return true;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return false;
    };
    await agent.assert('note(a, 1). % (fine', 'note(b, 2).');
    assert.ok(await accepted('note(b, X)'));
    assert.match(
      await agent.text('query_start', { query: 'true', take: 1 }),
      /The book's rules accepted your change\./,
    );
    await agent.assert('note(c, 11).');
    await agent.assert('note(d, 3).', 'rule(X) :- note(X, _).');
    await agent.assert(':- dynamic note/2.', 'note(e, 4).');
    await agent.assert('accepts_proposal(_, _).');
    await agent.assert('note(f, g(h)).');
    await agent.text('clauses', { operation: 'retract', clauses: ['note(start, 0)'] });
    await agent.assert('note(z, 9).');
    assert.ok(await accepted('note(z, X)'));
    assert.equal(await other.values('note(X, _)'), '[start,a,b,z]');
    assert.equal(await other.values('(note(_, M), X is M + 1)'), '[1,2,3,10]');
    assert.match(await other.text('workspace', { operation: 'history' }), /accept agent/);
  });
});

test('rules accept nothing that violates a constraint without the other operations of its draft', async () => {
  const book = await openBook();
  await book.assert(
    'accepts_proposal(added(member(_)), _).',
    'accepts_proposal(added(note(_)), _).',
    ':- dynamic person/1, member/1, note/1.',
    ':- constraint((member(X), \\+ person(X)), "~w is nobody"-[X]).',
  );
  const draft = await book.draft('agent');
  await draft.book.assert('person(ann).');
  await draft.book.assert('member(ann).');
  await draft.book.assert('note(1).');
  // Operations are decided about in their order.
  for await (const { answers } of book.watch('note(X)')) if (answers.length > 0) break;
  assert.deepEqual(await book.all('member(X)'), []);
  const { added } = await draft.proposal();
  assert.deepEqual(
    added.map(({ clause }) => clause),
    ['person(ann).', 'member(ann).'],
  );
  await draft.close();
  await book.close();
});

test('the agent reads what was decided, however long whoever decided goes on with its draft', async () => {
  const path = newBook();
  const agent = new BookServer(path, '--review');
  await agent.assert('edge(a, b).');
  await agent.end();
  const book = await openBook({ path });
  const draft = await book.draft('agent');
  await draft.proposal();
  await draft.accept({ by: 'ann', reason: 'well found' });
  await book.assert('other(1).');
  assert.deepEqual(await draft.book.all('other(X)'), [{ X: 1 }]);
  await draft.close();
  await book.close();
  const again = new BookServer(path, '--review');
  assert.match(await again.text('query_start', { query: 'true', take: 1 }), /ann accepted your change: well found\./);
  assert.doesNotMatch(await again.text('query_start', { query: 'true', take: 1 }), /ann accepted/);
  await again.end();
});

test('a person decides about what was shown, and about nothing that came since', async () => {
  const book = await openBook({ path: newBook() });
  await book.assert('p(1).', 'p(2).');
  const draft = await book.draft('bot');
  await draft.book.assert('good(1).');
  await draft.book.retract('p(1)');
  await draft.book.assert('p(1).');
  await draft.book.import('policy.txt', 'Approve everything.\n');
  const { moved, cells, operations } = await draft.proposal();
  assert.deepEqual(moved, ['p/1']);
  assert.deepEqual(cells, [{ room: 'documents', key: 'policy.txt', after: 'Approve everything.\n' }]);
  await draft.book.assert('evil(1).');
  await assert.rejects(draft.accept(), { kind: 'conflict', message: /has changed since it was shown/ });
  const chosen = await book.draft('bot', [operations[0].key]);
  await assert.rejects(chosen.book.assert('evil(2).'), { kind: 'read_only' });
  await chosen.accept();
  assert.deepEqual(await book.all('good(X)'), [{ X: 1 }]);
  await assert.rejects(book.once('evil(_)'), { kind: 'existence_error' });
  // What the draft would add is told with constraints that it brings.
  await draft.book.assert(':- constraint(p(9), "nine").');
  await book.assert('p(9).');
  const { violations, warnings } = await draft.proposal();
  assert.deepEqual(violations, []);
  assert.match(warnings.join(), /violated already: nine/);
  assert.match(await draft.book.source(), /p\(9\)/);
  await book.close();
});

test('an operation is not decided about without what has undone it since', async () => {
  const path = newBook();
  const book = await openBook({ path });
  const draft = await book.draft('bot');
  await draft.book.assert('good(1).');
  const [{ key, number }] = (await draft.proposal()).operations;
  const chosen = await book.draft('bot', [key]);
  await chosen.proposal();
  await draft.book.undo();
  const undone = { kind: 'conflict', message: /has undone some of these operations/ };
  await assert.rejects(chosen.accept(), undone);
  await assert.rejects(chosen.reject(), undone);
  const { code, stderr } = await hornbook('review', path, '--only', String(number), '--accept');
  assert.equal(code, 1);
  assert.match(stderr, /has undone some of these operations.*together with what undoes them/s);
  assert.doesNotMatch(await book.source(), /good/);
  const { added, operations } = await draft.proposal();
  assert.deepEqual(added, []);
  assert.deepEqual(
    operations.map(({ dropped }) => dropped),
    [undefined, undefined],
  );
  assert.equal((await draft.reject()).operations, 2);
  assert.deepEqual(await book.drafts(), []);
  await draft.close();
  await book.close();
});

test('a desk decides about what a screen showed, whatever the draft has by now', async () => {
  const book = await openBook({ path: newBook() });
  const draft = await book.draft('bot');
  await draft.book.assert('good(1).');
  const desk = new ReviewDesk(book);
  const shown = (await desk.proposal({ draft: 'bot' })).operations.map(({ key }) => key);
  await draft.book.assert('evil(1).');
  // Nobody has drawn this one.
  await desk.proposal({ draft: 'bot' });
  const changed = { kind: 'conflict', message: /has changed since it was shown/ };
  await assert.rejects(desk.decide({ draft: 'bot' }, 'accept', { shown }), changed);
  await assert.rejects(desk.decide({ draft: 'bot' }, 'reject', { shown: [] }), changed);
  await assert.rejects(desk.decide({ draft: 'bot' }, 'accept', {}), changed);
  const part = { draft: 'bot', only: shown };
  await assert.rejects(desk.decide(part, 'accept', { shown: [...shown, 'bot/0000000000000009'] }), changed);
  await desk.decide(part, 'accept', { shown });
  assert.deepEqual(await book.all('good(X)'), [{ X: 1 }]);
  await assert.rejects(book.once('evil(_)'), { kind: 'existence_error' });
  // So does a program that has looked at nothing.
  await assert.rejects((await book.draft('bot')).accept(), {
    kind: 'conflict',
    message: /Nothing of the draft was shown/,
  });
  await desk.close();
  await book.close();
});

test('nothing that an agent writes acts on the terminal of whoever reviews it', async () => {
  const path = newBook();
  const book = await openBook({ path });
  const draft = await book.draft('bot');
  await draft.book.assert("note('\x1b[2K\rhidden').", 'q(1). /* \r+ z(1). */');
  await draft.book.import('a\x1b[1A\u202eb.pl', 'r(1).\n');
  await draft.close();
  await book.close();
  const { stdout } = await hornbook('review', path);
  const unseen = [...stdout].filter((char) => /[\p{Cc}\p{Cf}]/u.test(char) && char !== '\n');
  assert.deepEqual(unseen, [], JSON.stringify(stdout));
  assert.match(stdout, /note\('\\x1b\\\[2K/);
});

test('the tests of the book are run with a draft, and it is told which of those that fail passed before', async () => {
  const path = newBook();
  const book = await openBook({ path });
  await book.import(
    'sums.plt',
    'sum(X, Y, Z) :- Z is X + Y.\n:- begin_tests(sums).\ntest(two) :- sum(1, 1, 2).\ntest(wrong) :- sum(1, 1, 3).\n' +
      'test(ends, [setup(assertz(left(1)))]) :- \\+ loops.\n:- end_tests(sums).\n:- dynamic loops/0.\n',
  );
  const draft = await book.draft('bot');
  await draft.book.assert('other(1).');
  const before = await draft.tests();
  assert.deepEqual([before.passed, before.failed, before.skipped], [2, 1, 0]);
  assert.deepEqual(before.failures, [{ test: 'sums:wrong', message: 'it fails', before: 'failed' }]);
  await draft.book.replace('sum(X, Y, Z) :- Z is X + Y', 'sum(X, Y, Z) :- Z is X - Y.');
  await draft.book.import('more.plt', ':- begin_tests(more).\ntest(new) :- sum(1, 1, 2).\n:- end_tests(more).\n');
  const { failures } = await draft.tests();
  assert.deepEqual(
    failures.map((one) => [one.test, one.before]),
    [
      ['sums:two', 'passed'],
      ['sums:wrong', 'failed'],
      ['more:new', 'absent'],
    ],
  );
  const { stdout, stderr } = await hornbook('review', path);
  assert.equal(stderr, '');
  assert.match(
    stdout,
    /\n1 test passes, 1 fails that passed before, 1 fails that is new, 1 fails as before\.\n! sums:two \(passed before\): it fails\n/,
  );
  const { tests } = JSON.parse((await hornbook('review', path, '--json')).stdout);
  assert.deepEqual([tests.passed, tests.failed, tests.failures[0].before], [1, 3, 'passed']);
  // What tests change is dropped, and those that do not end are stopped.
  assert.deepEqual(await book.all('catch(left(X), _, fail)'), []);
  await draft.book.assert('loops :- loops.');
  const stopped = await draft.tests({ timeoutMs: 500 });
  assert.match(stopped.error, /limit|longer/);
  await draft.proposal();
  await draft.reject();
  const empty = await openBook();
  const none = await empty.draft('bot');
  await none.book.assert('p(1).');
  assert.equal(await none.tests(), undefined);
  await empty.close();
  await book.close();
});

test('what a review asks leaves nothing in the engine of the book', async () => {
  const book = await openBook({ path: newBook() });
  await book.import('own.plt', ':- begin_tests(u).\ntest(one) :- flag(tested, N, N + 1).\n:- end_tests(u).\n');
  const draft = await book.draft('bot');
  await draft.book.import(
    'more.plt',
    ":- begin_tests(v).\ntest('x), nb_setval(k, 3), (true') :- fail.\ntest(w:(nb_setval(k, 4))) :- fail.\n:- end_tests(v).\n",
  );
  await draft.consequences(['nb_setval(k, 1)', 'flag(asked, _, 5)', 'b_setval(k, 2), assertz(left(1))']);
  const { failures } = await draft.tests();
  assert.deepEqual(
    failures.map(({ before }) => before),
    ['absent', 'absent'],
  );
  await assert.rejects(book.once('nb_getval(k, _)'), { kind: 'existence_error' });
  assert.deepEqual(await book.once('flag(asked, A, A), flag(tested, T, T)'), { A: 0, T: 0 });
  // The copy follows the book.
  await book.assert('now(1).');
  const [now] = await draft.consequences(['now(X)']);
  assert.deepEqual([now.gained, now.lost, now.errorBefore], [[], [], undefined]);
  await draft.close();
  await book.close();
});

test('no clause and no test of a draft says what its tests do', async () => {
  const path = newBook();
  const book = await openBook({ path });
  await book.import(
    'own.plt',
    ':- begin_tests(p).\ntest(one).\ntest(two) :- good.\ntest(two).\ntest(three).\n:- end_tests(p).\ngood.\n:- dynamic good/0.\n',
  );
  const draft = await book.draft('bot');
  await draft.book.retract('good');
  await draft.book.assert(
    "run_tests :- write('4 tests: 4 passed, 0 failed, 0 skipped').",
    "run_tests(_) :- write('4 tests: 4 passed, 0 failed, 0 skipped').",
    'run_tests(_, _).',
  );
  await draft.book.import(
    'more.plt',
    ':- begin_tests(q).\ntest(loud) :- format("FAILED p:one: it lies~n9 tests: 9 passed, 0 failed, 0 skipped~n").\n' +
      'test(long) :- forall(between(1, 50000, _), write(x)).\ntest(rid) :- retract((test(last) :- fail)).\n' +
      'test(last) :- fail.\n:- end_tests(q).\n',
  );
  const forged = "'$test_results'([]).";
  await assert.rejects(draft.book.assert(forged), /No permission to modify static procedure/);
  const run = await draft.tests();
  assert.deepEqual([run.passed, run.failed, run.removed, run.error], [6, 2, [], undefined]);
  assert.deepEqual(run.failures, [
    { test: 'p:two', message: 'it fails', before: 'passed' },
    { test: 'q:last', message: 'another test removes it', before: 'absent' },
  ]);
  await draft.book.unimport('more.plt');
  await draft.book.retract('(test(two) :- good)');
  await draft.book.retract('test(three)');
  assert.deepEqual((await draft.tests()).removed, ['p:two', 'p:three']);
  const { stdout } = await hornbook('review', path);
  assert.match(stdout, /\n2 tests pass, 2 tests of the book are removed\.\n! p:two is removed\n! p:three is removed\n/);
  await draft.close();
  await book.close();
});

test('drafts take no room from the book', async () => {
  const path = newBook();
  const book = await openBook({ path, limits: { bytes: 400_000 } });
  const draft = await book.draft('bot');
  await draft.book.import('big.txt', 'x'.repeat(80_000));
  await assert.rejects(draft.book.import('more.txt', 'y'.repeat(80_000)), /Ask a person|nobody has decided about/);
  await book.import('own.txt', 'z'.repeat(380_000));
  await book.close();
});

test('drafts, consequences and the book as it was are in the package, too', async () => {
  const book = await openBook({ path: newBook() });
  await book.assert('price(tea, 3).', 'cheap(X) :- price(X, P), P < 5.');
  const draft = await book.draft('bot');
  await draft.book.assert('price(coffee, 4).');
  await draft.book.retract('price(tea, 3)');
  assert.deepEqual(await book.drafts(), ['bot']);
  const proposal = await draft.proposal();
  assert.deepEqual(
    [proposal.added, proposal.removed],
    [[{ clause: 'price(coffee, 4).' }], [{ clause: 'price(tea, 3).' }]],
  );
  const [cheap, error] = await draft.consequences(['cheap(X)', 'nothing(X)']);
  assert.deepEqual(
    cheap.gained.map(({ bindings }) => bindings),
    [{ X: 'coffee' }],
  );
  assert.deepEqual(
    cheap.lost.map(({ bindings }) => bindings),
    [{ X: 'tea' }],
  );
  assert.equal(error.errorBefore.kind, 'existence_error');
  assert.deepEqual(await book.all('cheap(X)'), [{ X: 'tea' }]);
  const { revision, operations } = await draft.accept({ by: 'ann' });
  assert.equal(operations, 2);
  assert.deepEqual(await book.all('cheap(X)'), [{ X: 'coffee' }]);
  await assert.rejects(draft.proposal(), { kind: 'existence_error' });
  const before = await book.asOf(revision - 1);
  assert.deepEqual(await before.all('cheap(X)'), [{ X: 'tea' }]);
  await assert.rejects(before.assert('x.'), /as of revision \d+; nothing was changed/);
  const [between] = await consequences(before, book, ['cheap(X)']);
  assert.deepEqual(
    between.gained.map(({ texts }) => texts),
    [{ X: 'coffee' }],
  );
  await assert.rejects(book.asOf(1e6), { kind: 'no_such_revision' });
  await assert.rejects(book.draft('../x'), { kind: 'domain_error' });
  await book.undo();
  assert.deepEqual(await book.all('cheap(X)'), [{ X: 'tea' }]);
  await book.close();
});

test('`hornbook diff` compares what goals answer at two revisions', async () => {
  const path = newBook();
  const book = await openBook({ path });
  await book.assert('n(1).');
  await book.assert('n(2).');
  await book.retract('n(1)');
  await book.close();
  const goals = join(directory, 'goals.txt');
  writeFileSync(goals, '% what matters\n?- n(X).\ntrue.\n');
  const { stdout, stderr, code } = await hornbook('diff', path, '1', '3', '--goals', goals);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^\n\?- n\(X\)\.\n- X = 1\n\+ X = 2\n/);
  assert.equal((await hornbook('diff', path, '3', '--goal', 'n(X)')).stdout, 'The goals answer the same.\n');
  assert.match((await hornbook('diff', path, '9', '--goal', 'n(X)')).stderr, /There is no revision 9/);
});

test('answers are gained and lost only where all of the other side are known', async () => {
  const book = await openBook();
  await book.assert(Array.from({ length: 1001 }, (_, number) => `many(${number}).`));
  const before = await book.asOf(1);
  await book.once('asserta(many(new))');
  await book.assert(['first(1).', "'odd ('(1, [a|b])."]);
  const goals = ['many(X)', 'many(X), X == new', 'first(X)', "X = 'odd (', first(X)", 'first(X) ; many(X), X < 2'];
  goals.push("'odd ('(X, [Y|Z])", '( many(X) -> first(Y) ; Y = no )');
  const found = await consequences(before, book, goals);
  const told = found.map(({ gained, lost }) => [...gained.map(({ texts }) => texts.X), ...lost.map(() => 'lost')]);
  assert.deepEqual(told, [[], ['new'], ['1'], [], [], ['1'], []]);
  assert.deepEqual(
    found.map(({ errorBefore }) => errorBefore !== undefined),
    [false, false, true, true, true, true, true],
  );
  await before.close();
  await book.close();
});

test('it is said what is not known of answers that look the same', async () => {
  const path = newBook();
  const book = await openBook({ path });
  await book.assert('n(1).');
  await book.assert('n(2).');
  await book.close();
  const { stdout } = await hornbook('diff', path, '1', '2', '--goal', 'missing(X)', '--goal', 'between(1, 2000, X)');
  assert.doesNotMatch(stdout, /answer the same/);
  assert.match(
    stdout,
    /\?- missing\(X\)\.\n! Whether its answers change is not known\. Before and after, it raises an error: /,
  );
  assert.match(stdout, /2000, X\)\.\n! It has more than a thousand answers\. Whether they change is not known\.\n/);
});

test('predicates of the host answer in the book and in its draft, each for its own queries', async () => {
  const up = function* (from) {
    for (let n = 1; n <= 3; n++) yield [from, from + n];
  };
  const book = await openBook({ path: newBook(), predicates: { 'up/2': up } });
  const draft = await book.draft('d');
  const values = (of, from) => of.all(`up(${from}, X)`, { ahead: 1 });
  const [one, other] = await Promise.all([values(book, 1), values(draft.book, 10)]);
  assert.deepEqual(
    [one, other],
    [
      [{ X: 2 }, { X: 3 }, { X: 4 }],
      [{ X: 11 }, { X: 12 }, { X: 13 }],
    ],
  );
  await book.close();
});

test('no tool of an agent under review changes the book', async () => {
  const path = newBook();
  const { hornbook: base, close } = await openHornbook(
    { tools: ['prolog', 'dml', 'memory', 'workflow'], dmlBook: 'write' },
    () => {},
    path,
  );
  const owner = new Client(base, 'owner');
  await owner.callTool('clauses', { operation: 'assert', clauses: ['kept(1).', 'kept(2).'] });
  const before = [base.snapshot ? await base.snapshot() : '', base.exportMemory()];
  const served = await base.draft('agent');
  const agent = new Client(served, 'agent');
  const run = '?- assertz(flow(1)).';
  const yaml = `name: w\nnodes: [{name: n, language: prolog, book: true, run: ${JSON.stringify(run)}, goto: __end__}]`;
  const calls = [
    ['clauses', { operation: 'assert', clauses: ['mine(1).'] }],
    ['clauses', { operation: 'retract', clauses: ['kept(1)'] }],
    ['files', { operation: 'import', filename: 'a.pl', text: 'file(1).\n' }],
    ['files', { operation: 'import', filename: 'a.csv', text: 'a,b\n1,2\n' }],
    ['files', { operation: 'import', filename: 'a.txt', text: 'words' }],
    ['query_start', { query: 'assertz(ran(1)), retractall(kept(_))', take: 1 }],
    ['kn_intel', { action: 'learn', content: 'The sky is blue', type: 'gotcha' }],
    ['kn_graph', { action: 'add', type: 'thing', name: 'sky', description: 'blue' }],
    ['dml_run', { code: 'agent_main :- book:assertz(dml(1)), answer("done").' }],
    ['workflow_run', { yaml }],
    ['workspace', { operation: 'undo', steps: 3, all: true }],
    ['workspace', { operation: 'reset' }],
  ];
  for (const [name, given] of calls) {
    const { text, structured } = await agent.callTool(name, given);
    assert.ok(!structured?.error, `${name} ${JSON.stringify(given)}: ${text}`);
  }
  assert.deepEqual([await base.snapshot(), base.exportMemory()], before);
  assert.ok((await served.proposal()).operations.length > 5);
  const tools = async (client) => (await client.request('tools/list', {})).tools;
  assert.deepEqual(await tools(agent), await tools(owner));
  served.close();
  await close();
});
