// The list of tools: what it costs a model, and that the inspector's command line shows and calls them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { BIN, ROOT, Server } from './harness.mjs';

const INSPECTOR = join(
  ROOT,
  'node_modules',
  '@modelcontextprotocol',
  'inspector',
  'clients',
  'launcher',
  'build',
  'index.js',
);
/** The inspector needs a newer Node than Hornbook does. */
const NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node');

let server;
before(async () => (server = await Server.start()));
after(() => server.close());

const tokens = (value) => encode(JSON.stringify(value)).length;

test('tools/list costs at most 800 tokens, and 650 for the parts that a model needs', async (t) => {
  const { tools } = await server.request('tools/list');
  const needed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const [whole, least] = [tokens({ tools }), tokens({ tools: needed })];
  t.diagnostic(`${whole} tokens; ${least} with name, description and inputSchema alone`);
  assert.ok(whole <= 800, `${whole} tokens`);
  assert.ok(least <= 650, `${least} tokens`);
});

test('no tool has an output schema, and every argument of every schema is typed', async () => {
  const { tools } = await server.request('tools/list');
  assert.equal(tools.length, 7);
  for (const { name, outputSchema, inputSchema } of tools) {
    assert.equal(outputSchema, undefined);
    assert.equal(inputSchema.type, 'object');
    for (const [argument, schema] of Object.entries(inputSchema.properties))
      assert.ok(schema.type ?? schema.anyOf, `${name}.${argument}`);
    for (const argument of inputSchema.required ?? [])
      assert.ok(inputSchema.properties[argument], `${name}.${argument}`);
  }
});

async function inspect(...args) {
  const command = [INSPECTOR, '--cli', process.execPath, BIN, '--root', server.directory, ...args];
  return JSON.parse((await promisify(execFile)(NODE, command, { cwd: server.directory })).stdout);
}

test('inspector --cli lists the tools', async () => {
  const { tools } = await inspect('--method', 'tools/list');
  assert.deepEqual(tools, (await server.request('tools/list')).tools);
});

test('inspector --cli calls a tool', async () => {
  const result = await inspect(
    '--method',
    'tools/call',
    '--tool-name',
    'query_start',
    '--tool-arg',
    'query=X #> 3, X #< 6, label([X])',
    '--tool-arg',
    'take=5',
  );
  assert.deepEqual(
    result.structuredContent.answers.map(({ X }) => X),
    ['4', '5'],
  );
});

test('arguments may come as their JSON text, as several hosts send them, in every tool', async () => {
  const server = await Server.start({ args: ['--tools', 'prolog,memory,workflow,dml'] });
  const asserted = await server.ok('clauses', { operation: 'assert', clauses: '["likes(a, b).", "likes(b, c)."]' });
  assert.equal(asserted.data.succeeded, 2);
  const asked = { query: 'likes(X, Y)', take: '5', timeout_ms: '5000', use_engine: 'true', assume: '["likes(c, d)."]' };
  assert.equal((await server.ok('query_start', asked)).data.answers.length, 3);
  assert.match((await server.ok('workspace', { operation: 'undo', steps: '1' })).text, /assert/i);
  const learned = { action: 'learn', content: 'WAL for writers', type: 'decision', tags: '["db", "sqlite"]' };
  await server.ok('kn_intel', learned);
  const found = await server.ok('kn_experience', { action: 'search', text: 'wal', limit: '3', detail: 'full' });
  assert.deepEqual(found.data.experiences[0].tags, ['db', 'sqlite']);
  const yaml = 'nodes:\n- { name: a, language: prolog, run: "state(n, N), M is N + 1, return(m, M)." }\n';
  const ran = await server.ok('workflow_run', { yaml, state: '{"n": 41}', budget: '500' });
  assert.equal(ran.data.state.m, 42);
  const python = await server.call('workflow_run', { yaml: "nodes:\n- { name: a, language: python, run: 'x = 1' }\n" });
  assert.match(python.text, /Node 'a' is in Python, and nodes of this server are in Prolog\..*`hornbook flow`/);
  const program = { code: 'agent_main(Who) :- answer("hello {Who}").', params: '{"Who": "ann"}', timeout_ms: '20000' };
  assert.match((await server.ok('dml_run', program)).text, /hello ann/);
  const wrong = await server.call('query_start', { query: 'true', take: 'five' });
  assert.match(wrong.text, /Argument 'take' cannot be "five"\. 'take' must be an integer/);
  await server.close();
});
