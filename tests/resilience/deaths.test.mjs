// What an engine cannot bear: each ends in one clear error of its own kind, and the workspace goes on as before.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseCommand } from '../../pkg/cli/args.js';
import { help } from '../../pkg/cli/help.js';
import { EngineDeath } from '../../pkg/engine/death.js';
import { EngineHandle } from '../../pkg/engine/host.js';
import { openHornbook } from '../../pkg/node.js';
import { Server } from '../node/harness.mjs';

const CLAUSES = 10_000;
const PROGRAM = `
deep(0, z) :- !.
deep(N, f(T)) :- M is N-1, deep(M, T).
left(0, z) :- !.
left(N, f(T, N, _)) :- M is N-1, left(M, T).
goals(0, true) :- !.
goals(N, (true, G)) :- M is N-1, goals(M, G).
double(A, 0, A) :- !.
double(A, N, R) :- atom_concat(A, A, B), M is N-1, double(B, M, R).
grow(X) :- grow(s(X)), true.
loop :- loop.
:- table count/1.
count(0).
count(X) :- count(Y), X is Y+1.
`;

let server;
let whole;
const times = [];

before(async () => {
  const limits = { table_bytes: 2_000_000, inferences: 50_000_000, entries: 20_000 };
  const args = Object.entries(limits).flatMap(([name, value]) => ['--limit', `${name}=${value}`]);
  server = await Server.start({ args: ['--timeout', '60000', ...args] });
  await server.import('program.pl', PROGRAM);
  await server.assert(Array.from({ length: CLAUSES }, (_, i) => `item(${i}, "name ${i}", [a, b]).`));
  whole = await server.snapshot();
});

after(async () => {
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1];
  console.log(
    `# the next engine answered within ${median.toFixed(0)} ms (median), ${times.at(-1).toFixed(0)} ms (worst)`,
  );
  await server.close();
});

/** Checks that the workspace answers and is unchanged. `anew`: in another engine, which is timed. */
async function goesOn(anew = false) {
  const begun = performance.now();
  const { data } = await server.ok('query_start', { query: `item(${CLAUSES - 1}, Name, L)`, take: 1 });
  if (anew) times.push(performance.now() - begun);
  assert.deepEqual(data.answers, [{ Name: `"name ${CLAUSES - 1}"`, L: '[a,b]' }]);
  assert.equal(await server.snapshot(), whole);
}

/** A goal, the kind of its error, and what the error says. `gone`: the engine does not survive it. */
const FATAL = [
  [
    'an atom too large',
    'double(abcdefghij, 40, R)',
    'out_of_memory',
    /used up the memory of its engine/,
    { gone: true },
  ],
  [
    'an atom larger than what is left of a memory half empty',
    'double(ab, 40, R)',
    'out_of_memory',
    /used up the memory of its engine/,
    { gone: true },
  ],
  [
    'a deep term in the message of a failed assertion',
    'left(1000000, T), assertion(T == 1)',
    'too_deep',
    /a term nested too deeply for its engine's stack/,
    { gone: true },
  ],
  ['a loop without end', 'loop', 'timeout', /stopped after 300 ms/, { gone: true, timeout_ms: 300 }],
  ['a search without end', 'repeat, fail', 'timeout', /stopped after 300 ms/, { timeout_ms: 300 }],
  ['recursion without end', 'grow(0)', 'resource_error', /more stack .*limit: stack_bytes = 134217728/],
  ['a list too long', 'length(L, 100000000)', 'resource_error', /stack_bytes/],
  ['a list of answers too long', 'findall(f(X, "text", g(X)), between(1, inf, X), L)', 'resource_error', /stack_bytes/],
  ['tables without end', 'count(X), X > 100000000', 'resource_error', /limit: table_bytes = 2000000/],
  ['an integer too large', 'X is 7**50000000', 'resource_error', /limit: integer_bytes/],
  ['an integer larger than the stack', 'X is 2**10000000000', 'resource_error', /limit: (stack|integer)_bytes/],
  ['an integer too long to be written', 'X is 7**1000000', 'resource_error', /limit: answer_chars/],
  ['an answer too long', 'numlist(1, 100000, L)', 'resource_error', /limit: answer_chars/],
  ['inferences without end', 'between(1, inf, X), X < 0', 'resource_error', /limit: inferences = 50000000/],
  ['clauses without end', 'between(1, inf, X), assertz(new(X)), fail', 'resource_error', /limit: entries = 20000/],
  ['100 MB of output in one goal', "format('~*c', [100000000, 0'x])", 'resource_error', /limit: output_chars/],
  [
    '100 MB of output bit by bit',
    'forall(between(1, 10000000, _), write(0123456789))',
    'resource_error',
    /limit: output_chars/,
  ],
  ['100 MB of blanks', 'tab(100000000)', 'resource_error', /limit: output_chars/],
  ['a deep term written', 'deep(1000000, T), write(T)', 'resource_error', /limit: answer_depth/],
  ['a deep term formatted', "deep(1000000, T), format('~w~n', [T])", 'resource_error', /limit: answer_depth/],
  [
    'a deep term formatted into an atom',
    "deep(1000000, T), format(atom(A), '~q', [T])",
    'resource_error',
    /limit: answer_depth/,
  ],
  ['a deep term made an atom', 'left(1000000, T), term_to_atom(T, A)', 'resource_error', /limit: answer_depth/],
  ['a deep term asserted', 'left(1000000, T), assertz(p(T))', 'resource_error', /limit: answer_depth/],
  ['a deep body asserted', 'goals(1000000, G), assertz((p :- G))', 'resource_error', /limit: answer_depth/],
  [
    'a deep text read',
    "length(L, 100000), maplist(=(0'(), L), atom_codes(A, L), term_to_atom(T, A)",
    'resource_error',
    /limit: nesting/,
  ],
  ['a deep term thrown', 'deep(1000000, T), throw(T)', 'uncaught_exception', /The goal threw f\(f\(/],
  ['a cyclic term thrown', 'X = f(X), throw(X)', 'uncaught_exception', /a cyclic term/],
  [
    'a cyclic term in an error',
    'X = f(X), throw(error(type_error(X, X), X))',
    'type_error',
    /f\(f\(f\(\.\.\.\)\)\) expected/,
  ],
  ['a cyclic fact asserted', 'X = f(X), assertz(p(X))', 'representation_error', /cyclic term/],
  ['a cyclic body asserted', 'X = (true, X), assertz((p :- X))', 'representation_error', /cyclic term/],
  ['halt', 'halt', 'halted', /with halt/],
  ['halt, made at run time', 'atom_concat(ha, lt, H), call(H)', 'halted', /with halt/],
  ['10,000 engines', 'forall(between(1, 10000, _), engine_create(X, true, _))', 'resource_error', /engines/],
  ['a query too deep', `X = ${'f('.repeat(2000)}a${')'.repeat(2000)}`, 'limit_reached', /limit: nesting = 1000/],
  ['a query too long', `X = "${'x'.repeat(200_000)}"`, 'limit_reached', /limit: query_chars/],
];

for (const [name, query, kind, says, { gone = false, timeout_ms } = {}] of FATAL) {
  test(`${name}: ${kind}`, async () => {
    await server.ok('query_start', { query: 'item(X, _, _)', query_id: name });
    const { text, data } = await server.fails('query_start', { query, take: 1, timeout_ms });
    assert.equal(data.error.kind, kind, text.slice(0, 500));
    assert.match(data.error.message, says);
    assert.notEqual(data.error.next, '');
    await goesOn(gone);
    // The other open query lives on, whether or not its engine did.
    const next = await server.ok('query_next', { query_id: name });
    assert.equal(next.data.answers[0].X, '0');
    assert.equal(/was restarted and continues after answer 0/.test(next.text), gone, next.text);
    await server.ok('query_close', { query_id: name });
  });
}

const BEARABLE = [
  ['a deep term as an answer', 'deep(100000, T)'],
  [
    'deep terms compared, copied, collected',
    'left(300000, T), left(300000, U), copy_term(T, C), compare(_, T, U), T =@= C, ground(N), findall(T, true, [N]), unify_with_occurs_check(T, U)',
  ],
  [
    'deep terms in variables, tables of keys and bags',
    'left(300000, T), nb_setval(k, T), nb_getval(k, U), msort([T, U], _), term_variables(T, _Vs), length(_Vs, N), bagof(x, T = T, _)',
  ],
  ['a cyclic list', 'X = [a|X]'],
  ['a cyclic term with residual goals', 'X = f(X, Y), freeze(Y, true)'],
  ['a cyclic term written', "X = f(X), print(X), writeq(X), format('~w', [X])"],
  ['10,000 global variables', 'forall(between(1, 10000, I), (atom_concat(k, I, K), nb_setval(K, I)))'],
];

for (const [name, query] of BEARABLE) {
  test(`${name}: no error`, async () => {
    const { isError, data, text } = await server.call('query_start', { query: `${query}, !`, take: 1 });
    assert.ok(!isError || data.error.kind === 'unsafe_goal', text.slice(0, 500));
    assert.equal(isError, false, text.slice(0, 500));
    await goesOn();
  });
}

test('deep answers are cut', async () => {
  const { data } = await server.ok('query_start', { query: 'deep(5000, T)', take: 1 });
  const { T } = data.answers[0];
  assert.match(T, /\.\.\.|…/);
  assert.ok(T.length < 5_000, `${T.length} characters`);
});

test('thirty open queries with large stacks', async () => {
  const ids = Array.from({ length: 30 }, (_, i) => `large ${i}`);
  for (const query_id of ids) {
    const { data } = await server.ok('query_start', {
      query: 'numlist(1, 300000, L), member(X, [1, 2, 3]), L = [_|_], Y = X',
      query_id,
    });
    assert.equal(data.status, 'ready');
  }
  await goesOn();
  for (const query_id of ids) await server.ok('query_close', { query_id });
});

/**
 * A Hornbook in this process whose engines the test can reach. `send` answers for the engine if it returns a promise.
 */
async function inside(send) {
  const { hornbook, close } = await openHornbook({ roots: [] }, () => {});
  const waiting = new Map();
  const connection = hornbook.connect((line) => waiting.get(JSON.parse(line).id)?.(JSON.parse(line)));
  let id = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      connection.receive(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  const original = EngineHandle.prototype.request;
  EngineHandle.prototype.request = function (text) {
    return send(this, text) ?? original.call(this, text);
  };
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  const call = async (name, values) => (await request('tools/call', { name, arguments: values })).result;
  await call('clauses', { operation: 'assert', clauses: 'p(1). p(2). p(3). p(4).' });
  return {
    call,
    close() {
      EngineHandle.prototype.request = original;
      return close();
    },
  };
}

for (const [kind, death] of [
  ['engine_halted', new EngineDeath('halt', 'Prolog was halted')],
  ['too_deep', new EngineDeath('depth', 'stack overflow: something is nested too deeply')],
  ['engine_ended', new EngineDeath('ended', 'ended')],
  ['engine_died', new EngineDeath('failed', 'Prolog crashed: table index is out of bounds')],
  ['bad_reply', undefined],
]) {
  test(`an engine that is lost in the middle is reported: ${kind}`, async () => {
    let armed = true;
    const { call, close } = await inside((engine, text) => {
      if (!armed || !text.includes('fatal')) return undefined;
      armed = false;
      if (!death) return Promise.resolve('{"ok":true,"answers":[');
      engine.end();
      return Promise.reject(death);
    });
    try {
      const lost = await call('query_start', { query: 'X = fatal', take: 1 });
      assert.equal(lost.structuredContent.error.kind, kind);
      assert.match(lost.structuredContent.error.message, /The engine is restarted and the workspace is intact\.$/);
      assert.notEqual(lost.structuredContent.error.next, '');
      const again = await call('query_start', { query: 'X = fatal', take: 1 });
      assert.equal(again.structuredContent.answers[0].X, 'fatal');
    } finally {
      await close();
    }
  });
}

test('the limits that the command line sets are the ones that exist', async () => {
  const names = await openHornbook({ limits: { nothing: 1 } }, () => {}).then(assert.fail, ({ message }) =>
    message.split('the limits are ')[1].split(', '),
  );
  const { options } = parseCommand(
    names.flatMap((name) => ['--limit', `${name}=7`]),
    {},
  );
  assert.deepEqual(options.limits, Object.fromEntries(names.map((name) => [name, 7])));
  assert.ok(names.every((name) => help().includes(name)));
  assert.throws(() => parseCommand(['--limit', 'nothing=1'], {}), /--limit takes NAME=N/);
});

test('an engine that ends between requests costs its queries nothing', async () => {
  let used;
  const { call, close } = await inside((engine, text) => {
    if (/^(query|next)\(/.test(text)) used = engine;
    return undefined;
  });
  try {
    await call('query_start', { query: 'p(X)', query_id: 'one', take: 2 });
    used.end();
    const next = await call('query_next', { query_id: 'one' });
    assert.equal(next.structuredContent.answers[0].X, '3');
    assert.match(next.content[0].text, /query one was restarted and continues after answer 2/);
    await call('query_start', { query: 'p(X)', query_id: 'two', take: 1 });
    await call('clauses', { operation: 'assert', clauses: 'p(5).' });
    used.end();
    const lost = await call('query_next', { query_id: 'two' });
    assert.match(lost.content[0].text, /the book has changed since the query was opened/);
    const last = await call('query_start', { query: 'findall(X, p(X), L)', take: 1 });
    assert.equal(last.structuredContent.answers[0].L, '[1,2,3,4,5]');
  } finally {
    await close();
  }
});
