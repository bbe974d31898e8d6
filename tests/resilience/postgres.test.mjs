// Books in Postgres: servers and processes share them, are killed, lose their connections and the database itself, and
// what was answered is there, in one order that all agree on. Where Postgres is not installed this is left out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { wrong } from '../support/linear.mjs';
import { POSTGRES, Postgres } from '../support/postgres.mjs';
import { Serving } from '../support/serve.mjs';
import { BIN } from '../support/stdio.mjs';

const WRITERS = 8;
const FAULTS = Number(process.env.FAULTS ?? 4);
/** So many are answered between two faults, at least. */
const WRITES = 15;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
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

  test(`${WRITERS} writers, two servers that are killed, connections that are cut, a database that crashes: one order`, async (t) => {
    const servers = [await begin(postgres), await begin(postgres)];
    const start = performance.now();
    const now = () => performance.now() - start;
    const history = { appends: [], reads: [], refused: [] };
    let working = true;
    const answered = () => history.appends.filter(({ to }) => to !== undefined).length;
    const read = async (server) => {
      const from = now();
      const values = await server.answers('line', 'catch(v(X), _, fail)', 'X', { client: 'reader' });
      history.reads.push({ values, from, to: now() });
    };
    const write = async (writer) => {
      for (let n = 0; working; n++) {
        const server = servers[(writer + n) % 2];
        const value = `w${writer}_${n}`;
        const append = { value, from: now() };
        history.appends.push(append);
        try {
          const { isError } = await server.assert('line', `v(${value}).`, { client: `writer ${writer}` });
          if (!isError) append.to = now();
          if (n % 5 === 0) await read(server);
        } catch {
          // The server is gone, or is being started.
          await pause(50);
        }
      }
    };
    const trouble = async () => {
      for (let round = 0; round < FAULTS; round++) {
        const until = answered() + WRITES;
        while (answered() < until) await pause(20);
        if (round % 4 === 1) {
          postgres.cut();
        } else if (round % 4 === 3) {
          await postgres.crash();
          await postgres.begin();
        } else {
          const which = (round / 2) % 2;
          await servers[which].kill();
          servers[which] = await begin(postgres);
        }
      }
      working = false;
    };
    await servers[0].assert('line', ':- dynamic v/1.');
    await Promise.all([trouble(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);
    for (const server of servers) {
      await Promise.race([
        read(server),
        server.closed.then(() => assert.fail(JSON.stringify(server.events.slice(-5)))),
      ]);
    }
    await Promise.all(servers.map((server) => server.stop()));
    t.diagnostic(
      `${answered()} of ${history.appends.length} writes answered, ${history.reads.length} reads, ${FAULTS} faults`,
    );
    assert.equal(wrong(history), undefined);
  });
});
