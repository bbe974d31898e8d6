/** `--mcp FILE`: other MCP servers, in the format that MCP hosts use. */
import type { McpServers } from '../mcp/config.js';
import { text } from './text.js';
import { UsageError } from './usage.js';

/** The servers that a file lists under `mcpServers` or, as VS Code does, under `servers`. */
export async function mcpServersOf(file: string | undefined): Promise<McpServers | undefined> {
  if (file === undefined) return undefined;
  let config: { mcpServers?: McpServers; servers?: McpServers } | null;
  try {
    config = JSON.parse(await text(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--mcp: ${file} is not JSON: ${(error as Error).message}`);
  }
  const servers = config?.mcpServers ?? config?.servers;
  if (servers === undefined)
    throw new UsageError(`--mcp: ${file} names no servers: {"mcpServers": {NAME: {"command": …, "args": […]}}}`);
  return servers;
}
