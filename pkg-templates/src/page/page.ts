/** Hornbook in a page, wherever its parts come from. */
import { functionArgument, optional, textArgument } from '../book/arguments.js';
import type { Embed, Engine, FileFault, Hornbook, Host, HostPredicates, Options, Store } from '../full/hornbook.js';
import type { Assets, Crate } from './assets.js';
import { opened } from '../opened.js';
import { partFor, type Part } from '../part.js';
import { folderOf, type DirectoryHandle, type Folder } from '../dml/folders.js';
import { Engines } from '../engine/host.js';
import { loadParts, workersOf } from './engine.js';
import { IndexedDbStore } from './indexed-db-store.js';
import { serveFrames, type FrameOptions, type FrameServer } from './frames.js';
import { servePort } from './port.js';
import type { ConnectOptions, Port, PortConnection } from '../transport.js';
import { isServed, ServedStore } from '../served-store.js';
import { streamSlot } from './stream-slot.js';
import { registerTools, type RegisteredTools } from './web-mcp.js';

/** How a workspace is opened in a page; all are optional. There are no roots, since a page has no file system. */
export interface PageOptions extends Omit<Options, 'roots'> {
  /**
   * The name under which IndexedDB keeps the book, the address of its log on a server, or a store of your own. Without
   * it the book lives in memory.
   */
  book?: string | Store;
  /**
   * The same book, opened under its name by this page before, for which this one stands in: what that one did, and still
   * does, counts as done by this one, for example for an undo. Default: none.
   */
  after?: PageHornbook;
  /** The token that the server asks for. Default: none. */
  token?: string;
  /** Receives what Prolog writes outside queries. Default: it is dropped. */
  log?: (text: string) => void;
  /**
   * The folder whose files the tool `dml_run` makes available to programs: a directory handle, or a folder in memory.
   * Default: none.
   */
  workspace?: DirectoryHandle | Folder;
  /** Predicates that queries may call and the page answers. Default: none. */
  predicates?: HostPredicates;
  /** Vectors for texts, which let the memory find matches in other words. Default: it compares words only. */
  embed?: Embed;
}

/** Engines in workers, and no files: an import comes with the contents. */
class PageHost implements Host {
  readonly cores = navigator.hardwareConcurrency;
  readonly engines: Engines;
  readonly #crates = new Map<Part, Promise<Crate>>();

  constructor(
    private readonly assets: Assets,
    log: (text: string) => void,
    readonly folder: Folder | undefined,
    readonly predicates: HostPredicates | undefined,
    readonly embed: Embed | undefined,
  ) {
    this.engines = new Engines(workersOf(assets), () => loadParts(assets), log);
  }

  spawn(first: boolean): Promise<Engine> {
    return this.engines.spawn(first);
  }

  /** A part of the crate, loaded once however many things in this page use it. */
  crate(part: Part): Promise<Crate> {
    let crate = this.#crates.get(part);
    if (!crate) {
      crate = this.assets.crate(part);
      this.#crates.set(part, crate);
      crate.catch(() => this.#crates.delete(part));
    }
    return crate;
  }

  async loadFull(): Promise<void> {
    await this.crate('full');
  }

  async readTable(request: string, text: string): Promise<[tables: string, text: string]> {
    const { readTable } = await this.crate('full');
    return readTable!(request, text);
  }

  resolvePath = noFiles;
  readFile = noFiles;
  listDirectory = noFiles;
}

function storeOf({ book, token, after }: PageOptions): (Store & { close?(): Promise<void> }) | undefined {
  if (typeof book !== 'string') return book;
  return isServed(book)
    ? new ServedStore(book, token, undefined, streamSlot)
    : new IndexedDbStore(book, after?.hornbook.heritage);
}

async function noFiles(): Promise<never> {
  throw { fault: 'not_supported' } satisfies FileFault;
}

/** The only root of a host without files, so that asking for a file reports that there are none. */
const ROOTS = ['/'];

/** A workspace in this page, shared by any number of MCP clients. */
export class PageHornbook {
  /** The workspace itself, for what a page does besides MCP. */
  readonly hornbook: Hornbook;
  /** Where its engines run; `createDeepClause` of `hornbook/dml` accepts it. */
  readonly host: Host;
  /** Releases what it does not share with another. */
  readonly #release: (() => Promise<void> | undefined) | undefined;
  /** Everything that is served, and stops on close. */
  readonly #served = new Set<{ close(): void }>();
  /** What to tell clients about how the book was opened, such as what was cut off; a sentence. */
  readonly notice: string | undefined;

  private constructor(hornbook: Hornbook, host: Host, release?: () => Promise<void> | undefined) {
    this.hornbook = hornbook;
    this.host = host;
    this.#release = release;
    this.notice = hornbook.notice;
  }

  /**
   * Resolves when clients can connect; the engine starts meanwhile. Rejects with a sentence.
   *
   * @internal
   */
  static async open(
    assets: Assets,
    { book, token, after, log = () => {}, workspace, predicates, embed, ...options }: PageOptions,
  ): Promise<PageHornbook> {
    if (typeof book !== 'object') optional(book, '`book`', textArgument);
    optional(token, '`token`', textArgument);
    functionArgument(log, '`log`');
    optional(embed, '`embed`', functionArgument);
    const host = new PageHost(assets, log, workspace && folderOf(workspace), predicates, embed);
    const store = storeOf({ book, token, after });
    host.engines.startAhead();
    try {
      const crate = await host.crate(partFor(options.tools));
      const hornbook = await opened(crate, host, store, { ...options, roots: ROOTS });
      return new PageHornbook(hornbook, host, () => {
        host.engines.close();
        return store?.close?.();
      });
    } catch (error) {
      host.engines.close();
      await store?.close?.();
      throw error;
    }
  }

  /** Serve the MCP client at the other end of a port. */
  connect(port: Port, options?: ConnectOptions): PortConnection {
    return this.#connect(port, () => {}, options);
  }

  /** Serve MCP clients in other windows: the parent, frames, openers. Throws if an origin is invalid. */
  serveFrames({ origins }: FrameOptions): FrameServer {
    return this.#closedOnce(serveFrames(this.hornbook, origins, (port, closed) => this.#connect(port, closed)));
  }

  /**
   * Offer the tools to the browser's agent through WebMCP. Resolves with `undefined` if it has none. Rejects if the
   * page already has a tool of that name.
   */
  async registerTools(): Promise<RegisteredTools | undefined> {
    const tools = await registerTools(this.hornbook);
    return tools && this.#closedOnce(tools);
  }

  /**
   * The draft of this name, for clients under review: whoever is served here changes the draft, and this book only once a
   * person has accepted it (docs/review.md). Closing it leaves this book open. Rejects with a sentence.
   */
  async draft(name: string): Promise<PageHornbook> {
    // The part of the crate for Prolog alone has no drafts.
    if (!('draft' in this.hornbook))
      throw new Error("This book was opened without drafts. Open it with more tools: tools: ['prolog', 'memory'].");
    return new PageHornbook(await this.hornbook.draft(name), this.host);
  }

  /** Stop serving, end the engines, and release the book. */
  async close(): Promise<void> {
    for (const served of this.#served) served.close();
    if ('keepAsked' in this.hornbook) await this.hornbook.keepAsked();
    this.hornbook.close();
    await this.#release?.();
  }

  #connect(port: Port, closed: () => void, options?: ConnectOptions): PortConnection {
    const connection = this.#closedOnce(
      servePort(
        this.hornbook,
        port,
        () => {
          connection.close();
          closed();
        },
        options,
      ),
    );
    return connection;
  }

  #closedOnce(server: { close(): void }): { close(): void } {
    const once = {
      close: () => {
        if (this.#served.delete(once)) server.close();
      },
    };
    this.#served.add(once);
    return once;
  }
}
