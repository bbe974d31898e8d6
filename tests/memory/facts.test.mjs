// The memory as Prolog: facts for queries and rules of the same book, rules that refuse, inference with proofs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Server, directory } from '../node/harness.mjs';

const BIN = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));

const start = (book, sets = 'prolog,memory') =>
  Server.start({ args: ['--tools', sets, ...(book ? ['--book', book] : [])] });

const REACHES = `:- table reaches/2.
reaches(X, Y) :- kn_edge(X, needs, Y).
reaches(X, Z) :- reaches(X, Y), kn_edge(Y, needs, Z).`;

/** The result of a tool that must succeed. */
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

/** The result of a tool, an error or not. */
async function told(server, tool, args) {
  const { processing_time_ms: _, ...data } = (await server.call(tool, args)).data;
  return data;
}

test('the facts of the memory are in the same order in a new engine and after a restart', async () => {
  const book = join(directory(), 'memory.book');
  let server = await start(book);
  const { a, b } = await graph(server, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  await server.solve('kn_node(_, _, _)');
  await done(server, 'kn_graph', { action: 'remove', node_id: b });
  await server.ok('workspace', { operation: 'undo' });
  await done(server, 'kn_graph', { action: 'connect', source_id: a, target_id: b, edge_type: 'needs' });
  const order = () => server.solve('findall(N, kn_node(_, _, N), Ns)');
  const before = await order();
  assert.deepEqual(before, ['Ns = [a,c,d,e,f,g,h,b]']);
  await server.call('query_start', {
    query: 'numlist(1, 30, L), permutation(L, [30, 29|_]), fail',
    take: 1,
    timeout_ms: 100,
  });
  assert.deepEqual(await order(), before);
  await server.close();
  server = await start(book);
  assert.deepEqual(await order(), before);
  await server.close();
});

test('queries see every change of the memory, by tools, undo and redo, and a new engine sees everything', async () => {
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

test('a book opened without the tools of the memory still has its facts, also after a restart', async () => {
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

test('one rule refuses a write, which leaves nothing, and another warns', async () => {
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
  // Old objections of a rule neither refuse nor warn.
  assert.equal((await done(server, 'kn_graph', { action: 'add', name: 'c', type: 'service' })).warnings, undefined);
  await server.close();
});

test('a second value of a functional relation is told with both facts, and refuses nothing', async () => {
  const server = await start();
  await server.assert('kn_functional(capital_of).');
  await server.assert('kn_functional(port/2).');
  await server.assert(
    'port(S, P) :- kn_experience(_, _, T), split_string(T, " ", ".", W), append(_, ["The", S, "listens", "on", "port", P|_], W).',
  );
  const { bern, basel, ch } = await graph(server, 'bern', 'basel', 'ch');
  const capital = (target) =>
    done(server, 'kn_graph', { action: 'connect', source_id: ch, target_id: target, edge_type: 'capital_of' });
  assert.equal((await capital(bern)).warnings, undefined);
  const { warnings } = await capital(basel);
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0],
    /^Contradiction: ch has two values of capital_of, ba?.* but kn_functional\(capital_of\) allows one: /,
  );
  for (const id of [bern, basel]) assert.ok(warnings[0].includes(id), warnings[0]);
  const learn = (content, more) =>
    done(server, 'kn_intel', { action: 'learn', type: 'decision', content, confidence: 'medium', ...more });
  const first = await learn('The billing listens on port 8080.');
  assert.equal((await learn('The search listens on port 9090.')).warnings, undefined);
  const second = await learn('The billing listens on port 8081.');
  assert.deepEqual(second.warnings, [
    'Contradiction: port("billing","8080") and port("billing","8081"), but kn_functional(port/2) allows one value',
  ]);
  const last = await learn('The billing listens on port 8081.', { supersedes: first.experience_id });
  assert.equal(last.warnings, undefined);
  assert.deepEqual(await server.solve('port("billing", P)'), ['P = "8081"']);
  await server.close();
});

test('each second value is told, however many there are', async () => {
  const server = await start();
  await server.assert('kn_functional(capital_of).');
  const names = Array.from({ length: 14 }, (_, at) => `city${at}`);
  const { hub, other, ...cities } = await graph(server, 'hub', 'other', ...names);
  const capital = async (source, target) => {
    const edge = { action: 'connect', source_id: source, target_id: target, edge_type: 'capital_of' };
    return (await done(server, 'kn_graph', edge)).warnings?.length ?? 0;
  };
  const told = [];
  for (const name of names) told.push(await capital(hub, cities[name]));
  assert.deepEqual(told, [0, ...names.slice(1).map(() => 1)]);
  assert.equal(await capital(other, cities.city0), 0);
  assert.equal(await capital(other, cities.city1), 1);
  await server.close();
});

test('a constraint of the book refuses a change of the memory, with a proof, and undo warns', async () => {
  const server = await start();
  await server.assert(REACHES);
  await server.assert('fragile(X) :- kn_node(X, _, N), atom_length(N, L), L > 3.');
  const { a, b } = await graph(server, 'a', 'b');
  await needs(server, a, b);
  await server.assert(':- constraint((reaches(X, X), kn_node(X, _, N)), "~w would need itself"-[N]).');
  await server.assert(':- constraint((fragile(X), kn_node(X, _, N)), "a long name: ~w"-[N], warn).');
  const before = await told(server, 'kn_graph', { action: 'status' });
  const refused = await told(server, 'kn_graph', { action: 'connect', source_id: b, target_id: a, edge_type: 'needs' });
  assert.match(
    refused.error,
    /A constraint refuses this, and nothing was changed: a would need itself\n {2}X = \S+, N = a\n/,
  );
  assert.deepEqual(await told(server, 'kn_graph', { action: 'status' }), before);
  assert.deepEqual(await server.solve('aggregate_all(count, kn_edge(_, needs, _), N)'), ['N = 1']);
  const warned = await done(server, 'kn_graph', { action: 'add', name: 'long', type: 'service' });
  assert.deepEqual(warned.warnings[0].split('\n')[0], 'a long name: long');
  assert.equal((await done(server, 'kn_graph', { action: 'add', name: 'c', type: 'service' })).warnings, undefined);
  await done(server, 'kn_graph', { action: 'remove', node_id: warned.id });
  const undone = await server.call('workspace', { operation: 'undo' });
  assert.match(undone.text, /Warning: a long name: long/);
  await server.close();
});

test('the message of a rule may be any term, with variables and delayed goals', async () => {
  const server = await start();
  await server.assert('kn_refuse(no(X, Y, X, N)) :- kn_node(_, _, N), freeze(X, assertz(p(1))), freeze(Y, true).');
  const { error } = await told(server, 'kn_graph', { action: 'add', name: 'a', type: 'b' });
  assert.match(error, /A rule refuses this: no\(_A,_B,_A,a\)/);
  assert.equal((await server.call('query_start', { query: 'p(X)', take: 1 })).isError, true);
  await server.close();
});

test('a rule that throws refuses, and says what to fix', async () => {
  const server = await start();
  await server.assert('kn_refuse(M) :- nonesuch(M).');
  const { error } = await told(server, 'kn_graph', { action: 'add', name: 'a', type: 'b' });
  assert.match(error, /The rules that check the memory failed: Unknown procedure: nonesuch\/1/);
  await server.close();
});

test('infer answers with facts, rules and confidence, and can assume facts for one answer', async () => {
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
  // The answers of a table have no order.
  assert.match(JSON.stringify(assumed.answers), /: assumed/);
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

test('the read-only toolset infers too', async () => {
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

test('the status agrees with the facts after any change', async (t) => {
  const server = await start();
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`SEED=${seed}`);
  let state = seed;
  const below = (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
  const ids = { node: ['none'], experience: ['none'], project: ['none'], idea: ['none'] };
  const any = (kind) => ids[kind][below(ids[kind].length)];
  const word = () => ['alpha', "be'ta", 'ga"mma\n', 'kn_node(a,b,c)', ')]. % x', '日本'][below(6)];
  const operations = [
    ['kn_graph', () => ({ action: 'add', name: word(), type: word(), namespace: word(), tags: [word()] }), 'node'],
    ['kn_graph', () => ({ action: 'add', name: word(), type: word(), supersedes: any('node') }), 'node'],
    ['kn_graph', () => ({ action: 'connect', source_id: any('node'), target_id: any('node'), edge_type: word() })],
    ['kn_graph', () => ({ action: 'remove', node_id: any('node') })],
    ['kn_graph', () => ({ action: 'restore', node_id: any('node') })],
    ['kn_experience', () => ({ action: 'save', content: `${word()} ${below(5)}`, type: 'gotcha' }), 'experience'],
    ['kn_experience', () => ({ action: 'remove', experience_id: any('experience') })],
    ['kn_intel', () => ({ action: 'learn', content: `${word()} ${below(5)}`, type: 'pattern' })],
    ['kn_project', () => ({ action: 'create', name: word(), goals: [word()] }), 'project'],
    ['kn_project', () => ({ action: 'list', set_active: any('project') })],
    ['kn_project', () => ({ action: 'log', project_id: any('project'), action_text: word() })],
    ['kn_idea', () => ({ action: 'create', title: word(), link_to: any('node') }), 'idea'],
    ['workspace', () => ({ operation: 'undo' })],
    ['workspace', () => ({ operation: 'redo' })],
  ];
  for (let round = 0; round < 120; round += 1) {
    const [tool, made, kind] = operations[below(operations.length)];
    const { data } = await server.call(tool, made());
    if (kind && data?.id) ids[kind].push(data.id);
    if (round % 8 !== 7) continue;
    const status = await told(server, 'kn_graph', { action: 'status' });
    const [counts] = await server.solve(
      'aggregate_all(count, kn_node(_, _, _), Nodes), aggregate_all(count, kn_edge(_, _, _, _, _, inf), Edges), ' +
        'aggregate_all(count, kn_experience(_, _, _), Experiences), aggregate_all(count, kn_project(_, _, _), Projects), ' +
        'aggregate_all(count, kn_idea(_, _, _), Ideas), ' +
        'aggregate_all(count, (kn_node(_, _, _, _, _, To), To \\== inf), Hidden)',
    );
    const { nodes, edges, experiences, projects, ideas, hidden } = status;
    assert.equal(
      counts,
      `Nodes = ${nodes}, Edges = ${edges}, Experiences = ${experiences}, Projects = ${projects}, Ideas = ${ideas}, ` +
        `Hidden = ${hidden.nodes}`,
    );
  }
  await server.close();
});

test('the closure of a chain and of a cycle of 500 nodes, as a rule', async (t) => {
  const folder = directory();
  const line = (record) => JSON.stringify(record);
  const life = { created_at: 1 };
  const node = (n) => ({
    node: { id: `n${n}`, number: n, namespace: 'k', type: 't', name: `n${n}`, source_type: 'import', life },
  });
  const edge = (from, to) => ({
    edge: { source_id: `n${from}`, target_id: `n${to}`, type: 'needs', number: 1000 + from, weight: 1, life },
  });
  const lines = Array.from({ length: 500 }, (_, n) => line(node(n)));
  for (let n = 0; n < 499; n += 1) lines.push(line(edge(n, n + 1)));
  writeFileSync(join(folder, 'chain.jsonl'), lines.join('\n'));
  const book = join(folder, 'memory.book');
  const imported = spawnSync(process.execPath, [BIN, 'memory', 'import', join(folder, 'chain.jsonl'), '--book', book]);
  assert.match(String(imported.stdout), /^999 added/);
  const server = await start(book);
  await server.assert(REACHES);
  for (const [count, more] of [
    [124_750, undefined],
    [250_000, ['n499', 'n0']],
  ]) {
    if (more) await needs(server, ...more);
    const begun = performance.now();
    const [counted] = await server.solve(
      'aggregate_all(count, reaches(_, _), N), statistics(inferences, I), (I < 10000000 -> Few = yes ; Few = I)',
    );
    t.diagnostic(`${count} pairs in ${Math.round(performance.now() - begun)} ms`);
    // About a second of work, whatever else the machine does.
    assert.match(counted, new RegExp(`^N = ${count}, I = \\d+, Few = yes$`));
  }
  const [proved] = (await done(server, 'kn_intel', { action: 'infer', goal: 'reaches(n0, n20)', budget: 5000 }))
    .answers;
  assert.equal(proved.facts.length, 20);
  await server.close();
});

test('a goal over the memory that fails is explained, for each of its facts', async () => {
  const server = await start();
  const { api, db } = await graph(server, 'api', 'db');
  await done(server, 'kn_graph', { action: 'add', name: 'web', type: 'service', tags: ['edge'] });
  await server.assert(
    'needs(X, Y) :- kn_node(A, _, X), kn_edge(A, needs, B), kn_node(B, _, Y).\ntagged(T) :- kn_tag(N, T), kn_node(N, other, _).',
  );
  const why = async (of) => (await server.ok('workspace', { operation: 'why', of })).text;
  for (const goal of [
    'kn_node(X, foo, N)',
    'kn_node(X, foo, N, S, F, T)',
    `kn_edge('${api}', T, X)`,
    'kn_edge(X, uses, Y, W)',
    'kn_edge(X, uses, Y, W, F, T)',
    'kn_experience(X, T, C)',
    'kn_experience(X, T, C, H, N, F, U)',
    'kn_relevance(X, R)',
    'kn_description(X, D)',
    'kn_context(X, C)',
    'kn_tag(X, none)',
    'kn_superseded(O, N, S)',
    'kn_project(X, N, P)',
    'kn_active_project(X)',
    'kn_goal(P, G)',
    'kn_log(P, K, T, W)',
    'kn_idea(X, T, S)',
    'kn_idea(X, T, S, C, N)',
  ])
    assert.match(await why(goal), / fails$/m, goal);
  assert.match(await why('needs(api, billing)'), /kn_edge\(.*\) fails/);
  assert.match(await why(`kn_edge('${api}', needs, '${db}')`), / fails$/m);
  // The second node has the tag: explaining must not choose another one.
  assert.match(await why('tagged(edge)'), /kn_node\(.*other.*\) fails/);
  await server.close();
});

test('each interval of a relation is a fact of its own, in a new engine, after undo, export and import', async () => {
  const server = await start();
  const node = { action: 'add', type: 't', valid_from: '2000-01-01' };
  const ann = (await done(server, 'kn_graph', { ...node, name: 'ann' })).id;
  const acme = (await done(server, 'kn_graph', { ...node, name: 'acme' })).id;
  const works = { action: 'connect', source_id: ann, target_id: acme, edge_type: 'works_at' };
  await done(server, 'kn_graph', { ...works, valid_from: '2020-01-01', valid_to: '2023-06-30' });
  await done(server, 'kn_graph', { ...works, valid_from: '2025-01-01' });
  const years = async (from = server) =>
    (
      await from.ok('query_start', {
        query: 'findall(Y, (kn_edge(_, works_at, _, _, F, _), format_time(atom(Y), "%Y", F)), Ys), msort(Ys, L)',
        take: 1,
      })
    ).data.answers[0].L;
  assert.equal(await years(), "['2020','2025']");
  const related = async (as_of) => (await done(server, 'kn_intel', { action: 'related', node_id: ann, as_of })).count;
  assert.deepEqual([await related('2021-05-01'), await related('2024-05-01'), await related('2025-05-01')], [1, 0, 1]);
  const { data } = await server.ok('kn_intel', { action: 'infer', goal: `kn_edge('${ann}', works_at, X)` });
  assert.match(data.answers[0].facts[0].fact, /^edge\/\/\d+\//);
  const exported = (await server.request('resources/read', { uri: 'kn://export' })).contents[0].text;
  await server.ok('workspace', { operation: 'undo' });
  assert.equal(await years(), "['2020']");
  await server.ok('workspace', { operation: 'redo' });
  assert.equal(await years(), "['2020','2025']");
  await server.ok('query_start', { query: 'repeat, fail', take: 1, timeout_ms: 200 }).catch(() => {});
  assert.equal(await years(), "['2020','2025']");
  await server.close();
  const place = directory({ 'memory.jsonl': exported });
  const book = join(place, 'other.book');
  const imported = spawnSync(process.execPath, [BIN, 'memory', 'import', join(place, 'memory.jsonl'), '--book', book]);
  assert.equal(imported.status, 0, String(imported.stderr));
  const other = await start(book);
  assert.equal(await years(other), "['2020','2025']");
  await other.close();
});
