/** Runs the JavaScript of nodes in a worker, one after the other. */
import type { CodeRunner } from '../../../pkg/workflow.js';

type Told = { done: string } | { failed: string };

export class JavaScript implements CodeRunner {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  run(code: string, given: string, timeoutMs: number): Promise<string> {
    const result = this.#last.then(() => this.#run(code, given, timeoutMs));
    this.#last = result.catch(() => {});
    return result;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #run(code: string, given: string, timeoutMs: number): Promise<string> {
    this.#worker ??= new Worker(new URL('./javascript-worker.ts', import.meta.url), {
      type: 'module',
      name: 'JavaScript of a workflow',
    });
    const worker = this.#worker;
    return new Promise<string>((resolve, reject) => {
      const fail = (message: string, kind?: string) => {
        this.close();
        reject(Object.assign(new Error(message), { kind }));
      };
      const timer = setTimeout(
        () => fail(`JavaScript execution timeout: the code ran longer than ${timeoutMs / 1000} s.`, 'timeout'),
        timeoutMs,
      );
      worker.onmessage = ({ data }: MessageEvent<Told>) => {
        clearTimeout(timer);
        if ('done' in data) resolve(data.done);
        else reject(new Error(data.failed));
      };
      worker.onerror = ({ message }) => {
        clearTimeout(timer);
        fail(`JavaScript could not go on: ${message}`);
      };
      worker.postMessage({ code, given });
    });
  }
}
