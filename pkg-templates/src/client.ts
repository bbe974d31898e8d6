/** An MCP client in the same process. */
import type { Hornbook } from './full/hornbook.js';
import type { ToolData, ToolFailed, ToolValues } from './results.js';

/** The result of `tools/call`. */
export interface ToolResult<Name extends string = string, Action extends string = never> {
  text: string;
  /** The same as data; `undefined` if the tool only gives text. */
  structured: ToolData<Name, Action> | ToolFailed<Name> | undefined;
}

interface Reply {
  id: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** What the server needs to know before it answers a request. */
interface InputRequired {
  resultType?: string;
  inputRequests?: Record<string, { method: string; params: { message: string } }>;
  requestState?: string;
}

/** Asks the person running the query: resolves with a line of text, or `undefined` if there is no answer. */
export type AskPerson = (prompt: string) => Promise<string | undefined>;

/** Speaks the stateless revision of the protocol: no handshake. */
export class Client {
  readonly #connection;
  readonly #meta;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #next = 1;

  readonly #person: AskPerson | undefined;

  /**
   * @param name the client's name
   * @param person answers reads from user input; without it the input is at its end
   */
  constructor(hornbook: Hornbook, name: string, person?: AskPerson) {
    this.#person = person;
    this.#connection = hornbook.connect((message) => {
      const reply = JSON.parse(message) as Reply;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    this.#meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': person ? { elicitation: {} } : {},
    };
  }

  /** The client is the host itself: the rules of the book (may_change/2) do not bind it. */
  asHost(): this {
    this.#connection.actsAsHost();
    return this;
  }

  /** The result of a request. Rejects with the message of an error. */
  async request(method: string, params: object): Promise<Record<string, unknown>> {
    let result = await this.#reply(method, params);
    for (;;) {
      const { resultType, inputRequests = {}, requestState } = result as InputRequired;
      if (resultType !== 'input_required') return result;
      const inputResponses: Record<string, object> = {};
      for (const [key, { params }] of Object.entries(inputRequests)) {
        const answer = await this.#person?.(params.message);
        inputResponses[key] = answer === undefined ? { action: 'decline' } : { action: 'accept', content: { answer } };
      }
      result = await this.#reply(method, { ...params, inputResponses, requestState });
    }
  }

  async #reply(method: string, params: object): Promise<Record<string, unknown>> {
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

  /** Call a tool. Errors inside the tool are part of the result. */
  async callTool<Name extends string, Action extends string = never>(
    name: Name,
    values: ToolValues<Name, Action>,
  ): Promise<ToolResult<Name, Action>> {
    const result = await this.request('tools/call', { name, arguments: values });
    const { content, structuredContent } = result as {
      content: { text: string }[];
      structuredContent?: ToolResult<Name, Action>['structured'];
    };
    return { text: content.map(({ text }) => text).join('\n'), structured: structuredContent };
  }

  /** Stop what is running for this client. */
  close(): void {
    this.#connection.close();
  }
}
