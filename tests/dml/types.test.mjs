// Types of the results of tasks, and of parameters; and where a program fails.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { BIN } from '../support/stdio.mjs';

const directory = mkdtempSync(join(tmpdir(), 'hornbook-types-'));
const dml = await createDeepClause();
after(() => {
  dml.close();
  rmSync(directory, { recursive: true });
});

const finish = { tool: 'finish', args: { success: true } };
const set = (variable, value) => ({ tool: 'set_result', args: { variable, value } });

async function run(code, { turns = [], ...options } = {}) {
  const model = scriptedModel(turns);
  const events = [];
  for await (const event of dml.runDML(code, { model, ...options })) events.push(event);
  return { events, requests: model.requests, answer: events.find(({ type }) => type === 'answer')?.content };
}

/** Runs `hornbook` in the directory. */
const hornbook = (...args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { cwd: directory }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });

const PEOPLE = `
  agent_main :-
    task("Who is there?", list(object([
        name: string - "the whole name",
        age: optional(integer),
        role: oneof([admin, user])]), People)),
    findall(N-R, ( member(P, People), N = P.name, R = P.role, memberchk(R, [admin, user]) ), Roles),
    answer("{Roles}").`;

test('a task returns objects, lists of them and values of an enumeration, by a JSON Schema', async () => {
  const turns = [
    { calls: [set('People', [{ name: 'Ann', role: 'boss' }])] },
    {
      calls: [
        set('People', [
          { name: 'Ann', age: 7, role: 'admin' },
          { name: 'Bob', age: null, role: 'user' },
        ]),
        finish,
      ],
    },
  ];
  const { requests, answer } = await run(PEOPLE, { turns });
  // The values of an enumeration are atoms, as in the program.
  assert.equal(answer, '[Ann-admin,Bob-user]');
  assert.deepEqual(requests[0].tools.find(({ name }) => name === 'set_result').parameters.properties.value, {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'the whole name' },
        age: { type: 'integer' },
        role: { type: 'string', enum: ['admin', 'user'] },
      },
      required: ['name', 'role'],
      additionalProperties: false,
    },
  });
  assert.deepEqual(JSON.parse(requests[1].messages.at(-1).content), {
    error: 'People[0].role must be one of admin, user, not "boss"; call set_result again.',
  });
});

test('types are found in nested lists, as variables alone, and as arguments before the variable', async () => {
  const cases = [
    ['oneof([1, 2, three], V)', 'three', 'three'],
    ['oneof([1, 2, three], V)', 2, '2'],
    ['list(oneof([low, high]), V)', ['high'], '[high]'],
    ['list(list(integer(V)))', [[1], []], '[[1],[]]'],
    ['object([at: object([x: float])], V)', { at: { x: 1 } }, 'dict{at:dict{x:1.0}}'],
    ['any(V)', { a: [null] }, 'dict{a:[null]}'],
  ];
  for (const [output, value, expected] of cases) {
    const code = `agent_main :- task("t", ${output}), format(string(T), "~q", [V]), answer(T).`;
    const { answer, events } = await run(code, { turns: [{ calls: [set('V', value), finish] }] });
    assert.equal(answer, expected, `${output}: ${JSON.stringify(events)}`);
  }
});

test('an invalid type is an error when the program is loaded, however deep', async () => {
  for (const [output, wrong] of [
    ['list(object([name: strng]), V)', 'strng'],
    ['oneof(low, V)', 'oneof/2'],
    ['oneof([], V)', 'oneof/2'],
    ['object([name], V)', 'object/2'],
    ['list(object([name: string])), V', 'object/1'],
  ]) {
    const { events } = await run(`agent_main :-\n  task("t", ${output}).`);
    assert.equal(events.length, 1, output);
    assert.match(events[0].content, new RegExp(`^line 1, column 0: ${wrong} is no type of a task's output`));
  }
});

const SEARCH = `
  :- param(max:integer, "How many", 5).
  :- param(names:list(string), "Of whom").
  :- param(kind:oneof([bird, fish]), "Of what kind", bird).
  :- param("format:select(json,csv)", "The output's format").
  :- param(code:string, "A number with zeros").
  agent_main(Topic, Kind) :-
    param(max, Max), ( param(code, Code) -> true ; Code = none ),
    format(string(T), "~q", [[Topic, Kind, Max, Code]]), answer(T).`;

test('parameters are checked before the run by their declared types, all at once', async () => {
  const { answer } = await run(SEARCH, { params: { topic: 'x', kind: 'fish', max: 3 } });
  assert.equal(answer, '["x",fish,3,none]');
  const { events, requests } = await run(SEARCH, {
    params: { topic: 'x', max: '3', names: ['a', 1], format: 'xml', kind: 'cow' },
  });
  assert.deepEqual(events, [
    {
      type: 'error',
      content:
        'The parameter max must be an integer, not "3" (How many). ' +
        'The parameter names[1] must be a string, not 1 (Of whom). ' +
        'The parameter kind must be one of bird, fish, not "cow" (Of what kind). ' +
        `The parameter format must be one of json, csv, not "xml" (The output's format).`,
    },
  ]);
  assert.equal(requests.length, 0);
});

test('a program describes its parameters, to hosts and to people', async () => {
  const { parameters } = await dml.inspectDML(SEARCH);
  assert.deepEqual(parameters[1], {
    name: 'Kind',
    required: false,
    type: 'oneof([bird,fish])',
    description: 'Of what kind',
    default: 'bird',
    schema: { type: 'string', enum: ['bird', 'fish'] },
  });
  writeFileSync(join(directory, 'search.dml'), SEARCH);
  const { code, stdout } = await hornbook('run', 'search.dml', '--help');
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `Usage: hornbook run search.dml --param Topic=VALUE

Parameters:
  Topic                     required
  Kind: oneof([bird,fish])  Of what kind (default: "bird")
  max: integer              How many (default: 5)
  names: list(string)       Of whom (optional)
  format: select(json,csv)  The output's format (optional)
  code: string              A number with zeros (optional)
`,
  );
});

test('on the command line, a string parameter is the text as written', async () => {
  writeFileSync(join(directory, 'search.dml'), SEARCH);
  const given = ['--param', 'topic=1', '--param', 'code=1.10', '--param', 'max=2'];
  assert.deepEqual(await hornbook('run', 'search.dml', ...given), {
    code: 0,
    stdout: '[1,bird,2,"1.10"]\n',
    stderr: '',
  });
});

test('an error that ends a run names the predicate, and the line of its clause', async () => {
  const code = `agent_main :-
  log("begins"),
  half(a, _).

% Half of a number.
half(X, Y) :-
  Y is X / 2,
  log("{Y}").
`;
  const { events } = await run(code);
  const { content, line, column } = events.at(-1);
  assert.match(content, /^Runtime error: Type error: .* \(in half\/2, line 6\)$/);
  assert.deepEqual([line, column], [6, 0]);
});

test('so does one of a last goal, and a full stack names its recursion', async () => {
  const error = async (code) => (await run(code)).events.at(-1);
  assert.match((await error('agent_main :-\n  nope(1).')).content, /\(in agent_main\/0, line 1\)$/);
  const { content, line } = await error('agent_main :- foo.\nfoo :-\n  _ is a+1.');
  assert.match(content, /\(in foo\/0, line 2\)$/);
  assert.equal(line, 2);
  assert.match((await error('agent_main :- foo.\nfoo :-\n  throw(x).')).content, /\(in foo\/0, line 2\)$/);
  assert.match((await error(':- nope(1).\nagent_main :- nope(2).')).content, /nope\/1/);
  assert.match(
    (await error('agent_main :- foo(1).\nfoo(X) :- foo(X), true.')).content,
    /foo\/1 calls itself, [\d,]+ calls deep/,
  );
});

test('a program asks the user as its tools do', async () => {
  const code = 'agent_main :- exec(ask_user(prompt: "Which colour?"), R), answer(R.user_response).';
  const { events, answer } = await run(code, { onUserInput: (prompt) => `blue, as to ${prompt}` });
  assert.equal(answer, 'blue, as to Which colour?');
  assert.deepEqual(events[0], { type: 'input_required', prompt: 'Which colour?' });
  assert.deepEqual(await dml.checkDML(code), []);
  assert.equal((await run('agent_main :- exec(ask_user(prompt: 1), _).')).events.at(-1).success, false);
});

test('an invalid model is refused before a program runs', async () => {
  const model = async () => ({ calls: [finish] });
  await assert.rejects(run('agent_main.', { model }), /a model is an object with a method `turn`/);
  await assert.rejects(createDeepClause({ models: { fast: model } }), /a method `turn`/);
});
