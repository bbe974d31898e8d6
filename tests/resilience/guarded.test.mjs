// Of changes that are each fine and together violate a constraint, one is kept, whatever makes them and wherever the book
// is kept, beside a writer that never pauses; and a draft is decided about all the same.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connectLogs } from '../../pkg/node/logs.js';
import { openHornbook } from '../../pkg/node/open.js';
import { guarded } from '../support/guarded.mjs';
import { NATS, Nats } from '../support/nats.mjs';
import { POSTGRES, Postgres } from '../support/postgres.mjs';

const SEATS = Number(process.env.SEATS ?? 12);
const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-guarded-')));
after(() => rmSync(directory, { recursive: true }));

const OPTIONS = { tools: ['prolog', 'dml', 'workflow'], dmlBook: 'write', engines: 1, roots: [directory] };
const opened = (book) => openHornbook(OPTIONS, () => {}, book);

async function holds(t, open) {
  const { wrong, told, count } = await guarded(open, SEATS, 11);
  t.diagnostic(told);
  assert.deepEqual(wrong, []);
  assert.ok(count('refused') > 0, told);
  assert.ok(count('kept') >= SEATS / 2, told);
  return count;
}

test('a book in memory: all writers are in one process, and no draft is left undecided', async (t) => {
  const { hornbook, close } = await opened(undefined);
  const count = await holds(t, async () => ({ hornbook, close: async () => {} }));
  assert.equal(count('conflict', 'draft'), 0);
  await close();
});

test('a book in a file', (t) => holds(t, () => opened(join(directory, 'guarded.book'))));

test('a book in NATS', { skip: !NATS && 'NATS cannot be installed' }, async (t) => {
  const nats = await Nats.start();
  const logs = await connectLogs(nats.url);
  try {
    await holds(t, () => opened(logs.store('guarded')));
  } finally {
    await logs.close();
    await nats.stop();
  }
});

test('a book in Postgres', { skip: !POSTGRES && 'Postgres is not installed' }, async (t) => {
  const postgres = await Postgres.start();
  const logs = await connectLogs(postgres.url);
  try {
    await holds(t, () => opened(logs.store('guarded')));
  } finally {
    await logs.close();
    await postgres.stop();
  }
});
