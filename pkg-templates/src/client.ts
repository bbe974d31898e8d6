/** A client in the same process, for the commands of `hornbook` that use its tools. */
import type { Hornbook } from './core/hornbook.js';

/** A result of `tools/call`. */
export interface ToolResult {
  text: string;
  structured: Record<string, unknown> | undefined;
}

interface Reply {
  id: number;
  result?: { content: { text: string }[]; structuredContent?: Record<string, unknown> };
  error?: { message: string };
}

/** Speaks the stateless revision of the protocol: no handshake. */
export class Client {
  readonly #connection;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #next = 1;

  constructor(hornbook: Hornbook) {
    this.#connection = hornbook.connect((message) => {
      const reply = JSON.parse(message) as Reply;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
  }

  /** Call a tool; what goes wrong inside it is told in the result. */
  async callTool(name: string, values: Record<string, unknown>): Promise<ToolResult> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'hornbook ask', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const id = this.#next++;
    const { result, error } = await new Promise<Reply>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#connection.receive(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: values, _meta } }));
    });
    if (!result) throw new Error(error!.message);
    return { text: result.content.map(({ text }) => text).join('\n'), structured: result.structuredContent };
  }
}
