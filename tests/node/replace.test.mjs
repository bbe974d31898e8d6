// Replacing a clause: its position, undo, and the report when nothing matches.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(() => server.close());
beforeEach(() => server.reset());

const replace = (old, clauses) => server.ok('clauses', { operation: 'replace', old, clauses });
const FILE = '% who\np(1).\n% the second\np(2). % here\nq(X) :- p(X).\np(3).\n% end\n';

test('in place of the old one, in its file, with the comments around it; the old one is reported', async () => {
  await server.import('p.pl', FILE);
  await server.assert('p(4).');
  await server.retract('p(1).');
  const { text, data } = await replace('p(2)', 'p(two) :- true');
  assert.match(text, /^replace: 1\/1 successful\nREMOVED \(1\):\n {2}p\(2\)\.$/);
  assert.deepEqual(data.removed, ['p(2).']);
  assert.deepEqual(await server.solve('p(X)'), ['X = two', 'X = 3', 'X = 4']);
  assert.equal(await server.snapshot(), '\n% the second\np(two) :- true. % here\nq(X) :- p(X).\np(3).\n% end\np(4).');
  const { data: history } = await server.ok('workspace', { operation: 'history', steps: 1 });
  assert.deepEqual(
    history.revisions.map(({ operation, added, removed }) => [operation, added, removed]),
    [['replace', 1, 1]],
  );
  assert.deepEqual((await server.ok('files', { operation: 'list' })).data.files[0].clauseCount, 3);
});

test('several clauses between two others, in the file and in the order of answers', async () => {
  await server.import('p.pl', FILE);
  await server.assert('p(4).');
  const { text } = await replace('p(2)', ['p(a)', '% b\np(b) :- true.', 'r(1)']);
  assert.match(text, /^replace: 3\/3 successful\nREMOVED \(1\):\n {2}p\(2\)\.$/);
  await replace('p(b)', 'p(b1). p(b2). p(b3).');
  const answers = ['X = 1', 'X = a', 'X = b1', 'X = b2', 'X = b3', 'X = 3', 'X = 4'];
  assert.deepEqual(await server.solve('p(X)'), answers);
  const whole =
    '% who\np(1).\n% the second\np(a).\n% b\np(b1). p(b2). p(b3).\nr(1). % here\nq(X) :- p(X).\np(3).\n% end\np(4).';
  assert.equal(await server.snapshot(), whole);
  await server.ok('workspace', { operation: 'undo', steps: 2 });
  assert.deepEqual(await server.solve('p(X)'), ['X = 1', 'X = 2', 'X = 3', 'X = 4']);
  await server.ok('workspace', { operation: 'redo', steps: 2 });
  assert.deepEqual(await server.solve('p(X)'), answers);
  assert.equal(await server.snapshot(), whole);
});

test('undo and redo, and the history of both clauses', async () => {
  await server.import('p.pl', FILE);
  const before = await server.snapshot();
  await replace('p(2).', 'r(2).');
  const after = await server.snapshot();
  assert.deepEqual(await server.solve('p(X)'), ['X = 1', 'X = 3']);
  const undone = await server.ok('workspace', { operation: 'undo' });
  assert.match(undone.text, /^Undone: 1 operation, \+1 -1; /);
  assert.equal(await server.snapshot(), before);
  assert.deepEqual(await server.solve('p(X)'), ['X = 1', 'X = 2', 'X = 3']);
  await server.ok('workspace', { operation: 'redo' });
  assert.equal(await server.snapshot(), after);
  assert.deepEqual(await server.solve('r(X)'), ['X = 2']);
  const told = (await server.ok('workspace', { operation: 'provenance', of: 'p/1' })).text;
  assert.match(told, /p\(2\)\.\n[^\n]*import p\.pl[^\n]*\n[^\n]*replace/);
  await server.ok('files', { operation: 'unimport', filename: 'p.pl' });
  assert.equal(await server.snapshot(), '');
});

test('a comment at the end of the new clause hides nothing that stands behind it', async () => {
  await server.import('line.pl', 'note(a). price(b).\nnote(c). price(d).\n');
  await replace('note(a).', 'note(e). % new');
  assert.equal(await server.snapshot(), 'note(e). % new\n price(b).\nnote(c). price(d).\n');
  assert.deepEqual(await server.solve('note(X), price(Y)'), [
    'X = e, Y = b',
    'X = e, Y = d',
    'X = c, Y = b',
    'X = c, Y = d',
  ]);
});

test('what cannot be replaced, or is not a clause, changes nothing and says what to do', async () => {
  await server.assert('parent(ann, bob). parent(ann, cy). age(ann, 7).');
  const before = await server.snapshot();
  const fails = async (old, clauses, kind) =>
    (await server.fails('clauses', { operation: 'replace', old, clauses }, kind)).text;
  const near = await fails('parent(ann, rob).', 'parent(ann, dee).', 'existence_error');
  assert.match(near, /^Error: No clause matches\. Similar clauses: parent\(ann, bob\)\. {2}parent\(ann, cy\)\.$/);
  assert.match(await fails('age(ann, _)', 'age(ann, 8', 'syntax_error'), /⟪here⟫/);
  assert.match(
    await fails('age(ann, _)', 'age(ann, 8). :- dynamic a/1.', 'domain_error'),
    /must be clauses and nothing else/,
  );
  assert.match(await fails('age(ann, _)', ':- dynamic a/1.', 'domain_error'), /must be clauses and nothing else/);
  for (const clauses of ['age(ann, 8). end_of_file.', ['age(ann, 8). end_of_file.', 'age(ann, 9).']])
    assert.match(await fails('age(ann, _)', clauses, 'domain_error'), /must be clauses and nothing else/);
  assert.match(await fails('age(ann, _)', 'age(ann, 8). age(ann, 9', 'syntax_error'), /⟪here⟫/);
  assert.match(await fails('age(ann, _)', 'age(X, Y) :- rename_file(X, Y).', 'unsafe_goal'), /rename_file\/2/);
  await fails('age(ann, 8)', 'fresh(1).', 'existence_error');
  await server.fails('clauses', { operation: 'replace', clauses: 'a.' }, 'invalid_argument');
  assert.equal(await server.snapshot(), before);
  assert.deepEqual(await server.solve('parent(X, Y), age(X, _)'), ['X = ann, Y = bob', 'X = ann, Y = cy']);
  const { text } = await server.call('clauses', { operation: 'retract', clauses: 'parent(ann, rob).' });
  assert.match(text, /Similar clauses: parent\(ann, bob\)\./);
});
