/** Hornbook from the extension's files, in a worker or page that may not load scripts from there. */
import * as crate from '../../../pkg/full/hornbook.js';
import { FetchedAssets, instantiate, type Addresses, type Assets, type Crate } from '../../../pkg/page/assets.js';
import { PageHornbook, type PageOptions } from '../../../pkg/page/page.js';
import { SIZES } from '../../../pkg/swipl/sizes.js';
import type { FILES } from './parts.js';

/** The script of engine workers, inserted by the build. */
declare const ENGINE_WORKER: string;

export type Contents = Record<(typeof FILES)[number], ArrayBuffer>;

/** Always the full crate: the extension contains no other. */
class Whole extends FetchedAssets {
  override crate(): Promise<Crate> {
    return super.crate('full');
  }
}

function workers(): () => Worker {
  const script = URL.createObjectURL(new Blob([ENGINE_WORKER], { type: 'text/javascript' }));
  return () => new Worker(script, { name: 'hornbook engine' });
}

/** @param base the address of the folder `server` of this extension */
export function createFrom(
  base: string,
  options: PageOptions,
  progress: (loaded: number, total: number) => void = () => {},
): Promise<PageHornbook> {
  const addresses = Object.fromEntries(Object.keys(SIZES).map((name) => [name, new URL(name, base)])) as Addresses;
  return PageHornbook.open(new Whole(addresses, workers(), progress), options);
}

/**
 * Returns a function that creates workspaces from the contents of the files, for when they have no address that a
 * worker could load.
 */
export function creator(contents: Contents): (options: PageOptions) => Promise<PageHornbook> {
  const code = WebAssembly.compile(contents['full/hornbook_bg.wasm']);
  const swipl = WebAssembly.compile(contents['swipl/swipl.wasm']);
  const assets: Assets = {
    crate: () => instantiate(crate, code),
    swipl: () => swipl,
    state: async () => contents['swipl/hornbook.state'],
    worker: workers(),
  };
  return (options) => PageHornbook.open(assets, options);
}
