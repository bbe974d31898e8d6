// Runs the cases of FILE.json on workflows: `node tests/cases/workflow.mjs FILE.json [NAME...]`. A case has a `yaml`, or the
// `expr` of a condition, or a `code` whose language is to be told. Prints a line for each case and closes with
// `N passed, N failed`.
import { readFileSync } from 'node:fs';
import { installed } from '../../pkg/node/languages.js';
import { NodeHost, loadCrate } from '../../pkg/node.js';
import { PrologRuntime, Workflow } from '../../pkg/workflow.js';

const [file, ...names] = process.argv.slice(2);
const cases = exactly(readFileSync(file, 'utf8')).filter(({ name }) => names.length === 0 || names.includes(name));

await loadCrate();
const host = new NodeHost(() => {});
const languages = shared(installed());
const runtime = await PrologRuntime.create({ host });

/** What a failure can be of. */
const TYPES = [
  'load',
  'raise',
  'timeout',
  'sandbox',
  'prolog',
  'python',
  'lua',
  'javascript',
  'action',
  'template',
  'state',
  'graph',
  'engine',
];

const total = { passed: 0, failed: 0 };
for (const test of cases) {
  const complaint = await check(test).catch((error) => error.stack);
  total[complaint ? 'failed' : 'passed'] += 1;
  console.log(
    `${complaint ? 'FAILED' : 'passed'} ${test.name ?? JSON.stringify(test.code)}${complaint ? `: ${complaint}` : ''}`,
  );
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Each language is started once: it takes seconds. */
function shared(languages) {
  const once = (make) => {
    const runner = make();
    return () => ({ run: (...args) => runner.run(...args), close() {} });
  };
  return Object.fromEntries(Object.entries(languages).map(([name, make]) => [name, once(make)]));
}

/** What is wrong, if anything. */
async function check(test) {
  if ('yaml' in test) return checkWorkflow(test);
  return 'expr' in test ? checkCondition(test) : checkDetection(test);
}

function checkDetection({ code, expected }) {
  return unequal(PrologRuntime.detectPrologCode(code), expected);
}

async function checkCondition({ expr, state, expected }) {
  const result = await runtime.evalCondition(expr, state).catch(() => '!error');
  return unequal(result, expected);
}

async function checkWorkflow({
  yaml,
  initial_state: initial,
  engine = {},
  expected_final_state: expected,
  expected_absent_keys: absent = [],
  expected_error: error,
}) {
  const { state, failed } = await outcome(yaml, initial ?? {}, engine);
  for (const key of absent) if (key in state) return `the state has ${key}: ${shown(state)}`;
  if (error) return errorComplaint(error, failed, state);
  if (failed) return `it failed: ${shown(failed)}`;
  for (const [key, value] of Object.entries(expected ?? {})) {
    if (!(key in state) || !same(state[key], value))
      return `${key} is ${shown(state[key])}, not ${shown(value)}, in ${shown(state)}`;
  }
  return undefined;
}

/** The last state, and how the run failed, if it did: the text (`load`), a node, or thrown (`raise`). */
async function outcome(yaml, initial, { prolog_timeout: timeout }) {
  let workflow;
  try {
    workflow = await Workflow.load(yaml, { host, languages, timeout });
  } catch (error) {
    return { state: {}, failed: { type: 'load', message: error.message } };
  }
  let last;
  try {
    for await (const event of workflow.run(initial)) last = event;
  } catch (error) {
    return { state: last.state, failed: { type: 'raise', message: error.message, node: last.node } };
  } finally {
    workflow.close();
  }
  if (last.type !== 'error') return { state: last.state };
  return { state: last.state, failed: { type: last.kind, message: last.error, node: last.node } };
}

/** A type that there is not stands for any error of a run. */
function errorComplaint({ type, contains = '', node }, failed, state) {
  if (!failed) return `it did not fail: ${shown(state)}`;
  const fits =
    (TYPES.includes(type) ? failed.type === type : failed.type !== 'load') &&
    failed.message.toLowerCase().includes(contains.toLowerCase()) &&
    (node === undefined || failed.node === node);
  return fits ? undefined : `it failed otherwise: ${shown(failed)}`;
}

function unequal(found, expected) {
  return same(found, expected) ? undefined : `${shown(found)}, not ${shown(expected)}`;
}

function same(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => key in b && same(a[key], b[key]))
  );
}

/** JSON with its integers as they are: those that a number does not hold are BigInts. */
function exactly(text) {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `{"$integer":"${token}"}` : token,
  );
  return JSON.parse(marked, (_, value) => {
    if (typeof value?.$integer !== 'string') return value;
    const number = Number(value.$integer);
    return Number.isSafeInteger(number) ? number : BigInt(value.$integer);
  });
}

function shown(value) {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
}
