/** A workspace in this process of Node, with the files of this machine and engines in worker threads. */
import { availableParallelism } from 'node:os';
import type {
  DataHost,
  Hornbook,
  Embed,
  Engine,
  Folder,
  Host,
  HostPredicates,
  Options,
  OtherBooks,
  Store,
} from '../full/hornbook.js';
import { Engines, type StartWorker } from '../engine/host.js';
import {
  functionArgument,
  objectArgument,
  optional,
  optionsArgument,
  textArgument,
  truthArgument,
} from '../book/arguments.js';
import { type DataSources, LinkedData } from './data/data.js';
import { HornbookError } from '../book/error.js';
import { loadCrate } from './crate.js';
import { opened } from '../opened.js';
import { partFor } from '../part.js';
import { loadParts, startWorker } from './engine.js';
import { listReal, readReal, resolvePath } from './files.js';
import { NodeFolder } from './folder.js';
import { embedder, type Embedding } from './embed.js';
import { FolderOfBooks } from './other-books.js';
import { SharedStore } from './shared-store.js';
import { isServed, ServedStore } from '../served-store.js';

/** Shared by all hosts: the parts are large and never change. */
let parts: ReturnType<typeof loadParts> | undefined;

/** What a host may provide besides engines and files. */
export type HostParts = Partial<Pick<Host, 'folder' | 'otherBooks' | 'predicates' | 'data' | 'embed'>> & {
  /** Whether engines besides the first of a book are to work at a lower priority, on Linux. Default: false. */
  lowers?: boolean | undefined;
};

/** A host with this machine's files and engines in worker threads. */
export class NodeHost implements Host {
  readonly #engines: Engines;
  readonly cores = availableParallelism();
  readonly resolvePath = resolvePath;
  readonly readFile = readReal;
  readonly listDirectory = listReal;
  readonly folder: Folder | undefined;
  readonly otherBooks: OtherBooks | undefined;
  readonly predicates: HostPredicates | undefined;
  readonly data: DataHost | undefined;
  readonly embed: Embed | undefined;

  /**
   * @param log receives what Prolog writes outside queries
   * @param parts what else it provides
   */
  constructor(
    log: (text: string) => void,
    { folder, otherBooks, predicates, data, embed, lowers = false }: HostParts = {},
  ) {
    this.folder = folder;
    this.otherBooks = otherBooks;
    this.predicates = predicates;
    this.data = data;
    this.embed = embed;
    const start: StartWorker = (take, failed, first) => startWorker(take, failed, lowers && !first);
    this.#engines = new Engines(start, () => (parts ??= loadParts()), log);
  }

  /** Load the crate, which programs and workflows need before they use this host. */
  async loadFull(): Promise<void> {
    await loadCrate();
  }

  async readTable(request: string, text: string): Promise<[tables: string, text: string]> {
    return (await loadCrate()).readTable(request, text);
  }

  /** Start the first engine before it is requested. */
  startAhead(): void {
    this.#engines.startAhead();
  }

  spawn(first: boolean): Promise<Engine> {
    return this.#engines.spawn(first);
  }

  /** How long its engines have been active, in milliseconds. */
  get activeMs(): number {
    return this.#engines.activeMs;
  }

  /** End all engines, and start no more. */
  close(): void {
    this.#engines.close();
  }
}

/** What a workspace may have besides its book. */
export interface More {
  /** The directory whose files the tool `dml_run` makes available to programs. Default: none. */
  workspace?: string | undefined;
  /**
   * The directory of the other books, files `NAME.book`, that `kn_intel crossref` searches; they are only read. Default:
   * none.
   */
  otherBooks?: string | undefined;
  /** Predicates that queries may call and the host answers. Default: none. */
  predicates?: HostPredicates | undefined;
  /** The data that goals may ask, by the names that programs use (docs/data.md). Default: none. */
  data?: DataSources | undefined;
  /**
   * Vectors for texts, which let the memory find matches in other words: a function, or an endpoint that computes them.
   * Default: it compares words only.
   */
  embed?: Embed | Embedding | undefined;
  /** The token that a server with the book asks for. Default: `HORNBOOK_TOKEN` from the environment. */
  token?: string | undefined;
  /**
   * Nothing but the tools is used. If only Prolog's tools are served, and no data is linked, the core of the crate is
   * loaded, which starts sooner and takes less memory. Default: false.
   */
  toolsOnly?: boolean | undefined;
  /**
   * Many clients are served: on Linux, engines besides the first of the book work at a lower priority, so that what some
   * clients compute does not keep the others waiting. Default: false.
   */
  lowers?: boolean | undefined;
}

/** Their names, and what each must be. */
const MORE: Record<keyof More, (value: unknown, what: string) => unknown> = {
  workspace: textArgument,
  otherBooks: textArgument,
  predicates: (value, what) => {
    const { indicators, answer, keep } = objectArgument(value, what, '{ indicators, answer, keep }');
    if (Array.isArray(indicators) && typeof answer === 'function' && typeof keep === 'function') return value;
    throw new HornbookError(
      'invalid_argument',
      `${what} must have indicators, answer and keep. To give functions by indicator, as { 'price/2': (item) => … }, call openBook.`,
    );
  },
  data: (value, what) => objectArgument(value, what, "{ shop: 'orders.parquet' }"),
  embed: (value, what) => {
    if (typeof value === 'function') return value;
    const example = "{ url: 'http://127.0.0.1:11434/v1', model: 'NAME' }";
    const { url, model, key, file } = optionsArgument<Embedding>(objectArgument(value, what, example), EMBEDDING);
    if (!URL.canParse(textArgument(url, `The url of ${what}`)))
      throw new HornbookError(
        'invalid_argument',
        `The url of ${what} must be an address, as in ${example}, not '${url}'.`,
      );
    textArgument(model, `The model of ${what}`);
    optional(key, `The key of ${what}`, textArgument);
    optional(file, `The file of ${what}`, textArgument);
    return value;
  },
  token: textArgument,
  toolsOnly: truthArgument,
  lowers: truthArgument,
};

/** What an endpoint of vectors is given by. */
const EMBEDDING: Record<keyof Embedding, true> = { url: true, model: true, key: true, file: true };

/** What a store has. */
const STORE: (keyof OwnStore)[] = ['open', 'read', 'append', 'replace', 'setAside', 'close'];

/** Where `openHornbook` takes what is an option of `openBook` or of a page. */
const ELSEWHERE: Record<string, string> = {
  path: 'give the path as the third argument',
  book: 'give the path as the third argument',
  log: 'give the function as the second argument',
  assets: 'only a page has it',
  progress: 'only a page has it',
};

/** Check what programs without types may give; the crate checks the other options. */
function checkArguments(options: Options, log: unknown, book: unknown, more: unknown): asserts more is More {
  for (const name of Object.keys(objectArgument(options, 'The options', "{ tools: ['prolog'] }"))) {
    const where = ELSEWHERE[name] ?? (Object.hasOwn(MORE, name) ? 'give it in the fourth argument' : undefined);
    if (where)
      throw new HornbookError('invalid_argument', `\`${name}\` is not among the options of openHornbook: ${where}.`);
  }
  functionArgument(log, 'The log');
  if (book instanceof URL || typeof book !== 'object') optional(book, 'The book', textArgument);
  else if (book && !STORE.every((name) => typeof (book as Partial<OwnStore>)[name] === 'function'))
    throw new HornbookError('invalid_argument', `The book must be a string or a store, which has ${STORE.join(', ')}.`);
  const names = Object.fromEntries(Object.keys(MORE).map((name) => [name, true])) as Record<keyof More, true>;
  const given = optionsArgument<More>(more, names);
  for (const [name, check] of Object.entries(MORE)) optional(given[name as keyof More], `\`${name}\``, check);
}

/** A store that is closed together with its workspace. */
export interface OwnStore extends Store {
  /** Release what it holds. */
  close(): Promise<void>;
}

/** A workspace, and the function that closes it and everything it holds. */
export interface Opened {
  /** The workspace, to serve to MCP clients or to use. */
  hornbook: Hornbook;
  /** Where its engines run. */
  host: NodeHost;
  /** End the engines, and release the book. */
  close(): Promise<void>;
}

/**
 * Open a workspace in this process. The root is the current directory unless the options set `roots`.
 *
 * @param log receives what Prolog writes outside queries
 * @param book the file of the book, which processes of this machine share, the address of its log on a server, or
 *   another store; without it the book lives in memory
 * @param more what else to provide
 * @throws when the book cannot be read, or a process has it that does not share it; the message is a sentence
 */
export async function openHornbook(
  options: Options,
  log: (text: string) => void,
  book?: string | OwnStore,
  more: More = {},
): Promise<Opened> {
  checkArguments(options, log, book, more);
  const { workspace, otherBooks, predicates, data, embed, token, toolsOnly = false, lowers = false } = more;
  const linked = data && new LinkedData(data);
  const host = new NodeHost(log, {
    folder: workspace === undefined ? undefined : new NodeFolder(workspace),
    otherBooks:
      otherBooks === undefined ? undefined : new FolderOfBooks(otherBooks, typeof book === 'string' ? book : undefined),
    predicates,
    data: linked,
    embed: typeof embed === 'object' ? embedder(embed) : embed,
    lowers,
  });
  host.startAhead();
  let store: OwnStore | undefined;
  try {
    const crate = await loadCrate(toolsOnly && !linked ? partFor(options.tools) : 'full');
    store = typeof book === 'string' ? storeOf(book, token) : book;
    const settings = { ...options, roots: options.roots ?? [process.cwd()] };
    const hornbook = await opened(crate, host, store, settings);
    return {
      hornbook,
      host,
      async close() {
        hornbook.close();
        host.close();
        await linked?.end();
        await store?.close();
      },
    };
  } catch (error) {
    host.close();
    await store?.close();
    throw error;
  }
}

const storeOf = (book: string, token?: string): OwnStore =>
  isServed(book) ? new ServedStore(book, token ?? process.env.HORNBOOK_TOKEN) : new SharedStore(book);
