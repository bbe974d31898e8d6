// Answers that are neither true nor false, by the well-founded semantics of tabled negation.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { BIN, Server, directory } from './harness.mjs';

const GAME = `:- table win/1, p/0, q/0, r/0.
win(X) :- move(X, Y), tnot(win(Y)).
move(e, f). move(f, e). move(c, d).
p :- tnot(q).
q :- tnot(p).
r :- tnot(q).
r.
`;

let server;
before(async () => {
  server = await Server.start();
  await server.import('game.pl', GAME);
});
after(() => server.close());

const asked = (query) => server.ok('query_start', { query, take: 5 });

test('an undefined answer says so, in the text and in the data', async () => {
  const draw = await asked('win(X), X \\== c');
  assert.match(draw.text, /Solution: X = \w \(undefined: neither true nor false\)/);
  assert.deepEqual(
    draw.data.answers.map(({ undefined: neither }) => neither),
    [true, true],
  );
  const alone = await asked('p');
  assert.match(alone.text, /^Solution: undefined: neither true nor false$/m);
  assert.deepEqual(alone.data.answers, [{ undefined: true }]);
  assert.deepEqual((await asked('undefined')).data.answers, [{ undefined: true }]);
});

test('what follows from an undefined goal is undefined, and what is true without it is true', async () => {
  assert.deepEqual((await asked('(p -> R = yes ; R = no)')).data.answers, [{ R: 'yes', undefined: true }]);
  for (const goal of ['r', 'win(c)']) assert.deepEqual((await asked(goal)).data.answers, [{}], goal);
  assert.deepEqual((await asked('win(d)')).data.answers, []);
});

test('a program can find out what is undefined, and why', async () => {
  assert.deepEqual(await server.solve('call_delays(p, D)'), ['D = p']);
  assert.deepEqual(await server.solve('call_delays(r, D)'), ['D = true']);
  assert.deepEqual(await server.solve('call_residual_program(p, C)'), ['C = [(p:-tnot(q)),(q:-tnot(p))]']);
  assert.deepEqual(await server.solve('win(e), answer_residual(win(e), C)'), ['C = tnot(win(f))']);
  await server.fails('query_start', { query: 'answer_residual(move(e, f), C)', take: 1 }, 'permission_error');
});

test('a proof marks what is undefined', async () => {
  const why = async (of) => (await server.ok('workspace', { operation: 'why', of })).text;
  assert.match(
    await why('win(e)'),
    /win\(e\).*\n {2}move\(e,f\).*\n {2}tnot\(win\(f\)\) {2}% undefined: neither true nor false/,
  );
  assert.doesNotMatch(await why('win(c)'), /undefined/);
  assert.doesNotMatch(await why('r'), /undefined/);
});

test('hornbook ask prints it', () => {
  const cwd = directory({ 'game.pl': GAME });
  const ask = (goal) => execFileSync(process.execPath, [BIN, 'ask', 'game.pl', goal], { cwd, encoding: 'utf8' });
  assert.equal(ask('p'), 'undefined: neither true nor false.\n');
  assert.equal(ask('win(e), X = e'), 'X = e  % undefined: neither true nor false.\n');
  assert.equal(ask('r'), 'true.\n');
});

test('the package gives an undefined answer only where it can mark it', async () => {
  const book = await openBook();
  try {
    await book.import('game.pl', GAME);
    const answers = [];
    for await (const answer of book.query('win(X)').answers()) answers.push([answer.bindings.X, answer.undefined]);
    assert.deepEqual(answers.sort(), [
      ['c', false],
      ['e', true],
      ['f', true],
    ]);
    const neither = { name: 'HornbookError', kind: 'undefined', message: /neither true nor false/ };
    await assert.rejects(book.once('p'), neither);
    await assert.rejects(book.all('win(X)'), neither);
    assert.deepEqual(await book.once('r'), {});
    const proof = await book.why('p');
    assert.deepEqual([proof.holds, proof.undefined, (await book.why('r')).undefined], [true, true, false]);
  } finally {
    await book.close();
  }
});

const hornbook = (files, ...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: directory(files),
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { status, said: stdout + stderr };
};

const CYCLE = ':- table wins/1.\nwins(X) :- beats(X, Y), tnot(wins(Y)).\nbeats(a, b). beats(b, a). beats(c, d).\n';

test('a program does nothing because of an undefined goal', () => {
  const program = (goal) => ({ 'a.dml': `${CYCLE}agent_main :- ${goal}.\n` });
  const undone = hornbook(program('wins(a), answer("a wins")'), 'run', 'a.dml');
  assert.notEqual(undone.status, 0);
  assert.match(undone.said, /wins\(a\) is neither true nor false/);
  assert.doesNotMatch(undone.said, /a wins/);
  const done = hornbook(program('wins(c), answer("c wins")'), 'run', 'a.dml');
  assert.match(done.said, /c wins/);
  const aware = hornbook(
    program('findall(D, call_delays(wins(a), D), [D]), ( D == true -> answer("a wins") ; answer("a draw") )'),
    'run',
    'a.dml',
  );
  assert.match(aware.said, /a draw/);
});

test('a node of a workflow, and its condition, decide nothing by an undefined goal', () => {
  const indented = CYCLE.trimEnd().replaceAll('\n', '\n      ');
  const flow = (goal) => ({
    'a.yaml': `name: draw\nnodes:\n  - name: a\n    language: prolog\n    run: |\n      ${indented}\n      ${goal}\n    goto: __end__\n`,
  });
  const undone = hornbook(flow('wins(a), return(winner, a).'), 'flow', 'a.yaml');
  assert.notEqual(undone.status, 0);
  assert.match(undone.said, /wins\(a\) is neither true nor false/);
  assert.match(hornbook(flow('wins(c), return(winner, c).'), 'flow', 'a.yaml').said, /"winner": ?"c"|winner.*c/);
});
