// What a run may cost, and cached replies of models.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { eventsOf } from '../node/harness.mjs';
import { BIN } from '../support/stdio.mjs';

const directory = mkdtempSync(join(tmpdir(), 'hornbook-cost-'));
after(() => rmSync(directory, { recursive: true }));

const usage = { inputTokens: 1000, outputTokens: 500 };
const says = (value) => ({
  calls: [
    { tool: 'set_result', args: { variable: 'V', value } },
    { tool: 'finish', args: { success: true } },
  ],
  usage,
});

async function opened(options) {
  const dml = await createDeepClause(options);
  after(() => dml.close());
  return dml;
}

const told = (events) =>
  events
    .filter(({ type }) => type !== 'usage')
    .map(({ type, content }) => (content === undefined ? type : `${type}: ${content}`));
const sum = (events) => events.reduce((cost, event) => cost + (event.type === 'usage' ? event.cost : 0), 0);

// A turn costs 0.001 + 0.001 dollars.
const prices = { '*': { input: 1, output: 2 } };
test('a call that might cost too much is an error that a program can catch, and a program that then goes on is ended', async () => {
  const program = (rest) => `
    say(Text) :- task(Text, V), output(V).
    agent_main :- say("1"), catch(( say("2"), say("3") ), error(cost_error(Why), _), output(Why)), ${rest}.`;
  const turns = ['a', 'b', 'c', 'd'].map(says);
  const dml = await opened();
  const model = scriptedModel(turns);
  const events = await eventsOf(dml, program('answer(done)'), { model, prices, maxCost: 0.0035 });
  const refused = 'The run may cost $0.0035, $0.0040 of it are spent, and the next call of the model would pass it.';
  assert.deepEqual(told(events), ['output: a', 'output: b', `output: ${refused}`, 'answer: done', 'finished']);
  assert.deepEqual([model.requests.length, sum(events), events.at(-1).cost], [2, 0.004, 0.004]);

  const again = await eventsOf(dml, program('say("4")'), {
    model: scriptedModel(turns),
    prices,
    maxCost: 0.0035,
  });
  assert.deepEqual(told(again).slice(-2), [`output: ${refused}`, `error: ${refused}`]);
});

test('input tokens count before the call', async () => {
  const dml = await opened();
  const model = scriptedModel([says('a')]);
  const code = 'agent_main :- numlist(1, 9000, Ns), task("{Ns}", V), answer(V).';
  const events = await eventsOf(dml, code, { model, prices, maxCost: 0.005 });
  assert.match(told(events).at(-1), /^error: Runtime error: The run may cost \$0\.005, \$0\.0000 of it are spent/);
  assert.equal(model.requests.length, 0);
});

test('each model has its price, and one without a price cannot be asked if there is a limit', async () => {
  const dml = await opened({
    models: { fast: scriptedModel([says('f'), says('f')]), slow: scriptedModel([says('s')]) },
  });
  const code = `
    ask(Model, V) :- with_model(Model, task("t", V)).
    agent_main :- ask(fast, A), ask(slow, B), answer("{A}{B}").`;
  const both = { fast: { input: 1, output: 2 }, slow: { input: 10, output: 20 } };
  const events = await eventsOf(dml, code, { prices: both, maxCost: 1 });
  assert.deepEqual(
    events.filter(({ type }) => type === 'usage').map(({ cost }) => cost),
    [0.002, 0.02],
  );
  const missing = await eventsOf(dml, code, { prices: { fast: both.fast }, maxCost: 1 });
  assert.match(told(missing).at(-1), /the run may cost \$1, and the model slow has no price/);
});

test('if nobody reports the usage of a turn, it is estimated from its text', async () => {
  const dml = await opened();
  const { usage: _, ...silent } = says('x'.repeat(40_000));
  const code = 'agent_main :- task("1", V), string_length(V, N), output(N), task("2", V2), answer(V2).';
  const events = await eventsOf(dml, code, { model: scriptedModel([silent, silent]), prices, maxCost: 0.02 });
  assert.deepEqual(told(events)[0], 'output: 40000');
  assert.match(told(events)[1], /^error: .*The run may cost \$0\.02, \$0\.02\d\d of it are spent/);
});

test('a replay gives the same refusal without prices', async () => {
  const dml = await opened();
  const code = 'agent_main :- task("1", V), catch(task("2", _), error(cost_error(_), _), true), answer(V).';
  const recording = [];
  const record = (entry) => recording.push(entry);
  const model = scriptedModel([says('a')]);
  const events = await eventsOf(dml, code, { model, prices, maxCost: 0.001, record });
  const again = await eventsOf(dml, code, { replay: recording });
  assert.deepEqual(told(again), told(events));
  assert.deepEqual(told(again), ['answer: a', 'finished']);
});

test('the same question to the same model is answered from the cache, for free, and reported as such', async () => {
  const cache = new Map();
  const dml = await opened({ cache });
  const code = 'agent_main :- task("t", V), answer(V).';
  const run = (model, options) => eventsOf(dml, code, { model, prices, trace: true, ...options });
  const first = await run(scriptedModel([says('a')]));
  assert.deepEqual([cache.size, sum(first)], [1, 0.002]);
  const model = scriptedModel([says('b')]);
  const second = await run(model, { maxCost: 0 });
  assert.deepEqual([model.requests.length, second.at(-1).cost], [0, 0]);
  assert.equal(second.find(({ type }) => type === 'answer').content, 'a');
  const turns = (events) => events.filter(({ step }) => step === 'turn').map(({ cached }) => cached);
  assert.deepEqual([turns(first), turns(second)], [[undefined], [true]]);

  // Another temperature, another model, another question.
  const colder = await run(scriptedModel([says('cold')]), { temperature: 0 });
  const other = await run({ name: 'other', ...scriptedModel([says('other')]) });
  const asked = await eventsOf(dml, code.replace('"t"', '"u"'), { model: scriptedModel([says('u')]) });
  const answers = [colder, other, asked].map((events) => events.find(({ type }) => type === 'answer').content);
  assert.deepEqual(answers, ['cold', 'other', 'u']);
  assert.equal(cache.size, 4);
});

test('a cached reply that cannot be read is requested again, and failures of a model are not cached', async () => {
  const cache = new Map();
  const dml = await opened({ cache });
  const code = 'agent_main :- task("t", V), answer(V) ; answer(none).';
  const failed = await eventsOf(dml, code, { model: scriptedModel([{ error: 'no', status: 400 }]) });
  assert.deepEqual([told(failed).at(-2), cache.size], ['answer: none', 0]);
  await eventsOf(dml, code, { model: scriptedModel([says('a')]) });
  for (const key of cache.keys()) cache.set(key, 'no JSON');
  const events = await eventsOf(dml, code, { model: scriptedModel([says('b')]) });
  assert.match(told(events)[0], /^log: A reply that was kept cannot be read: /);
  assert.equal(told(events)[1], 'answer: b');
  assert.equal((await eventsOf(dml, code)).find(({ type }) => type === 'answer').content, 'b');
});

test('on the command line: prices, the limit and the directory of replies', async () => {
  writeFileSync(join(directory, 'p.dml'), 'agent_main :- task("1", V), task("2", V2), answer("{V}{V2}").');
  const second = {
    ...says('b'),
    calls: [{ tool: 'set_result', args: { variable: 'V2', value: 'b' } }, says('b').calls[1]],
  };
  writeFileSync(join(directory, 'turns.json'), JSON.stringify([says('a'), second]));
  writeFileSync(join(directory, 'none.json'), '[]');
  writeFileSync(join(directory, 'cases.jsonl'), '{"expect": {"answer": "ab"}}\n');
  const hornbook = (...args) =>
    new Promise((resolve) => {
      execFile(process.execPath, [BIN, ...args], { cwd: directory }, (error, out, err) =>
        resolve({ code: error ? error.code : 0, out: out.trimEnd(), err: err.trimEnd() }),
      );
    });
  const dear = await hornbook('run', 'p.dml', '--script', 'turns.json', '--price', '1,2', '--max-cost', '0.001');
  assert.equal(dear.code, 2);
  assert.match(dear.err, /^p\.dml: .*The run may cost \$0\.001, \$0\.0020 of it are spent/);
  assert.match((await hornbook('run', 'p.dml', '--max-cost', '1')).err, /--max-cost needs the prices/);
  assert.match((await hornbook('run', 'p.dml', '--price', '1')).err, /--price takes IN,OUT or MODEL=IN,OUT/);

  const kept = ['--cache', 'replies'];
  assert.equal((await hornbook('run', 'p.dml', '--script', 'turns.json', ...kept)).out, 'ab');
  assert.equal(readdirSync(join(directory, 'replies')).length, 2);
  assert.equal((await hornbook('run', 'p.dml', '--script', 'none.json', ...kept)).out, 'ab');
  const tried = await hornbook('eval', 'p.dml', 'cases.jsonl', '--script', 'none.json', '--price', '1,2', ...kept);
  assert.match(tried.out, /1 of 1 runs passed .* \$0\.0000$/s);
});
