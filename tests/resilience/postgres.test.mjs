// Books in Postgres: servers and processes share them, are killed, lose their connections and the database itself, and
// what was answered is there, in one order that all agree on. Skipped if Postgres is not installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { POSTGRES, Postgres } from '../support/postgres.mjs';
import { followed } from '../support/followed.mjs';
import { Relay } from '../support/relay.mjs';
import { rivals } from '../support/rivals.mjs';
import { Serving } from '../support/serve.mjs';
import { BIN } from '../support/stdio.mjs';
import { held, history, hung, killed } from '../support/writers.mjs';

const FAULTS = Number(process.env.FAULTS ?? 4);
const begin = ({ url }) =>
  Serving.startOn([
    '--log',
    url,
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

  test("what one server writes the other reads, and undo reverts one's own changes", async () => {
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

  test('of two changes that violate a constraint together the second is refused, and killed servers change nothing', async (t) => {
    const start = () => begin(postgres);
    const { wrong, told, refused } = await rivals(start, [killed(0, start), killed(1, start)]);
    t.diagnostic(told);
    assert.deepEqual(wrong, []);
    assert.ok(refused > 0, told);
  });

  test('the log of a book can be read from any offset, followed and appended to on any of the servers', () =>
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
      assert.match(stderr, /may lose confirmed writes: set fsync/);
    } finally {
      await careless.stop();
    }
  });

  test('eight writers, two killed servers, cut connections, a crash of the database: one order', async (t) => {
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

  test('eight writers, and a connection that hangs forever: one order, clear errors, and others go on', async (t) => {
    const relay = await Relay.to(postgres.port);
    const urls = [postgres.urlAt(relay.port), postgres.url];
    let message;
    const hangs = async (servers) => {
      message = await hung(servers, relay, 'hung');
    };
    const start = () => begin({ url: urls.shift() });
    const { wrong, told } = await history(start, [() => held(relay), hangs], 'hung').finally(() => relay.stop());
    t.diagnostic(told);
    assert.match(message, /the database does not answer/);
    assert.equal(wrong, undefined);
  });

  test('CockroachDB, YugabyteDB and Citus accept what is asked of a database too', async () => {
    const heard = new Set();
    const relay = await Relay.to(postgres.port, (bytes) => {
      // In the protocol, Q, or P and a name, begin a message; a text ends with a zero byte.
      const texts = bytes.toString('latin1').matchAll(/[QP][\s\S]{4}\0?([a-z][^\0]*)\0/g);
      for (const [, text] of texts) heard.add(text.replace(/\s+/g, ' '));
      return bytes;
    });
    const server = await begin({ url: postgres.urlAt(relay.port) });
    const many = Array.from({ length: 400 }, (_, n) => `f(${n}, "${'x'.repeat(1_000)}").`).join('\n');
    for (let round = 0; round < 5; round++) {
      await server.assert('spoken', many);
      await server.call('spoken', 'workspace', { operation: 'undo' });
    }
    await server.stop();
    relay.stop();
    const statements = [...heard];
    for (const begins of ['create table', 'begin', 'insert', 'delete', 'select', 'commit', 'listen'])
      assert.ok(
        statements.some((text) => text.startsWith(begins)),
        `nothing begins with ${begins}: ${statements.join('; ')}`,
      );
    // Features that one of them lacks, or has in a form of its own.
    const own =
      /advisory|serial|sequence|nextval|trigger|function|\bdo\b|lock |deferrable|exclude|inherits|unlogged|temp|generated|savepoint|with .* as/;
    assert.deepEqual(
      statements.filter((text) => own.test(text)),
      [],
    );
    // If rows are divided by book, each statement is about one of them. The notifications can be left out.
    const whole = statements.filter((text) => /hornbook_log/.test(text) && !/^(create|listen|insert)/.test(text));
    assert.ok(whole.length > 2);
    for (const text of whole)
      for (const table of text.split('from hornbook_log').slice(1)) assert.match(table, /^ where book = \$1/);
    assert.match(
      statements.find((text) => text.startsWith('create')),
      /primary key \(book, /,
    );
    assert.deepEqual(statements.filter((text) => /listen|notify/.test(text)).sort(), [
      'listen hornbook_log',
      'select pg_notify($1, $2)',
    ]);
  });

  test('a database that does not notify anybody is polled', async () => {
    const relay = await Relay.to(postgres.port, (bytes) =>
      Buffer.from(bytes.toString('latin1').replace('listen ', 'nisten ').replace('pg_notify', 'no_notify'), 'latin1'),
    );
    const url = postgres.urlAt(relay.port);
    const [one, other] = [await begin({ url }), await begin({ url })];
    try {
      await one.assert('quiet', 'p(1).');
      const place = (await fetch(`${other.url}/log/quiet?offset=now`)).headers.get('stream-next-offset');
      const next = fetch(`${other.url}/log/quiet?offset=${place}&live=long-poll`).then((answer) => answer.text());
      await one.assert('quiet', 'p(2).');
      assert.match(await next, /p\(2\)/);
      assert.deepEqual(await other.answers('quiet', 'p(X)', 'X'), ['1', '2']);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
      relay.stop();
    }
  });
});
