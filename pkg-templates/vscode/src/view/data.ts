/** The tables that were added to the book: their rows, and the goals that ask for them. */
import type { Book } from '../../../../www/src/book/book.ts';
import { button, h, sentence, tell } from '../../../../www/src/dom.ts';
import { Grid } from '../../../../www/src/tables/grid.ts';
import { say } from './editor.ts';

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

  /** Add a table, or its new contents; of a workbook, its base64. Resolves with whether it could be read. */
  add(name: string, text: string): Promise<boolean> {
    const isNew = !this.#names.has(name);
    this.#names.add(name);
    const added = this.#adding.then(async () => {
      try {
        const { notices, table, tables } = await this.#book.putTable(name, text);
        const notes = (tables ?? (table ? [table] : [])).flatMap((one) => one.notes);
        for (const note of [...notices, ...notes]) tell(note);
        this.#show(name);
        return true;
      } catch (error) {
        tell(sentence(error), 'error');
        if (isNew) await this.#remove(name);
        return false;
      }
    });
    this.#adding = added.then(() => {});
    return added;
  }

  /** Show the row of a line. */
  point(name: string, line: number): void {
    this.#show(name);
    this.#grid.point(line);
  }

  async #remove(name: string): Promise<void> {
    this.#names.delete(name);
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
