// `hornbook eval`: a program on cases.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BIN } from '../support/stdio.mjs';

const directory = mkdtempSync(join(tmpdir(), 'hornbook-eval-'));
after(() => rmSync(directory, { recursive: true }));

/** Evaluates a program on cases. */
function evaluate(program, cases, ...options) {
  writeFileSync(join(directory, 'p.dml'), program);
  writeFileSync(
    join(directory, 'cases.jsonl'),
    cases.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'),
  );
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [BIN, 'eval', 'p.dml', 'cases.jsonl', ...options],
      { cwd: directory },
      (error, out, err) => resolve({ code: error ? error.code : 0, lines: out.trimEnd().split('\n'), err }),
    );
  });
}

const PROGRAM = `agent_main(Name) :-
  task("Greet {Name}.", Text),
  output(Text),
  answer(Text).
`;
const says = (text) => ({
  text: '',
  calls: [
    { tool: 'set_result', args: { variable: 'Text', value: text } },
    { tool: 'finish', args: { success: true } },
  ],
});

test('passing and failing cases, with the actual and the expected result', async () => {
  const { code, lines } = await evaluate(PROGRAM, [
    { name: 'exact', params: { Name: 'Ann' }, script: [says('Hello Ann')], expect: { answer: 'Hello Ann' } },
    {
      params: { Name: 'Bob' },
      script: [says('Hello Bob')],
      expect: { answer: { contains: 'Bob' }, output: { matches: '^Hello' } },
    },
    { name: 'wrong', params: { Name: 'Cy' }, script: [says('Bye')], expect: { answer: 'Hello Cy' } },
  ]);
  assert.equal(code, 1);
  assert.deepEqual(lines.slice(0, -1), [
    'ok     exact',
    'ok     case 2',
    'FAILED wrong',
    '       answer: Bye',
    '       wanted: Hello Cy',
  ]);
  assert.match(lines.at(-1), /^2 of 3 runs passed \(66\.7 %\) · \d+ tokens in, \d+ out · [\d.]+ s$/);
});

test('each case several times, with the cost, and recordings of the failed ones', async () => {
  const program = 'agent_main(N) :- ( N > 1 -> answer("big") ; throw(small) ).';
  const { code, lines } = await evaluate(
    program,
    [
      { params: { N: 2 }, expect: { answer: 'big' } },
      { params: { N: 1 }, expect: { answer: 'big' } },
    ],
    '--repeat',
    '2',
    '--price',
    '1,2',
    '--record',
    'failures',
  );
  assert.equal(code, 1);
  assert.deepEqual(lines.slice(0, 2), ['ok     2/2 case 1', 'FAILED 0/2 case 2']);
  assert.match(lines[2], /small/);
  assert.match(
    lines.at(-1),
    /^2 of 4 runs passed \(50\.0 %\) · 1 of 2 cases always · .* · \$0\.0000 · recordings of what failed: failures$/,
  );
  assert.deepEqual(readdirSync(join(directory, 'failures')).sort(), ['2-1.json', '2-2.json']);
  const [first] = JSON.parse(readFileSync(join(directory, 'failures', '2-1.json'), 'utf8'));
  assert.equal(first.kind, 'run');
});

test('a recording of a run can be run again without its model', async () => {
  const run = (...options) =>
    new Promise((resolve) => {
      execFile(process.execPath, [BIN, 'run', 'greet.dml', ...options], { cwd: directory }, (error, out, err) =>
        resolve({ code: error ? error.code : 0, out, err }),
      );
    });
  writeFileSync(join(directory, 'greet.dml'), PROGRAM);
  writeFileSync(join(directory, 'turns.json'), JSON.stringify([says('Hello Ann')]));
  const first = await run('--param', 'Name=Ann', '--script', 'turns.json', '--record', 'run.json');
  assert.deepEqual([first.code, first.out], [0, 'Hello Ann\nHello Ann\n']);
  const again = await run('--param', 'Name=Ann', '--replay', 'run.json');
  assert.deepEqual([again.code, again.out], [0, first.out], again.err);
  const asRecorded = await run('--replay', 'run.json');
  assert.deepEqual([asRecorded.code, asRecorded.out], [0, first.out], asRecorded.err);
  writeFileSync(join(directory, 'none.json'), '{}');
  assert.match((await run('--replay', 'none.json')).err, /line 1 of none\.json is not an entry of a recording/);
  // Killed in the middle of a line, with the turn of the model still to come: the run continues, into the same file.
  const lines = readFileSync(join(directory, 'run.json'), 'utf8').split('\n');
  const upTo = lines.findIndex((line) => line.includes('"kind":"model"'));
  writeFileSync(join(directory, 'cut.jsonl'), [...lines.slice(0, upTo), lines[upTo].slice(0, 20)].join('\n'));
  const resumed = await run('--replay', 'cut.jsonl', '--record', 'cut.jsonl', '--script', 'turns.json');
  assert.deepEqual([resumed.code, resumed.out], [0, first.out], resumed.err);
  assert.deepEqual(readFileSync(join(directory, 'cut.jsonl'), 'utf8').split('\n'), lines);
  writeFileSync(join(directory, 'array.json'), JSON.stringify(lines.filter(Boolean).map((line) => JSON.parse(line))));
  assert.equal((await run('--replay', 'array.json')).out, first.out);
});

test('a run that is killed has recorded what it had been told', async () => {
  writeFileSync(join(directory, 'ask.dml'), 'agent_main :- exec(now, A), exec(hang, _), answer(A).\n');
  writeFileSync(
    join(directory, 'hang.mjs'),
    'export const now = { execute: () => 7 };\nexport const hang = { execute: () => new Promise(() => process.kill(process.pid, "SIGKILL")) };\n',
  );
  const args = [BIN, 'run', 'ask.dml', '--tool-file', 'hang.mjs', '--record', 'killed.jsonl'];
  await new Promise((resolve) => execFile(process.execPath, args, { cwd: directory }, resolve));
  const kept = readFileSync(join(directory, 'killed.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    kept.map(({ kind, result }) => result ?? kind),
    ['run', 7],
  );
});

test('an expected error or failure is not a failed case', async () => {
  const { code, lines } = await evaluate('agent_main(N) :- N > 0, ( N > 1 -> throw(big) ; true ).', [
    { params: { N: 0 }, expect: { success: false } },
    { params: { N: 2 }, expect: { error: { contains: 'big' } } },
    { params: { N: 1 } },
  ]);
  assert.deepEqual([code, lines.slice(0, 3)], [0, ['ok     case 1', 'ok     case 2', 'ok     case 3']]);
});

test('an error in the cases is reported with its line', async () => {
  for (const [line, message] of [
    [
      '{"expect": {"anser": "x"}}',
      /cases\.jsonl:2: there is no key 'anser'; the keys are: success, answer, output, error/,
    ],
    ['nonsense', /cases\.jsonl:2: not JSON/],
    ['{"expect": {"answer": {"matches": "("}}}', /cases\.jsonl:2: expect\.answer: invalid regular expression/],
    ['{"params": 1}', /cases\.jsonl:2: params must be an object/],
  ]) {
    const { code, err } = await evaluate('agent_main.', [{}, line]);
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
});
