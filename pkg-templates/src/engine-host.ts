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

  /** Resolves when the engine takes requests. */
  readonly ready: Promise<void>;

  /**
   * Start an engine; the worker comes up while the image is loaded.
   *
   * @param log takes what Prolog writes outside of queries
   */
  constructor(start: StartWorker, image: EngineImage | Promise<EngineImage>, log: (text: string) => void) {
    this.#worker = start(
      (message) => {
        if (typeof message === 'string') this.#waiting.shift()?.resolve(message);
        else if ('log' in message) log(message.log);
        else if ('death' in message) this.#die(message.death);
        else this.#waiting.shift()?.resolve(message);
      },
      (reason) => this.#die(reason),
    );
    this.ready = this.#boot(image);
  }

  async #boot(image: EngineImage | Promise<EngineImage>): Promise<void> {
    try {
      await this.#send(await image);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** The reply to one request. Rejects with the reason in plain words when the engine dies first. */
  request(text: string): Promise<string> {
    return this.#send(text) as Promise<string>;
  }

  /** The engine with all that it has loaded, as a state from which others boot. */
  async save(): Promise<Uint8Array> {
    return ((await this.#send({ save: true })) as { state: Uint8Array }).state;
  }

  /** Whether it has died or was ended. */
  get gone(): boolean {
    return this.#gone !== undefined;
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
