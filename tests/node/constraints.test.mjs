// Constraints of a book: every change asks them, whoever makes it, and a new violation refuses it whole.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { Server, directory } from './harness.mjs';

const ONE_FATHER = ':- constraint((father(A, C), father(B, C), A @< B), "~w has two fathers: ~w and ~w"-[C, A, B]).';
const FAMILY = `father(tom, ann).\nfather(tom, bob).\n${ONE_FATHER}\n`;

let server;
before(async () => {
  server = await Server.start({ files: { 'family.pl': FAMILY, 'more.pl': 'father(bob, ann).\nfather(bob, joe).\n' } });
});
after(() => server.close());

/** A server with the family alone in its book. */
async function family() {
  await server.call('workspace', { operation: 'reset' });
  await server.call('files', { operation: 'import', filename: 'family.pl' });
}

const clauses = (operation, ...given) => server.call('clauses', { operation, clauses: given });
const ask = (query, more = {}) => server.call('query_start', { query, take: 10, ...more });
const listed = async () => (await server.call('workspace', { operation: 'list_symbols' })).data.constraints ?? [];
const fathers = async () => (await ask('findall(F-C, father(F, C), L)')).text.match(/L = (.*)/)[1];

test('a clause that violates a constraint is refused with its message, bindings and proof', async () => {
  await family();
  const before = await fathers();
  const refused = await clauses('assert', 'father(joe, eve).', 'father(bob, ann).');
  assert.equal(refused.data.error.kind, 'constraint_violation');
  assert.match(
    refused.text,
    /^Error: A constraint refuses this, and nothing was changed: ann has two fathers: bob and tom\n/,
  );
  assert.match(
    refused.text,
    /\n {2}A = bob, C = ann, B = tom\n {2}father\(bob,ann\)\n {2}father\(tom,ann\) {2}% \S*family.pl:1\n/,
  );
  assert.match(refused.text, /\nChange the data so that the constraint holds, or retract the constraint\.$/);
  assert.deepEqual(await fathers(), before);
  const history = await server.call('workspace', { operation: 'history' });
  assert.doesNotMatch(history.text, /assert/);
});

test('every way to change clauses asks the constraints', async () => {
  await family();
  const before = await fathers();
  for (const [tool, args] of [
    ['clauses', { operation: 'replace', old: 'father(tom, bob).', clauses: ['father(bob, ann).'] }],
    ['files', { operation: 'import', filename: 'more.pl' }],
    ['query_start', { query: 'assertz(father(bob, ann))', take: 1 }],
    ['query_start', { query: 'retract(father(tom, bob)), assertz(father(bob, ann))', take: 1 }],
    ['query_start', { query: 'forall(member(X, [a, b]), asserta(father(X, ann)))', take: 1 }],
  ]) {
    const refused = await server.call(tool, args);
    assert.match(refused.text, /ann has two fathers/, JSON.stringify(args));
    assert.deepEqual(await fathers(), before, JSON.stringify(args));
  }
  // The engine and the book still agree.
  assert.match((await clauses('replace', 'x')).text, /old/);
  assert.match((await ask('father(F, ann)')).text, /F = tom\nNo more/);
  assert.match((await clauses('assert', 'father(bob, joe).')).text, /1\/1 successful/);
});

test('what an initialization goal does is refused alone, and the file stays', async () => {
  await family();
  const done = await clauses('assert', 'q(1).', ':- initialization(assertz(father(bob, ann))).');
  assert.match(done.text, /ann has two fathers/);
  assert.match((await ask('q(X), \\+ father(bob, ann)')).text, /X = 1/);
});

test('a query whose change is refused ends, and its other changes stay', async () => {
  await family();
  const first = await ask('member(X, [c, ann, d]), assertz(father(new, X))', { take: 1 });
  assert.match(first.text, /X = c/);
  const refused = await server.call('query_next', {});
  assert.match(refused.text, /ann has two fathers/);
  assert.match((await server.call('query_next', {})).text, /a constraint refused what it changed/);
  assert.match((await ask('father(new, X)')).text, /X = c\nNo more/);
});

test('what was violated before does not block other work, and is listed', async () => {
  await server.call('workspace', { operation: 'reset' });
  await clauses('assert', 'father(a, x).', 'father(b, x).', 'father(c, y).');
  const added = await clauses('assert', ONE_FATHER);
  assert.match(added.text, /is violated already; it refuses new violations only: x has two fathers: a and b/);
  assert.match((await clauses('assert', 'father(c, z).')).text, /1\/1 successful/);
  assert.match((await clauses('assert', 'father(d, y).')).text, /y has two fathers: c and d/);
  assert.deepEqual(
    (await listed()).map(({ violated }) => violated),
    [['x has two fathers: a and b']],
  );
  await clauses('retract', 'father(b, x).');
  assert.deepEqual(
    (await listed()).map(({ violated }) => violated),
    [[]],
  );
  assert.match((await clauses('assert', 'father(b, x).')).text, /x has two fathers/);
});

test('a constraint may only warn', async () => {
  await family();
  await clauses('assert', ':- constraint(father(X, X), "~w is its own father"-[X], warn).');
  const warned = await clauses('assert', 'father(joe, joe).');
  assert.match(warned.text, /1\/1 successful\n.*Warning: joe is its own father/);
  assert.match((await ask('father(joe, joe)')).text, /true/);
});

test('a constraint sees what its rules see, also through call/N', async () => {
  await server.call('workspace', { operation: 'reset' });
  await clauses(
    'assert',
    ':- dynamic edge/2, node/1.',
    'path(X, Y) :- edge(X, Y).',
    'path(X, Y) :- edge(X, Z), path(Z, Y).',
    ':- table path/2.',
    'holds(G) :- call(G).',
    'bad(X) :- holds(path(X, X)).',
    ':- constraint(bad(X), "~w is in a circle"-[X]).',
  );
  assert.match((await clauses('assert', 'edge(a, b).', 'edge(b, c).')).text, /2\/2 successful/);
  assert.match((await clauses('assert', 'edge(c, a).')).text, /a is in a circle/);
  assert.match((await ask('path(a, X)')).text, /X = [bc]/);
  // A change of a rule alone may violate it.
  assert.match((await clauses('assert', 'edge(X, X) :- node(X).')).text, /1\/1 successful/);
  assert.match((await clauses('assert', 'node(z).')).text, /z is in a circle/);
});

test('removing what must be there is refused', async () => {
  await server.call('workspace', { operation: 'reset' });
  await clauses('assert', 'boss(ann).', ':- constraint(\\+ boss(_), "somebody is the boss").');
  assert.match((await clauses('retract', 'boss(ann).')).text, /somebody is the boss/);
  assert.match((await ask('retract(boss(ann))')).text, /somebody is the boss/);
  assert.match((await ask('retract(boss(ann)), assertz(boss(bob))')).text, /1 clause added, 1 removed/);
});

test('a constraint that errs or never ends refuses, and is named', async () => {
  await server.call('workspace', { operation: 'reset' });
  await clauses('assert', ':- dynamic n/1.', ':- constraint((n(X), X > 3), "too large"-[]).');
  const refused = await clauses('assert', 'n(a).');
  assert.match(refused.text, /changed: constraint\(\(n\(X\), X > 3\), "too large"-\[\]\) cannot be checked: .*a\/0/);
  assert.match((await ask('n(X)')).text, /No solutions/);
  const book = await openBook({ timeoutMs: 300 });
  await book.assert(':- dynamic n/1.', ':- constraint((n(1), repeat, fail), "never").');
  await assert.rejects(
    book.assert('n(1).'),
    /constraint\(\(n\(1\), repeat, fail\), "never"\) takes longer than 300 ms/,
  );
  assert.deepEqual(await book.all('n(X)'), []);
  await book.assert('n(2).');
  await book.close();
});

test('a constraint is retracted by its text and comes back with undo', async () => {
  await family();
  await clauses('assert', ':- constraint(father(X, X), "no ~w"-[X]).');
  assert.match((await clauses('retract', ':- constraint(father(X,X),"no ~w"-[X])')).text, /1\/1 successful/);
  assert.match((await clauses('assert', 'father(u, u).')).text, /1\/1 successful/);
  const undone = await server.call('workspace', { operation: 'undo', steps: 2 });
  assert.match(undone.text, /Undone: 2/);
  assert.match((await clauses('assert', 'father(u, u).')).text, /no u/);
});

test('undo is never refused, and warns of what it violates', async () => {
  await server.call('workspace', { operation: 'reset' });
  await clauses('assert', 'boss(ann).', 'boss(bob).');
  await clauses('assert', ':- constraint((boss(X), boss(Y), X @< Y), "two bosses: ~w, ~w"-[X, Y]).');
  await clauses('retract', 'boss(bob).');
  const undone = await server.call('workspace', { operation: 'undo' });
  assert.match(undone.text, /Undone: 1 operation[\s\S]*Warning: two bosses: ann, bob/);
  assert.match((await clauses('assert', 'boss(joe).')).text, /two bosses: ann, joe/);
});

test('a file read again keeps its constraint, and what violated it before', async () => {
  await server.call('workspace', { operation: 'reset' });
  const book = await openBook();
  await book.import('f.pl', 'p(1).\n:- constraint(p(X), "p of ~w"-[X]).\n');
  await book.import('f.pl', '% moved\np(1).\n:- constraint(p(X), "p of ~w"-[X]).\n');
  await assert.rejects(book.assert('p(2).'), { kind: 'constraint_violation', message: /p of 2/ });
  await assert.rejects(book.import('f.pl', 'p(1). p(3).\n:- constraint(p(X), "p of ~w"-[X]).\n'), /p of 3/);
  assert.deepEqual(await book.all('p(X)'), [{ X: 1 }]);
  await book.close();
});

test('a constraint in a book that is opened again refuses the first bad change, and lets old violations be', async () => {
  const path = join(directory(), 'kept.book');
  let book = await openBook({ path });
  await book.assert('p(1).', 'p(2).', 'q(1).', ':- constraint((p(X), \\+ q(X)), "no q for ~w"-[X]).');
  await book.close();
  book = await openBook({ path });
  await assert.rejects(book.assert('p(3).'), /no q for 3/);
  await book.assert('p(1).');
  await book.close();
  book = await openBook({ path });
  await book.assert('r(1).', 'p(1).');
  assert.deepEqual((await book.all('p(X)')).length, 4);
  assert.deepEqual(await book.all('r(X)'), [{ X: 1 }]);
  await assert.rejects(book.all('assertz(p(9))'), /no q for 9/);
  await book.close();
});

test('of two processes whose changes are each fine and together are not, the second is refused', async () => {
  const path = join(directory(), 'shared.book');
  const [one, two] = [await openBook({ path }), await openBook({ path })];
  await one.assert(
    ':- dynamic on_call/1.',
    ':- constraint((on_call(A), on_call(B), A @< B), "two are on call: ~w, ~w"-[A, B]).',
  );
  await two.all('on_call(_)');
  for (let round = 0; round < 10; round++) {
    const outcomes = await Promise.allSettled([one.assert(`on_call(a${round}).`), two.assert(`on_call(b${round}).`)]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const { reason } = outcomes.find(({ status }) => status === 'rejected');
    assert.match(reason.message, /two are on call/);
    assert.equal((await one.all('on_call(X)')).length, 1);
    await two.all('retractall(on_call(_))');
    await one.all('true');
  }
  await one.close();
  await two.close();
});

test('a rule that calls what data names is seen, by whatever way it calls it', async () => {
  for (const way of [
    'maplist(call, L)',
    'bagof(x, G, _)',
    'format(string(_), "~@", [G])',
    'foldl([A, S, S]>>call(A), L, 0, _)',
  ]) {
    const book = await openBook();
    await book.assert(':- dynamic p/1.', 'g([p(1)], p(1)).', `:- constraint((g(L, G), ${way}), "p of 1").`);
    await assert.rejects(book.assert('p(1).'), /p of 1/, way);
    await book.close();
  }
});

test('a constraint over a predicate that does not exist yet says so, and refuses its first bad fact', async () => {
  const lines = [];
  const book = await openBook({ log: (line) => lines.push(line) });
  await book.assert(':- constraint((mother(X, Y), mother(Z, Y), X @< Z), "~w has two mothers"-[Y]).');
  assert.match(lines.join('\n'), /Warning: constraint\(\(mother.*: Unknown procedure: mother\/2/);
  await book.assert('mother(a, x).');
  await assert.rejects(book.assert('mother(b, x).'), /x has two mothers/);
  await book.close();
});

test('a constraint that could not be checked does not block what mends it', async () => {
  const book = await openBook();
  await book.assert('n(a).', 'n(5).', ':- constraint((n(X), X > 3), "too large: ~w"-[X]).');
  await book.retract('n(a).');
  await assert.rejects(book.assert('n(7).'), /too large: 7/);
  await book.close();
});

test('more violations than are compared are refused if they are new, and may be removed', async () => {
  const many = Array.from({ length: 1100 }, (_, index) => `p(${index}).`);
  const book = await openBook();
  await book.assert(':- dynamic p/1.', ':- constraint(p(X), "p of ~w"-[X]).');
  await assert.rejects(book.assert(many), /changed: p of 0\n[\s\S]*\np of 10\n[\s\S]*\n… and at least 997 more/);
  assert.deepEqual(await book.all('p(X)'), []);
  await book.retract(':- constraint(p(X), "p of ~w"-[X]).');
  await book.assert(many);
  await book.assert(':- constraint(p(X), "p of ~w"-[X]).');
  await book.all('forall(between(0, 150, X), retract(p(X)))');
  await assert.rejects(book.assert('p(a).'), /p of a/);
  await book.close();
});

/** Random changes of a book with constraints, beside a model that checks each naively. */
test('random changes are accepted and refused as a naive model does', async () => {
  let seed = 7;
  const random = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const book = await openBook();
  await book.assert(
    ':- dynamic p/2, q/1.',
    'r(X) :- p(X, Y), q(Y).',
    ':- constraint((p(X, Y), p(X, Z), Y @< Z), "two for ~w"-[X]).',
    ':- constraint((r(X), q(X)), "both ~w"-[X]).',
    ':- constraint((findall(X, q(X), L), length(L, N), N > 4), "too many q"-[]).',
  );
  let facts = [];
  const violations = (facts) => {
    const p = facts.filter(([name]) => name === 'p');
    const q = facts.filter(([name]) => name === 'q').map(([, x]) => x);
    const found = new Set();
    for (const [, x, y] of p) for (const [, x2, z] of p) if (x === x2 && y < z) found.add(`two ${x}`);
    for (const [, x, y] of p) if (q.includes(y) && q.includes(x)) found.add(`both ${x}`);
    if (q.length > 4) found.add('many');
    return found;
  };
  const text = ([name, ...args]) => `${name}(${args.join(', ')})`;
  let [accepted, refused] = [0, 0];
  for (let step = 0; step < 300; step++) {
    const fact = random(2) === 0 ? ['p', random(4), random(4)] : ['q', random(6)];
    const goal = [];
    let next = facts;
    for (let count = 1 + random(2); count > 0; count--) {
      if (random(3) > 0) {
        goal.push(`assertz(${text(fact)})`);
        next = [...next, fact];
      } else if (next.length > 0) {
        const gone = next[random(next.length)];
        goal.push(`once(retract(${text(gone)}))`);
        const at = next.findIndex((one) => text(one) === text(gone));
        next = next.toSpliced(at, 1);
      }
    }
    const before = violations(facts);
    const bad = [...violations(next)].some((one) => !before.has(one));
    const done = await book.all(goal.join(', ') || 'true').then(
      () => true,
      (error) => {
        assert.equal(error.kind, 'constraint_violation', error.message);
        return false;
      },
    );
    assert.equal(done, !bad, `${goal}`);
    if (done) facts = next;
    done ? accepted++ : refused++;
    const there = await book.all('(p(X, Y), F = p(X, Y) ; q(X), F = q(X)), format(string(T), "~w", [F])');
    assert.deepEqual(there.map(({ T }) => T.replace(',', ', ')).sort(), facts.map(text).sort());
  }
  assert.ok(accepted > 50 && refused > 50, `${accepted} ${refused}`);
  await book.close();
});
