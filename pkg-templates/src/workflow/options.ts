/** The options that a workflow is loaded with. */
import type { Hornbook, Host } from '../full/hornbook.js';
import type { McpServers } from '../mcp/config.js';
import type { ProgramRunner } from './program.js';
import type { State } from './state.js';

/**
 * Something that a workflow's nodes can use, by name.
 *
 * @param params the node's `with`, with templates replaced
 * @returns an object is merged into the state, unless the node says where the result goes
 */
// biome-ignore lint/suspicious/noExplicitAny: each action defines what it takes; `unknown` would need a cast in each
export type Action = (params: any, context: ActionContext) => unknown;

/** What an action is given besides its parameters. */
export interface ActionContext {
  /** The state when the node began. */
  state: State;
  /** The same whenever the same attempt of the same node in the same run calls. */
  key: string;
  /** Aborted when the action's time is over or the run ends. */
  signal: AbortSignal;
  /**
   * Tell JSON while the action goes on, as an event `{ type: 'node_event', node, event }` of the run. Afterwards it does
   * nothing.
   */
  tell(event: unknown): void;
}

/** Runs code in a language other than Prolog. */
export interface CodeRunner {
  /**
   * @param given JSON: `state`, `variables` and `parallel_results`
   * @returns JSON: `result`, an object of values for the state, or `error` and the `state` as the code left it
   */
  run(code: string, given: string, timeoutMs: number): Promise<string>;
  /** End it; called once, when the workflow is closed. */
  close(): void;
}

/** The languages of nodes besides Prolog. */
export type OtherLanguage = 'python' | 'lua' | 'javascript';

/** What a workflow may use; all are optional. */
export interface LoadOptions {
  /**
   * The time limit for the code of a node, in seconds. Default: what the text says (`config.prolog_timeout`), or 30.
   */
  timeout?: number;
  /**
   * The maximum number of engine workers, for branches that run at the same time. Default: one per processor, at most
   * four.
   */
  engines?: number;
  /** Starts the engines; in a page, the `host` of its `PageHornbook`. Default: that of Node. */
  host?: Host;
  /** What nodes may call with `uses: NAME`. Default: none. */
  actions?: Record<string, Action>;
  /** The time limit for a call of an action, in seconds; the node then ends with an error. Default: none. */
  actionTimeout?: number;
  /**
   * Other MCP servers whose tools become actions, `SERVER.TOOL`. Those that the text uses are started on load, and
   * stopped by `Workflow.close`. Node only; a page connects a client itself and passes its `clientActions`.
   * Default: none.
   */
  mcpServers?: McpServers;
  /**
   * Stores runs: each effect of a node is a revision of this book, and a run whose process ended can be resumed. In a
   * page, the book must have been opened with the workflow tools too. Default: runs are not stored.
   */
  book?: Hornbook;
  /**
   * Books that nodes refer to as `book: NAME`. What a node does there is one revision of that book, once per run if
   * `book` stores it. Without this option every name means `book`.
   */
  books?: Record<string, Hornbook>;
  /**
   * Runners for other languages; each is created when first needed. Default in Node: those whose packages are
   * installed. In a page: `pageLanguages`, or your own runners.
   */
  languages?: Partial<Record<OtherLanguage, () => CodeRunner | Promise<CodeRunner>>>;
  /**
   * Runs the nodes' DML programs with its models and tools, or creates the runner if the text has such programs: what
   * `createDeepClause` returns. Its owner closes it. Default: one without models, with the tools of `mcpServers`.
   */
  dml?: ProgramRunner | (() => ProgramRunner | Promise<ProgramRunner>);
  /**
   * The programs and workflows that nodes refer to (`type: dml` or `workflow`, `uses: NAME`), by name, or a function that
   * reads one. Default: none.
   */
  files?: Record<string, string> | ((name: string) => string | Promise<string>);
  /** What templates read as `secrets`. Default: nothing. */
  secrets?: State;
  /** What templates read as `env`. Default: nothing. */
  env?: State;
}

/** The names of the options. */
export const LOAD_OPTIONS: Record<keyof LoadOptions, true> = {
  timeout: true,
  actionTimeout: true,
  engines: true,
  host: true,
  actions: true,
  mcpServers: true,
  book: true,
  books: true,
  languages: true,
  dml: true,
  files: true,
  secrets: true,
  env: true,
};
