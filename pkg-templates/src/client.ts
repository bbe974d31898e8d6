/** A client in the same process. */
import type { Hornbook } from './full/hornbook.js';
import type { ToolArguments } from './generated/tools.js';

/** A result of `tools/call`. */
export interface ToolResult {
  text: string;
  structured: Record<string, unknown> | undefined;
}

interface Reply {
  id: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** Speaks the stateless revision of the protocol: no handshake. */
export class Client {
  readonly #connection;
  readonly #meta;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #next = 1;

  /** @param name what the client calls itself */
  constructor(hornbook: Hornbook, name: string) {
    this.#connection = hornbook.connect((message) => {
      const reply = JSON.parse(message) as Reply;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    this.#meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
  }

  /** The result of a request; rejects with the message of an error. */
  async request(method: string, params: object): Promise<Record<string, unknown>> {
    const id = this.#next++;
    const { result, error } = await new Promise<Reply>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#connection.receive(
        JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: this.#meta } }),
      );
    });
    if (!result) throw new Error(error!.message);
    return result;
  }

  /** Call a tool; what goes wrong inside it is told in the result. */
  async callTool<Name extends string>(
    name: Name,
    values: Name extends keyof ToolArguments ? ToolArguments[Name] : Record<string, unknown>,
  ): Promise<ToolResult> {
    const result = await this.request('tools/call', { name, arguments: values });
    const { content, structuredContent } = result as {
      content: { text: string }[];
      structuredContent?: Record<string, unknown>;
    };
    return { text: content.map(({ text }) => text).join('\n'), structured: structuredContent };
  }

  /** Stop what runs for it. */
  close(): void {
    this.#connection.close();
  }
}
