/** Hornbook in this page, and the page's own MCP client. */
import { Client } from '@modelcontextprotocol/client';
import { type ConnectOptions, PortTransport, createHornbook, type PageHornbook } from '../../pkg/web.js';
import type { ToolArguments } from '../../pkg/generated/tools.js';
import type { ToolData, ToolFailed, ToolValues } from '../../pkg/results.js';
import { Signal, sentence } from './dom.ts';
import { keep, kept } from './kept.ts';
import { CURRENT, hold } from './shelf.ts';
import { type Traffic, tapped } from './traffic.ts';
import { Turns, type Turn } from './turns.ts';

/** Cancels a request to the book. */
export type Cancel = ReturnType<PageHornbook['hornbook']['cancellation']>;

type Tool = keyof ToolArguments;

/** The result of a tool: its text, and the same as data, parts of which may be missing if the tool failed. */
export type ToolResult<Name extends Tool, Action extends string = never> = { text: string } & (
  | { isError: false; data: ToolData<Name, Action> }
  | { isError: true; data: Partial<ToolData<Name, Action> & ToolFailed<Name>> }
);

export interface Loading {
  loaded: number;
  total: number;
}

/** More open queries and longer answers than an agent gets: a page shows all of them, or their beginning. */
export const LIMITS = { open_queries: 100, answer_chars: 2_000_000, output_chars: 1_000_000 };
/** The page reads whole replies; agents in it have the usual budget. */
const PAGE = { replyTokens: 1e9, host: true };

/** The tools other than Prolog need the full crate; most visitors never need them. */
const ALL_TOOLS = ['prolog', 'memory', 'workflow'];
/** Set if this browser has used them: then they are loaded from the start. */
const WHOLE = 'hornbook.whole';

export const SNAPSHOT = 'prolog://workspace/snapshot';
const MEMORY = 'kn://export';

/** The book, opened, and the page's own client of it. */
export class Connection {
  #users = 0;
  #isOld = false;

  constructor(
    readonly web: PageHornbook,
    readonly client: Client,
  ) {}

  /** Keep it open until the returned function is called. */
  hold(): () => void {
    this.#users += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#users -= 1;
      this.#closeUnused();
    };
  }

  /** Another one takes its place: it closes as soon as nothing needs it any more. */
  retire(): void {
    this.#isOld = true;
    this.#closeUnused();
  }

  #closeUnused(): void {
    if (this.#isOld && this.#users === 0) void this.web.close();
  }
}

export class Session {
  /** Clauses, documents or what else the book keeps changed, whoever changed them. */
  readonly changed = new Signal();
  /** The memory in the book changed. */
  readonly remembered = new Signal();
  /** The book was opened again, with the full crate. Open queries go on where they are. */
  readonly reopened = new Signal();
  /** What waits for the engine. */
  readonly turns = new Turns();
  /** A notice that the server added to an answer. */
  readonly noticed = new Signal<string>();
  #now!: Connection;
  #whole: Promise<void> | undefined;
  /** The tools of memory and workflows, and the past, are available. */
  #isWhole = false;

  private constructor(
    readonly traffic: Traffic,
    private readonly progress: (loading: Loading) => void,
    /**
     * Why the book is only in memory and lost with the page, as a sentence fragment; undefined if the browser stores
     * it.
     */
    readonly unkept: string | undefined,
  ) {}

  /**
   * Open the stored book. If the browser has no storage, or `inMemory` gives a reason, open an empty book in memory.
   */
  static async open(traffic: Traffic, progress: (loading: Loading) => void, inMemory?: string): Promise<Session> {
    const isWhole = kept(WHOLE) !== undefined;
    const open = async (unkept?: string) => {
      const session = new Session(traffic, progress, unkept);
      // A book in memory could not be reopened later.
      await session.#open(isWhole || unkept !== undefined);
      return session;
    };
    if (inMemory !== undefined) return open(inMemory);
    hold();
    return open().catch((error: unknown) => open(sentence(error).replace(/\.$/, '')));
  }

  async #open(isWhole: boolean): Promise<void> {
    const old = this.#now as Connection | undefined;
    const web = await createHornbook({
      book: this.unkept === undefined ? CURRENT : undefined,
      after: old?.web,
      tools: isWhole ? ALL_TOOLS : undefined,
      limits: LIMITS,
      progress: (loaded, total) => this.progress({ loaded, total }),
    });
    let own: Connection | undefined;
    const client = await connected(web, this.traffic, 'page', PAGE, async (prompt) =>
      this.turns.asking(own)?.ask?.(prompt),
    );
    client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) =>
      uri === MEMORY ? this.remembered.send() : this.changed.send(),
    );
    await client.subscribeResource({ uri: SNAPSHOT });
    if (isWhole) await client.subscribeResource({ uri: MEMORY });
    // No resource tells of documents.
    web.hornbook.onCells(() => own === this.#now && this.changed.send());
    own = this.#now = new Connection(web, client);
    old?.retire();
    this.#isWhole = isWhole;
    if (isWhole) this.#whole ??= Promise.resolve();
  }

  /**
   * Resolves when the tools of memory and workflows are available, too. The book is opened a second time for them; what
   * runs or is open goes on in the first, which closes after that.
   */
  whole(): Promise<void> {
    this.#whole ??= this.#openWhole().catch((error: unknown) => {
      this.#whole = undefined;
      throw error;
    });
    return this.#whole;
  }

  async #openWhole(): Promise<void> {
    // Download it first.
    await this.#now.web.host.loadFull?.();
    await this.#open(true);
    keep(WHOLE, 'true');
    this.reopened.send();
  }

  /**
   * Read the past of the book, which the core cannot. Then another connection does: what this page changed before stays
   * its own, to undo.
   */
  async past<T>(read: (hornbook: PageHornbook['hornbook']) => Promise<T>): Promise<T> {
    if (this.#isWhole) return read(this.hornbook);
    const reader = await createHornbook({ book: CURRENT, tools: ALL_TOOLS, limits: LIMITS });
    try {
      return await read(reader.hornbook);
    } finally {
      await reader.close();
    }
  }

  /** A notice about how the book was opened, a sentence. */
  get notice(): string | undefined {
    return this.#now.web.notice;
  }

  /** For what the page does with the book besides MCP. */
  get hornbook() {
    return this.#now.web.hornbook;
  }

  /** Do something with the book that `signal` cancels. */
  async cancellable<T>(signal: AbortSignal, work: (cancel: Cancel) => Promise<T>): Promise<T> {
    const cancel = this.hornbook.cancellation();
    const abort = () => cancel.cancel();
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    try {
      return await work(cancel);
    } finally {
      signal.removeEventListener('abort', abort);
      cancel.free();
    }
  }

  /** Where engines run. */
  get host() {
    return this.#now.web.host;
  }

  /** The page's own client. */
  get client(): Client {
    return this.#now.client;
  }

  /** What calls go to now. */
  get connection(): Connection {
    return this.#now;
  }

  /** Connect a separate client, for an agent in this page. */
  agent(name: string): Promise<Client> {
    return connected(this.#now.web, this.traffic, name);
  }

  /** Connect one that changes a draft of its own name, and the book only once the person has accepted that. */
  async agentUnderReview(name: string): Promise<Client> {
    await this.whole();
    const draft = await this.#now.web.draft(name);
    const client = await connected(draft, this.traffic, name);
    client.onclose = () => void draft.close();
    return client;
  }

  /**
   * Call a tool; `signal` cancels it. Rejects if it was cancelled, or on a protocol error. `via` is where a query was
   * begun.
   */
  async call<Name extends Tool, Action extends string = never>(
    name: Name,
    values: ToolValues<Name, Action>,
    signal?: AbortSignal,
    turn: Turn = { what: [name, values.operation ?? values.action].join(' ').trim() },
    via = this.#now,
  ): Promise<ToolResult<Name, Action>> {
    const release = via.hold();
    turn.via = via;
    const result = await this.turns
      .take(turn, () => via.client.callTool({ name, arguments: { ...values } }, { signal, timeout: 2 ** 31 - 1 }))
      .finally(release);
    const { content, structuredContent: data = {}, isError = false } = result;
    const given = { text: textOf(content), data, isError } as ToolResult<Name, Action>;
    for (const notice of given.data.notices ?? []) this.noticed.send(notice);
    return given;
  }

  /** Like {@link call}, but also throws a tool's own error. */
  async ok<Name extends Tool, Action extends string = never>(
    name: Name,
    values: ToolValues<Name, Action>,
  ): Promise<ToolData<Name, Action>> {
    const { text, data, isError } = await this.call(name, values);
    if (!isError) return data;
    // The text of the memory's tools is their data.
    throw new Error(typeof data.error === 'string' ? data.error : text.replace(/^Error: /, ''));
  }
}

/** A client of a book in this page. `person` answers prompts on behalf of the person at the page. */
export async function connected(
  web: PageHornbook,
  traffic: Traffic,
  name: string,
  options?: ConnectOptions,
  person?: (prompt: string) => Promise<string | undefined>,
): Promise<Client> {
  const { port1, port2 } = new MessageChannel();
  web.connect(port1, options);
  const client = new Client(
    { name: `hornbook-${name}`, version: '1' },
    { capabilities: person ? { elicitation: {} } : {} },
  );
  if (person) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const answer = await person(params.message).catch(() => undefined);
      return answer === undefined ? { action: 'cancel' } : { action: 'accept', content: { answer } };
    });
  }
  await client.connect(tapped(new PortTransport(port2), name, traffic));
  return client;
}

export function textOf(content: unknown): string {
  const parts = Array.isArray(content) ? (content as { type: string; text?: string }[]) : [];
  return parts.map(({ text }) => text ?? '').join('\n');
}
