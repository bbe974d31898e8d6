// Constraint Handling Rules in a book: their answers, and that they come and go like other entries.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';

const GCD = [
  ':- use_module(library(chr)).',
  ':- chr_constraint gcd/1.',
  'gcd(0) <=> true.',
  'gcd(N) \\ gcd(M) <=> N =< M | L is M mod N, gcd(L).',
];
const LEQ = `:- use_module(library(chr)).
:- chr_constraint leq(?any, ?any).
reflexivity  @ leq(X,X) <=> true.
antisymmetry @ leq(X,Y), leq(Y,X) <=> X = Y.
idempotence  @ leq(X,Y) \\ leq(X,Y) <=> true.
transitivity @ leq(X,Y), leq(Y,Z) ==> leq(X,Z).
`;

let server;
before(async () => (server = await Server.start({ args: ['--timeout', '5000'] })));
after(() => server.close());

test('the constraints that are left are shown with the answer', async () => {
  await server.assert(GCD);
  assert.deepEqual(await server.solve('gcd(9), gcd(6)'), ['gcd(3)']);
  assert.deepEqual(await server.solve('gcd(12)'), ['gcd(12)']);
  await server.import('leq.pl', LEQ);
  assert.deepEqual(await server.solve('leq(A, B), leq(B, C), leq(C, A)'), ['B = A, C = A']);
});

test('another engine has the rules too', async () => {
  await server.assert(['loop :- loop.']);
  await server.fails('query_start', { query: 'loop', take: 1, timeout_ms: 200 }, 'timeout');
  assert.deepEqual(await server.solve('gcd(8), gcd(12)'), ['gcd(4)']);
});

test('undo removes rules and constraints, redo restores them', async () => {
  await server.reset();
  await server.assert(GCD);
  await server.ok('workspace', { operation: 'undo' });
  await server.fails('query_start', { query: 'gcd(4)', take: 1 }, 'existence_error');
  await server.ok('workspace', { operation: 'redo' });
  assert.deepEqual(await server.solve('gcd(8), gcd(12)'), ['gcd(4)']);
});

test('a snapshot loads again', async () => {
  const text = await server.snapshot();
  await server.reset();
  await server.import('again.pl', text);
  assert.deepEqual(await server.solve('gcd(8), gcd(12)'), ['gcd(4)']);
});

test('a rule that calls something refused is reported when it is added', async () => {
  const { text } = await server.call('files', {
    operation: 'import',
    filename: 'bad.pl',
    text: ':- use_module(library(chr)).\n:- chr_constraint c(?any).\nc(X) <=> shell(X).\nc(1), d <=> true.\n',
  });
  assert.match(text, /3:0: .*shell\/1/);
  assert.match(text, /4:0: d\/0 is not declared as a constraint/);
});
