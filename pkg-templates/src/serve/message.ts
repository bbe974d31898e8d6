/** The parts of MCP messages that the server looks at. */
import { Refusal } from './refusal.js';

export const MODERN = '2026-07-28';
export const LEGACY = ['2025-03-26', '2025-06-18', '2025-11-25'];
const META = 'io.modelcontextprotocol/';

/** The JSON-RPC codes that the server itself uses. */
const PARSE_ERROR = -32700;
const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;

export type Id = string | number | null;

export interface Message {
  id?: Id;
  method?: string;
  params?: {
    name?: unknown;
    uri?: unknown;
    requestState?: unknown;
    arguments?: Record<string, unknown>;
    _meta?: Record<string, unknown>;
    [name: string]: unknown;
  };
  result?: { resultType?: string; requestState?: string; structuredContent?: unknown };
  error?: { code: number };
}

/** A message, or the messages of a batch. */
export function parse(text: string): Message | Message[] {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `Parse error: ${(error as Error).message}`, {}, PARSE_ERROR);
  }
  if (typeof message !== 'object' || message === null) throw new Refusal(400, 'A message of JSON-RPC is an object');
  return message;
}

/** A JSON-RPC error, as text. */
export const failure = (id: Id | undefined, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

export const isRequest = (message: Message): boolean => message.method !== undefined && message.id !== undefined;

/** Whether a request belongs to a revision without sessions. */
export function isModern(version: string | undefined, { params }: Message): boolean {
  const keys = params?._meta && typeof params._meta === 'object' ? Object.keys(params._meta) : [];
  return keys.some((key) => key.startsWith(META)) || (version !== undefined && !LEGACY.includes(version));
}

/** The client's name in a modern request. */
export function clientName({ params }: Message): string | undefined {
  const about = params?._meta?.[`${META}clientInfo`] as { name?: unknown } | undefined;
  return typeof about?.name === 'string' ? about.name.slice(0, 100) : undefined;
}

/** Check that the headers of a modern request repeat parts of its body. */
export function checkHeaders(header: (name: string) => string | undefined, message: Message): void {
  const { method, params } = message;
  // Without metadata nothing would mark the request as a modern one.
  if (params?._meta === undefined)
    throw new Refusal(400, `_meta must have the fields of revision ${MODERN}`, {}, INVALID_PARAMS);
  const name =
    method === 'tools/call' || method === 'prompts/get'
      ? params.name
      : method === 'resources/read'
        ? params.uri
        : undefined;
  const version = params._meta[`${META}protocolVersion`];
  const expected: [string, unknown][] = [['mcp-method', method]];
  if (version !== undefined) expected.push(['mcp-protocol-version', version]);
  if (name !== undefined) expected.push(['mcp-name', name]);
  for (const [field, value] of expected) {
    if (decoded(header(field)) !== value)
      throw new Refusal(400, `Header mismatch: ${field} must be ${String(value)}`, {}, HEADER_MISMATCH);
  }
}

/** Decode a header value: one that is not valid as it is comes as `=?base64?…?=`. */
function decoded(value: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '') ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** The HTTP status for a modern answer. */
export function statusOf({ error }: Message): number {
  if (!error) return 200;
  if (error.code === -32601) return 404;
  const isClients =
    [-32602, -32600, PARSE_ERROR].includes(error.code) || (error.code >= -32022 && error.code <= -32020);
  return isClients ? 400 : 200;
}
