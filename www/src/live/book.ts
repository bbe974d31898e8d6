/** A book that is watched: this page's copy of it, which follows what happens to it elsewhere. */
import type { Client } from '@modelcontextprotocol/client';
import type { Past } from '../../../pkg/generated/hornbook.js';
import type { RevisionInfo } from '../../../pkg/generated/tools.js';
import type { ToolData } from '../../../pkg/results.js';
import { type PageHornbook, createHornbook } from '../../../pkg/web.js';
import { Signal } from '../dom.ts';
import { LIMITS, SNAPSHOT, connected } from '../session.ts';
import { Traffic } from '../traffic.ts';
import type { Source } from './source.ts';

/** How many of the latest revisions are shown. */
const REVISIONS = 500;
/** How many clauses are shown. */
const ENTRIES = 3000;
/** Changes that come this soon after each other are drawn together, in milliseconds. */
const TOGETHER_MS = 60;

export class LiveBook {
  /** It has changed, or may have. */
  readonly changed = new Signal();
  #timer: number | undefined;

  private constructor(
    readonly source: Source,
    private readonly web: PageHornbook,
    private readonly client: Client,
  ) {}

  /** Rejects with a sentence. */
  static async open(source: Source): Promise<LiveBook> {
    const { store } = source;
    let book: LiveBook | undefined;
    // Each part of the log that is read may hold revisions, also of what is no clause.
    const read = store.read.bind(store);
    store.read = async (from, count) => {
      book?.changes();
      return read(from, count);
    };
    const web = await createHornbook({ book: store, limits: LIMITS });
    const client = await connected(web, new Traffic(), 'watch', { replyTokens: 1e9, host: true });
    book = new LiveBook(source, web, client);
    const opened = book;
    client.setNotificationHandler('notifications/resources/updated', () => opened.changes());
    await client.subscribeResource({ uri: SNAPSHOT });
    return book;
  }

  /** Tell those who listen, soon. */
  changes(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.changed.send(), TOGETHER_MS);
  }

  /** The latest revisions, newest first, and the number of the last one that is forgotten. */
  async history(): Promise<{ revisions: RevisionInfo[]; last: number; oldest: number }> {
    const { structuredContent } = await this.client.callTool({
      name: 'workspace',
      arguments: { operation: 'history', steps: REVISIONS },
    });
    const { revisions, revision } = structuredContent as ToolData<'workspace', 'history'>;
    return { revisions, last: revision, oldest: (revisions.at(-1)?.revision ?? revision + 1) - 1 };
  }

  /** The book after a revision, or as it is now. */
  past(revision: number | undefined): Promise<Past> {
    return this.web.hornbook.past(revision, ENTRIES);
  }

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
