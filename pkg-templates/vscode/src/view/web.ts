/** Replaces the playground's `hornbook/web` in this page: its parts are the extension's files. */
import type { PageHornbook } from '../../../../pkg/page/page.js';
import type { WebOptions } from '../../../../pkg/web.js';
import { createFrom } from '../engines.js';

export { PortTransport } from '../../../../pkg/transport.js';
export type { PageHornbook };

/** In memory, since the editor keeps the files. */
export function createHornbook({ book: _, progress, ...options }: WebOptions): Promise<PageHornbook> {
  return createFrom(document.body.dataset.server!, options, progress);
}
