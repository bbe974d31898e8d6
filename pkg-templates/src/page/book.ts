/** A book of clauses in a page, wherever the page's workspace comes from. */
import { Book } from '../book/book.js';
import { type BookOptions, opening, whenReady } from '../book/opening.js';
import { Predicates } from '../book/predicates.js';
import type { PageHornbook, PageOptions } from './page.js';

/** What `openBook` does, in a workspace that `create` makes. */
export function openBookBy(
  create: (options: PageOptions & Pick<BookOptions, 'assets'>) => Promise<PageHornbook>,
  options?: BookOptions,
): Promise<Book> {
  return opening(options, async ({ path, log = () => {}, roots: _, predicates, data, ...others }) => {
    if (data) throw new TypeError('data: goals can ask data in Node, not in a page; import it as a table');
    const answered = predicates && new Predicates(predicates);
    const page = await create({ ...others, book: path, log, predicates: answered });
    const book = new Book({ hornbook: page.hornbook, log, close: () => page.close() });
    return predicates ? whenReady(book, predicates) : book;
  });
}
