// Agents and models beside the playground: the lines that give Hornbook to an agent, what an agent does in the book and
// how to undo it, and a model at an address that the user types.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Visitors, ask, leave, looks, offline, panel, rows, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

test('the lines for each host can be copied, and its book watched', async () => {
  const page = await visitors.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await panel(page, 'Agent');
  await page.getByText('Bring your agent').click();
  const host = page.getByRole('combobox', { name: 'Host' });
  for (const [name, wanted] of [
    ['All agents on this machine', /^npx hornbook init$/],
    ['Claude Code', /^claude mcp add hornbook -- npx -y hornbook --root \. --book agent\.book$/],
  ]) {
    await host.selectOption(name);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied.').first().waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), wanted);
  }
  for (const [name, key] of [
    ['VS Code', 'servers'],
    ['Any other', 'mcpServers'],
  ]) {
    await host.selectOption(name);
    const lines = JSON.parse(await page.getByLabel('Configuration to copy').innerText());
    assert.deepEqual(lines[key].hornbook.args.slice(0, 2), ['-y', 'hornbook']);
  }
  await page.getByRole('button', { name: 'Watch my agent…' }).click();
  await page.getByRole('dialog', { name: 'Watch my agent' }).waitFor();
  await leave(page);
});

/** Calls a tool as the page's agent. */
async function call(page, tool, values) {
  await page.getByLabel('Tool').selectOption(tool);
  await page.getByLabel('Arguments, as JSON').fill(JSON.stringify(values));
  await page.getByRole('button', { name: 'Send' }).click();
}

test('what an agent does is shown under its name everywhere, and undone by one click', async () => {
  const page = await visitors.open();
  await panel(page, 'Agent');
  await page.getByText('Call a tool yourself').click();
  await call(page, 'clauses', { operation: 'assert', clauses: ['seen(1).', 'seen(2).'] });
  const told = page.locator('.toast', { hasText: 'agent added 2 clauses.' });
  await told.waitFor();
  await page.getByRole('tab', { name: 'asserted clauses' }).waitFor();
  await told.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('tab', { name: 'asserted clauses' }).waitFor({ state: 'detached' });
  // It is not offered any more after a later change, which it would undo instead.
  await call(page, 'query_start', { query: 'assertz(seen(3))', take: 1 });
  const query = page.locator('.toast', { hasText: 'agent added 1 clause.' });
  await query.waitFor();
  await panel(page, 'Queries');
  await ask(page, 'assertz(mine(1))');
  await query.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  assert.deepEqual(await rows(await ask(page, 'seen(X), mine(Y)')), [['3', '1']]);
  // A file that an agent imports is a change too.
  await panel(page, 'Agent');
  await call(page, 'files', { operation: 'import', filename: 'seen.pl', text: 'seen(4).' });
  await page.locator('.toast', { hasText: 'agent added 1 clause.' }).waitFor();
  // Reading is not a change.
  await panel(page, 'Agent');
  const before = await page.locator('.toast').count();
  await call(page, 'query_start', { query: 'seen(X)', take: 1 });
  await page.locator('.exchange[data-client=agent]', { hasText: 'seen(X)' }).first().waitFor();
  await call(page, 'workspace', { operation: 'snapshot' });
  await page.locator('.exchange[data-client=agent]', { hasText: 'snapshot' }).first().waitFor();
  assert.ok((await page.locator('.toast').count()) <= before);
  await leave(page);
});

test('what an agent added is made a file, corrected by hand, and both undone', async () => {
  const page = await visitors.open();
  await panel(page, 'Agent');
  await page.getByText('Call a tool yourself').click();
  await call(page, 'clauses', { operation: 'assert', clauses: ['age(ann, 14).', 'age(bob, 17).'] });
  await call(page, 'clauses', { operation: 'assert', clauses: ['age(ann, 14).'] });
  await page.getByRole('tab', { name: 'asserted clauses' }).click();
  await page.getByRole('button', { name: 'Edit as a file' }).click();
  await page.getByRole('tab', { name: 'asserted.pl', selected: true }).waitFor();
  assert.equal(await page.getByRole('tab', { name: 'asserted clauses' }).count(), 0);
  await panel(page, 'Queries');
  assert.deepEqual(await rows(await ask(page, 'age(P, A)', 'Ask for all')), [
    ['ann', '14'],
    ['bob', '17'],
    ['ann', '14'],
  ]);
  await write(page, 'age(ann, 15).\nage(bob, 17).\n');
  await save(page);
  assert.deepEqual(await rows(await ask(page, 'age(ann, A)', 'Ask for all')), [['15']]);
  await page.keyboard.press('Alt+z');
  await page.locator('.editor .cm-line', { hasText: 'age(ann, 14).' }).first().waitFor();
  await page.keyboard.press('Alt+z');
  await page.getByRole('tab', { name: 'asserted clauses' }).waitFor();
  assert.deepEqual(await rows(await ask(page, 'age(ann, A)', 'Ask for all')), [['14'], ['14']]);
  await leave(page);
});

/** A server for OpenAI's chat completions; `requests` are those it received. */
async function endpoint() {
  const requests = [];
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader('access-control-allow-headers', 'content-type, authorization');
    if (request.method === 'OPTIONS') return response.end();
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      requests.push({ url: request.url, authorization: request.headers.authorization, ...JSON.parse(body) });
      const calls = [
        ['set_result', { variable: 'Word', value: 'Salve' }],
        ['finish', { success: true }],
      ].map(([name, values], index) => ({
        id: `call-${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(values) },
      }));
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          choices: [{ message: { role: 'assistant', content: null, tool_calls: calls } }],
          usage: { prompt_tokens: 7, completion_tokens: 3 },
        }),
      );
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => server.close(resolve) && server.closeAllConnections());
  return { requests, close, origin: `http://127.0.0.1:${server.address().port}` };
}

/** Runs a program that asks the endpoint once; returns how it ended. */
async function greeted(page, origin) {
  await panel(page, 'DML');
  const editor = page.getByRole('textbox', { name: 'Program' });
  await write(page, 'agent_main :- task("Greet.", string(Word)), answer("{Word}!").\n', editor);
  await page.getByLabel('Model', { exact: true }).selectOption('endpoint');
  await page.getByLabel('Address').fill(`${origin}/v1/`);
  await page.getByLabel('Model name').fill('tiny');
  await page.getByRole('textbox', { name: 'Key' }).fill('secret');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.run:not([data-phase=running])').waitFor();
  return page.locator('.run').innerText();
}

test('a model at a typed address is asked, and nothing else can be reached', async () => {
  const model = await endpoint();
  const other = await endpoint();
  for (const visit of [() => visitors.open(), () => offline(visitors)]) {
    const page = await visit();
    await page.context().setOffline(false);
    model.requests.length = 0;
    assert.match(await greeted(page, model.origin), /Salve!/);
    const [request] = model.requests;
    assert.equal(request.url, '/v1/chat/completions');
    assert.equal(request.authorization, 'Bearer secret');
    assert.equal(request.model, 'tiny');
    assert.ok(request.messages.some(({ role, content }) => role === 'user' && content.includes('Greet.')));
    assert.ok(request.tools.some((tool) => tool.function.name === 'set_result'));
    // Neither the page nor the worker for one origin reaches another.
    const reached = await page.evaluate(
      async ([one, two]) => {
        const script = performance
          .getEntriesByType('resource')
          .find(({ name }) => name.includes('endpoint-worker')).name;
        const policy = (await fetch(script)).headers.get('content-security-policy');
        const foreign = await (await fetch(script.replace(/\?.*/, '?origin=*'))).headers.get('content-security-policy');
        const direct = await fetch(one).then(
          () => 'reached',
          () => 'refused',
        );
        const worker = new Worker(script, { type: 'module' });
        const told = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data.error ?? data.status)));
        worker.postMessage({ id: 1, url: `${two}/v1/chat/completions`, headers: {}, body: '{}' });
        return { policy, foreign, direct, told: await told };
      },
      [model.origin, other.origin],
    );
    assert.equal(reached.policy, `default-src 'none'; connect-src ${model.origin}`);
    assert.equal(reached.foreign, "default-src 'none'; connect-src 'none'");
    assert.equal(reached.direct, 'refused');
    assert.match(reached.told, /is not of/);
    assert.equal(other.requests.length, 0);
    // The key is not stored anywhere.
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), /secret/);
    await page.context().close();
  }
  await model.close();
  const page = await visitors.open();
  assert.match(await greeted(page, model.origin), /cannot be reached from this page/);
  await page.context().close();
  await other.close();
});

for (const { name, options, look } of looks) {
  test(`axe-core finds nothing beside agents and models, ${name}`, async () => {
    const page = await visitors.open(options);
    await panel(page, 'Agent');
    await page.getByText('Bring your agent').click();
    await page.getByText('Call a tool yourself').click();
    await call(page, 'clauses', { operation: 'assert', clauses: ['seen(1).'] });
    await page.locator('.toast button').waitFor();
    await look(page, 'bring-your-agent');
    await panel(page, 'DML');
    await page.getByLabel('Model', { exact: true }).selectOption('endpoint');
    await look(page, 'endpoint');
    await leave(page);
  });
}
