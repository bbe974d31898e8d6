// Books in NATS JetStream: servers share them, are killed, lose their connections and NATS itself, with one node or
// three, and what was answered is there, in one order that all agree on. Skipped if NATS cannot be installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { NATS, Nats } from '../support/nats.mjs';
import { followed } from '../support/followed.mjs';
import { rivals } from '../support/rivals.mjs';
import { Serving } from '../support/serve.mjs';
import { BIN } from '../support/stdio.mjs';
import { held, history, hung, killed, pause } from '../support/writers.mjs';

const FAULTS = Number(process.env.FAULTS ?? 4);
const begin = (nats) => {
  const limits = ['reply_tokens=1000000', 'take=100000'].flatMap((limit) => ['--limit', limit]);
  return Serving.startOn(['--log', nats.url, '--client', 'requests=100000', ...limits]);
};
const rounds = (all) => Array.from({ length: FAULTS }, (_, round) => all[round % all.length]);

describe('books in NATS', { skip: !NATS && 'NATS cannot be installed' }, () => {
  let nats;
  before(async () => {
    nats = await Nats.start();
    await nats.relay();
  });
  after(() => nats?.stop());

  test("what one server writes the other reads, and undo reverts one's own changes", async () => {
    const [one, other] = [await begin(nats), await begin(nats)];
    try {
      await Promise.all([one.assert('both', 'p(1).'), other.assert('both', 'p(2).')]);
      await one.assert('both', 'p(3).');
      assert.deepEqual((await other.answers('both', 'p(X)', 'X')).sort(), ['1', '2', '3']);
      await other.call('both', 'workspace', { operation: 'undo' });
      assert.deepEqual((await one.answers('both', 'p(X)', 'X')).sort(), ['1', '3']);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
    const again = await begin(nats);
    assert.deepEqual((await again.answers('both', 'p(X)', 'X')).sort(), ['1', '3']);
    assert.deepEqual(await again.stop(), { code: 0, signal: null });
  });

  test('of two changes that violate a constraint together the second is refused, and killed servers change nothing', async (t) => {
    const start = () => begin(nats);
    const { wrong, told, refused } = await rivals(start, [killed(0, start), killed(1, start)]);
    t.diagnostic(told);
    assert.deepEqual(wrong, []);
    assert.ok(refused > 0, told);
  });

  test('the log of a book can be read from any offset, followed and appended to on any of the servers', () =>
    followed(() => begin(nats)));

  test('what is longer than a message is written whole; a long log is rewritten, and others go on with it', async () => {
    const [one, other] = [await begin(nats), await begin(nats)];
    try {
      await other.assert('long', 'first(0).');
      const many = Array.from({ length: 1_300 }, (_, n) => `f(${n}, "${'x'.repeat(1_000)}").`).join('\n');
      for (let round = 0; round < 5; round++) {
        await one.assert('long', many);
        if (round === 0)
          assert.deepEqual(await other.answers('long', 'aggregate_all(count, f(_, _), N)', 'N'), ['1300']);
        await one.call('long', 'workspace', { operation: 'undo' });
      }
      assert.deepEqual(await other.answers('long', 'first(X)', 'X'), ['0']);
      await other.assert('long', 'first(1).');
      assert.deepEqual(await one.answers('long', 'first(X)', 'X'), ['0', '1']);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
    const connection = await connect({ servers: nats.hosts });
    const { streams } = await jetstreamManager(connection);
    const last = await streams.getMessage('hornbook_long', { last_by_subj: 'hornbook.log.long' });
    await connection.close();
    assert.match(last.header.get('Hornbook-Place'), /^[1-9]/);
    const again = await begin(nats);
    assert.deepEqual(await again.answers('long', 'first(X)', 'X'), ['0', '1']);
    await again.stop();
  });

  const refused = (url) => {
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'serve', '--log', url, '--port', '0'], {
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    return stderr;
  };

  test('NATS that may lose what it has confirmed, or that cannot be known not to, is refused', async () => {
    assert.match(refused(nats.url.replace(/\?.*/, '')), /cannot tell whether it writes through; .*\?monitor=/);
    const careless = await Nats.start(1, '2m');
    try {
      assert.match(refused(careless.url), /may lose confirmed writes: set sync_interval: always/);
    } finally {
      await careless.stop();
    }
  });

  test('eight writers, two killed servers, cut connections, a crash of NATS: one order', async (t) => {
    const start = () => begin(nats);
    const crash = async () => {
      await nats.kill();
      await nats.begin();
    };
    const { wrong, told } = await history(
      start,
      rounds([killed(0, start), () => nats.between.cut(), killed(1, start), crash]),
    );
    t.diagnostic(told);
    assert.equal(wrong, undefined);
  });

  test('eight writers, and a connection that hangs forever: one order, clear errors, and others go on', async (t) => {
    const urls = [nats.url, nats.direct];
    let message;
    const hangs = async (servers) => {
      message = await hung(servers, nats.between, 'hung');
    };
    const start = () => begin({ url: urls.shift() });
    const { wrong, told } = await history(start, [() => held(nats.between), hangs], 'hung');
    t.diagnostic(told);
    assert.match(message, /NATS does not answer/);
    assert.equal(wrong, undefined);
  });
});

test('eight writers on three nodes of NATS, one killed at a time: one order', {
  skip: !NATS && 'NATS cannot be installed',
}, async (t) => {
  const nats = await Nats.start(3);
  try {
    const lost = (number) => async () => {
      await nats.kill(number);
      await pause(1_000);
      await nats.begin(number);
    };
    const { wrong, told } = await history(() => begin(nats), rounds([lost(0), lost(1), lost(2)]));
    t.diagnostic(told);
    assert.equal(wrong, undefined);
  } finally {
    await nats.stop();
  }
});
