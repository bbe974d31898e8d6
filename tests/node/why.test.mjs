// Why a goal holds or fails, where an error was raised, and what led to a limit: as an agent reads it, with token
// counts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { openBook } from '../../pkg/index.js';
import { Server } from './harness.mjs';

const FAMILY = `parent(tom, bob).
parent(tom, liz).
parent(bob, ann).
parent(bob, pat).
male(tom).
male(bob).
grandparent(X, Z) :-
    parent(X, Y),
    parent(Y, Z).
grandfather(X, Z) :- male(X), grandparent(X, Z).
average(List, Average) :-
    sum_list(List, Sum),
    length(List, Length),
    Average is Sum / Length.
next(X, Y) :- Y is X + one.
step(X, Y) :- next(X, Z), Y = f(Z).
call_it(X) :- helper(X), true.
path(X, Y) :- path(X, Z), parent(Z, Y).
path(X, Y) :- parent(X, Y).
slow(N) :- between(1, inf, X), work(X), X > N.
work(X) :- atom_length(X, _), less(X).
less(_).
count(N) :- retract(counter(N0)), N is N0 + 1, assertz(counter(N)), N > 100.
:- dynamic counter/1.
counter(0).
`;

const tokens = (value) => encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

let server;
before(async () => {
  server = await Server.start({ files: { 'family.pl': FAMILY } });
  await server.call('files', { operation: 'import', filename: 'family.pl' });
});
after(() => server.close());

const why = (of, more = {}) => server.call('workspace', { operation: 'why', of, ...more });

/** The text of the error that ends a query. */
async function failing(query, more = {}) {
  const { data, isError } = await server.call('query_start', { query, take: 1, ...more });
  assert.ok(isError, query);
  return data.error.message;
}

/** The file as the server names it. */
const at = (line) => `${server.directory}/family.pl:${line}`;

test('the explanation of a goal that holds is its proof, in about 80 tokens', async () => {
  const { text, data, isError } = await why('grandfather(tom, Who)');
  assert.ok(!isError);
  const lines = [
    `grandfather(tom,ann)  % ${at(10)}`,
    `  male(tom)  % ${at(5)}`,
    `  grandparent(tom,ann)  % ${at(7)}`,
    `    parent(tom,bob)  % ${at(1)}`,
    `    parent(bob,ann)  % ${at(3)}`,
  ];
  assert.equal(text, lines.join('\n'));
  assert.deepEqual(data, { type: 'workspace_why', holds: true, why: text });
  const short = text.replaceAll(`${server.directory}/`, '');
  assert.ok(tokens(short) <= 80, `${tokens(short)} tokens`);
});

test('the explanation of a goal that fails is where each clause stops, with near matches', async () => {
  const { text, data } = await why('grandparent(tom, sue)');
  const lines = [
    'grandparent(tom,sue) fails',
    `  clause 1 (${at(7)}): parent(bob,sue) fails, the first of 2 ways to get here`,
    `    no match in 4 clauses; nearest: parent(bob,ann) (${at(3)}), parent(bob,pat) (${at(4)})`,
    '    parent(liz,sue) fails',
    '      no match in 4 clauses',
  ];
  assert.equal(text, lines.join('\n'));
  assert.equal(data.holds, false);
  const short = text.replaceAll(`${server.directory}/`, '');
  assert.ok(tokens(short) <= 120, `${tokens(short)} tokens`);
});

test('a goal that is explained runs as it would otherwise, and has no lasting effects', async () => {
  const before = await server.call('workspace', { operation: 'snapshot' });
  const { text } = await why('count(N)');
  assert.match(text, /: 1>100 fails$/m);
  assert.match((await why('assertz(male(sue)), male(sue)')).text, /male\(sue\)/);
  const after = await server.call('workspace', { operation: 'snapshot' });
  assert.equal(after.text, before.text);
  assert.equal(
    (await server.call('workspace', { operation: 'history', steps: 1 })).data.revisions[0].operation,
    'import',
  );
});

test('if there is no explanation, an error says what to do', async () => {
  for (const [of, pattern] of [
    ['grandprent(tom, X)', /Unknown procedure: grandprent\/2.* Did you mean grandparent\/2/],
    ['grandparent(tom', /Correct the text/],
    ['X is foo + 1', /Type error/],
    ['shell(ls)', /sandbox/],
  ]) {
    const { text, isError } = await why(of);
    assert.ok(isError, of);
    assert.match(text, pattern);
  }
  const { text } = await server.call('workspace', { operation: 'why' });
  assert.match(text, /'of' is required for why.* Give 'of', a goal/);
});

test('an error says where it was raised, and what recursion fills the stack', async () => {
  const error = async (of) => (await server.fails('workspace', { operation: 'why', of })).data.error.message;
  assert.match(await error('step(1, X)'), /Raised in next\/2, clause 1 \(.*family\.pl:15\)\.$/);
  assert.match(
    await error('path(tom, X)'),
    /path\/2 calls itself, [\d,]+ calls deep\..*`:- table path\/2\.` may end that\.$/,
  );
});

test('a long proof continues with from', async () => {
  await server.call('clauses', { operation: 'assert', clauses: 'long(0). long(N) :- N > 0, M is N - 1, long(M).' });
  let whole = '';
  let from = 0;
  for (let calls = 0; from !== undefined && calls < 30; calls += 1) {
    const { data, text } = await why('long(600)', { from });
    assert.ok(Math.max(tokens(data), tokens(text)) <= 10_000);
    whole += data.why;
    from = data.from;
  }
  assert.equal(whole.split('\n').length, 600 * 3 + 1);
  await server.call('workspace', { operation: 'undo' });
});

test('errors name predicate, clause, file and line, and the goal of a library', async () => {
  assert.match(
    await failing('average([a], X)'),
    /Raised in average\/2, clause 1 \(.*family.pl:11\), calling sum_list\/2\.$/,
  );
  assert.match(await failing('step(1, X)'), /Raised in next\/2, clause 1 \(.*family\.pl:15\)\.$/);
  assert.match(
    await failing('call_it(1)'),
    /^Unknown procedure: helper\/1\. Raised in call_it\/1, clause 1 \(.*family\.pl:17\)\.$/,
  );
  assert.match(await failing('maplist(next, [1], X)'), /Raised in next\/2, clause 1 \(.*family\.pl:15\)\.$/);
  assert.doesNotMatch(await failing('X is foo + 1'), /Raised/);
  // An answer first, and the error with the next one.
  await server.call('query_start', { query: 'member(X, [2, a]), step(X, Y) ; true', query_id: 'later' });
  const { data } = await server.call('query_next', { query_id: 'later', take: 3 });
  assert.match(data.error.message, /Raised in next\/2/);
});

test('a full stack names the recursion, and suggests a table if that would help', async () => {
  const full = await failing('path(tom, X)', { timeout_ms: 60_000 });
  assert.match(
    full,
    /path\/2 calls itself, [\d,]+ calls deep\. path\(tom, _\w*\) is called again with the same arguments: `:- table path\/2\.` may end that\.$/,
  );
  await server.assert('deep :- deep, true.');
  assert.match(
    await failing('deep', { timeout_ms: 60_000 }),
    /deep\/0 calls itself, [\d,]+ calls deep\. Does a clause or a condition end that\?$/,
  );
});

test('a timeout says where the time went', async () => {
  const late = await failing('slow(1000000000000)', { timeout_ms: 1500 });
  assert.match(
    late,
    /^The query was stopped after 1500 ms\. Most inferences: (work|slow|less)\/1 (in \w+\/\d )?\(\d+ %\)/,
  );
  await server.assert('spin :- turn, spin. turn :- side(_). side(_).');
  assert.match(await failing('spin', { timeout_ms: 1000 }), /Most inferences: side\/1 in (spin|turn)\/0 \(/);
});

test('openBook gives the same', async (t) => {
  const book = await openBook();
  t.after(() => book.close());
  await book.import('family.pl', FAMILY);
  const fails = await book.why('grandparent(tom, sue)');
  assert.equal(fails.holds, false);
  assert.match(String(fails), /^grandparent\(tom,sue\) fails\n {2}clause 1 \(family\.pl:7\): parent\(bob,sue\) fails/);
  assert.equal(fails.steps[0].because[0].how, 'tried');
  assert.equal((await book.why('grandparent(tom, X)')).holds, true);
  assert.equal(await book.why('grandparent(tom, X)', { answer: 9 }), undefined);
  await assert.rejects(book.once('step(1, X)'), /Raised in next\/2, clause 1 \(family\.pl:15\)/);
});
