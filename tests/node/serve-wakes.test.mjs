// Workflow runs that wait for a time or a signal in a served book go on by themselves, also after a restart.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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

test('a signal is checked by the schema, and the run goes on with it', async () => {
  const server = await Serving.start(folder, TOOLS);
  const run = await begun(server, 'd', PAYS);
  const refused = await server.call('d', 'workflow_resume', { run, signals: { payment: { sum: 'much' } } });
  assert.match(refused.content[0].text, /'sum' in 'payment' of the state must be a number, not a text/);
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
