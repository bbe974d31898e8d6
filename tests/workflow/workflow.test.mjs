// Workflows and the Prolog of their nodes, against the real engines.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FOUR } from './four-languages.mjs';
import { PrologRuntime, PrologTimeoutError, Workflow, WorkflowError, WorkflowLoadError } from '../../pkg/workflow.js';

let prolog;
before(async () => {
  prolog = await PrologRuntime.create({ timeout: 10 });
});
after(() => prolog.close());

const updates = async (code, state) => (await prolog.executeNodeCode(code, state)).updates;

/** All events of a run. */
async function eventsOf(yaml, state, options) {
  const workflow = await Workflow.load(yaml, options);
  try {
    const events = [];
    for await (const event of workflow.run(state)) events.push(event);
    return events;
  } finally {
    workflow.close();
  }
}

test('a branch without an edge of its own goes to its fan_in, not to the next branch of the list', async () => {
  const yaml = `
language: prolog
nodes:
  - { name: fan, run: "return(text, x)." }
  - { name: legal, run: "return(points, 3)." }
  - { name: price, run: "return(points, 5)." }
  - name: join
    run: |
      state(parallel_results, Rs),
      aggregate_all(sum(P), (member(R, Rs), P = R.state.points), Total),
      return(total, Total).
edges:
  - { from: fan, to: legal, type: parallel, fan_in: join }
  - { from: fan, to: price, type: parallel, fan_in: join }
`;
  const events = await eventsOf(yaml);
  assert.deepEqual(
    events
      .filter(({ type }) => type === 'node_start')
      .map(({ node }) => node)
      .sort(),
    ['fan', 'join', 'legal', 'price'],
  );
  assert.equal(events.at(-1).state.total, 8);
});

test('code whose language nothing says is not taken for Prolog if Python reads it, and a wrong guess is told', async () => {
  const ofNode = async (run) => (await eventsOf(`nodes:\n- {name: a, run: ${JSON.stringify(run)}}\n`, { x: 3 })).at(-1);
  const python = 'assert(state["x"] > 0)\ndef label(n):\n    return n + 1\nreturn {"y": label(state["x"])}';
  const prolog = 'findall(X, member(X, [1, 2]), L), return(y, L).';
  assert.deepEqual((await ofNode(python)).state, { x: 3, y: 4 });
  assert.deepEqual((await ofNode(prolog)).state, { x: 3, y: [1, 2] });
  const { error } = await ofNode('y = findall(a b, c)');
  assert.match(error, /it was taken for Prolog: `language: python` would say it\./);
});

test('an action gets a signal, and may take only so long', async () => {
  const yaml = 'nodes:\n  - { name: a, uses: hang, with: {} }\n';
  let aborted = false;
  const hang = (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
  const events = await eventsOf(yaml, {}, { actions: { hang }, actionTimeout: 0.05 });
  assert.match(events.at(-1).error, /The action hang failed: it took longer than its 0\.05 seconds/);
  assert.equal(aborted, true);
  aborted = false;
  const workflow = await Workflow.load(yaml, { actions: { hang } });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  for await (const _ of workflow.run({}, { signal: controller.signal }));
  workflow.close();
  assert.equal(aborted, true);
});

/** Random numbers that are the same in each run, by xorshift. */
function randomly(seed) {
  let x = seed;
  return (below) => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) % below;
  };
}

const TEXTS = [
  '',
  'a',
  'true',
  'false',
  'null',
  '[]',
  "it's",
  '"',
  '\\',
  'a\nb\t',
  'Ünï',
  '日本',
  '😀',
  '\u0000',
  '\u0001x',
  '{}',
  '_',
  'X',
  '$integer',
  'a b',
  '1',
  '1.5',
  '__proto__',
];
const NUMBERS = [
  0,
  1,
  -1,
  1.5,
  -2.25,
  1e300,
  5e-324,
  2 ** 53 - 1,
  -(2 ** 53 - 1),
  2n ** 53n,
  -(2n ** 63n),
  2n ** 64n,
  10n ** 40n,
];

function value(random, depth) {
  switch (random(depth > 0 ? 8 : 6)) {
    case 0:
      return null;
    case 1:
      return random(2) === 0;
    case 2:
    case 3:
      return NUMBERS[random(NUMBERS.length)];
    case 4:
    case 5:
      return TEXTS[random(TEXTS.length)];
    case 6:
      return Array.from({ length: random(4) }, () => value(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random(4) }, () => [TEXTS[random(TEXTS.length)], value(random, depth - 1)]),
      );
  }
}

test('what an action tells is an event at once, and only JSON', async () => {
  const yaml = 'nodes:\n- { name: a, uses: write, output: text }\n';
  let goOn;
  const write = async (_, { tell }) => {
    assert.throws(() => tell(() => {}), /the event/);
    tell({ words: 'It was' });
    await new Promise((resolve) => (goOn = resolve));
    return 'It was a dark night.';
  };
  const workflow = await Workflow.load(yaml, { actions: { write } });
  const told = [];
  for await (const event of workflow.run()) {
    if (event.type === 'node_event') goOn();
    told.push(event);
  }
  workflow.close();
  assert.deepEqual(
    told.map(({ type }) => type),
    ['start', 'node_start', 'node_event', 'node_end', 'final'],
  );
  assert.deepEqual(
    [told[2].node, told[2].event, told[4].state.text],
    ['a', { words: 'It was' }, 'It was a dark night.'],
  );
});

test('what an action tells after it has ended is not told', async () => {
  let late;
  const write = (_, { tell }) => {
    late = tell;
  };
  const workflow = await Workflow.load('nodes:\n- { name: a, uses: write }\n', { actions: { write } });
  const types = [];
  for await (const { type } of workflow.run()) {
    if (type === 'node_end') late('too late');
    types.push(type);
  }
  late('much too late');
  workflow.close();
  assert.deepEqual(types, ['start', 'node_start', 'node_end', 'final']);
});

test('every JSON value comes back from Prolog unchanged', async () => {
  const random = randomly(20261122);
  for (let round = 0; round < 300; round += 1) {
    const given = value(random, 4);
    const { w } = await updates('state(v, V), return(w, V).', { v: given });
    assert.deepStrictEqual(w, given);
  }
});

test('a value that JSON cannot hold is an error that names its key', async () => {
  for (const code of [
    'return(total, f(x)).',
    'return(total, _).',
    'X in 1..3, return(total, X).',
    'return(total, [a, _]).',
    'X is inf, return(total, X).',
  ]) {
    await assert.rejects(
      prolog.executeNodeCode(code),
      (error) => error.kind === 'prolog' && /return\/2 gives for total is/.test(error.message),
    );
  }
});

test('one solution, or all of them', async () => {
  const code = 'p(1).\np(2).\np(X), return(x, X).';
  assert.deepEqual((await prolog.executeNodeCode(code)).solutions, [{ x: 1 }]);
  assert.deepEqual((await prolog.executeNodeCode(code, {}, { all: true })).solutions, [{ x: 1 }, { x: 2 }]);
  assert.deepEqual((await prolog.executeQuery('member(X, [a, b]), return(x, X)', {}, { all: true })).solutions, [
    { x: 'a' },
    { x: 'b' },
  ]);
});

test('a block that fails says which goal failed', async () => {
  const result = await prolog.executeNodeCode('return(a, 1).\n1 =:= 2.\nreturn(b, 2).');
  assert.deepEqual(result, {
    succeeded: false,
    updates: {},
    solutions: [],
    failed: { line: 2, goal: '1=:=2' },
    output: '',
  });
});

test('an error gives its line', async () => {
  await assert.rejects(prolog.executeNodeCode('p(1).\n\nX is foo + 1, return(x, X).'), {
    name: 'PrologRuntimeError',
    kind: 'prolog',
    line: 3,
  });
  await assert.rejects(prolog.executeNodeCode('p(1).\np(2'), { name: 'PrologRuntimeError', kind: 'prolog', line: 2 });
});

test('conditions give a text, or nothing', async () => {
  assert.equal(await prolog.evalCondition('state(x, X), X > 3', { x: 5 }), 'true');
  assert.equal(await prolog.evalCondition('state(x, X), X > 3', { x: 1 }), null);
  assert.equal(await prolog.evalCondition('state(x, X), Result is X * 2', { x: 4 }), '8');
  await assert.rejects(prolog.evalCondition('throw(oops)'), { name: 'PrologRuntimeError' });
});

test('no file is read', async () => {
  await assert.rejects(prolog.consult('/etc/passwd'), { kind: 'sandbox' });
  await assert.rejects(prolog.executeNodeCode("open('/etc/passwd', read, S), close(S)."), { kind: 'sandbox' });
});

test('code that runs too long is ended, whatever it catches, and the next code runs', async () => {
  const short = await PrologRuntime.create({ timeout: 0.4 });
  try {
    for (const code of [
      'repeat, fail.',
      'spin :- catch(lp, _, spin).\nlp :- lp.\nspin.',
      'numlist(1, 30, L), catch(findall(P, permutation(L, P), _), _, true).',
      'X is 7 ** 7 ** 9.',
    ]) {
      await assert.rejects(short.executeNodeCode(code), (error) =>
        /Prolog execution timeout/.test(error.message) ? error instanceof PrologTimeoutError : error.kind === 'prolog',
      );
      assert.deepEqual((await short.executeNodeCode('return(x, 1).')).updates, { x: 1 });
    }
  } finally {
    short.close();
  }
});

/** What a block might leave behind, each with a goal that would find it. */
const LEFT_BEHIND = {
  'a fact': ['left(1).', 'catch(left(_), _, fail)'],
  'a rule': ['left(X) :- X = 1.\nleft(_).', 'catch(left(_), _, fail)'],
  'a grammar rule': ['left --> [a].\nphrase(left, [a]).', 'catch(phrase(left, [a]), _, fail)'],
  'an asserted clause': ['assertz(left(1)), asserta((left(X) :- X = 2)).', 'catch(left(_), _, fail)'],
  'a dynamic predicate': [':- dynamic(left/1).\nignore(left(_)).', 'catch(( left(_) ; true ), _, fail)'],
  'a predicate of a library that is defined again': ['last(_, mine).\nlast([1], X), X == mine.', 'last([1], mine)'],
  'a predicate of the system that is defined again': [
    'succ(_, mine).\nsucc(1, mine).',
    'catch(succ(1, mine), _, fail)',
  ],
  'an operator': [':- op(700, xfx, ===>).\nX = (a ===> b), X =.. [_|_].', 'current_op(_, _, ===>)'],
  'an operator by a goal': ['op(700, xfx, ===>).', 'current_op(_, _, ===>)'],
  'a flag that reads texts': [':- set_prolog_flag(double_quotes, codes).\ntrue.', 'X = "a", \\+ string(X)'],
  'a flag that unknown goals go by': [':- set_prolog_flag(unknown, fail).\ntrue.', 'catch(( nobody ; true ), _, fail)'],
  'the occurs check': [':- set_prolog_flag(occurs_check, true).\ntrue.', '\\+ X = f(X)'],
  'a flag of its own': ['create_prolog_flag(left, 1, []).', 'current_prolog_flag(left, _)'],
  'a counter': ['flag(left, _, 7).', 'flag(left, 7, 7)'],
  'a global variable': ['nb_setval(left, 1).', 'catch(nb_getval(left, _), _, fail)'],
  'a global variable that backtracks': ['b_setval(left, 1).', 'catch(b_getval(left, _), _, fail)'],
  'a record': ['recordz(left, 1).', 'recorded(left, _)'],
  'a table': [':- table left/1.\nleft(1).\nleft(_).', 'catch(left(_), _, fail)'],
  'a tabled predicate': [':- table left/1.\nleft(1).\nleft(_).', 'predicate_property(left(_), tabled)'],
  'a translation of terms': ['term_expansion(left, [left(1)]).\nleft.\ntrue.', 'catch(left(_), _, fail)'],
  'an attribute hook': [
    'attr_unify_hook(_, _) :- fail.\ntrue.',
    'put_attr(X, knowledge_base, 1), catch(\\+ X = 2, _, fail)',
  ],
  'a stream': [
    'open_string("a", _).',
    'stream_property(S, type(text)), \\+ stream_property(S, alias(_)), \\+ stream_property(S, file_name(_))',
  ],
  'text that waits': ['write(left).', 'with_output_to(string(S), true), S \\== ""'],
  'an alias of a stream': [
    'catch(( open_string("a", S), set_stream(S, alias(left)) ), _, true).',
    'catch(stream_property(_, alias(left)), _, fail)',
  ],
  'an exit handler': ['catch(at_halt(assertz(left(1))), _, true).', 'catch(left(_), _, fail)'],
  'a message hook': [
    'assertz((message_hook(_, _, _) :- throw(left))).',
    'catch(( print_message(error, left), fail ), left, true)',
  ],
  'a portray': ['assertz((portray(a) :- write(left))).', 'with_output_to(string(S), print(a)), S \\== "a"'],
  'a generated symbol': ['gensym(left, _).', 'gensym(left, S), S \\== left1'],
};

for (const [what, [code, found]] of Object.entries(LEFT_BEHIND)) {
  test(`a block leaves nothing behind: ${what}`, async () => {
    // It may be refused, and then there is nothing either.
    const ran = await prolog.executeNodeCode(code).then(
      () => 'ran',
      ({ kind }) => kind,
    );
    assert.ok(['ran', 'sandbox', 'prolog'].includes(ran), ran);
    const seen = await prolog.evalCondition(found).catch(({ kind }) => (kind === 'sandbox' ? null : kind));
    assert.equal(seen, null, `${found} after: ${code}`);
  });
}

test('branches, rounds of a loop and runs see nothing of each other', async () => {
  const leave =
    'nb_setval(left, 1), flag(left, _, 7), assertz(left(1)), aggregate_all(count, left(_), N), return(n, N)';
  const look =
    '( catch(nb_getval(left, _), _, fail) ; flag(left, 7, 7) ; catch(left(_), _, fail) ) -> return(seen, true) ; return(seen, false)';
  const yaml = `
language: prolog
nodes:
- { name: s, run: "${leave}." }
- { name: a, run: "( ${look} )." }
- { name: b, run: "( ${look} )." }
- name: join
  run: "state(parallel_results, Rs), findall(S, ( member(R, Rs), S = R.state.seen ), Ss), return(branches, Ss)."
- name: loop
  type: while_loop
  condition: "state.rounds < 3"
  max_iterations: 5
  body:
  - { name: again, run: "${leave}, state(rounds, R), S is R + 1, return(rounds, S)." }
edges:
- { from: s, to: a, type: parallel, fan_in: join }
- { from: s, to: b, type: parallel, fan_in: join }
- { from: a, to: join }
- { from: b, to: join }
`;
  const workflow = await Workflow.load(yaml, { engines: 1 });
  for (let run = 0; run < 2; run += 1) {
    let last;
    for await (const event of workflow.run({ rounds: 0 })) last = event;
    const { branches, rounds, n } = last.state ?? {};
    assert.deepEqual({ branches, rounds, n }, { branches: [false, false], rounds: 3, n: 1 }, JSON.stringify(last));
  }
  workflow.close();
});

test('the name of a system predicate is free again after a block that used it', async () => {
  assert.deepEqual(await updates('plus(_, _, 9) :- true.\nplus(1, 2, X), return(x, X).'), { x: 9 });
  assert.deepEqual(await updates('plus(1, 2, X), return(x, X).'), { x: 3 });
});

const CHAIN = `
nodes:
  - name: double
    language: prolog
    run: |
      state(value, V), D is V * 2, return(doubled, D).
  - name: tell
    uses: tell
    with: { text: "{{ state.doubled }} is it", n: "{{ state.doubled }}" }
    output: told
`;

test("events report a run as it goes, and actions are the host's", async () => {
  const keys = [];
  const tell = async ({ text, n }, { state, key }) => {
    keys.push(key);
    return [text, n + 1, state.value];
  };
  const events = await eventsOf(CHAIN, { value: 21 }, { actions: { tell } });
  assert.deepEqual(
    events.map(({ type, node }) => [type, node]),
    [
      ['start', undefined],
      ['node_start', 'double'],
      ['node_end', 'double'],
      ['node_start', 'tell'],
      ['node_end', 'tell'],
      ['final', undefined],
    ],
  );
  assert.deepEqual(events.at(-1).state, { value: 21, doubled: 42, told: ['42 is it', 43, 21] });
  assert.match(keys[0], /^[0-9a-f]{16}\/tell\/1$/);
});

test('an action that throws is an error of its node', async () => {
  const tell = () => {
    throw new Error('no line');
  };
  const last = (await eventsOf(CHAIN, { value: 1 }, { actions: { tell } })).at(-1);
  assert.deepEqual(
    [last.type, last.node, last.kind, last.error],
    ['error', 'tell', 'action', 'The action tell failed: no line'],
  );
});

test('errors in a text are reported with their place', async () => {
  await assert.rejects(
    Workflow.load(CHAIN),
    (error) =>
      error instanceof WorkflowLoadError && error.line === 8 && /'tell', which is not an action/.test(error.message),
  );
  await assert.rejects(Workflow.load('nodes:\n- {name: a, rnu: x}\n'), {
    name: 'WorkflowLoadError',
    line: 2,
    column: 12,
    message: "line 2, column 12: Node 'a' has the unknown key 'rnu'. Did you mean 'run'?",
  });
});

test('a language without its package is reported when the workflow is loaded', async () => {
  const yaml =
    'nodes:\n- {name: p, language: prolog, run: "return(x, 1)."}\n- {name: py, language: python, run: "y = 1"}\n';
  await assert.rejects(
    Workflow.load(yaml, { languages: {} }),
    /line 3.*'py' is in Python.*npm install pyodide.*Nodes in Prolog work without it/s,
  );
  const prologOnly = 'nodes:\n- {name: p, language: prolog, run: "return(x, 1)."}\n';
  assert.deepEqual((await eventsOf(prologOnly, {}, { languages: {} })).at(-1).state, { x: 1 });
});

test('the languages of a host run their nodes', async () => {
  const seen = [];
  const javascript = () => ({
    run: async (code, given) => {
      seen.push(JSON.parse(given).state);
      return JSON.stringify({ result: { y: new Function('state', code)(JSON.parse(given).state) } });
    },
    close() {},
  });
  const yaml = 'nodes:\n- {name: a, language: javascript, run: "return state.x + 1"}\n';
  assert.deepEqual((await eventsOf(yaml, { x: 1 }, { languages: { javascript } })).at(-1).state, { x: 1, y: 2 });
  assert.deepEqual(seen, [{ x: 1 }]);
});

test('Python, Lua, JavaScript and Prolog in one workflow', async () => {
  assert.deepEqual((await eventsOf(FOUR.yaml, FOUR.state)).at(-1).state, FOUR.final);
});

test('code in other languages reaches nothing of the machine, and is limited in time', async () => {
  const run = async (language, code) =>
    (
      await eventsOf(
        `config: { raise_exceptions: false }\nnodes:\n- name: a\n  language: ${language}\n  run: |\n    ${code.replaceAll('\n', '\n    ')}\n`,
        {},
        { timeout: 3 },
      )
    ).at(-1);
  for (const [language, code] of [
    ['python', 'import js\nreturn {"x": 1}'],
    ['python', 'from pyodide.code import run_js\nreturn {"x": run_js("1")}'],
    ['python', 'open("/etc/passwd").read()'],
    ['lua', 'return { x = io.open("/etc/passwd") }'],
    ['lua', 'return { x = os.getenv("PATH") }'],
  ]) {
    const last = await run(language, code);
    assert.deepEqual([last.type, last.kind], ['error', language], `${code}: ${JSON.stringify(last)}`);
  }
  const last = await run('lua', 'while true do end');
  assert.deepEqual([last.kind, last.error], ['timeout', 'Lua execution timeout: the code ran longer than 3 s.']);
});

test('an interrupted run goes on with the reply of a person', async () => {
  const yaml = `
language: prolog
nodes:
  - { name: draft, run: "return(text, draft)." }
  - { name: send, interrupt: before, run: "( state(approved, true) -> return(sent, true) ; return(sent, false) )." }
`;
  const workflow = await Workflow.load(yaml);
  try {
    const last = async (events) => {
      let last;
      for await (const event of events) last = event;
      return last;
    };
    const waits = await last(workflow.run());
    assert.deepEqual([waits.type, waits.node, waits.when], ['interrupt', 'send', 'before']);
    const checkpoint = JSON.parse(JSON.stringify(waits.checkpoint));
    assert.deepEqual((await last(workflow.resume(checkpoint, { approved: true }))).state, {
      approved: true,
      sent: true,
      text: 'draft',
    });
    assert.equal((await last(workflow.resume(checkpoint))).state.sent, false);
  } finally {
    workflow.close();
  }
});

test('raise_exceptions throws', async () => {
  const yaml =
    'config: {raise_exceptions: true}\nnodes:\n- {name: bad, language: prolog, run: "X is foo + 1, return(x, X)."}\n';
  await assert.rejects(
    eventsOf(yaml, {}),
    (error) =>
      error instanceof WorkflowError && error.message.startsWith("Error in node 'bad': ") && error.kind === 'prolog',
  );
});

test('abandoning a run ends its engines, and the next run has others', async () => {
  const yaml =
    'language: prolog\nnodes:\n- {name: a, run: "state(n, N), numlist(1, N, L), foldl([X,A,B]>>(B is A+X), L, 0, S), return(s, S)."}\n';
  const workflow = await Workflow.load(yaml, { engines: 1 });
  try {
    for await (const event of workflow.run({ n: 100_000_000 })) if (event.type === 'node_start') break;
    const states = [];
    for await (const event of workflow.run({ n: 10 })) if (event.type === 'final') states.push(event.state.s);
    assert.deepEqual(states, [55]);
  } finally {
    workflow.close();
  }
});

test('branches run at the same time, in engines of their own', async () => {
  const branch = (name) =>
    `  - name: ${name}\n    run: |\n      here(${name}).\n      findall(X, here(X), Xs), return(here, Xs).\n`;
  const names = ['a', 'b', 'c'];
  const yaml = `
language: prolog
nodes:
  - { name: start, run: "return(v, 1)." }
${names.map(branch).join('')}
  - name: join
    run: |
      state(parallel_results, Rs),
      findall(B-Xs, ( member(R, Rs), get_dict(branch, R, B), get_dict(state, R, S), get_dict(here, S, Xs) ), Pairs),
      findall([B,Xs], member(B-Xs, Pairs), Lists), return(all, Lists).
edges:
${names.map((name) => `  - { from: start, to: ${name}, type: parallel, fan_in: join }\n  - { from: ${name}, to: join }`).join('\n')}
`;
  const events = await eventsOf(yaml, {}, { engines: 2 });
  assert.deepEqual(events.at(-1).state, { v: 1, all: names.map((name) => [name, [name]]) });
  assert.deepEqual(new Set(events.filter(({ branch }) => branch).map(({ branch }) => branch)), new Set(names));
});

test('JavaScript nodes run in QuickJS, and nothing is silently lost', async () => {
  const js = async (code, state) =>
    (await eventsOf(`nodes:\n- {name: a, language: javascript, run: ${JSON.stringify(code)}}\n`, state)).at(-1);
  const state = { n: 2n ** 70n, xs: [1, 2, 3], text: 'é"\\', o: { a: null } };
  assert.deepEqual(
    (await js('return { m: state.n * 2n, sum: state.xs.reduce((a, b) => a + b), back: [state.text, state.o] }', state))
      .state,
    { ...state, m: 2n ** 71n, sum: 6, back: ['é"\\', { a: null }] },
  );
  const reach =
    'return { seen: [typeof process, typeof require, typeof fetch, typeof setTimeout, (() => {}).constructor("return typeof process")()] }';
  assert.deepEqual((await js(reach, {})).state.seen, Array(5).fill('undefined'));
  for (const [code, message] of [
    ['return { f() {} }', 'Error: the result.f is a function, which JSON cannot hold'],
    ['return { a: [1, undefined] }', 'Error: the result.a[1] is undefined, which JSON cannot hold'],
    ['return { x: 0 / 0 }', 'Error: the result.x is NaN, which JSON cannot hold'],
    ['return 3', 'Error: the code of a node returns an object of values for the state, not a number'],
    ['return nope', "ReferenceError: 'nope' is not defined"],
    ['throw new TypeError("bad")', 'TypeError: bad'],
  ]) {
    const { type, kind, error } = await js(code, {});
    assert.deepEqual([type, kind, error], ['error', 'javascript', message], code);
  }
  const left = 'globalThis.x = 1; Object.prototype.y = 1; Array.prototype.map = 0; return {}';
  const nodes = [left, 'return { left: [typeof x, typeof ({}).y, typeof [].map] }'];
  const yaml = `language: javascript\nnodes:\n${nodes.map((code, at) => `- {name: n${at}, run: ${JSON.stringify(code)}}`).join('\n')}\n`;
  assert.deepEqual((await eventsOf(yaml, {})).at(-1).state.left, ['undefined', 'undefined', 'function']);
  const endless = await eventsOf('nodes:\n- {name: a, language: javascript, run: "for (;;);"}\n', {}, { timeout: 0.5 });
  assert.equal(endless.at(-1).kind, 'timeout');
});

test('hornbook flow runs a workflow and prints its graph', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hornbook-flow-'));
  const file = join(folder, 'a.yaml');
  const bin = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));
  const flow = (...args) =>
    new Promise((resolve) =>
      execFile(process.execPath, [bin, 'flow', file, ...args], (error, out, err) =>
        resolve([error?.code ?? 0, out, err]),
      ),
    );
  try {
    await writeFile(
      file,
      'language: prolog\nnodes:\n- {name: a, run: "state(x, X), Y is X * 2**64, return(y, Y)."}\n- {name: b, run: "state(y, Y), Y < 0."}\n',
    );
    const [code, out, err] = await flow('--state', 'x=2', '--state', 'name=Ann');
    assert.deepEqual([code, out], [0, '{"name":"Ann","x":2,"y":36893488147419103232}\n']);
    assert.match(err, /^a: \{"y":36893488147419103232\}\nb: failed at \S*a\.yaml:4: /);
    const [, graph] = await flow('--mermaid');
    assert.match(graph, /^flowchart TD\n[\s\S]*start --> n0\n {2}n0 --> n1\n {2}n1 --> finish\n$/);
    const [, exact] = await flow(
      '--state',
      'x=9007199254740993',
      '--state',
      'l=["1", {"k": -12345678901234567890}, 0.12345678901234566]',
    );
    assert.match(
      exact,
      /^\{"l":\["1",\{"k":-12345678901234567890\},0\.12345678901234566\],"x":9007199254740993,"y":166153499473114502559719956244594688\}/,
    );
    const [failed, , said] = await flow('--state', 'x=a');
    assert.equal(failed, 2);
    assert.match(said, /^a: .*a\.yaml:3: Type error: /);
    await writeFile(file, 'nodes:\n- {name: a, goto: b}\n');
    assert.deepEqual(await flow(), [
      2,
      '',
      `${file}:2:18: goto of node 'a' is 'b', which is not a node. There are: a.\n`,
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('hornbook flow --watch runs a workflow again when its file changes, even after an invalid one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hornbook-flow-'));
  const file = join(folder, 'a.yaml');
  const bin = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));
  const giving = (value) => `language: prolog\nnodes:\n- {name: a, run: "return(x, ${value})."}\n`;
  await writeFile(file, giving(1));
  const child = spawn(process.execPath, [bin, 'flow', file, '--watch'], { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const printed = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const told = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    const waits = async () => {
      let said = '';
      for (;;) {
        const { value } = await told.next();
        if (value.startsWith('Waits for a change')) return said;
        said += value;
      }
    };
    assert.equal((await printed.next()).value, '{"x":1}');
    await waits();
    await writeFile(file, 'nodes:\n- {name: a, goto: b}\n');
    assert.match(await waits(), /goto of node 'a' is 'b', which is not a node/);
    // As editors do, another file replaces it.
    await writeFile(`${file}.new`, giving(2));
    await rename(`${file}.new`, file);
    assert.equal((await printed.next()).value, '{"x":2}');
  } finally {
    child.kill();
    await rm(folder, { recursive: true });
  }
});
