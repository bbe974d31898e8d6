/** Which queries each client has open in a book. */
import type { QueryAnswers, QueryCloseResult, QueryReady, WorkspaceQueries } from '../generated/tools.js';
import { READS, type Rights } from './access.js';
import { once } from './clients.js';
import type { Message } from './message.js';
import { later, type Refusal } from './refusal.js';

/** The part of a pipe that is needed to ask the book. */
interface Asked {
  receive(message: string, rights: Rights): void;
  close(): void;
}

export class OpenQueries {
  readonly #of = new Map<string, Set<string>>();
  /** How many each client is starting. */
  readonly #starting = new Map<string, number>();

  /** @param connect connects to the book */
  constructor(private readonly connect: (send: (message: string) => boolean) => Asked) {}

  /** A client received an answer. */
  note(client: string, { result }: Message): void {
    const told = (result?.structuredContent ?? {}) as Partial<QueryAnswers & QueryReady & QueryCloseResult>;
    const { query_id: id, more, status, type } = told;
    const isOpen = status === 'ready' || more === true;
    const isClosed = type === 'query_close' || more === false;
    if (typeof id !== 'string' || !(isOpen || isClosed)) return;
    const open = this.#of.get(client) ?? new Set();
    if (isOpen) this.#of.set(client, open.add(id));
    else if (open.delete(id) && open.size === 0) this.#of.delete(client);
  }

  /**
   * A client starts a query. Throws if it has as many open ones as it may. Returns the function to call when it has its
   * answer.
   */
  async start(client: string, most: number): Promise<() => void> {
    const count = () => (this.#of.get(client)?.size ?? 0) + (this.#starting.get(client) ?? 0);
    if (count() >= most) {
      // Queries can also end without their client, for example when the engine restarts.
      const there = await this.#listed();
      const open = this.#of.get(client);
      for (const id of open ?? []) if (!there.has(id)) open!.delete(id);
      if (count() >= most) throw tooMany(most);
    }
    this.#starting.set(client, (this.#starting.get(client) ?? 0) + 1);
    return once(() => {
      const left = this.#starting.get(client)! - 1;
      if (left > 0) this.#starting.set(client, left);
      else this.#starting.delete(client);
    });
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
      pipe.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }), READS);
    });
  }
}

const tooMany = (most: number): Refusal =>
  later(429, `This client has ${most} queries open (limit: queries = ${most}). Close some with query_close.`, 1);
