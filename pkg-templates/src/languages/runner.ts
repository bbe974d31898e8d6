/** The host's end of a worker that runs code of nodes. */
import type { CodeRunner } from '../workflow/options.js';
import type { CodeRequest, FromLanguage } from './serve.js';

/** A worker, whatever it is one of. */
export interface LanguageWorker {
  post(request: CodeRequest): void;
  end(): void;
  /** Whether somebody waits for it: one that nobody waits for keeps no process. */
  awaited?(is: boolean): void;
}

/** Starts one. `failed` is told why it cannot go on, in a sentence. */
export type StartLanguage = (take: (message: FromLanguage) => void, failed: (why: string) => void) => LanguageWorker;

/** Runs code one after the other in a worker, which is started when it is needed, and ended when code runs too long. */
export class WorkerRunner implements CodeRunner {
  #worker: LanguageWorker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Who waits for the next message. */
  #waiting: { take(message: FromLanguage): void; failed(why: string): void } | undefined;

  constructor(
    private readonly start: StartLanguage,
    private readonly language: string,
  ) {}

  run(code: string, given: string, timeoutMs: number): Promise<string> {
    const result = this.#last.then(() => this.#run({ code, given }, timeoutMs));
    this.#last = result.catch(() => {});
    return result;
  }

  close(): void {
    this.#worker?.end();
    this.#worker = undefined;
    this.#waiting?.failed(`The worker of ${this.language} has ended.`);
  }

  async #run(request: CodeRequest, timeoutMs: number): Promise<string> {
    const worker = this.#worker ?? (await this.#started());
    worker.awaited?.(true);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`${this.language} execution timeout: the code ran longer than ${timeoutMs / 1000} s.`);
        reject(Object.assign(error, { kind: 'timeout' }));
        this.close();
      }, timeoutMs);
    });
    try {
      const answer = this.#answer();
      worker.post(request);
      return await Promise.race([late, answer]);
    } finally {
      clearTimeout(timer);
      worker.awaited?.(false);
    }
  }

  async #started(): Promise<LanguageWorker> {
    const ready = this.#answer();
    // One that was ended may still tell something.
    const worker = this.start(
      (message) => worker === this.#worker && this.#waiting?.take(message),
      (why) => {
        if (worker !== this.#worker) return;
        this.#worker = undefined;
        this.#waiting?.failed(`${this.language} could not go on: ${why}`);
      },
    );
    this.#worker = worker;
    try {
      await ready;
    } catch (error) {
      this.close();
      throw error;
    }
    return worker;
  }

  /** The next message of the worker. */
  #answer(): Promise<string> {
    return new Promise<string>((resolve, reject) => {
      this.#waiting = {
        take: (message) =>
          'failed' in message ? reject(new Error(message.failed)) : resolve('done' in message ? message.done : ''),
        failed: (why) => reject(new Error(why)),
      };
    });
  }
}
