/** Engines in Node: their parts from this package's files, in workers of `node:worker_threads`. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gunzip } from 'node:zlib';
import { EngineDeath } from '../engine/death.js';
import type { EngineWorker, Parts } from '../engine/host.js';
import type { FromEngine } from '../engine/worker.js';
import { endWorker } from './ending.js';
import { Priority, type Start, type Thread } from './priority.js';

/** In MiB. Enough for terms nested some ten thousand levels deep; `engine/engine.ts` sets the matching C stack. */
const STACK_MIB = 16;

/**
 * In MiB, for JavaScript's young generation: an engine allocates little there, and a larger one would only fill up with
 * garbage.
 */
const YOUNG_MIB = 4;

/** Load the engine parts shipped with this package, or substitute another program. */
export async function loadParts(program?: Parts['program']): Promise<Parts> {
  const [wasm, chosen] = await Promise.all([
    bytes('../swipl/swipl.wasm').then((code) => WebAssembly.compile(code)),
    program ?? bytes('../swipl/hornbook.state').then((state) => ({ memory: () => inflated(state) })),
  ]);
  return { wasm, program: chosen };
}

/**
 * Start a worker with an empty environment and none of the process's options or standard streams. It keeps the process
 * alive only while it has something to do; so nothing reads the worker's streams.
 *
 * @param lower whether it is to work at a lower priority, which is the lowest while it works long for a request
 */
export function startWorker(
  take: (message: FromEngine) => void,
  failed: (death: EngineDeath) => void,
  lower: boolean,
): EngineWorker {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    name: 'hornbook engine',
    env: {},
    execArgv: [],
    workerData: { lower } satisfies Start,
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { stackSizeMb: STACK_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  const priority = new Priority();
  let unanswered = 0;
  let activeMs = 0;
  const active = () => Math.max(activeMs, activeNow(worker));
  worker.on('message', (message: FromEngine | Thread) => {
    if ('thread' in message) {
      priority.thread = message;
      return;
    }
    if (!('log' in message)) {
      unanswered -= 1;
      if (unanswered === 0) {
        priority.end();
        worker.unref();
      }
    }
    take(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    failed(new EngineDeath(memory ? 'memory' : 'failed', memory ? 'out of memory' : error.message));
  });
  worker.on('exit', () => failed(new EngineDeath('ended', 'ended')));
  return {
    post(message, transfer) {
      unanswered += 1;
      if (unanswered === 1) worker.ref();
      if (lower) priority.begin();
      worker.postMessage(message, transfer);
    },
    end() {
      priority.forget();
      activeMs = active();
      endWorker(worker);
    },
    get activeMs() {
      activeMs = active();
      return activeMs;
    },
  };
}

/** For how long a worker has been active, in milliseconds; 0 if it has ended, or the runtime cannot tell. */
function activeNow(worker: Worker): number {
  // Bun writes a warning when the property is read, and Deno's has no such function.
  if (process.versions.bun || typeof worker.performance?.eventLoopUtilization !== 'function') return 0;
  return worker.performance.eventLoopUtilization().active;
}

/**
 * Decompress straight into a buffer of its own, which can be transferred. The last four bytes of gzip data are its
 * length.
 */
async function inflated(packed: ArrayBuffer): Promise<Uint8Array<ArrayBuffer>> {
  const length = new DataView(packed).getUint32(packed.byteLength - 4, true);
  const { buffer, byteOffset, byteLength } = await promisify(gunzip)(packed, { chunkSize: length + 1 });
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

async function bytes(path: string): Promise<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = await readFile(new URL(path, import.meta.url));
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
