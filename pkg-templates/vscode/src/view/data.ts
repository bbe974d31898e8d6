/** The tables that were added to the book: their rows, and the goals that ask for them. */
import type { Book } from '../../../../www/src/book/book.ts';
import { button, h, sentence, tell } from '../../../../www/src/dom.ts';
import { keep, keptJson } from '../../../../www/src/kept.ts';
import { type Following, chooseTables } from '../../../../www/src/tables/choosing.ts';
import { headOf } from '../../../../www/src/tables/facts.ts';
import { Grid } from '../../../../www/src/tables/grid.ts';
import { type Chosen, type Offered, Preview } from '../../../../www/src/tables/preview.ts';
import { say } from './editor.ts';

/** What is kept of how the tables were read. */
const HEADS = 'hornbook.tables';

export class DataPanel {
  readonly element: HTMLElement;
  #book: Book;
  #names = new Set<string>();
  #shown: string | undefined;
  #adding: Promise<void> = Promise.resolve();
  #grid: Grid;
  #which = h('select', { 'aria-label': 'File', onchange: () => this.#show(this.#which.value) });
  #none = h(
    'div',
    { class: 'empty' },
    h('p', {}, 'Choose "Add to Book" for a table (.csv, .json, .xlsx and the like) in the explorer to query it here.'),
  );
  #some: HTMLElement;

  /** @param asks runs a goal */
  constructor(book: Book, asks: (goal: string) => void) {
    this.#book = book;
    this.#grid = new Grid(asks);
    const remove = button('Remove', () => this.#shown !== undefined && void this.#remove(this.#shown), {
      icon: 'close',
      title: 'Remove this table from the book. The file stays.',
      class: 'quiet',
    });
    this.#some = h('div', { class: 'data' }, h('div', { class: 'row bar' }, this.#which, remove), this.#grid.element);
    this.element = h('div', {}, this.#none, this.#some);
    this.#draw();
    book.textChanged.on(() => this.#draw());
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Ask the person how a table is to be read, and add it. */
  offer(file: Offered): Promise<void> {
    return this.#next(async () => {
      const isKnown = this.#names.has(file.name);
      let isAdded = false;
      const faults = await chooseTables(this.#book, [this.#offered(file)], [], async ([chosen], following) => {
        try {
          await this.#put(chosen!, chosen!.notes, following);
          isAdded = true;
          return [undefined];
        } catch (error) {
          return [sentence(error)];
        }
      });
      for (const fault of faults) tell(fault, 'error');
      if (!isAdded && !isKnown) await this.#remove(file.name);
    });
  }

  /** Add a table, or its new contents, as it was read before. */
  add(file: Offered): Promise<void> {
    return this.#next(async () => {
      const isKnown = this.#names.has(file.name);
      try {
        const preview = new Preview(
          this.#book,
          this.#offered(file),
          () => {},
          () => {},
        );
        await preview.settled;
        if (preview.fault !== undefined) throw new Error(preview.fault);
        if (file.about !== undefined) tell(file.about);
        await this.#put(preview.chosen, []);
      } catch (error) {
        tell(sentence(error), 'error');
        if (!isKnown) await this.#remove(file.name);
      }
    });
  }

  /** One after the other. */
  #next(work: () => Promise<void>): Promise<void> {
    this.#adding = this.#adding.then(work);
    return this.#adding;
  }

  /** A file, with how it was read before, here or when the page was open last. */
  #offered(file: Offered): Offered {
    const tab = this.#book.tabs.find((one) => one.name === file.name);
    return { ...file, before: tab?.saved ?? this.#heads[file.name] };
  }

  /** Put a table into the book, and tell what the person does not know yet. */
  async #put(chosen: Chosen, told: string[], following?: Following): Promise<void> {
    const { name, text, wishes } = chosen;
    // It is no file that was closed.
    const isKnown = this.#names.has(name);
    this.#names.add(name);
    try {
      const { notices, table, tables } = await this.#book.putTable(name, text, wishes, following?.stop, (share) =>
        following?.progress(chosen, share),
      );
      const notes = (tables ?? (table ? [table] : [])).flatMap((one) => one.notes);
      for (const note of [...notices, ...notes]) if (!told.includes(note)) tell(note);
    } catch (error) {
      if (!isKnown) this.#names.delete(name);
      throw error;
    }
    const tab = this.#book.tabs.find((one) => one.name === name);
    this.#keepHeads({ ...this.#heads, [name]: headOf(tab?.saved ?? '') });
    this.#show(name);
  }

  /** The heads of the facts of the tables that were added, by their names. */
  get #heads(): Record<string, string> {
    return (keptJson(HEADS) ?? {}) as Record<string, string>;
  }

  #keepHeads(heads: Record<string, string>): void {
    keep(HEADS, JSON.stringify(heads));
  }

  /** Show the row of a line. */
  point(name: string, line: number): void {
    this.#show(name);
    this.#grid.point(line);
  }

  async #remove(name: string): Promise<void> {
    this.#names.delete(name);
    const { [name]: _, ...others } = this.#heads;
    this.#keepHeads(others);
    say({ kind: 'removed', name });
    const tab = this.#book.tabs.find((one) => one.name === name);
    if (tab) await this.#book.remove(tab);
    this.#draw();
  }

  #show(name: string): void {
    this.#shown = name;
    this.#draw();
  }

  #draw(): void {
    const tabs = this.#book.tabs.filter((tab) => this.#names.has(tab.name));
    const shown = tabs.find((tab) => tab.name === this.#shown) ?? tabs[0];
    this.#none.hidden = tabs.length > 0;
    this.#some.hidden = tabs.length === 0;
    this.#which.replaceChildren(...tabs.map(({ name }) => h('option', { value: name }, name)));
    this.#shown = shown?.name;
    if (!shown) return;
    this.#which.value = shown.name;
    this.#grid.show(this.#book.text(shown));
  }
}
