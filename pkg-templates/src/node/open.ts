/** A workspace in this process of Node, with the files of this machine and engines in worker threads. */
import { availableParallelism } from 'node:os';
import type {
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
import { Engines } from '../engine/host.js';
import { loadCrate } from './crate.js';
import { loadParts, startWorker } from './engine.js';
import { listReal, readReal, resolvePath } from './files.js';
import { NodeFolder } from './folder.js';
import { embedder, type Embedding } from './embed.js';
import { FolderOfBooks } from './other-books.js';
import { SharedStore } from './shared-store.js';
import { isServed, ServedStore } from '../served-store.js';

/** The same for all hosts: it is large, and never changes. */
let parts: ReturnType<typeof loadParts> | undefined;

/** What a host may give beside engines and files. */
export type HostParts = Partial<Pick<Host, 'folder' | 'otherBooks' | 'predicates' | 'embed'>>;

/** A host with the files of this machine and engines in worker threads. */
export class NodeHost implements Host {
  readonly #engines: Engines;
  readonly cores = availableParallelism();
  readonly resolvePath = resolvePath;
  readonly readFile = readReal;
  readonly listDirectory = listReal;
  readonly folder: Folder | undefined;
  readonly otherBooks: OtherBooks | undefined;
  readonly predicates: HostPredicates | undefined;
  readonly embed: Embed | undefined;

  /**
   * @param log takes what Prolog writes outside of queries
   * @param parts what else it gives
   */
  constructor(log: (text: string) => void, { folder, otherBooks, predicates, embed }: HostParts = {}) {
    this.folder = folder;
    this.otherBooks = otherBooks;
    this.predicates = predicates;
    this.embed = embed;
    this.#engines = new Engines(startWorker, () => (parts ??= loadParts()), log);
  }

  /** Start the first engine before it is asked for. */
  startAhead(): void {
    this.#engines.startAhead();
  }

  spawn(): Promise<Engine> {
    return this.#engines.spawn();
  }

  /** How long its engines have worked, in milliseconds. */
  get activeMs(): number {
    return this.#engines.activeMs;
  }

  /** End all engines; no more are started. */
  close(): void {
    this.#engines.close();
  }
}

/** What a workspace may have beside its book. */
export interface More {
  /** The directory whose files the tool `dml_run` gives to programs. */
  workspace?: string | undefined;
  /** The directory of the other books, files `NAME.book`, that `kn_intel crossref` looks in; they are only read. */
  otherBooks?: string | undefined;
  /** Predicates that queries may call and the host answers. */
  predicates?: HostPredicates | undefined;
  /** Vectors of texts, by which the memory finds what has other words: a function, or an endpoint that makes them. */
  embed?: Embed | Embedding | undefined;
  /** What a server that has the book wants to know who comes; else `HORNBOOK_TOKEN` of the environment. */
  token?: string | undefined;
  /**
   * Only the tools of the workspace are used. Where those are of Prolog alone, the core of the crate is loaded: it starts sooner,
   * in less memory.
   */
  toolsOnly?: boolean | undefined;
}

/** A store that is closed with its workspace. */
export interface OwnStore extends Store {
  close(): Promise<void>;
}

/** A workspace, and what ends it and all that it holds. */
export interface Opened {
  hornbook: Hornbook;
  host: NodeHost;
  close(): Promise<void>;
}

/**
 * A workspace in this process. The roots are the current directory unless the options give them.
 *
 * @param log takes what Prolog writes outside of queries
 * @param book the file that keeps the book, which processes of this machine share, the address of its log on a server, or
 *   another store; without it the book lives in memory
 * @param more what else there is to give
 * @throws when the book cannot be read, or a process has it that does not share it; the message is a sentence
 */
export async function openHornbook(
  options: Options,
  log: (text: string) => void,
  book?: string | OwnStore,
  { workspace, otherBooks, predicates, embed, token, toolsOnly = false }: More = {},
): Promise<Opened> {
  const host = new NodeHost(log, {
    folder: workspace === undefined ? undefined : new NodeFolder(workspace),
    otherBooks:
      otherBooks === undefined ? undefined : new FolderOfBooks(otherBooks, typeof book === 'string' ? book : undefined),
    predicates,
    embed: typeof embed === 'object' ? embedder(embed) : embed,
  });
  host.startAhead();
  let store: OwnStore | undefined;
  try {
    const onlyProlog = (options.tools ?? []).every((name) => name === 'prolog');
    const crate = await loadCrate(toolsOnly && onlyProlog ? 'core' : 'full');
    store = typeof book === 'string' ? storeOf(book, token) : book;
    const settings = { ...options, roots: options.roots ?? [process.cwd()] };
    const hornbook = store ? await crate.Hornbook.open(host, store, settings) : new crate.Hornbook(host, settings);
    return {
      hornbook,
      host,
      async close() {
        hornbook.close();
        host.close();
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
