/** The Python worker for `node:worker_threads`, in a realm without anything that could reach beyond it. */
import { confine } from '../engine/confine.js';
import { python, type Pyodide } from '../languages/python.js';
import { serveLanguage } from '../languages/serve.js';
import { port } from './language-port.js';

/** The user installs the package: it need not exist when this is compiled. */
const PYODIDE = 'pyodide';
const run = await python((await import(PYODIDE)) as Pyodide);
confine(() => {});
serveLanguage(port, run);
