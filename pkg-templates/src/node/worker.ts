/** The engine worker for `node:worker_threads`. */
import { parentPort } from 'node:worker_threads';
import { serveEngine } from '../engine/worker.js';

const host = parentPort!;
serveEngine({
  send: (message) => host.postMessage(message),
  onMessage: (take) => host.on('message', take),
});
