// One served book, and a page, an agent on standard input and output, and a client of the server: each hears what the
// others do, and how soon is told.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Server } from '../node/harness.mjs';
import { Serving } from '../support/serve.mjs';
import { CSP, assertSound, launch, servePackage, visit } from './harness.mjs';

const SNAPSHOT = 'prolog://workspace/snapshot';
/** Whoever waits longer than this, in milliseconds, has not heard of it. */
const PATIENCE_MS = 10_000;

/** When `heard` has more than it had, by the clock of this machine. */
async function more(heard, had) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    const times = await heard();
    if (times.length > had) return times.at(-1);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it was not heard');
}

test('a page, an agent and a client of the server see what the others do', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-served-'));
  const site = await servePackage({ csp: CSP.replace("connect-src 'self'", "connect-src 'self' http://127.0.0.1:*") });
  const [browser, server] = await Promise.all([launch(), Serving.start(folder, ['--origin', site.origin])]);
  const book = `${server.url}/log/shared`;
  const agent = await Server.start({ args: ['--book', book] });
  t.after(async () => {
    await Promise.all([browser.close(), site.close(), server.kill(), agent.end()]);
    rmSync(folder, { recursive: true });
  });
  const page = await visit(browser, site.origin);
  await page.evaluate(
    async ([book, uri]) => {
      window.hornbook = await createHornbook({ book });
      window.client = await agent(hornbook);
      window.heard = [];
      client.setNotificationHandler('notifications/resources/updated', () => heard.push(Date.now()));
      await client.listen({ resourceSubscriptions: [uri] });
    },
    [book, SNAPSHOT],
  );
  await agent.request('resources/subscribe', { uri: SNAPSHOT });
  const agentHeard = [];
  const hear = agent.hear.bind(agent);
  agent.hear = (message, line) => {
    hear(message, line);
    if (message.method === 'notifications/resources/updated') agentHeard.push(Date.now());
  };
  const ears = { page: () => page.evaluate(() => heard), agent: async () => agentHeard };
  const writers = {
    page: (clauses) => page.evaluate((clauses) => call(client, 'clauses', { operation: 'assert', clauses }), clauses),
    agent: (clauses) => agent.call('clauses', { operation: 'assert', clauses }),
    server: (clauses) => server.assert('shared', clauses),
  };
  const clauses = [];
  for (let round = 1; round <= 5; round++) {
    for (const [writer, write] of Object.entries(writers)) {
      const clause = `said(${writer}, ${round}).`;
      clauses.push(clause);
      const had = Object.fromEntries(
        await Promise.all(Object.entries(ears).map(async ([name, heard]) => [name, (await heard()).length])),
      );
      const begun = Date.now();
      await write(clause);
      for (const [name, heard] of Object.entries(ears)) {
        if (name === writer) continue;
        const after = (await more(heard, had[name])) - begun;
        if (round > 1) t.diagnostic(`${writer} writes, ${name} hears of it after ${after} ms`);
      }
    }
  }
  const inPage = await page.evaluate(() => call(client, 'workspace', { operation: 'snapshot' }));
  const { text } = await agent.call('workspace', { operation: 'snapshot' });
  const said = (snapshot) => snapshot.split('\n').filter((line) => line.startsWith('said('));
  assert.deepEqual(said(inPage), clauses);
  assert.deepEqual(said(text), clauses);
  assertSound(page);
});
