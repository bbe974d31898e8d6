/** The host's end of engine workers, in Node and on the web. */
import type { EngineImage } from './engine.js';
import type { FromEngine, ToEngine } from './engine-worker.js';

/** A worker as its host sees it; Node and the web each have their own. */
export interface EngineWorker {
  post(message: ToEngine): void;
  /** End it at once. */
  end(): void;
}

/** Starts a worker that runs `serveEngine`. `failed` is called when the worker itself breaks. */
export type StartWorker = (take: (message: FromEngine) => void, failed: (reason: string) => void) => EngineWorker;

interface Waiting {
  resolve(message: FromEngine): void;
  reject(reason: Error): void;
}

/** An engine in a worker of its own. It handles requests in order, and is gone after the first that it cannot answer. */
export class EngineHandle {
  readonly #worker: EngineWorker;
  readonly #waiting: Waiting[] = [];
  #gone: string | undefined;

  private constructor(start: StartWorker, log: (text: string) => void) {
    const take = (message: FromEngine) => {
      if (typeof message === 'string') this.#waiting.shift()?.resolve(message);
      else if ('log' in message) log(message.log);
      else if ('death' in message) this.#die(message.death);
      else this.#waiting.shift()?.resolve(message);
    };
    this.#worker = start(take, (reason) => this.#die(reason));
  }

  /**
   * Start an engine; the worker comes up while the image is loaded. Resolves when it takes requests.
   *
   * @param log takes what Prolog writes outside of queries
   */
  static async spawn(
    start: StartWorker,
    image: EngineImage | Promise<EngineImage>,
    log: (text: string) => void,
  ): Promise<EngineHandle> {
    const engine = new EngineHandle(start, log);
    try {
      await engine.#send(await image);
    } catch (error) {
      engine.end();
      throw error;
    }
    return engine;
  }

  /** The reply to one request. Rejects with the reason in plain words when the engine dies first. */
  request(text: string): Promise<string> {
    return this.#send(text) as Promise<string>;
  }

  /** The engine with all that it has loaded, as a state from which others boot. */
  async save(): Promise<Uint8Array> {
    return ((await this.#send({ save: true })) as { state: Uint8Array }).state;
  }

  /** End the engine at once; what waits for a reply is rejected. */
  end(): void {
    this.#die('ended');
  }

  #send(message: ToEngine): Promise<FromEngine> {
    return new Promise((resolve, reject) => {
      if (this.#gone !== undefined) return reject(new Error(this.#gone));
      this.#waiting.push({ resolve, reject });
      this.#worker.post(message);
    });
  }

  #die(reason: string): void {
    if (this.#gone !== undefined) return;
    this.#gone = reason;
    this.#worker.end();
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(reason));
  }
}
