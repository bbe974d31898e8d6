/** The tests that a book has (`:- begin_tests`), after a change and, where they fail, before it. */
import type { Book } from './book.js';
import { HornbookError } from './error.js';

/** How long all of them may take, in milliseconds, if nobody says. */
const MOST_MS = 10_000;
/** Of how many tests that fail it is found out what they did before. */
const COMPARED = 20;

/** How tests are run; all are optional. */
export interface TestOptions {
  /** How long they may take in all, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** Ends them. Default: nothing but the time limit does. */
  signal?: AbortSignal;
}

/** A test that fails. */
export interface FailedTest {
  /** The unit and the name, `unit:name`. */
  test: string;
  /** What went wrong, as part of a sentence. */
  message: string;
  /** What it did before the change; `absent` if it was not there. Missing if that was not found out in the time. */
  before?: 'passed' | 'failed' | 'absent';
}

/** What became of the tests of a book. */
export interface TestRun {
  passed: number;
  failed: number;
  skipped: number;
  /** Those that failed. */
  failures: FailedTest[];
  /** Why they did not end: an error, or the time limit. The numbers are 0 then. */
  error?: string;
}

/** Run the tests of a book after a change. `undefined` if it has none. What they change is dropped. */
export async function testsAfter(
  before: Book,
  after: Book,
  { timeoutMs = MOST_MS, signal }: TestOptions = {},
): Promise<TestRun | undefined> {
  const end = Date.now() + timeoutMs;
  const options = () => ({ assume: [], timeoutMs: Math.max(end - Date.now(), 1), signal });
  let run: TestRun;
  try {
    run = runOf(await written(after, options()));
  } catch (thrown) {
    signal?.throwIfAborted();
    const { kind, message } = HornbookError.from(thrown);
    if (kind === 'domain_error' && message.startsWith('The book has no tests')) return undefined;
    return { passed: 0, failed: 0, skipped: 0, failures: [], error: message };
  }
  for (const failure of run.failures.slice(0, COMPARED)) {
    if (Date.now() >= end) break;
    const was = await outcome(before, failure.test, options());
    if (was) failure.before = was;
  }
  return run;
}

/** What they did, in one sentence: `3 tests pass, 1 fails that passed before.` */
export function toldTests({ passed, failed, skipped, failures, error }: TestRun): string {
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
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

/** The report of `run_tests`, which fails if a test does. */
async function written(book: Book, options: object): Promise<string> {
  for await (const { output } of book.query('(run_tests ; true)', options).answers()) return output;
  return '';
}

/** What one test does. */
async function outcome(book: Book, test: string, options: object): Promise<FailedTest['before']> {
  try {
    for await (const _ of book.query(`run_tests(${test})`, options).answers()) return 'passed';
    return 'failed';
  } catch (thrown) {
    return HornbookError.from(thrown).kind === 'domain_error' ? 'absent' : undefined;
  }
}

function runOf(report: string): TestRun {
  const lines = report.trimEnd().split('\n');
  const counts = /^\d+ tests?: (\d+) passed, (\d+) failed, (\d+) skipped$/.exec(lines.at(-1) ?? '');
  const failures = lines.flatMap((line) => {
    const [, test, message] = /^FAILED (.+?): (.*)$/.exec(line) ?? [];
    return test === undefined ? [] : [{ test, message: message! }];
  });
  if (!counts)
    return { passed: 0, failed: 0, skipped: 0, failures, error: 'they write more than is read. Run them one by one.' };
  const [passed, failed, skipped] = counts.slice(1).map(Number) as [number, number, number];
  return { passed, failed, skipped, failures };
}
