// Runs the cases of FILE.json on DML programs: `node tests/cases/dml.mjs FILE.json [NAME...]`. Prints a line for each
// case that fails and closes with `N passed, N failed`.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { createDeepClause, scriptedModel } from '../../pkg/dml.js';

const [file, ...names] = process.argv.slice(2);
const all = JSON.parse(readFileSync(file, 'utf8'));
const cases = all.filter(({ name }) => names.length === 0 || names.includes(name));

const total = { passed: 0, failed: 0 };
for (const test of cases) {
  const complaint = await check(test).catch((error) => error.stack);
  total[complaint ? 'failed' : 'passed'] += 1;
  if (complaint) console.log(`${test.name}: ${complaint}`);
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** What is wrong, if anything. */
async function check(test) {
  const dml = await createDeepClause();
  const toolCalls = [];
  for (const [name, tool] of Object.entries(test.tools ?? {}))
    dml.registerTool(name, definition(name, tool, toolCalls));
  if (test.policy) dml.setToolPolicy(test.policy);
  const model = modelOf(test);
  const events = [];
  const seconds = test.timeout_s ?? 60;
  let timer;
  const late = new Promise(
    (_, reject) =>
      (timer = setTimeout(
        () => reject(new Error(`no end within ${seconds} s, after ${JSON.stringify(events)}`)),
        seconds * 1000,
      )),
  );
  try {
    await Promise.race([late, collect(dml, test, model, events)]);
  } finally {
    clearTimeout(timer);
    dml.close();
  }
  return (
    eventComplaint(test, events) ??
    unequal('tool calls', toolCalls, test.expected_tool_calls) ??
    unequal('requests to the model', model.requests.length, test.expected_llm_calls) ??
    toolsComplaint(test.expected_llm_tools, model.requests) ??
    messagesComplaint(test.expected_llm_check, model.requests)
  );
}

async function collect(dml, test, model, events) {
  const inputs = [...(test.inputs ?? [])];
  for (const { code, args, params } of test.runs ?? [test]) {
    const options = { model, args, params, streaming: test.streaming, gasLimit: test.gasLimit };
    // A case without `inputs` has no user: its models are not offered `ask_user`.
    options.onUserInput = test.inputs ? async () => inputs.shift() : null;
    if (test.abort_after_ms !== undefined) options.signal = AbortSignal.timeout(test.abort_after_ms);
    for await (const event of dml.runDML(code, options)) events.push(event);
  }
}

function definition(name, tool, calls) {
  const results = [...(tool.returns_seq ?? [])];
  return {
    description: tool.description ?? '',
    parameters: tool.params && {
      type: 'object',
      properties: Object.fromEntries(tool.params.map((param) => [param, {}])),
    },
    async execute(args) {
      calls.push({ tool: name, args });
      if (tool.delay_ms) await new Promise((resolve) => setTimeout(resolve, tool.delay_ms));
      if (tool.throws !== undefined) throw new Error(tool.throws);
      if (tool.echo) return args;
      return tool.returns_seq ? results.shift() : tool.returns;
    },
  };
}

function modelOf({ llm_script: script, llm_loop: loop }) {
  if (!loop) return scriptedModel((script ?? []).map(turnOf));
  const requests = [];
  return { requests, turn: (request) => scriptedModel(Array(requests.push(request)).fill(turnOf(loop))).turn(request) };
}

/** An error is `{error}`, or the status of HTTP and its message. */
function turnOf(turn) {
  return turn.http === undefined ? turn : { error: turn.message, status: turn.http };
}

function eventComplaint({ expected, optional_events: optional = [] }, events) {
  const left = events.filter(({ type }) => !['tool_call', 'usage', ...optional].includes(type));
  const told = `told ${JSON.stringify(left)}, not ${JSON.stringify(expected)}`;
  if (left.length !== expected.length) return told;
  return expected.every((event, index) => agrees(event, left[index])) ? undefined : told;
}

function agrees({ content_re: pattern, ...rest }, event) {
  const flags = /^\(\?([a-z]+)\)/.exec(pattern ?? '');
  const matches =
    pattern === undefined || new RegExp(pattern.slice(flags?.[0].length ?? 0), flags?.[1] ?? '').test(event.content);
  return matches && Object.entries(rest).every(([key, value]) => isDeepStrictEqual(event[key], value));
}

function unequal(what, found, expected) {
  if (expected === undefined || isDeepStrictEqual(found, expected)) return undefined;
  return `${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`;
}

function toolsComplaint(expected, requests) {
  const offered = requests.map(({ tools }) => tools.map(({ name }) => name).sort());
  return (
    expected &&
    unequal(
      'tools offered',
      offered.slice(0, expected.length),
      expected.map((names) => [...names].sort()),
    )
  );
}

function messagesComplaint(checks = [], requests) {
  for (const { call, must = [], must_not: mustNot = [] } of checks) {
    const text = (requests[call]?.messages ?? []).map(({ role, content }) => `${role}:${content}`).join('\n');
    for (const part of must) if (!text.includes(part)) return `request ${call} lacks ${JSON.stringify(part)}: ${text}`;
    for (const part of mustNot) if (text.includes(part)) return `request ${call} has ${JSON.stringify(part)}: ${text}`;
  }
  return undefined;
}
