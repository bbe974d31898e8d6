/** What a workflow does by itself: for the answers of its goal, at the times of its schedule, and when a wait is over. */
import type { Graph, Hornbook, StepAnswer, WatchedStep } from '../full/hornbook.js';
import { answerOf } from '../book/query.js';
import { Rational, Term, Variable, type Value } from '../book/values.js';
import type { WorkflowEvent } from '../generated/workflow.js';
import { WorkflowError } from './error.js';
import type { State } from './state.js';

/** How often signals, and whether another follows the workflow, are looked for. */
const LOOK_MS = 500;

/**
 * An event of a run that began or went on by itself; why a run can be neither begun nor resumed; or why the goal has no answers, or
 * not all of them begin runs.
 */
export type FollowEvent =
  | (WorkflowEvent & { run: string })
  | { type: 'run_error'; run: string; error: string }
  | { type: 'goal_error'; error: string };

/** An answer: the names of its variables, the texts of their values, and these values as a state. */
interface Followed {
  names: string[];
  texts: string[];
  state: State;
}

/** What begins runs and goes on with them. */
interface Ways {
  begin(state: State, run: string): AsyncGenerator<WorkflowEvent, void>;
  resume(run: string): AsyncGenerator<WorkflowEvent, void>;
  /** Go on if what the run waits for has come. */
  wake(run: string): AsyncGenerator<WorkflowEvent, void>;
  signal: AbortSignal | undefined;
}

/** The events of the runs that begin or go on by themselves. */
export async function* followed(
  graph: Graph,
  book: Hornbook | undefined,
  ways: Ways,
): AsyncGenerator<FollowEvent, void> {
  const { signal } = ways;
  const { goal, cron } = graph;
  if (goal === undefined && cron === undefined && !graph.awaits)
    throw new Error(
      "This workflow does nothing by itself: its text needs `on: { goal: 'G' }`, `on: { cron: 'C' }`, or a node with `wait`.",
    );
  if (!book) throw new Error('What a workflow does by itself is kept in a book: load it with `book`.');
  const runs = book.runs();
  const own = await graph.follow(runs);
  const met = new Set<string>();
  /** Those that cannot go on, as their errors say. */
  const stuck = new Set<string>();
  for (const run of graph.unfinished(runs)) {
    met.add(run);
    yield* followedRun(run, () => ways.resume(run));
    if (signal?.aborted) return;
  }
  const answers = new Answers(book, goal, signal);
  try {
    while (!signal?.aborted) {
      if (graph.isFollowedAfter(runs, own))
        throw new Error('Another process now follows this workflow and continues its runs.');
      const { runs: due, next_ms: dueMs } = graph.due(runs);
      for (const run of due.filter((run) => !stuck.has(run))) {
        for await (const event of followedRun(run, () => ways.wake(run))) {
          if (event.type === 'run_error') stuck.add(run);
          yield event;
        }
        if (signal?.aborted) return;
      }
      const tick = cron === undefined ? {} : await graph.tick(runs);
      if (tick.due) {
        const { run, ms } = tick.due;
        if (!runs.list().some((known) => known.run === run))
          yield* followedRun(run, () => ways.begin(graph.start as State, run));
        await graph.ticked(runs, ms);
        continue;
      }
      const step = await answers.next(Math.min(dueMs ?? Infinity, tick.next_ms ?? Infinity));
      if (step) yield* beginRuns(graph, book, step, ways, met);
    }
  } finally {
    answers.end();
  }
}

/** A run for each answer that has none. */
async function* beginRuns(
  graph: Graph,
  book: Hornbook,
  step: WatchedStep,
  ways: Ways,
  met: Set<string>,
): AsyncGenerator<FollowEvent, void> {
  const error = problem(step);
  if (error !== undefined) yield { type: 'goal_error', error };
  for (const answer of inputs(step)) {
    if ('error' in answer) {
      yield { type: 'goal_error', error: answer.error };
      continue;
    }
    const run = graph.runOf(answer.names, answer.texts)!;
    if (met.has(run)) continue;
    met.add(run);
    const known = book
      .runs()
      .list()
      .find((kept) => kept.run === run);
    if (!known) yield* followedRun(run, () => ways.begin(answer.state, run));
    else if (known.interrupted || known.status === 'failed') yield* followedRun(run, () => ways.resume(run));
    if (ways.signal?.aborted) return;
  }
}

/** The events of a run that begins or goes on by itself. What it throws is an event, too, so that other runs go on. */
async function* followedRun(
  run: string,
  begin: () => AsyncGenerator<WorkflowEvent, void>,
): AsyncGenerator<FollowEvent, void> {
  // Timers and signals of the host have their turn between runs.
  await new Promise((resolve) => setTimeout(resolve));
  try {
    for await (const event of begin()) yield { ...event, run };
  } catch (error) {
    // The event before it has told it.
    if (error instanceof WorkflowError) return;
    yield { type: 'run_error', run, error: (error as Error).message };
  }
}

/** What a goal answers, and again whenever that has changed. */
class Answers {
  #newest: WatchedStep | undefined;
  #wake = () => {};
  readonly #watching: { free(): void } | undefined;
  readonly #abort = () => this.#wake();

  constructor(
    book: Hornbook,
    goal: string | undefined,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#watching =
      goal === undefined
        ? undefined
        : book.watch(goal, (step: WatchedStep) => {
            this.#newest = step;
            this.#wake();
          });
    signal?.addEventListener('abort', this.#abort);
  }

  /** The newest; nothing if there is none until this time, or when it is time to look for signals and other followers. */
  async next(untilMs: number): Promise<WatchedStep | undefined> {
    if (!this.#newest && !this.signal?.aborted) {
      const ms = Math.max(0, Math.min(LOOK_MS, untilMs - Date.now()));
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    }
    const newest = this.#newest;
    this.#newest = undefined;
    return newest;
  }

  end(): void {
    this.signal?.removeEventListener('abort', this.#abort);
    this.#watching?.free();
  }
}

/** Why a goal has no answers, or not all of them. */
function problem({ failure, more, answers }: WatchedStep): string | undefined {
  if (failure) return failure.message;
  if (more)
    return 'The goal has more than the 1,000 answers that are followed at a time: the others begin no runs yet.';
  if (answers.some(({ residual }) => residual.length > 0))
    return 'The goal has answers with constraints, which begin no runs: let it name their values.';
  return undefined;
}

/** The answers that begin runs: those that are true and have no constraints; or why one cannot. */
function inputs({ answers }: WatchedStep): (Followed | { error: string })[] {
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
