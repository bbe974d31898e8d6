/** Engines in Node: their parts from the files of this package, and workers of `node:worker_threads`. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gunzip } from 'node:zlib';
import { EngineDeath } from '../engine/death.js';
import type { Parts, StartWorker } from '../engine/host.js';
import type { FromEngine } from '../engine/worker.js';
import { endWorker } from './ending.js';

/** In MiB. Enough for terms nested some ten thousand levels deep; `engine/engine.ts` has the C stack that goes with it. */
const STACK_MIB = 16;

/** In MiB, of JavaScript's young objects: an engine makes few, and more room would only fill with the dead. */
const YOUNG_MIB = 4;

/** Those of this package, or with another program. */
export async function loadParts(program?: Parts['program']): Promise<Parts> {
  const [wasm, chosen] = await Promise.all([
    bytes('../swipl/swipl.wasm').then((code) => WebAssembly.compile(code)),
    program ?? bytes('../swipl/hornbook.state').then((state) => ({ memory: () => inflated(state) })),
  ]);
  return { wasm, program: chosen };
}

/**
 * A worker without environment, options and standard streams of the process. The process lives while the worker has
 * something to do, and need not wait for one that is idle; so nothing reads the worker's streams.
 */
export const startWorker: StartWorker = (take, failed) => {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    name: 'hornbook engine',
    env: {},
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { stackSizeMb: STACK_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  let unanswered = 0;
  let activeMs = 0;
  // One that has ended says 0.
  const active = () => Math.max(activeMs, worker.performance.eventLoopUtilization().active);
  worker.on('message', (message: FromEngine) => {
    if (!('log' in message)) {
      unanswered -= 1;
      if (unanswered === 0) worker.unref();
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
      worker.postMessage(message, transfer);
    },
    end() {
      activeMs = active();
      endWorker(worker);
    },
    get activeMs() {
      activeMs = active();
      return activeMs;
    },
  };
};

/** At once into a buffer of its own, which can be handed over. The length is at the end of what is packed. */
async function inflated(packed: ArrayBuffer): Promise<Uint8Array<ArrayBuffer>> {
  const length = new DataView(packed).getUint32(packed.byteLength - 4, true);
  const { buffer, byteOffset, byteLength } = await promisify(gunzip)(packed, { chunkSize: length + 1 });
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

async function bytes(path: string): Promise<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = await readFile(new URL(path, import.meta.url));
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
