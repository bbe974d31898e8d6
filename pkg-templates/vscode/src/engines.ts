/** Hornbook from the files of this extension, in a worker or a page that may load no script from there. */
import * as crate from '../../../pkg/full/hornbook.js';
import { FetchedAssets, instantiate, type Addresses, type Assets, type Crate } from '../../../pkg/page/assets.js';
import { PageHornbook, type PageOptions } from '../../../pkg/page/page.js';
import { SIZES } from '../../../pkg/swipl/sizes.js';
import type { FILES } from './parts.js';

/** The script of engine workers, which the build puts in. */
declare const ENGINE_WORKER: string;

export type Contents = Record<(typeof FILES)[number], ArrayBuffer>;

/** The whole of the crate alone: the extension has no other. */
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

/** Makes any number from the contents of the files, where they have no address that a worker could load. */
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
