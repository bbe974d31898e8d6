/** MCP messages: which texts are messages, and the parts of them that the server looks at. */
import { wrongName } from '../client-name.js';
import { Refusal } from './refusal.js';

const MODERN = '2026-07-28';
/** The revision that has batches. */
export const BATCHES = '2025-03-26';
const LEGACY = [BATCHES, '2025-06-18', '2025-11-25'];
const META = 'io.modelcontextprotocol/';

/** The JSON-RPC codes that the server itself uses. */
const PARSE_ERROR = -32700;
const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;

/** How deep a message may nest; the books read no deeper. */
const DEPTH = 127;
/** How many values a message may consist of: the time that parsing takes grows with them more than with its length. */
const VALUES = 200_000;
/** How many characters an id may have. */
const ID_CHARS = 1_000;

export type Id = string | number | null;

export interface Message {
  id?: Id;
  method?: string;
  params?: unknown;
  result?: {
    resultType?: string;
    requestState?: string;
    structuredContent?: unknown;
    taskId?: unknown;
    task?: { taskId?: unknown };
    protocolVersion?: unknown;
  };
  error?: { code: number };
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as text, if it is one; cut to `most` characters. */
export const textOf = (value: unknown, most: number): string | undefined =>
  typeof value === 'string' ? value.slice(0, most) : undefined;

/** The parameters of a message; none if they are no object, which its book reports. */
export const paramsOf = ({ params }: Message): Fields => (isObject(params) ? params : {});

/** The `_meta` of a message. */
export const metaOf = (message: Message): Fields => {
  const { _meta } = paramsOf(message);
  return isObject(_meta) ? _meta : {};
};

/** A text, and the message or the messages of a batch that it is. */
export interface Parsed {
  text: string;
  parsed: Message | Message[];
}

/** Parse a body. Refuses whatever is no message, before anything else is done with it. */
export function parse(body: Buffer): Parsed {
  measure(body);
  const text = body.toString();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `Parse error: ${(error as Error).message.slice(0, 200)}`, {}, PARSE_ERROR);
  }
  for (const message of Array.isArray(parsed) ? parsed : [parsed]) check(message);
  return { text, parsed: parsed as Message | Message[] };
}

/** Check how deep a JSON text nests, and how many values it has. */
function measure(body: Buffer): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case 0x22: // "
        for (at = body.indexOf(0x22, at + 1); at > 0 && isEscaped(body, at); ) at = body.indexOf(0x22, at + 1);
        if (at < 0) return;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > DEPTH) throw new Refusal(400, `The message nests deeper than ${DEPTH} levels`);
        values++;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
        values++;
    }
    if (values > VALUES)
      throw new Refusal(413, `The message has more than ${VALUES} values. Send its parts one by one.`);
  }
}

/** Whether an odd number of backslashes is before this position. */
function isEscaped(body: Buffer, at: number): boolean {
  let from = at;
  while (body[from - 1] === 0x5c) from--;
  return (at - from) % 2 === 1;
}

function check(message: unknown): void {
  if (!isObject(message)) throw new Refusal(400, 'A JSON-RPC message must be an object');
  const { id, method } = message;
  if (method !== undefined && typeof method !== 'string') throw new Refusal(400, '"method" must be a string');
  // The answer to an error may have the id null.
  if (id === undefined || (id === null && method === undefined)) return;
  if (typeof id === 'number' ? !Number.isFinite(id) : !isIdText(id))
    throw new Refusal(400, `"id" must be a number, or a string of at most ${ID_CHARS} characters`);
}

/** Half a surrogate pair cannot be answered. */
const isIdText = (id: unknown): boolean =>
  typeof id === 'string' && id.length <= ID_CHARS && !/\p{Surrogate}/u.test(id);

/** A JSON-RPC error, as text. */
export const failure = (id: Id | undefined, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

export const isRequest = (message: Message): boolean => message.method !== undefined && message.id !== undefined;

/** Whether a request belongs to a revision without sessions. */
export const isModern = (version: string | undefined, message: Message): boolean =>
  isModernVersion(version) || Object.keys(metaOf(message)).some((key) => key.startsWith(META));

export const isModernVersion = (version: string | undefined): boolean =>
  version !== undefined && !LEGACY.includes(version);

/** The client's name in a modern request, or in `initialize`. Refuses one that cannot be seen as it is. */
export function clientName(message: Message): string | undefined {
  const about = metaOf(message)[`${META}clientInfo`] ?? paramsOf(message).clientInfo;
  if (!isObject(about) || typeof about.name !== 'string') return undefined;
  const why = about.name === '' ? undefined : wrongName(about.name);
  if (why !== undefined) throw new Refusal(400, `clientInfo: ${why}`, {}, INVALID_PARAMS);
  return textOf(about.name, 100);
}

/** Check that the headers of a modern request repeat parts of its body. */
export function checkHeaders(header: (name: string) => string | undefined, message: Message): void {
  const { method } = message;
  const { _meta, name: named, uri } = paramsOf(message);
  // Without metadata nothing would mark the request as a modern one.
  if (!isObject(_meta)) throw new Refusal(400, `_meta must have the fields of revision ${MODERN}`, {}, INVALID_PARAMS);
  const name =
    method === 'tools/call' || method === 'prompts/get' ? named : method === 'resources/read' ? uri : undefined;
  const version = _meta[`${META}protocolVersion`];
  const expected: [string, unknown][] = [['mcp-method', method]];
  if (version !== undefined) expected.push(['mcp-protocol-version', version]);
  if (name !== undefined) expected.push(['mcp-name', name]);
  for (const [field, value] of expected) {
    if (decoded(header(field)) === value) continue;
    const what = textOf(value, 200);
    const message = what === undefined ? `${field} is for a string` : `${field} must be ${what}`;
    throw new Refusal(400, `Header mismatch: ${message}`, {}, HEADER_MISMATCH);
  }
}

/** Decode a header value: one that is not valid as it is comes as `=?base64?…?=`. */
function decoded(value: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '') ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** The id of the task that an answer says was begun. */
export function taskOf({ result }: Message): string | undefined {
  const id = result?.resultType === 'task' ? result.taskId : result?.task?.taskId;
  return typeof id === 'string' ? id : undefined;
}

/** The HTTP status for a modern answer. */
export function statusOf({ error }: Message): number {
  if (!error) return 200;
  if (error.code === -32601) return 404;
  const isClients =
    [-32602, -32600, PARSE_ERROR].includes(error.code) || (error.code >= -32022 && error.code <= -32020);
  return isClients ? 400 : 200;
}
