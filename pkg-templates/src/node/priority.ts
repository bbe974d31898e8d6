/**
 * The priorities of engines in worker threads: while one works long for a request it gets what the others leave. Only Linux
 * has priorities of threads.
 */
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** What an engine's worker is started with. */
export interface Start {
  /** Whether it is to work at a lower priority than the process. */
  lower: boolean;
}

/** A thread, and its priority. */
export interface Thread {
  thread: number;
  priority: number;
}

/** By how much lower an engine begins: it gets a third of what a thread of the process gets that needs the same core. */
const LOWER = 5;
/** The lowest priority there is. */
const LOWEST = 19;
/** An engine that has worked for so long has the lowest until it answers, in milliseconds. */
const LONG_MS = 250;

/** Lower this thread. Returns it if it can be lowered further and raised again, for which a process needs a permission. */
export function lowered(): Thread | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    const priority = Math.min(LOWEST, getPriority() + LOWER);
    setPriority(thread, priority);
    // Where it may not be raised, it stays at that.
    setPriority(thread, priority - 1);
    setPriority(thread, priority);
    return { thread, priority };
  } catch {
    return undefined;
  }
}

/** Lowers an engine's thread further while it works long. */
export class Priority {
  /** Its thread, once it has told it. */
  thread: Thread | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLowest = false;

  /** It has begun to work for a request. */
  begin(): void {
    this.#timer ??= setTimeout(() => this.#set(true), LONG_MS).unref();
  }

  /** It has answered all that it was asked. */
  end(): void {
    this.forget();
    if (this.#isLowest) this.#set(false);
  }

  /** It is gone. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #set(isLowest: boolean): void {
    if (!this.thread) return;
    try {
      setPriority(this.thread.thread, isLowest ? LOWEST : this.thread.priority);
      this.#isLowest = isLowest;
    } catch {
      // It has just ended.
    }
  }
}
