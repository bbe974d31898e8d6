// What replies cost a model: the worst case of each tool, resource and prompt, counted in tokens for text and
// structured content separately.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { ROOT, Server } from './harness.mjs';

const MOST = 10_000;

const tokens = (value) => encode(typeof value === 'string' ? value : JSON.stringify(value ?? {})).length;

let server;
before(async () => (server = await Server.start()));
after(() => server.close());

/** Calls a tool whose text and structured content are each within `most` tokens; returns its result. */
async function within(most, name, values) {
  const result = await server.call(name, values);
  const counted = [tokens(result.text), tokens(result.data)];
  assert.ok(Math.max(...counted) <= most, `${name} ${values.operation ?? ''}: ${counted} tokens`);
  return result;
}

const facts = (count) => Array.from({ length: count }, (_, n) => `fact(${n}, "text of ${n}").`);

test('the counts that the bound is tested with are those of the tokenizer', () => {
  const counted = JSON.parse(readFileSync(join(ROOT, 'src', 'service', 'tests', 'tokens.json'), 'utf8'));
  for (const [text, count] of counted) assert.equal(tokens(text), count, text.slice(0, 60));
});

test('sixty clauses cost at most 30 tokens', async () => {
  await within(30, 'clauses', { operation: 'assert', clauses: facts(60) });
  await server.reset();
});

test('a hundred rows of five variables cost at most 3,200 tokens', async () => {
  const query = 'between(1, 100, A), B is A * 7, C = name, D is A mod 10, atom_concat(v, A, E)';
  const { data } = await within(3_200, 'query_start', { query, take: 100 });
  assert.equal(data.answers.length, 100);
  assert.deepEqual(data.answers[9], { A: '10', B: '70', C: 'name', D: '0', E: 'v10' });
});

test('answers that do not fit are given by the next calls, once each, with the error after them', async () => {
  const query = '(between(1, 900, X), atom_concat(a_rather_long_name_, X, Y)) ; X is foo + 1';
  let { data, isError } = await within(MOST, 'query_start', { query, take: 1000, query_id: 'many' });
  const seen = [];
  for (let calls = 0; calls < 40; calls += 1) {
    seen.push(...data.answers.map(({ X }) => Number(X)));
    if (!data.more) break;
    assert.equal(isError, false);
    ({ data, isError } = await within(MOST, 'query_next', { query_id: 'many', take: 1000 }));
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 900 }, (_, n) => n + 1),
  );
  assert.equal(data.error.kind, 'type_error');
});

test('every operation keeps the budget on a large book, and what it leaves out can be requested', async () => {
  await server.assert(facts(5_000));
  await server.assert(Array.from({ length: 5_000 }, (_, n) => `predicate_${n}(a).`));
  await server.assert('f(1). f(X) :- fact(X, _). % why\n');
  await within(MOST, 'clauses', { operation: 'assert', clauses: facts(2_000).map((text) => text.slice(0, -2)) });
  await within(MOST, 'clauses', { operation: 'retract', clauses: facts(2_000) });
  await within(MOST, 'files', {
    operation: 'import',
    filename: 'bad.pl',
    text: facts(1_000).join('\n').replaceAll(').', ''),
  });
  const first = await within(MOST, 'workspace', { operation: 'snapshot' });
  assert.match(first.text, new RegExp(`continue with from: ${first.data.from}$`));
  assert.match(await server.snapshot(), /^fact\(2000, .*predicate_4999\(a\)\.\nf\(1\)\./s);
  const one = await within(MOST, 'workspace', { operation: 'snapshot', of: 'f/1' });
  assert.equal(one.data.dump, 'f(1).\n f(X) :- fact(X, _). % why\n');
  let symbols = await within(MOST, 'workspace', { operation: 'list_symbols' });
  const names = [...symbols.data.predicates];
  while (symbols.data.from !== undefined) {
    symbols = await within(MOST, 'workspace', { operation: 'list_symbols', from: symbols.data.from });
    names.push(...symbols.data.predicates);
  }
  assert.equal(new Set(names).size, 5_002);
  const found = await within(MOST, 'workspace', { operation: 'list_symbols', of: 'CATE_49' });
  assert.equal(found.data.predicates.length, 111);
  for (const operation of ['diff', 'provenance', 'history', 'list_queries'])
    await within(MOST, 'workspace', { operation, ...{ diff: { from: 0 }, provenance: { of: 'fact/2' } }[operation] });
  for (const uri of ['prolog://workspace/snapshot', 'prolog://workspace/symbols', 'reference://help']) {
    const { contents } = await server.request('resources/read', { uri });
    assert.ok(tokens(contents[0].text) <= MOST, uri);
  }
  for (let n = 0; n < 60; n += 1) await server.assert(`n(${n}).`);
  await within(MOST, 'workspace', { operation: 'undo', steps: 60 });
  await within(MOST, 'workspace', { operation: 'history', steps: 1000 });
  await server.reset();
});

test('hostile text keeps the budget too', async () => {
  for (const text of ['gq'.repeat(20_000), '\u{12000}'.repeat(20_000), '!$'.repeat(20_000), 'x'.repeat(90_000)]) {
    await within(MOST, 'query_start', { query: `X = '${text}', Y = X, write(X)`, take: 1 });
    await within(MOST, 'query_start', { query: `throw('${text}')`, take: 1 });
    await within(MOST, 'query_start', { query: `write('${text}'), fail`, take: 1 });
    await within(MOST, 'query_start', { query: text, take: 1, query_id: text });
    await within(MOST, 'clauses', { operation: 'assert', clauses: [`p('${text}')`, `p('${text}'`, text] });
    await within(MOST, 'clauses', { operation: 'retract', clauses: `p('${text}')` });
    await within(MOST, 'files', { operation: 'import', filename: text, text: 'a.' });
    await within(MOST, 'files', { operation: 'list' });
    await within(MOST, 'files', { operation: 'unimport', filename: `${text}x` });
    await within(MOST, 'workspace', { operation: 'provenance', of: `p('${text}')` });
    await within(MOST, 'workspace', { operation: text });
    await within(MOST, 'help', { topic: text });
    await within(MOST, 'query_next', { query_id: text });
    await within(MOST, 'query_close', { query_id: text });
    const { messages } = await server.request('prompts/get', { name: 'puzzle', arguments: { puzzle: text } });
    assert.ok(tokens(messages[0].content.text) <= MOST);
  }
  await within(MOST, 'help', {});
});
