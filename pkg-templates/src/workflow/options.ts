/** What a workflow is loaded with. */
import type { Hornbook, Host } from '../full/hornbook.js';
import type { McpServers } from '../mcp/config.js';
import type { ProgramRunner } from './program.js';
import type { State } from './state.js';

/**
 * Something that a workflow's nodes can use, by name.
 *
 * @param params the node's `with`, templates replaced
 * @param context the state, and a key that is the same when the same attempt of the same node of the same run calls again
 * @returns an object is merged into the state, unless the node says where the result goes
 */
// biome-ignore lint/suspicious/noExplicitAny: an action says itself what it takes; `unknown` would need a cast in each
export type Action = (params: any, context: { state: State; key: string }) => unknown;

/** Runs code in another language than Prolog. */
export interface CodeRunner {
  /**
   * @param given JSON: `state`, `variables` and `parallel_results`
   * @returns JSON: `result`, an object of values for the state, or `error` and the `state` as the code left it
   */
  run(code: string, given: string, timeoutMs: number): Promise<string>;
  close(): void;
}

export type OtherLanguage = 'python' | 'lua' | 'javascript';

export interface LoadOptions {
  /** Seconds that the code of a node may run. Default: what the text says (`config.prolog_timeout`), or 30. */
  timeout?: number;
  /** Engine workers at most, for branches that run at the same time. Default: one a processor, four at most. */
  engines?: number;
  /** Starts the engines: in a page the `host` of its `PageHornbook`. Default: that of Node. */
  host?: Host;
  actions?: Record<string, Action>;
  /**
   * Other MCP servers whose tools are actions, `SERVER.TOOL`: those that the text uses are started when it is loaded, and
   * ended by `Workflow.close`. Only in Node; a page connects a client itself and gives its `clientActions`.
   */
  mcpServers?: McpServers;
  /**
   * Keeps runs: each effect of a node is a revision of its book, and a run whose process ended can be resumed. In a page it is
   * one that was opened with the tools of workflows, too.
   */
  book?: Hornbook;
  /**
   * Those that nodes name: `book: NAME`. What a node does there is one revision of that book, once for a run that `book` keeps.
   * Without this every name means `book`.
   */
  books?: Record<string, Hornbook>;
  /**
   * What runs code in other languages; each is made when it is needed first. Default, in Node: those whose packages
   * are installed. In a page: `pageLanguages`, or runners of its own.
   */
  languages?: Partial<Record<OtherLanguage, () => CodeRunner | Promise<CodeRunner>>>;
  /**
   * Runs the programs in DML of nodes, with its models and tools, or makes it where the text has one: what `createDeepClause`
   * gives. Its owner closes it. Default: one that has no models, and the tools of `mcpServers`.
   */
  dml?: ProgramRunner | (() => ProgramRunner | Promise<ProgramRunner>);
  /** The programs that nodes name (`type: dml`, `uses: NAME`), by their names, or what reads one. */
  files?: Record<string, string> | ((name: string) => string | Promise<string>);
  /** For templates. */
  secrets?: State;
  env?: State;
}

/** The names of the options. */
export const LOAD_OPTIONS: Record<keyof LoadOptions, true> = {
  timeout: true,
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
