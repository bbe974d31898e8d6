// Goals that are watched: whoever watches one hears of its answers when they change, and only then.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { BIN, Server, directory } from './harness.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The next state of a watched goal, or `none` if there is none within `ms`. */
async function next(watch, ms = 2_000) {
  watch.waiting ??= watch.next();
  const state = await Promise.race([watch.waiting, pause(ms)]);
  if (state === undefined) return 'none';
  watch.waiting = undefined;
  return state.done ? 'ended' : state.value;
}

test('the answers of a watched goal are yielded now, and when they change', async () => {
  const book = await openBook();
  await book.assert('edge(a, b).', 'path(X, Y) :- edge(X, Y).', 'path(X, Y) :- edge(X, Z), path(Z, Y).');
  const watch = book.watch('path(a, X)');
  const first = await next(watch);
  assert.deepEqual([first.answers, first.added, first.removed], [[{ X: 'b' }], [{ X: 'b' }], []]);
  await book.assert('edge(b, c).');
  const second = await next(watch);
  assert.deepEqual([second.answers, second.added, second.removed], [[{ X: 'b' }, { X: 'c' }], [{ X: 'c' }], []]);
  assert.equal(second.revision, 2);
  // Neither what the goal does not see, nor what leaves its answers as they are.
  await book.assert('other(1).', 'edge(x, y).');
  assert.equal(await next(watch, 200), 'none');
  await book.all('retract(edge(a, b)), assertz(edge(a, d))');
  const third = await next(watch);
  assert.deepEqual([third.answers, third.removed], [[{ X: 'd' }], [{ X: 'b' }, { X: 'c' }]]);
  await book.undo();
  assert.deepEqual((await next(watch)).removed, [{ X: 'd' }]);
  // A rule counts, too.
  await book.assert('path(a, rule).');
  assert.deepEqual((await next(watch)).added, [{ X: 'rule' }]);
  await book.close();
  assert.equal(await next(watch), 'ended');
});

test('whoever reads slowly gets the newest state, with all that has changed since', async () => {
  const book = await openBook();
  await book.assert('n(0).');
  const watch = book.watch('n(X)');
  await next(watch);
  for (let number = 1; number <= 20; number++) await book.assert(`n(${number}).`);
  await book.retract('n(0)');
  await pause(300);
  const state = await next(watch);
  assert.equal(state.answers.length, 20);
  assert.deepEqual([state.added.length, state.removed], [20, [{ X: 0 }]]);
  assert.equal(await next(watch, 200), 'none');
  await watch.return();
  await book.close();
});

test('a goal that cannot be asked yet has an error, and answers once it can', async () => {
  const book = await openBook();
  const watch = book.watch('later(X)');
  const first = await next(watch);
  assert.equal(first.error.kind, 'existence_error');
  await book.assert('later(1).');
  const second = await next(watch);
  assert.deepEqual([second.answers, second.error], [[{ X: 1 }], undefined]);
  const wrong = await next(book.watch('p('));
  assert.equal(wrong.error.kind, 'syntax_error');
  await book.close();
});

test('a signal ends it, and what the goal changes is undone', async () => {
  const book = await openBook();
  await book.assert('p(1).', ':- dynamic seen/1.');
  const ending = new AbortController();
  const watch = book.watch('p(X), assertz(seen(X))', { signal: ending.signal });
  assert.deepEqual((await next(watch)).answers, [{ X: 1 }]);
  assert.deepEqual(await book.all('seen(X)'), []);
  ending.abort();
  await assert.rejects(next(watch), { name: 'AbortError' });
  await book.close();
});

test('a thousand goals are watched, and a change is told to those that see it', async () => {
  const book = await openBook();
  await book.assert(Array.from({ length: 1000 }, (_, index) => `t${index}(0).`));
  const heard = new Map();
  const watches = Array.from({ length: 1000 }, async (_, index) => {
    for await (const { answers } of book.watch(`t${index}(X)`)) heard.set(index, answers.length);
  });
  while (heard.size < 1000) await pause(20);
  heard.clear();
  await book.assert('t7(1).', 't500(1).', 't999(1).');
  while (heard.size < 3) await pause(1);
  await pause(100);
  assert.deepEqual([...heard].sort(), [
    [500, 2],
    [7, 2],
    [999, 2],
  ]);
  await book.close();
  await Promise.all(watches);
});

test('a client of MCP reads a query as a resource, and hears when its answers change', async () => {
  const server = await Server.start({});
  const uri = `prolog://query/${encodeURIComponent('p(X), X > 1')}`;
  const { resourceTemplates } = await server.request('resources/templates/list', {});
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ['prolog://query/{goal}'],
  );
  const read = async () => (await server.request('resources/read', { uri })).contents[0].text;
  await server.call('clauses', { operation: 'assert', clauses: ['p(1).', 'p(2).'] });
  assert.equal(await read(), 'Solution: X = 2');
  await server.request('resources/subscribe', { uri });
  // Until its answers are known for the first time, any change that it can see is told: better once too often.
  for (let reads = 0; reads < 3; reads += 1) await read();
  await pause(300);
  const updates = () =>
    server.notifications.filter(
      ({ method, params }) => method === 'notifications/resources/updated' && params.uri === uri,
    ).length;
  await server.call('clauses', { operation: 'assert', clauses: ['p(0).', 'q(1).'] });
  await pause(300);
  assert.equal(updates(), 0);
  await server.call('query_start', { query: 'assertz(p(3))', take: 1 });
  await pause(300);
  assert.equal(updates(), 1);
  assert.equal(await read(), 'Solution: X = 2\nSolution: X = 3');
  await server.request('resources/unsubscribe', { uri });
  await server.call('clauses', { operation: 'assert', clauses: ['p(4).'] });
  await pause(300);
  assert.equal(updates(), 1);
  await server.close();
});

test('hornbook ask --watch prints what comes and goes as another process writes', async () => {
  const path = join(directory(), 'watched.book');
  const writer = await openBook({ path });
  await writer.assert('p(1).', 'p(2).');
  const asking = spawn(process.execPath, [BIN, 'ask', '--book', path, 'p(X)', '--watch']);
  let said = '';
  asking.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const until = async (text) => {
    for (let waited = 0; !said.includes(text); waited += 20) {
      assert.ok(waited < 20_000, said);
      await pause(20);
    }
  };
  await until('X = 2.');
  await writer.assert('q(1).', 'p(3).');
  await until('+ X = 3.');
  await writer.retract('p(1)');
  await until('- X = 1.');
  assert.equal(said, 'X = 1.\nX = 2.\n+ X = 3.\n- X = 1.\n');
  asking.kill();
  await writer.close();
});
