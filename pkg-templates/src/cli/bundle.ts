/** `hornbook bundle` and `hornbook deploy`: rules as artifacts with a version. */
import { readFile, writeFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { Book } from '../book/book.js';
import { bundleOf, type BundledFile, type Deployed } from '../book/bundle.js';
import { isWorkbook } from '../book/contents.js';
import { HornbookError } from '../book/error.js';
import { toldTests } from '../book/tests.js';
import type { DataAddresses } from '../node/data/data.js';
import { openHornbook } from '../node/open.js';
import type { Screen } from './terminal.js';
import { UsageError } from './usage.js';

export type Bundling =
  | { kind: 'bundle'; files: string[]; version: string; out: string }
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

async function made({ files, version, out }: Bundling & { kind: 'bundle' }): Promise<string> {
  const bundle = await bundleOf(version, await Promise.all(files.map(bundled)));
  const source = files.find((file) => resolve(file) === resolve(out));
  if (source !== undefined) throw new UsageError(`--out ${out} is one of the files of the bundle: name another file`);
  await writeFile(out, `${JSON.stringify(bundle, null, 1)}\n`);
  return `${out}: version ${version}, ${files.length} ${files.length === 1 ? 'file' : 'files'}, sha256 ${bundle.sha256}`;
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
  const { hornbook, close } = await openHornbook({ libraries, roots: [] }, log, path, { data });
  const book = new Book({ hornbook, log, close });
  try {
    return told(path, await book.deploy(text));
  } finally {
    await book.close();
  }
}

function told(path: string, deployed: Deployed): string {
  const { version, before, replaced, clausesAdded, clausesRemoved, tests, problems } = deployed;
  const was = before === undefined ? 'no bundle is known to be before it' : `before it ${before}`;
  const did = tests ? toldTests(tests) : 'It has no tests.';
  const lines = [
    `${path}: version ${version} is in use, ${was}; ${clausesAdded} clauses added, ${clausesRemoved} removed. ${did}`,
    ...replaced.map((name) => `  ${name} was in the book, not of a known bundle, and is replaced`),
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
