/** A kept book that cannot be opened: its bytes for the person, and an empty place for a new one. */
import { button, h, sentence, tell } from './dom.ts';
import { download } from './download.ts';
import { agreed } from './dialogs.ts';
import { BOOK } from './session.ts';

const DATABASE = `hornbook: ${BOOK}`;

/** Says that nothing is kept, and why; where there is a book that cannot be opened, what can be done with it. */
export function memoryBanner(reason: string): HTMLElement {
  const actions = h('span', { class: 'row' });
  void keptBytes().then((bytes) => {
    if (!bytes) return;
    actions.append(
      button('Download what is kept', () => download('book.journal', bytes, 'application/octet-stream')),
      button('Delete it and start anew', () => void startAnew()),
    );
  });
  return h(
    'div',
    { class: 'banner row', role: 'status' },
    h(
      'p',
      {},
      `Your book is not kept: ${reason}. It lasts as long as this page is open, so download it before you leave.`,
    ),
    actions,
  );
}

async function startAnew(): Promise<void> {
  const text =
    'The kept book cannot be brought back after this. What you have written in this page since is gone, too.';
  if (!(await agreed('Delete the kept book?', text, 'Delete it', 'Leave it'))) return;
  try {
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(DATABASE);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error('Another tab has it open: close that one first.'));
    });
    window.location.reload();
  } catch (error) {
    tell(sentence(error), 'error');
  }
}

/** All parts of the kept book, one behind the other; undefined where the browser has none to give. */
async function keptBytes(): Promise<Blob | undefined> {
  try {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(DATABASE);
      // There was none: none is made.
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
