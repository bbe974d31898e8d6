// `hornbook serve --issuer`: what a request may change is decided by its own token, in whatever session, task or call it
// takes part.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { changingCalls } from '../support/changing-calls.mjs';
import { Issuer } from '../support/issuer.mjs';
import { Serving } from '../support/serve.mjs';
import { answerIn, beginSession } from '../support/session.mjs';
import { directory } from './harness.mjs';

const TOOLS = ['--tools', 'prolog,dml,memory,workflow'];
const WRITES = 'name: t\nnodes: [{name: a, language: prolog, book: true, run: "?- assertz(owned(1)).", goto: __end__}]';
const RUNS = 'name: t\nnodes: [{name: a, language: prolog, run: "?- X = 1.", goto: __end__}]';
const WAITS =
  'name: w\nnodes: [{name: a, language: prolog, book: true, interrupt: before, run: "?- assertz(approved).", goto: __end__}]';
const ASKS = 'agent_main :- input("Name?", N), book:assertz(named(N)), answer(N).';

describe('a token that may only read', () => {
  let folder;
  let server;
  let issuer;
  const tokens = {};
  const as = (who) => ({ headers: { Authorization: `Bearer ${tokens[who]}` }, signal: AbortSignal.timeout(120_000) });
  const call = (who, tool, values, options = {}) =>
    server.send('a', 'tools/call', { name: tool, arguments: values }, { ...as(who), ...options });

  /** Everything that a book holds, its revisions included: where its log ends. */
  async function state() {
    const head = await fetch(`${server.url}/log/a`, { method: 'HEAD', headers: as('admin').headers });
    return head.headers.get('stream-next-offset');
  }

  before(async () => {
    issuer = await Issuer.start();
    tokens.admin = await issuer.token('root', 'admin');
    tokens.writer = await issuer.token('alice', 'write:a');
    tokens.reader = await issuer.token('bob', 'read:a');
    tokens.reduced = await issuer.token('alice', 'read:a');
    tokens.none = await issuer.token('alice', 'read:other');
    folder = directory();
    server = await Serving.start(folder, [...TOOLS, '--dml-book', 'write', ...issuer.arguments]);
    await server.assert('a', 'p(1). p(2).', as('admin'));
    await call('writer', 'clauses', { operation: 'assert', clauses: 'q(1).' });
    await call('writer', 'kn_idea', { action: 'create', title: 'One' });
  });
  after(async () => {
    await server.kill();
    issuer.close();
    rmSync(folder, { recursive: true });
  });

  test('changes nothing, whatever it sends', async () => {
    const run = (await (await call('writer', 'workflow_run', { yaml: WAITS })).json()).result.structuredContent.run;
    const before = await state();
    const { tools } = (await (await server.send('a', 'tools/list', {}, as('reader'))).json()).result;
    assert.ok(tools.some(({ name }) => name === 'workflow_resume'));
    let sent = 0;
    for (const { name, values, least } of changingCalls(tools, { yaml: WRITES, run, of: 'assertz(owned(7))' })) {
      for (const given of least ? [values, least] : [values]) {
        await (await call('reader', name, given)).text();
        sent++;
      }
    }
    for (const yaml of [WRITES, RUNS]) {
      const response = await call('reader', 'workflow_run', { yaml });
      assert.equal(response.status, 403);
      assert.match(response.headers.get('www-authenticate'), /scope="write:a"/);
    }
    assert.equal((await call('reader', 'workflow_resume', { run })).status, 403);
    for (const list of ['resources', 'prompts']) {
      const { result } = await (await server.send('a', `${list}/list`, {}, as('reader'))).json();
      for (const { uri, name, arguments: wanted = [] } of result[list]) {
        const values = Object.fromEntries(wanted.map((one) => [one.name, 'assertz(owned(6))']));
        const params = uri ? { uri } : { name, arguments: values };
        await (await server.send('a', uri ? 'resources/read' : 'prompts/get', params, as('reader'))).text();
        sent++;
      }
    }
    const { headers } = as('reader');
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const path of ['/log/a', '/log/b', '/mcp/a', '/mcp/b', '/metrics']) {
        const body = ['POST', 'PUT', 'PATCH'].includes(method) ? 'x' : undefined;
        await (await fetch(server.url + path, { method, headers, body })).arrayBuffer();
        sent++;
      }
    }
    assert.ok(sent > 50, String(sent));
    assert.equal(await state(), before);
    const looked = await (await call('writer', 'workflow_runs', { run })).json();
    assert.equal(looked.result.structuredContent.status, 'waiting');
  });

  test('compares what goals answer in two revisions', async () => {
    const values = { operation: 'diff', from: 1, to: 2, of: 'p(X)\nq(X)' };
    const { result } = await (await call('reader', 'workspace', values)).json();
    assert.match(
      result.content[0].text,
      /p\(X\)\. {2}% the same: 2 answers\n\?- q\(X\)\.\n.*q\/1.*\n {2}revision 2: 1 answer\n\+ X = 1$/,
    );
  });

  test('does not write in a session that was begun with one that may write, and the reverse', async () => {
    const session = (who) => beginSession(server.url, 'a', as(who));
    const written = await session('writer');
    const before = await state();
    for (const [tool, values] of [
      ['query_start', { query: 'retract(p(1))', take: 1 }],
      ['kn_idea', { action: 'create', title: 'Two' }],
    ]) {
      const { result } = await written.call(tool, values, as('reduced'));
      assert.ok(result.isError, JSON.stringify(result));
      assert.match(JSON.stringify(result.content), /only read/);
    }
    assert.equal(await state(), before);
    const read = await session('reduced');
    const { result } = await read.call('query_start', { query: 'assertz(r(1))', take: 1 }, as('writer'));
    assert.ok(!result.isError, JSON.stringify(result));
    assert.notEqual(await state(), before);
  });

  test('without a scope for the book does nothing with its sessions', async () => {
    const session = await beginSession(server.url, 'a', as('writer'));
    for (const method of ['GET', 'DELETE', 'POST'])
      assert.equal(
        (await session.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { ...as('none'), method })).status,
        403,
      );
    assert.equal((await session.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, as('writer'))).status, 200);
  });

  test('does not answer for a call that may write', async () => {
    const params = { name: 'dml_run', arguments: { code: ASKS } };
    const capabilities = { elicitation: {} };
    const asked = await server.send('a', 'tools/call', params, { ...as('writer'), capabilities });
    const { result } = JSON.parse(answerIn(await asked.text()));
    assert.equal(result.resultType, 'input_required', JSON.stringify(result));
    const [key] = Object.keys(result.inputRequests);
    const [field] = Object.keys(result.inputRequests[key].params.requestedSchema.properties);
    const inputResponses = { [key]: { action: 'accept', content: { [field]: 'Ada' } } };
    const again = { ...params, inputResponses, requestState: result.requestState };
    const before = await state();
    const stolen = await server.send('a', 'tools/call', again, { ...as('reduced'), capabilities });
    assert.equal(stolen.status, 400);
    assert.equal(await state(), before);
    const own = await server.send('a', 'tools/call', again, { ...as('writer'), capabilities });
    assert.match(await own.text(), /Ada/);
  });

  test('does not decide for a task that may write', async () => {
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const yaml = 'name: t\nnodes: [{name: a, language: prolog, run: "?- repeat, fail.", goto: __end__}]';
    const begun = await server.call('a', 'workflow_run', { yaml }, { ...as('writer'), capabilities });
    assert.equal(begun.resultType, 'task', JSON.stringify(begun));
    const cancel = (who) =>
      server.send(
        'a',
        'tasks/cancel',
        { taskId: begun.taskId },
        { ...as(who), capabilities, headers: { ...as(who).headers, 'Mcp-Name': begun.taskId } },
      );
    const refused = await (await cancel('reduced')).json();
    assert.match(refused.error.message, /what this client may not/);
    assert.equal((await (await cancel('writer')).json()).error, undefined);
  });
});
