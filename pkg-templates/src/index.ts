/** A book of clauses in a program: in Node, and, by `index-web.ts`, in pages and workers. */
import { Book } from './book/book.js';
import { type BookOptions, opening, whenReady } from './book/opening.js';
import { Predicates } from './book/predicates.js';
import { openHornbook } from './node/open.js';

export * from './book/api.js';

/**
 * Open a book, or create it. Files under the current directory may be imported, unless `roots` says otherwise.
 *
 * @throws HornbookError of the kind `storage_error` when a process has the book that does not share it, or it cannot be
 *   read, and of the kind `invalid_argument` when an option is wrong
 */
export function openBook(options?: BookOptions): Promise<Book> {
  return opening(options, async ({ path, log = () => {}, assets: _, predicates, data, token, embed, ...others }) => {
    const answered = predicates && new Predicates(predicates);
    const { hornbook, close } = await openHornbook(others, log, path, { predicates: answered, data, token, embed });
    const book = new Book({ hornbook, log, close });
    return predicates ? whenReady(book, predicates) : book;
  });
}
