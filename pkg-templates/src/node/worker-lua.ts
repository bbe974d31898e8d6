/** The Lua worker for `node:worker_threads`. */
import { lua, type Wasmoon } from '../languages/lua.js';
import { serveLanguage } from '../languages/serve.js';
import { port } from './language-port.js';

/** The user installs the package: it need not exist when this is compiled. */
const WASMOON = 'wasmoon';
serveLanguage(port, lua((await import(WASMOON)) as Wasmoon));
