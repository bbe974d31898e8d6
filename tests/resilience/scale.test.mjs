// A lot at once: ten thousand clauses in a call, a hundred thousand in a file, and the server still answers meanwhile.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Server } from '../node/harness.mjs';

const facts = (count) => Array.from({ length: count }, (_, n) => `fact(${n}, "text of ${n}").`);

let server;
before(
  async () =>
    (server = await Server.start({
      files: {
        'large.pl': `% A large file.\n${facts(99_999).join('\n')}\nlast(X) :- fact(X, _), \\+ ( fact(Y, _), Y > X ).\n`,
      },
    })),
);
after(() => server.close());
beforeEach(() => server.reset());

for (const [form, clauses] of [
  ['an array', facts(10_000)],
  ['one string', facts(10_000).join('\n')],
]) {
  test(`10,000 clauses in one call, as ${form}`, async () => {
    const { data, text } = await server.assert(clauses);
    assert.deepEqual([data.succeeded, data.failed], [10_000, 0]);
    assert.match(text, /10000\/10000 successful/);
    assert.ok(text.length < 5_000, 'the text for the model is short');
    assert.deepEqual(await server.solve('aggregate_all(count, fact(_, _), N), fact(9999, T)'), [
      'N = 10000, T = "text of 9999"',
    ]);
    assert.equal(await server.snapshot(), facts(10_000).join('\n'));
  });
}

test('10,000 clauses of which some cannot be read: each of those is reported, and the others are there', async () => {
  const clauses = facts(10_000);
  for (const bad of [0, 4_321, 9_999]) clauses[bad] = `broken(${bad}`;
  const { data } = await server.fails('clauses', { operation: 'assert', clauses });
  assert.deepEqual([data.succeeded, data.failed], [9_997, 3]);
  assert.deepEqual(
    data.failures.map(({ number }) => number - 1),
    [0, 4_321, 9_999],
  );
  assert.deepEqual(await server.solve('aggregate_all(count, fact(_, _), N)'), ['N = 9997']);
});

test('10,000 clauses are retracted in one call', async () => {
  await server.assert(facts(10_000));
  const { data } = await server.retract(facts(10_000));
  assert.equal(data.succeeded, 10_000);
  assert.equal(await server.snapshot(), '');
});

test('a file of 100,000 clauses is imported with progress, and ping is answered meanwhile', async () => {
  const heard = () =>
    server.notifications.filter(
      ({ method, params }) => method === 'notifications/progress' && params.progressToken === 'import',
    );
  let done = false;
  const first = server.heard(({ params }) => params?.progressToken === 'import');
  const imported = server
    .request('tools/call', {
      name: 'files',
      arguments: { operation: 'import', filename: 'large.pl' },
      _meta: { progressToken: 'import' },
    })
    .finally(() => (done = true));
  await first;
  await server.request('ping');
  assert.equal(done, false, 'ping was answered while the import ran');
  const { structuredContent } = await imported;
  assert.deepEqual([structuredContent.status, structuredContent.clausesAdded], ['success', 100_000]);

  const progress = heard().map(({ params }) => params.progress);
  assert.ok(progress.length >= 10);
  assert.ok(progress.every((value, at) => at === 0 || value > progress[at - 1]));
  assert.ok(progress.at(-1) <= heard()[0].params.total);

  assert.deepEqual(await server.solve('aggregate_all(count, fact(_, _), N), fact(99998, T)'), [
    'N = 99999, T = "text of 99998"',
  ]);
  assert.equal((await server.ok('files', { operation: 'list' })).data.files[0].clauseCount, 100_000);
  assert.equal(
    (await server.ok('files', { operation: 'unimport', filename: 'large.pl' })).data.clausesRemoved,
    100_000,
  );
  assert.equal(await server.snapshot(), '');
});

test('a cancelled import leaves nothing, and the next one is whole', async () => {
  const first = server.heard(({ params }) => params?.progressToken === 'cancelled');
  const { id } = server.begin('tools/call', {
    name: 'files',
    arguments: { operation: 'import', filename: 'large.pl' },
    _meta: { progressToken: 'cancelled' },
  });
  await first;
  server.cancel(id);
  assert.equal(await server.snapshot(), '');
  assert.deepEqual((await server.ok('files', { operation: 'list' })).data.files, []);
  await server.fails('query_start', { query: 'fact(X, _)', take: 1 }, 'existence_error');
  assert.equal((await server.ok('files', { operation: 'import', filename: 'large.pl' })).data.clausesAdded, 100_000);
});

test('100,000 clauses survive the loss of the engine', async () => {
  await server.ok('files', { operation: 'import', filename: 'large.pl' });
  await server.assert('loop :- loop.');
  await server.fails('query_start', { query: 'loop', take: 1, timeout_ms: 100 }, 'timeout');
  assert.deepEqual(await server.solve('aggregate_all(count, fact(_, _), N)'), ['N = 99999']);
});
