/** Where the engines of programs and workflows run. */
import type { Host } from './full/hornbook.js';

/** Import a module that pages do not have, hidden from their bundlers. */
export const forNode = (path: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ path);

/** The given host, or one of Node, and the function that releases it. The crate is ready for use once this resolves. */
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
