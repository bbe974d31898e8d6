/**
 * Calls the one origin named in its own address. The policy that this file is served with (`scripts/page.mjs`,
 * `service-worker.js`) allows that origin and no other; the page's own policy allows none.
 */

export interface Ask {
  id: number;
  /** Cancel the request. */
  stop?: true;
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Blob;
  /** The request goes on when the page is gone. */
  keepalive?: boolean;
  /** Only find out whether something answers, even if it does not let the page read the answer. */
  blind?: true;
}

/** First the status, then the parts of the body, then the end; or an error. */
export interface Told {
  id: number;
  status?: number;
  headers?: [string, string][];
  part?: Uint8Array<ArrayBuffer>;
  end?: true;
  error?: string;
}

const scope = self as unknown as { postMessage(message: Told): void; location: Location };
const origin = new URL(scope.location.href).searchParams.get('origin');
const running = new Map<number, AbortController>();

addEventListener('message', ({ data }: MessageEvent<Ask>) => {
  if (data.stop) running.get(data.id)?.abort();
  else void ask(data);
});

async function ask({ id, url = '', method = 'GET', headers, body, keepalive, blind }: Ask): Promise<void> {
  const control = new AbortController();
  running.set(id, control);
  try {
    // If no server sends a policy with this file, this is the only check.
    if (origin === null || new URL(url).origin !== origin) throw new Error(`${url} is not of ${origin}`);
    const response = await fetch(url, {
      method,
      headers,
      body,
      keepalive,
      signal: control.signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      // A POST is not cached, and with this mode Chromium asks anew before each whether it may be sent, which takes too long
      // for the last one of a page.
      cache: method === 'POST' ? 'default' : 'no-store',
      // A request in this mode has to follow redirects; the policy holds for these, too.
      ...(blind ? { mode: 'no-cors' } : { redirect: 'error' }),
    });
    scope.postMessage({ id, status: response.status, headers: [...response.headers] });
    const reader = blind ? undefined : response.body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader!.read())
      scope.postMessage({ id, part: read.value });
    scope.postMessage({ id, end: true });
  } catch (error) {
    scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}
