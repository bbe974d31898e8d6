// `hornbook serve`: a client that may only propose works in a draft of its own.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { changingCalls } from '../support/changing-calls.mjs';
import { Serving } from '../support/serve.mjs';
import { beginSession } from '../support/session.mjs';
import { directory } from './harness.mjs';

const TOKENS = { admin: 'a'.repeat(20), one: 'b'.repeat(20), other: 'c'.repeat(20), reader: 'd'.repeat(20) };
const FILE = `# who may do what\n${TOKENS.admin}\npropose ${TOKENS.one}\npropose ${TOKENS.other}\nread ${TOKENS.reader}\n`;
const WRITES = 'name: t\nnodes: [{name: a, language: prolog, book: true, run: "?- assertz(owned(1)).", goto: __end__}]';

describe('a token that may propose', () => {
  let folder;
  let server;
  const as = (who) => ({ headers: { Authorization: `Bearer ${TOKENS[who]}` }, signal: AbortSignal.timeout(120_000) });
  const call = (who, tool, values) => server.send('a', 'tools/call', { name: tool, arguments: values }, as(who));
  const text = async (who, tool, values) => {
    const { result, error } = await (await call(who, tool, values)).json();
    return result?.content[0].text ?? error.message;
  };
  const ask = (who, query) => text(who, 'query_start', { query, take: 10 });
  const assertz = (who, clauses) => call(who, 'clauses', { operation: 'assert', clauses }).then((sent) => sent.json());

  before(async () => {
    folder = directory();
    const file = join(folder, 'tokens');
    writeFileSync(file, FILE);
    const tools = ['--tools', 'prolog,dml,memory,workflow', '--dml-book', 'write'];
    server = await Serving.start(folder, [...tools, '--token-file', file]);
    await assertz('admin', 'p(1). p(2).');
  });
  after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });

  test('has a draft of its own, which a person accepts', async () => {
    await assertz('one', 'p(3).');
    await assertz('other', 'p(4).');
    assert.match(await ask('one', 'findall(X, p(X), L)'), /L = \[1, ?2, ?3\]/);
    assert.match(await ask('other', 'findall(X, p(X), L)'), /L = \[1, ?2, ?4\]/);
    assert.match(await ask('admin', 'findall(X, p(X), L)'), /L = \[1, ?2\]/);
    assert.match(await ask('reader', 'findall(X, p(X), L)'), /L = \[1, ?2\]/);
    const book = await openBook({ path: `${server.url}/log/a`, token: TOKENS.admin });
    const nameOf = (who) => `token-${createHash('sha256').update(TOKENS[who]).digest('hex').slice(0, 16)}`;
    assert.deepEqual(await book.drafts(), [nameOf('one'), nameOf('other')].sort());
    const draft = await book.draft(nameOf('one'));
    const told = JSON.stringify(await draft.proposal());
    assert.match(told, new RegExp(`${nameOf('one')}, calling itself `), 'the name of the token counts');
    await draft.accept({ by: 'ann', reason: 'fine' });
    await book.close();
    assert.match(await ask('one', 'true'), /ann accepted your change: fine\./);
    assert.match(await ask('other', 'findall(X, p(X), L)'), /L = \[1, ?2, ?3, ?4\]/);
    assert.match(await ask('admin', 'findall(X, p(X), L)'), /L = \[1, ?2, ?3\]/);
  });

  test('changes nothing but its draft, whatever it sends', async () => {
    const state = async () => [
      await text('admin', 'workspace', { operation: 'snapshot' }),
      await text('admin', 'kn_experience', { action: 'search', text: 'owned' }),
      await text('admin', 'kn_graph', { action: 'query' }),
      await text('admin', 'files', { operation: 'list' }),
      await text('admin', 'workflow_runs', {}),
    ];
    const begun = await state();
    const { tools } = (await (await server.send('a', 'tools/list', {}, as('one'))).json()).result;
    let sent = 0;
    for (const { name, values } of changingCalls(tools, { yaml: WRITES })) {
      await (await call('one', name, values)).text();
      sent++;
    }
    assert.ok(sent > 40, `${sent} calls`);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const path of ['/log/a', '/log/a~token-2', '/mcp/a~token-3']) {
        const { headers } = as('one');
        const response = await fetch(server.url + path, {
          method,
          headers,
          body: method === 'DELETE' ? undefined : 'x',
        });
        assert.ok(response.status >= 400, `${method} ${path}: ${response.status}`);
        await response.arrayBuffer();
      }
    }
    assert.deepEqual(await state(), begun);
  });

  test('neither uses the session of another right, nor is its own used', async () => {
    const admin = await beginSession(server.url, 'a', as('admin'));
    const proposer = await beginSession(server.url, 'a', as('one'));
    const list = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
    const send = async (session, who) => {
      const response = await session.send(list, as(who));
      await response.text();
      return response.status;
    };
    assert.equal(await send(admin, 'one'), 404);
    assert.equal(await send(proposer, 'other'), 404);
    assert.equal(await send(proposer, 'one'), 200);
  });
});
