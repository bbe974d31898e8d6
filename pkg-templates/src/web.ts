/** Hornbook in a page, with its parts loaded from next to this module. */
import { FetchedAssets, type Addresses, type Progress } from './page/assets.js';
import { PageHornbook, type PageOptions } from './page/page.js';
import { SIZES } from './swipl/sizes.js';

export { PageHornbook, type PageOptions } from './page/page.js';
export type { FrameOptions, FrameServer } from './page/frames.js';
export { PortTransport, framePort, type ConnectOptions, type Port, type PortConnection } from './transport.js';
export type { RegisteredTools } from './page/web-mcp.js';
export type { Progress } from './page/assets.js';
export type { SharedLog, Store } from './full/hornbook.js';
export { wordVectors } from './word-vectors.js';

/** How a workspace is created in a page; all are optional. */
export interface WebOptions extends PageOptions {
  /** The address that serves this package's files. Default: next to this module. */
  assets?: string | URL;
  /** Called as bytes arrive. Default: nothing is. */
  progress?: Progress;
}

/**
 * Create a workspace in this page. Resolves when clients can connect; the engine loads meanwhile. Rejects with a
 * sentence.
 */
export function createHornbook({ assets, progress = () => {}, ...options }: WebOptions = {}): Promise<PageHornbook> {
  const parts = assets === undefined ? beside(progress) : under(assets, progress);
  return PageHornbook.open(parts, options);
}

/** Bundlers look for exactly these expressions, and copy the files. */
function beside(progress: Progress): FetchedAssets {
  const addresses: Addresses = {
    'core/hornbook_bg.wasm': new URL('./core/hornbook_bg.wasm', import.meta.url),
    'full/hornbook_bg.wasm': new URL('./full/hornbook_bg.wasm', import.meta.url),
    'swipl/swipl.wasm': new URL('./swipl/swipl.wasm', import.meta.url),
    'swipl/hornbook.state': new URL('./swipl/hornbook.state', import.meta.url),
  };
  const worker = () =>
    new Worker(new URL('./worker-web.js', import.meta.url), { type: 'module', name: 'hornbook engine' });
  return new FetchedAssets(addresses, worker, progress);
}

function under(assets: string | URL, progress: Progress): FetchedAssets {
  const directory = new URL(String(assets).replace(/\/?$/, '/'), globalThis.location.href);
  const addresses = Object.fromEntries(Object.keys(SIZES).map((name) => [name, new URL(name, directory)])) as Addresses;
  const worker = () => new Worker(new URL('worker-web.js', directory), { type: 'module', name: 'hornbook engine' });
  return new FetchedAssets(addresses, worker, progress);
}
