/** Answers of addresses that the host named. */
import type { Json } from './answer.js';

/** An address, and what is sent with it. */
interface Address {
  url: string;
  path: string;
  headers: Record<string, string>;
}

/**
 * What an address answers, as JSON or as text. What is known takes its place in the path, or is a parameter of the query; it
 * leads to no other place, and neither does a redirection.
 */
export async function got(
  { url, path, headers }: Address,
  given: Record<string, Json>,
  most: number,
  signal: AbortSignal,
): Promise<unknown> {
  const rest = new Map(Object.entries(given));
  const filled = path.replace(/\{([^{}]+)\}/g, (_, column: string) => {
    const value = String(rest.get(column) ?? '');
    rest.delete(column);
    if (/^\.{0,2}$/.test(value)) throw new Error(`'${value}' is no part of an address, as ${column} is`);
    return encodeURIComponent(value);
  });
  const at = new URL(url.replace(/\/$/, '') + filled);
  for (const [column, value] of rest) at.searchParams.append(column, String(value));
  let response: Response;
  try {
    response = await fetch(at, { headers, redirect: 'error', signal });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Error(`it cannot be reached: ${cause instanceof Error ? cause.message || message : message}`);
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`it answers ${`${response.status} ${response.statusText}`.trim()}`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > most) throw new Error(`its answer has more than ${most} bytes (limit: data_answer_bytes)`);
    parts.push(part);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
}
