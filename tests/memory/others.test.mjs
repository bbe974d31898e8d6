// The memory beside other books (crossref), and half-lives as options.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHornbook } from '../../pkg/node.js';
import { BIN, Server, directory } from '../node/harness.mjs';

const start = (folder, name, ...more) =>
  Server.start({ args: ['--tools', 'memory', '--book', join(folder, name), ...more] });
const learn = (server, content, type = 'solution') => server.ok('kn_intel', { action: 'learn', content, type });
const crossref = async (server, problem, more = {}) =>
  (await server.ok('kn_intel', { action: 'crossref', problem, ...more })).data;
const told = ({ results }) => results.map(({ workspace, content, description }) => [workspace, content ?? description]);

test('crossref searches the other books of a folder, even while they are in use, and changes none', async () => {
  const folder = directory();
  const shop = await start(folder, 'shop.book');
  await learn(shop, 'Retry payments with an idempotency key');
  const bank = await start(folder, 'bank.book');
  await learn(bank, 'Payments that time out are retried once');
  await bank.close();
  const before = readFileSync(join(folder, 'bank.book'));
  const mine = await start(folder, 'mine.book', '--other-books', folder);
  await learn(mine, 'Log each of the payments');

  const found = await crossref(mine, 'payments');
  assert.deepEqual(told(found), [
    ['bank', 'Payments that time out are retried once'],
    ['shop', 'Retry payments with an idempotency key'],
    ['default', 'Log each of the payments'],
  ]);
  assert.equal(found.total, 3);
  assert.equal(found.results.length, 3);
  // Paging treats all books as one.
  const pages = [];
  for (let offset = 0; offset < 3; offset += 2)
    pages.push(...(await crossref(mine, 'payments', { limit: 2, offset })).results);
  assert.deepEqual(pages, found.results);
  // What the others learn meanwhile is found.
  await learn(shop, 'Payments are settled at midnight');
  assert.deepEqual(
    told(await crossref(mine, 'midnight')).map(([workspace]) => workspace),
    ['shop'],
  );
  assert.deepEqual(readFileSync(join(folder, 'bank.book')), before);
  await shop.close();
  await mine.close();
});

test('a file that is not a book is reported, and the others are searched', async () => {
  const folder = directory();
  const other = await start(folder, 'other.book');
  await learn(other, 'Caches are warmed by a job');
  await other.close();
  writeFileSync(join(folder, 'broken.book'), 'no book at all\n');
  writeFileSync(join(folder, 'notes.txt'), 'caches');
  const mine = await start(directory(), 'mine.book', '--other-books', folder);
  const found = await crossref(mine, 'caches');
  assert.deepEqual(told(found), [['other', 'Caches are warmed by a job']]);
  assert.equal(found.unread, 1);
  assert.equal(found.unread_books[0].workspace, 'broken');
  assert.match(found.unread_books[0].why, /broken/);
  await mine.close();
});

test('half-lives are options', async () => {
  const server = await start(directory(), 'm.book', '--half-life', 'gotcha=10', '--half-life', 'pattern=0.5');
  const rate = async (type) =>
    (await server.ok('kn_experience', { action: 'save', content: `about ${type}`, type })).data.decay_rate;
  assert.deepEqual(
    [await rate('gotcha'), await rate('pattern'), await rate('solution')],
    [0.069315, 1.386294, 0.003466],
  );
  await server.close();
  const wrong = spawnSync(process.execPath, [BIN, '--half-life', 'gotcha=soon'], { encoding: 'utf8' });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /--half-life takes TYPE=DAYS, one of solution, pattern/);
  await assert.rejects(
    openHornbook({ halfLives: { hunch: 3 } }, () => {}),
    {
      message: "there is no type of experience 'hunch'; the types are: solution, pattern, decision, workaround, gotcha",
    },
  );
  await assert.rejects(
    openHornbook({ halfLives: { gotcha: 0 } }, () => {}),
    { message: 'the half-life of gotcha must be a number of days above 0, at most 1,000,000, not 0' },
  );
});
