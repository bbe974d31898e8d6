/** The journal of a book as a log that others follow. Any server of the book knows its offsets. */
import type { OwnStore } from '../node/open.js';
import type { LogPart, Place, ServedLog } from './log-requests.js';
import { BEGIN, FIRST, NEWLINE, bytesOf, digits, has, lastOf, placeAt } from './places.js';
import { Refusal } from './refusal.js';

/** So many bytes are read at once, and more only of a record that is longer. */
const PART = 1 << 20;
/** So many ends are known without being looked up. */
const ENDS = 1_000;

export class JournalLog implements ServedLog {
  #end = BEGIN;
  /** The ends that it was found to have, the newest last: those who follow it ask behind one of them. */
  #ends = new Set<string>();
  /** Raised when the journal was rewritten. */
  #generation = 0;
  #looking: Promise<void> | undefined;
  #asked: Promise<unknown> = Promise.resolve();
  #following = false;
  #waiting: (() => void)[] = [];

  private constructor(
    private readonly store: OwnStore,
    private readonly admit: (at: number, record: Uint8Array) => Promise<boolean | string>,
  ) {}

  /**
   * @param store a store of its own, which it closes
   * @param admit has the book take a record that follows so many bytes; whether it did, or why it is none
   */
  static async open(
    store: OwnStore,
    admit: (at: number, record: Uint8Array) => Promise<boolean | string>,
  ): Promise<JournalLog> {
    const log = new JournalLog(store, admit);
    await log.#opened();
    return log;
  }

  get generation(): number {
    return this.#generation;
  }

  async find(offset: string): Promise<number | undefined> {
    const at = bytesOf(offset);
    if (at === undefined) throw new Refusal(400, 'This is no offset of the log');
    if (offset === BEGIN.offset) return FIRST;
    await this.end();
    if (this.#ends.has(offset)) return at;
    return (await has(this.#bytes, this.#end.at, offset)) ? at : undefined;
  }

  async end(): Promise<Place> {
    // Whoever asks while it is looked has to hear what was answered before it asked.
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

  async append(record: Uint8Array, after: string | undefined): Promise<Place | undefined> {
    if (after === undefined)
      throw new Refusal(400, 'Stream-Seq is missing: the offset of what the record was made to follow');
    const at = await this.find(after);
    if (at === undefined) return undefined;
    const done = await this.admit(at, record).catch((error: Error) => {
      throw new Refusal(503, error.message);
    });
    if (typeof done === 'string') throw new Refusal(400, `This is no record that can come next: ${done}`);
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
    // Records begin where the log has ended before.
    const from = this.#end.at < length ? this.#end.at : FIRST;
    this.#end = await placeAt(this.#bytes, length, from);
    this.#ends.add(this.#end.offset);
    if (this.#ends.size > ENDS) this.#ends.delete(this.#ends.values().next().value!);
  }

  /** Whoever waits hears of what is new; while nobody waits nothing is asked. */
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
      // Whoever waits asks again, and hears why.
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
    if (bytes.length < count) throw new Error('the log became shorter while it was read');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };

  /** A store is asked one thing at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#asked.then(work);
    this.#asked = done.catch(() => {});
    return done;
  }

  /** As it was when the book was begun: how far it was acknowledged changes in place, and a log never does. */
  async #firstLine(): Promise<Uint8Array> {
    const format = (await this.#bytes(0, FIRST)).toString('latin1').split(' ')[1];
    const mark = `hornbook ${format} ${digits(FIRST)} 00000000`;
    return Buffer.from(`${mark} ${crc32(mark)}\n`);
  }
}

/** The CRC-32 of ASCII, in eight hexadecimal digits. */
function crc32(ascii: string): string {
  let rest = ~0;
  for (const byte of Buffer.from(ascii)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (~rest >>> 0).toString(16).padStart(8, '0');
}
