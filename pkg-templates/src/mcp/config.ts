/**
 * The configuration of other MCP servers, as in MCP hosts: `{"mcpServers": {NAME: {command, args, env} | {url,
 * headers}}}`.
 */

/** A server that runs as a process of its own, on standard input and output. */
export interface StdioServer {
  /** The program. */
  command: string;
  /** Its arguments. Default: none. */
  args?: string[];
  /** In addition to a few variables that every program needs, such as `PATH`. Default: none. */
  env?: Record<string, string>;
  /** Where it runs. Default: the current directory. */
  cwd?: string;
  /** How long its start, or a call without progress, may take, in milliseconds. Default: 60,000. */
  timeout?: number;
}

/** A server over streamable HTTP. */
export interface HttpServer {
  /** Its address. */
  url: string;
  /** Sent with each request, such as `Authorization`. Default: none. */
  headers?: Record<string, string>;
  /** How long connecting, or a call without progress, may take, in milliseconds. Default: 60,000. */
  timeout?: number;
}

/** Servers by name. `${NAME}` and `${NAME:-default}` in a string are replaced by environment variables. */
export type McpServers = Record<string, StdioServer | HttpServer>;

type Variables = Record<string, string | undefined>;

/**
 * The servers of a configuration, without those that have `disabled: true`. Keys that only other hosts know are
 * ignored.
 *
 * @param given the value of `mcpServers`
 * @throws Error that names the server and the problem
 */
export function serversOf(given: unknown, variables: Variables): McpServers {
  const servers: McpServers = {};
  for (const [name, server] of Object.entries(record(given, 'mcpServers'))) {
    const what = `the MCP server '${name}'`;
    const entry = record(server, what);
    if (entry.disabled === true) continue;
    const text = (key: string) => expanded(string(entry[key], `${key} of ${what}`), what, variables);
    const texts = (key: string) =>
      Object.fromEntries(
        Object.entries(record(entry[key] ?? {}, `${key} of ${what}`)).map(([name, value]) => [
          name,
          expanded(string(value, `${name} in ${key} of ${what}`), what, variables),
        ]),
      );
    const { timeout } = entry;
    if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
      throw new Error(`timeout of ${what} must be a number of milliseconds above 0`);
    if (entry.command !== undefined) {
      const args = entry.args ?? [];
      if (!Array.isArray(args)) throw new Error(`args of ${what} must be an array of texts`);
      servers[name] = {
        command: text('command'),
        args: args.map((arg) => expanded(string(arg, `each of args of ${what}`), what, variables)),
        env: texts('env'),
        ...(entry.cwd !== undefined && { cwd: text('cwd') }),
        ...(timeout !== undefined && { timeout }),
      };
    } else if (entry.url !== undefined) {
      if (entry.type === 'sse')
        throw new Error(`${what} has the type sse, which is no more: give the URL of its streamable HTTP`);
      const url = text('url');
      if (!(/^https?:/.test(url) && URL.canParse(url))) throw new Error(`url of ${what} is no URL: ${url}`);
      servers[name] = { url, headers: texts('headers'), ...(timeout !== undefined && { timeout }) };
    } else throw new Error(`${what} needs a command, or a url`);
  }
  return servers;
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} must be an object`);
  return value as Record<string, unknown>;
}

function string(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new Error(`${what} must be a text`);
  return value;
}

function expanded(text: string, what: string, variables: Variables): string {
  return text.replace(/\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/g, (_, name: string, otherwise: string | undefined) => {
    const value = variables[name] ?? otherwise;
    if (value === undefined) throw new Error(`${what} needs the variable ${name} in the environment`);
    return value;
  });
}
