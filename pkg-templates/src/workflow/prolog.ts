/** The Prolog of nodes on its own. */
import { NodeProlog, checkOptions, detectProlog, type Host } from '../full/hornbook.js';
import { LONGEST_TIMER_MS } from '../book/arguments.js';
import type { FailedGoal } from '../generated/workflow.js';
import { hostFor } from '../host.js';
import type { State } from './state.js';

/** The outcome of a block of Prolog. */
export type NodeResult =
  | { succeeded: true; updates: State; solutions: State[]; output: string }
  | { succeeded: false; updates: Record<string, never>; solutions: []; failed: FailedGoal; output: string };

/** An error in Prolog code. */
export class PrologRuntimeError extends Error {
  /** `PrologRuntimeError`. */
  override name = 'PrologRuntimeError';

  /**
   * @param kind 'prolog', 'sandbox' (the code does something that the sandbox refuses), 'timeout', 'state' or 'engine';
   *   from `Workflow.explain` also 'graph' and 'book'
   * @param line in the code, from 1, if known
   */
  constructor(
    message: string,
    readonly kind: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

/** The code ran too long: `Prolog execution timeout`. */
export class PrologTimeoutError extends PrologRuntimeError {
  /** `PrologTimeoutError`. */
  override name = 'PrologTimeoutError';
}

/** How Prolog runs; all are optional. */
export interface RuntimeOptions {
  /** The time limit for code, in seconds. Default: 30. */
  timeout?: number;
  /** The maximum number of engine workers. Default: one. */
  engines?: number;
  /** Starts the engines; in a page, the `host` of its `PageHornbook`. Default: that of Node. */
  host?: Host;
}

const RUNTIME_OPTIONS: Record<keyof RuntimeOptions, true> = { timeout: true, engines: true, host: true };

/** Runs the Prolog of nodes: code that reads a state with `state/2` and returns values for it with `return/2`. */
export class PrologRuntime {
  readonly #prolog: NodeProlog;

  private constructor(
    prolog: NodeProlog,
    private readonly timeoutMs: number,
    private readonly release: () => void,
  ) {
    this.#prolog = prolog;
  }

  /** Start one; its first engine starts meanwhile. */
  static async create(options: RuntimeOptions = {}): Promise<PrologRuntime> {
    const [host, release] = await hostFor(options.host);
    checkOptions(Object.keys(options), Object.keys(RUNTIME_OPTIONS));
    return new PrologRuntime(new NodeProlog(host, options.engines ?? 1), milliseconds(options.timeout ?? 30), release);
  }

  /**
   * Run clauses, directives and goals in one text. Nothing of it remains afterwards. With `all`, the last goal is
   * solved in every way; otherwise each goal is solved once.
   *
   * @throws {PrologRuntimeError}
   */
  executeNodeCode(code: string, state: State = {}, options: { all?: boolean } = {}): Promise<NodeResult> {
    checkOptions(Object.keys(options), ['all']);
    const { all = false } = options;
    return this.#run(code, state, all);
  }

  /**
   * Run one goal.
   *
   * @throws {PrologRuntimeError}
   */
  executeQuery(query: string, state: State = {}, options: { all?: boolean } = {}): Promise<NodeResult> {
    checkOptions(Object.keys(options), ['all']);
    const { all = false } = options;
    return this.#run(/^\s*\?-/.test(query) ? query : `?- ${query}`, state, all);
  }

  /**
   * The text that the goal binds `Result` to, `true` if it binds none, or null if it fails.
   *
   * @throws {PrologRuntimeError}
   */
  async evalCondition(expression: string, state: State = {}): Promise<string | null> {
    return (await thrown(this.#prolog.condition(expression, state, this.timeoutMs))) ?? null;
  }

  /** Always rejects: the sandbox, which nodes always run in, reads no files. */
  async consult(path: string): Promise<never> {
    throw new PrologRuntimeError(
      `Cannot consult ${path}: nodes run in the sandbox, which reads no files. Put its clauses into the code of the node.`,
      'sandbox',
    );
  }

  /** Whether a text looks like Prolog. */
  static detectPrologCode(code: string): boolean {
    return detectProlog(code);
  }

  /** End the engines. */
  close(): void {
    this.#prolog.close();
    this.release();
  }

  async #run(code: string, state: State, all: boolean): Promise<NodeResult> {
    const { solutions, failed, output } = await thrown(this.#prolog.runBlock(code, state, all, this.timeoutMs));
    return failed
      ? { succeeded: false, updates: {}, solutions: [], failed, output }
      : { succeeded: true, updates: solutions[0] ?? {}, solutions, output };
  }
}

/**
 * Whether a text looks like Prolog. Requires the core to be loaded, as by {@link PrologRuntime.create} and
 * `Workflow.load`.
 */
export const detectPrologCode = PrologRuntime.detectPrologCode;

/**
 * @internal
 * @throws Error if it is not a number above 0
 */
export function milliseconds(seconds: number): number {
  if (!(seconds > 0)) throw new Error(`timeout: a number of seconds above 0 is needed, not ${seconds}`);
  return Math.min(Math.round(seconds * 1000), LONGEST_TIMER_MS);
}

/**
 * Give errors of the core their class.
 *
 * @internal
 */
export async function thrown<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const { message, kind, line } = error as PrologRuntimeError;
    if (kind === undefined) throw error;
    throw new (kind === 'timeout' ? PrologTimeoutError : PrologRuntimeError)(message, kind, line);
  }
}
