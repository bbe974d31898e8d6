/** The books of this browser: opened, searched, added, renamed, copied and deleted. */
import '../styles/books.css';
import { IndexedDbStore } from '../../../pkg/page/indexed-db-store.js';
import { shortName } from '../book/names.ts';
import { agreed, dialog } from '../dialogs.ts';
import { button, h, sentence } from '../dom.ts';
import { seen } from '../odd.ts';
import {
  CURRENT,
  DAYS_RESTORABLE,
  type Shelved,
  addBook,
  binBook,
  books,
  copyParts,
  deletedBooks,
  change,
  dropBook,
  faultOfBook,
  findBooks,
  goTo,
  openNew,
  placeWanted,
  restoreBook,
  shelfChanged,
} from '../shelf.ts';
import { type Found, MOST, Search } from './search.ts';

export async function showBooks(): Promise<void> {
  await findBooks();
  let off = () => {};
  await dialog('Books', (close) => {
    const all = h('ul', { class: 'books' });
    const deleted = h('details', { class: 'deleted-books' });
    const fault = h('p', { class: 'fault', role: 'alert' });
    /** Those that were deleted since the dialog was opened keep their rows. */
    const binned = new Set<string>();
    const act: Act = (what, work) => {
      fault.textContent = '';
      const failed = (error: unknown) => {
        fault.textContent = `${what}${sentence(error)}`;
        fault.scrollIntoView({ block: 'nearest' });
      };
      void (async () => work())().catch(failed);
    };
    const draw = () => {
      // Whoever types a name finds the books as they are when that is done.
      if (all.querySelector('.rename')) return;
      const focused = keyOf(document.activeElement);
      const gone = deletedBooks();
      const shown = [...books(), ...gone.filter(({ id }) => binned.has(id))].sort(byChange);
      all.replaceChildren(
        ...shown.map((book) =>
          book.deletedAt === undefined ? itemOf(book, close, act, binned) : binnedItem(book, act),
        ),
      );
      deleted.hidden = gone.length === 0;
      deleted.replaceChildren(
        h('summary', {}, gone.length === 1 ? '1 deleted book' : `${gone.length} deleted books`),
        h('ul', { class: 'books' }, ...gone.map((book) => deletedItem(book, act))),
      );
      focusOn([all, deleted], focused);
    };
    draw();
    off = shelfChanged.on(draw);
    return [
      searching(close, all),
      all,
      adding(act),
      fault,
      deleted,
      h(
        'div',
        { class: 'row end' },
        button('Close', () => close()),
      ),
    ];
  });
  off();
}

/** Does `work` for the dialog, which shows why it failed, after `what`. */
type Act = (what: string, work: () => void | Promise<void>) => void;

const byChange = (one: Shelved, other: Shelved): number => (other.changedAt ?? 0) - (one.changedAt ?? 0);

/** What tells a button of the lists from the others, also after they were drawn again. */
const keyOf = (element: Element | null): string | undefined =>
  element instanceof HTMLElement ? element.dataset.key : undefined;

/** A button of a book. */
function actionOf({ id, name }: Shelved, label: string, onclick: () => void, called = `${label} ${name}`): HTMLElement {
  const made = button(label, onclick, { class: 'quiet', name: called });
  made.dataset.key = `${label} ${id}`;
  return made;
}

/** Give the focus back to a button that was drawn again; what was deleted and restored has another one in its place. */
function focusOn(lists: HTMLElement[], key: string | undefined): void {
  if (key === undefined) return;
  const id = key.split(' ').at(-1)!;
  const all = lists.flatMap((list) => [...list.querySelectorAll<HTMLElement>('[data-key]')]);
  const same = all.find((one) => keyOf(one) === key) ?? all.find((one) => keyOf(one)?.endsWith(` ${id}`));
  (same ?? all[0])?.focus();
}

/** `3 files, 24 clauses, 1.4 kB, changed on 29 Nov at 10:14`. */
function aboutOf({ files = 0, clauses = 0, characters = 0, changedAt }: Shelved): string {
  const count = (number: number, what: string) => `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
  const size = characters < 1000 ? count(characters, 'character') : `${(characters / 1000).toFixed(1)} kB`;
  const parts = characters === 0 ? ['empty'] : [count(files, 'file'), count(clauses, 'clause'), size];
  if (changedAt !== undefined)
    parts.push(`changed ${new Date(changedAt).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}`);
  return parts.join(', ');
}

function itemOf(book: Shelved, close: () => void, act: Act, binned: Set<string>): HTMLElement {
  const { id, name } = book;
  const isOpen = id === CURRENT;
  const open = h(
    'button',
    {
      type: 'button',
      class: 'quiet book-name',
      'aria-current': isOpen ? 'true' : undefined,
      onclick: () => (isOpen ? close() : goTo(id)),
    },
    h('b', {}, name),
    h('span', { class: 'about' }, `${isOpen ? 'open, ' : ''}${aboutOf(book)}`),
  );
  const bin = () => {
    binned.add(id);
    binBook(id);
  };
  const renaming = actionOf(book, 'Rename', () => rename(book, open, renaming, act));
  return h(
    'li',
    {},
    open,
    h(
      'div',
      { class: 'row' },
      renaming,
      actionOf(book, 'Duplicate', () => act(`${name} was not copied: `, () => duplicate(book))),
      actionOf(book, 'Delete', () => act(`${name} was not deleted: `, bin)),
    ),
  );
}

/** In place of a book that was just deleted. */
function binnedItem(book: Shelved, act: Act): HTMLElement {
  return h(
    'li',
    {},
    h('span', { class: 'book-name note', role: 'status' }, `Deleted ${book.name}.`),
    h(
      'div',
      { class: 'row' },
      actionOf(book, 'Undo', () => act('', () => restoreBook(book.id)), `Undo: delete ${book.name}`),
    ),
  );
}

/** Show a field in place of the name; the focus goes back to `opener`. */
function rename({ id, name }: Shelved, shown: HTMLElement, opener: HTMLElement, act: Act): void {
  const field = h('input', { type: 'text', value: name, 'aria-label': `New name of ${name}`, class: 'rename' });
  let ended = false;
  const end = (isTaken: boolean) => {
    if (ended) return;
    ended = true;
    const hasFocus = field === document.activeElement;
    field.replaceWith(shown);
    if (hasFocus) opener.focus();
    const wanted = field.value.trim();
    act('', () => {
      if (!isTaken || wanted === name) return shelfChanged.send();
      const isOther = books().some((other) => other.name === wanted);
      const fault = faultOfBook(wanted) ?? (isOther ? `Another book is called ${wanted}.` : undefined);
      if (fault) throw new Error(fault);
      change(id, { name: wanted });
    });
  };
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // The key would press the button that gets the focus.
    event.preventDefault();
    end(event.key === 'Enter');
  });
  field.addEventListener('blur', () => end(true));
  shown.replaceWith(field);
  field.focus();
  field.select();
}

/** Copy a book with its history, and what the browser has beside it. */
async function duplicate({ id, name, files, clauses, characters }: Shelved): Promise<void> {
  let copy: string | undefined;
  try {
    copy = addBook(`${name.slice(0, 50)} copy`, { files, clauses, characters });
    await copyBytes(id, copy);
    copyParts(id, copy);
  } catch (error) {
    if (copy !== undefined) await dropBook(copy);
    throw error;
  }
}

async function copyBytes(from: string, to: string): Promise<void> {
  const bytes = await withStore(from, (store, length) => store.read(0, length));
  // A book in which nothing was written has none.
  if (bytes.length > 0) await withStore(to, (store) => store.replace(bytes));
}

async function withStore<T>(id: string, work: (store: IndexedDbStore, length: number) => Promise<T>): Promise<T> {
  const store = new IndexedDbStore(id);
  try {
    return await work(store, await store.open());
  } finally {
    await store.close();
  }
}

function deletedItem(book: Shelved, act: Act): HTMLElement {
  const { id, name, deletedAt = 0 } = book;
  const days = DAYS_RESTORABLE - Math.floor((Date.now() - deletedAt) / (24 * 60 * 60 * 1000));
  const forGood = async () => {
    const about = `${name} and its history cannot be restored after that.`;
    if (await agreed('Delete for good?', about, 'Delete', 'Cancel')) await dropBook(id);
  };
  return h(
    'li',
    {},
    h(
      'span',
      { class: 'book-name' },
      h('b', {}, name),
      h('span', { class: 'about' }, `deleted for good in ${Math.max(days, 1)} ${days <= 1 ? 'day' : 'days'}`),
    ),
    h(
      'div',
      { class: 'row' },
      actionOf(book, 'Restore', () => act('', () => restoreBook(id))),
      actionOf(book, 'Delete for good', () => act(`${name} was not deleted: `, forGood), `Delete for good: ${name}`),
    ),
  );
}

function adding(act: Act): HTMLElement {
  const name = h('input', { type: 'text', placeholder: 'Name of a new book', 'aria-label': 'Name of a new book' });
  const add = (event: Event) => {
    event.preventDefault();
    const wanted = name.value.trim() || 'New book';
    const isOther = books().some((other) => other.name === wanted);
    const fault =
      faultOfBook(wanted) ?? (isOther && name.value.trim() ? `Another book is called ${wanted}.` : undefined);
    act('', () => {
      if (fault) throw new Error(fault);
      openNew(wanted);
    });
  };
  return h('form', { class: 'row', onsubmit: add }, name, h('button', {}, 'New book'));
}

/** The field that looks in all books, and what it finds, in place of `others`. */
function searching(close: () => void, others: HTMLElement): HTMLElement {
  const field = h('input', { type: 'search', placeholder: 'Search in all books', 'aria-label': 'Search in all books' });
  const found = h('div', { class: 'found', role: 'region', 'aria-label': 'Found', tabindex: 0, hidden: true });
  const search = new Search();
  let latest = 0;
  const look = async () => {
    const text = field.value.trim();
    const number = ++latest;
    const isLatest = () => number === latest && field.isConnected;
    found.hidden = text === '';
    others.hidden = text !== '';
    found.replaceChildren();
    if (text === '') return;
    const note = h('p', { class: 'note', role: 'status' });
    found.append(note);
    let count = 0;
    for (const book of books()) {
      note.textContent = `Reading ${book.name}…`;
      try {
        const all = await search.in(book, text);
        if (!isLatest()) return;
        count += all.length;
        if (all.length > 0) note.before(...foundIn(book, all, close));
      } catch (error) {
        if (!isLatest()) return;
        note.before(h('p', { class: 'fault' }, `${book.name} could not be read: ${sentence(error)}`));
      }
    }
    note.textContent = count === 0 ? 'No book has it.' : '';
  };
  const begin = (event: Event) => {
    event.preventDefault();
    void look();
  };
  // Emptied, it shows the books again.
  field.addEventListener('input', () => field.value === '' && void look());
  return h(
    'div',
    {},
    h('form', { class: 'row', role: 'search', onsubmit: begin }, field, h('button', {}, 'Search')),
    found,
  );
}

function foundIn(book: Shelved, all: Found[], close: () => void): HTMLElement[] {
  const show = (file: string, line: number) => {
    close();
    if (book.id === CURRENT) placeWanted.send({ file, line });
    else goTo(book.id, { kind: 'place', file, line });
  };
  const items = all.slice(0, MOST).map(({ file, line, around: [before, match, after] }) =>
    h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          title: `${file}:${line}`,
          onclick: () => show(file, line),
        },
        h('span', { class: 'place' }, `${shortName(file)}:${line}`),
        h('code', {}, ...seen(before), h('mark', {}, ...seen(match)), ...seen(after)),
      ),
    ),
  );
  const title = h('h3', { title: book.name }, book.name);
  const more = all.length > MOST ? [h('p', { class: 'note' }, `Only the first ${MOST} places are shown.`)] : [];
  return [title, h('ul', {}, ...items), ...more];
}
