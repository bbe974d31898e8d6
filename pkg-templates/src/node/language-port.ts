/** The port of a worker thread that runs code of nodes. */
import { parentPort } from 'node:worker_threads';
import type { LanguagePort } from '../languages/serve.js';

export const port: LanguagePort = {
  send: (message) => parentPort!.postMessage(message),
  onMessage: (take) => void parentPort!.on('message', take),
};
