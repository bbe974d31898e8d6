/** A cache of model replies, keyed by the request. */
import type { ModelRequest } from '../generated/dml.js';

/** Where replies are stored: a `Map`, or anything with its `get` and `set`. A key is 64 hexadecimal digits. */
export interface ReplyCache {
  /** The reply that was stored under a key, if any. */
  get(key: string): string | undefined | Promise<string | undefined>;
  /** Store a reply. */
  set(key: string, reply: string): unknown;
}

/** A hash of everything a reply depends on: the model, its messages, its tools, its settings. */
export async function cacheKey(model: string | undefined, request: ModelRequest): Promise<string> {
  const { messages, tools, temperature = null, maxOutputTokens, topP } = request;
  const settings = maxOutputTokens === undefined && topP === undefined ? [] : [maxOutputTokens ?? null, topP ?? null];
  const asked = JSON.stringify([model ?? '', messages, tools, temperature, ...settings]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(asked));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
