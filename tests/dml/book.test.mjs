// Programs that query the book of the workspace, and change it: in a program, over MCP, on the command line.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { Client } from '../../pkg/client.js';
import { openBook } from '../../pkg/index.js';
import { Server, directory, eventsOf } from '../node/harness.mjs';
import { BIN } from '../support/stdio.mjs';

/** A book with these clauses, and a function that runs programs on it and returns the texts of their events. */
async function bookWith(...clauses) {
  const book = await openBook();
  if (clauses.length > 0) await book.assert(...clauses);
  const dml = await createDeepClause({ book });
  after(async () => {
    dml.close();
    await book.close();
  });
  const run = async (code, options) => {
    const events = await eventsOf(dml, code, options);
    return events.map(({ type, content }) => (content === undefined ? type : `${type}: ${content}`));
  };
  return { book, dml, run };
}

test('a goal in the book yields its answers on backtracking, with unchanged values', async () => {
  const { run } = await bookWith(
    'parent(ann, bob).',
    'parent(ann, "Cy \\"the\\" 2nd").',
    "parent(ann, f(X, X, [1.5, 'A b'|_])).",
    ':- op(700, xfx, ===>).',
    'rule(a ===> b).',
  );
  assert.deepEqual(
    await run(`agent_main :-
      findall(C, book:parent(ann, C), [bob, "Cy \\"the\\" 2nd", f(P, Q, [1.5, 'A b'|T])]),
      P == Q, var(T), P \\== T,
      book:rule(R), R =.. [Op, a, b], output(Op),
      ( book:parent(bob, _) -> true ; output("none") ),
      forall(book:member(X, [1, 2]), output("{X}")),
      maplist(book:parent, [ann, ann], [bob, bob]), Goal = parent(ann, bob), call(book:Goal), M = book, M:Goal,
      catch(book:_, error(Formal, _), true), Formal == instantiation_error,
      once(book:parent(ann, First)), answer(First).`),
    ['output: ===>', 'output: none', 'output: 1', 'output: 2', 'answer: bob', 'finished'],
  );
});

test('the changes of a goal are one revision, which the history names after the program', async () => {
  const { book, run } = await bookWith('count(0).');
  const code = `agent_main :-
    book:(retract(count(N)), N1 is N + 1, assertz(count(N1))),
    book:assertz((double(X, Y) :- Y is X * 2)),
    ( book:(assertz(lost(1)), fail) -> true ; true ),
    book:double(21, D), answer(D).`;
  assert.deepEqual(await run(code, { name: 'count.dml' }), ['answer: 42', 'finished']);
  assert.deepEqual(await book.all('count(N)'), [{ N: 1 }]);
  assert.deepEqual(await book.all('catch(lost(N), _, fail)'), []);
  await book.undo();
  assert.deepEqual(await book.all('catch(double(1, Y), _, fail)'), []);
  assert.deepEqual(await book.all('count(N)'), [{ N: 1 }]);
  await book.undo();
  assert.deepEqual(await book.all('count(N)'), [{ N: 0 }]);
});

test('errors of the book can be caught, and uncaught ones end the run', async () => {
  const { run } = await bookWith('bad(X) :- Y is X + a, Y > 1.');
  const caught = (goal) =>
    run(`agent_main :- catch(book:${goal}, error(book_error(Kind, Why), _), ( answer("{Kind}: {Why}") )).`);
  assert.match((await caught('bad(1)'))[0], /^answer: type_error: .*evaluable/);
  assert.match((await caught('nothing_like_it(1)'))[0], /^answer: existence_error: /);
  assert.match((await caught('shell(ls)'))[0], /^answer: unsafe_goal: /);
  assert.match((await caught('assertz(kn_node(a, b, c))'))[0], /^answer: .*kn_graph/);
  assert.match((await run('agent_main :- book:bad(1), answer(x).'))[0], /^error: Runtime error: The book: .*line 1/);
  assert.match((await run('agent_main :- book:(X #> 1, X #< 5).'))[0], /error: .*constraints.*label/);
});

test('without a book a program is told how to get one, and it can go on', async () => {
  const dml = await createDeepClause();
  after(() => dml.close());
  const events = await eventsOf(
    dml,
    'agent_main :- catch(book:a(_), error(book_error(not_allowed, W), _), answer(W)).',
  );
  assert.match(events[0].content, /may not use the book; .*--book PATH.*createDeepClause\(\{ book \}\).*--dml-book/);
  const book = await openBook();
  after(() => book.close());
  // The name means the book in programs only; in a query it is a module like any other.
  await assert.rejects(book.once('book:nosuch(1)'), /nosuch\/1/);
  assert.deepEqual(await dml.checkDML('agent_main :- book:whatever(X), answer("{X}").'), []);
});

test('a run leaves no query open in the book: after a cut, the end, an error, an abort', async () => {
  const { book, dml, run } = await bookWith();
  const client = new Client(book.hornbook, 'test');
  const open = async () => {
    for (let tries = 0; tries < 100; tries += 1) {
      const { structured } = await client.callTool('workspace', { operation: 'list_queries' });
      if (structured.queries.length === 0) return 0;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return 1;
  };
  await run('agent_main :- book:member(X, [1, 2, 3]), X >= 2, !, answer(X).');
  assert.equal(await open(), 0);
  await run('agent_main :- book:member(X, [1, 2, 3]), book:member(_, [a, b]), X > 1, throw(oops).');
  assert.equal(await open(), 0);
  const abort = new AbortController();
  for await (const event of dml.runDML('agent_main :- book:member(X, [1, 2]), output("{X}"), book:(repeat, fail).', {
    signal: abort.signal,
  })) {
    if (event.type === 'output') setTimeout(() => abort.abort(), 200);
    else assert.equal(event.content, 'Execution aborted.');
  }
  assert.equal(await open(), 0);
  assert.deepEqual(await book.all('X = 1'), [{ X: 1 }]);
});

test('limits of the run apply in the book: inferences and time', async () => {
  const { run } = await bookWith('count(N) :- between(1, N, _), fail.', 'count(_).', 'loop :- loop.');
  assert.match(
    (await run('agent_main :- book:count(200000), answer(done).', { gasLimit: 100_000 }))[0],
    /^error: Gas exhausted/,
  );
  assert.match((await run('agent_main :- book:loop.', { timeoutMs: 1000 }))[0], /^error: The run took longer than/);
});

test('a recording contains the replies of the book, and a replay asks it nothing', async () => {
  const { book, dml, run } = await bookWith('n(1).', 'n(2).');
  const code = 'agent_main :- findall(N, book:n(N), Ns), book:assertz(seen(Ns)), answer("{Ns}").';
  const recording = [];
  const first = await run(code, { record: (entry) => recording.push(entry) });
  assert.deepEqual(first, ['answer: [1,2]', 'finished']);
  await book.undo();
  await book.retract('n(2)');
  assert.deepEqual(await run(code, { replay: JSON.parse(JSON.stringify(recording)) }), first);
  assert.deepEqual(await book.all('catch(seen(X), _, fail)'), []);
  assert.ok(dml);
});

test('concurrent goals, and tasks between answers, query the book as well', async () => {
  const { run } = await bookWith('city(bern, 1).', 'city(oslo, 2).');
  const set = (value) => ({
    calls: [
      { tool: 'set_result', args: { variable: 'V', value } },
      { tool: 'finish', args: { success: true } },
    ],
  });
  const events = await run(
    `agent_main :-
      concurrent_maplist([C, N]>>(book:city(C, N)), [bern, oslo], Ns), output("{Ns}"),
      book:city(C, _), task("Is it {C}?", string(V)), V == "yes", !, answer(C).`,
    { model: scriptedModel([set('no'), set('yes')]) },
  );
  assert.deepEqual(events, ['output: [1,2]', 'answer: oslo', 'finished']);
});

test('over MCP: as the server allows it', async () => {
  const code =
    'agent_main :- book:fact(X), book:assertz(seen(X)), findall(N, book:kn_node(_, _, N), Ns), answer("{X}{Ns}").';
  const answers = {};
  for (const access of ['none', 'read', 'write']) {
    const args = ['--tools', 'prolog,dml,memory', ...(access === 'none' ? [] : ['--dml-book', access])];
    const server = await Server.start({ args });
    await server.ok('clauses', { operation: 'assert', clauses: ['fact(1).'] });
    await server.ok('kn_graph', { action: 'add', type: 'tool', name: 'Saw' });
    const { text, data } = await server.call('dml_run', { code });
    answers[access] = data?.answer ?? text;
    if (access === 'write') {
      const { text } = await server.call('workspace', { operation: 'history' });
      assert.match(text, /query dml_run: assertz\(seen\(1\)\), \+1/);
    }
    await server.close();
  }
  assert.match(answers.none, /may not use the book/);
  assert.match(answers.read, /may only read the book/);
  assert.equal(answers.write, '1[Saw]');
});

test('on the command line, with --book', async () => {
  const folder = directory({
    'note.dml': 'agent_main(T) :- book:assertz(note(T)), findall(N, book:note(N), Ns), answer("{Ns}").',
  });
  const run = (...args) =>
    new Promise((resolve) => {
      execFile(process.execPath, [BIN, 'run', join(folder, 'note.dml'), ...args], (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      );
    });
  const book = join(folder, 'n.book');
  assert.equal((await run('--book', book, '--param', 'T=a')).out, '[a]\n');
  const second = await run('--book', book, '--param', 'T=b');
  assert.deepEqual([second.code, second.out], [0, '[a,b]\n'], second.err);
  assert.match((await run('--param', 'T=c')).err, /may not use the book/);
});
