/** A book of clauses, in Node. `index-web.ts` is the same for pages and workers. */
import { Book, type BookOptions, whenReady } from './book/book.js';
import { Predicates } from './book/predicates.js';
import { openHornbook } from './node/open.js';

export * from './book/api.js';

/**
 * Open a book, or create it. Files under the current directory may be imported, unless `roots` says otherwise.
 *
 * @throws when another process has the book, or it cannot be read; the message is a sentence
 */
export async function openBook({
  path,
  log = () => {},
  assets: _,
  predicates,
  token,
  ...options
}: BookOptions = {}): Promise<Book> {
  const answered = predicates && new Predicates(predicates);
  const { hornbook, close } = await openHornbook(options, log, path, { predicates: answered, token });
  const book = new Book({ hornbook, log, close });
  return predicates ? whenReady(book) : book;
}
