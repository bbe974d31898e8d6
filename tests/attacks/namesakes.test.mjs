// A user predicate hides one of the system for a while, and a goal that was judged as a call of it outlives it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Process } from '../support/process.mjs';

/** Goals that are the user's own while the fact hides the system's predicate, and what they are called by. */
const GOALS = {
  'compile_aux_clauses/1': ['compile_aux_clauses(a)', 'compile_aux_clauses([knowledge_base:escaped(1)])'],
  'the same of a rule': ['compile_aux_clauses(a)', 'compile_aux_clauses([(knowledge_base:escaped(G) :- call(G))])'],
  '$set_source_module/2': ["'$set_source_module'(a, b)", "'$set_source_module'(_, system)"],
  'setenv/2': ['setenv(a, b)', 'setenv(hornbook_escaped, 1)'],
  'shell/1': ['shell(a)', 'shell(ls)'],
  'tmp_file/2': ['tmp_file(a, b)', 'tmp_file(x, _)'],
  'load_files/1': ['load_files(a)', "load_files('/etc/passwd')"],
  'forall/2': ['forall(a, b)', 'forall(true, system:assertz(system:escaped(1)))'],
  'ignore/1': ['ignore(a)', 'ignore(system:assertz(system:escaped(1)))'],
  'not/1': ['not(a)', 'not((system:assertz(system:escaped(1)), fail))'],
  'freeze/2': ['freeze(a, b)', 'freeze(1, system:assertz(system:escaped(1)))'],
  'findnsols/4': ['findnsols(a, b, c, d)', 'findnsols(1, x, system:assertz(system:escaped(1)), _)'],
  'with_output_to/2': ['with_output_to(a, b)', 'with_output_to(string(_), system:assertz(system:escaped(1)))'],
  'call_cleanup/2': ['call_cleanup(a, b)', 'call_cleanup(true, system:assertz(system:escaped(1)))'],
  'transaction/1': ['transaction(a)', 'transaction(system:assertz(system:escaped(1)))'],
  'call_dcg/3': ['call_dcg(a, b, c)', 'call_dcg({system:assertz(system:escaped(1))}, [], _)'],
  'recordz/2': ['recordz(a, b)', 'recordz(hb_declared, (=)/2), fail'],
};

/** How a name is the user's for a while: `hide` is the fact, `keep` what is done meanwhile. */
const WAYS = {
  'a snapshot': (hide, keep) => `snapshot((assertz(${hide}), ${keep}))`,
  'a transaction that fails': (hide, keep) =>
    `nb_setval(kept, none), ( transaction((assertz(${hide}), ${keep}, nb_setval(kept, Kept), fail)) ; true ), nb_getval(kept, Kept)`,
  'a transaction that throws': (hide, keep) =>
    `catch(transaction((assertz(${hide}), ${keep}, throw(kept(Kept)))), kept(Kept), true)`,
  'a snapshot in a transaction': (hide, keep) => `transaction(snapshot((assertz(${hide}), ${keep})))`,
  'a declaration': (hide, keep) => {
    const name = hide.slice(0, hide.indexOf('('));
    return `snapshot((dynamic(${name}/${hide.split(',').length}), ${keep}))`;
  },
};

/** What keeps the goal in `Kept`, and what calls it then. */
const HOLDERS = {
  'freeze/2': [(goal) => `X = freeze(Kept, (${goal})), call(X)`, 'Kept = 1'],
  'when/2': [(goal) => `X = when(nonvar(Kept), (${goal})), call(X)`, 'Kept = 1'],
  'a continuation': [(goal) => `X = reset((shift(a), (${goal})), a, Kept), call(X)`, 'call(Kept)'],
  'an engine': [(goal) => `X = engine_create(x, (${goal}), Kept), call(X)`, 'engine_next(Kept, _)'],
  'a solution': [(goal) => `X = freeze(Y, (${goal})), findall(Y, call(X), [Kept])`, 'Kept = 1'],
  'a ball': [(goal) => `X = freeze(Y, (${goal})), catch((call(X), throw(b(Y))), b(Kept), true)`, 'Kept = 1'],
  'a record': [(goal) => `X = freeze(Kept, (${goal})), call(X), recordz(k, Kept)`, 'recorded(k, V), V = 1'],
  'a global variable': [(goal) => `X = freeze(Kept, (${goal})), call(X), b_setval(g, Kept)`, 'b_getval(g, V), V = 1'],
  'a lambda': [(goal) => `Kept = [Y]>>(Y == 1 -> true ; ${goal}), maplist(Kept, [1])`, 'maplist(Kept, [2])'],
  'a depth limit': [(goal) => `X = freeze(Kept, call_with_depth_limit((${goal}), 10, _)), call(X)`, 'Kept = 1'],
  'an inner goal': [(goal) => `X = freeze(Kept, catch(findall(x, (${goal}), [_]), no, true)), call(X)`, 'Kept = 1'],
};

describe('a goal that was judged as a call of the user’s own predicate', () => {
  let server;
  const ask = (query) => server.call(0, 'query_start', { query, take: 1 }).catch((error) => ({ error: error.message }));
  const harmless = async (reply, what) => {
    assert.doesNotMatch(JSON.stringify(reply), /it ran/, what);
    assert.doesNotMatch(JSON.stringify(await ask('escaped(X)')), /"X":/, what);
  };

  before(async () => {
    server = new Process({ roots: [] });
    await server.call(0, 'clauses', {
      operation: 'assert',
      clauses: ['canary(alive).', 'all(L) :- forall(member(X, L), not(X = a)).'],
    });
  });
  after(() => server.child.kill('SIGKILL'));

  for (const [way, within] of Object.entries(WAYS)) {
    for (const [holder, [keep, call]] of Object.entries(HOLDERS)) {
      test(`does not run as the system's after ${way}, from ${holder}`, async () => {
        for (const [name, [hide, goal]] of Object.entries(GOALS)) {
          await harmless(await ask(`${within(hide, keep(goal))}, ${call}, Done = 'it ran'`), name);
        }
        assert.deepEqual(await server.differences(), []);
      });
    }
  }

  for (const end of ['fail', 'throw(stop)', 'X = 1, X = 2', 'atom_length(_, _)']) {
    test(`does not run as the system's in the next query, after one that was taken back by ${end}`, async () => {
      for (const [name, [hide, goal]] of Object.entries(GOALS)) {
        for (const keep of [
          `X = freeze(V, (${goal})), call(X), recordz(k, V)`,
          `X = reset((shift(a), (${goal})), a, C), call(X), recordz(c, C)`,
          `X = reset((shift(a), (${goal})), a, C), call(X), nb_setval(c, C)`,
        ]) {
          await ask(`assertz(${hide}), ${keep.replaceAll('X', 'Z')}, ${end}`);
        }
        await harmless(await ask("recorded(k, V, R), erase(R), V = 1, Done = 'it ran'"), name);
        await harmless(await ask("recorded(c, C, R), erase(R), call(C), Done = 'it ran'"), name);
        await harmless(await ask("nb_getval(c, C), call(C), Done = 'it ran'"), name);
      }
      assert.deepEqual(await server.differences(), []);
    });
  }

  test("does not run as the system's in the next query, after one that assumed the predicate", async () => {
    for (const [name, hide, goal] of [
      ['transaction/1', 'transaction(a)', 'transaction(system:assertz(system:escaped(1)))'],
      ['recordz/2', 'recordz(a, b)', 'recordz(hb_declared, (=)/2)'],
      [
        'engine_create/3',
        'engine_create(a, b, c)',
        'engine_create(x, system:assertz(system:escaped(1)), E), engine_next(E, _)',
      ],
    ]) {
      const query = `Z = freeze(V, (${goal})), call(Z), recorda(k, V)`;
      const assumed = await server.call(0, 'query_start', { query, assume: [`${hide}.`], take: 1 });
      assert.equal(assumed.answers?.length, 1, JSON.stringify(assumed));
      const next = await ask('recorded(k, V, R), erase(R), V = 1');
      assert.doesNotMatch(JSON.stringify(await ask('escaped(X)')), /"X":/, name);
      if (name === 'recordz/2') assert.match(JSON.stringify(next), /"V":"1"/);
      else assert.match(JSON.stringify(next), /sandbox/, name);
    }
    assert.deepEqual(await server.differences(), []);
  });

  test("does not run as the system's when a limit of inferences cuts off what takes the predicate back", async () => {
    const within =
      'snapshot((assertz(compile_aux_clauses(a)), X = freeze(V, compile_aux_clauses([knowledge_base:escaped(1)])), call(X), recordz(N, V)))';
    const call = 'forall(recorded(N, W), catch(ignore(W = 1), _, true))';
    const reply = await ask(
      `forall(between(1, 500, N), (catch(call_with_inference_limit(${within}, N, _), _, true), ${call}))`,
    );
    assert.equal(reply.answers?.length, 1, JSON.stringify(reply));
    assert.equal(reply.changes, undefined);
    assert.doesNotMatch(JSON.stringify(await ask('escaped(X)')), /"X":/);
    assert.deepEqual(await server.differences(), []);
  });

  test('leaves the system’s predicates as they are for what is written later, and for the clauses of the book', async () => {
    for (const query of [
      'all([b]), \\+ all([a])',
      'forall(member(X, [1, 2]), X > 0), not(fail), ignore(fail)',
      'findnsols(1, X, member(X, [1]), [1])',
      'freeze(V, W = 1), V = 1, W == 1',
      'call_with_depth_limit(ignore(true), 10, _)',
      'transaction(true), call_dcg([a], [a], []), with_output_to(string(S), write(a)), S == "a"',
      'canary(alive)',
    ]) {
      const reply = await ask(`${query}, Done = right`);
      assert.match(JSON.stringify(reply), /"Done":"right"/, query);
    }
  });

  test('is an error in the clauses of the book until the query ends, if the predicate takes goals', async () => {
    await server.call(0, 'clauses', { operation: 'assert', clauses: ['vars(Vs) :- call_residue_vars(true, Vs).'] });
    const reply = await ask('snapshot(assertz(call_residue_vars(a, b))), vars(_)');
    assert.match(JSON.stringify(reply), /For a while call_residue_vars\/2 was a predicate of the query's own/);
    assert.equal((await ask('vars(_)')).answers?.length, 1);
  });

  test('is its own as long as that is there', async () => {
    const reply = await ask('snapshot((assertz(setenv(a, b)), X = freeze(V, setenv(Y, b)), call(X), V = 1)), Done = Y');
    assert.match(JSON.stringify(reply), /"Done":"a"/);
  });
});

describe('a name that SWI-Prolog compiles in a body, whatever the book defines', () => {
  let server;
  const ask = (query, more) =>
    server.call(0, 'query_start', { query, take: 1, ...more }).catch((error) => ({ error: error.message }));
  const HEADS = {
    '$(a)': '($)/1',
    '($)': '($)/0',
    'string(a)': 'string/1',
    'rational(a)': 'rational/1',
    'phrase(a, b)': 'phrase/2',
  };
  const GOAL = '$(system:assertz(system:escaped(1)))';

  before(async () => {
    server = new Process({ roots: [] });
    await server.call(0, 'clauses', { operation: 'assert', clauses: ['canary(alive).'] });
  });
  after(() => server.child.kill('SIGKILL'));

  const nothing = async (what) => {
    for (const goal of [GOAL, `X = (${GOAL}), call(X)`, `call($, system:assertz(system:escaped(1)))`]) {
      assert.doesNotMatch(JSON.stringify(await ask(`${goal}, Done = 'it ran'`)), /it ran/, what);
    }
    assert.doesNotMatch(JSON.stringify(await ask('escaped(X)')), /"X":/, what);
    assert.equal((await ask('$(canary(alive)), string("s"), rational(1), phrase([a], [a])')).answers?.length, 1, what);
    assert.deepEqual(await server.differences(), [], what);
  };

  for (const [head, indicator] of Object.entries(HEADS)) {
    test(`is not defined as ${indicator}: by a clause, a file, a declaration or a query`, async () => {
      for (const clause of [`${head}.`, `${head} :- canary(_).`]) {
        const asserted = await server.call(0, 'clauses', { operation: 'assert', clauses: [clause] }).catch(String);
        assert.match(JSON.stringify(asserted), /built in/, clause);
        const imported = await server
          .call(0, 'files', { operation: 'import', filename: 'names.pl', text: `other.\n${clause}\n` })
          .catch(String);
        assert.match(JSON.stringify(imported), /built in/, clause);
        await server.call(0, 'files', { operation: 'unimport', filename: 'names.pl' }).catch(String);
        assert.match(JSON.stringify(await ask(GOAL, { assume: [clause] })), /built in/, clause);
      }
      await server
        .call(0, 'clauses', { operation: 'assert', clauses: [`:- dynamic(${indicator}).`, `:- table(${indicator}).`] })
        .catch(String);
      await nothing(`a declaration of ${indicator}`);
      for (const way of Object.values(WAYS)) {
        for (const [keep, call] of Object.values(HOLDERS)) {
          const query = `${way(head, keep(GOAL))}, ${call}, Done = 'it ran'`;
          assert.doesNotMatch(JSON.stringify(await ask(query)), /it ran/, query);
        }
      }
      await ask(`assertz(${head}), X = freeze(V, (${GOAL})), call(X), recordz(k, V)`);
      await ask('recorded(k, V, R), erase(R), V = 1');
      await nothing(`changes of queries to ${indicator}`);
    });
  }
});

describe('a file that defines a name of the system', () => {
  let server;
  before(() => {
    server = new Process({ roots: [] });
  });
  after(() => server.child.kill('SIGKILL'));

  for (const [text, goal] of Object.entries({
    'public(ann).': 'public(_)',
    'shell(a).': 'shell(ls)',
    'setenv(a, b).': 'setenv(hornbook_escaped, 1)',
    'ignore(a).': 'ignore(system:assertz(system:escaped(1)))',
    'append(a, b, c).': 'append(_, _, escaped)',
    'compile_aux_clauses(a).': 'compile_aux_clauses([knowledge_base:escaped(1)])',
  })) {
    test(`is unimported: ${text}`, async () => {
      await server.call(0, 'files', { operation: 'import', filename: 'system.pl', text });
      const asked = `member(X, [1, 2]), (X == 1 -> true ; ${goal}, Done = 'it ran')`;
      const open = await server.call(0, 'query_start', { query: asked, query_id: 'open', take: 1 });
      assert.equal(open.answers?.length, 1);
      const gone = await server.call(0, 'files', { operation: 'unimport', filename: 'system.pl' });
      assert.equal(gone.clausesRemoved, 1, JSON.stringify(gone));
      const next = await server.call(0, 'query_next', { query_id: 'open', take: 1 }).catch(String);
      await server.call(0, 'query_close', { query_id: 'open' }).catch(String);
      assert.doesNotMatch(JSON.stringify(next), /it ran/);
      const left = await server.call(0, 'query_start', { query: 'escaped(X)', take: 1 }).catch(String);
      assert.doesNotMatch(JSON.stringify(left), /"X":/);
      assert.deepEqual(await server.differences(), []);
      const builtin = "ignore(fail), append([1], [2], [1, 2]), Done = 'it ran'";
      assert.equal((await server.call(0, 'query_start', { query: builtin, take: 1 })).answers?.length, 1);
    });
  }
});
