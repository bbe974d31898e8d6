/** Answers of addresses that the host named. */
import type { Json } from './answer.js';

/** An address that goals may ask. */
export class Address {
  readonly #base: URL;
  readonly #path: string;
  readonly #query: string;

  /**
   * @param what names it in errors
   * @throws TypeError if it cannot be used
   */
  constructor(
    url: string,
    path: unknown,
    columns: string[],
    private readonly headers: Record<string, string>,
    what: string,
  ) {
    if (typeof path !== 'string' || !path.startsWith('/') || /[#\\\s]/.test(path))
      throw new TypeError(`${what} needs a path that begins with a slash, as '/prices/{item}'`);
    this.#base = new URL(url);
    const [route, ...query] = path.split('?');
    this.#path = this.#base.pathname.replace(/\/$/, '') + route;
    this.#query = [this.#base.search.slice(1), query.join('?')].filter((part) => part !== '').join('&');
    const fixed = new URLSearchParams(this.#query);
    for (const column of columns)
      if (fixed.has(column)) throw new TypeError(`${what} has a column ${column}, which its address sets`);
  }

  /**
   * What the address answers, as JSON or as text. What is known takes its place in the path, or is a parameter of the query; it
   * leads to no other place, and neither does a redirection.
   */
  async got(given: Record<string, Json>, most: number, signal: AbortSignal): Promise<unknown> {
    let response: Response;
    const at = this.#at(given);
    try {
      response = await fetch(at, { headers: this.headers, redirect: 'error', signal });
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

  #at(given: Record<string, Json>): URL {
    const rest = new Map(Object.entries(given));
    const filled = (text: string) =>
      text.replace(/\{([^{}]+)\}/g, (_, column: string) => {
        const value = String(given[column] ?? '');
        rest.delete(column);
        if (/^\.{0,2}$/.test(value)) throw new Error(`'${value}' is no part of an address, as ${column} is`);
        return encodeURIComponent(value);
      });
    const path = filled(this.#path);
    const query = filled(this.#query);
    const at = new URL(`${this.#base.origin}${path}${query && `?${query}`}`);
    for (const [column, value] of rest) at.searchParams.append(column, String(value));
    // Whatever an address may mean, it is one below the url, with as many parts as its path.
    const parts = (text: string) => text.split('/').length;
    if (at.origin !== this.#base.origin || parts(at.pathname) !== parts(this.#path))
      throw new Error('what is known would lead to another address');
    return at;
  }
}
