// Errors that say where, and what to write instead.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(() => server.close());

for (const [clause, expected] of [
  [
    'rich(S) :- S > 90000 && S < 200000.',
    /`&&` is no operator of Prolog: write a comma for and: `rich\(S\) :- S > 90000 ⟪here⟫ && S < 200000\.` \(line 1, column 21\)/,
  ],
  ['p :- a || b.', /write a semicolon for or/],
  ['p(X, Y) :- X != Y.', /write `\\=`, or `=\\=` for numbers/],
  ['p(X) :- X <= 3.', /write `=<`/],
  ['x(1), y(2).', /a conjunction, not a clause: end each fact with a period/],
  [': - dynamic a/1.', /write `:-` without a space/],
  ['p :- foo:bar(1).', /call bar\/1 without `foo:`/],
]) {
  test(`the clause ${clause}`, async () => {
    assert.match((await server.call('clauses', { operation: 'assert', clauses: clause })).text, expected);
  });
}

test('a query and a file show the place, too', async () => {
  const query = await server.call('query_start', { query: 'member(X, [1, 2, 3]), X > 1 && X < 3', take: 1 });
  assert.match(query.text, /`member\(X, \[1, 2, 3\]\), X > 1 ⟪here⟫ && X < 3`/);
  const file = await server.call('files', { operation: 'import', filename: 'f.pl', text: 'a.\nb :- (c, d.\n' });
  assert.match(file.text, /2:\d+: .*`b :- \(c, d ⟪here⟫ \.`/);
  const assumed = await server.call('query_start', { query: 'a', assume: ['a.', 'b :-\n c d.'], take: 1 });
  assert.match(assumed.text, /assume 2: .*`c ⟪here⟫ d\.` \(line 2, column 3\)/);
});

test('use_module in a query is not needed, and said so', async () => {
  const { data } = await server.ok('query_start', { query: 'use_module(library(lists)), last([1, 2], X)', take: 1 });
  assert.equal(data.answers[0].X, '2');
  assert.match(data.notices[0], /leave use_module out of queries/);
  const other = await server.call('query_start', { query: 'use_module(library(process))', take: 1 });
  assert.equal(other.data.error.kind, 'unsafe_goal');
  const named = await server.call('query_start', { query: 'use_module(library(clpq))', take: 1 });
  assert.match(named.text, /add `:- use_module\(library\(clpq\)\)\.` as a clause/);
});

test('what the sandbox refuses is told with what to use', async () => {
  for (const [goal, expected] of [
    ['op(700, xfx, likes)', /op\/3 is outside the sandbox\..*with a directive, such as `:- op\(700, xfx, ===>\)\.`/s],
    ['set_prolog_flag(double_quotes, codes)', /with a directive, .* in the file that needs it/],
    ['open_string("a", S), stream_property(S, P)', /at_end_of_stream\/1 says where it ends/],
    ['char_conversion(a, b)', /Leave it out: SWI-Prolog converts no characters/],
    ['open(f, read, S)', /read a text with open_string\/2/],
    ['consult(f)', /Import the file with the files tool/],
    ['sleep(1)', /leave it out/],
    ['trace', /Ask workspace `why` of the goal/],
  ]) {
    const { text, data } = await server.fails('query_start', { query: goal, take: 1 }, 'unsafe_goal');
    assert.match(text, expected);
    assert.match(`${data.error.message} ${data.error.next}`, expected);
  }
  // As the advice has it.
  await server.assert(':- op(700, xfx, likes).');
  assert.deepEqual(await server.solve('X = (ann likes bob), X =.. L'), ['X = (ann likes bob), L = [likes,ann,bob]']);
});

test('predicates of elsewhere are told with what to use', async () => {
  for (const [goal, expected] of [
    ['regex_match("a", b)', /Unknown procedure: regex_match\/2\. .*re_match\/2/],
    ['http_get(a, X, [])', /Unknown procedure: http_get\/3\. .*network/],
    ['str_concat(a, b, X)', /string_concat\/3/],
    ['concurrent_maplist(writeln, [a])', /use maplist or once\/1\. In a DML program it is there/],
  ])
    assert.match((await server.call('query_start', { query: goal, take: 1 })).text, expected);
});
