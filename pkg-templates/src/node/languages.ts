/** Python, Lua and JavaScript for nodes, in Node: each in a worker of its own, if its package is installed. */
import { Worker } from 'node:worker_threads';
import { WorkerRunner, type StartLanguage } from '../languages/runner.js';
import type { FromLanguage } from '../languages/serve.js';
import type { LoadOptions } from '../workflow/options.js';
import { endWorker } from './ending.js';

/** The languages whose packages are installed. None is loaded before it is needed. */
export function installed(): NonNullable<LoadOptions['languages']> {
  const languages: NonNullable<LoadOptions['languages']> = {};
  if (isInstalled('pyodide')) languages.python = () => new WorkerRunner(thread('./worker-python.js'), 'Python');
  if (isInstalled('wasmoon')) languages.lua = () => new WorkerRunner(thread('./worker-lua.js'), 'Lua');
  if (isInstalled('quickjs-emscripten'))
    languages.javascript = () => new WorkerRunner(thread('./worker-javascript.js'), 'JavaScript');
  return languages;
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

function thread(file: string): StartLanguage {
  return (take, failed) => {
    const worker = new Worker(new URL(file, import.meta.url), {
      name: `hornbook ${file}`,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    worker.on('message', (message: FromLanguage) => take(message));
    worker.on('error', ({ message }) => failed(message));
    worker.on('exit', () => failed('its worker has ended'));
    return {
      post: (request) => worker.postMessage(request),
      end: () => endWorker(worker),
      awaited: (is) => (is ? worker.ref() : worker.unref()),
    };
  };
}
