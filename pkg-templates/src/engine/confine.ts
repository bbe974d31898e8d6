/**
 * The globals an engine worker keeps: the language itself, and what swipl-wasm needs to run. Everything else is
 * removed: the network, files, `process`, messages to other pages, and whatever a newer runtime may add.
 */
const KEPT = new Set([
  'globalThis',
  'Infinity',
  'NaN',
  'undefined',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'encodeURI',
  'encodeURIComponent',
  'decodeURI',
  'decodeURIComponent',
  'Object',
  'Array',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'BigInt',
  'Date',
  'Math',
  'JSON',
  'RegExp',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'FinalizationRegistry',
  'Promise',
  'Proxy',
  'Reflect',
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'ArrayBuffer',
  'DataView',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'WebAssembly',
  'TextDecoder',
  'TextEncoder',
  'crypto',
  'performance',
  'console',
]);

/** What a runtime itself looks up in the realm, to deliver the messages of its workers: none of it leads out. */
const LOOKED_UP = 'Deno' in globalThis ? ['dispatchEvent', 'queueMicrotask'] : [];

/**
 * Remove everything from this realm that could reach beyond it. Afterwards no text can become code: `eval` and the
 * function constructors throw. Call once in a worker, before swipl-wasm starts.
 *
 * @param log receives what code in the realm writes to its console
 */
export function confine(log: (text: string) => void): void {
  const write = (...parts: unknown[]) => log(parts.join(' '));
  globalThis.console = { log: write, info: write, warn: write, error: write, debug: write } as Console;

  const refuse = () => {
    throw new EvalError('code from text is refused in a Prolog engine');
  };
  for (const made of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    Object.defineProperty(Object.getPrototypeOf(made), 'constructor', { value: refuse });
  }
  // In a web worker many of them, such as `fetch` and `indexedDB`, are inherited.
  for (let holder: object = globalThis; holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (!KEPT.has(name) && !LOOKED_UP.includes(name)) Reflect.deleteProperty(holder, name);
    }
  }
  Object.defineProperty(globalThis, 'eval', { value: refuse });
}
