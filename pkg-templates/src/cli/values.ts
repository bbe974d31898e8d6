/** Parsers for option values. */
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Embed, Options } from '../full/hornbook.js';
import type { Outages } from '../generated/dml.js';
import { LIMITS, type Limits } from '../generated/limits.js';
import { type DataAddresses, LinkedData } from '../node/data/data.js';
import type { Embedding } from '../node/embed.js';
import { checkWheel, DOWNLOAD, wordVectors } from '../word-vectors.js';
import type { Program } from './run.js';
import { UsageError } from './usage.js';

/** Split `a,b` into names, dropping blanks and empty names. */
export function names(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Parse each `NAME=VALUE`; a value that is valid JSON is decoded, any other is text. */
export function settings(
  option: string,
  given: string[] = [],
  read: (text: string) => unknown = JSON.parse,
): Record<string, unknown> {
  return Object.fromEntries(
    given.map((setting) => {
      const [name, value] = split(setting);
      if (name === '') throw new UsageError(`${option} takes NAME=VALUE, not '${setting}'`);
      try {
        return [name, read(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}

/** Split at the first `=`; without one the first part is empty. */
export function split(setting: string): [string, string] {
  const at = setting.indexOf('=');
  return [setting.slice(0, Math.max(at, 0)), setting.slice(at + 1)];
}

const OUTAGES: readonly Outages[] = ['unknown', 'throw', 'fail'];

/** Parse `--outages`. */
export function outages(mode: string | undefined): Outages | undefined {
  const known = OUTAGES.find((one) => one === mode);
  if (mode !== undefined && known === undefined)
    throw new UsageError(`--outages takes ${OUTAGES.join(', ')}, not '${mode}'`);
  return known;
}

/** Parse each `NAME=N` of `--limit`. */
export const limits = (settings?: string[]): Limits => numbers('--limit', LIMITS, settings);

/** Parse each `NAME=N`. */
export function numbers(option: string, known: readonly string[], settings: string[] = []): Record<string, number> {
  return Object.fromEntries(
    settings.map((setting) => {
      const [, name, value] = /^(\w+)=([1-9][0-9]{0,14})$/.exec(setting) ?? [];
      if (name === undefined || !known.includes(name)) {
        throw new UsageError(`${option} takes NAME=N, a limit and a positive whole number, not '${setting}'`);
      }
      return [name, Number(value)];
    }),
  );
}

/** Parse each `NAME=ADDRESS` of `--data`. What is wrong is told without the address, which may have a password. */
export function addresses(given: string[] = [], environment: NodeJS.ProcessEnv): DataAddresses | undefined {
  if (given.length === 0) return undefined;
  const named = given.map(split);
  if (named.some(([name]) => name === ''))
    throw new UsageError('--data takes NAME=ADDRESS, as orders=/data/orders.parquet');
  const twice = named.find(([name], at) => named.slice(0, at).some(([other]) => other === name));
  if (twice) throw new UsageError(`--data names ${twice[0]} twice`);
  const found = Object.fromEntries(named);
  try {
    new LinkedData(found, environment);
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/^data/, '--data'));
  }
  return found;
}

const EXPERIENCES = ['solution', 'pattern', 'decision', 'workaround', 'gotcha'];

/** Parse each `TYPE=DAYS`. */
export function halfLives(settings: string[] = []): Options['halfLives'] {
  return Object.fromEntries(
    settings.map((setting) => {
      const [type = '', days = '', ...more] = setting.split('=');
      if (!EXPERIENCES.includes(type) || !(Number(days) > 0) || more.length > 0)
        throw new UsageError(
          `--half-life takes TYPE=DAYS, one of ${EXPERIENCES.join(', ')} and a number, not '${setting}'`,
        );
      return [type, Number(days)];
    }),
  );
}

/** Parse each `IN,OUT` or `MODEL=IN,OUT`, in dollars. */
export function pricesOf(given: string[] = []): Program['prices'] {
  return Object.fromEntries(
    given.map((setting) => {
      const at = setting.lastIndexOf('=');
      const [input, output, ...more] = setting
        .slice(at + 1)
        .split(',')
        .map((text) => (text.trim() === '' ? NaN : Number(text)));
      if (!(input! >= 0) || !(output! >= 0) || more.length > 0)
        throw new UsageError(
          `--price takes IN,OUT or MODEL=IN,OUT, dollars for a million tokens, as 1.25,10, not '${setting}'`,
        );
      return [at > 0 ? setting.slice(0, at) : '*', { input: input!, output: output! }];
    }),
  );
}

/** Models and a script cannot be combined. */
export function oneOf(model: string[], script: string | undefined): void {
  if (model.length > 0 && script !== undefined)
    throw new UsageError('--model and --script cannot be combined: each is a model');
}

/** Where the memory's vectors come from: an endpoint with its model, or a file. */
export function embedding(
  sources: string[],
  model: string | undefined,
  tools: string[],
  book: string | undefined,
  environment: Record<string, string | undefined>,
): Embed | Embedding | undefined {
  const [source, ...others] = sources;
  if (source === undefined && model === undefined) return undefined;
  if (source === undefined) throw new UsageError('--embed-model needs --embed URL');
  if (others.length > 0) throw new UsageError('--embed is given twice: all vectors of the memory come from one source');
  if (!tools.some((set) => set.startsWith('memory')))
    throw new UsageError('--embed is for the tools of the memory: add --tools memory');
  if (!source.includes('://')) return tableOf(source, model);
  if (model === undefined) throw new UsageError('--embed URL needs --embed-model NAME');
  if (!/^https?:\/\/[^/]/.test(source)) throw new UsageError(`--embed: ${source} is not a valid address`);
  return {
    url: source,
    model,
    key: environment.HORNBOOK_EMBED_KEY,
    file: book === undefined ? undefined : `${book}.vectors`,
  };
}

function tableOf(file: string, model: string | undefined): Embed {
  if (model !== undefined)
    throw new UsageError('--embed-model goes with an address: a file of word vectors is the model');
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(
      `--embed: there is no file ${file}; write the address of an endpoint, http://…, or get word vectors by: ${DOWNLOAD}`,
    );
  try {
    checkWheel(readFileSync(file));
  } catch (error) {
    throw new UsageError(`--embed ${file}: ${(error as Error).message}`);
  }
  return wordVectors(() => readFile(file));
}

/** The directory must exist: otherwise a program would only see missing files. */
export function directory(option: string, path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${option}: there is no directory ${path}`);
  return path;
}

/** Parse a number of at least 0. */
export function fromZero(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) throw new UsageError(`${option} takes a number from 0 on, not '${text}'`);
  return value;
}

/** Parse a positive whole number. */
export function positive(option: string, value: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(value)) throw new UsageError(`${option} takes a positive whole number, not '${value}'`);
  return Number(value);
}

/** What calling an undefined predicate does. */
export function unknown(value: string | undefined): Options['unknown'] {
  if (value === undefined || value === 'error' || value === 'fail') return value;
  throw new UsageError(`--unknown takes 'error' or 'fail', not '${value}'`);
}

/** What DML programs may do with the book. */
export function access(value: string | undefined): Options['dmlBook'] {
  if (value === undefined || value === 'read' || value === 'write') return value;
  throw new UsageError(`--dml-book takes 'read' or 'write', not '${value}'`);
}
