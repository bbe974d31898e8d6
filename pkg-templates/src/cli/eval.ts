/** `hornbook eval`: runs a DML program on many cases and compares its answers with the expected ones. */
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DeepClause, DMLEvent } from '../dml.js';
import type { RecordEntry } from '../generated/dml.js';
import { scriptedModel, type ScriptedTurn } from '../dml/models.js';
import { mcpServersOf } from './mcp.js';
import { keep, modelsOf, opened, paramsOf, type Outcome, type Program } from './run.js';
import type { Screen } from './terminal.js';
import { text } from './text.js';
import { UsageError } from './usage.js';

/** A program, and how to evaluate it. */
export interface Evaluation extends Program {
  /** A file with one case per line, as JSON. */
  cases: string;
  /** How often to run each case: a model may answer differently each time. */
  repeat: number;
  /** How many runs go on at once. */
  jobs: number;
}

/** The exact text, a substring of it, or a regular expression that matches it. */
type Wanted = string | { contains: string } | { matches: string };

/** One line of the case file. */
interface Case {
  name: string;
  params: Record<string, unknown>;
  /** The user's answers, in order. */
  input: string[];
  /** The model's turns, replacing those of the evaluation. */
  script: ScriptedTurn[] | undefined;
  expect: { success?: boolean; answer?: Wanted; output?: Wanted; error?: Wanted };
}

/** The outcome of a run. */
interface Ended {
  success: boolean;
  answer: string | undefined;
  output: string;
  error: string | undefined;
  inputTokens: number;
  outputTokens: number;
  /** In dollars. */
  cost: number;
}

/** A case and its runs. */
interface Tried {
  passed: number;
  /** Why runs failed, without duplicates. */
  reasons: Set<string>;
}

const KEYS = ['name', 'params', 'input', 'script', 'expect'];
const EXPECTATIONS = ['success', 'answer', 'output', 'error'];

/** Run the cases, and print which of them pass. */
export async function evaluate(evaluation: Evaluation, screen: Screen): Promise<Outcome> {
  const { repeat, record } = evaluation;
  const code = await text(evaluation.file);
  const cases = casesOf(await text(evaluation.cases), evaluation.cases);
  const { models } = await modelsOf(evaluation);
  if (record !== undefined) mkdirSync(record, { recursive: true });
  const dml = await opened(evaluation, await mcpServersOf(evaluation.mcp), models);
  const tried: Tried[] = cases.map(() => ({ passed: 0, reasons: new Set() }));
  const total = { runs: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
  const began = Date.now();

  const runs = cases.flatMap((one, index) => Array.from({ length: repeat }, (_, again) => ({ one, index, again })));
  const next = runs.values();
  const work = async () => {
    for (const { one, index, again } of next) {
      const recording: RecordEntry[] = [];
      const ended = await run(dml, code, one, evaluation, recording);
      const reason = reasonOf(one, ended);
      if (reason === undefined) tried[index]!.passed += 1;
      else {
        tried[index]!.reasons.add(reason);
        if (record !== undefined) await keep(recording, join(record, `${index + 1}-${again + 1}.json`));
      }
      total.runs += 1;
      total.inputTokens += ended.inputTokens;
      total.outputTokens += ended.outputTokens;
      total.cost += ended.cost;
      screen.status?.(`${total.runs} of ${runs.length} runs`);
    }
  };
  try {
    evaluation = { ...evaluation, params: await paramsOf(dml, code, evaluation) };
    await Promise.all(Array.from({ length: Math.min(evaluation.jobs, runs.length) }, work));
  } finally {
    screen.status?.('');
    dml.close();
  }

  for (const [index, { passed, reasons }] of tried.entries()) {
    const share = repeat === 1 ? '' : ` ${passed}/${repeat}`;
    screen.out(`${passed === repeat ? 'ok    ' : 'FAILED'}${share} ${cases[index]!.name}\n`);
    for (const reason of reasons) screen.out(`       ${reason.replaceAll('\n', '\n       ')}\n`);
  }
  screen.out(`${summary(evaluation, tried, total, Date.now() - began)}\n`);
  return tried.every(({ passed }) => passed === repeat) ? 0 : 1;
}

async function run(
  dml: DeepClause,
  code: string,
  { params, input, script }: Case,
  evaluation: Evaluation,
  recording: RecordEntry[],
): Promise<Ended> {
  const answers = input.values();
  // Each run starts a scripted model from its first turn.
  const { model, order, prices } = await modelsOf(evaluation);
  const ended: Ended = {
    success: false,
    answer: undefined,
    output: '',
    error: undefined,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
  };
  for await (const event of dml.runDML(code, {
    model: script ? scriptedModel(script) : model,
    models: script ? undefined : order,
    temperature: evaluation.temperature,
    params: { ...evaluation.params, ...params },
    timeoutMs: evaluation.timeoutMs,
    callTimeoutMs: evaluation.callTimeoutMs,
    retries: evaluation.retries,
    outages: evaluation.outages,
    maxCost: evaluation.maxCost,
    prices,
    workspacePath: evaluation.workspace,
    onUserInput: () => answers.next().value,
    record: (entry) => recording.push(entry),
  })) {
    take(event, ended);
  }
  return ended;
}

function take(event: DMLEvent, ended: Ended): void {
  switch (event.type) {
    case 'answer':
      ended.answer = event.content;
      break;
    case 'output':
      ended.output += event.content;
      break;
    case 'usage':
      ended.inputTokens += event.inputTokens;
      ended.outputTokens += event.outputTokens;
      ended.cost += event.cost ?? 0;
      break;
    case 'error':
      ended.error = event.content;
      break;
    case 'finished':
      ended.success = event.success;
      break;
  }
}

/** How a run differs from what its case expects; `undefined` if it does not. */
function reasonOf({ expect }: Case, { success, answer, output, error }: Ended): string | undefined {
  if (expect.error === undefined && error !== undefined) return `error: ${error}`;
  // A run that ends in an expected error does not succeed.
  const wanted = expect.success ?? expect.error === undefined;
  if (success !== wanted) return wanted ? 'agent_main failed' : 'agent_main succeeded';
  return (
    differs('answer', expect.answer, answer) ??
    differs('output', expect.output, output) ??
    differs('error', expect.error, error)
  );
}

function differs(what: string, wanted: Wanted | undefined, text: string | undefined): string | undefined {
  if (wanted === undefined) return undefined;
  if (text === undefined) return `there is no ${what}`;
  if (typeof wanted === 'string') {
    return text.trim() === wanted.trim() ? undefined : `${what}: ${text.trim()}\nwanted: ${wanted.trim()}`;
  }
  const holds = 'contains' in wanted ? text.includes(wanted.contains) : new RegExp(wanted.matches, 'u').test(text);
  return holds ? undefined : `${what}: ${text.trim()}\nwanted: ${JSON.stringify(wanted)}`;
}

function summary(
  { repeat, prices, record }: Evaluation,
  tried: Tried[],
  { runs, inputTokens, outputTokens, cost }: { runs: number; inputTokens: number; outputTokens: number; cost: number },
  ms: number,
): string {
  const passed = tried.reduce((sum, one) => sum + one.passed, 0);
  const parts = [
    `${passed} of ${runs} runs passed (${((100 * passed) / runs).toFixed(1)} %)`,
    `${inputTokens} tokens in, ${outputTokens} out`,
    `${(ms / 1000).toFixed(1)} s`,
  ];
  if (repeat > 1)
    parts.splice(1, 0, `${tried.filter((one) => one.passed === repeat).length} of ${tried.length} cases always`);
  if (Object.keys(prices).length > 0) parts.push(`$${cost.toFixed(4)}`);
  if (record !== undefined && passed < runs) parts.push(`recordings of what failed: ${record}`);
  return parts.join(' · ');
}

function casesOf(lines: string, file: string): Case[] {
  const cases = lines.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const fail = (message: string) => new UsageError(`${basename(file)}:${index + 1}: ${message}`);
    let given: Record<string, unknown>;
    try {
      given = JSON.parse(line) as Record<string, unknown>;
    } catch (error) {
      throw fail(`not JSON: ${(error as Error).message}`);
    }
    return [caseOf(given, index + 1, fail)];
  });
  if (cases.length === 0) throw new UsageError(`${file} has no cases: one JSON object a line`);
  return cases;
}

function caseOf(given: Record<string, unknown>, line: number, fail: (message: string) => UsageError): Case {
  if (!isObject(given)) throw fail('a case must be an object');
  known(given, KEYS, fail);
  const { name = `case ${line}`, params = {}, input = [], script, expect = {} } = given;
  if (typeof name !== 'string') throw fail('name must be a string');
  if (!isObject(params)) throw fail('params must be an object');
  if (!Array.isArray(input) || !input.every((text) => typeof text === 'string'))
    throw fail('input must be an array of strings');
  if (script !== undefined && !Array.isArray(script)) throw fail('script must be an array of turns');
  if (!isObject(expect)) throw fail('expect must be an object');
  known(expect, EXPECTATIONS, fail);
  const { success, ...texts } = expect;
  if (success !== undefined && typeof success !== 'boolean') throw fail('expect.success must be true or false');
  for (const [key, wanted] of Object.entries(texts)) {
    if (typeof wanted === 'string') continue;
    const [how, ...more] = isObject(wanted) ? Object.entries(wanted) : [];
    if (!how || more.length > 0 || !['contains', 'matches'].includes(how[0]) || typeof how[1] !== 'string')
      throw fail(`expect.${key} must be a string, {"contains": TEXT} or {"matches": REGULAR EXPRESSION}`);
    if (how[0] === 'matches' && !isExpression(how[1]))
      throw fail(`expect.${key}: invalid regular expression: ${how[1]}`);
  }
  return { name, params, input, script: script as ScriptedTurn[] | undefined, expect };
}

function known(given: Record<string, unknown>, keys: string[], fail: (message: string) => UsageError): void {
  const foreign = Object.keys(given).find((key) => !keys.includes(key));
  if (foreign !== undefined) throw fail(`there is no key '${foreign}'; the keys are: ${keys.join(', ')}`);
}

function isExpression(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
