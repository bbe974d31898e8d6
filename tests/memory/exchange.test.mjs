// Moving the memory between books: the command line, the resource, the files of other memories.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { Server, directory } from '../node/harness.mjs';

const BIN = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));
/** A Node with `node:sqlite`. */
const NODE = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url));

const start = (book) => Server.start({ args: ['--tools', 'prolog,memory', '--book', book] });

function memory(args, node = process.execPath) {
  const { status, stdout, stderr } = spawnSync(node, [BIN, 'memory', ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const statusOf = async (server) => (await server.ok('kn_graph', { action: 'status' })).data;

/** The lines of all pages of the export. */
async function exported(server) {
  const lines = [];
  for (let uri = 'kn://export'; uri !== undefined; ) {
    const { contents } = await server.request('resources/read', { uri });
    assert.ok(encode(contents[0].text).length <= 10_000, `${uri}: ${encode(contents[0].text).length} tokens`);
    const page = contents[0].text.split('\n').filter(Boolean);
    uri = page.length > 0 ? JSON.parse(page.at(-1)).next : undefined;
    lines.push(...(uri === undefined ? page : page.slice(0, -1)));
  }
  return lines;
}

test('an export imported into another book gives the same memory, by the command line and by the resource', async () => {
  const folder = directory();
  const [one, other] = [join(folder, 'one.book'), join(folder, 'other.book')];
  let server = await start(one);
  for (let n = 0; n < 60; n += 1) {
    const content = `fact number ${n} about "quotes", naïve cafés and 知识 ${'and more words '.repeat(20)}`;
    await server.ok('kn_intel', { action: 'learn', content, type: 'pattern', tags: ['a/b?c%'] });
  }
  const project = (await server.ok('kn_project', { action: 'create', name: 'p' })).data;
  await server.ok('kn_project', { action: 'log', project_id: project.id, action_text: 'did it' });
  const status = await statusOf(server);
  const lines = await exported(server);
  assert.ok(lines.length > 120);
  await server.close();

  const file = join(folder, 'memory.jsonl');
  assert.deepEqual(memory(['export', file, '--book', one]), { status: 0, stdout: '', stderr: '' });
  assert.deepEqual(readFileSync(file, 'utf8').split('\n').filter(Boolean), lines);
  assert.equal(memory(['export', '--book', one]).stdout, readFileSync(file, 'utf8'));
  assert.equal(
    memory(['import', file, '--book', other]).stdout,
    `${lines.length} added, 0 replaced, 0 unchanged, 0 not taken over\n`,
  );
  assert.equal(
    memory(['import', file, '--book', other]).stdout,
    `0 added, 0 replaced, ${lines.length} unchanged, 0 not taken over\n`,
  );

  server = await start(other);
  assert.deepEqual({ ...(await statusOf(server)), processing_time_ms: 0 }, { ...status, processing_time_ms: 0 });
  assert.deepEqual(await server.solve('aggregate_all(count, kn_node(_, _, _), N)'), [`N = ${status.nodes}`]);
  // An import is one revision.
  await server.ok('workspace', { operation: 'undo' });
  assert.equal((await statusOf(server)).nodes, 0);
  await server.close();
});

test('a file of server-memory is imported, and what is not understood is reported by line', () => {
  const folder = directory({
    'memory.json': [
      '{"type":"entity","name":"Ann","entityType":"person","observations":["likes tea"]}',
      '{"type":"entity","name":"Bob","entityType":"person","observations":[]}',
      '{"type":"relation","from":"Ann","to":"Bob","relationType":"knows"}',
      '{"type":"relation","from":"Ann","to":"Cid","relationType":"knows"}',
      '{"type":"ent',
    ].join('\n'),
  });
  const file = join(folder, 'memory.json');
  const { status, stdout, stderr } = memory(['import', file, '--book', join(folder, 'b.book')]);
  assert.equal(stdout, '3 added, 0 replaced, 0 unchanged, 2 not taken over\n');
  assert.match(stderr, /^.*memory\.json:4: there is no entity Cid\n.*memory\.json:5: it is not JSON: .*\n$/);
  assert.equal(status, 1);
});

test("Kairn's database is imported, with a Node that has node:sqlite or with sql.js, and plainly refused otherwise", () => {
  const folder = directory();
  const file = join(folder, 'kairn.db');
  const make = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec(\`
      CREATE TABLE nodes (id, namespace, type, name, description, properties, tags, source_type, created_at, updated_at, deleted_at);
      CREATE TABLE edges (source_id, target_id, type, weight, properties, created_at);
      CREATE TABLE experiences (id, type, content, context, confidence, tags, created_at);
      CREATE TABLE routes (keyword);
      INSERT INTO nodes VALUES ('aa11', 'knowledge', 'tool', 'it''s', NULL, NULL, '["x"]', 'manual', '2026-01-02T03:04:05+00:00', NULL, NULL);
      INSERT INTO nodes VALUES ('bb22', 'knowledge', 'tool', 'B', 'text', NULL, NULL, 'manual', '2026-01-02T03:04:05+00:00', NULL, NULL);
      INSERT INTO edges VALUES ('aa11', 'bb22', 'uses', 0.5, NULL, '2026-01-02T03:04:05+00:00');
      INSERT INTO experiences VALUES ('cc33', 'gotcha', 'mind the gap', NULL, 'low', NULL, '2026-01-02T03:04:05+00:00');
    \`);
    database.close();`;
  const made = spawnSync(NODE, ['-e', make, file], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  const book = join(folder, 'b.book');
  assert.equal(
    memory(['import', file, '--book', book], NODE).stdout,
    '4 added, 0 replaced, 0 unchanged, 0 not taken over\n',
  );
  assert.match(memory(['export', '--book', book]).stdout, /"source_id":"aa11"/);
  if (process.getBuiltinModule?.('node:sqlite')) return;
  const other = join(folder, 'c.book');
  const imported = memory(['import', file, '--book', other]);
  assert.equal(imported.stdout, '4 added, 0 replaced, 0 unchanged, 0 not taken over\n', imported.stderr);
  assert.equal(memory(['export', '--book', other]).stdout, memory(['export', '--book', book]).stdout);

  writeFileSync(`${file}-wal`, 'not yet in the database');
  assert.match(memory(['import', file, '--book', other]).stderr, /kairn\.db-wal that sql\.js does not read/);
  rmSync(`${file}-wal`);
  // The package without its optional dependencies.
  const alone = join(folder, 'alone');
  cpSync(dirname(BIN), alone, { recursive: true });
  const { stderr } = spawnSync(process.execPath, [join(alone, 'bin.js'), 'memory', 'import', file, '--book', other], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.match(stderr, /takes Node 22\.13 or later, or the package sql\.js: npm install sql\.js/);
});

test('a command that cannot be carried out says how to use it', () => {
  const folder = directory();
  for (const [args, message] of [
    [[], /takes export or import/],
    [['import', '--book', 'x'], /needs a file/],
    [['export'], /needs the book/],
    [['import', join(folder, 'none'), '--book', join(folder, 'x.book')], /cannot be read/],
  ]) {
    const { status, stderr } = memory(args);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
  }
});

test('an invalid address of the export is refused', async () => {
  const server = await Server.start({ args: ['--tools', 'memory'] });
  for (const uri of ['kn://export?before=x', 'kn://exported', 'kn://export?after=%zz']) {
    assert.match((await server.begin('resources/read', { uri }).answer).error.message, /not found|Unknown/i);
  }
  assert.equal((await server.request('resources/read', { uri: 'kn://export?after=zz' })).contents[0].text, '');
  await server.close();
});
