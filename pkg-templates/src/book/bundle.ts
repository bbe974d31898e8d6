/** Bundles: files of rules with a version, which a book takes over as one revision once their tests pass. */
import { textArgument } from './arguments.js';
import type { Book } from './book.js';
import { HornbookError } from './error.js';
import { prolog } from './goal.js';
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
  /** How many clauses are new. */
  clausesAdded: number;
  /** How many are gone. */
  clausesRemoved: number;
  /** What the tests did, if the book has any. */
  tests?: TestRun;
}

/** The file in which a book says what is deployed: `deployed_bundle(Version, Sha256, Files)`. */
const MANIFEST = 'deployed_bundle.pl';
/** How many failed tests a message tells. */
const TOLD = 5;

/** Make a bundle. The same version and files make the same bundle. */
export async function bundleOf(version: string, files: Iterable<BundledFile>): Promise<Bundle> {
  if (textArgument(version, 'The version').trim() === '')
    throw new HornbookError('invalid_argument', 'A bundle needs a version, such as 1.2.0.');
  const listed = [...files].map(({ name, text }) => ({
    name: textArgument(name, 'The name of a file'),
    text: textArgument(text, `The text of ${name}`),
  }));
  if (listed.length === 0) throw new HornbookError('invalid_argument', 'A bundle needs at least one file.');
  const names = new Set([MANIFEST]);
  for (const { name } of listed) {
    if (names.has(name))
      throw new HornbookError(
        'invalid_argument',
        name === MANIFEST
          ? `${MANIFEST} is the name of the file that says what is deployed; rename yours.`
          : `The bundle has two files with the name ${name}; name each file once.`,
      );
    names.add(name);
  }
  return { version, sha256: await hashOf(version, listed), files: listed };
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
  const text = JSON.stringify([version, ...files.map(({ name, text }) => [name, text])]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a book says that is deployed. */
interface Manifest {
  version: string;
  sha256: string;
  names: string[];
}

async function manifestOf(book: Book): Promise<Manifest | undefined> {
  const files = await book.files();
  if (!files.some(({ filename }) => filename === MANIFEST)) return undefined;
  const found = await book.once<{ V: string; S: string; N: string[] }>('deployed_bundle(V, S, N)');
  return found && { version: found.V, sha256: found.S, names: found.N };
}

/**
 * Put the bundle's files into `tx`, a book with the clauses of `book` that can still be dropped, in the place of those of the
 * bundle before it. Rejects if something of it cannot be added or a test fails.
 */
export async function deployInto(tx: Book, book: Book, bundle: Bundle, options: TestOptions): Promise<Deployed> {
  const { version, sha256, files } = bundle;
  const before = await manifestOf(tx);
  const deployed: Deployed = {
    version,
    sha256,
    ...(before && { before: before.version }),
    clausesAdded: 0,
    clausesRemoved: 0,
  };
  const count = (added: number, removed: number) => {
    deployed.clausesAdded += added;
    deployed.clausesRemoved += removed;
  };
  const has = new Set((await tx.files()).map(({ filename }) => filename));
  const names = files.map(({ name }) => name);
  for (const name of before?.names ?? [])
    if (!names.includes(name) && has.has(name)) count(0, (await tx.unimport(name)).clausesRemoved);
  for (const { name, text } of files) {
    const { clausesAdded, clausesRemoved } = await tx.import(name, text);
    count(clausesAdded, clausesRemoved);
  }
  await tx.import(MANIFEST, `${prolog`deployed_bundle(${version}, ${sha256}, ${names})`}.\n`);
  const tests = await testsAfter(book, tx, options);
  if (tests && (tests.failed > 0 || tests.error !== undefined)) {
    const told = tests.failures.slice(0, TOLD).map(({ test, message }) => `  ${test}: ${message}`);
    if (tests.failures.length > TOLD) told.push(`  and ${tests.failures.length - TOLD} more`);
    const head = `The bundle ${version} is not deployed, and nothing was changed. ${toldTests(tests)}`;
    throw new HornbookError('tests_failed', [head, ...told].join('\n'));
  }
  return { ...deployed, ...(tests && { tests }) };
}
