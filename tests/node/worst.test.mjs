// What replies cost a model, for every tool of every toolset as listed by the server itself: each action with bad texts
// of each kind in each of its arguments, on a full book and memory.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { Server } from './harness.mjs';

const MOST = 10_000;

const tokens = (value) => encode(typeof value === 'string' ? value : JSON.stringify(value ?? {})).length;

const TEXTS = {
  letters: 'gq'.repeat(20_000),
  'signs of three bytes': '\u{12000}'.repeat(15_000),
  quotes: `\\"'`.repeat(12_000),
  lines: 'a\n'.repeat(20_000),
  'what JSON escapes': '\u0001'.repeat(8_000),
};

let server;
let tools;
before(async () => {
  server = await Server.start({ args: ['--tools', 'prolog,dml,workflow,memory'] });
  ({ tools } = await server.request('tools/list', {}));
  await fill();
});
after(() => server.close());

/** A book and a memory whose every listing is far longer than a reply may be. */
async function fill() {
  await server.assert(Array.from({ length: 3_000 }, (_, n) => `predicate_${n}("${'long '.repeat(40)}${n}").`));
  const text = 'words that stand in every one of them '.repeat(100);
  const nodes = [];
  for (let n = 0; n < 60; n += 1) {
    const name = `node ${n} ${'name '.repeat(30)}`;
    const { text: told } = await server.ok('kn_graph', { action: 'add', type: 'thing', name, description: text });
    nodes.push(JSON.parse(told).id);
    await server.ok('kn_experience', { action: 'save', content: `${n} ${text}`, type: 'solution', context: text });
    await server.ok('kn_idea', { action: 'create', title: `${n} ${text}`, category: `category ${n}` });
    await server.ok('kn_project', { action: 'create', name: `project ${n}`, goals: [text, name] });
  }
  for (const target_id of nodes.slice(1))
    await server.ok('kn_graph', { action: 'connect', source_id: nodes[0], target_id, edge_type: 'related_to' });
  for (const [name, values] of [
    ['kn_graph', { action: 'query', text: 'words' }],
    ['kn_graph', { action: 'query', node_id: nodes[0], detail: 'full' }],
    ['kn_experience', { action: 'search', text: 'words', detail: 'full', limit: 60 }],
    ['kn_idea', { action: 'list', limit: 60 }],
    ['kn_project', { action: 'list', limit: 60 }],
    ['kn_intel', { action: 'recall', text: 'words', detail: 'full', limit: 60, budget: 10_000 }],
    ['kn_intel', { action: 'context', keywords: 'words', budget: 10_000 }],
    ['kn_intel', { action: 'related', node_id: nodes[0], depth: 5, limit: 60, budget: 10_000 }],
    ['kn_intel', { action: 'infer', goal: 'kn_node(A, B, C), kn_node(D, E, F)', limit: 1_000, budget: 10_000 }],
    ['workspace', { operation: 'why', of: 'predicate_2(X)' }],
  ])
    await bounded(name, values, JSON.stringify(values));
}

/** A call whose reply, whatever it is, is within the budget. */
async function bounded(name, values, of) {
  const { text, data } = await server.call(name, values);
  const counted = [tokens(text), tokens(data)];
  assert.ok(Math.max(...counted) <= MOST, `${name}, ${of}: ${counted} tokens`);
}

/** A value that matches the schema, made of `text` where possible. */
function worst(schema, text) {
  if (schema.enum) return schema.enum[0];
  const type = [schema.type ?? (schema.oneOf ?? schema.anyOf)?.[0]?.type].flat()[0];
  if (type === 'array') return Array.from({ length: 50 }, () => text.slice(0, 1_000));
  if (type === 'object') return { [text.slice(0, 10_000)]: text };
  if (type === 'integer' || type === 'number') return Math.min(schema.maximum ?? 1_000, 1_000);
  if (type === 'boolean') return true;
  return text;
}

/** The actions that a tool offers. */
const actionsOf = ({ inputSchema: { properties } }) =>
  Object.entries(properties).flatMap(([key, { enum: values }]) =>
    ['operation', 'action'].includes(key) ? values.map((value) => ({ [key]: value })) : [],
  );

test('every toolset is listed', () => {
  const names = tools.map(({ name }) => name);
  for (const name of ['query_start', 'dml_run', 'workflow_run', 'kn_graph', 'kn_intel'])
    assert.ok(names.includes(name));
});

for (const [kind, text] of Object.entries(TEXTS)) {
  test(`every action of every tool answers ${kind} within the budget`, async () => {
    for (const tool of tools) {
      const { properties } = tool.inputSchema;
      for (const action of [...actionsOf(tool), {}]) {
        const asked = `${kind}, ${JSON.stringify(action)}`;
        const all = Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, worst(schema, text)]));
        await bounded(tool.name, { ...all, ...action }, `${asked}, all arguments`);
        await bounded(tool.name, { ...action, [text]: 1 }, `${asked}, an unknown argument`);
        for (const key of Object.keys(properties))
          if (!(key in action)) await bounded(tool.name, { ...action, [key]: all[key] }, `${asked}, ${key}`);
      }
    }
    for (const [method, params] of [
      ['tools/call', { name: text, arguments: {} }],
      ['prompts/get', { name: text }],
      [text, {}],
    ]) {
      const { message } = await server.refusal(method, params);
      assert.ok(tokens(message) <= MOST, `${method.slice(0, 20)}: ${tokens(message)} tokens`);
    }
  });
}

test('every resource and prompt is within the budget', async () => {
  const { resources } = await server.request('resources/list', {});
  assert.ok(resources.some(({ uri }) => uri === 'kn://memories'));
  for (const { uri } of resources) {
    const { contents } = await server.request('resources/read', { uri });
    assert.ok(tokens(contents.map(({ text }) => text).join('')) <= MOST, uri);
  }
  const { prompts } = await server.request('prompts/list', {});
  for (const { name, arguments: taken = [] } of prompts)
    for (const text of Object.values(TEXTS)) {
      const values = Object.fromEntries(taken.map((argument) => [argument.name, text]));
      const { result, error } = await server.begin('prompts/get', { name, arguments: values }).answer;
      const told = result?.messages.map(({ content }) => content.text).join('') ?? error.message;
      assert.ok(tokens(told) <= MOST, `${name}: ${tokens(told)} tokens`);
    }
});
