/** The left side: files in tabs, the editor, and the problems in the text. */
import { forEachDiagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { Signal, button, h, icon, sentence, tell } from '../dom.ts';
import { withCode } from '../queries/faulty.ts';
import { isTables } from '../tables/facts.ts';
import type { Grid } from '../tables/grid.ts';
import { drawTabs, walkable } from '../tabs.ts';
import { WaitingLine } from '../turns.ts';
import { tellUndoable } from '../undo.ts';
import { Changed, type Book, type Tab } from './book.ts';
import { Editor } from './editor.ts';
import { Intake } from './intake.ts';
import { faultOfName, shortName } from './names.ts';
import type { Outlines } from './outlines.ts';

/** How much of a line a message shows. */
const LINE = 40;

export class BookPane {
  readonly element: HTMLElement;
  readonly editor: Editor;
  readonly intake: Intake;
  /** Rows of a table are to be asked for. */
  readonly rowsAsked = new Signal<string>();
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
  #asFile: HTMLButtonElement;
  #waiting: WaitingLine;
  /** Shows the rows of a table in place of its facts. */
  #grid: Grid | undefined;
  #rows = h('div', { class: 'rows', hidden: true });
  /** The tables whose facts are shown as text. */
  #asText = new Set<string>();
  #asTextButton: HTMLButtonElement;
  #problems = h('div', { class: 'problems', role: 'region', 'aria-label': 'Problems' });

  constructor(book: Book, outlines: Outlines, helping: Extension) {
    this.#book = book;
    this.editor = new Editor(book, outlines, helping);
    this.intake = new Intake(book);
    this.editor.pasted.on(({ text, takeBack }) => {
      const act = () => void this.#addInstead(text, takeBack);
      tell(`This looks like a table: ${begun(text)}`, 'done', { label: 'Add it as facts', act });
    });
    this.#asTextButton = button('Facts', () => this.#turn(), { title: 'Show this table as the facts that it is' });
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
    this.#asFile = button('Edit as a file', () => void this.#makeAFile(), {
      icon: 'edit',
      title: 'Put these clauses into a file, to change them by hand. You can undo this.',
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
      this.#rows,
    );
    this.element = h(
      'section',
      { class: 'pane book', 'aria-label': 'The book' },
      h('div', { class: 'row tabrow' }, this.#tabs, create),
      frame,
      h(
        'div',
        { class: 'row bar under' },
        this.#save,
        this.#name,
        this.#waiting.element,
        this.#asTextButton,
        this.#asFile,
        this.#remove,
      ),
      this.#problems,
    );
    book.tabsChanged.on(() => this.#draw());
    book.textChanged.on(() => this.#showRows());
    this.editor.checked.on(() => this.#drawProblems());
    this.#draw();
  }

  async #makeAFile(): Promise<void> {
    try {
      const name = await this.#book.makeLooseAFile();
      await tellUndoable(this.#book.session, `The clauses are in ${shortName(name)} now.`);
      this.editor.view.focus();
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  #draw(): void {
    const { tabs, active, current, keepsDrafts, saving, elsewhere, looseStays } = this.#book;
    this.#showRows();
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
    this.#asFile.hidden = !current?.readOnly || elsewhere !== undefined || looseStays !== undefined;
    this.#asFile.disabled = saving !== undefined;
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
      h('span', { class: 'about', title: current?.readOnly && looseStays }, about),
    );
  }

  /** Whether the rows of the table in the active tab are to be shown. */
  get #hasRows(): boolean {
    const name = this.#book.active;
    return name !== undefined && !this.#asText.has(name) && isTables(this.#book.text());
  }

  /** Add a table that was pasted into the active text, and take it out of that. */
  async #addInstead(text: string, takeBack: () => boolean): Promise<void> {
    const { active } = this.#book;
    const isAdded = await this.intake.takeText(text);
    const table = this.#book.active;
    if (!isAdded || active === undefined || table === undefined) return;
    // What was pasted can only be taken out of the text that is shown.
    this.#book.open(active);
    const isOut = takeBack();
    this.#book.open(table);
    if (!isOut)
      tell(`The table is added. Its text was changed in ${shortName(active)} and is still there: delete it.`, 'error');
  }

  #showRows(): void {
    const { active } = this.#book;
    const text = this.#book.text();
    this.#asTextButton.hidden = !isTables(text);
    this.#asTextButton.setAttribute('aria-pressed', String(active !== undefined && this.#asText.has(active)));
    const hasRows = this.#hasRows;
    this.#rows.hidden = !hasRows;
    this.editor.view.dom.hidden = hasRows;
    if (hasRows) void this.#loadGrid().then((grid) => this.#hasRows && grid.show(this.#book.text()));
    else this.editor.view.requestMeasure();
  }

  async #loadGrid(): Promise<Grid> {
    if (!this.#grid) {
      const { Grid } = await import('../tables/grid.ts');
      this.#grid ??= new Grid((goal) => this.rowsAsked.send(goal));
      this.#rows.replaceChildren(this.#grid.element);
    }
    return this.#grid;
  }

  /** Show a table as rows, or as facts. */
  #turn(): void {
    const { active } = this.#book;
    if (active === undefined) return;
    if (!this.#asText.delete(active)) this.#asText.add(active);
    this.#showRows();
  }

  /** Point to a line of the active file, from 1. */
  point(line: number): void {
    if (this.#hasRows) void this.#loadGrid().then((grid) => grid.point(line));
    else this.editor.point(line);
  }

  focus(): void {
    if (this.#hasRows) this.#grid?.focus();
    else this.editor.view.focus();
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
            ' ',
            ...withCode(message),
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
    const { chosen } = await import('./conflict.ts');
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
}

/** The first line of a table that was pasted, shortened. */
function begun(text: string): string {
  const line = text.trimStart().split('\n')[0]!.replaceAll('\t', ' ').trimEnd();
  return line.length > LINE ? `${line.slice(0, LINE)}…` : line;
}
