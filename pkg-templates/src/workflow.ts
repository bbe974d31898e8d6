/**
 * Workflows: YAML graphs whose nodes think in Prolog, and the Prolog of nodes on its own, in Node and in pages.
 *
 *    const workflow = await Workflow.load(yaml, { actions: { notify: async ({ text }) => … } });
 *    for await (const event of workflow.run({ value: 21 })) if (event.type === 'final') console.log(event.state);
 *
 * Integers of a state that a number cannot hold exactly are BigInts.
 */
import {
  Books,
  Graph,
  NodeProlog,
  checkOptions,
  type GraphRun,
  type GraphUses,
  type NameUse,
  type Proof,
  type Runs,
  type WorkflowPorts,
} from './full/hornbook.js';
import { forNode, hostFor } from './host.js';
import { toolServers, type ToolServers } from './mcp/given.js';
import type { Drawing, NodeCode, WorkflowEvent } from './generated/workflow.js';
import { type CodeRunner, LOAD_OPTIONS, type LoadOptions, type OtherLanguage } from './workflow/options.js';
import { ResumeError, WorkflowError } from './workflow/error.js';
import { followed, type FollowEvent } from './workflow/follow.js';
import { milliseconds, thrown } from './workflow/prolog.js';
import type { ProgramRunner } from './workflow/program.js';
import type { Checkpoint, Json, State } from './workflow/state.js';
import { serverActions } from './workflow/tools.js';

export type { HttpServer, McpServers, StdioServer } from './mcp/config.js';
export type { Proof } from './full/hornbook.js';
export type * from './generated/workflow.js';
export { pageLanguages, type LanguageAddresses } from './page/languages.js';
export type { Action, ActionContext, CodeRunner, LoadOptions, OtherLanguage } from './workflow/options.js';
export type { FollowEvent } from './workflow/follow.js';
export type { ProgramRunner } from './workflow/program.js';
export { ResumeError, WorkflowError } from './workflow/error.js';
export * from './workflow/prolog.js';
export type * from './workflow/state.js';
export { bookActions, clientActions, type ToolClient } from './workflow/tools.js';

/** An error in the text of a workflow. The message begins with the place. */
export class WorkflowLoadError extends Error {
  /** `WorkflowLoadError`. */
  override name = 'WorkflowLoadError';

  /**
   * @param line from 1
   * @param column from 0
   */
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
  }
}

/** A workflow, which can be run any number of times. */
export class Workflow {
  readonly #runners = new Map<string, Promise<CodeRunner>>();
  private constructor(
    private readonly graph: Graph,
    private readonly prolog: NodeProlog,
    private readonly options: LoadOptions,
    private readonly timeoutMs: number,
    private readonly servers: ToolServers | undefined,
    private readonly programs: Programs | undefined,
    private readonly release: () => void,
  ) {}

  /**
   * Load a workflow from its text.
   *
   * @throws {WorkflowLoadError} the text has an error, or names what is not there
   */
  static async load(yaml: string, options: LoadOptions = {}): Promise<Workflow> {
    checkText(yaml, 'The text of the workflow');
    const [host, release] = await hostFor(options.host);
    checkOptions(Object.keys(options), Object.keys(LOAD_OPTIONS));
    for (const book of [options.book, ...Object.values(options.books ?? {})])
      if (book && !('runs' in book))
        throw new Error("This book was opened without workflows: open it with tools: ['prolog', 'workflow'].");
    const languages = options.languages ?? (await installedLanguages());
    const servers = await toolServers(options.mcpServers);
    const { secrets = {}, env = {} } = options;
    let actions = options.actions ?? {};
    let graph: Graph;
    let programs: Programs | undefined;
    try {
      const { uses, files } = await usedBy(yaml, options.files);
      if (servers) actions = { ...(await serverActions(servers, uses.actions)), ...actions };
      const installed = { languages: Object.keys(languages), actions: Object.keys(actions), files, secrets, env };
      graph = Graph.load(yaml, installed, booksOf(options.books));
      if (uses.programs) programs = await programsOf(options);
    } catch (error) {
      release();
      await servers?.close();
      const { message, line, column } = error as WorkflowLoadError;
      throw line === undefined ? error : new WorkflowLoadError(message, line, column);
    }
    const timeoutMs = options.timeout === undefined ? (graph.timeoutMs ?? 30_000) : milliseconds(options.timeout);
    const prolog = new NodeProlog(host, options.engines ?? Math.min(globalThis.navigator?.hardwareConcurrency ?? 2, 4));
    return new Workflow(graph, prolog, { ...options, actions, languages }, timeoutMs, servers, programs, release);
  }

  /** The name that its text gives it. */
  get name(): string | undefined {
    return this.graph.name;
  }

  /** The graph as a Mermaid diagram. */
  mermaid(): string {
    return this.graph.mermaid();
  }

  /** The code of nodes and steps, where it stands in the text. That of workflows in other files is not in it. */
  codes(): NodeCode[] {
    return this.graph.codes();
  }

  /** The graph, for drawing it yourself. */
  drawing(): Drawing {
    return this.graph.drawing();
  }

  /**
   * Run the workflow. It advances while the next event is awaited. It ends when the loop over its events is left, or by
   * `signal`, even in the middle of a node.
   *
   * @param run names the run in the book and in the keys of actions; the `start` event has the name
   */
  run(state: State = {}, options: { run?: string; signal?: AbortSignal } = {}): AsyncGenerator<WorkflowEvent, void> {
    checkOptions(Object.keys(options), ['run', 'signal']);
    const { run = runId(), signal } = options;
    checkText(run, 'The name of the run');
    return this.#events(
      (ended) => this.graph.run(this.prolog, this.#ports(ended), state, this.timeoutMs, run, this.options.book?.runs()),
      signal,
    );
  }

  /**
   * Resume an interrupted run, with `updates` merged into its state. To a question of `interrupt/2` they are
   * `{ answer: … }`.
   *
   * @param from its checkpoint, or its name if the book keeps it
   * @param interrupt the id of what `updates` answer, of the `interrupts` of the event; needed if there are several
   * @throws {ResumeError} when the first event is awaited: its `kind` says why the run cannot go on with this
   */
  resume(
    from: Checkpoint | string,
    updates: State = {},
    options: { interrupt?: string; signal?: AbortSignal } = {},
  ): AsyncGenerator<WorkflowEvent, void> {
    checkOptions(Object.keys(options), ['interrupt', 'signal']);
    const { interrupt, signal } = options;
    const { graph, prolog, timeoutMs } = this;
    if (interrupt !== undefined) checkText(interrupt, 'The id of the interrupt');
    if (typeof from === 'string') return this.#resumed(from, updates, interrupt, signal);
    return this.#events(
      (ended) => graph.resume(prolog, this.#ports(ended), from, updates, timeoutMs, runId(), interrupt),
      signal,
    );
  }

  /**
   * Send a signal to a run of the book: the node that waits for this name (`wait: { signal: NAME }`) gets `data`, once, also
   * if the run comes there only later. Resolves when the signal is kept; the run goes on where it is followed, or by
   * `resume`.
   *
   * @throws no node waits for this name, or the state of this workflow cannot hold `data`
   */
  async signal(run: string, name: string, data: Json = null): Promise<void> {
    checkText(run, 'The name of the run');
    checkText(name, 'The name of the signal');
    const runs = this.#runs();
    this.graph.checkSignal(name, data);
    await runs.signal(run, name, data);
  }

  /** @param updates none: the run goes on only if what it waits for has come by itself */
  #resumed(
    run: string,
    updates: State | undefined,
    interrupt: string | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<WorkflowEvent, void> {
    const { graph, prolog, timeoutMs } = this;
    const runs = this.#runs();
    return this.#events(
      (ended) => graph.resumeKept(prolog, this.#ports(ended), updates, timeoutMs, run, runs, interrupt),
      signal,
    );
  }

  #runs(): Runs {
    const { book } = this.options;
    if (!book) throw new Error('A run is resumed by its name where a book keeps it: load the workflow with `book`.');
    return book.runs();
  }

  /**
   * Carry out what happens by itself, until `signal` is aborted or the loop is left: begin a run for each answer of the
   * goal that the text names (`on: { goal }`), or at the times of its cron expression (`on: { cron }`), and go on with runs
   * of this workflow that wait, once their time has come or their signal was sent. A run begins once, however often the
   * process ends: first, runs that failed or were cut off are resumed, even if their answers are gone. What waits for
   * somebody is left to `resume`. A run that fails, also with `raise_exceptions`, is an event, and the others go on.
   *
   * @throws another has begun to follow this workflow in the book
   */
  follow(options: { signal?: AbortSignal } = {}): AsyncGenerator<FollowEvent, void> {
    checkOptions(Object.keys(options), ['signal']);
    const { signal } = options;
    const { graph } = this;
    const { book } = this.options;
    return followed(graph, book, {
      begin: (state, run) => this.run(state, { run, ...(signal && { signal }) }),
      resume: (run) => this.#resumed(run, {}, undefined, signal),
      wake: (run) => this.#resumed(run, undefined, undefined, signal),
      signal,
    });
  }

  /**
   * How a node's Prolog decides when it meets `state`: the proof of its goals, or why one fails. It runs once more in
   * isolation: the run, the book and the host's actions are not affected.
   *
   * @param node its name, or `NODE.STEP` for one of its steps
   * @param state what the node met, as in the checkpoint before it
   * @throws {PrologRuntimeError} an error of its code; of `kind` 'graph' if it has no Prolog, 'book' if it uses a book
   */
  async explain(node: string, state: State = {}): Promise<Proof> {
    checkText(node, 'The name of the node');
    return thrown(this.graph.explain(this.prolog, node, state, this.timeoutMs));
  }

  /** End the engines and the runners of other languages, and stop the MCP servers that were started. */
  close(): void {
    this.prolog.close();
    void this.servers?.close();
    for (const runner of this.#runners.values())
      runner.then(
        (runner) => runner.close(),
        () => {},
      );
    this.#runners.clear();
    this.programs?.close();
    this.release();
  }

  async *#events(
    begin: (ended: AbortSignal) => GraphRun,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<WorkflowEvent, void> {
    if (signal?.aborted) return;
    const ended = new AbortController();
    const run = ResumeError.thrownBy(() => begin(ended.signal));
    const stop = () => run.stop();
    signal?.addEventListener('abort', stop);
    try {
      for (;;) {
        const event: WorkflowEvent | undefined = await run.next();
        if (event === undefined) return;
        yield event;
        if (event.type === 'error' && event.raises)
          throw new WorkflowError(`Error in node '${event.node}': ${event.error}`, event.node, event.kind);
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      ended.abort();
      run.stop();
      run.free();
    }
  }

  /** @param ended is aborted when the run ends */
  #ports(ended: AbortSignal): WorkflowPorts {
    const { actions = {}, languages = {}, actionTimeout } = this.options;
    return {
      runCode: async (language, code, given, timeoutMs) => {
        let runner = this.#runners.get(language);
        if (!runner) {
          runner = Promise.resolve(languages[language as OtherLanguage]!());
          this.#runners.set(language, runner);
        }
        return (await runner).run(code, given, timeoutMs);
      },
      callAction: async (name, params, state, key, tell, awaited) => {
        const over = AbortSignal.any([ended, awaited]);
        const telling = whileAwaited(tell, awaited);
        const call = (signal: AbortSignal) => actions[name]!(params, { state, key, signal, tell: telling });
        return (await (actionTimeout === undefined ? call(over) : inTime(call, actionTimeout, over))) ?? null;
      },
      runProgram: async (code, params, tell, awaited) => {
        const { program } = await import('./workflow/program.js');
        const telling = whileAwaited(tell, awaited);
        return program(this.programs!.runner, code, JSON.parse(params), telling, AbortSignal.any([ended, awaited]));
      },
    };
  }
}

/** The crate takes events as long as it waits for the call; afterwards nothing is told. */
function whileAwaited(tell: (event: unknown) => void, awaited: AbortSignal): (event: unknown) => void {
  return (event) => {
    if (!awaited.aborted) tell(event);
  };
}

/** Programs without types pass anything, and the crate takes nothing but a string for one. */
function checkText(value: unknown, what: string): void {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string, not ${typeof value}.`);
}

/** What `call` returns, unless it takes longer; its signal is aborted then, and when the run ends. */
async function inTime(call: (signal: AbortSignal) => unknown, seconds: number, ended: AbortSignal): Promise<unknown> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`it took longer than its ${seconds} seconds`));
      late.abort();
    }, milliseconds(seconds));
  });
  try {
    return await Promise.race([call(AbortSignal.any([ended, late.signal])), limit]);
  } finally {
    clearTimeout(timer);
  }
}

function booksOf(given: LoadOptions['books']): Books | undefined {
  if (!given) return undefined;
  const books = new Books();
  for (const [name, book] of Object.entries(given)) books.add(name, book.runs());
  return books;
}

/** A new name for a run. */
export function runId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What runs programs, and the function that ends it with the workflow. */
interface Programs {
  runner: ProgramRunner;
  close(): void;
}

async function programsOf({ dml, host, mcpServers }: LoadOptions): Promise<Programs> {
  if (dml !== undefined) return { runner: typeof dml === 'function' ? await dml() : dml, close: () => {} };
  const { createDeepClause } = await import('./dml.js');
  const runner = await createDeepClause({ ...(host && { host }), ...(mcpServers && { mcpServers }) });
  return { runner, close: () => runner.close() };
}

/** What a text and the workflows that it names refer to, with the texts of all files by the names in use. */
async function usedBy(
  yaml: string,
  given: LoadOptions['files'] = {},
): Promise<{ uses: Pick<GraphUses, 'actions' | 'programs'>; files: Record<string, string> }> {
  const { actions, programs, files: named, graphs } = Graph.uses(yaml);
  const uses = { actions, programs };
  const files: Record<string, string> = typeof given === 'function' ? {} : { ...given };
  const seen = new Set<string>();
  const waiting = [...named.map((use) => ({ use, graph: false })), ...graphs.map((use) => ({ use, graph: true }))];
  for (const { use, graph } of waiting) {
    const { name, ...place } = use;
    if (seen.has(name)) continue;
    seen.add(name);
    if (typeof given === 'function') files[name] = await read(given, use);
    const inner = graph && files[name] !== undefined ? usesOf(files[name]) : undefined;
    if (!inner) continue;
    // Errors are told where the outermost text names the file.
    uses.actions.push(...inner.actions.map(({ name }) => ({ name, ...place })));
    uses.programs ||= inner.programs;
    for (const { name } of inner.files) waiting.push({ use: { name, ...place }, graph: false });
    for (const { name } of inner.graphs) waiting.push({ use: { name, ...place }, graph: true });
  }
  return { uses, files };
}

/** Nothing if the text of a file is no workflow: loading tells why, and where. */
function usesOf(text: string): GraphUses | undefined {
  try {
    return Graph.uses(text);
  } catch {
    return undefined;
  }
}

async function read(
  given: (name: string) => string | Promise<string>,
  { name, line, column }: NameUse,
): Promise<string> {
  try {
    return await given(name);
  } catch (error) {
    const message = `line ${line}, column ${column}: ${(error as Error).message}`;
    throw Object.assign(new Error(message), { line, column });
  }
}

/** Pages provide their own. */
async function installedLanguages(): Promise<NonNullable<LoadOptions['languages']>> {
  if (typeof process === 'undefined' || !process.versions?.node) return {};
  return ((await forNode('./node/languages.js')) as typeof import('./node/languages.js')).installed();
}
