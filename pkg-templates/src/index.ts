/** A book of clauses, in Node. `index-web.ts` is the same for pages and workers. */
import { Book, type BookOptions } from './book/book.js';
import { openHornbook } from './node.js';

export * from './book/api.js';

/**
 * Open a book, or begin one. Files under the current directory may be imported, unless `roots` say otherwise.
 *
 * @throws when another process has the book, or it cannot be read; the message is a sentence
 */
export async function openBook({ path, log = () => {}, assets: _, ...options }: BookOptions = {}): Promise<Book> {
  const { hornbook, close } = await openHornbook(options, log, path);
  return new Book({ hornbook, log, close });
}
