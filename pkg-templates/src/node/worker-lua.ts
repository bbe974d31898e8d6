/** Lua for `node:worker_threads`. */
import { lua, type Wasmoon } from '../languages/lua.js';
import { serveLanguage } from '../languages/serve.js';
import { port } from './language-port.js';

/** The package is the user's: it need not be there when this is compiled. */
const WASMOON = 'wasmoon';
serveLanguage(port, lua((await import(WASMOON)) as Wasmoon));
