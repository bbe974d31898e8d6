// Values into a book and out of it: facts brought up to date by their key, long values in goals, answers that are exact,
// and answers that a schema checks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import {
  Atom,
  Float,
  HornbookError,
  Rational,
  Term,
  Variable,
  atom,
  fromJson,
  openBook,
  prolog,
  toJson,
} from '../../pkg/index.js';

async function opened(t, options) {
  const book = await openBook(options);
  t.after(() => book.close());
  return book;
}

const rejects = (promise, kind, message) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof HornbookError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, message);
    return true;
  });

test('upsert replaces the facts with a key, adds the others, and is one revision', async (t) => {
  const book = await opened(t);
  const first = await book.upsert(
    'price',
    [
      ['tea', 3],
      ['milk', 2],
      ["O'Hara", 1.5],
    ],
    { key: [0] },
  );
  assert.deepEqual(first, { added: 3, replaced: 0, unchanged: 0 });
  const rows = async function* () {
    yield ['tea', 4];
    yield ['milk', 2];
    yield ['jam', 5];
    yield ['jam', 6];
  };
  assert.deepEqual(await book.upsert('price', rows(), { key: [0] }), { added: 1, replaced: 1, unchanged: 1 });
  assert.deepEqual(await book.all('price(I, P)'), [
    { I: 'milk', P: 2 },
    { I: "O'Hara", P: 1.5 },
    { I: 'tea', P: 4 },
    { I: 'jam', P: 6 },
  ]);
  const { revision, revisions } = await book.history();
  assert.deepEqual([revision, revisions[0].operation], [2, 'upsert']);
  const { added, removed } = await book.diff({ from: 1 });
  assert.deepEqual([added, removed], [2, 1]);
  await book.upsert('price', [['tea', 4]], { key: [0] });
  assert.equal((await book.history()).revision, 2);
  await book.undo();
  assert.deepEqual(await book.once('price("tea", P)'), { P: 3 });
});

test('a key may be of several arguments, and tells apart what terms tell apart', async (t) => {
  const book = await opened(t);
  await book.upsert(
    'p',
    [
      [atom('a'), 1, 'x'],
      ['a', 1, 'x'],
      ['a', new Float(1), 'x'],
    ],
    { key: [1, 0] },
  );
  assert.deepEqual(await book.upsert('p', [['a', 1, ['y', new Term('f', 1n)]]], { key: [0, 1] }), {
    added: 0,
    replaced: 1,
    unchanged: 0,
  });
  assert.deepEqual(
    (await book.all('p(A, B, C)', { exact: true })).map(({ A, B, C }) => [A, B, C]),
    [
      [atom('a'), 1, 'x'],
      ['a', new Float(1), 'x'],
      ['a', 1, ['y', new Term('f', 1)]],
    ],
  );
});

test('an upsert that cannot be made changes nothing', async (t) => {
  const book = await opened(t);
  await book.assert('price(tea, 3).', ':- constraint((price(_, P), P < 0), "negative: ~w"-[P]).');
  await rejects(
    book.upsert(
      'price',
      [
        ['jam', 1],
        ['tea', -1],
      ],
      { key: [0] },
    ),
    'constraint_violation',
    /negative: -1/,
  );
  await rejects(
    book.upsert('price', [['jam', 1], ['tea']], { key: [0] }),
    'invalid_argument',
    /^Row 1 of price has 1 values, and row 0 has 2/,
  );
  await rejects(
    book.upsert('price', [['jam', undefined]], { key: [0] }),
    'invalid_argument',
    /^Row 0 of price: undefined has no value/,
  );
  await rejects(book.upsert('price', ['jam'], { key: [0] }), 'invalid_argument', /^Row 0 of price is no array/);
  await rejects(book.upsert('price', [['jam', 1]], { key: [] }), 'domain_error', /The key is empty/);
  await rejects(
    book.upsert('price', [['jam', 1]], { key: [2] }),
    'domain_error',
    /the place 2, and the rows have 2 values/,
  );
  await rejects(book.upsert('price/2', [['jam', 1]], { key: [0] }), 'domain_error', /Give the name alone/);
  await rejects(book.upsert('price', [['jam', prolog`_`]], { key: [0] }), 'domain_error', /has a variable/);
  await rejects(book.upsert('atom_length', [['jam', 1]], { key: [0] }), 'permission_error', /atom_length/);
  const broken = async function* () {
    yield ['jam', 1];
    throw new RangeError('no more');
  };
  await assert.rejects(book.upsert('price', broken(), { key: [0] }), RangeError);
  const signal = AbortSignal.abort();
  await assert.rejects(book.upsert('price', [['jam', 1]], { key: [0], signal }), { name: 'AbortError' });
  assert.deepEqual(await book.all('price(I, P)'), [{ I: 'tea', P: 3 }]);
  assert.equal((await book.history()).revision, 1);
  assert.deepEqual(await book.upsert('price', [], { key: [0] }), { added: 0, replaced: 0, unchanged: 0 });
});

test('upsert is part of a change and of a draft', async (t) => {
  const book = await opened(t);
  await book.upsert('price', [['tea', 3]], { key: [0] });
  await book.change(async (tx) => {
    await tx.upsert('price', [['tea', 4]], { key: [0] });
    await tx.upsert('price', [['jam', 5]], { key: [0] });
    await tx.upsert('price', [['fig', 6]], { key: [0] });
    await tx.undo();
  });
  assert.deepEqual(
    (await book.all('price(I, P)')).map(({ I, P }) => `${I} ${P}`),
    ['tea 4', 'jam 5'],
  );
  assert.equal((await book.history()).revision, 2);
  const draft = await book.draft('agent');
  await draft.book.upsert('price', [['tea', 9]], { key: [0] });
  assert.deepEqual(await book.once('price("tea", P)'), { P: 4 });
  assert.equal((await draft.proposal()).operations.length, 1);
  await draft.accept();
  assert.deepEqual(await book.once('price("tea", P)'), { P: 9 });
});

test('20,000 facts are brought up to date', async (t) => {
  const book = await opened(t);
  const count = 20_000;
  const rows = (price) => Array.from({ length: count }, (_, n) => [`item ${n}`, n % 2 ? price : 0]);
  const begin = performance.now();
  assert.deepEqual(await book.upsert('price', rows(1), { key: [0] }), { added: count, replaced: 0, unchanged: 0 });
  const added = performance.now();
  assert.deepEqual(await book.upsert('price', rows(2), { key: [0] }), {
    added: 0,
    replaced: count / 2,
    unchanged: count / 2,
  });
  const replaced = performance.now();
  t.diagnostic(`added in ${Math.round(added - begin)} ms, replaced in ${Math.round(replaced - added)} ms`);
  assert.deepEqual(
    await book.once('aggregate_all(count, price(_, _), N), aggregate_all(sum(P), price(_, P), S), projection([N, S])'),
    {
      N: count,
      S: count,
    },
  );
});

test('long values in a goal do not count as its text, and have a limit of their own', async (t) => {
  const book = await opened(t, { limits: { value_chars: 2_000_000 } });
  const text = 'é𝄞'.repeat(500_000);
  assert.deepEqual(await book.once(prolog`string_length(${text}, N)`), { N: 1_000_000 });
  const numbers = Array.from({ length: 100_000 }, (_, n) => n);
  assert.deepEqual(await book.once(prolog`sum_list(${numbers}, S)`), { S: 4_999_950_000 });
  const part = prolog`assertz(long(${text}))`;
  await book.once(prolog`${part}, true`);
  const { revisions } = await book.history();
  assert.ok(JSON.stringify(revisions).length < 5_000);
  await rejects(
    book.once(prolog`string_length(${'x'.repeat(2_000_000)}, N)`),
    'limit_reached',
    /values in the query .* \(limit: value_chars = 2000000\)/,
  );
  await rejects(book.once(`string_length("${'x'.repeat(100_000)}", N)`), 'limit_reached', /query_chars/);
});

test('exact answers tell atoms from strings and floats from integers, and mean the same in a goal', async (t) => {
  const book = await opened(t);
  await book.assert('v(tea).', 'v("tea").', 'v(1).', 'v(1.0).', 'v(1.5).', 'v(true).', 'v(f(tea, [a, "b", 2.0])).');
  await book.assert('v(1267650600228229401496703205376).', 'v(1r3).', 'v(_{k: tea}).', 'v([]).', "v('O''Hara').");
  await book.assert('v(-0.0).', 'v(1.0Inf).', 'v(1.5NaN).');
  const values = (await book.all('v(X)', { exact: true })).map(({ X }) => X);
  assert.deepEqual(values.slice(0, 7), [
    new Atom('tea'),
    'tea',
    1,
    new Float(1),
    new Float(1.5),
    true,
    new Term('f', new Atom('tea'), [new Atom('a'), 'b', new Float(2)]),
  ]);
  assert.equal(values[3] + 1, 2);
  assert.equal(String(values[3]), '1.0');
  for (const value of values) {
    const found = await book.all(prolog`v(X), X =@= ${value}`, { exact: true });
    assert.deepEqual(
      found.map(({ X }) => X),
      [value],
    );
  }
  for await (const { X } of book.query('v(X)', { exact: true })) await book.assert(prolog`w(${X}).`);
  assert.deepEqual(await book.all('v(X), \\+ (w(Y), Y =@= X)'), []);
  assert.deepEqual(await book.once('v(X)'), { X: 'tea' });
});

test('exact answers continue in another engine, and functions that Prolog calls get what they always get', async (t) => {
  const got = [];
  const book = await opened(t, { predicates: { 'seen/1': (value) => got.push(value) > 0 } });
  assert.deepEqual(await book.once('X = tea, seen(X)', { exact: true }), { X: atom('tea') });
  assert.deepEqual(got, ['tea']);
});

test('what answers have can be written as JSON and read again', async (t) => {
  const book = await opened(t);
  const goal = `A = tea, B = "x", C = 123456789012345678901, D is inf, E is nan, F = 1r3, G = f(_, [1.0]), H = _{integer: 1},
    I = true, J = null, K = -1.0Inf`;
  for (const exact of [false, true]) {
    const answer = await book.once(goal, { exact });
    const text = JSON.stringify(toJson(answer));
    assert.deepEqual(fromJson(JSON.parse(text)), answer);
  }
  assert.deepEqual(toJson({ n: 1n, v: new Variable('_1'), r: new Rational(2n, 4n), z: -0 }), {
    n: { integer: '1' },
    v: { variable: '_1' },
    r: { rational: '1r2' },
    z: { number: '-0' },
  });
  const numbers = [-0, Number.NaN, -Infinity, new Float(-0), new Float(Number.NaN), new Float(Infinity), { number: 1 }];
  assert.deepEqual(fromJson(JSON.parse(JSON.stringify(toJson(numbers)))), numbers);
});

test('what is no value is not made JSON, and what is not of that JSON is no value', () => {
  const cyclic = [];
  cyclic.push(cyclic);
  const shared = ['x'];
  assert.deepEqual(toJson([shared, shared]), [['x'], ['x']]);
  const none = [{ f() {} }, new Date(), new Map(), Promise.resolve(1), prolog`a`, new Array(2), undefined, cyclic];
  for (const value of none) assert.throws(() => toJson(value), TypeError);
  const wrong = [
    undefined,
    { atom: 5 },
    { atom: 'a', b: 1 },
    { float: 'abc' },
    { integer: 'x' },
    { rational: '1' },
    { rational: '1r0' },
    { functor: 'f' },
    { variable: 1 },
    { dict: 5 },
    { number: '1' },
  ];
  for (const json of wrong) assert.throws(() => fromJson(json), { name: 'HornbookError', kind: 'invalid_argument' });
});

test('a dict with the key of a mark is itself in every answer', async (t) => {
  const book = await opened(t, { predicates: { 'same/2': (value) => [[value, value]] } });
  for (const exact of [false, true])
    assert.deepEqual(await book.once('X = _{atom: 1, k: _{float: "x"}}', { exact }), {
      X: { atom: 1, k: { float: 'x' } },
    });
  assert.equal(await book.query('X = _{atom: 1}').written('jsonl'), '{"X":{"atom":1}}\n');
});

test('upsert takes dicts, and finds facts by them', async (t) => {
  const book = await opened(t);
  const upsert = (...rows) => book.upsert('d', rows, { key: [0] });
  assert.deepEqual(await upsert(['k', { a: 1 }]), { added: 1, replaced: 0, unchanged: 0 });
  assert.deepEqual(await upsert(['k', { a: 1 }]), { added: 0, replaced: 0, unchanged: 1 });
  assert.deepEqual(await upsert(['k', { a: [{ b: 'x' }] }]), { added: 0, replaced: 1, unchanged: 0 });
  assert.deepEqual(await book.once('d("k", X)'), { X: { a: [{ b: 'x' }] } });
  assert.deepEqual(await upsert([{ id: 1 }, 1], [{ id: 2 }, 2]), { added: 2, replaced: 0, unchanged: 0 });
  assert.deepEqual(await upsert([{ id: 1 }, 3], [{ id: 1 }, 4]), { added: 0, replaced: 1, unchanged: 0 });
  assert.deepEqual(await book.all('d(_{id: 1}, X)'), [{ X: 4 }]);
});

test('of rows with the same key as terms, one counts', async (t) => {
  const book = await opened(t);
  const rows = [
    [1, 'a'],
    [new Rational(2n, 2n), 'b'],
    [true, 'c'],
    [atom('true'), 'd'],
    [new Float(1), 'e'],
  ];
  assert.deepEqual(await book.upsert('p', rows, { key: [0] }), { added: 3, replaced: 0, unchanged: 0 });
  assert.deepEqual(await book.all('p(_, X)'), [{ X: 'b' }, { X: 'd' }, { X: 'e' }]);
});

test('arguments that are none are refused before anything happens', async (t) => {
  const book = await opened(t);
  await book.assert('p(a).');
  const rows = [['a', 1]];
  const key = [0];
  const refused = [
    () => book.upsert(5, rows, { key }),
    () => book.upsert({}, rows, { key }),
    () => book.upsert(undefined, rows, { key }),
    () => book.upsert('a\ud800', rows, { key }),
    () => book.upsert('q', null, { key }),
    () => book.upsert('q', 'rows', { key }),
    () => book.upsert('q', rows),
    () => book.upsert('q', rows, { key: [2 ** 32] }),
    // biome-ignore lint/suspicious/noSparseArray: what is tested
    () => book.upsert('q', rows, { key: [, 0] }),
    () => book.assert(undefined),
    () => book.assert(['p(b).', null]),
    () => book.assert('p("\ud800").'),
    () => book.retract(5),
    () => book.replace('p(a).', 5),
    () => book.unimport(5),
    () => book.import({}, 'p.'),
    () => book.import('a.pl', 'p.', { columns: 5 }),
    () => book.undo(-1),
    () => book.redo(0.5),
    () => book.history(2 ** 32),
    () => book.diff({ from: 'x' }),
    () => book.draft(5),
    () => book.draft('d', 'key'),
    () => book.why('p(X)', { answer: 0 }),
    () => book.once('p(X)', { timeoutMs: 2 ** 32 + 5 }),
    () => book.once('p(X)', { timeoutMs: 'soon' }),
    () => book.once('p(X)', { assume: [5] }),
    () => book.query('p(X)', { ahead: 1.5 })[Symbol.asyncIterator]().next(),
  ];
  for (const ask of refused) await rejects(ask(), 'invalid_argument', /\.$/);
  for (const name of [':-', '-->', '==>', '=>', ':'])
    await rejects(
      book.upsert(name, [[atom('a'), atom('b')]], { key }),
      'domain_error',
      /would be a rule or a directive/,
    );
  assert.equal((await book.history()).revision, 1);
});

test('a schema checks each answer, and gives it its type', async (t) => {
  const book = await opened(t);
  await book.assert('price(tea, 3).', 'price(jam, "much").');
  const schema = z.object({ I: z.string().toUpperCase(), P: z.number() });
  assert.deepEqual(await book.once('price(I, P)', { schema }), { I: 'TEA', P: 3 });
  const seen = [];
  const all = async () => {
    for await (const { I } of book.query('price(I, P)', { schema })) seen.push(I);
  };
  await rejects(all(), 'schema_mismatch', /^Answer 2 of price\(I, P\) does not fit the schema: P: .*number/);
  assert.deepEqual(seen, ['TEA']);
  await rejects(book.all('price(I, P)', { schema }), 'schema_mismatch', /Answer 2/);
});

test('a schema of any library of Standard Schema will do', async (t) => {
  const book = await opened(t);
  const schema = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: async ({ L }) =>
        L[1] === 2 ? { value: L.length } : { issues: [{ message: 'no', path: ['L', { key: 1 }] }] },
    },
  };
  assert.equal(await book.once('L = [1, 2]', { schema }), 2);
  const failed = await book.once('L = [1, 3]', { schema }).catch((error) => error);
  assert.equal(failed.message, 'Answer 1 of L = [1, 3] does not fit the schema: L[1]: no');
  assert.deepEqual(failed.cause, [{ message: 'no', path: ['L', { key: 1 }] }]);
});

test('a schema ends with the signal, sees no undefined answer, and shapes what is written', async (t) => {
  const book = await opened(t);
  const of = (validate) => ({ '~standard': { version: 1, vendor: 'own', validate } });
  await book.assert('price(tea, 3).', "price('a,b', 2.5).", ':- table p/0, q/0.', 'p :- tnot(q).', 'q :- tnot(p).');
  const never = of(() => new Promise(() => {}));
  const ending = new AbortController();
  setTimeout(() => ending.abort(), 100);
  await assert.rejects(book.all('price(I, P)', { schema: never, signal: ending.signal }), { name: 'AbortError' });
  const none = of(() => ({ issues: [{ message: 'no' }] }));
  await rejects(book.all('p', { schema: none }), 'undefined', /neither true nor false/);
  const schema = z.object({ I: z.string().toUpperCase(), P: z.number() });
  assert.equal(await book.query('price(I, P)', { schema }).toCSV(), 'I,P\r\nTEA,3\r\n"A,B",2.5\r\n');
  await rejects(book.query('price(I, P)', { schema: none }).toCSV(), 'schema_mismatch', /Answer 1/);
  await rejects(
    book.query('price(I, P)', { schema: of(() => ({ value: 1 })) }).toCSV(),
    'invalid_argument',
    /no object/,
  );
});
