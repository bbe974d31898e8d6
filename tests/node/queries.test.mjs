// Queries as a Prolog programmer expects them: choice points, several at once, limits, changes of the clauses, output,
// constraints, errors.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Server, solution } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(() => server.close());
beforeEach(() => server.reset());

const start = (query, values) => server.ok('query_start', { query, ...values });
const next = (values) => server.ok('query_next', values);

describe('sessions', () => {
  test('solutions one by one, then no more, however often it is asked', async () => {
    const { text, data } = await start('member(X, [a, b])');
    assert.match(text, /^Query started: member\(X, \[a, b\]\)\nquery_id: .*\nStatus: ready$/);
    assert.deepEqual(data.variables, ['X']);
    assert.match(
      (await next()).text,
      /^query_id: q\d+\nSolution: X = a\nThere may be more: query_next q\d+\nStatus: success$/,
    );
    assert.equal((await next()).data.answers[0].X, 'b');
    for (let again = 0; again < 3; again++) {
      const { text: end, data: ended } = await next();
      assert.match(end, /^query_id: q\d+\nNo more solutions/);
      assert.deepEqual([ended.answers, ended.more], [[], false]);
    }
  });

  test('no variables: true; no solution: none', async () => {
    assert.deepEqual(await server.solve('true'), ['true']);
    assert.deepEqual(await server.solve('fail'), []);
    assert.deepEqual(await server.solve('_X = 1, _ = 2'), ['true']);
  });

  test('the last solution of a deterministic goal says that no more follow', async () => {
    const { data } = await start('X = 1', { take: 1 });
    assert.deepEqual([data.answers.length, data.more], [1, false]);
    assert.equal((await start('member(X, [1, 2])', { take: 1 })).data.more, true);
    assert.equal((await start('member(X, [1, 2])', { take: 2 })).data.more, false);
  });

  test('take: that many at once, at the start and later', async () => {
    const { data } = await start('between(1, 10, X)', { take: 3 });
    assert.deepEqual(
      data.answers.map((answer) => solution(answer, data.variables)),
      ['X = 1', 'X = 2', 'X = 3'],
    );
    assert.deepEqual(
      (await next({ take: 5 })).data.answers.map((answer) => solution(answer, data.variables)),
      ['X = 4', 'X = 5', 'X = 6', 'X = 7', 'X = 8'],
    );
    const rest = (await next({ take: 5 })).data;
    assert.deepEqual([rest.answers.length, rest.more], [2, false]);
  });

  test('several are open at once; without a query_id the newest is meant', async () => {
    await start('member(X, [a, b])', { query_id: 'letters' });
    const { data } = await start('member(X, [1, 2])');
    assert.equal((await next()).data.answers[0].X, '1');
    assert.equal((await next({ query_id: 'letters' })).data.answers[0].X, 'a');
    assert.equal((await next({ query_id: data.query_id })).data.answers[0].X, '2');
    assert.equal((await next({ query_id: 'letters' })).data.answers[0].X, 'b');
  });

  test('both modes give the same answers in the same order', async () => {
    await server.assert(
      'edge(a, b). edge(b, c). edge(a, c). path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z).',
    );
    for (const query of ['path(a, X)', 'length(L, N), N > 1, !', 'X #> 3', 'append(X, Y, [1, 2])']) {
      const [engine, standard] = await Promise.all(
        [true, false].map((use_engine) => start(query, { use_engine, take: 10 })),
      );
      assert.deepEqual(standard.data.answers, engine.data.answers);
    }
  });

  test('close: a closed query is reported as closed, and closing one that is not open is no error', async () => {
    await start('repeat', { query_id: 'r' });
    assert.match((await server.ok('query_close', { query_id: 'r' })).text, /^Session closed/);
    assert.match((await server.ok('query_close', { query_id: 'r' })).text, /^No active session/);
    await server.fails('query_next', { query_id: 'r' }, 'no_such_query');
    await server.fails('query_next', {}, 'no_such_query');
  });

  test('an id in use is refused, and is free again when its query has ended', async () => {
    await start('repeat', { query_id: 'mine' });
    await server.fails('query_start', { query: 'true', query_id: 'mine' }, 'query_id_in_use');
    await server.ok('query_close', { query_id: 'mine' });
    assert.equal((await start('X = 2', { query_id: 'mine', take: 1 })).data.answers[0].X, '2');
  });

  test('when too many queries are open, the one idle longest is closed, with a notice', async () => {
    for (let n = 0; n < 32; n++) await start('repeat', { query_id: `open ${n}`, take: 1 });
    for (let n = 0; n < 40; n++) assert.equal((await start('true', { take: 1 })).data.notices, undefined);
    await next({ query_id: 'open 0' });
    const listed = await server.ok('workspace', { operation: 'list_queries' });
    assert.equal(listed.data.queries.length, 32);
    assert.match(listed.text, /\nopen 0: repeat \(2 solutions so far, idle for \d+ s\)\n/);
    const { data } = await start('repeat', { query_id: 'one more', take: 1 });
    assert.match(data.notices[0], /^Query open 1, .* was closed: at most 32 queries may be open/);
    const { text } = await server.fails('query_next', { query_id: 'open 1' }, 'no_such_query');
    assert.match(text, /^Error: Query open 1 ended .* after 1 solution: it had been idle longest/);
    await next({ query_id: 'open 0' });
    await server.reset();
  });

  test('a query that was stopped by its time limit or an error says so when asked for more', async () => {
    const slow = await server.fails('query_start', {
      query: 'member(X, [1, 2]) ; repeat, fail',
      take: 9,
      timeout_ms: 300,
    });
    assert.equal(slow.data.error.kind, 'timeout');
    const { text } = await server.fails('query_next', {}, 'no_such_query');
    assert.match(
      text,
      /^Error: Query \w+ ended just now after 2 solutions: The query was stopped after 300 ms\. Start/,
    );
    await server.fails('query_start', { query: 'X = 1 ; X is foo + 1', take: 9, query_id: 'wrong' });
    const wrong = await server.fails('query_next', { query_id: 'wrong' }, 'no_such_query');
    assert.match(wrong.text, /^Error: Query wrong ended .* after 1 solution: Type error: evaluable expected/);
  });

  test('no solutions are reported as such, and an ended query stays the newest', async () => {
    await start('repeat', { query_id: 'older' });
    const none = await start('fail', { take: 1, query_id: 'none' });
    assert.match(none.text, /^No solutions \(false\)\.\n/);
    const again = await next();
    assert.match(again.text, /^query_id: none\nNo solutions \(false\)\./);
    await server.ok('query_close', { query_id: 'older' });
  });

  test('an argument that does not belong to the operation changes nothing', async () => {
    await server.assert('kept(1).');
    const { text } = await server.fails('workspace', { operation: 'reset', of: 'kept/1' }, 'invalid_argument');
    assert.match(text, /'of' does not belong to reset/);
    assert.deepEqual(await server.solve('kept(X)'), ['X = 1']);
    await server.retract('kept(1).');
  });

  test('reset closes open queries', async () => {
    await start('repeat', { query_id: 'r' });
    await server.reset();
    await server.fails('query_next', { query_id: 'r' }, 'no_such_query');
  });

  test('requests sent together are done in their order', async () => {
    const [, imported, asserted, asked, retracted, again] = await Promise.all([
      server.reset(),
      server.call('files', { operation: 'import', filename: 'f', text: 'n(1).\n' }),
      server.call('clauses', { operation: 'assert', clauses: 'n(2).' }),
      server.call('query_start', { query: 'findall(X, n(X), L)', take: 1 }),
      server.call('clauses', { operation: 'retract', clauses: 'n(1)' }),
      server.call('query_start', { query: 'findall(X, n(X), L)', take: 1 }),
    ]);
    for (const { isError, text } of [imported, asserted, asked, retracted, again]) assert.equal(isError, false, text);
    assert.deepEqual(
      [asked, again].map(({ data }) => data.answers[0].L),
      ['[1,2]', '[2]'],
    );
  });
});

describe('answers', () => {
  for (const [query, text] of [
    ["X = 'A b'", "'A b'"],
    ['X = "s"', '"s"'],
    ['X = [a, B, "c"|T]', '[a,B,"c"|T]'],
    ['X is 5 / 2', '2.5'],
    ['X is 2 ** 100', '1267650600228229401496703205376'],
    ['X is 2 rdiv 6', '1r3'],
    ['X = point{x: 1}', 'point{x:1}'],
    ['X = (a :- b, c)', '(a:-b,c)'],
    ['X = - 1', '- 1'],
    ['X = f(_, Y, _)', 'f(_A,Y,_B)'],
    ['X = [1, 2, [3]]', '[1,2,[3]]'],
    ['X = {a}', '{a}'],
  ]) {
    test(`${query}: as text that reads back`, async () => {
      assert.equal((await start(query, { take: 1 })).data.answers[0].X, text);
    });
  }

  test('a value whose text cannot be read back has JSON beside it', async () => {
    assert.deepEqual((await start('X is nan, Y = 1', { take: 1 })).data.answers, [
      { X: { text: '1.5NaN', json: { float: '1.5NaN' } }, Y: '1' },
    ]);
  });

  test('residual constraints are shown', async () => {
    assert.deepEqual(await server.solve('X #> 3, X #< 6'), ['X in 4..5']);
    assert.deepEqual((await start('X #= Y + 2, Y in 0..1', { take: 1 })).data.answers[0].residual.sort(), [
      'X in 2..3',
      'Y in 0..1',
      'Y+2#=X',
    ]);
    assert.deepEqual(await server.solve('dif(X, a)'), ['dif(X,a)']);
    assert.deepEqual(await server.solve('freeze(X, true), when(nonvar(Y), true)'), [
      'freeze(X,true), when(nonvar(Y),true)',
    ]);
    const { data, text } = await start('X #> 3', { take: 1 });
    assert.deepEqual(data.answers[0].residual, ['X in 4..sup']);
    assert.match(text, /Solution: X in 4\.\.sup/);
  });

  test('unbound variables share names', async () => {
    assert.deepEqual(await server.solve('X = Y, Z = f(X)'), ['Y = X, Z = f(X)']);
  });

  test('output is captured separately from the answers, each answer with its own', async () => {
    const { data, text } = await start('member(X, [1, 2]), format("got ~w~n", [X])', { take: 2 });
    assert.deepEqual(
      data.answers.map(({ output }) => output),
      ['got 1\n', 'got 2\n'],
    );
    assert.match(text, /Output: got 1\nSolution: X = 1\nOutput: got 2\nSolution: X = 2/);
    assert.equal((await start('write(user_error, oops), fail', { take: 1 })).data.output, 'oops');
    assert.equal(
      (await start('with_output_to(string(S), write(inner)), write(outer)', { take: 1 })).data.answers[0].output,
      'outer',
    );
  });
});

describe('errors', () => {
  for (const [query, kind, message] of [
    [
      'nosuch(1)',
      'existence_error',
      /Unknown procedure: nosuch\/1\. Define it, or declare it with `:- dynamic nosuch\/1\.`/,
    ],
    ['lenght([a], N)', 'existence_error', /Did you mean length\/2\?/],
    ['parrent(ann, X)', 'existence_error', /Did you mean parent\/2\?/],
    ['X is foo + 1', 'type_error', /evaluable expected, found foo\/0/],
    ['X is 1 / 0', 'evaluation_error', /division by zero/],
    ['atom_length(X, Y)', 'instantiation_error', /atom_length\/2/],
    ['atom_length(f(x), Y)', 'type_error', /atom_length\/2/],
    ['throw(my(ball))', 'uncaught_exception', /threw my\(ball\)/],
    ['functor(T, f, -1)', 'domain_error', /./],
    ['assertz((foo :- 1))', 'type_error', /callable/],
    ['assertz(atom_length(a, b))', 'permission_error', /atom_length\/2/],
    ['call(1)', 'type_error', /callable/],
    ['shell(ls)', 'unsafe_goal', /shell\/1/],
    ["rename_file('/etc/passwd', b)", 'unsafe_goal', /rename_file\/2/],
    ["open('/etc/passwd', read, S)", 'existence_error', /File '\/etc\/passwd' cannot be opened/],
    ['G = shell(ls), call(G)', 'unsafe_goal', /shell\/1/],
    ['halt', 'halted', /ended itself with halt: nothing of it is kept. Leave the goal that ends the query out/],
    ['parent(X', 'syntax_error', /line 1, column \d+/],
  ]) {
    test(`${query}: ${kind}`, async () => {
      await server.assert('parent(ann, bob).');
      const { text } = await server.fails('query_start', { query, take: 1 }, kind);
      assert.match(text, message);
      assert.deepEqual(await server.solve('parent(X, Y)'), ['X = ann, Y = bob']);
    });
  }

  test('an error after some answers: those are returned, and the error ends the query', async () => {
    const { data, text } = await server.fails(
      'query_start',
      { query: 'member(X, [1, 2, a]), Y is X * 2', take: 9 },
      'type_error',
    );
    assert.deepEqual(
      data.answers.map((answer) => solution(answer, data.variables)),
      ['X = 1, Y = 2', 'X = 2, Y = 4'],
    );
    assert.match(text, /Solution: X = 2, Y = 4\nError: /);
  });

  test('catch/3 sees the errors of Prolog', async () => {
    assert.deepEqual(await server.solve('catch(X is foo, error(type_error(T, V), _), true)'), [
      'T = evaluable, V = foo/0',
    ]);
    assert.deepEqual(await server.solve('catch(nosuch, error(existence_error(What, _), _), true)'), [
      'What = procedure',
    ]);
    assert.deepEqual(await server.solve('catch(throw(mine), Ball, true)'), ['Ball = mine']);
  });

  test('--unknown fail: undefined predicates fail', async () => {
    const other = await Server.start({ args: ['--unknown', 'fail'] });
    assert.deepEqual(await other.solve('nosuch(1)'), []);
    await other.assert('p(X) :- q(X). p(2).');
    assert.deepEqual(await other.solve('p(X)'), ['X = 2']);
    await other.close();
  });

  test('--timeout is the limit of every query without one', async () => {
    const other = await Server.start({ args: ['--timeout', '200'] });
    assert.match((await other.fails('query_start', { query: 'repeat, fail', take: 1 }, 'timeout')).text, /200 ms/);
    await other.close();
  });
});

describe('changes by running code', () => {
  test('assert and retract show in the snapshot and are reported', async () => {
    const { text, data } = await start('assertz(n(1)), assertz((m(X) :- n(X))), asserta(n(0)), retract(n(1))', {
      take: 1,
    });
    assert.deepEqual(data.changes, { added: 2, removed: 0, undone: 0 });
    assert.match(text, /Workspace: 2 clauses added, 0 removed/);
    assert.equal(await server.snapshot(), 'n(0).\nm(A) :-\n    n(A).');
    assert.deepEqual(await server.solve('m(X)'), ['X = 0']);
  });

  test('a written clause keeps its text when others go', async () => {
    await server.assert('% first\nn( 1 ). n( 2 ).  n( 3 ).');
    await start('retract(n(2))', { take: 1 });
    assert.equal(await server.snapshot(), '% first\nn( 1 ).\nn( 3 ).');
  });

  for (const [how, query] of [
    ['an error', 'assertz(n(9)), retract(n(1)), X is foo'],
    ['a throw', 'retractall(n(_)), assertz(n(9)), throw(oops)'],
    ['failure', 'assertz(n(9)), asserta(n(8)), retract(n(2)), fail'],
    ['a timeout', 'assertz(n(9)), retract(n(1)), repeat, fail'],
    ['a loss of the engine', 'assertz(n(9)), retract(n(1)), loop'],
    ['a refusal', 'assertz(n(9)), shell(ls)'],
    ['a syntax error', 'assertz(n(9)), foo('],
  ]) {
    test(`${how} leaves the workspace as it was`, async () => {
      await server.assert('n(1). n(2). n(3). loop :- loop.');
      const before = await server.snapshot();
      await server.call('query_start', { query, take: 1, timeout_ms: 500 });
      assert.equal(await server.snapshot(), before);
      assert.deepEqual(await server.solve('findall(X, n(X), L)'), ['L = [1,2,3]']);
    });
  }

  test('a later step that fails undoes its own changes, not those of answers already given', async () => {
    await start('member(X, [1, 2, oops]), assertz(n(X)), ( X == oops -> throw(x) ; true )', { query_id: 'q' });
    await next({ query_id: 'q' });
    await next({ query_id: 'q' });
    await server.fails('query_next', { query_id: 'q' }, 'uncaught_exception');
    assert.equal(await server.snapshot(), 'n(1).\nn(2).');
  });

  test('the logical update view: a goal sees the clauses that existed when it was called', async () => {
    await server.assert('n(1). n(2).');
    assert.deepEqual(await server.solve('n(X), Y is X + 10, assertz(n(Y))'), ['X = 1, Y = 11', 'X = 2, Y = 12']);
    await start('n(X), assertz(seen(X))', { query_id: 'open' });
    await next({ query_id: 'open' });
    await server.assert('n(99).');
    assert.deepEqual(
      (await next({ query_id: 'open', take: 9 })).data.answers.map((answer) => solution(answer)),
      ['X = 2', 'X = 11', 'X = 12'],
    );
  });

  test('a predicate retracted to the last clause is still known, and fails', async () => {
    await server.assert('n(1).');
    await start('retract(n(1))', { take: 1 });
    assert.deepEqual(await server.solve('n(X)'), []);
  });

  test('global variables and flags of one query are not those of another', async () => {
    await start('b_setval(v, 1), b_getval(v, X)', { take: 1 });
    await server.fails('query_start', { query: 'b_getval(v, X)', take: 1 }, 'existence_error');
  });
});

describe('what answers show, and in which order', () => {
  const told = async (query) => (await start(query, { take: 10 })).data.answers;

  test('projection/1 selects the variables, and sorts by them', async () => {
    await server.ok('clauses', { operation: 'assert', clauses: 'age(tom, 40). age(ann, 30). age(bob, 40).' });
    const { data } = await start('projection([Age, Who]), age(Who, Age), _ = x, Z = 1', { take: 1 });
    assert.deepEqual(data.variables, ['Age', 'Who']);
    assert.deepEqual(data.answers, [{ Age: '40', Who: 'tom' }]);
    assert.deepEqual(await told('projection([-Age, +Who]), age(Who, Age)'), [
      { Age: '40', Who: 'bob' },
      { Age: '40', Who: 'tom' },
      { Age: '30', Who: 'ann' },
    ]);
    // It may come anywhere among the goals.
    assert.deepEqual(await told('age(Who, Age), projection([Who]), Age < 35'), [{ Who: 'ann' }]);
    assert.deepEqual(await told('projection([]), age(_, Age), Age < 35'), [{}]);
  });

  test('misuse of projection/1 is reported', async () => {
    for (const query of ['projection(X), X = 1', 'projection([x]), X = 1', 'projection([X|_]), X = 1'])
      assert.match((await server.call('query_start', { query })).text, /takes a list of variables of the query/);
    const inside = await server.call('query_start', { query: '( projection([X]), X = 1 ; X = 2 )', take: 1 });
    assert.match(inside.text, /projection\/1.*beside the goals of a query/s);
    // A user predicate of that name is the user's.
    await server.ok('clauses', { operation: 'assert', clauses: 'projection([a]).' });
    assert.deepEqual(await told('projection(X)'), [{ X: '[a]' }]);
  });

  test('distinct, limit, offset, order_by and counts are goals of a query', async () => {
    await server.ok('clauses', { operation: 'assert', clauses: 'n(3). n(1). n(3). n(2).' });
    const values = async (query) => (await told(query)).map(({ X }) => X);
    assert.deepEqual(await values('distinct(X, n(X))'), ['3', '1', '2']);
    assert.deepEqual(await values('distinct(n(X))'), ['3', '1', '2']);
    assert.deepEqual(await values('limit(2, n(X))'), ['3', '1']);
    assert.deepEqual(await values('offset(2, n(X))'), ['3', '2']);
    assert.deepEqual(await values('order_by([desc(X)], n(X))'), ['3', '3', '2', '1']);
    assert.deepEqual(await values('limit(2, order_by([asc(X)], distinct(X, n(X))))'), ['1', '2']);
    assert.deepEqual(await values('aggregate_all(count, n(_), X)'), ['4']);
  });
});

test('the clock and the time zone are those of the process, not of the build', async (t) => {
  for (const [zone, offset] of [
    ['Asia/Tokyo', -32400],
    ['America/Phoenix', 25200],
  ]) {
    const begun = Date.now() / 1000;
    const server = await Server.start({ env: { TZ: zone } });
    t.after(() => server.close());
    assert.deepEqual(await server.solve('stamp_date_time(0, date(_, _, _, _, _, _, Offset, _, _), local)'), [
      `Offset = ${offset}`,
    ]);
    const goal = `statistics(process_epoch, T), Late is truncate(T - ${begun}), Late >= 0, Late < 60`;
    assert.equal((await server.solve(`${goal}, Is = true`)).length, 1);
  }
});

test('the clocks of a program begin at zero and do not go back from one query to the next', async (t) => {
  const server = await Server.start();
  t.after(() => server.close());
  let before = 0;
  for (let i = 0; i < 3; i += 1) {
    const [answer] = await server.solve(
      'forall(between(1, 20000, _), true), statistics(runtime, [T,_]), statistics(cputime, C), T =< C*1000',
    );
    const [, now] = /T = (\d+)/.exec(answer);
    assert.ok(Number(now) >= before, answer);
    before = Number(now);
  }
});

test('abort ends its query, whatever catches it', async (t) => {
  const server = await Server.start();
  t.after(() => server.close());
  await server.import('a.pl', 'p(X) :- X > 1, abort.\np(1).\n');
  assert.deepEqual(await server.solve('p(1)'), ['true']);
  const { data } = await server.call('query_start', { query: 'catch(p(2), _, true)', take: 1 });
  assert.equal(data.error.kind, 'halted');
  assert.match(data.error.message, /ended itself with abort/);
});

test('columns are counted from the begin of what a query writes', async (t) => {
  const server = await Server.start();
  t.after(() => server.close());
  for (let i = 0; i < 2; i += 1) {
    const { data } = await server.ok('query_start', { query: "format('~w~t~10|~w', [ab, cd])", take: 1 });
    assert.equal(data.answers[0].output, 'ab        cd');
  }
});

test('rules with => that a program adds are kept as such, and listed so', async () => {
  const server = await Server.start();
  await server.solve('assertz((p(1, Y) => Y = one)), assertz((p(X, Y), X > 5 => Y = many))');
  const snapshot = await server.snapshot();
  await server.reset();
  await server.import('again.pl', snapshot);
  assert.deepEqual(await server.solve('p(1, A), p(7, B)'), ['A = one, B = many']);
  const { data } = await server.ok('query_start', { query: 'listing(p/2)', take: 1 });
  assert.match(data.answers[0].output, /p\(1, A\) =>\n\s+A=one\.\np\(A, B\), A>5 =>/);
  assert.equal((await server.call('query_start', { query: 'p(2, _)', take: 1 })).data.error.kind, 'existence_error');
  await server.close();
});

test('a reply says that there may be more, and how to get it', async () => {
  const { text, data } = await server.ok('query_start', { query: 'between(1, 24, X)', take: 20, query_id: 'rows' });
  assert.match(text, /\nSolution: X = 20\nThere may be more: query_next rows\nStatus: success$/);
  assert.deepEqual([data.more, data.next, data.left_out], [true, 'query_next', undefined]);
  const rest = await server.ok('query_next', { query_id: 'rows', take: 20 });
  assert.match(rest.text, /\nSolution: X = 24\nNo more solutions\nStatus: success$/);
  assert.deepEqual([rest.data.more, rest.data.next], [false, undefined]);
});

test('a reply that is full says how many of its solutions come with the next call', async () => {
  const query = 'between(1, 1000, X), Y is X * X';
  let reply = await server.ok('query_start', { query, take: 1000, query_id: 'cut' });
  let count = 0;
  for (;;) {
    count += reply.data.answers.length;
    assert.equal(reply.data.answers.at(-1).X, String(count));
    if (count === 1000) break;
    const told = `\n${1000 - count} more did not fit (limit: reply_tokens): query_next cut\nStatus: success`;
    assert.ok(reply.text.endsWith(told), reply.text.slice(-200));
    assert.deepEqual([reply.data.more, reply.data.left_out], [true, 1000 - count]);
    reply = await server.ok('query_next', { query_id: 'cut', take: 1000 });
  }
  assert.equal(reply.data.more, false);
});

test('a change that waits for a running query says so', async () => {
  const server = await Server.start();
  const running = server.call('query_start', { query: 'repeat, fail', take: 1, timeout_ms: 2500, query_id: 'busy' });
  await server.request('ping');
  const { text, data } = await server.ok('clauses', { operation: 'assert', clauses: 'during(1).' });
  assert.match(data.notices[0], /^This waited \d+\.\d s for query busy, which was running: its time limit is /);
  assert.match(text, /Notice: This waited/);
  await running;
  assert.equal((await server.ok('clauses', { operation: 'assert', clauses: 'after(1).' })).data.notices, undefined);
  await server.close();
});

test('when the input ends, running queries are cancelled and answers that are ready are written', async () => {
  const server = await Server.start();
  const ready = server.call('query_start', { query: 'X = 1', take: 1 });
  const running = server.begin('tools/call', {
    name: 'query_start',
    arguments: { query: 'repeat, fail', take: 1, timeout_ms: 600_000 },
  });
  running.answer.catch(() => {});
  const ended = server.end();
  assert.deepEqual((await ready).data.answers, [{ X: '1' }]);
  assert.equal((await ended).code, 0);
});
