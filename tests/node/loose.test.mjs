// Clauses that are in no file, made one: only where they mean the same, all of them or none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHornbook } from '../../pkg/node.js';

async function opened(t) {
  const { hornbook, close } = await openHornbook({}, () => {});
  t.after(close);
  return {
    hornbook,
    save: (name, text) => hornbook.save(name, text, hornbook.cancellation()),
    make: () => hornbook.saveLoose('asserted.pl', hornbook.cancellation(), hornbook.loose()),
    async ask(query) {
      const { answers } = await hornbook.queryStart(query, undefined, 20, undefined, hornbook.cancellation());
      return answers.map(({ bindings }) => bindings.map(([, value]) => value).join());
    },
  };
}

test('what was added by calls and by running code becomes a file, and all of it comes back with one undo', async (t) => {
  const { hornbook, make, ask } = await opened(t);
  await hornbook.assert(['% Who is how old.', 'age(ann, 14). /* soon 15 */', 'age(bob, 17).']);
  await ask("assertz(end_of_file), assertz(said('it''s', \"a\\nb\", 1r3)), assertz((old(P) :- age(P, A), A > 15))");
  const [before, loose] = [await ask('age(P, A)'), hornbook.loose()];
  assert.equal(hornbook.looseStays(), undefined);
  const { revision } = await hornbook.history(1);
  assert.equal((await make()).clausesAdded, 5);
  assert.equal((await hornbook.history(1)).revision, revision + 1);
  assert.deepEqual([await ask('age(P, A)'), await ask('old(P)')], [before, ['bob']]);
  assert.deepEqual([hornbook.loose(), hornbook.source('asserted.pl')], ['', `${loose}\n`]);
  await hornbook.undo(1, true);
  assert.deepEqual([hornbook.loose(), hornbook.source('asserted.pl')], [loose, undefined]);
  assert.deepEqual([await ask('age(P, A)'), await ask('old(P)')], [before, ['bob']]);
});

for (const { what, file = 'kept(1).\n', calls = [], queries = [], goal, why } of [
  {
    what: 'a clause before those of a file',
    file: ':- dynamic fee/2.\nfee(X, 10).\n',
    queries: ['asserta((fee(vip, 0) :- !))'],
    goal: 'fee(vip, F)',
    why: /base\.pl has clauses of fee\/2, too/,
  },
  {
    what: 'operators of one call',
    calls: [[':- op(200, xfy, -).', 'w(9-3-2).'], ['v(X) :- X is 9-3-2.']],
    goal: 'v(X)',
    why: /is a directive/,
  },
  {
    what: 'flags of one call',
    calls: [['t("ab").', ':- set_prolog_flag(double_quotes, codes).']],
    goal: 't(X)',
    why: /was added together with a directive/,
  },
  {
    what: 'what runs when it is loaded',
    calls: [[':- initialization(assertz(started(1))).', 'k(1).']],
    goal: 'findall(X, started(X), L)',
    why: /is a directive/,
  },
])
  test(`${what} stays as it is, and why is said`, async (t) => {
    const { hornbook, save, make, ask } = await opened(t);
    await save('base.pl', file);
    for (const texts of calls) await hornbook.assert(texts);
    for (const query of queries) await ask(query);
    const state = async () => [await ask(goal), hornbook.loose(), (await hornbook.history(1)).revision];
    const before = await state();
    await assert.rejects(make(), (error) => why.test(error.message) && error.kind === 'representation_error');
    assert.deepEqual(await state(), before);
    assert.equal(hornbook.source('asserted.pl'), undefined);
  });
