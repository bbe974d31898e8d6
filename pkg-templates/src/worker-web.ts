/** The engine worker for the web: start it as a module worker. */
import { serveEngine } from './engine/worker.js';

// Confining the realm will remove both.
const send = globalThis.postMessage.bind(globalThis);
const listen = globalThis.addEventListener.bind(globalThis);
serveEngine({
  send: (message) => send(message),
  onMessage: (take) => listen('message', ({ data }) => take(data)),
});
