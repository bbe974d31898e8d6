/** The servers that a program was given. */
import { forNode } from '../host.js';
import type { McpServers } from './config.js';
import type { ToolServers } from './servers.js';

export type { ToolServers };

/** @throws Error in a page, or if the configuration is invalid */
export async function toolServers(given: McpServers | undefined): Promise<ToolServers | undefined> {
  if (given === undefined) return undefined;
  if (typeof process === 'undefined' || !process.versions?.node)
    throw new Error('mcpServers: a page starts no servers; connect a client to them, and give its tools');
  const { ToolServers } = (await forNode('./mcp/servers.js')) as typeof import('./servers.js');
  return new ToolServers(given);
}
