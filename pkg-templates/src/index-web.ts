/** A book of clauses, in a page or in one of its workers. */
import type { Book } from './book/book.js';
import type { BookOptions } from './book/opening.js';
import { openBookBy } from './page/book.js';
import { createHornbook } from './web.js';

export * from './book/api.js';

/**
 * Open a book, or create it.
 *
 * @throws HornbookError of the kind `storage_error` when it cannot be read, and of the kind `invalid_argument` when an
 *   option is wrong
 */
export function openBook(options?: BookOptions): Promise<Book> {
  return openBookBy(createHornbook, options);
}
