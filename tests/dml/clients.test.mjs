// The toolset `dml` as used by the official MCP clients, in both eras: the client provides the model and the user.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { BIN, Server, directory } from '../node/harness.mjs';

const ME = { name: 'test', version: '1' };
const server = (root) => ({ command: process.execPath, args: [BIN, '--tools', 'dml'], env: {}, cwd: root });

/** Connects a client; from then on `wire` gets every message for it, in order. */
async function tapped(client, transport, wire) {
  await client.connect(transport);
  const take = transport.onmessage;
  transport.onmessage = (message, extra) => {
    wire.push(message);
    take(message, extra);
  };
  return client;
}

/** What differs between the clients. */
const CLIENTS = [
  {
    era: 'client 2.4.0, revision 2026-07-28',
    async connect(root, capabilities, { sample, elicit }, wire) {
      const client = new Client(ME, { versionNegotiation: { mode: 'auto' }, capabilities });
      if (capabilities.sampling) client.setRequestHandler('sampling/createMessage', ({ params }) => sample(params));
      if (capabilities.elicitation) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
      return tapped(client, new StdioClientTransport(server(root)), wire);
    },
    call: (client, values, options) => client.callTool({ name: 'dml_run', arguments: values }, options),
  },
  {
    era: 'sdk 1.32.2, revision 2025-11-25',
    async connect(root, capabilities, { sample, elicit }, wire) {
      const client = new LegacyClient(ME, { capabilities });
      if (capabilities.sampling) client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sample(params));
      if (capabilities.elicitation) client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params));
      return tapped(client, new LegacyTransport(server(root)), wire);
    },
    call: (client, values, options) => client.callTool({ name: 'dml_run', arguments: values }, undefined, options),
  },
];

const PROGRAM = `
  tool(double(X, Y), "Doubles a number") :- number_string(N, X), Y is 2*N.
  agent_main(Start) :-
    yield(begun), task("Double {Start}", integer(N)), input("Is {N} right?", A), log("the user says {A}"), answer("{N}").`;

const uses = (...calls) => calls.map(([name, input], index) => ({ type: 'tool_use', id: `u${index}`, name, input }));
const NATIVE = [
  uses(['double', { arg1: '21' }]),
  [
    { type: 'text', text: 'It is 42.' },
    ...uses(['set_result', { variable: 'N', value: 42 }], ['finish', { success: true }]),
  ],
];
const PLAIN = [
  { type: 'text', text: '{"text": "", "calls": [{"tool": "double", "args": {"arg1": "21"}}]}' },
  {
    type: 'text',
    text: '{"text": "It is 42.", "calls": [{"tool": "set_result", "args": {"variable": "N", "value": 42}}, {"tool": "finish", "args": {"success": true}}]}',
  },
];

for (const { era, connect, call } of CLIENTS) {
  describe(era, () => {
    const root = directory();
    const open = [];
    after(async () => {
      for (const client of open) await client.close();
      rmSync(root, { recursive: true });
    });

    /** A client with a model that says `replies`, and a user who answers `answers`, or with `writing`. */
    async function client(capabilities, replies = [], answers = [], writing = () => answers.shift()) {
      const [asked, wire] = [{ model: [], user: [] }, []];
      const says = [...replies];
      const connected = await connect(
        root,
        capabilities,
        {
          sample(params) {
            asked.model.push(params);
            return { role: 'assistant', model: 'test', content: says.shift() };
          },
          elicit(params) {
            asked.user.push(params);
            return writing(params);
          },
        },
        wire,
      );
      open.push(connected);
      return {
        asked,
        wire,
        run: (values, options) => call(connected, values, options),
        tools: () => connected.listTools(),
      };
    }
    const yes = { action: 'accept', content: { answer: 'yes' } };

    test('only the tool of the toolset is listed', async () => {
      const { tools } = await (await client({})).tools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['dml_run'],
      );
    });

    test('a program uses the model, its tools, and the user', async () => {
      const { asked, wire, run } = await client({ sampling: { tools: {} }, elicitation: {} }, NATIVE, [yes]);
      const result = await run({ code: PROGRAM, params: { Start: 21 } }, { onprogress() {} });
      assert.ok(!result.isError, result.content[0].text);
      const { status, answer, log, output } = result.structuredContent;
      assert.deepEqual(
        { status, answer, log, output },
        { status: 'answered', answer: '42', log: ['the user says yes'], output: ['begun', 'It is 42.'] },
      );
      assert.equal(asked.user[0].message, 'Is 42 right?');
      assert.deepEqual(
        asked.model[0].tools.map(({ name }) => name),
        ['finish', 'set_result', 'ask_user', 'double'],
      );
      const [use, results] = asked.model[1].messages.slice(-2);
      assert.equal(use.content[0].type, 'tool_use');
      assert.equal(results.content[0].content[0].text, '{"result":42}');
      // On the wire, before the result of its request. Whether `onprogress` is called depends on the client: both
      // clients handle a notification one microtask after it came, but forget the handler as soon as the result is
      // there, so that progress arriving in one chunk with the result, as happens on a busy machine, has "an unknown
      // token".
      const told = wire.findIndex(
        ({ method, params }) => method === 'notifications/progress' && params.message === 'begun',
      );
      assert.ok(told >= 0, JSON.stringify(wire));
      assert.ok(told < wire.findIndex(({ id, result }) => result && id === wire[told].params.progressToken));
    });

    test('a model without tools gets them as text', async () => {
      const { asked, run } = await client({ sampling: {}, elicitation: {} }, PLAIN, [yes]);
      const result = await run({ code: PROGRAM, params: { Start: 21 } });
      assert.equal(result.structuredContent.answer, '42', result.content[0].text);
      assert.equal(asked.model[0].tools, undefined);
      assert.match(asked.model[0].systemPrompt, /- double: Doubles a number/);
    });

    test('programs that run at the same time each get the answer to their own question', async () => {
      // The first is answered after the second was asked, and last.
      const waiting = [];
      const writing = ({ message }) => new Promise((answer) => waiting.push({ message, answer }));
      const { run } = await client({ elicitation: {} }, [], [], writing);
      const code = 'agent_main(Who) :- input("How old is {Who}?", Age), answer("{Who} is {Age}").';
      const runs = ['Ann', 'Bob'].map((Who) => run({ code, params: { Who } }));
      while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
      const ages = { 'How old is Ann?': '41', 'How old is Bob?': '7' };
      for (const { message, answer } of waiting.reverse())
        answer({ action: 'accept', content: { answer: ages[message] } });
      assert.deepEqual(
        (await Promise.all(runs)).map(({ structuredContent }) => structuredContent.answer),
        ['Ann is 41', 'Bob is 7'],
      );
    });

    test('if the user declines, the goal fails', async () => {
      const { run } = await client({ elicitation: {} }, [], [{ action: 'decline' }]);
      const { structuredContent } = await run({
        code: 'agent_main :- input("who?", A), answer(A).\nagent_main :- answer(nobody).',
      });
      assert.equal(structuredContent.answer, 'nobody');
      assert.match(structuredContent.log[0], /Nobody answered the question “who\?”/);
    });

    test('a client that can do neither is told what is missing', async () => {
      const { run } = await client({});
      const { structuredContent, content } = await run({
        code: 'agent_main :- input("who?", A), answer(A).\nagent_main :- task("t").',
      });
      assert.equal(structuredContent.status, 'error');
      assert.match(structuredContent.log[0], /does not ask its user: it has not declared the capability `elicitation`/);
      const missing = /cannot be reached: this MCP client offers none: it has not declared the capability `sampling`/;
      assert.match(structuredContent.error.message, missing);
      assert.match(content[0].text, missing);
    });

    test('an error in a program is reported with its place', async () => {
      const { run } = await client({});
      const result = await run({ code: 'agent_main :-\n  answer(a' });
      assert.equal(result.isError, true);
      const { line, column } = result.structuredContent.error;
      assert.equal(line, 2);
      assert.ok(
        result.content[0].text.startsWith(`Error: line 2, column ${column}: Syntax error`),
        result.content[0].text,
      );
      const unknown = await run({ code: 'agent_main.', parms: {} });
      assert.match(unknown.content[0].text, /Unknown argument 'parms'\. The arguments are: code, params, timeout_ms/);
    });

    test('a program that does not end is stopped', async () => {
      const { run } = await client({});
      const result = await run({ code: 'agent_main :- repeat, fail.', timeout_ms: 300 });
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /took longer than its 1 seconds/);
    });
  });
}

test('both toolsets can be served together, and an unknown one is refused', async () => {
  const both = await Server.start({ args: ['--tools', 'prolog,dml'] });
  const { tools } = await both.request('tools/list');
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['clauses', 'files', 'workspace', 'query_start', 'query_next', 'query_close', 'dml_run', 'help'],
  );
  assert.deepEqual(await both.solve('X = 1'), ['X = 1']);
  assert.equal((await both.ok('dml_run', { code: 'agent_main :- answer(1).' })).data.answer, '1');
  await both.close();
  const none = new Server(['--tools', 'prolog,dlm'], {}, directory());
  assert.equal(await none.exit, 2);
  assert.match(none.stderr, /there is no set of tools 'dlm'; the sets are: prolog, dml/);
});

test('programs have the files of --workspace, and of no root', async () => {
  const root = directory({ 'in.txt': 'root', 'space/in.txt': 'hello' });
  const code =
    'agent_main :- open("in.txt", read, S), read_string(S, _, T), close(S), exec(write_file("out.txt", T), _), answer(T).';
  const with_ = await Server.start({ args: ['--tools', 'dml', '--root', root, '--workspace', join(root, 'space')] });
  const { tools } = await with_.request('tools/list');
  assert.deepEqual(
    [tools[0].annotations.destructiveHint, /Files of the workspace/.test(tools[0].description)],
    [true, true],
  );
  assert.equal((await with_.ok('dml_run', { code })).data.answer, 'hello');
  assert.equal(readFileSync(join(root, 'space', 'out.txt'), 'utf8'), 'hello');
  await with_.close();
  const without = await Server.start({ args: ['--tools', 'dml', '--root', root] });
  const { tools: plain } = await without.request('tools/list');
  assert.deepEqual(
    [plain[0].annotations.destructiveHint, /Files of the workspace/.test(plain[0].description)],
    [false, false],
  );
  const refused = await without.request('tools/call', { name: 'dml_run', arguments: { code } });
  assert.match(refused.content[0].text, /needs a workspace/);
  await without.close();
  rmSync(root, { recursive: true });
});

test('a run whose request is cancelled ends', async () => {
  const server = await Server.start({ args: ['--tools', 'prolog,dml'] });
  const { id } = server.begin('tools/call', {
    name: 'dml_run',
    arguments: { code: 'agent_main :- yield(a), repeat, fail.' },
    _meta: { progressToken: 1 },
  });
  await server.heard(({ method }) => method === 'notifications/progress');
  server.cancel(id);
  assert.equal((await server.ok('dml_run', { code: 'agent_main :- answer(next).' })).data.answer, 'next');
  await server.close();
});

test('limits apply to programs of dml_run, and a reply says what it left out', async () => {
  const args = ['--tools', 'dml', '--limit', 'run_output_chars=10', '--limit', 'run_step_ms=1000'];
  const server = await Server.start({ args });
  const long = await server.ok('dml_run', { code: 'agent_main :- yield("12345678"), yield("abcdef"), answer("all").' });
  assert.deepEqual(long.data.output, ['12345678', 'ab']);
  const left = '4 more characters of output were left out (limit: run_output_chars = 10)';
  assert.equal(long.data.left_out[0].startsWith(left), true, long.data.left_out[0]);
  assert.ok(long.text.includes(left), long.text);
  assert.equal(long.data.answer, 'all');
  const late = await server.request('tools/call', {
    name: 'dml_run',
    arguments: { code: 'agent_main :- repeat, fail.' },
  });
  assert.match(late.content[0].text, /computed longer than 1 seconds/);
  await server.close();
});
