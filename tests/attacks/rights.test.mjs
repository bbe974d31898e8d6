// Who may change what: a client that the rules of a book bind tries every door, and nothing beyond its rights changes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from '../../pkg/client.js';
import { openBook } from '../../pkg/index.js';
import { openHornbook } from '../../pkg/node.js';
import { Serving } from '../support/serve.mjs';
import { asked, DOORS, RIGHTS, SHOP } from './doors.mjs';

const PRICES = 'findall(A-B, price(A, B), L), catch(findall(A-B, may_change(A, B), M), _, true)';
const TOOLS = ['prolog', 'dml', 'memory', 'workflow'];
/** What the client may change, as lines of a snapshot. */
const OWN = /^(note\(.*|own\(.*|:- (initialization|include)\(.*|%.*|)$/;
/** What is refused by something else, or is carried out as far as it is allowed. */
const BESIDE = /in a file of its own|of its own that includes|query that (erases|tables)|loaded by a query|^(un|re)do/;

/** What a book holds besides that; `call` is that of a client that may read. */
async function kept(call) {
  const snapshot = await call('workspace', { operation: 'snapshot' });
  return {
    clauses: snapshot.split('\n').filter((line) => !OWN.test(line)),
    engine: await call('query_start', { query: PRICES, take: 1, query_id: 'prices' }),
    files: (await call('files', { operation: 'list' })).split('\n').filter((line) => !/eve\.pl|^Imported/.test(line)),
    memory: await call('kn_experience', { action: 'search', text: 'tea doors' }),
    runs: await call('workflow_runs', {}),
  };
}

const open = () => openHornbook({ tools: TOOLS, dmlBook: 'write' }, () => {});

/** Calls tools in the name of a client. */
const caller = (client) => async (tool, values) =>
  (await client.callTool(tool, asked(tool, values)).catch((error) => ({ text: error.message }))).text;

describe('a client that the rules of a book bind', () => {
  let book;
  let owner;
  let eve;
  before(async () => {
    book = await open();
    owner = caller(new Client(book.hornbook, 'owner').asHost());
    eve = caller(new Client(book.hornbook, 'eve'));
    for (const [tool, values] of [...SHOP, RIGHTS]) await owner(tool, values);
  });
  after(() => book.close());

  for (const [door, steps] of Object.entries(DOORS)) {
    test(`is refused ${door}`, async () => {
      const begun = await kept(owner);
      let last = '';
      for (const [tool, values] of steps) last = await eve(tool, values);
      assert.deepEqual(await kept(owner), begun);
      assert.deepEqual(await book.hornbook.differences(), []);
      if (!BESIDE.test(door)) assert.match(last, /may not change|rights\.pl/);
    });
  }

  test('is told which rule it is', async () => {
    assert.match(
      await eve('query_start', { query: 'assertz(price(door, 7))' }),
      /eve may not change price\/2, and nothing was changed\. What it may change: `may_change\(eve, \[note\/2, file\('eve\.pl'\)\]\)` \(rights\.pl:1\)\./,
    );
    const zoe = caller(new Client(book.hornbook, 'zoe'));
    assert.match(await zoe('clauses', { operation: 'assert', clauses: ['note(z, 1).'] }), /\(rights\.pl:2\)/);
    const joe = caller(new Client(book.hornbook, 'joe'));
    const refused = await joe('clauses', { operation: 'assert', clauses: ['note(z, 1).'] });
    assert.match(refused, /joe may not change note\/2.*such as .*\(rights\.pl:1\), and none is about it/);
  });

  test('changes what it may, by every way', async () => {
    for (const [tool, values] of [
      ['clauses', { operation: 'assert', clauses: ['note(own, 1).'] }],
      ['clauses', { operation: 'replace', old: 'note(own, 1).', clauses: ['note(own, 2).'] }],
      ['clauses', { operation: 'replace', old: 'note(shop, open).', clauses: ['note(shop, closed).'] }],
      ['query_start', { query: 'retract(note(own, 2)), assertz(note(own, 3))' }],
      ['dml_run', { code: 'agent_main :- book:assertz(note(own, 4)), answer(done).' }],
      ['files', { operation: 'reload', filename: 'eve.pl', text: ':- dynamic(own/2).\nown(5).\n' }],
    ])
      assert.doesNotMatch(await eve(tool, values), /may not change|Error/, JSON.stringify(values));
    const found = await owner('query_start', { query: 'findall(A-B, note(A, B), L), own(X)' });
    assert.match(found, /own-3.*own-4/s);
    assert.match(found, /shop-closed/);
    assert.match(found, /X = 5/);
    assert.match(await eve('workspace', { operation: 'undo' }), /Undo|undone/i);
  });

  test('does not gain by a draft: the rules are those of the book', async () => {
    const served = await book.hornbook.draft('eve');
    const drafting = caller(new Client(served, 'eve'));
    const refused = await drafting('clauses', { operation: 'assert', clauses: ['price(door, 7).'] });
    assert.match(refused, /eve may not change price\/2/);
    await drafting('clauses', { operation: 'retract', clauses: ['may_change(zoe, price/2).'] });
    await drafting('clauses', { operation: 'assert', clauses: ['note(proposed, 1).'] });
    const { operations, added, removed } = await served.proposal();
    assert.equal(operations.length, 1);
    assert.deepEqual([added, removed], [[{ clause: 'note(proposed, 1).' }], []]);
    served.close();
  });

  test('closes no query of others by being refused', async () => {
    await owner('query_start', { query: 'member(X, [1, 2, 3])', take: 1, query_id: 'mine' });
    await eve('query_start', { query: 'assertz(price(door, 7))' });
    await eve('clauses', { operation: 'assert', clauses: ['price(door, 7).'] });
    assert.match(await owner('query_next', { query_id: 'mine', take: 1 }), /X = 2/);
  });
});

describe('over HTTP, a token', () => {
  const TOKENS = { owner: 'o'.repeat(20), eve: 'e'.repeat(20), joe: 'j'.repeat(20) };
  let folder;
  let server;
  const as = (who) => ({ headers: { Authorization: `Bearer ${TOKENS[who]}` } });
  const calls = (who, client) => async (tool, values) => {
    const called = server.call('a', tool, asked(tool, values), { ...as(who), client }).catch((error) => error);
    const { content, message } = await called;
    return content?.[0].text ?? message;
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hornbook-rights-'));
    const file = join(folder, 'tokens');
    writeFileSync(file, `${TOKENS.owner}\nwrite ${TOKENS.eve} eve\nwrite ${TOKENS.joe}\n`);
    server = await Serving.start(folder, ['--tools', TOOLS.join(','), '--dml-book', 'write', '--token-file', file]);
    const owner = calls('owner', 'owner');
    for (const [tool, values] of [...SHOP, RIGHTS]) await owner(tool, values);
  });
  after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });

  test('counts, and not the name that its client gives itself', async () => {
    const begun = await kept(calls('owner', 'owner'));
    for (const steps of Object.values(DOORS)) {
      for (const [tool, values] of steps) await calls('eve', 'zoe')(tool, values);
      for (const [tool, values] of steps) await calls('joe', 'eve')(tool, values);
    }
    assert.deepEqual(await kept(calls('owner', 'owner')), begun);
    const refused = await calls('joe', 'eve')('clauses', { operation: 'assert', clauses: ['note(a, 1).'] });
    assert.match(refused, /token-[0-9a-f]{16} may not change note\/2/);
    assert.match(await calls('eve', 'x')('clauses', { operation: 'assert', clauses: ['note(a, 1).'] }), /1\/1/);
  });

  test('that is bound writes nothing through the log', async () => {
    const begun = await kept(calls('owner', 'owner'));
    const book = await openBook({ path: `${server.url}/log/a`, token: TOKENS.eve });
    await assert.rejects(book.assert('price(door, 7).'), /eve may not change the book through its log/);
    await assert.rejects(book.assert('note(log, 1).'), /may_change\(eve, .*\(rights\.pl:1\)/);
    await book.close();
    const own = await openBook({ path: `${server.url}/log/a`, token: TOKENS.owner });
    await own.assert('note(log, 2).');
    await own.close();
    assert.deepEqual(await kept(calls('owner', 'owner')), begun);
    assert.match(await calls('eve', 'x')('query_start', { query: 'note(log, X)' }), /X = 2/);
  });

  test('that is bound by its scope, too', async () => {
    const owner = calls('owner', 'owner');
    await owner('clauses', { operation: 'assert', clauses: ['may_change(scope(write), hint/1).'] });
    assert.match(await calls('joe', 'x')('clauses', { operation: 'assert', clauses: ['hint(1).'] }), /1\/1/);
    assert.match(
      await calls('joe', 'x')('clauses', { operation: 'assert', clauses: ['note(1, 1).'] }),
      /may not change/,
    );
  });
});
