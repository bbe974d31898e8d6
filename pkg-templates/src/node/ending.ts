/**
 * How a worker is ended.
 *
 * Before version 22 Node dies of a segmentation fault, once in some hundred times on a busy machine, where a worker ends while V8 frees
 * wasm code that it has replaced by faster code: the worker is told of it when it is half gone (nodejs/node, pull request 57910). So V8
 * frees none while a worker ends.
 */
import { setFlagsFromString } from 'node:v8';
import type { Worker } from 'node:worker_threads';

// Electron does not let go of V8's flags.
const affected = Number.parseInt(process.versions.node, 10) < 22 && !process.versions.electron;

let ending = 0;

/** End a worker at once, whatever it does. */
export function endWorker(worker: Worker): void {
  if (affected && ++ending === 1) setFlagsFromString('--no-wasm-code-gc');
  void worker.terminate().finally(() => {
    if (affected && --ending === 0) setFlagsFromString('--wasm-code-gc');
  });
}

// The process ends the workers that it still has.
if (affected) process.once('exit', () => setFlagsFromString('--no-wasm-code-gc'));
