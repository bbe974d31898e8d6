/** `hornbook serve`: the books of a folder over HTTP, until a signal comes. */
import { createReadStream } from 'node:fs';
import { access, mkdir, readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Options } from '../full/hornbook.js';
import type { DataAddresses } from '../node/data/data.js';
import { openHornbook, type Opened, type OwnStore } from '../node/open.js';
import { SharedStore } from '../node/shared-store.js';
import { connectLogs } from '../node/logs.js';
import { UsageError } from '../cli/usage.js';
import { boundBy, OAuthAccess, OPEN_ACCESS, SCOPES, TokenAccess, type Access, type KnownToken } from './access.js';
import type { Source, Sources } from './books.js';
import { Waking, type Woken } from '../node/waking.js';
import { BOOK_NAME } from './books.js';
import { bookAndDraft } from './drafts.js';
import { discreet } from './discreet-store.js';
import { JournalLog } from './journal-log.js';
import type * as Libraries from './libraries.js';
import { logTo, type Log } from './log.js';
import { ObjectStore, type BucketAddress } from './object-store.js';
import { Server, type Settings } from './server.js';
import { Snapshots } from './snapshots.js';

/** The options from the command line. */
export interface Serving extends Omit<Settings, 'access' | 'hosts'> {
  /** The folder of the books. */
  folder?: string | undefined;
  /** The address of the database that has the books, instead of a folder. */
  log?: string | undefined;
  /** Where snapshots of their logs are kept, and the credentials. */
  snapshots?: Bucket | undefined;
  /** Options for the books. */
  options: Options;
  /** Addresses of data that goals of all books may ask, by name. */
  data?: DataAddresses | undefined;
  /** The file of tokens, one per line. */
  tokenFile?: string | undefined;
  /** A token from the environment. */
  token?: string | undefined;
  issuer?: string | undefined;
  publicUrl?: string | undefined;
}

export interface Bucket {
  address: BucketAddress;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | undefined;
}

/** The exit code if requests were cut off. */
const CUT_OFF = 1;

/** Resolves with the exit code. */
export async function serve(serving: Serving, write: (line: string) => void): Promise<number> {
  const log = logTo(write);
  const libraries = await loadLibraries();
  const hosts = [serving.publicUrl && new URL(serving.publicUrl).hostname, serving.host].filter((name) => !!name);
  const settings = { ...serving, access: await accessOf(serving, libraries), hosts: hosts as string[] };
  const sources = await sourcesOf(serving, libraries, log);
  const server = new Server(settings, sources, libraries, log);
  let url: string;
  try {
    url = await server.listen();
  } catch (error) {
    throw new UsageError(`${serving.host}:${serving.port} is not available to listen on: ${(error as Error).message}`);
  }
  log('listening', { url, books: sources.name });
  const signal = await signalled();
  log('stopping', { signal });
  // A second signal exits at once.
  void signalled().then(() => process.exit(CUT_OFF));
  const inTime = await server.stop();
  await sources.close();
  log('stopped', { inTime });
  return inTime ? 0 : CUT_OFF;
}

/** Third-party libraries are bundled into one file. */
export async function loadLibraries(): Promise<typeof Libraries> {
  const path = './libraries.bundle.js';
  return (await import(path)) as typeof Libraries;
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}

async function accessOf(serving: Serving, libraries: typeof Libraries): Promise<Access> {
  const { issuer, publicUrl } = serving;
  if (issuer !== undefined) return new OAuthAccess(libraries, issuer, publicUrl!.replace(/\/$/, ''));
  const tokens: KnownToken[] = serving.token === undefined ? [] : [{ token: serving.token, scope: 'admin' }];
  if (serving.tokenFile !== undefined) {
    const text = await readFile(serving.tokenFile, 'utf8').catch((error: Error) => {
      throw new UsageError(`--token-file cannot be read: ${error.message}`);
    });
    const lines = text.split('\n').map((line) => line.trim());
    tokens.push(...lines.filter((line) => line && !line.startsWith('#')).map(tokenOf));
    if (tokens.length === 0) throw new UsageError(`--token-file: ${serving.tokenFile} has no token`);
  }
  const short = tokens.find(({ token }) => token.length < 16 || /\s/.test(token));
  if (short !== undefined)
    throw new UsageError(
      `a token has at least 16 characters and no blanks; before it may stand what it may do, ${SCOPES.join(', ')}, and then behind it who has it`,
    );
  return tokens.length > 0 ? new TokenAccess(tokens) : OPEN_ACCESS;
}

/** The token of a line, which may begin with what the token may do, and end with who has it: `propose TOKEN NAME`. */
function tokenOf(line: string): KnownToken {
  const [, scope = 'admin', token = line, name] = /^(\w+)\s+(\S+)(?:\s+(\S+))?$/.exec(line) ?? [];
  const known = SCOPES.find((one) => one === scope);
  return known ? { token, scope: known, name } : { token: line, scope: 'admin' };
}

/** Where the books of a server are. */
interface Place extends Sources {
  /** For the log. */
  name: string;
  close(): Promise<void>;
}

async function sourcesOf(
  { folder, log: url, snapshots: bucket, options, data }: Serving,
  libraries: typeof Libraries,
  log: Log,
): Promise<Place> {
  const prolog = (text: string) => log('prolog', { text: text.trim() });
  const opened = async (book: OwnStore, draft: string | undefined): Promise<Opened> => {
    const base = await openHornbook(options, prolog, book, { data, toolsOnly: draft === undefined, lowers: true });
    if (draft === undefined) return base;
    const hornbook = await base.hornbook.draft(draft);
    return {
      ...base,
      hornbook,
      async close() {
        await hornbook.keepAsked();
        hornbook.close();
        await base.close();
      },
    };
  };
  /** The runs that went on when their book was closed here, by its name. */
  const cutOff = new Map<string, ReadonlySet<string>>();
  const wakingOf = ({ hornbook }: Opened, book: string, draft: string | undefined): Waking | undefined => {
    const woken: Woken = (run, said, isError) => log(isError ? 'run_failed' : 'run_woken', { book, run, said });
    if (draft !== undefined) return undefined;
    const waking = Waking.of(hornbook, options.tools, woken, cutOff.get(book));
    cutOff.delete(book);
    return waking;
  };
  const sourceOf = (open: Opened, name: string, draft: string | undefined, store: () => OwnStore): Source => {
    const waking = wakingOf(open, name, draft);
    return source(open, store, waking, () => {
      if (waking?.running.size) cutOff.set(name, new Set(waking.running));
      waking?.close();
    });
  };
  if (url !== undefined) {
    const logs = await connectLogs(url).catch((error: Error) => {
      throw new UsageError(`--log: ${error.message}`);
    });
    const snapshots = bucket && snapshotsIn(bucket, libraries, log);
    return {
      name: logs.name,
      // They are known once they are used.
      async *mayWake() {},
      has: (name) => logs.has(bookAndDraft(name).book),
      open: async (name) => {
        const { book, draft } = bookAndDraft(name);
        const store = () => logs.store(book);
        const open = await opened(snapshots?.store(book, store) ?? store(), draft);
        return sourceOf(open, name, draft, store);
      },
      close: () => logs.close(),
    };
  }
  const path = resolve(folder!);
  await mkdir(path, { recursive: true }).catch((error: Error) => {
    throw new UsageError(`--books: ${error.message}`);
  });
  const file = (name: string) => join(path, `${name}.book`);
  return {
    name: path,
    async *mayWake() {
      if (!options.tools?.includes('workflow')) return;
      for (const found of await readdir(path)) {
        const name = found.replace(/\.book$/, '');
        if (name === found || !BOOK_NAME.test(name)) continue;
        const waited = await hasWaited(file(name)).catch((error: Error) => {
          log('book_failed', { book: name, error: error.message });
          return false;
        });
        if (waited) yield name;
      }
    },
    has: (name) =>
      access(file(bookAndDraft(name).book)).then(
        () => true,
        () => false,
      ),
    open: async (name) => {
      const { book, draft } = bookAndDraft(name);
      const store = () => discreet(new SharedStore(file(book)), path);
      const open = await opened(store(), draft);
      return sourceOf(open, name, draft, store);
    },
    close: async () => {},
  };
}

/** Whether the file of a book says of a run that it waits, or did. */
async function hasWaited(path: string): Promise<boolean> {
  let end = '';
  for await (const chunk of createReadStream(path, 'latin1')) {
    const text = end + (chunk as string);
    if (/waiting|by_itself/.test(text)) return true;
    end = text.slice(-16);
  }
  return false;
}

/** Snapshots of logs in a bucket; `log` receives reports about them. */
export function snapshotsIn({ address, ...key }: Bucket, { AwsClient }: typeof Libraries, log: Log): Snapshots {
  // No retries: the next snapshot is the retry.
  const client = new AwsClient({ ...key, service: 's3', region: address.region, retries: 0 });
  return new Snapshots(new ObjectStore(client, address), log);
}

/**
 * @param store opens another store of the book's log
 * @param closing is called before the book is closed
 */
function source(
  { hornbook, host, close }: Opened,
  store: () => OwnStore,
  waking: Waking | undefined,
  closing: () => void,
): Source {
  return {
    connect(send, client) {
      const connection = hornbook.connect(send);
      if (client !== undefined) connection.belongsTo(client);
      return {
        receive(message, { readOnly, acting }) {
          connection.readOnly = readOnly;
          const bound = boundBy(acting);
          if (bound) connection.actsAs(bound.name, bound.scope);
          else if (acting === 'host') connection.actsAsHost();
          else if (acting !== 'itself') connection.actsAsHost(acting.name);
          connection.receive(message);
        },
        resume: () => connection.resume(),
        close: () => connection.close(),
      };
    },
    watch(goal, changed, asking) {
      const watch = hornbook.watch(goal, changed, asking);
      return () => watch.free();
    },
    get activeMs() {
      return host.activeMs;
    },
    openLog: () =>
      JournalLog.open(store(), (at, record, acting) => {
        // A process that is not known has bound its own clients.
        const who = boundBy(acting);
        return hornbook.admit(at, record, who?.name, who?.scope);
      }),
    get tasks() {
      return hornbook.tasks;
    },
    taskRuns: (id) => hornbook.taskRuns(id),
    get waking() {
      return waking?.running.size ?? 0;
    },
    get dueMs() {
      return waking?.dueMs;
    },
    async close() {
      closing();
      await close();
    },
  };
}
