/** `hornbook bundle` and `hornbook deploy`: rules as artifacts with a version. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { Book } from '../book/book.js';
import { bundleOf, type BundledFile, type Deployed, readBundle } from '../book/bundle.js';
import { isWorkbook } from '../book/contents.js';
import { HornbookError } from '../book/error.js';
import { toldTests } from '../book/tests.js';
import type { DataAddresses } from '../node/data/data.js';
import { openHornbook } from '../node/open.js';
import { isServed } from '../served-store.js';
import type { Screen } from './terminal.js';
import { UsageError } from './usage.js';

export type Bundling =
  | { kind: 'bundle'; files: string[]; version: string; out: string; force: boolean }
  | { kind: 'deploy'; book: string; bundle: string; libraries: string[]; data: DataAddresses | undefined };

/** Returns the exit code: 1 if it was not done. */
export async function bundle(bundling: Bundling, screen: Screen): Promise<0 | 1> {
  try {
    screen.out(`${bundling.kind === 'bundle' ? await made(bundling) : await deployed(bundling, screen)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    screen.err(`hornbook: ${HornbookError.from(error).message}\n`);
    return 1;
  }
}

async function made({ files, version, out, force }: Bundling & { kind: 'bundle' }): Promise<string> {
  const bundle = await bundleOf(version, await Promise.all(files.map(bundled)));
  const source = files.find((file) => resolve(file) === resolve(out));
  if (source !== undefined) throw new UsageError(`--out ${out} is one of the files of the bundle: name another file`);
  await checkOut(out, force);
  await writeFile(out, `${JSON.stringify(bundle, null, 1)}\n`);
  return `${out}: version ${version}, ${files.length} ${files.length === 1 ? 'file' : 'files'}, sha256 ${bundle.sha256}`;
}

/** Another bundle may be overwritten, and other files only if that is asked for. */
async function checkOut(out: string, force: boolean): Promise<void> {
  const there = await readFile(out, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UsageError(`${out} cannot be written: ${error.message}`);
  });
  if (there === undefined || force) return;
  const isBundle = await readBundle(there).then(
    () => true,
    () => false,
  );
  if (!isBundle) throw new UsageError(`${out} is there, and is no bundle: name another file, or add --force`);
}

/** A file, by its name below the current directory: the same everywhere. */
async function bundled(file: string): Promise<BundledFile> {
  const name = relative(process.cwd(), resolve(file)).split(sep).join('/');
  if (name.startsWith('../'))
    throw new UsageError(`${file} is not below the current directory: run hornbook bundle where the names shall begin`);
  const bytes = await read(file);
  const text = isWorkbook(name) ? undefined : utf8(bytes);
  if (text === undefined) throw new UsageError(`${file} is not a text in UTF-8, and bundles hold only those`);
  return { name, text };
}

async function deployed({ book: path, bundle, libraries, data }: Bundling & { kind: 'deploy' }, screen: Screen) {
  const text = (await read(bundle)).toString();
  const log = (said: string) => screen.err(`${said}\n`);
  const isNew = !isServed(path) && !existsSync(path);
  const { hornbook, close } = await openHornbook({ libraries, roots: [] }, log, path, { data });
  const book = new Book({ hornbook, log, close });
  try {
    const done = told(path, await book.deploy(text));
    return isNew ? `${path}: a new book\n${done}` : done;
  } finally {
    await book.close();
  }
}

function told(path: string, deployed: Deployed): string {
  const { version, before, replaced, changed, clausesAdded, clausesRemoved, clausesRetracted, tests, problems } =
    deployed;
  const was = before === undefined ? 'no bundle is known to be before it' : `before it ${before}`;
  const did = tests ? toldTests(tests) : 'It has no tests.';
  const lines = [
    `${path}: version ${version} is in use, ${was}; ${clausesAdded} ${clausesAdded === 1 ? 'clause' : 'clauses'} added, ${clausesRemoved} removed. ${did}`,
    ...replaced.map((name) =>
      changed.includes(name)
        ? `  ${name} had been changed since ${before} was deployed, and is replaced: hornbook diff shows what is gone, undo brings it back`
        : `  ${name} was in the book, not of a known bundle, and is replaced`,
    ),
    ...(clausesRetracted > 0
      ? [
          `  retracted since their files were imported, and still so: ${clausesRetracted}; unimport a file first to have them again`,
        ]
      : []),
    ...(tests?.removed ?? []).map((test) => `  the test ${test} is removed`),
    ...problems.map((problem) => `  ${problem}`),
  ];
  return lines.join('\n');
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
