/** Requests to `/watch/NAME?goal=GOAL`: what a goal answers, as an event each time that this changes. */
import { without } from '../book/watch.js';
import type { StepAnswer, WatchedStep } from '../full/hornbook.js';
import type { Exchange } from './exchange.js';
import { Refusal } from './refusal.js';

/** Watches a goal until the returned function is called. `asking` is told when it is asked, and when that has ended. */
export type WatchGoal = (
  goal: string,
  changed: (step: WatchedStep) => void,
  asking: (is: boolean) => void,
) => () => void;

/** The most characters of a goal. */
const GOAL_CHARS = 10_000;
/** The most characters of answers in an event, and of those of them that are new or gone. */
const ANSWERS_CHARS = 1 << 16;
const CHANGES_CHARS = 1 << 14;
/** The maximum duration of a stream, in milliseconds: its client reconnects, and is authorized again. */
const STREAM_MS = 600_000;
/** What a goal that is no goal, or may not be asked, raises at once. */
const REFUSED = new Set(['syntax_error', 'unsafe_goal', 'permission_error']);

/** The goal that a request is about. */
export function watchedGoal(exchange: Exchange): string {
  if (exchange.request.method !== 'GET') throw new Refusal(405, 'Use GET to watch a goal', { Allow: 'GET' });
  if (!exchange.accepts('text/event-stream')) throw new Refusal(406, 'Accept must include text/event-stream');
  const goals = new URL(exchange.request.url!, 'http://localhost').searchParams.getAll('goal');
  const [goal = ''] = goals;
  if (goals.length !== 1 || goal.trim() === '') throw new Refusal(400, 'Give one goal: /watch/NAME?goal=GOAL');
  if (goal.length > GOAL_CHARS) throw new Refusal(413, `The goal has more than ${GOAL_CHARS} characters`);
  return goal;
}

/**
 * Send what a goal answers until the client leaves. Whoever reads slowly gets the newest state, with all that has changed
 * since the one before.
 *
 * @param begun is called once the goal was asked for the first time
 * @param asking is called with `true` when the goal begins to be asked, and with `false` when that has ended
 */
export async function serveWatch(
  exchange: Exchange,
  goal: string,
  watch: WatchGoal,
  begun: () => void,
  asking: (is: boolean) => void,
): Promise<void> {
  let newest: WatchedStep | undefined;
  let wake = () => {};
  const changed = (step: WatchedStep) => {
    newest = step;
    wake();
  };
  const end = watch(goal, changed, asking);
  const timer = setTimeout(() => exchange.end(), STREAM_MS);
  const gone = () => wake();
  exchange.gone.addEventListener('abort', gone);
  let before: StepAnswer[] = [];
  try {
    while (!exchange.ended) {
      const step: WatchedStep | undefined = newest;
      newest = undefined;
      if (!step || exchange.response.writableNeedDrain) {
        newest = step;
        await new Promise<void>((resolve) => {
          wake = resolve;
          exchange.onread = resolve;
          // What is unread makes no difference until it was read.
          if (step) wake = () => exchange.ended && resolve();
        });
        continue;
      }
      begun();
      const { failure } = step;
      if (!exchange.streaming && failure && REFUSED.has(failure.kind)) throw new Refusal(400, failure.message);
      exchange.event(dataOf(before, step), 'message', String(step.revision));
      before = step.answers;
    }
  } finally {
    clearTimeout(timer);
    exchange.gone.removeEventListener('abort', gone);
    end();
  }
}

/** The data of an event, as JSON. */
function dataOf(before: StepAnswer[], { answers, more, failure, revision }: WatchedStep): string {
  const truths = (of: StepAnswer[]) => of.filter(({ undefined: neither }) => !neither);
  const [was, is] = [truths(before), truths(answers)];
  const lists = {
    answers: fitting(is, ANSWERS_CHARS),
    added: fitting(without(is, was), CHANGES_CHARS),
    removed: fitting(without(was, is), CHANGES_CHARS),
  };
  const cut = Object.entries(lists).flatMap(([name, { rows, all }]) =>
    rows.length < all ? [`${rows.length} of ${all} ${name}`] : [],
  );
  return JSON.stringify({
    revision,
    answers: lists.answers.rows,
    added: lists.added.rows,
    removed: lists.removed.rows,
    ...(more && { more }),
    ...(cut.length > 0 && { cut: `This has ${cut.join(', ')}. Query the goal for the rest.` }),
    ...(failure && { error: failure.message }),
  });
}

/** The first of these answers, as texts, which fit into so many characters. */
function fitting(answers: StepAnswer[], chars: number): { rows: Record<string, unknown>[]; all: number } {
  const rows: Record<string, unknown>[] = [];
  let left = chars;
  for (const { bindings, residual } of answers) {
    const texts = Object.fromEntries(bindings.map(([name, text]) => [name, text]));
    // No variable has such a name.
    const row = residual.length > 0 ? { ...texts, residual } : texts;
    left -= JSON.stringify(row).length + 1;
    if (left < 0) break;
    rows.push(row);
  }
  return { rows, all: answers.length };
}
