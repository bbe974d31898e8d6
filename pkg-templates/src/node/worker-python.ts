/** Python for `node:worker_threads`, in a realm from which everything that could reach beyond it is taken. */
import { confine } from '../engine/confine.js';
import { python, type Pyodide } from '../languages/python.js';
import { serveLanguage } from '../languages/serve.js';
import { port } from './language-port.js';

/** The package is the user's: it need not be there when this is compiled. */
const PYODIDE = 'pyodide';
const run = await python((await import(PYODIDE)) as Pyodide);
confine(() => {});
serveLanguage(port, run);
