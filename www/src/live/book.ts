/** A book that is watched: this page's copy of it, which follows what happens to it elsewhere. */
import type { Client } from '@modelcontextprotocol/client';
import type { Past } from '../../../pkg/generated/hornbook.js';
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import type { ToolData } from '../../../pkg/results.js';
import { type PageHornbook, createHornbook } from '../../../pkg/web.js';
import { Signal } from '../dom.ts';
import type { Watches } from '../queries/pinned.ts';
import { LIMITS, SNAPSHOT, connected } from '../session.ts';
import { Traffic } from '../traffic.ts';
import type { Source } from './source.ts';

/** How many revisions are asked for at once; of what follows a change, fewer. */
const REVISIONS = 1000;
const NEW_REVISIONS = 100;
/** How many clauses are shown. */
const ENTRIES = 3000;
/** Changes that come this soon after each other are drawn together, in milliseconds. */
const TOGETHER_MS = 100;

export class LiveBook {
  /** It has changed, or may have. */
  readonly changed = new Signal();
  #timer: number | undefined;
  /** All revisions that are known, newest first: none of them ever changes. */
  #revisions: RevisionInfo[] = [];

  private constructor(
    readonly source: Source,
    private readonly web: PageHornbook,
    private readonly client: Client,
  ) {}

  /** Rejects with a sentence; also once the signal is aborted, which closes the source. */
  static async open(source: Source, signal?: AbortSignal): Promise<LiveBook> {
    const { store } = source;
    let book: LiveBook | undefined;
    // Each part of the log that is read may hold revisions, also of what is no clause.
    const read = store.read.bind(store);
    store.read = async (from, count) => {
      book?.changes();
      return read(from, count);
    };
    // Only the whole crate knows the past.
    const web = await createHornbook({ book: store, tools: ['prolog', 'memory'], limits: LIMITS });
    if (signal?.aborted) {
      await web.close();
      signal.throwIfAborted();
    }
    const client = await connected(web, new Traffic(), 'watch', { replyTokens: 1e9, host: true });
    book = new LiveBook(source, web, client);
    const opened = book;
    client.setNotificationHandler('notifications/resources/updated', () => opened.changes());
    await client.subscribeResource({ uri: SNAPSHOT });
    return book;
  }

  /** Tell those who listen, soon: however fast changes come, the first is not put off by the next. */
  changes(): void {
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined;
      this.changed.send();
    }, TOGETHER_MS);
  }

  /** All revisions, newest first, and the number of the last one that is forgotten. */
  async history(): Promise<{ revisions: RevisionInfo[]; last: number; oldest: number }> {
    const known = this.#revisions[0]?.revision ?? 0;
    const came: RevisionInfo[] = [];
    const steps = known > 0 ? NEW_REVISIONS : REVISIONS;
    const { revision: last, older } = await this.#page(came, steps);
    const reached = () => (came.at(-1)?.revision ?? last + 1) - 1;
    const oldest = reached() - older;
    while (reached() > Math.max(known, oldest)) await this.#page(came, steps, reached());
    const others = this.#revisions.filter(({ revision }) => revision <= reached());
    this.#revisions = [...came, ...others].filter(({ revision }) => revision > oldest);
    return { revisions: this.#revisions, last, oldest };
  }

  async #page(found: RevisionInfo[], steps: number, to?: number): Promise<ToolData<'workspace', 'history'>> {
    const { structuredContent } = await this.client.callTool({
      name: 'workspace',
      arguments: { operation: 'history', steps, ...(to !== undefined && { to }) },
    });
    const page = structuredContent as ToolData<'workspace', 'history'>;
    found.push(...page.revisions);
    return page;
  }

  /** Rejects if another book is in the place of this one by now. */
  async check(): Promise<void> {
    await this.past(undefined, 1);
  }

  /** The book after a revision, or as it is now: its newest clauses. Rejects as {@link check}. */
  async past(revision: number | undefined, most = ENTRIES): Promise<Past> {
    try {
      return await this.web.hornbook.past(revision, most);
    } catch (error) {
      if ((error as { kind?: string }).kind === 'storage_error')
        this.source.end(`Another book is at ${this.source.place} by now, so watching this one has ended.`);
      throw error;
    }
  }

  /** Watch a goal, as it is now. */
  readonly watches: Watches = (goal, take) => {
    const watch = this.web.hornbook.watch(goal, take);
    return () => watch.free();
  };

  async close(): Promise<void> {
    window.clearTimeout(this.#timer);
    await this.web.close();
    await this.source.close();
  }
}

/** Who made a revision: the name of the client, without the id of its connection. */
export function whoMade({ by }: RevisionInfo): string {
  const [, name] = /^(?:hornbook-)?(.+) \([0-9a-f]+\)$/.exec(by ?? '') ?? [];
  return name ?? 'somebody';
}
