/** The engine worker for the web: start it as a module worker. */
import { serveEngine } from './engine-worker.js';

const send = globalThis.postMessage.bind(globalThis);
serveEngine({
  send: (message) => send(message),
  onMessage: (take) => globalThis.addEventListener('message', ({ data }) => take(data)),
});
