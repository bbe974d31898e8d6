/** Engines in a page: the image from its assets, and web workers. */
import type { Assets } from './assets.js';
import { EngineDeath } from '../engine/death.js';
import type { EngineImage } from '../engine/engine.js';
import type { StartWorker } from '../engine/host.js';
import type { FromEngine } from '../engine/worker.js';

export async function loadImage(assets: Assets): Promise<EngineImage> {
  const [wasm, library, state] = await Promise.all([assets.swipl(), assets.library(), assets.state()]);
  return { wasm, library, program: { state: new Uint8Array(state) } };
}

/** Starts workers of these assets. */
export function workersOf(assets: Assets): StartWorker {
  return (take, failed) => {
    const worker = assets.worker();
    worker.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => take(data));
    worker.addEventListener('error', ({ message }) => failed(new EngineDeath('failed', message || NOT_LOADED)));
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  };
}

/** A worker whose script does not load says nothing of why. */
const NOT_LOADED =
  'its worker could not be loaded: the file is missing, or the Content-Security-Policy of the page forbids it (worker-src)';
