/** JavaScript for `node:worker_threads`. */
import { parentPort } from 'node:worker_threads';
import { runJavaScript, type QuickJs } from '../quickjs.js';
import type { CodeRequest, FromLanguage } from './languages.js';

const host = parentPort!;
const send = (message: FromLanguage) => host.postMessage(message);

/** The package is the user's: it need not be there when this is compiled. */
const QUICKJS = 'quickjs-emscripten';
const { getQuickJS } = (await import(QUICKJS)) as { getQuickJS(): Promise<QuickJs> };
const quickjs = await getQuickJS();

host.on('message', ({ code, given }: CodeRequest) => {
  try {
    send({ done: runJavaScript(quickjs, code, given) });
  } catch (error) {
    send({ failed: String((error as Error).message).split('\n')[0]! });
  }
});
send({ ready: true });
