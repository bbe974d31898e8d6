/** The rows of a statement in batches, which are bounded by their rows and by their bytes. */
import type { Cell, Rows } from './source.js';

/** The most rows that are read ahead of the bytes that they have. */
const STEP = 512;

/** A batch: its rows as JSON, how many of them are rows of the table, and whether there are more. */
export interface Batch {
  rows: string[];
  count: number;
  more: boolean;
}

export class Batches {
  /** What was read and did not fit into a batch. */
  #left: Cell[][] = [];
  #isOver = false;
  /** Bytes of the longest row so far. */
  #longest = 0;

  constructor(private readonly rows: Rows) {}

  /** @throws Error if a single row has more bytes */
  async next(most: number, bytes: number): Promise<Batch> {
    const batch: Batch = { rows: [], count: 0, more: false };
    let size = 0;
    for (;;) {
      let taken = 0;
      for (const row of this.#left) {
        if (batch.rows.length === most) break;
        const text = JSON.stringify(row);
        const length = Buffer.byteLength(text);
        if (length > bytes) throw new Error(tooLong(length, bytes));
        if (size + length > bytes) break;
        this.#longest = Math.max(this.#longest, length);
        size += length;
        taken += 1;
        batch.rows.push(text);
        batch.count += isEnd(row) ? 0 : 1;
      }
      this.#left = this.#left.slice(taken);
      batch.more = this.#left.length > 0 || !this.#isOver;
      if (this.#left.length > 0 || this.#isOver || batch.rows.length === most) return batch;
      // A sixteenth is what a row may have before any is known.
      const fit = Math.floor((bytes - size) / (this.#longest || bytes / 16));
      if (fit === 0 && batch.rows.length > 0) return batch;
      const step = Math.min(most - batch.rows.length, STEP, Math.max(1, fit));
      this.#left = await this.rows.next(step);
      this.#isOver = this.#left.length < step;
    }
  }

  close(): void {
    this.rows.close();
  }
}

const tooLong = (length: number, bytes: number) =>
  `a row has ${length} bytes, and ${bytes} is the limit (data_batch_bytes): link a view without its long columns, or set the limit higher`;

/** Whether a row is none of the table, but says that there are no more. */
const isEnd = (row: Cell[]): boolean =>
  row.length > 1 && row.at(-1) === 'end' && row.slice(0, -1).every((cell) => cell === null);
