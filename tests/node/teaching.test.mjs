// Errors that say where the problem is, and what to write instead.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(() => server.close());

for (const [clause, expected] of [
  [
    'rich(S) :- S > 90000 && S < 200000.',
    /`&&` is not an operator in Prolog: write a comma for and: `rich\(S\) :- S > 90000 ⟪here⟫ && S < 200000\.` \(line 1, column 21\)/,
  ],
  ['p :- a || b.', /write a semicolon for or/],
  ['p(X, Y) :- X != Y.', /write `\\=`, or `=\\=` for numbers/],
  ['p(X) :- X <= 3.', /write `=<`/],
  ['x(1), y(2).', /a conjunction, not a clause: end each fact with a period/],
  [': - dynamic a/1.', /write `:-` without a space/],
  ['p(X) : - q(X).', /write `:-` without a space/],
  ['p(X) : - q(X), r(X).', /write `:-` without a space/],
  ['p(a),', /an operand is missing between `,` and the end of the clause/],
  ['FOO.', /a variable, not a clause: the name of a predicate begins with a lower-case letter/],
  ['1.', /a value, not a clause: name it, as in `p\(1\)\.`/],
  ['p(a)\u200b.', /U\+200B, which is invisible: leave it out/],
  ['p :- lists:bar(1).', /not exported by the module lists\. Call bar\/1 without `lists:`/],
]) {
  test(`the clause ${clause}`, async () => {
    assert.match((await server.call('clauses', { operation: 'assert', clauses: clause })).text, expected);
  });
}

// What models write when they mistake Prolog for other languages, each with what to write instead.
for (const [clause, expected] of [
  ['p(X) :- q(X) & r(X).', /`&` is not an operator in Prolog: write a comma for and/],
  ['p(X) :- X >= 1, X += 1.', /`\+=` is not an operator in Prolog: write `X1 is X \+ 1`: a variable keeps its value/],
  ['p(X) :- age(X, A), A => 5.', /`=>` begins the body of a rule: write `>=`/],
  ['p(X, K) :- if X > 6 then K = old else K = young.', /write `\( Condition -> Then ; Else \)`/],
  ['p(X) :- q(X), not r(X).', /`not` is not an operator in Prolog: write `\\\+`/],
  ['p(X) :- q(X), !r(X).', /`!` is the cut: write `\\\+` for not/],
  ['p(X) :- q(X) and r(X).', /write a comma/],
  ['p(X) :- 1 < X < 6.', /comparisons do not chain: write `A < B, B < C`/],
  ['p(X) <- q(X).', /`<-` is not an operator in Prolog: write `:-`/],
  ['p(X) → q(X).', /write `:-`, or `->` behind a condition/],
  ['p(X) :– q(X).', /`:–` is not an operator in Prolog: write `:-`, with an ASCII hyphen/],
  ['p(X) :- X ≥ 5.', /write `>=`/],
  ['p(X,\u00a0Y) :- q(X, Y).', /illegal character U\+00A0: write a plain space/],
  ['p(X) :- X &gt; 3.', /`&gt;` is HTML: write `>`/],
  ['// all of them\np(1).', /a comment begins with `%`/],
  ['# all of them\np(1).', /a comment begins with `%`/],
  ['```prolog\np(1).\n```', /leave out the back quotes, and what Markdown has/],
  ['p(1).\\np(2).', /outside of quotation marks `\\n` is no line break/],
  ['p(\\"x\\").', /a backslash stands before the quotation mark: leave it out/],
  ['p(X) :- X = f"hello {Y}".', /there are no f-strings: write format\(atom\(A\), "~w", \[X\]\)/],
  ['p (1, 2).', /no space between a name and its `\(`/],
  ['Age(carol, 9).', /`Age` is a variable: the name of a predicate begins with a lower-case letter/],
  ['2fast(1).', /the name of a predicate begins with a lower-case letter/],
  ['ann likes bob.', /a fact is written with its name first, as in `likes\(ann, X\)\.`/],
  ['double(X) = X * 2.', /gives its result in an argument, as in `double\(X, Y\) :- Y is 2\*X\.`/],
  ['\\+ p(1).', /what cannot be proved is false/],
  ['p(1) = false.', /what cannot be proved is false/],
  ['!p(1).', /A clause cannot say it: .* as in `not_p`/],
  ['¬p(X) :- q(X).', /A clause cannot say it: .* as in `not_p`/],
  ['not p(X) :- q(X).', /A clause cannot say it: .* as in `not_p`/],
  ['sees(bald eagle, cat).', /a name with a space is `'bald eagle'` or `bald_eagle`/],
  ['p(X) :- sees(X, great bald eagle).', /a name with a space is `'great bald eagle'` or `great_bald_eagle`/],
  ['alex is a zumpus.', /a fact is written with its name first, as in `zumpus\(alex\)\.`/],
  ['harry is kind.', /a fact is written with its name first, as in `kind\(harry\)\.`/],
  ['p(X), q(X) :- r(X).', /a rule has one head/],
  ['p([H|T|U]) :- q(H, T, U).', /unexpected comma or bar in the rest of a list/],
  ["p('ann).", /unterminated quoted atom that opens here/],
]) {
  test(`a mistake: ${clause}`, async () => {
    const { text, data } = await server.call('clauses', { operation: 'assert', clauses: clause });
    assert.match(text, expected);
    assert.match(data.failures[0].message, expected);
  });
}

test('the fence of a Markdown block, and a comment in another language, do not affect the clauses around them', async () => {
  const text = '```prolog\nfenced(1).\n// more\nfenced(2).\n# and\nfenced(3).\n```\n';
  const { data } = await server.call('files', { operation: 'import', filename: 'fence.pl', text });
  assert.match(data.errors[0], /^1:0: ``` is Markdown: give the clauses without it/);
  assert.match(data.errors[1], /^3:0: a comment begins with `%`/);
  assert.deepEqual(data.errors.length, 4);
  assert.deepEqual(await server.solve('fenced(X)'), ['X = 1', 'X = 2', 'X = 3']);
});

test('= for is gives a warning if no other goal takes the value', async () => {
  const assert_ = async (clauses) => (await server.assert(clauses)).data.warnings ?? [];
  assert.deepEqual(await assert_('inc(X, Y) :- Y = X + 1.'), [
    '`inc(X, Y) :- Y = X + 1.`: Y is unified with an expression, which computes nothing: write `is` for its value.',
  ]);
  assert.deepEqual(await assert_('more(X, Y) :- Z = X + 1, Y is Z * 2.'), []);
  assert.deepEqual(await assert_('pair(X, P) :- P = X-a.'), []);
});

test('an unknown predicate that a clause calls may be declared, if no near name is meant', async () => {
  await server.assert('hot(X) :- yumpus(X). dumpus(a).');
  const { text } = await server.fails('query_start', { query: 'hot(X)', take: 1 });
  assert.match(text, /Did you mean dumpus\/1\? If not, declare it with `:- dynamic yumpus\/1\.`/);
  const misspelt = await server.fails('query_start', { query: 'dumpas(X)', take: 1 });
  assert.doesNotMatch(misspelt.text, /If not/);
});

test('goals of other languages', async () => {
  for (const [goal, expected] of [
    ['X = 3, X => 2', /Write >= for greater or equal/],
    ['sqrt(4, X)', /It is a function: write X is sqrt\(16\)/],
    ['assertz(a(X) :- b(X), c(X))', /a rule has parentheses of its own/],
    ['not member(1, [2])', /`not` is not an operator in Prolog: write `\\\+`/],
    ['1 == 1 == 1', /comparisons do not chain/],
  ]) {
    const { text, data } = await server.call('query_start', { query: goal, take: 1 });
    assert.match(text, expected);
    assert.match(`${data.error.message} ${data.error.next}`, expected);
  }
});

test('a query and a file show the place too', async () => {
  const query = await server.call('query_start', { query: 'member(X, [1, 2, 3]), X > 1 && X < 3', take: 1 });
  assert.match(query.text, /`member\(X, \[1, 2, 3\]\), X > 1 ⟪here⟫ && X < 3`/);
  const file = await server.call('files', { operation: 'import', filename: 'f.pl', text: 'a.\nb :- (c, d.\n' });
  assert.match(file.text, /2:\d+: .*`b :- \(c, d ⟪here⟫ \.`/);
  const assumed = await server.call('query_start', { query: 'a', assume: ['a.', 'b :-\n c d.'], take: 1 });
  assert.match(assumed.text, /assume 2: .*`c ⟪here⟫ d\.` \(line 2, column 3\)/);
});

for (const [goal, expected] of [
  ['X in [1, 2, 3]', /clpfd domain expected, found \[1, 2, 3\]; its elements are those of member\(X, \[1, 2, 3\]\)/],
  [
    'nb_getval(k, V)',
    /Unknown variable: k; nb_setval\/2 or b_setval\/2 makes one\. Create it before the goal that needs it\./,
  ],
  ['number_codes(X, "a")', /Error: Syntax error: illegal number\. Give the goal text that can be parsed\./],
]) {
  test(`the goal ${goal}`, async () => {
    assert.match((await server.call('query_start', { query: goal, take: 1 })).text, expected);
  });
}

test('patterns of retract and replace, and goals that are explained, show the place too', async () => {
  const place = /`p\(a ⟪here⟫ b\)`/;
  assert.match((await server.fails('clauses', { operation: 'retract', clauses: 'p(a b)' })).text, place);
  assert.match((await server.fails('clauses', { operation: 'replace', old: 'p(a b)', clauses: 'p.' })).text, place);
  assert.match((await server.fails('workspace', { operation: 'why', of: 'p(a b)' })).text, place);
});

test('a misspelt predicate of a module is reported with the module', async () => {
  await server.import('two.pl', ':- module(two, []).\nhelper(1).\n');
  for (const query of ['two:helpr(X)', 'helpr(X)'])
    assert.match((await server.fails('query_start', { query, take: 1 })).text, /Did you mean two:helper\/1\?/);
  await server.reset();
});

test('an error does not mention names if none is meant', async () => {
  await server.assert('big(X), X > 9 => true.');
  assert.match((await server.fails('query_start', { query: 'big(1)', take: 1 })).text, /Add a rule for it/);
  const assumed = await server.fails('query_start', { query: 'p', take: 1, assume: ':- initialization(p). p.' });
  assert.match(assumed.text, /import the text, and ask then\.$/);
});

test('use_module in a query is unnecessary, and the reply says so', async () => {
  const { data } = await server.ok('query_start', { query: 'use_module(library(lists)), last([1, 2], X)', take: 1 });
  assert.equal(data.answers[0].X, '2');
  assert.match(data.notices[0], /leave use_module out of queries/);
  const other = await server.call('query_start', { query: 'use_module(library(process))', take: 1 });
  assert.equal(other.data.error.kind, 'unsafe_goal');
  const named = await server.call('query_start', { query: 'use_module(library(clpq))', take: 1 });
  assert.match(named.text, /add `:- use_module\(library\(clpq\)\)\.` as a clause/);
});

test('what the sandbox refuses is reported with an alternative', async () => {
  for (const [goal, expected] of [
    ['call([a, b])', /A list is not a goal: member\/2 goes through its elements/],
    ['op(700, xfx, likes)', /op\/3 is outside the sandbox\..*with a directive, such as `:- op\(700, xfx, ===>\)\.`/s],
    ['set_prolog_flag(double_quotes, codes)', /with a directive, .* in the file that needs it/],
    ['char_conversion(a, b)', /Leave it out: SWI-Prolog converts no characters/],
    ['tell(f)', /what a query writes is its output, and with_output_to\/2 makes a text of it/],
    ['load_files(f, [])', /Import the file into the book/],
    ['trace', /the proof of a goal shows each step/],
  ]) {
    const { text, data } = await server.fails('query_start', { query: goal, take: 1 }, 'unsafe_goal');
    assert.match(text, expected);
    assert.match(`${data.error.message} ${data.error.next}`, expected);
  }
  const { text } = await server.call('files', {
    operation: 'import',
    filename: 'refused.pl',
    text: 'p :- load_files(f, []).\nq(X) :- get_attrs(X, a).\nterm_expansion(a, b).\n',
  });
  assert.match(text, /load_files\/2 is outside the sandbox\. Import the file into the book\./);
  assert.match(text, /get_attrs\/2 is outside the sandbox\. Use get_attr\/3 and put_attr\/3/);
  assert.match(text, /term_expansion\/2 is a hook .*: write clauses and goals as it would make them/);
  // As advised.
  await server.assert(':- op(700, xfx, likes).');
  assert.deepEqual(await server.solve('X = (ann likes bob), X =.. L'), ['X = (ann likes bob), L = [likes,ann,bob]']);
});

test('predicates of other systems are reported with an alternative', async () => {
  for (const [goal, expected] of [
    ['regex_match("a", b)', /Unknown procedure: regex_match\/2\. .*re_match\/2/],
    ['http_get(a, X, [])', /Unknown procedure: http_get\/3\. .*network/],
    ['str_concat(a, b, X)', /string_concat\/3/],
  ])
    assert.match((await server.call('query_start', { query: goal, take: 1 })).text, expected);
});

test('a comment that looks like modulo is no end of a text', async () => {
  const refused = async (name, values) => {
    const { text, data, isError } = await server.call(name, values);
    assert.ok(isError || data.failed === 1, text);
    return text;
  };
  const said = /`%` begins a comment: write `X mod 2`/;
  const clauses = 'even(X) :- 0 is X % 2.';
  assert.match(await refused('clauses', { operation: 'assert', clauses }), said);
  assert.match(await refused('clauses', { operation: 'assert', clauses: ['a.', 'b(X) :- Y is X % 2, Y > 0.'] }), said);
  assert.match(await refused('query_start', { query: 'even(4)', take: 1, assume: clauses }), said);
  assert.match(
    await refused('files', { operation: 'import', filename: 'even.pl', text: `${clauses}\nodd(1).\n` }),
    said,
  );
  const query = 'X = 17, Y is X % 5, Z = 1';
  assert.match(await refused('query_start', { query, take: 1 }), /write `X mod 5`, or a period before the comment/);
  assert.match(await refused('query_start', { query: 'Y is (3 + 4) % 2', take: 1 }), /write `\(…\) mod 2`/);
  assert.match(await refused('workspace', { operation: 'why', of: 'X = 4, 1 is X % 2' }), said);
  for (const fine of ['member(X, [1, 2]) % pick one', 'X = 5 % The first', 'X = 7 % 100 percent', "X = 'a % 2'"])
    await server.ok('query_start', { query: fine, take: 1 });
  await server.reset();
});
