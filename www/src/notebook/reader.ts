/** Reads notebooks in a worker, for a limited time. */
import { sentence } from '../dom.ts';
import { startReader } from './start.ts';
import type { Read } from './text.ts';

/** How long reading a text may take, in milliseconds; a book of 300 pages takes a tenth of that. */
const LIMIT_MS = 5000;

export class Reader {
  #worker: Promise<Worker> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** Read a text, after those before it. Never rejects. */
  read(text: string): Promise<Read> {
    const read = this.#turn.then(() => this.#read(text)).catch((error: unknown) => ({ fault: sentence(error) }));
    this.#turn = read;
    return read;
  }

  async #read(text: string): Promise<Read> {
    this.#worker ??= started();
    const worker = await this.#worker;
    return new Promise((resolve) => {
      const stop = setTimeout(() => {
        worker.terminate();
        this.#worker = undefined;
        resolve({ fault: `Reading it as Markdown takes longer than ${LIMIT_MS / 1000} seconds.` });
      }, LIMIT_MS);
      worker.onmessage = ({ data }: MessageEvent<Read>) => {
        clearTimeout(stop);
        resolve(data);
      };
      worker.postMessage(text);
    });
  }
}

/** Resolves when the worker is loaded, so that loading does not count. */
function started(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = startReader();
    worker.onmessage = () => resolve(worker);
    worker.onerror = () => reject(new Error('The reader of Markdown could not be loaded.'));
  });
}
