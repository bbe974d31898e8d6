/** The journal of a book as a log for followers. Every server of the book understands its offsets. */
import type { OwnStore } from '../node/open.js';
import type { Acting } from './access.js';
import type { LogPart, Place, ServedLog } from './log-requests.js';
import { BEGIN, FIRST, NEWLINE, bytesOf, digits, has, lastOf, placeAt } from './places.js';
import { Refusal } from './refusal.js';

/** How many bytes to read at once; more only for a longer record. */
const PART = 1 << 20;
/** How many ends to remember, to save looking them up. */
const ENDS = 1_000;

/**
 * Has the book accept a record of a writer after this number of bytes. Resolves with whether it did, or why the record is
 * invalid, or why the rules of the book forbid it.
 */
type Admit = (at: number, record: Uint8Array, acting: Acting) => Promise<boolean | string | { forbidden: string }>;

export class JournalLog implements ServedLog {
  #end = BEGIN;
  /** Ends that the log had, newest last: followers ask for what comes after one of them. */
  #ends = new Set<string>();
  /** Incremented when the journal is rewritten. */
  #generation = 0;
  #looking: Promise<void> | undefined;
  #asked: Promise<unknown> = Promise.resolve();
  #following = false;
  #waiting: (() => void)[] = [];

  private constructor(
    private readonly store: OwnStore,
    private readonly admit: Admit,
  ) {}

  /**
   * @param store a separate store, which this log closes
   */
  static async open(store: OwnStore, admit: Admit): Promise<JournalLog> {
    const log = new JournalLog(store, admit);
    await log.#opened();
    return log;
  }

  get generation(): number {
    return this.#generation;
  }

  async find(offset: string): Promise<number | undefined> {
    const at = bytesOf(offset);
    if (at === undefined) throw new Refusal(400, 'Unknown log offset');
    if (offset === BEGIN.offset) return FIRST;
    await this.end();
    if (this.#ends.has(offset)) return at;
    return (await has(this.#bytes, this.#end.at, offset)) ? at : undefined;
  }

  async end(): Promise<Place> {
    // A look that has already begun may miss what was acknowledged just before this call, so wait for it and look
    // again.
    await this.#looking;
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    await this.#looking;
    return this.#end;
  }

  async read(from: number): Promise<LogPart> {
    if (from === 0) return { bytes: await this.#firstLine(), end: BEGIN };
    const limit = this.#end;
    if (from >= limit.at) return { bytes: new Uint8Array(), end: limit };
    let bytes = await this.#bytes(from, Math.min(PART, limit.at - from));
    while (bytes.lastIndexOf(NEWLINE) < 0) {
      if (bytes.length >= limit.at - from) throw new Error('the log was rewritten while it was read');
      const more = await this.#bytes(from + bytes.length, Math.min(bytes.length, limit.at - from - bytes.length));
      bytes = Buffer.concat([bytes, more]);
    }
    bytes = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
    return { bytes, end: lastOf(bytes, from) };
  }

  async more(from: number): Promise<void> {
    if (this.#end.at > from) return;
    const woken = new Promise<void>((resolve) => this.#waiting.push(resolve));
    void this.#follow();
    await woken;
  }

  async append(record: Uint8Array, after: string | undefined, acting: Acting): Promise<Place | undefined> {
    if (after === undefined) throw new Refusal(400, 'Stream-Seq is missing: the offset that the record follows');
    const at = await this.find(after);
    if (at === undefined) return undefined;
    const done = await this.admit(at, record, acting).catch((error: Error) => {
      throw new Refusal(503, error.message);
    });
    if (typeof done === 'object') throw new Refusal(403, done.forbidden);
    if (typeof done === 'string') throw new Refusal(400, `This record cannot come next: ${done}`);
    return done ? lastOf(record, at) : undefined;
  }

  async close(): Promise<void> {
    this.#wake();
    await this.store.close();
  }

  async #opened(): Promise<void> {
    this.#ends.clear();
    this.#end = BEGIN;
    await this.#goTo(await this.#inTurn(() => this.store.open()));
  }

  async #look(): Promise<void> {
    const { length, replaced } = await this.#inTurn(() => this.store.shared!.head());
    if (replaced) {
      await this.#opened();
      this.#generation += 1;
    } else if (length !== this.#end.at) {
      await this.#goTo(length);
    }
  }

  async #goTo(length: number): Promise<void> {
    // A previous end of the log is the start of a record.
    const from = this.#end.at < length ? this.#end.at : FIRST;
    this.#end = await placeAt(this.#bytes, length, from);
    this.#ends.add(this.#end.offset);
    if (this.#ends.size > ENDS) this.#ends.delete(this.#ends.values().next().value!);
  }

  /** Notify waiting callers of news; while nobody waits, the store is not asked. */
  async #follow(): Promise<void> {
    if (this.#following) return;
    this.#following = true;
    try {
      while (this.#waiting.length > 0) {
        const { at } = this.#end;
        const generation = this.#generation;
        await this.store.shared!.tail(at);
        await this.end();
        if (this.#end.at !== at || this.#generation !== generation) this.#wake();
      }
    } catch {
      // The waiting callers ask again, and get the error.
      this.#wake();
    } finally {
      this.#following = false;
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #bytes = async (from: number, count: number): Promise<Buffer> => {
    const bytes = await this.#inTurn(() => this.store.read(from, count));
    if (bytes.length < count) throw new Error('the log was truncated while being read');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };

  /** The store takes one operation at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#asked.then(work);
    this.#asked = done.catch(() => {});
    return done;
  }

  /**
   * The first line as it was when the book was created: the acknowledged length in it changes in place, and a log must
   * never change.
   */
  async #firstLine(): Promise<Uint8Array> {
    const format = (await this.#bytes(0, FIRST)).toString('latin1').split(' ')[1];
    const mark = `hornbook ${format} ${digits(FIRST)} 00000000`;
    return Buffer.from(`${mark} ${crc32(mark)}\n`);
  }
}

/** The CRC-32 of ASCII text, in eight hexadecimal digits. */
function crc32(ascii: string): string {
  let rest = ~0;
  for (const byte of Buffer.from(ascii)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (~rest >>> 0).toString(16).padStart(8, '0');
}
