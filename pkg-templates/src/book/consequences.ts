/** What goals answer in one state of a book and not in another. */
import { optionsArgument } from './arguments.js';
import { HornbookError } from './error.js';
import type { Goal } from './goal.js';
import type { Again, Answer, Queryable } from './query.js';

/** The most answers of a goal that are compared. */
const MOST = 1_000;

/** What a goal answers before and after a change. */
export interface Consequence {
  /** As given. */
  goal: string;
  /**
   * Answers that it has after the change only; none if not all before it are known, as an error ended them or they are more
   * than are compared. A predicate that is not defined has none.
   */
  gained: Answer[];
  /** Answers that it has before the change only; none if not all after it are known. */
  lost: Answer[];
  /** Whether there are more answers than the thousand that are compared. */
  more: boolean;
  /** Why it has no more answers before the change: it raised an error. */
  errorBefore?: HornbookError;
  /** The same after the change. */
  errorAfter?: HornbookError;
  /** The client of the draft has asked it; nobody has named it. */
  asked?: true;
  /** There was no time left to ask it: nothing is known of its answers. */
  leftOut?: true;
}

/** How goals are asked. */
export interface ConsequenceOptions {
  /** The time limit for each goal and state, in milliseconds. Default: that of the book. */
  timeoutMs?: number;
  /** The time limit for all goals together, in milliseconds: the rest are {@link Consequence.leftOut}. Default: none. */
  withinMs?: number;
  /** Ends the asking. Default: nothing does. */
  signal?: AbortSignal;
}

/** The names of the options. */
const CONSEQUENCE_OPTIONS: Record<keyof ConsequenceOptions, true> = {
  timeoutMs: true,
  withinMs: true,
  signal: true,
};

/** The goals in a text, one a line; `?-`, the last period and lines of comment are left out. */
export function goalsIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().replace(/^\?-\s*/, ''));
  return lines.filter((line) => line !== '' && !line.startsWith('%')).map((line) => line.replace(/\.$/, ''));
}

/**
 * Ask goals in two states of a book. What they change is dropped; global variables and flags that they set stay in the
 * engines of both, so ask in copies (`asOf`) what is not to be trusted.
 */
export async function consequences(
  before: Queryable,
  after: Queryable,
  goals: Iterable<string | Goal>,
  given: ConsequenceOptions & Again = {},
): Promise<Consequence[]> {
  const { again, ...own } = given;
  const options = { ...optionsArgument<ConsequenceOptions>(own, CONSEQUENCE_OPTIONS), ...(again && { again }) };
  const { timeoutMs = Number.POSITIVE_INFINITY, withinMs = Number.POSITIVE_INFINITY } = options;
  const end = performance.now() + withinMs;
  const found: Consequence[] = [];
  for (const goal of goals) {
    const left = end - performance.now();
    const leftOut: Consequence = { goal: String(goal), gained: [], lost: [], more: false, leftOut: true };
    if (left <= 0) {
      found.push(leftOut);
      continue;
    }
    const limits = left < timeoutMs && left < withinMs ? { ...options, timeoutMs: Math.ceil(left) } : options;
    const [was, is] = await Promise.all([answers(before, String(goal), limits), answers(after, String(goal), limits)]);
    const isCut = limits !== options && [was, is].some(({ error }) => error?.kind === 'timeout');
    if (isCut) {
      found.push(leftOut);
      continue;
    }
    found.push({
      goal: String(goal),
      // What is not known on the other side is neither.
      gained: isKnown(was, goal) ? without(is.answers, was.answers) : [],
      lost: isKnown(is, goal) ? without(was.answers, is.answers) : [],
      more: was.more || is.more,
      ...(was.error && { errorBefore: was.error }),
      ...(is.error && { errorAfter: is.error }),
    });
  }
  return found;
}

/**
 * What is not known of a goal of which no answer is known to be gained or lost: a sentence, or `undefined` if its answers are
 * the same.
 *
 * @param before the error that it raises before the change
 * @param after the same after it
 */
export function unknownOf(more: boolean, before: string | undefined, after: string | undefined): string | undefined {
  if (before !== undefined && before === after)
    return `Whether its answers change is not known. Before and after, it raises an error: ${before}`;
  return more ? 'It has more than a thousand answers. Whether they change is not known.' : undefined;
}

/** What a goal answers in one state of a book. */
interface Found {
  answers: Answer[];
  more: boolean;
  error?: HornbookError;
}

/** Whether it has no other answers. */
const isKnown = ({ error, more }: Found, goal: string | Goal) =>
  error === undefined ? !more : undefines(error.message, String(goal));

/** What is not closed goes to the end. */
const QUOTED = /'(?:[^'\\]|\\.|'')*'?|"(?:[^"\\]|\\.|"")*"?|0'./gsu;
const BRACKETS = /([\w'])\(([^()[\]{}]*)\)|[([{][^()[\]{}]*[)\]}]/gu;

/**
 * Whether an error says that what a goal calls is not defined, as before its first clause, so that it has no answers: alone,
 * or as a part of a conjunction. As `undefines` in `src/workspace/consequences.rs`.
 */
function undefines(message: string, goal: string): boolean {
  const plain = (text: string) => text.replace(QUOTED, (quoted) => quoted.replace(/[()[\]{},;|>]/gu, '_'));
  const [, unknown] = /^Unknown procedure: (.+?\/\d+)\.(?! Raised)/su.exec(plain(message)) ?? [];
  if (unknown === undefined) return false;
  let calls = plain(goal);
  // From the inside out, `p(X, f(Y))` becomes `p/2`.
  for (let before = ''; before !== calls; ) {
    before = calls;
    calls = calls.replace(BRACKETS, (_, functor?: string, inside = '') =>
      functor === undefined ? ' 0' : `${functor}/${inside.split(',').length}`,
    );
  }
  // An alternative may have answers.
  if (/[;|]|->/u.test(calls)) return false;
  const parts = calls.split(',').map((part) => part.trim().replace(/\.$/u, ''));
  return parts.some((part) => part === unknown || `${part}/0` === unknown);
}

async function answers(
  book: Queryable,
  goal: string,
  { timeoutMs, signal, again }: ConsequenceOptions & Again,
): Promise<Found> {
  const found: Answer[] = [];
  const options = { ahead: MOST, assume: [], timeoutMs, signal, again };
  try {
    for await (const answer of book.query(goal, options).answers()) {
      if (found.length === MOST) return { answers: found, more: true };
      found.push(answer);
    }
    return { answers: found, more: false };
  } catch (thrown) {
    signal?.throwIfAborted();
    return { answers: found, more: false, error: HornbookError.from(thrown) };
  }
}

/** The answers that are not among `others`, each of which stands for one. */
function without(these: Answer[], others: Answer[]): Answer[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return these.filter((one) => {
    const key = keyOf(one);
    const left = counts.get(key) ?? 0;
    if (left > 0) counts.set(key, left - 1);
    return left === 0;
  });
}

const keyOf = ({ texts, residual, undefined: neither }: Answer) =>
  JSON.stringify([Object.entries(texts), residual, neither]);
