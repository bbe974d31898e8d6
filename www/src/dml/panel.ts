/** DML in the page: programs with their editor and runner. Loaded when first shown. */
import type { Finding } from '../../../pkg/dml.js';
import { agreed } from '../dialogs.ts';
import { button, h, tell } from '../dom.ts';
import type { Session } from '../session.ts';
import { ProgramEditor } from './editor.ts';
import { Endpoint } from './endpoint.ts';
import { BROWSER, PERSON, Script, hasBrowserModel } from './models.ts';
import { Programs } from './programs.ts';
import { Runner } from './runner.ts';

export class DmlPanel {
  readonly element: HTMLElement;
  /** The program's text and selector; they may be shown outside the panel. */
  readonly program: HTMLElement;
  #programs = new Programs();
  #editor = new ProgramEditor(() => {
    this.#keep();
    this.#runner.changed();
  });
  #problems = h('div', { class: 'problems', role: 'region', 'aria-label': 'Problems in the program' });
  #program = h(
    'select',
    { 'aria-label': 'Program' },
    ...this.#programs.names.map((name) => h('option', { value: name }, name)),
  );
  #original: HTMLButtonElement;
  #script = new Script(() => this.#keep());
  #runner: Runner;
  /** A program is being opened: changes of the fields are not the person's. */
  #opening = false;

  constructor(session: Session) {
    this.#runner = new Runner(
      session,
      {
        text: () => this.#editor.text,
        goTo: (place) => this.#editor.goTo(place),
        point: (line) => this.#editor.point(line),
        stops: () => this.#editor.stops,
        found: (findings) => {
          this.#editor.underline(findings);
          this.#drawProblems(findings);
        },
        given: () => this.#keep(),
      },
      [this.#script, PERSON, ...(hasBrowserModel() ? [BROWSER] : []), new Endpoint()],
    );
    this.#original = button('Restore original', () => void this.#restore(), {
      icon: 'undo',
      class: 'quiet',
    });
    this.#problems.hidden = true;
    this.#program.addEventListener('change', () => this.#open(this.#program.value));
    this.program = h(
      'div',
      { class: 'program' },
      h('div', { class: 'row bar' }, this.#program, this.#original),
      h('div', { class: 'program-text' }, this.#editor.view.dom),
      this.#problems,
    );
    this.element = h(
      'div',
      { class: 'dml' },
      h(
        'p',
        { class: 'note' },
        'DML is Prolog that calls language models, tools and people, and can backtrack over all of them. Programs run in this page, apart from your book. Nothing leaves it, except prompts to an endpoint that you choose.',
      ),
      this.#runner.element,
    );
    this.#open(this.#programs.current);
  }

  /** Put the program's text back into the panel. */
  takeBack(): void {
    if (this.program.parentElement !== this.element) this.element.firstElementChild!.after(this.program);
  }

  focus(): void {
    this.#editor.view.focus();
  }

  #open(name: string): void {
    this.#programs.open(name);
    const { text, script, params } = this.#programs.work;
    this.#program.value = name;
    this.#opening = true;
    this.#script.text = script;
    this.#editor.text = text;
    this.#runner.open(params);
    this.#opening = false;
    this.#mark();
  }

  /** Store what is in the fields. */
  #keep(): void {
    if (this.#opening) return;
    const kept = this.#programs.keeps;
    this.#programs.change({ text: this.#editor.text, script: this.#script.text, params: this.#runner.params });
    if (kept && !this.#programs.keeps)
      tell("The browser's storage is full: this program is lost when you close the page. Copy it to keep it.", 'error');
    this.#mark();
  }

  #mark(): void {
    for (const option of this.#program.options)
      option.text = this.#programs.isChanged(option.value) ? `${option.value} (changed)` : option.value;
    this.#original.hidden = !this.#programs.isChanged();
  }

  async #restore(): Promise<void> {
    if (!(await agreed('Restore the original?', 'Your changes to this example are lost.', 'Restore', 'Cancel'))) return;
    this.#programs.restore();
    this.#open(this.#programs.current);
  }

  #drawProblems(findings: Finding[]): void {
    this.#problems.hidden = findings.length === 0;
    this.#problems.replaceChildren(
      h(
        'ul',
        {},
        ...findings.map((finding) =>
          h(
            'li',
            { class: 'error' },
            h(
              'button',
              { type: 'button', class: 'quiet', onclick: () => this.#editor.goTo(finding) },
              h('span', { class: 'place' }, `${finding.line}:${finding.column}`),
              ` ${finding.message}`,
            ),
          ),
        ),
      ),
    );
  }
}
