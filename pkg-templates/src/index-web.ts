/** A book of clauses, in a page or a worker of one. */
import { Book, type BookOptions } from './book/book.js';
import { createHornbook } from './web.js';

export * from './book/api.js';

/**
 * Open a book, or begin one.
 *
 * @throws when it cannot be read; the message is a sentence
 */
export async function openBook({ path, log = () => {}, roots: _, ...options }: BookOptions = {}): Promise<Book> {
  const page = await createHornbook({ ...options, book: path, log });
  return new Book({ hornbook: page.hornbook, log, close: () => page.close() });
}
