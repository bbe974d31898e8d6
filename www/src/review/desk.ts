/** The desk of the book in this page, loaded when there is something to review or to compare. */
import type { ReviewDesk } from '../../../pkg/book/desk.js';
import { tell } from '../dom.ts';
import type { Session } from '../session.ts';

let desk: Promise<ReviewDesk> | undefined;

/** Opens the book with the whole of the crate, which drafts and earlier revisions need. */
export function deskOf(session: Session): Promise<ReviewDesk> {
  desk ??= opened(session).catch((error: unknown) => {
    desk = undefined;
    throw error;
  });
  return desk;
}

async function opened(session: Session): Promise<ReviewDesk> {
  const [{ Book }, { ReviewDesk }] = await Promise.all([
    import('../../../pkg/book/book.js'),
    import('../../../pkg/book/desk.js'),
    session.whole(),
  ]);
  const { hornbook } = session;
  return new ReviewDesk(new Book({ hornbook, log: (text) => tell(text), close: async () => {} }));
}
