/** The host's side of engine workers, in Node and on the web. */
import { EngineDeath } from './death.js';
import type { EngineImage, Program } from './engine.js';
import type { FromEngine, ToEngine } from './worker.js';

/** A worker as its host sees it, implemented for Node and for the web. */
export interface EngineWorker {
  post(message: ToEngine, transfer?: ArrayBuffer[]): void;
  /** Terminate it at once. */
  end(): void;
  /** How long it has been active, in milliseconds, if known. */
  readonly activeMs?: number;
}

/**
 * Starts a worker that runs `serveEngine`. `failed` is called when the worker itself breaks or ends. `first` tells whether
 * it is for the first engine of a book.
 */
export type StartWorker = (
  take: (message: FromEngine) => void,
  failed: (death: EngineDeath) => void,
  first: boolean,
) => EngineWorker;

/**
 * A host's version of {@link EngineImage}: `memory` resolves with what {@link EngineHandle.save} returned, a new copy
 * each time.
 */
export interface Parts extends Omit<EngineImage, 'program'> {
  program: { memory: () => Promise<Uint8Array<ArrayBuffer>> } | Exclude<Program, { memory: Uint8Array }>;
}

interface Waiting {
  resolve(message: FromEngine): void;
  reject(death: EngineDeath): void;
}

/** An engine in a worker of its own. It handles requests in order; the first one that it cannot answer is its end. */
export class EngineHandle {
  readonly #worker: EngineWorker;
  readonly #waiting: Waiting[] = [];
  #death: EngineDeath | undefined;
  #bytes = 0;

  /** Resolves when the engine accepts requests. */
  readonly ready: Promise<void>;

  /**
   * Start an engine. The worker comes up while its parts are loaded.
   *
   * @param log receives what Prolog writes outside queries
   * @param first whether it is the first engine of a book
   */
  constructor(start: StartWorker, parts: Parts | Promise<Parts>, log: (text: string) => void, first: boolean) {
    this.#worker = start(
      (message) => {
        if ('log' in message) log(message.log);
        else if ('death' in message) this.#die(new EngineDeath(message.death, message.reason));
        else this.#waiting.shift()?.resolve(message);
      },
      (death) => this.#die(death),
      first,
    );
    this.ready = this.#boot(parts);
  }

  async #boot(parts: Parts | Promise<Parts>): Promise<void> {
    try {
      const { program, ...rest } = await parts;
      if ('memory' in program) {
        const memory = await program.memory();
        await this.#send({ ...rest, program: { memory } }, [memory.buffer]);
      } else await this.#send({ ...rest, program });
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** The reply to one request. Rejects with an {@link EngineDeath} if the engine dies first. */
  async request(text: string): Promise<string> {
    const { reply, bytes } = (await this.#send(text)) as { reply: string; bytes: number };
    this.#bytes = bytes;
    return reply;
  }

  /** The engine's memory with everything it has loaded, from which other engines can start. */
  async save(): Promise<Uint8Array<ArrayBuffer>> {
    return ((await this.#send({ save: true })) as { state: Uint8Array<ArrayBuffer> }).state;
  }

  /** Whether it has died or was ended. */
  get isDead(): boolean {
    return this.#death !== undefined;
  }

  /** Bytes of its memory as of the last reply. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How long it has been active, in milliseconds, as far as known. */
  get activeMs(): number {
    return this.#worker.activeMs ?? 0;
  }

  /** End the engine at once. Requests that wait for a reply are rejected. */
  end(): void {
    this.#die(new EngineDeath('ended', 'ended'));
  }

  #send(message: ToEngine, transfer?: ArrayBuffer[]): Promise<FromEngine> {
    return new Promise((resolve, reject) => {
      if (this.#death !== undefined) return reject(this.#death);
      this.#waiting.push({ resolve, reject });
      this.#worker.post(message, transfer);
    });
  }

  #die(death: EngineDeath): void {
    if (this.#death !== undefined) return;
    this.#death = death;
    this.#worker.end();
    for (const { reject } of this.#waiting.splice(0)) reject(death);
  }
}

/** A host's engines, all made from the same parts, which are loaded when the first engine is requested. */
export class Engines {
  #started: EngineHandle[] = [];
  /** How long engines that are gone were active, in milliseconds. */
  #activeBefore = 0;
  #closed = false;
  #parts: Promise<Parts> | undefined;
  #ahead: Promise<EngineHandle> | undefined;

  /** @param log receives what Prolog writes outside queries */
  constructor(
    private readonly start: StartWorker,
    private readonly load: () => Promise<Parts>,
    private readonly log: (text: string) => void,
  ) {}

  /** Start the first engine before it is requested, so that it comes up while everything else loads. */
  startAhead(): void {
    this.#ahead = this.#start(true);
    // The caller of `spawn` reports the error.
    this.#ahead.catch(() => {});
  }

  /**
   * Start an engine. Resolves when it accepts requests. Parts that failed to load are loaded again.
   *
   * @param first whether it is the first engine of a book
   */
  spawn(first: boolean): Promise<EngineHandle> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead ?? this.#start(first);
  }

  async #start(first: boolean): Promise<EngineHandle> {
    if (this.#closed) throw new Error('the host is closed');
    this.#parts ??= this.load();
    const parts = this.#parts;
    parts.catch(() => (this.#parts = undefined));
    const engine = new EngineHandle(this.start, parts, this.log, first);
    for (const { isDead, activeMs } of this.#started) if (isDead) this.#activeBefore += activeMs;
    this.#started = [...this.#started.filter(({ isDead }) => !isDead), engine];
    await engine.ready;
    return engine;
  }

  /** How long all engines together have been active, in milliseconds. */
  get activeMs(): number {
    return this.#started.reduce((sum, { activeMs }) => sum + activeMs, this.#activeBefore);
  }

  /** End all engines, and start no more. */
  close(): void {
    this.#closed = true;
    for (const engine of this.#started) engine.end();
    this.#started = [];
  }
}
