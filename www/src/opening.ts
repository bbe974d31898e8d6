/** Opens what the page's address holds: a book, a notebook, a query. */
import type { Book } from './book/book.ts';
import { shortName } from './book/names.ts';
import { sentence, tell } from './dom.ts';
import { kept } from './kept.ts';
import type { Origins } from './origins.ts';
import type { QueriesPane } from './queries/pane.ts';
import type { Session } from './session.ts';
import { type Shared, NOTEBOOK, forgetLink, queryIn, sharedIn } from './share.ts';
import { CURRENT, type Shelved, books, describe, goTo, isUnnamed, openNew } from './shelf.ts';
import { risky } from './starting.ts';

export interface Opener {
  session: Session;
  book: Book;
  queries: QueriesPane;
  origins: Origins;
  isEmbedded: boolean;
  openNotebook(text: string): void;
}

/** Open what the address holds. Resolves with whether it holds a book. */
export async function openLink(opener: Opener): Promise<boolean> {
  const { session, queries } = opener;
  try {
    const query = queryIn(window.location);
    if (query !== undefined) offer(queries, query);
    const shared = await sharedIn(window.location.hash).catch((error: unknown) => {
      // It is as unreadable after a reload; what only could not be opened stays in the address.
      forgetLink();
      throw error;
    });
    if (!shared) return false;
    if (isHere(shared, opener)) {
      forgetLink();
    } else if (isEmpty(opener)) {
      await take(opener, shared);
    } else {
      const { choiceOf } = await import('./preview.ts');
      const known = knownBook();
      const choice = await choiceOf(nameOf(shared), shared, session, known);
      if (choice === 'new') return await openBeside(shared, session);
      forgetLink();
      if (choice === 'known' && known && known.id !== CURRENT) goTo(known.id);
      return true;
    }
    if (shared.query) offer(queries, shared.query);
    return true;
  } catch (error) {
    tell(sentence(error), 'error');
    return false;
  }
}

/** A mark of the link in the address. */
function linkMark(): number {
  let mark = 0x811c9dc5;
  for (const letter of window.location.hash) mark = Math.imul(mark ^ letter.charCodeAt(0), 0x01000193);
  return mark >>> 0;
}

/** The book that the link in the address was opened as before. */
const knownBook = (): Shelved | undefined => books().find(({ link }) => link === linkMark());

/** Put a query into the box. A link makes no work by itself: Enter asks it. */
function offer(queries: QueriesPane, query: string): void {
  queries.write(query);
  queries.focus();
}

/** Whether the book already is what the link holds. */
const isHere = ({ files, notebook }: Shared, { book, isEmbedded }: Opener): boolean =>
  !isEmbedded &&
  files.length + (notebook === undefined ? 0 : 1) > 0 &&
  files.every(({ name, text }) => book.text(book.tabs.find((tab) => tab.name === name)) === text) &&
  (notebook === undefined || kept(NOTEBOOK) === notebook);

/** Whether there is nothing in the book that a link would have to replace. */
const isEmpty = ({ book, isEmbedded }: Opener): boolean =>
  book.tabs.length === 0 && (isEmbedded || kept(NOTEBOOK) === undefined);

/** Open a link in the book, which is empty. */
async function take({ session, book, origins, isEmbedded, openNotebook }: Opener, shared: Shared): Promise<void> {
  const { files, notebook } = shared;
  const { href } = window.location;
  const link = linkMark();
  // The browser stores the book from now on; if it does not, a reload should open the link again.
  if (session.unkept === undefined) forgetLink();
  const shown = risky();
  try {
    if (!isEmbedded) describe(CURRENT, { link, ...(isUnnamed() && { name: nameOf(shared) }) });
    if (notebook !== undefined) openNotebook(notebook);
    const names = files.map(({ name }) => shortName(name)).join(', ');
    let errors: string[] = [];
    if (files.length > 0)
      await origins.together(`Opened a shared book: ${names}`, async () => {
        errors = await book.put(files);
      });
    if (errors[0] !== undefined)
      tell(errors.length === 1 ? errors[0] : `${errors[0]} And ${errors.length - 1} more.`, 'error');
  } catch (error) {
    history.replaceState(null, '', href);
    throw error;
  } finally {
    shown();
  }
}

/** Load the tab anew, with the link in its address, for a new book. Never resolves. */
function openBeside(shared: Shared, session: Session): Promise<never> {
  if (session.unkept !== undefined)
    throw new Error(
      'This browser stores nothing for this page, so it has room for one book. Open the link in a new tab.',
    );
  openNew(nameOf(shared), { link: linkMark() }, { kind: 'link', from: CURRENT });
  return new Promise(() => {});
}

/** The name of a book in a link, or that of its first file. */
function nameOf({ name, files }: Shared): string {
  const [first] = files;
  return (
    name ??
    (first?.name
      .slice(0, 40)
      .replace(/\.\w+$/, '')
      .trim() ||
      'Shared book')
  );
}
