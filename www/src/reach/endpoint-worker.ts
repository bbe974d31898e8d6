/**
 * Calls the one origin named in its own address. The policy that this file is served with (`scripts/page.mjs`,
 * `service-worker.js`) allows that origin and no other; the page's own policy allows none.
 */

export interface Ask {
  id: number;
  /** Cancel the request. */
  stop?: true;
  url?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Told {
  id: number;
  status?: number;
  text?: string;
  error?: string;
}

const scope = self as unknown as { postMessage(message: Told): void; location: Location };
const origin = new URL(scope.location.href).searchParams.get('origin');
const running = new Map<number, AbortController>();

addEventListener('message', ({ data }: MessageEvent<Ask>) => {
  if (data.stop) running.get(data.id)?.abort();
  else void ask(data);
});

async function ask({ id, url = '', headers, body }: Ask): Promise<void> {
  const control = new AbortController();
  running.set(id, control);
  try {
    // If no server sends a policy with this file, this is the only check.
    if (origin === null || new URL(url).origin !== origin) throw new Error(`${url} is not of ${origin}`);
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: control.signal,
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
    scope.postMessage({ id, status: response.status, text: await response.text() });
  } catch (error) {
    scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}
