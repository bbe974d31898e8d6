// One served book with a page, an agent on standard input and output, and a client of the server: each is notified of
// what the others do. tests/bench/following.mjs measures how soon.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Serving } from '../support/serve.mjs';
import { Hands } from './hands.mjs';
import { CSP, assertSound, launch, servePackage, visit } from './harness.mjs';

/** How many connections a browser has to one server over HTTP/1.1. */
const CONNECTIONS = 6;

test('a page, an agent and a client of the server see what the others do', async (t) => {
  const hands = await Hands.start();
  t.after(() => hands.close());
  const clauses = [];
  for (let round = 1; round <= 30; round++) {
    for (const writer of Object.keys(hands.writers)) {
      const clause = `said(${writer}, ${round}).`;
      clauses.push(clause);
      await hands.write(writer, clause);
    }
  }
  const inPage = await hands.page.evaluate(() => call(client, 'workspace', { operation: 'snapshot' }));
  const { text } = await hands.agent.call('workspace', { operation: 'snapshot' });
  const said = (snapshot) => snapshot.split('\n').filter((line) => line.startsWith('said('));
  assert.deepEqual(said(inPage), clauses);
  assert.deepEqual(said(text), clauses);
  assertSound(hands.page);
});

const MORE = 'more tabs than a browser has connections to a server follow a book, and can use it';
test(MORE, (t) => followInTabs(t));

// Pages that came over plain http from another machine have none.
test(`${MORE}, without Web Locks`, (t) =>
  followInTabs(t, () => Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })));

/** More tabs than that follow a book, after `script` in each. */
async function followInTabs(t, script = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-tabs-'));
  const csp = CSP.replace("connect-src 'self'", "connect-src 'self' http://127.0.0.1:*");
  const [browser, site] = await Promise.all([launch(), servePackage({ csp })]);
  const server = await Serving.start(folder, ['--origin', site.origin]);
  t.after(async () => {
    await Promise.all([browser.close(), site.close(), server.kill()]);
    rmSync(folder, { recursive: true });
  });
  await server.assert('shared', ['first(1).']);
  const context = await browser.newContext();
  await context.addInitScript(script);
  const tabs = [];
  while (tabs.length <= CONNECTIONS) {
    const tab = await visit(context, site.origin);
    tabs.push(tab);
    await tab.evaluate(async (book) => {
      window.hornbook = await createHornbook({ book });
      window.client = await agent(hornbook);
      const uri = 'prolog://workspace/snapshot';
      window.heard = new Promise((resolve) =>
        client.setNotificationHandler('notifications/resources/updated', () => resolve(true)),
      );
      await client.listen({ resourceSubscriptions: [uri] });
    }, `${server.url}/log/shared`);
  }
  await server.assert('shared', ['second(2).']);
  for (const tab of tabs) assert.equal(await tab.evaluate(() => heard), true);
  const last = tabs.at(-1);
  await last.evaluate(() => call(client, 'clauses', { operation: 'assert', clauses: ['third(3).'] }));
  assert.deepEqual(await server.answers('shared', 'third(X)', 'X'), ['3']);
  for (const tab of tabs) assertSound(tab);
}
