/** The command line of `hornbook`. */
import { parseArgs } from 'node:util';
import type { Options } from './core/hornbook.js';

/** The limits that can be set (src/limits.rs), as `--help` shows them. */
const LIMITS = [
  ['entries', 'bytes', 'file_bytes', 'nesting', 'query_chars'],
  ['open_queries', 'take', 'answer_depth', 'json_depth'],
  ['answer_chars', 'output_chars', 'inferences', 'stack_bytes'],
  ['table_bytes', 'integer_bytes', 'longest_timeout_ms'],
];

export const HELP = `Usage:
  hornbook [options]                    serve MCP on standard input and output
  hornbook ask [options] FILE... GOAL   import the files, ask the goal, print the answers

Options:
  --book PATH             keep the book in this file; without it the book lives in memory
  --root DIR              files under DIR may be imported; repeatable (default: the current directory)
  --kb-libraries A,B      load these libraries too (also: KB_LIBRARIES in the environment)
  --timeout MS            time limit of a query in milliseconds
  --limit NAME=N          set a limit; repeatable; NAME is one of
                          ${LIMITS.map((row) => row.join(', ')).join(',\n                          ')}
  --unknown error|fail    what calling an undefined predicate does (default: error)
  --tools A,B             sets of tools to serve (default, and the only one: prolog)
  -n N                    ask: the number of answers to print (default: 10)
  --help, --version
`;

const TOOLSETS = ['prolog'];
const ANSWERS = 10;

/** What the user wants. */
export type Command =
  | { kind: 'help' | 'version' }
  | { kind: 'serve'; options: Options; book: string | undefined }
  | { kind: 'ask'; options: Options; files: string[]; goal: string; answers: number };

/** A command line that makes no sense; the message is one sentence. */
export class UsageError extends Error {}

/** @param environment takes `KB_LIBRARIES` */
export function parseCommand(args: string[], environment: Record<string, string | undefined>): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };

  for (const set of names(values.tools)) {
    if (!TOOLSETS.includes(set)) throw new UsageError(`--tools: there is no set of tools '${set}'; the sets are: ${TOOLSETS.join(', ')}`);
  }
  const options: Options = {
    roots: values.root,
    libraries: [...names(environment.KB_LIBRARIES), ...names(values['kb-libraries'])],
    unknown: unknown(values.unknown),
    limits: limits(values.limit),
    timeoutMs: values.timeout === undefined ? undefined : positive('--timeout', values.timeout),
  };
  const [command, ...rest] = positionals;
  if (command === undefined) {
    if (values.n !== undefined) throw new UsageError('-n belongs to `hornbook ask`');
    if (values.book === '') throw new UsageError('--book needs the path of a file');
    return { kind: 'serve', options, book: values.book };
  }
  if (values.book !== undefined) throw new UsageError('--book belongs to the server, not to `hornbook ask`');
  if (command !== 'ask') throw new UsageError(`There is no command '${command}'; the command is: ask`);
  const goal = rest.pop();
  if (goal === undefined) throw new UsageError('hornbook ask needs a goal: hornbook ask FILE... GOAL');
  const answers = values.n === undefined ? ANSWERS : positive('-n', values.n);
  return { kind: 'ask', options, files: rest, goal, answers };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        book: { type: 'string' },
        root: { type: 'string', multiple: true },
        'kb-libraries': { type: 'string' },
        timeout: { type: 'string' },
        limit: { type: 'string', multiple: true },
        unknown: { type: 'string' },
        tools: { type: 'string' },
        n: { type: 'string', short: 'n' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message.split(/\.\s/)[0]!.replaceAll('\n', ' '));
  }
}

/** `a,b` as names, without blanks and empty ones. */
function names(list: string | undefined): string[] {
  return (list ?? '').split(',').map((name) => name.trim()).filter(Boolean);
}

/** `NAME=N`, each. */
function limits(settings: string[] = []): Record<string, number> {
  return Object.fromEntries(settings.map((setting) => {
    const [, name, value] = /^(\w+)=([1-9][0-9]{0,14})$/.exec(setting) ?? [];
    if (name === undefined || !LIMITS.flat().includes(name)) {
      throw new UsageError(`--limit takes NAME=N, a limit and a positive whole number, not '${setting}'`);
    }
    return [name, Number(value)];
  }));
}

function positive(option: string, value: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(value)) throw new UsageError(`${option} takes a positive whole number, not '${value}'`);
  return Number(value);
}

function unknown(value: string | undefined): Options['unknown'] {
  if (value === undefined || value === 'error' || value === 'fail') return value;
  throw new UsageError(`--unknown takes 'error' or 'fail', not '${value}'`);
}
