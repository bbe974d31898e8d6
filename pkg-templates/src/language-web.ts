/**
 * The worker that runs code of nodes in a page: start it as a module worker, then tell it the language and where its
 * package is.
 */
import { confine } from './engine/confine.js';
import { javascript, type QuickJsModule } from './languages/javascript.js';
import { lua, type Wasmoon } from './languages/lua.js';
import { python, type Pyodide } from './languages/python.js';
import { serveLanguage, type FromLanguage, type LanguagePort, type RunCode } from './languages/serve.js';
import type { FromPage } from './page/languages.js';

// Confining the realm will remove both.
const send = globalThis.postMessage.bind(globalThis) as (message: FromLanguage) => void;
const listen = globalThis.addEventListener.bind(globalThis);

/** Its own `addEventListener` stays available, as in the engine worker. */
const port: LanguagePort = { send, onMessage: (take) => listen('message', ({ data }) => take(data)) };

listen(
  'message',
  async ({ data: { language, url } }: MessageEvent<FromPage>) => {
    try {
      const run = await load[language](url);
      confine(() => {});
      serveLanguage(port, run);
    } catch (error) {
      send({ failed: `${url} could not be loaded: ${(error as Error).message}` });
    }
  },
  { once: true },
);

const load: Record<FromPage['language'], (url: string) => Promise<RunCode>> = {
  python: async (url) => python((await from(url)) as Pyodide, new URL('.', url).href),
  // It is a module of the page, or an older script that defines a global.
  lua: async (url) => {
    const module = (await from(url)) as Partial<Wasmoon>;
    const wasmoon = module.LuaFactory ? (module as Wasmoon) : (globalThis as unknown as { wasmoon: Wasmoon }).wasmoon;
    const run = lua(wasmoon, new URL('glue.wasm', url).href);
    // Make it load everything now, before the realm loses the network.
    await run('', '{"state":{},"variables":{},"parallel_results":null}');
    return run;
  },
  javascript: async (url) => javascript((await from(url)) as QuickJsModule),
};

/** The package belongs to the page, so bundlers must not follow the import. */
const from = (url: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ url);
