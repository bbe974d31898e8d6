/** Requests to one other origin, which the person has typed. The page's own policy lets it reach none. */
import type { Ask, Told } from './endpoint-worker.ts';
import workerUrl from './endpoint-worker.ts?worker&url';

/** Statuses of responses without a body. */
const EMPTY = [204, 205, 304];

/** Reaches one origin, through a worker that can reach only that. */
export class Reach {
  #worker: Worker | undefined;
  #count = 0;

  constructor(readonly origin: string) {}

  /** As the function of this name. Rejects with a `TypeError` if the origin cannot be reached. */
  readonly fetch: typeof fetch = async (input, init = {}) => {
    const { method, signal, keepalive } = init;
    // A stream or a form is never sent here.
    const body = init.body instanceof Uint8Array ? new Blob([init.body as BlobPart]) : init.body;
    const headers = Object.fromEntries(new Headers(init.headers));
    return this.#ask(
      { url: String(input), method, headers, body: (body ?? undefined) as Ask['body'], keepalive },
      signal,
    );
  };

  /** Whether something answers there, even if it does not let this page in. */
  async isThere(path: string): Promise<boolean> {
    return this.#ask({ url: this.origin + path, blind: true }, AbortSignal.timeout(5000)).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.#worker?.terminate();
  }

  #ask(ask: Omit<Ask, 'id'>, signal?: AbortSignal | null): Promise<Response> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const address = `${workerUrl}?origin=${encodeURIComponent(this.origin)}`;
      this.#worker ??= new Worker(address, { type: 'module' });
      const worker = this.#worker;
      const id = ++this.#count;
      let body: ReadableStreamDefaultController<Uint8Array> | undefined;
      const over = () => {
        worker.removeEventListener('message', heard);
        worker.removeEventListener('error', broken);
        signal?.removeEventListener('abort', stop);
      };
      const fail = (error: unknown) => {
        over();
        reject(error);
        body?.error(error);
        body = undefined;
      };
      const stop = () => {
        worker.postMessage({ id, stop: true } satisfies Ask);
        fail(signal?.reason ?? new DOMException('The answer is no longer wanted.', 'AbortError'));
      };
      const heard = ({ data }: MessageEvent<Told>) => {
        if (data.id !== id) return;
        if (data.error !== undefined) return fail(new TypeError(data.error));
        if (data.part) body?.enqueue(data.part);
        if (data.end) {
          over();
          body?.close();
        }
        if (data.status === undefined) return;
        const stream = new ReadableStream<Uint8Array>({
          start: (controller) => {
            body = controller;
          },
          cancel: () => {
            body = undefined;
            stop();
          },
        });
        // That of an answer which the page may not read is 0.
        const status = data.status || 204;
        resolve(new Response(EMPTY.includes(status) ? null : stream, { status, headers: data.headers }));
      };
      const broken = () => fail(new TypeError('its worker did not start: reload the page'));
      worker.addEventListener('message', heard);
      worker.addEventListener('error', broken);
      signal?.addEventListener('abort', stop);
      worker.postMessage({ id, ...ask } satisfies Ask);
    });
  }
}
