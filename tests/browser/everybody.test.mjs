// From a proposal to its acceptance with everybody in it: an agent under review and a client that goes on writing, both the
// official client over HTTP, on one book of `hornbook serve`, and a person in Chromium who decides.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { directory } from '../node/harness.mjs';
import { Serving } from '../support/serve.mjs';
import { CSP, assertSound, bundled, launch, servePackage, visit } from './harness.mjs';

const TOKENS = { person: 'a'.repeat(20), agent: 'b'.repeat(20), writer: 'c'.repeat(20) };
const FILE = `${TOKENS.person}\npropose ${TOKENS.agent} agent\nwrite ${TOKENS.writer} writer\n`;

/** How long the client that goes on writing waits between two writes, in milliseconds. */
const PAUSE_MS = 500;

async function connected(server, who) {
  const client = new Client({ name: who, version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${TOKENS[who]}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/shop`), { requestInit }));
  const call = async (name, values) => (await client.callTool({ name, arguments: values })).content[0].text;
  return {
    call,
    assertz: (...clauses) => call('clauses', { operation: 'assert', clauses }),
    close: () => client.close(),
  };
}

test('an agent proposes, another client goes on writing, and a person in a page accepts', async (t) => {
  const folder = directory();
  const tokens = join(folder, 'tokens');
  writeFileSync(tokens, FILE);
  const csp = CSP.replace("connect-src 'self'", "connect-src 'self' http://127.0.0.1:*");
  const site = await servePackage({ csp, files: { '/reviewer.js': await bundled('reviewer.mjs') } });
  const [browser, server] = await Promise.all([
    launch(),
    Serving.start(folder, ['--token-file', tokens, '--origin', site.origin]),
  ]);
  t.after(async () => {
    await Promise.all([browser.close(), site.close(), server.kill()]);
    rmSync(folder, { recursive: true });
  });
  await server.assert('shop', 'total(N) :- aggregate_all(sum(P), price(_, P), N). price(tea, 3).', {
    headers: { Authorization: `Bearer ${TOKENS.person}` },
  });
  const [agent, writer] = [await connected(server, 'agent'), await connected(server, 'writer')];

  let isOver = false;
  const written = [];
  const writing = (async () => {
    for (let number = 0; !isOver; number += 1) {
      const clause = `log(${number}).`;
      await writer.assertz(clause);
      written.push(clause);
      await pause(PAUSE_MS);
    }
  })();
  await agent.assertz('price(milk, 2).');
  await agent.call('query_start', { query: 'price(milk, P)', take: 1 });
  await agent.assertz('price(rye, 4).');

  const page = await visit(browser, site.origin);
  await page.addScriptTag({ url: '/reviewer.js', type: 'module' });
  await page.waitForFunction(() => window.review);
  await page.evaluate((options) => window.review(options), { path: `${server.url}/log/shop`, token: TOKENS.person });
  const shown = page.locator('.draft');
  await shown.getByRole('heading', { name: 'agent proposes 2 changes' }).waitFor();
  await shown.locator('.goal-change', { hasText: 'Its client asked this' }).getByText('+ P = 2').waitFor();
  await shown.getByRole('checkbox').nth(0).uncheck();
  await shown.getByLabel('Reason, which the agent reads').fill('rye only');
  await shown.getByRole('button', { name: 'Accept the 1 ticked' }).click();
  await shown.getByRole('heading', { name: 'agent proposes 1 change', exact: true }).waitFor();
  const told = await agent.call('query_start', { query: 'total(N)', take: 1 });
  assert.match(told, /accepted your change: rye only\./);
  assert.match(told, /N = 9\b/);
  isOver = true;
  await writing;

  const snapshot = await writer.call('workspace', { operation: 'snapshot' });
  const lines = snapshot.split('\n');
  assert.ok(written.length > 5, `${written.length} written`);
  assert.deepEqual(
    lines.filter((line) => line.startsWith('log(')),
    written,
  );
  assert.deepEqual(
    lines.filter((line) => line.startsWith('price(')),
    ['price(tea, 3).', 'price(rye, 4).'],
  );
  await Promise.all([agent.close(), writer.close()]);
  // Where the writer was quicker, the page tries again.
  page.faults = page.faults.filter((fault) => !fault.includes('409 (Conflict)'));
  assertSound(page);
});
