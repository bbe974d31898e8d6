/** JavaScript nodes in a page: QuickJS, without access to the page. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { javascript, type QuickJs } from '../../../pkg/languages/javascript.js';
import { serveLanguage } from '../../../pkg/languages/serve.js';

const getQuickJS = () => newQuickJSWASMModuleFromVariant(variant) as Promise<QuickJs>;

serveLanguage(
  {
    send: (message) => self.postMessage(message),
    onMessage: (take) => self.addEventListener('message', ({ data }) => take(data)),
  },
  await javascript({ getQuickJS }),
);
