/** Which queries each client has open in a book. */
import type { QueryAnswers, WorkspaceQueries } from '../generated/tools.js';
import type { Message } from './message.js';
import { later, type Refusal } from './refusal.js';

/** The part of a pipe that is needed to ask the book. */
interface Asked {
  receive(message: string): void;
  close(): void;
}

export class OpenQueries {
  readonly #of = new Map<string, Set<string>>();

  /** @param connect connects to the book */
  constructor(private readonly connect: (send: (message: string) => boolean) => Asked) {}

  /** A client received an answer. */
  note(client: string, { result }: Message): void {
    const { query_id: id, more } = (result?.structuredContent ?? {}) as Partial<QueryAnswers>;
    if (typeof id !== 'string' || typeof more !== 'boolean') return;
    const open = this.#of.get(client) ?? new Set();
    if (more) this.#of.set(client, open.add(id));
    else if (open.delete(id) && open.size === 0) this.#of.delete(client);
  }

  /** Throws if a client has as many open queries as it may. */
  async check(client: string, most: number): Promise<void> {
    const open = this.#of.get(client);
    if (!open || open.size < most) return;
    // Queries can also end without their client, for example when the engine restarts.
    const there = await this.#listed();
    for (const id of open) if (!there.has(id)) open.delete(id);
    if (open.size < most) return;
    throw tooMany(most);
  }

  #listed(): Promise<Set<string>> {
    return new Promise((resolve) => {
      const pipe = this.connect((text) => {
        const { result } = JSON.parse(text) as Message;
        const { queries = [] } = (result?.structuredContent ?? {}) as Partial<WorkspaceQueries>;
        resolve(new Set(queries.map(({ query_id }) => query_id)));
        setImmediate(() => pipe.close());
        return true;
      });
      const params = { name: 'workspace', arguments: { operation: 'list_queries' } };
      pipe.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    });
  }
}

const tooMany = (most: number): Refusal =>
  later(429, `This client has ${most} queries open (limit: queries = ${most}). Close some with query_close.`, 1);
