// Constraint Handling Rules in a book: their answers, and that they come and go like other entries.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { BIN, Server, directory } from './harness.mjs';

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

test('rules come, are replaced and go one by one, in calls of their own', async () => {
  await server.reset();
  const added = async (...clauses) => {
    const { text } = await server.assert(clauses);
    assert.doesNotMatch(text, /Warning|restart/);
  };
  await added(':- use_module(library(chr)).');
  await added(':- chr_constraint p/1, q/1.');
  await added('p(X) ==> q(X).');
  assert.deepEqual(await server.solve('p(1)'), ['p(1), q(1)']);
  await added('once @ p(X) \\ p(X) <=> true.');
  await added('q(X), q(X) <=> fail.');
  assert.deepEqual(await server.solve('p(1), p(1)'), []);
  await server.retract(['q(X), q(X) <=> fail.']);
  assert.deepEqual(await server.solve('p(1), p(1)'), ['p(1), q(1), q(1)']);
  await server.ok('clauses', { operation: 'replace', old: 'p(X) ==> q(X).', clauses: ['p(X) ==> Y is X+1, q(Y).'] });
  assert.deepEqual(await server.solve('p(1)'), ['p(1), q(2)']);
  await server.retract(['once @ p(X) \\ p(X) <=> true.']);
  await server.fails('clauses', { operation: 'retract', clauses: ['p(X) ==> r(X).'] }, undefined);
});

test('a snapshot of rules from several calls has no operators to take back, and loads again', async () => {
  await server.assert(['fact(1).']);
  const text = await server.snapshot();
  assert.doesNotMatch(text, /op\(0/);
  await server.reset();
  await server.import('later.pl', text);
  assert.deepEqual(await server.solve('p(1)'), ['p(1), q(2)']);
});

test('another engine has rules that came one by one', async () => {
  await server.reset();
  await server.assert([':- use_module(library(chr)).']);
  await server.assert([':- chr_constraint p/1.']);
  await server.assert(['double @ p(X) \\ p(X) <=> true.']);
  await server.assert(['loop :- loop.']);
  await server.fails('query_start', { query: 'loop', take: 1, timeout_ms: 200 }, 'timeout');
  assert.deepEqual(await server.solve('p(1), p(1)'), ['p(1)']);
});

test('a rule about what is no constraint says so', async () => {
  const { text } = await server.call('clauses', { operation: 'assert', clauses: ['none(X) ==> p(X).'] });
  assert.match(text, /none\/1 is not declared as a constraint/);
});

test('a program of DML says that it has no rules', () => {
  const cwd = directory({ 'a.dml': ':- use_module(library(chr)).\nagent_main :- answer("x").\n' });
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'check', 'a.dml'], { cwd, encoding: 'utf8' });
  assert.equal(status, 1, stdout + stderr);
  assert.match(stdout + stderr, /Programs have no constraint handling rules/);
});
