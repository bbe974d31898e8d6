/** `hornbook types`: TypeScript types of a book's predicates, from its facts, rules and comments. */
import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Book } from '../book/book.js';
import { HornbookError } from '../book/error.js';
import { prolog } from '../book/goal.js';
import { Term, atom } from '../book/values.js';
import type { PredicateInfo } from '../full/hornbook.js';
import { openHornbook } from '../node/open.js';
import { isBook } from './operations.js';
import { OBSERVED, observedOf, type Kind } from './observed.js';
import type { Screen } from './terminal.js';
import { UsageError } from './usage.js';

/** What `hornbook types` was asked. */
export interface TypesOf {
  /** A book, or a file to import. */
  file: string;
  /** Where the types go; without it, to standard output. */
  out: string | undefined;
  libraries: string[];
}

/** The longest that the facts and rules are looked at, in milliseconds. */
const LONGEST_MS = 600_000;

/** Write the types of a book or a file. Returns the exit code. */
export async function writeTypes({ file, out, libraries }: TypesOf, screen: Screen): Promise<0 | 1> {
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw new UsageError(`${file} is not a file`);
  const kept = await isBook(file);
  const log = (text: string) => screen.err(`${text}\n`);
  let book: Book | undefined;
  try {
    const options = { libraries, engines: 1, roots: [dirname(resolve(file))] };
    const { hornbook, close } = await openHornbook(options, log, kept ? file : undefined);
    book = new Book({ hornbook, log, close });
    if (!kept) await book.import(resolve(file));
    const text = await typesOf(book, `hornbook types ${file}`);
    if (out === undefined) screen.out(text);
    else await writeFile(out, text);
    return 0;
  } catch (error) {
    screen.err(`hornbook: ${HornbookError.from(error).message}\n`);
    return 1;
  } finally {
    await book?.close();
  }
}

/** A predicate with what is known of its arguments. */
interface Typed extends PredicateInfo {
  /** Where it is private, or `user`. */
  module: string;
  /** Its name there. */
  plain: string;
  names: string[];
  types: string[];
}

/**
 * The types of a book's predicates as a module of TypeScript.
 *
 * @param made the command that makes it
 */
export async function typesOf(book: Book, made: string): Promise<string> {
  const predicates = await book.hornbook.predicates();
  const comments = modesIn(await book.source());
  const indicators = predicates.map(({ name, arity }) => new Term('/', atom(name), arity));
  const known = new Map<string, Observed>();
  const observed = book.query<Observed>(observedOf(indicators), {
    assume: OBSERVED,
    timeoutMs: LONGEST_MS,
    ahead: 100,
  });
  for await (const one of observed) known.set(`${one.Name}/${one.Arity}`, one);
  const typed = predicates.map((predicate): Typed => {
    const { name, arity } = predicate;
    const { Module: module = 'user', Plain: plain = name, Kinds: kinds } = known.get(`${name}/${arity}`) ?? {};
    const modes = comments.get(`${plain}/${arity}`);
    const places = Array.from({ length: arity }, (_, at) => at);
    return {
      ...predicate,
      module,
      plain,
      names: namesOf(places.map((at) => modes?.[at]?.name ?? predicate.columns?.[at])),
      types: places.map((at) => typeNamed(modes?.[at]?.type) ?? typeOf(kinds?.[at] ?? ['unknown'])),
    };
  });
  return moduleOf(typed, made);
}

function moduleOf(typed: Typed[], made: string): string {
  const used = ['Rational', 'Term', 'Value'].filter((name) =>
    typed.some(({ types }) => types.some((type) => new RegExp(`\\b${name}\\b`).test(type))),
  );
  const lines = [`// Made by \`${made.replace(/[\r\n]/g, ' ')}\`: make it again when the book changes.`];
  if (used.length > 0) lines.push(`import type { ${used.join(', ')} } from 'hornbook';`);
  lines.push('', '/** A goal for each predicate, with a variable for each argument. */', 'export const goals = {');
  for (const one of typed) lines.push(`  ${quoted(indicatorOf(one))}: ${quoted(goalOf(one))},`);
  lines.push('} as const;', '', '/** The answers of these goals. */', 'export interface Answers {');
  for (const one of typed) {
    const members = one.names.map((name, at) => `${name}: ${one.types[at]}`);
    const type = members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`;
    lines.push(`  ${quoted(indicatorOf(one))}: ${type};`);
  }
  lines.push('}', '');
  return lines.join('\n');
}

const indicatorOf = ({ name, arity }: PredicateInfo) => `${name}/${arity}`;

function goalOf({ module, plain, names }: Typed): string {
  const name = module === 'user' ? atomText(plain) : `${atomText(module)}:${atomText(plain)}`;
  return names.length === 0 ? name : `${name}(${names.join(', ')})`;
}

/** An atom, with quotes only if it needs them. */
const atomText = (name: string): string => (/^[a-z]\w*$/.test(name) ? name : prolog`${atom(name)}`.text.trim());

/** A string of TypeScript. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Names of variables, each once: those that are given, if they can be names, or else by their place. */
function namesOf(given: (string | undefined)[]): string[] {
  const names: string[] = [];
  given.forEach((name, at) => {
    const variable = name === undefined ? '' : name.charAt(0).toUpperCase() + name.slice(1);
    const fits = /^[A-Z]\w*$/.test(variable) && !names.includes(variable);
    names.push(fits ? variable : `A${at + 1}`);
  });
  return names;
}

/** What the engine tells of a predicate. */
interface Observed {
  Name: string;
  Arity: number;
  Module: string;
  Plain: string;
  Kinds: Kind[][];
}

/** What an argument is called in a comment, and its type. */
interface Mode {
  name: string | undefined;
  type: string | undefined;
}

/** The modes in structured comments, by indicator: `%! price(+Item:atom, -Price:number) is semidet.` The first counts. */
function modesIn(text: string): Map<string, (Mode | undefined)[]> {
  const found = new Map<string, (Mode | undefined)[]>();
  for (const [, name, inside] of text.matchAll(
    /^%[%!][ \t]*([a-z]\w*)\(([^\n]*?)\)(?:[ \t]+is[ \t]+\w+)?\.?[ \t]*$/gm,
  )) {
    const modes = argumentsIn(inside!).map((argument) => {
      const mode = /^(?:\+\+|--|[+\-?:@!=/^]+)?\s*([A-Z]\w*)?\s*(?::\s*(.+))?$/.exec(argument.trim());
      return mode ? { name: mode[1], type: mode[2]?.trim() } : undefined;
    });
    const indicator = `${name}/${modes.length}`;
    if (!found.has(indicator)) found.set(indicator, modes);
  }
  return found;
}

/** What stands between the commas that are not within brackets. */
function argumentsIn(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

const NAMED: Record<string, string> = {
  atom: 'string',
  string: 'string',
  text: 'string',
  number: 'number',
  integer: 'number',
  int: 'number',
  nonneg: 'number',
  positive_integer: 'number',
  float: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  list: 'Value[]',
  rational: 'Rational',
};

/** The type that a comment names; `undefined` if it tells nothing. */
function typeNamed(type: string | undefined): string | undefined {
  if (type === undefined) return undefined;
  const list = /^list\((.+)\)$/.exec(type);
  if (list) return arrayOf(typeNamed(list[1]) ?? 'unknown');
  return Object.hasOwn(NAMED, type) ? NAMED[type] : undefined;
}

const OF_KIND: Record<Exclude<Kind, Kind[]>, string> = {
  number: 'number',
  bigint: 'bigint',
  rational: 'Rational',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
  dict: '{ [key: string]: Value }',
  term: 'Term',
  unknown: 'unknown',
};

/** The type of values of these kinds. */
function typeOf(kinds: Kind[]): string {
  if (kinds.length === 0) return 'never';
  const types = kinds.map((kind) => (Array.isArray(kind) ? arrayOf(typeOf(kind)) : OF_KIND[kind]));
  return types.includes('unknown') ? 'unknown' : types.sort().join(' | ');
}

const arrayOf = (type: string): string => (/[|{]/.test(type) ? `(${type})[]` : `${type}[]`);
