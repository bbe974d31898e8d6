/** Hornbook from the files of this extension, in a worker or a page that may load no script from there. */
import { FetchedAssets, type Addresses, type Crate } from '../../../pkg/page/assets.js';
import { PageHornbook, type PageOptions } from '../../../pkg/page/page.js';
import { SIZES } from '../../../pkg/swipl/sizes.js';

/** The script of engine workers, which the build puts in. */
declare const ENGINE_WORKER: string;

/** The whole of the crate alone: the extension has no other. */
class Whole extends FetchedAssets {
  override crate(): Promise<Crate> {
    return super.crate('full');
  }
}

/** @param base the address of the folder `server` of this extension */
export function createFrom(
  base: string,
  options: PageOptions,
  progress: (loaded: number, total: number) => void = () => {},
): Promise<PageHornbook> {
  const addresses = Object.fromEntries(Object.keys(SIZES).map((name) => [name, new URL(name, base)])) as Addresses;
  const script = URL.createObjectURL(new Blob([ENGINE_WORKER], { type: 'text/javascript' }));
  const worker = () => new Worker(script, { name: 'hornbook engine' });
  return PageHornbook.open(new Whole(addresses, worker, progress), options);
}
