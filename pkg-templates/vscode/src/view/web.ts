/** What the playground takes from `hornbook/web`, in this page: its parts are the files of the extension. */
import type { PageHornbook } from '../../../../pkg/page/page.js';
import type { WebOptions } from '../../../../pkg/web.js';
import { createFrom } from '../engines.js';

export { PortTransport } from '../../../../pkg/transport.js';
export type { PageHornbook };

/** In memory: the files are kept by the editor. */
export function createHornbook({ book: _, progress, ...options }: WebOptions): Promise<PageHornbook> {
  return createFrom(document.body.dataset.server!, options, progress);
}
