/** A stored book that cannot be opened: offers its bytes to the person, and an empty place for a new one. */
import { button, h, sentence, tell } from './dom.ts';
import { download } from './download.ts';
import { agreed } from './dialogs.ts';
import { CURRENT, dropDatabase } from './shelf.ts';

const DATABASE = `hornbook: ${CURRENT}`;

/** What can be done with the stored book as a whole; empty if there is none. */
export function savedBook(): HTMLElement {
  const actions = h('span', { class: 'row' });
  void keptBytes().then((bytes) => {
    if (!bytes) return;
    actions.append(
      button('Download the saved book', () => download('book.journal', bytes, 'application/octet-stream')),
      button('Delete it and start over', () => void startAnew()),
    );
  });
  return actions;
}

/** Says that nothing is stored, and why; if there is a book that cannot be opened, offers what can be done with it. */
export function memoryBanner(reason: string): HTMLElement {
  return h(
    'div',
    { class: 'banner row', role: 'status' },
    h('p', {}, `Your book can't be saved in this browser: ${reason}. Download it before you close this page.`),
    savedBook(),
  );
}

async function startAnew(): Promise<void> {
  const text = 'This deletes the saved book and everything you wrote in this page since. You cannot undo this.';
  if (!(await agreed('Delete the saved book?', text, 'Delete', 'Cancel'))) return;
  try {
    await dropDatabase(CURRENT);
    window.location.reload();
  } catch (error) {
    tell(sentence(error), 'error');
  }
}

/** All parts of the stored book, concatenated; undefined if the browser has none. */
async function keptBytes(): Promise<Blob | undefined> {
  try {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(DATABASE);
      // There was no database: do not create one.
      request.onupgradeneeded = () => request.transaction?.abort();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const parts = await new Promise<unknown[]>((resolve, reject) => {
      const request = database.transaction('parts').objectStore('parts').getAll();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    }).finally(() => database.close());
    const bytes = new Blob(parts.filter((part): part is Uint8Array<ArrayBuffer> => part instanceof Uint8Array));
    return bytes.size > 0 ? bytes : undefined;
  } catch {
    return undefined;
  }
}
