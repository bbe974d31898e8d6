/** Programs in DML as nodes. */
import type { DeepClause } from '../dml.js';

/** What runs programs: what `createDeepClause` gives, or what sets options of a run on top. */
export type ProgramRunner = Pick<DeepClause, 'runDML'>;

/** What a program gives to the state. */
export interface ProgramResult {
  answer?: string;
  output: string[];
}

/**
 * Run one. Nobody answers its questions: a run that is to ask waits at an interrupt.
 *
 * @throws Error where it ends with an error, or is false
 */
export async function program(
  dml: ProgramRunner,
  code: string,
  params: Record<string, unknown>,
): Promise<ProgramResult> {
  const result: ProgramResult = { output: [] };
  // Why something in it failed, where that is known.
  let log = '';
  for await (const event of dml.runDML(code, { params, onUserInput: () => undefined })) {
    if (event.type === 'output') result.output.push(event.content);
    if (event.type === 'answer') result.answer = event.content;
    if (event.type === 'error') throw new Error(event.content);
    if (event.type === 'log') log = event.content;
    if (event.type === 'finished' && !event.success)
      throw new Error(`The program was false: agent_main failed.${log && ` It logged last: ${log}`}`);
  }
  return result;
}
