/** What models have said, kept by what they were asked. */
import type { ModelRequest } from '../generated/dml.js';

/** Where replies are kept: a `Map`, or anything that has its two functions. A key is 64 hexadecimal digits. */
export interface ReplyCache {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, reply: string): unknown;
}

/** Of all that a reply depends on: which model, its messages, its tools, its temperature. */
export async function cacheKey(model: string | undefined, request: ModelRequest): Promise<string> {
  const { messages, tools, temperature = null } = request;
  const asked = JSON.stringify([model ?? '', messages, tools, temperature]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(asked));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
