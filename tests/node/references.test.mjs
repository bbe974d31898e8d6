// References of clauses: each is of one clause, as long as it is in the book, and never of another one.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { BookServer } from '../support/book-server.mjs';
import { hornbook, newBooks } from '../support/command.mjs';
import { Process } from '../support/process.mjs';

const { newBook } = newBooks('references');

let server;
before(() => (server = new Process({})));
after(() => server.end());
beforeEach(() => server.call(0, 'workspace', { operation: 'reset' }));

const add = (...clauses) => server.call(0, 'clauses', { operation: 'assert', clauses });
const workspace = (operation, values) => server.call(0, 'workspace', { operation, ...values });
const ask = (query, more) => server.call(0, 'query_start', { query, take: 100, ...more });
/** The values of X, or the error. */
async function solve(query, more) {
  const { answers, error } = await ask(query, more);
  return error ? error.message : answers.map(({ X }) => X);
}

const USES = ['erase(R)', 'clause(_, _, R)', 'instance(R, _)', 'nth_clause(_, _, R)'];

const TAKEN_BACK = {
  'a query that fails': ['assertz(f(1), R), nb_setval(r, R), fail'],
  'a query that throws': ['asserta(f(1), R), nb_setval(r, R), throw(x)'],
  'a snapshot': ['snapshot((assertz(f(1), R))), nb_setval(r, R)'],
  'a transaction': ['\\+ transaction((assertz(f(1), R), nb_setval(r, R), fail))'],
  'what a query assumes': ['assertz(f(1), R), nb_setval(r, R)', { assume: ['g(1).'] }],
};
for (const [name, [query, more]] of Object.entries(TAKEN_BACK)) {
  for (const how of ['a query', 'a text']) {
    test(`the reference of a clause that goes with ${name} is not that of the next one, which ${how} adds`, async () => {
      await add('kept(1).');
      await ask(query, more);
      if (how === 'a text') await add('precious(1).', 'precious(2).');
      else await ask('assertz(precious(1)), assertz(precious(2)), asserta(precious(0))');
      const there = await solve('precious(X)');
      for (const use of USES) assert.deepEqual(await solve(`X = 1, nb_getval(r, R), ${use}`), [], use);
      assert.deepEqual(await solve('precious(X)'), there);
    });
  }
}

const CLAUSES = [
  'f(1).',
  'r(X, [Y|_]) :- s(X), \\+ t(Y), maplist(u(X), [Y]).',
  'd(_{zz_key: 1, aa_key: X}, X).',
  "m(\"text\", 'An atom', 1.5, 1r3, 0'a).",
  'h(X), X > 1 => s(X).',
  'w --> [a], w.',
];
const REFERENCES =
  'findall(R, (member(H, [f(_), r(_, _), d(_, _), m(_, _, _, _, _), h(_), w(_, _), many(_), late(_)]), clause(H, _, R)), X)';

test('a reference is the same in a new engine, after an undo and a redo, and beside the first engine', async () => {
  await add(...CLAUSES);
  await server.call(0, 'files', {
    operation: 'import',
    filename: 'many.pl',
    text: Array.from({ length: 300 }, (_, i) => `many(${i}).`).join('\n'),
  });
  await ask(
    'assertz(late(1)), assertz((late(X) :- r(X, [X]), call(late, X))), asserta(late(_{zz_other: 1, aa_other: 2}))',
  );
  const references = await solve(REFERENCES);
  assert.equal(references[0].match(/'\$clause'\(/g).length, CLAUSES.length + 303);
  server.endEngines();
  assert.deepEqual(await solve(REFERENCES), references);
  await workspace('undo', { steps: 2 });
  assert.equal((await solve(REFERENCES))[0].match(/'\$clause'\(/g).length, CLAUSES.length);
  await workspace('redo', { steps: 2 });
  assert.deepEqual(await solve(REFERENCES), references);
  const long = ask('between(1, inf, X), X < 0', { timeout_ms: 4000 });
  const beside = await server.call(1, 'query_start', { query: REFERENCES, take: 1 });
  assert.deepEqual(
    beside.answers.map(({ X }) => X),
    references,
  );
  await long;
});

test('the reference of a clause that was undone is not that of one that comes then', async () => {
  const [reference] = await solve('assertz(f(1), X)');
  await workspace('undo', { steps: 1 });
  await ask('assertz(g(1))');
  await add('h(1).');
  server.endEngines();
  assert.deepEqual(await solve(`X = 1, erase(${reference})`), []);
  assert.deepEqual(await solve('g(X)'), ['1']);
});

test('a reference from a draft that was not accepted is of no clause of the book', async () => {
  const book = newBook();
  const other = new BookServer(book);
  await other.assert('kept(1).');
  const agent = new BookServer(book, '--review');
  try {
    const reference = (await agent.values('assertz(f(1), X)')).slice(1, -1);
    assert.match(reference, /^'\$clause'\(\d+, *\d+\)$/);
    assert.equal(await agent.values(`clause(f(X), true, ${reference})`), '[1]');
    await other.assert('g(1).', 'g(2).');
    assert.equal(await other.values(`X = 1, erase(${reference})`), '[]');
    assert.equal(await other.values('g(X)'), '[1,2]');
    assert.equal((await hornbook('review', book, 'agent', '--accept')).stderr, '');
    assert.equal(await other.values('f(X)'), '[1]');
    assert.equal(await other.values('g(X)'), '[1,2]');
  } finally {
    await Promise.all([agent.end(), other.end()]);
  }
});
