/** What the open book and the shelf of books know of each other. */
import type { Book } from './book/book.ts';
import { button, debounced, h, sentence, tell } from './dom.ts';
import type { Session } from './session.ts';
import {
  CURRENT,
  DAYS_RESTORABLE,
  type Shelved,
  binBook,
  currentBook,
  deletedBooks,
  describe,
  emptyBin,
  goTo,
  placeWanted,
  restoreBook,
  shelfChanged,
  takeArrival,
} from './shelf.ts';

/** A book that changes is listed anew after this time, in milliseconds. */
const PAUSE_MS = 300;

/** List the open book as it is from now on, and say above `main` what happens to it in other tabs. */
export function shelve(
  session: Session,
  book: Book,
  goToPlace: (file: string, line: number) => void,
  main: HTMLElement,
): void {
  let changedAt: number | undefined;
  session.changed.on(() => (changedAt = Date.now()));
  const measure = () => describe(CURRENT, { ...sizeOf(book), ...(changedAt !== undefined && { changedAt }) });
  book.tabsChanged.on(debounced(PAUSE_MS, measure));
  window.addEventListener('pagehide', measure);
  placeWanted.on(({ file, line }) => goToPlace(file, line));
  const deleted = h(
    'div',
    { class: 'banner row', role: 'alert' },
    h(
      'p',
      {},
      `Another tab has deleted this book. What you save here is lost with it after ${DAYS_RESTORABLE} days, unless you restore it.`,
    ),
    button('Restore', () => restoreBook(CURRENT)),
  );
  shelfChanged.on(() => {
    const isDeleted = currentBook().deletedAt !== undefined;
    if (isDeleted === deleted.isConnected) return;
    if (isDeleted) main.before(deleted);
    else deleted.remove();
  });
  void emptyBin();
}

/** How large a book is. */
function sizeOf({ tabs }: Book): Partial<Shelved> {
  const saved = tabs.filter((tab) => tab.saved !== undefined);
  const sum = (of: (tab: (typeof tabs)[number]) => number) => saved.reduce((all, tab) => all + of(tab), 0);
  return {
    files: saved.filter(({ readOnly }) => !readOnly).length,
    // What is in no file has one clause after the other.
    clauses: sum((tab) => (tab.readOnly ? (tab.saved!.match(/\.$/gm)?.length ?? 0) : tab.clauses)),
    characters: sum((tab) => tab.saved!.length),
  };
}

/** Do what this tab was loaded for. */
export function arrive(goToPlace: (file: string, line: number) => void): void {
  const arrival = takeArrival();
  const { name } = currentBook();
  if (arrival?.kind === 'place') goToPlace(arrival.file, arrival.line);
  else if (arrival?.kind === 'link')
    tell(`Opened ${name} beside your other books.`, 'done', {
      label: 'Undo',
      act: () => {
        try {
          binBook(CURRENT, arrival.from);
        } catch (error) {
          tell(sentence(error), 'error');
        }
      },
    });
  else if (arrival?.kind === 'deleted') {
    const deleted = deletedBooks().find(({ id }) => id === arrival.id);
    if (!deleted) return;
    const restore = () => {
      restoreBook(deleted.id);
      goTo(deleted.id);
    };
    tell(`Deleted ${deleted.name}.`, 'done', { label: 'Undo', act: restore });
  }
}
