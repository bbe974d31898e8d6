/**
 * Terminating workers.
 *
 * Before version 22, Node sometimes segfaults (about once in some hundred times on a busy machine) when a worker ends
 * while V8 is freeing wasm code that it has replaced by faster code: V8 notifies a worker that is already half gone
 * (nodejs/node, pull request 57910). So V8 must not free any while a worker ends.
 */
import { setFlagsFromString } from 'node:v8';
import type { Worker } from 'node:worker_threads';

// Electron does not allow V8's flags to be changed.
const affected = Number.parseInt(process.versions.node, 10) < 22 && !process.versions.electron;

let ending = 0;

/** Terminate a worker at once, whatever it is doing. */
export function endWorker(worker: Worker): void {
  if (affected && ++ending === 1) setFlagsFromString('--no-wasm-code-gc');
  void worker.terminate().finally(() => {
    if (affected && --ending === 0) setFlagsFromString('--wasm-code-gc');
  });
}

// When the process exits, it terminates the workers that are left.
if (affected) process.once('exit', () => setFlagsFromString('--no-wasm-code-gc'));
