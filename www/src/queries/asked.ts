/** The queries asked so far, oldest first, which the arrow keys walk through. The browser keeps them. */
import { keep, keptJson } from '../kept.ts';
import { partOf } from '../shelf.ts';

/** Where. */
const ASKED = partOf('hornbook.asked');
/** How many, and the longest that is worth keeping, in characters. */
const MOST = 100;
const LONGEST = 5000;

export class Asked {
  #all: string[];
  #at: number;

  /** @param keeps false for a page within another: what its readers ask is not kept */
  constructor(private readonly keeps: boolean) {
    this.#all = keeps ? stored() : [];
    this.#at = this.#all.length;
  }

  add(text: string): void {
    // Another tab may have added some.
    const before = this.keeps ? stored() : this.#all;
    this.#all = [...before.filter((other) => other !== text), text].slice(-MOST);
    this.#at = this.#all.length;
    if (this.keeps) keep(ASKED, JSON.stringify(this.#all.filter(({ length }) => length <= LONGEST)));
  }

  /** The one `by` steps later or earlier, or the empty text after the last; undefined if there are none. */
  recall(by: number): string | undefined {
    if (this.#all.length === 0) return undefined;
    this.#at = Math.min(this.#all.length, Math.max(0, this.#at + by));
    return this.#all[this.#at] ?? '';
  }
}

const stored = (): string[] => {
  const value = keptJson(ASKED);
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string').slice(-MOST) : [];
};
