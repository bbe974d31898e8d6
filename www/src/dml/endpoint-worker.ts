/**
 * Asks the one origin that its own address names. Its policy, which comes with this file (`scripts/page.mjs`,
 * `service-worker.js`), lets it reach that origin and no other; the policy of the page lets the page reach none.
 */

export interface Ask {
  id: number;
  /** To be given up. */
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
    // Where no server gives this file a policy, this is all that holds it.
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
