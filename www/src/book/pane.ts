/** The left side: files in tabs, the editor, and the problems in the text. */
import { forEachDiagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { button, h, icon, sentence, tell } from '../dom.ts';
import { drawTabs, walkable } from '../tabs.ts';
import { WaitingLine } from '../turns.ts';
import { tellUndoable } from '../undo.ts';
import type { ImportedTable } from '../../../pkg/generated/hornbook.js';
import { Changed, type Book, type Tab } from './book.ts';
import { chosen } from './conflict.ts';
import { Editor } from './editor.ts';
import { base64Of, isTable, isWorkbook, textOfBytes } from '../../../pkg-templates/src/book/contents.ts';
import { faultOfName, shortName } from './names.ts';
import type { Outlines } from './outlines.ts';

/** The text of a file; of a workbook, its base64. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isWorkbook(file.name) ? base64Of(bytes) : textOfBytes(bytes);
}

/** `orders(id number, customer text): 3 rows.`, and what is to be known about it. */
function described({ name, rows, columns, notes }: ImportedTable): string {
  const named = columns.map(({ name, kind, nulls }) => `${name} ${kind}${nulls > 0 ? `, ${nulls} null` : ''}`);
  const count = rows === 1 ? '1 row' : `${rows} rows`;
  return [`${name}(${named.join('; ')}): ${count}.`, ...notes].join(' ');
}

export class BookPane {
  readonly element: HTMLElement;
  readonly editor: Editor;
  #book: Book;
  #kept = true;
  #tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Files of the book', id: 'files' });
  #save: HTMLButtonElement;
  #remove: HTMLButtonElement;
  #name = h('button', {
    type: 'button',
    class: 'quiet name',
    title: 'Rename this file',
    onclick: () => void this.#rename(),
  });
  #waiting: WaitingLine;
  #problems = h('div', { class: 'problems', role: 'region', 'aria-label': 'Problems' });

  constructor(book: Book, outlines: Outlines, helping: Extension) {
    this.#book = book;
    this.editor = new Editor(book, outlines, helping);
    this.#waiting = new WaitingLine(book.session.turns);
    this.#save = button('Save', () => void this.save(), {
      icon: 'save',
      keys: 'Ctrl+S',
      title: 'Save this file to the book',
    });
    this.#remove = button('Remove', () => void this.#take(), {
      icon: 'close',
      title: 'Remove this file from the book. You can undo this.',
      class: 'quiet',
    });
    const create = button(
      '',
      () => {
        book.create(book.fresh('untitled.pl'));
        this.editor.view.focus();
      },
      { icon: 'plus', title: 'New file', class: 'quiet' },
    );
    walkable(this.#tabs);
    const frame = h(
      'div',
      { class: 'editor', id: 'editor', role: 'tabpanel', 'aria-label': 'Text of the file' },
      this.editor.view.dom,
    );
    this.element = h(
      'section',
      { class: 'pane book', 'aria-label': 'The book' },
      h('div', { class: 'row tabrow' }, this.#tabs, create),
      frame,
      h('div', { class: 'row bar under' }, this.#save, this.#name, this.#waiting.element, this.#remove),
      this.#problems,
    );
    book.tabsChanged.on(() => this.#draw());
    this.editor.checked.on(() => this.#drawProblems());
    this.#draw();
    this.#acceptFiles(this.element);
  }

  #draw(): void {
    const { tabs, active, current, keepsDrafts, saving } = this.#book;
    if (this.#kept && !keepsDrafts && this.#book.session.unkept === undefined)
      tell("The browser's storage is full. Save your changes, or they are lost when you close this page.", 'error');
    this.#kept = keepsDrafts;
    drawTabs(
      this.#tabs,
      tabs.map((tab) => ({
        id: tab.name,
        label: shortName(tab.name),
        controls: 'editor',
        mark: tab.draft !== undefined ? '●' : undefined,
        meaning: tab.draft !== undefined ? ', not saved' : undefined,
        close: tab.readOnly ? undefined : () => void this.#take(tab),
      })),
      active,
      (name) => this.#book.open(name),
    );
    this.#waiting.watch(saving);
    this.#save.disabled = saving !== undefined || !current || current.draft === undefined;
    this.#save.querySelector('span')!.textContent = saving
      ? 'Saving…'
      : current?.draft === undefined && current
        ? 'Saved'
        : 'Save';
    this.#remove.hidden = !current || current.readOnly;
    this.#name.hidden = !current;
    const count = current?.clauses === 1 ? '1 clause' : `${current?.clauses ?? 0} clauses`;
    const about = !current
      ? ''
      : current.readOnly
        ? 'read only: added by agents and by queries'
        : current.saved === undefined
          ? 'not saved yet'
          : current.isStale
            ? 'changed elsewhere since you began to edit'
            : current.isDocument
              ? `document, ${current.saved.length.toLocaleString('en')} characters`
              : `${count} in the book`;
    this.#name.disabled = !current || current.readOnly;
    const canRename = current !== undefined && !current.readOnly;
    this.#name.replaceChildren(
      ...(canRename ? [icon('edit')] : []),
      h('b', {}, shortName(current?.name ?? '')),
      h('span', { class: 'about' }, about),
    );
  }

  #drawProblems(): void {
    const items: HTMLElement[] = [];
    const { state } = this.editor.view;
    forEachDiagnostic(state, (problem, from) => {
      const { message, severity, actions = [] } = problem;
      const line = state.doc.lineAt(from);
      items.push(
        h(
          'li',
          { class: severity },
          h(
            'button',
            { type: 'button', class: 'quiet', onclick: () => this.editor.goTo(from) },
            h('span', { class: 'place' }, `${line.number}:${from - line.from + 1}`),
            ` ${message}`,
          ),
          ...actions.map(({ name, apply }) =>
            button(name, () => this.editor.repair(problem, apply), { class: 'quiet repair' }),
          ),
        ),
      );
    });
    const title = items.length === 1 ? '1 problem' : `${items.length} problems`;
    const open = this.#problems.querySelector('details')?.open ?? true;
    this.editor.keepCursor(() => {
      this.#problems.hidden = items.length === 0;
      this.#problems.replaceChildren(h('details', { open }, h('summary', {}, title), h('ul', {}, ...items)));
    });
  }

  async save(tab = this.#book.current): Promise<void> {
    if (!tab || tab.readOnly || tab.draft === undefined || this.#book.saving) return;
    try {
      const errors = await this.#book.save(tab);
      if (errors.length === 0) tell(`Saved ${tab.name}.`);
      else
        tell(
          `Saved ${tab.name} without ${errors.length === 1 ? 'one clause' : `${errors.length} clauses`}: see the problems below the text.`,
          'error',
        );
    } catch (error) {
      if (error instanceof Changed)
        await this.#settle(tab.name).catch((other: unknown) => tell(sentence(other), 'error'));
      else tell(`${tab.name}: ${sentence(error)}`, 'error');
    }
  }

  /** Ask whose text of a file the book keeps. */
  async #settle(name: string): Promise<void> {
    await this.#book.refresh();
    const tab = this.#book.tabs.find((other) => other.name === name);
    if (tab?.draft === undefined) return;
    const theirs = tab.saved ?? '';
    const choice = await chosen(name, tab.draft, theirs);
    if (choice === 'mine') {
      await this.#book.save(tab, undefined, theirs);
      await tellUndoable(this.#book.session, `Saved ${shortName(name)}. The other text is in the history.`);
    } else if (choice === 'theirs') {
      const back = await this.#book.takeTheirs(tab);
      tell(`${shortName(name)} is now as it was changed elsewhere.`, 'done', { label: 'Bring mine back', act: back });
    }
  }

  async #take(tab: Tab | undefined = this.#book.current): Promise<void> {
    if (!tab) return;
    try {
      await this.#book.remove(tab);
      if (tab.saved === undefined) return;
      await tellUndoable(this.#book.session, `Removed ${shortName(tab.name)}.`);
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  async #rename(): Promise<void> {
    const tab = this.#book.current;
    if (!tab) return;
    const field = h('input', {
      type: 'text',
      value: tab.name,
      'aria-label': 'Name of the file',
      class: 'rename',
      spellcheck: 'false',
    });
    this.#name.replaceWith(field);
    field.focus();
    field.setSelectionRange(0, tab.name.replace(/\.\w+$/, '').length);
    let ended = false;
    const end = async (take: boolean) => {
      if (ended) return;
      ended = true;
      field.replaceWith(this.#name);
      const name = field.value.trim();
      if (!take || name === '' || name === tab.name) return;
      const taken = this.#book.tabs.some((other) => other.name === name);
      const fault = faultOfName(name) ?? (taken ? `${name} already exists. Choose another name.` : undefined);
      if (fault) return tell(fault, 'error');
      const text = this.#book.text(tab);
      await this.#book.remove(tab);
      this.#book.create(name, text);
      if (tab.saved !== undefined) await this.save(this.#book.current);
    };
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') void end(true);
      if (event.key !== 'Escape') return;
      event.preventDefault();
      void end(false);
    });
    field.addEventListener('blur', () => void end(true));
  }

  /** Files dropped on the pane are added to the book. */
  #acceptFiles(element: HTMLElement): void {
    element.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      element.classList.add('dropping');
    });
    element.addEventListener('dragleave', (event) => {
      if (!element.contains(event.relatedTarget as Node | null)) element.classList.remove('dropping');
    });
    element.addEventListener(
      'drop',
      (event) => {
        element.classList.remove('dropping');
        if (!event.dataTransfer?.files.length) return;
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
    for (const file of all.filter(({ name }) => isTable(name))) await this.#takeTable(file);
    if (files.length === 0) return;
    try {
      const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await textOf(file) })));
      const errors = await this.#book.put(texts);
      const names = texts.map(({ name }) => name).join(', ');
      if (errors.length === 0) tell(`Imported ${names}.`);
      else
        tell(
          `Imported ${names} without ${errors.length === 1 ? 'one clause' : `${errors.length} clauses`}. ${errors[0]}`,
          'error',
        );
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  async #takeTable(file: File): Promise<void> {
    try {
      const tables = await this.#book.putTable(file.name, await textOf(file));
      tell(`Imported ${file.name}. ${tables.map(described).join(' ')}`);
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }
}
