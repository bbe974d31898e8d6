/** Engines in Node: the image from the files of this package, and workers of `node:worker_threads`. */
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { EngineDeath } from '../engine/death.js';
import type { EngineImage, Program } from '../engine/engine.js';
import type { StartWorker } from '../engine/host.js';
import type { FromEngine } from '../engine/worker.js';

/** In MiB. Enough for terms nested some ten thousand levels deep; `engine/engine.ts` has the C stack that goes with it. */
const STACK_MIB = 16;

/** In MiB, of JavaScript's young objects: an engine makes few, and more room would only fill with the dead. */
const YOUNG_MIB = 4;

/** The image of this package, or with another program. */
export async function loadImage(program?: Program): Promise<EngineImage> {
  const [wasm, library, state] = await Promise.all([
    bytes('../swipl/swipl.wasm').then((code) => WebAssembly.compile(code)),
    bytes('../swipl/swipl.data'),
    program ?? bytes('../swipl/hornbook.state').then((buffer) => ({ state: new Uint8Array(buffer) })),
  ]);
  return { wasm, library, program: state };
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
    post(message) {
      unanswered += 1;
      if (unanswered === 1) worker.ref();
      worker.postMessage(message);
    },
    end() {
      activeMs = active();
      void worker.terminate();
    },
    get activeMs() {
      activeMs = active();
      return activeMs;
    },
  };
};

async function bytes(path: string): Promise<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = await readFile(new URL(path, import.meta.url));
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
