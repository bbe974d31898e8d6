/** Which hosts and origins requests may name, so that a page of another site cannot reach a server on this machine. */
import { isIP } from 'node:net';
import type { Exchange } from './exchange.js';
import { Refusal } from './refusal.js';

/** How long a browser may cache a preflight response, in seconds. */
const PREFLIGHT_SECONDS = 600;

/** Response headers that a page may read. */
const EXPOSED =
  'Mcp-Session-Id, WWW-Authenticate, Retry-After, ETag, Location, Stream-Next-Offset, Stream-Up-To-Date, Stream-Cursor, Hornbook-Scope';

export class Guard {
  readonly #hosts: Set<string>;
  readonly #origins: Set<string>;

  /**
   * @param origins whose pages may use the server
   * @param hosts names of the server besides `localhost`
   */
  constructor(origins: string[], hosts: string[]) {
    this.#origins = new Set(origins);
    this.#hosts = new Set(['localhost', ...hosts]);
  }

  /** Refuse requests that use another host name (DNS rebinding) or come from a page that is not allowed. */
  check(exchange: Exchange): void {
    const host = exchange.header('host') ?? '';
    const name = host.replace(/:\d+$/, '').toLowerCase();
    // An IP address is not a name that somebody could point here.
    const isAddress = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
    if (!isAddress && !this.#hosts.has(name))
      throw new Refusal(403, `This server is not known as ${name || 'nothing'}; --public-url tells its name`);
    const origin = exchange.header('origin');
    if (origin !== undefined && !this.#allows(origin, host))
      throw new Refusal(403, `Pages from ${origin} may not use this server; --origin ${origin} allows them`);
  }

  /** Tell the browser that a page of this origin may read the response. */
  allow(exchange: Exchange): void {
    const origin = exchange.header('origin');
    if (origin === undefined) return;
    const { response } = exchange;
    response.setHeader('Vary', 'Origin');
    if (!this.#origins.has(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  }

  /** Answer a preflight request. */
  preflight(exchange: Exchange): void {
    exchange.send(204, undefined, {
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
      'Access-Control-Allow-Headers': exchange.header('access-control-request-headers') ?? '',
      'Access-Control-Allow-Private-Network': 'true',
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    });
  }

  /** The server's own pages are allowed without being listed. */
  #allows(origin: string, host: string): boolean {
    return this.#origins.has(origin) || origin === `http://${host}` || origin === `https://${host}`;
  }
}
