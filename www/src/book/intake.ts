/** What comes into the book from outside: files that are chosen or dropped, and tables that are pasted. */
import type { Imported, ImportedTable } from '../../../pkg/generated/hornbook.js';
import { base64Of, isTable, isWorkbook, textOfBytes } from '../../../pkg-templates/src/book/contents.ts';
import { sentence, tell } from '../dom.ts';
import { extensionOf, looksLikeTable, pastedTable } from '../tables/pasted.ts';
import type { Offered } from '../tables/preview.ts';
import { tellUndoable } from '../undo.ts';
import type { Book } from './book.ts';

/** The text of a file; of a workbook, its base64. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isWorkbook(file.name) ? base64Of(bytes) : textOfBytes(bytes);
}

/** `orders: 3 rows.`, and what is to be known about it that was not told before. */
function described({ name, rows, notes }: ImportedTable, told: string[]): string {
  const count = rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;
  return [`${name}: ${count}.`, ...notes.filter((note) => !told.includes(note))].join(' ');
}

/** What of a file is new, if the book had it. */
function changes({ clausesAdded, clausesRemoved, clausesKept }: Imported): string[] {
  if (clausesRemoved + clausesKept === 0) return [];
  return [`${clausesAdded} new, ${clausesRemoved} gone, ${clausesKept} as before.`];
}

export class Intake {
  #book: Book;

  constructor(book: Book) {
    this.#book = book;
  }

  /** Take the files that are dropped on an element, and mark `target` meanwhile. */
  accept(element: HTMLElement, target: HTMLElement): void {
    element.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      target.classList.add('dropping');
    });
    element.addEventListener('dragleave', (event) => {
      if (!element.contains(event.relatedTarget as Node | null)) target.classList.remove('dropping');
    });
    element.addEventListener(
      'drop',
      (event) => {
        target.classList.remove('dropping');
        const isForField = event.target instanceof Element && event.target.closest('input[type=file]');
        if (!event.dataTransfer?.files.length || isForField) return;
        event.preventDefault();
        event.stopPropagation();
        void this.take([...event.dataTransfer.files]);
      },
      { capture: true },
    );
  }

  /** Import files from this machine: Prolog as it is, tables as facts, other texts as documents. */
  async take(all: File[]): Promise<void> {
    const files = all.filter(({ name }) => !isTable(name));
    try {
      if (files.length > 0) await this.#takeTexts(files);
      const tables = all.filter(({ name }) => isTable(name));
      if (tables.length === 0) return;
      const offered = tables.map(async (file) => ({ name: file.name, text: await textOf(file) }));
      await this.#offer(await Promise.all(offered));
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  async #takeTexts(files: File[]): Promise<void> {
    const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await textOf(file) })));
    const errors = await this.#book.put(texts);
    const names = texts.map(({ name }) => name).join(', ');
    if (errors.length === 0) tell(`Imported ${names}.`);
    else
      tell(
        `Imported ${names} without ${errors.length === 1 ? 'one clause' : `${errors.length} clauses`}. ${errors[0]}`,
        'error',
      );
  }

  /** Take what is on the clipboard outside of text fields. Returns whether there is anything. */
  takePasted(clipboard: DataTransfer | null): boolean {
    const files = [...(clipboard?.files ?? [])];
    const text = clipboard?.getData('text/plain') ?? '';
    if (files.length > 0) void this.take(files);
    else if (looksLikeTable(text)) void this.takeText(text);
    else return false;
    return true;
  }

  /** Let somebody paste a table. */
  async paste(): Promise<void> {
    const text = await pastedTable();
    if (text !== undefined) await this.takeText(text);
  }

  /** Offer to add the table that is in a text. Resolves with whether it was added. */
  async takeText(text: string): Promise<boolean> {
    const name = this.#book.fresh(`pasted.${extensionOf(text)}`);
    return this.#offer([{ name, text, isPasted: true }]).catch((error: unknown) => {
      tell(sentence(error), 'error');
      return false;
    });
  }

  /** Show what tables would be, and add those that the person wants. */
  async #offer(files: Offered[]): Promise<boolean> {
    const { chosenTables } = await import('../tables/preview.ts');
    const { session, tabs } = this.#book;
    const before = (name: string) => tabs.find((tab) => tab.name === name)?.saved;
    const chosen = await chosenTables(
      session,
      files.map((file) => ({ ...file, before: before(file.name) })),
    );
    for (const { name, text, wishes, notes } of chosen) {
      const imported = await this.#book.putTable(name, text, wishes);
      const tables = imported.tables ?? (imported.table ? [imported.table] : []);
      await tellUndoable(
        session,
        [`Imported ${name}.`, ...changes(imported), ...tables.map((table) => described(table, notes))].join(' '),
      );
    }
    return chosen.length > 0;
  }
}
