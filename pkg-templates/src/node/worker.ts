/** The engine worker for `node:worker_threads`. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveEngine } from '../engine/worker.js';
import { type Start, lowered } from './priority.js';

const host = parentPort!;
const thread = (workerData as Start).lower ? lowered() : undefined;
if (thread) host.postMessage(thread);
serveEngine({
  send: (message) => host.postMessage(message),
  onMessage: (take) => host.on('message', take),
});
