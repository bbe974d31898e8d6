/** The worker of JavaScript nodes: QuickJS, with its code in this script. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import wasmBinary from '@jitl/quickjs-wasmfile-release-sync/wasm';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import { javascript, type QuickJs } from '../../../../pkg/languages/javascript.js';
import { serveLanguage } from '../../../../pkg/languages/serve.js';

// Without a name it would look for its address, which a script from a blob does not have.
const own = newVariant(variant, { wasmBinary: wasmBinary.buffer, wasmLocation: 'quickjs.wasm' });
const getQuickJS = () => newQuickJSWASMModuleFromVariant(own) as Promise<QuickJs>;
const scope = self as unknown as Worker;

void javascript({ getQuickJS }).then((run) =>
  serveLanguage(
    {
      send: (message) => scope.postMessage(message),
      onMessage: (take) => scope.addEventListener('message', ({ data }) => take(data)),
    },
    run,
  ),
);
