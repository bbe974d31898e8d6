/**
 * The journal of a book as a log that others follow. An offset names what is before it: how many bytes, where the last
 * record of them begins, and its checksum, which is one of all records up to there. So any server of the book knows it,
 * and a journal that was rewritten does not have it.
 */
import type { OwnStore } from '../node.js';
import type { LogPart, Place, ServedLog } from './log-requests.js';
import { Refusal } from './refusal.js';

/** The first line of a journal has so many bytes. */
const FIRST = 46;
/** A checksum has so many digits. */
const CHECKSUM = 8;
/** So many bytes are read at once, and more only of a record that is longer. */
const PART = 1 << 20;
const NEWLINE = 0x0a;
/** So many ends are known without being looked up. */
const ENDS = 1_000;

const digits = (count: number) => String(count).padStart(16, '0');
const place = (at: number, start: number, checksum: string): Place => ({
  at,
  offset: `${digits(at)}_${digits(start)}_${checksum}`,
});
const BEGIN = place(FIRST, 0, '00000000');

export class JournalLog implements ServedLog {
  #end = BEGIN;
  /** The ends that it was found to have, the newest last: those who follow it ask behind one of them. */
  #ends = new Map<string, number>();
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
    const [, at, start, checksum] = /^(\d{16})_(\d{16})_([0-9a-f]{8})$/.exec(offset) ?? [];
    if (checksum === undefined) throw new Refusal(400, 'This is no offset of the log');
    if (offset === BEGIN.offset) return FIRST;
    await this.end();
    const known = this.#ends.get(offset);
    if (known !== undefined) return known;
    const [end, begin] = [Number(at), Number(start)];
    if (begin < FIRST || begin + CHECKSUM >= end || end > this.#end.at) return undefined;
    const [line, last] = [await this.#bytes(begin, CHECKSUM), await this.#bytes(end - 1, 1)];
    return text(line) === checksum && last[0] === NEWLINE ? end : undefined;
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
    this.#end = await this.#placeAt(length);
    this.#ends.set(this.#end.offset, this.#end.at);
    if (this.#ends.size > ENDS) this.#ends.delete(this.#ends.keys().next().value!);
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

  /** The place at the end of a record. */
  async #placeAt(at: number): Promise<Place> {
    if (at <= FIRST) return BEGIN;
    const last = this.#end.at;
    for (let count = 1 << 16; ; count *= 8) {
      // Records begin where the log has ended before.
      const from = Math.max(FIRST, at - count, at > last ? last : 0);
      const bytes = await this.#bytes(from, at - from);
      const found = bytes.lastIndexOf(NEWLINE, bytes.length - 2);
      if (found >= 0 || from === FIRST || from === last) return lastOf(bytes, from);
    }
  }

  async #bytes(from: number, count: number): Promise<Buffer> {
    const bytes = await this.#inTurn(() => this.store.read(from, count));
    if (bytes.length < count) throw new Error('the log became shorter while it was read');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** A store is asked one thing at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#asked.then(work);
    this.#asked = done.catch(() => {});
    return done;
  }

  /** As it was when the book was begun: how far it was acknowledged changes in place, and a log never does. */
  async #firstLine(): Promise<Uint8Array> {
    const format = text(await this.#bytes(0, FIRST)).split(' ')[1];
    const said = `hornbook ${format} ${digits(FIRST)} 00000000`;
    return Buffer.from(`${said} ${crc32(said)}\n`);
  }
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Where records end of which the first begins at `from`, or one before it. */
function lastOf(bytes: Uint8Array, from: number): Place {
  const start = bytes.lastIndexOf(NEWLINE, bytes.length - 2) + 1;
  return place(from + bytes.length, from + start, text(bytes.subarray(start, start + CHECKSUM)));
}

/** The CRC-32 of ASCII, in eight hexadecimal digits. */
function crc32(ascii: string): string {
  let rest = ~0;
  for (const byte of Buffer.from(ascii)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (~rest >>> 0).toString(16).padStart(CHECKSUM, '0');
}
