/**
 * The books that this browser stores for the page, by their names. A tab has one of them open, and is loaded anew for
 * another: an engine, open queries and panels belong to one book.
 */
import { Signal } from './dom.ts';
import { hasOdd } from './odd.ts';
import { keep, keepText, kept, keptJson, ofTab, textsIn } from './kept.ts';

/** What the browser stores of one book besides the book itself, by the names of the first one's. */
const PARTS = [
  'hornbook.drafts',
  'hornbook.bases',
  'hornbook.aside',
  'hornbook.clients',
  'hornbook.groups',
  'hornbook.asked',
  'hornbook.pinned',
  'hornbook.notebook',
] as const;
type PartName = (typeof PARTS)[number] | 'hornbook.queries';

export interface Shelved {
  /** The name of its database, after `hornbook: `. */
  id: string;
  name: string;
  /** As they were when it was open last. */
  files?: number;
  clauses?: number;
  characters?: number;
  /** When it was changed last, and when it was deleted, in milliseconds since 1970. */
  changedAt?: number;
  deletedAt?: number;
  /** A mark of the link that it was opened from. */
  link?: number;
}

/** What a tab does first with the book that it was loaded for. */
export type Arrival =
  /** Show a place. */
  | { kind: 'place'; file: string; line: number }
  /** The link in the address was opened in this new book, from another one. */
  | { kind: 'link'; from: string }
  /** Another book was deleted. */
  | { kind: 'deleted'; id: string };

/** The book of those who have only one. */
const FIRST = 'playground';
const DEFAULT_NAME = 'My book';

/** The books, as JSON by their ids. */
const BOOKS = 'hornbook.books';
/** The book that new tabs open. */
const LAST = 'hornbook.last';
/** Of this tab, over its reloads: its book, and its {@link Arrival}. */
const OPEN = 'hornbook.book';
const ARRIVAL = 'hornbook.arrival';
const NAME = 'hornbook.tab';

/** The longest name of a book, in characters. */
const LONGEST = 60;
/** How long a deleted book can be restored. */
export const DAYS_RESTORABLE = 7;
const RESTORABLE_MS = DAYS_RESTORABLE * 24 * 60 * 60 * 1000;

/** Something about the books changed, here or in another tab. */
export const shelfChanged = new Signal();
/** A place in the open book is to be shown. */
export const placeWanted = new Signal<{ file: string; line: number }>();
window.addEventListener('storage', ({ key }) => key === BOOKS && shelfChanged.send());

/** All books, the deleted ones too. */
function all(): Shelved[] {
  const books = [...textsIn(keptJson(BOOKS))].flatMap(([id, text]) => readBook(id, text) ?? []);
  return books.length > 0 ? books : [{ id: FIRST, name: DEFAULT_NAME }];
}

function readBook(id: string, text: string): Shelved | undefined {
  try {
    const { name, ...others } = JSON.parse(text) as Record<string, unknown>;
    const numbers = Object.entries(others).filter(([, value]) => Number.isFinite(value));
    const fits = typeof name === 'string' && faultOfBook(name) === undefined;
    return { ...Object.fromEntries(numbers), id, name: fits ? name : DEFAULT_NAME };
  } catch {
    return undefined;
  }
}

/** Returns whether the browser stores it. */
function put({ id, ...book }: Shelved): boolean {
  const isStored = keepText(BOOKS, id, JSON.stringify(book));
  shelfChanged.send();
  return isStored;
}

/** The books, the one that was changed last first. */
export const books = (): Shelved[] =>
  all()
    .filter(({ deletedAt }) => deletedAt === undefined)
    .sort((one, other) => (other.changedAt ?? 0) - (one.changedAt ?? 0));

/** Those that were deleted, and can be restored. */
export const deletedBooks = (): Shelved[] => all().filter(({ deletedAt }) => deletedAt !== undefined);

const bookOf = (id: string): Shelved | undefined => all().find((book) => book.id === id);

/** The id of the book that this tab has open. */
export const CURRENT = ((): string => {
  const known = books();
  const wanted = [ofTab.get(OPEN), kept(LAST)].find((id) => known.some((book) => book.id === id));
  const id = wanted ?? known[0]?.id ?? newId();
  // All of them were deleted: begin a new one.
  if (!bookOf(id)) put({ id, name: DEFAULT_NAME });
  ofTab.set(OPEN, id);
  return id;
})();

export const currentBook = (): Shelved => bookOf(CURRENT) ?? { id: CURRENT, name: DEFAULT_NAME };

/** Where the browser stores a part of a book. */
export const partOf = (part: PartName, id = CURRENT): string => (id === FIRST ? part : `${part}: ${id}`);

function newId(): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  return `${FIRST}-${[...random].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** What is wrong with the name of a book, as a sentence; undefined if it is valid. */
export function faultOfBook(name: string): string | undefined {
  if (name.trim() === '') return 'A book needs a name.';
  if (name.length > LONGEST)
    return `Names of books can have up to ${LONGEST} characters; this one has ${name.length.toLocaleString('en')}.`;
  if (/\p{Cc}/u.test(name) || hasOdd(name)) return "Names of books can't contain line breaks or invisible characters.";
  return undefined;
}

/** A name that no book has: `base`, or with a number. */
function freshName(base: string): string {
  const taken = new Set(books().map(({ name }) => name));
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base.slice(0, LONGEST - 8)} ${n}`;
    if (!taken.has(name)) return name;
  }
}

/** Add an empty book. Returns its id. Throws a sentence if the browser does not store it. */
export function addBook(wanted: string, others: Partial<Shelved> = {}): string {
  const id = newId();
  const book = { ...others, name: freshName(wanted), changedAt: Date.now() };
  // The first one may not be listed yet.
  keepText(BOOKS, CURRENT, JSON.stringify(currentBook()));
  if (!keepText(BOOKS, id, JSON.stringify(book))) {
    forget(id);
    throw new Error("The browser's storage is full or denied, so it holds no other book. Delete one first.");
  }
  shelfChanged.send();
  return id;
}

/** Whether it still has the name that it was given at first. */
export const isUnnamed = (): boolean => currentBook().name === DEFAULT_NAME;

/** Change what is known of a book; `undefined` removes it. Returns whether the browser stores the change. */
export function describe(id: string, values: Partial<Shelved>): boolean {
  const book = bookOf(id);
  return book === undefined || put({ ...book, ...values });
}

/** As {@link describe}, but throws a sentence and changes nothing if the browser does not store it. */
export function change(id: string, values: Partial<Shelved>): void {
  const before = kept(BOOKS);
  if (describe(id, values)) return;
  keep(BOOKS, before);
  shelfChanged.send();
  throw new Error("The browser's storage is full or denied, so nothing was changed. Delete a book for good first.");
}

/**
 * Open a book in this tab, which is loaded anew. A link in the address is kept for it. The browser may ask whether to
 * leave the page, since something would be lost: whoever stays has the book that they had, and `stayed` is called.
 */
export function goTo(id: string, arrival?: Arrival, stayed = () => {}): void {
  const end = new AbortController();
  const { signal } = end;
  const record = () => {
    end.abort();
    ofTab.set(OPEN, id);
    ofTab.set(ARRIVAL, arrival && JSON.stringify(arrival));
    keep(LAST, id);
  };
  const stay = () => {
    end.abort();
    stayed();
  };
  window.addEventListener('pagehide', record, { signal });
  const asking = (event: Event) => {
    if (!event.defaultPrevented) return;
    // No event says that somebody stayed, but they can do nothing in the page before.
    for (const kind of ['pointerdown', 'keydown']) window.addEventListener(kind, stay, { signal, capture: true });
  };
  window.addEventListener('beforeunload', asking, { signal });
  if (arrival?.kind !== 'link') history.replaceState(null, '', window.location.pathname);
  window.location.reload();
}

/** Add an empty book and open it in this tab. Throws a sentence if the browser does not store it. */
export function openNew(name: string, others?: Partial<Shelved>, arrival?: Arrival): void {
  const id = addBook(name, others);
  goTo(id, arrival, () => void dropBook(id).catch(() => {}));
}

/** What this tab was loaded for, once. */
export function takeArrival(): Arrival | undefined {
  const text = ofTab.get(ARRIVAL);
  ofTab.set(ARRIVAL, undefined);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Arrival);
  } catch {
    return undefined;
  }
}

/**
 * Delete a book. It can be restored for some days. In place of the open one, `next` is opened, or another. Throws a
 * sentence if the browser does not store that.
 */
export function binBook(id: string, next?: string): void {
  const others = books().flatMap((book) => (book.id === id ? [] : [book.id]));
  // Whatever happens, there is one to open.
  const other = others.find((one) => one === next) ?? others[0] ?? addBook(DEFAULT_NAME);
  change(id, { deletedAt: Date.now() });
  if (id === CURRENT) goTo(other, { kind: 'deleted', id }, () => restoreBook(id));
}

/** List the books that the browser has, but not their names: those were kept in a place that was emptied. */
export async function findBooks(): Promise<void> {
  const stored = (await indexedDB.databases?.().catch(() => [])) ?? [];
  for (const { name = '' } of stored) {
    const id = /^hornbook: (playground(?:-[0-9a-f]{12})?)$/.exec(name)?.[1];
    if (id !== undefined && !bookOf(id)) put({ id, name: freshName('Found book') });
  }
}

export const restoreBook = (id: string): void => void describe(id, { deletedAt: undefined });

/** The name of this tab, over its reloads. */
export let TAB = ofTab.get(NAME) ?? newId();
/** Who has a name for so long is another tab. */
const NAMED_MS = 1000;
const tabLock = (tab: string): string => `hornbook.tab: ${tab}`;

/** Name this tab. A copy of a tab begins with what that one remembers, and gets another name. */
export async function nameTab(): Promise<void> {
  const isMine = (name: string) =>
    new Promise<boolean>((resolve) => {
      if (!locks) return resolve(true);
      const held = () => {
        resolve(true);
        return new Promise<void>(() => {});
      };
      // Of a tab that is loaded anew, the page before may still have it.
      const signal = AbortSignal.timeout(NAMED_MS);
      locks.request(tabLock(name), { signal }, held).catch(() => resolve(false));
    });
  if (!(await isMine(TAB))) {
    TAB = newId();
    await isMine(TAB);
  }
  ofTab.set(NAME, TAB);
}

/** Whether a tab of this name is open. */
export async function isTabOpen(tab: string): Promise<boolean> {
  const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {};
  return held.some(({ name }) => name === tabLock(tab));
}

/** The lock that each tab has on the book that it has open. */
const lockOf = (id: string): string => `hornbook.open: ${id}`;
/** Pages that are not served over HTTPS have no locks. */
const locks = navigator.locks as LockManager | undefined;
/** Gives up this tab's lock. */
let letGo = (): Promise<unknown> => Promise.resolve();

/** No other tab can delete the open book for good from now on. */
export function hold(): void {
  if (!locks) return;
  let release = () => {};
  const held = () => new Promise<void>((end) => (release = end));
  // Where nothing may be stored there is nothing to lock.
  const released = locks.request(lockOf(CURRENT), { mode: 'shared' }, held).catch(() => {});
  letGo = () => {
    release();
    return released;
  };
}

/** Delete a book for good. Rejects with a sentence if a tab has it open. */
export async function dropBook(id: string): Promise<void> {
  if (id === CURRENT) throw new Error('The book is open in this tab. Open another one first.');
  await dropDatabase(id);
  forget(id);
  shelfChanged.send();
}

function forget(id: string): void {
  for (const part of PARTS) keep(partOf(part, id), undefined);
  keepText(BOOKS, id, undefined);
}

/** Delete what the browser stores of a book itself. Rejects with a sentence if another tab has it open. */
export async function dropDatabase(id: string): Promise<void> {
  const open = new Error('The book is open in another tab. Close that tab first.');
  const drop = () =>
    new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(`hornbook: ${id}`);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(open);
    });
  if (!locks) return drop();
  if (id === CURRENT) await letGo();
  return locks.request(lockOf(id), { ifAvailable: true }, (lock) => (lock ? drop() : Promise.reject(open)));
}

/** Delete for good what can no longer be restored. */
export async function emptyBin(): Promise<void> {
  const old = deletedBooks().filter(
    ({ id, deletedAt = 0 }) => id !== CURRENT && deletedAt < Date.now() - RESTORABLE_MS,
  );
  // One that another tab has open waits for the next time.
  for (const { id } of old) await dropBook(id).catch(() => {});
}

/** Copy the parts of a book that the browser stores beside it. */
export function copyParts(from: string, to: string): void {
  for (const part of PARTS) {
    const text = kept(partOf(part, from));
    if (text !== undefined) keep(partOf(part, to), text);
  }
}
