// The goals that a review compares: those that the agent has asked, and those of recorded traffic.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { ReviewDesk } from '../../pkg/book/desk.js';
import { openBook } from '../../pkg/index.js';
import { BookServer } from '../support/book-server.mjs';
import { BIN } from '../support/stdio.mjs';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-goals-')));
after(() => rmSync(directory, { recursive: true }));

const run = promisify(execFile);
const hornbook = (...args) =>
  run(process.execPath, [BIN, ...args]).catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }));

const query = (text, more = {}) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'query_start', arguments: { query: text, take: 9, ...more } },
  });

/** Whether it comes to be within ten seconds. */
async function soon(holds) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

test('what an agent asked while it drafted is compared for whoever decides, escaped, and runs in copies only', async () => {
  const path = join(directory, 'asked.book');
  const other = new BookServer(path);
  await other.assert('edge(a, b).', 'path(X, Y) :- edge(X, Y).', 'path(X, Y) :- edge(X, Z), path(Z, Y).');
  const agent = new BookServer(path, '--review');
  const ask = (text) => agent.text('query_start', { query: text, take: 9 });
  await ask('path(a, X)');
  await agent.assert('edge(b, c).');
  await ask("path(a, X), X \\== '\u001b[2J'");
  await ask('assertz(edge(c, d))');
  await ask('path(a');
  const proposal = async () => JSON.parse((await hornbook('review', path, '--json')).stdout);
  assert.ok(await soon(async () => (await proposal()).asked.length === 2));
  const told = await proposal();
  assert.deepEqual(told.asked, ['path(a, X)', "path(a, X), X \\== '\u001b[2J'"]);
  assert.deepEqual(
    told.consequences.map(({ goal, asked, gained }) => [goal, asked, gained.map(({ X }) => X)]),
    told.asked.map((goal) => [goal, true, ['c', 'd']]),
  );
  const { stdout } = await hornbook('review', path, '--goal', 'path(a, X).');
  assert.equal(stdout.split('\n?- path(a, X).').length, 2, 'what is named by hand is not compared twice');
  assert.match(stdout, /\n\?- path\(a, X\), X \\== '\\x1b\\\[2J'\. {3}% its client asked this\n\+ X = c\n/);
  assert.ok(!stdout.includes('\u001b'));
  assert.equal((await other.values('path(a, X)')).replaceAll(' ', ''), '[b]');
  const done = await hornbook('review', path, '--accept');
  assert.match(done.stdout, /2 operations accepted/);
  await agent.assert('edge(d, e).');
  assert.deepEqual((await proposal()).asked, [], 'a decision is about the goals before it');
  await Promise.all([agent.end(), other.end()]);
});

/** More goals than are kept at once. */
const MANY = Array.from({ length: 25 }, (_, number) => `p(${number}), p(X)`);

for (const [how, end] of [
  ['a signal', (agent) => agent.child.kill('SIGTERM')],
  ['the end of its input', (agent) => agent.child.stdin.end()],
])
  test(`what an agent asked last is kept when its process ends by ${how}`, async () => {
    const path = join(directory, `last ${how}.book`);
    const agent = new BookServer(path, '--review');
    await agent.assert('p(1).');
    for (const goal of MANY) await agent.text('query_start', { query: goal, take: 9 });
    end(agent);
    // It would write what was asked last within 30 seconds, and does not wait for that.
    const late = new Promise((resolve) => setTimeout(resolve, 20_000, 'it is still there').unref());
    assert.deepEqual(await Promise.race([agent.closed, late]), { code: 0, signal: null });
    const { asked } = JSON.parse((await hornbook('review', path, '--json')).stdout);
    assert.deepEqual(asked, MANY.slice(-20));
  });

test('what an agent asked last is kept when a program closes its draft', async () => {
  const path = join(directory, 'closed.book');
  const book = await openBook({ path });
  const draft = await book.draft('agent');
  const tools = await draft.book.tools({ client: 'agent' });
  const call = (name, values) => tools.find((tool) => tool.name === name).call(values);
  await call('clauses', { operation: 'assert', clauses: 'p(1).' });
  for (const query of MANY) await call('query_start', { query });
  await draft.close();
  const again = await book.draft('agent');
  assert.deepEqual((await again.proposal()).asked, MANY.slice(-20));
  await again.close();
  await book.close();
});

test('goals that take too long are left out, and this is said', async () => {
  const book = await openBook();
  await book.assert('p(1).');
  const draft = await book.draft('slow');
  const tools = await draft.book.tools({ client: 'slow' });
  const call = (name, values) => tools.find((tool) => tool.name === name).call(values);
  const endless = (number) => `p(${number}), repeat, fail`;
  for (let number = 0; number < 9; number += 1) await call('query_start', { query: endless(1 + number / 10) });
  for (let number = 0; number < 9; number += 1) await call('query_start', { query: `${endless(1)}, ${number} > 0` });
  await call('clauses', { operation: 'assert', clauses: 'p(2).' });
  await draft.proposal();
  const begun = performance.now();
  const found = await draft.consequencesOfAsked();
  assert.ok(performance.now() - begun < 20_000);
  assert.equal(found.length, 18);
  const leftOut = found.filter((one) => one.leftOut);
  assert.ok(leftOut.length >= 4 && leftOut.length < 9, `${leftOut.length} left out`);
  const desk = new ReviewDesk(book);
  const [named] = await desk.consequences({ draft: 'slow' }, ['p(X)']);
  assert.deepEqual([named.gained.map(({ texts }) => texts.X), named.asked], [['2'], undefined]);
  await desk.close();
  await draft.close();
  await book.close();
});

test('a recording of what clients sent is asked again before and after', async () => {
  const path = join(directory, 'traffic.book');
  const book = new BookServer(path);
  await book.assert('price(tea, 3).', 'cheap(X) :- price(X, P), P < 5.');
  const agent = new BookServer(path, '--review');
  await agent.assert('price(milk, 2).');
  const traffic = join(directory, 'traffic.jsonl');
  const lines = [
    JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }),
    query('cheap(X).'),
    query('price(tea, P)'),
    `[${query('cheap(X)')}, ${query('cheap(Y)', { assume: ['price(y, 1).'] })}]`,
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [] } }),
    JSON.stringify({ method: 'tools/call', params: { name: 'clauses', arguments: { query: 'nothing' } } }),
    JSON.stringify({ method: 'tools/call', params: null }),
    'null',
    query('assertz(evil(1))'),
    '{"method": "tools/call", "par',
  ];
  writeFileSync(traffic, lines.join('\n'));
  const { stdout } = await hornbook('review', path, '--goals', traffic);
  assert.match(stdout, /\n\?- cheap\(X\)\.\n\+ X = milk\n/);
  assert.match(stdout, /traffic\.jsonl has 4 queries, 3 of them different; 3 compared\.\n/);
  assert.doesNotMatch(stdout, /\?- price|cheap\(Y\)/);
  await hornbook('review', path, '--accept');
  const compared = await hornbook('diff', path, '2', '--goals', traffic);
  assert.match(compared.stdout, /\+ X = milk\n[\s\S]*4 queries, 3 of them different; 3 compared\.\n$/);
  assert.match(await book.text('workspace', { operation: 'snapshot' }), /price\(milk, 2\)/);
  assert.doesNotMatch(await book.text('workspace', { operation: 'snapshot' }), /evil/);
  writeFileSync(traffic, `${query('cheap(X)')}\ncheap(X)\n${query('cheap(X)')}\n`);
  const wrong = await hornbook('diff', path, '2', '--goals', traffic);
  assert.match(wrong.stderr, /traffic\.jsonl:2 is not JSON\./);
  writeFileSync(traffic, `${Array.from({ length: 700 }, (_, number) => query(`cheap(x${number})`)).join('\n')}\n`);
  const many = await hornbook('diff', path, '2', '--goals', traffic);
  assert.match(many.stdout, /700 queries, 700 of them different; 500 compared\./);
  await Promise.all([agent.end(), book.end()]);
});

test('goals that call what the host answers are not asked again, and this is said', async () => {
  const calls = [];
  const pay = (sum) => {
    calls.push(sum);
    return true;
  };
  const book = await openBook({ predicates: { 'pay/1': pay } });
  const draft = await book.draft('buyer');
  const tools = await draft.book.tools({ client: 'buyer' });
  const call = (name, values) => tools.find((tool) => tool.name === name).call(values);
  await call('clauses', { operation: 'assert', clauses: ['n(1).', 'bought(X) :- n(X), pay(X).'] });
  for (const query of ['bought(X)', 'n(X), nb_setval(left, X), flag(left, _, 7)'])
    await call('query_start', { query, take: 1 });
  assert.deepEqual(calls, [1]);
  await draft.proposal();
  const [bought, n] = await draft.consequencesOfAsked();
  assert.deepEqual(calls, [1]);
  assert.match(bought.errorAfter.message, /The host answers pay\/1, and only queries can ask it/);
  assert.deepEqual(
    n.gained.map(({ texts }) => texts.X),
    ['1'],
  );
  await draft.consequences(['bought(X)']);
  assert.deepEqual(calls, [1, 1], 'a person may ask it');
  await draft.close();
  await book.close();
});

test('proofs of many goals have one time limit, and those left out are named', async () => {
  const path = join(directory, 'proofs.book');
  const book = await openBook({ path });
  await book.assert('edge(a, b).');
  const draft = await book.draft('agent');
  const tools = await draft.book.tools({ client: 'agent' });
  const call = (name, values) => tools.find((tool) => tool.name === name).call(values);
  const clauses = ['w(1).', 'w(2).', 'w(3).', 'f(N, X) :- w(X), g(N).', 'g(0).', 'g(N) :- N > 0, M is N-1, g(M).'];
  await call('clauses', { operation: 'assert', clauses });
  for (let number = 0; number < 8; number += 1) await call('query_start', { query: `f(${200_000 + number}, X)` });
  await draft.close();
  await book.close();
  const begun = performance.now();
  const { stdout } = await hornbook('review', path);
  const ms = performance.now() - begun;
  assert.ok(ms < 60_000, `${ms} ms`);
  assert.match(stdout, /\n\?- f\(200006, X\)\. {3}% its client asked this\n\+ X = 1\n/);
  assert.match(stdout, /\n! Not proved, as the time for proofs was over:\n {2}\?- f\(/);
});

test('no name on the command line acts on the terminal', async () => {
  const name = join(directory, 'red\u001b[31m\nforged');
  writeFileSync(`${name}.jsonl`, `${query('p(X)')}\nno json\n${query('p(X)')}\n`);
  writeFileSync(`${name}.book`, 'no book');
  const path = join(directory, 'names.book');
  const book = await openBook({ path });
  await book.assert('p(1).');
  await book.close();
  for (const args of [
    ['diff', path, '1', '--goals', `${name}.jsonl`],
    ['diff', path, '1', '--goals', `${name}.none`],
    ['review', `${name}.book`],
    ['review', `${name}.none`],
    ['compact', `${name}.book`],
    ['check', `${name}.book`],
    ['ask', `${name}.pl`, 'true'],
    ['run', `${name}.dml`],
    ['flow', `${name}.yaml`],
    ['--book', `${name}.book`],
  ]) {
    const { stdout, stderr } = await hornbook(...args);
    const told = `${stdout}${stderr}`;
    assert.match(told, /red\\x1b\\\[31m/, `${args[0]}: ${told}`);
    assert.ok(!told.includes('\u001b'), args[0]);
  }
});
