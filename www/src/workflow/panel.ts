/** Workflows in the page: their text, the examples, and what runs them. Loaded when first shown. */
import type { Book } from '../book/book.ts';
import { agreed } from '../dialogs.ts';
import { button, h } from '../dom.ts';
import { keep, keptJson, textsIn } from '../kept.ts';
import type { Session } from '../session.ts';
import { YamlEditor } from './editor.ts';
import { WORKFLOWS } from './examples/index.ts';
import { ProgramFiles } from './files.ts';
import { WorkflowRunner } from './runner.ts';

const KEPT = 'hornbook.workflows';

export class WorkflowPanel {
  readonly element: HTMLElement;
  /** The workflow's text and selector; they may be shown outside the panel. */
  readonly program: HTMLElement;
  #editor: YamlEditor;
  #runner: WorkflowRunner;
  #name = h('select', { 'aria-label': 'Workflow', onchange: () => this.#open(this.#name.value) });
  #original: HTMLButtonElement;
  /** The person's edits of the examples, by name. */
  #changed: Map<string, string>;
  #files: ProgramFiles;

  constructor(session: Session, book: Book) {
    const { changed, current, files } = (keptJson(KEPT) ?? {}) as Record<string, unknown>;
    this.#changed = new Map([...textsIn(changed)].filter(([name]) => name in WORKFLOWS));
    const ofBook = (name: string) => {
      const tab = book.tabs.find((tab) => tab.name === name && !tab.readOnly);
      return tab && book.text(tab);
    };
    const there = { text: ofBook, where: 'in the book', how: 'write it in a file of the book' };
    this.#files = new ProgramFiles(textsIn(files), there, () => {
      this.#keep();
      void this.#runner.look();
    });
    book.tabsChanged.on(() => this.#files.areNamed && void this.#runner.look());
    this.#editor = new YamlEditor(
      () => {
        this.#keep();
        this.#runner.changed();
      },
      (line) => this.#runner.point(line),
    );
    this.#runner = new WorkflowRunner(
      session,
      {
        text: () => this.#editor.text,
        goTo: (line, column) => this.#editor.goTo(line, column),
        mark: (lines, show) => this.#editor.mark(lines, show),
        found: (flaw) => this.#editor.underline(flaw),
      },
      this.#files,
    );
    this.#original = button('Restore original', () => void this.#restore(), {
      icon: 'undo',
      class: 'quiet',
    });
    this.program = h(
      'div',
      { class: 'program' },
      h('div', { class: 'row bar' }, this.#name, this.#original),
      h('div', { class: 'program-text' }, this.#editor.view.dom),
      this.#runner.problem,
    );
    this.element = this.#runner.element;
    this.element.prepend(
      h(
        'p',
        { class: 'note' },
        'A workflow is a graph in YAML whose nodes run Prolog and JavaScript. Your book records each step of a run, so you can resume it, or start again from any checkpoint.',
      ),
    );
    this.#name.append(...Object.keys(WORKFLOWS).map((name) => h('option', { value: name }, name)));
    this.#open(typeof current === 'string' && current in WORKFLOWS ? current : Object.keys(WORKFLOWS)[0]!);
  }

  /** Put the text back into the panel. */
  takeBack(): void {
    if (this.program.parentElement !== this.element) this.element.firstElementChild!.after(this.program);
  }

  #open(name: string): void {
    this.#name.value = name;
    this.#editor.text = this.#changed.get(name) ?? WORKFLOWS[name]!;
    this.#runner.open();
  }

  #keep(): void {
    const name = this.#name.value;
    if (this.#editor.text === WORKFLOWS[name]) this.#changed.delete(name);
    else this.#changed.set(name, this.#editor.text);
    keep(
      KEPT,
      JSON.stringify({
        current: name,
        changed: Object.fromEntries(this.#changed),
        files: Object.fromEntries(this.#files.texts),
      }),
    );
    this.#original.hidden = !this.#changed.has(name);
    for (const option of this.#name.options)
      option.text = this.#changed.has(option.value) ? `${option.value} (changed)` : option.value;
  }

  async #restore(): Promise<void> {
    if (!(await agreed('Restore the original?', 'Your changes to this example are lost.', 'Restore', 'Cancel'))) return;
    this.#changed.delete(this.#name.value);
    this.#open(this.#name.value);
  }
}
