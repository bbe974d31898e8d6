// The list of drafts of a served book, as the playground shows it, for a person in this page.
import { Book } from '/hornbook/book/book.js';
import { ReviewDesk } from '/hornbook/book/desk.js';
import { createHornbook } from '/hornbook/web.js';
import { Reviews } from '../../../www/src/review/list.ts';

window.review = async ({ path, token }) => {
  const log = () => {};
  // Drafts are in the whole of the crate.
  const page = await createHornbook({ book: path, token, log, tools: ['prolog', 'memory'] });
  const book = new Book({ hornbook: page.hornbook, log, close: () => page.close() });
  const reviews = new Reviews({ desk: new ReviewDesk(book), goTo: () => {}, pinned: () => ['total(N)'] });
  document.body.append(reviews.element);
  book.hornbook.onDrafts(() => queueMicrotask(() => reviews.later()));
  await reviews.refresh();
};
