// `p()` is `p`, in whatever is read: as a head, as a goal, and below a goal.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { BIN, Server, directory } from './harness.mjs';

const TEXTS = [
  'p() :- q().\nq().',
  'p() :- ( q() -> true ; \\+ q() ), findall(X, r(X), _).\nq() :- true.\nr(1).',
  'p() --> q().\nq() --> [].',
  ':- dynamic(q()).\np() :- forall(q(), q()).',
  ':- table p().\np() :- q().\nq().',
  'p() => q().\nq() => true.',
  'm:p() :- q().\nq().',
];

let server;
before(async () => (server = await Server.start()));
after(() => server.close());

const hornbook = (files, ...args) =>
  spawnSync(process.execPath, [BIN, ...args], { cwd: directory(files), encoding: 'utf8', timeout: 120_000 });

test('clauses that are assumed', async () => {
  assert.deepEqual(
    (await server.ok('query_start', { query: 'f', assume: ['f() :- g(). g().'], take: 1 })).data.answers,
    [{}],
  );
});

test('files and queries', async () => {
  for (const [at, text] of TEXTS.entries()) {
    await server.reset();
    const { text: said } = await server.call('files', { operation: 'import', filename: `empty${at}.pl`, text });
    assert.doesNotMatch(said, /compound_non_zero_arity|engine is gone|restart/, text);
  }
  await server.reset();
  await server.import('empty.pl', TEXTS[0]);
  assert.deepEqual(await server.solve('p(), findall(x, q(), L)'), ['L = [x]']);
});

test('the check of a file', () => {
  for (const text of TEXTS) {
    const { status, stdout, stderr } = hornbook({ 'a.pl': text }, 'check', 'a.pl');
    assert.ok(status === 0 || status === 1, `${text}: ${status} ${stdout}${stderr}`);
    assert.doesNotMatch(stdout + stderr, /compound_non_zero_arity|compound non zero/, text);
  }
});

test('a program', () => {
  const program = { 'a.dml': 'agent_main() :- helper(), answer("hi").\nhelper() :- true.\n' };
  const checked = hornbook(program, 'check', 'a.dml');
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  const run = hornbook(program, 'run', 'a.dml');
  assert.match(run.stdout, /hi/, run.stderr);
  assert.equal(run.status, 0);
});

test('a node of a workflow', () => {
  const flow = `name: empty
nodes:
  - name: a
    language: prolog
    run: |
      h() :- true.
      h(), return(done, yes).
    goto: __end__
`;
  const { stdout, stderr } = hornbook({ 'a.yaml': flow }, 'flow', 'a.yaml');
  assert.match(stdout, /yes/, stderr);
});
