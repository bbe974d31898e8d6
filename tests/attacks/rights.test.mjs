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

describe('a client with the right to runs of workflows', () => {
  const WAITS = (goal) =>
    `name: w\nbook: true\nnodes:\n  - {name: h, language: prolog, run: "?- true.", goto: a}\n  - {name: a, language: prolog, interrupt: before, run: ${JSON.stringify(goal)}, goto: __end__}\n`;
  const TAKES = '?- assertz(may_change(eve, _)).';
  let book;
  let owner;
  let eve;
  let zoe;
  const begun = async (who, goal) => /[Rr]un (\w{16})/.exec(await who('workflow_run', { yaml: WAITS(goal) }))[1];
  const found = (goal) => owner('query_start', { query: goal, take: 1 });
  before(async () => {
    book = await open();
    owner = caller(new Client(book.hornbook, 'owner').asHost());
    eve = caller(new Client(book.hornbook, 'eve'));
    zoe = caller(new Client(book.hornbook, 'zoe'));
    for (const [tool, values] of SHOP) await owner(tool, values);
    const text = 'may_change(eve, [note/2, workflow]).\nmay_change(zoe, [note/2, price/2, workflow]).\n';
    await owner('files', { operation: 'import', filename: 'rights.pl', text });
  });
  after(() => book.close());

  test('leaves nothing in a run that somebody freer began', async () => {
    const run = await begun(owner, '?- assertz(price(owned, 1)).');
    const runs = await owner('workflow_runs', {});
    const details = await owner('workflow_runs', { run });
    for (const values of [
      { run, yaml: WAITS(TAKES) },
      { run, state: { x: 1 } },
      { run, files: { a: 'b' } },
      { run, from: 1, yaml: WAITS(TAKES) },
      { run },
    ])
      assert.match(await eve('workflow_resume', values), /may change more than eve; nothing was run/);
    assert.equal(await owner('workflow_runs', {}), runs);
    assert.equal(await owner('workflow_runs', { run }), details);
    assert.match(await owner('workflow_resume', { run }), /ended|complete|done|Final/i);
    assert.match(await found('price(owned, X)'), /X = 1/);
    assert.match(await found('\\+ may_change(eve, memory)'), /true/);
  });

  test('gives its own runs no rights of those who resume them', async () => {
    for (const person of [owner, zoe]) {
      const run = await begun(eve, TAKES);
      assert.match(await person('workflow_resume', { run }), /(eve|zoe) may not change who may change what/);
      const priced = await begun(eve, '?- assertz(note(eve, 1)).');
      const yaml = WAITS('?- assertz(price(eve, 1)).');
      assert.match(await person('workflow_resume', { run: priced, yaml }), /eve may not change price\/2/);
    }
    const uses = `name: w\nnodes:\n  - {name: a, interrupt: before, uses: clauses, with: {operation: assert, clauses: ["price(eve, 2)."]}, output: r, goto: __end__}\n`;
    const run = /[Rr]un (\w{16})/.exec(await eve('workflow_run', { yaml: uses }))[1];
    const resumed = await owner('workflow_resume', { run });
    assert.match(resumed, /eve may not change price\/2/);
    assert.match(await found('\\+ price(eve, _)'), /true/);
    assert.match(await found('\\+ may_change(eve, memory)'), /true/);
  });

  test('goes on with its own runs, and so does who may change as much', async () => {
    const own = await begun(eve, '?- assertz(price(eve, 3)).');
    await eve('workflow_resume', { run: own, yaml: WAITS('?- assertz(note(eve, 4)).') });
    assert.match(await found('note(eve, 4)'), /true/);
    const other = await begun(eve, '?- assertz(note(eve, 5)).');
    await zoe('workflow_resume', { run: other, state: { approved: true } });
    assert.match(await found('note(eve, 5)'), /true/);
    const freer = await begun(zoe, '?- true.');
    assert.match(await eve('workflow_resume', { run: freer }), /is that of zoe, who may change more than eve/);
  });

  test('is told of facts that let nobody change anything', async () => {
    const added = await owner('clauses', { operation: 'assert', clauses: ['may_change(pip, docments).'] });
    assert.match(added, /Warning: `may_change\(pip, docments\)\.?`: This lets nobody change anything/);
    const asserted = await owner('query_start', { query: "assertz(may_change(pip, [(dynamic)/1, 'note/2']))" });
    assert.doesNotMatch(asserted, /lets nobody/);
    const pip = caller(new Client(book.hornbook, 'pip'));
    assert.match(await pip('clauses', { operation: 'assert', clauses: [':- dynamic(new/3).'] }), /1\/1/);
    assert.match(await pip('clauses', { operation: 'assert', clauses: ['note(pip, 1).'] }), /1\/1/);
    const [problem] = await book.hornbook.check('ok(1).\nmay_change(X, [X]).\n');
    assert.equal(problem.kind, 'right');
  });

  test('declares nothing by the way of its file', async () => {
    await owner('clauses', { operation: 'assert', clauses: ["may_change(ned, file('ned.pl'))."] });
    const ned = caller(new Client(book.hornbook, 'ned'));
    await ned('files', { operation: 'import', filename: 'ned.pl', text: 'own(1).\nown(2).\n' });
    const refused = await ned('query_start', { query: 'retract(own(2)), dynamic(may_change/3), dynamic(zz/9)' });
    assert.match(refused, /ned may not change (may_change\/3|zz\/9)/);
    assert.match(await found('own(2)'), /true/);
    const text = ':- dynamic(own/1).\n:- dynamic(of_ned/2).\nown(3).\n';
    await ned('files', { operation: 'reload', filename: 'ned.pl', text });
    assert.match(await found('own(3), \\+ of_ned(_, _)'), /true/);
  });

  test('is accepted by rules for what it may change, and for what it does once there are rules', async () => {
    const served = await book.hornbook.draft('eve');
    const drafting = caller(new Client(served, 'eve'));
    const values = (...clauses) => ['clauses', { operation: 'assert', clauses }];
    await drafting(...values('note(old, 1).'));
    await owner(...values('accepts_proposal(added(_), _).'));
    await drafting(...values('price(eve, 6).'));
    await drafting(...values('note(new, 1).'));
    for (let tries = 0; tries < 60 && !/true/.test(await found('note(new, 1)')); tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.match(await found('note(new, 1)'), /true/);
    assert.match(await found('\\+ note(old, _), \\+ price(eve, 6)'), /true/);
    served.close();
  });

  test('has no say by rules about what it proposed while there was no rule about it', async () => {
    const served = await book.hornbook.draft('pat');
    const pat = caller(new Client(served, 'pat'));
    await owner('clauses', { operation: 'retract', clauses: ['accepts_proposal(added(_), _).'] });
    await owner('clauses', { operation: 'assert', clauses: ['may_change(pat, [note/2, price/2]).'] });
    await pat('clauses', { operation: 'assert', clauses: ['price(pat, 1).'] });
    await owner('clauses', { operation: 'retract', clauses: ['may_change(pat, [note/2, price/2]).'] });
    await owner('clauses', { operation: 'assert', clauses: ['accepts_proposal(added(_), _).'] });
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.match(await found('\\+ price(pat, _)'), /true/);
    assert.match(await pat('workspace', { operation: 'undo', all: true, steps: 50 }), /undone|may not change/i);
    served.close();
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
