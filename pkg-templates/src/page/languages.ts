/**
 * Python, Lua and JavaScript for nodes, in a page: each in a worker of its own, from the page's copy of its package.
 */
import { WorkerRunner, type StartLanguage } from '../languages/runner.js';
import type { FromLanguage } from '../languages/serve.js';
import type { LoadOptions, OtherLanguage } from '../workflow/options.js';

/**
 * The addresses of the packages of languages; a language without one is unavailable. Relative addresses are relative to
 * the page.
 */
export interface LanguageAddresses {
  /** `pyodide.mjs` of pyodide, next to the other files of that package. */
  python?: string | URL;
  /** `dist/index.js` of wasmoon, next to `glue.wasm`. */
  lua?: string | URL;
  /** A module that exports `getQuickJS` of quickjs-emscripten, as built by a bundler. */
  javascript?: string | URL;
}

/** The first message to the worker. */
export interface FromPage {
  language: OtherLanguage;
  url: string;
}

const NAMES: Record<OtherLanguage, string> = { python: 'Python', lua: 'Lua', javascript: 'JavaScript' };

/** The part of a web worker that is used here; programs for Node have no type of their own for it. */
export interface WebWorker {
  /** As of `Worker`. */
  postMessage(message: unknown): void;
  /** As of `Worker`. */
  addEventListener(type: 'message' | 'error', listener: (event: object) => void): void;
  /** As of `Worker`. */
  terminate(): void;
}

/**
 * For the option `languages` of workflows. Nothing is loaded until a node needs it. The Content-Security-Policy of the
 * page must allow the addresses (`script-src`, `connect-src`), WebAssembly (`'wasm-unsafe-eval'`) and the worker
 * (`worker-src`).
 *
 * @param worker starts `language-web.js` of this package, if it is not next to this module
 */
export function pageLanguages(
  addresses: LanguageAddresses,
  worker: () => WebWorker = beside,
): NonNullable<LoadOptions['languages']> {
  const given = Object.entries(addresses) as [OtherLanguage, string | URL][];
  return Object.fromEntries(
    given.map(([language, address]) => {
      const url = new URL(address, globalThis.location.href).href;
      const start = () => {
        const started = worker();
        started.postMessage({ language, url } satisfies FromPage);
        return started;
      };
      return [language, () => new WorkerRunner(webLanguage(start), NAMES[language])];
    }),
  );
}

/** Bundlers look for exactly this expression. */
const beside = () =>
  new Worker(new URL('../language-web.js', import.meta.url), { type: 'module', name: 'hornbook language' });

/** A language that runs in a web worker. */
export function webLanguage(start: () => WebWorker): StartLanguage {
  return (take, failed) => {
    const worker = start();
    worker.addEventListener('message', (event) => take((event as MessageEvent<FromLanguage>).data));
    worker.addEventListener('error', (event) => failed((event as ErrorEvent).message || NOT_LOADED));
    return { post: (request) => worker.postMessage(request), end: () => worker.terminate() };
  };
}

/** A worker whose script fails to load does not report why. */
const NOT_LOADED =
  'its worker could not be loaded: the file is missing, or the Content-Security-Policy of the page forbids it (worker-src)';
