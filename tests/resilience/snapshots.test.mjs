// Snapshots of logs in an object store: a long book opens without fetching its log; a snapshot that does not belong to
// the log, or is not whole, is ignored; and a missing object store delays nobody. Skipped if one of the servers cannot
// be installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Server } from '../node/harness.mjs';
import { NATS, Nats } from '../support/nats.mjs';
import { freePort } from '../support/port.mjs';
import { POSTGRES, Postgres } from '../support/postgres.mjs';
import { ObjectServer, S3 } from '../support/s3.mjs';
import { Serving } from '../support/serve.mjs';
import { BIN } from '../support/stdio.mjs';
import { pause } from '../support/writers.mjs';

/** The first line of a log. */
const FIRST = 46;
const skip = (!S3 && 'moto cannot be installed') || (!NATS && 'NATS cannot be installed');

/** `count` facts of a kilobyte, numbered from `from`. */
const facts = (from, count) =>
  Array.from({ length: count }, (_, n) => `f(${from + n}, "${'x'.repeat(1_000)}").`).join('\n');
const COUNT = 'aggregate_all(count, f(_, _), N)';

describe('snapshots of books in NATS', { skip }, () => {
  let nats;
  let objects;
  before(async () => {
    [nats, objects] = await Promise.all([Nats.start(), ObjectServer.start()]);
  });
  after(() => Promise.all([nats?.stop(), objects?.stop()]));

  const plain = () => Serving.startOn(['--log', nats.url]);
  const begin = (url = objects.url) => Serving.startOn(['--log', nats.url, '--snapshots', url], { env: objects.env });
  /** What a server says about a book, and how many bytes NATS has sent for that. */
  const opened = async (server, book) => {
    const before = await nats.sent();
    const count = await server.answers(book, COUNT, 'N');
    return { count, sent: (await nats.sent()) - before };
  };
  const logOf = async ({ url }, book) => {
    const parts = [];
    for (let offset = '-1'; ; ) {
      const response = await fetch(`${url}/log/${book}?offset=${offset}`);
      parts.push(await response.text());
      if (response.headers.has('stream-up-to-date')) return parts.join('');
      offset = response.headers.get('stream-next-offset');
    }
  };
  const offsetOf = async ({ url }, book) =>
    (await fetch(`${url}/log/${book}`, { method: 'HEAD' })).headers.get('stream-next-offset');
  /** A book of more than a megabyte with a snapshot, and a clause after it; returns the offset of the snapshot. */
  const long = async (book) => {
    const server = await begin();
    for (let from = 0; from < 1_100; from += 100) await server.assert(book, facts(from, 100));
    const { offset } = await server.event('snapshot_written');
    await server.assert(book, 'p(1).');
    await server.stop();
    return offset;
  };
  const named = (server, name) => server.events.filter(({ event }) => event === name);

  test('a long book opens with the new part of its log, and is the same', async () => {
    const offset = await long('long');
    assert.deepEqual(await objects.names('long'), [`${offset}.gz`]);
    const [without, other] = [await plain(), await begin()];
    const whole = await opened(without, 'long');
    const short = await opened(other, 'long');
    assert.deepEqual([whole.count, short.count], [['1100'], ['1100']]);
    const length = Number((await offsetOf(other, 'long')).split('_')[0]);
    // The log is fetched once, or hardly at all.
    assert.ok(whole.sent > length && whole.sent < 1.2 * length, `${whole.sent} bytes of ${length}`);
    assert.ok(short.sent < length / 4, `${short.sent} bytes of ${length}`);
    assert.deepEqual(
      named(other, 'snapshot_read').map((event) => event.offset),
      [offset],
    );
    // Both go on with it.
    await other.assert('long', 'p(2).');
    await other.call('long', 'workspace', { operation: 'undo' });
    await without.assert('long', 'p(3).');
    assert.deepEqual(await other.answers('long', 'p(X)', 'X'), ['1', '3']);
    const log = await logOf(without, 'long');
    assert.ok((await logOf(other, 'long')) === log);
    const kept = gunzipSync(await objects.get('long', `${offset}.gz`)).toString();
    assert.ok(log.slice(FIRST, kept.length) === kept.slice(FIRST));
    await Promise.all([without.stop(), other.stop()]);
  });

  test('following the log of a long book fetches its end, not all of it', async () => {
    const server = await plain();
    assert.deepEqual(await server.answers('long', COUNT, 'N'), ['1100']);
    const before = await nats.sent();
    await offsetOf(server, 'long');
    const length = Number((await offsetOf(server, 'long')).split('_')[0]);
    assert.ok((await nats.sent()) - before < length / 2);
    await server.stop();
  });

  test('a snapshot that is torn, of another book, or longer than the log is ignored', async () => {
    const offset = await long('own');
    const foreign = await long('other');
    const whole = await objects.get('own', `${offset}.gz`);
    const [at, ...rest] = offset.split('_');
    const longer = [`${Number(at) + 5_000_000}`.padStart(16, '0'), ...rest].join('_');
    await objects.put('own', `${longer}.gz`, whole);
    await objects.put('own', `${foreign}.gz`, await objects.get('other', `${foreign}.gz`));
    await objects.put('own', 'notes.txt', 'nothing of ours');
    const cases = [
      ['cut off', whole.subarray(0, whole.length / 2)],
      ['of another log', await objects.get('other', `${foreign}.gz`)],
      ['no snapshot', Buffer.from('no snapshot')],
    ];
    for (const [what, bytes] of cases) {
      await objects.put('own', `${offset}.gz`, bytes);
      const server = await begin();
      assert.deepEqual(await server.answers('own', COUNT, 'N'), ['1100'], what);
      assert.deepEqual(await server.answers('own', 'p(X)', 'X'), ['1'], what);
      assert.deepEqual(
        Object.fromEntries(named(server, 'snapshot_passed_over').map(({ offset, why }) => [offset, why])),
        {
          [longer]: 'the log does not have it',
          ...(foreign !== offset && { [foreign]: 'the log does not have it' }),
          [offset]: 'it is damaged',
        },
        what,
      );
      // Opening it without one writes one.
      await server.event('snapshot_written');
      await server.stop();
      for (const name of await objects.names('own'))
        if (![longer, foreign].some((other) => name.startsWith(other))) await objects.remove('own', name);
      await objects.put('own', `${longer}.gz`, whole);
      await objects.put('own', `${foreign}.gz`, await objects.get('other', `${foreign}.gz`));
    }
  });

  test("an agent's own process opens a long book from a snapshot, and writes the next", async () => {
    const offset = await long('agents');
    const args = ['--log', nats.url, '--book', 'agents', '--snapshots', objects.url];
    const agent = await Server.start({ args, env: objects.env });
    const before = await nats.sent();
    const { data } = await agent.call('query_start', { query: COUNT, take: 1 });
    assert.deepEqual(data.answers, [{ N: '1100' }]);
    assert.ok((await nats.sent()) - before < 100_000);
    assert.match(agent.stderr, new RegExp(`"event":"snapshot_read","book":"agents","offset":"${offset}"`));
    await agent.call('clauses', { operation: 'assert', clauses: facts(1_100, 1_200) });
    while ((await objects.names('agents')).length < 2) await pause(50);
    assert.match(agent.stderr, /"event":"snapshot_written","book":"agents"/);
    assert.deepEqual(await agent.end(), { code: 0, signal: null });
  });

  test('if the last one is damaged, the one before it is used', async () => {
    const first = await long('twice');
    const server = await begin();
    await server.assert('twice', facts(1_100, 1_500));
    const { offset } = await server.event('snapshot_written');
    await server.stop();
    assert.deepEqual(await objects.names('twice'), [`${first}.gz`, `${offset}.gz`]);
    await objects.put('twice', `${offset}.gz`, 'torn');
    const other = await begin();
    assert.deepEqual(await other.answers('twice', COUNT, 'N'), ['2600']);
    assert.equal((await other.event('snapshot_read')).offset, first);
    await other.stop();
  });

  test('a snapshot of the log before it was rewritten is ignored, and one of the new log is written', async () => {
    const old = await long('anew');
    const one = await begin();
    // Changes that are undone again and again make the log much longer than the book.
    for (let round = 0; round < 6; round++) {
      await one.assert('anew', facts(1_100, 1_500));
      await one.call('anew', 'workspace', { operation: 'undo' });
    }
    await one.assert('anew', facts(1_100, 10));
    assert.equal((await fetch(`${one.url}/log/anew?offset=${old}`)).status, 410);
    await one.stop();
    // Whatever happened, a snapshot there belongs to the log or is ignored.
    await objects.put('anew', `${old}.gz`, await objects.get('long', (await objects.names('long'))[0]));
    for (let time = 0; time < 2; time++) {
      const server = await begin();
      assert.deepEqual(await server.answers('anew', COUNT, 'N'), ['1110']);
      assert.deepEqual(await server.answers('anew', 'p(X)', 'X'), ['1']);
      const whys = named(server, 'snapshot_passed_over').filter(({ offset }) => offset === old);
      assert.ok(whys.every(({ why }) => why === 'the log does not have it'));
      await Promise.race([server.event('snapshot_read'), server.event('snapshot_written')]);
      await server.stop();
    }
  });

  test('an object store that is down, refuses, or does not answer delays nobody', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const at = (port) => `s3://books/all?endpoint=http://127.0.0.1:${port}`;
    const cases = [
      [at(await freePort()), /ECONNREFUSED/],
      [objects.url.replace('s3://books', 's3://missing'), /^404 /],
      [at(silent.address().port), /^it does not answer in time$/],
    ];
    await long('alone');
    for (const [url, why] of cases) {
      const server = await begin(url);
      assert.deepEqual(await server.answers('alone', 'p(X)', 'X'), ['1']);
      assert.match((await server.event('snapshots_failed')).error, why);
      await server.assert('alone', 'q(1).');
      await server.call('alone', 'workspace', { operation: 'undo' });
      assert.deepEqual(await server.stop(), { code: 0, signal: null });
    }
    silent.close();
  });

  test('two servers write one book and one is killed: two snapshots are kept, and any of them fits', async () => {
    const servers = [await begin(), await begin()];
    for (let round = 0; round < 8; round++) await servers[round % 2].assert('both', facts(500 * round, 500));
    await servers[0].kill();
    const [, one] = servers;
    for (let round = 8; round < 14; round++) await one.assert('both', facts(500 * round, 500));
    await one.event('snapshot_written', ({ offset }) => Number(offset.split('_')[0]) > 5_000_000);
    while ((await objects.names('both')).length > 2) await pause(50);
    const log = await logOf(one, 'both');
    for (const name of await objects.names('both')) {
      const kept = gunzipSync(await objects.get('both', name)).toString();
      assert.ok(kept.slice(FIRST) === log.slice(FIRST, kept.length));
    }
    const other = await begin();
    assert.deepEqual(await other.answers('both', COUNT, 'N'), ['7000']);
    assert.equal((await other.event('snapshot_read')).event, 'snapshot_read');
    await Promise.all([one.stop(), other.stop()]);
  });

  test('impossible settings are refused before a server starts', () => {
    const refused = (args, env = objects.env) => {
      const command = [BIN, 'serve', '--port', '0', ...args];
      const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', env: { ...env } });
      assert.equal(status, 2);
      return stderr;
    };
    const log = ['--log', nats.url];
    assert.match(refused([...log, '--snapshots', 'https://books']), /--snapshots takes the address of a bucket/);
    assert.match(refused([...log, '--snapshots', 's3://books?sort=1']), /--snapshots takes the address of a bucket/);
    assert.match(refused([...log, '--snapshots', objects.url], {}), /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
    assert.match(
      refused(['--books', '.', '--snapshots', objects.url]),
      /--snapshots requires --log; books in files need none/,
    );
    const own = spawnSync(process.execPath, [BIN, '--book', 'a.book', '--snapshots', objects.url], {
      encoding: 'utf8',
      env: objects.env,
    });
    assert.equal(own.status, 2);
    assert.match(own.stderr, /--snapshots requires --log; books in files need none/);
  });
});

test('a long book in Postgres opens from its snapshot', {
  skip: (!S3 && 'moto cannot be installed') || (!POSTGRES && 'Postgres is not installed'),
}, async () => {
  const [postgres, objects] = await Promise.all([Postgres.start(), ObjectServer.start()]);
  const begin = () => Serving.startOn(['--log', postgres.url, '--snapshots', objects.url], { env: objects.env });
  try {
    const one = await begin();
    await one.assert('long', facts(0, 1_500));
    const { offset } = await one.event('snapshot_written');
    await one.assert('long', 'p(1).');
    const other = await begin();
    assert.deepEqual(await other.answers('long', COUNT, 'N'), ['1500']);
    assert.equal((await other.event('snapshot_read')).offset, offset);
    await other.assert('long', 'p(2).');
    assert.deepEqual(await one.answers('long', 'p(X)', 'X'), ['1', '2']);
    await Promise.all([one.stop(), other.stop()]);
  } finally {
    await Promise.all([postgres.stop(), objects.stop()]);
  }
});
