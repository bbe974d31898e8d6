/** Where the predicates of the book stand in its texts, as the engine reads them. */
import type { Session } from '../session.ts';
import type { Book } from './book.ts';

type Item = Awaited<ReturnType<Session['hornbook']['outline']>>[number];

/** A predicate at a place of a text. */
export interface Mark {
  name: string;
  arity: number;
  from: number;
  to: number;
}

/** A place of a file, where a predicate is defined or called. */
export interface Place {
  file: string;
  line: number;
  text: string;
}

/** Characters of a text that is read for this. */
const LARGEST = 500_000;

export class Outlines {
  #read = new Map<string, Promise<Item[]>>();

  constructor(private readonly book: Book) {}

  /** The predicate at a place of a text of clauses. */
  async at(text: string, position: number): Promise<Mark | undefined> {
    for (const item of await this.#items(text)) {
      const mark = item.marks.find(
        ({ name, start, end }) => name !== undefined && start <= position && position <= end,
      );
      if (mark) return { name: mark.name!, arity: mark.arity!, from: mark.start, to: mark.end };
    }
    return undefined;
  }

  /** The clauses that define a predicate. */
  defining(mark: Mark): Promise<Place[]> {
    return this.#places(mark, ['head']);
  }

  /** Wherever a predicate stands. */
  naming(mark: Mark): Promise<Place[]> {
    return this.#places(mark, ['head', 'call', 'indicator']);
  }

  /** The comment right before the first clause of a predicate. */
  async comment({ name, arity }: Mark): Promise<string | undefined> {
    for (const tab of this.book.tabs) {
      const text = this.book.text(tab);
      const item = (await this.#items(text)).find(({ marks }) =>
        marks.some((mark) => mark.kind === 'head' && mark.name === name && mark.arity === arity),
      );
      const comments = item?.marks.filter(({ kind, end }) => kind === 'comment' && end <= item.start) ?? [];
      const last = comments.at(-1);
      if (!item || !last || /\n\s*\n/.test(text.slice(last.end, item.start))) continue;
      return text
        .slice(last.start, last.end)
        .replace(/^\s*(?:%+!?|\/\*+)\s?|\s*\*\/$/gm, '')
        .trim();
    }
    return undefined;
  }

  async #places({ name, arity }: Mark, kinds: string[]): Promise<Place[]> {
    const found: Place[] = [];
    for (const tab of this.book.tabs) {
      const text = this.book.text(tab);
      for (const { marks } of await this.#items(text))
        for (const mark of marks)
          if (mark.name === name && mark.arity === arity && kinds.includes(mark.kind)) {
            const line = text.slice(0, mark.start).split('\n').length;
            found.push({ file: tab.name, line, text: text.split('\n')[line - 1]!.trim() });
          }
    }
    return found;
  }

  #items(text: string): Promise<Item[]> {
    if (text.length > LARGEST) return Promise.resolve([]);
    const known = this.#read.get(text);
    if (known) return known;
    // Of old versions none is asked for again.
    if (this.#read.size > 50) this.#read.clear();
    const read = this.book.session.hornbook.outline(text).catch(() => {
      this.#read.delete(text);
      return [];
    });
    this.#read.set(text, read);
    return read;
  }
}
