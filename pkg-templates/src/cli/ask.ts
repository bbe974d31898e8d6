/** `hornbook ask`: prints answers the way a Prolog top level does. */
import { writeFile } from 'node:fs/promises';
import { isTable } from '../book/contents.js';
import { HornbookError } from '../book/error.js';
import { Query } from '../book/query.js';
import { without } from '../book/watch.js';
import type { Client, ToolResult } from '../client.js';
import type { Hornbook, StepAnswer, WatchedStep } from '../full/hornbook.js';
import type { AnswerValues, Notices, BoundValue, Fault, QueryAnswers } from '../generated/tools.js';

/** Exit codes, as in grep: an answer, none, an error. */
export type Outcome = 0 | 1 | 2;

/** How often the process does nothing, so that it does not end. */
const KEEP_ALIVE_MS = 1 << 30;

/** Where answers and errors go. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** The prompts shown to the person since the last output. */
  prompts: string[];
}

/** What an operation of the package failed with, in words of the command line. */
function told(error: unknown): string {
  return HornbookError.from(error)
    .message.replace('timeoutMs', '--timeout')
    .replace('files() lists what is imported.', 'Check the name.')
    .replace('open the book with other `roots`', 'name another with --root');
}

/** Rules name the columns of tables (docs/tables.md), so tables come first. */
const tablesFirst = (files: string[]) => [
  ...files.filter((file) => isTable(file)),
  ...files.filter((file) => !isTable(file)),
];

/** Import the files. Resolves with an outcome if that ends the command. */
async function imported(hornbook: Hornbook, files: string[], terminal: Terminal): Promise<Outcome | undefined> {
  const cancel = hornbook.cancellation();
  try {
    for (const file of tablesFirst(files)) {
      const done = await hornbook.importFile(file, undefined, undefined, undefined, undefined, cancel);
      write(terminal, done.output);
      for (const error of done.errors) terminal.err(`${file}:${error}`);
      for (const notice of done.notices) terminal.err(`% ${notice}`);
      for (const note of (done.tables ?? [done.table]).flatMap((table) => table?.notes ?? []))
        terminal.err(`% ${file}: ${note}`);
      if (done.clausesRetracted > 0)
        terminal.err(
          `% ${file}: clauses that were retracted since it was imported, and stay so: ${done.clausesRetracted}. Unimport it first to have them again.`,
        );
      if (done.errors.length > 0 && done.clausesAdded + done.clausesKept === 0) return 2;
    }
  } catch (error) {
    terminal.err(`ERROR: ${told(error)}`);
    return 2;
  } finally {
    cancel.free();
  }
  return undefined;
}

/** Import the files and write the answers of the goal, at most `most`, in a format, to a file or to standard output. */
export async function askAll(
  hornbook: Hornbook,
  files: string[],
  goal: string,
  { format, out, most }: { format: string; out: string | undefined; most: number },
  terminal: Terminal,
): Promise<Outcome> {
  const ended = await imported(hornbook, files, terminal);
  if (ended !== undefined) return ended;
  const query = new Query(goal, { ahead: 1000 }, (operation) => operation(hornbook));
  let text: string;
  try {
    text = await query.written(format, most);
    if (out !== undefined) await writeFile(out, text);
  } catch (error) {
    terminal.err(`ERROR: ${told(error)}`);
    return 2;
  }
  if (out === undefined) terminal.out(text.replace(/\r?\n$/, ''));
  return 0;
}

/**
 * Import the files, print the answers of the goal, and from then on what comes (`+`) and goes (`-`) as the book changes.
 * Never resolves after that.
 */
export async function askOn(hornbook: Hornbook, files: string[], goal: string, terminal: Terminal): Promise<Outcome> {
  const ended = await imported(hornbook, files, terminal);
  if (ended !== undefined) return ended;
  let before: StepAnswer[] | undefined;
  return new Promise(() => {
    const watching = hornbook.watch(goal, ({ answers, more, failure }: WatchedStep) => {
      const print = (sign: string, those: StepAnswer[]) => {
        for (const answer of those) terminal.out(`${sign}${shown(answer)}.`);
      };
      if (failure) terminal.err(`ERROR: ${failure.message.replace('timeoutMs', '--timeout')}`);
      else if (before === undefined && answers.length === 0) terminal.out('false.');
      print('- ', without(before ?? [], answers));
      print(before === undefined ? '' : '+ ', without(answers, before ?? []));
      if (more) terminal.err('% There are more answers than the thousand that are compared.');
      before = answers;
    });
    // What nobody holds is collected, and watches no more; and without a timer the process would end.
    setInterval(() => watching, KEEP_ALIVE_MS);
  });
}

function shown({ bindings, residual, undefined: neither }: StepAnswer): string {
  const values = Object.fromEntries(bindings.map(([name, text]) => [name, text]));
  const answer = { residual, ...(neither && { undefined: neither }), ...values } as AnswerValues;
  return written(answer, Object.keys(values)).replaceAll('\n', ' ');
}

/** Import the files, ask the goal, print up to `count` answers. */
export async function ask(
  client: Client,
  hornbook: Hornbook,
  files: string[],
  goal: string,
  count: number,
  terminal: Terminal,
): Promise<Outcome> {
  const ended = await imported(hornbook, files, terminal);
  if (ended !== undefined) return ended;
  let step: Step = await client.callTool('query_start', { query: goal, take: 1 });
  const { variables = [] } = answersOf(step);
  for (let printed = 0; ; step = await client.callTool('query_next', { query_id: answersOf(step).query_id, take: 1 })) {
    const { answers = [], more, output, hint, error, notices = [] } = answersOf(step);
    for (const notice of notices) terminal.err(`% ${notice}`);
    const answer = answers[0];
    write(terminal, answer?.output);
    if (answer) {
      printed += 1;
      const end = error || (more && printed < count) ? ' ;' : more ? ' .' : '.';
      terminal.out(`${written(answer, variables)}${end}`);
    }
    write(terminal, output);
    if (error || !step.structured) {
      terminal.err(error ? `ERROR: ${complaint(error)}` : step.text);
      return 2;
    }
    if (hint) terminal.err(`% ${hint}`);
    if (!answer) {
      terminal.out('false.');
      return printed > 0 ? 0 : 1;
    }
    if (!more) return 0;
    if (printed === count) {
      terminal.err(`% There may be more answers; -n ${count * 2} prints ${count * 2} of them.`);
      return 0;
    }
  }
}

type Step = ToolResult<'query_start' | 'query_next'>;

/** A query that was refused has nothing but an error. */
function answersOf({ structured }: Step): Partial<QueryAnswers & Notices> {
  return structured ?? {};
}

/** `X = 1,\nY in 1..3`; `true` if there is nothing to show. Unconstrained variables are left out. */
function written({ residual = [], undefined: neither, ...values }: AnswerValues, variables: string[]): string {
  const texts = variables.map((name) => {
    const value = values[name] as BoundValue;
    return [name, typeof value === 'string' ? value : value.text];
  });
  const known = texts.filter(([, text]) => text !== '_').map(([name, text]) => `${name} = ${text}`);
  const text = [...known, ...residual].join(',\n');
  if (neither) return text ? `${text}  % ${UNDEFINED}` : UNDEFINED;
  return text || 'true';
}

/** Of an answer by the well-founded semantics of tabled negation. */
const UNDEFINED = 'undefined: neither true nor false';

/** The advice of the tools that a command line has otherwise, as there: by what it names. */
const HERE: [RegExp, string][] = [
  [/timeout_ms/, 'Bound the search, or give a longer --timeout.'],
  [/files list/, 'Check the name.'],
  [/query_(start|next|close)/, 'Ask again.'],
  [/another --root/, 'Use a path inside the directories of the files, or name another with --root.'],
  [/`?workspace (history|undo|reset|list_symbols)/, ''],
];

function adviceHere(next: string | undefined): string {
  const known = HERE.find(([named]) => next && named.test(next));
  return known ? known[1] : (next ?? '');
}

/** `1:5: a comma is missing. Correct it.` */
function complaint({ message, next: told, line, column }: Fault): string {
  const next = adviceHere(told);
  const place = line === undefined ? '' : `${line}:${column ?? 0}: `;
  if (message.includes('\n')) return `${place}${message}\n${next}`.trimEnd();
  return `${place}${message.replace(/[.]?$/, '.')} ${next}`.trimEnd();
}

/** Print what the program wrote, on lines of its own, without the prompts already on the screen. */
function write(terminal: Terminal, output: string | undefined): void {
  if (!output) return;
  const asked = terminal.prompts.splice(0);
  let [written, rest] = ['', output];
  for (const prompt of asked) {
    const at = rest.indexOf(prompt);
    if (at < 0) continue;
    written += rest.slice(0, at).trim();
    rest = rest.slice(at + prompt.length).trimStart();
  }
  const text = (written + rest).replace(/\n$/, '');
  if (text || asked.length === 0) terminal.out(text);
}
