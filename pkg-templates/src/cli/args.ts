/** The command line of `hornbook`. */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import type { Embed, Options } from '../full/hornbook.js';
import type { Bundling } from './bundle.js';
import type { Check } from './check.js';
import type { Evaluation } from './eval.js';
import type { Flow } from './flow.js';
import type { Operation } from './operations.js';
import type { Comparison, Review } from './review.js';
import type { Init } from './init.js';
import type { Transfer } from './memory.js';
import type { Program } from './run.js';
import type { TypesOf } from './types.js';
import type { DataAddresses } from '../node/data/data.js';
import type { Embedding } from '../node/embed.js';
import { isServed } from '../served-store.js';
import type { Bucket, Serving } from '../serve/run.js';
import { COMMANDS } from './commands.js';
import { OPTIONS, takes, type OptionName } from './options.js';
import { parse, type Values } from './parse.js';
import { flowOf, programOf } from './run-args.js';
import { bucket, logOf, serving } from './serve-args.js';
import { UsageError } from './usage.js';
import {
  access,
  addresses,
  directory,
  embedding,
  fromZero,
  halfLives,
  limits,
  names,
  positive,
  unknown,
} from './values.js';

const TOOLSETS = ['prolog', 'dml', 'memory', 'memory-read', 'workflow'];
const ANSWERS = 10;

/** What the user asked for. */
export type Command =
  | { kind: 'version' | 'lsp' }
  /** Of one command, or of all. */
  | { kind: 'help'; command: string | undefined }
  | { kind: 'serve'; serving: Serving }
  | {
      kind: 'stdio';
      options: Options;
      book: string | undefined;
      log: string | undefined;
      snapshots: Bucket | undefined;
      workspace: string | undefined;
      otherBooks: string | undefined;
      embed: Embed | Embedding | undefined;
      data: DataAddresses | undefined;
      /** The draft that its client works in, not the book itself. */
      draft: string | undefined;
    }
  | {
      kind: 'ask';
      options: Options;
      files: string[];
      goal: string;
      answers: number;
      book: string | undefined;
      data: DataAddresses | undefined;
      /** Write all answers, or the first of them, in a format, to a file or to standard output. */
      exported: { format: string; out: string | undefined; most: number } | undefined;
      /** Print what comes and goes as the book changes. */
      watch: boolean;
    }
  | { kind: 'describe'; file: string }
  | { kind: 'run'; program: Program & { replay: string | undefined } }
  | { kind: 'eval'; evaluation: Evaluation }
  | { kind: 'check'; check: Check; toolFile: string | undefined; mcp: string | undefined }
  | { kind: 'types'; types: TypesOf }
  | { kind: 'operation'; operation: Operation }
  | { kind: 'bundle'; bundling: Bundling }
  | { kind: 'review'; review: Review }
  | { kind: 'diff'; comparison: Comparison }
  | { kind: 'flow'; flow: Flow }
  | { kind: 'init'; init: Init }
  | { kind: 'memory'; transfer: Transfer };

/** @param environment `KB_LIBRARIES` is read from it */
export function parseCommand(args: string[], environment: Record<string, string | undefined>): Command {
  const { values, positionals } = parse(args);
  if (values.help) {
    const [command, file] = positionals;
    if (command === 'run' && file !== undefined) return { kind: 'describe', file };
    return { kind: 'help', command: command !== undefined && Object.hasOwn(COMMANDS, command) ? command : undefined };
  }
  if (values.version) return { kind: 'version' };

  const [command = '', ...rest] = positionals;
  if (!Object.hasOwn(COMMANDS, command))
    throw new UsageError(
      `There is no command '${command}'; the commands are: ${Object.keys(COMMANDS).filter(Boolean).join(', ')}`,
    );
  const foreign = (Object.keys(values) as OptionName[]).find((name) => !takes(command, name));
  if (foreign !== undefined) {
    const option = foreign === 'n' ? '-n' : `--${foreign}`;
    const owners = OPTIONS[foreign].commands;
    throw new UsageError(
      `${option} belongs to ${owners.map((name) => (name === '' ? 'the server' : `\`hornbook ${name}\``)).join(' and ')}`,
    );
  }
  const timeoutMs = values.timeout === undefined ? undefined : positive('--timeout', values.timeout);
  const workspace = values.workspace === undefined ? undefined : directory('--workspace', values.workspace);
  if (command === 'check') {
    if (rest.length === 0) throw new UsageError('hornbook check needs a file: hornbook check FILE...');
    const libraries = librariesOf(values, environment);
    const check = { files: rest, libraries, json: values.json ?? false };
    return { kind: 'check', check, toolFile: values['tool-file'], mcp: values.mcp };
  }
  if (command === 'types') {
    const [file, ...others] = rest;
    if (file === undefined || others.length > 0)
      throw new UsageError('hornbook types takes one file or book: hornbook types FILE --out FILE.ts');
    const libraries = librariesOf(values, environment);
    return { kind: 'types', types: { file, out: values.out, libraries } };
  }
  if (command === 'backup' || command === 'restore' || command === 'compact')
    return { kind: 'operation', operation: operation(command, rest, values.force ?? false, values.keep) };
  if (command === 'bundle') {
    const { release: version, out } = values;
    if (rest.length === 0 || version === undefined || out === undefined)
      throw new UsageError(
        'hornbook bundle takes a version, where it goes and files: hornbook bundle --release 1.2.0 --out rules.bundle FILE...',
      );
    return { kind: 'bundle', bundling: { kind: 'bundle', files: rest, version, out, force: values.force ?? false } };
  }
  if (command === 'deploy') {
    const [book, bundle, ...others] = rest;
    if (book === undefined || bundle === undefined || others.length > 0)
      throw new UsageError('hornbook deploy takes a book and a bundle: hornbook deploy notes.book rules.bundle');
    const libraries = librariesOf(values, environment);
    return {
      kind: 'bundle',
      bundling: { kind: 'deploy', book, bundle, libraries, data: addresses(values.data, environment) },
    };
  }
  if (command === 'review') return { kind: 'review', review: reviewOf(rest, values, environment) };
  if (command === 'diff') return { kind: 'diff', comparison: comparisonOf(rest, values, environment) };
  if (command === 'lsp') {
    if (rest.length > 0) throw new UsageError('hornbook lsp takes no arguments');
    return { kind: 'lsp' };
  }
  if (command === 'memory') return { kind: 'memory', transfer: transfer(rest, values.book) };
  if (command === 'flow') return { kind: 'flow', flow: flowOf(rest, values, timeoutMs, environment) };
  if (command === 'run' || command === 'eval')
    return programOf(command, rest, values, { timeoutMs, workspace, data: addresses(values.data, environment) });

  for (const set of names(values.tools)) {
    if (!TOOLSETS.includes(set))
      throw new UsageError(`--tools: there is no set of tools '${set}'; the sets are: ${TOOLSETS.join(', ')}`);
  }
  if (command === 'init') {
    const { root: roots = [], book, tools, yes = false, print = false } = values;
    return { kind: 'init', init: { hosts: rest, roots, book, tools, yes, print } };
  }
  const options: Options = {
    roots: values.root,
    tools: names(values.tools),
    libraries: librariesOf(values, environment),
    unknown: unknown(values.unknown),
    dmlBook: access(values['dml-book']),
    limits: limits(values.limit),
    timeoutMs,
    engines: values.engines === undefined ? engines() : positive('--engines', values.engines),
    halfLives: halfLives(values['half-life']),
  };
  if (command === '') return stdioOf(options, values, workspace, environment);
  if (command === 'serve') return { kind: 'serve', serving: serving(options, rest, values, environment) };
  return askOf(options, rest, values, environment);
}

/** The libraries of the environment and of `-l`. */
const librariesOf = (values: Values, environment: NodeJS.ProcessEnv) => [
  ...names(environment.KB_LIBRARIES),
  ...names(values['kb-libraries']),
];

function stdioOf(
  options: Options,
  values: Values,
  workspace: string | undefined,
  environment: NodeJS.ProcessEnv,
): Command {
  if (values.book === '') throw new UsageError('--book needs the path of a file');
  if (values.log !== undefined) logOf(values.log, values.book ?? '');
  const otherBooks =
    values['other-books'] === undefined ? undefined : directory('--other-books', values['other-books']);
  const kept = values.log || isServed(values.book ?? '') ? undefined : values.book;
  const embed = embedding(values.embed ?? [], values['embed-model'], names(values.tools), kept, environment);
  const { book, log } = values;
  const snapshots = values.snapshots === undefined ? undefined : bucket(values.snapshots, log, environment);
  const draft = draftOf(values);
  const data = addresses(values.data, environment);
  return { kind: 'stdio', options, book, log, snapshots, workspace, otherBooks, embed, data, draft };
}

function askOf(options: Options, rest: string[], values: Values, environment: NodeJS.ProcessEnv): Command {
  const goal = rest.pop();
  if (goal === undefined) throw new UsageError('hornbook ask needs a goal: hornbook ask FILE... GOAL');
  // A file name is a valid goal too, but hardly one that anybody would ask.
  if (statSync(goal, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${goal} is a file, and the goal comes last: hornbook ask FILE... GOAL`);
  const answers = values.n === undefined ? ANSWERS : positive('-n', values.n);
  // Do not cut the reply short: a person reads all of it.
  const read = { ...options, limits: { reply_tokens: 1e9, ...options.limits } };
  const format = exportFormat(values.format, values.out);
  const most = values.n === undefined ? Infinity : answers;
  const exported = format === undefined ? undefined : { format, out: values.out, most };
  const { book, watch = false } = values;
  if (watch && exported) throw new UsageError('--watch prints answers as they change: leave out --format and --out');
  if (watch && book === undefined) throw new UsageError('--watch needs the book that changes: --book PATH');
  const data = addresses(values.data, environment);
  return { kind: 'ask', options: read, files: rest, goal, answers, book, data, exported, watch };
}

/** The format that is asked for, or that the name of the file tells. */
function exportFormat(format: string | undefined, out: string | undefined): string | undefined {
  const known = ['csv', 'json', 'jsonl', 'table', 'prolog'];
  if (format !== undefined && !known.includes(format))
    throw new UsageError(`--format is one of ${known.join(', ')}, not '${format}'`);
  if (out === undefined || format !== undefined) return format;
  const told = { csv: 'csv', json: 'json', jsonl: 'jsonl', ndjson: 'jsonl', txt: 'table', pl: 'prolog' }[
    extname(out).slice(1).toLowerCase()
  ];
  if (told === undefined) throw new UsageError(`--out ${out}: say with --format how to write it: ${known.join(', ')}`);
  return told;
}

/** The draft that a client of the server works in. */
function draftOf({ review, draft, book }: Values): string | undefined {
  if (!review && draft === undefined) return undefined;
  if (book === undefined) throw new UsageError('--review needs the book that the drafts are for: --book PATH');
  if (!review) throw new UsageError('--draft names the draft of --review: add --review');
  if (draft !== undefined && !/^[A-Za-z0-9._-]{1,64}$/.test(draft))
    throw new UsageError('--draft takes up to 64 letters, digits, dots, underscores and hyphens');
  return draft ?? 'agent';
}

function reviewOf([book, draft, ...others]: string[], values: Values, environment: NodeJS.ProcessEnv): Review {
  if (book === undefined || others.length > 0)
    throw new UsageError('hornbook review takes a book, and perhaps a draft: hornbook review BOOK [DRAFT]');
  const { accept = false, reject = false, all = false, reason, by, json = false } = values;
  if (accept && reject) throw new UsageError('--accept and --reject cannot be combined');
  const decision = accept ? 'accept' : reject ? 'reject' : undefined;
  const only = (values.only ?? []).map((number) => positive('--only', number));
  return { book, draft, decision, only, all, reason, by, json, ...goalsIn(values, environment) };
}

function comparisonOf(
  [book, from, to, ...others]: string[],
  values: Values,
  environment: NodeJS.ProcessEnv,
): Comparison {
  if (book === undefined || from === undefined || others.length > 0)
    throw new UsageError('hornbook diff takes a book and two revisions: hornbook diff BOOK FROM [TO] --goals FILE');
  const revision = (text: string) => fromZero('hornbook diff: a revision', text);
  const asked = { book, from: revision(from), to: to === undefined ? undefined : revision(to) };
  return { ...asked, json: values.json ?? false, ...goalsIn(values, environment) };
}

function goalsIn(values: Values, environment: NodeJS.ProcessEnv) {
  const libraries = librariesOf(values, environment);
  return { goalFile: values.goals, goals: values.goal ?? [], libraries, data: addresses(values.data, environment) };
}

function transfer([action, file, ...others]: string[], book: string | undefined): Transfer {
  if ((action !== 'export' && action !== 'import') || others.length > 0)
    throw new UsageError(
      'hornbook memory takes export or import, and one file: hornbook memory import FILE --book PATH',
    );
  if (!book) throw new UsageError('hornbook memory needs the book: --book PATH');
  if (action === 'export') return { action, book, file };
  if (file === undefined) throw new UsageError('hornbook memory import needs a file: hornbook memory import FILE');
  return { action, book, file };
}

function operation(
  kind: Operation['kind'],
  [first, second, ...others]: string[],
  force: boolean,
  keep: string | undefined,
): Operation {
  if (kind === 'backup' && first && others.length === 0) return { kind, book: first, to: second, force };
  if (kind === 'restore' && first && second && others.length === 0) return { kind, backup: first, book: second, force };
  if (kind === 'compact' && first && second === undefined) {
    if (keep !== undefined && !/^\d{1,9}$/.test(keep))
      throw new UsageError(`--keep takes a whole number from 0 on, not '${keep}'`);
    return { kind, book: first, keep: keep === undefined ? undefined : Number(keep) };
  }
  const ways = { backup: 'BOOK [TO]', restore: 'BACKUP BOOK', compact: 'BOOK' };
  throw new UsageError(`hornbook ${kind} takes files: hornbook ${kind} ${ways[kind]}`);
}

/** Each takes about 40 MB in addition to the book. */
const engines = () => Math.min(4, Math.max(2, availableParallelism()));
