// What queries read from user input: the official clients ask their user, in both eras; if nobody can be asked, the
// input is at its end.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { BIN, Server, directory } from './harness.mjs';

const ME = { name: 'test', version: '1' };
const command = { command: process.execPath, args: [BIN], env: {} };

const CLIENTS = [
  {
    era: 'client 2.4.0, revision 2026-07-28',
    async connect(elicit) {
      const client = new Client(ME, { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: {} } });
      client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
      await client.connect(new StdioClientTransport(command));
      return client;
    },
  },
  {
    era: 'sdk 1.32.2, revision 2025-11-25',
    async connect(elicit) {
      const client = new LegacyClient(ME, { capabilities: { elicitation: {} } });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params));
      await client.connect(new LegacyTransport(command));
      return client;
    },
  },
];

for (const { era, connect } of CLIENTS) {
  describe(era, () => {
    const prompts = [];
    let says = [];
    let client;
    after(() => client.close());

    /** The answers of a query whose user says `lines`; the questions are in `prompts`. */
    async function asked(query, lines, values = {}) {
      prompts.length = 0;
      says = [...lines];
      client ??= await connect(async ({ message }) => {
        prompts.push(message);
        const line = await says.shift();
        return line === undefined ? { action: 'decline' } : { action: 'accept', content: { answer: line } };
      });
      const result = await client.callTool({ name: 'query_start', arguments: { query, take: 9, ...values } });
      assert.ok(!result.isError, result.content[0].text);
      return result.structuredContent.answers;
    }

    test('a term: the prompt is what was written before it; the output still belongs to the answer', async () => {
      const answers = await asked('write("Your name? "), read(N), format("Hello ~w. Age? ", [N]), read(A)', [
        'ada',
        '36 .',
      ]);
      assert.deepEqual(answers, [{ N: 'ada', A: '36', output: 'Your name? Hello ada. Age? ' }]);
      assert.deepEqual(prompts, ['Your name?', 'Hello ada. Age?']);
    });

    test('lines and characters: the rest of a line is read next', async () => {
      assert.deepEqual(
        await asked(
          'get_char(A), peek_char(B), read_line_to_string(user_input, C), read_term(user_input, D, [variable_names(E)]), read_string(user_input, "\\n", " ", _, F), get_single_char(G)',
          ['hello there', 'p(X, Y). rest of it', 'y'],
        ),
        [{ A: 'h', B: 'e', C: '"ello there"', D: 'p(X,Y)', E: "['X'=X,'Y'=Y]", F: '"rest of it"', G: '121' }].map(
          (answer) => ({ ...answer, D: 'p(_A,_B)', E: "['X'=_A,'Y'=_B]" }),
        ),
      );
      assert.equal(prompts.length, 3);
      assert.equal(prompts[0], 'The query reads from user input.');
    });

    test('a user who says nothing is at the end of the input from then on', async () => {
      assert.deepEqual(await asked('read(A), read(B), get_char(C), read_line_to_string(user_input, D)', ['a']), [
        { A: 'a', B: 'end_of_file', C: 'end_of_file', D: 'end_of_file' },
      ]);
      assert.equal(prompts.length, 2);
    });

    test('the time limit of the query does not include the user’s time', async () => {
      const slowly = new Promise((resolve) => setTimeout(resolve, 2_500, 'late'));
      assert.deepEqual(await asked('read(X)', [slowly], { timeout_ms: 1_000 }), [{ X: 'late' }]);
    });

    test('each answer of a query may read, and what it asserts is one revision', async () => {
      assert.deepEqual(await asked('member(X, [1, 2]), read(Y), assertz(said(X, Y))', ['one', 'two']), [
        { X: '1', Y: 'one' },
        { X: '2', Y: 'two' },
      ]);
      const { structuredContent } = await client.callTool({ name: 'workspace', arguments: { operation: 'snapshot' } });
      assert.equal(structuredContent.dump, 'said(1, one).\nsaid(2, two).');
      const text = await client.callTool({
        name: 'query_start',
        arguments: { query: 'read(X), X = a, fail ; read(X)', query_id: 'q' },
      });
      assert.ok(!text.isError);
      says = ['a', 'b'];
      const next = await client.callTool({ name: 'query_next', arguments: { query_id: 'q' } });
      assert.deepEqual(next.structuredContent.answers, [{ X: 'b' }]);
    });

    test('a syntax error of the user is an error in the query, which goes on after it', async () => {
      const answers = await asked('catch(read(X), error(syntax_error(_), _), X = bad), read(Y)', ['a b', 'c']);
      assert.deepEqual(answers, [{ X: 'bad', Y: 'c' }]);
    });
  });
}

test('a client that cannot ask: the input is at its end at once', async () => {
  const server = await Server.start();
  assert.deepEqual(await server.solve('read(X), get_char(C), read_line_to_string(user_input, L)'), [
    'X = end_of_file, C = end_of_file, L = end_of_file',
  ]);
  await server.import('main.pl', ':- initialization(main).\nmain :- read(X), assertz(got(X)).\n');
  assert.deepEqual(await server.solve('got(X)'), ['X = end_of_file']);
  await server.close();
});

test('while others wait for the book, the user has less time', async () => {
  const args = [BIN, '--limit', 'awaited_user_ms=300', '--engines', '1'];
  const client = new LegacyClient(ME, { capabilities: { elicitation: {} } });
  const asked = new Promise((resolve) => {
    client.setRequestHandler(ElicitRequestSchema, () => {
      resolve();
      return new Promise(() => {});
    });
  });
  await client.connect(new LegacyTransport({ ...command, args }));
  const query = client.callTool({ name: 'query_start', arguments: { query: 'read(X), assertz(said(X))', take: 1 } });
  await asked;
  const other = await client.callTool({ name: 'clauses', arguments: { operation: 'assert', clauses: ['p(1).'] } });
  assert.ok(!other.isError, other.content[0].text);
  const { content, structuredContent } = await query;
  assert.deepEqual(structuredContent.answers, [{ X: 'end_of_file' }]);
  assert.match(content[0].text, /Others were waiting for the book .*awaited_user_ms/);
  const { structuredContent: book } = await client.callTool({
    name: 'workspace',
    arguments: { operation: 'snapshot' },
  });
  assert.equal(book.dump, 'said(end_of_file).\np(1).');
  await client.close();
});

test('hornbook ask reads lines from standard input', async () => {
  const root = directory({
    'hello.pl': 'hello :- write("Name? "), read_line_to_string(user_input, N), format("Hello ~s", [N]).\n',
  });
  const { stdout, stderr } = await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [BIN, 'ask', 'hello.pl', 'hello, read(X)'],
      { cwd: root },
      (_, stdout, stderr) => resolve({ stdout, stderr }),
    );
    child.stdin.end('Ada\nfoo(1)\n');
  });
  assert.match(stdout, /Name\? Hello Ada\nX = foo\(1\)\.\n/, stderr);
  rmSync(root, { recursive: true });
});

const SCRIPT = '/usr/bin/script';
test('hornbook ask on a terminal shows a prompt once', { skip: !existsSync(SCRIPT) }, async () => {
  const root = directory({
    'hello.pl':
      'hello :- line("Name? ", N), line("Age? ", A), format("Hello ~s, ~s", [N, A]).\n' +
      'line(P, L) :- write(P), read_line_to_string(user_input, L).\n',
  });
  const command = [process.execPath, BIN, 'ask', 'hello.pl', 'hello'].map((word) => `'${word}'`).join(' ');
  const shown = await new Promise((resolve) => {
    let text = '';
    const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], { cwd: root });
    const lines = [
      [/Name\?/, 'Ada\n'],
      [/Age\?/, '36\n'],
    ];
    child.stdout.on('data', (data) => {
      text += data;
      if (lines[0]?.[0].test(text)) child.stdin.write(lines.shift()[1]);
    });
    child.on('close', () => resolve(text.replaceAll('\r', '')));
  });
  assert.equal(shown, 'Name? Ada\nAge? 36\nHello Ada, 36\ntrue.\n');
  rmSync(root, { recursive: true });
});
