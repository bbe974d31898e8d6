/** The answers of a goal that a workflow follows. */
import type { Hornbook, StepAnswer, WatchedStep } from '../full/hornbook.js';
import { answerOf } from '../book/query.js';
import { Rational, Term, Variable, type Value } from '../book/values.js';
import type { WorkflowEvent } from '../generated/workflow.js';
import type { State } from './state.js';

/** How often a process that waits does nothing. */
const KEEP_ALIVE_MS = 1 << 30;

/**
 * An event of a run that an answer began; why a run can be neither begun nor resumed; or why the goal has no answers, or
 * not all of them begin runs.
 */
export type FollowEvent =
  | (WorkflowEvent & { run: string })
  | { type: 'run_error'; run: string; error: string }
  | { type: 'goal_error'; error: string };

/** An answer: the names of its variables, the texts of their values, and these values as a state. */
export interface Followed {
  names: string[];
  texts: string[];
  state: State;
}

/** What a goal answers, and again whenever that has changed, until `signal` is aborted. */
export async function* steps(
  book: Hornbook,
  goal: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchedStep, void> {
  let newest: WatchedStep | undefined;
  let wake = () => {};
  const watching = book.watch(goal, (step: WatchedStep) => {
    newest = step;
    wake();
  });
  const abort = () => wake();
  signal?.addEventListener('abort', abort);
  // Node does not end meanwhile, as what changes may come from another process.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  try {
    while (!signal?.aborted) {
      const step = newest;
      newest = undefined;
      if (step) yield step;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    clearInterval(alive);
    signal?.removeEventListener('abort', abort);
    watching.free();
  }
}

/** Why a goal has no answers, or not all of them. */
export function problem({ failure, more, answers }: WatchedStep): string | undefined {
  if (failure) return failure.message;
  if (more)
    return 'The goal has more than the 1,000 answers that are followed at a time: the others begin no runs yet.';
  if (answers.some(({ residual }) => residual.length > 0))
    return 'The goal has answers with constraints, which begin no runs: let it name their values.';
  return undefined;
}

/** The answers that begin runs: those that are true and have no constraints; or why one cannot. */
export function followed({ answers }: WatchedStep): (Followed | { error: string })[] {
  return answers
    .filter(({ undefined: neither, residual }) => !neither && residual.length === 0)
    .map((answer) => {
      try {
        return inputOf(answer);
      } catch (error) {
        return { error: `An answer begins no run. ${(error as Error).message}` };
      }
    });
}

/** Values that JSON does not have are given as text. */
function inputOf(answer: StepAnswer): Followed {
  const { bindings, texts } = answerOf<Record<string, Value>>(answer);
  const names = Object.keys(texts);
  return {
    names,
    texts: names.map((name) => texts[name]!),
    state: Object.fromEntries(
      names.map((name) => [name, isJson(bindings[name]!) ? bindings[name] : texts[name]]),
    ) as State,
  };
}

function isJson(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof Term || value instanceof Rational || value instanceof Variable) return false;
  return Object.values(value).every(isJson);
}
