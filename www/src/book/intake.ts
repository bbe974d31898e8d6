/** What comes into the book from outside: files that are chosen or dropped, and tables that are pasted. */
import type { Imported, ImportedTable } from '../../../pkg/generated/hornbook.js';
import { base64Of, type Decoded, isTable, isWorkbook, textOfBytes } from '../../../pkg-templates/src/book/contents.ts';
import { Signal, sentence, tell } from '../dom.ts';
import { type Dropped, isBookFile } from '../live/watching.ts';
import { extensionOf, looksLikeTable, pastedTable } from '../tables/pasted.ts';
import type { Following } from '../tables/choosing.ts';
import type { Chosen, Offered } from '../tables/preview.ts';
import { lastRevision, tellUndoable, undoable } from '../undo.ts';
import type { Book } from './book.ts';
import { shortName } from './names.ts';

/** A file from this machine. Of a workbook, the text is its base64. */
interface Given {
  name: string;
  text: string;
  about?: string;
}

/** The text of a file. Throws a sentence if it has none. */
async function textOf(file: File): Promise<Decoded> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isWorkbook(file.name)) return { text: base64Of(bytes) };
  const decoded = textOfBytes(shortName(file.name), bytes);
  if (decoded.text.includes('\0') || decoded.text.startsWith('%PDF-'))
    throw new Error(`${shortName(file.name)} was not added: it is neither text nor a workbook.`);
  return decoded;
}

/** What is dropped, in browsers that let a page read a file again. */
type Handled = DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemFileHandle> };

/** What stands between a name and its number. */
const ENDING = /(\.flow\.ya?ml|\.\w+)?$/i;

/** `orders: 3 rows.`, and what is to be known about it that was not told before. */
function described({ name, rows, notes }: ImportedTable, told: string[]): string {
  const count = rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;
  return [`${name}: ${count}.`, ...notes.filter((note) => !told.includes(note))].join(' ');
}

/** What of a file is new, if the book had it. */
function changes({ clausesAdded, clausesRemoved, clausesKept, clausesRetracted }: Imported): string[] {
  if (clausesRemoved + clausesKept + clausesRetracted === 0) return [];
  const stay = clausesRetracted === 0 ? '' : ` ${clausesRetracted} that were retracted since stay so.`;
  return [`${clausesAdded} new, ${clausesRemoved} gone, ${clausesKept} as before.${stay}`];
}

export class Intake {
  /** A book's file was dropped, to be watched. */
  readonly watched = new Signal<Dropped>();
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
        void this.#takeDropped(event.dataTransfer);
      },
      { capture: true },
    );
  }

  async #takeDropped({ files, items }: DataTransfer): Promise<void> {
    const all = [...files];
    const book = all.find(({ name }) => isBookFile(name));
    if (book) {
      // Handles are given out only before anything is awaited.
      const item = [...items].find((one) => one.getAsFile()?.name === book.name) as Handled | undefined;
      const handle = await item?.getAsFileSystemHandle?.().catch(() => undefined);
      this.watched.send({ file: book, handle });
    }
    const others = all.filter((file) => file !== book);
    if (others.length > 0) await this.take(others);
  }

  /** Import files from this machine: Prolog as it is, tables as facts, other texts as documents. */
  async take(all: File[]): Promise<void> {
    try {
      const given = await this.#read(all);
      const tables = given.filter(({ name }) => isTable(name));
      const texts = given.filter(({ name }) => !isTable(name));
      if (tables.length > 0) await this.#offer(tables, texts);
      else if (texts.length > 0) tell(await this.#putTexts(texts));
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  /** Read files. Of several with one name, the second gets another: `a.csv` and `a (2).csv`. */
  async #read(files: File[]): Promise<Given[]> {
    const names = new Set<string>();
    const isTaken = (name: string) =>
      names.has(name) || [...files, ...this.#book.tabs].some((other) => other.name === name);
    const read = files.map(async (file) => {
      let { name } = file;
      const isSecond = names.has(name);
      for (let n = 2; isSecond && isTaken(name); n += 1) name = file.name.replace(ENDING, ` (${n})$1`);
      names.add(name);
      const renamed = isSecond && `Several files are called ${file.name}: this one becomes ${name}.`;
      const { text, doubt } = await textOf(file);
      return { name, text, about: [renamed, doubt].filter(Boolean).join(' ') || undefined };
    });
    const all = await Promise.allSettled(read);
    const faults = all.flatMap((one) => (one.status === 'rejected' ? [sentence(one.reason)] : []));
    if (faults.length > 0) tell(faults.join(' '), 'error');
    return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  /** Put texts into the book. Resolves with what was done, as a sentence; throws one if clauses are missing. */
  async #putTexts(texts: Given[]): Promise<string> {
    const errors = await this.#book.put(texts);
    const names = texts.map(({ name }) => shortName(name)).join(', ');
    if (errors.length === 0) return [`Imported ${names}.`, ...texts.flatMap(({ about }) => about ?? [])].join(' ');
    const count = errors.length === 1 ? 'one clause' : `${errors.length} clauses`;
    throw new Error(`Imported ${names} without ${count}. ${errors[0]}`);
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

  /** Show what tables would be, and add those that the person wants, and `texts` with them. */
  async #offer(files: Offered[], texts: Given[] = []): Promise<boolean> {
    const { chooseTables } = await import('../tables/choosing.ts');
    const book = this.#book;
    const tabOf = (name: string) => book.tabs.find((tab) => tab.name === name);
    const done: string[] = [];
    let [waiting, steps, tables] = [texts, 0, 0];
    let last: number | undefined;
    // Undo would take back what others did meanwhile.
    const isAlone = async () => last === undefined || last === (await lastRevision(book.session));
    let canUndo = true;
    const add = async (chosen: Chosen[], { stop, progress }: Following) => {
      // Undo takes back what is added, and no draft. One that cannot be saved is told of below.
      for (const { name } of [...waiting, ...chosen]) {
        if (stop.signal.aborted)
          return chosen.map(({ name: left }) => `Cancelled: nothing of ${shortName(left)} was added.`);
        await book.saveFirst(tabOf(name)).catch(() => undefined);
      }
      canUndo &&= await isAlone();
      const before = await undoable(book.session);
      if (waiting.length > 0 && !stop.signal.aborted)
        await this.#putTexts(waiting).then(
          (text) => done.push(text),
          (error: unknown) => tell(sentence(error), 'error'),
        );
      waiting = [];
      const faults: (string | undefined)[] = [];
      for (const one of chosen) {
        try {
          done.push(await this.#putTable(one, stop, (share) => progress(one, share)));
          tables += 1;
          faults.push(undefined);
        } catch (error) {
          faults.push(sentence(error));
        }
      }
      steps += (await undoable(book.session)) - before;
      last = await lastRevision(book.session);
      return faults;
    };
    const offered = files.map((file) => ({ ...file, before: tabOf(file.name)?.saved }));
    const left = await chooseTables(
      book,
      offered,
      texts.map(({ name }) => name),
      add,
    );
    if (left.length > 0) tell(`Not added: ${left.join(' ')}`, 'error');
    if (steps > 0 && canUndo && (await isAlone())) await tellUndoable(book.session, done.join(' '), steps);
    else if (done.length > 0) tell(done.join(' '));
    return tables > 0;
  }

  /** Add a table. Resolves with what it is, as sentences. */
  async #putTable(
    { name, text, wishes, notes }: Chosen,
    stop: AbortController,
    progress: (share: number) => void,
  ): Promise<string> {
    const imported = await this.#book.putTable(name, text, wishes, stop, progress);
    const tables = imported.tables ?? (imported.table ? [imported.table] : []);
    const about = tables.map((table) => described(table, notes));
    return [`Imported ${shortName(name)}.`, ...changes(imported), ...about].join(' ');
  }
}
