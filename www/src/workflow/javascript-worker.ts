/** JavaScript of nodes in a page: QuickJS, which has nothing of the page. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { runJavaScript, type QuickJs } from '../../../pkg/quickjs.js';

const quickjs = newQuickJSWASMModuleFromVariant(variant) as Promise<QuickJs>;

self.onmessage = async ({ data: { code, given } }: MessageEvent<{ code: string; given: string }>) => {
  try {
    self.postMessage({ done: runJavaScript(await quickjs, code, given) });
  } catch (error) {
    self.postMessage({ failed: String((error as Error).message).split('\n')[0] });
  }
};
