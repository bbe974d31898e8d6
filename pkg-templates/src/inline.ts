/** Hornbook in a page, as a single file: nothing is fetched, and workers are made from blobs. */

import type { Book } from './book/book.js';
import type { BookOptions } from './book/opening.js';
import * as crate from './full/hornbook.js';
import { instantiate, type Assets } from './page/assets.js';
import { openBookBy } from './page/book.js';
import { PageHornbook, type PageOptions } from './page/page.js';
import { CRATE, STATE, SWIPL, WORKER } from './swipl/parts.js';

export * from './book/api.js';
export { PageHornbook, type PageOptions } from './page/page.js';
export type { FrameOptions, FrameServer } from './page/frames.js';
export { PortTransport, framePort, type Port, type PortConnection } from './transport.js';
export type { RegisteredTools } from './page/web-mcp.js';

/** Create a workspace in this page. Resolves when clients can connect. Rejects with a sentence. */
export function createHornbook(options: PageOptions = {}): Promise<PageHornbook> {
  return PageHornbook.open(INSIDE, options);
}

/** Open a book in this page, or create it, as `openBook` of `hornbook` does. */
export function openBook(options?: BookOptions): Promise<Book> {
  return openBookBy(({ assets: _, ...others }) => createHornbook(others), options);
}

const INSIDE: Assets = {
  crate: () => instantiate(crate, unpacked(CRATE).then(WebAssembly.compile)),
  swipl: async () => WebAssembly.compile(await unpacked(SWIPL)),
  state: () => unpacked(STATE),
  worker: () => new Worker(script(), { name: 'hornbook engine' }),
};

let address: string | undefined;

/** The blob is kept for the lifetime of the page: engines can start at any time. */
function script(): string {
  address ??= URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));
  return address;
}

function unpacked(base64: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
