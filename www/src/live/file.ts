/** The store of a book whose file somebody else writes: it is read, again and again, and never written. */
import { News } from '../../../pkg/remote-log.js';
import type { SharedLog, Store } from '../../../pkg/web.js';

/** Why a watched book is read-only, as part of a sentence. */
export const WATCHED = 'it is only watched here';
/** How often the file is looked at, in milliseconds. */
const LOOK_MS = 700;
/** How many of the last bytes tell whether the file was rewritten. Those of the first line change in place. */
const TAIL = 200;
const FIRST_LINE = 46;
const LINE_END = 10;

export class BookFile implements Store {
  readonly name: string;
  readonly readOnly = WATCHED;
  readonly shared: SharedLog;
  /** What has been read: whole records only. */
  #bytes = new Uint8Array();
  #replaced = false;
  #news = new News();
  #timer: number | undefined;
  #seen = '';

  /**
   * @param handle to read it again by
   * @param told why it cannot be read any more, or that it can again
   */
  constructor(
    private file: File,
    private readonly handle: FileSystemFileHandle | undefined,
    private readonly told: (why: string | undefined) => void,
  ) {
    this.name = file.name;
    this.shared = {
      connection: crypto.randomUUID().replaceAll('-', '').slice(0, 12),
      wasAlone: false,
      isKeeper: false,
      settled() {},
      head: async () => ({ length: this.#bytes.length, replaced: this.#replaced }),
      tail: (from) => this.#news.next(this.#replaced || this.#bytes.length > from),
      append: () => this.#refuse(),
      replace: () => this.#refuse(),
    };
  }

  async open(): Promise<number> {
    this.#replaced = false;
    this.#bytes = await whole(this.file);
    if (!new TextDecoder().decode(this.#bytes.subarray(0, 8)).startsWith('hornbook'))
      throw new Error('it is not a book. Choose the file that --book names');
    this.#seen = stampOf(this.file);
    if (this.handle && this.#timer === undefined) this.#timer = window.setInterval(() => void this.#look(), LOOK_MS);
    return this.#bytes.length;
  }

  async read(from: number, count: number): Promise<Uint8Array> {
    return this.#bytes.slice(from, from + count);
  }

  append = () => this.#refuse();
  replace = () => this.#refuse();
  setAside = () => this.#refuse();

  async close(): Promise<void> {
    window.clearInterval(this.#timer);
    this.#news.come();
  }

  async #refuse(): Promise<never> {
    throw new Error(this.readOnly);
  }

  async #look(): Promise<void> {
    try {
      this.file = await this.handle!.getFile();
      const stamp = stampOf(this.file);
      if (stamp === this.#seen) return;
      const bytes = await whole(this.file);
      this.#seen = stamp;
      this.told(undefined);
      const last = Math.max(FIRST_LINE, this.#bytes.length - TAIL);
      if (
        bytes.length < this.#bytes.length ||
        differs(bytes.subarray(last, this.#bytes.length), this.#bytes.subarray(last))
      )
        this.#replaced = true;
      else this.#bytes = bytes;
      this.#news.come();
    } catch {
      // It is looked at again.
      this.#seen = '';
      this.told('The file cannot be read any more. Waiting for it to come back…');
    }
  }
}

const stampOf = ({ size, lastModified }: File): string => `${size} ${lastModified}`;

/** The bytes of a file up to the last record that is whole: another may be half written. */
async function whole(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return bytes.subarray(0, bytes.lastIndexOf(LINE_END) + 1);
}

const differs = (some: Uint8Array, others: Uint8Array): boolean =>
  some.length !== others.length || some.some((byte, index) => byte !== others[index]);
