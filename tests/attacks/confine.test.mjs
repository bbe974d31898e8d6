// The realm that an engine runs in, after confine.ts: code in it, such as swipl-wasm's own, finds nothing that reaches
// beyond, and no text becomes code.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Worker } from 'node:worker_threads';

const CONFINE = new URL('../../pkg/engine/confine.js', import.meta.url).href;

/** What each expression gives in a confined worker: its type, or the name of the error. */
const PROBES = [
  'process',
  'require',
  'module',
  'Buffer',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'Worker',
  'SharedWorker',
  'importScripts',
  'postMessage',
  'MessageChannel',
  'MessagePort',
  'BroadcastChannel',
  'indexedDB',
  'caches',
  'navigator',
  'location',
  'self',
  'window',
  'document',
  'global',
  'structuredClone',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'SharedArrayBuffer',
  'Atomics',
  'Function',
  'parentPort',
];
const CODE = [
  ['eval', "eval('1')"],
  ['indirect eval', "(0, eval)('1')"],
  ['eval of the global object', "globalThis['eval']('1')"],
  ['the constructor of functions', "(() => {}).constructor('return 1')"],
  ['the constructor of a class', "(class {}).constructor('return 1')"],
  ['the constructor of a built-in', "[].map.constructor('return 1')"],
  ['the constructor of async functions', "(async () => {}).constructor('return 1')"],
  ['the constructor of generators', "(function* () {}).constructor('return 1')"],
  ['the constructor of async generators', "(async function* () {}).constructor('return 1')"],
];

let seen;
before(async () => {
  const source = `
    import { parentPort } from 'node:worker_threads';
    import { confine } from ${JSON.stringify(CONFINE)};
    const port = parentPort;
    {
      confine(() => {});
      const seen = { types: {}, code: {}, names: Object.getOwnPropertyNames(globalThis) };
      ${PROBES.filter((name) => name !== 'parentPort')
        .map((name) => `seen.types[${JSON.stringify(name)}] = typeof ${name};`)
        .join('\n')}
      ${CODE.map(([name, code]) => `try { ${code}; seen.code[${JSON.stringify(name)}] = 'it ran'; } catch (error) { seen.code[${JSON.stringify(name)}] = error.name; }`).join('\n')}
      port.postMessage(seen);
    }`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { env: {}, execArgv: [] });
  seen = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await worker.terminate();
});

test('nothing that reaches beyond the realm has a name in it', () => {
  assert.deepEqual(
    Object.entries(seen.types).filter(([, type]) => type !== 'undefined'),
    [],
  );
});

test('no text becomes code', () => {
  assert.deepEqual(seen.code, Object.fromEntries(CODE.map(([name]) => [name, 'EvalError'])));
});

test('what is left is the language, and what swipl-wasm needs', () => {
  const known =
    /^(globalThis|Infinity|NaN|undefined|is\w+|parse\w+|(en|de)codeURI(Component)?|\w*Error|[A-Z]\w*(Array|Buffer|Map|Set|Ref)|Object|Array|Map|Set|String|Number|Boolean|Symbol|BigInt|Date|Math|JSON|RegExp|Promise|Proxy|Reflect|FinalizationRegistry|DataView|WebAssembly|Text(De|En)coder|crypto|performance|console|eval)$/;
  assert.deepEqual(
    seen.names.filter((name) => !known.test(name)),
    [],
  );
});
