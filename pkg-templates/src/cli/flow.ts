/** `hornbook flow`: a workflow for a person. */
import { readFile } from 'node:fs/promises';
import { UsageError } from './usage.js';
import type { Screen } from './run.js';
import { Workflow, WorkflowLoadError, type State, type WorkflowEvent } from '../workflow.js';

/** Exit codes: the run came to its end, it waits for somebody, an error. */
export type FlowOutcome = 0 | 1 | 2;

/** Which workflow, and what it is given. */
export interface Flow {
  file: string;
  state: State;
  timeoutMs: number | undefined;
  /** Print the graph instead of running it. */
  mermaid: boolean;
}

/** Run a workflow, or print its graph. The last state goes to standard output, as JSON, and what happens to standard error. */
export async function runFlow({ file, state, timeoutMs, mermaid }: Flow, screen: Screen): Promise<FlowOutcome> {
  const workflow = await opened(file, timeoutMs, screen);
  if (!workflow) return 2;
  let outcome: FlowOutcome = 0;
  try {
    if (mermaid) {
      screen.out(workflow.mermaid());
      return 0;
    }
    for await (const event of workflow.run(state)) {
      const told = line(event);
      if (told) screen.err(`${told}\n`);
      if (event.type === 'final' || event.type === 'interrupt') screen.out(`${json(event.state)}\n`);
      if (event.type === 'interrupt') outcome = 1;
      if (event.type === 'error') {
        outcome = 2;
        // It is told already; a text that wants it thrown has nobody here to catch it.
        break;
      }
    }
  } finally {
    workflow.close();
  }
  return outcome;
}

async function opened(file: string, timeoutMs: number | undefined, screen: Screen): Promise<Workflow | undefined> {
  const yaml = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read (${error.code})`,
    );
  });
  try {
    return await Workflow.load(yaml, timeoutMs === undefined ? {} : { timeout: timeoutMs / 1000 });
  } catch (error) {
    if (!(error instanceof WorkflowLoadError)) throw error;
    const { line, column, message } = error;
    screen.err(`${file}:${line}:${column}: ${message.replace(/^line \d+, column \d+: /, '')}\n`);
    return undefined;
  }
}

function line(event: WorkflowEvent): string | undefined {
  const where = 'node' in event ? `${event.branch ? `${event.branch}/` : ''}${event.node}` : '';
  switch (event.type) {
    case 'node_end': {
      const { updates, output = '', failed } = event;
      const said = failed ? `failed at line ${failed.line}: ${failed.goal}` : json(updates);
      return `${output}${where}: ${said}`;
    }
    case 'retry':
      return `${where}: ${event.error} (again in ${event.delay_ms} ms)`;
    case 'error_held':
      return `${where}: ${event.error} (the run goes on)`;
    case 'interrupt':
      return `${where}: waits, ${event.when} the node`;
    case 'error':
      return `${where}: ${event.line === undefined ? '' : `line ${event.line}: `}${event.error}`;
    default:
      return undefined;
  }
}

/** JSON; BigInts are their digits. */
function json(value: unknown): string {
  const digits: string[] = [];
  const text = JSON.stringify(value, (_, part) =>
    typeof part === 'bigint' ? `\u0000${digits.push(String(part)) - 1}` : part,
  );
  return text.replace(/"\\u0000(\d+)"/g, (_, index) => digits[index]!);
}
