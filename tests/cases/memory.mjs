// Runs the cases of FILE.json on the tools of the memory: `node tests/cases/memory.mjs FILE.json [NAME...]`. Each has a
// server of its own, with a book. Prints a line a case and closes with `N passed, N failed`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Server, directory } from '../node/harness.mjs';

const CLOCK = new URL('clock.mjs', import.meta.url).href;
const BRIEF = new URL('../support/brief.mjs', import.meta.url).href;
const DAY_MS = 86_400_000;
/** Cases that run at the same time. */
const ABREAST = 2;

/** Marks that stand for any value of a kind. */
const ANY = {
  $any: (value) => value !== undefined,
  $id: (value) => typeof value === 'string' && /^[0-9a-z_-]{8,}$/i.test(value),
  $iso: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value)),
};

/** Marks with something that the value is compared with. */
const COMPARED = {
  $contains: (value, part) => (Array.isArray(value) ? value.includes(part) : String(value).includes(part)),
  $absent: (value, absent) => (value === undefined) === absent,
  $approx: (value, near, { tol = 1e-6 }) => Math.abs(value - near) <= tol,
  $error: (value, part) =>
    String(value?.error ?? '')
      .toLowerCase()
      .includes(part.toLowerCase()) && value?.error !== undefined,
  $text: (value, parts) => typeof value === 'string' && parts.every((part) => value.includes(part)),
  $len: (value, length) => value?.length === length,
  $gt: (value, least) => value > least,
  $gte: (value, least) => value >= least,
  $lt: (value, most) => value < most,
  $lte: (value, most) => value <= most,
  $regex: (value, pattern) => new RegExp(pattern).test(value),
  $not: (value, other) => disagreement(value, other, '') !== undefined,
};

const [file, ...names] = process.argv.slice(2);
const all = JSON.parse(readFileSync(file, 'utf8'));
const cases = all.filter(({ name }) => names.length === 0 || names.includes(name));

const total = { passed: 0, failed: 0 };
const waiting = [...cases];
await Promise.all(
  Array.from({ length: ABREAST }, async () => {
    for (let test = waiting.shift(); test; test = waiting.shift()) {
      const complaint = await check(test).catch((error) => error.stack);
      total[complaint ? 'failed' : 'passed'] += 1;
      console.log(complaint ? `FAILED ${test.name}: ${complaint}` : `ok     ${test.name}`);
    }
  }),
);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** What is wrong, if anything. */
async function check({ calls, expected }) {
  const place = directory({ clock: '0' });
  const clock = join(place, 'clock');
  const start = () =>
    Server.start({
      args: ['--tools', 'memory', '--book', join(place, 'memory.book')],
      env: { NODE_OPTIONS: `--import=${BRIEF} --import=${CLOCK}`, TEST_CLOCK: clock },
    });
  let server = await start();
  const answers = [];
  try {
    for (const [index, call] of calls.entries()) {
      const args = filled(call.args, answers);
      if (call.tool === '$restart') {
        await server.close();
        server = await start();
        answers.push(null);
      } else if (call.tool === '$advance_days') {
        writeFileSync(clock, String(Number(readFileSync(clock, 'utf8')) + args.days * DAY_MS));
        answers.push(null);
      } else {
        answers.push(await answer(server, call.tool, args));
      }
      const complaint = disagreement(answers[index], filled(expected[index], answers), `answer ${index}`);
      if (complaint) return complaint;
    }
  } finally {
    await server.close();
  }
  return undefined;
}

/** An answer as data, a prompt as its text, a refusal of the protocol as `{ error }`. */
async function answer(server, tool, args) {
  const [method, params] = {
    $resource: ['resources/read', { uri: args.uri }],
    $prompt: ['prompts/get', args],
  }[tool] ?? ['tools/call', { name: tool, arguments: args }];
  const { result, error } = await server.begin(method, params).answer;
  if (error) return { error: error.message };
  if (tool === '$prompt') return result.messages.map(({ content }) => content.text).join('\n');
  if (tool === '$resource') return JSON.parse(result.contents[0].text);
  const told = JSON.parse(result.content[0].text);
  const data = result.structuredContent;
  if (!isDeepStrictEqual(told, data))
    throw new Error(`the text ${result.content[0].text} is not the data ${JSON.stringify(data)}`);
  if ('error' in told !== (result.isError ?? false))
    throw new Error(`isError is ${result.isError}: ${result.content[0].text}`);
  return told;
}

/** `value` with `{{0.id}}` replaced by that part of answer 0. */
function filled(value, answers) {
  if (Array.isArray(value)) return value.map((item) => filled(item, answers));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, answers)]));
  }
  if (typeof value !== 'string') return value;
  const part = (path) => path.split('.').reduce((found, key) => found?.[key], answers);
  const whole = /^\{\{([\w.]+)\}\}$/.exec(value);
  if (whole) return part(whole[1]);
  return value.replace(/\{\{([\w.]+)\}\}/g, (_, path) => part(path));
}

/** Where a value is not what is expected, if anywhere: objects must have the parts that are expected of them. */
function disagreement(value, expected, where) {
  if (expected === null && value === undefined) return undefined;
  const told = () => `${where} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`;
  if (typeof expected === 'string' && expected in ANY) return ANY[expected](value) ? undefined : told();
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return told();
    return first(expected.map((item, index) => disagreement(value[index], item, `${where}[${index}]`)));
  }
  if (expected === null || typeof expected !== 'object') return isDeepStrictEqual(value, expected) ? undefined : told();
  const marks = Object.keys(expected).filter((key) => key.startsWith('$'));
  const unknown = marks.find((key) => !(key in COMPARED));
  if (unknown) return `${where}: the runner does not know ${unknown}`;
  if (marks.length > 0) return marks.every((key) => COMPARED[key](value, expected[key], expected)) ? undefined : told();
  if (value === null || typeof value !== 'object') return told();
  return first(Object.entries(expected).map(([key, item]) => disagreement(value[key], item, `${where}.${key}`)));
}

function first(complaints) {
  return complaints.find((complaint) => complaint !== undefined);
}
