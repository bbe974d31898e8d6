/** A book of clauses, in a page or in one of its workers. */
import { Book } from './book/book.js';
import { type BookOptions, opening, whenReady } from './book/opening.js';
import { Predicates } from './book/predicates.js';
import { createHornbook } from './web.js';

export * from './book/api.js';

/**
 * Open a book, or create it.
 *
 * @throws HornbookError of the kind `storage_error` when it cannot be read, and of the kind `invalid_argument` when an
 *   option is wrong
 */
export function openBook(options?: BookOptions): Promise<Book> {
  return opening(options, async ({ path, log = () => {}, roots: _, predicates, data, ...others }) => {
    if (data) throw new TypeError('data: goals can ask data in Node, not in a page; import it as a table');
    const page = await createHornbook({
      ...others,
      book: path,
      log,
      predicates: predicates && new Predicates(predicates),
    });
    const book = new Book({ hornbook: page.hornbook, log, close: () => page.close() });
    return predicates ? whenReady(book, predicates) : book;
  });
}
