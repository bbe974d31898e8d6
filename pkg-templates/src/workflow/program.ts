/** DML programs as nodes. */
import type { DMLEvent, DeepClause } from '../dml.js';

/** Runs programs: the result of `createDeepClause`, or a wrapper that sets more options of a run. */
export type ProgramRunner = Pick<DeepClause, 'runDML'>;

/** What a program contributes to the state. */
export interface ProgramResult {
  /** A text, or the answer itself if it is a list or a dict. */
  answer?: unknown;
  output: string[];
}

/** What a node says of its program by its result or its error. */
const RESULTS: ReadonlySet<string> = new Set<DMLEvent['type']>(['answer', 'error', 'finished']);

/**
 * Run a program. Its questions get no answer: a run that needs to ask waits at an interrupt.
 *
 * @param tell takes its other events
 * @throws Error if it ends with an error, or fails
 */
export async function program(
  dml: ProgramRunner,
  code: string,
  params: Record<string, unknown>,
  tell: (event: DMLEvent) => void,
  signal: AbortSignal,
): Promise<ProgramResult> {
  const result: ProgramResult = { output: [] };
  // Why something in it failed, if known.
  let log = '';
  for await (const event of dml.runDML(code, { params, onUserInput: null, signal })) {
    if (!RESULTS.has(event.type)) tell(event);
    if (event.type === 'output') result.output.push(event.content);
    if (event.type === 'answer') result.answer = event.value ?? event.content;
    if (event.type === 'error') throw new Error(event.content);
    if (event.type === 'log') log = event.content;
    if (event.type === 'finished' && !event.success)
      throw new Error(event.outage ?? `The program was false: agent_main failed.${log && ` It logged last: ${log}`}`);
  }
  return result;
}
