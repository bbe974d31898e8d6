/** Bundles: files of rules with a version, which a book takes over as one revision once their tests pass. */
import type { Hornbook } from '../full/hornbook.js';
import { kindOf, objectArgument, textArgument } from './arguments.js';
import { HornbookError } from './error.js';
import { prolog } from './goal.js';
import type { Queryable } from './query.js';
import { testsAfter, type TestOptions, type TestRun, toldTests } from './tests.js';

/** Files of rules, with a version and a hash. As JSON it is what `hornbook bundle` writes. */
export interface Bundle {
  /** As its author calls it. */
  version: string;
  /** Of the version and the files, in hexadecimal. */
  sha256: string;
  /** In the order in which they are imported. */
  files: BundledFile[];
}

/** A file of a bundle. */
export interface BundledFile {
  /** The name under which the book has it. */
  name: string;
  /** Its contents. */
  text: string;
}

/** What became of a deployment. */
export interface Deployed {
  /** The version that is in use now. */
  version: string;
  /** The hash of its bundle. */
  sha256: string;
  /** The version that was in use before, if any. */
  before?: string;
  /**
   * Files of these names were in the book, and no known bundle had them, or they had been changed since it was deployed.
   * They are replaced.
   */
  replaced: string[];
  /** Those of `replaced` that had been changed since the bundle before was deployed. */
  changed: string[];
  /** How many clauses are new. */
  clausesAdded: number;
  /** How many are gone. */
  clausesRemoved: number;
  /** How many were retracted since their file was imported, and stay so. */
  clausesRetracted: number;
  /** What the tests did, if the book has any. */
  tests?: TestRun;
  /** What is probably wrong with its Prolog, as `hornbook check` finds it: `FILE:LINE:COLUMN: MESSAGE`. */
  problems: string[];
}

/**
 * The file in which a book says what is deployed: `deployed_bundle(Version, Sha256, Files)`, and the hash of each file's text
 * as it was then, `deployed_file(Name, Sha256)`.
 */
const MANIFEST = 'deployed_bundle.pl';
/** How many failed tests a message tells. */
const TOLD = 5;

/** Make a bundle. The same version and files make the same bundle. */
export async function bundleOf(version: string, files: Iterable<BundledFile>): Promise<Bundle> {
  if (textArgument(version, 'The version').trim() === '')
    throw new HornbookError('invalid_argument', 'A bundle needs a version, such as 1.2.0.');
  if (typeof files !== 'object' || files === null || !(Symbol.iterator in files))
    throw new HornbookError('invalid_argument', `The files must be an array, not ${kindOf(files)}.`);
  const listed = [...files].map((file) => {
    const { name, text } = objectArgument(file, 'A file', "{ name: 'rules.pl', text: '…' }");
    const known = textArgument(name, 'The name of a file');
    return { name: known, text: textArgument(text, `The text of ${known}`) };
  });
  if (listed.length === 0) throw new HornbookError('invalid_argument', 'A bundle needs at least one file.');
  const names = new Set([MANIFEST]);
  for (const { name } of listed) {
    const plain = plainName(name);
    if (names.has(plain))
      throw new HornbookError(
        'invalid_argument',
        plain === MANIFEST
          ? `${MANIFEST} is the name of the file that says what is deployed; rename yours.`
          : `The bundle has two files with the name ${name}; name each file once.`,
      );
    names.add(plain);
  }
  return { version, sha256: await hashOf(version, listed), files: listed };
}

/** The name of a file without `.` and `..`. */
function plainName(name: string): string {
  const parts: string[] = [];
  for (const part of name.split('/'))
    if (part === '..' && parts.length > 0) parts.pop();
    else if (part !== '.') parts.push(part);
  return parts.join('/');
}

/** Read a bundle from its JSON, and check its hash. */
export async function readBundle(given: string | Bundle): Promise<Bundle> {
  const wrong = (why: string) =>
    new HornbookError('invalid_argument', `This is not a bundle: ${why}. Make one with hornbook bundle.`);
  let read: Partial<Bundle>;
  try {
    read = (typeof given === 'string' ? JSON.parse(given) : given) as Partial<Bundle>;
  } catch (error) {
    throw wrong((error as Error).message);
  }
  const { version, sha256, files } = read ?? {};
  if (typeof version !== 'string' || typeof sha256 !== 'string' || !Array.isArray(files))
    throw wrong('it has no version, sha256 and files');
  const bundle = await bundleOf(version, files);
  if (bundle.sha256 !== sha256)
    throw new HornbookError(
      'invalid_argument',
      `The bundle ${version} was changed after it was made: its sha256 is ${bundle.sha256}, and it says ${sha256}. Fetch it again.`,
    );
  return bundle;
}

async function hashOf(version: string, files: BundledFile[]): Promise<string> {
  return sha256Of(JSON.stringify([version, ...files.map(({ name, text }) => [name, text])]));
}

async function sha256Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The book that takes a bundle over, as far as that concerns it. */
interface Receiver extends Queryable {
  readonly hornbook: Hornbook;
  files(): Promise<{ filename: string }[]>;
  history(steps: number): Promise<{ revision: number }>;
  import(filename: string, contents: string): Promise<unknown>;
  unimport(filename: string): Promise<{ clausesRemoved: number }>;
}

/** What a book says that is deployed. */
interface Manifest {
  version: string;
  sha256: string;
  names: string[];
  /** The hashes of the texts of its files as they were then. */
  hashes: Map<string, string>;
}

/** Only what `deploy` has written counts, and not other clauses of that predicate. `undefined` if that is gone. */
async function manifestOf(book: Receiver): Promise<Manifest | undefined> {
  const { revision } = await book.history(1);
  const text = await book.hornbook.sourceAfter(MANIFEST, revision);
  const written = /^deployed_bundle\(.*\)(?=\.$)/m.exec(text ?? '');
  if (!written) return undefined;
  const found = await book.once<{ V: string; S: string; N: string[] }>(
    prolog`term_string(deployed_bundle(V, S, N), ${written[0]}), is_list(N)`,
  );
  if (!found) return undefined;
  const hashes = new Map<string, string>();
  for (const [line] of text!.matchAll(/^deployed_file\(.*\)(?=\.$)/gm)) {
    const file = await book.once<{ N: string; S: string }>(prolog`term_string(deployed_file(N, S), ${line})`);
    if (file) hashes.set(file.N, file.S);
  }
  return { version: found.V, sha256: found.S, names: found.N, hashes };
}

/** The files of a bundle that have another text than when it was deployed, and than `files` give them. */
async function changedSince({ hashes }: Manifest, book: Hornbook, files: BundledFile[]): Promise<string[]> {
  const changed: string[] = [];
  for (const [name, hash] of hashes) {
    const text = book.importedText(name);
    const isNew = text !== files.find((file) => file.name === name)?.text;
    if (text !== undefined && isNew && (await sha256Of(text)) !== hash) changed.push(name);
  }
  return changed;
}

/** What is probably wrong with the Prolog of a bundle that the book has by now. */
async function problemsOf(book: Hornbook, files: BundledFile[]): Promise<{ kind: string; told: string }[]> {
  const found = files
    .filter(({ name }) => /\.(plt?|prolog)$/i.test(name))
    .map(async ({ name, text }) =>
      (await book.check(text)).map(({ kind, start, message }) => {
        const before = text.slice(0, start).split('\n');
        return { kind, told: `${name}:${before.length}:${[...before.at(-1)!].length}: ${message}` };
      }),
    );
  return (await Promise.all(found)).flat();
}

/**
 * Put the bundle's files into `tx`, a book with the clauses of `book` that can still be dropped, in the place of those of the
 * bundle before it. Rejects if something of it cannot be added or a test fails.
 */
export async function deployInto(
  tx: Receiver,
  book: Queryable,
  bundle: Bundle,
  options: TestOptions,
): Promise<Deployed> {
  const { version, sha256, files } = bundle;
  const refused = `The bundle ${version} is not deployed, and nothing was changed.`;
  const before = await manifestOf(tx);
  const names = files.map(({ name }) => name);
  const had = (await tx.files()).map(({ filename }) => filename);
  const standing = had.filter((name) => names.includes(name));
  const changed = before ? await changedSince(before, tx.hornbook, files) : [];
  const deployed: Deployed = {
    version,
    sha256,
    ...(before && { before: before.version }),
    replaced: [...standing.filter((name) => !before?.names.includes(name)), ...changed],
    changed,
    clausesAdded: 0,
    clausesRemoved: 0,
    clausesRetracted: 0,
    problems: [],
  };
  // New files come last. Where that is not their place, all of the bundle are imported anew, unless that would bring back
  // what was retracted.
  const inOrder = [...standing, ...names.filter((name) => !standing.includes(name))];
  const isInOrder = inOrder.every((name, at) => name === names[at]);
  const lacking = standing.filter((name) => {
    const text = tx.hornbook.importedText(name);
    return text !== undefined && text !== tx.hornbook.source(name);
  });
  const stay = isInOrder || lacking.length > 0 ? names : [];
  const old = new Set([...(before?.names ?? []), ...standing]);
  for (const name of had)
    if (old.has(name) && !stay.includes(name)) deployed.clausesRemoved += (await tx.unimport(name)).clausesRemoved;
  const cancel = tx.hornbook.cancellation();
  try {
    for (const { name, text } of files) {
      const added = await tx.hornbook.importFile(name, text, undefined, undefined, undefined, cancel);
      if (added.errors.length > 0)
        throw new HornbookError('import_errors', `${refused} ${name}: ${added.errors.slice(0, TOLD).join('; ')}`);
      deployed.clausesAdded += added.clausesAdded;
      deployed.clausesRemoved += added.clausesRemoved;
      deployed.clausesRetracted += added.clausesRetracted;
    }
  } catch (error) {
    throw HornbookError.from(error);
  } finally {
    cancel.free();
  }
  const manifest = [prolog`deployed_bundle(${version}, ${sha256}, ${names})`];
  for (const name of names) {
    const text = tx.hornbook.importedText(name);
    if (text !== undefined) manifest.push(prolog`deployed_file(${name}, ${await sha256Of(text)})`);
  }
  await tx.import(MANIFEST, manifest.map((fact) => `${fact}.\n`).join(''));
  const found = await problemsOf(tx.hornbook, files);
  deployed.problems = found.map(({ told }) => told);
  if (!isInOrder && lacking.length > 0)
    deployed.problems.push(
      `The files are in another order in the book than in the bundle: clauses of ${lacking.join(', ')} were retracted, and would come back.`,
    );
  const tests = await testsAfter(book, tx, options);
  // What tests run shows itself whether it is there.
  const missing = tests ? [] : found.filter(({ kind }) => kind === 'undefined');
  if (missing.length > 0)
    throw new HornbookError(
      'import_errors',
      `${refused} It has no tests, and calls what is not there: ${missing
        .slice(0, TOLD)
        .map(({ told }) => told)
        .join(' ')} Mend that, declare it with \`:- dynamic NAME/ARITY.\` if it comes later, or add tests.`,
    );
  if (tests && (tests.failed > 0 || tests.error !== undefined)) {
    const told = tests.failures.slice(0, TOLD).map(({ test, message }) => `  ${test}: ${message}`);
    if (tests.failures.length > TOLD) told.push(`  and ${tests.failures.length - TOLD} more`);
    throw new HornbookError('tests_failed', [`${refused} ${toldTests(tests)}`, ...told].join('\n'));
  }
  return { ...deployed, ...(tests && { tests }) };
}
