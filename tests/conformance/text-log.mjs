import { Refusal } from '../../pkg/serve/refusal.js';

// Logs of any text, in the place of books: what the suite of Durable Streams appends is no record of a journal.

const offsetOf = (at) => ({ at, offset: `t${String(at).padStart(12, '0')}` });

/** A log in memory, as `hornbook serve` takes one. */
class TextLog {
  generation = 0;
  #bytes = Buffer.alloc(0);
  #last = '';
  #waiting = [];

  async find(offset) {
    const [, at] = /^t(\d{12})$/.exec(offset) ?? [];
    if (at === undefined) throw new Refusal(400, 'Unknown log offset');
    return Number(at) <= this.#bytes.length ? Number(at) : undefined;
  }

  async end() {
    return offsetOf(this.#bytes.length);
  }

  async read(from) {
    return { bytes: this.#bytes.subarray(from), end: offsetOf(this.#bytes.length) };
  }

  async more(from) {
    if (this.#bytes.length <= from) await new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** A `Stream-Seq` is any text, greater than the one before. */
  async append(bytes, sequence) {
    if (sequence !== undefined && sequence <= this.#last) return undefined;
    this.#last = sequence ?? this.#last;
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (const wake of this.#waiting.splice(0)) wake();
    return offsetOf(this.#bytes.length);
  }

  async close() {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** What a server takes its books from. */
export class TextLogs {
  #names = new Set();

  async has(name) {
    return this.#names.has(name);
  }

  async open(name) {
    this.#names.add(name);
    const log = new TextLog();
    return {
      activeMs: 0,
      connect: () => ({ receive() {}, resume() {}, close() {} }),
      openLog: async () => log,
      close: async () => {},
    };
  }
}
