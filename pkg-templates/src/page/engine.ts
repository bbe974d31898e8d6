/** Engines in a page: their parts from its assets, in web workers. */
import type { Assets } from './assets.js';
import { EngineDeath } from '../engine/death.js';
import type { Parts, StartWorker } from '../engine/host.js';
import type { FromEngine } from '../engine/worker.js';

export async function loadParts(assets: Assets): Promise<Parts> {
  const [wasm, state] = await Promise.all([assets.swipl(), assets.state()]);
  return { wasm, program: { memory: () => inflated(state) } };
}

async function inflated(packed: ArrayBuffer): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Starts workers from these assets. */
export function workersOf(assets: Assets): StartWorker {
  return (take, failed) => {
    const worker = assets.worker();
    worker.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => take(data));
    worker.addEventListener('error', ({ message }) => failed(new EngineDeath('failed', message || NOT_LOADED)));
    return { post: (message, transfer = []) => worker.postMessage(message, transfer), end: () => worker.terminate() };
  };
}

/** A worker whose script fails to load does not report why. */
const NOT_LOADED =
  'its worker could not be loaded: the file is missing, or the Content-Security-Policy of the page forbids it (worker-src)';
