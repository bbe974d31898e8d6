// A book of `hornbook serve`, opened by others at the address of its log: they read it, write to it and follow it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { BookServer } from '../support/book-server.mjs';
import { SlowEvents } from '../support/slow-events.mjs';
import { Serving } from '../support/serve.mjs';
import { BIN, Server, directory } from './harness.mjs';

const SNAPSHOT = 'prolog://workspace/snapshot';

let server;
let folder;
before(async () => {
  folder = directory();
  server = await Serving.start(folder);
});
after(async () => {
  await server.kill();
  rmSync(folder, { recursive: true });
});

/** Runs `body` with servers on standard input and output, all on the same served book. */
async function sharing(count, book, body, address = `${server.url}/log/${book}`) {
  const servers = Array.from({ length: count }, () => new BookServer(address));
  try {
    return await body(...servers);
  } finally {
    await Promise.all(servers.map((one) => one.kill()));
  }
}

test('what one of them asserts, all others find, including the clients of the server', () =>
  sharing(2, 'family', async (first, second) => {
    await first.assert('p(1).');
    assert.equal(await second.values('p(X)'), '[1]');
    await second.text('query_start', { query: 'retract(p(1)), asserta(p(2))', take: 1 });
    await server.assert('family', 'p(3).');
    assert.equal(await first.values('p(X)'), '[2,3]');
    assert.deepEqual(await server.answers('family', 'p(X)', 'X'), ['2', '3']);
    const undone = await first.text('workspace', { operation: 'undo' });
    assert.match(undone, /no longer be undone: `p\(1\)\.` was removed since, by revision 2 \(query\) of .*all: true/s);
    assert.equal(await second.values('p(X)'), '[2,3]', 'what others did later stands on it');
    const history = await second.text('workspace', { operation: 'history' });
    assert.match(history, /tests/);
  }));

test('many concurrent operations are all kept, once each, in one order', () =>
  sharing(3, 'many', async (...servers) => {
    await servers[0].assert('begun.');
    const clauses = servers.flatMap((_, who) =>
      Array.from({ length: 15 }, (_, number) => [who, `w(${who}, ${number}).`]),
    );
    const writes = clauses.map(([who, clause]) => servers[who].assert(clause));
    for (let number = 0; number < 15; number++) writes.push(server.assert('many', `w(3, ${number}).`));
    await Promise.all(writes);
    const [one, ...others] = await Promise.all(servers.map((each) => each.snapshot()));
    for (const other of others) assert.equal(other, one);
    const lines = one.split('\n').filter((line) => line.startsWith('w('));
    assert.deepEqual([lines.length, new Set(lines).size], [60, 60]);
  }));

test('a client is notified of what others do without asking', async () => {
  const listening = await Server.start({ args: ['--book', `${server.url}/log/heard`] });
  try {
    await listening.request('resources/subscribe', { uri: SNAPSHOT });
    const count = () =>
      listening.notifications.filter(({ method }) => method === 'notifications/resources/updated').length;
    await server.assert('heard', 'p(1).');
    for (let waited = 0; count() === 0; waited += 5) {
      assert.ok(waited < 10_000, 'it did not hear of it');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    await listening.end();
  }
});

test('what was answered is there even if an event reports part of it during the request', async (t) => {
  const between = await SlowEvents.before(server.url);
  t.after(() => between.close());
  await sharing(
    1,
    'late',
    async (follower) => {
      await follower.assert('p(0).');
      for (let number = 1; number <= 9; number++) {
        await server.assert('late', `p(${number}).`);
        await between.holds(`p(${number}).`);
      }
      between.overtake('p(1).', 'p(9).');
      assert.equal(await follower.values('p(X)'), '[0,1,2,3,4,5,6,7,8,9]');
    },
    `${between.url}/log/late`,
  );
});

test('the server is killed and another starts: nothing that was answered is lost, and everyone goes on', async (t) => {
  const books = directory();
  let serving = await Serving.start(books);
  t.after(async () => {
    await serving.kill();
    rmSync(books, { recursive: true });
  });
  const { port } = new URL(serving.url);
  await sharing(
    2,
    'lasting',
    async (first, second) => {
      const answered = [];
      for (let round = 0; round < 3; round++) {
        const writes = [first, second].map(async (one, who) => {
          for (let number = 0; number < 6; number++) {
            const clause = `w(${round}, ${who}, ${number}).`;
            await one.assert(clause);
            answered.push(clause);
          }
        });
        await serving.kill();
        serving = await Serving.start(books, ['--port', port]);
        await Promise.all(writes);
      }
      const snapshot = await first.snapshot();
      assert.equal(await second.snapshot(), snapshot);
      const lines = snapshot.split('\n').filter((line) => line.startsWith('w('));
      assert.deepEqual(lines.toSorted(), answered.toSorted());
    },
    `${serving.url}/log/lasting`,
  );
});

test('a journal that the server rewrites can still be followed', () =>
  sharing(1, 'rewritten', async (follower) => {
    await follower.assert('p(0).');
    const text = `t("${'x'.repeat(400_000)}").`;
    for (let count = 1; count < 6; count++) {
      await server.assert('rewritten', text);
      await server.call('rewritten', 'clauses', { operation: 'retract', clauses: 't(_).' });
      await follower.assert(`p(${count}).`);
    }
    const { status } = await fetch(`${server.url}/log/rewritten?offset=0000000000000400_0000000000000046_00000000`);
    assert.equal(status, 410);
    assert.equal(await follower.values('p(X)'), '[0,1,2,3,4,5]');
    assert.deepEqual(await server.answers('rewritten', 'p(X)', 'X'), ['0', '1', '2', '3', '4', '5']);
  }));

test('a program and the command line open it by the same address', async () => {
  const path = `${server.url}/log/program`;
  const book = await openBook({ path });
  try {
    await book.assert('p(1).', 'p(2).');
    assert.deepEqual(await server.answers('program', 'p(X)', 'X'), ['1', '2']);
  } finally {
    await book.close();
  }
  const { stdout, status } = spawnSync(process.execPath, [BIN, 'ask', '--book', path, 'p(X)'], { encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stdout, /X = 1.*X = 2/s);
});

test('a book that cannot have its name is refused in a sentence', async () => {
  const message = `${server.url}/log/Fam%20Ily: Invalid book name: use lower-case letters, digits, - and _, at most 64`;
  await assert.rejects(openBook({ path: `${server.url}/log/Fam Ily` }), (error) => {
    assert.equal(error.message.replace(/\.$/, ''), message);
    return true;
  });
});

test('a token is needed if the server requires one, and a refusal says so', async (t) => {
  const token = 'a-secret-of-sixteen';
  const books = directory();
  const closed = await Serving.start(books, [], { env: { HORNBOOK_TOKEN: token } });
  t.after(async () => {
    await closed.kill();
    rmSync(books, { recursive: true });
  });
  const path = `${closed.url}/log/mine`;
  await assert.rejects(openBook({ path, token: 'another-of-sixteen' }), /Unknown token/);
  await assert.rejects(openBook({ path: `${closed.url}/log/No+Book`, token }), /Invalid book name/);
  const book = await openBook({ path, token });
  await book.assert('p(1).');
  await book.close();
});
