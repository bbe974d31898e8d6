/** Where the engines of programs and workflows run. */
import type { Host } from './full/hornbook.js';

/** A module that pages do not have: their bundlers must not follow it. */
export const forNode = (path: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ path);

/** The host that was given, or one of Node; and what lets go of it. The crate can be used then. */
export async function hostFor(host: Host | undefined): Promise<[Host, () => void]> {
  if (host) {
    await host.loadFull?.();
    return [host, () => {}];
  }
  const { NodeHost, loadCrate } = (await forNode('./node.js')) as typeof import('./node.js');
  await loadCrate();
  const own = new NodeHost(() => {});
  return [own, () => own.close()];
}
