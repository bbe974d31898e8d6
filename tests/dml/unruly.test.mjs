// Models and tools that hang, answer nonsense, call what does not exist, or return what nobody can hold: the events
// that a user sees of each, a plain sentence, and a program that goes on where it can.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { createDeepClause } from '../../pkg/dml.js';

const dml = await createDeepClause();
after(() => dml.close());

/** No sentence mentions Hornbook's internals, wasm, or stacks. */
const INSIDES = /\bhb_|\$hb|struct |JsValue|undefined|at line \d|at Object|node:internal|wasm|closure|tools\.get|EOF/;

async function run(code, options) {
  const events = [];
  for await (const event of dml.runDML(code, options)) events.push(event);
  assert.doesNotMatch(JSON.stringify(events.filter(({ type }) => type === 'error' || type === 'log')), INSIDES);
  return events;
}
const contents = (events, kind) => events.filter(({ type }) => type === kind).map(({ content }) => content);
const never = () => new Promise(() => {});
const TASK = 'agent_main :- task("t", string(V)), answer(V).\nagent_main :- answer(otherwise).';
const set = { tool: 'set_result', args: { variable: 'V', value: 'fine' } };
const finish = { tool: 'finish', args: { success: true } };
const says = (...turns) => ({
  requests: [],
  async turn(request) {
    this.requests.push(request);
    return turns.shift() ?? { calls: [set, finish] };
  },
});

test('a model that hangs ends with the time limit of the run, and is aborted', async () => {
  let aborted;
  const model = {
    turn(_, { signal }) {
      aborted = once(signal, 'abort');
      return never();
    },
  };
  // Long enough for the model to be called on a busy machine.
  const events = await run(TASK, { model, timeoutMs: 3_000 });
  assert.deepEqual(events, [{ type: 'error', content: 'The run took longer than its 3 seconds.' }]);
  assert.ok(await aborted);
});

test('a model that hangs is aborted with the run, and on leaving the loop over the events', async () => {
  const signals = [];
  const model = {
    turn(_, { signal }) {
      signals.push(signal);
      return never();
    },
  };
  const controller = new AbortController();
  const events = run(TASK, { model, signal: controller.signal });
  while (signals.length < 1) await new Promise(setImmediate);
  controller.abort();
  assert.deepEqual(await events, [{ type: 'error', content: 'Execution aborted.' }]);
  for await (const { type } of dml.runDML('agent_main :- input("who?", _), task("t").', {
    model,
    onUserInput: never,
  })) {
    assert.equal(type, 'input_required');
    break;
  }
  const own = await createDeepClause({ model });
  const closed = own.runDML('agent_main :- task("t").').next();
  while (signals.length < 2) await new Promise(setImmediate);
  own.close();
  assert.deepEqual((await closed).value, { type: 'error', content: 'Execution aborted.' });
  assert.equal(signals[0].aborted, true);
});

test('a model that streams forever, and one that streams on after its turn', async () => {
  const endless = {
    async turn(_, { signal, onText }) {
      for (let n = 0; !signal.aborted; n += 1) {
        onText(`${n} `);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
  const events = await run(TASK, { model: endless, streaming: true, timeoutMs: 300 });
  assert.equal(events[0].content, '0 ');
  assert.match(events.at(-1).content, /took longer/);
  let late;
  const after = {
    async turn(_, { onText }) {
      late = () => onText('late');
      onText('in time');
      return { text: 'in time', calls: [set, finish] };
    },
  };
  const told = await run(
    TASK.replace('answer(V)', '( late(V) -> true ; answer(V) )').concat('\nlate(_) :- exec(late, _), fail.'),
    { model: after, streaming: true },
  );
  assert.deepEqual(contents(told, 'stream'), ['in time', '']);
  assert.doesNotThrow(late, 'nobody waits for it');
});

test('a model that streams something other than text', async () => {
  const model = {
    async turn(_, { onText }) {
      for (const piece of [42, undefined, null, {}, Symbol('s'), '\ud800', Object.create(null)]) onText(piece);
      return { calls: [set, finish] };
    },
  };
  const events = await run(TASK, { model, streaming: true });
  assert.deepEqual(contents(events, 'stream').slice(0, 6), [
    '42',
    'undefined',
    'null',
    '[object Object]',
    'Symbol(s)',
    '\ufffd',
  ]);
  assert.deepEqual(contents(events, 'answer'), ['fine']);
});

const cyclic = {};
cyclic.self = cyclic;
const NONSENSE = [
  ['nothing', undefined, /result is not what JSON can hold/],
  ['null', null, /returned an invalid turn: .*expected an object with text and calls/],
  ['a text', 'hello', /returned an invalid turn: .*expected an object with text and calls/],
  ['a number as text', { text: 5 }, /returned an invalid turn: .*expected a string/],
  ['calls that are none', { calls: 'finish' }, /returned an invalid turn: .*expected a sequence/],
  ['a call that is none', { calls: [5] }, /expected a call/],
  ['a call without a tool', { calls: [{ args: {} }] }, /missing field `tool`/],
  ['what is cyclic', cyclic, /not what JSON can hold: Converting circular structure to JSON/],
  ['a BigInt', { text: 1n }, /not what JSON can hold: .*BigInt/],
  ['a function', () => 1, /not what JSON can hold/],
  ['fewer tokens than none', { usage: { inputTokens: -1 } }, /returned an invalid turn/],
  ['too much', { text: 'x'.repeat((64 << 20) + 1) }, /more than 67108864 characters/],
];

test('a model that answers nonsense: the task fails with a reason, and the program goes on', async () => {
  for (const [what, turn, why] of NONSENSE) {
    const model = { turn: async () => turn };
    const events = await run(TASK, { model });
    const [log, ...others] = contents(events, 'log');
    assert.match(log, why, what);
    assert.ok(log.startsWith('The task failed: the model failed: ') && others.length === 0, what);
    assert.deepEqual(contents(events, 'answer'), ['otherwise'], what);
  }
});

test('null counts as absent in a turn', async () => {
  const events = await run(TASK, {
    model: says({ text: null, calls: [{ id: null, ...set }, finish], usage: { inputTokens: null, outputTokens: NaN } }),
  });
  assert.deepEqual(contents(events, 'answer'), ['fine']);
});

test('a model that throws something other than an error', async () => {
  for (const [thrown, why] of [
    [undefined, 'it did not say why'],
    [null, 'it did not say why'],
    ['down', 'down'],
    [42, 'it did not say why'],
    [{ message: 'busy' }, 'busy'],
    [new Error(''), 'it did not say why'],
  ]) {
    const events = await run(TASK, { model: { turn: () => Promise.reject(thrown) } });
    assert.deepEqual(contents(events, 'log'), [`The task failed: the model failed: ${why}.`]);
    assert.deepEqual(
      contents(
        await run(TASK, {
          model: {
            turn() {
              throw thrown;
            },
          },
        }),
        'answer',
      ),
      ['otherwise'],
    );
  }
});

test('a model that calls unknown tools, with invalid arguments, is told so, and may go on', async () => {
  let got;
  dml.registerTool('add', {
    parameters: { properties: { x: {} } },
    execute: (args) => {
      got = args;
      return 3;
    },
  });
  const calls = [
    { tool: 'rm', args: {} },
    { tool: '', args: null },
    { tool: 'add', args: 'x' },
    { tool: 'add', args: [1] },
    { tool: 'add', args: null },
    { tool: 'set_result', args: 'V' },
    { tool: 'set_result', args: { variable: 'W', value: 1 } },
    { tool: 'finish', args: [] },
    { tool: 'finish', args: { success: 'maybe' } },
  ];
  const model = says({ calls });
  const events = await run('agent_main :- with_tools([add], task("t", string(V))), answer(V).', { model });
  const results = model.requests[1].messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));
  const expected = [
    /There is no tool rm; the tools are: finish, set_result, ask_user, add\./,
    /There is no tool ;/,
    /must be one object/,
    /must be one object/,
    undefined,
    /variable/,
    /W/,
    /Not finished: store V/,
    /true or false/,
  ];
  for (const [index, error] of expected.entries()) {
    if (error) assert.match(results[index].error, error);
    else assert.equal(results[index].result, 3);
  }
  assert.deepEqual(got, {});
  assert.deepEqual(contents(events, 'answer'), ['fine']);
});

test('a model that repeats itself forever, and one that never finishes, are stopped', async () => {
  const same = await run(TASK, { model: { turn: async () => ({ calls: [{ tool: 'nope', args: {} }] }) } });
  assert.deepEqual(contents(same, 'log'), ['The task failed: the model repeats itself.']);
  let n = 0;
  const model = {
    async turn() {
      n += 1;
      return { text: `${n}`, calls: Array.from({ length: 100 }, () => ({ tool: 'nope', args: { n } })) };
    },
  };
  const long = await run(TASK, { model, maxTurns: 5 });
  assert.deepEqual([contents(long, 'log'), n], [['The task failed: the model did not finish within 5 turns.'], 5]);
});

test('a model that cannot be reached is an error that a program can catch, and otherwise ends the run', async () => {
  const catches =
    'agent_main :- catch(task("t", string(V)), error(model_error(unreachable, Why), _), V = Why), answer(V).';
  for (const facts of [
    { status: 401 },
    { statusCode: 403, isRetryable: false },
    { code: 'ECONNREFUSED' },
    { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } },
    { name: 'AI_LoadAPIKeyError' },
  ]) {
    const model = { turn: () => Promise.reject(Object.assign(new Error('no way'), facts)) };
    const events = await run(TASK, { model });
    assert.deepEqual(
      events.map(({ type, content }) => [type, content]),
      [
        [
          'error',
          'Runtime error: The model cannot be reached: no way. [model_error(unreachable,"no way")] (in agent_main/0, line 1)',
        ],
      ],
      JSON.stringify(facts),
    );
    assert.deepEqual(contents(await run(catches, { model }), 'answer'), ['no way']);
  }
  assert.match(contents(await run(TASK), 'error')[0], /there is no language model/);
});

test('a model that fails for a while is retried, and its failures are reported', async () => {
  let tries = 0;
  const model = {
    async turn() {
      tries += 1;
      if (tries < 3) throw Object.assign(new Error('busy'), { status: 503 });
      return { calls: [set, finish] };
    },
  };
  const events = await run(TASK, { model });
  assert.deepEqual(contents(events, 'log'), Array(2).fill('The model failed and is tried again: busy'));
  assert.deepEqual(contents(events, 'answer'), ['fine']);
});

const TOOLS = {
  hangs: [never, undefined],
  throws_text: [
    () => {
      throw 'down';
    },
    'down',
  ],
  throws_nothing: [
    () => {
      throw undefined;
    },
    'it did not say why',
  ],
  throws_null: [() => Promise.reject(null), 'it did not say why'],
  throws_object: [() => Promise.reject({ message: { deep: 1 } }), 'it did not say why'],
  throws_getter: [
    () => {
      throw Object.defineProperty({}, 'message', {
        get() {
          throw new Error('again');
        },
      });
    },
    'it did not say why',
  ],
  throws_lines: [
    () => {
      throw new Error('one\ntwo');
    },
    'one\ntwo',
  ],
  cyclic: [() => cyclic, 'its result is not what JSON can hold: Converting circular structure to JSON'],
  big: [() => ({ n: [1n] }), 'its result is not what JSON can hold: Do not know how to serialize a BigInt'],
  code: [() => () => 1, 'its result is not what JSON can hold'],
  symbol: [() => Symbol('s'), 'its result is not what JSON can hold'],
  own: [
    () => ({
      toJSON() {
        throw new Error('no');
      },
    }),
    'its result is not what JSON can hold: no',
  ],
  deep: [
    () => JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
    'its result cannot be used: it is nested too deeply',
  ],
  huge: [() => 'x'.repeat((64 << 20) + 1), 'what it gave has more than 67108864 characters'],
};

test('tools that throw anything, or return what JSON cannot hold: the goal fails with a reason', async () => {
  for (const [name, [execute]] of Object.entries(TOOLS)) dml.registerTool(name, { execute });
  const { hangs, ...others } = TOOLS;
  for (const [name, [, why]] of Object.entries(others)) {
    const events = await run(`agent_main :- exec(${name}, R), answer(R).\nagent_main :- answer(otherwise).`);
    assert.deepEqual(contents(events, 'log'), [`The tool ${name} failed: ${why}`]);
    assert.deepEqual(contents(events, 'answer'), ['otherwise'], name);
  }
});

test('undefined, and what JSON omits, counts as absent', async () => {
  dml.registerTool('nothing', { execute: () => undefined });
  dml.registerTool('part', {
    execute: () => ({ a: undefined, f: () => 1, n: NaN, d: new Date(0), m: new Map([[1, 2]]) }),
  });
  const [answer] = contents(await run('agent_main :- exec(nothing, N), exec(part, P), answer("{N} {P}").'), 'answer');
  assert.equal(answer, 'null dict{d:1970-01-01T00:00:00.000Z,m:dict{},n:null}');
});

test('a tool that never returns ends with the time limit of the run, and is notified', async () => {
  let heard;
  dml.registerTool('waits', {
    execute: (_, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          heard = new Error('stopped');
          reject(heard);
        }),
      ),
  });
  const events = await run('agent_main :- catch(exec(waits, _), _, true), answer(no).\nagent_main :- answer(no).', {
    timeoutMs: 300,
  });
  assert.deepEqual(events.slice(1), [{ type: 'error', content: 'The run took longer than its 1 seconds.' }]);
  assert.equal(heard.message, 'stopped');
});

test('a long text arrives whole, from a tool and from a model, and back', async () => {
  const text = 'ž'.repeat(5_000_000);
  dml.registerTool('long', { parameters: { properties: { text: {} } }, execute: ({ text }) => text + text });
  const model = says({ calls: [{ tool: 'set_result', args: { variable: 'V', value: text } }, finish] });
  const events = await run(
    'agent_main :- task("t", string(V)), exec(long(V), R), string_length(R, N), sub_string(R, 0, 3, _, S), answer("{N} {S}").',
    { model },
  );
  assert.deepEqual(contents(events, 'answer'), ['10000000 žžž']);
});

test('after all of this the object still runs programs', async () => {
  assert.deepEqual(contents(await run('agent_main :- answer(fine).'), 'answer'), ['fine']);
});

// Goals that untrusted code leaves to run after its step.

test('a delayed goal in a ball does not run when the ball has ended the run', async () => {
  for (const goal of ['output(woken)', '(repeat, fail)', 'assertz(woken)']) {
    const events = await run(`:- dynamic woken/0.\nagent_main :- freeze(X, ${goal}), throw(error(X, c)).`);
    assert.deepEqual(contents(events, 'output'), [], goal);
    const [error] = contents(events, 'error');
    assert.match(error, /^Runtime error: The goal threw error\(_\d*, c\)/, goal);
  }
});

test('the cleanup of abandoned goals has one second, and its output is reported', async () => {
  const model = {
    async turn({ messages }) {
      if (messages.at(-1).content.includes('slow')) return never();
      return { calls: [set, finish] };
    },
  };
  const left = (cleanup) => `
    :- dynamic cleaned/1.
    agent_main :-
        first_solution(V, [task("quick", string(V)), slow(V)], []),
        ( cleaned(Y) -> true ; Y = none ), answer("{V} {Y}").
    slow(V) :- setup_call_cleanup(true, ( member(_, [1, 2]), task("slow", string(V)) ), ${cleanup}).`;
  const options = { model, timeoutMs: 30_000, stepTimeoutMs: 300_000 };
  for (const cleanup of ['(repeat, fail)', 'throw(bad)', 'task("again")', 'concurrent_maplist(task, ["a", "b"])']) {
    const events = await run(left(cleanup), options);
    assert.deepEqual(contents(events, 'answer'), ['fine none'], cleanup);
    assert.deepEqual(contents(events, 'error'), [], cleanup);
  }
  const events = await run(left('( output(clean), assertz(cleaned(up)) )'), options);
  assert.deepEqual([contents(events, 'output'), contents(events, 'answer')], [['clean'], ['fine up']]);
});
