/** The engine worker for `node:worker_threads`. */
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { serveEngine } from '../engine/worker.js';

/** What the worker is started with. */
export interface Start {
  /** Whether it is to work at a lower priority than the process. */
  lower: boolean;
}

/** By how much: it then gets a tenth of what a thread of the process gets that needs the same core. */
const LOWER = 10;
/** The lowest priority there is. */
const LOWEST = 19;

// Elsewhere, the priority is that of the whole process.
if ((workerData as Start).lower && process.platform === 'linux') {
  try {
    setPriority(Math.min(LOWEST, getPriority() + LOWER));
  } catch {
    // Where this is not permitted, it works at the same priority.
  }
}

const host = parentPort!;
serveEngine({
  send: (message) => host.postMessage(message),
  onMessage: (take) => host.on('message', take),
});
