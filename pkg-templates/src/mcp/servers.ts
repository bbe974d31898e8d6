/** Connections to other MCP servers, made when first needed, and again if the server has ended. */
import type { Client } from '@modelcontextprotocol/client';
import { serversOf, type HttpServer, type McpServers, type StdioServer } from './config.js';
import type * as Libraries from './libraries.js';
import { resultOf } from './result.js';

const TIMEOUT_MS = 60_000;
/** The longest message from a server's standard output. */
const MESSAGE_MIB = 10;
/** How much to quote of what a server wrote to standard error before it ended. */
const SAID_CHARS = 500;

/** A tool as a server lists it. */
export interface ServerTool {
  name: string;
  description?: string | undefined;
  inputSchema: { type: 'object'; properties?: Record<string, unknown> };
}

/** A tool for DML programs. */
export interface ProgramTool {
  description?: string;
  parameters: ServerTool['inputSchema'];
  execute(args: Record<string, unknown>, options: { signal: AbortSignal }): Promise<unknown>;
}

/** Servers, and how many users they have. */
interface Shared {
  servers: Map<string, ToolServer>;
  users: number;
}

const shared = new WeakMap<McpServers, Shared>();

/** The servers of a configuration. Users that pass the same object share the servers, which end with the last user. */
export class ToolServers {
  readonly #servers: Map<string, ToolServer>;
  #shared: Shared | undefined;

  /** @throws Error that says what is wrong with the configuration */
  constructor(given: McpServers) {
    let used = shared.get(given);
    if (!used) {
      const servers = Object.entries(serversOf(given, process.env));
      used = { servers: new Map(servers.map(([name, how]) => [name, new ToolServer(name, how)])), users: 0 };
      shared.set(given, used);
    }
    used.users += 1;
    this.#shared = used;
    this.#servers = used.servers;
  }

  get names(): string[] {
    return [...this.#servers.keys()];
  }

  get(name: string): ToolServer | undefined {
    return this.#servers.get(name);
  }

  /**
   * The tools of all servers, under names that DML programs and models can write: `SERVER_TOOL`, with `_` for anything
   * that is not a letter or a digit. Starts all servers.
   *
   * @throws Error if a server cannot be used, or two tools would get the same name
   */
  async programTools(): Promise<Map<string, ProgramTool>> {
    const tools = new Map<string, ProgramTool>();
    const listed = [...this.#servers].map(async ([name, server]) => ({ name, server, own: await server.tools() }));
    for (const { name: server, server: connection, own } of await Promise.all(listed)) {
      for (const { name, description, inputSchema } of own) {
        const word = `${server}_${name}`.replaceAll(/[^A-Za-z0-9_]/g, '_');
        if (tools.has(word)) throw new Error(`Two tools of MCP servers would be ${word}: give a server another name.`);
        tools.set(word, {
          ...(description !== undefined && { description }),
          parameters: inputSchema,
          execute: async (args, options) => resultOf(await connection.callTool({ name, arguments: args }, options)),
        });
      }
    }
    return tools;
  }

  /** Ends the processes that were started. */
  async close(): Promise<void> {
    const used = this.#shared;
    this.#shared = undefined;
    if (!used) return;
    used.users -= 1;
    if (used.users > 0) return;
    await Promise.all([...used.servers.values()].map((server) => server.close()));
  }
}

/** One of the servers. */
export class ToolServer {
  #client: Promise<Client> | undefined;
  /** Those whose servers sent a longer message than can be read, which ended the connection. */
  readonly #flooded = new WeakSet<Client>();
  /** The names of tools that cannot be used, which the user was told. */
  readonly #refused = new Set<unknown>();

  constructor(
    private readonly name: string,
    private readonly how: StdioServer | HttpServer,
  ) {}

  /** @throws Error that says why the server cannot be used, and what to do */
  async listTools(params: { cursor?: string } = {}): Promise<{ tools: ServerTool[]; nextCursor?: string | undefined }> {
    const client = await this.#connected();
    if (!client.getServerCapabilities()?.tools)
      throw new Error(`The MCP server '${this.name}' has no tools: it does not offer the capability tools.`);
    try {
      const request = { method: 'tools/list', params };
      const listed = await client.request(request, AS_IT_COMES, { timeout: this.#timeout });
      const { tools, nextCursor } = listed as { tools?: unknown; nextCursor?: string };
      if (!Array.isArray(tools)) throw new Error('its answer has no list of tools');
      return { tools: tools.filter((tool) => this.#isUsable(tool)), nextCursor };
    } catch (error) {
      throw new Error(`The MCP server '${this.name}' does not list its tools: ${(error as Error).message}`);
    }
  }

  #isUsable(tool: unknown): tool is ServerTool {
    const { name, inputSchema } = (tool ?? {}) as Partial<ServerTool>;
    const usable = typeof name === 'string' && typeof inputSchema === 'object' && inputSchema?.type === 'object';
    if (usable || this.#refused.has(name)) return usable;
    this.#refused.add(name);
    const called = typeof name === 'string' ? `The tool ${name}` : 'A tool without a name';
    console.warn(`${called} of the MCP server '${this.name}' is left out: its inputSchema is not of the type object.`);
    return false;
  }

  async callTool(
    params: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> },
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const client = await this.#connected();
    // The client only asks the server for progress if there is a listener.
    const options = {
      timeout: this.#timeout,
      resetTimeoutOnProgress: true,
      onprogress: () => {},
      ...(signal && { signal }),
    };
    try {
      return await client.callTool(params, options);
    } catch (error) {
      if (!this.#flooded.has(client)) throw error;
      throw new Error(
        `The result of the tool ${params.name} of the MCP server '${this.name}' is longer than ${MESSAGE_MIB} MiB, the most that ` +
          'is read from standard output. Ask it for less, or use the server over HTTP.',
        { cause: error },
      );
    }
  }

  /** All its tools. */
  async tools(): Promise<ServerTool[]> {
    const tools: ServerTool[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.listTools(cursor === undefined ? {} : { cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return tools;
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.then(
      (client) => client.close(),
      () => {},
    );
  }

  get #timeout(): number {
    return this.how.timeout ?? TIMEOUT_MS;
  }

  #connected(): Promise<Client> {
    if (!this.#client) {
      const client = this.#connect();
      this.#client = client;
      const gone = () => {
        if (this.#client === client) this.#client = undefined;
      };
      client.then((client) => (client.onclose = gone), gone);
    }
    return this.#client;
  }

  async #connect(): Promise<Client> {
    const path = './libraries.bundle.js';
    const libraries = (await import(path)) as typeof Libraries;
    if ('url' in this.how) return this.#overHttp(libraries, this.how);
    return this.#started(libraries, this.how);
  }

  async #overHttp(
    { Client, StreamableHTTPClientTransport }: typeof Libraries,
    { url, headers = {} }: HttpServer,
  ): Promise<Client> {
    const client = new Client(ME, { versionNegotiation: { mode: 'auto' } });
    try {
      const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
      await client.connect(transport, { timeout: this.#timeout });
      return client;
    } catch (error) {
      await client.close();
      throw new Error(`The MCP server '${this.name}' at ${url} cannot be reached: ${reason(error)}. Is it running?`);
    }
  }

  async #started(
    { Client, StdioClientTransport }: typeof Libraries,
    { command, args = [], env = {}, cwd }: StdioServer,
  ): Promise<Client> {
    let written = '';
    let why: unknown;
    // A server that only knows the newer revision refuses the older handshake. Asking first which one it knows would
    // start a second process for every server.
    for (const mode of ['legacy', 'auto'] as const) {
      const client = new Client(ME, { versionNegotiation: { mode } });
      const transport = new StdioClientTransport({
        command,
        args,
        env,
        stderr: 'pipe',
        maxBufferSize: MESSAGE_MIB << 20,
        ...(cwd !== undefined && { cwd }),
      });
      client.onerror = ({ message }) => {
        if (message.includes('exceeded maximum size')) this.#flooded.add(client);
      };
      transport.stderr?.on('data', (bytes) => (written = (written + String(bytes)).slice(-SAID_CHARS)));
      try {
        await client.connect(transport, { timeout: this.#timeout });
        return client;
      } catch (error) {
        why = error;
        await client.close();
        if (!isRefusal(error)) break;
      }
    }
    const wrote = written.trim() && ` It wrote: ${written.trim()}`;
    throw new Error(
      `The MCP server '${this.name}' cannot be started: ${reason(why)}.${wrote} Try its command: ${[command, ...args].join(' ')}`,
    );
  }
}

/** Takes a result unchecked: one tool that is not as it should be must not hide the others. */
const AS_IT_COMES = {
  '~standard': { version: 1 as const, vendor: 'hornbook', validate: (value: unknown) => ({ value }) },
};

const ME = { name: 'hornbook', version: '1' };

/** Whether the server has answered, though with an error. */
const isRefusal = (error: unknown): boolean => typeof (error as { code?: unknown }).code === 'number';

/** What went wrong, without the final period. */
function reason(error: unknown): string {
  const { message, cause } = error as Error;
  const deeper = cause instanceof Error && cause.message ? ` (${cause.message})` : '';
  return `${message.replace(/\.$/, '')}${deeper}`;
}
