/**
 * The log of a book in a NATS JetStream stream, which processes of any machine share. A message holds what one append
 * has written, or a part of it; its header gives the generation and the byte at which it begins. When two append after
 * the same message, the server accepts one of them. A message that begins at byte 0 starts a generation: the same book,
 * rewritten.
 */
import { randomBytes } from 'node:crypto';
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import type * as Jetstream from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type * as Transport from '@nats-io/transport-node';
import type { SharedLog, Store } from '../full/hornbook.js';
import { News, Patience } from '../remote-log.js';

/** Both NATS libraries. */
export type Library = typeof Jetstream & typeof Transport;

/** The delay before retrying a server that cannot be reached, in milliseconds. */
export const AGAIN_MS = 100;
/** How long a server may take to answer, in milliseconds. */
export const ANSWER_MS = 5_000;
/** Room for the headers of a message, in bytes. */
const HEADERS = 1_024;
/** The most messages that the server accepts in a batch. */
const BATCH = 1_000;
/** The most messages, and bytes, to request at once. */
const FETCH = { batch: 256, max_bytes: 8 << 20 };
const PLACE = 'Hornbook-Place';
/** Error codes that mean the stream has moved on. */
const MOVED = [10071, 10164];
/** The error code for a stream that does not exist. */
export const MISSING = 10059;
const BEHIND = 'the server that was asked is behind the one that leads';
const REWRITTEN = 'what was there was rewritten';

/** The stream of a book. */
export const streamOf = (book: string) => `hornbook_${book}`;
const subjectOf = (book: string) => `hornbook.log.${book}`;
/** The subject that notifies listeners of changes to the book. */
export const changedOf = (book: string) => `hornbook.changed.${book}`;

/** The end of a stream. */
interface End {
  /** The number of its last message. */
  message: number;
  generation: number;
  /** Bytes in this generation. */
  length: number;
}

/** The contents of a message. */
interface Part {
  message: number;
  generation: number;
  at: number;
  bytes: Uint8Array;
}

export class NatsStore implements Store {
  readonly name: string;
  readonly shared: SharedLog;
  /** The end of the stream, as far as this process has looked. */
  #end: End = { message: 0, generation: 0, length: 0 };
  /** The generation that this process has open, and how far it goes. */
  #own = { generation: 0, length: 0 };
  /** Consecutive messages of it that were fetched but not read yet. */
  #parts: Part[] = [];
  /** Known starts of its messages, in order, to narrow the search for others. */
  #places: Pick<Part, 'at' | 'message'>[] = [];
  #fetched: Promise<unknown> = Promise.resolve();
  readonly #news = new News();
  readonly #patience = new Patience({
    server: 'NATS',
    againMs: AGAIN_MS,
    // Errors for which retrying does not help.
    isFinal: ({ status }: { status?: number }) => status !== undefined && status < 500,
  });
  readonly #unlisten: () => void;

  /** @param listen registers a callback for when others may have written, and returns the function that removes it */
  constructor(
    private readonly library: Library,
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly replicas: number,
    private readonly book: string,
    listen: (wake: () => void) => () => void,
  ) {
    this.name = `book ${book}`;
    this.shared = this.#share();
    this.#unlisten = listen(() => this.#news.come());
  }

  open(): Promise<number> {
    return this.#inTurn(() => this.#open());
  }

  async #open(): Promise<number> {
    await this.#patience.with(() => this.#create());
    this.#end = { message: 0, generation: 0, length: 0 };
    this.#parts = [];
    this.#places = [];
    await this.#patience.with(async () => {
      const { last_seq } = await this.#state();
      if (last_seq > 0) this.#end = endOf(await this.#message(last_seq));
    });
    const { generation, length } = this.#end;
    this.#own = { generation, length };
    return length;
  }

  read(from: number, count: number): Promise<Uint8Array> {
    return this.#inTurn(() => this.#read(from, count));
  }

  async #read(from: number, count: number): Promise<Uint8Array> {
    const to = Math.min(from + count, this.#own.length);
    const unread = this.#parts.findIndex((part) => endOf(part).length > from);
    this.#parts.splice(0, unread < 0 ? this.#parts.length : unread);
    if (this.#parts.length > 0 && this.#parts[0]!.at > from) this.#parts = [];
    while (this.#reached(from) < to) await this.#fetch(from);
    const found = this.#parts.filter(({ at }) => at < to);
    return Buffer.concat(
      found.map(({ at, bytes }) => bytes.subarray(Math.max(from - at, 0), Math.min(to - at, bytes.length))),
    );
  }

  /** Appends are atomic: there is nothing to cut off or to mark. */
  async append(at: number, bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0 && !(await this.#put(at, bytes))) throw new Error('another process has written to it');
  }

  /** Create the book; everybody creates it with the same bytes. */
  async replace(bytes: Uint8Array): Promise<void> {
    if (await this.#put(0, bytes)) return;
    await this.open();
    const begun = await this.read(0, bytes.length);
    if (Buffer.compare(begun, bytes) !== 0) throw new Error('another process has just created it; open it again');
  }

  async setAside(): Promise<string> {
    throw new Error('a message of its log is incomplete');
  }

  async close(): Promise<void> {
    this.#unlisten();
    this.#news.come();
  }

  #share(): SharedLog {
    return {
      connection: randomBytes(6).toString('hex'),
      wasAlone: false,
      isKeeper: true,
      settled() {},
      head: async () => {
        await this.#look();
        const replaced = this.#end.generation > this.#own.generation;
        if (!replaced) this.#own.length = this.#end.length;
        return { length: this.#own.length, replaced };
      },
      tail: (from) => this.#news.next(this.#own.length > from),
      append: async (at, pieces) => {
        const bytes = Buffer.concat(pieces);
        return bytes.length === 0 || this.#put(at, bytes);
      },
      replace: (at, bytes) => this.#replace(at, bytes),
    };
  }

  /** Create the stream of the book. Refuses one that may lose what it has confirmed. */
  async #create(): Promise<void> {
    const name = streamOf(this.book);
    const config = {
      name,
      subjects: [subjectOf(this.book)],
      storage: this.library.StorageType.File,
      retention: this.library.RetentionPolicy.Limits,
      discard: this.library.DiscardPolicy.New,
      num_replicas: this.replicas,
      deny_delete: true,
      allow_direct: true,
      allow_atomic: true,
    };
    const { config: found } = await this.manager.streams.info(name).catch(async (error: unknown) => {
      if (codeOf(error) !== MISSING) throw error;
      return this.manager.streams.add(config);
    });
    if (
      found.storage !== config.storage ||
      found.max_age > 0 ||
      found.discard !== config.discard ||
      !found.allow_atomic
    )
      throw new Refused(`its stream ${name} is not as Hornbook makes it, and may lose what was answered`);
  }

  /** Fetch what is new. */
  #look(): Promise<void> {
    const work = async () => {
      const { first_seq, last_seq } = await this.#state();
      while (this.#end.message < last_seq) {
        const found = await this.#batch(Math.max(this.#end.message + 1, first_seq));
        if (found.length === 0) throw new Error(BEHIND);
        for (const part of found) this.#take(part);
      }
    };
    return this.#inTurn(() => this.#patience.with(work));
  }

  /** Fetches run one at a time, so that each appends to what was fetched before. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#fetched.then(work);
    this.#fetched = done.catch(() => {});
    return done;
  }

  #take(part: Part): void {
    // Already known, as this process wrote it meanwhile.
    if (part.message <= this.#end.message) return;
    this.#end = endOf(part);
    if (part.generation !== this.#own.generation) return;
    this.#own.length = this.#end.length;
    if (this.#parts.at(-1)?.message !== part.message - 1) this.#parts = [];
    this.#parts.push(part);
  }

  /** The end of the fetched parts, or `from` if there are none. */
  #reached(from: number): number {
    const last = this.#parts.at(-1);
    return last ? endOf(last).length : from;
  }

  /**
   * Fetch what follows the fetched parts; if there are none, the message that contains byte `from` and what follows it.
   */
  async #fetch(from: number): Promise<void> {
    const last = this.#parts.at(-1);
    const begin = last ? last.message + 1 : await this.#find(from);
    const found = typeof begin === 'number' ? await this.#from(begin) : [begin];
    const own = found.filter(({ generation }) => generation === this.#own.generation);
    if (own.length === 0 || own[0]!.at > this.#reached(from)) throw new Refused(REWRITTEN);
    this.#parts.push(...own);
    this.#note(own[0]!);
    const end = endOf(own.at(-1)!);
    this.#note({ at: end.length, message: end.message + 1 });
  }

  /** Messages starting with this one. */
  #from(message: number): Promise<Part[]> {
    return this.#patience.with(async () => {
      const found = await this.#batch(message);
      if (found.length > 0) return found;
      throw (await this.#state()).first_seq > message ? new Refused(REWRITTEN) : new Error(BEHIND);
    });
  }

  /** The message that contains byte `from`, or its number if it was found without fetching it. */
  #find(from: number): Promise<number | Part> {
    const { generation } = this.#own;
    const before = this.#places.findLast(({ at }) => at <= from);
    if (before?.at === from) return Promise.resolve(before.message);
    const behind = this.#places.find(({ at }) => at > from);
    return this.#patience.with(async () => {
      let last: Part | undefined;
      const isBehind = async (message: number) => {
        const part = await this.#message(message);
        if (part.generation > generation || (part.generation === generation && part.at > from)) return true;
        last = part;
        return false;
      };
      const { first_seq } = await this.#state();
      let low = before?.message ?? first_seq;
      if (low < first_seq) throw new Refused(REWRITTEN);
      let high = behind ? behind.message - 1 : this.#end.message;
      // The target is usually the beginning or near the end. Messages are long, so search there first to fetch few in
      // vain.
      if (from === 0 && low < high && (await isBehind(low + 1))) return low;
      for (let step = 1; low < high; step *= 2) {
        const nearer = Math.max(low + 1, high - step + 1);
        if (!(await isBehind(nearer))) {
          low = nearer;
          break;
        }
        high = nearer - 1;
      }
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (await isBehind(middle)) high = middle - 1;
        else low = middle;
      }
      return last ?? low;
    });
  }

  #note({ at, message }: Pick<Part, 'at' | 'message'>): void {
    const index = this.#places.findLastIndex((place) => place.at <= at);
    if (this.#places[index]?.at !== at) this.#places.splice(index + 1, 0, { at, message });
  }

  /** The first and last message numbers. */
  async #state(): Promise<{ first_seq: number; last_seq: number }> {
    const { state } = await this.manager.streams.info(streamOf(this.book));
    if (state.last_seq < this.#end.message) throw new Refused('its stream has lost what was there');
    return state;
  }

  async #message(seq: number): Promise<Part> {
    const found = await this.manager.direct.getMessage(streamOf(this.book), { seq });
    if (!found) throw new Error(BEHIND);
    return partOf(found);
  }

  /** Some messages starting with this one; none if the server that was asked does not have it. */
  async #batch(seq: number): Promise<Part[]> {
    const found = await new Promise<StoredMsg[]>((resolve, reject) => {
      const found: StoredMsg[] = [];
      // The library drops its subscription at the end only if it is given a callback.
      const callback = (end: { err?: Error } | null, message: StoredMsg) => {
        if (end === null) {
          found.push(message);
          waited.refresh();
          return;
        }
        clearTimeout(waited);
        if (end.err) reject(end.err);
        else resolve(found);
      };
      const batch = this.manager.direct.getBatch(streamOf(this.book), { seq, ...FETCH, callback });
      batch.catch(reject);
      // If the connection is cut, nothing signals the end.
      const stop = () => void batch.then((open) => open.stop(new Error('the connection was lost')), reject);
      const waited = setTimeout(stop, ANSWER_MS);
    });
    // What follows a lost message is requested again.
    const lost = found.findIndex((message, index) => message.seq !== seq + index);
    return found.slice(0, lost < 0 ? found.length : lost).map(partOf);
  }

  /** Resolves with whether it was written, that is, whether this generation ended at `at`. */
  async #put(at: number, bytes: Uint8Array): Promise<boolean> {
    const { generation } = this.#own;
    if (this.#end.generation !== generation || this.#end.length !== at) return false;
    return this.#publish(generation, at, bytes);
  }

  /** End this generation at `at` and begin the next; readers of generations before this one must start over. */
  async #replace(at: number, bytes: Uint8Array): Promise<boolean> {
    const found = await this.#find(0);
    const first = typeof found === 'number' ? found : found.message;
    const { generation } = this.#own;
    // No await between this check and the write that relies on it.
    if (this.#end.generation !== generation || this.#end.length !== at) return false;
    const message = this.#end.message + 1;
    if (!(await this.#publish(generation + 1, 0, bytes))) return false;
    this.#own = { generation: generation + 1, length: bytes.length };
    this.#parts = [];
    this.#places = [{ at: 0, message }];
    // If this fails, the next rewrite does it.
    await this.manager.streams.purge(streamOf(this.book), { seq: first }).catch(() => {});
    return true;
  }

  /**
   * Write after the last known message, all or nothing. Resolves with whether it was still the last. Retried if the
   * reply was lost, in which case the first write is in the way.
   */
  async #publish(generation: number, at: number, bytes: Uint8Array): Promise<boolean> {
    const expected = this.#end.message;
    const length = this.connection.info!.max_payload - HEADERS;
    const count = Math.max(1, Math.ceil(bytes.length / length));
    if (count > BATCH) throw new Error(`NATS takes at most ${(length * BATCH) >> 20} MiB at once`);
    const subject = subjectOf(this.book);
    const reply = await this.#patience.with(async () => {
      const batch = randomBytes(12).toString('hex');
      for (let index = 0; ; index++) {
        const begin = index * length;
        const headers = this.library.headers();
        headers.set(PLACE, `${generation} ${at + begin}`);
        if (index === 0) headers.set('Nats-Expected-Last-Sequence', `${expected}`);
        if (count > 1) {
          headers.set('Nats-Batch-Id', batch);
          headers.set('Nats-Batch-Sequence', `${index + 1}`);
        }
        const isLast = index === count - 1;
        if (isLast && count > 1) headers.set('Nats-Batch-Commit', '1');
        const part = bytes.subarray(begin, begin + length);
        if (isLast) return answerOf(await this.connection.request(subject, part, { headers, timeout: ANSWER_MS }));
        // With the last message, the server confirms that it has all of them.
        this.connection.publish(subject, part, { headers });
      }
    });
    if (reply === undefined) return false;
    // This process may have looked meanwhile and found this write, and perhaps later ones.
    if (this.#end.message < reply) {
      this.#end = { message: reply, generation, length: at + bytes.length };
      if (generation === this.#own.generation) this.#own.length = this.#end.length;
    }
    this.connection.publish(changedOf(this.book));
    return true;
  }
}

function partOf({ seq, header, data }: StoredMsg): Part {
  const [generation, at] = header.get(PLACE).split(' ').map(Number);
  return { message: seq, generation: generation!, at: at!, bytes: data };
}

/** The end of the stream whose last message is this one. */
const endOf = ({ message, generation, at, bytes }: Part): End => ({ message, generation, length: at + bytes.length });

/** The number of the last message written; `undefined` if the stream had moved on. */
function answerOf(message: { data: Uint8Array }): number | undefined {
  const { seq, error } = JSON.parse(Buffer.from(message.data).toString()) as {
    seq: number;
    error?: { code: number; err_code: number; description: string };
  };
  if (!error) return seq;
  if (MOVED.includes(error.err_code)) return undefined;
  throw Object.assign(new Error(error.description), { code: error.err_code, status: error.code });
}

/** An error for which retrying does not help. */
class Refused extends Error {
  readonly status = 400;
}

/** The error code of a JetStream error. */
export const codeOf = (error: unknown) => (error as { code?: unknown }).code;
