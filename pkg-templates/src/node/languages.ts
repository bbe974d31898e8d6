/** Python, Lua and JavaScript for nodes, in Node: each in a worker of its own, when its package is installed. */
import { Worker } from 'node:worker_threads';
import type { CodeRunner, LoadOptions } from '../workflow.js';

/** The languages whose packages are there. Nothing of them is loaded before it is needed. */
export function installed(): NonNullable<LoadOptions['languages']> {
  const languages: NonNullable<LoadOptions['languages']> = {};
  if (isInstalled('pyodide')) languages.python = () => new WorkerRunner('./worker-python.js', 'Python');
  if (isInstalled('wasmoon')) languages.lua = () => new WorkerRunner('./worker-lua.js', 'Lua');
  if (isInstalled('quickjs-emscripten'))
    languages.javascript = () => new WorkerRunner('./worker-javascript.js', 'JavaScript');
  return languages;
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** What a worker of a language is told, and what it tells: first that it is ready. */
export interface CodeRequest {
  code: string;
  given: string;
}

export type FromLanguage = { ready: true } | { done: string } | { failed: string };

/** Runs code one after the other in a worker, which is ended when code runs too long. */
class WorkerRunner implements CodeRunner {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly file: string,
    private readonly language: string,
  ) {}

  run(code: string, given: string, timeoutMs: number): Promise<string> {
    const result = this.#last.then(() => this.#run({ code, given }, timeoutMs));
    this.#last = result.catch(() => {});
    return result;
  }

  close(): void {
    this.#end();
  }

  async #run(request: CodeRequest, timeoutMs: number): Promise<string> {
    const worker = this.#worker ?? (await this.#start());
    worker.ref();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#end();
        const error = new Error(`${this.language} execution timeout: the code ran longer than ${timeoutMs / 1000} s.`);
        reject(Object.assign(error, { kind: 'timeout' }));
      }, timeoutMs);
    });
    try {
      const answer = answerOf(worker, this.language);
      worker.postMessage(request);
      return await Promise.race([late, answer]);
    } finally {
      clearTimeout(timer);
      worker.unref();
    }
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(new URL(this.file, import.meta.url), {
      name: `hornbook ${this.language}`,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    this.#worker = worker;
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    await answerOf(worker, this.language);
    return worker;
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** The next message of a worker. */
function answerOf(worker: Worker, language: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      for (const [event, take] of takers) worker.off(event, take);
      act();
    };
    // biome-ignore lint/suspicious/noExplicitAny: each takes what its own event gives
    const takers: [string, (given: any) => void][] = [
      [
        'message',
        (message: FromLanguage) =>
          settle(() =>
            'failed' in message ? reject(new Error(message.failed)) : resolve('done' in message ? message.done : ''),
          ),
      ],
      ['error', (error: Error) => settle(() => reject(new Error(`${language} could not go on: ${error.message}`)))],
      ['exit', () => settle(() => reject(new Error(`The worker of ${language} has ended.`)))],
    ];
    for (const [event, take] of takers) worker.on(event, take);
  });
}
