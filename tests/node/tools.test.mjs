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
