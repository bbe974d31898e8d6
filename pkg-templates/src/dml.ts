/** DML: Prolog programs that call language models and tools. */
import { Dml, checkOptions, type DmlPorts, type DmlRun, type Hornbook, type Host } from './full/hornbook.js';
import type { Limits } from './generated/limits.js';
import { cacheKey, type ReplyCache } from './dml/cache.js';
import { folderOf, type DirectoryHandle, type Folder } from './dml/folders.js';
import type { LanguageModel } from './dml/models.js';
import {
  RUN_SETTINGS,
  type DMLEvent,
  type Inspected,
  type Finding,
  type ModelRequest,
  type RecordEntry,
  type RunSettings,
  type ToolPolicy,
} from './generated/dml.js';
import { forNode, hostFor } from './host.js';
import type { McpServers } from './mcp/config.js';
import { toolServers, type ToolServers } from './mcp/given.js';

export type { ReplyCache } from './dml/cache.js';
export { aiModel } from './dml/ai-sdk.js';
export type { HttpServer, McpServers, StdioServer } from './mcp/config.js';
export { HandleFolder, MemoryFolder, type DirectoryHandle, type Folder } from './dml/folders.js';
export * from './dml/models.js';
export type {
  DMLEvent,
  Finding,
  Inspected,
  Message,
  ModelRequest,
  Parameter,
  PlainRequest,
  Price,
  RecordEntry,
  Remedy,
  RunSettings,
  ToolCall,
  ToolPolicy,
  Trace,
  Traced,
  Trouble,
  Turn,
  Usage,
} from './generated/dml.js';
export type { Limits } from './generated/limits.js';

/** A JSON Schema of type `object`, or a zod schema. Positional arguments follow the order of its properties. */
export type Parameters = { properties?: Record<string, unknown> } | { shape: Record<string, unknown> };

/** A tool of the host, which programs call with `exec/2` and models in a task. */
// biome-ignore lint/suspicious/noExplicitAny: each tool defines what it takes; `unknown` would need a cast in each
export interface ToolDefinition<Args = any> {
  /** What it does, for the model. Default: none. */
  description?: string;
  /** What it takes. Default: nothing. */
  parameters?: Parameters;
  /** The result must be representable in JSON; `undefined` becomes null. */
  execute(args: Args, options: { signal: AbortSignal }): unknown;
}

/** What programs may use; all are optional. */
export interface DeepClauseOptions {
  /**
   * The model for runs that specify none. A name, such as `gpt-5` or `openai/gpt-5`, selects a model of the AI SDK:
   * this needs Node and the packages `ai` and that of the provider, such as `@ai-sdk/openai`. Without it, only runs that
   * specify a model can ask one.
   */
  model?: LanguageModel | string;
  /**
   * Models by the names that programs and runs use: `with_model(fast, Goal)`, and the `models` option of a run. Without
   * this, the one model gets the name as {@link ModelRequest.model}.
   */
  models?: Record<string, LanguageModel | string>;
  /** For models given by name. Default: the provider reads it from the environment, such as `OPENAI_API_KEY`. */
  apiKey?: string;
  /** For models given by name: the provider's address. Default: the usual one. */
  baseURL?: string;
  /** Enables the `web_search` tool. Without it, there is none. */
  webSearch?: (query: string) => unknown;
  /** Enables the `fetch_url` tool. Without it, there is none. */
  fetchUrl?: (url: string) => unknown;
  /**
   * Other MCP servers, started now and stopped by {@link DeepClause.close}. Their tools become host tools named
   * `SERVER_TOOL`, with `_` for anything that is not a letter or a digit: `exec(github_create_issue(title: T), R)`,
   * `with_tools(['github_*'], …)`. Node only. Default: none.
   */
  mcpServers?: McpServers;
  /**
   * Where model replies are cached: a directory path (in Node), or a {@link ReplyCache} such as a `Map`. The same
   * request to the same model, with the same tools and settings, gets the same reply again at no cost. Default: they are
   * not cached.
   */
  cache?: string | ReplyCache;
  /** A book, from `openBook`, that programs may use and change through `book:Goal`. Default: none. */
  book?: { readonly hornbook: Hornbook };
  /** Limits by name (docs/limits.md). Default: those that the table there says. */
  limits?: Limits;
  /** Where engines run. Default: Node worker threads. */
  host?: Host;
}

/** How a program runs; all are optional. */
export interface RunOptions extends RunSettings {
  /** The model of this run. Default: that of {@link createDeepClause}. */
  model?: LanguageModel;
  /**
   * Returns the user's answer, if any. Without it, the answer is the value that the consumer passes back for
   * `input_required`. With `null` there is nobody to ask, and models are not offered the tool `ask_user`.
   */
  onUserInput?: ((prompt: string) => string | undefined | Promise<string | undefined>) | null;
  /**
   * The folder whose files the program may read and write: a directory path (in Node), a directory handle (in a page),
   * or a {@link Folder}. Without it, the program has no files.
   */
  workspacePath?: string | DirectoryHandle | Folder;
  /** Ends the run. Default: leaving the loop over its events does. */
  signal?: AbortSignal;
  /** Receives each entry of the run's recording before the program goes on. Replayed entries are not recorded again. Default: none is kept. */
  record?: (entry: RecordEntry) => void;
}

/** An event of a run whose answer, if it is a list or a dict, has the type `T`. */
export type ProgramEvent<T> =
  | Exclude<DMLEvent, { type: 'answer' }>
  | { type: 'answer'; content: string /** The answer itself, if it is a list or a dict. */; value?: T };

const OPTIONS: Record<keyof DeepClauseOptions, true> = {
  model: true,
  models: true,
  apiKey: true,
  baseURL: true,
  webSearch: true,
  fetchUrl: true,
  mcpServers: true,
  cache: true,
  book: true,
  limits: true,
  host: true,
};
const RUN_OPTIONS: Record<Exclude<keyof RunOptions, keyof RunSettings>, true> = {
  model: true,
  onUserInput: true,
  workspacePath: true,
  signal: true,
  record: true,
};

/** Create an object that runs programs, any number at once. */
export async function createDeepClause(options: DeepClauseOptions = {}): Promise<DeepClause> {
  const { webSearch, fetchUrl, limits = {} } = options;
  const model = await modelOf(options);
  const models = await modelsOf(options);
  const [host, release] = await hostFor(options.host);
  checkOptions(Object.keys(options), Object.keys(OPTIONS));
  const cache = await cacheOf(options.cache);
  const servers = await toolServers(options.mcpServers);
  const dml = new DeepClause(host, limits, model, models, cache, options.book, servers, release);
  try {
    for (const [name, tool] of (await servers?.programTools()) ?? []) dml.registerTool(name, tool);
  } catch (error) {
    dml.close();
    throw error;
  }
  if (webSearch) dml.registerTool('web_search', { description: 'Search the web.', ...taking('query', webSearch) });
  if (fetchUrl)
    dml.registerTool('fetch_url', { description: 'Fetch what is at a URL, as text.', ...taking('url', fetchUrl) });
  return dml;
}

type NamedModel = Pick<DeepClauseOptions, 'model' | 'models' | 'apiKey' | 'baseURL'>;

async function modelOf({ model, models = {}, apiKey, baseURL }: NamedModel): Promise<LanguageModel | undefined> {
  if (typeof model !== 'string') {
    const named = Object.values(models).some((model) => typeof model === 'string');
    if (!named && (apiKey !== undefined || baseURL !== undefined))
      throw new Error('apiKey and baseURL are for a model that is given by its name: {model: "openai/gpt-5", apiKey}');
    return checkedModel(model);
  }
  if (typeof process === 'undefined')
    throw new Error(`model: a page loads no packages for '${model}'; give it a model, as aiModel(openai('gpt-5'))`);
  const { providerModel } = (await forNode('./node/provider.js')) as typeof import('./node/provider.js');
  return providerModel(model, { apiKey, baseURL });
}

/** The same model, if it is one: what fails first when a program asks it would look like a task that failed. */
function checkedModel(model: LanguageModel | undefined): LanguageModel | undefined {
  if (model !== undefined && typeof model.turn !== 'function')
    throw new Error('a model is an object with a method `turn`, or made by aiModel or scriptedModel');
  return model;
}

async function modelsOf({
  models: given,
  apiKey,
  baseURL,
}: NamedModel): Promise<Map<string, LanguageModel> | undefined> {
  if (given === undefined) return undefined;
  const models = new Map<string, LanguageModel>();
  for (const [name, model] of Object.entries(given))
    models.set(name, (await modelOf(typeof model === 'string' ? { model, apiKey, baseURL } : { model }))!);
  return models;
}

/** A tool with a single text parameter. */
function taking(name: string, call: (text: string) => unknown): ToolDefinition {
  const parameters = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
  return { parameters, execute: (args: Record<string, string>) => call(args[name]!) };
}

/** Runs programs with the models and tools that it was created with. */
export class DeepClause {
  readonly #dml: Dml;
  readonly #tools = new Map<string, ToolDefinition>();
  readonly #running = new Set<DmlRun>();

  /** Use {@link createDeepClause}. */
  constructor(
    host: Host,
    limits: Limits,
    private readonly model: LanguageModel | undefined,
    private readonly models: Map<string, LanguageModel> | undefined,
    private readonly cache: ReplyCache | undefined,
    private readonly book: DeepClauseOptions['book'],
    private readonly servers: ToolServers | undefined,
    private readonly release: () => void,
  ) {
    this.#dml = new Dml(host, JSON.stringify(limits));
  }

  /** Add a tool for runs that start from now on. */
  registerTool(name: string, tool: ToolDefinition): void {
    const { description, parameters } = tool;
    this.#dml.registerTool(name, JSON.stringify({ description, ...schemaOf(parameters) }));
    this.#tools.set(name, tool);
  }

  /** Set the policy for runs that start from now on. */
  setToolPolicy(policy: ToolPolicy): void {
    this.#dml.setToolPolicy(JSON.stringify(policy));
  }

  /** Allow all tools again, for runs that start from now on. */
  clearToolPolicy(): void {
    this.#dml.setToolPolicy('null');
  }

  /** Problems in a program, found without running it, in the order of its text. */
  async checkDML(code: string): Promise<Finding[]> {
    return (await this.inspectDML(code)).findings;
  }

  /** Like {@link checkDML}, with the parameters that the program takes. */
  async inspectDML(code: string): Promise<Inspected> {
    return JSON.parse(await this.#dml.inspect(code)) as Inspected;
  }

  /**
   * Run a program. It advances while the next event is awaited, and ends when the loop over its events is left. `T` is
   * the type of an answer that is a list or a dict.
   */
  async *runDML<T = unknown>(
    code: string,
    options: RunOptions = {},
  ): AsyncGenerator<ProgramEvent<T>, void, string | undefined> {
    checkOptions(Object.keys(options), [...RUN_SETTINGS, ...Object.keys(RUN_OPTIONS)]);
    const { model = this.model, onUserInput, signal, record, workspacePath, ...settings } = options;
    checkedModel(model);
    const tools = new Map(this.#tools);
    const { models, cache } = this;
    const keyOf = (text: string) => {
      const request = JSON.parse(text) as ModelRequest;
      return cacheKey(named(request, model, models)?.name || request.model, request);
    };
    const folder = await workspaceOf(workspacePath);
    const calls = new Map<number, AbortController>();
    const signalOf = (call: number) => {
      const controller = new AbortController();
      calls.set(call, controller);
      return controller.signal;
    };
    // Goals that run at the same time may each ask before there is an answer.
    const askers: ((answer: string | undefined) => void)[] = [];
    const ports: DmlPorts = {
      folder,
      userCanAnswer: onUserInput !== null,
      async turn(text, onText, call) {
        const request = JSON.parse(text) as ModelRequest;
        const asked = chosen(request, model, models);
        try {
          return json(await asked.turn(request, { signal: signalOf(call), onText: whileAwaited(onText) }));
        } catch (error) {
          throw withRetryAfter(error);
        }
      },
      caches: cache !== undefined,
      kept: async (request) => cache?.get(await keyOf(request)),
      keep: async (request, turn) => void (await cache?.set(await keyOf(request), turn)),
      async callTool(name, args, call) {
        return json((await tools.get(name)!.execute(JSON.parse(args), { signal: signalOf(call) })) ?? null);
      },
      cancel: (call) => calls.get(call)?.abort(),
      async askUser(prompt) {
        if (onUserInput === null) return undefined;
        return onUserInput ? onUserInput(prompt) : new Promise((resolve) => askers.push(resolve));
      },
      records: record !== undefined,
      record: (entry) => record?.(JSON.parse(entry)),
    };
    const run = this.#dml.run(code, json(settings), ports, this.book?.hornbook.programBook(settings.name ?? 'program'));
    this.#running.add(run);
    const abort = () => run.abort();
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      for (;;) {
        const text = await run.next();
        if (text === undefined) break;
        const event = JSON.parse(text) as ProgramEvent<T>;
        const answer = yield event;
        if (event.type === 'input_required') askers.shift()?.(answer);
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      for (const call of calls.values()) call.abort();
      this.#running.delete(run);
      run.free();
    }
  }

  /** End all runs, each with an event that says so, and stop the MCP servers that were started. */
  close(): void {
    for (const run of this.#running) run.abort();
    this.#dml.close();
    void this.servers?.close();
    this.release();
  }
}

/** The model that a request goes to, if there is one: one of `models` by name, or else `model`. */
function named(
  { model: name }: ModelRequest,
  model: LanguageModel | undefined,
  models: Map<string, LanguageModel> | undefined,
): LanguageModel | undefined {
  return name === undefined || models === undefined ? model : models.get(name);
}

function chosen(
  request: ModelRequest,
  model: LanguageModel | undefined,
  models: Map<string, LanguageModel> | undefined,
): LanguageModel {
  const found = named(request, model, models);
  if (found) return found;
  const { model: name } = request;
  const none =
    name === undefined || models === undefined
      ? 'there is no language model: give createDeepClause or runDML one'
      : `there is no model ${name}; the models are: ${[...models.keys()].join(', ')}`;
  throw Object.assign(new Error(none), { unreachable: true });
}

/** The error, with the time in milliseconds that its headers ask to wait before the next try, if they do. */
function withRetryAfter(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || 'retryAfterMs' in error) return error;
  const { responseHeaders, headers = responseHeaders } = error as Record<string, unknown>;
  const header = (name: string): string | undefined =>
    headers instanceof Headers
      ? (headers.get(name) ?? undefined)
      : ((headers as Record<string, string> | undefined)?.[name] ?? undefined);
  const ms = Number(header('retry-after-ms') ?? Number.NaN);
  const after = header('retry-after');
  const waits = Number.isFinite(ms)
    ? ms
    : after === undefined
      ? Number.NaN
      : Number.isFinite(Number(after))
        ? Number(after) * 1000
        : Date.parse(after) - Date.now();
  return Number.isFinite(waits) && Object.isExtensible(error)
    ? Object.assign(error, { retryAfterMs: Math.max(0, waits) })
    : error;
}

async function cacheOf(cache: DeepClauseOptions['cache']): Promise<ReplyCache | undefined> {
  if (typeof cache !== 'string') return cache;
  if (typeof process === 'undefined')
    throw new Error(`cache: a page has no paths, as '${cache}'; give it a Map, or an object with get and set`);
  const { NodeReplyCache } = (await forNode('./node/cache.js')) as typeof import('./node/cache.js');
  return new NodeReplyCache(cache);
}

async function workspaceOf(folder: RunOptions['workspacePath']): Promise<Folder | undefined> {
  if (typeof folder !== 'string') return folder && folderOf(folder);
  if (typeof process === 'undefined')
    throw new Error(
      `workspacePath: a page has no paths, as '${folder}'; give it the handle of a directory, or a MemoryFolder`,
    );
  const { NodeFolder } = (await forNode('./node/folder.js')) as typeof import('./node/folder.js');
  return new NodeFolder(folder);
}

/** Pass on a piece of text; pieces that arrive after nobody waits for them are dropped. */
function whileAwaited(take: (text: string) => void): (text: string) => void {
  return (text) => {
    try {
      take(String(text));
    } catch {
      // The turn is over, or the run.
    }
  };
}

/** The JSON of what a tool or model returned. A lone surrogate becomes the replacement character. */
function json(value: unknown): string {
  let text: string | undefined;
  let why = '';
  try {
    text = JSON.stringify(value);
  } catch (error) {
    why = `: ${(error as Error | undefined)?.message?.split('\n')[0]}`;
  }
  if (text === undefined) throw new Error(`its result is not what JSON can hold${why}`);
  return text.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f]../g, '\ufffd');
}

/** The property names go along in an array, since the core sorts the keys of JSON objects. */
function schemaOf(parameters: Parameters | undefined): { parameters?: unknown; names?: string[] } {
  if (parameters === undefined) return {};
  if ('shape' in parameters) {
    const names = Object.keys(parameters.shape);
    const { toJSONSchema } = parameters as { toJSONSchema?: () => unknown };
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    return { names, parameters: toJSONSchema?.call(parameters) ?? { type: 'object', properties } };
  }
  return { names: Object.keys(parameters.properties ?? {}), parameters };
}
