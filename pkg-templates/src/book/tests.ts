/** The tests that a book has (`:- begin_tests`), after a change and, where they fail, before it. */
import { optionsArgument } from './arguments.js';
import { HornbookError } from './error.js';
import type { Queryable, QueryOptions } from './query.js';

/** How long all of them may take, in milliseconds, if nobody says. */
const MOST_MS = 10_000;

/** How tests are run; all are optional. */
export interface TestOptions {
  /** How long they may take in all, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** Ends them. Default: nothing but the time limit does. */
  signal?: AbortSignal;
}

/** The names of the options. */
export const TEST_OPTIONS: Record<keyof TestOptions, true> = { timeoutMs: true, signal: true };

/** A test that fails. */
export interface FailedTest {
  /** The unit and the name, `unit:name`. */
  test: string;
  /** What went wrong, as part of a sentence. */
  message: string;
  /** What it did before the change; `absent` if it was not there. Missing if that is not known. */
  before?: 'passed' | 'failed' | 'absent';
}

/** What became of the tests of a book. */
export interface TestRun {
  /** How many passed. */
  passed: number;
  /** How many failed. */
  failed: number;
  /** How many were not run, as they say themselves. */
  skipped: number;
  /** Those that failed. */
  failures: FailedTest[];
  /** Those that the book has before the change only, as `unit:name`. */
  removed: string[];
  /** Why they did not end: an error, or the time limit. The numbers are 0 then. */
  error?: string;
  /** Why those of the book before the change did not end. What they did, and which are removed, is not known then. */
  errorBefore?: string;
}

/** What one test did. */
interface Result {
  test: string;
  status: 'passed' | 'failed' | 'skipped';
  message: string;
}

/** Run the tests of a book before and after a change. `undefined` if it has none. What they change is dropped. */
export async function testsAfter(
  before: Queryable,
  after: Queryable,
  given?: TestOptions,
): Promise<TestRun | undefined> {
  const { timeoutMs = MOST_MS, signal } = optionsArgument<TestOptions>(given, TEST_OPTIONS);
  const options = { assume: [], timeoutMs, signal };
  const [was, is] = await Promise.all([results(before, options), results(after, options)]);
  signal?.throwIfAborted();
  const none: TestRun = { passed: 0, failed: 0, skipped: 0, failures: [], removed: [] };
  if (typeof is === 'string') return { ...none, error: is };
  if (typeof was === 'string') return is.length === 0 ? { ...none, errorBefore: was } : runOf(is, was);
  return was.length + is.length === 0 ? undefined : runOf(is, was);
}

/** What they did, in one sentence: `3 tests pass, 1 fails that passed before.` */
export function toldTests({ passed, failed, skipped, failures, removed, error, errorBefore }: TestRun): string {
  if (error !== undefined) return `The tests could not be run to their end: ${error}`;
  const was = (what: FailedTest['before']) => failures.filter(({ before }) => before === what).length;
  const [broken, old, added] = [was('passed'), was('failed'), was('absent')];
  const others = failed - broken - old - added;
  const fail = (count: number) => `${count} ${count === 1 ? 'fails' : 'fail'}`;
  const parts = [
    `${passed} ${passed === 1 ? 'test passes' : 'tests pass'}`,
    broken > 0 && `${fail(broken)} that passed before`,
    added > 0 && `${fail(added)} that ${added === 1 ? 'is' : 'are'} new`,
    old > 0 && `${fail(old)} as before`,
    others > 0 && fail(others),
    skipped > 0 && `${skipped} skipped`,
    removed.length > 0 &&
      `${removed.length} ${removed.length === 1 ? 'test of the book is' : 'tests of the book are'} removed`,
  ];
  const told = `${parts.filter(Boolean).join(', ')}.`;
  return errorBefore === undefined ? told : `${told} What they did before is not known: ${errorBefore}`;
}

/** What each test of a book does, or why they do not end. What they write is not read: it may say anything. */
async function results(book: Queryable, options: QueryOptions): Promise<Result[] | string> {
  try {
    const { R } = (await book.once("'$test_results'(R)", options))!;
    return (R as [string, Result['status'], string][]).map(([test, status, message]) => ({ test, status, message }));
  } catch (thrown) {
    return HornbookError.from(thrown).message;
  }
}

/** @param was what the tests did before, or why that is not known */
function runOf(is: Result[], was: Result[] | string): TestRun {
  const count = (status: Result['status']) => is.filter((one) => one.status === status).length;
  const isKnown = typeof was !== 'string';
  // Several tests may have the same name.
  const before = new Map<string, Result['status'][]>();
  for (const { test, status } of isKnown ? was : []) before.set(test, [...(before.get(test) ?? []), status]);
  const failures = is.flatMap(({ test, status, message }): FailedTest[] => {
    if (status !== 'failed') return [];
    if (!isKnown) return [{ test, message }];
    const did = before.get(test);
    if (!did) return [{ test, message, before: 'absent' }];
    if (did.includes('failed')) return [{ test, message, before: 'failed' }];
    return [{ test, message, ...(did.includes('passed') && { before: 'passed' }) }];
  });
  for (const { test } of is) before.get(test)?.pop();
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    failures,
    removed: [...before].flatMap(([test, left]) => left.map(() => test)),
    ...(!isKnown && { errorBefore: was }),
  };
}
