// One served book with a page, an agent on standard input and output, and a client of the server: each is notified of
// what the others do. tests/bench/following.mjs measures how soon.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hands } from './hands.mjs';
import { assertSound } from './harness.mjs';

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
