/** The engine worker for the web: start it as a module worker. */
import { serveEngine } from './engine/worker.js';

// The realm soon has neither.
const send = globalThis.postMessage.bind(globalThis);
const listen = globalThis.addEventListener.bind(globalThis);
serveEngine({
  send: (message) => send(message),
  onMessage: (take) => listen('message', ({ data }) => take(data)),
});
