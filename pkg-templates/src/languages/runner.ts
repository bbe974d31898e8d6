/** The host's side of a worker that runs code of nodes. */
import { LONGEST_TIMER_MS } from '../book/arguments.js';
import type { CodeRunner } from '../workflow/options.js';
import type { CodeRequest, FromLanguage } from './serve.js';

/** A worker of any platform. */
export interface LanguageWorker {
  post(request: CodeRequest): void;
  end(): void;
  /** Tells the worker whether anybody waits for it; otherwise it must not keep the process alive. */
  awaited?(is: boolean): void;
}

/** Starts a worker. `failed` is called with the reason, a sentence, if it cannot go on. */
export type StartLanguage = (take: (message: FromLanguage) => void, failed: (why: string) => void) => LanguageWorker;

/**
 * Runs code in a worker, one piece at a time. The worker starts when it is first needed, and is ended when code runs
 * too long.
 */
export class WorkerRunner implements CodeRunner {
  #worker: LanguageWorker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** The consumer of the next message. */
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
      timer = setTimeout(
        () => {
          const error = new Error(
            `${this.language} execution timeout: the code ran longer than ${timeoutMs / 1000} s.`,
          );
          reject(Object.assign(error, { kind: 'timeout' }));
          this.close();
        },
        Math.min(timeoutMs, LONGEST_TIMER_MS),
      );
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
    // A worker that was ended may still send something.
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

  /** The next message from the worker. */
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
