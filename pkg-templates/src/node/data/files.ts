/** Which files a name of the host's means: a file, the files of a folder, or those that match a pattern. */
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';

/** The formats, by how the names of their files end. */
const FORMATS: [RegExp, string][] = [
  [/\.parquet$/i, 'parquet'],
  [/\.(csv|tsv|tab)(\.gz)?$/i, 'csv'],
  [/\.(jsonl|ndjson)(\.gz)?$/i, 'json'],
];
/** What makes a path one of several files. */
export const PATTERN = /[*?[\]]/;
/** The most files of one source. */
const MOST_FILES = 10_000;

/** Files that are one table. */
export interface Files {
  /** The folder that they must be in, or the only file. */
  root: string;
  isFolder: boolean;
  /** Their real paths, and their format. */
  list(): Promise<{ format: string; paths: string[] }>;
}

/** Is another when one of these files has changed. */
export async function markOf(paths: string[]): Promise<string> {
  const marks = paths.map(async (path) => {
    const { mtimeMs, size, ino } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(marks)).join('\n');
}

/** What kind of database a file is; `undefined` if it is none. */
export async function databaseKind(path: string): Promise<'duckdb' | 'sqlite' | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0);
    if (buffer.toString('latin1').startsWith('SQLite format 3')) return 'sqlite';
    return buffer.toString('latin1', 8, 12) === 'DUCK' ? 'duckdb' : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** @throws Error if there is nothing, or no table, at this path */
export async function filesAt(path: string): Promise<Files> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile()) {
    const real = await realpath(path);
    const format = formatOf(path);
    if (format === undefined)
      throw new Error(`${basename(path)} is not a Parquet, CSV or JSON Lines file, nor a DuckDB or SQLite database`);
    return { root: real, isFolder: false, list: async () => ({ format, paths: [unpatterned(real, basename(path))] }) };
  }
  if (info?.isDirectory()) return inFolder(path, () => true);
  if (!PATTERN.test(path)) throw new Error(`there is not a file or folder ${basename(path)}`);
  // The folder above the first part that is a pattern.
  const parts = resolve(path).split(sep);
  const first = parts.findIndex((part) => PATTERN.test(part));
  const matches = regExpOf(parts.slice(first));
  return inFolder(parts.slice(0, first).join(sep) || sep, (name) => matches.test(name));
}

async function inFolder(folder: string, matches: (name: string) => boolean): Promise<Files> {
  const root = await realpath(folder).catch(() => {
    throw new Error(`there is no folder ${basename(folder)}`);
  });
  return {
    root,
    isFolder: true,
    async list() {
      const names: string[] = [];
      for await (const name of namesIn(root, '')) {
        if (formatOf(name) === undefined || !matches(name)) continue;
        names.push(name);
        if (names.length > MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
      }
      if (names.length === 0) throw new Error('it has no Parquet, CSV or JSON Lines files');
      const formats = new Set(names.map(formatOf));
      if (formats.size > 1) throw new Error(`its files have several formats: ${[...formats].join(', ')}`);
      const paths = names.sort().map(async (name) => {
        const real = await realpath(join(root, name));
        if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
          throw new Error(`${name} points outside its folder`);
        return unpatterned(real, name);
      });
      return { format: formatOf(names[0]!)!, paths: await Promise.all(paths) };
    },
  };
}

/** The names of the files below a folder, without hidden ones. */
async function* namesIn(root: string, folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* namesIn(root, name);
    else yield name;
  }
}

const formatOf = (name: string): string | undefined => FORMATS.find(([ends]) => ends.test(name))?.[1];

/** A real path that DuckDB does not take for a pattern. The error has only the name that the file has in its source. */
function unpatterned(path: string, name: string): string {
  if (!PATTERN.test(path)) return path;
  const what = PATTERN.test(name) ? name : `a folder above ${name}, or the file that it links to`;
  throw new Error(`rename ${what}: it has one of * ? [ ]`);
}

/** `**` is any folders, `*` and `?` are within a name. */
function regExpOf(parts: string[]): RegExp {
  const part = (text: string) =>
    text.replace(/\[([^\]]*)\]|[*?]|[^*?[]+|\[/g, (found, set?: string) => {
      if (found === '*') return '[^/]*';
      if (found === '?') return '[^/]';
      if (set) return `[${set.replace(/^!/, '^').replace(/\\/g, '\\\\')}]`;
      return found.replace(/[.+^${}()|\\[\]]/g, '\\$&');
    });
  const pattern = parts.map((one, at) =>
    one === '**' ? '(?:[^/]+/)*' : part(one) + (at < parts.length - 1 ? '/' : ''),
  );
  return new RegExp(`^${pattern.join('')}$`);
}
