// Workflow runs that wait for a time or a signal in a served book go on by themselves, also after a restart.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHornbook } from '../../pkg/node.js';
import { Alarms } from '../../pkg/serve/alarms.js';
import { Workflow } from '../../pkg/workflow.js';
import { Serving } from '../support/serve.mjs';
import { BIN } from '../support/stdio.mjs';
import { Server, directory } from './harness.mjs';

const TOOLS = ['--tools', 'prolog,workflow'];
const LATER = (wait) => `
name: reminder
language: prolog
nodes:
- {name: remind, wait: ${wait}, book: true, run: "assertz(reminded)."}
`;
const SLOW = `
name: slow
language: prolog
nodes:
- {name: work, wait: 1s, run: "sleep(3), return(n, 1)."}
- {name: done, book: true, run: "assertz(reminded)."}
`;
const PAYS = `
name: dunning
language: prolog
state_schema: { payment: { type: dict, members: { sum: float } } }
nodes:
- {name: paid, wait: {signal: payment}, book: true, run: "state(payment, P), get_dict(sum, P, S), assertz(paid(S))."}
`;
const ASKS_AND_WAITS = `
name: both
language: prolog
nodes:
- {name: s, run: "return(v, 1)."}
- {name: p, interrupt: before, book: true, run: "assertz(approved)."}
- {name: q, wait: 1s, book: true, run: "assertz(timed)."}
- {name: join}
edges:
- {from: s, to: p, type: parallel, fan_in: join}
- {from: s, to: q, type: parallel, fan_in: join}
`;

const folder = directory();
after(() => rmSync(folder, { recursive: true }));

const begun = async (server, book, yaml) => (await server.call(book, 'workflow_run', { yaml })).structuredContent.run;
const status = async (server, book, run) =>
  (await server.call(book, 'workflow_runs', { run })).structuredContent.status;
const holds = async (server, book, goal) =>
  (await server.call(book, 'query_start', { query: goal, take: 2 })).structuredContent.answers?.length > 0;

test('a run that waits for a time goes on while the server runs, and after it was started again', async () => {
  const first = await Serving.start(folder, TOOLS);
  await first.assert('a', ':- dynamic reminded/0.');
  const soon = await begun(first, 'a', LATER('1s'));
  await first.event('run_woken', ({ book, run }) => book === 'a' && run === soon);
  assert.equal(await status(first, 'a', soon), 'ended');
  assert.equal(await holds(first, 'a', 'reminded'), true);
  const later = await begun(first, 'b', LATER('4s'));
  await first.stop();
  const second = await Serving.start(folder, TOOLS);
  // Nobody uses the book: the server opens it by itself.
  await second.event('run_woken', ({ book, run }) => book === 'b' && run === later);
  assert.equal(await status(second, 'b', later), 'ended');
  await second.stop();
});

test('a book that was closed for being idle is opened when a run in it is due', async () => {
  const server = await Serving.start(folder, [...TOOLS, '--idle', '1']);
  const run = await begun(server, 'c', LATER('6s'));
  await server.event('book_closed', ({ book }) => book === 'c');
  await server.event('run_woken', ({ book, run: woken }) => book === 'c' && woken === run);
  assert.equal(await status(server, 'c', run), 'ended');
  await server.stop();
});

test('runs that are due at once in more books than may be open all go on', async () => {
  const server = await Serving.start(folder, [...TOOLS, '--open-books', '2']);
  const at = new Date(Date.now() + 12_000).toISOString();
  const runs = [];
  for (const book of ['m1', 'm2', 'm3', 'm4']) runs.push([book, await begun(server, book, LATER(`"${at}"`))]);
  for (const [book, run] of runs) await server.event('run_woken', (woken) => woken.book === book && woken.run === run);
  for (const [book, run] of runs) assert.equal(await status(server, book, run), 'ended');
  await server.stop();
});

test('a run whose book is closed for another client while it goes on is taken up again', async () => {
  const server = await Serving.start(folder, [...TOOLS, '--open-books', '1']);
  const run = await begun(server, 'cut', SLOW);
  while ((await status(server, 'cut', run)) === 'waiting') await sleep(50);
  await server.call('other', 'query_start', { query: 'true' });
  await server.event('book_closed', ({ book }) => book === 'cut');
  await server.event('run_woken', ({ book, run: woken }) => book === 'cut' && woken === run);
  assert.equal(await status(server, 'cut', run), 'ended');
  await server.stop();
});

test('the run of a program, which has other means, is left to it', async () => {
  const open = (name) => openHornbook({}, () => {}, join(folder, `${name}.book`));
  const [own, stock] = [await open('own'), await open('stock')];
  const yaml = 'language: prolog\nnodes:\n- {name: a, wait: 1s, book: stock, run: "assertz(moved)."}\n';
  const load = () => Workflow.load(yaml, { book: own.hornbook, books: { stock: stock.hornbook } });
  const workflow = await load();
  for await (const _ of workflow.run({}, { run: 'theirs' }));
  workflow.close();
  await own.close();
  await stock.close();
  const server = await Serving.start(folder, TOOLS);
  await server.assert('own', ':- dynamic moved/0, reminded/0.');
  // One that is due later goes on.
  const run = await begun(server, 'own', LATER('3s'));
  await server.event('run_woken', ({ book, run: woken }) => book === 'own' && woken === run);
  assert.equal(await status(server, 'own', 'theirs'), 'waiting');
  assert.equal(await holds(server, 'own', 'moved'), false);
  assert.ok(!server.events.some(({ run: woken }) => woken === 'theirs'));
  await server.stop();
});

test('what is no book in the folder is told, and the others are looked after', async () => {
  mkdirSync(join(folder, 'aaa.book'));
  const first = await Serving.start(folder, TOOLS);
  const run = await begun(first, 'h', LATER('4s'));
  await first.stop();
  const second = await Serving.start(folder, TOOLS);
  await second.event('run_woken', ({ book, run: woken }) => book === 'h' && woken === run);
  const { error } = await second.event('book_failed', ({ book }) => book === 'aaa');
  assert.match(error, /EISDIR/);
  rmSync(join(folder, 'aaa.book'), { recursive: true });
  await second.stop();
});

test('an alarm goes by the clock, which may be set or go on while the machine sleeps', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(Date, 'now', () => now);
  const opened = [];
  const alarms = new Alarms(async (name) => opened.push(name));
  alarms.set('a', 86_400_000);
  t.mock.timers.tick(30_000);
  assert.deepEqual(opened, []);
  now = 86_400_000;
  t.mock.timers.tick(30_000);
  assert.deepEqual(opened, ['a']);
  alarms.stop();
});

test('a signal is checked by the schema, and the run goes on with it', async () => {
  const server = await Serving.start(folder, TOOLS);
  const run = await begun(server, 'd', PAYS);
  const refused = await server.call('d', 'workflow_resume', { run, signals: { payment: { sum: 'much' } } });
  assert.match(refused.content[0].text, /'sum' in 'payment' of the state must be a number, not a text/);
  const deep = JSON.parse('[1'.padStart(121, '[') + ']'.repeat(120));
  const nested = await server.call('d', 'workflow_resume', { run, signals: { payment: { sum: 1, deep } } });
  assert.match(nested.content[0].text, /'payment' nests deeper than 100 levels/);
  assert.equal(await status(server, 'd', run), 'waiting');
  const { structuredContent } = await server.call('d', 'workflow_resume', { run, signals: { payment: { sum: 40 } } });
  assert.equal(structuredContent.status, 'ended');
  assert.equal(await holds(server, 'd', 'paid(40)'), true);
  await server.stop();
});

test('a time that has come answers nothing that somebody is asked', async () => {
  const server = await Serving.start(folder, TOOLS);
  await server.assert('e', ':- dynamic approved/0, timed/0.');
  const run = await begun(server, 'e', ASKS_AND_WAITS);
  await server.event('run_woken', ({ book, run: woken }) => book === 'e' && woken === run);
  assert.equal(await status(server, 'e', run), 'waiting');
  assert.deepEqual([await holds(server, 'e', 'timed'), await holds(server, 'e', 'approved')], [true, false]);
  await server.stop();
});

test('what begins runs in a served book is followed by a process beside the server', async () => {
  const server = await Serving.start(folder, TOOLS);
  await server.assert('g', ':- dynamic shipped/1. order(1).');
  const file = join(folder, 'ship.yaml');
  writeFileSync(
    file,
    `
name: shipping
on: { goal: "order(Id), \\\\+ shipped(Id)" }
nodes:
- { name: ship, book: true, run: "state('Id', Id), assertz(shipped(Id))." }
`,
  );
  const follower = spawn(process.execPath, [BIN, 'flow', file, '--book', `${server.url}/log/g`, '--follow']);
  for (const id of [1, 2]) {
    if (id > 1) await server.assert('g', `order(${id}).`);
    while (!(await holds(server, 'g', `shipped(${id})`))) await sleep(200);
  }
  follower.kill();
  await once(follower, 'close');
  await server.stop();
});

test('a server on standard input and output goes on with the runs of its book', async () => {
  const args = [...TOOLS, '--book', `${folder}/f.book`];
  const first = await Server.start({ args });
  const { data } = await first.ok('workflow_run', { yaml: LATER('3s') });
  await first.close();
  const second = await Server.start({ args });
  let found;
  do {
    await sleep(200);
    found = (await second.ok('workflow_runs', { run: data.run })).data.status;
  } while (found === 'waiting' || found === 'running');
  assert.equal(found, 'ended');
  await second.close();
});
