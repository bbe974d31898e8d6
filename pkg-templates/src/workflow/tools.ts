/** Tools as actions of a workflow: those of a book, and those of other MCP servers. */
import { Client as OwnClient } from '../client.js';
import type { Hornbook, NameUse } from '../full/hornbook.js';
import { resultOf } from '../mcp/result.js';
import type { ToolServers } from '../mcp/servers.js';
import type { Action } from './options.js';

/**
 * The part of a client from `@modelcontextprotocol/client`, or of the `Client` of `@modelcontextprotocol/sdk`, that is
 * used.
 */
export interface ToolClient {
  /** A page of the tools that the server has. */
  listTools(params?: { cursor?: string }): Promise<{ tools: { name: string }[]; nextCursor?: string | undefined }>;
  /** Call one of them. */
  callTool(params: {
    name: string;
    arguments?: Record<string, unknown>;
    _meta?: Record<string, unknown>;
  }): Promise<unknown>;
}

/** The `_meta` field of a call that holds the key of the attempt. */
const KEY = 'hornbook/idempotency-key';

/**
 * The tools of an MCP server as actions, `SERVER.TOOL`. The parameters of a node are the tool's arguments; its result
 * is the structured content, or else the text. A tool that fails throws. The server gets the key of the attempt in
 * `_meta["hornbook/idempotency-key"]`.
 *
 * @param client of the official package, connected; its owner closes it
 */
export async function clientActions(server: string, client: ToolClient): Promise<Record<string, Action>> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return actions(names, `${server}.`, (name, values, key) =>
    client.callTool({ name, arguments: values, _meta: { [KEY]: key } }),
  );
}

/** The tools that a book was opened with, including the memory's, as actions with the same names. */
export async function bookActions(book: Hornbook): Promise<Record<string, Action>> {
  const client = new OwnClient(book, 'hornbook-workflow');
  const { tools } = (await client.request('tools/list', {})) as { tools: { name: string }[] };
  return actions(
    tools.map(({ name }) => name),
    '',
    (name, values) => client.request('tools/call', { name, arguments: values }),
  );
}

/**
 * The tools of other servers that a workflow uses, as actions. A server that it does not use is not started.
 *
 * @throws Error with `line` and `column` if one cannot be used
 */
export async function serverActions(servers: ToolServers, uses: NameUse[]): Promise<Record<string, Action>> {
  const found: Record<string, Action> = {};
  for (const name of servers.names) {
    const first = uses.find((use) => use.name.startsWith(`${name}.`));
    if (!first) continue;
    const { line, column } = first;
    const own = await clientActions(name, servers.get(name)!).catch((error: Error) => {
      throw Object.assign(new Error(`line ${line}, column ${column}: ${error.message}`), { line, column });
    });
    Object.assign(found, own);
  }
  return found;
}

function actions(
  names: string[],
  prefix: string,
  call: (name: string, values: Record<string, unknown>, key: string) => Promise<unknown>,
): Record<string, Action> {
  const action = (name: string): Action => {
    return async (params: Record<string, unknown>, { key }) => resultOf(await call(name, params, key));
  };
  return Object.fromEntries(names.map((name) => [prefix + name, action(name)]));
}
