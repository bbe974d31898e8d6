// One served book, and a window of a real VS Code, a page, an agent on standard input and output, and a client of the server
// that have it: each hears what the others do.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { VERSION } from '../../scripts/build.mjs';
import { ROOT } from '../../scripts/steps.mjs';
import { packFolder } from '../../scripts/vscode.mjs';
import { Hands } from '../browser/hands.mjs';
import { freePort } from '../support/port.mjs';
import { Code } from './harness.mjs';

const VSIX = join(ROOT, 'dist', `hornbook-vscode-${VERSION}.vsix`);
const ROUNDS = 5;

let hand;
before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-hand-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  hand = join(folder, 'hand.vsix');
  await packFolder(join(ROOT, 'tests', 'vscode', 'hand'), hand);
});

/** A window on the book of `hands`, at this port; its agents' tools begin with `prefix`. */
async function open(t, hands, port, prefix, settings = {}) {
  const handPort = await freePort();
  const all = { 'hornbook.agents.book': hands.book, 'chat.tools.global.autoApprove': true, ...settings };
  const code = await Code.start([VSIX, hand], { 'a.pl': 'a(1).\n% ?- a(X).\n' }, all, {
    port,
    env: { HAND_PORT: `${handPort}` },
  });
  t.after(() => code.close());
  const ask = async (init) => {
    const answer = await (await fetch(`http://127.0.0.1:${handPort}`, init)).json();
    if (answer.error) throw new Error(answer.error);
    return answer;
  };
  return {
    code,
    call: async (tool, input) => {
      const body = JSON.stringify({ name: `${prefix}${tool}`, input });
      return (await ask({ method: 'POST', body })).text;
    },
    /** Resolves when the editor's agents have the tools. */
    async ready() {
      for (let tries = 0; tries < 300; tries += 1) {
        const { tools = [] } = await ask().catch(() => ({}));
        if (tools.includes(`${prefix}clauses`)) return;
        await code.page.waitForTimeout(200);
      }
      throw new Error(`its agents have no ${prefix}clauses`);
    },
  };
}

/** The facts of a snapshot; an editor gives it as data, in which lines do not end. */
const facts = (text) => text.match(/said\(\w+, \d+\)\./g) ?? [];

test('on the desktop: its agents see what the others do, and the others what they do', async (t) => {
  const hands = await Hands.start();
  t.after(() => hands.close());
  await hands.write('server', 'said(first, 0).');
  const window = await open(t, hands, await freePort(), 'mcp_hornbook_');
  const { code } = window;
  // The extension is there.
  await code.open('a.pl');
  await code.page.locator('.codelens-decoration a', { hasText: 'Ask' }).first().waitFor();
  const rows = (text) => code.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  await code.command('MCP: List Servers');
  await rows('Hornbook').click();
  await rows('Start Server').click();
  await window.ready();
  // The editor asks its user once whether tools may be called without being asked about.
  await Promise.all([
    window.call('workspace', { operation: 'snapshot' }),
    code.page.locator('.monaco-dialog-box').getByText('Enable', { exact: true }).click(),
  ]);

  // When an agent of the window first sees each clause.
  const seen = [];
  hands.join('window', {
    write: (clauses) => window.call('clauses', { operation: 'assert', clauses }),
    async heard() {
      const count = facts(await window.call('workspace', { operation: 'snapshot' })).length;
      while (seen.length < count) seen.push(Date.now());
      return seen;
    },
  });
  const clauses = ['said(first, 0).'];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const writer of Object.keys(hands.writers)) {
      const clause = `said(${writer}, ${round}).`;
      clauses.push(clause);
      const heard = await hands.write(writer, clause);
      t.diagnostic(`${writer} writes; they hear of it within ${JSON.stringify(heard)} ms`);
    }
  }
  const own = await window.call('workspace', { operation: 'snapshot' });
  const { text } = await hands.agent.call('workspace', { operation: 'snapshot' });
  assert.deepEqual(facts(own), clauses);
  assert.deepEqual(facts(text), clauses);
  await code.command('MCP: Browse Resources');
  await rows('snapshot').click();
  await code.page.locator('.view-line', { hasText: `said(window, ${ROUNDS})` }).waitFor();
  await code.picture('served-1-book');
});

test('in a browser: the server has to allow the editor, which says so, and then it has the book', async (t) => {
  const port = await freePort();
  const settings = { 'remote.extensionKind': { 'hornbook.hornbook': ['ui'] } };
  const origin = `http://127.0.0.1:${port}`;

  const strict = await Hands.start();
  const window = await open(t, strict, port, 'hornbook_', settings);
  await window.ready();
  await assert.rejects(window.call('workspace', { operation: 'snapshot' }), (error) =>
    error.message.includes(`hornbook serve --origin ${origin}`),
  );
  await window.code.close();
  await strict.close();

  const hands = await Hands.start({ origins: [origin] });
  t.after(() => hands.close());
  const allowed = await open(t, hands, port, 'hornbook_', settings);
  await allowed.ready();
  const clauses = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [writer, write] of Object.entries({
      ...hands.writers,
      window: (clause) => allowed.call('clauses', { operation: 'assert', clauses: clause }),
    })) {
      const clause = `said(${writer}, ${round}).`;
      clauses.push(clause);
      await write(clause);
    }
    assert.deepEqual(facts(await allowed.call('workspace', { operation: 'snapshot' })), clauses);
  }
  const { text } = await hands.agent.call('workspace', { operation: 'snapshot' });
  assert.deepEqual(facts(text), clauses);
});
