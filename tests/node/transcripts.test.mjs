// The tasks of docs/transcripts.md match what the server answers now, and stay small.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FILE, transcripts } from '../../scripts/transcripts.mjs';

test('the transcripts are current: node scripts/transcripts.mjs writes them', async () => {
  const now = await transcripts();
  assert.equal(readFileSync(FILE, 'utf8'), now);
  const costs = [...now.matchAll(/^## \d+\. .*: (\d+) tokens$/gm)].map(([, count]) => Number(count));
  assert.equal(costs.length, 11);
  for (const cost of costs) assert.ok(cost <= 600, `${cost} tokens`);
});
