// The official MCP clients use everything there is: the current one in the era without sessions, the older one with
// `initialize`.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { BIN, directory } from './harness.mjs';

const SNAPSHOT = 'prolog://workspace/snapshot';
const SYMBOLS = 'prolog://workspace/symbols';
const ME = { name: 'test', version: '1' };
const server = (root) => ({ command: process.execPath, args: [BIN, '--root', root], env: {}, cwd: root });

/** What differs between the clients. `watch` calls back with the URI of every resource that was updated. */
const CLIENTS = [
  {
    era: 'client 2.4.0, revision 2026-07-28',
    async connect(root) {
      const client = new Client(ME, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StdioClientTransport(server(root)));
      return client;
    },
    revision: (client) => client.getNegotiatedProtocolVersion(),
    expected: '2026-07-28',
    call: (client, name, values, options) => client.callTool({ name, arguments: values }, options),
    async watch(client, uris, heard) {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => heard(params.uri));
      const subscription = await client.listen({ resourceSubscriptions: uris });
      assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: uris });
      return () => subscription.close();
    },
    /** This revision has no ping: use any request that is answered at once. */
    ping: (client) => client.getPrompt({ name: 'puzzle' }),
  },
  {
    era: 'sdk 1.32.2, revision 2025-11-25',
    async connect(root) {
      const client = new LegacyClient(ME);
      const transport = new LegacyTransport(server(root));
      transport.setProtocolVersion = (revision) => (transport.revision = revision);
      await client.connect(transport);
      return client;
    },
    revision: (client) => client.transport.revision,
    expected: '2025-11-25',
    call: (client, name, values, options) => client.callTool({ name, arguments: values }, undefined, options),
    async watch(client, uris, heard) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => heard(params.uri));
      for (const uri of uris) await client.subscribeResource({ uri });
      return async () => {
        for (const uri of uris) await client.unsubscribeResource({ uri });
      };
    },
    ping: (client) => client.ping(),
  },
];

for (const { era, connect, revision, expected, call, watch, ping } of CLIENTS) {
  describe(era, () => {
    const root = directory({
      'family.pl': 'parent(ann, bob).\nparent(bob, cy).\n',
      // Enough for the import to take a second: a client that reads an answer together with progress drops the
      // progress.
      'many.pl': 'fact(1).\n'.repeat(100_000),
    });
    let client;
    before(async () => (client = await connect(root)));
    after(async () => {
      await client.close();
      rmSync(root, { recursive: true });
    });

    /** The result of a call that must not be an error. */
    async function ok(name, values, options) {
      const result = await call(client, name, values, options);
      assert.ok(!result.isError, result.content[0].text);
      return result.structuredContent ?? result.content[0].text;
    }
    const reset = () => ok('workspace', { operation: 'reset' });
    const read = async (uri) => (await client.readResource({ uri })).contents[0];

    test('is served in its own era', () => {
      assert.equal(revision(client), expected);
      assert.equal(client.getServerVersion().name, 'hornbook');
      assert.match(client.getInstructions(), /query_start/);
    });

    test('lists seven tools, five resources and four prompts', async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['clauses', 'files', 'workspace', 'query_start', 'query_next', 'query_close', 'help'],
      );
      for (const { title, description, inputSchema, annotations } of tools) {
        assert.ok(
          title && description && inputSchema.additionalProperties === false && annotations.openWorldHint === false,
        );
      }
      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.map(({ uri }) => uri),
        [SNAPSHOT, SYMBOLS, 'reference://help', 'reference://license', 'reference://logo'],
      );
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name }) => name),
        ['expert', 'knowledge', 'optimize', 'puzzle'],
      );
    });

    test('clauses: assert and retract', async () => {
      await reset();
      assert.equal((await ok('clauses', { operation: 'assert', clauses: 'p(1)' })).succeeded, 1);
      assert.equal((await ok('clauses', { operation: 'assert', clauses: ['p(2).', 'q(X) :- p(X)'] })).succeeded, 2);
      assert.equal((await ok('clauses', { operation: 'retract', clauses: 'p(1)' })).succeeded, 1);
      assert.equal((await ok('workspace', { operation: 'snapshot' })).dump, 'p(2).\nq(X) :- p(X).');
    });

    test('files: import, list, unimport, and import of a text', async () => {
      await reset();
      const imported = await ok('files', { operation: 'import', filename: 'family.pl' });
      assert.deepEqual([imported.type, imported.clausesAdded, imported.status], ['file_import', 2, 'success']);
      assert.equal(
        (await ok('files', { operation: 'import', filename: 'note', text: 'likes(ann, tea).' })).clausesAdded,
        1,
      );
      const { files, count } = await ok('files', { operation: 'list' });
      assert.deepEqual([count, files.map(({ clauseCount }) => clauseCount)], [2, [2, 1]]);
      assert.equal((await ok('files', { operation: 'unimport', filename: 'family.pl' })).clausesRemoved, 2);
      assert.equal((await ok('workspace', { operation: 'snapshot' })).dump, 'likes(ann, tea).');
    });

    test('workspace: snapshot, list_symbols and reset', async () => {
      await reset();
      await ok('clauses', { operation: 'assert', clauses: 'p(1). q(a, b).' });
      assert.equal((await ok('workspace', { operation: 'snapshot' })).clauseCount, 2);
      assert.deepEqual((await ok('workspace', { operation: 'list_symbols' })).predicates, ['p/1', 'q/2']);
      assert.equal((await reset()).clausesRemoved, 2);
      assert.equal((await ok('workspace', { operation: 'snapshot' })).dump, '');
    });

    test('query_start, query_next and query_close, in both modes', async () => {
      for (const use_engine of [true, false]) {
        const started = await ok('query_start', { query: 'member(X, [a, b, c])', use_engine });
        assert.deepEqual([started.status, started.mode], ['ready', use_engine ? 'engine' : 'standard']);
        assert.equal((await ok('query_next', {})).answers[0].X, 'a');
        assert.deepEqual(
          (await ok('query_next', { take: 2 })).answers.map(({ X }) => X),
          ['b', 'c'],
        );
        assert.deepEqual((await ok('query_next', { query_id: started.query_id })).answers, []);
      }
      const { query_id } = await ok('query_start', { query: 'repeat', query_id: 'mine', take: 3, timeout_ms: 10_000 });
      assert.equal(query_id, 'mine');
      assert.equal((await ok('query_close', { query_id: 'mine' })).status, 'closed');
    });

    test('help: all of it, and every topic', async () => {
      const all = await ok('help', {});
      for (const topic of ['overview', 'tools', 'prompts', 'modes', 'security', 'examples']) {
        assert.ok(all.includes(await ok('help', { topic })), topic);
      }
    });

    test('reads every resource', async () => {
      await reset();
      await ok('clauses', { operation: 'assert', clauses: 'p(X) :- q(X).' });
      assert.deepEqual(await read(SNAPSHOT), { uri: SNAPSHOT, mimeType: 'text/x-prolog', text: 'p(X) :- q(X).' });
      assert.deepEqual(await read(SYMBOLS), { uri: SYMBOLS, mimeType: 'text/plain', text: 'p/1' });
      assert.equal((await read('reference://help')).text, await ok('help', {}));
      assert.match((await read('reference://license')).text, /^MIT License/);
      assert.match((await read('reference://logo')).text, /^<svg /);
      await assert.rejects(read('prolog://workspace/nothing'), /nothing/);
    });

    test('is notified of changes of watched resources until it stops watching', async () => {
      await reset();
      const heard = [];
      const stop = await watch(client, [SNAPSHOT, SYMBOLS], (uri) => heard.push(uri));
      await ok('clauses', { operation: 'assert', clauses: 'new(1).' });
      assert.deepEqual(heard.splice(0).sort(), [SNAPSHOT, SYMBOLS]);
      await ok('clauses', { operation: 'assert', clauses: 'new(2).' });
      assert.deepEqual(heard.splice(0), [SNAPSHOT]);
      await ok('query_start', { query: 'assertz(made(1))', take: 1 });
      assert.deepEqual(heard.splice(0).sort(), [SNAPSHOT, SYMBOLS]);
      await ok('query_start', { query: 'made(X)', take: 1 });
      assert.deepEqual(heard, []);
      await stop();
      await reset();
      assert.deepEqual(heard, []);
    });

    test('gets every prompt with and without arguments', async () => {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      const text = async (name, values) =>
        (await client.getPrompt({ name, arguments: values })).messages[0].content.text;
      const { prompts } = await client.listPrompts();
      for (const prompt of prompts) {
        const [subject] = prompt.arguments;
        const plain = await text(prompt.name);
        const given = await text(prompt.name, { [subject.name]: 'the subject of this test' });
        assert.match(given, /the subject of this test$/);
        assert.notEqual(plain, given);
        for (const [, tool] of plain.matchAll(/`(\w+) \{/g))
          assert.ok(names.includes(tool), `${prompt.name} names ${tool}`);
      }
      const modes = { expert: ['init', 'quick'], knowledge: ['builder', 'analyzer'] };
      for (const [name, [first, second]] of Object.entries(modes)) {
        assert.equal(await text(name, { mode: first }), await text(name));
        assert.notEqual(await text(name, { mode: second }), await text(name));
        await assert.rejects(text(name, { mode: 'nosuch' }), /nosuch/);
      }
      await assert.rejects(text('nosuch'), /nosuch/);
    });

    test('completes the arguments of prompts', async () => {
      await reset();
      await ok('clauses', { operation: 'assert', clauses: 'parent(ann, bob).' });
      const complete = async (name, argument, value) =>
        (await client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } })).completion
          .values;
      assert.deepEqual(await complete('expert', 'mode', ''), ['init', 'quick']);
      assert.deepEqual(await complete('knowledge', 'mode', 'an'), ['analyzer']);
      assert.deepEqual(await complete('optimize', 'query', 'member(X, L), pare'), ['member(X, L), parent(_, _)']);
      assert.deepEqual(await complete('puzzle', 'puzzle', 'a'), []);
    });

    test('receives the progress of a long import and of a long query', async () => {
      await reset();
      const heard = [];
      await ok(
        'files',
        { operation: 'import', filename: 'many.pl' },
        { onprogress: (progress) => heard.push(progress) },
      );
      assert.ok(heard.length > 2);
      for (const [at, { progress, total }] of heard.entries()) {
        assert.ok(progress <= total && (at === 0 || progress > heard[at - 1].progress));
      }
      heard.length = 0;
      const values = { query: 'repeat, fail', take: 1, timeout_ms: 1500 };
      const late = await call(client, 'query_start', values, { onprogress: (progress) => heard.push(progress) });
      assert.equal(late.structuredContent.error.kind, 'timeout');
      assert.equal(heard[0].total, 1500);
    });

    test('is answered while a query runs, and cancels it; the workspace stays whole', async () => {
      await reset();
      await ok('clauses', { operation: 'assert', clauses: 'kept(1). loop :- loop.' });
      const abort = new AbortController();
      let query;
      await new Promise((onprogress) => {
        const values = { query: 'assertz(lost(1)), loop', take: 1, timeout_ms: 600_000 };
        query = call(client, 'query_start', values, { signal: abort.signal, timeout: 600_000, onprogress });
      });
      await ping(client);
      abort.abort('no longer wanted');
      await assert.rejects(query, /no longer wanted/);
      assert.equal((await ok('query_start', { query: 'kept(X)', take: 1 })).answers[0].X, '1');
      assert.equal((await ok('workspace', { operation: 'snapshot' })).dump, 'kept(1).\nloop :- loop.');
    });

    test('a tool that fails is a result; a tool that does not exist is an error', async () => {
      const failed = await call(client, 'query_start', { query: 'X is foo + 1', take: 1 });
      assert.equal(failed.isError, true);
      assert.equal(failed.structuredContent.error.kind, 'type_error');
      await assert.rejects(call(client, 'nosuch', {}), /Unknown tool 'nosuch'/);
    });
  });
}
