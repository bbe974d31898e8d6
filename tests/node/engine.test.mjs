// The engine worker, with a program of its own that runs any goal: what holds here holds without the sandbox.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { EngineHandle } from '../../pkg/engine/host.js';
import { loadParts, startWorker } from '../../pkg/node/engine.js';
import { library } from '../../scripts/build.mjs';

const PROGRAM = `
:- module(hornbook, [serve/2]).
serve(Request, Reply) :-
    catch(answer(Request, Term), Error, Term = error(Error)),
    format(string(Reply), "~W", [Term, [quoted(true), max_depth(12)]]).
answer(Request, Bindings) :-
    term_string(Goal, Request, [variable_names(Bindings)]),
    (   call(Goal) -> true ; throw(false) ).
loop :- loop.
`;

let image;
const logged = [];
const engines = [];

/** What Prolog replied to request `number`, from its checksummed form. */
function said(reply, number) {
  const text = reply.slice(16);
  assert.equal(parseInt(reply.slice(0, 8), 16), number);
  assert.equal(parseInt(reply.slice(8, 16), 16), crc32(text));
  return text;
}

async function start() {
  const engine = new EngineHandle(startWorker, image, (text) => logged.push(text));
  engines.push(engine);
  await engine.ready;
  let asked = 0;
  return {
    request: async (goal) => {
      asked += 1;
      const number = asked;
      return said(await engine.request(goal), number);
    },
    save: () => engine.save(),
    end: () => engine.end(),
    get isDead() {
      return engine.isDead;
    },
  };
}

before(async () => {
  image = await loadParts({ sources: { 'hornbook.pl': PROGRAM }, library: library() });
});
after(() => {
  for (const engine of engines) engine.end();
});

test('replies come in the order of the requests', async () => {
  const engine = await start();
  const replies = await Promise.all([1, 2, 3].map((n) => engine.request(`X = ${n}`)));
  assert.deepEqual(replies, ["['X'=1]", "['X'=2]", "['X'=3]"]);
});

test('text crosses unchanged: every plane of Unicode, control characters, megabytes', async () => {
  const engine = await start();
  const text = 'ä€🙂\u{10FFFF}\t\u0001'.repeat(100_000);
  assert.match(await engine.request(`string_length("${text}", L)`), /'L'=600000/);
  const echo = await engine.request(`X = '${'🙂'.repeat(50_000)}'`);
  assert.equal(echo, `['X'='${'🙂'.repeat(50_000)}']`);
  assert.equal(await engine.request('atom_codes(A, [97, 0, 98])'), "['A'='a\0b']");
});

test('scripts do not run', async () => {
  const engine = await start();
  assert.equal(await engine.request(`js_run_script("globalThis.escaped = 1")`), '[]');
  assert.equal(await engine.request('X := 1 + 1'), 'error(false)');
  assert.equal(await engine.request(`X := prolog.constructor.constructor("return process")`), 'error(false)');
  assert.equal(globalThis.escaped, undefined);
});

test('files, environment and arguments of the process are out of reach', async () => {
  const engine = await start();
  assert.match(await engine.request(`open('/etc/passwd', read, S)`), /existence_error/);
  assert.equal(await engine.request(`getenv('PATH', Path)`), "['Path'=(/)]");
  assert.doesNotMatch(await engine.request(`current_prolog_flag(os_argv, Arguments)`), /node|test/);
  assert.equal(
    await engine
      .request(`directory_files('/', Names), subtract(Names, ['.', '..'], All), msort(All, Own)`)
      .then((reply) => /'Own'=(.*)]$/.exec(reply)[1]),
    '[dev,home,hornbook,proc,swipl,tmp]',
  );
});

test('what Prolog writes is logged, but not without limit', async () => {
  const engine = await start();
  logged.length = 0;
  assert.equal(await engine.request('format("to stdout~n"), format(user_error, "to stderr~n", [])'), '[]');
  assert.deepEqual(logged, ['to stdout\n', 'to stderr\n']);
  logged.length = 0;
  await engine.request('forall(between(1, 20000, _), format(user_error, "again and again~n", []))');
  assert.ok(logged.join('').length < 40_000);
  assert.match(logged.at(-1), /no more is logged/);
});

test('deep recursion is an error, and the engine lives', async () => {
  const engine = await start();
  assert.match(await engine.request('length(L, 30000000)'), /resource_error/);
  assert.equal(await engine.request('true'), '[]');
});

test('terms nested ten thousand levels deep are read, copied and asserted', async () => {
  const engine = await start();
  const term = `${'f('.repeat(10_000)}x${')'.repeat(10_000)}`;
  assert.match(
    await engine.request(`assertz(deep(${term})), \\+ \\+ (deep(T), copy_term(T, T2), T2 == ${term})`),
    /^\['T'=_/,
  );
});

for (const [reason, goal] of [
  ['Prolog was halted', 'halt'],
  ['stack overflow: something is nested too deeply', `X = ${'f('.repeat(300_000)}x${')'.repeat(300_000)}`],
]) {
  test(`a death is reported in words, and the engine is gone: ${reason}`, async () => {
    const engine = await start();
    await assert.rejects(engine.request(goal), { message: reason });
    assert.equal(engine.isDead, true);
    await assert.rejects(engine.request('true'), { message: reason });
  });
}

test('an engine that loops can be ended', async () => {
  const engine = await start();
  const loop = engine.request('hornbook:loop');
  engine.end();
  await assert.rejects(loop, { message: 'ended' });
});

test('an engine that cannot boot says so', async () => {
  const broken = await loadParts({ memory: async () => new Uint8Array(100) });
  const engine = new EngineHandle(startWorker, broken, () => {});
  await assert.rejects(engine.ready, { message: 'its state is damaged' });
  assert.equal(engine.isDead, true);
});

test('a saved state answers like the program that was saved', async () => {
  const engine = await start();
  await engine.request('use_module(library(clpfd))');
  const memory = await engine.save();
  const restored = new EngineHandle(startWorker, { ...image, program: { memory: async () => memory } }, () => {});
  engines.push(restored);
  await restored.ready;
  assert.equal(said(await restored.request(`call(clpfd:(#=), X, 3)`), 1), "['X'=3]");
});

test('what one engine does is not visible in another of the same state', async () => {
  const engine = await start();
  const memory = await engine.save();
  const program = { memory: async () => memory.slice() };
  const [one, other] = [1, 2].map(() => new EngineHandle(startWorker, { ...image, program }, () => {}));
  engines.push(one, other);
  await Promise.all([one.ready, other.ready]);
  const goal = 'nb_setval(key, 1), findall(R, (between(1, 5, _), R is random(1000000000)), Rs)';
  const random = async (engine) => /'Rs'=\[[\d,]+\]/.exec(await engine.request(goal))[0];
  assert.notEqual(await random(one), await random(other));
  assert.equal(said(await other.request('nb_current(key, X)'), 2), "['X'=1]");
  const third = new EngineHandle(startWorker, { ...image, program }, () => {});
  engines.push(third);
  await third.ready;
  assert.equal(said(await third.request('nb_current(key, X)'), 1), 'error(false)');
});
