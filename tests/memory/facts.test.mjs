// The memory as Prolog: facts that queries and rules of the same book use, rules that refuse, inference with its proof.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Server, directory } from '../node/harness.mjs';

const start = (book, sets = 'prolog,memory') =>
  Server.start({ args: ['--tools', sets, ...(book ? ['--book', book] : [])] });

const REACHES = `:- table reaches/2.
reaches(X, Y) :- kn_edge(X, needs, Y).
reaches(X, Z) :- reaches(X, Y), kn_edge(Y, needs, Z).`;

/** The answer of a tool that did what it was asked. */
async function done(server, tool, args) {
  const { data, isError, text } = await server.ok(tool, args);
  assert.ok(!isError, text);
  return data;
}

async function graph(server, ...names) {
  const ids = {};
  for (const name of names) ids[name] = (await done(server, 'kn_graph', { action: 'add', name, type: 'service' })).id;
  return ids;
}

const needs = (server, source_id, target_id, weight = 1) =>
  done(server, 'kn_graph', { action: 'connect', source_id, target_id, edge_type: 'needs', weight });

/** The answer of a tool, an error or not. */
async function told(server, tool, args) {
  const { processing_time_ms: _, ...data } = (await server.call(tool, args)).data;
  return data;
}

test('queries see every change of the memory, by tools, undo and redo, and a new engine sees all', async () => {
  const server = await start();
  await server.assert(REACHES);
  const { web, api, db } = await graph(server, 'web', 'api', 'db');
  const names = async () => (await server.solve('kn_node(W, _, web), reaches(W, T), kn_node(T, _, N)')).length;
  assert.equal(await names(), 0);
  await needs(server, web, api);
  await needs(server, api, db);
  assert.equal(await names(), 2);
  await needs(server, db, web);
  assert.equal(await names(), 3);
  await server.ok('workspace', { operation: 'undo' });
  assert.equal(await names(), 2);
  await server.ok('workspace', { operation: 'redo' });
  assert.equal(await names(), 3);
  await done(server, 'kn_graph', { action: 'remove', node_id: api });
  assert.equal(await names(), 0);
  await done(server, 'kn_graph', { action: 'restore', node_id: api });
  await server.ok('query_start', { query: 'repeat, fail', take: 1, timeout_ms: 200 }).catch(() => {});
  assert.equal(await names(), 3);
  await server.close();
});

test('a book without the tools of the memory has its facts all the same, also after a restart', async () => {
  const book = join(directory(), 'memory.book');
  let server = await start(book);
  await graph(server, 'it\'s "odd"\n(kn_node(x,y,z))');
  await server.close();
  server = await start(book, 'prolog');
  assert.deepEqual(await server.solve('kn_node(_, T, N), atom_length(N, L)'), [
    `T = service, N = 'it\\'s "odd"\\n(kn_node(x,y,z))', L = 27`,
  ]);
  await server.close();
});

test('a rule refuses a write, which leaves nothing, and another warns', async () => {
  const server = await start();
  await server.assert(REACHES);
  const { a, b } = await graph(server, 'a', 'b');
  await server.assert(
    'kn_refuse(M) :- reaches(X, X), kn_node(X, _, N), format(string(M), "~w would need itself", [N]).',
  );
  await server.assert('kn_warn("a low weight") :- kn_edge(_, _, _, W), W < 0.2.');
  assert.equal((await needs(server, a, b, 0.1)).warnings[0], 'a low weight');
  const before = await told(server, 'kn_graph', { action: 'status' });
  const refused = await told(server, 'kn_graph', { action: 'connect', source_id: b, target_id: a, edge_type: 'needs' });
  assert.match(refused.error, /A rule refuses this: (b would need itself; a|a would need itself; b) would need itself/);
  assert.deepEqual(await told(server, 'kn_graph', { action: 'status' }), before);
  assert.deepEqual(await server.solve('aggregate_all(count, kn_edge(_, needs, _), N)'), ['N = 1']);
  // What a rule objected to before refuses and warns of nothing.
  assert.equal((await done(server, 'kn_graph', { action: 'add', name: 'c', type: 'service' })).warnings, undefined);
  await server.close();
});

test('a rule that fails with an error refuses, and says what to mend', async () => {
  const server = await start();
  await server.assert('kn_refuse(M) :- nonesuch(M).');
  const { error } = await told(server, 'kn_graph', { action: 'add', name: 'a', type: 'b' });
  assert.match(error, /The rules that check the memory failed: Unknown procedure: nonesuch\/1/);
  await server.close();
});

test('infer answers with facts, rules and confidence, and assumes for one answer', async () => {
  const server = await start();
  await server.assert(REACHES);
  const { a, b, c } = await graph(server, 'a', 'b', 'c');
  await needs(server, a, b, 0.5);
  const goal = `reaches('${a}', X)`;
  const one = await done(server, 'kn_intel', { action: 'infer', goal });
  assert.equal(one.count, 1);
  const [answer] = one.answers;
  assert.equal(answer.bindings.X, `'${b}'`.replace(/^'([a-z]\w*)'$/, '$1'));
  assert.equal(answer.confidence, 0.5);
  assert.equal(answer.facts[0].fact, `edge/${a}/${b}/needs`);
  assert.match(answer.rules[0].text, /reaches\(X, Y\) :- kn_edge/);
  assert.match(answer.proof.join('\n'), new RegExp(`: rule \\d+\\n {2}kn_edge.*: edge/${a}/${b}/needs`));
  const assumed = await done(server, 'kn_intel', {
    action: 'infer',
    goal,
    assume: [`kn_edge('${b}', needs, '${c}')`],
  });
  assert.equal(assumed.count, 2);
  assert.match(JSON.stringify(assumed.answers[1].proof), /: assumed/);
  assert.equal((await done(server, 'kn_intel', { action: 'infer', goal })).count, 1);
  const paged = await done(server, 'kn_intel', { action: 'infer', goal: 'between(1, 100, N)', limit: 3, offset: 2 });
  assert.deepEqual(
    paged.answers.map(({ bindings }) => bindings.N),
    ['3', '4', '5'],
  );
  assert.equal(paged.next_offset, 5);
  const long = ago();
  assert.equal((await done(server, 'kn_intel', { action: 'infer', goal, as_of: long })).count, 0);
  assert.match((await told(server, 'kn_intel', { action: 'infer', goal: 'p((' })).error, /[Ss]yntax|end of/);
  assert.match((await told(server, 'kn_intel', { action: 'infer' })).error, /goal is required for infer/);
  await server.close();
});

const ago = () => new Date(Date.now() - 3_600_000).toISOString();

test('the reading part infers, too', async () => {
  const server = await start(undefined, 'memory-read');
  assert.equal((await done(server, 'kn_intel', { action: 'infer', goal: 'kn_node(_, _, _)' })).count, 0);
  await server.close();
});

test('code cannot write the facts', async () => {
  const server = await start();
  await graph(server, 'a');
  for (const query of ['assertz(kn_node(x, y, z))', 'retract(kn_node(_, _, _))', 'retractall(kn_edge(_, _, _))']) {
    const { text } = await server.call('query_start', { query, take: 1 });
    assert.match(text, /it is a fact of the memory, which the tool kn_graph or kn_intel changes/);
  }
  assert.deepEqual(await server.solve('kn_node(_, T, N)'), ['T = service, N = a']);
  await server.close();
});
