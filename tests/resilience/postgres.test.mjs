// Books in Postgres: servers and processes share them, are killed, lose their connections and the database itself, and
// what was answered is there, in one order that all agree on. Where Postgres is not installed this is left out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { POSTGRES, Postgres } from '../support/postgres.mjs';
import { followed } from '../support/followed.mjs';
import { Serving } from '../support/serve.mjs';
import { BIN } from '../support/stdio.mjs';
import { history, killed } from '../support/writers.mjs';

const FAULTS = Number(process.env.FAULTS ?? 4);
const begin = (postgres) =>
  Serving.startOn([
    '--log',
    postgres.url,
    '--client',
    'requests=100000',
    '--limit',
    'reply_tokens=1000000',
    '--limit',
    'take=100000',
  ]);

describe('books in Postgres', { skip: !POSTGRES && 'Postgres is not installed' }, () => {
  let postgres;
  before(async () => {
    postgres = await Postgres.start();
  });
  after(() => postgres?.stop());

  test('what one server writes the other reads; undo takes back what is its own', async () => {
    const [one, other] = [await begin(postgres), await begin(postgres)];
    try {
      await Promise.all([one.assert('both', 'p(1).'), other.assert('both', 'p(2).')]);
      await one.assert('both', 'p(3).');
      assert.deepEqual((await other.answers('both', 'p(X)', 'X')).sort(), ['1', '2', '3']);
      await other.call('both', 'workspace', { operation: 'undo' });
      assert.deepEqual((await one.answers('both', 'p(X)', 'X')).sort(), ['1', '3']);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
    const again = await begin(postgres);
    assert.deepEqual((await again.answers('both', 'p(X)', 'X')).sort(), ['1', '3']);
    assert.deepEqual(await again.stop(), { code: 0, signal: null });
  });

  test('the log of a book is read from any offset, followed and appended to at any of the servers', () =>
    followed(() => begin(postgres)));

  test('a long log is rewritten, and others go on with it', async () => {
    const [one, other] = [await begin(postgres), await begin(postgres)];
    try {
      await other.assert('long', 'first(0).');
      const many = Array.from({ length: 400 }, (_, n) => `f(${n}, "${'x'.repeat(1_000)}").`).join('\n');
      for (let round = 0; round < 12; round++) {
        await one.assert('long', many);
        await one.call('long', 'workspace', { operation: 'undo' });
        if (round % 4 === 3) assert.deepEqual(await other.answers('long', 'first(X)', 'X'), ['0']);
      }
      await other.assert('long', 'first(1).');
      assert.deepEqual(await one.answers('long', 'first(X)', 'X'), ['0', '1']);
      const { stdout } = postgres.sql("select max(generation) from hornbook_log where book = 'long'");
      assert.ok(Number(stdout) > 0, `it has the generation ${stdout}`);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });

  test('a database that may lose what it has confirmed is refused', async () => {
    const careless = await Postgres.start(['fsync = off']);
    try {
      const { status, stderr } = spawnSync(process.execPath, [BIN, 'serve', '--log', careless.url, '--port', '0'], {
        encoding: 'utf8',
      });
      assert.equal(status, 2);
      assert.match(stderr, /may lose what it has confirmed: set fsync/);
    } finally {
      await careless.stop();
    }
  });

  test('eight writers, two servers that are killed, connections that are cut, a database that crashes: one order', async (t) => {
    const start = () => begin(postgres);
    const crash = async () => {
      await postgres.crash();
      await postgres.begin();
    };
    const all = [killed(0, start), () => postgres.cut(), killed(1, start), crash];
    const troubles = Array.from({ length: FAULTS }, (_, round) => all[round % all.length]);
    const { wrong, told } = await history(start, troubles);
    t.diagnostic(told);
    assert.equal(wrong, undefined);
  });
});
