/** Opens a workspace, in Node and in pages. */
import type { Hornbook, Host, Options, Store } from './full/hornbook.js';

interface Crate {
  Hornbook: {
    new (host: Host, options: Options): Hornbook;
    open(host: Host, store: Store, options: Options): Promise<Hornbook>;
  };
}

/**
 * A workspace whose book is in the store, or else in memory.
 *
 * @throws Error whose message is a sentence, with a `kind`: `invalid_argument` if an option is wrong, `storage_error` if
 *   the book cannot be opened
 */
export async function opened(
  { Hornbook }: Crate,
  host: Host,
  store: Store | undefined,
  options: Options,
): Promise<Hornbook> {
  try {
    return store ? await Hornbook.open(host, store, options) : new Hornbook(host, options);
  } catch (error) {
    // What is wrong with a book begins with its name.
    const ofStore = store !== undefined && (error as Error).message.startsWith(store.name);
    throw Object.assign(error as Error, { kind: ofStore ? 'storage_error' : 'invalid_argument' });
  }
}
