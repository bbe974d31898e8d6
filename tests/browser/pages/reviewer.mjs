// The list of drafts of a served book, as the playground shows it, for a person in this page.
import { ReviewDesk } from '/hornbook/book/desk.js';
import { openBook } from '/hornbook/index-web.js';
import { Reviews } from '../../../www/src/review/list.ts';

window.review = async (options) => {
  const book = await openBook(options);
  const reviews = new Reviews({ desk: new ReviewDesk(book), goTo: () => {}, pinned: () => ['total(N)'] });
  document.body.append(reviews.element);
  book.hornbook.onDrafts(() => queueMicrotask(() => reviews.later()));
  await reviews.refresh();
};
