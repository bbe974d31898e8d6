// The projects of examples/, as somebody would use them who copies one. Next.js needs a registry: online/checks.test.mjs.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { launch, serve } from '../browser/harness.mjs';
import { Postgres, POSTGRES } from '../support/postgres.mjs';
import { Serving } from '../support/serve.mjs';
import { ROOT, project, run } from './harness.mjs';

const EXAMPLES = join(ROOT, 'examples');

/** A copy of an example with the package installed and, from this repository, `packages`. */
async function copy(name, ...packages) {
  const path = await project(`example-${name}`, {});
  cpSync(join(EXAMPLES, name), path, { recursive: true });
  for (const needed of packages) symlinkSync(join(ROOT, 'node_modules', needed), join(path, 'node_modules', needed));
  return path;
}

const BIN = join('node_modules', 'hornbook', 'bin.js');

/** What `npx hornbook` writes in the folder. */
const hornbook = (path, ...args) => run(process.execPath, [BIN, ...args], path);

test('each example says what it needs and how to run it', () => {
  const names = readdirSync(EXAMPLES, { withFileTypes: true }).filter((found) => found.isDirectory());
  const list = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
  for (const { name } of names) {
    assert.match(list, new RegExp(`\\[${name}\\]\\(${name}/\\)`));
    assert.match(readFileSync(join(EXAMPLES, name, 'README.md'), 'utf8'), /```sh\n/);
  }
});

test('agent: what the model writes is in its book, also in the next run', async () => {
  const path = await copy('agent', 'ai', '@ai-sdk');
  const asked = [];
  const call = (name, args) => ({
    tool_calls: [{ id: `call-${asked.length}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  });
  /** The text of the last result of a tool. */
  const heard = () => asked.at(-1).messages.findLast(({ role }) => role === 'tool')?.content ?? '';
  const turns = [
    () => call('clauses', { operation: 'assert', clauses: ['father(tom, bob).', 'father(bob, ann).'] }),
    () => call('query_start', { query: 'father(X, Y), father(Y, ann)', take: 1 }),
    () => ({ content: `The grandfather: ${/X = (\w+)/.exec(heard())?.[1]}` }),
    () => call('query_start', { query: 'father(tom, Child)', take: 1 }),
    () => ({ content: `The child: ${/Child = (\w+)/.exec(heard())?.[1]}` }),
  ];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(JSON.parse(body));
    const message = { role: 'assistant', content: null, ...turns[asked.length - 1]() };
    const choices = [{ index: 0, message, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id: 'x', created: 1, model: 'm', object: 'chat.completion', choices, usage }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { MODEL_URL: `http://127.0.0.1:${server.address().port}/v1`, MODEL: 'm' };
  try {
    const first = await run(process.execPath, ['agent.mjs', 'Who is the grandfather of Ann?'], path, env);
    assert.equal(first, 'The grandfather: tom\n');
    assert.equal(await run(process.execPath, ['agent.mjs', 'Who is the child of Tom?'], path, env), 'The child: bob\n');
  } finally {
    server.close();
  }
  assert.equal(await hornbook(path, 'ask', '--book', 'agent.book', 'father(tom, X)'), 'X = bob.\n');
});

test('page: clauses are added, asked, and kept by the browser', async () => {
  const path = await copy('page');
  const csp = "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
  const site = await serve({ directories: { '/': path }, csp });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(site.origin);
    const says = (text) => page.getByRole('status').filter({ hasText: text }).waitFor();
    await says('Ready.');
    await page.getByRole('button', { name: 'Add' }).click();
    await says('Added: role(ada, editor).');
    await page.getByLabel('A fact or a rule').fill('role(bob');
    await page.getByRole('button', { name: 'Add' }).click();
    await says('could not be added');
    await page.reload();
    await says('Ready.');
    await page.getByRole('button', { name: 'Ask' }).click();
    await says('All answers.');
    assert.deepEqual(await page.getByRole('listitem').allTextContents(), ['{"Who":"ada","What":"editor"}']);
  } finally {
    await browser.close();
    await site.close();
  }
});

test('dml: the program has no mistakes, and its cases pass', async () => {
  const path = await copy('dml');
  assert.equal(await hornbook(path, 'check', 'triage.dml'), '');
  assert.match(await hornbook(path, 'eval', 'triage.dml', 'cases.jsonl'), /5 of 5/);
});

test('workflow: a person is asked, and the run goes on in another process', async () => {
  const path = await copy('workflow');
  const flow = (...args) => hornbook(path, 'flow', '--book', 'refunds.book', ...args);
  assert.match(await flow('refund.yaml', '--state', 'amount=20'), /"outcome":"paid"/);
  // A run that waits ends the command with code 1.
  const waits = () => flow('refund.yaml', '--state', 'amount=900').then(assert.fail, ({ message }) => message);
  for (const [approved, outcome] of [
    ['true', 'paid'],
    ['false', 'refused'],
  ]) {
    const [, id] = /Refund 900\.00\?.*--resume (\w+)/s.exec(await waits());
    assert.match(await flow('--runs'), new RegExp(id));
    assert.match(await flow('--resume', id, '--state', `approved=${approved}`), new RegExp(`"outcome":"${outcome}"`));
  }
});

test('team: the command of the containers serves books in Postgres to those who have a token', async (t) => {
  const path = await copy('team', 'pg');
  const { services } = parse(readFileSync(join(path, 'compose.yaml'), 'utf8'));
  const { build, command, ports, secrets } = services.hornbook;
  assert.deepEqual([build, ports, secrets], ['.', ['127.0.0.1:8127:8127'], ['tokens']]);
  const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(readFileSync(join(path, 'Dockerfile'), 'utf8'))[1]);
  assert.deepEqual(entry, ['node', '/opt/node_modules/hornbook/bin.js', 'serve']);

  const token = randomBytes(24).toString('hex');
  writeFileSync(join(path, 'tokens'), `${token}\n`);
  const postgres = POSTGRES && (await Postgres.start());
  t.after(() => postgres?.stop());
  // The names of the containers, as they are here; without Postgres the books are in a folder.
  const here = {
    '/run/secrets/tokens': join(path, 'tokens'),
    'postgres://hornbook@db/hornbook': postgres?.url ?? path,
    '--log': postgres ? '--log' : '--books',
    '0.0.0.0': '127.0.0.1',
  };
  const args = command.map((argument) => here[argument] ?? argument);
  const server = await Serving.startOn(args, { command: [process.execPath, join(path, BIN)] });
  t.after(() => server.kill());
  assert.equal((await server.send('plans', 'tools/list')).status, 401);
  const headers = { Authorization: `Bearer ${token}` };
  await server.assert('plans', 'due(report, friday).', { headers });
  assert.deepEqual(await server.answers('plans', 'due(report, Day)', 'Day', { headers }), ['friday']);
});
