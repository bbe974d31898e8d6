// `hornbook types`, and the types of answers that a schema or such a file gives.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openBook } from '../../pkg/index.js';
import { BIN } from '../support/stdio.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-types-')));
after(() => rmSync(directory, { recursive: true }));

const run = (file, ...args) =>
  new Promise((resolve) => {
    execFile(file, args, { cwd: directory }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
const types = (...args) => run(process.execPath, BIN, 'types', ...args);

/** Write a file of the test's directory. */
function file(name, text) {
  writeFileSync(join(directory, name), text);
  return name;
}

const SHOP = `
price(tea, 3).
price(jam, 2.5).
price("fig", 123456789012345678901).
tags(tea, [hot, "green"]).
tags(jam, []).
:- dynamic sold/2.

%! cheap(?Item:atom, -Price) is nondet.
cheap(Item, Price) :- price(Item, Price), Price < 3.

total(N) :- findall(P, price(_, P), Ps), sum_list(Ps, N0), N is N0.
prices(Ps) :- findall(P, price(_, P), Ps).
reach(X, Y) :- price(X, _), Y = true.
reach(X, Z) :- reach(X, Y), reach(Y, Z).
any(X) :- X = Y, Y = X.
'Odd one'(p(1), _, null).
deep([X]) :- deep(X).
deep([]).
open.
`;

const EXPECTED = `// Made by \`hornbook types shop.pl\`: make it again when the book changes.
import type { Rational, Term } from 'hornbook';

/** A goal for each predicate, with a variable for each argument. */
export const goals = {
  'Odd one/3': '\\'Odd one\\'(A1, A2, A3)',
  'any/1': 'any(A1)',
  'cheap/2': 'cheap(Item, Price)',
  'deep/1': 'deep(A1)',
  'open/0': 'open',
  'price/2': 'price(A1, A2)',
  'prices/1': 'prices(A1)',
  'reach/2': 'reach(A1, A2)',
  'sold/2': 'sold(A1, A2)',
  'tags/2': 'tags(A1, A2)',
  'total/1': 'total(A1)',
} as const;

/** The answers of these goals. */
export interface Answers {
  'Odd one/3': { A1: Term; A2: unknown; A3: null };
  'any/1': { A1: unknown };
  'cheap/2': { Item: string; Price: bigint | number };
  'deep/1': { A1: unknown[] };
  'open/0': Record<string, never>;
  'price/2': { A1: string; A2: bigint | number };
  'prices/1': { A1: (bigint | number)[] };
  'reach/2': { A1: string; A2: boolean };
  'sold/2': { A1: unknown; A2: unknown };
  'tags/2': { A1: string; A2: string[] };
  'total/1': { A1: Rational | bigint | number };
}
`;

test('types come from facts, rules and comments, and what they do not tell is unknown', async () => {
  file('shop.pl', SHOP);
  const { code, stdout, stderr } = await types('shop.pl');
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(stdout, EXPECTED);
  assert.equal((await types('shop.pl', '--out', 'shop.ts')).stdout, '');
  assert.equal(readFileSync(join(directory, 'shop.ts'), 'utf8'), EXPECTED);
});

test('private predicates of a module are asked by their module', async () => {
  file(
    'odd.pl',
    `:- module(odd, [shown/1]).
:- dynamic none/1.
shown(1).
%! same(?Item) is nondet.
same(a).
from(X) :- same(X).
'in quotes'(1).
`,
  );
  const { stdout } = await types('odd.pl');
  assert.match(stdout, /^ {2}'odd:same\/1': 'odd:same\(Item\)',$/m);
  assert.match(stdout, /^ {2}'odd:same\/1': \{ Item: string \};$/m);
  assert.match(stdout, /^ {2}'odd:from\/1': \{ A1: string \};$/m);
  assert.match(stdout, /^ {2}'shown\/1': 'shown\(A1\)',$/m);
  const book = await openBook({ roots: [directory] });
  await book.import(join(directory, 'odd.pl'));
  const goals = [...stdout.matchAll(/^ {2}'[^']+': '(.*)',$/gm)].map(([, goal]) => goal.replaceAll("\\'", "'"));
  assert.equal(goals.length, 5);
  for (const goal of goals) assert.equal((await book.all(goal)).length, goal.includes('none') ? 0 : 1, goal);
  await book.close();
});

test('clauses of the book do not change how it is looked at', async () => {
  file('own.pl', 'observed_in(a, [x]).\nobserved_kind(1, foo).\nobserved(1, 2, 3, 4, 5, 6).\np(1).\np(a).\n');
  assert.match((await types('own.pl')).stdout, /'p\/1': \{ A1: number \| string \};/);
});

test('what is calculated is a fraction where it can be', async () => {
  file(
    'sums.pl',
    `q(1r3).
n(2).
half(X) :- X is 1r3*2.
of_q(X) :- q(Y), X is Y+1.
of_n(X) :- n(Y), X is Y+1.
down(X) :- q(Y), X is floor(Y).
all(L) :- findall(X, ( q(Y), X is Y+1 ), L).
any(X) :- member(X, [1r3]), number(X).
turn(X) :- X is Y, Y is X.
`,
  );
  const { stdout } = await types('sums.pl');
  for (const name of ['half', 'of_q', 'any', 'turn'])
    assert.match(stdout, new RegExp(`'${name}/1': \\{ A1: Rational \\| bigint \\| number \\};`));
  for (const name of ['of_n', 'down']) assert.match(stdout, new RegExp(`'${name}/1': \\{ A1: bigint \\| number \\};`));
  assert.match(stdout, /'all\/1': \{ A1: \(Rational \| bigint \| number\)\[\] \};/);
});

test('columns of a table name the arguments, and a book is read as well', async () => {
  file('orders.csv', 'id,customer name,paid\n1,Ann,true\n2,Bob,false\n');
  const answers = /'orders\/3': \{ Id: number; Customer_name: string; Paid: boolean \};/;
  assert.match((await types('orders.csv')).stdout, answers);
  const book = await openBook({ path: join(directory, 'own.book'), roots: [directory] });
  await book.import(join(directory, 'orders.csv'));
  await book.close();
  assert.match((await types('own.book')).stdout, answers);
});

test('what cannot be read is said', async () => {
  const none = await types('none.pl');
  assert.notEqual(none.code, 0);
  assert.match(none.stderr, /none\.pl is not a file/);
  file('bad.pl', 'p(1) :- .\n');
  const bad = await types('bad.pl');
  assert.equal(bad.code, 1);
  assert.match(bad.stderr, /^hornbook: .*bad\.pl/m);
});

test('TypeScript takes the file, and knows what a schema gives', async () => {
  file('shop.ts', EXPECTED);
  file(
    'use.ts',
    `import { openBook, prolog, type StandardSchema } from 'hornbook';
import { goals, type Answers } from './shop.js';

declare const schema: StandardSchema<{ item: string }>;
const book = await openBook();
for await (const { Item, Price } of book.query<Answers['cheap/2']>(goals['cheap/2'])) {
  const item: string = Item;
  const price: number | bigint = Price;
  // @ts-expect-error
  const wrong: boolean = Price;
}
const one = await book.once('p(X)', { schema });
const item: string | undefined = one?.item;
// @ts-expect-error
const number: number | undefined = one?.item;
for (const { item } of await book.all(prolog\`p(X)\`, { schema, timeoutMs: 5 })) item.trim();
for await (const { X } of book.query('p(X)', { exact: true })) console.log(X);
const { added } = await book.upsert('price', [['tea', 3]], { key: [0] });
added.toFixed();
`,
  );
  const config = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'ES2023',
      lib: ['ES2023', 'DOM', 'DOM.AsyncIterable', 'ESNext.Disposable'],
      module: 'nodenext',
      types: [],
      paths: { hornbook: [join(ROOT, 'pkg', 'index.d.ts')] },
    },
    files: ['use.ts'],
  };
  file('tsconfig.json', JSON.stringify(config));
  file('package.json', '{ "type": "module" }');
  const { code, stdout } = await run(process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.');
  assert.deepEqual([stdout, code], ['', 0]);
});
