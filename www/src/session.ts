/** Hornbook in this page, and the MCP client through which the page uses it. */
import { Client } from '@modelcontextprotocol/client';
import { PortTransport, createHornbook, type PageHornbook } from '../../pkg/web.js';
import { Signal, sentence } from './dom.ts';
import { type Traffic, tapped } from './traffic.ts';
import { Turns, type Turn } from './turns.ts';

/** What a tool gave back. */
export interface ToolResult {
  text: string;
  data: Record<string, unknown>;
  isError: boolean;
}

export interface Loading {
  loaded: number;
  total: number;
}

/** The name under which the browser keeps the book. */
export const BOOK = 'playground';
/** More queries than an agent would have, longer answers and replies: a page shows them all, or their begin. */
const LIMITS = { open_queries: 100, answer_chars: 2_000_000, output_chars: 1_000_000, reply_tokens: 1e9 };

const SNAPSHOT = 'prolog://workspace/snapshot';

export class Session {
  /** The clauses of the book changed, whoever did it. */
  readonly changed = new Signal();
  /** What waits for the engine. */
  readonly turns = new Turns();
  /** What the server told beside an answer. */
  readonly noticed = new Signal<string>();

  private constructor(
    readonly web: PageHornbook,
    readonly traffic: Traffic,
    readonly client: Client,
    /** Why the book is in memory only and is gone with the page, a part of a sentence; undefined where the browser keeps it. */
    readonly unkept: string | undefined,
  ) {}

  /** The book that the browser keeps; where it gives none, an empty one in memory. */
  static async open(traffic: Traffic, progress: (loading: Loading) => void): Promise<Session> {
    const open = (book?: string) =>
      createHornbook({
        book,
        limits: LIMITS,
        progress: (loaded, total) => progress({ loaded, total }),
      });
    let unkept: string | undefined;
    const web = await open(BOOK).catch((error: unknown) => {
      unkept = sentence(error).replace(/\.$/, '');
      return open();
    });
    const client = await connected(web, traffic, 'page');
    const session = new Session(web, traffic, client, unkept);
    client.setNotificationHandler('notifications/resources/updated', () => session.changed.send());
    await client.subscribeResource({ uri: SNAPSHOT });
    return session;
  }

  get readOnly(): boolean {
    return this.web.readOnly;
  }

  /** What the page asks of the book beside MCP. */
  get hornbook() {
    return this.web.hornbook;
  }

  /** A client of its own, for an agent in this page. */
  agent(name: string): Promise<Client> {
    return connected(this.web, this.traffic, name);
  }

  /** Call a tool; `signal` cancels it. Rejects when it was cancelled, or on a fault of the protocol. */
  async call(
    name: string,
    values: Record<string, unknown> = {},
    signal?: AbortSignal,
    turn: Turn = { what: `${name} ${values.operation ?? ''}`.trim() },
  ): Promise<ToolResult> {
    const result = await this.turns.take(turn, () =>
      this.client.callTool({ name, arguments: values }, { signal, timeout: 2 ** 31 - 1 }),
    );
    const data = (result.structuredContent ?? {}) as Record<string, unknown>;
    for (const notice of (data.notices as string[] | undefined) ?? []) this.noticed.send(notice);
    return { text: textOf(result.content), data, isError: result.isError === true };
  }

  /** As {@link call}; a tool's own error is thrown, too. */
  async ok(name: string, values: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { text, data, isError } = await this.call(name, values);
    if (isError) throw new Error(text.replace(/^Error: /, ''));
    return data;
  }
}

async function connected(web: PageHornbook, traffic: Traffic, name: string): Promise<Client> {
  const { port1, port2 } = new MessageChannel();
  web.connect(port1);
  const client = new Client({ name: `hornbook-${name}`, version: '1' });
  await client.connect(tapped(new PortTransport(port2), name, traffic));
  return client;
}

export function textOf(content: unknown): string {
  const parts = Array.isArray(content) ? (content as { type: string; text?: string }[]) : [];
  return parts.map(({ text }) => text ?? '').join('\n');
}
