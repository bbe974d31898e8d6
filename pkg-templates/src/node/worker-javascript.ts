/** The JavaScript worker for `node:worker_threads`. */
import { javascript, type QuickJsModule } from '../languages/javascript.js';
import { serveLanguage } from '../languages/serve.js';
import { port } from './language-port.js';

/** The user installs the package: it need not exist when this is compiled. */
const QUICKJS = 'quickjs-emscripten';
serveLanguage(port, await javascript((await import(QUICKJS)) as QuickJsModule));
