/** DML: Prolog programs that call language models and tools. */
import { Dml, type DmlPorts, type Host } from './core/hornbook.js';

/** One event of a run. Nothing follows `finished` or `error`. */
export type DMLEvent =
  | { type: 'output' | 'log' | 'answer'; content: string }
  | { type: 'stream'; content: string; done: boolean }
  | { type: 'input_required'; prompt: string }
  | { type: 'tool_call'; tool: string; args: Record<string, unknown> }
  | ({ type: 'usage' } & Usage)
  | { type: 'error'; content: string; line?: number; column?: number }
  | { type: 'finished'; success: boolean; usage: Usage };

/** Tokens. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** A tool that a model calls; `args` as its parameters say. */
export interface ToolCall {
  id?: string;
  tool: string;
  args: unknown;
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Of an assistant. */
  calls?: Required<ToolCall>[];
  /** Of a tool: which call `content` is the result of. */
  callId?: string;
  tool?: string;
}

export interface ModelRequest {
  messages: Message[];
  /** `parameters` is a JSON Schema. */
  tools: { name: string; description: string; parameters: Record<string, unknown> }[];
  streaming: boolean;
}

/** What a model says in one turn. */
export interface Turn {
  text?: string;
  calls?: ToolCall[];
  usage?: Usage;
}

/** Any language model. */
export interface LanguageModel {
  /**
   * One turn. Where the request says `streaming`, `onText` may take the text in pieces. An error with `isRetryable`,
   * or with `status` 429 or from 500 on, is tried again.
   */
  turn(request: ModelRequest, options: { signal: AbortSignal; onText(text: string): void }): Promise<Turn>;
}

/** A JSON Schema of type `object`, or a schema of zod. Positional arguments have the order of its properties. */
export type Parameters = { properties?: Record<string, unknown> } | { shape: Record<string, unknown> };

export interface ToolDefinition<Args = any> {
  description?: string;
  parameters?: Parameters;
  /** The result must be what JSON can hold; `undefined` is null. */
  execute(args: Args, options: { signal: AbortSignal }): unknown;
}

/** Which of the registered tools may be called; `*` in a name stands for anything. */
export interface ToolPolicy {
  mode: 'whitelist' | 'blacklist';
  tools: string[];
}

export interface DeepClauseOptions {
  /** For runs that have none of their own. */
  model?: LanguageModel;
  /** Where engines run. Default: worker threads of Node. */
  host?: Host;
}

export interface RunOptions {
  /** By name: for the variables of `agent_main`, `param/2,3` and `{Name}`. */
  params?: Record<string, unknown>;
  /** By position, for `agent_main`. */
  args?: unknown[];
  model?: LanguageModel;
  /** The user's answer. Without it, the value that the consumer gives back for `input_required` is the answer. */
  onUserInput?: (prompt: string) => string | Promise<string>;
  signal?: AbortSignal;
  /** Have the text of models as `stream` events. */
  streaming?: boolean;
  /** Inferences of the program and its tools. */
  gasLimit?: number;
  /** Milliseconds for the run, without the time of the user. Default: 600,000. */
  timeoutMs?: number;
  /** Milliseconds that the program may compute between two requests. Default: 60,000. */
  stepTimeoutMs?: number;
  maxModelCalls?: number;
  maxTokens?: number;
  maxToolCalls?: number;
  /** Turns of the model in one task. Default: 50. */
  maxTurns?: number;
  /** Takes each entry of the run's recording before the program goes on; what is replayed is not recorded again. */
  record?: (entry: RecordEntry) => void;
  /**
   * A recording. What it has is not asked of the model, the tools and the user again; where it was cut off, the run
   * goes on with them. `params` and `args` are those of the recording, unless they are given.
   */
  replay?: RecordEntry[];
}

/** One thing that came to a run from outside, as JSON. The first has the kind `run`, the last `end` or `stopped`. */
export interface RecordEntry {
  kind: 'run' | 'clock' | 'model' | 'tool' | 'user' | 'stopped' | 'end';
  [key: string]: unknown;
}

/** Make an object that runs programs, any number at once. */
export async function createDeepClause(options: DeepClauseOptions = {}): Promise<DeepClause> {
  if (options.host) return new DeepClause(options.host, options.model, () => {});
  const { NodeHost, loadCore } = await import('./node.js');
  await loadCore();
  const host = new NodeHost(() => {});
  return new DeepClause(host, options.model, () => host.close());
}

export class DeepClause {
  readonly #dml: Dml;
  readonly #tools = new Map<string, ToolDefinition>();

  /** Use {@link createDeepClause}. */
  constructor(host: Host, private readonly model: LanguageModel | undefined, private readonly release: () => void) {
    this.#dml = new Dml(host);
  }

  /** For runs that start from now on. */
  registerTool(name: string, tool: ToolDefinition): void {
    const { description, parameters } = tool;
    this.#dml.registerTool(name, JSON.stringify({ description, ...schemaOf(parameters) }));
    this.#tools.set(name, tool);
  }

  /** For runs that start from now on. */
  setToolPolicy(policy: ToolPolicy): void {
    this.#dml.setToolPolicy(JSON.stringify(policy));
  }

  clearToolPolicy(): void {
    this.#dml.setToolPolicy('null');
  }

  /** Run a program. It goes on while its next event is waited for, and ends when the loop over its events is left. */
  async *runDML(code: string, options: RunOptions = {}): AsyncGenerator<DMLEvent, void, string | undefined> {
    const { model = this.model, onUserInput, signal, record, ...settings } = options;
    const tools = new Map(this.#tools);
    const over = new AbortController();
    let answered: ((answer: string | undefined) => void) | undefined;
    const ports: DmlPorts = {
      userCanAnswer: onUserInput !== undefined,
      async turn(request, onText) {
        if (!model) throw new Error('there is no language model: give createDeepClause or runDML one');
        return JSON.stringify(await model.turn(JSON.parse(request), { signal: over.signal, onText }));
      },
      async callTool(name, args) {
        return JSON.stringify((await tools.get(name)!.execute(JSON.parse(args), { signal: over.signal })) ?? null) ?? noJson();
      },
      async askUser(prompt) {
        return onUserInput ? onUserInput(prompt) : new Promise((resolve) => (answered = resolve));
      },
      record: (entry) => record?.(JSON.parse(entry)),
    };
    const run = this.#dml.run(code, JSON.stringify({ ...settings, record: record !== undefined }), ports);
    const abort = () => run.abort();
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      for (let text; (text = await run.next()) !== undefined; ) {
        const event = JSON.parse(text) as DMLEvent;
        const answer = yield event;
        if (event.type === 'input_required') answered?.(answer);
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      over.abort();
      run.free();
    }
  }

  /** End all runs. */
  close(): void {
    this.release();
  }
}

/** A turn of {@link scriptedModel}, or the error that it fails with. */
export type ScriptedTurn = Turn | { error: string; status?: number };

/** A model that says what it is told to, for tests. `requests` are those it got. */
export function scriptedModel(turns: ScriptedTurn[]): LanguageModel & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async turn(request) {
      const turn = turns[requests.length];
      requests.push(request);
      if (!turn) throw new Error(`the script has ${turns.length} turns only`);
      if ('error' in turn) throw Object.assign(new Error(turn.error), { status: turn.status });
      return turn;
    },
  };
}

function noJson(): never {
  throw new Error('its result is not what JSON can hold');
}

/** JSON loses no names here, but the core sorts them. */
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
