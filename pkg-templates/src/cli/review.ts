/** `hornbook review` and `hornbook diff`: what agents propose, and what follows from it. */
import { userInfo } from 'node:os';
import { Book, type Draft } from '../book/book.js';
import { type Consequence, consequences, unknownOf } from '../book/consequences.js';
import { difference } from '../book/difference.js';
import { HornbookError } from '../book/error.js';
import type { Answer } from '../book/query.js';
import { type TestRun, toldTests } from '../book/tests.js';
import type { Proposal, ProposedCell, ProposedClause } from '../full/hornbook.js';
import type { DataAddresses } from '../node/data/data.js';
import { bookToRead } from '../node/book-file.js';
import { openHornbook } from '../node/open.js';
import { isServed } from '../served-store.js';
import { counted } from './counted.js';
import { type Goals, goalsOf } from './goal-files.js';
import { checkFile } from './operations.js';
import type { Screen } from './terminal.js';
import { UsageError } from './usage.js';
import { oneLine, visible } from './visible.js';

/** What to do about a draft; without a decision, it is shown, and a person at a terminal is asked. */
export interface Review {
  book: string;
  draft: string | undefined;
  decision: 'accept' | 'reject' | undefined;
  /** Numbers of operations, as they are shown; all if there are none. */
  only: number[];
  /** Show everything, however long it is. */
  all: boolean;
  reason: string | undefined;
  by: string | undefined;
  /** A file of goals whose answers are compared, or of recorded messages, and goals given as such. */
  goalFile: string | undefined;
  goals: string[];
  json: boolean;
  libraries: string[];
  /** The data that goals may ask. */
  data: DataAddresses | undefined;
}

/** Two revisions, and the goals whose answers are compared. */
export interface Comparison {
  book: string;
  from: number;
  to: number | undefined;
  goalFile: string | undefined;
  goals: string[];
  json: boolean;
  libraries: string[];
  /** The data that goals may ask. */
  data: DataAddresses | undefined;
}

/** How many new answers of a goal are explained, and how many of each kind are printed. */
const EXPLAINED = 3;
const PRINTED = 20;
/** How long the proof of an answer may take, and all of them, in milliseconds. */
const PROOF_MS = 2_000;
const PROOFS_MS = 10_000;
/** How long recorded goals may take in all, in milliseconds. */
const RECORDED_MS = 60_000;
/** How many lines of each part are printed unless everything is to be shown. */
const LINES = 200;

type Ask = (prompt: string) => Promise<string | undefined>;

/** Returns the exit code: 1 if it was not done, or there is nothing to review. */
export async function review(asked: Review, screen: Screen, ask: Ask | undefined): Promise<0 | 1> {
  return withBook(asked, screen, async (book) => {
    const names = await book.drafts();
    const name = asked.draft ?? (names.length === 1 ? names[0] : undefined);
    if (name === undefined || !names.includes(name)) {
      if (asked.json) screen.out(`${JSON.stringify({ drafts: names })}\n`);
      else screen.out(listed(asked, names));
      return asked.draft === undefined && names.length > 0 && asked.decision === undefined ? 0 : 1;
    }
    const named = await goalsOf(asked.goalFile, asked.goals);
    let draft = await book.draft(name);
    let proposal = await draft.proposal();
    if (asked.only.length > 0) {
      const known = proposal.operations;
      const wrong = asked.only.find((number) => !known.some((one) => one.number === number));
      if (wrong !== undefined)
        throw new UsageError(`--only ${wrong}: the operations are ${known.map(({ number }) => number).join(', ')}`);
      const keys = known.filter(({ number }) => asked.only.includes(number)).map(({ key }) => key);
      await draft.close();
      draft = await book.draft(name, keys);
      proposal = await draft.proposal();
    }
    if (asked.json && asked.decision === undefined) {
      const changed = await consequencesIn(draft, named);
      screen.out(`${JSON.stringify({ ...proposal, consequences: changed.map(plain), tests: await draft.tests() })}\n`);
      return 0;
    }
    if (!asked.json) {
      // What is known is printed at once.
      screen.out(shown(proposal, asked.all));
      const changed = await consequencesIn(draft, named);
      await explain(changed, draft.book, screen);
      screen.out(backtested(named, changed));
      const tests = await draft.tests();
      if (tests) screen.out(tested(tests));
    }
    const { decision = await decisionOf(ask), reason } = asked;
    if (decision === undefined) {
      if (!ask) screen.out(`\nhornbook review ${asked.book} ${name} --accept, or --reject --reason WHY\n`);
      return 0;
    }
    const said = { ...asked, reason: reason ?? (await reasonOf(ask, decision)) };
    try {
      return await decide(draft, decision, said, screen);
    } catch (error) {
      const rest = await asShown(book, name, draft, proposal);
      if (!rest) throw error;
      const exit = await decide(rest.draft, decision, said, screen);
      const next = `hornbook review ${asked.book} ${name}`;
      screen.err(`${counted(rest.more, 'operation')} proposed since then: ${next}\n`);
      return exit;
    }
  });
}

/** What follows for the goals that were named or recorded, and for those that the client of the draft has asked. */
async function consequencesIn(draft: Draft, { goals, recorded }: Goals): Promise<Consequence[]> {
  const found = await draft.consequences(goals, recorded && { withinMs: RECORDED_MS });
  return [...found, ...(await draft.consequencesOfAsked(goals))];
}

/** Compare the answers of goals at two revisions. */
export async function compare(asked: Comparison, screen: Screen): Promise<0 | 1> {
  const named = await goalsOf(asked.goalFile, asked.goals);
  const { goals, recorded } = named;
  if (goals.length === 0 && recorded) throw new UsageError(`${recorded.file} has no call of query_start with a goal`);
  if (goals.length === 0) throw new UsageError('hornbook diff needs goals: --goals FILE, or --goal GOAL');
  return withBook(asked, screen, async (book) => {
    const before = await book.asOf(asked.from);
    const after = asked.to === undefined ? book : await book.asOf(asked.to);
    const changed = await consequences(before, after, goals, recorded && { withinMs: RECORDED_MS });
    if (asked.json) screen.out(`${JSON.stringify(changed.map(plain))}\n`);
    else {
      if (!(await explain(changed, after, screen))) screen.out('The goals answer the same.\n');
      screen.out(backtested(named, changed));
    }
    return 0;
  });
}

async function withBook(
  { book: path, libraries, data }: Pick<Review, 'book' | 'libraries' | 'data'>,
  screen: Screen,
  work: (book: Book) => Promise<0 | 1>,
): Promise<0 | 1> {
  if (!isServed(path)) await checkFile(path);
  const log = (text: string) => screen.err(`${text}\n`);
  let book: Book | undefined;
  try {
    const { hornbook, close } = await openHornbook({ libraries, engines: 1 }, log, await bookToRead(path), { data });
    book = new Book({ hornbook, log, close });
    return await work(book);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    screen.err(`hornbook: ${HornbookError.from(error).message}\n`);
    return 1;
  } finally {
    await book?.close();
  }
}

/**
 * The draft as it was shown, without what its client has added since; nothing if that is not why a decision failed, or if
 * some of what was shown has been taken back.
 */
async function asShown(book: Book, name: string, draft: Draft, before: Proposal) {
  const now = await draft.proposal();
  const more = now.operations.length - before.operations.length;
  const keys = before.operations.map(({ key }) => key);
  const has = new Set(now.operations.map(({ key }) => key));
  const lacks = ({ added, removed, cells, moved }: Proposal) =>
    missing(added, now.added) ||
    missing(removed, now.removed) ||
    missing(cells, now.cells) ||
    missing(moved, now.moved);
  if (more === 0 || !keys.every((key) => has.has(key)) || lacks(before)) return undefined;
  return { draft: await book.draft(name, keys), more };
}

/** Whether some of these values do not occur, or not as often, among the others. */
const missing = (values: unknown[], others: unknown[]) => difference(values, others, JSON.stringify).length > 0;

async function decide(
  draft: Draft,
  decision: 'accept' | 'reject',
  { by = userInfo().username, reason, json }: Review,
  screen: Screen,
): Promise<0 | 1> {
  const { revision, operations, added, removed, notices } = await draft[decision]({ by, reason });
  const done = decision === 'accept' ? 'accepted' : 'rejected';
  if (json) {
    screen.out(`${JSON.stringify({ decision: done, revision, operations, added, removed, notices })}\n`);
    return 0;
  }
  for (const notice of notices) screen.err(`${notice}\n`);
  const change = decision === 'accept' ? ` (${signed(added, removed)})` : '';
  screen.out(`${counted(operations, 'operation')} ${done}${change}: revision ${revision}\n`);
  return 0;
}

async function decisionOf(ask: Ask | undefined): Promise<'accept' | 'reject' | undefined> {
  if (!ask) return undefined;
  const said = (await ask('\nAccept (a), reject (r), or leave it (Enter)?'))?.trim().toLowerCase();
  if (said === 'a' || said === 'accept') return 'accept';
  return said === 'r' || said === 'reject' ? 'reject' : undefined;
}

async function reasonOf(ask: Ask | undefined, decision: string): Promise<string | undefined> {
  if (!ask) return undefined;
  return (await ask(`Why do you ${decision} it? The agent reads it (Enter: no reason).`))?.trim() || undefined;
}

function listed({ book, draft }: Review, names: string[]): string {
  if (draft !== undefined && names.length > 0)
    return `There is no draft ${draft} with changes; the drafts are: ${names.join(', ')}\n`;
  if (names.length === 0) return 'There is nothing to review.\n';
  return `${names.map((name) => `hornbook review ${book} ${name}\n`).join('')}`;
}

/** What a draft proposes, as text. */
function shown(proposal: Proposal, all: boolean): string {
  const { draft, revision, operations, added, removed, moved, cells, violations, warnings } = proposal;
  const who = [...new Set(operations.flatMap(({ by }) => by ?? []))].map(oneLine).join(', ');
  const width = String(operations.at(-1)?.number ?? '').length;
  const lines = [
    `${draft}: ${counted(operations.length, 'operation')}${who && ` of ${who}`} on revision ${revision}`,
    ...some(
      operations.map(({ number, operation, at, by, dropped }) => {
        const name = by && who.includes(',') ? ` by ${oneLine(by)}` : '';
        const said = `  ${String(number).padStart(width)}  ${time(at)}  ${oneLine(operation)}${name}`;
        return dropped === undefined ? said : `${said}   no longer applies: ${oneLine(dropped)}`;
      }),
      all,
    ),
    '',
    ...some(
      removed.flatMap((clause) => clauseLines('-', clause)),
      all,
    ),
    ...some(
      added.flatMap((clause) => clauseLines('+', clause)),
      all,
    ),
    ...moved.map((predicate) => `~ the clauses of ${oneLine(predicate)} stand in another order`),
    ...some(cells.flatMap(cellLines), all),
    ...(added.length + removed.length + moved.length + cells.length === 0 ? ['It changes nothing in all.'] : []),
    ...violations.map((violation) => `! a constraint refuses it: ${oneLine(violation)}`),
    ...warnings.map((warning) => `! ${oneLine(warning)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first of these lines, and how many there are besides. */
function some(lines: string[], all: boolean): string[] {
  if (all || lines.length <= LINES) return lines;
  return [...lines.slice(0, LINES), `… and ${counted(lines.length - LINES, 'more line')}: --all shows everything`];
}

function clauseLines(sign: string, { clause, filename }: ProposedClause): string[] {
  const file = filename === undefined ? '' : `   % ${oneLine(filename)}`;
  const lines = visible(clause).split('\n');
  return lines.map((line, index) => `${sign} ${line}${index === lines.length - 1 ? file : ''}`);
}

/** A document, or a record of the memory or of a workflow: what changes of it. */
function cellLines({ room, key, before, after }: ProposedCell): string[] {
  const lines = (text: string | undefined) => (text === undefined ? [] : visible(text.replace(/\n$/, '')).split('\n'));
  const [old, now] = [lines(before), lines(after)];
  // What both begin and end with is not shown.
  let begin = 0;
  while (begin < Math.min(old.length, now.length) && old[begin] === now[begin]) begin++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - begin && old.at(-1 - end) === now.at(-1 - end)) end++;
  const changed = (sign: string, all: string[]) => all.slice(begin, all.length - end).map((line) => `${sign} ${line}`);
  return [`~ ${oneLine(room)}: ${oneLine(key)}`, ...changed('-', old), ...changed('+', now)];
}

/** Print how the answers of goals change, and why the new ones hold. Returns whether any does, or may. */
async function explain(changed: Consequence[], after: Book, screen: Screen): Promise<boolean> {
  const proofs = new Proofs(after);
  let printed = false;
  const print = (line: string) => {
    printed = true;
    screen.out(`${line}\n`);
  };
  for (const { goal, gained, lost, more, errorBefore, errorAfter, asked } of changed) {
    const isOther = gained.length + lost.length > 0 || errorBefore?.message !== errorAfter?.message;
    const unknown = unknownOf(more && !isOther, errorBefore?.message, errorAfter?.message);
    if (!isOther && unknown === undefined) continue;
    print(`\n?- ${oneLine(goal)}.${asked ? '   % its client asked this' : ''}`);
    for (const answer of lost.slice(0, PRINTED)) print(`- ${bindings(answer)}`);
    if (lost.length > PRINTED) print(`- … and ${lost.length - PRINTED} more`);
    for (const [index, answer] of gained.slice(0, PRINTED).entries()) {
      print(`+ ${bindings(answer)}`);
      if (index < EXPLAINED) for (const line of await proofs.of(goal, answer)) print(`    ${line}`);
    }
    if (gained.length > PRINTED) print(`+ … and ${gained.length - PRINTED} more`);
    if (errorBefore?.message !== errorAfter?.message) {
      if (errorBefore) print(`- error: ${oneLine(errorBefore.message)}`);
      if (errorAfter) print(`+ error: ${oneLine(errorAfter.message)}`);
    }
    if (more && isOther) print('More answers than the first thousand were not compared.');
    if (unknown !== undefined) print(`! ${oneLine(unknown)}`);
  }
  const some = (what: string, goals: string[]) => {
    if (goals.length === 0) return;
    print(`\n! ${what}:`);
    for (const goal of goals.slice(0, PRINTED)) print(`  ?- ${oneLine(goal)}.`);
    if (goals.length > PRINTED) print(`  … and ${goals.length - PRINTED} more`);
  };
  some('Not proved, as the time for proofs was over', [...proofs.leftOut]);
  some(
    'Not asked, as the time for all was over',
    changed.filter(({ leftOut }) => leftOut).map(({ goal }) => goal),
  );
  return printed;
}

/** How much of the recorded goals was asked. */
function backtested({ recorded }: Goals, changed: Consequence[]): string {
  if (!recorded) return '';
  const { file, all, different } = recorded;
  const compared = changed.filter(({ asked, leftOut }) => !asked && !leftOut).length;
  return `\n${oneLine(file)} has ${counted(all, 'query', 'queries')}, ${different} of them different; ${compared} compared.\n`;
}

/** What the tests of the book do with the draft. */
function tested(tests: TestRun): string {
  const failures = tests.failures.map(({ test, message, before }) => {
    const was = before === undefined ? '' : ` (${before === 'absent' ? 'new' : `${before} before`})`;
    return `! ${oneLine(`${test}${was}: ${message}`)}\n`;
  });
  const removed = tests.removed.map((test) => `! ${oneLine(test)} is removed\n`);
  const lines = [...failures.slice(0, PRINTED), ...removed.slice(0, PRINTED)];
  return `\n${oneLine(toldTests(tests))}\n${lines.join('')}`;
}

/** Proofs of answers, which have one time limit in all. */
class Proofs {
  /** The goals of which an answer was not proved in the time. */
  readonly leftOut = new Set<string>();
  #left = PROOFS_MS;

  constructor(private readonly book: Book) {}

  /** The lines of the proof of an answer; none if it was not found. */
  async of(goal: string, answer: Answer): Promise<string[]> {
    const timeoutMs = Math.min(PROOF_MS, Math.floor(this.#left));
    if (timeoutMs < 1) {
      this.leftOut.add(goal);
      return [];
    }
    const bound = Object.entries(answer.texts).map(([name, text]) => `${name} = (${text})`);
    const begun = performance.now();
    try {
      const proof = await this.book.why([...bound, `(${goal})`].join(', '), { timeoutMs });
      const lines = String(proof ?? '').split('\n');
      return lines.slice(bound.length).filter(Boolean).map(visible);
    } catch (error) {
      // It holds all the same.
      if (HornbookError.from(error).kind === 'timeout') this.leftOut.add(goal);
      return [];
    } finally {
      this.#left -= performance.now() - begun;
    }
  }
}

function bindings({ texts, residual, undefined: neither }: Answer): string {
  const values = [...Object.entries(texts).map(([name, text]) => `${name} = ${text}`), ...residual];
  return `${oneLine(values.join(', ')) || 'true'}${neither ? ' (undefined)' : ''}`;
}

const plain = ({ goal, gained, lost, more, errorBefore, errorAfter, asked, leftOut }: Consequence) => ({
  goal,
  gained: gained.map(({ texts }) => texts),
  lost: lost.map(({ texts }) => texts),
  more,
  error_before: errorBefore?.message,
  error_after: errorAfter?.message,
  asked,
  left_out: leftOut,
});

const time = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
const signed = (added: number, removed: number) => `+${added} -${removed}`;
