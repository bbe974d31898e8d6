/** `hornbook run`: DML programs from the command line. */
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createDeepClause, type DeepClause, type DMLEvent, type ToolDefinition } from '../dml.js';
import { scriptedModel, type LanguageModel, type ScriptedTurn } from '../dml/models.js';
import type { Outages, Price, RecordEntry } from '../generated/dml.js';
import type { Limits } from '../generated/limits.js';
import type { DataAddresses } from '../node/data/data.js';
import { openHornbook, type Opened } from '../node/open.js';
import { providerModel } from '../node/provider.js';
import type { McpServers } from '../mcp/config.js';
import { mcpServersOf } from './mcp.js';
import type { Screen } from './terminal.js';
import { text } from './text.js';
import { UsageError } from './usage.js';

/** Exit codes. Run: the program succeeded or answered, it failed, an error. Check: nothing was found, something was. */
export type Outcome = 0 | 1 | 2;

/** Where a program's tools come from. */
export interface Tools {
  /** A module that exports them. */
  toolFile: string | undefined;
  /** A file that names other MCP servers, whose tools are added. */
  mcp: string | undefined;
}

/** Which program to run, and its input. */
export interface Program extends Tools {
  file: string;
  params: Record<string, unknown>;
  /** The same parameters as text, as they were typed. */
  paramTexts: Record<string, string>;
  /** PROVIDER/MODEL of the AI SDK, or NAME=PROVIDER/MODEL. */
  models: string[];
  temperature: number | undefined;
  /** The provider's address, if not the usual one. */
  baseUrl: string | undefined;
  /** A JSON file with scripted turns to use as the model. */
  script: string | undefined;
  timeoutMs: number | undefined;
  /** Milliseconds for one call of a model or a tool. */
  callTimeoutMs: number | undefined;
  /** How often a turn of a model is tried again. */
  retries: number | undefined;
  /** What an outage does, if not what the program says. */
  outages: Outages | undefined;
  limits: Limits;
  /** The most a run may cost, in dollars. */
  maxCost: number | undefined;
  /** By model name, as it was given; `*` stands for all others. */
  prices: Record<string, Price>;
  /** A directory that caches model replies. */
  cache: string | undefined;
  /** The file of a book that the program may use and change. */
  book: string | undefined;
  /** The data that goals over the book may ask. */
  data: DataAddresses | undefined;
  /** A directory whose files the program may use. */
  workspace: string | undefined;
  /** A file for the recording; for an evaluation, a directory for the recordings of failed runs. */
  record: string | undefined;
}

/** Which models to use, and their prices. */
export type Asked = Pick<Program, 'models' | 'baseUrl' | 'script' | 'prices'>;

/** Run a program; `ask` returns the user's answers. */
export async function runProgram(
  program: Program & { replay: string | undefined },
  screen: Screen,
  ask: (prompt: string) => Promise<string | undefined>,
): Promise<Outcome> {
  const code = await text(program.file);
  const status = new Status(screen);
  const { model, models, order, prices } = await modelsOf(program);
  const watched = Object.entries(models).map(([name, model]) => [name, status.watched(model)] as const);
  const book =
    program.book === undefined
      ? undefined
      : await openHornbook({}, (text) => status.err(text), program.book, { data: program.data });
  const dml = await opened(program, await mcpServersOf(program.mcp), Object.fromEntries(watched), book);
  const { temperature, timeoutMs, callTimeoutMs, retries, outages, workspace, record, maxCost } = program;
  const replay = program.replay === undefined ? undefined : await recordingOf(program.replay);
  const keepEntry = record === undefined ? undefined : recorder(record, replay ?? []);
  let outcome: Outcome = 2;
  try {
    const given = await paramsOf(dml, code, program);
    // A recording has those that it was made with.
    const params = replay !== undefined && Object.keys(given).length === 0 ? undefined : given;
    for await (const event of dml.runDML(code, {
      model: status.watched(model),
      models: order,
      temperature,
      params,
      timeoutMs,
      callTimeoutMs,
      retries,
      outages,
      maxCost,
      prices,
      name: basename(program.file),
      workspacePath: workspace,
      streaming: true,
      onUserInput: ask,
      replay,
      record: keepEntry,
    })) {
      outcome = show(event, basename(program.file), status) ?? outcome;
    }
  } finally {
    status.end();
    dml.close();
    await book?.close();
  }
  return outcome;
}

/** The parameters of a run. One that the program declares as a string stays the text that was typed, such as `1.10`. */
export async function paramsOf(
  dml: DeepClause,
  code: string,
  { params, paramTexts }: Pick<Program, 'params' | 'paramTexts'>,
): Promise<Record<string, unknown>> {
  if (Object.values(params).every((value) => typeof value === 'string') || !code.includes('param(')) return params;
  const { parameters } = await dml.inspectDML(code);
  const plain = (name: string) => name.replace(/[-_ ]/g, '').toLowerCase();
  const strings = parameters.filter(({ type }) => type === 'string').map(({ name }) => plain(name));
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value !== 'string' && strings.includes(plain(name)) ? paramTexts[name] : value,
    ]),
  );
}

/** Print the parameters of a program. */
export async function describeProgram(file: string, screen: Screen): Promise<Outcome> {
  const dml = await opened({});
  try {
    const { findings, parameters } = await dml.inspectDML(await text(file));
    const required = parameters.filter((parameter) => parameter.required);
    const usage = required.map(({ name }) => ` --param ${name}=VALUE`).join('');
    screen.out(`Usage: hornbook run ${file}${usage}\n`);
    if (parameters.length > 0) screen.out('\nParameters:\n');
    const names = parameters.map(({ name, type }) => (type ? `${name}: ${type}` : name));
    const width = Math.max(...names.map((name) => name.length));
    for (const [index, { description, default: usual, required }] of parameters.entries()) {
      const use = required ? 'required' : usual === undefined ? 'optional' : `default: ${JSON.stringify(usual)}`;
      screen.out(`  ${names[index]!.padEnd(width)}  ${description ? `${description} (${use})` : use}\n`);
    }
    for (const { line, column, message } of findings) screen.err(`${file}:${line}:${column}: ${message}`);
    return findings.length > 0 ? 1 : 0;
  } finally {
    dml.close();
  }
}

/** Write a recording. */
export function keep(recording: RecordEntry[], file: string): Promise<void> {
  return writeFile(file, `${JSON.stringify(recording, undefined, 1)}\n`);
}

/**
 * Begin the file of a recording with the entries that are replayed, a line of JSON each. What this returns adds an
 * entry at once, so that a run that is killed can be resumed.
 */
function recorder(file: string, replayed: RecordEntry[]): (entry: RecordEntry) => void {
  const line = (entry: RecordEntry) => `${JSON.stringify(entry)}\n`;
  // The file may be the one that is replayed.
  writeFileSync(`${file}.part`, replayed.map(line).join(''));
  renameSync(`${file}.part`, file);
  return (entry) => appendFileSync(file, line(entry));
}

/** The entries of a recording: a line of JSON each, or one array. A last line that was cut off is left out. */
async function recordingOf(file: string): Promise<RecordEntry[]> {
  const all = await text(file);
  if (all.trimStart().startsWith('[')) return json('--replay', file, all) as RecordEntry[];
  const lines = all.split('\n');
  const last = lines.pop()!;
  if (isJson(last)) lines.push(last);
  if (lines.length === 0) throw new UsageError(`--replay: ${file} holds no entries of a recording`);
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const entry = isJson(line) ? (JSON.parse(line) as RecordEntry | null) : undefined;
    if (typeof entry?.kind !== 'string')
      throw new UsageError(`--replay: line ${index + 1} of ${file} is not an entry of a recording`);
    return entry;
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function json(option: string, file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option}: ${file} is not JSON: ${(error as Error).message}`);
  }
}

/** Show an event; the last one determines the outcome. */
function show(event: DMLEvent, name: string, status: Status): Outcome | undefined {
  switch (event.type) {
    case 'stream':
      status.stream(event.content, event.done);
      return undefined;
    case 'output':
    case 'answer':
      status.out(event.content);
      return undefined;
    case 'log':
      status.err(event.content);
      return undefined;
    case 'tool_call':
      status.now(`calls the tool ${event.tool}`);
      return undefined;
    case 'usage':
      status.spent(event.inputTokens + event.outputTokens, event.cost);
      return undefined;
    case 'input_required':
      return undefined;
    case 'error':
      status.err(`${name}: ${event.content}`);
      return 2;
    case 'finished':
      if (!event.success) status.err(`${name}: agent_main failed.${event.outage ? ` ${event.outage}` : ''}`);
      return event.success ? 0 : 1;
  }
}

/** The progress line, and the output above it. */
class Status {
  #what = 'starts';
  #calls = 0;
  #tokens = 0;
  #cost: number | undefined;
  #lineOpen = false;
  readonly #began = Date.now();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(private readonly screen: Screen) {
    this.#timer = screen.status && setInterval(() => this.#draw(), 1000);
    this.#draw();
  }

  /** Wrap a model so that its turns show in the progress line. */
  watched(model: LanguageModel): LanguageModel {
    return {
      ...model,
      turn: async (request, options) => {
        this.#calls += 1;
        this.now('waits for the model');
        return model.turn(request, options).finally(() => this.now('runs'));
      },
    };
  }

  now(what: string): void {
    this.#what = what;
    this.#draw();
  }

  spent(tokens: number, cost: number | undefined): void {
    this.#tokens += tokens;
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
    this.#draw();
  }

  out(text: string): void {
    this.#above(() => this.screen.out(text.endsWith('\n') ? text : `${text}\n`));
  }

  err(text: string): void {
    this.#above(() => this.screen.err(`${text}\n`));
  }

  /** Print a piece of a model's text. When `done`, its line is finished. */
  stream(text: string, done: boolean): void {
    if (!this.#lineOpen) this.screen.status?.('');
    if (text) {
      this.screen.out(text);
      this.#lineOpen = !text.endsWith('\n');
    }
    if (done && this.#lineOpen) {
      this.screen.out('\n');
      this.#lineOpen = false;
    }
  }

  end(): void {
    clearInterval(this.#timer);
    this.screen.status?.('');
  }

  #above(write: () => void): void {
    this.stream('', true);
    write();
    this.#draw();
  }

  #draw(): void {
    if (this.#lineOpen) return;
    const seconds = Math.round((Date.now() - this.#began) / 1000);
    const calls = this.#calls === 1 ? '1 model call' : `${this.#calls} model calls`;
    const cost = this.#cost === undefined ? '' : `, $${this.#cost.toFixed(4)}`;
    this.screen.status?.(`${this.#what} · ${calls}, ${this.#tokens} tokens${cost}, ${seconds} s`);
  }
}

/** Open DML with the tools of a module and those of other servers. */
export async function opened(
  { toolFile, limits = {}, cache }: Partial<Pick<Program, 'toolFile' | 'limits' | 'cache'>>,
  mcpServers?: McpServers,
  models: Record<string, LanguageModel> = {},
  book?: Opened,
  model?: LanguageModel,
): Promise<DeepClause> {
  const tools = toolFile === undefined ? {} : await toolsOf(toolFile);
  const named = Object.keys(models).length > 0;
  const options = {
    limits,
    cache,
    book,
    ...(model && { model }),
    ...(named && { models }),
    ...(mcpServers && { mcpServers }),
  };
  const dml = await createDeepClause(options).catch((error: Error) => {
    throw mcpServers ? new UsageError(`--mcp: ${error.message.replace(/\.$/, '')}`) : error;
  });
  for (const [name, tool] of Object.entries(tools)) dml.registerTool(name, tool);
  return dml;
}

/** The exports of a module, or of its default export, that have `execute`. */
export async function toolsOf(file: string): Promise<Record<string, ToolDefinition>> {
  let module: Record<string, unknown>;
  try {
    module = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new UsageError(`--tool-file: ${file} cannot be loaded: ${(error as Error).message}`);
  }
  const exported = { ...(module.default as Record<string, unknown> | undefined), ...module };
  const tools = Object.entries(exported).filter(
    (entry): entry is [string, ToolDefinition] => typeof (entry[1] as ToolDefinition)?.execute === 'function',
  );
  if (tools.length === 0)
    throw new UsageError(`--tool-file: ${file} exports no tool: an object with a function \`execute\``);
  return Object.fromEntries(tools);
}

/** The models that the options name. */
export interface Models {
  /** The run's own model; if none was given, it fails when it is called. */
  model: LanguageModel;
  /** By name. */
  models: Record<string, LanguageModel>;
  /** The names to try, first reachable one first, when the program names no model. */
  order: string[] | undefined;
  prices: Record<string, Price>;
}

export async function modelsOf({ models: names, baseUrl, script, prices }: Asked): Promise<Models> {
  if (script !== undefined)
    return { model: scriptedModel(await turnsOf(script)), models: {}, order: undefined, prices };
  const models: Record<string, LanguageModel> = {};
  const order: string[] = [];
  for (const given of names) {
    const [, name, provider = given] = /^([\w-]+)=(.+)$/.exec(given) ?? [];
    if (name === undefined) order.push(given);
    models[name ?? given] = await providerModel(provider, { baseURL: baseUrl }).catch((error: Error) => {
      throw new UsageError(`--model: ${error.message}`);
    });
  }
  const [first] = order;
  if (first !== undefined) {
    const several = names.length > 1;
    // A single model has no name in the run.
    const own = several ? prices : { ...prices, ...(prices[first] && { '*': prices[first] }) };
    return { model: models[first]!, models: several ? models : {}, order: several ? order : undefined, prices: own };
  }
  const none = 'no language model was given; add --model PROVIDER/MODEL, or --script FILE';
  const model = { turn: () => Promise.reject(Object.assign(new Error(none), { unreachable: true })) };
  return { model, models, order: undefined, prices };
}

async function turnsOf(file: string): Promise<ScriptedTurn[]> {
  const turns = json('--script', file, await text(file));
  if (!Array.isArray(turns))
    throw new UsageError(
      `--script: ${file} must hold an array of turns, {"text": ..., "calls": [{"tool": ..., "args": ...}]}`,
    );
  return turns as ScriptedTurn[];
}
