// The operations of the tools, one by one.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start({ files: { 'family.pl': 'parent(ann, bob).\nparent(bob, cy).\n' } })));
after(() => server.close());
beforeEach(() => server.reset());

const files = (operation, filename) => server.ok('files', { operation, filename });
const symbols = async () => (await server.ok('workspace', { operation: 'list_symbols' })).data.predicates;

describe('the operations of the tools', () => {
  const clauses = (operation, given) => server.call('clauses', { operation, clauses: given });

  test('clauses(assert) with single clause works', async () => {
    assert.match((await clauses('assert', 'one(1).')).text, /1\/1 successful/);
    assert.deepEqual(await server.solve('one(X)'), ['X = 1']);
  });

  test('clauses(assert) with array of clauses works', async () => {
    assert.match((await clauses('assert', ['two(1).', 'two(2)', 'three(X) :- two(X)'])).text, /3\/3 successful/);
    assert.deepEqual(await server.solve('three(X)'), ['X = 1', 'X = 2']);
  });

  test('clauses(assert) with empty array, get error', async () => {
    const { text } = await server.fails('clauses', { operation: 'assert', clauses: [] });
    assert.match(text, /[Aa]t least one clause required/);
  });

  test('clauses(retract) with single clause works', async () => {
    await server.assert('r(1). r(2).');
    assert.match((await clauses('retract', 'r(1).')).text, /1\/1 successful/);
    assert.equal(await server.snapshot(), 'r(2).');
  });

  test('clauses(retract) with array of clauses works', async () => {
    await server.assert('r(1). r(2). r(3). s(X) :- r(X).');
    assert.match((await clauses('retract', ['r(3)', 'r(1).', 's(X) :- r(X)'])).text, /3\/3 successful/);
    assert.equal(await server.snapshot(), 'r(2).');
  });

  test('clauses(retract) non-existent clause, get error outcome', async () => {
    await server.assert('r(1).');
    const { isError, data } = await clauses('retract', ['r(9)', 'r(1)']);
    assert.equal(isError, true);
    assert.deepEqual(
      data.failures.map(({ number }) => number),
      [1],
    );
    assert.match(data.failures[0].message, /[Nn]o clause matches/);
  });

  test('workspace(snapshot) returns source text', async () => {
    await server.assert('p(X) :- q(X), !.');
    const { text, data } = await server.ok('workspace', { operation: 'snapshot' });
    assert.deepEqual([text, data.dump, data.clauseCount], ['p(X) :- q(X), !.', 'p(X) :- q(X), !.', 1]);
  });

  test('workspace(snapshot) when empty, returns empty or message', async () => {
    const { text, data } = await server.ok('workspace', { operation: 'snapshot' });
    assert.deepEqual([text, data.dump, data.clauseCount], ['(empty workspace)', '', 0]);
  });

  test('workspace(reset) clears everything', async () => {
    await files('import', 'family.pl');
    await server.assert('p(1).');
    await server.ok('query_start', { query: 'parent(X, Y)' });
    const { data } = await server.reset();
    assert.deepEqual([data.clausesRemoved, data.queriesClosed], [3, 1]);
    assert.deepEqual([await server.snapshot(), await symbols(), (await files('list')).data.files], ['', [], []]);
    assert.equal((await server.ok('query_close')).data.status, 'no_active_session');
  });

  test('workspace(list_symbols) shows predicates', async () => {
    await server.assert("p(1). q(a, b). 'odd name'. greeting --> [hi].");
    assert.deepEqual((await symbols()).sort(), ["'odd name'/0", 'greeting/2', 'p/1', 'q/2']);
  });

  test('workspace(list_symbols) when empty, returns empty list', async () => {
    const { text, data } = await server.ok('workspace', { operation: 'list_symbols' });
    assert.deepEqual([text, data.predicates, data.count], ['(no predicates)', [], 0]);
  });

  test('files(list) shows imported files', async () => {
    await files('import', 'family.pl');
    assert.match((await files('list')).text, /family\.pl: 2 clauses/);
  });

  for (const operation of ['import', 'unimport']) {
    test(`files(${operation}) without filename, get error`, async () => {
      const { text } = await server.fails('files', { operation }, 'invalid_argument');
      assert.match(text, new RegExp(`'filename' is required for ${operation}`));
    });
  }

  for (const [title, values, mode] of [
    ['query_start defaults to engine mode', {}, 'engine'],
    ['query_start use_engine=true uses engine mode', { use_engine: true }, 'engine'],
    ['query_start use_engine=false uses standard mode', { use_engine: false }, 'standard'],
  ]) {
    test(title, async () => {
      const { data } = await server.ok('query_start', { query: 'member(X, [1, 2])', ...values });
      assert.equal(data.mode, mode);
      assert.equal(data.engine_ready, mode === 'engine' ? true : undefined);
      assert.equal((await server.ok('query_next')).data.answers[0].X, '1');
      assert.equal((await server.ok('query_next')).data.answers[0].X, '2');
      assert.match((await server.ok('query_next')).text, /No more solutions/);
    });
  }

  test('help with no topic shows overview', async () => {
    const { text } = await server.ok('help');
    assert.match(text, /^# Hornbook/);
    for (const tool of ['clauses', 'files', 'workspace', 'query_start', 'query_next', 'query_close', 'help'])
      assert.ok(text.includes(`\`${tool}\``));
  });

  test('help with each topic shows focused content', async () => {
    const all = (await server.ok('help')).text;
    const expected = {
      overview: /workspace of facts/,
      tools: /`query_next`/,
      prompts: /puzzle/,
      modes: /use_engine/,
      security: /sandbox/,
      examples: /"operation": "assert"/,
    };
    for (const [topic, content] of Object.entries(expected)) {
      const { text } = await server.ok('help', { topic });
      assert.match(text, content);
      assert.ok(text.length < all.length / 2, topic);
    }
  });
});
